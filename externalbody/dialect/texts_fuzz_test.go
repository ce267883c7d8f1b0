package dialect_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// everything returns all Dialects with other hints, one of which is in every text with a
// link. They are given the whole text.
func everything() []externalbody.Dialect {
	dialects := dialect.All()
	for i := range dialects {
		if dialects[i].Text != nil {
			dialects[i].Hints, dialects[i].Near = []string{"<", "/"}, nil
		}
	}
	return dialects
}

// FuzzTexts reads any text as HTML or as text/plain. It checks that
//
//   - Hints miss nothing,
//   - the references are the same each time, and in each transfer encoding,
//   - places lie within the text and begin with a tag, a bracket, a scheme or a host. A
//     URL in HTML has the place of its text instead if that has character references, CR
//     or octets that are not UTF-8.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{
		thunderbirdItem, owaBlock, "<" + owaURL + ">", "a.pdf<" + owaURL + ">\n" + owaURL,
		`<div class=gmail_drive_chip><a href="https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view" aria-label=a.pdf><img src=https://drive-thirdparty.googleusercontent.com/16/type/image/png></a></div>`,
		`<div class="x-apple-maildrop" data-url="https://cvws.icloud-content.com/B/AbC/x" data-size=5 data-filename=x data-expiration=1763787120></div>`,
		`<a href=https://mail.163.com/x filename=a filesize=1 expiretime=2>a</a>`,
		`<a href="https&#58;//www.drop&#98;ox.com/s/AbCdEfGhIjKl/x?dl=0">x.pdf</a>`, `<a href="https://www.drop` + "\n" + `box.com/s/AbCdEfGhIjKl/x">`,
		`<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwe.tl%2Ft-AbCdEfGhIj&data=x">`,
		`<a href="https://urldefense.proofpoint.com/v2/url?u=https-3A__we.tl_t-2DAbCdEfGhIj&d=x">`,
		`<a href="https://urldefense.com/v3/__https://we.tl/t-AbCdEfGhIj__;!!x$">`,
		`<a href="https://eu-west-1.protection.sophos.com/?d=we.tl&u=aHR0cHM6Ly93ZS50bC90LUFiQ2RFZkdoSWo=&i=x">`,
		`<a href="https://www.google.com/url?q=https%3A%2F%2Fmega.nz%2Ffile%2FAbCdEfGh%23key">`,
		"\xff\xfeh\x00t\x00t\x00p\x00s\x00:\x00/\x00/\x00w\x00e\x00.\x00t\x00l\x00/\x00t\x00-\x00A\x00b\x00C\x00d\x00E\x00f\x00", "<pre>&lt;https://we.tl/t-AbCd1a2B3c\nEf1&gt;</pre>",
		"https://www.dropbox.com/s/AbCdEfGhIjKl/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/\nx.pdf?dl=0\n", "* x (1 \xd0\x9c\xd0\x91) F: https://f.example/1\n",
		"> <https://we.\n> tl/t-AbCdEfGhIj>", "<URL:https://mega.nz/file/AbCdEfGh#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG>",
		`<script type="application/ld+json">{"@type":"EmailMessage","potentialAction":{"@type":"ViewAction","url":"https:\/\/we.tl\/t-AbCdEfGhIj"}}</script>`,
		`<div class="cloudAttachmentItem"><a href=https://a.example/1>a.pdf</a><a href=https://b.example/>b</a><a href=https://a.example/1>https://a.example/1</a></div>`,
		`<div class="icewarp_smartattach"><a href=https://a.example/1>a.pdf</a></div>`,
		"we.tl/t-AbCdEfGhIj, (www.dropbox.com/s/AbCdEfGhIjKl/x.pdf) https://a.example/we.tl/t-AbCdEfGhIj <https://a.example/\nwe.tl/t-AbCdEfGhIj>",
		"<base href=https://www.dropbox.com/s/AbCdEfGhIjKl/><a href=x.pdf>x</a><a href=//we.tl/t-AbCdEfGhIj>y</a><meta http-equiv=refresh content='0;url=https://we.tl/t-AbCdEfGhIk'>",
		"<!--[if mso]><v:rect href=https://we.tl/t-AbCdEfGhIj></v:rect><![endif]-->https://we.tl/t-a,https://we.tl/t-b",
		"\xa2http://1drv.ms/a/s!01a2B3c4D5", "0http://we.\ntl/t-0-",
		"A...\nName: a\nType: a/b\nSize: 5 bytes\nDesc: x\nURL: <" + scrubbedURL + ">\n", "I've linked:\n\n* a (1 KB) on\nF: https://f.example/1\n",
		`<v style=""><v style=;><l style=""><a href="https:nc.example/s/Tok3n/download?a=1&amp;b=2">f</a><n>2MB<n><a href="https:nc.example/s/Tok3n/download?a=1&amp;b=2">https:nc.example/s/Tok3n/download?a=1&ampb=2<a>>`,
		`<blockquote><li class="x_cloudAttachmentItem" data-content-location=https://a.example/><table><div id=x_OwaReferenceAttachmentFileName><a href=https://a.example/>`,
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, body string, plain bool) {
		c := textCase{html: body}
		if plain {
			c = textCase{plain: body}
		}
		text := c.message("8bit")
		list := func(dialects []externalbody.Dialect) string {
			var b strings.Builder
			for _, r := range openWith(t, text, dialects) {
				b.WriteString(describe(r) + "\n")
			}
			return b.String()
		}
		got := list(dialect.All())
		if again := list(dialect.All()); again != got {
			t.Errorf("%q: got on a second read\n%swant\n%s", body, again, got)
		}
		for _, encoding := range []string{"base64", "quoted-printable"} {
			var b strings.Builder
			for _, r := range openWith(t, c.message(encoding), dialect.All()) {
				b.WriteString(describe(r) + "\n")
			}
			if b.String() != got {
				t.Errorf("%q: got in %s\n%swant\n%s", body, encoding, b.String(), got)
			}
		}
		if all := list(everything()); all != got && !manyBreaks(body) {
			t.Errorf("%q: got\n%swant as without hints\n%s", body, got, all)
		}
		for _, r := range openWith(t, text, dialect.All()) {
			for _, o := range r.Origins {
				if o.Field != "" {
					continue
				}
				begins := o.Start >= 0 && o.Start < o.End && (body[o.Start] == '<' || isHostOctet(body[o.Start]))
				if o.End > int64(len(body)) || !begins && !strings.ContainsAny(body, "&\r") && utf8.ValidString(body) {
					t.Errorf("%q: got %s, want its origin at a link of the text", body, describe(r))
				}
			}
			if url, ok := r.Param("url"); r.AccessType == "url" && (!ok || !strings.HasPrefix(strings.ToLower(url), "http")) {
				t.Errorf("%q: got %s, want an http or https URL", body, describe(r))
			}
		}
	})
}

