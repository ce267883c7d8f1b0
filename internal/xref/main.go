// Command xref prints the lines of this module that cite a rule of
// internal/REQUIREMENTS.md or a section of an RFC, first those of the code and then
// those of tests:
//
//	go run ./internal/xref EB-27
//	go run ./internal/xref 2046 5.2.3.1
//	go run ./internal/xref 2046
//
// It also prints the lines for sections below the given one. For a rule it prints the
// text first. The exit status is 1 if nothing is found, and 2 if the arguments are
// wrong.
package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/cite"
)

func main() {
	wanted, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	root, err := findRoot()
	if err == nil {
		var found int
		out := bufio.NewWriter(os.Stdout)
		if found, err = run(out, os.DirFS(root), wanted); err == nil {
			err = out.Flush()
		}
		if err == nil && found == 0 {
			err = fmt.Errorf("nothing cites %s", strings.Join(os.Args[1:], " "))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A query is what to look for.
type query struct {
	rule    string
	rfc     int
	section string // "" is the whole RFC
}

func parse(args []string) (query, error) {
	if len(args) == 1 && strings.Contains(args[0], "-") {
		return query{rule: strings.ToUpper(args[0])}, nil
	}
	if len(args) != 1 && len(args) != 2 {
		return query{}, fmt.Errorf("usage: xref RULE | RFC [SECTION]")
	}
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(args[0]), "rfc"))
	if err != nil || n <= 0 {
		return query{}, fmt.Errorf("not the number of an RFC: %q", args[0])
	}
	q := query{rfc: n}
	if len(args) == 2 {
		q.section = strings.TrimSuffix(args[1], ".")
	}
	return q, nil
}

func (q query) matches(c cite.Citation) bool {
	if q.rule != "" {
		return c.Rule == q.rule
	}
	return c.RFC == q.rfc && (q.section == "" || cite.Within(c.Section, q.section))
}

// findRoot returns the folder of go.mod, here or above.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for up := dir; ; up = path.Dir(up) {
		if _, err := os.Stat(path.Join(up, "go.mod")); err == nil {
			return up, nil
		}
		if up == path.Dir(up) {
			return "", fmt.Errorf("there is no go.mod above %s", dir)
		}
	}
}

// run prints what is found, and returns how many lines of sources that is.
func run(w io.Writer, root fs.FS, q query) (int, error) {
	if q.rule != "" {
		if err := printRule(w, root, q.rule); err != nil {
			return 0, err
		}
	}
	var code, tests []string
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || path.Dir(name) == "internal/cite" || path.Dir(name) == "internal/xref" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		last := 0
		for c := range cite.All(text) {
			if !q.matches(c) || c.Line == last {
				continue
			}
			last = c.Line
			line := fmt.Sprintf("%s:%d: %s", name, c.Line, strings.TrimSpace(lines[c.Line-1]))
			if strings.HasSuffix(name, "_test.go") {
				tests = append(tests, line)
			} else {
				code = append(code, line)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, line := range append(code, tests...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return 0, err
		}
	}
	return len(code) + len(tests), nil
}

// printRule prints a rule with its text in REQUIREMENTS.md.
func printRule(w io.Writer, root fs.FS, id string) error {
	f, err := root.Open("internal/REQUIREMENTS.md")
	if err != nil {
		return err
	}
	defer f.Close()
	rules, err := cite.Rules(f)
	if err != nil {
		return err
	}
	for _, r := range rules {
		if r.ID == id {
			_, err := fmt.Fprintf(w, "%s %s\n\n", r.ID, r.Text)
			return err
		}
	}
	return fmt.Errorf("there is no rule %s", id)
}
