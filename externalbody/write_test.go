package externalbody_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A part is written for pasting into a message.
func ExampleReference_WriteTo() {
	ref := &externalbody.Reference{
		AccessType: "url",
		Params:     []externalbody.Field{{Name: "url", Value: "ftp://ftp.deepdirs.example/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/file.png"}},
		MediaType:  "image/png",
		ContentID:  "<file@deepdirs.example>",
		Size:       1234,
		Expiration: time.Date(2030, 6, 14, 23, 13, 14, 0, time.UTC),
	}
	var b bytes.Buffer
	if _, err := ref.WriteTo(&b); err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(b.String()))
	// Output:
	// Content-Type: message/external-body; access-type=URL;
	//     URL="ftp://ftp.deepdirs.example/1/2/3/4/5/6/
	//     7/8/9/10/11/12/13/14/15/file.png";
	//     expiration="Fri, 14 Jun 2030 23:13:14 GMT"; size=1234
	//
	// Content-Type: image/png
	// Content-ID: <file@deepdirs.example>
}

// TestWritten: a part that is written is read again without a Diag.
func TestWritten(t *testing.T) {
	link := externalbody.Fields{{Name: "url", Value: "https://h.example/x"}}
	as := func(accessType string, params ...externalbody.Field) func(*externalbody.Reference) {
		return func(r *externalbody.Reference) { r.AccessType, r.Params = accessType, params }
	}
	for _, tt := range []struct {
		name string
		set  func(*externalbody.Reference)
		want string // in the text, or "error: " and a text in the error if nothing may be written
	}{
		{"NoAccessType", as(""), "error: access-type"},
		{"NoURL", as("url"), "error: url"},
		{"Script", as("url", externalbody.Field{"url", "javascript:alert(1)"}), "error: retrieves nothing"},
		{"Mailto", as("url", externalbody.Field{"url", "mailto:a@h.example"}), "error: retrieves nothing"},
		{"AccessTypeSpace", as("url ", link...), "error: access-type"},
		{"AccessTypeLine", as("url\n", link...), "error: access-type"},
		{"Negative", func(r *externalbody.Reference) { r.Size = -3 }, "error: size"},
		{"LineInName", func(r *externalbody.Reference) { r.Name = "a\r\nb.png" }, "error: name"},
		{"RelativeURL", as("url", externalbody.Field{"url", "x/y"}), "error: relative"},
		{"Password", as("url", externalbody.Field{"url", "ftp://u:pw@h.example/"}), "error: password"},
		{"NoName", as("anon-ftp", externalbody.Field{"site", "h.example"}), "error: name"},
		{"Nickname", as("anon-ftp", externalbody.Field{"site", "host"}, externalbody.Field{"name", "x"}), "error: site"},
		{"LineEnd", as("anon-ftp", externalbody.Field{"site", "h.example"}, externalbody.Field{"name", "x\r\ny"}), "error: name"},
		{"TwoServers", as("mail-server", externalbody.Field{"server", "a@b, c@d"}), "error: server"},
		{"AFS", as("afs", externalbody.Field{"name", "/afs/x"}), "error: afs"},
		{"NoContentID", func(r *externalbody.Reference) { r.ContentID = "" }, "error: content-id"},
		{"BadParam", as("x-own", externalbody.Field{"a b", "x"}), "error: name of a parameter"},
		{"Plain", func(*externalbody.Reference) {}, "Content-Type: image/png\r\n"},
		{"NoSlash", func(r *externalbody.Reference) { r.MediaType = "pdf" }, "error: "},
		{"Space", func(r *externalbody.Reference) { r.MediaType = "a/b c" }, "error: "},
		{"Star", func(r *externalbody.Reference) { r.MediaType = "image/*" }, "error: "},
		{"NoBrackets", func(r *externalbody.Reference) { r.ContentID = "a@b.example" }, "error: "},
		{"TwoIDs", func(r *externalbody.Reference) { r.ContentID = "<a@b.example> <c@d.example>" }, "error: "},
		{"EmptyID", func(r *externalbody.Reference) { r.ContentID = "<>" }, "error: "},
		{"ControlID", func(r *externalbody.Reference) { r.ContentID = "<a\x1b@b>" }, "error: "},
		{"BadMD5", func(r *externalbody.Reference) { r.Header = externalbody.Fields{{"Content-MD5", "garbage"}} }, "error: "},
		{"BadReprDigest", func(r *externalbody.Reference) { r.Header = externalbody.Fields{{"Repr-Digest", "sha-256=:AA==:"}} }, "error: "},
		{"Permission", func(r *externalbody.Reference) { r.Permission = "write" }, "error: "},
		{"Mode", as("anon-ftp", externalbody.Field{"site", "h.example"}, externalbody.Field{"name", "x"}, externalbody.Field{"mode", "bogus"}), "error: "},
		{"URL", as("url", externalbody.Field{"url", "https://h_%zz/"}), "error: "},
		{"TwoURLs", as("url", link[0], externalbody.Field{"url", "https://other.example/"}), "error: "},
		{"Year", func(r *externalbody.Reference) { r.Expiration = time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC) }, "error: "},
		{"AccessType", func(r *externalbody.Reference) { r.AccessType = "a b" }, "error: "},
		{"SHA256", func(r *externalbody.Reference) {
			r.Digests = []fetch.Digest{{Algorithm: "sha-256", Sum: make([]byte, 32)}, {Algorithm: "md5", Sum: make([]byte, 16)}}
		}, "Repr-Digest: sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:\r\n"},
		{"ShortSHA256", func(r *externalbody.Reference) {
			r.Digests = []fetch.Digest{{Algorithm: "sha-256", Sum: make([]byte, 31)}}
		}, "error: "},
	} {
		ref := &externalbody.Reference{AccessType: "url", Params: link, MediaType: "image/png", ContentID: "<a@b.example>"}
		tt.set(ref)
		var b strings.Builder
		n, err := ref.WriteTo(&b)
		if text, refused := strings.CutPrefix(tt.want, "error: "); refused {
			want := fetch.Malformed
			if tt.name == "AFS" {
				want = fetch.Unsupported
			}
			if ct, err := ref.ContentType(); ct != "" && err != nil {
				t.Errorf("%s: got %q with %v, want nothing", tt.name, ct, err)
			}
			if n != 0 || b.Len() > 0 || fetch.KindOf(err) != want || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: got %q, %v, want nothing, %v of %q", tt.name, b.String(), err, want, text)
			}
			continue
		}
		if err != nil || !strings.Contains(b.String(), tt.want) || strings.Contains(b.String(), "size=") {
			t.Errorf("%s: got %q, %v, want %q in it and no size", tt.name, b.String(), err, tt.want)
		}
	}
}

