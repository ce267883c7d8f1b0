package dialect_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// nearPieces are pieces of HTML from which random texts are made: forms that are read, what
// may be around them, and what makes it difficult to find them without reading all of the
// text.
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

// TestNearIsWhole makes random texts. It checks that reading only what is near the marks
// finds the same references at the same places as reading everything.
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
				n -= 6 // what hides the others
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
