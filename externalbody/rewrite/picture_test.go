package rewrite_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// openShown opens a message with all forms and the pictures that it shows.
func openShown(t testing.TB, text string) *externalbody.Message {
	t.Helper()
	ds, err := dialect.Named("all", dialect.RemoteImages)
	if err != nil {
		t.Fatal(err)
	}
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: ds})
	if m == nil {
		t.Fatal(err)
	}
	return m
}

func inlineShown(t testing.TB, text string, opts *rewrite.InlineOptions) (string, *rewrite.Report) {
	t.Helper()
	opts.Attach = true
	return inlineOf(t, openShown(t, text), opts)
}

// gallery answers with a picture for each name that has the extension .png or .gif.
func gallery(asked *[]string) fetch.Func {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if asked != nil {
			*asked = append(*asked, req.URL.String())
		}
		mediaType := "image/png"
		switch {
		case strings.HasSuffix(req.URL.Path, ".gif"):
			mediaType = "application/octet-stream"
		case strings.HasSuffix(req.URL.Path, ".html"):
			mediaType = "text/html"
		case !strings.HasSuffix(req.URL.Path, ".png"):
			return nil, fetch.NotFound
		}
		body := pictureOf(req.URL.String())
		return &fetch.Response{URL: req.URL, MediaType: mediaType, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func pictureOf(url string) string { return "\x89PNG\r\n\x1a\n" + url }

var cidURL = regexp.MustCompile(`cid:([A-Za-z0-9.-]+@extbody\.invalid)`)

// checkShown holds the result of Inline to its promises, by the reading of go-message:
// each cid: leads to a part that is the picture, and with the URLs put back the texts are
// as in the message.
func checkShown(t testing.TB, text, got string, report *rewrite.Report) {
	t.Helper()
	parts := make(map[string]string)
	var texts, others []leaf
	for _, l := range leaves(t, got) {
		if id := strings.Trim(l.id, "<>"); cidURL.MatchString("cid:" + id) {
			if _, twice := parts[id]; twice {
				t.Fatalf("got two parts of Content-ID %s in\n%s", id, got)
			}
			if !strings.HasPrefix(l.mediaType, "image/") {
				t.Errorf("got %s for %s, want a picture", l.mediaType, id)
			}
			parts[id] = l.body
			continue
		}
		if l.mediaType == "text/html" {
			texts = append(texts, l)
		}
		others = append(others, l)
	}
	pictures := make(map[string]string) // by SHA-256
	for _, i := range report.Items {
		if i.Action == rewrite.Added {
			url, _ := i.References[0].Param("url")
			url, _, _ = strings.Cut(url, "#")
			pictures[string(i.Resolved.SHA256)] = url
		}
	}
	if len(parts) != len(pictures) {
		t.Errorf("got %d parts, want %d", len(parts), len(pictures))
	}
	used := make(map[string]bool)
	for _, l := range texts {
		for _, m := range cidURL.FindAllStringSubmatch(l.body, -1) {
			body, ok := parts[m[1]]
			sum := sha256.Sum256([]byte(body))
			if used[m[1]] = true; !ok || pictures[string(sum[:])] == "" {
				t.Errorf("got %q for %s, want a picture that came", body, m[0])
			}
		}
	}
	if len(used) != len(parts) {
		t.Errorf("got %d pictures in the text, want %d", len(used), len(parts))
	}
	before := leaves(t, text)
	if len(before) != len(others) {
		t.Fatalf("got %d other parts, want %d:\n%s", len(others), len(before), got)
	}
	for i, l := range others {
		back := cidURL.ReplaceAllStringFunc(l.body, func(cid string) string {
			body := parts[strings.TrimPrefix(cid, "cid:")]
			sum := sha256.Sum256([]byte(body))
			return pictures[string(sum[:])]
		})
		if l.body == before[i].body {
			continue
		}
		// The URLs as they are in HTML.
		if want := html.UnescapeString(before[i].body); html.UnescapeString(back) != want {
			t.Errorf("with the URLs: got\n%q\nwant\n%q", back, want)
		}
	}
}

// quoted returns s in quoted-printable.
func quoted(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

const shownHTML = `<html><base href="https://a.example/x/"><style>
p { background: url( "https://a.example/css(1).png" ) }
</style><body background=https://a.example/bg.png>
<p style="font-family:'caf` + "\u00e9" + `'; background:url(&quot;https://a.example/css(1).png&quot;)">
<img alt="caf` + "\u00e9" + `" src="https://a.example/1.png?a=1&amp;b=2.png" srcset="https://a.example/1.png?a=1&amp;b=2.png 1x,
 https://a.example/2.gif 2x, https://a.example/missing 3x"><img src='https://a.example/1.png?a=1&amp;b=2.png'>
<input type=image src=https://a.example/3.png><video poster="https://a.example/4.png"></video>
<svg><image xlink:href="https://a.example/5.png#icon"/></svg><a href="https://a.example/1.png">not it</a>
<!--[if mso]><v:fill src="https://a.example/6.png" /><![endif]--><img src="https://a.example/login.html">
<p>https://a.example/bg.png and "=" and a long line, a long line, a long line, a long line, a long line
</body></html>
`

// TestPictures has the shapes of messages in which pictures are shown (RFC 2387, RFC 2392).
func TestPictures(t *testing.T) {
	plain := "Content-Type: text/plain; charset=utf-8\n\nhttps://a.example/bg.png\n"
	page := "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + shownHTML
	for _, tt := range []struct {
		name, text string
		related    int // multiparts of that type in the result
	}{
		{"HTML", "Subject: x\nMIME-Version: 1.0\n" + page, 1},
		{"Base64", "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + asBase64(crlf(shownHTML), "\n"), 1},
		{"QuotedPrintable", "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-MD5: x\nContent-Transfer-Encoding: quoted-printable\n\n" + quoted(shownHTML), 1},
		{"Alternative", "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\n" + plain + "\n--b\n" + page + "\n--b--\n", 1},
		{"Related", "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b; type=\"text/html\"\n\n--b\n" + page + "\n--b\nContent-Type: image/gif\nContent-ID: <x@a.example>\n\nGIF\n--b--\n", 1},
		{"RelatedAround", "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: multipart/alternative; boundary=b\n\n--b\n" + plain + "\n--b\n" + page + "\n--b--\n--r--\n", 1},
		{"RelatedNotClosed", "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n--r\n" + page, 1},
		{"Mixed", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + page + "\n--b\n" + plain + "\n--b--\n", 1},
		{"Two", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + page + "\n--b\nContent-Type: text/html; charset=utf-8\n\n<img src=https://a.example/bg.png><img src=https://a.example/8.png>\n--b--\n", 2},
		{"Attached", documentField + "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + shownHTML, 1},
	} {
		for _, eol := range []string{"\r\n", "\n"} {
			t.Run(tt.name+map[string]string{"\n": "LF"}[eol], func(t *testing.T) {
				text := strings.ReplaceAll(tt.text, "\n", eol)
				opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}, Select: func(ref *externalbody.Reference) bool { return ref.IsPicture() }}
				got, report := inlineShown(t, text, opts)
				before := text
				if tt.name == "RelatedNotClosed" { // which go-message refuses
					before += eol + "--r--" + eol
				}
				checkShown(t, before, got, report)
				for _, i := range report.Items {
					url, _ := i.References[0].Param("url")
					want := rewrite.Added
					switch {
					case strings.Contains(url, "missing"), strings.Contains(url, "login"):
						want = rewrite.Failed
					case !i.References[0].IsPicture():
						want = rewrite.Left
					}
					if i.Action != want {
						t.Errorf("%s: got %v, %v, want %v", url, i.Action, i.Err, want)
					}
				}
				if n := strings.Count(got, "\nContent-Type: multipart/related"); n != tt.related {
					t.Errorf("got %d multipart/related, want %d:\n%s", n, tt.related, got)
				}
				if strings.Contains(got, "Content-MD5") || !strings.Contains(got, "https://a.example/login.html") && !strings.Contains(tt.name, "64") {
					t.Errorf("got\n%s\nwant a URL that failed, and no Content-MD5", got)
				}
				again, second := inlineShown(t, got, opts)
				if again != got {
					t.Errorf("again: got %s,\n%s\nwant\n%s", actions(second), again, got)
				}
				if tt.name != "Attached" {
					return
				}
				// A body that is attached has a place around the pictures.
				opts.Select = nil
				opts.Resolver = &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
					if strings.HasPrefix(req.URL.Host, "a.") {
						return gallery(nil)(ctx, req)
					}
					return serve("\x00pdf")(ctx, req)
				})}
				both, report := inlineShown(t, text, opts)
				later, _ := inlineShown(t, got, opts)
				for _, got := range []string{both, later} {
					tree := leaves(t, got)
					if n := len(tree); n != len(leaves(t, text))+9 || tree[n-1].body != "\x00pdf" {
						t.Errorf("%s: got %d leaves, want the file last of\n%s", actions(report), n, got)
					}
				}
				if again, _ := inlineShown(t, both, opts); again != both {
					t.Errorf("again: got\n%s\nwant\n%s", again, both)
				}
			})
		}
	}
}