// TestGenerate: the output has short lines and is read back.
func TestGenerate(t *testing.T) {
	long := strings.Repeat("long name with ünïcode ", 20)
	for _, ref := range []*externalbody.Reference{
		{AccessType: "url", Params: []externalbody.Field{{Name: "url", Value: "http://h.example/" + strings.Repeat("a-b/%20", 100)}}},
		{AccessType: "anon-ftp", Params: []externalbody.Field{{Name: "site", Value: "h.example"}, {Name: "directory", Value: "/pub/a b"}, {Name: "name", Value: long}}},
		{AccessType: "tftp", Params: []externalbody.Field{{Name: "site", Value: "h.example"}, {Name: "name", Value: `C:\dir\f.txt`}}},
		{AccessType: "local-file", Params: []externalbody.Field{{Name: "name", Value: "/a\"b\\c\xff"}, {Name: "site", Value: "*.h.example"}}},
		{AccessType: "mail-server", Params: []externalbody.Field{{Name: "server", Value: "a@h.example"}, {Name: "subject", Value: "hi there"}}},
		{AccessType: "content-id"},
		{AccessType: "x-own", Params: []externalbody.Field{{Name: "key", Value: "=?utf-8?q?x?="}}},
	} {
		ref.MediaType, ref.ContentID, ref.Size, ref.Name = "application/x-own", "<a@h.example>", 77, strings.Repeat("l\u00e4ng", 30)+".pdf"
		ref.Header = externalbody.Fields{{Name: "Content-Description", Value: strings.Repeat("many words ", 30)}}
		var b bytes.Buffer
		if n, err := ref.WriteTo(&b); err != nil || n != int64(b.Len()) {
			t.Errorf("%s: got %d, %v, want %d, nil", ref.AccessType, n, err, b.Len())
			continue
		}
		for line := range strings.Lines(b.String()) {
			if len(line) > 80 || !strings.HasSuffix(line, "\r\n") {
				t.Errorf("%s: got line %q, want at most 80 octets that end with CRLF", ref.AccessType, line)
			}
		}
		got := openText(t, b.String(), nil)[0]
		if v := param.Parse(got.Header.Get("Content-Disposition")); v.Params[0].Value != ref.Name {
			t.Errorf("%s: got the disposition %+v, want the name %s", ref.AccessType, v, ref.Name)
		}
		if got.AccessType != ref.AccessType || got.MediaType != ref.MediaType || got.ContentID != ref.ContentID || got.Size != 77 || len(got.Diags) > 0 {
			t.Errorf("%s: got %+v read back, want %+v without diags", ref.AccessType, got, ref)
		}
		for _, p := range ref.Params {
			v, _ := got.Param(p.Name)
			if p.Name == "url" {
				v = strings.Join(strings.Fields(v), "")
			}
			if v != p.Value {
				t.Errorf("%s: %s is %q, want %q", ref.AccessType, p.Name, v, p.Value)
			}
		}
		if mode, ok := got.Param("mode"); ok != (ref.AccessType == "anon-ftp" || ref.AccessType == "tftp") {
			t.Errorf("%s: got mode %q, %t, want one for anon-ftp and tftp alone", ref.AccessType, mode, ok)
		}
	}
}

