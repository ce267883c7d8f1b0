package rewrite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// A scenario is a message before and after it is rewritten. In the latter, ID stands for the
// ID of the reference for which a part is added, and BOUNDARY for a new boundary.
type scenario struct {
	name          string
	before, after string
}

// runScenarios calls run for each archive in a folder of testdata, once with LF and once with
// CRLF. The archive has before.eml, and after.eml if rewriting changes the message. The line
// end before the next file is not part of a message.
func runScenarios(t *testing.T, folder string, run func(t *testing.T, s *scenario)) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d archives, %v, want some", len(paths), err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := make(map[string]string)
		for _, f := range txtar.Parse([]byte(strings.ReplaceAll(string(b), "\r\n", "\n"))).Files {
			files[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
		}
		s := scenario{strings.TrimSuffix(filepath.Base(path), ".txtar"), files["before.eml"], files["after.eml"]}
		if s.before == "" || len(files) > 2 || len(files) == 2 && s.after == "" {
			t.Fatalf("%s: got %d files, want before.eml and perhaps after.eml", path, len(files))
		}
		if s.after == "" {
			s.after = s.before
		}
		t.Run(s.name, func(t *testing.T) { run(t, &s) })
		t.Run(s.name+"CR", func(t *testing.T) { run(t, &scenario{s.name, crlf(s.before), crlf(s.after)}) })
	}
}

// check compares what was written with the message after.
func (s *scenario) check(t *testing.T, got string, report *rewrite.Report) {
	t.Helper()
	want, refs := s.after, added(report)
	switch {
	case len(refs) == 1 && want != s.before:
		want = strings.ReplaceAll(want, "<ID@", "<"+refs[0].ID+"@")
	case len(refs) > 0 || want != s.before:
		t.Fatalf("got %d parts added, want 1 if the message changes", len(refs))
	}
	if shown := madeBoundary.ReplaceAllString(got, "${1}BOUNDARY"); shown != want {
		t.Errorf("got\n%q\nwant\n%q", shown, want)
	}
}
