package inspect

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A letter is a message with one file, as it comes.
type letter struct {
	header           string // fields
	env              Envelope
	host, name, said string
	body             string
	to               string     // another host that the link leads to
	fails            fetch.Kind // the file cannot be had
	scheme           string     // "" for https
	hops             int        // redirects
	files            int        // of the same kind, each at its own link; 0 for one
	text             string     // the message, instead of one with files
}

// read returns the Report of a letter. Its scanner finds EVIL.
func (l letter) read(t testing.TB) *Report {
	t.Helper()
	host, said := l.host, l.said
	if host == "" {
		host = "files.example"
	}
	if said == "" {
		said = "application/octet-stream"
	}
	in := newInspector(t, new(web), new(scanning), PoolOptions{})
	scheme := cmp.Or(l.scheme, "https")
	mux := new(fetch.Mux)
	in.Resolver = &externalbody.Resolver{Fetcher: mux}
	mux.Handle(scheme, fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if l.fails != 0 {
			driver.Report(req, fetch.Event{Phase: fetch.Connecting, Hop: l.hops})
			return nil, &fetch.Error{Op: "fetch", Kind: l.fails}
		}
		r := served(req, l.body)
		r.MediaType = said
		if l.to != "" {
			r.URL, _ = url.Parse("https://" + l.to + "/f")
		}
		r.Hops = make([]*url.URL, l.hops)
		for i := range r.Hops {
			r.Hops[i] = r.URL
		}
		return r, nil
	}))
	if l.text != "" {
		return in.Inspect(t.Context(), messageOf(l.text))
	}
	part := func(n int) string {
		return fmt.Sprintf("Content-Type: message/external-body; access-type=url; url=\"%s://%s/f%d\"\r\n\r\nContent-Type: %s\r\n", scheme, host, n, said) +
			"Content-Disposition: attachment; filename=\"" + l.name + "\"\r\n\r\n"
	}
	text := l.header + part(0)
	if l.files > 0 {
		text = l.header + "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
		for n := range l.files {
			text += "--b\r\n" + part(n) + "\r\n"
		}
		text += "--b--\r\n"
	}
	return in.Inspect(t.Context(), messageOf(text))
}

// signedBy are the fields of a mail from an address, with the results of a host that is trusted.
func signedBy(address, results string) string {
	return "Authentication-Results: mx.example; " + results + "\r\nFrom: " + address + "\r\n"
}

