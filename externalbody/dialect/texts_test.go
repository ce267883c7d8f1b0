package dialect_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"mime/quotedprintable"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// A textCase is a message with a text in HTML, in text/plain or in both, and the references
// that are wanted from it. In want, a place is shown by its text, with "~" for the middle.
type textCase struct {
	name        string
	plain, html string
	want        []string
}

// message returns the message with its texts encoded.
func (c *textCase) message(encoding string) string {
	if c.html == "" {
		return "MIME-Version: 1.0\n" + textPart("plain", c.plain, encoding)
	}
	if c.plain == "" {
		return "MIME-Version: 1.0\n" + textPart("html", c.html, encoding)
	}
	return "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\n" +
		textPart("plain", c.plain, encoding) + "\n--b\n" + textPart("html", c.html, encoding) + "\n--b--\n"
}

func textPart(subtype, body, encoding string) string {
	var b bytes.Buffer
	switch encoding {
	case "base64":
		text := base64.StdEncoding.EncodeToString([]byte(body))
		for len(text) > 76 {
			b.WriteString(text[:76] + "\n")
			text = text[76:]
		}
		b.WriteString(text)
	case "quoted-printable":
		w := quotedprintable.NewWriter(&b)
		w.Binary = true
		w.Write([]byte(body))
		w.Close()
	default:
		b.WriteString(body)
	}
	return "Content-Type: text/" + subtype + "; charset=utf-8\nContent-Transfer-Encoding: " + encoding + "\n\n" + b.String()
}

var span = regexp.MustCompile(`at=([0-9.]+)\[([0-9]+),([0-9]+)\]`)

// show returns the line of describe, with the text at each place instead of its offsets.
func (c *textCase) show(r *externalbody.Reference) string {
	return span.ReplaceAllStringFunc(describe(r), func(s string) string {
		m := span.FindStringSubmatch(s)
		body := c.html
		if c.html == "" || c.plain != "" && m[1] == "1" {
			body = c.plain
		}
		start, _ := strconv.Atoi(m[2])
		end, _ := strconv.Atoi(m[3])
		if start > end || end > len(body) {
			return s + " is not in the part"
		}
		return fmt.Sprintf("at=%s %q", m[1], body[start:end])
	})
}

// matches reports whether got is want. A "~" in want stands for the middle of a place.
func matches(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "~", "[^|]*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

func runTexts(t *testing.T, cases []textCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, encoding := range []string{"8bit", "quoted-printable", "base64"} {
				var got []string
				for _, ref := range openWith(t, c.message(encoding), dialect.All()) {
					got = append(got, c.show(ref))
				}
				if !slices.EqualFunc(got, c.want, matches) {
					t.Errorf("%s: got\n%s\nwant\n%s", encoding, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
			}
		})
	}
}

// thunderbirdItem is the list item that Thunderbird writes since version 91, from the source
// of its composer. The ids around the item are not there: they are removed when the message
// is sent.
const thunderbirdItem = `<div style="padding: 15px; background-color: #D9EDFF;"><div style="margin-bottom: 15px;">I’ve linked 1 file to this email:</div>` +
	`<ul style="background-color: #FFFFFF; padding: 15px; list-style-type: none;">` +
	`<li style="border: 1px solid #CDCDCD; border-radius: 5px;" class="cloudAttachmentItem" data-content-location="https://nc.example/s/Tok3n/download?a=1&amp;b=2" data-service-name="Nextcloud" data-service-url="https://nc.example/">` +
	`<a href="https://nc.example/s/Tok3n/download?a=1&amp;b=2" style="color: #0F7EDB !important;" moz-do-not-send="true" class="cloudfile-name">Angebot für Müller.pdf</a>` +
	`<img class="paperClipIcon" alt="" src="data:image/png;base64,iVBORw0KGgo=" width="32" height="32"><img class="cloudfile-service-icon" alt=""><br>` +
	`<span style="font-size: small;"><span>Size: </span><span class="cloudfile-size">12.3 MB</span><br></span>` +
	`<span style="font-size: small;"><span>Link expires: </span><span class="cloudfile-expiry-date">01/31/2026</span><br></span>` +
	`<span style="display: none;">Cloud service: </span><span class="cloudfile-service-name">Nextcloud</span><br>` +
	`<span style="font-size: small;"><span>Link: </span><a href="https://nc.example/s/Tok3n/download?a=1&amp;b=2" class="cloudfile-link">https://nc.example/s/Tok3n/download?a=1&amp;b=2</a><br></span><br></li>` +
	`</ul><div>Learn more about <a href="https://nc.example/">Nextcloud</a>.</div></div>`

// withoutClasses is HTML as list servers leave it.
func withoutClasses(html string) string {
	return regexp.MustCompile(` (class|style|data-[a-z-]+|moz-do-not-send)="[^"]*"`).ReplaceAllString(html, "")
}

