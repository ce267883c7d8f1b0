package externalbody_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestParams is EB-1 to EB-12 and UA-8 to UA-11 as a reader of mail meets them;
// internal/mime/param has the rest.
func TestParams(t *testing.T) {
	for _, c := range []struct {
		name, contentType string
		access, url       string
		diags             string
	}{
		{"Simple", `message/external-body; access-type=URL; URL="http://a.example/b"`, "url", "http://a.example/b", ""},
		{"Case", `MESSAGE/External-Body; ACCESS-TYPE="uRl"; url="http://A.example/B"`, "url", "http://a.example/B", ""},
		{"AccessTypeLast", `message/external-body; URL="http://a.example/b"; access-type=URL`, "url", "http://a.example/b", ""},
		{"Folded", "message/external-body; access-type=URL;\n\tURL=\"http://a.example/1/\n\t2/ 3\t/\n\t4\"", "url", "http://a.example/1/2/3/4", ""},
		{"Comments", "message / (x) external-body; (a) access-type (b) = (c) URL (d); URL=\"http://a.example/b\" (e)", "url", "http://a.example/b", ""},
		{"Unquoted", "message/external-body; access-type=URL; URL=http://h.example/x;type=i; size=3", "url", "http://h.example/x;type=i", "unquoted-value url"},
		{"Continued", `message/external-body; access-type=URL; URL*1="b/c"; URL*0="http://a.example/"`, "url", "http://a.example/b/c", ""},
		{"Extended", `message/external-body; access-type=URL; URL*=us-ascii''http://a.example/%2520`, "url", "http://a.example/%20", "unquoted-value url"},
		{"Wrapper", `message/external-body; access-type=URL; URL="<URL:http://a.example/b>"`, "url", "http://a.example/b", ""},
		{"EightBit", `message/external-body; access-type=URL; URL="http://a.example/é"`, "url", "http://a.example/%C3%A9", "eight-bit url"},
		{"TrailingBlankInType", "message/external-body \t; access-type=\"X-HTTP \t\"", "x-http", "", ""},
		{"NoAccessType", `message/external-body; name="x.url"`, "", "", "no-access-type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, c.contentType, "Content-ID: <a@b>\n\n")
			if ref.AccessType != c.access {
				t.Errorf("got access type %q, want %q", ref.AccessType, c.access)
			}
			if c.url != "" {
				if u, err := ref.Locate(); err != nil || u.String() != c.url {
					t.Errorf("got location %v, %v, want %s, nil", u, err, c.url)
				}
			}
			if got := diags(ref); got != c.diags {
				t.Errorf("diags %q, want %q", got, c.diags)
			}
		})
	}
}

// TestPhantom is EB-13 to EB-22.
func TestPhantom(t *testing.T) {
	for _, c := range []struct {
		name, phantom    string
		mediaType, id    string
		body             string
		diags            string
		contentTransferE string
	}{
		{"Plain", "Content-Type: image/gif\nContent-ID: <a@b>\n\nTHIS IS NOT REALLY THE BODY!\n", "image/gif", "<a@b>", "THIS IS NOT REALLY THE BODY!\n", "", ""},
		{"EndsWithEntity", "Content-ID: <a@b>\nContent-Type: IMAGE/gif", "image/gif", "<a@b>", "", "", ""},
		{"Empty", "", "text/plain", "", "", "no-phantom-header, no-content-id", ""},
		{"StartsWithEmptyLine", "\nContent-Type: image/gif\n", "text/plain", "", "Content-Type: image/gif\n", "no-phantom-header, no-content-id", ""},
		{"NoBlankLine", "Content-Type: image/gif\nContent-ID: <a@b>\nand then text\n", "image/gif", "<a@b>", "and then text\n", "missing-blank", ""},
		{"BadType", "Content-Type: nonsense\nContent-ID: <a@b>\n", "text/plain", "<a@b>", "", "bad-media-type content-type", ""},
		{"ContentIDWithoutBrackets", "Content-ID: a@b \n", "text/plain", "<a@b>", "", "", ""},
		{"ContentIDWithComment", "Content-ID: (x) <a@b> (y)\n", "text/plain", "<a@b>", "", "", ""},
		{"Folded", "Content-Type: image/gif;\n name=x\nContent-ID:\n <a@b>\n", "image/gif", "<a@b>", "", "", ""},
		{"Repeated", "Content-Type: image/gif\nContent-Type: image/png\nContent-ID: <a@b>\n", "image/gif", "<a@b>", "", "repeated-field content-type", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, "message/external-body; access-type=URL; URL=\"http://a.example/b\"", c.phantom)
			if ref.MediaType != c.mediaType || ref.ContentID != c.id || string(ref.PhantomBody()) != c.body || diags(ref) != c.diags {
				t.Errorf("got %q, %q, %q, %q, want %q, %q, %q, %q", ref.MediaType, ref.ContentID, ref.PhantomBody(), diags(ref), c.mediaType, c.id, c.body, c.diags)
			}
		})
	}

	// EB-16: RFC 1873 puts the Content-ID into the outer header.
	ref := open(t, "Content-Type: message/external-body; access-type=x\nContent-ID: <outer@h>\n\nContent-Type: text/html\n\n", nil)[0]
	if ref.ContentID != "<outer@h>" || diags(ref) != "no-content-id, outer-content-id" {
		t.Errorf("got %q, %q, want %q, %q", ref.ContentID, diags(ref), "<outer@h>", "no-content-id, outer-content-id")
	}
	// EB-22: an outer base64 is undone.
	ref = open(t, "Content-Type: message/external-body; access-type=x\nContent-Transfer-Encoding: base64\n\nQ29udGVudC1UeXBlOiBpbWFnZS9naWYKQ29udGVudC1JRDogPGFAYj4KCmJvZHk=\n", nil)[0]
	if ref.MediaType != "image/gif" || string(ref.PhantomBody()) != "body" || diags(ref) != "outer-encoding" {
		t.Errorf("got %q, %q, %q, want %q, %q, %q", ref.MediaType, ref.PhantomBody(), diags(ref), "image/gif", "body", "outer-encoding")
	}
}

