package archive_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// vector is an archive for other implementations, and the outcomes that a reader has to find in it.
const vector = "testdata/vector"

// writeVector makes the vector anew.
func writeVector(t *testing.T) {
	dir := vector
	os.RemoveAll(dir)
	open(t, dir).Close()
	for _, name := range []string{"lock", "index", "head"} {
		os.Remove(filepath.Join(dir, name))
	}
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Head{}, 0)
	must(t, err)
	defer l.Close()
	now := time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
	write := func(entries ...ledger.Entry) {
		now = now.Add(time.Second)
		_, err := l.Append(now, entries...)
		must(t, err)
	}
	tell := func(kind string, body any) { write(ledger.Entry{Kind: kind, Body: body}) }
	object := func(text string) string {
		sum := sumOf(text)
		path := object(dir, sum)
		os.MkdirAll(filepath.Dir(path), 0o700)
		put(t, path, text)
		return sum
	}
	host, box := "files.example", "/mail/box"
	type ref = archive.ReferenceRecord
	message := func(id string, urls ...string) []*ref {
		text, received := letter(id, urls...), time.Time{}
		if id == "5" || id == "6" {
			received = now
			text = "Received: from a.example by b.example; " + now.Format(time.RFC1123Z) + "\r\n" + text
		}
		m := &archive.MessageRecord{SHA256: object(text), Size: int64(len(text)), MessageID: "<" + id + "@example.org>",
			Date: "Mon, 2 Nov 2026 10:00:00 +0000", Received: received, From: "a@example.org", Subject: id, References: len(urls), Stored: true}
		entries := []ledger.Entry{{Kind: "message", Body: m}}
		if id == "7" {
			m.Internal = now
		}
		var refs []*ref
		for i, u := range urls {
			r := &ref{Message: m.SHA256, Ref: fmt.Sprint(i + 1), AccessType: "url", URL: u, Host: host, Size: -1,
				Key: sumOf(u + "\n"), ContentType: "application/octet-stream"}
			if id == "6" || id == "7" {
				r.Account = "work"
				r.VersionAt = now
				r.Expect = sumOf("\nas-of: " + now.Format(time.RFC3339))[:16]
			}
			refs = append(refs, r)
			entries = append(entries, ledger.Entry{Kind: "reference", Body: r})
		}
		if id == "5" {
			m.Apart = []archive.Apart{{Section: "2", Size: 1234, File: "/mail/Attachments/5/2/a.pdf"}, {Section: "3", Size: 99}}
		}
		if id == "2" {
			refs[0].Expect = sumOf("size 9")[:16]
			refs[0].Size = 9
		}
		if id == "4" {
			refs[1].Expect, refs[1].Size = sumOf("size 5")[:16], 5
		}
		write(entries...)
		tell("sighting", &archive.Sighting{Message: m.SHA256, Source: box, File: box + "/" + id, Size: m.Size})
		return refs
	}
	facts := func(r *ref) archive.Facts {
		return archive.Facts{Key: r.Key, Expect: r.Expect, Message: r.Message, Ref: r.Ref, URL: r.URL, Host: r.Host, Started: now, Ended: now}
	}
	capture := func(r *ref, text string) *archive.Capture {
		c := &archive.Capture{Facts: facts(r), SHA256: object(text), Size: int64(len(text)), Label: "current", ContentType: "application/octet-stream",
			Checks: []fetch.Check{{Name: "media-type", Status: "match"}}}
		c.FinalURL, c.Address, c.Status = r.URL, "192.0.2.7:80", 200
		return c
	}
	exception := func(r *ref, kind, reason string, attempts int, due time.Time) *archive.Exception {
		e := &archive.Exception{Facts: facts(r), Reason: reason, Kind: kind, Error: "read " + r.URL + ": " + kind, Attempts: attempts, First: now, Due: due}
		e.Status, e.Words = 404, "404 Not Found"
		return e
	}
	begin := func(command string) {
		tell("run", &archive.Run{Format: 1, Event: "begin", Command: command, Version: "extbody 0.1.0", Rules: "aacbe18f0ebd1d44"})
	}
	end := func(command string, c *archive.Counts) {
		tell("run", &archive.Run{Format: 1, Event: "end", Command: command, Counts: c})
	}
	url := func(name string) string { return "http://files.example/" + name }

	begin("sync")
	one := message("1", url("a"), url("b"), url("c"))
	two := message("2", url("a"), url("d"), url("e"), url("f"))
	three := message("3", url("g"), url("h"))
	tell("exception", &archive.Exception{Source: box, File: box + "/4", Reason: archive.Unknown, Kind: "local", Error: "open " + box + "/4: permission denied", Attempts: 1, First: now})
	tell("source", &archive.SourceRecord{Source: box, Exists: 4, Seen: 3, Stored: 3, Excepted: 1, Rules: "aacbe18f0ebd1d44"})
	tell("capture", capture(one[0], "the body"))
	tell("exception", &archive.Exception{Facts: facts(two[0]), Reason: archive.UnsupportedArtifact, Kind: "digest-mismatch", Error: "8 octets, want 9", Attempts: 1, First: now})
	tell("exception", exception(one[1], "not-found", archive.ItemDeletedOrOutsideRetention, 1, now.Add(time.Hour).Truncate(time.Minute)))
	tell("exception", exception(one[2], "gone", archive.ItemDeletedOrOutsideRetention, 1, time.Time{}))
	tell("capture", capture(two[1], "first"))
	tell("capture", capture(three[0], "private"))
	end("sync", &archive.Counts{Messages: 3, Sightings: 3, References: 9, Captures: 3, Exceptions: 4, New: 4, Unasked: 3})

	now = now.AddDate(0, 0, 30)
	begin("sync")
	given := exception(one[1], "not-found", archive.ItemDeletedOrOutsideRetention, 7, time.Time{})
	given.Spread, given.GivenUp = 26*24*3600, true
	tell("exception", given)
	again := capture(two[1], "second")
	again.Again = true
	tell("capture", again)
	tell("changed", &archive.Changed{Key: again.Key, URL: again.URL, From: sumOf("first"), To: again.SHA256})
	tell("exception", exception(one[0], "not-found", archive.ItemDeletedOrOutsideRetention, 1, time.Time{}))
	tell("exception", exception(two[3], "unavailable", archive.TransientServiceError, 2, now.Add(6*time.Hour).Truncate(time.Minute)))
	end("sync", &archive.Counts{Captures: 1, Exceptions: 3, New: 1, Changed: 1, GivenUp: 1, Deferred: 1})
	begin("hold")
	tell("hold", &archive.Hold{Objects: []string{one[0].Message}, Keys: []string{one[0].Key}, Selector: "message=<1@example.org>", Reason: "case 7"})
	end("hold", nil)
	begin("forget")
	private := sumOf("private")
	tell("forget", &archive.Forget{Objects: []archive.Removed{{SHA256: private, Size: 7}, {SHA256: three[0].Message, Size: int64(len(letter("3", url("g"), url("h"))))}},
		Keys: []string{three[0].Key, three[1].Key}, Selector: "message=<3@example.org>", Reason: "asked to by the sender", At: now})
	for _, sum := range []string{private, three[0].Message} {
		os.RemoveAll(filepath.Join(dir, "objects", sum[:2], sum[2:4]))
		os.Remove(filepath.Join(dir, "objects", sum[:2]))
	}
	end("forget", nil)

	begin("sync")
	four := message("4", url("i"), url("i"), url("g"))
	tell("capture", capture(four[0], "third"))
	compared := capture(four[1], "third")
	compared.Compared = true
	tell("capture", compared)
	end("sync", &archive.Counts{Messages: 1, Sightings: 1, References: 3, Captures: 2, New: 1})
	begin("forget")
	third := sumOf("third")
	tell("forget", &archive.Forget{Objects: []archive.Removed{{SHA256: third, Size: 5}}, Keys: []string{four[0].Key}, Selector: "url=" + url("i"), Reason: "a mistake", At: now})
	os.RemoveAll(filepath.Join(dir, "objects", third[:2]))
	end("forget", nil)
	begin("retry")
	fourth := capture(four[0], "fourth")
	fourth.Again = true
	tell("capture", fourth)
	tell("changed", &archive.Changed{Key: fourth.Key, URL: fourth.URL, From: third, To: fourth.SHA256})
	end("retry", &archive.Counts{Captures: 1, Changed: 1})

	begin("sync")
	five := message("5", url("k"), url("a"))
	account := archive.SourceRecord{Source: "jmap://ann@mail.example/", Exists: 1, Seen: 1, Stored: 1, Rules: "aacbe18f0ebd1d44", State: "e7f1"}
	tell("sighting", &archive.Sighting{Message: five[0].Message, Source: account.Source, EmailID: "M6af8c0", Mailboxes: []string{"Archive/2026"}, Size: 513})
	tell("source", &account)
	tell("capture", capture(five[0], "fifth"))
	end("sync", &archive.Counts{Messages: 1, Sightings: 2, References: 2, Captures: 1, Quiet: 1})
	writeAccount(write, capture, message, two[2])

	begin("sync")
	exchanges := exchange.NewWriter(filepath.Join(dir, "exchanges"), l.Head().Seq, "extbody 0.1.0")
	eight := message("8", url("p"), url("q"))
	there := capture(eight[0], "eighth")
	there.Exchanges = exchanged(t, exchanges, there.Facts, "capture", there, "eighth")
	tell("capture", there)
	away := exception(eight[1], "not-found", archive.ItemDeletedOrOutsideRetention, 1, now.Add(time.Hour).Truncate(time.Minute))
	away.Exchanges = exchanged(t, exchanges, away.Facts, "exception", away, "there is no such file")
	tell("exception", away)
	must(t, exchanges.Close())
	end("sync", &archive.Counts{Messages: 1, Sightings: 1, References: 2, Captures: 1, Exceptions: 1, New: 1})

	head := l.Head().Digest
	der, err := stamping(t)(t.Context(), head[:])
	must(t, err)
	stamp := strings.Replace(l.Head().String(), " ", "-", 1) + ".tsr"
	must(t, os.MkdirAll(filepath.Join(dir, "stamps"), 0o700))
	put(t, filepath.Join(dir, "stamps", stamp), string(der))
	tell("run", &archive.Run{Format: 1, Event: "stamp", Command: "sync", Stamp: &archive.Stamp{File: stamp, SHA256: sumOf(string(der))}})
	put(t, filepath.Join(dir, "head"), l.Head().String()+"\n")
	writeIncoming(t, dir)
}

