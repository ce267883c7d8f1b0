package externalbody_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

func md5sum(s string) string {
	sum := md5.Sum([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// resolve resolves a Reference to http://h.example/x with these parameters and
// phantom header, to which the server answers with p.
func resolve(t *testing.T, r externalbody.Resolver, params, phantom string, p page) (string, *externalbody.Report, error) {
	t.Helper()
	ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/x"`+params, "Content-ID: <a@b>\n"+phantom)
	r.Fetcher = &web{pages: map[string]page{"http://h.example/x": p}}
	b, body, err := readBody(t, &r, ref)
	if body == nil {
		return "", nil, err
	}
	if body.Report().Bytes < int64(len(b)) {
		t.Errorf("got %d octets reported, want at least the %d read", body.Report().Bytes, len(b))
	}
	return b, body.Report(), err
}

// TestTypes is UA-17 to UA-19, HT-3, HT-4 and EB-18.
func TestTypes(t *testing.T) {
	alias := externalbody.Resolver{Judge: func(_ context.Context, o *externalbody.Objection) error {
		if o.Announced == "text/xml" && o.Actual == "application/xml" {
			return nil
		}
		return o.Refuse()
	}}
	strict := externalbody.Resolver{Strict: true}
	for _, c := range []struct {
		name      string
		r         externalbody.Resolver
		announced string
		served    string
		label     string
		warnings  string
		kind      fetch.Kind
	}{
		{"Equal", externalbody.Resolver{}, "image/png", "Image/PNG", "image/png", "[]", 0},
		{"PhantomParamsWin", externalbody.Resolver{}, "text/html; charset=latin1", "text/html; charset=utf-8", "text/html; charset=latin1", "[]", 0},
		{"CharsetAdopted", externalbody.Resolver{}, "text/html", "text/html; charset=utf-8", "text/html; charset=utf-8", "[server-charset]", 0},
		{"DefaultCharsetReplaced", externalbody.Resolver{}, "", "text/plain; charset=utf-8", "text/plain; charset=utf-8", "[server-charset]", 0},
		{"Default", externalbody.Resolver{}, "", "text/plain", "text/plain; charset=us-ascii", "[]", 0},
		{"Differs", externalbody.Resolver{}, "image/png", "text/html", "", "", fetch.TypeMismatch},
		{"DefaultDiffers", externalbody.Resolver{}, "", "image/png", "", "", fetch.TypeMismatch},
		{"NoClaim", externalbody.Resolver{}, "image/png", "", "image/png", "[no-server-type]", 0},
		{"OctetStream", externalbody.Resolver{}, "image/png", "application/octet-stream", "image/png", "[no-server-type]", 0},
		{"OctetStreamAnnounced", externalbody.Resolver{}, "application/octet-stream", "application/octet-stream", "application/octet-stream", "[]", 0},
		{"OtherNameStrict", strict, "image/jpg", "", "image/jpeg", "", fetch.TypeMismatch},
		{"NoClaimStrict", strict, "image/png", "", "", "", fetch.TypeMismatch},
		{"Alias", alias, "text/xml", "application/xml", "text/xml", "[]", 0},
		{"NotAlias", alias, "text/html", "application/xml", "", "", fetch.TypeMismatch},
		{"JpgAsJpeg", externalbody.Resolver{}, "image/jpg", "image/jpeg", "image/jpg", "[]", 0},
		{"JpegAsJpg", externalbody.Resolver{}, "image/jpeg", "image/jpg", "image/jpeg", "[]", 0},
		{"ZipAsXZipCompressed", externalbody.Resolver{}, "application/zip", "application/x-zip-compressed", "application/zip", "[]", 0},
		{"PdfAsXPdf", externalbody.Resolver{}, "application/pdf", "application/x-pdf", "application/pdf", "[]", 0},
		{"GifAsOctetStream", externalbody.Resolver{}, "image/gif", "binary/octet-stream", "image/gif", "[]", 0},
		{"MpegAsMp3", externalbody.Resolver{}, "audio/mpeg", "audio/mp3", "audio/mpeg", "[]", 0},
		{"Mp3AsMpeg", externalbody.Resolver{}, "audio/mp3", "audio/mpeg", "audio/mp3", "[]", 0},
		{"XmlAsXml", externalbody.Resolver{}, "text/xml", "application/xml", "text/xml", "[]", 0},
		{"GifAsForceDownload", externalbody.Resolver{}, "image/gif", "application/force-download", "image/gif", "[]", 0},
		{"GifAsXDownload", externalbody.Resolver{}, "image/gif", "application/x-download", "image/gif", "[]", 0},
		{"OctetStreamAsGif", externalbody.Resolver{}, "application/octet-stream", "image/gif", "application/octet-stream", "[]", 0},
		{"GifAsJpeg", externalbody.Resolver{}, "image/gif", "image/jpeg", "", "", fetch.TypeMismatch},
		{"GifAsHtml", externalbody.Resolver{}, "image/gif", "text/html", "", "", fetch.TypeMismatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			phantom := ""
			if c.announced != "" {
				phantom = "Content-Type: " + c.announced + "\n"
			}
			got, report, err := resolve(t, c.r, "", phantom, page{mediaType: c.served, body: "x"})
			if c.kind != 0 {
				if fetch.KindOf(err) != c.kind || got != "" {
					t.Errorf("got %q, %v, want %q, %v", got, err, "", c.kind)
				}
				return
			}
			if err != nil || report.MediaType != c.label || fmt.Sprint(report.Warnings) != c.warnings || report.ServedType != c.served {
				t.Errorf("got %q, %v, %v, want %q, %v, nil", report.MediaType, report.Warnings, err, c.label, c.warnings)
			}
		})
	}
}

// An error quotes no secret of a URL of the fetch, wherever the server repeats it.
func TestErrorWithoutSecrets(t *testing.T) {
	const link = "http://h.example/x?sig=Secr3tSecr3t"
	for _, r := range []externalbody.Resolver{{}, {SIP: &externalbody.SIP{Accept: []string{"text/css"}}}} {
		r.Fetcher = &web{pages: map[string]page{link: {mediaType: "text/secr3tsecr3t", body: "x"}}}
		_, _, err := readBody(t, &r, one(t, `message/external-body; access-type=URL; URL="`+link+`"`, "Content-ID: <a@b>\n"))
		if fetch.KindOf(err) != fetch.TypeMismatch || strings.Contains(strings.ToLower(err.Error()), "secr3t") {
			t.Errorf("got %v, want %v without the secret", err, fetch.TypeMismatch)
		}
	}
}

// TestSizeOfUndelimited is EB-28: where nothing but the end of the connection ends a
// body, one that is shorter than SIZE broke off.
func TestSizeOfUndelimited(t *testing.T) {
	const text = "one\ntwo\n"
	for _, c := range []struct {
		name, params, phantom, body string
		undelimited                 bool
		kind                        fetch.Kind
	}{
		{"Whole", "; size=8", "", text, true, 0},
		{"WholeCRLF", "; size=10", "", text, true, 0},
		{"Short", "; size=11", "", text, true, fetch.Truncated},
		{"ShortDelimited", "; size=11", "", text, false, 0},
		{"BetweenTheForms", "; size=9", "", text, true, 0},
		{"ShortImage", "; size=10", "Content-Type: image/x\n", text, true, fetch.Truncated},
		{"LongImage", "; size=7", "Content-Type: image/x\n", text, true, 0},
		{"NoSize", "", "", text, true, 0},
		{"Nothing", "; size=1", "", "", true, fetch.Truncated},
		{"ShortBase64", "; size=6", "Content-Transfer-Encoding: base64\n", "aGVsbG8=", true, fetch.Truncated},
		{"WholeBase64", "; size=5", "Content-Transfer-Encoding: base64\n", "aGVsbG8=", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r externalbody.Resolver
			got, _, err := resolve(t, r, c.params, c.phantom, page{mediaType: "", body: c.body, size: -1, undelimited: c.undelimited})
			if c.kind != 0 {
				if fetch.KindOf(err) != c.kind || len(got) >= max(1, len(c.body)) {
					t.Errorf("got %q, %v, want %v", got, err, c.kind)
				}
				return
			}
			if err != nil {
				t.Errorf("got %v, want no error", err)
			}
		})
	}
}

// TestVerification is EB-19 to EB-21, EB-27, EB-28, HT-17, IN-1 to IN-3 and IN-8.
func TestVerification(t *testing.T) {
	strict := externalbody.Resolver{Strict: true}
	lax := externalbody.Resolver{}
	const text = "one\ntwo\n"
	const canonical = "one\r\ntwo\r\n"
	for _, c := range []struct {
		name            string
		r               externalbody.Resolver
		params, phantom string
		body, want      string
		checks          string
		verified        string
		warnings        string
		kind            fetch.Kind
	}{
		{"Nothing", lax, "", "", text, text, "[]", "none", "[]", 0},
		{"SizeRaw", lax, "; size=8", "", text, text, "[{size match raw}]", "none", "[]", 0},
		{"SizeCRLF", lax, "; size=10", "", text, text, "[{size match crlf}]", "none", "[]", 0},
		{"SizeDiffers", lax, "; size=9", "", text, text, "[{size mismatch }]", "none", "[size-mismatch size]", 0},
		{"SizeDiffersStrict", strict, "; size=9", "", text, "", "[{size mismatch }]", "none", "[]", fetch.SizeMismatch},
		{"SizeOfImage", lax, "; size=10", "Content-Type: image/x\n", text, text, "[{size mismatch }]", "none", "[announced-mismatch size size-mismatch size]", 0},
		{"MD5Raw", lax, "", "Content-MD5: " + md5sum(text) + "\n", text, text, "[{md5 match raw}]", "weak-match", "[]", 0},
		{"MD5CRLF", lax, "", "Content-MD5: " + md5sum(canonical) + "\n", text, text, "[{md5 match crlf}]", "weak-match", "[]", 0},
		{"MD5CRLFOfCR", lax, "", "Content-MD5: " + md5sum(canonical) + "\n", "one\rtwo\r", "one\rtwo\r", "[{md5 match crlf}]", "weak-match", "[]", 0},
		{"MD5CRLFOfTypeInCapitals", lax, "; size=10", "Content-Type: TEXT/PLAIN\nContent-MD5: " + md5sum(canonical) + "\n", text, text, "[{size match crlf} {md5 match crlf}]", "weak-match", "[]", 0},
		{"Base64Footer", lax, "", "Content-Transfer-Encoding: base64\n", "aGVsbG8=\r\n-- \r\nlist", "hello", "[]", "none", "[encoding-forgiven content-transfer-encoding]", 0},
		{"MD5WithBlanks", lax, "", "Content-MD5:  " + md5sum(text) + " \n", text, text, "[{md5 match raw}]", "weak-match", "[]", 0},
		{"MD5Differs", lax, "", "Content-MD5: " + md5sum("other") + "\n", text, "", "[{md5 mismatch }]", "mismatch", "[]", fetch.DigestMismatch},
		{"MD5ImageNotCanonicalized", lax, "", "Content-Type: image/x\nContent-MD5: " + md5sum(canonical) + "\n", text, "", "[{md5 mismatch }]", "mismatch", "[]", fetch.DigestMismatch},
		{"MD5Malformed", lax, "", "Content-MD5: nonsense\n", text, text, "[{md5 malformed }]", "malformed", "[bad-digest content-md5]", 0},
		{"MD5MalformedStrict", strict, "", "Content-MD5: nonsense\n", text, "", "", "", "", fetch.Malformed},
		{"MD5OfMessageIgnored", lax, "", "Content-Type: message/rfc822\nContent-MD5: " + md5sum("other") + "\n", text, text, "[]", "none", "[digest-not-for-type content-md5]", 0},
		{"Base64", lax, "; size=5", "Content-Transfer-Encoding: base64\nContent-MD5: " + md5sum("hello") + "\n", "aGVs\r\nbG8=\r\n", "hello", "[{size match raw} {md5 match raw}]", "weak-match", "[]", 0},
		{"Base64Junk", lax, "", "Content-Transfer-Encoding: BASE64 (x)\n", "aGVs*bG8=", "hello", "[]", "none", "[encoding-forgiven content-transfer-encoding]", 0},
		{"Base64Cut", lax, "", "Content-Transfer-Encoding: base64\n", "aGVsb", "", "", "", "", fetch.Truncated},
		{"QP", lax, "", "Content-Transfer-Encoding: quoted-printable\n", "caf=C3=A9=\r\n!", "café!", "[]", "none", "[]", 0},
		{"QPLongLine", lax, "", "Content-Transfer-Encoding: quoted-printable\n", strings.Repeat("x", 9000), strings.Repeat("x", 9000), "[]", "none", "[]", 0},
		{"QPEightBit", lax, "", "Content-Transfer-Encoding: quoted-printable\n", "caf\xc3\xa9", "café", "[]", "none", "[encoding-forgiven content-transfer-encoding]", 0},
		{"QPNoHex", lax, "", "Content-Transfer-Encoding: quoted-printable (x)\n", "a=XYb", "a=XYb", "[]", "none", "[encoding-forgiven content-transfer-encoding]", 0},
		{"QPDamaged", lax, "", "Content-Transfer-Encoding: quoted-printable\n", "caf\x01", "", "", "", "", fetch.Malformed},
		{"Binary", lax, "", "Content-Transfer-Encoding: binary\n", "a\x00\xff", "a\x00\xff", "[]", "none", "[]", 0},
		{"UnknownEncoding", lax, "", "Content-Transfer-Encoding: x-uue\n", text, text, "[]", "none", "[unknown-encoding content-transfer-encoding]", 0},
		{"EmptyBody", lax, "; size=0", "Content-MD5: " + md5sum("") + "\n", "", "", "[{size match raw} {md5 match raw}]", "weak-match", "[]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := page{body: c.body}
			if c.body == "" {
				p.size = -1
			}
			if strings.Contains(c.phantom, "Content-Type") {
				p.mediaType = strings.TrimSpace(strings.SplitN(strings.SplitN(c.phantom, ": ", 2)[1], "\n", 2)[0])
			} else {
				p.mediaType = "text/plain"
			}
			got, report, err := resolve(t, c.r, c.params, c.phantom, p)
			if fetch.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if c.kind == 0 && got != c.want || c.kind != 0 && c.body != "" && len(got) >= len(c.body) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if report == nil || c.verified == "" {
				return
			}
			if fmt.Sprint(report.Checks) != c.checks || string(report.Verified()) != c.verified || fmt.Sprint(report.Warnings) != c.warnings {
				t.Errorf("got checks %v, verified %s, warnings %v, want %v, %s, %v", report.Checks, report.Verified(), report.Warnings, c.checks, c.verified, c.warnings)
			}
			sum := sha256.Sum256([]byte(got))
			if c.kind == 0 && !bytes.Equal(report.SHA256, sum[:]) || c.kind != 0 && report.SHA256 != nil {
				t.Errorf("got SHA-256 %x, want %x if the Kind is 0; it is %v", report.SHA256, sum, c.kind)
			}
		})
	}
}

