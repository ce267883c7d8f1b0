package inspect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A rule on extensions sees a name as the system has it that the file is saved on:
// white space and dots at its end are nothing to it.
func TestExtensionOfName(t *testing.T) {
	exe := string(append([]byte("MZ"), make([]byte, 100)...))
	for _, test := range []struct {
		name, want string
		mismatch   bool // where the octets are a program's
	}{
		{"a.exe", "exe", false},
		{"a.EXE.", "exe", false},
		{"a.exe. . ", "exe", false},
		{"a.exe\u200b", "exe", false},
		{"a.pdf.", "pdf", true},
		{"a.pdf ", "pdf", true},
		{"a", "", false},
	} {
		text := fmt.Sprintf("Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\n"+
			"Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename*=utf-8''%s\r\n\r\n",
			strings.NewReplacer(" ", "%20", "\u200b", "%E2%80%8B").Replace(test.name))
		rep := new(Inspector).Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
		if len(rep.Refs) != 1 {
			t.Fatalf("%q: got %d references, want 1", test.name, len(rep.Refs))
		}
		got := ""
		if len(rep.Refs[0].extensions) > 0 {
			got = rep.Refs[0].extensions[0]
		}
		if got != test.want {
			t.Errorf("%q: got the extension %q, want %q", test.name, got, test.want)
		}
		if got := contradicts([]byte(exe), "", test.name); got != test.mismatch {
			t.Errorf("%q of a program: got a mismatch %t, want %t", test.name, got, test.mismatch)
		}
	}
}

// RetryAfter is the first time that is known, whatever else failed.
func TestRetryAfter(t *testing.T) {
	soon, late := time.Unix(1000, 0), time.Unix(2000, 0)
	failed := func(after time.Time) Ref {
		return Ref{finding: finding{State: Failed, Kind: fetch.Unavailable, After: after}}
	}
	for _, test := range []struct {
		name string
		refs []Ref
		want time.Time
	}{
		{"Unknown", []Ref{failed(time.Time{})}, time.Time{}},
		{"UnknownLast", []Ref{failed(soon), failed(time.Time{})}, soon},
		{"UnknownFirst", []Ref{failed(time.Time{}), failed(soon)}, soon},
		{"First", []Ref{failed(late), failed(soon), failed(late)}, soon},
		{"Lasting", []Ref{{finding: finding{State: Failed, Kind: fetch.NotFound, After: soon}}}, time.Time{}},
	} {
		if got := report(test.refs...).RetryAfter; !got.Equal(test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	longest := time.Duration(1<<63 - 1)
	for wait, want := range map[time.Duration]int{1: 1, time.Second: 1, time.Second + 1: 2, longest: int(longest/time.Second) + 1} {
		if got := seconds(wait); got != want {
			t.Errorf("%v: got %d s, want %d", wait, got, want)
		}
	}
}

// What a stranger wrote is bounded in a Report.
func TestReportBounded(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	for _, params := range []string{
		"access-type=" + long,
		"access-type=url; url=\"" + long + "://a.example/\"",
		"access-type=url; url=\"https://" + long + ".example/\"",
		"access-type=url; url=\"https://a.example/" + long + "\"",
		"access-type=anon-ftp; site=" + long + "; name=" + long,
		"access-type=" + long + "; " + long + "=" + long,
	} {
		text := "Content-Type: message/external-body; " + params + "\r\n\r\nContent-Type: a/" + long + "\r\nContent-Disposition: attachment; filename=" + long + "\r\n\r\n"
		rep := new(Inspector).Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
		if len(rep.Refs) != 1 {
			t.Fatalf("%.40s: got %d references, want 1", params, len(rep.Refs))
		}
		got, err := json.Marshal(rep)
		if err != nil {
			t.Fatal(err)
		}
		if most := 4000; len(got) > most {
			t.Errorf("%.40s: got a report of %d octets, want at most %d:\n%.500s", params, len(got), most, got)
		}
	}
}