// TestCommonParams is EB-23 to EB-30.
func TestCommonParams(t *testing.T) {
	zone := func(h int) *time.Location { return time.FixedZone("", h*3600) }
	for _, c := range []struct {
		name, params string
		expiration   time.Time
		size         int64
		permission   string
		diags        string
	}{
		{"None", ``, time.Time{}, -1, "read", ""},
		{"RFC2046", `; expiration="Fri, 14 Jun 1991 19:13:14 -0400 (EDT)"; size=10; permission=read-write`, time.Date(1991, 6, 14, 19, 13, 14, 0, zone(-4)), 10, "read-write", ""},
		{"SizeQuoted", `; size="14771098"`, time.Time{}, 14771098, "read", ""},
		{"SizeEmpty", `; size=`, time.Time{}, -1, "read", "empty-value size, bad-size size"},
		{"SizeSigned", `; size=+5`, time.Time{}, -1, "read", "bad-size size"},
		{"SizeOverflows", `; size=9223372036854775808`, time.Time{}, -1, "read", "bad-size size"},
		{"SizeLargest", `; size=9223372036854775807`, time.Time{}, 9223372036854775807, "read", ""},
		{"BadExpiration", `; expiration="never"`, time.Time{}, -1, "read", "bad-expiration expiration"},
		{"PermissionCase", `; permission=READ`, time.Time{}, -1, "read", ""},
		{"PermissionUnknown", `; permission=execute`, time.Time{}, -1, "execute", "bad-permission permission"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, "message/external-body; access-type=x"+c.params, "Content-ID: <a@b>\n\n")
			if !ref.Expiration.Equal(c.expiration) || ref.Size != c.size || ref.Permission != c.permission || diags(ref) != c.diags {
				t.Errorf("got %v, %d, %q, %q, want %v, %d, %q, %q", ref.Expiration, ref.Size, ref.Permission, diags(ref), c.expiration, c.size, c.permission, c.diags)
			}
		})
	}
}

