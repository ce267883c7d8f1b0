package tomltext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2/unstable"
)

// TestEach wants each expression once, with the line of its key, and the values of lists without their comments.
func TestEach(t *testing.T) {
	const text = "\ufeff# a comment\na = 1\n\n[b.\"c d\"]\ne.f = [ # one\n  \"x\",\n  \"y\", # two\n]\n[[g]]\nh = {i = 2,\n j = 3}\n"
	x, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []string
		err := x.Each(func(n *unstable.Node) error {
			keys, line := x.Key(n)
			s := fmt.Sprintf("%d %v %s", line, n.Kind, strings.Join(keys, "/"))
			if n.Kind == unstable.KeyValue {
				Values(n.Value(), func(v *unstable.Node) error {
					s += " " + string(v.Data)
					for it := v.Children(); it.Next(); {
						keys, line := x.Key(it.Node())
						s += fmt.Sprintf(" (%d %s)", line, strings.Join(keys, "/"))
					}
					return nil
				})
			}
			got = append(got, s)
			return nil
		})
		want := []string{
			"2 KeyValue a 1",
			"4 Table b/c d",
			"5 KeyValue e/f x y",
			"9 ArrayTable g",
			"10 KeyValue h  (10 i) (11 j)",
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

// TestEnds wants an error of a function to end the reading.
func TestEnds(t *testing.T) {
	x, err := Read([]byte("a = [1, 2]\nb = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	calls := 0
	err = x.Each(func(n *unstable.Node) error {
		return Values(n.Value(), func(*unstable.Node) error {
			calls++
			return stop
		})
	})
	if err != stop || calls != 1 {
		t.Errorf("got %v after %d calls, want %v after one", err, calls, stop)
	}
}

// TestFaults wants the line of a fault, and the key where there is one.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int
		key        string
	}{
		{"syntax", "a = 1\nb = = 2\n", 2, ""},
		{"twice", "a = 1\n\na = 2\n", 3, "a"},
		{"table twice", "[a]\nb = 1\n[a]\n", 3, "a"},
		{"no end", "a = \"", 1, ""},
		{"no UTF-8", "a = 1\nb = \"\xff\"\n", 2, ""},
	} {
		_, err := Read([]byte(tt.text))
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%s: got %v, want an Error", tt.name, err)
			continue
		}
		if e.Line != tt.line || strings.Join(e.Key, ".") != tt.key || strings.HasPrefix(e.Error(), "toml") {
			t.Errorf("%s: got line %d, key %q, %q, want line %d, key %q", tt.name, e.Line, e.Key, e, tt.line, tt.key)
		}
	}
}