// TestBodyReader: a Body is a good reader until it is closed.
func TestBodyReader(t *testing.T) {
	const text = "the quick\nbrown fox\rjumps\r\nover"
	phantom := "Content-Type: text/plain\r\nContent-MD5: " + md5sum(text)
	body := resolveOctets(t, strings.NewReader(text), int64(len(text)), phantom)
	if err := iotest.TestReader(body, []byte(text)); err != nil {
		t.Error(err)
	}
	if err := body.Close(); err != nil {
		t.Error(err)
	}
	body = resolveOctets(t, strings.NewReader(text), int64(len(text)), phantom)
	body.Close()
	if _, err := body.Read(make([]byte, 1)); fetch.KindOf(err) != fetch.Local || !errors.Is(err, os.ErrClosed) {
		t.Errorf("Read after Close: got %v, want %v", err, fetch.Local)
	}
}

// TestVerify: a reader that stops early has not seen the verdict, which Verify has, and
// Close after a failure.
func TestVerify(t *testing.T) {
	const text = `{"a": 1}` + "\n\n"
	good := "Content-Type: text/plain\r\nContent-MD5: " + md5sum(text)
	bad := "Content-Type: text/plain\r\nContent-MD5: " + md5sum("x")
	for _, c := range []struct {
		name, phantom string
		read          func(*externalbody.Body) error
		want          fetch.Kind // of Verify
	}{
		{"Decoder", good, func(b *externalbody.Body) error { var v any; return json.NewDecoder(b).Decode(&v) }, 0},
		{"DecoderOfOther", bad, func(b *externalbody.Body) error { var v any; return json.NewDecoder(b).Decode(&v) }, fetch.DigestMismatch},
		{"Nothing", good, func(*externalbody.Body) error { return nil }, 0},
		{"NothingOfOther", bad, func(*externalbody.Body) error { return nil }, fetch.DigestMismatch},
		{"All", good, func(b *externalbody.Body) error { _, err := io.ReadAll(b); return err }, 0},
		{"AllOfOther", bad, func(b *externalbody.Body) error { io.ReadAll(b); return nil }, fetch.DigestMismatch},
		{"One", bad, func(b *externalbody.Body) error { _, err := b.Read(make([]byte, 1)); return err }, fetch.DigestMismatch},
		{"Closed", good, func(b *externalbody.Body) error { return b.Close() }, fetch.Local},
		{"ReadAndClosed", good, func(b *externalbody.Body) error { io.Copy(io.Discard, b); return b.Close() }, 0},
	} {
		body := resolveOctets(t, strings.NewReader(text), int64(len(text)), c.phantom)
		if err := c.read(body); err != nil {
			t.Errorf("%s: got %v from the reader, want no error", c.name, err)
		}
		err := body.Verify()
		if again := body.Verify(); fetch.KindOf(err) != c.want || again != err {
			t.Errorf("%s: got %v, then %v, want %v both times", c.name, err, again, c.want)
		}
		closed := err
		if c.want == fetch.Local {
			closed = nil // it was given up before it failed
		}
		if e, again := body.Close(), body.Close(); e != closed || again != closed {
			t.Errorf("%s: got %v from Close, then %v, want %v", c.name, e, again, closed)
		}
	}
}