// TestPicturesLeft has pictures that keep their URLs, and why.
func TestPicturesLeft(t *testing.T) {
	type row struct {
		name, text string
		opts       rewrite.InlineOptions
		want       fetch.Kind
	}
	rows := []row{
		{"Damaged", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + remotePicture, rewrite.InlineOptions{}, fetch.Malformed},
		{"AMP", "Content-Type: text/x-amp-html\n\n" + remotePicture, rewrite.InlineOptions{}, fetch.Unsupported},
		{"Broken", "Content-Type: text/html\n\n<img src=\"https://a.example/<x>.png\">", rewrite.InlineOptions{}, fetch.Unsupported},
		{"MaxOutput", remotePage, rewrite.InlineOptions{MaxOutput: 300}, fetch.TooLarge},
		{"NoPicture", "Content-Type: text/html\n\n<img src=https://a.example/1.html>", rewrite.InlineOptions{}, fetch.TypeMismatch},
		{"Reference", "Content-Type: multipart/alternative; boundary=b\n\n--b\n" + remotePage + "\n--b\nContent-Type: message/external-body; access-type=URL; URL=\"https://a.example/1.html\"\n\nContent-Type: text/html\n\n--b--\n", rewrite.InlineOptions{Select: func(ref *externalbody.Reference) bool { return ref.IsPicture() }}, 0},
	}
	for _, u := range uneditables() {
		rows = append(rows, row{u.name, u.text, rewrite.InlineOptions{At: u.at, Nested: u.nested}, u.want})
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			tt.opts.Resolver = &externalbody.Resolver{Fetcher: gallery(&asked)}
			got, report := inlineShown(t, tt.text, &tt.opts)
			if tt.want == 0 { // it is put in
				checkShown(t, tt.text, got, report)
				return
			}
			item := report.Items[0]
			if got != tt.text || !errors.Is(item.Err, tt.want) || item.Err == nil {
				t.Errorf("got %v, %v,\n%s\nwant %v,\n%s", item.Action, item.Err, got, tt.want, tt.text)
			}
			if fetched := tt.want == fetch.TypeMismatch || tt.want == fetch.TooLarge; len(asked) > 0 && !fetched {
				t.Errorf("asked %q, want nothing", asked)
			}
		})
	}
}

