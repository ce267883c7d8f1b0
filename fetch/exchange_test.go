package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
)

// The names of the fields in JSON are stored by other programs.
func TestExchangeJSON(t *testing.T) {
	full := &fetch.Exchange{
		Started: time.Unix(1, 0).UTC(), Ended: time.Unix(2, 0).UTC(), Protocol: "http", By: "b", URL: "http://h/", Secret: true, Hop: 1, Offset: 2,
		Lookups: []record.Lookup{{Host: "h", Answers: []record.Answer{{Refused: "x"}}, Omitted: 1, Error: "e"}},
		Dials:   []record.Dial{{Error: "e"}}, Reused: true, TLS: &record.TLS{Version: "1", Cipher: "c", ALPN: "a", ServerName: "s", Certificates: []string{"d"}},
		OctetsOut: 3, OctetsIn: 4, RequestHead: record.Octets("r"), ResponseHead: record.Octets("a"), Status: 200,
		Dialogue: []record.Line{{Sent: true, Text: record.Octets("l")}}, Content: &record.Content{Octets: 1, SHA256: "s"}, Decoded: &record.Content{},
		Beginning: record.Octets("b"), Kind: fetch.Gone, Error: "e", Cut: true,
	}
	text, err := json.Marshal(full)
	noError(t, err)
	const want = `{"started":"1970-01-01T00:00:01Z","ended":"1970-01-01T00:00:02Z","protocol":"http","by":"b","url":"http://h/","secret":true,"hop":1,"offset":2,` +
		`"lookups":[{"host":"h","answers":[{"addr":"","refused":"x"}],"omitted":1,"error":"e"}],"dials":[{"addr":"","error":"e"}],"reused":true,` +
		`"tls":{"version":"1","cipher":"c","alpn":"a","server_name":"s","certificates":["d"],"verified":false},"octets_out":3,"octets_in":4,` +
		`"request_head":"r","response_head":"a","status":200,"dialogue":[{"sent":true,"text":"l"}],"content":{"octets":1,"sha256":"s"},` +
		`"decoded":{"octets":0},"beginning":"b","kind":"gone","error":"e","cut":true}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var back fetch.Exchange
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(&back, full) {
		t.Errorf("got %+v, %v, want %+v", back, err, full)
	}
}

// An Exchange is reported once, and not changed afterwards; without one nothing
// happens.
func TestExchangeEnd(t *testing.T) {
	u := &url.URL{Scheme: "http", Host: "h", Path: "/x", User: url.UserPassword("joe", "s3cret"), Fragment: "key"}
	n := 0
	req := &fetch.Request{URL: u, Observe: func(*fetch.Exchange) { n++ }}
	x := driver.Begin(req, "http", u, 2)
	driver.Say(x, true, "before")
	driver.End(x, &fetch.Error{Kind: fetch.NotFound, URL: "http://h/x", Err: fmt.Errorf("status 404")})
	driver.End(x, nil)
	driver.Say(x, true, "after")
	if n != 1 || x.URL != "http://h/x" || x.Hop != 2 || x.Kind != fetch.NotFound || x.Error != "status 404" || len(x.Dialogue) != 1 {
		t.Errorf("got %d calls with %+v, want 1 with the first end", n, x)
	}
	x = driver.Begin(req, "ftp", u, 0)
	for range 10_000 {
		driver.Say(x, false, strings.Repeat("x", 100))
	}
	if driver.End(x, nil); !x.Cut || len(x.Dialogue) > 3_000 {
		t.Errorf("got %d lines, cut %v, want at most 3000, true", len(x.Dialogue), x.Cut)
	}
	var none *fetch.Exchange = driver.Begin((&fetch.Request{URL: u}), "http", u, 0)
	if none != nil || driver.Full(none) {
		t.Errorf("nobody observes: got %v, full %v, want nil, false", none, driver.Full(none))
	}
	driver.Say(none, true, "x")
	driver.OnEnd(none, func() { t.Error("nobody observes: got a call at the end, want none") })
	driver.End(none, nil)
}

func ExampleRequest_observe() {
	f := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp := &fetch.Response{URL: req.URL, Size: 5, Body: io.NopCloser(strings.NewReader("hello"))}
		driver.OfResponse(resp).Exchange = driver.Begin(req, "memory", req.URL, 0)
		return resp, nil
	})
	u, _ := url.Parse("memory://host/greeting")
	resp, err := fetch.Do(context.Background(), f, &fetch.Request{URL: u, Observe: func(x *fetch.Exchange) {
		fmt.Println(x.Protocol, x.URL, x.Content.Octets, x.Content.SHA256[:8], x.Kind == 0)
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	fmt.Println(string(text), err)
	// Output:
	// memory memory://host/greeting 5 2cf24dba true
	// hello <nil>
}

func TestOctetsJSON(t *testing.T) {
	for _, row := range []struct{ octets, want string }{
		{"", `""`},
		{"220 hello\r\n", `"220 hello\r\n"`},
		{"\u00e9\u2028", `"é\u2028"`},
		{"caf\xe9", `{"base64":"Y2Fm6Q=="}`},
	} {
		got, err := json.Marshal(record.Octets(row.octets))
		if err != nil || string(got) != row.want {
			t.Errorf("%q: got %s, %v, want %s", row.octets, got, err, row.want)
		}
	}
	for _, bad := range []string{`1`, `{}`, `{"base64":"?"}`, `null0`} {
		if err := new(record.Octets).UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s: got no error, want an error", bad)
		}
	}
}

func FuzzOctetsJSON(f *testing.F) {
	f.Add([]byte("220 hello"))
	f.Add([]byte{0xff, '{', 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := json.Marshal(record.Octets(data))
		noError(t, err)
		var back record.Octets
		if err := json.Unmarshal(text, &back); err != nil || !bytes.Equal(back, data) {
			t.Errorf("got %q, %v, want %q", back, err, data)
		}
	})
}
