package filekind

import (
	"slices"
	"strings"
	"testing"
)

// A body whose type has a fixed beginning has that start.
func TestContradicts(t *testing.T) {
	exe := "MZ" + strings.Repeat("\x00", 100)
	const compound = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	for _, test := range []struct {
		name, head, said, file string
		want                   bool
	}{
		{"PDF", "%PDF-1.7", "application/pdf", "a.pdf", false},
		{"TextForPDF", "hello", "application/pdf", "a.pdf", true},
		{"PageForPDF", "<!DOCTYPE html><p>", "", "a.pdf", true},
		{"PageForText", "<p>hello", "text/plain", "a.md", false},
		{"ProgramForPDF", exe, "application/pdf", "a.pdf", true},
		{"ProgramByName", exe, "application/octet-stream", "setup.exe", false},
		{"ProgramByNameUpperCase", exe, "", "a.EXE.", false},
		{"ProgramByNameZeroWidth", exe, "", "a.exe\u200b", false},
		{"ProgramWithoutExtension", exe, "", "a", false},
		{"ProgramForPDFWithDot", exe, "", "a.pdf.", true},
		{"ProgramForPDFWithSpace", exe, "", "a.pdf ", true},
		{"ProgramForImageByName", exe, "", "a.png", true},
		{"ProgramNamedDouble", exe, "application/pdf", "a.pdf.exe", true},
		{"ShortcutForPDF", "L\x00\x00\x00\x01\x14\x02\x00", "application/pdf", "a.pdf", true},
		{"DOCX", "PK\x03\x04", "", "a.docx", false},
		{"JAR", "PK\x03\x04", "", "a.jar", false},
		{"ZipForPDF", "PK\x03\x04", "application/pdf", "a.pdf", true},
		{"ZipForText", "PK\x03\x04", "text/csv", "a.csv", true},
		{"PNGForJPEG", "\x89PNG\r\n\x1a\n", "image/jpeg", "a.jpg", false},
		{"PNGForPDF", "\x89PNG\r\n\x1a\n", "application/pdf", "a.pdf", true},
		{"PDFForPNG", "%PDF-1.7", "image/png", "a.png", true},
		{"Empty", "", "application/pdf", "a.pdf", false},
		{"UnknownForPDF", "\x00\x01\x02", "application/pdf", "a.pdf", true},
		{"Unknown", "\x00\x01\x02", "application/x-unheard-of", "a.xyz", false},
		{"NothingSaid", "\x89PNG\r\n\x1a\n", "text/plain", "", false},
		{"MSI", compound, "", "invoice.pdf", true},
		{"RAR", "Rar!\x1a\x07\x01\x00", "", "invoice.pdf", true},
		{"7z", "7z\xbc\xaf\x27\x1c", "", "invoice.pdf", true},
		{"ISO", strings.Repeat("\x00", 2000), "", "invoice.pdf", true},
		{"CHM", "ITSF\x03\x00", "", "invoice.pdf", true},
		{"VHD", "conectix\x00", "", "invoice.pdf", true},
		{"OneNote", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "", "invoice.pdf", true},
		{"CHMForText", "ITSF\x03\x00", "", "readme.txt", true},
		{"ScriptForDOC", "var x = new ActiveXObject('a')", "", "letter.doc", true},
		{"ScriptForXLS", "powershell -enc x", "", "table.xls", true},
		{"ScriptForPDF", "<html><script>", "", "invoice.pdf", true},
		{"IMG", "\xeb\x3c\x90MSDOS5.0", "", "invoice.pdf", true},
		{"VHDX", "vhdxfile", "", "invoice.pdf", true},
		{"CAB", "MSCF\x00\x00", "", "invoice.pdf", true},
		{"ELF", "\x7fELF\x02\x01", "", "invoice.pdf", true},
		{"MachO", "\xcf\xfa\xed\xfe", "", "invoice.pdf", true},
		{"Script", "#!/bin/sh\n", "", "invoice.pdf", true},
		{"HTA", "<script language=VBScript>", "", "letter.docx", true},
		{"PageForPicture", "<svg xmlns='http://www.w3.org/2000/svg' onload=''>", "", "photo.jpg", true},
		{"PageForSheet", "<html><body>", "", "table.xlsx", true},
		{"RTFForPDF", "{\\rtf1", "", "invoice.pdf", true},
		{"GzipForPDF", "\x1f\x8b\x08", "", "invoice.pdf", true},
		{"ACE", "\x00\x00\x00\x00\x00\x00\x00**ACE**", "", "invoice.pdf", true},
		{"MSIForZip", compound, "", "files.zip", true},
		{"MSIForPicture", compound, "", "photo.png", true},
		{"ZipForPicture", "PK\x03\x04", "", "photo.jpg", true},
		{"RARForWord", "Rar!\x1a\x07\x01\x00", "", "letter.docx", true},
		{"DOC", compound, "", "letter.doc", false},
		{"RTFForDOC", "{\\rtf1", "", "letter.doc", false},
		{"DOCXForDOC", "PK\x03\x04", "", "letter.doc", false},
		{"EncryptedDOCX", compound, "", "letter.docx", false},
		{"PDFAfterOctets", "\r\n\r\n%PDF-1.4", "", "invoice.pdf", false},
		{"VSD", compound, "", "plan.vsd", false},
		{"Publisher", compound, "", "flyer.pub", false},
		{"PageForRAR", "<!DOCTYPE html><p>", "", "files.rar", true},
		{"BatchForRAR", "@echo off\r\n", "", "files.rar", true},
		{"ScriptForRAR", "new ActiveXObject('a')", "application/vnd.rar", "", true},
		{"PowerShellFor7z", "iex (New-Object a)", "", "files.7z", true},
		{"RARForRAR", "Rar!\x1a\x07\x01\x00", "", "files.rar", false},
		{"HEIC", "\x00\x00\x00\x18ftypheic", "", "photo.heic", false},
	} {
		if got := Contradicts([]byte(test.head), test.said, test.file); got != test.want {
			t.Errorf("%s: got %v (sniffed %q), want %v", test.name, got, Sniff([]byte(test.head)), test.want)
		}
	}
}