// TestPicturesOverlap has two URLs at the same place, by a Dialect that is not ours.
func TestPicturesOverlap(t *testing.T) {
	text := "Content-Type: text/html\n\n<img src=https://a.example/1.png>"
	d := externalbody.Dialect{Name: dialect.RemoteImages, Hints: []string{"src"}, Text: func(_ *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		return func(t *externalbody.Token) {
			src, ok := t.Attr("src")
			for _, from := range []int{0, len("https:")} {
				if place, known := t.Value("src", from, len(src)); ok && known {
					ref := externalbody.NewReference(fmt.Sprintf("https://a.example/%d.png", 1+from))
					ref.Origins[0].Picture = true
					found(ref, place)
				}
			}
		}
	}}
	m := openWith(t, text, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}})
	var b strings.Builder
	report, err := rewrite.Inline(t.Context(), &b, m, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}, Attach: true, TempDir: t.TempDir()})
	if err != nil || actions(report) != report.Items[0].Section+" added, "+report.Items[1].Section+" failed" || !errors.Is(report.Items[1].Err, fetch.Malformed) {
		t.Errorf("got %v, %s, %v, want the first added, the second malformed", err, actions(report), report.Items[1].Err)
	}
	if got := b.String(); strings.Count(got, "<img src=cid:") != 1 || strings.Contains(got, "https://a.example/1.png>") {
		t.Errorf("got\n%s\nwant the whole URL replaced", got)
	}
}

