package about

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-extbody/extbody/internal/wording"
)

func TestPlain(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"Headings", "# One `two`\n## Three\n### Four\n", "One two\n=======\n\nThree\n-----\n\nFour\n"},
		{"Paragraph", "one **two** three\nfour five six\n\nseven\n", "one two three four\nfive six\n\nseven\n"},
		{"Links", "[a](A.md), [b](https://b/), ![c](c.png)", "a, b <https://b/>,\nc\n"},
		{"LinkOfCode", "[`a`](b#c)[", "a[\n"},
		{"CodeKeepsMarks", "`**a** [b](c)` `", "**a** [b](c) `\n"},
		{"List", "intro:\n- one two three four\n  five\n- six\n\nend", "intro:\n- one two three\n  four five\n- six\n\nend\n"},
		{"Numbers", "1. one two three four five\n2. six", "1. one two three\n   four five\n2. six\n"},
		{"Block", "a\n```sh\nx  y >z\n\nlonger than the width of lines\n```\nb", "a\n\n    x  y >z\n    \n    longer than the width of lines\n\nb\n"},
		{"BlockWithoutEnd", "```\nx", "    x\n"},
		{"Table", "| a | b |\n| --- | --- |\n| `c` | d\\|e |\n", "a  b\n------\nc  d|e\n"},
		{"WideTable", "| a | b |\n| --- | --- |\n| c | one two three four five |\n", "c\n    one two three\n    four five\n"},
		{"ThreeColumns", "| a | b | c |\n| --- | --- | --- |\n| d | one two three | e f |\n| g | h | i |", "d\n    b: one two\n    three\n    c: e f\ng\n    b: h\n    c: i\n"},
		{"Empty", "", "\n"},
	} {
		if got := plain(row.text, 18); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

// Lines of the documents are of at most 80 columns, apart from code, and no link is left.
func TestDocuments(t *testing.T) {
	list := Documents(os.DirFS("../../.."))
	if len(list) < 8 {
		t.Fatalf("got %d documents, want all of the program", len(list))
	}
	for _, d := range list {
		text := d.Plain(80)
		for line := range strings.Lines(text) {
			if wording.Columns(line) > 81 && !strings.HasPrefix(line, codeIndent) || strings.Contains(line, "](") {
				t.Errorf("%s: got %q, want at most 80 columns and no link", d.Name, line)
			}
		}
		if d.Title == "" || !strings.HasPrefix(text, d.Title[:10]) || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s: got the title %q and %.40q, want the text from its title on", d.Name, d.Title, text)
		}
	}
}

func TestFind(t *testing.T) {
	list := Documents(fstest.MapFS{"OUTPUT.md": {Data: []byte("# Out\n")}, "SERVE.md": {Data: []byte("# Serve\n")}, "main.go": {}})
	for name, want := range map[string]string{"output": "Out", "OUTPUT.md": "Out", "output.md": "Out", "serve-setup": "Serve", "SERVE.md": "Serve", "serve.md": "Serve", "serve": "", "main.go": "", "": ""} {
		if d, ok := Find(list, name); d.Title != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", name, d.Title, ok, want)
		}
	}
}

// FuzzPlain wants each line to keep to the width, unless it is code or one word.
func FuzzPlain(f *testing.F) {
	f.Add("# a\n- b `c` [d](e)\n| f | g |\n| --- | --- |\n| h | i |\n```\nj\n```\n", uint8(40))
	f.Fuzz(func(t *testing.T, text string, columns uint8) {
		width := 20 + int(columns)
		for line := range strings.Lines(plain(text, width)) {
			line = strings.TrimSuffix(line, "\n")
			if wording.Columns(line) > width && !strings.HasPrefix(line, codeIndent) && len(strings.Fields(line)) > 2 {
				t.Errorf("got %q, want at most %d columns", line, width)
			}
		}
	})
}
