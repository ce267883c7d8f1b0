package inspect

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// Mails that passed an earlier release, each with its file behind some padding, or in an encrypted part. With the
// policy that is shipped none is clean without a line about a part or a reference (OP-49, OP-50).
func TestPassed(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the mails that passed")
	}
	dir := filepath.Join(shared, "cases", "policy")
	paths, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d mails in %s, %v", len(paths), dir, err)
	}
	mails := make(map[string]string)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mails[filepath.Base(path)] = string(text)
	}
	for _, lines := range []string{"10", "55000", "60000"} { // of 75 octets each, before the reference
		text, err := exec.Command("python3", filepath.Join(dir, "calendar-pad.py"), lines).Output()
		if err != nil {
			t.Fatal(err)
		}
		mails["calendar-pad "+lines] = string(text)
	}
	policy := shipped(t)
	for name, text := range mails {
		t.Run(name, func(t *testing.T) {
			evil := func(_ context.Context, req *fetch.Request) (*fetch.Response, error) { return served(req, "EVIL"), nil }
			mux := new(fetch.Mux)
			mux.Handle("http", fetch.Func(evil))
			mux.Handle("https", fetch.Func(evil))
			in := newInspector(t, new(web), new(scanning), PoolOptions{})
			in.Resolver = &externalbody.Resolver{Fetcher: mux}
			in.Reading = &externalbody.OpenOptions{Dialects: dialect.All()}
			rep := in.Inspect(t.Context(), messageOf(text))
			d := policy.DecideAll(rep, new(Envelope), func() bool { return true })
			t.Logf("%s, %s by the rule %q, %d references, unread %+v", rep.Verdict, d.Action, d.Rule, len(rep.Refs), rep.Unread)
			if rep.Nothing() {
				t.Errorf("got %s without a line about a reference or a part", rep.Verdict)
			}
			if rep.Verdict == Clean {
				t.Errorf("got %s, want another verdict: each file is another one than was promised, or cannot be read", rep.Verdict)
			}
		})
	}
}
