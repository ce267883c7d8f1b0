package datafetch_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: datafetch.New(nil),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault != fetchtest.Good {
				return nil
			}
			return request("data:;base64," + base64.StdEncoding.EncodeToString(obj.Body))
		},
	})
}

func request(text string) *fetch.Request {
	return &fetch.Request{URL: &url.URL{Scheme: "data"}, Text: text}
}

// get asks f for a body, and reads it.
func get(t *testing.T, f fetch.Fetcher, req *fetch.Request) (data []byte, mediaType string, err error) {
	resp, err := fetch.Do(t.Context(), f, req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(resp.Body)
	return data, resp.MediaType, err
}

// DU-11, DU-12.
func TestFetch(t *testing.T) {
	for _, tt := range []struct {
		name      string
		text      string
		strict    bool
		mediaType string
		want      string
		kind      fetch.Kind // of Fetch or of reading
		late      bool       // Check finds no fault
	}{
		{name: "Plain", text: "data:,a%20b", mediaType: "text/plain;charset=US-ASCII", want: "a b"},
		{name: "Base64", text: "data:Text/HTML;base64,SGVsbG8=", mediaType: "text/html", want: "Hello"},
		{name: "Scheme", text: "DATA:image/png,x", mediaType: "image/png", want: "x"},
		{name: "Fragment", text: "data:,x#y", mediaType: "text/plain;charset=US-ASCII", want: "x"},
		{name: "Empty", text: "data:,", mediaType: "text/plain;charset=US-ASCII"},
		{name: "Strict", text: "data:text/html,x", strict: true, mediaType: "text/html", want: "x"},

		{name: "NoComma", text: "data:SECRET", kind: fetch.Malformed},
		{name: "OtherScheme", text: "http://a.test/?k=SECRET", kind: fetch.Malformed},
		{name: "BadBase64", text: "data:;base64,SECRET!", kind: fetch.Malformed, late: true},
		{name: "StrictBadEscape", text: "data:,SECRET%zz", strict: true, kind: fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := datafetch.New(&datafetch.Options{Strict: tt.strict})
			data, mediaType, err := get(t, f, request(tt.text))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, error %v; want %v", data, err, tt.kind)
			}
			if err != nil {
				if _, ok := err.(*fetch.Error); !ok || strings.Contains(err.Error(), "SECRET") {
					t.Errorf("got %T %v, want *fetch.Error without SECRET", err, err)
				}
			} else if string(data) != tt.want || mediaType != tt.mediaType {
				t.Errorf("got %q, %s, want %q, %s", data, mediaType, tt.want, tt.mediaType)
			}
			if err := f.Check(request(tt.text)); (err != nil) != (tt.kind != 0 && !tt.late) {
				t.Errorf("got %v of Check, want an error: %v", err, tt.kind != 0 && !tt.late)
			}
		})
	}
}

func TestFetchURL(t *testing.T) {
	for _, text := range []string{"data:text/plain,a?b%20c#d", "data:text/plain,a?b c"} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if data, _, err := get(t, datafetch.New(nil), &fetch.Request{URL: u}); string(data) != "a?b c" || err != nil {
			t.Errorf("got %q, %v, want %q, nil", data, err, "a?b c")
		}
	}
}

func TestMaxBytes(t *testing.T) {
	for _, tt := range []struct {
		text string
		max  int64
		kind fetch.Kind
	}{
		{"data:,12345", 5, 0},
		{"data:,123456", 5, fetch.TooLarge},
		{"data:,%31%32%33%34%35", 5, 0},
		{"data:;base64,MTIzNDU=", 5, 0},
		{"data:;base64,MTIzNDU=", 4, fetch.TooLarge},
		{"data:;base64,M T I z N D U", 5, 0},
	} {
		req := request(tt.text)
		req.MaxBytes = tt.max
		if _, _, err := get(t, datafetch.New(nil), req); fetch.KindOf(err) != tt.kind {
			t.Errorf("%s with %d: got %v, want %v", tt.text, tt.max, err, tt.kind)
		}
	}
}

func TestBodyReader(t *testing.T) {
	data := make([]byte, 10_000)
	rand.Read(data)
	for _, text := range []string{
		"data:;base64," + base64.StdEncoding.EncodeToString(data),
		"data:," + url.PathEscape(string(data)),
	} {
		resp, err := datafetch.New(nil).Fetch(t.Context(), request(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(resp.Body, data); err != nil {
			t.Error(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The body is the one of package dataurl, and its errors are ours.
func FuzzFetch(f *testing.F) {
	f.Add("data:,x")
	f.Add("data:text/html;base64,PGI+")
	f.Add("data:;base64,PGI")
	f.Add(" data://h/a,b%2")
	f.Fuzz(func(t *testing.T, text string) {
		wantType, want, wantErr := dataurl.Decode(text)
		data, mediaType, err := get(t, datafetch.New(nil), request(text))
		if err != nil {
			if wantErr == nil || !errors.Is(err, fetch.Malformed) {
				t.Fatalf("error %v, want %v", err, wantErr)
			}
			return
		}
		if wantErr != nil || !bytes.Equal(data, want) || mediaType != wantType {
			t.Fatalf("got %q, %s; want %q, %s, %v", data, mediaType, want, wantType, wantErr)
		}
	})
}

func BenchmarkFetch(b *testing.B) {
	data := make([]byte, 1<<20)
	rand.Read(data)
	text := "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(data)
	req := request(text)
	for name, open := range map[string]func() (io.ReadCloser, error){
		"Do": func() (io.ReadCloser, error) {
			resp, err := fetch.Do(b.Context(), datafetch.New(nil), req)
			if err != nil {
				return nil, err
			}
			return resp.Body, nil
		},
		"EncodingBase64": func() (io.ReadCloser, error) {
			_, payload, _ := strings.Cut(text, ",")
			return io.NopCloser(base64.NewDecoder(base64.StdEncoding, strings.NewReader(payload))), nil
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := open()
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, r); err != nil || n != int64(len(data)) {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, len(data))
				}
				r.Close()
			}
		})
	}
}
