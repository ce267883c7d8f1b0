package httpfetch

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

func TestParseDigestField(t *testing.T) {
	hello := []byte("hello")
	for _, tt := range []struct {
		name  string
		lines []string
		want  map[string][]byte // nil: cannot be parsed
	}{
		{"One", []string{"sha-256=:aGVsbG8=:"}, map[string][]byte{"sha-256": hello}},
		{"Two", []string{"sha-256=:aGVsbG8=:,\tsha-512=::"}, map[string][]byte{"sha-256": hello, "sha-512": {}}},
		{"SpaceBeforeComma", []string{"a=:aGVsbG8=: \t, b=:aGVsbG8=:"}, map[string][]byte{"a": hello, "b": hello}},
		{"OuterSpace", []string{"  a=:aGVsbG8=:  "}, map[string][]byte{"a": hello}},
		{"Lines", []string{"a=:aGVsbG8=:", "b=:aGVsbG8=:"}, map[string][]byte{"a": hello, "b": hello}},
		{"LastWins", []string{"a=::, a=:aGVsbG8=:"}, map[string][]byte{"a": hello}},
		{"NoPadding", []string{"a=:aGVsbG8:"}, map[string][]byte{"a": hello}},
		{"PadBits", []string{"a=:aGVsbG9=:"}, map[string][]byte{"a": hello}},
		{"KeyCharacters", []string{"*a_-.*9=:aGVsbG8=:"}, map[string][]byte{"*a_-.*9": hello}},

		{"None", nil, nil},
		{"Empty", []string{""}, nil},
		{"TrailingComma", []string{"a=:aGVsbG8=:,"}, nil},
		{"LeadingComma", []string{",a=:aGVsbG8=:"}, nil},
		{"EmptyLine", []string{"a=:aGVsbG8=:", ""}, nil},
		{"UpperCaseKey", []string{"SHA-256=:aGVsbG8=:"}, nil},
		{"DigitFirst", []string{"2a=:aGVsbG8=:"}, nil},
		{"NoValue", []string{"a"}, nil},
		{"Token", []string{"a=b"}, nil},
		{"Integer", []string{"sha-256=10"}, nil},
		{"String", []string{`a="aGVsbG8="`}, nil},
		{"Unclosed", []string{"a=:aGVsbG8="}, nil},
		{"Parameter", []string{"a=:aGVsbG8=:;b"}, nil},
		{"SpaceInside", []string{"a=:aGVs bG8=:"}, nil},
		{"LineEndInside", []string{"a=:aGVs\r\nbG8:"}, nil},
		{"SpaceAroundEquals", []string{"a =:aGVsbG8=:"}, nil},
		{"TooMuchPadding", []string{"a=:aGVsbG8==:"}, nil},
		{"OnlyPadding", []string{"a=:====:"}, nil},
		{"PaddingInside", []string{"a=:aGVs=bG8=:"}, nil},
		{"OneCharacter", []string{"a=:a:"}, nil},
		{"URLAlphabet", []string{"a=:_-8=:"}, nil},
		{"NoComma", []string{"a=:aGVsbG8=: b=:aGVsbG8=:"}, nil},
		{"OneBadVoidsAll", []string{"a=:aGVsbG8=:, b"}, nil},
		{"TooMany", []string{strings.Repeat("a=::,", maxMembers) + "a=::"}, nil},
		{"Most", []string{strings.Repeat("a=::,", maxMembers-1) + "a=::"}, map[string][]byte{"a": {}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parseDigestField(tt.lines)
			if ok != (tt.want != nil) || ok && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, %v, want %q, %v", got, ok, tt.want, tt.want != nil)
			}
		})
	}
}

// A text that is parsed and written again is parsed to the same.
func FuzzParseDigestField(f *testing.F) {
	f.Add("sha-256=:aGVsbG8=:")
	f.Add("sha-256=:aGVsbG8:, sha-512=::")
	f.Add("sha-256=:4REjxQ4yrqUVicfSKYNO/cF9zNj5ANbzgDZt3/h3Qxo=:,\tmd5=:x:")
	f.Add(" a=:aGVsbG9=: , a=:====:,")
	f.Add("a=:aGVsbG8=:;b=1, c=(:aGVsbG8=:)")
	f.Fuzz(func(t *testing.T, field string) {
		got, ok := parseDigestField([]string{field})
		if !ok {
			return
		}
		var members []string
		for _, key := range slices.Sorted(maps.Keys(got)) {
			members = append(members, fmt.Sprintf("%s=:%s:", key, base64.StdEncoding.EncodeToString(got[key])))
		}
		again, ok := parseDigestField(members)
		if !ok || !maps.EqualFunc(got, again, bytes.Equal) {
			t.Errorf("%q: got %q, %v when written again, want %q, true", field, again, ok, got)
		}
		if len(got) == 0 || len(strings.Join(members, ",")) > len(field)+2*len(members) {
			t.Errorf("%q: got %q, want at least one member and no octets that did not come", field, got)
		}
	})
}

// opener returns a function that fetches from a server with this handler, without Do.
func opener(t *testing.T, h http.HandlerFunc) func(context.Context) *fetch.Response {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	f := New(&Options{Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, AnyPort: true}})
	t.Cleanup(f.CloseIdleConnections)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) *fetch.Response {
		resp, err := f.Fetch(ctx, &fetch.Request{URL: u})
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
}

// Close frees the context of the exchange, read to the end or not.
func TestBodyClose(t *testing.T) {
	open := opener(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
	for _, read := range []int64{0, 5, 6} {
		resp := open(t.Context())
		io.CopyN(io.Discard, resp.Body, read)
		x := resp.Body.(*body).x
		if x.ctx.Err() != nil {
			t.Errorf("got the context ended with %v, want it in force until Close", context.Cause(x.ctx))
		}
		if err := resp.Body.Close(); err != nil {
			t.Errorf("got error %v of Close, want none", err)
		}
		if x.ctx.Err() == nil {
			t.Error("after Close: got the context in force, want it ended")
		}
	}
}

// Without Do, the reason for which the context ended is the error.
func TestBodyCanceled(t *testing.T) {
	open := opener(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	resp := open(ctx)
	defer resp.Body.Close()
	why := errors.New("enough")
	cancel(why)
	if _, err := resp.Body.Read(make([]byte, 1)); err != why {
		t.Errorf("error is %v, want %v", err, why)
	}
}

// TestMaxCookies: a fetch takes so many cookies, and none that is larger than it may be.
func TestMaxCookies(t *testing.T) {
	u := &url.URL{Scheme: "https", Host: "h.example"}
	for _, c := range []struct{ count, octets, want int }{
		{maxCookies, 2, maxCookies},
		{maxCookies + 1, 2, maxCookies},
		{1, maxCookieBytes, 1},
		{1, maxCookieBytes + 1, 0},
	} {
		k := newCookies(&fetch.Request{Cookies: true}, u)
		resp := &http.Response{Header: make(http.Header)}
		for i := range c.count {
			name := fmt.Sprint("c", i)
			resp.Header.Add("Set-Cookie", name+"="+strings.Repeat("x", max(1, c.octets-len(name))))
		}
		k.take(u, resp)
		if got := len(k.jar.Cookies(u)); got != c.want {
			t.Errorf("%d of %d octets: got %d cookies, want %d", c.count, c.octets, got, c.want)
		}
	}
}
