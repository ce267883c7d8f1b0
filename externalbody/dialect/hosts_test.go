package dialect_test

import (
	"context"
	"errors"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

// Links at hosts that the caller names are share links, in HTML, in a header and
// in a standard part.
func TestHosts(t *testing.T) {
	const text = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n<a href=\"https://cloud.example/s/Secr3t\">plan.pdf</a> <a href=\"https://cloud.example/login\">x</a> <a href=\"https://other.example/s/Secr3t\">y</a>\n" +
		"--b\nContent-Type: text/html\nX-Mozilla-Cloud-Part: cloudFile; url=https://cloud.example/s/0ther; name=b.pdf\n\nx\n" +
		"--b\nContent-Type: message/external-body; access-type=url; url=\"https://cloud.example/s/Secr3t\"\n\nContent-Type: application/pdf\n\n" +
		"--b--\n"
	own, err := dialect.With(&dialect.Options{Hosts: map[string]string{"cloud.example": "nextcloud"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ref := range openWith(t, text, own) {
		got = append(got, ref.Dialect+" "+ref.Provider+" "+ref.Name)
	}
	want := []string{"filelink nextcloud b.pdf", " nextcloud "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if refs := openWith(t, text, dialect.All()); len(refs) != 2 || refs[0].Provider != "" {
		t.Errorf("without hosts: got %d references, want the 2 of marks", len(refs))
	}
}

// TestHostsOfStandardPart has a link at a host of the caller in a standard part: it is a secret,
// the Plan has the host that gives the file, and so it is without any form.
func TestHostsOfStandardPart(t *testing.T) {
	hosts := map[string]string{"files.example": "/s/{token}\tfile\thttps://cdn.example/get/{token}"}
	const link = "https://files.example/s/Secr3t"
	const text = "Content-Type: message/external-body; access-type=url; url=\"" + link + "\"\n\nContent-Type: application/pdf\n\n"
	for _, names := range [][]string{nil, {}, {"filelink"}} {
		own, err := dialect.With(&dialect.Options{Hosts: hosts, Names: names})
		if err != nil {
			t.Fatal(err)
		}
		ref := openWith(t, text, own)[0]
		plan := new(externalbody.Resolver).Plan(ref)
		if plan.Direct != "cdn.example" || plan.URL != "https://files.example/..." || ref.Redact(link) != plan.URL || ref.Name != "" {
			t.Errorf("%q: got %q, %q, %q, %q, want the link hidden and cdn.example", names, plan.Direct, plan.URL, ref.Redact(link), ref.Name)
		}
		report := &externalbody.Report{Reference: ref, FinalURL: "https://cdn.example/get/Secr3t", Header: textproto.MIMEHeader{"Content-Disposition": {"attachment; filename=Secr3t.pdf"}}}
		if name := report.FileName(); strings.Contains(name, "Secr3t") {
			t.Errorf("%q: got the file name %q", names, name)
		}
	}
}

// TestHostsOfRequest has a link at a host of the caller that is fetched without a message.
func TestHostsOfRequest(t *testing.T) {
	u := &url.URL{Scheme: "https", Host: "files.example", Path: "/s/Secr3t"}
	_, err := new(fetch.Mux).Fetch(t.Context(), &fetch.Request{URL: u, ShareHosts: map[string]string{"files.example": "/s/{token}\tfile\t-"}})
	if err == nil || strings.Contains(err.Error(), "Secr3t") {
		t.Errorf("got %v, want an error without the link", err)
	}
}

// A host that the reader of the message knows need not be named to the fetcher.
func TestHostsNamedOnce(t *testing.T) {
	const text = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/plain\n\nhttps://cloud.example/s/Secr3t\n" +
		"--b\nContent-Type: message/external-body; access-type=url; url=\"https://cloud.example/s/0ther\"\n\nContent-Type: application/pdf\n\n" +
		"--b\nContent-Type: text/plain\n\nhttps://uni.example/index.php/s/AbCdEfGhIjKlMnO\n" +
		"--b--\n"
	own, err := dialect.With(&dialect.Options{Hosts: map[string]string{"cloud.example": "nextcloud"}})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	links := sharefetch.New(fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked = append(asked, req.URL.String())
		return nil, fetch.NotFound
	}))
	for _, guess := range []bool{false, true} {
		r := &externalbody.Resolver{Fetcher: links, GuessedHosts: guess}
		for _, ref := range openWith(t, text, own) {
			if _, err := r.Resolve(t.Context(), ref); err == nil {
				t.Error("got a body, want an error")
			}
		}
	}
	want := []string{
		"https://cloud.example/s/Secr3t/download", "https://cloud.example/s/0ther/download",
		"https://cloud.example/s/Secr3t/download", "https://cloud.example/s/0ther/download",
		"https://uni.example/index.php/s/AbCdEfGhIjKlMnO/download",
	}
	if !slices.Equal(asked, want) {
		t.Errorf("got %q asked, want %q", asked, want)
	}
}

func TestHostsRefused(t *testing.T) {
	hosts := map[string]string{"cloud.example": "drive"}
	if _, err := dialect.With(&dialect.Options{Hosts: hosts}); err == nil || !strings.Contains(err.Error(), "nextcloud") {
		t.Errorf("got %v, want an error that lists the kinds", err)
	}
	dialects := []externalbody.Dialect{{Name: "own", Hosts: hosts}}
	if _, err := externalbody.Open(strings.NewReader(""), 0, &externalbody.OpenOptions{Dialects: dialects}); !errors.Is(err, fetch.Malformed) {
		t.Errorf("got %v, want Malformed", err)
	}
}

// A fact in the URL is a claim, and a fact in the text is not: anybody can write another
// name and size into the URL.
func TestClaims(t *testing.T) {
	const link = "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D%26e%3D1763787120&uk=k&f=a.pdf&sz=42"
	for _, tt := range []struct {
		name, html string
		want       []string
	}{
		{"Link", `<a href="` + link + `">here</a>`, []string{"name", "size", "expiration"}},
		{"Named", `<a href="` + link + `">b.pdf</a>`, []string{"size", "expiration"}},
		{"Banner", `<div class="x-apple-maildrop" data-url="` + link + `" data-size="43" data-filename="b.pdf"></div>`, []string{"expiration"}},
		{"NoFacts", `<a href="https://we.tl/t-AbCdEfGh">here</a>`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refs := open(t, "Content-Type: text/html\n\n"+tt.html)
			if len(refs) != 1 || !slices.Equal(refs[0].Claims, tt.want) {
				t.Fatalf("got %d references, the first with %q, want one with %q", len(refs), refs[0].Claims, tt.want)
			}
		})
	}
}

// A URL in the shape of a share at a host that is not known is listed, and its host is
// not contacted unless that is allowed. A form that names the file needs no guess.
func TestGuessed(t *testing.T) {
	const nextcloud = "https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMnO"
	for _, url := range []string{
		nextcloud,
		"https://uni.example/public.php?service=files&t=0123456789abcdef0123456789abcdef",
		"https://send.uni.example/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562",
		"https://sea.uni.example/f/0123456789abcdef0123/",
		"https://atlas.uni.example/s/AbCdEfGkSzKfMa2",
	} {
		for _, c := range []textCase{
			{plain: "see " + url + "\n"},
			{plain: "see <" + url[:34] + "\n" + url[34:] + ">\n"},
			{html: "<a href=\"" + strings.ReplaceAll(url, "&", "&amp;") + "\">here</a>"},
			{html: "<a href=\"https://eur01.safelinks.protection.outlook.com/?url=" + strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "&", "%26", "=", "%3D").Replace(url) + "&amp;data=x\">here</a>"},
		} {
			refs := open(t, c.message("8bit"))
			if len(refs) != 1 || !slices.Contains(refs[0].Claims, "guessed") {
				t.Errorf("%s%s: got %d references, want one with the claim guessed", c.plain, c.html, len(refs))
				continue
			}
			asked := 0
			r := &externalbody.Resolver{Fetcher: fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) {
				asked++
				return nil, fetch.NotFound
			})}
			if _, err := r.Resolve(t.Context(), refs[0]); !errors.Is(err, fetch.Blocked) || asked > 0 {
				t.Errorf("%s: got %v after %d requests, want Blocked", url, err, asked)
			}
			r.GuessedHosts = true
			if _, err := r.Resolve(t.Context(), refs[0]); errors.Is(err, fetch.Blocked) {
				t.Errorf("%s: got %v with GuessedHosts, want it tried", url, err)
			}
		}
	}
	marked := open(t, part("Content-Type: text/html\nX-Mozilla-Cloud-Part: cloudFile; url="+nextcloud+"; name=b.pdf\n\nx\n"))
	if len(marked) != 1 || slices.Contains(marked[0].Claims, "guessed") {
		t.Errorf("got %d references, want one that is not guessed", len(marked))
	}
}
