package inspect

import (
	"archive/zip"
	"bytes"
	"context"
	"hash/crc32"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A disguise is a file that a message refers to, and that a rule against programs and scripts is to see.
type disguise struct {
	name                        string // of the row
	disposition, typeName, path string // the names that the message gives it
	said, outer                 string // its type, and fields of the outer part
	server                      named
}

// inspected returns the Report of a message with the file.
func (d disguise) inspected(t testing.TB) *Report {
	t.Helper()
	if d.said == "" {
		d.said = "application/octet-stream"
	}
	if d.path == "" {
		d.path = "/f"
	}
	text := "Content-Type: message/external-body; access-type=url; url=\"https://a.example" + d.path + "\"" + d.outer + "\r\n\r\nContent-Type: " + d.said
	if d.typeName != "" {
		text += "; name=\"" + d.typeName + "\""
	}
	if d.disposition != "" {
		text += "\r\nContent-Disposition: attachment; filename*=utf-8''" + strings.ReplaceAll(url.QueryEscape(d.disposition), "+", "%20")
	}
	in := newInspector(t, new(web), nil, PoolOptions{})
	if d.server.mediaType == "" {
		d.server.mediaType = d.said
	}
	if d.server.body == "" {
		d.server.body = "x"
	}
	in.Resolver = answering(d.server.Fetch)
	return in.Inspect(t.Context(), messageOf(text+"\r\n\r\n"))
}

// program is a Windows program.
var program = "MZ" + strings.Repeat("\x00", 100)

// A member is a file in an archive.
type member struct{ name, text string }

// zipOf returns a zip file with members that have octets.
func zipOf(method uint16, members ...member) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		if err != nil {
			panic(err)
		}
		io.WriteString(w, m.text)
	}
	z.Close()
	return b.String()
}

// lockedZip returns a zip file whose members need a password, by their flags.
func lockedZip(names ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, n := range names {
		w, err := z.CreateRaw(&zip.FileHeader{Name: n, Flags: 1, CompressedSize64: 13, UncompressedSize64: 1, CRC32: crc32.ChecksumIEEE([]byte("x"))})
		if err != nil {
			panic(err)
		}
		io.WriteString(w, strings.Repeat("y", 13))
	}
	z.Close()
	return b.String()
}