// Each type of the tables of sniffing has an extension, so that a rule about names sees a file
// whatever it is called. Compound files are of several kinds.
func TestOctetExtensions(t *testing.T) {
	for _, b := range slices.Concat(programs, containers) {
		if b.extension == "" && b.mediaType != compoundFile {
			t.Errorf("%s: got no extension", b.mediaType)
		}
	}
	// Beginnings of https://mimesniff.spec.whatwg.org, section 6 and 7.
	for head, want := range map[string]string{
		"%PDF-1.7": "pdf", "<!DOCTYPE HTML>": "html", "<script>": "html", "%!PS-Adobe-": "ps", "GIF89a": "gif", "\x89PNG\r\n\x1a\n": "png", "\xff\xd8\xff": "jpg",
		"BM": "bmp", "RIFF\x00\x00\x00\x00WEBPVP": "webp", "\x00\x00\x01\x00": "ico", "OggS\x00": "ogg", "MThd\x00\x00\x00\x06": "mid",
		"ID3": "mp3", "\x1aE\xdf\xa3": "webm", "\x1f\x8b\x08": "gz", "PK\x03\x04": "zip", "Rar!\x1a\x07\x00": "rar", "wOFF": "woff", "\x00asm": "wasm",
	} {
		if got := Implied([]byte(head), Sniff([]byte(head)), []string{"a"}); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: got %q (sniffed %s), want %s", head, got, Sniff([]byte(head)), want)
		}
	}
	for head, name := range map[string]string{"PK\x03\x04": "a.docx", "hello": "a", "<?xml ": "a", "%PDF-1.7": "a.pdf"} {
		if got := Implied([]byte(head), Sniff([]byte(head)), []string{name}); got != nil {
			t.Errorf("%q called %s: got %q, want nothing more", head, name, got)
		}
	}
}