// TestPicturesTakenBack has a line that looks like a boundary when the text is written again
// with the new URL, but not before.
func TestPicturesTakenBack(t *testing.T) {
	failed := 0
	for n := range 76 {
		text := "Content-Type: multipart/mixed; boundary=bb\n\n--bb\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" +
			quoted("<img src=https://a.example/1.png>"+strings.Repeat("x", n)+"--bb") + "\n--bb--\n"
		if strings.Contains(text, "=\n--bb") {
			continue
		}
		got, report := inlineShown(t, text, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}})
		if report.Changed() {
			checkShown(t, text, got, report)
			continue
		}
		if i := report.Items[0]; got != text || !errors.Is(i.Err, fetch.Unsupported) {
			t.Errorf("%d: got %v, %v,\n%s\nwant %v,\n%s", n, i.Action, i.Err, got, fetch.Unsupported, text)
		}
		if report.Items[0].Resolved != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("got no text that was taken back, want one")
	}
}

// TestPicturesSameID has a part with the Content-ID that the picture would have: the text
// does not refer to the part that a stranger has put there.
func TestPicturesSameID(t *testing.T) {
	page := "Content-Type: text/html\n\n<img src=https://a.example/1.png>"
	opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}}
	first, _ := inlineShown(t, page, opts)
	id := cidURL.FindStringSubmatch(first)[1]
	got, report := inlineShown(t, "Content-Type: multipart/mixed; boundary=b\n\n--b\n"+page+"\n--b\nContent-Type: image/png\nContent-ID: <"+id+">\n\nanother\n--b--\n", opts)
	m := cidURL.FindStringSubmatch(got)
	if !report.Changed() || m[1] == id || strings.Count(got, m[1]) != 2 {
		t.Errorf("got %s,\n%s\nwant another Content-ID than %s", actions(report), got, id)
	}
}

// TestPicturesMaxOutput holds the result to each size that may be its limit.
func TestPicturesMaxOutput(t *testing.T) {
	for _, encoding := range []string{"8bit", "base64", "quoted-printable"} {
		body := map[string]string{"8bit": shownHTML, "base64": asBase64(shownHTML, "\n"), "quoted-printable": quoted(shownHTML)}[encoding]
		text := "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: " + encoding + "\n\n" + body
		opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}}
		whole, _ := inlineShown(t, text, opts)
		for most := len(text); most < len(whole)+2000; most += 50 {
			opts.MaxOutput = int64(most)
			got, report := inlineShown(t, text, opts)
			checkShown(t, text, got, report)
			if len(got) > most {
				t.Fatalf("%s: got %d octets, want at most %d", encoding, len(got), most)
			}
		}
		if got, _ := inlineShown(t, text, opts); len(got) != len(whole) {
			t.Errorf("%s: got %d octets, want all %d", encoding, len(got), len(whole))
		}
	}
}