func TestFilelinkText(t *testing.T) {
	plainItem := withoutClasses(thunderbirdItem)
	plainFound := `filelink | url | https://nc.example/s/Tok3n/download?a=1&b=2 | name=Angebot für Müller.pdf | at=1 "<a href=\"https://nc~&amp;b=2</a>"`
	found := `filelink | url | https://nc.example/s/Tok3n/download?a=1&b=2 | name=Angebot für Müller.pdf`
	block := `at=1 "<li style=\"border: 1~<br></li>"`
	runTexts(t, []textCase{
		{"Thunderbird", "", "<p>Hi</p>" + thunderbirdItem, []string{found + " | " + block}},
		{"WithoutClasses", "", "<p>Hi <a href=\"https://a.example/\">all</a></p>" + plainItem, []string{plainFound}},
		{"WithoutClassesGerman", "", strings.NewReplacer("Size: ", "Größe: ", "12.3 MB", "12,3 MB", "Link: ", "Verknüpfung: ").Replace(plainItem), []string{plainFound}},
		{"WithoutClassesGermanReferences", "", strings.NewReplacer("Size: ", "Gr&ouml;&szlig;e: ", "12.3 MB", "12,3 MB").Replace(plainItem), []string{plainFound}},
		{"WithoutClassesGermanNumbers", "", strings.NewReplacer("Size: ", "Gr&#246;&#xdf;e: ", "12.3 MB", "12,3 MB").Replace(plainItem), []string{plainFound}},
		{"WithoutClassesOrSpans", "", strings.NewReplacer("<span>", "", "</span>", "", "<span", "<b", "</span", "</b").Replace(plainItem), []string{plainFound}},
		{"WithoutClassesBefore91", "", `<ul><li><img><a href="https://box.example/s/1">a.zip</a><span> (3 KB) </span><span><a href="https://box.example/">Box</a></span><br><a href="https://box.example/s/1">https://box.example/s/1</a></li></ul>`, nil},
		{"NoSize", "", `<ul><li><a href="https://h.example/1">a.zip</a> Size: big <a href="https://h.example/1">https://h.example/1</a></li></ul>`, nil},
		{"OtherLink", "", `<ul><li><a href="https://h.example/1">a.zip</a> Size: 3 KB <a href="https://h.example/2">https://h.example/2</a></li></ul>`, nil},
		{"NotTheURL", "", `<ul><li><a href="https://h.example/1">a.zip</a> <span>Size: 3 KB</span> <a href="https://h.example/1">here</a></li></ul>`, nil},
		// The text/plain has no marks and contains no Hint.
		{"ThunderbirdTwin", "Hi\n\n* Angebot für Müller.pdf <https://nc.example/s/Tok3n/download?a=1&b=2>\n  Link: https://nc.example/s/Tok3n/download?a=1&b=2\n  https://nc.example/\n", thunderbirdItem,
			[]string{found + ` | at=1 "<https://nc.example/~a=1&b=2>" | at=1 "https://nc.example/s~d?a=1&b=2" | ` + strings.Replace(block, "at=1", "at=2", 1)}},
		{"Reply", "", `<p>Thanks</p><div class="moz-cite-prefix">On 1/2/26 x wrote:</div><blockquote type="cite" cite="mid:x@y">` + thunderbirdItem + `</blockquote>`,
			[]string{found + " | quoted=yes | " + block}},
		// Webmail that drops data attributes and puts a prefix before classes.
		{"QuotedByOutlook", "", `<div id="x_divRplyFwdMsg">From: x</div><ul><li class="x_cloudAttachmentItem"><a class="x_cloudfile-name" href="https://nc.example/s/Tok3n">a.pdf</a> <a class="x_cloudfile-link" href="https://nc.example/s/Tok3n">https://nc.example/s/Tok3n</a></li></ul>`,
			[]string{`filelink | url | https://nc.example/s/Tok3n | name=a.pdf | quoted=yes | at=1 "<li class=\"x_cloudAt~n</a></li>"`}},
		// Thunderbird before 91, from its tests: the provider is a link too.
		{"ThunderbirdOld", "", `<div id="cloudAttachmentList"><div class="cloudAttachmentItem"><span><a class="providerLink" href="https://box.example/">Box</a></span><a class="downloadUrl" href="https://box.example/s/1">a.zip</a><span>(3 KB)</span></div></div>`,
			[]string{`filelink | url | https://box.example/s/1 | name=a.zip | at=1 "<div class=\"cloudAtt~span></div>"`}},
		// BlueMind's plugin for Roundcube, from its source.
		{"BlueMindRoundcube", "", `<div id="cloudAttachmentListRoot"><div id="cloudAttachmentListHeader"></div><div id="cloudAttachmentList"><div class="cloudAttachmentItem" style="border: 1px"><img src="x.png" alt="Attachment"><span style="float: right;"><img alt="BlueMind"><a href="http://www.blue-mind.net/">BlueMind</a></span><a href="https://bm.example/fh/1?x=1">film 1.mp4</a><span>(5.3 MB)</span></div></div></div>`,
			[]string{`filelink | url | https://bm.example/fh/1?x=1 | name=film 1.mp4 | at=1 "<div class=\"cloudAtt~span></div>"`}},
		// BlueMind's server, from its template.
		{"BlueMindServer", "", `<div id="cloudAttachmentList"><div class="cloudAttachmentItem"><a href="https://bm.example/fh/2" target="_blank">a.txt</a><span>(146 ko)</span><span></span></div></div>`,
			[]string{`filelink | url | https://bm.example/fh/2 | name=a.txt | at=1 "<div class=\"cloudAtt~span></div>"`}},
		{"NoLinkInText", "", `<p class="cloudAttachmentItem" data-content-location="https://nc.example/s/1">a.pdf Size: 1 KB</p>`,
			[]string{`filelink | url | https://nc.example/s/1 | at=1 "<p class=\"cloudAttac~: 1 KB</p>"`}},
		{"LinkGoesElsewhere", "", `<li class="cloudAttachmentItem" data-content-location="https://nc.example/s/1"><a class="cloudfile-name" href="https://evil.example/">a.pdf</a><a class="cloudfile-link" href="https://evil.example/">https://other.example/s/1</a></li>`,
			[]string{`filelink | url | https://nc.example/s/1 | name=a.pdf | at=1 "<li class=\"cloudAtta~</a></li>" | diag=conflict url | diag=link-text-mismatch href`}},
		{"UnclosedAndNested", "", `<li class=cloudAttachmentItem data-content-location=https://nc.example/1><a href=https://nc.example/1>a.pdf<li class=cloudAttachmentItem data-content-location=https://nc.example/2>b`,
			[]string{
				`filelink | url | https://nc.example/1 | name=a.pdf | at=1 "<li class=cloudAttac~1>a.pdf"`,
				`filelink | url | https://nc.example/2 | at=1 "<li class=cloudAttac~ple/2>b"`,
			}},
		{"NoReferences", "", `<li class=cloudAttachmentItem data-content-location="javascript:alert(1)"><a class=cloudfile-name href="data:text/html,x">a</a></li><li class="cloudAttachmentItem" data-content-location="/s/1"></li><li class="cloudAttachmentItems" data-content-location="https://nc.example/"></li>`, nil},
		{"SeveralLinks", "", `<div class="cloudAttachmentItem"><a href="https://a.example/1">a</a><a href="https://a.example/2">b</a></div>`, nil},
		{"OnlyStyle", "", `<style>.cloudAttachmentItem { content: "<li class=cloudAttachmentItem data-content-location=https://nc.example/1>" }</style>`, nil},
	})
}

// These are from messages of 2020 on a mailing list, shortened: one that Outlook on the web
// sent, and a reply by Gmail.
const (
	owaBlock = "<!--[if lte mso 15 || CheckWebRef]-->\n<div id=\"OwaReferenceAttachments\" contenteditable=\"false\">\n<table style=\"padding: 10px\">\n<tbody>\n<tr>\n<td>\n" +
		"<table><tbody><tr><td><div id=\"OwaReferenceAttachmentDescription\">\nA B has shared a OneDrive file with you. To view it, click the link below.\n</div></td></tr></tbody></table>\n</td>\n</tr>\n<tr valign=\"top\">\n" +
		"<td><a href=\"https://1drv.ms/u/s!AbCdEfGhIjKlMnOpQrStUvWxYz01\" target=\"_blank\">\n<table align=\"left\" style=\"height:20px\">\n<tbody>\n<tr valign=\"top\">\n<td><div><a href=\"https://1drv.ms/u/s!AbCdEfGhIjKlMnOpQrStUvWxYz01\" target=\"_blank\"><img width=\"20\" src=\"https://r1.res.office365.com/owa/prem/images/dc-generic_20.png\"></a></div>\n</td>\n<td>\n" +
		"<div id=\"OwaReferenceAttachmentFileName2\" style=\"padding: 0px\">\n<a href=\"https://1drv.ms/u/s!AbCdEfGhIjKlMnOpQrStUvWxYz01\" target=\"_blank\">fract filter.edf</a></div>\n</td>\n<td style=\"display:none\"></td>\n</tr>\n</tbody>\n</table>\n</a></td>\n</tr>\n</tbody>\n</table>\n</div>\n<div id=\"OwaReferenceAttachmentsEnd\" style=\"display:none;visibility:hidden;\"></div>\n<!--[endif]-->\n"
	owaURL = "https://1drv.ms/u/s!AbCdEfGhIjKlMnOpQrStUvWxYz01"
)

