package externalbody_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
)

// TestJudge: a person may accept a body of another type or size, but not of another
// digest.
func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name, params, phantom, served, body string
		asked                               string
		label, warnings                     string
		kind                                fetch.Kind // if it is accepted
		refused                             fetch.Kind // if it is not
	}{
		{"Type", "", "Content-Type: text/plain\n", "text/csv", "a,b", "type text/plain text/csv", "text/plain", "[other-type]", 0, fetch.TypeMismatch},
		{"Size", "; size=7", "Content-Type: text/plain\n", "text/plain", "a\nb", "size 7 3", "text/plain", "[size-mismatch size]", 0, fetch.SizeMismatch},
		{"Digest", "", "Content-Type: text/plain\nContent-MD5: " + md5sum("x") + "\n", "text/plain", "a,b", "", "", "", fetch.DigestMismatch, fetch.DigestMismatch},
		{"Neither", "; size=3", "Content-Type: text/plain\n", "text/plain", "a,b", "", "text/plain", "[]", 0, 0},
	} {
		for _, yes := range []bool{true, false} {
			asked := ""
			r := externalbody.Resolver{Judge: externalbody.RefuseSize(func(_ context.Context, o *externalbody.Objection) error {
				asked = o.Check + " " + o.Announced + " " + o.Actual
				if yes && o.Ref != nil && o.Promised {
					return nil
				}
				return o.Err
			})}
			_, report, err := resolve(t, r, tt.params, tt.phantom, page{mediaType: tt.served, body: tt.body})
			want := tt.kind
			if !yes {
				want = tt.refused
			}
			if fetch.KindOf(err) != want || asked != tt.asked {
				t.Errorf("%s, %v: got %v, asked about %q, want %v, %q", tt.name, yes, err, asked, want, tt.asked)
			}
			if err == nil && (report.MediaType != tt.label || fmt.Sprint(report.Warnings) != tt.warnings) {
				t.Errorf("%s: got %s, %v, want %s, %s", tt.name, report.MediaType, report.Warnings, tt.label, tt.warnings)
			}
		}
	}
}

// TestSizeForms: SIZE of text counts either line end, in whichever form the text comes.
func TestSizeForms(t *testing.T) {
	for _, tt := range []struct{ name, mediaType, size, body, form string }{
		{"SameLF", "text/plain", "4", "a\nb\n", "raw"},
		{"SameCRLF", "text/plain", "6", "a\r\nb\r\n", "raw"},
		{"CRLFOfLF", "text/plain", "6", "a\nb\n", "crlf"},
		{"LFOfCRLF", "text/plain", "4", "a\r\nb\r\n", "lf"},
		{"LFOfMixed", "text/plain", "6", "a\r\nb\nc\r", "lf"},
		{"NoText", "image/png", "4", "a\r\nb\r\n", ""},
		{"Neither", "text/plain", "5", "a\r\nb\r\n", ""},
	} {
		phantom := "Content-Type: " + tt.mediaType + "\n"
		_, report, err := resolve(t, externalbody.Resolver{}, "; size="+tt.size, phantom, page{mediaType: tt.mediaType, body: tt.body})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if c := report.Checks[len(report.Checks)-1]; c.Form != tt.form || (c.Status == fetch.Match) != (tt.form != "") {
			t.Errorf("%s: got %v, want form %q", tt.name, c, tt.form)
		}
		_, _, err = resolve(t, externalbody.Resolver{Judge: externalbody.RefuseSize(nil)}, "; size="+tt.size, phantom, page{mediaType: tt.mediaType, body: tt.body})
		if (err == nil) != (tt.form != "") {
			t.Errorf("%s: got %v with RefuseSize, want an error unless it agrees", tt.name, err)
		}
	}
}

// TestReprDigest: the Repr-Digest of the phantom header is compared (RFC 9530 section 3).
func TestReprDigest(t *testing.T) {
	sum := func(s string) string {
		d := sha256.Sum256([]byte(s))
		return "sha-256=:" + base64.StdEncoding.EncodeToString(d[:]) + ":"
	}
	for _, tt := range []struct {
		field, body, want string
		kind              fetch.Kind
	}{
		{"Repr-Digest: " + sum("x"), "x", "match", 0},
		{"repr-digest: unixsum=:AA==:,\n " + sum("x"), "x", "match", 0},
		{"Repr-Digest: " + sum("a\r\n"), "a\n", "match", 0},
		{"Repr-Digest: " + sum("y"), "x", "", fetch.DigestMismatch},
		{"Repr-Digest: " + sum("x") + "\nRepr-Digest: " + sum("y"), "x", "", fetch.DigestMismatch},
		{"Repr-Digest: sha-256=:AA==:", "x", "malformed", 0},
		{"Repr-Digest: sha-256=AA==", "x", "malformed", 0},
		{"Repr-Digest: " + strings.ReplaceAll(sum("x"), ":", ""), "x", "malformed", 0},
		{"Repr-Digest: sha=:AA==:", "x", "none", 0},
		{"Repr-Digest: ,,=;", "x", "none", 0},
	} {
		_, report, err := resolve(t, externalbody.Resolver{}, "", "Content-Type: text/plain\n"+tt.field+"\n", page{mediaType: "text/plain", body: tt.body})
		if fetch.KindOf(err) != tt.kind {
			t.Errorf("%s: got %v, want %v", tt.field, err, tt.kind)
		} else if err == nil && string(report.Verified()) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.field, report.Verified(), tt.want)
		}
	}
}