// TestRequestRefusals is EB-3, EB-8, UA-1, UA-9, UA-13 to UA-15, HT-12, SE-7, and the
// refusals of AT-1 to AT-19. Browsers end the host of a URL at a backslash, and other
// parsers do not.
func TestRequestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, params string
		kind         fetch.Kind
		text         string
	}{
		{"NoAccessType", `url="http://a.example/"`, fetch.Malformed, "access-type"},
		{"NoURL", `access-type=url`, fetch.Malformed, "parameter url: missing"},
		{"EmptyURL", `access-type=url; url=" "`, fetch.Malformed, "parameter url"},
		{"Relative", `access-type=url; url="/etc/passwd"`, fetch.Malformed, "relative"},
		{"Option", `access-type=url; url="-o/x"`, fetch.Malformed, "relative"},
		{"Mailto", `access-type=url; url="mailto:a@b.example"`, fetch.Unsupported, "mailto"},
		{"JavaScript", `access-type=url; url="JavaScript:alert(1)"`, fetch.Unsupported, "javascript"},
		{"Telnet", `access-type=url; url="telnet://h.example/"`, fetch.Unsupported, "telnet"},
		{"ImapMailbox", `access-type=url; url="imap://h.example/INBOX"`, fetch.Unsupported, "UID"},
		{"NewsGroup", `access-type=url; url="news:comp.mail.mime"`, fetch.Unsupported, "newsgroup"},
		{"CredentialsInHTTP", `access-type=url; url="http://u:pw@a.example/"`, fetch.Blocked, "credentials"},
		{"DifferentURLs", `access-type=url; url="http://a.example/"; url="http://b.example/"`, fetch.Malformed, "parameter url"},
		{"DifferentAccessTypes", `access-type=url; access-type=anon-ftp; url="http://a.example/"`, fetch.Malformed, "parameter access-type"},
		{"NoHost", `access-type=url; url="http:///x"`, fetch.Malformed, "host"},
		{"NoSlashes", `access-type=url; url="http:a.example"`, fetch.Malformed, "host"},
		{"EncodedDotInHost", `access-type=url; url="http://127%2e0%2e0%2e1/"`, fetch.Malformed, "URL"},
		{"ShortAddress", `access-type=url; url="http://127.1/"`, fetch.Malformed, "host"},
		{"BackslashBeforeAt", `access-type=url; url="http://127.0.0.1\\@public.example/"`, fetch.Malformed, "backslash"},
		{"BadPort", `access-type=url; url="http://a.example:65616/"`, fetch.Malformed, ""},
		{"TooLong", `access-type=url; url="http://a.example/` + strings.Repeat("x", 70000) + `"`, fetch.Malformed, "octets"},
		{"Control", "access-type=url; url=\"http://a.example/\x01\"", fetch.Malformed, "control"},
		{"Unknown", `access-type=x-unheard-of`, fetch.Unsupported, "x-unheard-of"},
		{"NoSite", `access-type=anon-ftp; name=x`, fetch.Malformed, "parameter site"},
		{"NoName", `access-type=ftp; site=h.example`, fetch.Malformed, "parameter name"},
		{"Template", `access-type=anon-ftp; site="$SITE"; directory="$DIRECTORY"; name=x`, fetch.Malformed, "parameter site: an unexpanded template"},
		{"Address", `access-type=anon-ftp; site="192.0.2.1"; name=x`, fetch.Blocked, "parameter site: the address 192.0.2.1"},
		{"AddressOfTFTP", `access-type=tftp; site="[::1]"; name=x`, fetch.Blocked, "parameter site: the address ::1"},
		{"OneLabel", `access-type=anon-ftp; site=intranet; name=x`, fetch.Blocked, "parameter site: intranet is"},
		{"CRLFInName", "access-type=anon-ftp; site=h.example; name*=us-ascii''x%0D%0ADELE%20y", fetch.Malformed, "parameter name"},
		{"NULInDirectory", "access-type=anon-ftp; site=h.example; directory*=us-ascii''x%00; name=y", fetch.Malformed, "parameter directory"},
		{"ModeOfTFTP", `access-type=anon-ftp; site=h.example; name=x; mode=netascii`, fetch.Malformed, "parameter mode"},
		{"ModeOfFTP", `access-type=tftp; site=h.example; name=x; mode=ebcdic`, fetch.Malformed, "parameter mode"},
		{"ModeMail", `access-type=tftp; site=h.example; name=x; mode=mail`, fetch.Unsupported, "parameter mode"},
		{"ModeLocalZero", `access-type=anon-ftp; site=h.example; name=x; mode=local0`, fetch.Malformed, "parameter mode"},
		{"RelativeFile", `access-type=local-file; name="x"`, fetch.Unsupported, "parameter name"},
		{"BadPattern", `access-type=local-file; name="/x"; site="a b"`, fetch.Malformed, "parameter site"},
		{"AFSElsewhere", `access-type=afs; name="/etc/passwd"`, fetch.Malformed, "parameter name"},
		{"NoServer", `access-type=mail-server`, fetch.Malformed, "parameter server"},
		{"TwoServers", `access-type=mail-server; server="a@b.example, c@d.example"`, fetch.Malformed, "parameter server"},
		{"SubjectWithLineEnd", "access-type=mail-server; server=\"a@b.example\"; subject*=us-ascii''x%0D%0ABcc:y", fetch.Malformed, "parameter subject"},
		{"DifferentSites", `access-type=anon-ftp; site=h.example; site=g.example; name=x`, fetch.Malformed, "parameter site"},
		{"XHTTPNoHost", `access-type=x-http; path=x`, fetch.Malformed, "parameter host"},
		{"XHTTPHostIsMore", `access-type=x-http; host="a.example/b?c="; path=x`, fetch.Malformed, "parameter host"},
		{"XHTTPUserInHost", `access-type=x-http; host="a@b.example"; path=x`, fetch.Malformed, "parameter host"},
		{"XHTTPPort", `access-type=x-http; host=a.example; port="80/x"`, fetch.Malformed, "parameter port"},
		{"XHTTPTwice", `access-type=x-http; host=a.example; host=b.example`, fetch.Malformed, "parameter host"},
		{"BackslashFTP", `access-type=url; url="ftp://example.com\\@evil.example/x"`, fetch.Malformed, "backslash"},
		{"BackslashHTTPS", `access-type=url; url="https://example.com\\@evil.example/x"`, fetch.Malformed, "backslash"},
		{"BackslashIMAP", `access-type=url; url="imap://example.com\\@evil.example/x;uid=1"`, fetch.Malformed, "backslash"},
		{"BackslashTFTP", `access-type=url; url="tftp:\\\\example.com\\x"`, fetch.Malformed, "backslash"},
		{"BackslashHTTP", `access-type=url; url="http://example.com\\x"`, fetch.Malformed, "backslash"},
		{"BackslashAfterSpace", `access-type=url; url="ftp://exam ple.com \\@evil.example/x"`, fetch.Malformed, "backslash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, "message/external-body; "+c.params, "Content-ID: <a@b>\n\n")
			_, err := ref.Request()
			if fetch.KindOf(err) != c.kind || !errors.Is(err, c.kind) || !strings.Contains(fmt.Sprint(err), c.text) {
				t.Errorf("got %v, want %v %q", err, c.kind, c.text)
			}
			if err != nil && strings.Contains(err.Error(), "pw") {
				t.Errorf("got error %v, want it without the password", err)
			}
		})
	}
}