func TestOwa(t *testing.T) {
	quoted := `<div dir="ltr">Thanks</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On x wrote:<br></div><blockquote class="gmail_quote">` +
		strings.ReplaceAll(strings.ReplaceAll(owaBlock, `id="Owa`, `id="gmail-m_-2560763327289423780Owa`), "<!--[endif]-->", "") + `</blockquote></div>`
	found := "owa | url | " + owaURL + " | name=fract filter.edf | provider=onedrive"
	block := `at=1 "<a href=\"https://1drv~table>\n</a>"`
	runTexts(t, []textCase{
		{"Outlook", "", owaBlock, []string{found + " | " + block}},
		{"OutlookTwin", "A B has shared a OneDrive file with you. To view it, click the link below.\n\n[icon]\nfract filter.edf<" + owaURL + ">\n", owaBlock,
			[]string{found + ` | at=1 "<https://1drv.ms/u/s~UvWxYz01>" | ` + strings.Replace(block, "at=1", "at=2", 1)}},
		{"QuotedByGmail", "", quoted, []string{found + " | quoted=yes | " + block}},
		{"QuotedByOutlook", "", `<div id="divRplyFwdMsg" dir="ltr">From</div>` + strings.ReplaceAll(owaBlock, `id="Owa`, `id="x_Owa`),
			[]string{found + " | quoted=yes | " + block}},
		// Two files at SharePoint without a link around the tables, as in eM Client's
		// notes.
		{"TwoFiles", "", `<div id="OwaReferenceAttachments"><table><tr><td><table><tr><td><div id="OwaReferenceAttachmentFileName1"><a href="https://t-my.sharepoint.com/:i:/g/personal/u_t/EabcdefghijklmnopqrstuvwxyzABCD1a">one.jpeg</a></div></td></tr></table></td></tr><tr><td><table><tr><td><div id="OwaReferenceAttachmentFileName2"><a href="https://t-my.sharepoint.com/:w:/g/personal/u_t/EabcdefghijklmnopqrstuvwxyzABCE1a">two.docx</a></div></td></tr></table></td></tr></table></div>`,
			[]string{
				`owa | url | https://t-my.sharepoint.com/:i:/g/personal/u_t/EabcdefghijklmnopqrstuvwxyzABCD1a | name=one.jpeg | provider=sharepoint | at=1 "<table><tr><td><div ~r></table>"`,
				`owa | url | https://t-my.sharepoint.com/:w:/g/personal/u_t/EabcdefghijklmnopqrstuvwxyzABCE1a | name=two.docx | provider=sharepoint | at=1 "<table><tr><td><div ~r></table>"`,
			}},
		// Exchange's own builder writes no number (from its program).
		{"NoNumber", "", `<div id="OwaReferenceAttachmentFileName"><a href="` + owaURL + `">fract filter.edf</a></div><p>`,
			[]string{found + ` | at=1 "<div id=\"OwaReferenc~</a></div>"`}},
		// A gateway changed the link and kept the original in an attribute.
		{"SafeLinks", "", `<div id="OwaReferenceAttachmentFileName2"><a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fother.example%2F&amp;data=x" originalsrc="` + owaURL + `" shash="x">fract filter.edf</a></div><p>`,
			[]string{found + ` | at=1 "<div id=\"OwaReferenc~</a></div>"`}},
		{"NoLink", "", `<div id="OwaReferenceAttachmentFileName2"><a href="cid:x">a</a></div>`, nil},
	})
}

func TestGmailDrive(t *testing.T) {
	// From the sources of programs that write it, and a message as Gmail sent it.
	chip := `<div class="gmail_chip gmail_drive_chip" style="width:396px;height:18px;background-color:#f5f5f5" contenteditable="false"><a href="https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=drive_web" target="_blank" style="display:inline-block" aria-label="Plan &amp; Kosten.pdf"><img style="vertical-align: bottom; border: none;" src="https://drive-thirdparty.googleusercontent.com/16/type/application/pdf">&nbsp;<span dir="ltr" style="color:#15c">Plan &amp; Kosten.pdf</span></a></div>`
	url := "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=drive_web"
	found := "gmail-drive | url | " + url + " | name=Plan & Kosten.pdf | type=application/pdf | provider=google-drive"
	block := `at=1 "<div class=\"gmail_ch~</a></div>"`
	runTexts(t, []textCase{
		{"Gmail", "", `<div dir="ltr">See<div>` + chip + `</div></div>`, []string{found + " | " + block}},
		{"GmailTwin", "See\n Plan & Kosten.pdf\n<" + url + ">\n", chip,
			[]string{found + ` | at=1 "<https://drive.googl~drive_web>" | at=2 "<div class=\"gmail_ch~</a></div>"`}},
		{"GmailTwinWithoutBrackets", "See\n Plan & Kosten.pdf\n" + url + "\n", chip,
			[]string{found + ` | at=1 "https://drive.google~=drive_web" | at=2 "<div class=\"gmail_ch~</a></div>"`}},
		{"Reply", "", `<div class="gmail_quote gmail_quote_container"><blockquote>` + chip + `</blockquote></div>`, []string{found + " | quoted=yes | " + block}},
		// As Gmail shows it, with proxies before the icon and the link.
		{"Shown", "", `<div class="gmail_chip gmail_drive_chip"><a href="https://docs.google.com/a/d.example/document/d/15yetAbCdEfGhIjKlMnOpQrStUvWxYz012345/edit?usp=drive_web" data-saferedirecturl="https://www.google.com/url?q=https://docs.google.com/"><img src="https://ci3.googleusercontent.com/proxy/Z0yc=s0-d-e1-ft#https://ssl.gstatic.com/docs/doclist/images/icon_11_document_list.png">&nbsp;<span dir="ltr">By-laws</span></a></div>`,
			[]string{`gmail-drive | url | https://docs.google.com/a/d.example/document/d/15yetAbCdEfGhIjKlMnOpQrStUvWxYz012345/edit?usp=drive_web | name=By-laws | type=application/pdf | provider=google-docs | at=1 "<div class=\"gmail_ch~</a></div>"`}},
		{"IconBehindProxy", "", strings.Replace(chip, `src="https://drive`, `src="https://ci6.googleusercontent.com/proxy/Z0yc=s0-d-e1-ft#https://drive`, 1),
			[]string{found + " | " + block}},
		{"NoLink", "", `<div class="gmail_chip gmail_drive_chip"><a href="javascript:x">a</a></div>`, nil},
	})
}

func TestMaildrop(t *testing.T) {
	// No message with these elements is public. The attributes are those that the program
	// in Apple's mail reads. The link has the shape that occurs in mail.
	link := "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FAbC%2F%24%7Bf%7D%3Fo%3DAo%26v%3D1%26x%3D3%26a%3DCA%26e%3D1763787120%26r%3D0D1E2F-1%26k%3D%24%7Buk%7D%26ckc%3Dcom.apple.largeattachment&uk=Key1&f=Bridge%20Deck.pptx&sz=22100000"
	attr := strings.ReplaceAll(link, "&", "&amp;")
	found := "maildrop | url | " + link + " | name=Bridge Deck.pptx"
	runTexts(t, []textCase{
		{"Item", "", `<p>x</p><div class="x-apple-maildrop" data-url="https://cvws.icloud-content.com/B/AbC/Bridge%20Deck.pptx?o=Ao&amp;r=0D1E2F-1" data-size="22100000" data-filename="Bridge Deck.pptx" data-expiration="1763787120"><a href="` + attr + `">Download from iCloud</a></div>`,
			[]string{found + ` | size=22100000 | until=2025-11-22T04:52:00Z | provider=icloud | at=1 "<div class=\"x-apple-m~</a></div>"`}},
		// A size of 0 means that it is not known, and the size in the link counts. A
		// size written for people, such as 22.1 MB, does not count.
		{"Banner", "", `<table class="x-apple-maildropbanner" data-size="0"><tr><td><a href="` + attr + `">Click to Download</a></td></tr></table><div class="x_x-apple-maildrop" data-size="22.1 MB" data-expiration="soon"><a href="` + strings.Replace(attr, "0D1E2F", "3A4B5C", 1) + `">Click to Download</a></div>`,
			[]string{
				found + ` | size=22100000 | until=2025-11-22T04:52:00Z | provider=icloud | at=1 "<table class=\"x-appl~r></table>"`,
				strings.Replace(found, "0D1E2F", "3A4B5C", 1) + ` | size=22100000 | until=2025-11-22T04:52:00Z | provider=icloud | at=1 "<div class=\"x_x-apple~</a></div>" | diag=bad-expiration data-expiration`,
			}},
		// iCloud's webmail puts this style into ordinary mail.
		{"OnlyStyle", "", `<style>.x-apple-maildropbanner { margin-top:-13px; }</style><p><a href="https://www.example.com/">x</a>`, nil},
		{"NoLink", "", `<div class="x-apple-maildropbanner"><a href="x-apple:y">a</a></div><div class="x-apple-maildrop" data-url="cid:x"></div>`, nil},
	})
}