// exchanged writes the exchange of an attempt, which is one by HTTP with an answer and a body.
func exchanged(t *testing.T, w *exchange.Writer, f archive.Facts, kind string, line any, text string) *archive.Span {
	content := &record.Content{SHA256: sumOf(text), Octets: int64(len(text))}
	x := &fetch.Exchange{Started: f.Started, Ended: f.Ended, Protocol: "http", URL: f.URL, Remote: netip.MustParseAddrPort("192.0.2.7:80"), Status: f.Status, Content: content,
		RequestHead:  record.Octets("GET " + strings.TrimPrefix(f.URL, "http://"+f.Host) + " HTTP/1.1\r\nHost: " + f.Host + "\r\n\r\n"),
		ResponseHead: record.Octets("HTTP/1.1 " + fmt.Sprint(f.Status) + " " + http.StatusText(f.Status) + "\r\nContent-Type: application/octet-stream\r\n\r\n"), Beginning: record.Octets(text)}
	object := ""
	if kind == "capture" {
		object = sumOf(text)
	}
	records, err := exchange.Records([]*fetch.Exchange{x}, kind, line, object)
	must(t, err)
	span, err := w.Write(records)
	must(t, err)
	return span
}

// writeAccount writes a run with an account for the host of the references of two messages, and for an open one of a
// message before.
func writeAccount(write func(...ledger.Entry), capture func(*archive.ReferenceRecord, string) *archive.Capture, message func(string, ...string) []*archive.ReferenceRecord, open *archive.ReferenceRecord) {
	tell := func(kind string, body any) { write(ledger.Entry{Kind: kind, Body: body}) }
	tell("run", &archive.Run{Format: 1, Event: "begin", Command: "sync", Version: "extbody 0.1.0", Rules: "5f0c2a7d90b1e364"})
	six := message("6", "http://files.example/m", "http://files.example/n")
	seven := message("7", "http://files.example/m")
	asked := *open
	asked.Replaces = &open.Expect
	asked.Account = "work"
	asked.Expect = sumOf("\nas-of: ")[:16]
	const octets = 711 // of the message
	again := &archive.MessageRecord{SHA256: open.Message, Size: octets, MessageID: "<2@example.org>", References: 1, Again: true, Stored: true}
	write(ledger.Entry{Kind: "message", Body: again}, ledger.Entry{Kind: "reference", Body: &asked})
	by := func(r *archive.ReferenceRecord, text, history string) *archive.Capture {
		c := capture(r, text)
		c.FinalURL = "https://graph.example/v1.0/drives/d1/items/i1/content"
		c.Login = "work"
		c.Item = "i1"
		c.VersionAt = r.VersionAt
		c.Modified = time.Date(2026, 10, 30, 9, 0, 0, 0, time.UTC)
		c.Version = "version: 2.0"
		c.History = history
		c.Checks = []fetch.Check{{Name: "media-type", Status: "match"}, {Name: "graph quickxor", Status: "match"}}
		return c
	}
	found := by(six[0], "as it was", "")
	found.Label = "version"
	found.Until = found.Started
	tell("capture", found)
	compared := *found
	compared.Facts = by(seven[0], "as it was", "").Facts
	compared.FinalURL = "http://files.example/m"
	compared.Login = "work"
	compared.VersionAt = seven[0].VersionAt
	compared.Compared = true
	compared.Again = true
	tell("capture", &compared)
	tell("capture", by(six[1], "as it is", "cut"))
	tell("capture", by(&asked, "of another time", "no-arrival"))
	tell("run", &archive.Run{Format: 1, Event: "end", Command: "sync", Counts: &archive.Counts{Messages: 2, Sightings: 2, References: 4, Captures: 4}})
}