// TestPicturesRemoved takes pictures out of a text: no host learns of the reader.
func TestPicturesRemoved(t *testing.T) {
	text := "Content-Type: text/html; charset=utf-8\n\n" + shownHTML
	var b strings.Builder
	opts := &rewrite.RemoveOptions{Notice: func(*externalbody.Reference) string { return `"gone" <b>` }}
	if _, err := rewrite.Remove(t.Context(), &b, openShown(t, text), opts); err != nil {
		t.Fatal(err)
	}
	for ref := range openShown(t, b.String()).References() {
		t.Errorf("got %v, want none left in\n%s", ref, b.String())
	}
	if n := strings.Count(b.String(), "about:blank"); n != 13 {
		t.Errorf("got %d places, want 13:\n%s", n, b.String())
	}
}

// FuzzPictures: the tags and texts of HTML are those that golang.org/x/net/html finds in the
// message, but for the URLs of pictures in them, and a second run changes nothing.
func FuzzPictures(f *testing.F) {
	f.Add("Content-Type: text/html; charset=utf-8", shownHTML)
	f.Add("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable", quoted(shownHTML))
	f.Add("Content-Type: text/html; charset=iso-2022-jp", "<img alt='\x1b$B%F\x1b(B' src=https://a.example/1.png>")
	f.Add("Content-Type: text/html; charset=shift_jis", "<p style=\"font-family:'\x83e\x83X';background:url(https://a.example/1.png)\">")
	f.Add("Content-Type: text/html", "<noscript><svg><style>p{background:url(https://a.example/1.png#x)}<img src=//a.example/2.png></style></noscript>")
	f.Add("Content-Type: text/html", "<img SRC='https&colon;//a.example/1.png' src=x><td background=https://a.example/2.png\x00>")
	f.Fuzz(func(t *testing.T, header, body string) {
		if strings.ContainsAny(body, "\x00") && strings.Contains(header, "-16") {
			return
		}
		text := header + "\n\n" + body
		opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}, Select: func(ref *externalbody.Reference) bool { return ref.IsPicture() }, TempDir: os.TempDir()}
		got, report := inlineShown(t, text, opts)
		if openShown(t, got).Incomplete() != nil {
			return
		}
		if !report.Changed() && got != text {
			t.Fatalf("got\n%q\nwithout a change in the report, want\n%q", got, text)
		}
		if again, second := inlineShown(t, got, opts); again != got {
			t.Fatalf("again: got %s,\n%q\nwant after %s\n%q", actions(second), again, actions(report), got)
		}
		if report.Changed() {
			checkTokens(t, pageOf(t, text), pageOf(t, got))
		}
	})
}

// pageOf returns the first text/html of a message, decoded.
func pageOf(t testing.TB, text string) string {
	t.Helper()
	w := newWeb()
	m := open(t, text)
	if _, err := rewrite.Externalize(t.Context(), io.Discard, m, &rewrite.ExternalizeOptions{Store: w, Nested: true, Select: func(o *rewrite.Object) bool {
		return o.MediaType == "text/html" && len(w.put) == 0
	}}); err != nil {
		t.Fatal(err)
	}
	return w.bodies[w.base+"1"]
}

// checkTokens wants the tokens of HTML in got to be the tokens of text, apart from cid:
// URLs in attributes, comments and style sheets.
func checkTokens(t testing.TB, text, got string) {
	t.Helper()
	a, b := html.NewTokenizer(strings.NewReader(text)), html.NewTokenizer(strings.NewReader(got))
	for {
		if x, y := a.Next(), b.Next(); x != y {
			t.Fatalf("got %v %q, want %v %q, in\n%q\nof\n%q", y, b.Raw(), x, a.Raw(), got, text)
		}
		old, with := string(a.Raw()), string(b.Raw())
		pieces := cidURL.Split(with, -1)
		for i, piece := range pieces {
			at := strings.Index(old, piece)
			if at < 0 || i == 0 && at > 0 || i == len(pieces)-1 && !strings.HasSuffix(old, piece) {
				t.Fatalf("got %q, want %q with other URLs", with, a.Raw())
			}
			old = old[at+len(piece):]
		}
		if a.Err() != nil {
			return
		}
	}
}