// TestLark has the block of Lark Mail as its program for the command line writes it, and a simpler one.
func TestLark(t *testing.T) {
	const (
		url  = "https://www.larksuite.com/mail/page/attachment?token=tok_abcDEF123456"
		link = `<a href="` + url + `" data-mail-token="tok_abcDEF123456">Download</a>`
	)
	item := func(texts string) string {
		return `<div id="large-file-area-176371926"><div>Large file from Lark Mail</div><div id="large-file-item">` + texts + link + `</div></div>`
	}
	const (
		report = `lark | url | ` + url + ` | name=report.pdf`
		placed = ` | provider=feishu | at=1 "<div id=\"large-file-item~</div>"`
		plain  = "Hello\n\nLarge file from Lark Mail\nreport.pdf\n742 B\nDownload: " + url + "\n"
		typed  = ` | provider=feishu | at=1 "` + url + `"`
	)
	runTexts(t, []textCase{
		{"Block", "", item(`<div><img src="https://icons.example/pdf.png"></div><div><div>report.pdf</div><div><span>50.0 MB</span></div></div>`), []string{report + placed}},
		{"Octets", "", item(`<div>report.pdf</div><div><span>742 B</span></div>`), []string{report + ` | size=742` + placed}},
		{"Blank", "", item("\n<div> my\n report.pdf </div>\n<div>1.5&nbsp;GB</div>\n"), []string{strings.Replace(report, "report", "my report", 1) + placed}},
		{"NoSize", "", item(`<div>report.pdf</div><div>large</div>`), []string{`lark | url | ` + url + placed}},
		{"NameAlone", "", item(`<div>report.pdf</div>`), []string{`lark | url | ` + url + placed}},
		{"Forwarded", "", `<blockquote>` + strings.ReplaceAll(item(`<div>report.pdf</div><div>742 B</div>`), `id="`, `id="x_`) + `</blockquote>`,
			[]string{report + ` | size=742 | provider=feishu | quoted=yes | at=1 "<div id=\"x_large-file-item~</div>"`}},
		{"Two", "", item(`<div>report.pdf</div><div>742 B</div>`) + strings.ReplaceAll(item(`<div>b.txt</div><div>1.0 KB</div>`), "abcDEF", "ABCdef"),
			[]string{report + ` | size=742` + placed, strings.ReplaceAll(`lark | url | `+url+` | name=b.txt`+placed, "abcDEF", "ABCdef")}},
		{"OtherID", "", strings.ReplaceAll(item(`<div>report.pdf</div><div>742 B</div>`), "item", "items"), []string{`share-link | url | ` + url + ` | provider=feishu | at=1 "<a href~</a>"`}},
		{"Plain", plain, "", []string{report + ` | size=742` + typed}},
		{"PlainChinese", strings.NewReplacer("Download: ", "下载：", "742 B", "50.0 MB").Replace(plain), "", []string{report + typed}},
		{"PlainQuoted", "> " + strings.ReplaceAll(strings.TrimSpace(plain), "\n", "\n> "), "", []string{strings.Replace(report+` | size=742`+typed, " | at", " | quoted=yes | at", 1)}},
		{"PlainNoSize", strings.Replace(plain, "742 B", "as announced", 1), "", []string{`share-link | url | ` + url + typed}},
		{"PlainNoLabel", strings.Replace(plain, "Download: ", "", 1), "", []string{`share-link | url | ` + url + typed}},
		{"PlainNoName", "\n742 B\nDownload: " + url + "\n", "", []string{`share-link | url | ` + url + typed}},
		{"PlainOther", strings.ReplaceAll(plain, "/mail/page/attachment?token=", "/mail/page/attachments/"), "", nil},
		{"Both", plain, item(`<div>report.pdf</div><div>742 B</div>`),
			[]string{report + ` | size=742` + typed[:len(` | provider=feishu`)] + ` | at=1 "` + url + `" | at=2 "<div id=\"large-file-item~</div>"`}},
	})
}

// TestLarkFields has the fields of Lark Mail, which name no host and only add to a link in the text.
func TestLarkFields(t *testing.T) {
	const url = "https://www.feishu.cn/mail/page/attachment?token=tok_abcDEF123456"
	link := "Content-Type: text/html\n\n<a href=\"" + url + "\">Download</a>\n"
	field := func(name, json string) string {
		return name + ": " + base64.StdEncoding.EncodeToString([]byte(json)) + "\n"
	}
	const file = `{"file_key":"tok_abcDEF123456","file_name":"report.pdf","file_size":52428801}`
	alone := "share-link | url | " + url + " | provider=feishu | at=1[0,88]"
	runGolden(t, []golden{
		{"Server", field("X-Lark-Large-Attachment", "["+file+"]") + link, []string{"lark | url | " + url + " | name=report.pdf | size=52428801 | provider=feishu | at=:X-Lark-Large-Attachment | at=1[0,88]"}},
		{"Program", field("x-lms-large-attachment-ids", `[{"id":"tok_abcDEF123456"}]`) + link, []string{"lark | url | " + url + " | provider=feishu | at=:X-Lms-Large-Attachment-Ids | at=1[0,88]"}},
		{"OtherKey", field("X-Lark-Large-Attachment", strings.ToLower("["+file+"]")) + link, []string{alone}},
		{"NoLink", field("X-Lark-Large-Attachment", "["+file+"]") + "\nHello\n", nil},
		{"NoList", field("X-Lark-Large-Attachment", file) + link, []string{alone}},
		{"NoJSON", field("X-Lark-Large-Attachment", file[1:]) + link, []string{alone}},
		{"NoBase64", "X-Lark-Large-Attachment: [" + file + "]\n" + link, []string{alone}},
		{"BadSize", field("X-Lark-Large-Attachment", strings.Replace("["+file+"]", "52428801", "-1", 1)) + link, []string{"lark | url | " + url + " | name=report.pdf | provider=feishu | at=:X-Lark-Large-Attachment | at=1[0,88]"}},
	})
}