// disguises are made from the ways in which systems use names, types and
// containers.
func disguises() (list []disguise) {
	add := func(d ...disguise) { list = append(list, d...) }
	file := func(name, disposition, body string) {
		add(disguise{name: name, disposition: disposition, server: named{body: body}})
	}
	// Names of which some system takes the end for an extension that runs.
	for _, n := range [][2]string{
		{"plain name", "a.exe"}, {"two extensions", "a.pdf.exe"}, {"capital letters", "a.PDF.EXE"}, {"a dot at the end", "a.exe."}, {"dots and spaces at the end", "a.exe . . "},
		{"spaces before the extension", "a.pdf" + strings.Repeat(" ", 200) + ".exe"}, {"no-break spaces before it", "a.pdf" + strings.Repeat("\u00a0", 100) + ".scr"},
		{"right-to-left override", "a\u202efdp.exe"}, {"right-to-left isolate", "a\u2067fdp.scr"}, {"left-to-right mark within", "a.e\u200exe"}, {"zero-width space at the end", "a.exe\u200b"},
		{"word joiner within", "a.e\u2060xe"}, {"soft hyphen within", "a.e\u00adxe"}, {"variation selector", "a.exe\ufe0f"}, {"tag character", "a.exe\U000e0041"},
		{"fullwidth letters", "a.\uff45\uff58\uff45"}, {"fullwidth dot", "a\uff0eexe"}, {"one dot leader", "a\u2024exe"}, {"ideographic full stop", "a\u3002exe"}, {"halfwidth full stop", "a\uff61exe"},
		{"small full stop", "a\ufe52exe"}, {"mathematical letters", "a.\U0001d41e\U0001d431\U0001d41e"}, {"NTFS data stream", "a.exe::$DATA"}, {"named NTFS stream", "a.exe:b.pdf"}, {"stream of a harmless name", "a.pdf:b.exe"},
		{"after a NUL", "a.exe\x00.pdf"}, {"a folder before it", "b.pdf\\a.exe"}, {"folders of the other kind", "b.pdf/a.exe"}, {"a slash at the end", "a.exe/"}, {"a line end at its end", "a.exe\r\n"}, {"a tab at its end", "a.exe\t"},
		{"encoded word", "=?utf-8?Q?a=2Eexe?="}, {"encoded word in UTF-16", "=?utf-16?B?YQAuAGUAeABlAA==?="}, {"quotes around it", "\"a.exe\""}, {"only an extension", ".exe"},
		{"a device name", "CON.exe"}, {"a class identifier", "a.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}.hta"},
	} {
		file("name: "+n[0], n[1], "")
	}
	// Extensions that run as well.
	for _, ext := range []string{
		"scr", "pif", "com", "cpl", "msi", "msp", "lnk", "url", "hta", "js", "jse", "vbs", "vbe", "wsf", "wsh", "ps1", "bat", "cmd", "reg", "jar", "chm", "iso", "img", "vhd", "vhdx", "one", "xll", "scf", "inf", "appref-ms",
		"library-ms", "search-ms", "settingcontent-ms", "msc", "svg", "html", "htm", "mht", "xhtml", "docm", "xlsm", "apk", "dmg", "pkg", "desktop", "sh", "elf", "appimage", "py", "rdp", "iqy", "wim", "application", "theme",
	} {
		file("extension: "+ext, "a."+ext, "")
	}
	// Where the name is.
	add(disguise{name: "place: of the URL", typeName: "a.pdf", path: "/a.exe"}, disguise{name: "place: of the URL, escaped", path: "/a%2Eexe"},
		disguise{name: "place: of the type", disposition: "a.pdf", typeName: "a.exe"}, disguise{name: "place: of the server", disposition: "a.pdf", server: named{name: "a.exe"}},
		disguise{name: "place: second name of the server", disposition: "a.pdf", server: named{name: "a.pdf\"; filename=\"a.exe"}}, disguise{name: "place: of the last redirect", disposition: "a.pdf", server: named{final: "/b/a.exe"}},
		disguise{name: "place: second name of the type", disposition: "a.pdf", typeName: "a.pdf\"; name=\"a.exe"}, disguise{name: "place: of the outer part", disposition: "a.pdf", outer: "\r\nContent-Disposition: attachment; filename=a.exe"})
	// Types.
	for _, said := range []string{"application/x-msdownload", "application/x-dosexec", "application/vnd.microsoft.portable-executable", "application/hta", "text/javascript", "application/x-msi", "application/java-archive", "text/html", "image/svg+xml", "application/x-sh"} {
		add(disguise{name: "type: " + said, said: said}, disguise{name: "type of the server: " + said, disposition: "a", server: named{mediaType: said}})
	}
	// Octets.
	svg := "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>"
	for _, n := range []string{"report", "report.bin", "report.pdf", "report.docx", "report.jpg", "report.zip", "report.txt", "report.rar"} {
		file("octets of a program: "+n, n, program)
	}
	for name, body := range map[string]string{
		"an ELF program": "\x7fELF" + strings.Repeat("\x00", 60), "a shell script": "#!/bin/sh\nx\n", "a shortcut": "L\x00\x00\x00\x01\x14\x02\x00" + strings.Repeat("\x00", 60), "a page": "<!DOCTYPE html><html><body>x</body></html>", "SVG": svg,
		"compiled help": "ITSF" + strings.Repeat("\x00", 60), "OneNote": "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "a cabinet": "MSCF" + strings.Repeat("\x00", 60),
	} {
		file("octets of "+name+" as report.pdf", "report.pdf", body)
	}
	file("octets of a page that offers a file", "report.html", "<html><a download=a.exe href='data:application/octet-stream;base64,TVqQ'>x</a></html>")
	file("octets of a page with a blob", "report.pdf", "<html><script>a.download='a.exe';a.href=URL.createObjectURL(b)</script></html>")
	file("octets: PDF and zip in one", "report.pdf", "%PDF-1.7\n"+testkit.Zip("a.exe"))
	file("octets: GIF and zip in one", "a.gif", "GIF89a"+testkit.Zip("a.exe"))
	file("octets: a program and zip in one", "a.zip", program+testkit.Zip("a.txt"))
	// Containers.
	long := strings.Repeat("x", 60000) + ".txt"
	padded := make([]string, 20)
	for i := range padded {
		padded[i] = long
	}
	for name, body := range map[string]string{
		"zip": testkit.Zip("b.txt", "dir/a.exe"), "zip after other octets": "before" + testkit.Zip("a.exe"), "zip with two ends": testkit.Zip("a.exe") + "PK\x05\x06" + strings.Repeat("\x00", 18), "first of two zips": testkit.Zip("a.exe") + testkit.Zip("b.txt"),
		"zip with a long directory": testkit.Zip(append(padded, "a.exe")...), "zip with a damaged directory": strings.Replace(testkit.Zip("b.txt", "a.exe"), "PK\x01\x02", "PK\x01\x03", 1),
		"zip with another name in the member": strings.Replace(testkit.Zip("b.txt", "a.exe"), "a.exe", "a.txt", 1), "zip, encrypted": lockedZip("a.pdf"), "zip, name with an override": testkit.Zip("a\u202efdp.exe"),
		"zip, program called .txt": zipOf(zip.Deflate, member{"a.txt", program}), "zip, program called .txt, stored": zipOf(zip.Store, member{"b.txt", "x"}, member{"a.txt", program}),
		"zip, script without a name for it": zipOf(zip.Deflate, member{"README", "#!/bin/sh\n"}),
		"zip in zip":                        zipOf(zip.Deflate, member{"b.zip", zipOf(zip.Deflate, member{"a.exe", "x"})}), "zip in zip in zip": zipOf(zip.Store, member{"c.zip", zipOf(zip.Deflate, member{"b.zip", testkit.Zip("a.exe")})}),
		"zip in zip, called .pdf": zipOf(zip.Deflate, member{"b.pdf", testkit.Zip("a.exe")}), "tar in zip": zipOf(zip.Deflate, member{"b.tar", testkit.Tar("a.exe", "x")}), "gzip in zip": zipOf(zip.Deflate, member{"b.gz", testkit.Gzip("a.exe", "x")}),
		"encrypted zip in zip": zipOf(zip.Deflate, member{"b.zip", lockedZip("a.pdf")}), "7z in zip": zipOf(zip.Deflate, member{"b.pdf", "7z\xbc\xaf\x27\x1c" + strings.Repeat("\x00", 40)}),
		"tar": testkit.Tar("a.exe", "x"), "tar, program called .txt": testkit.Tar("a.txt", program), "zip in tar": testkit.Tar("b.zip", testkit.Zip("a.exe")),
		"gzip with a name": testkit.Gzip("a.exe", "x"), "gzip of a program": testkit.Gzip("", program), "gzip of tar": testkit.Gzip("", testkit.Tar("a.exe", "x")), "gzip of zip": testkit.Gzip("", testkit.Zip("a.exe")), "gzip of gzip": testkit.Gzip("", testkit.Gzip("a.exe", "x")),
		"gzip, cut short": testkit.Gzip("", "x")[:15], "7z": "7z\xbc\xaf\x27\x1c" + strings.Repeat("\x00", 40), "RAR": "Rar!\x1a\x07\x00" + strings.Repeat("\x00", 40), "RAR 5": "Rar!\x1a\x07\x01\x00" + strings.Repeat("\x00", 40), "xz": "\xfd7zXZ\x00" + strings.Repeat("\x00", 40), "bzip2": "BZh91AY&SY", "zstd": "\x28\xb5\x2f\xfd" + strings.Repeat("\x00", 40),
		"disk image": strings.Repeat("\x00", 0x8001) + "CD001\x01" + strings.Repeat("\x00", 2048), "Office file with a program": zipOf(zip.Deflate, member{"word/document.xml", "<?xml version='1.0'?>"}, member{"word/embeddings/a.bin", program}),
	} {
		file("container: "+name, "files", body)
	}
	deep := testkit.Zip("a.exe")
	for range 8 {
		deep = zipOf(zip.Deflate, member{"b.zip", deep})
	}
	file("container: nine zip files within each other", "a.zip", deep)
	file("container: zip, a method that is not read", "a.zip", strings.ReplaceAll(zipOf(zip.Store, member{"a.txt", program}), "PK\x03\x04\x14\x00\x08\x00\x00\x00", "PK\x03\x04\x14\x00\x08\x00\x0e\x00"))
	file("container: zip of many octets", "a.zip", zipOf(zip.Deflate, member{"b.zip", zipOf(zip.Deflate, member{"a.bin", strings.Repeat("\x00", 80<<20)}, member{"a.exe", "x"})}))
	file("container: zip after other octets within zip", "a.zip", zipOf(zip.Deflate, member{"b.pdf", "%PDF-1.7 " + testkit.Zip("a.exe")}))
	file("container: PDF with a program in it", "a.pdf", "%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Length 102>>stream\n"+program+"\nendstream endobj")
	file("octets: a program with one octet before it", "a.pdf", "%PDF-1.7 "+program)
	file("octets: a program in base64", "a.txt", "TVqQAAMAAAAEAAAA//8AALgAAAAAAAAAQAAAAAAAAAAAAAAA")
	file("octets: a script of words", "a.txt", "new ActiveXObject('WScript.Shell').Run('x')\r\n")
	return list
}

