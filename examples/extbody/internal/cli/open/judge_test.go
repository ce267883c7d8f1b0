package open

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

func utf16(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }

// TestJudge wants nothing to be shown that runs, can have scripts, or is another kind of file
// than its name has it.
func TestJudge(t *testing.T) {
	const png, compound = "\x89PNG\r\n\x1a\n\x00\x00", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	exe := "MZ" + strings.Repeat("\x00", 100)
	fill := strings.Repeat("\x00", 70<<10)
	docx, odt := word(), openText("<a/>")
	for _, tt := range []struct{ name, mediaType, octets, want string }{
		{"a.pdf", "application/pdf", "%PDF-1.7", ""},
		{"A.PDF", "Application/PDF; x=y", "%PDF-1.7", ""},
		{"a.pdf", "application/octet-stream", "%PDF-1.7", ""},
		{"a.pdf", "", "%PDF-1.7", ""},
		{"a.png", "image/png", png, ""},
		{"a.jpg", "image/jpeg", png, ""}, // pictures are shown by their octets
		{"a.heic", "image/heic", "\x00\x00\x00\x18ftypheic", ""},
		{"a.mp3", "audio/mpeg", "ID3\x03", ""},
		{"a.txt", "text/plain", "hello", ""},
		{"a.txt", "text/plain; charset=utf-8", "", ""},
		{"a.csv", "text/csv", "a,b\n", ""},
		{"a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", docx, ""},
		{"a.docx", "application/zip", docx, ""},
		{"a.odt", "application/vnd.oasis.opendocument.text", odt, ""},
		{"a.doc", "application/msword", compound + fill + utf16("WordDocument"), ""},
		{"a.xls", "application/vnd.ms-excel", compound + fill + "\x85\x00\x0e\x00\x10\x20\x00\x00\x00\x00\x06", ""},
		{"a.rtf", "application/rtf", `{\rtf1 hello}`, ""},
		{"a.zip", "application/zip", docx, ""},
		{"a.eml", "message/rfc822", "From: a@b\n\nx", ""},

		{"a.exe", "application/octet-stream", exe, canRun},
		{"a.pdf", "application/pdf", exe, canRun},
		{"a.pdf", "application/pdf", "#!/bin/sh\n", canRun},
		{"a.pdf", "application/pdf", "\x7fELF\x02", canRun},
		{"a.desktop", "application/octet-stream", "[Desktop Entry]\nExec=x", canRun},
		{"a.lnk", "application/octet-stream", "L\x00\x00\x00\x01\x14\x02\x00", canRun},
		{"a.txt", "text/plain", "L\x00\x00\x00\x01\x14\x02\x00", canRun},
		{"a.jar", "application/java-archive", docx, canRun},
		{"a.html", "text/html", "<p>", canRun},
		{"a.txt", "text/plain", "<html><script>", canRun},
		{"a.txt", "text/html", "hello", canRun},
		{"a.svg", "image/svg+xml", "<svg>", canRun},
		{"a.png", "image/svg+xml", "<svg>", canRun},
		{"a.xml", "application/xml", "<?xml version='1.0'?>", canRun},
		{"a.xhtml", "application/xhtml+xml", "<?xml version='1.0'?>", canRun},
		{"a.txt", "text/plain", "<?xml version='1.0'?><?xml-stylesheet?>", canRun},
		{"a.py", "text/x-python", "print()", canRun},
		{"a.txt", "text/x-python", "print()", canRun},
		{"a.sh", "text/plain", "ls", canRun},
		{"a.ps", "application/postscript", "%!PS", canRun},
		{"a.url", "text/plain", "[InternetShortcut]", canRun},
		{"a.iso", "application/octet-stream", "x", canRun},
		{"a.dmg", "application/octet-stream", "x", canRun},
		{"a.mht", "message/rfc822", "x", canRun},

		{"a.blend", "application/octet-stream", "BLENDER", isUnknown},
		{"a", "text/plain", "x", isUnknown},
		{"Makefile", "text/plain", "all:", isUnknown},
		{"a.one", "application/onenote", "x", isUnknown},

		{"a.pdf", "application/pdf", "hello", disagrees},
		{"a.pdf", "application/pdf", png, disagrees},
		{"a.png", "image/png", "%PDF-1.7", disagrees},
		{"a.png", "application/octet-stream", "hello", disagrees},
		{"a.docx", "application/octet-stream", "%PDF-1.7", disagrees},
		{"a.txt", "image/png", png, disagrees},
		{"a.txt", "text/plain", "\xef\xbb\xbf\n <SVG onload='x'>", canRun},
		{"a.log", "text/plain", "[Desktop Entry]\nExec=x\n", disagrees},
		{"a.csv", "text/csv", "ID;PWXL;N;E\n", disagrees},
		{"a.csv", "text/csv", "id;name\n", ""},
		{"a.zip", "application/zip", compound, disagrees},
		{"a.mp4", "image/png", png, disagrees},

		{"a.docm", "application/vnd.ms-word.document.macroenabled.12", docx, hasMacros},
		{"a.xlsm", "application/octet-stream", "x", hasMacros},
		{"a.docx", "application/octet-stream", testkit.Zip("word/document.xml", "word/vbaProject.bin"), hasMacros},
		{"a.docx", "application/octet-stream", testkit.Zip(`word\VBAPROJECT.BIN`), hasMacros},
		{"a.doc", "application/msword", testkit.Zip("word/vbaProject.bin"), hasMacros},
		{"a.xlsx", "application/octet-stream", testkit.Zip("xl/macrosheets/sheet1.xml"), hasMacros},
		{"a.pptx", "application/octet-stream", testkit.Zip("ppt/activeX/activeX1.bin"), hasMacros},
		{"a.odt", "application/octet-stream", testkit.Zip("content.xml", "Basic/Standard/Module1.xml"), hasMacros},
		{"a.ods", "application/octet-stream", testkit.Zip("Scripts/python/a.py"), hasMacros},
		{"a.doc", "application/msword", compound + fill + utf16("_VBA_PROJECT") + fill, hasMacros},
		{"a.doc", "application/msword", compound + fill + utf16("Macros") + "\x00\x00" + fill, hasMacros},
		{"a.xls", "application/vnd.ms-excel", compound + fill + "\x85\x00\x0e\x00\x10\x20\x00\x00\x00\x01\x06" + fill, hasMacros},
		{"a.ppt", "application/vnd.ms-powerpoint", compound + fill + "\x02\x00\x00\x04\x0c\x00\x00\x00\x07\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00", hasMacros},
		{"a.rtf", "application/rtf", `{\rtf1 ` + fill + `{\object\objocx{\*\ObjData 01}}}`, hasMacros},
		{"a.doc", "application/msword", `{\rtf1 {\object\objdata 01}}`, hasMacros},
		{"a.docx", "application/octet-stream", compound + "EncryptedPackage", isHidden},
		{"a.docx", "application/octet-stream", "PK\x03\x04 and no directory", isHidden},
	} {
		as, got := judgeFile(tt.name, tt.mediaType, strings.NewReader(tt.octets), int64(len(tt.octets)))
		if got != tt.want || (as == "") == (got == "") {
			t.Errorf("%s of %s, %.20q: got %q, %q, want %q", tt.name, tt.mediaType, tt.octets, as, got, tt.want)
		}
	}
	// A sign of macros is seen wherever it is.
	for i := 64<<10 - 80; i < 64<<10+80; i++ {
		text := compound + strings.Repeat("\x00", i) + utf16("_VBA_PROJECT") + fill
		if _, got := judgeFile("a.doc", "", strings.NewReader(text), int64(len(text))); got != hasMacros {
			t.Fatalf("at %d: got %q, want %q", i, got, hasMacros)
		}
	}
}

// FuzzJudge wants no file to be shown whose octets start as a program or a page does.
func FuzzJudge(f *testing.F) {
	f.Add("a.pdf", "application/pdf", []byte("%PDF-1.7"), uint8(0))
	f.Add("a.txt", "", []byte("x"), uint8(3))
	f.Add("a.doc", "", []byte("PK\x03\x04"), uint8(9))
	f.Fuzz(func(t *testing.T, name, mediaType string, octets []byte, which uint8) {
		begins := []string{"", "MZ" + strings.Repeat("\x00", 62), "\x7fELF", "#!", "<html>", "<?xml ", "<script>"}[which%7]
		octets = append([]byte(begins), octets...)
		as, reason := judgeFile(name, mediaType, bytes.NewReader(octets), int64(len(octets)))
		if (as == "") == (reason == "") {
			t.Errorf("got %q and %q, want one of them", as, reason)
		}
		if begins != "" && as != "" {
			t.Errorf("%s of %s, %.20q: got that it is shown as %s, want not", name, mediaType, octets, as)
		}
	})
}