// A picture is one by its octets, whatever the server and the URL call it, and SVG shows only its own
// content.
func TestPictureOctets(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>`
	for _, tt := range []struct {
		name, path, mediaType, body string
		allow                       bool
		want                        string // the media type of the part
		kind                        fetch.Kind
	}{
		{"PNG", "/a.png", "image/png", "\x89PNG\r\n\x1a\n", false, "image/png", 0},
		{"OtherFormat", "/a.jpg", "image/jpeg", "\x89PNG\r\n\x1a\n", false, "image/png", 0},
		{"TypeOfName", "/a.gif", "application/octet-stream", "GIF89a", false, "image/gif", 0},
		{"WebP", "/a.webp", "image/webp", "RIFF\x04\x00\x00\x00WEBP", false, "image/webp", 0},
		{"Program", "/a.png", "image/png", "MZ" + strings.Repeat("\x00", 100), false, "", fetch.TypeMismatch},
		{"Archive", "/a.png", "image/png", "PK\x03\x04", false, "", fetch.TypeMismatch},
		{"Script", "/a.png", "image/png", "alert(document.cookie)\n", false, "", fetch.TypeMismatch},
		{"PDF", "/a.png", "image/png", "%PDF-1.7", false, "", fetch.TypeMismatch},
		{"Empty", "/a.png", "image/png", "", false, "", fetch.TypeMismatch},
		{"PictureCalledPage", "/a.png", "text/html", "\x89PNG\r\n\x1a\n", false, "", fetch.TypeMismatch},
		{"SVG", "/a.svg", "image/svg+xml", svg, false, "image/svg+xml", 0},
		{"SVGCalledPNG", "/a.png", "image/png", svg, false, "", fetch.TypeMismatch},
		{"SVGWithScript", "/a.svg", "image/svg+xml", strings.Replace(svg, "<rect", "<script>x()</script><rect", 1), false, "", fetch.Unsupported},
		{"SVGWithHandler", "/a.svg", "image/svg+xml", strings.Replace(svg, "<rect", "<rect onload='x()'", 1), false, "", fetch.Unsupported},
		{"SVGFromElsewhere", "/a.svg", "image/svg+xml", strings.Replace(svg, "<rect", "<image href='https://t.example/'/><rect", 1), false, "", fetch.Unsupported},
		{"SVGAllowed", "/a.svg", "image/svg+xml", strings.Replace(svg, "<rect", "<rect onload='x()'", 1), true, "image/svg+xml", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "Content-Type: text/html\n\n<img src=https://a.example" + tt.path + ">"
			server := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: req.URL, MediaType: tt.mediaType, Size: int64(len(tt.body)), Body: io.NopCloser(strings.NewReader(tt.body))}, nil
			})
			got, report := inlineShown(t, text, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: server}, AllowSVG: tt.allow})
			item := report.Items[0]
			if tt.kind != 0 {
				if got != text || item.Action != rewrite.Failed || fetch.KindOf(item.Err) != tt.kind {
					t.Errorf("got %s, %v, want it left with the Kind %s", item.Action, item.Err, tt.kind)
				}
				return
			}
			checkShown(t, text, got, report)
			for _, l := range leaves(t, got) {
				if strings.HasPrefix(l.mediaType, "image/") && (l.mediaType != tt.want || l.body != tt.body) {
					t.Errorf("got %s %q, want %s %q", l.mediaType, l.body, tt.want, tt.body)
				}
			}
		})
	}
}

// The same picture in the same message has another Content-ID each time: the sender cannot name it beforehand.
func TestPictureContentID(t *testing.T) {
	seen := make(map[string]bool)
	for range 3 {
		got, _ := inlineShown(t, "Content-Type: text/html\n\n<img src=https://a.example/1.png>", &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: gallery(nil)}})
		id := cidURL.FindString(got)
		if id == "" || seen[id] || strings.Contains(id, "link-") {
			t.Errorf("got %q after %v, want another random one", id, seen)
		}
		seen[id] = true
	}
}