// TestNeedsMessage: that the whole message is needed is a fact of the Plan and the error.
func TestNeedsMessage(t *testing.T) {
	for _, access := range []string{`url; url="cid:a@b"`, "content-id"} {
		ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; access-type="+access+"\r\n\r\n"), []byte("Content-ID: <c@d>\r\n\r\n"))
		must(t, err)
		r := &externalbody.Resolver{}
		if p := r.Plan(ref); !p.NeedsMessage || p.Kind != fetch.Unsupported {
			t.Errorf("%s: got %v, %v, want that it needs the message", access, p.NeedsMessage, p.Kind)
		}
		if _, err := r.Resolve(t.Context(), ref); !errors.Is(err, externalbody.ErrWholeMessage) || !errors.Is(err, fetch.Unsupported) {
			t.Errorf("%s: got %v, want %v", access, err, externalbody.ErrWholeMessage)
		}
	}
}

// TestReportString: the verdict in one line for people.
func TestReportString(t *testing.T) {
	x := sha256.Sum256([]byte("x"))
	strong := "Repr-Digest: sha-256=:" + base64.StdEncoding.EncodeToString(x[:]) + ":\n"
	for _, tt := range []struct{ params, phantom, want string }{
		{"", "", "The message promises no digest. It announces no size."},
		{"; size=1", "", "The message promises no digest. Its size is as announced."},
		{"; size=2", "", "The message promises no digest. It has 1 octets, which is not the size announced."},
		{"", strong, "It is what the message promises, by SHA-256."},
		{"; size=1", "Content-MD5: " + md5sum("x") + "\n", "It is what the message promises, by MD5, which an attacker can get around. Its size is as announced."},
		{"", "Content-MD5: x\n", "The digest in the message cannot be read."},
	} {
		_, report, err := resolve(t, externalbody.Resolver{}, tt.params, "Content-Type: text/plain\n"+tt.phantom, page{mediaType: "text/plain", body: "x"})
		if err != nil || report.String() != tt.want {
			t.Errorf("got %q, %v, want %q", report, err, tt.want)
		}
	}
	if got := new(externalbody.Report).String(); got != "There is no verified body." {
		t.Errorf("got %q of no body", got)
	}
}

// A wireFetcher gives the answers of a fetcher for http: a redirect, and then the
// answer with a status.
type wireFetcher struct {
	status int
	body   string
	cut    bool
}