func TestNetease(t *testing.T) {
	// From messages that mailing lists received in 2022, shortened.
	url := "https://mail.163.com/large-attachment-download/index.html?p=X-NETEASE-HUGE-ATTACHMENT&file=Sy2W9lTU-w7vguqZrlWFpokrrFG4wg5EhEj3dMzeTYbDfSr3lygA3p9yWJTf8RpsEiHvF7oIAGV5j9A5bObShQ&title=The%20signal"
	attr := strings.ReplaceAll(url, "&", "&amp;")
	icon := `<a href="` + attr + `"><img src="https://mimg.127.net/xm/all/fj/ico-bfile-28.gif" border="0"></a>`
	link := `<a href="` + attr + `" download="` + attr + `" preview="http://fs.163.com/fs/preview/?file=Sy2W" fileid="undefined" filename="B205-antenna.mp4" filesize="3781934" expiretime="1669354526418" target="_blank">B205-antenna.mp4</a><span style="color:#bbb"> (3.61M, 2022年11月25日 13:35 到期)</span>`
	found := "netease | url | " + url + " | name=B205-antenna.mp4 | size=3781934 | until=2022-11-25T05:35:26.418Z | provider=netease"
	runTexts(t, []textCase{
		{"Link", "", `<div>` + link + `</div>`, []string{found + ` | at=1 "<a href=\"https://mail~na.mp4</a>"`}},
		{"Reply", "", `<blockquote type="cite">` + link + `</blockquote>`, []string{strings.Replace(found, " | provider=netease", " | provider=netease | quoted=yes", 1) + ` | at=1 "<a href=\"https://mail~na.mp4</a>"`}},
		{"WithIcon", "", `<div>` + icon + link + `</div>`,
			[]string{strings.Replace(found, "netease | url", "share-link | url", 1) + ` | at=1 "<a href=\"https://mail~\"0\"></a>" | at=1 "<a href=\"https://mail~na.mp4</a>"`}},
		{"WithPreview", "", `<div>` + link + `<a href="http://fs.163.com/fs/preview/?file=Sy2W9lTU-w7vguqZrlWFpokrrFG4wg5EhEj3dMzeTYbDfSr3lygA3p9yWJTf8RpsEiHvF7oIAGV5j9A5bObShQ&amp;title=The%20signal">x</a></div>`,
			[]string{found + ` | at=1 "<a href=\"https://mail~na.mp4</a>" | at=1 "<a href=\"http://fs.1~l\">x</a>"`}},
		{"PreviewOfAnother", "", `<a href="http://fs.163.com/fs/preview/?file=Sy2W9lTU">x</a>` + link,
			[]string{`share-link | url | http://fs.163.com/fs/preview/?file=Sy2W9lTU | provider=netease | at=1 "<a href=\"http://fs.1~TU\">x</a>"`, found + ` | at=1 "<a href=\"https://mail~na.mp4</a>"`}},
		{"OtherAttributes", "", `<a href="https://a.example/" filename="a" filesize="1">a</a><a href="https://a.example/" filename="a" filesize="many" expiretime="1">a</a>`, nil},
	})
}

// TestUnknownEncoding checks that a text in a transfer encoding that is not known is read
// as programs show it: as it stands.
func TestUnknownEncoding(t *testing.T) {
	for _, name := range []string{"8bit+", "hexa", "text/html; charset=utf-8", "x-mine", "8 bit"} {
		for _, part := range []string{"plain\n\nsee https://we.tl/t-AbCdEfGhIj\n", "html\n\n<a href=https://we.tl/t-AbCdEfGhIj>x</a>\n"} {
			text := "MIME-Version: 1.0\nContent-Transfer-Encoding: " + name + "\nContent-Type: text/" + part
			refs := openWith(t, text, dialect.All())
			if len(refs) != 1 || refs[0].Provider != "wetransfer" {
				t.Errorf("%s: got %d references in %q, want the link", name, len(refs), part)
			}
		}
	}
}

