package house

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func ExampleAll() {
	const source = `
// SIZE is that of the canonical form (RFC
// 2046 sections 5.2.3.1 and 5.2.3.7; EB-27).
`
	for c := range All([]byte(source)) {
		fmt.Println(c.Line, c)
	}
	// Output:
	// 2 RFC 2046 section 5.2.3.1
	// 2 RFC 2046 section 5.2.3.7
	// 3 EB-27
}

func TestAll(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"Nothing", "RFC 2046 says, in section 5, UTF-8, SHA-256, A-1 and TEB-1", nil},
		{"Range", "UA-2 to UA-4", []string{"UA-2", "UA-3", "UA-4"}},
		{"RangeWithoutPrefix", "UA-2 to 3", []string{"UA-2", "UA-3"}},
		{"RangeOfTwoGroups", "UA-2 to EB-4", []string{"UA-2", "EB-4"}},
		{"RangeOverLines", "// IN-1 to\n\t// IN-2", []string{"IN-1", "IN-2"}},
		{"RangeBackwards", "UA-4 to UA-2", nil},
		{"HugeRange", "UA-1 to UA-99999999999999999999999999", nil},
		{"Section", "(RFC 959 section 4.2.1).", []string{"RFC 959 section 4.2.1"}},
		{"EndOfSentence", "RFC 8089 section 3.", []string{"RFC 8089 section 3"}},
		{"Two", "RFC 5322 section 3.3, RFC 1123 section 5.2.14", []string{"RFC 5322 section 3.3", "RFC 1123 section 5.2.14"}},
		{"OverLines", "// RFC\r\n//  2046\n\t\t// section 5.1", []string{"RFC 2046 section 5.1"}},
		{"NotOverEmptyLine", "RFC 2046\n//\n// section 5", []string{"RFC 2046 section 5"}},
		{"Plural", "RFC 3659 sections 3,\n// 4 and 5.1, and more", []string{"RFC 3659 section 3", "RFC 3659 section 4", "RFC 3659 section 5.1"}},
		{"Appendix", "RFC 8089 appendix E.3.2", []string{"RFC 8089 appendix E.3.2"}},
		{"WordAfterSection", "RFC 4483 section A word", []string{"RFC 4483 appendix A"}},
		{"NoNumber", "RFC 4483 section five", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for c := range All([]byte(tt.text)) {
				got = append(got, c.String())
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		section, s string
		want       bool
	}{
		{"5.2.3.1", "5.2", true},
		{"5.2", "5.2", true},
		{"5.21", "5.2", false},
		{"5", "5.2", false},
	} {
		if got := Within(tt.section, tt.s); got != tt.want {
			t.Errorf("%s within %s: got %v, want %v", tt.section, tt.s, got, tt.want)
		}
	}
}

func TestReadRules(t *testing.T) {
	rules, err := Rules(strings.NewReader("# Title\n\n- **EB-1** A. (ours)\n- **EB-2** B. (ours) Test: p.TestB\n- **EB-3** C. No test: no way. (ours)\n"))
	want := []Rule{
		{ID: "EB-1", Text: "A. (ours)"},
		{ID: "EB-2", Text: "B. (ours) Test: p.TestB", Test: "p.TestB"},
		{ID: "EB-3", Text: "C. No test: no way. (ours)", NoTest: "no way. (ours)"},
	}
	if err != nil || !slices.Equal(rules, want) {
		t.Errorf("got %q, %v, want %q", rules, err, want)
	}
	for _, text := range []string{"- EB-1 A.\n", "- **EB-1** A.\n- **EB-1** B.\n", "- **EB-1**\n"} {
		if _, err := Rules(strings.NewReader(text)); err == nil {
			t.Errorf("%q: got no error, want one", text)
		}
	}
}

// FuzzAll: what is found says where, and can be printed.
func FuzzAll(f *testing.F) {
	f.Add([]byte("// RFC 2046 sections 5.1 and\n// A.2 (UA-1 to UA-3)"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := strings.Count(string(text), "\n") + 1
		for c := range All(text) {
			if c.Line < 1 || c.Line > lines || c.String() == "" || (c.Rule == "") == (c.Section == "") {
				t.Errorf("got %+v in a text of %d lines, want a line of it, and a rule or a section", c, lines)
			}
		}
	})
}
