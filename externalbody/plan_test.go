package externalbody_test

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestPlanID has pairs of references and settings that differ in what is fetched
// or accepted: their Plans have different IDs. The same, read again, has the same.
func TestPlanID(t *testing.T) {
	const entity = "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/b\"\n\nContent-Type: image/png\n"
	within := func(body string) string {
		return "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: message/external-body; access-type=URL; URL=\"cid:a@h\"\n\nContent-Type: image/png\n\n" +
			"--b\nContent-Type: image/png\nContent-ID: <a@h>\n\n" + body + "\n--b--\n"
	}
	own := func(query string) externalbody.Resolver {
		return externalbody.Resolver{AccessTypes: map[string]func(*externalbody.Reference) (*fetch.Request, error){
			"url": func(*externalbody.Reference) (*fetch.Request, error) {
				return &fetch.Request{URL: &url.URL{Scheme: "https", Host: "a.example", Path: "/b", RawQuery: query}}, nil
			},
		}}
	}
	type setup struct {
		text string
		r    externalbody.Resolver
	}
	mail := func(text string) setup { return setup{text: text} }
	by := func(r externalbody.Resolver) setup { return setup{entity + "\n", r} }
	for _, c := range []struct {
		name string
		a, b setup
	}{
		{"URL", mail(entity + "\n"), mail(strings.Replace(entity, "/b", "/c", 1) + "\n")},
		{"Query", mail(entity + "\n"), mail(strings.Replace(entity, "/b", "/b?c", 1) + "\n")},
		{"MD5", mail(entity + "Content-MD5: " + md5sum("x") + "\n\n"), mail(entity + "Content-MD5: " + md5sum("y") + "\n\n")},
		{"NoMD5", mail(entity + "\n"), mail(entity + "Content-MD5: " + md5sum("y") + "\n\n")},
		{"MediaType", mail(entity + "\n"), mail(strings.Replace(entity, "png", "gif", 1) + "\n")},
		{"Encoding", mail(entity + "\n"), mail(entity + "Content-Transfer-Encoding: base64\n\n")},
		{"Size", mail(entity + "\n"), mail(strings.Replace(entity, "URL;", "URL; size=7;", 1) + "\n")},
		{"NestedReference",
			mail(strings.Replace(entity, "image/png", "message/external-body; access-type=URL; URL=\"http://a.example/c\"", 1) + "\n"),
			mail(strings.Replace(entity, "image/png", "message/external-body; access-type=URL; URL=\"http://a.example/d\"", 1) + "\n")},
		{"RequestToMailServer",
			mail("Content-Type: message/external-body; access-type=mail-server; server=\"a@h.example\"\n\nContent-ID: <a@h>\n\nget 1\n"),
			mail("Content-Type: message/external-body; access-type=mail-server; server=\"a@h.example\"\n\nContent-ID: <a@h>\n\nget 2\n")},
		{"Message", mail(within("x")), mail(within("y"))},
		{"ContentID",
			mail(strings.Replace(within("x"), "URL; URL=\"cid:a@h\"\n", "content-id\n\nContent-ID: <a@h>", 1)),
			mail(strings.Replace(within("y"), "URL; URL=\"cid:a@h\"\n", "content-id\n\nContent-ID: <a@h>", 1))},
		{"MaxBytes", by(externalbody.Resolver{}), by(externalbody.Resolver{MaxBytes: 9})},
		{"Profile", by(externalbody.Resolver{}), by(externalbody.Resolver{Profile: externalbody.ProfileSIP})},
		{"Accept", by(externalbody.Resolver{}), by(externalbody.Resolver{AcceptTypes: []string{"image/png"}})},
		{"Strict", by(externalbody.Resolver{}), by(externalbody.Resolver{Strict: true})},
		{"OwnAccessType", by(own("a")), by(own("b"))},
	} {
		id := func(s setup) string {
			s.r.Fetcher = &web{}
			return s.r.Plan(openText(t, s.text, nil)[0]).ID
		}
		a, again, b := id(c.a), id(c.a), id(c.b)
		if a != again || a == "" {
			t.Errorf("%s: got ID %s, then %s, want the same", c.name, a, again)
		}
		if a == b {
			t.Errorf("%s: got ID %s for both, want different ones", c.name, a)
		}
	}
}

// A failing reader has its first octets only until it fails.
type failing struct {
	io.ReaderAt
	err error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(p, off)
}

// A message that cannot be read any more has no identity: the Plan is refused, and
// is not that of another message that cannot be read.
func TestPlanIDUnreadable(t *testing.T) {
	text := "Content-Type: message/external-body; access-type=URL; URL=\"cid:a@h\"\n\nContent-Type: image/png\n\n"
	src := &failing{ReaderAt: strings.NewReader(text)}
	m, err := externalbody.Open(src, int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	src.err = errors.New("unplugged")
	r := &externalbody.Resolver{Fetcher: &web{}}
	for ref := range m.References() {
		if p := r.Plan(ref); p.Kind != fetch.Local {
			t.Errorf("got Kind %v, want %v", p.Kind, fetch.Local)
		}
		if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Local || !errors.Is(err, src.err) {
			t.Errorf("got %v, want Kind %v and the error of the reader", err, fetch.Local)
		}
	}
}

// A standard part can refer to a share link, whose facts are in its Plan as well.
func TestPlanOfStandardShareLink(t *testing.T) {
	text := "Content-Type: message/external-body; access-type=url; url=\"https://we.tl/t-AbCdEfGhIj\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for ref := range m.References() {
		if p := new(externalbody.Resolver).Plan(ref); !p.Once {
			t.Errorf("got the plan %+v, want one with Once", p)
		}
	}
}
