package rewriting

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// Records wait for the output that they describe: they are written at commit,
// forgotten at drop, and the records of the last message are forgotten at retract,
// whether they wait in memory or in a file.
func TestJournal(t *testing.T) {
	for _, size := range []int{10, maxPending} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			var out bytes.Buffer
			j, err := openJournal("", true, &out)
			if err != nil {
				t.Fatal(err)
			}
			defer j.close()
			add := func(name string) {
				r := record.NewFailure(record.Place{Message: name + strings.Repeat("x", size)}, fmt.Errorf("bad"))
				if err := j.add(&Record{Record: r}); err != nil {
					t.Fatal(err)
				}
			}
			add("dropped")
			j.drop()
			add("first")
			if err := j.next(); err != nil {
				t.Fatal(err)
			}
			add("second")
			add("third")
			j.retract()
			add("fourth")
			if out.Len() > 0 {
				t.Errorf("before commit: got %d octets, want none", out.Len())
			}
			if err := j.commit(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(out.String()) {
				name, _, _ := strings.Cut(strings.TrimPrefix(line, `{"message":"`), "xx")
				got = append(got, name)
			}
			if want := "first fourth"; strings.Join(got, " ") != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// Sentences at a terminal have its width.
func TestJournalWidth(t *testing.T) {
	for width, want := range map[int]string{
		0:  "extbody: a.eml message 0: the reason is a long one\n",
		30: "extbody: a.eml message 0: the\nreason is a long one\n",
	} {
		var out bytes.Buffer
		j, err := openJournal("", false, &out)
		if err != nil {
			t.Fatal(err)
		}
		j.width = width
		r := record.NewFailure(record.InFile(&mailbox.Message{Path: "a.eml"}), errors.New("the reason is a long one"))
		if err := j.add(&Record{Record: r}); err != nil {
			t.Fatal(err)
		}
		if err := j.commit(); err != nil || out.String() != want {
			t.Errorf("%d columns: got %q, %v, want %q", width, &out, err, want)
		}
		j.close()
	}
}