// deny are the rules that are meant to stop programs and scripts, and whatever could not be looked into.
const deny = `
[[rule]]
name = "programs"
extension = ["@programs", "@scripts", "@macros", "iso", "img", "vhd", "vhdx", "one", "cab", "wim", "rdp", "iqy"]
action = "reject"
[[rule]]
name = "disguised"
mismatch = true
action = "reject"
[[rule]]
name = "locked"
encrypted = true
action = "reject"
[[rule]]
name = "closed"
unread = ["archive", "encrypted", "cut-short"]
action = "reject"
`

// TestDisguises counts the disguises that rules as operators write them stop. Harmless files pass these rules.
func TestDisguises(t *testing.T) {
	p := parsed(t, deny)
	stopped, by := 0, make(map[string]int)
	all := disguises()
	for _, d := range all {
		rep := d.inspected(t)
		decision := p.Decide(rep, new(Envelope), "", nil)
		if decision.Action == Reject {
			stopped++
			by[decision.Rule]++
			continue
		}
		if why := passes[d.name]; why != "" {
			t.Logf("%s passes: %s", d.name, why)
		} else {
			t.Errorf("%s passes: %s", d.name, rep.Refs[0].Text())
		}
	}
	t.Logf("%d of %d disguises are stopped, by the rules %v", stopped, len(all), by)
	for _, d := range []disguise{
		{name: "PDF", disposition: "a.pdf", said: "application/pdf", server: named{body: "%PDF-1.7"}},
		{name: "text", disposition: "a.txt", said: "text/plain", server: named{body: "hello"}},
		{name: "picture", disposition: "a.png", said: "image/png", server: named{body: "\x89PNG\r\n\x1a\n"}},
		{name: "zip", disposition: "a.zip", said: "application/zip", server: named{body: zipOf(zip.Deflate, member{"a.pdf", "%PDF-1.7"}, member{"b.txt", "hello"})}},
		{name: "zip of zip", disposition: "a.zip", said: "application/zip", server: named{body: zipOf(zip.Deflate, member{"b.zip", testkit.Zip("a.pdf")})}},
		{name: "Office", disposition: "a.docx", server: named{body: zipOf(zip.Deflate, member{"[Content_Types].xml", "<?xml version='1.0'?>"}, member{"word/embeddings/b.xlsx", zipOf(zip.Deflate, member{"[Content_Types].xml", "<?xml version='1.0'?>"})})}},
		{name: "tar", disposition: "a.tar.gz", said: "application/gzip", server: named{body: testkit.Gzip("", testkit.Tar("a.txt", "hello"))}},
	} {
		if decision := p.Decide(d.inspected(t), new(Envelope), "", nil); decision.Action != Tag {
			t.Errorf("%s: got %s by %s, want it to pass", d.name, decision.Action, decision.Rule)
		}
	}
}

