package rfc9111_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/netx/rfc9111"
)

func Example() {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := &rfc9111.Response{
		Status: 200,
		Header: http.Header{
			"Cache-Control": {"max-age=600"},
			"Etag":          {`"v1"`},
		},
		Requested: now.Add(-time.Second),
		Received:  now,
	}
	var p rfc9111.Policy
	fmt.Println(rfc9111.Storable(nil, r))
	fmt.Println(p.Judge(nil, r, now.Add(5*time.Minute)).Fresh)
	fmt.Println(p.Judge(nil, r, now.Add(15*time.Minute)).Fresh)
	etag, _, strong := rfc9111.Validators(r.Header)
	fmt.Println(etag, strong)
	// Output:
	// true
	// true
	// false
	// "v1" true
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func date(d time.Duration) string { return noon.Add(d).Format(http.TimeFormat) }

func TestStorable(t *testing.T) {
	for _, tt := range []struct {
		name     string
		request  http.Header
		status   int
		response http.Header
		want     bool
	}{
		{name: "Plain", status: 200, want: true},
		{name: "NoStore", status: 200, response: http.Header{"Cache-Control": {"No-STORE"}}},
		{name: "NoStoreAsked", status: 200, request: http.Header{"Cache-Control": {"no-store"}}},
		{name: "NoStoreQuoted", status: 200, response: http.Header{"Cache-Control": {`a="no-store"`}}, want: true},
		{name: "MostDirectives", status: 200, response: http.Header{"Cache-Control": {strings.Repeat("a,", 256)}}, want: true},
		{name: "TooManyDirectives", status: 200, response: http.Header{"Cache-Control": {strings.Repeat("a,", 257)}}},
		{name: "Partial", status: 206, response: http.Header{"Cache-Control": {"max-age=9"}}},
		{name: "NotModified", status: 304, response: http.Header{"Cache-Control": {"max-age=9"}}},
		{name: "NotFinal", status: 103, response: http.Header{"Cache-Control": {"max-age=9"}}},
		{name: "Created", status: 201},
		{name: "CreatedFresh", status: 201, response: http.Header{"Cache-Control": {"max-age=9"}}, want: true},
		{name: "NotFound", status: 404, want: true},
		{name: "Public", status: 599, response: http.Header{"Cache-Control": {"public"}}, want: true},
		{name: "Expires", status: 599, response: http.Header{"Expires": {"0"}}, want: true},
		{name: "Private", status: 599, response: http.Header{"Cache-Control": {"private"}}, want: true},
		{name: "SMaxage", status: 599, response: http.Header{"Cache-Control": {"s-maxage=1"}}},
		{name: "Authorization", status: 200, request: http.Header{"Authorization": {"x"}}, want: true},
		{name: "VaryStar", status: 200, response: http.Header{"Vary": {"a, *"}}},
		{name: "MustUnderstand", status: 200, response: http.Header{"Cache-Control": {"must-understand, no-store"}}, want: true},
		{name: "NotUnderstood", status: 599, response: http.Header{"Cache-Control": {"must-understand, max-age=9"}}},
	} {
		if got := rfc9111.Storable(tt.request, &rfc9111.Response{Status: tt.status, Header: tt.response}); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestLifetime(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy rfc9111.Policy
		status int
		header http.Header
		want   time.Duration
	}{
		{name: "None", header: http.Header{}},
		{name: "Least", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{}, want: time.Minute},
		{name: "LeastForForbidden", policy: rfc9111.Policy{MinHeuristic: time.Minute}, status: 403, header: http.Header{}},
		{name: "MaxAge", header: http.Header{"Cache-Control": {"max-age=60"}}, want: time.Minute},
		{name: "MaxAgeQuoted", header: http.Header{"Cache-Control": {`max-age="60"`}}, want: time.Minute},
		{name: "MaxAgeNegative", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{"Cache-Control": {"max-age=-1"}}},
		{name: "MaxAgeFloat", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{"Cache-Control": {"max-age=60.5"}}},
		{name: "MaxAgeEmpty", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{"Cache-Control": {"max-age"}}},
		{name: "MaxAgeTwice", header: http.Header{"Cache-Control": {"max-age=60", "max-age=60"}}, want: time.Minute},
		{name: "MaxAgeConflict", header: http.Header{"Cache-Control": {"max-age=60, max-age=90"}}},
		{name: "MaxAgeHuge", header: http.Header{"Cache-Control": {"max-age=99999999999999999999999"}}, want: 1 << 31 * time.Second},
		{name: "MaxAgeOverExpires", header: http.Header{"Cache-Control": {"max-age=60"}, "Expires": {date(time.Hour)}}, want: time.Minute},
		{name: "SMaxage", header: http.Header{"Cache-Control": {"s-maxage=9, max-age=60"}}, want: time.Minute},
		{name: "Expires", header: http.Header{"Expires": {date(time.Hour)}}, want: time.Hour},
		{name: "ExpiresByDate", header: http.Header{"Expires": {date(time.Hour)}, "Date": {date(-time.Hour)}}, want: 2 * time.Hour},
		{name: "ExpiresPast", header: http.Header{"Expires": {date(-time.Hour)}}},
		{name: "ExpiresZero", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{"Expires": {"0"}}},
		{name: "ExpiresTwice", policy: rfc9111.Policy{MinHeuristic: time.Minute}, header: http.Header{"Expires": {date(time.Hour), date(2 * time.Hour)}}},
		{name: "Modified", header: http.Header{"Last-Modified": {date(-10 * time.Hour)}}, want: time.Hour},
		{name: "ModifiedLongAgo", header: http.Header{"Last-Modified": {date(-10000 * time.Hour)}}, want: 24 * time.Hour},
		{name: "ModifiedInFuture", header: http.Header{"Last-Modified": {date(time.Hour)}}},
		{name: "ModifiedForbidden", status: 403, header: http.Header{"Last-Modified": {date(-10 * time.Hour)}}},
		{name: "ModifiedPublic", status: 403, header: http.Header{"Last-Modified": {date(-10 * time.Hour)}, "Cache-Control": {"public"}}, want: time.Hour},
	} {
		if tt.status == 0 {
			tt.status = 200
		}
		r := &rfc9111.Response{Status: tt.status, Header: tt.header, Requested: noon, Received: noon}
		if got, _ := tt.policy.Lifetime(r); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestJudge(t *testing.T) {
	type V = rfc9111.Verdict
	for _, tt := range []struct {
		name    string
		policy  rfc9111.Policy
		request http.Header
		header  http.Header
		delay   time.Duration // of the answer
		now     time.Duration
		want    V
	}{
		{name: "Fresh", header: http.Header{"Cache-Control": {"max-age=60"}}, now: 59 * time.Second, want: V{Fresh: true, Disconnected: true, Age: 59 * time.Second}},
		{name: "Stale", header: http.Header{"Cache-Control": {"max-age=60"}}, now: time.Minute, want: V{Disconnected: true, Age: time.Minute}},
		{name: "Delay", header: http.Header{"Cache-Control": {"max-age=60"}}, delay: 9 * time.Second, now: 51 * time.Second, want: V{Disconnected: true, Age: time.Minute}},
		{name: "Age", header: http.Header{"Cache-Control": {"max-age=60"}, "Age": {"30"}}, now: 30 * time.Second, want: V{Disconnected: true, Age: time.Minute}},
		{name: "AgeTwice", header: http.Header{"Cache-Control": {"max-age=60"}, "Age": {"0", "0"}}, want: V{Disconnected: true}},
		{name: "AgeNoNumber", header: http.Header{"Cache-Control": {"max-age=60"}, "Age": {"x"}}, want: V{Disconnected: true}},
		{name: "DatePast", header: http.Header{"Cache-Control": {"max-age=60"}, "Date": {date(-time.Minute)}}, want: V{Disconnected: true, Age: time.Minute}},
		{name: "DateFuture", header: http.Header{"Cache-Control": {"max-age=60"}, "Date": {date(time.Hour)}}, want: V{Fresh: true, Disconnected: true}},
		{name: "ClockSetBack", header: http.Header{"Cache-Control": {"max-age=60"}}, now: -time.Second, want: V{Disconnected: true}},
		{name: "ClockFarAhead", header: http.Header{"Cache-Control": {"max-age=60"}}, now: 200 * 365 * 24 * time.Hour, want: V{Disconnected: true, Age: 1 << 31 * time.Second}},
		{name: "NoCache", header: http.Header{"Cache-Control": {"max-age=60, no-cache"}}},
		{name: "NoCacheField", header: http.Header{"Cache-Control": {`max-age=60, no-cache="a"`}}, want: V{Fresh: true, Disconnected: true}},
		{name: "MustRevalidate", header: http.Header{"Cache-Control": {"max-age=60, must-revalidate"}}, now: time.Minute, want: V{Age: time.Minute}},
		{name: "MustRevalidateFresh", header: http.Header{"Cache-Control": {"max-age=60, must-revalidate"}}, want: V{Fresh: true}},
		{name: "ProxyRevalidate", header: http.Header{"Cache-Control": {"max-age=60, proxy-revalidate"}}, want: V{Fresh: true, Disconnected: true}},
		{name: "StaleIfError", header: http.Header{"Cache-Control": {"max-age=60, stale-if-error=60"}}, now: 2 * time.Minute, want: V{Disconnected: true, OnError: true, Age: 2 * time.Minute}},
		{name: "StaleIfErrorOver", header: http.Header{"Cache-Control": {"max-age=60, stale-if-error=60"}}, now: 121 * time.Second, want: V{Disconnected: true, Age: 121 * time.Second}},
		{name: "StaleIfErrorForbidden", header: http.Header{"Cache-Control": {"max-age=60, stale-if-error=60, must-revalidate"}}, now: 2 * time.Minute, want: V{Age: 2 * time.Minute}},
		{name: "AskedNoCache", request: http.Header{"Cache-Control": {"no-cache"}}, header: http.Header{"Cache-Control": {"max-age=60"}}},
		{name: "AskedPragma", request: http.Header{"Pragma": {"no-cache"}}, header: http.Header{"Cache-Control": {"max-age=60"}}},
		{name: "AskedMaxAge", request: http.Header{"Cache-Control": {"max-age=5"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, now: 6 * time.Second, want: V{Disconnected: true, Age: 6 * time.Second}},
		{name: "AskedMinFresh", request: http.Header{"Cache-Control": {"min-fresh=61"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, want: V{Disconnected: true}},
		{name: "AskedMaxStale", request: http.Header{"Cache-Control": {"max-stale=60"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, now: 2 * time.Minute, want: V{Fresh: true, Disconnected: true, Age: 2 * time.Minute}},
		{name: "AskedMaxStaleAndMaxAge", request: http.Header{"Cache-Control": {"max-stale=600, max-age=90"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, now: 2 * time.Minute, want: V{Disconnected: true, Age: 2 * time.Minute}},
		{name: "AskedAnyStaleAndMaxAge", request: http.Header{"Cache-Control": {"max-stale, max-age=90"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, now: 2 * time.Minute, want: V{Disconnected: true, Age: 2 * time.Minute}},
		{name: "AskedMaxStaleAndMinFresh", request: http.Header{"Cache-Control": {"max-stale, min-fresh=30"}}, header: http.Header{"Cache-Control": {"max-age=60"}}, now: 40 * time.Second, want: V{Disconnected: true, Age: 40 * time.Second}},
		{name: "AskedMaxStaleForbidden", request: http.Header{"Cache-Control": {"max-stale"}}, header: http.Header{"Cache-Control": {"max-age=60, must-revalidate"}}, now: time.Hour, want: V{Age: time.Hour}},
	} {
		r := &rfc9111.Response{Status: 200, Header: tt.header, Requested: noon.Add(-tt.delay), Received: noon}
		if got := tt.policy.Judge(tt.request, r, noon.Add(tt.now)); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestParseDate(t *testing.T) {
	want := time.Date(1994, 11, 6, 8, 49, 37, 0, time.UTC)
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{"Sun, 06 Nov 1994 08:49:37 GMT", true},
		{"Sunday, 06-Nov-94 08:49:37 GMT", true},
		{"Sun Nov  6 08:49:37 1994", true},
		{"sUN, 06 nOV 1994 08:49:37 gmt", true},
		{"Sun, 06 Nov 1994 08:49:37 UTC", false},
		{"Sun, 06 Nov 1994 08:49:37 +0000", false},
		{"Sun, 06 Nov 1994 08:49 GMT", false},
		{"0", false},
		{"", false},
	} {
		got, ok := rfc9111.ParseDate(tt.text)
		if ok != tt.ok || ok && !got.Equal(want) {
			t.Errorf("%q: got %v, %v, want %v, %v", tt.text, got, ok, want, tt.ok)
		}
	}
	if got, ok := rfc9111.ParseDate("Thursday, 01-Jan-70 00:00:00 GMT"); !ok || got.Unix() != 0 {
		t.Errorf("a year of two digits: got %v, %v, want 1970", got, ok)
	}
}

// A date is read as package time reads it, in each form.
func FuzzDate(f *testing.F) {
	for _, s := range []string{
		"Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Tue, 31 Apr 2026 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
		"Sat, 01 Jan 0000 00:00:00 GMT", "Wed, 28 onD 2026 00:00:00 GMT", "onT, 28 Dec 2026 00:00:00 GMT", "Wed, 28 Dec 2026 24:00:00 GMT",
		"Wed, 28 Dec 2026 00:60:00 GMT", "Wed, 28 Dec 2026 00:00:60 GMT", "Wed, 00 Dec 2026 00:00:00 GMT", "Wed, +1 Dec 2026 00:00:00 GMT", "Wed, 1\xff Dec 2026 00:00:00 GMT",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want time.Time
		ok := false
		if s := strings.ToUpper(strings.Trim(text, " \t")); len(s) <= len("Wednesday, 06-Nov-94 08:49:37 GMT") {
			for _, form := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", "Mon Jan _2 15:04:05 2006"} {
				if date, err := time.Parse(form, s); err == nil {
					want, ok = date, true
					break
				}
			}
		}
		if got, is := rfc9111.ParseDate(text); is != ok || got != want {
			t.Errorf("%q: got %v, %v, want %v, %v", text, got, is, want, ok)
		}
	})
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		name            string
		vary            []string
		stored, request http.Header
		want            bool
	}{
		{"NoVary", nil, http.Header{"A": {"1"}}, http.Header{"A": {"2"}}, true},
		{"Same", []string{"a"}, http.Header{"A": {"1"}}, http.Header{"A": {"1"}}, true},
		{"Other", []string{"a"}, http.Header{"A": {"1"}}, http.Header{"A": {"2"}}, false},
		{"Absent", []string{"a"}, http.Header{"A": {"1"}}, nil, false},
		{"AbsentBoth", []string{"a"}, nil, nil, true},
		{"EmptyIsNotAbsent", []string{"a"}, http.Header{"A": {""}}, nil, false},
		{"Space", []string{"a"}, http.Header{"A": {"1,2"}}, http.Header{"A": {" 1 ,  2"}}, true},
		{"Lines", []string{"a"}, http.Header{"A": {"1, 2"}}, http.Header{"A": {"1", "2"}}, true},
		{"Order", []string{"a"}, http.Header{"A": {"1, 2"}}, http.Header{"A": {"2, 1"}}, false},
		{"Second", []string{"b", "x, A"}, http.Header{"A": {"1"}}, http.Header{"A": {"2"}}, false},
		{"Star", []string{"b, *"}, nil, nil, false},
	} {
		header := http.Header{"Vary": tt.vary}
		stored := rfc9111.Nominated(header, tt.stored)
		if got := rfc9111.Matches(header, stored, tt.request); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestValidators(t *testing.T) {
	for _, tt := range []struct {
		name           string
		header         http.Header
		etag, modified string
		strong         bool
	}{
		{"None", nil, "", "", false},
		{"Strong", http.Header{"Etag": {`"a"`}}, `"a"`, "", true},
		{"Weak", http.Header{"Etag": {`W/"a"`}}, `W/"a"`, "", false},
		{"NoTag", http.Header{"Etag": {`a`}}, "", "", false},
		{"Quote", http.Header{"Etag": {`"a"b"`}}, "", "", false},
		{"Twice", http.Header{"Etag": {`"a"`, `"b"`}}, "", "", false},
		{"WeakTagWithDate", http.Header{"Etag": {`W/"a"`}, "Last-Modified": {date(0)}, "Date": {date(time.Hour)}}, `W/"a"`, date(0), false},
		{"Date", http.Header{"Last-Modified": {date(0)}, "Date": {date(time.Second)}}, "", date(0), true},
		{"DateTooNew", http.Header{"Last-Modified": {date(0)}, "Date": {date(0)}}, "", date(0), false},
		{"NoDate", http.Header{"Last-Modified": {"yesterday"}}, "", "", false},
	} {
		etag, modified, strong := rfc9111.Validators(tt.header)
		if etag != tt.etag || modified != tt.modified || strong != tt.strong {
			t.Errorf("%s: got %q, %q, %v, want %q, %q, %v", tt.name, etag, modified, strong, tt.etag, tt.modified, tt.strong)
		}
	}
}

func TestSelects(t *testing.T) {
	for _, tt := range []struct {
		name           string
		stored, update http.Header
		want           bool
	}{
		{"Nothing", http.Header{"Etag": {`"a"`}}, nil, true},
		{"Same", http.Header{"Etag": {`"a"`}}, http.Header{"Etag": {`"a"`}}, true},
		{"Other", http.Header{"Etag": {`"a"`}}, http.Header{"Etag": {`"b"`}}, false},
		{"Weak", http.Header{"Etag": {`W/"a"`}}, http.Header{"Etag": {`W/"a"`}}, true},
		{"WeakNow", http.Header{"Etag": {`"a"`}}, http.Header{"Etag": {`W/"a"`}}, true},
		{"StrongNow", http.Header{"Etag": {`W/"a"`}}, http.Header{"Etag": {`"a"`}}, false},
		{"NewTag", http.Header{}, http.Header{"Etag": {`"a"`}}, false},
		{"Date", http.Header{"Last-Modified": {date(0)}}, http.Header{"Last-Modified": {date(0)}}, true},
		{"OtherDate", http.Header{"Last-Modified": {date(0)}}, http.Header{"Last-Modified": {date(1e9)}}, false},
	} {
		if got := rfc9111.Selects(tt.stored, tt.update); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestStoredAndUpdated(t *testing.T) {
	header := http.Header{
		"A": {"1"}, "B": {"2"}, "C": {"3"}, "Connection": {"b, close"}, "Transfer-Encoding": {"x"},
		"Proxy-Authenticate": {"x"}, "Cache-Control": {`no-cache="c", private="a"`}, "Age": {"9"},
	}
	stored := rfc9111.Stored(header)
	want := map[string][]string{"A": {"1"}, "Cache-Control": {`no-cache="c", private="a"`}, "Age": {"9"}}
	if !reflect.DeepEqual(stored, want) {
		t.Errorf("got %v, want %v", stored, want)
	}
	updated := rfc9111.Updated(stored, http.Header{"A": {"2"}, "D": {"4"}, "Content-Length": {"0"}, "Content-Encoding": {"gzip"}, "Keep-Alive": {"1"}})
	want = map[string][]string{"A": {"2"}, "D": {"4"}, "Cache-Control": {`no-cache="c", private="a"`}}
	if !reflect.DeepEqual(updated, want) {
		t.Errorf("got %v, want %v", updated, want)
	}
}

// Whatever comes in: directives written anew mean the same, a quoted string hides
// its content, and no answer is fresh for longer than its directives allow.
func FuzzDirectives(f *testing.F) {
	for _, s := range []string{"max-age=60", `a="b, no-store", max-age="1\"2"`, `x=",`, "no-cache=\"a, b\", private", "max-age=1,max-age=2", " , ,=,a=b=c"} {
		f.Add(s, "5")
	}
	f.Fuzz(func(t *testing.T, text, age string) {
		d := rfc9111.ParseDirectives([]string{text})
		var again []string
		for name, arguments := range d {
			for _, a := range arguments {
				again = append(again, name+"="+quote(a))
			}
		}
		if e := rfc9111.ParseDirectives(again); !reflect.DeepEqual(normal(d), normal(e)) {
			t.Errorf("%q: got %v when written anew, want %v", text, e, d)
		}
		var p rfc9111.Policy
		r := &rfc9111.Response{Status: 200, Header: http.Header{"Cache-Control": {text}, "Age": {age}}, Requested: noon, Received: noon}
		lifetime, _ := p.Lifetime(r)
		v := p.Judge(nil, r, noon.Add(time.Second))
		if v.Age < 0 || lifetime < 0 || v.Fresh && (v.Age >= lifetime || d.HasPlain("no-cache")) {
			t.Errorf("%q: got fresh %v for %v with age %v, want it only while younger", text, v.Fresh, lifetime, v.Age)
		}
	})
}

func quote(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(append(b, '"'))
}

func normal(d rfc9111.Directives) map[string][]string {
	if len(d) == 0 {
		return nil
	}
	return d
}