func TestShareLink(t *testing.T) {
	url := "https://www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&dl=0"
	attr := strings.ReplaceAll(url, "&", "&amp;")
	found := "share-link | url | " + url + " | name=Plan.pdf | provider=dropbox"
	link := `<a href="` + attr + `">Plan</a>`
	at := func(s string) []string { return []string{found + " | " + s} }
	plain := `at=1 "<https://www.dropbox~3y&dl=0>"`
	html := `at=1 "<a href=\"https://www.~\">Plan</a>"`
	runTexts(t, []textCase{
		{"Anchor", "", link, at(html)},
		{"NameInText", "", `<a href="https://www.dropbox.com/s/AbCdEfGhIjKl?dl=0">My  Plan.docx</a>`, []string{`share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKl?dl=0 | name=My Plan.docx | provider=dropbox | at=1 "<a href=\"https://www.~n.docx</a>"`}},
		{"CharacterReferences", "", strings.ReplaceAll(strings.ReplaceAll(link, "://www.drop", "&#58;&sol;&#x2F;&#119;ww&period;d&#114;op"), "Plan</a>", "Plan</a>"), at(`at=1 "<a href=\"https&#58;&~\">Plan</a>"`)},
		{"LineEndsInAttribute", "", strings.Replace(link, "/fi/", "/fi\n /", 1), []string{}},
		{"LineEndInAttribute", "", strings.Replace(link, "/fi/", "/f\ni/", 1), at(html)},
		{"UpperCase", "", strings.Replace(link, "https://www.dropbox.com", "HTTPS://WWW.DROPBOX.COM", 1), []string{strings.Replace(found, "https://www.dropbox.com", "HTTPS://WWW.DROPBOX.COM", 1) + ` | at=1 "<a href=\"HTTPS://WWW.~\">Plan</a>"`}},
		{"Brackets", "Plan <" + url + ">\n", "", at(plain)},
		{"BracketsBroken", "Plan <https://www.drop\nbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&dl=0>\n", "", at(`at=1 "<https://www.drop\nbo~3y&dl=0>"`)},
		{"BracketsBrokenInQuote", "> Plan <https://www.drop\n> box.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&dl=0>\n", "", []string{found + ` | quoted=yes | at=1 "<https://www.drop\n> ~3y&dl=0>"`}},
		{"BareBroken", "The plan of the whole house, as it is to be from May on: https://we.\ntl/t-AbCdEfGhIj\n", "", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "https://we.\ntl/t-AbCdEfGhIj" | diag=line-end url`}},
		{"BareBrokenAfterOtherHint", "https://a.example/attachments/x\n\nThe plan of the whole house, as it is to be from May on: https://we.\ntl/t-AbCdEfGhIj\n", "", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "https://we.\ntl/t-AbCdEfGhIj" | diag=line-end url`}},
		{"BracketsWithBlanks", "Plan <https://www.dropbox.com/s/AbCdEfGhIjKl/My new Plan.pdf?dl=0> and\n", "",
			[]string{`share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKl/My%20new%20Plan.pdf?dl=0 | name=My new Plan.pdf | provider=dropbox | at=1 "https://www.dropbox.~.pdf?dl=0"`}},
		{"BracketsWithBlanksInQuote", "> <URL:https://contoso.sharepoint.com/sites/Team/Shared Documents/General/Budget plan.xlsx>\n", "",
			[]string{`share-link | url | https://contoso.sharepoint.com/sites/Team/Shared%20Documents/General/Budget%20plan.xlsx | name=Budget plan.xlsx | provider=sharepoint | quoted=yes | at=1 "https://contoso.sha~plan.xlsx"`}},
		{"BracketsWithWords", "<https://www.dropbox.com/s/AbCdEfGhIjKl/Plan.pdf and a.pdf> <https://www.dropbox.com/s/AbCdEfGhIjKm/Plan of mine>\n", "",
			[]string{`share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKl/Plan.pdf | name=Plan.pdf | provider=dropbox | at=1 "https://www.dropbox.~/Plan.pdf"`, `share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKm/Plan | name=Plan | provider=dropbox | at=1 "https://www.dropbox.~jKm/Plan"`}},
		{"BracketsWithBlanksNotClosed", "<https://www.dropbox.com/s/AbCdEfGhIjKl/Plan 2.pdf\nx <https://www.dropbox.com/s/AbCdEfGhIjKm/Plan <2.pdf>\n", "",
			[]string{`share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKl/Plan | name=Plan | provider=dropbox | at=1 "https://www.dropbox.com/s/AbCdEfGhIjKl/Plan"`, `share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKm/Plan | name=Plan | provider=dropbox | at=1 "https://www.dropbox.com/s/AbCdEfGhIjKm/Plan"`}},
		{"BareBrokenWithBlank", ">> https://www.dropbox.com/scl/fi/AbCdEfGhIjKl/ \n>> My_whole_Plan.pdf?rlkey=k3y&dl=0\n>>\n>> https://www.dropbox.com/scl/fi/AbCdEfGhIjKm/Plan.pdf? \n>> rlkey=k3yk3yk3y&dl=0\n", "",
			[]string{`share-link | url | https://www.dropbox.com/scl/fi/AbCdEfGhIjKl/My_whole_Plan.pdf?rlkey=k3y&dl=0 | name=My_whole_Plan.pdf | provider=dropbox | quoted=yes | at=1 "https://www.dropbox.~3y&dl=0" | diag=line-end url`, `share-link | url | https://www.dropbox.com/scl/fi/AbCdEfGhIjKm/Plan.pdf?rlkey=k3yk3yk3y&dl=0 | name=Plan.pdf | provider=dropbox | quoted=yes | at=1 "https://www.dropbox.~3y&dl=0" | diag=line-end url`}},
		{"BareThenBlank", "https://www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y \nwhich_is_a_word=other\nhttps://www.dropbox.com/s/AbCdEfGhIjKm/ \nThanks for all\n", "",
			[]string{`share-link | url | https://www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y | name=Plan.pdf | provider=dropbox | at=1 "https://www.dropbox.~rlkey=k3y" | diag=line-end url`, `share-link | url | https://www.dropbox.com/s/AbCdEfGhIjKm/ | provider=dropbox | at=1 "https://www.dropbox.com/s/AbCdEfGhIjKm/"`}},
		{"BareInText", "Plan " + url + ".\n", "", []string{found + ` | at=1 "` + url + `"`}},
		{"BareInParentheses", "Plan (" + url + "), thanks\n", "", []string{found + ` | at=1 "` + url + `"`}},
		{"BareInEastAsian", "文件" + url + "。谢谢", "", []string{found + ` | at=1 "` + url + `"`}},
		{"BareBeforeLetters", "文件" + url + "谢谢", "", []string{found + ` | at=1 "` + url + `"`}},
		{"BareQuoted", "> Plan: " + url + "\n", "", []string{found + ` | quoted=yes | at=1 "` + url + `"`}},
		{"BareBroken", "https://www.dropbox.com/scl/fi/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhIjKlAbCd\nEfG/Plan.pdf?rlkey=k3y&dl=0\n", "", []string{"share-link | url | https://www.dropbox.com/scl/fi/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhIjKlAbCdEfG/Plan.pdf?rlkey=k3y&dl=0 | name=Plan.pdf | provider=dropbox | at=1 \"https://www.~k3y&dl=0\" | diag=line-end url"}},
		{"BareBrokenInQuote", "> https://drive.google.com/file/d/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhI\n> 0/view?usp=sharing Thanks\n", "", []string{"share-link | url | https://drive.google.com/file/d/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhI0/view?usp=sharing | provider=google-drive | quoted=yes | at=1 \"https://drive~sharing\" | diag=line-end url"}},
		{"BareThenWord", "https://drive.google.com/file/d/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhI/view?usp\nThanks\n", "", []string{"share-link | url | https://drive.google.com/file/d/AbCdEfGhIjKlAbCdEfGhIjKlAbCdEfGhI/view?usp | provider=google-drive | at=1 \"https://drive~usp\" | diag=line-end url"}},
		{"BareInHTML", "", "Plan " + attr + "\n", []string{found + ` | at=1 "` + attr + `"`}},
		{"BareInHTMLAmongReferences", "", "<p>Pl&auml;n\r\n" + attr + " &amp; \u00e9 https://we.tl/t-AbCdEfGhIj</p>", []string{found + ` | at=1 "` + attr + `"`, `share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "https://we.tl/t-AbCdEfGhIj"`}},
		{"BareInHTMLWithReferences", "", "<p>h&#116;tps://we.tl/t-AbCdEfGhIj and https://we.tl/t-AbCdEfGhIk</p>", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "h&#116;tps://we.tl~-AbCdEfGhIk"`, `share-link | url | https://we.tl/t-AbCdEfGhIk | provider=wetransfer | at=1 "h&#116;tps://we.tl~-AbCdEfGhIk"`}},
		{"BareInHTMLWithoutReferences", "", "<p>Plan https://we.tl/t-AbCdEfGhIj.</p>", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "https://we.tl/t-AbCdEfGhIj"`}},
		{"BareTwice", url + "\n" + url + "\n", "", []string{found + ` | at=1 "` + url + `" | at=1 "` + url + `"`}},
		{"BareOther", "https://docs.google.com/forms/d/AbCd1a2B3c4D5e6/viewform https://www.dropbox.com/help https://a.example/s/x\n", "", nil},
		{"BehindGateway", "", `<a href="https://protect-eu.mimecast.com/s/AbCdEfGh">` + attr + `</a>`, []string{found + ` | at=1 "<a href=\"https://prot~</a>" | diag=link-text-mismatch href`}},
		{"Twin", "Plan<" + url + ">\n" + url + "\n", link, []string{found + " | " + plain + ` | at=1 "https://www.dropbox.~k3y&dl=0" | ` + strings.Replace(html, "at=1", "at=2", 1)}},
		{"SafeLinks", "", `<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.dropbox.com%2Fscl%2Ffi%2FAbCdEfGhIjKl%2FPlan.pdf%3Frlkey%3Dk3y%26dl%3D0&amp;data=05&amp;sdata=x&amp;reserved=0">Plan</a>`, at(`at=1 "<a href=\"https://eur0~\">Plan</a>" | diag=unwrapped safelinks`)},
		{"OtherHostInText", "", `<a href="` + attr + `">https://bank.example/</a>`, at(`at=1 "<a href=\"https://www.~ample/</a>" | diag=link-text-mismatch href`)},
		{"OtherHostInTextWithoutScheme", "", `<a href="` + attr + `">www.bank.example/x</a>`, at(`at=1 "<a href=\"https://www.~mple/x</a>" | diag=link-text-mismatch href`)},
		{"SameHostInText", "", `<a href="` + attr + `">https://www.dropbox.com/x</a>`, at(`at=1 "<a href=\"https://www.~.com/x</a>"`)},
		{"OtherHosts", "", `<a href="https://evil-dropbox.com/scl/fi/AbCdEfGhIjKl/x">a</a><a href="https://www.dropbox.com.evil.example/s/AbCdEfGhIjKl/x">a</a><a href="https://www.dropbox.com@evil.example/s/AbCdEfGhIjKl/x">a</a><a href="https://evil.example/?www.dropbox.com/s/AbCdEfGhIjKl/x">a</a><a href="javascript:'https://www.dropbox.com/s/AbCdEfGhIjKl/x'">a</a>`, nil},
		{"Images", "", `<img src="` + attr + `"><link href="` + attr + `"><area alt="` + attr + `"><form action="` + attr + `"><button formaction="` + attr + `">x</button></form><iframe src="` + attr + `"></iframe><object data="` + attr + `"></object><embed src="` + attr + `"><td background="` + attr + `"><a ping="` + attr + `" href="https://a.example/">x</a><textarea>` + attr + `</textarea>`, nil},
		{"OutlookOnly", "", "<!--[if mso]>" + link + "<![endif]-->", []string{found + " | " + html}},
		{"OutlookHidesNothing", "", `<!--[if mso]><style><![endif]--><!--[if mso]><p title="<![endif]-->` + link, []string{found + ` | at=1 "<a href=\"https://www.~\">"`}},
		{"OutlookLinkEndsOutside", "", `<!--[if mso]><a href="` + attr + `"><![endif]-->Plan</a>`, []string{found + ` | at=1 "<a href=\"https://www.~]-->"`}},
		{"OutlookUpperCase", "", "<!--[IF GTE MSO 9]>" + link + "<![ENDIF]-->", []string{found + " | " + html}},
		{"OutlookTrue", "", "<!--[if true]>" + link + "<![endif]-->", []string{found + " | " + html}},
		{"OutlookNotIE", "", "<!--[if !IE]>" + link + "<![endif]-->", []string{found + " | " + html}},
		{"OutlookLongComment", "", "<!--[if mso]>" + strings.Repeat("<p>x</p>\n", 10_000) + link + "<![endif]-->", []string{found + " | " + html}},
		{"OutlookSwallowsText", "", "<!--[if mso]><a href=\"https://a.example/\"><p title='<![endif]-->See " + attr + " there", []string{found + ` | at=1 "` + attr + `"`}},
		{"ForeignStyle", "", `<svg><style><p>` + link, []string{found + " | " + html}},
		{"ForeignCDATA", "", `<math><mtext><![CDATA[<a title="]]>` + link, []string{found + " | " + html}},
		{"Select", "", `<select><style></select>` + link, []string{found + " | " + html}},
		{"Noscript", "", `<noscript><!--</noscript>` + link, []string{found + " | " + html}},
		{"XLink", "", `<svg><a xlink:href="` + attr + `">Plan</a>`, at(`at=1 "<a xlink:~\">Plan</a>"`)},
		{"LongTag", "", `<a data-x="` + strings.Repeat("x", 70_000) + `" href="` + attr + `">Plan</a>`, at(`at=1 "<a data-x~\">Plan</a>"`)},
		{"TagOfManyAttributes", "", `<a ` + manyAttributes(2000) + ` href="` + attr + `">Plan</a>`, at(`at=1 "<a a0~\">Plan</a>"`)},
		{"OutlookOpensLink", "", "<!--[if mso]><a href=\"https://a.example/\"><![endif]-->See " + attr + " there", []string{found + ` | at=1 "` + attr + `"`}},
		{"OutlookAndOthers", "", `<!--[if gte mso 9]><v:roundrect xmlns:v="urn:x" href="` + attr + `" arcsize="5%"><center>Open</center></v:roundrect><![endif]--><!--[if !mso]><!-->` + link + "<!--<![endif]-->", []string{found + ` | at=1 "<v:roundrect xmlns:~5%\">" | ` + html}},
		{"OutlookNot", "", "<!--[if !mso]>" + link + "<![endif]--><!-- " + link + " -->", nil},
		{"SchemeRelative", "", `<a href="//www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a>`, at(`at=1 "<a href=\"//www.~\">Plan</a>"`)},
		{"WithoutScheme", "", `<a href=" www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a>`, at(`at=1 "<a href=\" www.~\">Plan</a>"`)},
		{"UserInformation", "", `<a href="https://a:b@www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a>`, at(`at=1 "<a href=\"https://a~\">Plan</a>"`)},
		{"OctetsToEscape", "", `<a href="https://we.tl/t-AbCdEfGhIj?&lt;&gt;&quot;\&#127;">Plan</a>`, []string{`share-link | url | https://we.tl/t-AbCdEfGhIj?%3C%3E%22%5C%7F | provider=wetransfer | at=1 "<a href=\"https://we.t~\">Plan</a>"`}},
		{"HostInReferences", "", `<a href="https://we&#65294;tl/t-AbCdEfGhIj">Plan</a>`, []string{`share-link | url | https://we．tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "<a href=\"https://we&#~\">Plan</a>"`}},
		{"ColonInReference", "", `<a href="https&colon;//we%2etl/t-AbCdEfGhIj">Plan</a>`, []string{`share-link | url | https://we%2etl/t-AbCdEfGhIj | provider=wetransfer | at=1 "<a href=\"https&colo~\">Plan</a>"`}},
		{"Base", "", `<base href="https://www.dropbox.com/x/y"><base href="https://a.example/"><a href="/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a>`, at(`at=1 "<a href=\"/scl~\">Plan</a>"`)},
		{"BaseAsBrowsersReadIt", "", `<base href="//u@www%2edropbox.com?x"><a href="\x\%\..&#10;\..\scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a>`, []string{strings.NewReplacer("www.", "www%2e", "com/", "com/x/%/../../").Replace(found) + ` | at=1 "<a href=\"\\x~\">Plan</a>"`}},
		{"BaseAfterwards", "", `<a href="/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&amp;dl=0">Plan</a><base target=x><base href="https://www.dropbox.com/x/y"><base href="https://a.example/">`, at(`at=1 "<a href=\"/scl~\">Plan</a>"`)},
		{"BaseElsewhere", "", `<base href="https://a.example/www.dropbox.com/"><a href="/scl/fi/AbCdEfGhIjKl/Plan.pdf">Plan</a>`, nil},
		{"Refresh", "", `<meta http-equiv="Refresh" content="0; URL='` + attr + `'">`, []string{found + ` | at=1 "<meta http~\">"`}},
		{"RefreshWithoutURL", "", `<meta http-equiv=refresh content="0;` + attr + `">`, []string{found + ` | at=1 "<meta http~\">"`}},
		{"RefreshAfterBlank", "", `<meta http-equiv=refresh content="0.5 '` + attr + `'x">`, []string{found + ` | at=1 "<meta http~\">"`}},
		{"RefreshOther", "", `<meta http-equiv=refresh content="5"><meta http-equiv=refresh content="0; x=` + attr + `"><meta name=refresh content="0; url=` + attr + `">`, nil},
		{"Area", "", `<map><area href="` + attr + `"></map>`, []string{found + ` | at=1 "<area href=~\">"`}},
		{"Typed", "See www.dropbox.com/scl/fi/AbCdEfGhIjKl/Plan.pdf?rlkey=k3y&dl=0.\n", "", []string{found + ` | at=1 "www.dropbox~k3y&dl=0"`}},
		{"TypedInHTML", "", "<p>See (we.tl/t-AbCdEfGhIj)</p>", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | at=1 "we.tl/t-AbCdEfGhIj"`}},
		{"TypedQuoted", "> see\n> we.tl/t-AbCdEfGhIj\n", "", []string{`share-link | url | https://we.tl/t-AbCdEfGhIj | provider=wetransfer | quoted=yes | at=1 "we.tl/t-AbCdEfGhIj"`}},
		{"TypedNot", "http://a.example/we.tl/t-AbCdEfGhIj joe@we.tl/t-AbCdEfGhIj /we.tl/t-AbCdEfGhIj we.tl//t-AbCdEfGhIj a=we.tl/t-AbCdEfGhIj we.tl/ we.tl\n", "", nil},
		{"TypedInLink", "", `<a href="https://a.example/">we.tl/t-AbCdEfGhIj</a>`, nil},
		{"RestOfBroken", "<https://a.example/x\nwe.tl/t-AbCdEfGhIj>\n", "", nil},
		{"CommaBetween", url + "," + url + "," + url + "\n", "", []string{found + ` | at=1 "` + url + `" | at=1 "` + url + `" | at=1 "` + url + `"`}},
		{"Footer", url + "\n_______________________________________________\nlist mailing list\n", "", []string{found + ` | at=1 "` + url + `"`}},
		{"Signature", url + "\n--\nAnn\n" + url + "\n=====\nx\n", "", []string{found + ` | at=1 "` + url + `" | at=1 "` + url + `"`}},
		{"BBCode", "[url=" + url + "]Plan[/url]\n", "", []string{found + ` | at=1 "` + url + `"`}},
		{"Underscores", "_" + url + "_ x_" + url + "_\n", "", []string{found + ` | at=1 "` + url + `" | at=1 "` + url + `"`}},
		{"Unclosed", "", `<a href="` + attr + `">Plan`, at(`at=1 "<a href=\"https://www.~y&amp;dl=0\">"`)},
	})
}

// TestManyChips has ten thousand blocks of different kinds, none of which ends.
func TestManyChips(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, `<li class="cloudAttachmentItem" data-content-location="https://nc.example/s/%d"><a href='https://nc.example/s/%d'>a%d.pdf<div class="gmail_drive_chip">`, i, i, i)
	}
	refs := openWith(t, "Content-Type: text/html\n\n"+b.String(), dialect.All())
	if len(refs) != 10_000 {
		t.Fatalf("got %d references, want 10_000", len(refs))
	}
	if refs[9999].Name != "a9999.pdf" {
		t.Errorf("got %s as the last one, want a9999.pdf", describe(refs[9999]))
	}
}