// TestExpired is EB-26.
func TestExpired(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	const past, future = `; expiration="Tue, 31 Dec 2029 23:59:59 +0000"`, `; expiration="Tue, 1 Jan 2030 00:00:01 +0000"`
	p := page{mediaType: "text/plain", body: "x"}
	for _, c := range []struct {
		params   string
		refuse   bool
		kind     fetch.Kind
		warnings string
	}{
		{past, false, 0, "[expired expiration]"},
		{past, true, fetch.Expired, ""},
		{future, true, 0, "[]"},
		{`; expiration="gibberish"`, true, 0, "[]"},
	} {
		var report *externalbody.Report
		var err error
		at(t, now, func(t *testing.T) {
			_, report, err = resolve(t, externalbody.Resolver{RefuseExpired: c.refuse}, c.params, "", p)
		})
		if fetch.KindOf(err) != c.kind || err == nil && fmt.Sprint(report.Warnings) != c.warnings {
			t.Errorf("%s: got %v, %v, want warnings %s, %v", c.params, report, err, c.warnings, c.kind)
		}
	}
}

// TestAnnouncedSizes is EB-28 and HT-19: nothing is fetched that is too large by
// its own account.
func TestAnnouncedSizes(t *testing.T) {
	p := page{mediaType: "image/x", body: "12345678"}
	const image = "Content-Type: image/x\n"
	if _, _, err := resolve(t, externalbody.Resolver{MaxBytes: 7}, "; size=8", image, page{err: errors.New("was asked")}); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("got %v, want %v", err, fetch.TooLarge)
	}
	if _, _, err := resolve(t, externalbody.Resolver{MaxBytes: 7}, "", image, p); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("got %v, want %v", err, fetch.TooLarge)
	}
	if _, _, err := resolve(t, externalbody.Resolver{MaxBytes: 8}, "", image, p); err != nil {
		t.Errorf("got error %v, want none", err)
	}
	p.size = 2 << 20
	if _, _, err := resolve(t, externalbody.Resolver{}, "; size=8", image, p); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("got %v, want %v", err, fetch.TooLarge)
	}
}

