package ftpfetch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// dialogue returns the lines of x with "> " before the ones that were sent.
func dialogue(x *fetch.Exchange) []string {
	var lines []string
	for _, l := range x.Dialogue {
		mark := "< "
		if l.Sent {
			mark = "> "
		}
		lines = append(lines, mark+string(l.Text))
	}
	return lines
}

func TestObserve(t *testing.T) {
	f := &fake{body: "hello", rest: true, replies: map[string]string{
		"USER": "331-Hello JOE\r\n331 password for joe", "PASS": "332 S3cret is not enough", "ACCT": "230 in",
	}}
	f.start(t)
	var seen []*fetch.Exchange
	req := &fetch.Request{URL: f.url(t, "joe:s3cret@/d/x"), Login: fetch.LoginRequired, Observe: func(x *fetch.Exchange) { seen = append(seen, x) }}
	req.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{Account: "acc0unt"}, nil
	}
	got, _, err := get(t, New(&Options{Guard: loopback(), TLS: TLSOff}), req)
	if got != "hello" || err != nil || len(seen) != 1 {
		t.Fatalf("got %q, %v, %d exchanges, want %q, nil, 1", got, err, len(seen), "hello")
	}
	x := seen[0]
	text, err := json.Marshal(x)
	noError(t, err)
	for _, secret := range []string{"s3cret", "acc0unt", "joe"} {
		if bytes.Contains(bytes.ToLower(text), []byte(secret)) {
			t.Errorf("got %q in %s, want it cut out", secret, text)
		}
	}
	lines := dialogue(x)
	for i, line := range lines {
		if strings.HasPrefix(line, "< 229 ") {
			lines[i] = "< 229"
		}
	}
	want := []string{
		"< 220 ready", "> USER (cut)", "< 331-(cut)", "< 331 (cut)", "> PASS (cut)", "< 332 (cut)", "> ACCT (cut)", "< 230 in",
		"> FEAT", "< 500 what?", "> CWD d", "< 200 ok", "> TYPE I", "< 200 ok", "> SIZE x", "< 213 5", "> MDTM x", "< 213 20040229235959.5",
		"> EPSV", "< 229", "> RETR x", "< 150 here it comes", "< 226 done",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
	u := *f.url(t, "/d/x")
	said := fmt.Sprint([]any{x.Protocol, x.Status, x.URL, x.Remote, len(x.Lookups), len(x.Dials), x.Content.Octets, x.Kind})
	if want := fmt.Sprint([]any{"ftp", 226, u.String(), f.addr, 1, 1, 5, fetch.Kind(0)}); said != want {
		t.Errorf("got %s, want %s", said, want)
	}
	if x.OctetsIn < 5+200 || x.OctetsOut < 80 {
		t.Errorf("got %d octets in and %d out, want at least 205 and 80", x.OctetsIn, x.OctetsOut)
	}
}

func TestObserveFailure(t *testing.T) {
	f := &fake{replies: map[string]string{"RETR": "550 no such file"}}
	f.start(t)
	for _, row := range []struct {
		name string
		url  *url.URL
		kind fetch.Kind
		code int
	}{
		{"NotFound", f.url(t, "/x"), fetch.NotFound, 550},
		{"Blocked", &url.URL{Scheme: "ftp", Host: "private.example", Path: "/x"}, fetch.Blocked, 0},
	} {
		var seen []*fetch.Exchange
		req := &fetch.Request{URL: row.url, Observe: func(x *fetch.Exchange) { seen = append(seen, x) }}
		_, _, err := get(t, New(&Options{Guard: loopback()}), req)
		wantKind(t, err, row.kind)
		if len(seen) != 1 {
			t.Fatalf("%s: got %d exchanges, want 1", row.name, len(seen))
		}
		if x := seen[0]; x.Kind != row.kind || x.Status != row.code || x.Error == "" || len(x.Lookups) != 1 {
			t.Errorf("%s: got %+v, want %v, status %d, a text and 1 lookup", row.name, x, row.kind, row.code)
		}
	}
}

func TestNotModified(t *testing.T) {
	const modified = "Sun, 29 Feb 2004 23:59:59 GMT"
	for _, row := range []struct {
		name string
		c    fetch.Conditions
		want bool
	}{
		{"Same", fetch.Conditions{LastModified: modified, Size: 5}, true},
		{"OtherSize", fetch.Conditions{LastModified: modified, Size: 6}, false},
		{"OtherTime", fetch.Conditions{LastModified: "Sun, 29 Feb 2004 23:59:58 GMT", Size: 5}, false},
		{"NoSize", fetch.Conditions{LastModified: modified}, false},
		{"NoTime", fetch.Conditions{Size: 5}, false},
	} {
		f := &fake{body: "hello"}
		f.start(t)
		got, resp, err := get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x"), Conditions: &row.c})
		if err != nil || resp.NotModified != row.want || (got == "") != row.want {
			t.Errorf("%s: got %q, %+v, %v, want NotModified %v", row.name, got, resp, err, row.want)
		}
		if slices.Contains(f.seen(), "RETR x") == row.want {
			t.Errorf("%s: got %q, want RETR: %v", row.name, f.seen(), !row.want)
		}
	}
}

func TestRange(t *testing.T) {
	const modified = "Sun, 29 Feb 2004 23:59:59 GMT"
	for _, row := range []struct {
		name   string
		c      fetch.Conditions
		rest   bool
		want   string
		offset int64
	}{
		{"Rest", fetch.Conditions{LastModified: modified, Size: 5, Offset: 2}, true, "llo", 2},
		{"AtEnd", fetch.Conditions{LastModified: modified, Size: 5, Offset: 5}, true, "", 5},
		{"BehindEnd", fetch.Conditions{LastModified: modified, Size: 5, Offset: 6}, true, "hello", 0},
		{"Refused", fetch.Conditions{LastModified: modified, Size: 5, Offset: 2}, false, "hello", 0},
		{"Changed", fetch.Conditions{LastModified: modified, Size: 4, Offset: 2}, true, "hello", 0},
		{"ETag", fetch.Conditions{ETag: `"x"`, Offset: 2}, true, "hello", 0},
	} {
		f := &fake{body: "hello", rest: row.rest}
		f.start(t)
		got, resp, err := get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x"), Conditions: &row.c})
		if err != nil || got != row.want || resp.Offset != row.offset {
			t.Errorf("%s: got %q, %+v, %v, want %q at %d", row.name, got, resp, err, row.want, row.offset)
		}
	}
}
