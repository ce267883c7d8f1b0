package interstitial_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/interstitial"
)

const page = "<!DOCTYPE html><html><head><title>Files</title></head><body>x</body></html>"

func gzipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.Bytes()
}

var cases = []struct {
	name string
	want interstitial.Expect
	got  interstitial.Got
	page bool
}{
	{"PDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte("%PDF-1.7")}, false},
	{"PageForPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html; charset=utf-8", Size: -1, Head: []byte(page)}, true},
	{"PageForPDFByType", interstitial.Expect{MediaType: "application/pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"PageNamedPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte(page)}, true},
	{"PageAttachedAsPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/octet-stream", Disposition: `attachment; filename="a.pdf"`, Size: -1, Head: []byte(page)}, true},
	{"TextPageForPDF", interstitial.Expect{Name: "A.PDF"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("please log in")}, true},
	{"EmptyPageForPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: 0}, true},
	{"XHTML", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/xhtml+xml", Size: -1, Head: []byte("<?xml version='1.0'?><html>")}, true},
	{"PDFCalledHTML", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("%PDF-1.7\n")}, false},
	{"ZipCalledHTML", interstitial.Expect{Name: "a.zip"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("PK\x03\x04")}, false},
	{"FolderForDocx", interstitial.Expect{Name: "a.docx"}, interstitial.Got{MediaType: "application/zip", Size: -1, Head: zipOf("share/a.docx")}, true},
	{"FolderForXlsx", interstitial.Expect{Name: "a.xlsx"}, interstitial.Got{Disposition: "attachment", Size: -1, Head: zipOf(strings.Repeat("long/", 100))}, true},
	{"Docx", interstitial.Expect{Name: "a.docx"}, interstitial.Got{MediaType: "application/zip", Size: -1, Head: zipOf("[Content_Types].xml")}, false},
	{"DocxOfOthers", interstitial.Expect{Name: "a.docx"}, interstitial.Got{Size: -1, Head: zipOf("word/document.xml")}, false},
	{"FolderForODT", interstitial.Expect{Name: "a.odt"}, interstitial.Got{MediaType: "application/zip", Size: -1, Head: zipOf("share/a.odt")}, true},
	{"FolderForODS", interstitial.Expect{Name: "a.ods"}, interstitial.Got{Disposition: "attachment", Size: -1, Head: zipOf("share/")}, true},
	{"FolderForODP", interstitial.Expect{Name: "A.ODP"}, interstitial.Got{Size: -1, Head: zipOf("share/a.odp")}, true},
	{"FolderForODTByType", interstitial.Expect{MediaType: "application/vnd.oasis.opendocument.text"}, interstitial.Got{Size: -1, Head: zipOf("share/")}, true},
	{"ODT", interstitial.Expect{Name: "a.odt"}, interstitial.Got{MediaType: "application/zip", Size: -1, Head: zipOf("mimetype")}, false},
	{"ODTOfOthers", interstitial.Expect{Name: "a.ODS"}, interstitial.Got{Size: -1, Head: zipOf("content.xml")}, false},
	{"FolderForZip", interstitial.Expect{Name: "a.zip"}, interstitial.Got{Size: -1, Head: zipOf("share/a.docx")}, false},

	// Errors that come with status 200.
	{"JSONForPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"error":"expired"}`)}, true},
	{"ProblemForZip", interstitial.Expect{Name: "a.zip"}, interstitial.Got{MediaType: "application/problem+json", Size: -1, Head: []byte(`{ "title":"x"}`)}, true},
	{"XMLForPNG", interstitial.Expect{MediaType: "image/png"}, interstitial.Got{MediaType: "application/xml", Size: -1, Head: []byte(`<?xml version="1.0"?><Error>`)}, true},
	{"TextForDocx", interstitial.Expect{Name: "a.docx"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("Link expired")}, true},
	{"EmptyTextForJPEG", interstitial.Expect{Name: "a.jpg"}, interstitial.Got{MediaType: "text/plain", Size: 0}, true},
	{"JSONOctetsForPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"XMLOctetsForZip", interstitial.Expect{Name: "a.zip"}, interstitial.Got{Size: -1, Head: []byte(`<?xml version="1.0"?><Error>`)}, true},
	{"JSONForMP3", interstitial.Expect{Name: "a.mp3"}, interstitial.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"JSONForCSV", interstitial.Expect{Name: "a.csv"}, interstitial.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"JSONForJSON", interstitial.Expect{Name: "a.json"}, interstitial.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, false},
	{"JSONForNothing", interstitial.Expect{}, interstitial.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, false},
	{"PDFCalledText", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("%PDF-1.7\n")}, false},
	{"PDFAfterJunk", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("\r\n\r\n%PDF-1.7\n")}, false},
	{"PDFAfterMostJunk", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte(strings.Repeat("x", 1024-len("%PDF-")) + "%PDF-")}, false},
	{"PDFAfterTooMuchJunk", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte(strings.Repeat("x", 1025-len("%PDF-")) + "%PDF-")}, true},
	{"PageAboutPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("<html>%PDF-1.7")}, true},
	{"GzCalledText", interstitial.Expect{Name: "a.gz"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("\x1f\x8b\x08")}, false},
	{"OtherBinaryForPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\x01\x02\x03")}, false},
	{"TextCalledImage", interstitial.Expect{MediaType: "image/png"}, interstitial.Got{MediaType: "image/png", Size: -1, Head: []byte("hello")}, false},
	{"EncryptedDocx", interstitial.Expect{Name: "a.docx"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")}, false},

	// Files under the names of old documents, and other files that look like pages.
	{"HTMLTable", interstitial.Expect{Name: "a.xls"}, interstitial.Got{MediaType: "application/vnd.ms-excel", Disposition: "attachment; filename=a.xls", Size: -1, Head: []byte("<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\">")}, false},
	{"HTMLLetter", interstitial.Expect{Name: "a.doc"}, interstitial.Got{MediaType: "application/msword", Disposition: "attachment", Size: -1, Head: []byte(page)}, false},
	{"HTMLTableNotAttached", interstitial.Expect{Name: "a.xls"}, interstitial.Got{MediaType: "application/vnd.ms-excel", Size: -1, Head: []byte(page)}, true},
	{"HTMLTableCalledHTML", interstitial.Expect{Name: "a.xls"}, interstitial.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte(page)}, true},
	{"XMLTable", interstitial.Expect{Name: "a.xls"}, interstitial.Got{MediaType: "application/vnd.ms-excel", Disposition: "attachment", Size: -1, Head: []byte(`<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>`)}, false},
	{"RTFNamedDoc", interstitial.Expect{Name: "a.doc"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("{\\rtf1\\ansi")}, false},
	{"CSVCalledHTML", interstitial.Expect{Name: "a.csv"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("a;b;c\r\n1;2;3\r\n")}, false},
	{"RTFCalledHTML", interstitial.Expect{Name: "a.rtf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("{\\rtf1\\ansi")}, false},
	{"PageForCSV", interstitial.Expect{Name: "a.csv"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},

	// Texts that hide a page.
	{"UTF16LE", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00")}, true},
	{"UTF16BE", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\xfe\xff\x00<\x00h\x00t\x00m\x00l\x00>")}, true},
	{"UTF16WithoutMark", interstitial.Expect{Name: "a.mp3"}, interstitial.Got{Size: -1, Head: []byte("<\x00h\x00t\x00m\x00l\x00>\x00")}, true},
	{"MostNULs", interstitial.Expect{Name: "a.mp3"}, interstitial.Got{Size: -1, Head: []byte(strings.Repeat("\x00", 16) + "<html>")}, true},
	{"TooManyNULs", interstitial.Expect{Name: "a.mp3"}, interstitial.Got{Size: -1, Head: []byte(strings.Repeat("\x00", 17) + "<html>")}, false},
	{"NUL", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("\x00<html>")}, true},
	{"Gzip", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: gzipped(page)}, true},
	{"GzipOfPDF", interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: gzipped("%PDF-1.7")}, false},
	{"GzipOfPageNamedGz", interstitial.Expect{Name: "page.html.gz"}, interstitial.Got{MediaType: "application/gzip", Size: -1, Head: gzipped(page)}, false},

	{"HTML", interstitial.Expect{Name: "a.html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"LoginForHTML", interstitial.Expect{Name: "a.html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Anmelden</title><input name=p type=\"password\">")}, true},
	{"LoginForMessage", interstitial.Expect{Name: "a.eml"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Sign in - Accounts</title>")}, true},
	{"QuotaForHTML", interstitial.Expect{MediaType: "text/html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Google Drive - Quota exceeded</title>")}, true},
	{"LoginAttached", interstitial.Expect{Name: "login.html"}, interstitial.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte("<html><title>Login</title>")}, false},
	{"LoginCalledOctets", interstitial.Expect{Name: "login.html"}, interstitial.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte("<html><title>Login</title>")}, false},
	{"NewsForHTML", interstitial.Expect{Name: "a.html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Forbidden city, not found and deleted</title>")}, false},
	{"LoginOfSize", interstitial.Expect{Name: "login.html", Size: 26}, interstitial.Got{MediaType: "text/html", Size: 26, Head: []byte("<html><title>Login</title>")}, false},
	{"HTM", interstitial.Expect{Name: "A.HTM "}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"Message", interstitial.Expect{Name: "a.eml"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"HTMLByType", interstitial.Expect{MediaType: "Text/HTML; charset=x"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"NameBeforeType", interstitial.Expect{Name: "a.pdf", MediaType: "text/html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"NameThatSaysNothing", interstitial.Expect{Name: "a.unknown", MediaType: "text/html"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},

	{"Markdown", interstitial.Expect{Name: "README.md"}, interstitial.Got{MediaType: "text/plain", Size: -1, Head: []byte("<p align=center>")}, false},
	{"MarkdownOctets", interstitial.Expect{Name: "README.md"}, interstitial.Got{Size: -1, Head: []byte("<!-- x -->")}, false},
	{"PageForMarkdown", interstitial.Expect{Name: "README.md"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"TextAttachedAsHTML", interstitial.Expect{Name: "a.txt"}, interstitial.Got{MediaType: "text/html", Disposition: "Attachment", Size: -1, Head: []byte("hello")}, false},
	{"SVG", interstitial.Expect{MediaType: "image/svg+xml"}, interstitial.Got{MediaType: "image/svg+xml", Size: -1, Head: []byte("<!-- x --><svg>")}, false},

	{"Nothing", interstitial.Expect{}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"NothingAttached", interstitial.Expect{}, interstitial.Got{MediaType: "text/html", Disposition: "attachment; filename=a.html", Size: -1, Head: []byte(page)}, false},
	{"NothingInline", interstitial.Expect{}, interstitial.Got{MediaType: "text/html", Disposition: "inline", Size: -1, Head: []byte(page)}, true},
	{"NothingSaid", interstitial.Expect{}, interstitial.Got{Size: -1, Head: []byte(page)}, true},
	{"NothingSaidText", interstitial.Expect{}, interstitial.Got{Size: -1, Head: []byte("hello")}, false},
	{"NothingOctets", interstitial.Expect{}, interstitial.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(page)}, false},
	{"OctetsSayNothing", interstitial.Expect{MediaType: "application/octet-stream"}, interstitial.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte(page)}, false},

	{"SizeAgrees", interstitial.Expect{Name: "a.pdf", Size: int64(len(page))}, interstitial.Got{MediaType: "text/html", Size: int64(len(page)), Head: []byte(page)}, false},
	{"SizeDiffers", interstitial.Expect{Size: 1000}, interstitial.Got{MediaType: "application/octet-stream", Size: 75, Head: []byte(page)}, true},
	{"SizeDiffersText", interstitial.Expect{Size: 1000}, interstitial.Got{MediaType: "text/plain", Size: 75, Head: []byte("hello")}, false},
	{"SizeDiffersHTML", interstitial.Expect{Name: "a.html", Size: 1000}, interstitial.Got{MediaType: "text/html", Size: 75, Head: []byte(page)}, false},
	{"SizeUnknown", interstitial.Expect{Size: 1000}, interstitial.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(page)}, false},
}

func TestJudge(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			v := interstitial.Judge(tt.want, tt.got)
			if v.Page != tt.page || (v.Reason != "") != tt.page {
				t.Errorf("got %+v, want a page: %v", v, tt.page)
			}
		})
	}
}