func TestApprove(t *testing.T) {
	w := &web{pages: map[string]page{
		"http://h.example/x":     {redirect: "http://h.example/y"},
		"http://h.example/y":     {redirect: "http://other.example/z"},
		"http://other.example/z": {mediaType: "text/plain", body: "x"},
	}}
	ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/x"`, "")
	var asked []string
	r := &externalbody.Resolver{Fetcher: w, Approve: func(_ context.Context, p *externalbody.Plan) error {
		asked = append(asked, fmt.Sprint(p.Host, p.Hop, p.From))
		return nil
	}}
	body, err := r.Resolve(t.Context(), ref)
	must(t, err)
	body.Close()
	if got := fmt.Sprint(asked); got != "[h.examplefalse other.exampletrueh.example]" {
		t.Errorf("asked %s, want %s", got, "[h.examplefalse other.exampletrueh.example]")
	}
	if report := body.Report(); report.FinalURL != "http://other.example/z" || len(report.Hops) != 2 {
		t.Errorf("got final URL %s, hops %q, want %s, 2 of them", report.FinalURL, report.Hops, "http://other.example/z")
	}

	// A refusal, at once or at the redirect, and nothing more is asked for.
	for _, c := range []struct {
		host string
		err  error
		want fetch.Kind
		seen int
	}{
		{"h.example", errors.New("no"), fetch.Denied, 0},
		{"other.example", errors.New("no"), fetch.Denied, 2},
		{"h.example", fetch.Expired, fetch.Expired, 0},
	} {
		w.asked = nil
		r.Approve = func(_ context.Context, p *externalbody.Plan) error {
			if p.Host == c.host {
				return c.err
			}
			return nil
		}
		if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != c.want || len(w.asked) != c.seen {
			t.Errorf("got %v, asked for %v, want %v, %d of them", err, w.asked, c.want, c.seen)
		}
	}
}