// isHostOctet reports whether a URL may start with c, with or without a scheme.
func isHostOctet(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// manyBreaks reports whether there may be so many line ends and tabs within a hint that it
// is not found.
func manyBreaks(text string) bool {
	return strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\t") > 16
}

// TestWrappedHints checks that a share link is found in each wrapper, although none of
// them shows all of it.
func TestWrappedHints(t *testing.T) {
	for i, body := range []string{
		`https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmail.163.com%2Flarge-attachment-download%2Findex.html%3Fp%3DX-NETEASE-HUGE-ATTACHMENT%26file%3DAbCd1234&data=x`,
		`https://urldefense.proofpoint.com/v2/url?u=https-3A__we.tl_t-2DAbCdEfGhIj&d=x`,
		`https://urldefense.com/v3/__https://we.tl/t-AbCdEfGhIj__;!!x$`,
		`https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fwe.tl%2ft-AbCdEfGhIj&c=E,1,x&typo=1`,
		`https://eu-west-1.protection.sophos.com/?d=we.tl&u=aHR0cHM6Ly93ZS50bC90LUFiQ2RFZkdoSWo=&i=x`,
		`https://eu-west-1.protection.sophos.com/?d=google.com&u=aHR0cHM6Ly9kcml2ZS5nb29nbGUuY29tL2ZpbGUvZC8xQWJDZEVmR2hJaktsTW5PcFFyU3RVdld4WXowMTIzNDUvdmlldw==&i=x`,
		`https://urldefense.proofpoint.com/v2/url?u=https-3A__cvws.icloud-2Dcontent.com_B_AbCdEf_x.zip-3Fo-3D1-26e-3D1763787120&d=x`,
		`https://www.google.com/url?q=https%3A%2F%2Fwe.tl%2Ft-AbCdEfGhIj`,
		`https://secure-web.cisco.com/1AbC/https%3A%2F%2Fwe.tl%2Ft-AbCdEfGhIj`,
		`https://mandrillapp.com/track/click/1/x?p=eyJwIjogIntcInVybFwiOiBcImh0dHBzOi8vd3d3LmRyb3Bib3guY29tL3NjbC9maS9BYkNkRWZHaElqS2wvUGxhbi5wZGY_cmxrZXk9azN5JmRsPTBcIn0ifQ`,
		`https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Funi.example%252Findex.php%252Fs%252FAbCdEfGhIjKlMnO&data=x`,
		`https://urldefense.com/v3/__https://www.google.com/url?q=https*3A*2F*2Funi.example*2Findex.php*2Fs*2FAbCdEfGhIjKlMnO__;JSUlJSUl!!x$`,
		`https://urldefense.proofpoint.com/v2/url?u=https-3A__eur01.safelinks.protection.outlook.com_-3Furl-3Dhttps-253A-252F-252Funi.example-252Findex.php-252Fs-252FAbCdEfGhIjKlMnO-26data-3Dx&d=x`,
		`https://urldefense.proofpoint.com/v2/url?u=https-3A__urldefense.proofpoint.com_v2_url-3Fu-3Dhttps-2D3A-5F-5Funi.example-5Findex.php-5Fs-5FAbCdEfGhIjKlMnO-26d-3Dx&d=x`,
		`https://scanmail.trustwave.com/?c=4062&d=66Pm&u=https%3a%2f%2fwe%2etl%2ft-AbCdEfGhIj`,
		`https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fwe%2Etl%2Ft-AbCdEfGhIj&urlhash=kGKH`,
		`https://abc.r.eu-west-1.awstrack.me/L0/https:%2F%2Fwe.tl%2Ft-AbCdEfGhIj/1/0100/x=1`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := textCase{html: `<a href="` + strings.ReplaceAll(body, "&", "&amp;") + `">x</a>`}
			hinted, all := openWith(t, c.message("8bit"), dialect.All()), openWith(t, c.message("8bit"), everything())
			if len(hinted) != 1 || len(all) != 1 {
				t.Errorf("got %d references with hints, %d without, want 1 each", len(hinted), len(all))
			}
		})
	}
}