// Texts that are HTML by their start (MIME Sniffing Standard, section 7.1).
func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		name string
		head string
		want bool
	}{
		{"Doctype", "<!DOCTYPE HTML>", true},
		{"DoctypeLegacy", "\n\t <!doctype html PUBLIC", true},
		{"Head", "<hEaD>", true},
		{"ByteOrderMark", "\ufeff<html >", true},
		{"Comment", "<!--x", true},
		{"Paragraph", "<p>", true},
		{"NoEnd", "<html", false},
		{"OtherEnd", "<html\n", false},
		{"Longer", "<pre>", false},
		{"XML", "<?xml version='1.0'?>", false},
		{"Later", "x<html>", false},
		{"Empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if v := interstitial.Judge(interstitial.Expect{Name: "a.mp3"}, interstitial.Got{MediaType: "application/pdf", Size: -1, Head: []byte(tt.head)}); v.Page != tt.want {
				t.Errorf("got %v, want %v", v.Page, tt.want)
			}
		})
	}
}

func TestSettled(t *testing.T) {
	for _, tt := range []struct {
		name, mediaType, head string
		want                  bool
	}{
		{"Nothing", "", "", false},
		{"GzipCut", "", "\x1f", false},
		{"Wide", "", "<\x00", false},
		{"JSON", "application/json", "x", false},
		{"Octet", "", "x", true},
		{"ByteOrderMarkCut", "", "\xef\xbb", false},
		{"ByteOrderMark", "", "\ufeff", false},
		{"ByteOrderMarkText", "", "\ufeffx", true},
		{"Blanks", "", " \n", false},
		{"TagCut", "", "<", false},
		{"TagCutLater", "", "<ht", false},
		{"TagOpen", "", "<html", false},
		{"Tag", "", "<html>x", false},
		{"NULInTag", "", "<!DOC\x00", false},
		{"NULAfterBlanks", "", "    \x00", false},
		{"LongerTag", "", "<pre>", true},
		{"OtherTag", "", "<?xml", true},
		{"HTML", "text/html", "x", false},
		{"Long", "text/html", strings.Repeat("x", interstitial.HeadBytes), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := interstitial.Settled(interstitial.Expect{}, tt.mediaType, []byte(tt.head)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	pdf := interstitial.Expect{Name: "a.pdf"}
	if !interstitial.Settled(pdf, "text/html", []byte("%PDF-1")) || interstitial.Settled(pdf, "application/pdf", []byte("x")) {
		t.Error("got another answer than that the beginning of a PDF settles it, and nothing else")
	}
}

func TestBegins(t *testing.T) {
	for _, tt := range []struct {
		want  interstitial.Expect
		known bool
	}{
		{interstitial.Expect{}, false},
		{interstitial.Expect{Name: "a.PDF"}, true},
		{interstitial.Expect{Name: "a", MediaType: "image/png; name=a"}, true},
		{interstitial.Expect{MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, true},
		{interstitial.Expect{Name: "a.txt", MediaType: "image/png"}, false},
		{interstitial.Expect{Name: "a.mp3"}, false},
	} {
		if got, begins := interstitial.Begins(tt.want, nil); got != tt.known || begins {
			t.Errorf("%+v: got %v, want %v", tt.want, got, tt.known)
		}
	}
}

// The pages are our own. Their titles are known from hosts.
func TestReason(t *testing.T) {
	for _, tt := range []struct {
		name string
		head string
		want interstitial.Reason
	}{
		{"None", page, interstitial.Unknown},
		{"Scan", "<html><head><TITLE>Google Drive - Virus scan warning</TITLE>", interstitial.Scan},
		{"ScanByElement", `<html><title>x</title><p class="uc-warning-caption">`, interstitial.Scan},
		{"Quota", "<html><title>Google Drive - Quota exceeded</title>", interstitial.Quota},
		{"QuotaText", "<html><title>Google Drive</title><p class=uc-error-caption>Sorry, too many users have viewed or downloaded this file recently.", interstitial.Quota},
		{"Expired", "<html><title lang=en>Transfer expired</title>", interstitial.Expired},
		{"ExpiredInPassing", "<html><title>Files</title><script>'session expired'</script>", interstitial.Unknown},
		{"Deleted", "<html><title>File deleted", interstitial.Deleted},
		{"Denied", "<html><title>You need access</title>", interstitial.Denied},
		{"Login", "<html><title>Sign in to your account</title>", interstitial.Login},
		{"LoginByForm", `<html><title>Anmelden</title><input type="password">`, interstitial.Login},
		{"Traffic", "<html><title>Dropbox - Error</title><h1>Error (429)</h1>This account's links are generating too much traffic and have been temporarily disabled!", interstitial.Quota},
		{"NotThere", "<html><title>Google Drive</title>Sorry, the file you have requested does not exist.", interstitial.Deleted},
		{"RemovedFromBox", "<html><title>Box</title>This shared file or folder link has been removed or is unavailable to you.", interstitial.Deleted},
		{"Abuse", "<html><title>Google Drive</title>We're sorry. You can't access this item because it is in violation of our Terms of Service.", interstitial.Denied},
		{"Infected", "<html><title>Google Drive</title>Sorry, this file is infected with a virus. Only the owner is allowed to download infected files.", interstitial.Denied},
		{"Consent", "<html><title>Before you continue</title>", interstitial.Consent},
		{"TooFar", "<html>" + strings.Repeat(" ", interstitial.HeadBytes) + "<title>expired</title>", interstitial.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := interstitial.Judge(interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: []byte(tt.head)})
			if !v.Page || v.Reason != tt.want {
				t.Errorf("got %+v, want a page for the reason %q", v, tt.want)
			}
		})
	}
}

// A file is never a page because of the octets after the head, a page always has a
// reason, and the octets are not changed.
func FuzzJudge(f *testing.F) {
	for _, c := range cases {
		f.Add(c.want.Name, c.want.MediaType, c.want.Size, c.got.MediaType, c.got.Disposition, c.got.Size, c.got.Head)
	}
	f.Add("", "", int64(0), "", "", int64(-1), []byte("<!DOC\x00TYPE html>"))
	f.Fuzz(func(t *testing.T, name, mediaType string, size int64, gotType, disposition string, gotSize int64, head []byte) {
		before := slices.Clone(head)
		want := interstitial.Expect{Name: name, MediaType: mediaType, Size: size}
		got := interstitial.Got{MediaType: gotType, Disposition: disposition, Size: gotSize, Head: head}
		v := interstitial.Judge(want, got)
		if v.Page == (v.Reason == "") {
			t.Fatalf("got %+v, want a reason with a page, and none without", v)
		}
		if !slices.Equal(head, before) {
			t.Fatal("the octets were changed")
		}
		if len(head) >= interstitial.HeadBytes {
			got.Head = append(slices.Clone(head), "<html>expired"...)
			if interstitial.Judge(want, got) != v {
				t.Fatal("octets behind the head count")
			}
		}
		for n := range head {
			if interstitial.Settled(want, gotType, head[:n]) && n < interstitial.HeadBytes && v.Page {
				t.Fatalf("%q: got settled and then a page, want it not settled", head[:n])
			}
		}
		if size > 0 && size == gotSize && v.Page {
			t.Fatal("a page of the size of the file")
		}
		got.MediaType, got.Head = "image/png", []byte("\x89PNG\r\n")
		if interstitial.Judge(want, got).Page {
			t.Fatal("an image is a page")
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	head := []byte(page + strings.Repeat("<p>text ", 500))
	b.SetBytes(interstitial.HeadBytes)
	b.ReportAllocs()
	for b.Loop() {
		interstitial.Judge(interstitial.Expect{Name: "a.pdf"}, interstitial.Got{MediaType: "text/html", Size: -1, Head: head})
	}
}

// zipOf returns the start of a zip file whose first entry has that name.
func zipOf(name string) []byte {
	head := make([]byte, 30)
	copy(head, "PK\x03\x04")
	head[26], head[27] = byte(len(name)), byte(len(name)>>8)
	return append(append(head, name...), "data"...)
}