// TestRequestURL holds the URL that is asked for to the one that was written.
func TestRequestURL(t *testing.T) {
	for _, c := range []struct{ name, url, want, diags string }{
		{"Plain", "http://a.example/b?c=d", "http://a.example/b?c=d", ""},
		{"HostCase", "HTTP://A.Example/B", "http://a.example/B", ""},
		{"RootDot", "http://a.example./B", "http://a.example/B", ""},
		{"Port", "http://a.example:0080/", "http://a.example:80/", ""},
		{"EmptyPort", "http://a.example:/", "http://a.example/", ""},
		{"IPv6", "http://[2606:2800:220:1:0::1]:8080/", "http://[2606:2800:220:1::1]:8080/", ""},
		{"Mapped", "http://[::ffff:93.184.216.34]/", "http://93.184.216.34/", ""},
		{"IDN", "http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/", ""},
		{"EncodedSlash", "http://a.example/b%2Fc", "http://a.example/b%2Fc", ""},
		{"EncodedSlashAndPipe", "http://a.example/b%2Fc|d", "http://a.example/b%2Fc%7Cd", ""},
		{"StrayPercent", "http://a.example/100%", "http://a.example/100%25", ""},
		{"StrayPercentInQuery", "http://a.example/?q=100%zz", "http://a.example/?q=100%25zz", ""},
		{"CRLFStaysEncoded", "http://a.example/%0d%0aX-Injected:%201", "http://a.example/%0d%0aX-Injected:%201", ""},
		{"DotSegments", "ftp://a.example/../x", "ftp://a.example/../x", ""},
		{"DoubleSlash", "ftp://a.example//etc/motd", "ftp://a.example//etc/motd", ""},
		{"EncodedRoot", "ftp://a.example/%2Fetc/motd;type=a", "ftp://a.example/%2Fetc/motd;type=a", ""},
		{"Fragment", "http://a.example/b#sec%tion?x", "http://a.example/b", ""},
		{"FragmentHidesHost", "http://127.0.0.1#@public.example/", "http://127.0.0.1", ""},
		{"OtherScheme", "hdl:cnri.dlib/july95", "hdl:cnri.dlib/july95", ""},
		{"File", "file:///etc/passwd", "file:///etc/passwd", ""},
		{"EncodedBackslash", "ftp://example.com%5C@evil.example/x", "ftp://example.com%5C@evil.example/x", ""},
		{"BackslashInPath", `ftp://example.com/a\\b@c`, "ftp://example.com/a%5Cb@c", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, `message/external-body; access-type=URL; URL="`+c.url+`"`, "Content-ID: <a@b>\n\n")
			req, err := ref.Request()
			must(t, err)
			if got := req.URL.String(); got != c.want {
				t.Errorf("asks for %s, want %s", got, c.want)
			}
			if req.URL.Fragment != "" {
				t.Errorf("got fragment %q, want %q", req.URL.Fragment, "")
			}
		})
	}
	u, err := one(t, `message/external-body; access-type=URL; URL="http://a.example/b#sec%tion"`, "").Locate()
	if err != nil || u.EscapedFragment() != "sec%25tion" && u.EscapedFragment() != "sec%tion" {
		t.Errorf("got %v, %v, want the fragment kept, nil", u, err)
	}
}