// FuzzGenerate: a Reference that was read can be written, if at all, so that it is
// read as the same and written as the same.
func FuzzGenerate(f *testing.F) {
	f.Add("url", "url", "http://h.example/a b", "", "", "Content-Type: image/png\r\nContent-ID: <a@b>\r\n", int64(5))
	f.Add("anon-ftp", "site", "h.example", "name", "é\"\\", "Content-ID: <a@b>\r\n", int64(-1))
	f.Add("mail-server", "server", "a@b.example", "subject", "x  y", "Content-ID: <a@b>\r\n\r\nget it\r\n", int64(0))
	f.Add("x-own", "name", strings.Repeat("=", 200), "b", "c", "Content-ID: <a@b>\r\nX: y\r\n", int64(1))
	f.Fuzz(func(t *testing.T, access, name1, value1, name2, value2, phantom string, size int64) {
		seed := &externalbody.Reference{AccessType: access, Params: []externalbody.Field{{name1, value1}, {name2, value2}}, MediaType: "text/plain", ContentID: "<seed@h>", Size: max(-1, size)}
		ct, err := seed.ContentType()
		if err != nil {
			return
		}
		ref, err := externalbody.ReadRaw([]byte("Content-Type: "+ct+"\r\n"), []byte(phantom))
		if err != nil {
			t.Fatalf("%q: got error %v, want none", ct, err)
		}
		var first, second bytes.Buffer
		if _, err := ref.WriteTo(&first); err != nil {
			return
		}
		again := openText(t, first.String(), nil)
		if len(again) != 1 {
			t.Fatalf("%q holds %d references, want 1", first.String(), len(again))
		}
		if _, err := again[0].WriteTo(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("got\n%q, %v, want the first\n%q", second.String(), err, first.String())
		}
	})
}

// TestCorpus lists the references of real messages. The expected values were read
// out of the messages by eye.
func TestCorpus(t *testing.T) {
	const none = ""
	type want struct{ id, access, params, contentID string }
	known := map[string][]want{
		"flanker-httpd-1997.eml": {
			{"2.1", "mail-server", "server=mailserv@ds.internic.net", "<Pine.BSF.3.95.971201104619.22475F@alive.znep.com>"},
			{"2.2", "anon-ftp", "name=draft-ietf-http-authentication-00.txt site=ds.internic.net directory=internet-drafts", "<Pine.BSF.3.95.971201104619.22475G@alive.znep.com>"},
		},
		"jwz-144.eml": {
			{"2.2", "x-http", "host=info.cern.ch port=2784 path=/hypertext/WWW/TheProject.html", none},
			{"2.6", "x-http", "host=info.cern.ch name=/hypertext/WWW/TheProject.html", none},
		},
		"jwz-37.eml": {
			{"2.1", "mail-server", "server=mailserv@ds.internic.net", "<19950424144009.I-D@CNRI.Reston.VA.US>"},
			{"2.2", "anon-ftp", "name=draft-smith-ipatm-bcast-00.txt site=ds.internic.net directory=internet-drafts", "<19950424144009.I-D@CNRI.Reston.VA.US>"},
		},
		"mailarch-extbody-anonftp.eml": {{"2", "anon-ftp", "name=draft-ietf-ancp-framework-06.txt site=ftp.ietf.org directory=internet-drafts", "<2008-05-09085530.I-D@ietf.org>"}},
		"mailarch-extbody-invalid.eml": {{"2", "anon-ftp", "name=draft-ietf-ancp-framework-06.txt", "<2008-05-09085530.I-D@ietf.org>"}},
		"mailarch-extbody-outlook-url.eml": {
			{"2", "", "name=draft-irtf-hip-experiment-07.url", none},
		},
		"mailarch-mmdf-00.eml": {
			{"2.1", "mail-server", "server=mailserv@ds.internic.net", "<19940908095344.I-D@CNRI.Reston.VA.US>"},
			{"2.2", "anon-ftp", "name=draft-ietf-uri-url-07.txt site=ds.internic.net directory=internet-drafts", "<19940908095344.I-D@CNRI.Reston.VA.US>"},
		},
		"stable-2020-mutt-deleted.eml": {{"2", "x-mutt-deleted", "expiration=Tue, 17 Nov 2020 11:03:37 -0800 length=86", none}},
		"stalwart-rfc-001.eml": {
			{"1", "anon-ftp", "name=BodyFormats.ps site=thumper.bellcore.com mode=image directory=pub expiration=Fri, 14 Jun 1991 19:13:14 -0400 (EDT)", "<id42@guppylake.bellcore.com>"},
			{"2", "local-file", "name=/u/nsb/writing/rfcs/RFC-MIME.ps site=thumper.bellcore.com expiration=Fri, 14 Jun 1991 19:13:14 -0400 (EDT)", "<id42@guppylake.bellcore.com>"},
			{"3", "mail-server", "server=listserv@bogus.bitnet expiration=Fri, 14 Jun 1991 19:13:14 -0400 (EDT)", "<id42@guppylake.bellcore.com>"},
		},
	}
	for file, text := range testkit.Corpus(t) {
		var got []want
		for _, ref := range open(t, text, nil) {
			var params []string
			for _, p := range ref.Params {
				if p.Name != "access-type" {
					params = append(params, p.Name+"="+p.Value)
				}
			}
			got = append(got, want{ref.ID, ref.AccessType, strings.Join(params, " "), ref.ContentID})
			(&externalbody.Resolver{Strict: true}).Plan(ref) // must not hurt
		}
		if wants, ok := known[file]; ok && fmt.Sprint(got) != fmt.Sprint(wants) {
			t.Errorf("%s:\ngot  %v\nwant %v", file, got, wants)
		}
		delete(known, file)
	}
	if len(known) > 0 {
		t.Errorf("got no %v, want them in the corpus", known)
	}
}