// nearPieces are pieces of HTML from which random texts are made: forms that are read,
// markup that may be around them, and markup that makes it difficult to find them without
// reading all of the text.
var nearPieces = []string{
	thunderbirdItem, owaBlock,
	`<div class="gmail_chip gmail_drive_chip"><a href="https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz01234#/view" aria-label="a.pdf"><img src="https://drive-thirdparty.googleusercontent.com/16/type/application/pdf">&nbsp;<span dir="ltr">a.pdf</span></a></div>`,
	`<div class="x-apple-maildrop" data-url="https://cvws.icloud-content.com/B/AbC#/x" data-size=5 data-filename=x><a href="https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FAbC#%2Fx&f=x">x</a></div>`,
	`<a href="https://mail.163.com/x#" filename=a filesize=1 expiretime=2>a</a>`,
	`<a href="https://www.dropbox.com/s/AbCdEfGhIjKl#/x.pdf?dl=0">x.pdf</a>`, `<a href="https://www.drop` + "\n\t" + `box.com/s/AbCdEfGhIjKl#/x">`, `<a href="https://gateway.example/x">https://we.tl/t-AbCdEfGhIj#</a>`,
	`see https://we.tl/t-AbCdEfGhIj#, `, `<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwe.tl%2Ft-AbCdEfGhIj#&data=x">wrapped</a>`,
	`we.tl/t-AbCdEfGhIj# `, `<base href="https://www.dropbox.com/s/AbCdEfGhIjKl#/">`, `<a href="x.pdf">relative</a>`, `<!--[if mso]><v:rect href="https://we.tl/t-AbCdEfGhIj#"></v:rect><a><![endif]-->`, `<meta http-equiv=refresh content="0;url=https://we.tl/t-AbCdEfGhIj#">`,
	`<script type="application/ld+json">{"@type": "EmailMessage", "potentialAction": {"@type": "ViewAction", "url": "https://www.dropbox.com/s/AbCdEfGhIjKl#/x"}}</script>`,
	`<p class=icewarp_smartattach><a href="https://files.example/a#/b.pdf">b.pdf</a></p>`, "(12 KB) /attachments/ ",
	`<img src="https://www.dropbox.com/s/AbCdEfGhIjKl#/x.png">`, `<br class="gmail_drive_chip">`, `<p class="x_cloudAttachmentItem">`, `<div id="x_OwaReferenceAttachmentFileName#">`,
	`<div class="gmail_drive_chip"><div>`, `<title>www.dropbox.com</title>`, `<style>www.dropbox.com</style>`, `<!-- www.dropbox.com <a> -->`, `<script>"<a>"</script>`, `<script><!-- <script></script> --></script>`,
	`<a>`, `</a>`, `<a name="x">`, `<a href="https://other.example/#">`, `<table><tr><td>`, `<a href="https://other.example/"> <table>`, `</td></tr></table>`, `</table>`, `<div>`, `</div>`, `<p>`, `<b>`, `</b>`, `</li>`,
	`<blockquote>`, `</blockquote>`, `<div class="x_gmail_quote">`, `<div id="x_divRplyFwdMsg">`, `-----Original Message-----`, `<o:p>`, `</o:p>`, "words and more words ", " ", "&nbsp;", "&#8217;", `<td title="a>b" alt='"'>`,
	`<`, `<a`, `"`, `<!--`, `-->`, `&#46;`,
}