// A found has the facts that a reader has to find of a reference of the vector.
type found struct {
	Message string `json:"message"` // its Message-ID
	Ref     string `json:"ref"`
	State   string `json:"state"`
	Due     string `json:"due,omitempty"`
	Object  string `json:"object,omitempty"`
	Delay   string `json:"delay,omitempty"` // in seconds
	By      string `json:"by,omitempty"`    // the field of the message with the time of its arrival
}

// TestVector checks that the program and a reader that was written from ARCHIVE.md alone find the outcomes that the
// vector names.
func TestVector(t *testing.T) {
	expected := filepath.Join("testdata", "vector.json")
	update := os.Getenv("EXTBODY_UPDATE") != ""
	if update {
		writeVector(t)
	}
	c := new(clock)
	c.set(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC), 0)
	var got []found
	for _, row := range agreeing(t, copied(t, vector), c) {
		got = append(got, found{row["message_id"], row["reference"], row["state"], row["due"], row["sha256"], row["delay"], row["delay_by"]})
		if row["source"] != "/mail/box" {
			t.Errorf("got the source %q, want /mail/box", row["source"])
		}
	}
	text, err := json.MarshalIndent(got, "", "  ")
	must(t, err)
	if update {
		put(t, expected, string(text)+"\n")
	}
	want, err := os.ReadFile(expected)
	must(t, err)
	if string(text)+"\n" != string(want) {
		t.Errorf("got %s, want %s", text, want)
	}
}

