package archive_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestTextIndexBesideNotmuch measures the index of texts beside the one of notmuch over the same generated messages: how
// long it takes to make, how large it is, and ten searches. Both have to find the messages that were generated with the words.
// EXTBODY_TEST_MESSAGES is how many messages there are.
//
//	EXTBODY_SLOW=1 go test -v -timeout 1h -run TestTextIndexBesideNotmuch ./examples/extbody/internal/archive
func TestTextIndexBesideNotmuch(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("it takes minutes: EXTBODY_SLOW is not set")
	}
	n := often("EXTBODY_TEST_MESSAGES", 100_000)
	box, dir := inbox(t)
	words := generatedWords()
	r := rand.New(rand.NewPCG(1, 2))
	common := rand.NewZipf(r, 1.1, 3, uint64(len(words)-1))
	octets := 0
	for i := range n {
		var text strings.Builder
		for k := range 80 + r.IntN(120) {
			text.WriteString(words[common.Uint64()])
			text.WriteString([]string{" ", " ", " ", ", ", "\r\n"}[k%5])
		}
		for _, every := range []int{10, 100, 1000, 10_000} {
			if i%every == 0 {
				fmt.Fprintf(&text, "\r\nxin%d the settlement of %d", every, every)
			}
		}
		letter := fmt.Sprintf("From: u%d@example.org\r\nTo: b@example.org\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <%d@example.org>\r\nSubject: letter %d\r\n\r\n%s\r\n", i%500, i, i, &text)
		octets += len(letter)
		deliver(t, box, fmt.Sprintf("%06d:2,S", i), letter)
	}
	o := options(box)
	o.All = true
	begun := time.Now()
	run(t, dir, o)
	t.Logf("%d messages, %d MB: in the archive after %v", n, octets/1_000_000, time.Since(begun))
	begun = time.Now()
	x := indexTexts(t, dir)
	t.Logf("the index of texts: %v, %d MB", time.Since(begun), x.Octets/1_000_000)
	if x.Texts != n {
		t.Errorf("got %d texts in the index, want %d", x.Texts, n)
	}
	notmuch := notmuchIndex(t, box)
	a := readAt(t, dir, nil)
	for _, s := range []struct {
		phrase string
		want   int
	}{
		{"xin10000", (n + 9999) / 10_000}, {"xin1000", (n + 999) / 1000}, {"xin100", (n + 99) / 100}, {"xin10", (n + 9) / 10}, {"nowhereword", 0},
		{"settlement of 10000", (n + 9999) / 10_000}, {"settlement of 1000", (n + 999) / 1000}, {"of 100", (n + 99) / 100}, {"xin1000*", (n + 999) / 1000}, {"letter 777", 1},
	} {
		begun := time.Now()
		found := 0
		must(t, a.Search(selector(t, "text="+s.phrase), func(*archive.Found) error { found++; return nil }))
		ours := time.Since(begun)
		line := fmt.Sprintf("%q: %d in %v", s.phrase, found, ours)
		if found != s.want {
			t.Errorf("%q: got %d, want %d", s.phrase, found, s.want)
		}
		if notmuch != nil {
			query := `"` + s.phrase + `"`
			if strings.HasSuffix(s.phrase, "*") {
				query = s.phrase
			}
			begun := time.Now()
			out := notmuch("count", query)
			count, _ := strconv.Atoi(strings.TrimSpace(out))
			line += fmt.Sprintf("; notmuch count %d in %v", count, time.Since(begun))
			begun = time.Now()
			notmuch("search", query)
			line += fmt.Sprintf(", search in %v", time.Since(begun))
			if count != s.want {
				t.Errorf("%q: notmuch has %d, want %d", s.phrase, count, s.want)
			}
		}
		t.Log(line)
	}
}

// generatedWords returns words that sound like those of a language.
func generatedWords() (list []string) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := make(map[string]bool)
	for len(list) < 60_000 {
		word := ""
		for range 1 + r.IntN(4) {
			word += string("bcdfghklmnprstvw"[r.IntN(16)]) + string("aeiou"[r.IntN(5)])
		}
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	return list
}

// notmuchIndex has notmuch index a Maildir, and returns a function that runs it; nil without notmuch.
func notmuchIndex(t *testing.T, box string) func(args ...string) string {
	path, err := exec.LookPath("notmuch")
	if err != nil {
		t.Log("no notmuch: the index is not measured beside it")
		return nil
	}
	config := filepath.Join(t.TempDir(), "config")
	base := t.TempDir()
	put(t, config, "[database]\npath="+base+"\nmail_root="+box+"\n[user]\nname=a\nprimary_email=a@example.org\n[maildir]\nsynchronize_flags=false\n")
	notmuch := func(args ...string) string {
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "NOTMUCH_CONFIG="+config)
		var failure strings.Builder
		cmd.Stderr = &failure
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: got error %v, want none: %s", cmd, err, &failure)
		}
		return string(out)
	}
	begun := time.Now()
	notmuch("new", "--quiet")
	t.Logf("notmuch: %v, %d MB", time.Since(begun), size(t, base)/1_000_000)
	return notmuch
}