// TestGenerateName: readers that know no references find the name at the part, and
// those that do in the phantom header (RFC 2183 section 2.3).
func TestGenerateName(t *testing.T) {
	url := []externalbody.Field{{Name: "url", Value: "https://h.example/x"}}
	for _, c := range []struct {
		name  string
		ref   externalbody.Reference
		param string // NAME
		outer string // Content-Disposition
		inner string
	}{
		{"None", externalbody.Reference{AccessType: "url", Params: url}, "", "", ""},
		{"URL", externalbody.Reference{AccessType: "url", Params: url, Name: "a b.png"}, "a b.png", `attachment; filename="a b.png"`, `attachment; filename="a b.png"`},
		{"Path", externalbody.Reference{AccessType: "url", Params: url, Name: "../x|y.png"}, "x_y.png", "attachment; filename=x_y.png", "attachment; filename=x_y.png"},
		{"OwnParam", externalbody.Reference{AccessType: "url", Params: append(url, externalbody.Field{Name: "name", Value: "own"}), Name: "a.png"}, "own", "attachment; filename=a.png", "attachment; filename=a.png"},
		{"OwnDisposition", externalbody.Reference{AccessType: "url", Params: url, Name: "a.png", Header: externalbody.Fields{{Name: "content-disposition", Value: "inline; filename=b.png"}}}, "a.png", "inline; filename=b.png", "inline; filename=b.png"},
		{"OwnWithoutName", externalbody.Reference{AccessType: "url", Params: url, Name: "a.png", Header: externalbody.Fields{{Name: "Content-Disposition", Value: "inline"}}}, "a.png", "inline; filename=a.png", "inline"},
		{"FTP", externalbody.Reference{AccessType: "anon-ftp", Params: []externalbody.Field{{Name: "site", Value: "h.example"}, {Name: "name", Value: "pub/a.png"}}, Name: "a.png"}, "pub/a.png", "attachment; filename=a.png", "attachment; filename=a.png"},
		{"UTF8", externalbody.Reference{AccessType: "url", Params: url, Name: "\u00e9.png"}, "\u00e9.png", "attachment; filename*=utf-8''%C3%A9.png", "attachment; filename*=utf-8''%C3%A9.png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.ref.ContentID, c.ref.MediaType, c.ref.Size = "<a@b>", "image/png", -1
			var b bytes.Buffer
			if _, err := c.ref.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(b.String(), "\r\n\r\n")
			_, outer, _ := strings.Cut(head, "Content-Disposition: ")
			got := openText(t, b.String(), nil)[0]
			param, _ := got.Param("name")
			if inner := got.Header.Get("Content-Disposition"); param != c.param || outer != c.outer || inner != c.inner || len(got.Diags) > 0 {
				t.Errorf("got %q, %q and %q, diags %q, in\n%s\nwant %q, %q and %q", param, outer, inner, diags(got), b.String(), c.param, c.outer, c.inner)
			}
		})
	}
}