// letters are mails that rules are tried on.
var letters = map[string]letter{
	"a report":             {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7"},
	"a large report":       {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7" + strings.Repeat(" ", 3_000_000)},
	"a letter in Word":     {name: "letter.docx", said: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", body: zipOf(zip.Deflate, member{"word/document.xml", "<?xml version='1.0'?>"})},
	"a sheet with macros":  {name: "sheet.xlsm", body: zipOf(zip.Deflate, member{"xl/vbaProject.bin", "x"})},
	"a program":            {name: "setup.exe", body: program},
	"a program called pdf": {name: "report.pdf", said: "application/pdf", body: program},
	"a program in a zip":   {name: "files.zip", body: testkit.Zip("setup.exe")},
	"pictures in a zip":    {name: "files.zip", said: "application/zip", body: testkit.Zip("a.png")},
	"a locked zip":         {name: "files.zip", body: lockedZip("a.png")},
	"an archive in 7z":     {name: "files.7z", body: "7z\xbc\xaf\x27\x1c" + strings.Repeat("\x00", 30)},
	"a script":             {name: "run.js", body: "x()"},
	"a page with a file":   {name: "page.html", said: "text/html", body: "<html><a download='a.exe' href='data:application/octet-stream;base64,TVqQ'>x</a></html>"},
	"a picture":            {name: "a.png", said: "image/png", body: "\x89PNG\r\n\x1a\n"},
	"a virus":              {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7 EVIL"},
	"a file that is gone":  {name: "a.pdf", fails: fetch.NotFound},
	"a file behind a page": {name: "a.pdf", fails: fetch.Interstitial},
	"a host that is down":  {name: "a.pdf", fails: fetch.Unavailable},
	"a link to elsewhere":  {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", to: "other.example"},
	"a file at a partner":  {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", host: "share.partner.example"},
	"a program at a partner": {
		name: "setup.exe", body: program, host: "share.partner.example",
	},
	"a bounce":      {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", env: Envelope{From: "<>"}},
	"a user's own":  {name: "setup.exe", body: program, env: Envelope{From: "me@ours.example", Authenticated: true}},
	"to the desk":   {name: "setup.exe", body: program, env: Envelope{Recipients: []string{"desk@ours.example"}}},
	"to a director": {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7", env: Envelope{Recipients: []string{"director@ours.example"}}},
	"a program for a director": {
		name: "setup.exe", body: program, env: Envelope{Recipients: []string{"a@ours.example", "director@ours.example"}},
	},
	"from our network":     {name: "setup.exe", body: program, env: Envelope{Client: netip.MustParseAddr("192.0.2.7")}},
	"from a stranger":      {name: "setup.exe", body: program, env: Envelope{Client: netip.MustParseAddr("198.51.100.7"), From: "a@stranger.example"}},
	"a partner, proven":    {header: signedBy("a@partner.example", "dkim=pass header.d=partner.example; spf=pass; dmarc=pass"), name: "setup.exe", body: program},
	"a partner, forged":    {header: signedBy("a@partner.example", "dkim=fail header.d=partner.example; spf=fail; dmarc=fail"), name: "setup.exe", body: program},
	"a partner, untested":  {header: "From: a@partner.example\r\n", name: "setup.exe", body: program},
	"an invoice":           {name: "Invoice_2024.pdf", said: "application/pdf", body: "%PDF-1.7"},
	"an invoice in a zip":  {name: "files.zip", said: "application/zip", body: testkit.Zip("2024/Invoice.pdf")},
	"a program after pdf":  {name: "report.pdf.exe", body: program},
	"a report of Rome":     {name: "RELAZIONE\u0301 1.pdf", said: "application/pdf", body: "%PDF-1.7"},
	"a report about money": {header: "Subject: =?utf-8?q?Your_last?=\r\n =?utf-8?q?_Invoice?=\r\n", name: "report.pdf", said: "application/pdf", body: "%PDF-1.7"},
	"a mail of a list":     {header: "List-Id: <list.example>\r\n", name: "setup.exe", body: program},
	"a mail called spam":   {header: "X-Spam: YES, 7.5\r\nX-Spam: checked\r\n", name: "report.pdf", said: "application/pdf", body: "%PDF-1.7"},
	"two reports":          {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7", files: 2},
	"six reports":          {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7", files: 6},
	"two large reports":    {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7" + strings.Repeat(" ", 3_000_000), files: 2},
	"two that are gone":    {name: "a.pdf", fails: fetch.NotFound, files: 2},
	"a report by HTTP":     {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7", scheme: "http"},
	"a report by FTP":      {name: "report.pdf", said: "application/pdf", body: "%PDF-1.7", scheme: "ftp"},
	"a long way":           {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", hops: 4},
	"a way without end":    {name: "a.pdf", said: "application/pdf", fails: fetch.Protocol, hops: 10},
	"a short way":          {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", hops: 1},
	"an address":           {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", host: "192.0.2.99"},
	"a far address":        {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", host: "[2001:db8::1]"},
	"a name in Punycode":   {name: "a.pdf", said: "application/pdf", body: "%PDF-1.7", host: "files.xn--bcher-kva.example"},
	"a link of a gateway":  {text: "Content-Type: text/plain\r\n\r\nhttps://protect-eu.mimecast.com/s/AbCdEfGh\r\n"},
	"an unread charset":    {text: "Content-Type: text/plain; charset=x-nobody\r\n\r\nhttps://files.example/f\r\n"},
	"a letter that failed DMARC": {
		header: signedBy("a@bank.example", "dmarc=fail"), name: "a.pdf", said: "application/pdf", body: "%PDF-1.7",
	},
}

// TestSentences has policies in the words of operators, with mails that they match and mails that they do
// not.
func TestSentences(t *testing.T) {
	tried := 0
	policies := []struct {
		sentence, rules string
		yes, no         string // the names of letters, with semicolons between them
	}{
		{"Nothing with a virus comes in.", "verdict='malware'; action='reject'", "a virus", "a report; a program; a file that is gone"},
		{"Programs are refused.", "extension='@programs'; action='reject'", "a program; a program called pdf; a program in a zip; a user's own", "a report; a script; a sheet with macros; pictures in a zip"},
		{"Scripts are taken out.", "extension='@scripts'; action='strip'", "a script; a page with a file", "a report; a program"},
		{"Whatever runs is held.", "extension=['@programs', '@scripts']; action='quarantine'", "a program; a script; a program in a zip", "a picture; a letter in Word"},
		{"Files with macros get a word before their subject.", "extension='@macros'; action='subject'; text='[Macros]'", "a sheet with macros", "a letter in Word; a report"},
		{"Only PDF is put into the mail.", "extension='pdf'; type='application/pdf'; verdict='clean'; action='inline'", "a report; a large report; a bounce", "a program called pdf; a virus; a file that is gone; a letter in Word"},
		{"Small reports are put into the mail.", "extension='pdf'; max_size='1MB'; verdict='clean'; action='inline'", "a report", "a large report; a program called pdf"},
		{"Files of more than a megabyte stay links, with a notice.", "min_size='1MB'; action='notice'", "a large report", "a report; a picture"},
		{"A file that is something else than it says is held.", "mismatch=true; action='quarantine'", "a program called pdf; a page with a file", "a report; a program; a picture"},
		{"What nobody can look into is held.", "unread=['archive', 'encrypted', 'cut-short']; action='hold'", "an archive in 7z", "pictures in a zip; a report"},
		{"Files with a password are held.", "encrypted=true; action='hold'", "a locked zip", "pictures in a zip; a report; an archive in 7z"},
		{"Archives go to the desk.", "extension='@containers'; action='redirect'; to='desk@ours.example'", "pictures in a zip; a locked zip; an archive in 7z", "a report; a letter in Word"},
		{"If the file is gone, the mail says so.", "kind=['not-found', 'gone']; action='notice'", "a file that is gone", "a host that is down; a report"},
		{"If the host is down, the sender tries again.", "kind='unavailable'; action='defer'", "a host that is down", "a file that is gone; a report"},
		{"A link that ends at a page is held.", "kind='interstitial'; action='quarantine'", "a file behind a page", "a report; a file that is gone"},
		{"A link that leads to another site is held.", "redirected=true; action='quarantine'", "a link to elsewhere", "a report; a file at a partner; a file that is gone"},
		{"Files at our partner pass.", "host='partner.example'; action='none'", "a file at a partner; a program at a partner", "a report; a link to elsewhere"},
		{"Programs are refused, except at our partner.", "extension='@programs'; not={ host='partner.example' }; action='reject'", "a program; a program called pdf", "a program at a partner; a file at a partner"},
		{"For our own users nothing is looked at.", "authenticated=true; action='skip'", "a user's own", "a program; a report; from a stranger"},
		{"Programs are refused, except from our own users.", "extension='@programs'; not={ authenticated=true }; action='reject'", "a program; from a stranger", "a user's own; a report"},
		{"Programs are refused, except from our own network.", "extension='@programs'; not={ client='192.0.2.0/24' }; action='reject'", "a program; from a stranger; to the desk", "from our network; a report"},
		{"Programs are refused, except for the desk.", "extension='@programs'; not={ recipient='desk@ours.example' }; action='reject'", "a program; from a stranger", "to the desk; a report"},
		{"Programs are refused, unless the partner's DKIM passes.", "extension='@programs'; not={ dkim='pass', header_from='partner.example' }; action='reject'", "a program; a partner, forged; a partner, untested", "a partner, proven; a report"},
		{"Programs are refused, unless DMARC passes.", "extension='@programs'; not={ dmarc='pass' }; action='reject'", "a program; a partner, forged; a partner, untested", "a partner, proven"},
		{"A file in a mail that fails DMARC is held.", "dmarc='fail'; action='quarantine'", "a partner, forged; a letter that failed DMARC", "a partner, proven; a partner, untested; a report"},
		{"A file in a mail whose SPF fails is held.", "spf=['fail', 'softfail']; action='quarantine'", "a partner, forged", "a partner, proven; a report"},
		{"Mail of the partner passes if it is proven.", "header_from='partner.example'; dmarc='pass'; action='none'", "a partner, proven", "a partner, forged; a partner, untested"},
		{"Bounces have no files.", "envelope_from='<>'; action='strip'", "a bounce", "a report; from a stranger"},
		{"A stranger's programs are refused.", "envelope_from='stranger.example'; extension='@programs'; action='reject'", "from a stranger", "a program; a user's own"},
		{"What goes to the director is copied to the desk.", "recipient='director@ours.example'; action='copy'; to='desk@ours.example'", "to a director", "to the desk; a report"},
		{"Pictures pass.", "type='image/*'; mismatch=false; action='none'", "a picture", "a report; a program; a file that is gone"},
		{"Reports and pictures pass, and all else is held.", "not={ extension=['pdf', 'png', 'docx'], mismatch=false }; action='hold'", "a program; a program called pdf; a script; pictures in a zip", "a report; a picture; a letter in Word"},
		{"Anything suspicious is held.", "verdict='suspicious'; action='hold'", "a program called pdf; a page with a file; a file behind a page", "a report; a virus; a program"},
		{"What could not be had is marked in its subject.", "verdict='unavailable'; action='subject'; text='[File not looked at]'", "a file that is gone; a host that is down", "a report; a virus; a file behind a page"},
		{"A program or a script is refused, whichever.", "any=[{ extension='@programs' }, { extension='@scripts' }]; action='reject'", "a program; a script; a program in a zip", "a report; an archive in 7z"},
		{"A large file from a stranger is held.", "min_size='1MB'; not={ host='partner.example' }; action='hold'", "a large report", "a report; a file at a partner"},
		{"What the scanner passed and is a PDF passes.", "scan='clean'; type='application/pdf'; action='none'", "a report; a bounce", "a virus; a program; a file that is gone"},
		{"What was not scanned is held.", "scan=['failed', 'none']; action='hold'", "a file that is gone; a host that is down", "a report; a virus"},
		{"References by message/external-body to programs are taken out.", "dialect='standard'; extension='@programs'; action='strip'", "a program; a program in a zip", "a report; a script"},
		{"A page that brings a file with it is refused.", "extension=['html', 'htm', 'svg']; verdict='suspicious'; action='reject'", "a page with a file", "a report; a script; a program called pdf"},
		{"Anything that is called an invoice is held.", "file_name='*invoice*'; action='hold'", "an invoice; an invoice in a zip", "a report; a report about money; pictures in a zip"},
		{"A file with two extensions, the first of which is that of a document, is refused.", "file_name=['*.pdf.*', '*.doc?.*']; action='reject'", "a program after pdf", "a program called pdf; a report; a letter in Word"},
		{"Names are the same however their accents are written.", "file_name='relazion\u00e9 *'; action='tag'", "a report of Rome", "a report"},
		{"Only what is called a report is put in.", "file_name='report.*'; type='application/pdf'; action='inline'", "a report; a large report; two reports", "an invoice; a file that is gone; a program after pdf"},
		{"The files on the list of known malware are refused.", "sha256=['" + digest("%s", "%PDF-1.7") + "', '" + digest("x") + "']; action='reject'", "a report; an invoice; a short way", "a large report; a program; a file that is gone"},
		{"What has not been released by its digest is held.", "not={ sha256='" + digest("%s", "%PDF-1.7") + "' }; action='hold'", "a program; a large report; a virus", "a report; an invoice"},
		{"What the scanner calls evil goes to the desk.", "signature='test.*'; action='redirect'; to='desk@ours.example'", "a virus", "a report; a program; a file that is gone"},
		{"Malware of any other name is refused.", "verdict='malware'; not={ signature='phish.*' }; action='reject'", "a virus", "a report; a file that is gone"},
		{"Nobody sends more than five files.", "min_count=6; action='quarantine'", "six reports", "two reports; a report; a program"},
		{"A mail with one small file gets it.", "max_count=1; max_size='1MB'; action='inline'", "a report; an invoice", "two reports; a large report; a file that is gone"},
		{"A link that goes on more than three times is held.", "min_redirects=4; action='hold'", "a long way; a way without end", "a short way; a report; a file that is gone"},
		{"A short way passes.", "max_redirects=3; action='none'", "a short way; a report", "a long way; a way without end; a file that is gone"},
		{"A file in a mail about invoices is held.", "header={ Subject='*invoice*' }; action='hold'", "a report about money", "a report; an invoice"},
		{"What the filter called spam has no files, unless a list brought it.", "header={ X-Spam='yes*' }; not={ header={ List-Id='*' } }; action='strip'", "a mail called spam", "a mail of a list; a report"},
		{"Programs are refused, but not those of lists.", "extension='@programs'; not={ header={ List-Id='*' } }; action='reject'", "a program; a program in a zip", "a mail of a list; a report"},
		{"A file over plain HTTP is marked.", "scheme='http'; action='subject'; text='[Not over TLS]'", "a report by HTTP", "a report; a report by FTP"},
		{"There is no FTP here.", "scheme=['ftp', 'ftps']; action='reject'", "a report by FTP", "a report; a report by HTTP"},
		{"More than five megabytes in all are held.", "min_total_size='5MB'; action='hold'", "two large reports", "a large report; two reports; two that are gone"},
		{"A little in all is put in.", "max_total_size='5MB'; action='inline'", "two reports; a large report", "two large reports; two that are gone"},
		{"A link that hides behind a gateway is held.", "unread='wrapper'; action='hold'", "a link of a gateway", "an unread charset; a report; a locked zip"},
		{"A link to a bare address is refused.", "host=['0.0.0.0/0', '::/0']; action='reject'", "an address; a far address", "a report; a name in Punycode"},
		{"The addresses of the laboratory pass.", "host='192.0.2.0/24'; action='none'", "an address", "a far address; a report"},
		{"A name in Punycode is held.", "host='xn--*'; action='hold'", "a name in Punycode", "a report; an address"},
		{"Files of the office go to the desk.", "extension='@office'; action='redirect'; to='desk@ours.example'", "a letter in Word; a sheet with macros", "a report; a program"},
		{"What may run is copied to the desk and to the auditor.", "extension='@programs'; action='copy'; to=['desk@ours.example', 'auditor@ours.example']", "a program; a program in a zip", "a report; a script"},
		{"Nothing for the director runs, is locked or is unknown.", "recipient='director@ours.example'; any=[{ extension='@programs' }, { encrypted=true }, { kind='unavailable' }]; action='reject'", "a program for a director", "to a director; a program; a locked zip; a host that is down"},
	}
	for _, p := range policies {
		policy := parsed(t, "[authentication]\nauthserv_id = 'mx.example'\n[sets]\noffice = ['docx', '@macros']\n[[rule]]\nname = 'r'\n"+strings.ReplaceAll(p.rules, "; ", "\n")+"\n")
		for want, names := range map[bool]string{true: p.yes, false: p.no} {
			for name := range strings.SplitSeq(names, "; ") {
				tried++
				l, known := letters[name]
				if !known {
					t.Fatalf("%s: there is no letter %q", p.sentence, name)
				}
				d := policy.DecideAll(l.read(t), &l.env, func() bool { return true })
				if got := d.Rule == "r"; got != want {
					t.Errorf("%s: %s: got a match %t (%s), want %t", p.sentence, name, got, d.Action, want)
				}
			}
		}
	}
	t.Logf("%d policies, %d trials with %d mails", len(policies), tried, len(letters))
}