// TestDataURL: the text reaches the decoder as it is, and is not copied.
func TestDataURL(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"data:,a%zz%", "data:,a%zz%"},
		{"data:,a#b", "data:,a"},
		{"DATA:;base64,YQ", "DATA:;base64,YQ"},
		{"data:,a%20b c", "data:,a%20bc"},
	} {
		req, err := one(t, `message/external-body; access-type=URL; URL="`+c.url+`"`, "").Request()
		if err != nil || req.Text != c.want || req.URL.Scheme != "data" {
			t.Errorf("%s: got %+v, %v, want text %q, scheme data, nil", c.url, req, err, c.want)
		}
	}

	header := `Content-Type: message/external-body; access-type=URL; URL="data:,` + strings.Repeat("x", 64<<20) + "\"\r\n"
	ref, err := externalbody.ReadRaw([]byte(header), nil)
	must(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	req, err := ref.Request()
	runtime.ReadMemStats(&after)
	must(t, err)
	if allocated := after.TotalAlloc - before.TotalAlloc; len(req.Text) != 64<<20+6 || allocated > 1<<20 {
		t.Errorf("got a text of %d octets by allocating %d, want %d by at most %d", len(req.Text), allocated, 64<<20+6, 1<<20)
	}
	if _, err := ref.Locate(); err != nil {
		t.Error(err)
	}
}

const tree = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=a
Content-Location: http://base.example/dir/

preamble
--a
Content-Type: text/plain

nothing here: Content-Type: message/external-body
--a
Content-Type: message/external-body; access-type=url; url="http://h.example/1"

Content-ID: <1@h>

--a
Content-Type: message/rfc822

Content-Type: multipart/alternative; boundary=aa

--aa
Content-Type: message/external-body; access-type=url; url="http://h.example/2"

Content-ID: <2@h>
--aa
Content-Type: message/external-body; access-type=url; url="ftp://h.example/2"

Content-ID: <2@h>
--a
Content-Type: multipart/digest; boundary=ab

--ab

Content-Type: message/external-body; access-type=url; url="http://h.example/3"

Content-ID: <3@h>

--ab--
--a
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

Q29udGVudC1UeXBlOiBtZXNzYWdlL2V4dGVybmFsLWJvZHk7IGFjY2Vzcy10eXBlPXVybDsgdXJs
PSI0LnBuZyIKCkNvbnRlbnQtSUQ6IDw0QGg+Cgo=
--a
Content-Type: message/external-body; access-type=url; url="5.png"