// passes are the disguises that are not stopped, and why not.
var passes = map[string]string{
	"container: zip after other octets within zip": "the directory of a zip file within another one is not looked for: programs that unpack the outer one see a PDF",
	"container: PDF with a program in it":          "a PDF is not taken apart; readers of PDF do not run what is in it",
	"octets: a program with one octet before it":   "it is not a program: no system runs it under this name",
	"octets: a program in base64":                  "it is text: no system runs it under this name",
	"octets: a script of words":                    "it is text: no system runs it under this name",
}

// A body that came from another site than its link has meets the condition, unless the link is one of a known host
// of files.
func TestRedirected(t *testing.T) {
	for _, tt := range []struct {
		name, to string
		want     Action
	}{
		{"Same", "https://a.example/f", Tag},
		{"Path", "https://a.example/other", Tag},
		{"Below", "https://files.a.example/f", Tag},
		{"Beside", "https://www.example/f", Hold},
		{"Elsewhere", "https://b.example/f", Hold},
		{"Address", "https://192.0.2.1/f", Hold},
	} {
		in := newInspector(t, new(web), nil, PoolOptions{})
		in.Resolver = answering(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			r := served(req, "hello")
			r.URL, _ = url.Parse(tt.to)
			return r, nil
		})
		rep := in.Inspect(t.Context(), refersTo("https://a.example/f"))
		if d := rules(t, "name='r'; redirected=true; action='hold'").Decide(rep, new(Envelope), "", nil); d.Action != tt.want || rep.Refs[0].Redirected != (tt.want == Hold) {
			t.Errorf("%s: got %s, redirected %t, want %s", tt.name, d.Action, rep.Refs[0].Redirected, tt.want)
		}
		if d := rules(t, "name='r'; redirected=false; action='none'").Decide(rep, new(Envelope), "", nil); (d.Action == None) != (tt.want == Tag) {
			t.Errorf("%s: got %s for a link that leads nowhere else", tt.name, d.Action)
		}
	}
	// Of a body that could not be had it is not known.
	in := newInspector(t, new(web), nil, PoolOptions{})
	rep := in.Inspect(t.Context(), refers("gone.example"))
	for _, value := range []string{"true", "false"} {
		if d := rules(t, "name='r'; redirected="+value+"; action='hold'").Decide(rep, new(Envelope), "", nil); d.Action != Tag {
			t.Errorf("gone, %s: got %s, want no match", value, d.Action)
		}
	}
}