func (f wireFetcher) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	hop := driver.Begin(req, "http", req.URL, 0)
	proxy := driver.Begin(req, "connect", &url.URL{Scheme: "http", Host: "proxy.example"}, 0)
	driver.End(proxy, nil)
	remote := netip.MustParseAddrPort("192.0.2.1:443")
	to := &url.URL{Scheme: "https", Host: "b.example", Path: "/f"}
	last := driver.Begin(req, "http", to, 1)
	if hop != nil {
		hop.Status = 302
		hop.RequestHead = record.Octets("GET / HTTP/1.1\r\n\r\n")
		last.Status, last.Remote, last.TLS = f.status, remote, &record.TLS{Version: "TLS 1.3"}
		last.RequestHead = record.Octets("GET /f HTTP/1.1\r\n\r\n")
	}
	driver.End(hop, nil)
	if f.status != 200 {
		driver.End(last, fetch.NotFound)
		return nil, fetch.NotFound
	}
	resp := &fetch.Response{
		URL: to, Status: 200, Size: int64(len(f.body)), MediaType: "text/plain", RemoteAddr: remote,
		Hops: []*url.URL{req.URL},
	}
	driver.OfResponse(resp).Exchange = last
	body := f.body
	if f.cut {
		body = body[:1]
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

// The Report has the facts of the wire, alike with a body and without.
func TestReportExchanges(t *testing.T) {
	const message = "Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	for _, row := range []struct {
		name    string
		f       wireFetcher
		observe bool
		strict  bool
		kind    fetch.Kind
	}{
		{"Good", wireFetcher{200, "hello", false}, true, false, 0},
		{"Brief", wireFetcher{200, "hello", false}, false, false, 0},
		{"NotFound", wireFetcher{404, "", false}, true, false, fetch.NotFound},
		{"Truncated", wireFetcher{200, "hello", true}, true, false, fetch.Truncated},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := openMessage(t, message, nil)
			r := &externalbody.Resolver{Fetcher: row.f}
			full := 0
			var kinds []fetch.Kind
			if row.observe {
				r.Observe = func(ref *externalbody.Reference, x *fetch.Exchange) {
					kinds = append(kinds, x.Kind)
					if ref.AccessType != "url" {
						t.Errorf("got an exchange of %+v, want one of access type url", ref)
					}
					if x.RequestHead != nil {
						full++
					}
				}
			}
			for alts := range m.Alternatives() {
				report, err := r.Save(t.Context(), alts, new(tape))
				if fetch.KindOf(err) != row.kind {
					t.Errorf("got %v, want %v", err, row.kind)
				}
				if report.Started.IsZero() || report.Ended.Before(report.Started) {
					t.Errorf("got from %v to %v, want two times in order", report.Started, report.Ended)
				}
				if report.Status != row.f.status || report.FinalURL != "https://b.example/f" || report.TLS == nil ||
					report.RemoteAddr.String() != "192.0.2.1:443" || !reflect.DeepEqual(report.Hops, []string{"https://a.example/x"}) {
					t.Errorf("got %+v, want status %d, URL %s, address %s, one hop, TLS", report, row.f.status, "https://b.example/f", "192.0.2.1:443")
				}
				if row.observe && !reflect.DeepEqual(kinds, []fetch.Kind{0, 0, row.kind}) {
					t.Errorf("got exchanges of kinds %v, want %v", kinds, []fetch.Kind{0, 0, row.kind})
				}
			}
			if want := map[bool]int{true: 2}[row.observe]; full != want {
				t.Errorf("observed %d heads, want %d", full, want)
			}
		})
	}
}

// OP-54. A server that sends octets after its answer is in the Report of the body.
func TestReportUnasked(t *testing.T) {
	ref := one(t, `message/external-body; access-type=URL; URL="https://a.example/x"`, "Content-Type: text/plain\r\n")
	for _, came := range []bool{false, true} {
		r := &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp, err := wireFetcher{200, "hello", false}.Fetch(ctx, req)
			driver.OfResponse(resp).Unasked = func() bool { return came }
			return resp, err
		})}
		data, body, err := readBody(t, r, ref)
		if data != "hello" || err != nil {
			t.Errorf("got %q, %v, want hello, nil", data, err)
		}
		noted := slices.Contains(body.Report().Warnings, externalbody.Diag{Code: "octets-after-answer"})
		if noted != came {
			t.Errorf("got warnings %v, want octets-after-answer among them: %v", body.Report().Warnings, came)
		}
	}
}

// A content coding that does not exist is not undone, and is in the Report.
func TestReportUnknownCoding(t *testing.T) {
	ref := one(t, `message/external-body; access-type=URL; URL="https://a.example/x"`, "Content-Type: text/plain\r\n")
	for coding, want := range map[string]bool{"": false, "identity": false, "none": true} {
		r := &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp, err := wireFetcher{200, "hello", false}.Fetch(ctx, req)
			if coding != "" {
				resp.Header = textproto.MIMEHeader{"Content-Encoding": {coding}}
			}
			return resp, err
		})}
		data, body, err := readBody(t, r, ref)
		if data != "hello" || err != nil {
			t.Errorf("got %q, %v, want hello, nil", data, err)
		}
		if got := slices.Contains(body.Report().Warnings, externalbody.Diag{Code: "unknown-coding"}); got != want {
			t.Errorf("%s: got warnings %v, want unknown-coding among them: %v", coding, body.Report().Warnings, want)
		}
	}
}

// OP-53. The name of a file is read from the Content-Disposition of HTTP, which has no comments.
func TestServedName(t *testing.T) {
	for _, tt := range []struct{ disposition, served, want string }{
		{"attachment; filename=report(1).docx", "", "report(1).docx"},
		{"attachment; filename=a (1).docx", "", "a (1).docx"},
		{"attachment; filename=report(1).docx; filename*=UTF-8''bad%zz", "", "report(1).docx"},
		{"attachment; filename=\"\xc6\xe6.pdf\"", "application/pdf; charset=gbk", "奇.pdf"},
		{"attachment; filename*0=foo-; filename*1=bar.pdf", "", "foo-bar.pdf"},
		{`attachment; filename="=?utf-8?Q?caf=C3=A9.txt?="`, "", "café.txt"},
	} {
		r := &externalbody.Report{ServedType: tt.served, Header: textproto.MIMEHeader{"Content-Disposition": {tt.disposition}}}
		if got := r.FileName(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.disposition, got, tt.want)
		}
	}
}
