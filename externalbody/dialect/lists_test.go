package dialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

const scrubbedURL = "http://lists.example/pipermail/dev/attachments/20230901/1a0ba0e7/attachment-0001.sig"

// TestMailman has texts as the sources of Mailman 2 write them, with labels from its
// catalogues.
func TestMailman(t *testing.T) {
	found := "mailman | url | " + scrubbedURL + " | name=signature.asc | type=application/pgp-signature | size=488"
	at := ` | at=1 "<` + scrubbedURL + `>"`
	block := "-------------- next part --------------\nA non-text attachment was scrubbed...\nName: signature.asc\nType: application/pgp-signature\nSize: 488 bytes\nDesc: not available\nURL: <" + scrubbedURL + ">\n"
	short := "mailman | url | " + scrubbedURL + " | name=attachment-0001.sig"
	// html is block as HTML, with a text between its lines.
	html := func(between string) string {
		lines := strings.ReplaceAll(strings.TrimSpace(block), "\n", between)
		return strings.Replace(lines, "<"+scrubbedURL+">", `&lt;<a href="`+scrubbedURL+`">`+scrubbedURL+"</a>&gt;", 1)
	}
	link := ` | at=1 "<a href=\"http://~/a>"`
	runTexts(t, []textCase{
		{"NonText", "Hi\n" + block, "", []string{found + at}},
		{"CRLF", strings.ReplaceAll("Hi\n"+block, "\n", "\r\n"), "", []string{found + at}},
		{"Two", "Hi\n" + block + strings.ReplaceAll(block, "0001", "0002"), "", []string{found + at, strings.ReplaceAll(found+at, "0001", "0002")}},
		{"Quoted", "> Hi\n> " + strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n> ") + "\n", "", []string{found + " | quoted=yes" + at}},
		{"BelowAQuotedMessage", "Hi\n-----Original Message-----\nHo\n" + block, "", []string{found + " | quoted=yes" + at}},
		{"NameAsDescription", "Hi\n" + strings.Replace(block, "not available", "signature.asc", 1), "", []string{found + at}},
		{"NoNameInTheLanguage", "Hi\n" + strings.NewReplacer("signature.asc", "nicht verf\u00fcgbar", "not available", "nicht verf\u00fcgbar").Replace(block), "", []string{"mailman | url | " + scrubbedURL + " | name=attachment-0001.sig | type=application/pgp-signature | size=488" + at}},
		{"TypeAlone", "Hi\n" + strings.Replace(block, "application/pgp-signature", "text", 1), "", []string{"mailman | url | " + scrubbedURL + " | name=signature.asc | size=488" + at}},
		{"TypeUnknown", "Hi\n" + strings.Replace(block, "application/pgp-signature", "X-unknown", 1), "", []string{"mailman | url | " + scrubbedURL + " | name=signature.asc | size=488" + at}},
		{"OldVersion", "Hi\n" + strings.Replace(strings.Replace(block, "URL: <", "Url : ", 1), ">\n", "\n", 1), "", []string{found + ` | at=1 "` + scrubbedURL + `"`}},
		{"German", "-------------- nächster Teil --------------\nEin Dateianhang mit Binärdaten wurde abgetrennt...\nDateiname   : Müller.pdf\nDateityp    : application/pdf\nDateigröße  : 12 bytes\nBeschreibung: nicht verfügbar\nURL         : <" + scrubbedURL + ">\n", "",
			[]string{"mailman | url | " + scrubbedURL + " | name=Müller.pdf | type=application/pdf | size=12" + at}},
		{"Hebrew", "---------------·הקטע הבא·---------------\nמצורף שאינו טקסט קורצף...\nשם: a.pdf\nסוג: application/pdf\nגודל: 12·בייטים\nתאור: לא זמין\nקישור: <" + scrubbedURL + ">\n", "",
			[]string{"mailman | url | " + scrubbedURL + " | name=a.pdf | type=application/pdf | size=12" + at}},
		{"EastAsianColon", "嵌入的、无法确定字符集的文本被除去了...\n名称：a.txt\nUrl： <" + scrubbedURL + ">\n", "", []string{"mailman | url | " + scrubbedURL + " | name=a.txt" + at}},
		{"Vietnamese", "━━━━━━phần kế tiếp━━━━━━\nMột tập tin HTML đính kèm đã bị lau...\nĐịa chỉ URL: <" + scrubbedURL + ">\n", "", []string{short + at}},
		{"ArabicHTML", "تمت إزالة مرفق HTML... الرابط:  <" + scrubbedURL + ">\n", "", []string{short + at}},
		{"EstonianText", "Kirjale lisatud tundmatu kodeeringuga tekstifail eemaldati.\n\nNimi: a.txt\nUrl: <" + scrubbedURL + ">\n", "", []string{"mailman | url | " + scrubbedURL + " | name=a.txt" + at}},
		{"HTMLAttachment", "An HTML attachment was scrubbed...\nURL: <" + scrubbedURL + ">\n", "", []string{short + at}},
		// The size is the size of the message, but the list server stores a page.
		{"Message", "An embedded message was scrubbed...\nFrom: a at b.example\nSubject: a/b\nDate: Thu, 7 Aug 2025 22:48:36 +0100\nSize: 24478\nURL: <" + scrubbedURL + ">\n", "",
			[]string{short + at}},
		{"NoName", strings.ReplaceAll(block, "signature.asc", "not available"), "", []string{short + " | type=application/pgp-signature | size=488" + at}},
		{"NoNameGerman", "Ein Dateianhang mit Binärdaten wurde abgetrennt...\nDateiname: nicht verfügbar\nDateityp: application/pdf\nDateigröße: 12 bytes\nBeschreibung: nicht verfügbar\nURL: <" + scrubbedURL + ">\n", "",
			[]string{short + " | type=application/pdf | size=12" + at}},
		{"Broken", "A non-text attachment was scrubbed...\nURL: <http://lists.example/pipermail/dev/attach\nments/20230901/1a0ba0e7/attachment-0001.sig>\n", "",
			[]string{short + ` | at=1 "<http://lists.exampl~sig>"`}},
		{"Wrapped", "An HTML attachment was scrubbed...\nURL: <https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Flists.example%2Fpipermail%2Fdev%2Fattachments%2F20230901%2F1a0ba0e7%2Fattachment-0001.sig&data=x>\n", "",
			[]string{short + ` | at=1 "<https://eur01~>" | diag=unwrapped safelinks`}},
		// A name that is a path, and a size and a type that are not valid.
		{"Hostile", strings.NewReplacer("signature.asc", "../../.bashrc", "488 bytes", "99999999999999999999 bytes", "application/pgp-signature", "a/b/c").Replace(block), "",
			[]string{short + at}},
		{"LabelAbove", "> An HTML attachment was scrubbed...\n> URL:\n> " + scrubbedURL + "\n", "", []string{short + ` | quoted=yes | at=1 "` + scrubbedURL + `"`}},
		{"LabelAboveAGap", "> > An HTML attachment was scrubbed...\n> > URL:\n> >\n> " + scrubbedURL + "\n", "", []string{short + ` | quoted=yes | at=1 "` + scrubbedURL + `"`}},
		{"BracketAbove", "> An HTML attachment was scrubbed...\n> URL: <\n> " + scrubbedURL + "\n> >\n", "", []string{short + ` | quoted=yes | at=1 "` + scrubbedURL + `"`}},
		{"FieldsAbove", "> " + strings.ReplaceAll(strings.Replace(strings.TrimSpace(block), "URL: <", "URL: <\n", 1), "\n", "\n> ") + "\n", "", []string{found + ` | quoted=yes | at=1 "` + scrubbedURL + `"`}},
		{"LabelAboveTwoGaps", "An HTML attachment was scrubbed...\nURL:\n\n\n" + scrubbedURL + "\n", "", nil},
		{"LabelAboveOther", "Thanks...\nURL:\nhttps://h.example/attachments/a\n", "", nil},
		{"QuotedHTML", "", "An HTML attachment was scrubbed...<br>URL: &lt;<a href=\"" + scrubbedURL + "\" target=_blank>" + scrubbedURL + "</a>&gt;", []string{short + ` | at=1 "<a href=\"http://~/a>"`}},
		{"QuotedHTMLWrapped", "", "<p><a href=\"https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Flists.example%2Fpipermail%2Fdev%2Fattachments%2F20230901%2F1a0ba0e7%2Fattachment-0001.sig&data=x\">" + scrubbedURL + "</a>", []string{short + ` | at=1 "<a href=\"https:/~/a>" | diag=unwrapped safelinks`}},
		{"QuotedHTMLText", "", "<pre>URL: " + scrubbedURL + "\n</pre>", []string{short + ` | at=1 "` + scrubbedURL + `"`}},
		{"QuotedHTMLBlock", "", "<p>Hi</p><blockquote>" + html("<br>\n") + "</blockquote>", []string{found + " | quoted=yes" + link}},
		{"QuotedHTMLMarks", "", "<p>Hi<br>&gt; " + html("<br>\n&gt; ") + "<br>", []string{found + link}},
		{"QuotedHTMLParagraphs", "", "<p>" + html("</p>\r\n<p>") + "</p>", []string{found + link}},
		{"QuotedHTMLLines", "", "<pre>" + html("\n") + "</pre>", []string{found + link}},
		{"QuotedHTMLSourceLines", "", "<div>" + strings.ReplaceAll(html("<br>"), ": ", ":\n") + "</div>", []string{found + link}},
		{"QuotedHTMLTwo", "", "<pre>" + html("\n") + "\n" + strings.ReplaceAll(html("\n"), "0001", "0002") + "</pre>", []string{found + link, strings.ReplaceAll(found, "0001", "0002") + link}},
		{"QuotedHTMLTextBlock", "", "<pre>" + html("\n") + "\n</pre>" + "<p>" + strings.NewReplacer("<a href=\""+scrubbedURL+"\">", "", "</a>", "", "0001", "0002").Replace(html("<br>")), []string{found + link, strings.ReplaceAll(found+` | at=1 "`+scrubbedURL+`"`, "0001", "0002")}},
		{"QuotedHTMLGap", "", "<div>" + html("<br><br>") + "</div>", []string{short + link}},
		{"QuotedHTMLOtherLabel", "", "<div>" + strings.Replace(html("<br>"), "URL: ", "and it is at ", 1) + "</div>", []string{short + link}},
		{"QuotedHTMLOtherText", "", "<a href=\"" + scrubbedURL + "\">see here</a> <a href=\"" + scrubbedURL + "\">http://lists.example/pipermail/dev/attachments/20230901/1a0ba0e7/other.sig</a>", nil},
		{"QuotedHTMLOtherPath", "", "<p>" + strings.Replace(scrubbedURL, "pipermail", "wiki", 1), nil},
		{"OtherURL", strings.Replace(block, scrubbedURL, "https://evil.example/unsubscribe?id=/attachments/", 1), "", nil},
		{"OtherPath", strings.Replace(block, "20230901", "2023090", 1) + strings.Replace(block, "1a0ba0e7", "1a0ba0eg", 1) + strings.Replace(block, "/attachment-0001.sig", "", 1), "", nil},
		{"InASentence", "I have put it at " + scrubbedURL + " and more.\nSee it: " + scrubbedURL + " there\n", "", nil},
		{"NoSentence", "URL: <" + scrubbedURL + ">\n", "", nil},
		{"NoLabel", "A non-text attachment was scrubbed...\n<" + scrubbedURL + ">\n", "", nil},
	})
}

// A size is a promise in two forms: a list server gives the size of the octets that it
// stored, and Content-External is defined to give the size of the file. The size of a
// message, one that a mail program shows and one in a URL are not promises. The size of a
// body is compared only with a promise.
func TestPromises(t *testing.T) {
	for _, tt := range []struct {
		name, text   string
		size         int64
		want, claims []string
	}{
		{"Mailman", "\nA...\nName: a\nType: a/b\nSize: 5 bytes\nDesc: x\nURL: <" + scrubbedURL + ">\n", 5, []string{"size"}, nil},
		{"MailmanMessage", "\nA...\nFrom: a\nSubject: x/y\nDate: 1\nSize: 5\nURL: <" + scrubbedURL + ">\n", -1, nil, []string{"name"}},
		{"ContentExternal", "Content-External: application/pdf; url=\"https://h.example/a.pdf\"; size=42\n\n", 42, []string{"type", "size"}, []string{"name"}},
		{"Standard", "Content-Type: message/external-body; access-type=URL; URL=\"https://h.example/a.pdf\"\n\nContent-ID: <a@b>\n\n", -1, nil, []string{"name"}},
		{"StandardName", "Content-Type: message/external-body; access-type=URL; URL=\"https://h.example/a.pdf\"\n\nContent-Disposition: attachment; filename=a.pdf\n\n", -1, nil, nil},
		{"BlueMind", "X-BM-Disposition: filehosting;url=https://h.example/a;name=a.pdf;size=42;mime=application/pdf\n\n", 42, nil, nil},
		{"IceWarp", "X-IceWarp-SmartAttach: url=\"https://h.example/a\"; name=a.pdf; size=42\n\n", 42, nil, nil},
		{"NetEase", "Content-Type: text/html\n\n<a href=\"https://mail.163.com/large-attachment-download/index.html?file=AbC1a2B3c4D5\" filename=\"a.pdf\" filesize=\"42\" expiretime=\"1\">a</a>", 42, nil, nil},
		{"FileLink", "Content-Type: text/html\n\n<li class=\"cloudAttachmentItem\" data-content-location=\"https://h.example/s/1\"><a class=\"cloudfile-name\" href=\"https://h.example/s/1\">a.pdf</a><span class=\"cloudfile-size\">42 bytes</span></li>", -1, nil, nil},
		{"FileLinkList", "\nI've linked:\n\n* a.pdf (42 bytes) hosted on F: https://h.example/s/1\n", -1, nil, nil},
		{"MailDrop", "Content-Type: text/html\n\n<div class=\"x-apple-maildrop\" data-url=\"https://cvws.icloud-content.com/B/AbC/a.pdf?o=A\" data-size=\"42\" data-filename=\"b.pdf\"></div>", 42, nil, nil},
		{"MailDropURL", "\nhttps://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2Fx&uk=k&f=a.pdf&sz=42\n", 42, nil, []string{"name", "size"}},
		{"OneDrive", "\nhttps://onedrive.live.com/redir?resid=6CB!22&authkey=!AD&ithint=file%2cpdf&size=42\n", -1, nil, nil},
		{"Dropbox", "\nhttps://www.dropbox.com/s/AbCdEf1a2B3c4D5/a.pdf?size=42\n", -1, nil, []string{"name"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refs := open(t, tt.text)
			if len(refs) != 1 {
				t.Fatalf("got %d references, want 1", len(refs))
			}
			r := refs[0]
			if r.Size != tt.size || !slices.Equal(r.Promises, tt.want) || !slices.Equal(r.Claims, tt.claims) {
				t.Errorf("got size %d, promises %q, claims %q, want %d, %q, %q", r.Size, r.Promises, r.Claims, tt.size, tt.want, tt.claims)
			}
		})
	}
}

// TestSympa has the part that Sympa's template writes, with the names from Sympa's tests.
func TestSympa(t *testing.T) {
	const url = "https://lists.example/sympa/attach/test/simple%40example.com/W_c3_bcrzburg.txt"
	sentence := "The Würzburg.txt file that was initially attached to this message has been stored on the mailing lists server:\n"
	inline := func(body string) string {
		return part("Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: 8bit\nContent-Disposition: inline\n\n" + body)
	}
	found := "sympa | url | " + url + " | name=Würzburg.txt | at=2[112,190]"
	runGolden(t, []golden{
		{"Part", inline(sentence + url + "\n"), []string{found}},
		{"French", inline("Le fichier Würzburg.txt initialement joint à ce message a été stocké sur le serveur :\n\n" + url), []string{strings.Replace(found, "[112,190]", "[92,170]", 1)}},
		{"NameOverLines", inline("Die Datei a \nb.pdf liegt auf dem Server:\nhttps://lists.example/attach/test/1%40x/a_20b.pdf\n"), []string{"sympa | url | https://lists.example/attach/test/1%40x/a_20b.pdf | name=a b.pdf | at=2[41,90]"}},
		{"Attachment", strings.Replace(inline(sentence+url+"\n"), "inline", "attachment", 1), nil},
		{"NoDisposition", "Content-Type: text/plain\n\n" + sentence + url + "\n", nil},
		{"TextBelow", inline(sentence + url + "\nRegards\n"), nil},
		{"TwoURLs", inline(sentence + url + "\n" + url + "\n"), nil},
		{"OtherName", inline(strings.Replace(sentence, "Würzburg", "Wuerzburg", 1) + url + "\n"), nil},
		{"OtherPath", inline(sentence + strings.Replace(url, "%40", "-", 1) + "\n"), nil},
		{"Hostile", inline("../../x:\nhttps://evil.example/attach/a/b%40c/_2e_2e_2f_2e_2e_2fx\n"), []string{"sympa | url | https://evil.example/attach/a/b%40c/_2e_2e_2f_2e_2e_2fx | name=x | at=2[9,64]"}},
	})
}

// TestFilelinkList has the list that Thunderbird wrote into a text.
func TestFilelinkList(t *testing.T) {
	const url = "http://www.example.com/providerF/testFile1"
	head := "I've linked 1 file to this email:\n\n"
	found := "filelink | url | " + url + " | name=testFile1"
	at := ` | at=1 "` + url + `"`
	runTexts(t, []textCase{
		{"Item", head + "* testFile1 (1.2 KB) hosted on MochiTest F: " + url + "\n", "", []string{found + at}},
		{"Wrapped", head + "* testFile1 (1.2 KB) hosted on \nMochiTest F: \n" + url + "\n", "", []string{found + at}},
		{"Brackets", head + "* testFile1 (1.2 KB) hosted on F: <" + url + ">\n", "", []string{found + ` | at=1 "<` + url + `>"`}},
		{"Two", head + "* testFile1 (1.2 KB) hosted on F: " + url + "\n* b.pdf (17 bytes) hosted on F: https://f.example/2\n", "", []string{found + at, `filelink | url | https://f.example/2 | name=b.pdf | at=1 "https://f.example/2"`}},
		{"Quoted", "> " + strings.ReplaceAll(head, "\n", "\n> ") + "* testFile1 (1.2 KB) hosted on F: " + url + "\n", "", []string{found + " | quoted=yes" + at}},
		{"French", "J’ai lié 1 fichier à ce courriel :\n\n* a (b) (1).pdf (3,4 Mo) hébergé sur F : " + url + "\n", "", []string{"filelink | url | " + url + " | name=a (b) (1).pdf" + at}},
		{"Indented", head + "  * testFile1 (1.2 KB) hosted on F: " + url + "\n  * b.pdf (17 bytes) hosted on F: https://f.example/2\n", "", []string{found + at, `filelink | url | https://f.example/2 | name=b.pdf | at=1 "https://f.example/2"`}},
		{"LinkBelow", head + "* testFile1\n  Size: 1.2 KB\n  Link:\n  " + url + "\n", "", []string{found + at}},
		{"LinkBelowAnother", head + "* testFile1\n  Size: 1.2 KB\n  Link:\n  see\n  " + url + "\n", "", nil},
		{"NoHead", "* testFile1 (1.2 KB) hosted on F: " + url + "\n", "", nil},
		{"OtherHead", "Files.\n* testFile1 (1.2 KB) hosted on F: " + url + "\n", "", nil},
		{"NoSize", head + "* testFile1 (1.2 KB or so) hosted on F: " + url + "\n", "", nil},
		{"NoUnit", head + "* testFile1 (2 or 3) hosted on F: " + url + "\n", "", nil},
		{"OtherSize", head + "* testFile1 (kb) hosted on F: " + url + "\n", "", nil},
		{"NoWords", head + "* testFile1 (1.2 KB): " + url + "\n", "", nil},
		{"NoColon", head + "* testFile1 (1.2 KB) hosted at " + url + "\n", "", nil},
		{"TextBehind", head + "* testFile1 (1.2 KB) hosted on F: " + url + " see there\n", "", nil},
		{"OtherBullet", head + "- testFile1 (1.2 KB) hosted on F: " + url + "\n", "", nil},
		{"Far", head + "* testFile1 (1.2 KB) hosted on F:\n\n" + url + "\n", "", nil},
	})
}

// TestFilelinkFields has the list that Thunderbird writes into a text since version 91.
func TestFilelinkFields(t *testing.T) {
	const url = "https://h.example/s/1"
	item := "* a b.pdf\n  Size: 1.2 MB\n  Link: " + url + "\n"
	found := "filelink | url | " + url + " | name=a b.pdf"
	at := ` | at=1 "` + url + `"`
	runTexts(t, []textCase{
		{"Item", "I've linked 1 file to this email:\n\n" + item, "", []string{found + at}},
		{"NoHead", item, "", []string{found + at}},
		{"Two", item + "\n* c.zip\n  Size: 3 KB\n  Link: https://h.example/s/2\n", "", []string{found + at, `filelink | url | https://h.example/s/2 | name=c.zip | at=1 "https://h.example/s/2"`}},
		{"Quoted", "> " + strings.ReplaceAll(strings.TrimSpace(item), "\n", "\n> ") + "\n", "", []string{found + " | quoted=yes" + at}},
		{"Brackets", strings.Replace(item, url, "<"+url+">", 1), "", []string{found + ` | at=1 "<` + url + `>"`}},
		{"Expires", strings.Replace(item, "  Link", "  Password Protected Link: no\n  Expiration Date: 1 Jan 2027\n  Link", 1), "", []string{found + at}},
		{"German", "* a b.pdf\n  Gr\u00f6\u00dfe: 1,2 MB\n  Link: " + url + "\n", "", []string{found + at}},
		{"NoIndent", strings.ReplaceAll(item, "\n  ", "\n"), "", []string{found + at}},
		{"NoIndentCRLF", strings.ReplaceAll(item, "\n  ", "\r\n"), "", []string{found + at}},
		{"OneSpace", strings.ReplaceAll(item, "\n  ", "\n "), "", []string{found + at}},
		{"Tab", strings.ReplaceAll(item, "\n  ", "\n\t"), "", []string{found + at}},
		{"NoBreakSpace", strings.ReplaceAll(item, "\n  ", "\n\u00a0"), "", []string{found + at}},
		{"French", strings.Replace(item, "Size:", "Taille\u00a0:", 1), "", []string{found + at}},
		{"NoSize", "* a b.pdf\n  Link: " + url + "\nsize: x", "", nil},
		{"NoLabel", "* a b.pdf\n  Size: 1.2 MB\n  " + url + "\n", "", nil},
		{"NoItem", "a b.pdf\n  Size: 1.2 MB\n  Link: " + url + "\n", "", nil},
		{"TextAfter", strings.Replace(item, url, url+" see there", 1), "", nil},
		{"Far", "* a b.pdf\n  Size: 1.2 MB\n" + strings.Repeat("x\n", 7) + "  Link: " + url + "\n", "", nil},
	})
}

// TestFilelinkFirst has the block that Thunderbird 13 to 60 wrote, from its source. It has
// three links without a class.
func TestFilelinkFirst(t *testing.T) {
	item := func(name, file, provider, shown string) string {
		return `<div class="cloudAttachmentItem" style="border: 1px"><img src="data:image/png;base64,iVBORw0KGgo="><a href="` + file + `" moz-do-not-send="true">` + name +
			`</a><span style="color: grey">(3.4 MB)</span><span style="float: right"><a href="` + provider + `">YouSendIt</a></span><a style="display: block" href="` + file + `">` + shown + `</a></div>`
	}
	const url = "https://ysi.example/dl/1"
	span := ` | at=1 "<div class=\"cloudAtt~</a></div>"`
	runTexts(t, []textCase{
		{"Item", "", item("report.pdf", url, "https://www.ysi.example/", url), []string{"filelink | url | " + url + " | name=report.pdf" + span}},
		{"LineEnds", "", strings.ReplaceAll(item("report.pdf", url, "https://www.ysi.example/", url), "><", ">\r\n<"), []string{"filelink | url | " + url + " | name=report.pdf" + ` | at=1 "<div class=\"cloudAtt~</a>\r\n</div>"`}},
		{"NameWithoutExtension", "", item("Makefile", url, "https://www.ysi.example/", url), []string{"filelink | url | " + url + " | name=Makefile" + span}},
		{"Quoted", "", "<blockquote>" + item("report.pdf", url, "https://www.ysi.example/", url) + "</blockquote>", []string{"filelink | url | " + url + " | name=report.pdf | quoted=yes" + span}},
		{"TextIsNoURL", "", item("report.pdf", url, "https://www.ysi.example/", "Download"), nil},
		{"ProviderTwice", "", item("report.pdf", url, "https://www.ysi.example/", url) + item("a", "https://a.example/", "https://a.example/", "https://b.example/"), []string{"filelink | url | " + url + " | name=report.pdf" + span, "filelink | url | https://a.example/" + span}},
		// The block does not show which of the two is the file.
		{"TwoPlaces", "", `<div class="cloudAttachmentItem"><a href="https://a.example/1">a</a><a href="https://a.example/1">https://a.example/1</a><a href="https://b.example/2">b</a><a href="https://b.example/2">https://b.example/2</a></div>`, nil},
		{"DownloadURL", "", `<div class="cloudAttachmentItem"><a href="` + url + `">report.pdf</a><a class="providerLink" href="https://www.ysi.example/">YouSendIt</a><a class="downloadUrl" href="` + url + `">` + url + `</a></div>`,
			[]string{"filelink | url | " + url + " | name=report.pdf" + span}},
	})
}

// TestIcewarpText has a block of the known class. Its content is a guess.
func TestIcewarpText(t *testing.T) {
	runTexts(t, []textCase{
		{"Files", "", `<div class="icewarp_smartattach"><a href="https://iw.example/1">a.pdf</a> 1 MB <a href="https://iw.example/2">b.pdf</a> <a href="https://www.icewarp.example/">IceWarp</a></div>`,
			[]string{`icewarp | url | https://iw.example/1 | name=a.pdf | at=1 "<a href=\"https://iw.e~</a>"`, `icewarp | url | https://iw.example/2 | name=b.pdf | at=1 "<a href=\"https://iw.e~</a>"`}},
		{"One", "", `<blockquote><div class="x_icewarp_smartattach"><a href="https://iw.example/1">Download</a></div></blockquote>`, []string{`icewarp | url | https://iw.example/1 | quoted=yes | at=1 "<a href=\"https://iw.e~</a>"`}},
		{"OtherTextMisleads", "", `<div class=icewarp_smartattach><a href="https://evil.example/1">https://bank.example/</a></div>`, []string{`icewarp | url | https://evil.example/1 | at=1 "<a href=\"https://evil~</a>" | diag=link-text-mismatch href`}},
		{"NoLink", "", `<style>.icewarp_smartattach{display:none}</style><div class="icewarp_smartattach"><a href="javascript:x">a.pdf</a></div><div class="icewarp_smartattachment"><a href="https://a.example/">a.pdf</a></div>`, nil},
	})
}

// TestEudora has the lines that Eudora writes instead of attachments, from its sources and from mail that it stored.
func TestEudora(t *testing.T) {
	const windows = `Attachment Converted: "C:\Eudora\Attach\plan.pdf"`
	const found = `eudora | url | file:///C:/Eudora/Attach/plan.pdf | name=plan.pdf`
	const placed = ` | at=1 "` + `Attachment Converted: \"C:\\Eudora\\Attach\\plan.pdf\"` + `"`
	runTexts(t, []textCase{
		{"Windows", "Hello\n\n" + windows + "\n", "", []string{found + placed}},
		{"CRLF", "Hello\r\n\r\n" + windows + "\r\n", "", []string{found + placed}},
		{"LastLine", windows, "", []string{found + placed}},
		{"NoQuotes", strings.ReplaceAll(windows, `"`, ""), "", []string{found + strings.ReplaceAll(placed, `\"`, "")}},
		{"Quoted", "Hello\n\n> " + windows + "\n", "", []string{found + " | quoted=yes" + placed}},
		{"Page", "", "<x-html>\n<p>Hello</p>\n</x-html>\n\n" + windows + "\n\n" + strings.ReplaceAll(windows, "plan", "R&D") + "\n",
			[]string{found + placed, `eudora | url | file:///C:/Eudora/Attach/R&D.pdf | name=R&D.pdf | at=1 "Attach~"`}},
		{"Share", `Attachment Converted: "\\files\home\ann\a b.doc"`, "", []string{`eudora | url | file://files/home/ann/a%20b.doc | name=a b.doc | at=1 "Attach~"`}},
		{"Letters", `Attachment Converted: "C:\Post\Übersicht 1%.xls"`, "", []string{`eudora | url | file:///C:/Post/%C3%9Cbersicht%201%25.xls | name=Übersicht 1%.xls | at=1 "Attach~"`}},
		{"Macintosh", "Attachment converted: Macintosh HD:Eudora:plan 2.pdf (PDF /CARO) (0001A2B3)\n", "", []string{`eudora | url | file:///Macintosh%20HD/Eudora/plan%202.pdf | name=plan 2.pdf | at=1 "Attach~"`}},
		{"MacintoshSlash", "Attachment converted: HD:notes 1/2 (a) (????/????)\n", "", []string{`eudora | url | file:///HD/notes%201%2F2%20%28a%29 | name=2 (a) | at=1 "Attach~"`}},
		{"MacintoshOld", "Attachment converted: Eudora Folder:Attachments:a.pdf (Type: 'PDF ' Creator: 'CARO')\n", "", []string{`eudora | url | file:///Eudora%20Folder/Attachments/a.pdf | name=a.pdf | at=1 "Attach~"`}},
		{"Words", "Attachment Converted: 3 files\nAttachment converted: a.pdf (12 chunks)\n", "", nil},
		{"OtherURL", "Attachment Converted: file:///etc/passwd\nAttachment Converted: https://a.example/a.pdf\n", "", nil},
		{"Device", `Attachment Converted: "\\.\COM1\x"` + "\n" + `Attachment Converted: "\\?\C:\x"`, "", nil},
		{"Elsewhere", `Attachment Converted: "C:\Eudora\..\a.exe"` + "\n" + `Attachment Converted: "\\files\..\a.exe"` + "\nAttachment converted: HD:..:a (PDF /CARO)\n", "", nil},
		{"Stream", `Attachment Converted: "C:\a.txt:b.exe"`, "", nil},
		{"Folder", `Attachment Converted: "C:\Eudora\"`, "", nil},
		{"Sentence", "See " + windows + "\n", "", nil},
		{"Parameters", windows + ` "/x"` + "\n", "", nil},
	})
}

// TestEudoraField has the field of messages that Eudora sent, and the one of the same name of j-chkmail.
func TestEudoraField(t *testing.T) {
	const found = "eudora | url | file:///C:/DEV/A.ZIP | name=A.ZIP | at=:X-Attachments"
	runGolden(t, []golden{
		{"One", "X-Attachments: C:\\DEV\\A.ZIP;\n\nHello\n", []string{found}},
		{"Two", "x-attachments: C:\\DEV\\A.ZIP;\n\t\\\\Mac\\AllFiles\\b.doc\n\nHello\n", []string{found, "eudora | url | file://Mac/AllFiles/b.doc | name=b.doc | at=:X-Attachments"}},
		{"InTheText", "X-Attachments: C:\\DEV\\A.ZIP;\n\nAttachment Converted: \"C:\\DEV\\A.ZIP\"\n", []string{found + " | at=1[0,36]"}},
		{"Multipart", "Content-Type: multipart/mixed; boundary=b\n\n<x-flowed>\nHello\n</x-flowed>\nAttachment Converted: \"C:\\DEV\\A.ZIP\"\n", []string{strings.Replace(found, ":X-Attachments", "[29,65]", 1)}},
		{"MultipartWithParts", "Content-Type: multipart/mixed; boundary=b\n\nAttachment Converted: \"C:\\DEV\\A.ZIP\"\n" + strings.Repeat("x\n", 2000) + "--b\n\nHello\n--b--\n", nil},
		{"JChkmail", "X-Attachments: type=\"application/pgp-signature\" name=\"PGP.sig\" name=\"PGP.sig\"\n\nHello\n", nil},
		{"Name", "X-Attachments: \"base_report.log\"; /etc/passwd; ..\\a; C:\\;\n\nHello\n", nil},
		{"Empty", "X-Attachments:\n\nHello\n", nil},
	})
}

// TestNoticeAction has the JSON-LD of a notice as Gmail documents it.
func TestNoticeAction(t *testing.T) {
	const url = "https://www.dropbox.com/scl/fo/AbCdEfGhIjKl/AbCdEfGhIjKlMnOp?rlkey=k3y&dl=0"
	notice := func(json string) string {
		return `<html><body><script type="application/ld+json">` + json + `</script><p>x</p></body>`
	}
	action := func(typ, member string) string {
		return "{\n \"@context\": \"http://schema.org\",\n \"@type\": \"EmailMessage\",\n \"potentialAction\": {\"@type\": \"" + typ + "\", " + member + ", \"name\": \"View\"}}"
	}
	found := "share-link | url | " + url + ` | provider=dropbox | at=1 "<script type=\"appli~"`
	runTexts(t, []textCase{
		{"URL", "", notice(action("ViewAction", `"url": "`+url+`"`)), []string{found}},
		{"CRLF", "", strings.ReplaceAll(notice(action("ViewAction", `"url": "`+url+`"`)), "\n", "\r\n"), []string{found}},
		{"Escapes", "", notice(action("ViewAction", `"url": "`+strings.NewReplacer("/", `\/`, "&", `\u0026`).Replace(url)+`"`)), []string{found}},
		{"References", "", notice(action("ViewAction", `"url": "`+strings.NewReplacer("/", "&#47;", "&", "&#38;", ":", "&#58;", "?", "&#63;", "=", "&#61;").Replace(url)+`"`)), []string{found}},
		{"Ampersands", "", notice(action("ViewAction", `"url": "`+strings.ReplaceAll(url, "&", "&amp;")+`"`)), []string{found}},
		{"Target", "", notice(action("ViewAction", `"target": ["`+url+`"]`)), []string{found}},
		{"Template", "", notice("[" + action("http://schema.org/ViewAction", `"target": {"@type": "EntryPoint", "urlTemplate": "`+url+`"}`) + "]"), []string{found}},
		{"Quoted", "", "<blockquote>" + notice(action("ViewAction", `"url": "`+url+`"`)) + "</blockquote>", []string{strings.Replace(found, " | at", " | quoted=yes | at", 1)}},
		{"OtherAction", "", notice(action("ConfirmAction", `"url": "`+url+`"`)), nil},
		{"Handler", "", notice(action("ViewAction", `"handler": {"@type": "HttpActionHandler", "url": "`+url+`"}`)), nil},
		{"NoShareLink", "", notice(action("ViewAction", `"url": "https://www.dropbox.com/l/report_abuse?x"`)), nil},
		{"NoMessage", "", notice(`{"@type": "ViewAction", "url": "` + url + `"}`), nil},
		{"NoJSON", "", notice(action("ViewAction", `"url": "`+url+`"`)[1:]), nil},
		{"OtherScript", "", strings.Replace(notice(action("ViewAction", `"url": "`+url+`"`)), "application/ld+json", "text/javascript", 1), nil},
		{"Deep", "", notice(strings.Repeat("[", 5000) + `"www.dropbox.com"` + strings.Repeat("]", 5000)), nil},
	})
}

// TestCalendar has ATTACH as Google Calendar and RFC 8607 write it.
func TestCalendar(t *testing.T) {
	calendar := func(lines string) string {
		return part("Content-Type: text/calendar; charset=utf-8; method=REQUEST\nContent-Transfer-Encoding: 8bit\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n" + lines + "END:VEVENT\nEND:VCALENDAR")
	}
	for _, tt := range []struct{ name, lines, want string }{
		{"Google", "ATTACH;FILENAME=Notes – a call;FMTTYPE=applica\n tion/vnd.google-apps.document:https://docs.google.com/document/d/1-Ltq11LLz\n xCccfqfNNKcMG74HMUJf6DURmSJBGQZrek/edit\n",
			"calendar | url | https://docs.google.com/document/d/1-Ltq11LLzxCccfqfNNKcMG74HMUJf6DURmSJBGQZrek/edit | name=Notes – a call | type=application/pdf | provider=google-docs | at=2[29,196]"},
		{"Type", "ATTACH;FMTTYPE=application/pdf:https://h.example/a.pdf\n", "calendar | url | https://h.example/a.pdf | name=a.pdf | type=application/pdf | at=2[29,84]"},
		{"QuotedName", "attach;filename=\"a;b:c.pdf\":https://h.example/1\n", "calendar | url | https://h.example/1 | name=a;b:c.pdf | at=2[29,77]"},
		{"Managed", "ATTACH;MANAGED-ID=97S;FMTTYPE=text/html;SIZE=102400;FILENAME=agenda.html:https://h.example/x\n", "calendar | url | https://h.example/x | name=agenda.html | type=text/html | size=102400 | at=2[29,122]"},
		{"Page", "ATTACH;FMTTYPE=text/html:https://meet.example/room\n", ""},
		{"ShareLinks", "ATTACH:https://we.tl/t-AbCdEfGhIa\nDESCRIPTION:See\\nhttps://we.tl/t-AbCdEfGhIb\\, or <htt\n ps://we.tl/t-AbCdEfGhIc>.\nX-ALT-DESC;FMTTYPE=text/html:<a href=\"https://we.tl/t-AbCdEfGhId\">x</a>\nLOCATION:https://we.tl/t-AbCdEfGhIe\nURL;VALUE=URI:https://we.tl/t-AbCdEfGhIf\nURL:https://h.example/x\n",
			"share-link | url | https://we.tl/t-AbCdEfGhIa | provider=wetransfer | at=2[29,63]\nshare-link | url | https://we.tl/t-AbCdEfGhIb | provider=wetransfer | at=2[63,144]\nshare-link | url | https://we.tl/t-AbCdEfGhIc | provider=wetransfer | at=2[63,144]\nshare-link | url | https://we.tl/t-AbCdEfGhId | provider=wetransfer | at=2[144,216]\nshare-link | url | https://we.tl/t-AbCdEfGhIe | provider=wetransfer | at=2[216,252]\nshare-link | url | https://we.tl/t-AbCdEfGhIf | provider=wetransfer | at=2[252,293]"},
		{"LinesOfLinks", "DESCRIPTION:https://we.tl/t-AbCdEfGhIa\\nhttps://we.tl/t-AbCdEfGhIb\\Nhttps://we.tl/t-AbCdEfGhIc\n",
			"share-link | url | https://we.tl/t-AbCdEfGhIa | provider=wetransfer | at=2[29,124]\nshare-link | url | https://we.tl/t-AbCdEfGhIb | provider=wetransfer | at=2[29,124]\nshare-link | url | https://we.tl/t-AbCdEfGhIc | provider=wetransfer | at=2[29,124]"},
		{"NoParameter", "ATTACH:https://h.example/a.pdf\n", ""},
		{"Data", "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aHR0cHM6Ly9o\n", ""},
		{"OtherScheme", "ATTACH;FMTTYPE=a/b:CID:x@y\nATTACH;FMTTYPE=a/b:file:///etc/passwd\nATTACH;FMTTYPE=a/b:mailto:a@b\n", ""},
		{"OtherProperty", "X-ATTACH;FMTTYPE=a/b:https://h.example/\nATTACHED;FMTTYPE=a/b:https://h.example/\nDESCRIPTION;FMTTYPE=a/b:https://h.example/\n", ""},
		{"InADescription", "DESCRIPTION:x\n ATTACH;FMTTYPE=a/b:https://h.example/\n", ""},
		{"Unclosed", "ATTACH;FILENAME=\"a:https://h.example/\n", ""},
		{"Long", "ATTACH;FILENAME=" + strings.Repeat("a", 600_000) + ":https://h.example/\n", ""},
	} {
		want := strings.FieldsFunc(tt.want, func(c rune) bool { return c == '\n' })
		runGolden(t, []golden{{tt.name, calendar(tt.lines), want}})
	}
}

// TestContentExternal checks the promises of Content-External.
func TestContentExternal(t *testing.T) {
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	refs := open(t, "Content-External: application/pdf; url=\"https://h.example/a.pdf\"; size=42; sha-256="+sum+"; md5=XUFAKrxLKna5cZ2REBfFkg==\n\n")
	if len(refs) != 1 || !slices.Equal(refs[0].Promises, []string{"type", "size"}) {
		t.Fatalf("got %d references, want one that promises type and size", len(refs))
	}
	var got []string
	for _, d := range refs[0].Digests {
		got = append(got, fmt.Sprintf("%s %x", d.Algorithm, d.Sum))
	}
	if want := []string{"sha-256 " + sum, "md5 5d41402abc4b2a76b9719d911017c592"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzForms reads any text as text/plain and as text/calendar. Places lie within the text,
// and URLs are http or https. In text/calendar, hints miss nothing.
func FuzzForms(f *testing.F) {
	for _, s := range []string{
		"A...\nName: a\nType: a/b\nSize: 5 bytes\nDesc: x\nURL: <" + scrubbedURL + ">\n",
		"I've linked:\n\n* a (1 KB) on\nF: https://f.example/1\n",
		"The a.pdf:\nhttps://l.example/attach/l/1%40x/a.pdf",
		"ATTACH;FILENAME=\"a\";FMTTYPE=a/b:https://h.ex\n ample/\n",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, body string, plain bool) {
		head := "Content-Type: text/calendar\n\n"
		if plain {
			head = "Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\n\n"
		}
		refs := openWith(t, head+body, dialect.All())
		again := openWith(t, head+body, everything())
		if len(again) != len(refs) && !plain {
			t.Errorf("%q: got %d references without hints, want %d as with them", body, len(again), len(refs))
		}
		for _, r := range refs {
			checkForm(t, r, body)
		}
	})
}

func checkForm(t *testing.T, r *externalbody.Reference, body string) {
	t.Helper()
	for _, o := range r.Origins {
		if o.Field == "" && (o.Start < 0 || o.End > int64(len(body)) || o.Start >= o.End) {
			t.Errorf("%q: got %s, want its origin in the text", body, describe(r))
		}
	}
	if url, ok := r.Param("url"); r.AccessType == "url" && (!ok || !strings.HasPrefix(strings.ToLower(url), "http")) {
		t.Errorf("%q: got %s, want an http or https URL", body, describe(r))
	}
}