// TestApproveUnencrypted: a redirect to the same host is asked about if the way to it was encrypted and is not any more, and
// not if it becomes encrypted (OP-57).
func TestApproveUnencrypted(t *testing.T) {
	for _, c := range []struct {
		from, to string
		asked    int
	}{
		{"https://h.example/x", "http://h.example/y", 2},
		{"http://h.example/x", "https://h.example/y", 1},
		{"https://h.example/x", "https://h.example/y", 1},
		{"http://h.example/x", "http://h.example/y", 1},
	} {
		w := &web{pages: map[string]page{c.from: {redirect: c.to}, c.to: {mediaType: "text/plain", body: "x"}}}
		ref := one(t, `message/external-body; access-type=URL; URL="`+c.from+`"`, "")
		for _, deny := range []bool{false, true} {
			var asked []string
			w.asked = nil
			r := &externalbody.Resolver{Fetcher: w, Approve: func(_ context.Context, p *externalbody.Plan) error {
				asked = append(asked, p.Scheme)
				if deny && p.Hop {
					return fetch.Denied
				}
				return nil
			}}
			body, err := r.Resolve(t.Context(), ref)
			if body != nil {
				body.Close()
			}
			denied := deny && c.asked > 1
			if len(asked) != c.asked || denied != (fetch.KindOf(err) == fetch.Denied) || denied != (len(w.asked) == 1) {
				t.Errorf("%s to %s: got questions about %q, %v, requests %q, want %d questions", c.from, c.to, asked, err, w.asked, c.asked)
			}
		}
	}
}