Content-ID: <5@h>
--a--
`

func TestTree(t *testing.T) {
	var got []string
	for _, ref := range open(t, tree, nil) {
		got = append(got, ref.ID+" "+ref.ContentID)
	}
	want := "[2 <1@h> 3.1 <2@h> 3.2 <2@h> 4.1.1 <3@h> 5.1 <4@h> 6 <5@h>]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	m := openMessage(t, tree, nil)
	var groups []int
	for alts := range m.Alternatives() {
		groups = append(groups, len(alts))
	}
	if fmt.Sprint(groups) != "[1 2 1 1 1]" {
		t.Errorf("got alternatives %v, want %v", groups, "[1 2 1 1 1]")
	}
	if err := m.Incomplete(); err != nil {
		t.Error(err)
	}
}

// TestBase: a relative URL is relative to the parts around its part (RFC 2557 section 5),
// also if that is not in the decoded octets, and to nothing around its message.
func TestBase(t *testing.T) {
	const part = "Content-Type: message/external-body; access-type=URL; URL=\"c.png\"\n\nContent-Type: image/png\n\n"
	container := func(location string) string {
		return "Content-Type: multipart/mixed; boundary=i\nContent-Transfer-Encoding: base64\n" + location + "\n" +
			base64.StdEncoding.EncodeToString([]byte("--i\n"+part+"--i--\n"))
	}
	const outer, inner = "Content-Location: http://a.example/m/\n", "Content-Location: http://a.example/n/\n"
	for _, c := range []struct{ name, outer, part, want string }{
		{"Part", outer, part, "http://a.example/m/c.png"},
		{"None", "", container(""), ""},
		{"Around", outer, container(""), "http://a.example/m/c.png"},
		{"Container", outer, container(inner), "http://a.example/n/c.png"},
		{"Far", "X: " + strings.Repeat("x", 900) + "\n" + outer, container(""), "http://a.example/m/c.png"},
		{"RFC822", outer, "Content-Type: message/rfc822\n\n" + part, ""},
		{"Global", outer, "Content-Type: message/global\n\n" + part, ""},
		{"News", outer, "Content-Type: message/news\n\n" + part, ""},
	} {
		refs := openText(t, "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n"+c.outer+"\n--o\n"+c.part+"\n--o--\n", nil)
		if len(refs) != 1 {
			t.Fatalf("%s: got %d references, want 1", c.name, len(refs))
		}
		r := &externalbody.Resolver{BaseURL: true, Fetcher: &web{}}
		if p := r.Plan(refs[0]); p.URL != c.want || (p.Kind == fetch.Malformed) != (c.want == "") {
			t.Errorf("%s: got %q, %v, want %q", c.name, p.URL, p.Kind, c.want)
		}
		if _, err := refs[0].Request(); fetch.KindOf(err) != fetch.Malformed {
			t.Errorf("%s, a relative URL without leave: got %v, want %v", c.name, err, fetch.Malformed)
		}
	}
}

func TestStrict(t *testing.T) {
	const good = "Content-Type: message/external-body; access-type=url; url=\"http://h.example/\"\n\nContent-ID: <a@b>\n\n"
	for text, want := range map[string]fetch.Kind{good: 0, strings.Replace(good, "<a@b>", "", 1): fetch.Malformed} {
		ref := open(t, text, &externalbody.OpenOptions{Strict: true})[0]
		if _, err := ref.Request(); fetch.KindOf(err) != want {
			t.Errorf("Open: %v, want %v", err, want)
		}
		ref = open(t, text, nil)[0]
		if p := (&externalbody.Resolver{Strict: true, Fetcher: &web{}}).Plan(ref); p.Kind != want {
			t.Errorf("Resolver: %v, want %v", p.Kind, want)
		}
	}
}

func TestLimits(t *testing.T) {
	m := openMessage(t, mixed(slices.Repeat([]string{external("x", "")}, 20)...), &externalbody.OpenOptions{MaxParts: 11})
	if n := len(slices.Collect(m.References())); n != 10 || m.Incomplete() == nil {
		t.Errorf("got %d references, incomplete %v, want 10, an error", n, m.Incomplete())
	}
	if m := openMessage(t, tree, &externalbody.OpenOptions{MaxDecodedBytes: 10}); m.Incomplete() == nil {
		t.Error("got all of it decoded, want a limit reached")
	}
}

func TestReadErrors(t *testing.T) {
	r := &brokenReader{strings.NewReader(tree), 200}
	if _, err := externalbody.Open(r, int64(len(tree)), nil); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
	if _, err := externalbody.Open(strings.NewReader(tree), int64(len(tree))+1, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

// TestReadersAgree: go-message, raw octets and Open give the same Reference.
func TestReadersAgree(t *testing.T) {
	for _, text := range []string{
		"Content-Type: message/external-body; access-type=URL; URL=http://h.example/x;type=i; size=3\r\nContent-ID: <o@h>\r\n\r\nContent-Type: image/png\r\nContent-ID: <a@b>\r\n\r\nbody\r\n",
		"Content-Type: message/external-body; access-type=mail-server\r\n server=\"x@y\"\r\n\r\nContent-Type: text/plain\r\n\r\nget it\r\n",
		"Content-Type: message/external-body; access-type=x\r\nContent-Transfer-Encoding: base64\r\n\r\nQ29udGVudC1UeXBlOiBpbWFnZS9naWYNCg0KYm9keQ==\r\n",
	} {
		header, body, _ := strings.Cut(text, "\r\n\r\n")
		raw, err := externalbody.ReadRaw([]byte(header+"\r\n"), []byte(body))
		must(t, err)
		e, _ := message.Read(strings.NewReader(text))
		read, err := externalbody.Read(e)
		must(t, err)
		opened := openText(t, text, nil)[0]
		show := func(r *externalbody.Reference) string {
			return fmt.Sprint(r.AccessType, r.Params, r.Header, r.MediaType, r.ContentID, r.Name, r.Size, string(r.PhantomBody()))
		}
		if show(raw) != show(opened) || show(read) != show(opened) {
			t.Errorf("got ReadRaw %s\n    Read    %s\nwant Open   %s", show(raw), show(read), show(opened))
		}
	}
	if _, err := externalbody.ReadRaw([]byte("Content-Type: text/plain\r\n"), nil); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("got %v, want %v", err, fetch.Malformed)
	}
	e, _ := message.Read(iotest.OneByteReader(strings.NewReader("Content-Type: text/plain\r\n\r\n")))
	if _, err := externalbody.Read(e); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("got %v, want %v", err, fetch.Malformed)
	}
}

// TestNames is RW-24.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, params, phantom, want string }{
		{"Disposition", `name=p.txt; url="http://h.example/u.txt"`, "Content-Type: image/png; name=t.png\nContent-Disposition: attachment; filename=\"d.png\"\n", "d.png"},
		{"DispositionEncodedWord", ``, "Content-Disposition: attachment; filename=\"=?utf-8?Q?caf=C3=A9.txt?=\"\n", "café.txt"},
		{"DispositionEncodedWordsGB2312", ``, "Content-Disposition: attachment; filename=\"=?gb2312?B?saiw5g==?=.pdf\"\n", "报版.pdf"},
		{"DispositionWordsCutInACharacter", ``, "Content-Disposition: attachment;\n filename=\"=?utf-8?B?5oql5Q==?=\n =?utf-8?B?kYoucGRm?=\"\n", "报告.pdf"},
		{"DispositionExtendedKOI8", ``, "Content-Disposition: attachment; filename*=koi8-r''%F0%D2%C9%CB%C1%DA.txt\n", "Приказ.txt"},
		{"TypeISO2022JP", ``, "Content-Type: image/png; name=\"=?ISO-2022-JP?B?GyRCSnM5cBsoQi5wbmc=?=\"\n", "報告.png"},
		{"ParamEncodedWord", `name="=?windows-1251?Q?=CF=F0=E8=EA=E0=E7.txt?="`, "", "Приказ.txt"},
		{"DispositionExtended", ``, "Content-Disposition: attachment; filename*=utf-8''caf%C3%A9.txt\n", "café.txt"},
		{"Type", `name=p.txt`, "Content-Type: image/png; name=t.png\n", "t.png"},
		{"Param", `name="/u/nsb/p.txt"; url="http://h.example/u.txt"`, "", "p.txt"},
		{"Windows", `name="C:\dir\f.txt"`, "", "f.txt"},
		{"URL", `url="http://h.example/a/b%20c.png?x=/y#z"`, "", "b c.png"},
		{"FTP", `url="ftp://h.example/a/b.bin;type=i"`, "", "b.bin"},
		{"Data", `url="data:image/png,x/y"`, "", ""},
		{"Folder", `url="http://h.example/a/"`, "", ""},
		{"DotDot", `name=".."`, "", ""},
		{"ShareLink", `url="https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf?dl=0"`, "", "report.pdf"},
		{"ShareLinkOfToken", `url="https://we.tl/t-` + secretToken + `"`, "", ""},
		{"URLAUTH", `url="imap://h.example/INBOX/;UID=20;URLAUTH=anonymous:internal:abcdef"`, "", ""},
		{"ShareLinkWithin", `url="https://w.example/https://we.tl/t-` + secretToken + `"`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ct := "message/external-body; access-type=url"
			if c.params != "" {
				ct += "; " + c.params
			}
			if got := one(t, ct, c.phantom).Name; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