// manyAttributes returns n different attributes.
func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d ", i)
	}
	return b.String()
}

// Texts in charsets that hide ASCII letters, and of types that mail programs show as text,
// are read.
func TestWideAndUnknownTypes(t *testing.T) {
	const link = "https://we.tl/t-AbCdEfGhIj"
	encode := func(e encoding.Encoding) string {
		s, err := e.NewEncoder().String("See " + link + " there")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, tt := range []struct{ contentType, body string }{
		{"text/plain; charset=IBM037", encode(charmap.CodePage037)},
		{"text/plain; charset=IBM500", encode(charmap.CodePage037)},
		{"text/html; charset=cp1140", encode(charmap.CodePage1140)},
		{"text/plain; charset=utf-32", encode(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM))},
		{"text/plain; charset=utf-32le", encode(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM))},
		{"text/plain", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))},
		{"text/plain", encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM))},
		{"text", link}, {"plain", link}, {"text/foo", link}, {"text/unknown", link}, {"html", link},
	} {
		refs := openWith(t, "Content-Type: "+tt.contentType+"\nContent-Transfer-Encoding: base64\n\n"+base64.StdEncoding.EncodeToString([]byte(tt.body))+"\n", dialect.All())
		if len(refs) != 1 {
			t.Errorf("%s: got %d references, want 1", tt.contentType, len(refs))
			continue
		}
		if got, _ := refs[0].Param("url"); got != link {
			t.Errorf("%s: got %s, want %s", tt.contentType, got, link)
		}
	}
}