func TestPlan(t *testing.T) {
	r := &externalbody.Resolver{Fetcher: &web{}, MaxBytes: 1000}
	ref := one(t, `message/external-body; access-type=URL; URL="ftp://u@h.example/a.gif?b=secret"; size=7; expiration="Fri, 14 Jun 1991 19:13:14 -0400"`,
		"Content-ID: <a@b>\nContent-Type: image/gif\nContent-MD5: "+md5sum("x")+"\n")
	p := r.Plan(ref)
	text, err := json.Marshal(p)
	must(t, err)
	for _, want := range []string{`"ref":"1"`, `"host":"h.example"`, `"scheme":"ftp"`, `"size":7`, `"checks":["media-type","size","md5"]`, `"login":"url"`, `"expired":true`, `"max_bytes":1000`, `"to":"h.example","what":"address"`, `"code":"url-credentials"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("got %s, want %s in it", text, want)
		}
	}
	for _, want := range []string{"not encrypted", "until 1991-06-14", `expects "a.gif", image/gif, 7 octets, at most 1 kB`} {
		if s := p.String(); strings.Contains(s, "secret") || !strings.Contains(s, want) {
			t.Errorf("got %s, want %q in it and no secret", s, want)
		}
	}
	r.MaxBytes = -1
	if s, want := r.Plan(ref).String(), "expects \"a.gif\", image/gif, 7 octets\n"; !strings.Contains(s, want) {
		t.Errorf("without a limit: got %s, want %q in it", s, want)
	}
	r.MaxBytes = 1000

	// The ID is the identity of the resolution.
	same, other := r.Plan(ref).ID, r.Plan(one(t, `message/external-body; access-type=URL; URL="ftp://u@h.example/b"`, "")).ID
	if p.ID == "" || p.ID != same || p.ID == other {
		t.Errorf("got IDs %q, %q again, %q for another URL, want the first two alike", p.ID, same, other)
	}

	// A Plan that would fail has the Kind of the error.
	for _, c := range []struct {
		params string
		r      externalbody.Resolver
		want   fetch.Kind
	}{
		{`access-type=url; url="mailto:a@b"`, externalbody.Resolver{Fetcher: &web{}}, fetch.Unsupported},
		{`access-type=url; url="http://h.example/"`, externalbody.Resolver{}, fetch.Unsupported},
		{`access-type=url; url="gopher://h.example/"`, externalbody.Resolver{Fetcher: new(fetch.Mux)}, fetch.Blocked},
		{`access-type=url; url="http://h.example/"; size=9`, externalbody.Resolver{Fetcher: &web{}, MaxBytes: 8}, fetch.TooLarge},
	} {
		ref := one(t, "message/external-body; "+c.params, "")
		p := c.r.Plan(ref)
		if p.Kind != c.want || p.Reason == "" || !strings.Contains(p.String(), c.want.Error()) {
			t.Errorf("%s: got %v %q, want %v with a reason", c.params, p.Kind, p.Reason, c.want)
		}
		if _, err := c.r.Resolve(t.Context(), ref); fetch.KindOf(err) != c.want {
			t.Errorf("%s: the Plan says %v, Resolve %v, want %v", c.params, p.Kind, err, c.want)
		}
	}
}

// A tape is a Sink.
type tape struct {
	bytes.Buffer
	resets int
	fail   error
}

func (s *tape) Reset() error {
	s.resets++
	s.Buffer.Reset()
	return nil
}

func (s *tape) Write(p []byte) (int, error) {
	if s.fail != nil {
		return 0, s.fail
	}
	return s.Buffer.Write(p)
}

// TestSave is EB-35.
func TestSave(t *testing.T) {
	const good = "the body"
	ref := func(name string) *externalbody.Reference {
		return one(t, `message/external-body; access-type=URL; URL="http://h.example/`+name+`"`, "Content-ID: <a@b>\nContent-MD5: "+md5sum(good)+"\n")
	}
	w := &web{pages: map[string]page{
		"http://h.example/good":  {mediaType: "text/plain", body: good},
		"http://h.example/wrong": {mediaType: "text/plain", body: "not the body"},
		"http://h.example/short": {mediaType: "text/plain", body: "the", size: 8},
	}}
	r := &externalbody.Resolver{Fetcher: w}

	var s tape
	report, err := r.Save(t.Context(), []*externalbody.Reference{ref("missing"), ref("wrong"), ref("short"), ref("good"), ref("good")}, &s)
	if err != nil || s.String() != good || s.resets != 3 || len(report.Failures) != 3 || len(w.asked) != 4 || report.FinalURL != "http://h.example/good" {
		t.Errorf("got %q, %d resets, %v, %+v, want %q, 3, nil", s.String(), s.resets, err, report, good)
	}
	s = tape{}
	report, err = r.Save(t.Context(), []*externalbody.Reference{ref("missing"), ref("wrong")}, &s)
	if fetch.KindOf(err) != fetch.NotFound || s.Len() != 0 || len(report.Failures) != 2 {
		t.Errorf("got %q, %v, %+v, want %v", s.String(), err, report, fetch.NotFound)
	}
	s = tape{fail: errors.New("disk full")}
	w.asked = nil
	_, err = r.Save(t.Context(), []*externalbody.Reference{ref("good"), ref("good")}, &s)
	if fetch.KindOf(err) != fetch.Local || len(w.asked) != 1 {
		t.Errorf("got %v, asked %v, want %v, 1 of them", err, w.asked, fetch.Local)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.asked = nil
	if _, err = r.Save(ctx, []*externalbody.Reference{ref("good"), ref("good")}, new(tape)); fetch.KindOf(err) != fetch.Canceled || len(w.asked) != 0 {
		t.Errorf("got %v, asked %v, want %v, 0 of them", err, w.asked, fetch.Canceled)
	}
	if _, err = r.Save(t.Context(), nil, new(tape)); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("got %v, want %v", err, fetch.Malformed)
	}
}

// TestResolveAlternatives wants the next alternative after one that cannot be had, and a
// Report with the failure before.
func TestResolveAlternatives(t *testing.T) {
	gone := one(t, `message/external-body; access-type=URL; URL="https://h.example/gone"`, "Content-ID: <a@b>\nContent-Type: text/plain\n")
	there := one(t, `message/external-body; access-type=URL; URL="http://h.example/there"`, "Content-ID: <a@b>\nContent-Type: text/plain\n")
	r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{"http://h.example/there": {mediaType: "text/plain", body: "x"}}}}
	body, err := r.Resolve(t.Context(), there, gone)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	rep := body.Report()
	if rep.Reference != there || len(rep.Failures) != 1 || rep.Failures[0].Reference != gone || !errors.Is(rep.Failures[0].Err, fetch.NotFound) {
		t.Errorf("got %v with the failures %v, want the second after not-found of the first", rep.Reference, rep.Failures)
	}
	if _, err := r.Resolve(t.Context()); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("without a Reference: got %v, want %v", err, fetch.Malformed)
	}
}