// A page that offers a file within itself is suspicious, by any of the ways in which pages do that.
func TestSmuggling(t *testing.T) {
	for text, want := range map[string]Verdict{
		"<html><a download='a.exe' href='data:application/octet-stream;base64,TVqQ'>x</a></html>":                 Suspicious,
		"<html><script>a.download='a.iso';a.href=URL.createObjectURL(new Blob([x]));a.click()</script></html>":    Suspicious,
		"<html><script>navigator.msSaveOrOpenBlob(b, 'a.zip')</script></html>":                                    Suspicious,
		"<svg xmlns='http://www.w3.org/2000/svg'><a download='a.js' href='data:application/javascript,x'/></svg>": Suspicious,
		"<html><a download href='https://a.example/b.pdf'>x</a></html>":                                           Clean,
		"<html><img src='data:image/png;base64,iVBORw0KGgo='></html>":                                             Clean,
	} {
		d := disguise{disposition: "a.html", said: "text/html", server: named{body: text}}
		if strings.HasPrefix(text, "<svg") {
			d = disguise{disposition: "a.svg", said: "image/svg+xml", server: named{body: text}}
		}
		if rep := d.inspected(t); rep.Verdict != want || (rep.Refs[0].Disguise == "file-in-page") != (want == Suspicious) {
			t.Errorf("%s: got %s, %q, want %s", text, rep.Verdict, rep.Refs[0].Disguise, want)
		}
	}
}
