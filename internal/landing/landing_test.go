package landing_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/landing"
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
	want landing.Expect
	got  landing.Got
	page bool
}{
	{"PDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte("%PDF-1.7")}, false},
	{"PageForPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html; charset=utf-8", Size: -1, Head: []byte(page)}, true},
	{"PageForPDFByType", landing.Expect{MediaType: "application/pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"PageNamedPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte(page)}, true},
	{"PageAttachedAsPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/octet-stream", Disposition: `attachment; filename="a.pdf"`, Size: -1, Head: []byte(page)}, true},
	{"TextPageForPDF", landing.Expect{Name: "A.PDF"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("please log in")}, true},
	{"EmptyPageForPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: 0}, true},
	{"XHTML", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/xhtml+xml", Size: -1, Head: []byte("<?xml version='1.0'?><html>")}, true},
	{"PDFCalledHTML", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("%PDF-1.7\n")}, false},
	{"ZipCalledHTML", landing.Expect{Name: "a.zip"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("PK\x03\x04")}, false},

	// Errors that come with status 200.
	{"JSONForPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"error":"expired"}`)}, true},
	{"ProblemForZip", landing.Expect{Name: "a.zip"}, landing.Got{MediaType: "application/problem+json", Size: -1, Head: []byte(`{ "title":"x"}`)}, true},
	{"XMLForPNG", landing.Expect{MediaType: "image/png"}, landing.Got{MediaType: "application/xml", Size: -1, Head: []byte(`<?xml version="1.0"?><Error>`)}, true},
	{"TextForDocx", landing.Expect{Name: "a.docx"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("Link expired")}, true},
	{"EmptyTextForJPEG", landing.Expect{Name: "a.jpg"}, landing.Got{MediaType: "text/plain", Size: 0}, true},
	{"JSONOctetsForPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"XMLOctetsForZip", landing.Expect{Name: "a.zip"}, landing.Got{Size: -1, Head: []byte(`<?xml version="1.0"?><Error>`)}, true},
	{"JSONForMP3", landing.Expect{Name: "a.mp3"}, landing.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"JSONForCSV", landing.Expect{Name: "a.csv"}, landing.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, true},
	{"JSONForJSON", landing.Expect{Name: "a.json"}, landing.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, false},
	{"JSONForNothing", landing.Expect{}, landing.Got{MediaType: "application/json", Size: -1, Head: []byte(`{"code":403}`)}, false},
	{"PDFCalledText", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("%PDF-1.7\n")}, false},
	{"PDFAfterJunk", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("\r\n\r\n%PDF-1.7\n")}, false},
	{"PageAboutPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("<html>%PDF-1.7")}, true},
	{"GzCalledText", landing.Expect{Name: "a.gz"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("\x1f\x8b\x08")}, false},
	{"OtherBinaryForPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\x01\x02\x03")}, false},
	{"TextCalledImage", landing.Expect{MediaType: "image/png"}, landing.Got{MediaType: "image/png", Size: -1, Head: []byte("hello")}, false},
	{"EncryptedDocx", landing.Expect{Name: "a.docx"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")}, false},

	// Files under the names of old documents, and other files that look like pages.
	{"HTMLTable", landing.Expect{Name: "a.xls"}, landing.Got{MediaType: "application/vnd.ms-excel", Disposition: "attachment; filename=a.xls", Size: -1, Head: []byte("<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\">")}, false},
	{"HTMLLetter", landing.Expect{Name: "a.doc"}, landing.Got{MediaType: "application/msword", Disposition: "attachment", Size: -1, Head: []byte(page)}, false},
	{"HTMLTableNotAttached", landing.Expect{Name: "a.xls"}, landing.Got{MediaType: "application/vnd.ms-excel", Size: -1, Head: []byte(page)}, true},
	{"HTMLTableCalledHTML", landing.Expect{Name: "a.xls"}, landing.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte(page)}, true},
	{"XMLTable", landing.Expect{Name: "a.xls"}, landing.Got{MediaType: "application/vnd.ms-excel", Disposition: "attachment", Size: -1, Head: []byte(`<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>`)}, false},
	{"RTFNamedDoc", landing.Expect{Name: "a.doc"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("{\\rtf1\\ansi")}, false},
	{"CSVCalledHTML", landing.Expect{Name: "a.csv"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("a;b;c\r\n1;2;3\r\n")}, false},
	{"RTFCalledHTML", landing.Expect{Name: "a.rtf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("{\\rtf1\\ansi")}, false},
	{"PageForCSV", landing.Expect{Name: "a.csv"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},

	// What hides a page.
	{"UTF16LE", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00")}, true},
	{"UTF16BE", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte("\xfe\xff\x00<\x00h\x00t\x00m\x00l\x00>")}, true},
	{"UTF16WithoutMark", landing.Expect{Name: "a.mp3"}, landing.Got{Size: -1, Head: []byte("<\x00h\x00t\x00m\x00l\x00>\x00")}, true},
	{"NUL", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("\x00<html>")}, true},
	{"Gzip", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: gzipped(page)}, true},
	{"GzipOfPDF", landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: gzipped("%PDF-1.7")}, false},
	{"GzipOfPageNamedGz", landing.Expect{Name: "page.html.gz"}, landing.Got{MediaType: "application/gzip", Size: -1, Head: gzipped(page)}, false},

	{"HTML", landing.Expect{Name: "a.html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"LoginForHTML", landing.Expect{Name: "a.html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Anmelden</title><input name=p type=\"password\">")}, true},
	{"LoginForMessage", landing.Expect{Name: "a.eml"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Sign in - Accounts</title>")}, true},
	{"QuotaForHTML", landing.Expect{MediaType: "text/html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Google Drive - Quota exceeded</title>")}, true},
	{"LoginAttached", landing.Expect{Name: "login.html"}, landing.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte("<html><title>Login</title>")}, false},
	{"LoginCalledOctets", landing.Expect{Name: "login.html"}, landing.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte("<html><title>Login</title>")}, false},
	{"NewsForHTML", landing.Expect{Name: "a.html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte("<html><title>Forbidden city, not found and deleted</title>")}, false},
	{"LoginOfSize", landing.Expect{Name: "login.html", Size: 26}, landing.Got{MediaType: "text/html", Size: 26, Head: []byte("<html><title>Login</title>")}, false},
	{"HTM", landing.Expect{Name: "A.HTM "}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"Message", landing.Expect{Name: "a.eml"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"HTMLByType", landing.Expect{MediaType: "Text/HTML; charset=x"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},
	{"NameBeforeType", landing.Expect{Name: "a.pdf", MediaType: "text/html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"NameThatSaysNothing", landing.Expect{Name: "a.unknown", MediaType: "text/html"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, false},

	{"Markdown", landing.Expect{Name: "README.md"}, landing.Got{MediaType: "text/plain", Size: -1, Head: []byte("<p align=center>")}, false},
	{"MarkdownOctets", landing.Expect{Name: "README.md"}, landing.Got{Size: -1, Head: []byte("<!-- x -->")}, false},
	{"PageForMarkdown", landing.Expect{Name: "README.md"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"TextAttachedAsHTML", landing.Expect{Name: "a.txt"}, landing.Got{MediaType: "text/html", Disposition: "Attachment", Size: -1, Head: []byte("hello")}, false},
	{"SVG", landing.Expect{MediaType: "image/svg+xml"}, landing.Got{MediaType: "image/svg+xml", Size: -1, Head: []byte("<!-- x --><svg>")}, false},

	{"Nothing", landing.Expect{}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(page)}, true},
	{"NothingAttached", landing.Expect{}, landing.Got{MediaType: "text/html", Disposition: "attachment; filename=a.html", Size: -1, Head: []byte(page)}, false},
	{"NothingInline", landing.Expect{}, landing.Got{MediaType: "text/html", Disposition: "inline", Size: -1, Head: []byte(page)}, true},
	{"NothingSaid", landing.Expect{}, landing.Got{Size: -1, Head: []byte(page)}, true},
	{"NothingSaidText", landing.Expect{}, landing.Got{Size: -1, Head: []byte("hello")}, false},
	{"NothingOctets", landing.Expect{}, landing.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(page)}, false},
	{"OctetsSayNothing", landing.Expect{MediaType: "application/octet-stream"}, landing.Got{MediaType: "text/html", Disposition: "attachment", Size: -1, Head: []byte(page)}, false},

	{"SizeAgrees", landing.Expect{Name: "a.pdf", Size: int64(len(page))}, landing.Got{MediaType: "text/html", Size: int64(len(page)), Head: []byte(page)}, false},
	{"SizeDiffers", landing.Expect{Size: 1000}, landing.Got{MediaType: "application/octet-stream", Size: 75, Head: []byte(page)}, true},
	{"SizeDiffersText", landing.Expect{Size: 1000}, landing.Got{MediaType: "text/plain", Size: 75, Head: []byte("hello")}, false},
	{"SizeDiffersHTML", landing.Expect{Name: "a.html", Size: 1000}, landing.Got{MediaType: "text/html", Size: 75, Head: []byte(page)}, false},
	{"SizeUnknown", landing.Expect{Size: 1000}, landing.Got{MediaType: "application/octet-stream", Size: -1, Head: []byte(page)}, false},
}

func TestJudge(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			v := landing.Judge(tt.want, tt.got)
			if v.Page != tt.page || (v.Reason != "") != tt.page {
				t.Errorf("got %+v, want a page: %v", v, tt.page)
			}
		})
	}
}

// What is HTML by its beginning (MIME Sniffing Standard, section 7.1).
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
			if v := landing.Judge(landing.Expect{Name: "a.mp3"}, landing.Got{MediaType: "application/pdf", Size: -1, Head: []byte(tt.head)}); v.Page != tt.want {
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
		{"Long", "text/html", strings.Repeat("x", landing.HeadBytes), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := landing.Settled(landing.Expect{}, tt.mediaType, []byte(tt.head)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	pdf := landing.Expect{Name: "a.pdf"}
	if !landing.Settled(pdf, "text/html", []byte("%PDF-1")) || landing.Settled(pdf, "application/pdf", []byte("x")) {
		t.Error("got another answer than that the beginning of a PDF settles it, and nothing else")
	}
}

func TestKnowsBeginning(t *testing.T) {
	for _, tt := range []struct {
		want  landing.Expect
		known bool
	}{
		{landing.Expect{}, false},
		{landing.Expect{Name: "a.PDF"}, true},
		{landing.Expect{Name: "a", MediaType: "image/png; name=a"}, true},
		{landing.Expect{MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, true},
		{landing.Expect{Name: "a.txt", MediaType: "image/png"}, false},
		{landing.Expect{Name: "a.mp3"}, false},
	} {
		if got := landing.KnowsBeginning(tt.want); got != tt.known {
			t.Errorf("%+v: got %v, want %v", tt.want, got, tt.known)
		}
	}
}

// The pages are our own. Their titles are what hosts are known to have.
func TestReason(t *testing.T) {
	for _, tt := range []struct {
		name string
		head string
		want landing.Reason
	}{
		{"None", page, landing.Unknown},
		{"Scan", "<html><head><TITLE>Google Drive - Virus scan warning</TITLE>", landing.Scan},
		{"ScanByElement", `<html><title>x</title><p class="uc-warning-caption">`, landing.Scan},
		{"Quota", "<html><title>Google Drive - Quota exceeded</title>", landing.Quota},
		{"QuotaText", "<html><title>Google Drive</title><p class=uc-error-caption>Sorry, too many users have viewed or downloaded this file recently.", landing.Quota},
		{"Expired", "<html><title lang=en>Transfer expired</title>", landing.Expired},
		{"ExpiredInPassing", "<html><title>Files</title><script>'session expired'</script>", landing.Unknown},
		{"Deleted", "<html><title>File deleted", landing.Deleted},
		{"Denied", "<html><title>You need access</title>", landing.Denied},
		{"Login", "<html><title>Sign in to your account</title>", landing.Login},
		{"LoginByForm", `<html><title>Anmelden</title><input type="password">`, landing.Login},
		{"Traffic", "<html><title>Dropbox - Error</title><h1>Error (429)</h1>This account's links are generating too much traffic and have been temporarily disabled!", landing.Quota},
		{"NotThere", "<html><title>Google Drive</title>Sorry, the file you have requested does not exist.", landing.Deleted},
		{"RemovedFromBox", "<html><title>Box</title>This shared file or folder link has been removed or is unavailable to you.", landing.Deleted},
		{"Abuse", "<html><title>Google Drive</title>We're sorry. You can't access this item because it is in violation of our Terms of Service.", landing.Denied},
		{"Infected", "<html><title>Google Drive</title>Sorry, this file is infected with a virus. Only the owner is allowed to download infected files.", landing.Denied},
		{"Consent", "<html><title>Before you continue</title>", landing.Consent},
		{"TooFar", "<html>" + strings.Repeat(" ", landing.HeadBytes) + "<title>expired</title>", landing.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := landing.Judge(landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: []byte(tt.head)})
			if !v.Page || v.Reason != tt.want {
				t.Errorf("got %+v, want a page for the reason %q", v, tt.want)
			}
		})
	}
}

// A file is never a page because of what is after the head, a page always has
// a reason, and the octets are not changed.
func FuzzJudge(f *testing.F) {
	for _, c := range cases {
		f.Add(c.want.Name, c.want.MediaType, c.want.Size, c.got.MediaType, c.got.Disposition, c.got.Size, c.got.Head)
	}
	f.Add("", "", int64(0), "", "", int64(-1), []byte("<!DOC\x00TYPE html>"))
	f.Fuzz(func(t *testing.T, name, mediaType string, size int64, gotType, disposition string, gotSize int64, head []byte) {
		before := slices.Clone(head)
		want := landing.Expect{Name: name, MediaType: mediaType, Size: size}
		got := landing.Got{MediaType: gotType, Disposition: disposition, Size: gotSize, Head: head}
		v := landing.Judge(want, got)
		if v.Page == (v.Reason == "") {
			t.Fatalf("got %+v, want a reason with a page, and none without", v)
		}
		if !slices.Equal(head, before) {
			t.Fatal("the octets were changed")
		}
		if len(head) >= landing.HeadBytes {
			got.Head = append(slices.Clone(head), "<html>expired"...)
			if landing.Judge(want, got) != v {
				t.Fatal("octets behind the head count")
			}
		}
		for n := range head {
			if landing.Settled(want, gotType, head[:n]) && n < landing.HeadBytes && v.Page {
				t.Fatalf("%q: got settled and then a page, want it not settled", head[:n])
			}
		}
		if size > 0 && size == gotSize && v.Page {
			t.Fatal("a page of the size of the file")
		}
		got.MediaType, got.Head = "image/png", []byte("\x89PNG\r\n")
		if landing.Judge(want, got).Page {
			t.Fatal("an image is a page")
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	head := []byte(page + strings.Repeat("<p>text ", 500))
	b.SetBytes(landing.HeadBytes)
	b.ReportAllocs()
	for b.Loop() {
		landing.Judge(landing.Expect{Name: "a.pdf"}, landing.Got{MediaType: "text/html", Size: -1, Head: head})
	}
}