// winmail returns a winmail.dat in base64 with a list of properties of the message
// (MS-OXTNEF section 2.1.3.4) and one for each attachment.
func winmail(message string, attachments ...string) string {
	b := []byte{0x78, 0x9f, 0x3e, 0x22, 1, 0}
	add := func(level byte, id uint32, list string) {
		b = binary.LittleEndian.AppendUint32(append(b, level), id)
		b = binary.LittleEndian.AppendUint32(b, uint32(4+len(list)))
		b = append(append(append(b, 0, 0, 0, 0), list...), 0, 0)
	}
	add(1, 0x00069003, message)
	for _, a := range attachments {
		add(2, 0x00069005, a)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// property returns a text, or a value of any type with a length.
func property(id, typ uint16, value string) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(id)<<16|uint32(typ))
	b = binary.LittleEndian.AppendUint32(append(b, 1, 0, 0, 0), uint32(len(value)))
	return string(b) + value + strings.Repeat("\x00", -len(value)&3)
}

// TestTNEF has messages of Outlook whose links are in a winmail.dat.
func TestTNEF(t *testing.T) {
	const (
		url    = "https://www.dropbox.com/s/AbCdEf1a2B3c4D5/a.pdf?dl=0"
		found  = "share-link | url | " + url + " | name=a.pdf | provider=dropbox"
		tnef   = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
		method = "\x03\x00\x05\x37"
	)
	html := property(0x1013, 0x102, `<p><a href="`+url+`">a.pdf</a>`)
	forwarded := func(text string) string {
		inner, _ := base64.StdEncoding.DecodeString(winmail(property(0x1000, 0x1e, text)))
		return method + "\x05\x00\x00\x00" + property(0x3701, 0xd, "0123456789abcdef"+string(inner))
	}
	mixed := func(text, second string) string {
		return strings.Replace(part(second), "Hello", text, 1)
	}
	runGolden(t, []golden{
		{"HTML", part(tnef + winmail(html)), []string{found + " | at=2.1[3,75]"}},
		{"Plain", part(tnef + winmail(property(0x1000, 0x1e, "See "+url+"\r\n"))), []string{found + " | at=2.1[4,56]"}},
		{"RTF", part(tnef + winmail(property(0x1009, 0x102, "\x00\x00\x00\x00\x00\x00\x00\x00MELA\x00\x00\x00\x00"+`{\rtf1{\field{\*\fldinst HYPERLINK "`+url+`"}{\fldrslt a.pdf}}}`))), []string{found + " | at=2.1[1,55]"}},
		{"Twin", mixed("See "+url, tnef+winmail(html)), []string{found + " | at=1[4,56] | at=2.1[3,75]"}},
		{"WholeMessage", "MIME-Version: 1.0\n" + tnef + winmail(html), []string{found + " | at=1[3,75]"}},
		{"OtherType", part(strings.Replace(tnef, "ms-tnef", "octet-stream", 1) + winmail(html)), []string{found + " | at=2.1[3,75]"}},
		{"OtherName", part("Content-Type: application/octet-stream; name=a.dat\nContent-Transfer-Encoding: base64\n\n" + winmail(html)), nil},
		{"WebReference", part(tnef + winmail("", method+"\x07\x00\x00\x00"+property(0x370D, 0x1e, "https://files.example/1?a=b")+property(0x3707, 0x1e, "a b.pdf"))),
			[]string{"document-reference | url | https://files.example/1?a=b | name=a b.pdf | at=2.1:Document-Reference"}},
		{"Forwarded", part(tnef + winmail(html, forwarded(url))), []string{found + " | at=2.1[3,75]", found + " | at=2.2.1[0,52]"}},
		{"NotTNEF", part(tnef + base64.StdEncoding.EncodeToString([]byte("PK"+html))), nil},
		{"Encrypted", part(strings.Replace(tnef, "base64", "x-other", 1) + winmail(html)), nil},
	})
}

// TestTNEFLimit has texts that are compressed to an eighth. The others are read, and these
// are reported as unread.
func TestTNEFLimit(t *testing.T) {
	rtf := []byte("\x00\x00\x00\x00\x00\x00\x00\x00LZFu\x00\x00\x00\x00\x00{\\rtf1 x")
	const begin, longest = 207 + len("{\\rtf1 x"), 17
	for i := range 1_000_000 {
		if i%8 == 0 {
			rtf = append(rtf, 0xff)
		}
		// A copy from where the next octet goes would be the end.
		rtf = binary.BigEndian.AppendUint16(rtf, uint16((begin+longest*i+100)%4096)<<4|longest-2)
	}
	text := part("Content-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n" + winmail(property(0x1009, 0x102, string(rtf))+property(0x1000, 0x1e, "https://we.tl/t-AbCdEfGhIj")))
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(references(m)); n != 1 || m.Incomplete() == nil {
		t.Errorf("got %d references, incomplete: %v, want 1 and a limit", n, m.Incomplete())
	}
}