// TestNearIsWhole makes random texts. It checks that reading only the tokens near the
// marks finds the same references at the same places as reading everything.
func TestNearIsWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	whole := dialect.All()
	for i := range whole {
		whole[i].Near = nil
	}
	found := 0
	for range 1500 {
		var b strings.Builder
		for i := range 1 + r.IntN(25) {
			n := len(nearPieces)
			if r.IntN(4) > 0 {
				n -= 6 // pieces that hide the others
			}
			b.WriteString(strings.ReplaceAll(nearPieces[r.IntN(n)], "#", fmt.Sprint(i%4)))
		}
		c := textCase{html: b.String(), plain: "https://we.tl/t-AbCdEfGhIj1 or <https://www.dropbox.com/s/AbCdEf1a2B3c4D5\nGhIjKl1/x.pdf?dl=0>"}
		text := c.message("8bit")
		list := func(dialects []externalbody.Dialect) string {
			var b strings.Builder
			for _, r := range openWith(t, text, dialects) {
				b.WriteString(describe(r) + "\n")
				found++
			}
			return b.String()
		}
		if got, want := list(dialect.All()), list(whole); got != want {
			t.Fatalf("%q:\nnear marks\n%swant\n%s", b.String(), got, want)
		}
	}
	if found < 1500 {
		t.Errorf("found %d references in all, want thousands", found)
	}
}
