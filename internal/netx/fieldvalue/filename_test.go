package fieldvalue

import (
	"path"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// The names that curl 7.88.1 (-OJ) and wget 1.21.3 (--content-disposition) save an answer under; "" for
// the one of the URL.
var fileNames = []struct{ value, want, curl, wget string }{
	{"attachment; filename=report(1).docx", "report(1).docx", "report(1).docx", "report(1).docx"},
	{"attachment; filename=a (1).docx", "a (1).docx", "a (1).docx", "a (1).docx"},
	{`attachment; filename="report(1).docx"`, "report(1).docx", "report(1).docx", "report(1).docx"},
	{`attachment; filename="a (1).docx"`, "a (1).docx", "a (1).docx", "a (1).docx"},
	{"attachment; filename=report(1).docx; filename*=UTF-8''report%281%29.docx", "report(1).docx", "report(1).docx", "report(1).docx"},
	{"attachment; filename=(draft).pdf", "(draft).pdf", "(draft).pdf", "(draft).pdf"},
	{"attachment; filename=a(b.pdf", "a(b.pdf", "a(b.pdf", "a(b.pdf"},
	{"attachment; filename=a).pdf", "a).pdf", "a).pdf", "a).pdf"},
	{"attachment (comment); filename=a.pdf", "a.pdf", "a.pdf", ""},
	{`attachment; filename="a.pdf" (comment)`, "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; filename=a.pdf; filename*=UTF-8''%e2%82%ac.pdf", "€.pdf", "a.pdf", "€.pdf"},
	{"attachment; filename*=UTF-8''%e2%82%ac.pdf; filename=a.pdf", "€.pdf", "a.pdf", "€.pdf"},
	{"attachment; filename*=UTF-8''bad%zz.pdf; filename=a.pdf", "a.pdf", "a.pdf", "bad%zz.pdf"},
	{"attachment; filename*=UTF-8''bad%f; filename=a.pdf", "a.pdf", "a.pdf", "bad%f"},
	{"attachment; filename*=UTF-8''%ff%fe.pdf; filename=a.pdf", "a.pdf", "a.pdf", "\xff\xfe.pdf"},
	{"attachment; filename*=nocharset.pdf; filename=a.pdf", "a.pdf", "a.pdf", "nocharset.pdf"},
	{"attachment; filename*=X-UNKNOWN''b.pdf; filename=a.pdf", "a.pdf", "a.pdf", "b.pdf"},
	{"attachment; filename*=''b.pdf; filename=a.pdf", "a.pdf", "a.pdf", "b.pdf"},
	{"attachment; filename*=; filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; filename*=UTF-8'; filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{`attachment; filename*="UTF-8''q.pdf"`, "q.pdf", "", "q.pdf"},
	{"attachment; filename*=utf-8'en'lang.pdf", "lang.pdf", "", "lang.pdf"},
	{"attachment; filename*=ISO-8859-1''%e4.pdf", "ä.pdf", "", "\xe4.pdf"},
	{"attachment; filename*=UTF-8''a%20b.pdf", "a b.pdf", "", "a b.pdf"},
	{"attachment; filename*=UTF-8''a+b.pdf", "a+b.pdf", "", "a+b.pdf"},
	{"attachment; filename*=UTF-8''%2e%2e%2fetc%2fpasswd", "../etc/passwd", "", "..%2Fetc%2Fpasswd"},
	{`attachment; filename="ä.pdf"`, "ä.pdf", "ä.pdf", "ä.pdf"},
	{"attachment; filename=ä.pdf", "ä.pdf", "ä.pdf", "ä.pdf"},
	{"attachment; filename=\"\xe4.pdf\"", "ä.pdf", "\xe4.pdf", "\xe4.pdf"},
	{"attachment; filename=\xe4\xf6.pdf", "äö.pdf", "\xe4\xf6.pdf", "\xe4\xf6.pdf"},
	{`attachment; filename="a\"b.pdf"`, "a\"b.pdf", "", ""},
	{`attachment; filename="a\\b.pdf"`, "a\\b.pdf", "b.pdf", "b.pdf"},
	{`attachment; filename="C:\dir\a.pdf"`, "C:\\dir\\a.pdf", "a.pdf", "a.pdf"},
	{`attachment; filename="/etc/a.pdf"`, "/etc/a.pdf", "a.pdf", "a.pdf"},
	{`attachment; filename="../a.pdf"`, "../a.pdf", "a.pdf", "a.pdf"},
	{"attachment; filename=a;b.pdf", "a", "a", "a"},
	{`attachment; filename="a;b.pdf"`, "a;b.pdf", "a;b.pdf", "a;b.pdf"},
	{"attachment; filename=a,b.pdf", "a,b.pdf", "a,b.pdf", "a,b.pdf"},
	{`attachment; filename="a.pdf`, "a.pdf", "a.pdf", ""},
	{"attachment; filename='a.pdf'", "a.pdf", "a.pdf", "'a.pdf'"},
	{`attachment; filename="a'b.pdf"`, "a'b.pdf", "a'b.pdf", "a'b.pdf"},
	{"attachment; filename=o'neil.pdf", "o'neil.pdf", "o'neil.pdf", "o'neil.pdf"},
	{`attachment; filename = "a.pdf"`, "a.pdf", "", "a.pdf"},
	{"attachment ; filename= a.pdf ;", "a.pdf", " a.pdf ", "a.pdf"},
	{"attachment;filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; FILENAME=a.pdf", "a.pdf", "", "a.pdf"},
	{`ATTACHMENT; filename="a.pdf"`, "a.pdf", "a.pdf", "a.pdf"},
	{"filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"; filename=a.pdf", "a.pdf", "a.pdf", ""},
	{"inline; filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"inline; name=n.pdf; filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; name=n.pdf", "", "", ""},
	{"attachment; filename=", "", "", ""},
	{`attachment; filename=""`, "", "", ""},
	{"attachment; filename=a.pdf; filename=b.pdf", "a.pdf", "a.pdf", "a.pdfb.pdf"},
	{`attachment; foo="filename=x.pdf"; filename=a.pdf`, "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; xfilename=x.pdf; filename=a.pdf", "a.pdf", "a.pdf", "a.pdf"},
	{"attachment; filename*0=foo-; filename*1=bar.pdf", "", "", "foo-bar.pdf"},
	{"attachment; filename*0*=UTF-8''foo-%c3%a4; filename*1=.pdf", "", "", "foo-ä.pdf"},
	{`attachment; filename="=?UTF-8?Q?foo-=C3=A4.pdf?="`, "=?UTF-8?Q?foo-=C3=A4.pdf?=", "=?UTF-8?Q?foo-=C3=A4.pdf?=", "=?UTF-8?Q?foo-=C3=A4.pdf?="},
	{`attachment; filename="a%20b.pdf"`, "a%20b.pdf", "a%20b.pdf", "a b.pdf"},
	{"attachment; filename=a%20b.pdf", "a%20b.pdf", "a%20b.pdf", "a b.pdf"},
	{"attachment; filename=a b c.pdf", "a b c.pdf", "a b c.pdf", "a b c.pdf"},
	{"attachment; filename=\"a\tb.pdf\"", "a\tb.pdf", "a\tb.pdf", "a%09b.pdf"},
	{"attachment", "", "", ""}}

// OP-53 (RFC 6266, RFC 8187). Where the name is neither the one of curl nor the one of wget, other has the
// reason.
func TestFileName(t *testing.T) {
	other := map[string]string{
		`attachment; filename*=UTF-8''%2e%2e%2fetc%2fpasswd`: "a path ends in a name",
		"attachment; filename*=ISO-8859-1''%e4.pdf":          "names are text here",
		"attachment; filename=\"\xe4.pdf\"":                  "names are text here",
		"attachment; filename=\xe4\xf6.pdf":                  "names are text here",
		`attachment; filename="a\"b.pdf"`:                    "RFC 9110 section 5.6.4",
	}
	agrees := 0
	for _, tt := range fileNames {
		got := FileName(tt.value, "", charset.Text)
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.value, got, tt.want)
		}
		base := path.Base(strings.ReplaceAll(got, `\`, "/"))
		if got == "" {
			base = ""
		}
		if base == tt.curl || base == tt.wget {
			agrees++
		} else if other[tt.value] == "" {
			t.Errorf("%s: got %q, which is neither curl's %q nor wget's %q", tt.value, base, tt.curl, tt.wget)
		}
	}
	t.Logf("%d of %d as curl or wget", agrees, len(fileNames))
}

// The octets of a name that are not UTF-8 are of the charset of the page.
func TestFileNameCharset(t *testing.T) {
	const value = "attachment; filename=\"\xc6\xe6.pdf\""
	for label, want := range map[string]string{"": "Ææ.pdf", "gbk": "奇.pdf", "x-unknown": "Ææ.pdf", "utf-8": "Ææ.pdf"} {
		if got := FileName(value, label, charset.Text); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
}
