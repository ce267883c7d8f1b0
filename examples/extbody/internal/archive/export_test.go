package archive

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Encoded returns a Reader of the octets of src in a transfer encoding.
func Encoded(src io.ReadCloser, enc message.Encoding) io.Reader { return encode(src, enc) }

// Describe returns the record of a message.
func Describe(text string) *MessageRecord {
	return describeMessage(digest(text), io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))))
}

// Instrument wraps the bucket of the archive.
func (a *Archive) Instrument(t testing.TB, wrap func(store.Store) store.Store) {
	s, err := store.Open(a.url, 0)
	must(t, err)
	a.objects = store.Remote(wrap(s), a.dir)
}

// Begin begins a run.
func (a *Archive) Begin(t testing.TB) { must(t, a.begin("test", "")) }

// sampleURL is the URL of reference i in FillLedger.
func sampleURL(i int) string { return fmt.Sprintf("https://files%d.example/d/%d", i%50, i) }

// FillLedger makes an archive with n references, in messages of 100, each with a final
// exception.
func FillLedger(t testing.TB, dir string, n int) {
	t.Helper()
	a, err := Open(dir, true, nil)
	must(t, err)
	defer a.Close()
	now := time.Unix(1_790_000_000, 0).UTC()
	must(t, a.begin("test", ""))
	for i := 0; i < n; {
		m := &MessageRecord{SHA256: digest(fmt.Sprint("message", i)), MessageID: fmt.Sprintf("<%d@example.org>", i), References: 100}
		entries := []ledger.Entry{{Kind: kindMessage, Body: m}}
		for k := 0; k < 100 && i < n; k++ {
			url := sampleURL(i)
			f := Facts{Key: digest(url + "\n"), URL: url, Host: fmt.Sprintf("files%d.example", i%50), Message: m.SHA256, Ref: fmt.Sprint(i)}
			entries = append(entries,
				ledger.Entry{Kind: kindReference, Body: &ReferenceRecord{Message: f.Message, Ref: f.Ref, Key: f.Key, URL: url, Host: f.Host, Size: -1}},
				ledger.Entry{Kind: kindException, Body: &Exception{Facts: f, Kind: "gone", Reason: ItemDeletedOrOutsideRetention, Attempts: 1, First: now}})
			i++
		}
		must(t, a.append(entries...))
	}
	must(t, a.end(&Run{Command: "test"}))
}

// FillWords makes an archive with one exception, which has words as a version before wrote them.
func FillWords(t testing.TB, dir, words string) {
	t.Helper()
	a, err := Open(dir, true, nil)
	must(t, err)
	defer a.Close()
	url := sampleURL(1)
	m := &MessageRecord{SHA256: digest("message"), References: 1}
	f := Facts{Key: digest(url + "\n"), URL: url, Host: "files.example", Message: m.SHA256, Ref: "1", Status: http.StatusOK}
	must(t, a.begin("test", ""))
	must(t, a.append(ledger.Entry{Kind: kindMessage, Body: m},
		ledger.Entry{Kind: kindReference, Body: &ReferenceRecord{Message: f.Message, Ref: f.Ref, Key: f.Key, URL: url, Host: f.Host, Size: -1}},
		ledger.Entry{Kind: kindException, Body: &Exception{Facts: f, Kind: "size-mismatch", Reason: UnsupportedArtifact, Words: words, Attempts: 1}}))
	must(t, a.end(&Run{Command: "test"}))
}

// FillMessages makes an archive with n messages of a mailbox on a server, which has the name source and the
// UIDs from 1. Every tenth message has a reference, with a final exception.
func FillMessages(t testing.TB, dir, source string, validity uint32, n int) {
	t.Helper()
	a, err := Open(dir, true, nil)
	must(t, err)
	defer a.Close()
	first := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	must(t, a.begin("test", ""))
	for i := 0; i < n; {
		var entries []ledger.Entry
		for k := 0; k < 200 && i < n; k++ {
			at := first.Add(time.Duration(i) * time.Minute)
			m := &MessageRecord{SHA256: digest(fmt.Sprint("message", i)), Size: 30_000, MessageID: fmt.Sprintf("<%d@example.org>", i), Received: at,
				Date: at.Format(time.RFC1123Z), From: fmt.Sprintf("User %d <u%d@example.org>", i%1000, i%1000), Subject: fmt.Sprint("The numbers of ", at.Month())}
			if i%10 == 0 {
				m.References = 1
			}
			entries = append(entries, ledger.Entry{Kind: kindMessage, Body: m})
			if i%10 == 0 {
				url := sampleURL(i)
				f := Facts{Key: digest(url + "\n"), URL: url, Host: fmt.Sprintf("files%d.example", i%50), Message: m.SHA256, Ref: "1"}
				entries = append(entries,
					ledger.Entry{Kind: kindReference, Body: &ReferenceRecord{Message: f.Message, Ref: f.Ref, Key: f.Key, URL: url, Host: f.Host, Name: fmt.Sprintf("report-%d.pdf", i), Size: -1}},
					ledger.Entry{Kind: kindException, Body: &Exception{Facts: f, Kind: "gone", Reason: ItemDeletedOrOutsideRetention, Attempts: 1, First: at}})
			}
			entries = append(entries, ledger.Entry{Kind: kindSighting, Body: &Sighting{Message: m.SHA256, Source: source, UIDValidity: validity, UID: uint32(i + 1), Size: m.Size}})
			i++
		}
		must(t, a.append(entries...))
	}
	must(t, a.end(&Run{Command: "test"}))
}

// BreakIndex has the index fail from now on, as on a disk that fails.
func (a *Archive) BreakIndex() error {
	err := errors.New("broken")
	a.index.broken.Store(&err)
	return nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