// TestFormatDocument checks that each line in ARCHIVE.md is one of the vector, and that
// each member of each kind is explained.
func TestFormatDocument(t *testing.T) {
	octets, err := os.ReadFile("../../ARCHIVE.md")
	must(t, err)
	document := string(octets)
	lines := slurp(t, vector, "ledger")
	shown := 0
	for line := range strings.Lines(document) {
		if strings.HasPrefix(line, `{"seq":`) {
			if shown++; !strings.Contains(lines, line) {
				t.Errorf("the vector has no line %s", line)
			}
		}
	}
	if shown < 11 {
		t.Errorf("got %d lines, want one of each kind", shown)
	}
	for kind, v := range map[string]any{"run": archive.Run{}, "source": archive.SourceRecord{}, "message": archive.MessageRecord{}, "sighting": archive.Sighting{},
		"reference": archive.ReferenceRecord{}, "capture": archive.Capture{}, "exception": archive.Exception{}, "changed": archive.Changed{}, "hold": archive.Hold{}, "forget": archive.Forget{}} {
		_, section, ok := strings.Cut(document, "\n### "+kind+"\n")
		if !ok {
			t.Errorf("there is no section for %s", kind)
			continue
		}
		section = regexp.MustCompile(`\n##+ `).Split(section, 2)[0]
		if kind == "capture" || kind == "exception" {
			_, attempts, _ := strings.Cut(document, "\n### Members of every attempt\n")
			section += regexp.MustCompile(`\n##+ `).Split(attempts, 2)[0]
		}
		for _, name := range members(reflect.TypeOf(v)) {
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("%s: the member %s is not explained", kind, name)
			}
		}
	}
}

// members returns the names of the members that a type has in JSON, and those of the types
// of this package in it.
func members(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !strings.HasSuffix(t.PkgPath(), "/archive") {
		return nil
	}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
		names = append(names, members(t.Field(i).Type)...)
	}
	return names
}
