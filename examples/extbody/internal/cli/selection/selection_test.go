package selection_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/selection"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// selected returns the Selection of some flags.
func selected(t *testing.T, args ...string) *selection.Selection {
	t.Helper()
	s := new(selection.Selection)
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.Flags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChoose wants the references that the flags name, and of beginnings of IDs those that
// one reference alone has: a stranger can make two that start alike.
func TestChoose(t *testing.T) {
	refs := []*externalbody.Reference{
		{ID: "1", Name: "a.pdf"}, {ID: "1.2", Name: "B.PDF"}, {ID: "link-abcdefgh"}, {ID: "link-abcdexyz", Name: "[x].png"}, {ID: "link-qqqqqqqq", Name: "a/b"},
	}
	for _, tt := range []struct {
		flags  string
		want   []int
		missed bool
		usage  bool
	}{
		{"", []int{0, 1, 2, 3, 4}, false, false},
		{"--ref 1", []int{0}, false, false},
		{"--ref 1.2 --ref 1", []int{0, 1}, false, false},
		{"--ref 2", nil, true, true},
		{"--ref 1 --ref 2", []int{0}, true, false},
		{"--ref link-abcde", nil, true, true},
		{"--ref link-abcdef", []int{2}, false, false},
		{"--ref link-qqqqq", []int{4}, false, false},
		{"--ref link-qqqq", nil, true, true},
		{"--name *.pdf", []int{0, 1}, false, false},
		{"--name *.pdf --ref link-abcdefgh", []int{0, 1, 2}, false, false},
		{`--name \[x\]*`, []int{3}, false, false},
		{"--name *", []int{0, 1, 3}, false, false},
		{"--name none", nil, false, false},
	} {
		s := selected(t, strings.Fields(tt.flags)...)
		chosen := s.Choose(refs)
		var got []int
		for i, ref := range refs {
			if chosen(ref) {
				got = append(got, i)
			}
		}
		err := s.Missed()
		if !slices.Equal(got, tt.want) || (err != nil) != tt.missed || exit.Is(err, exit.Usage) != tt.usage {
			t.Errorf("%s: got %v, %v, want %v, missed %t, usage %t", tt.flags, got, err, tt.want, tt.missed, tt.usage)
		}
	}
	if err := selected(t, "--name", "[").Check(); !exit.Is(err, exit.Usage) {
		t.Errorf("got %v, want a mistake", err)
	}
	alts := [][][]*externalbody.Reference{{{refs[0], refs[1]}}, {{refs[2]}, {refs[3]}}, {{refs[4]}}}
	got, numbers := selected(t, "--ref", "1.2", "--ref", "link-qqqqqqqq").Choices(refs, alts)
	if want := "[[[1.2]] [[link-qqqqqqqq]]] [1 3]"; ids(got)+fmt.Sprint(" ", numbers) != want {
		t.Errorf("got %s %v, want %s", ids(got), numbers, want)
	}
	var none *selection.Selection
	all, _ := none.Choices(refs, alts)
	if ids(all) != ids(alts) || none.Check() != nil || none.Missed() != nil {
		t.Error("got that nil chooses, want everything")
	}
}

// A word of digits after a PATH is the number of a choice, which has all its ways, and no ID.
func TestChooseNumbers(t *testing.T) {
	refs := []*externalbody.Reference{{ID: "2"}, {ID: "3"}, {ID: "4"}, {ID: "link-abcdefgh"}}
	choices := [][][]*externalbody.Reference{{{refs[0]}}, {{refs[1], refs[2]}}, {{refs[3]}}}
	for _, tt := range []struct{ words, want, missed string }{
		{"2", "[[[3 4]]] [2]", ""},
		{"2-9", "[[[3 4]] [[link-abcdefgh]]] [2 3]", ""},
		{"1 link-abcdefg", "[[[2]] [[link-abcdefgh]]] [1 3]", ""},
		{"4", "[] []", "4: the list has no such number, and an id is chosen by --ref"},
		{"3 7-9 2.1", "[[[link-abcdefgh]]] [3]", "--ref 2.1: there is none\n7-9: the list has no such number, and an id is chosen by --ref"},
	} {
		s := new(selection.Selection)
		s.Add(strings.Fields(tt.words)...)
		kept, numbers := s.Choices(refs, choices)
		missed := ""
		if err := s.Missed(); err != nil {
			missed = err.Error()
		}
		if got := ids(kept) + fmt.Sprint(" ", numbers); got != tt.want || missed != tt.missed {
			t.Errorf("%s: got %s, %q, want %s, %q", tt.words, got, missed, tt.want, tt.missed)
		}
	}
}

func ids(choices [][][]*externalbody.Reference) string {
	var all [][][]string
	for _, bodies := range choices {
		var list [][]string
		for _, alts := range bodies {
			var ids []string
			for _, ref := range alts {
				ids = append(ids, ref.ID)
			}
			list = append(list, ids)
		}
		all = append(all, list)
	}
	return fmt.Sprint(all)
}

// TestMessage wants messages by their number, Message-ID and digest.
func TestMessage(t *testing.T) {
	const box = "From a@b Thu Jan  1 00:00:00 1970\nMessage-ID: <a@b>\n\nx\n\nFrom a@b Thu Jan  1 00:00:00 1970\nMessage-ID: <12345678@b>\n\ny\n\n"
	for _, tt := range []struct {
		flag   string
		want   string
		missed bool
	}{
		{"0", "0", false}, {"1", "1", false}, {"2", "", true}, {"a@b", "0", false}, {"<12345678@b>", "1", false}, {"42d00ffe1630", "1", false}, {"42D00FFE", "1", false}, {"42d00ff", "", true}, {"00000000", "", true}, {"", "", true},
	} {
		s := selected(t, "--message", tt.flag)
		got := ""
		for m, err := range mailbox.Read("box", strings.NewReader(box), int64(len(box))) {
			if err != nil {
				t.Fatal(err)
			}
			msg, err := externalbody.Open(m.Reader(), m.Content.Len(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if ok, err := s.InMailbox(m, msg); err != nil {
				t.Error(err)
			} else if ok {
				got += fmt.Sprint(m.Index)
			}
		}
		if err := s.Missed(); got != tt.want || (err != nil) != tt.missed {
			t.Errorf("--message %s: got %q, %v, want %q", tt.flag, got, err, tt.want)
		}
	}
}
