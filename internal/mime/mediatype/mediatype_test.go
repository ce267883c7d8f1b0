package mediatype

import (
	"slices"
	"testing"
)

func TestMediaType(t *testing.T) {
	for name, want := range map[string]string{
		"a.pdf":        "application/pdf",
		"a.b.DOCX":     "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"photo.JPEG":   "image/jpeg",
		"a.rtf":        "application/rtf",
		"a.unheard-of": "",
		"pdf":          "",
		"a.":           "",
		"":             "",
	} {
		if got := MediaType(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for mediaType, want := range map[string]string{
		"image/jpeg": ".jpg",
		"text/rtf":   ".rtf",
		"image/PNG":  "",
		"":           "",
	} {
		if got := Extension(mediaType); got != want {
			t.Errorf("%q: %q, want %q", mediaType, got, want)
		}
	}
}

func TestAgrees(t *testing.T) {
	for _, tt := range []struct {
		mediaType, name string
		want            bool
	}{
		{"image/png", "a.png", true},
		{"image/png", "a.PNG", true},
		{"image/jpeg", "a.jpeg", true},
		{"image/jpeg", "a.jfif", true},
		{"image/png", "x.desktop", false},
		{"image/png", "x.lnk", false},
		{"image/png", "x.html", false},
		{"image/png", "x.jpg", false},
		{"image/png", "x.unheard-of", false},
		{"image/png", "x", false},
		{"image/png", "x.", false},
		{"application/pdf", "v1.2", false},
		{"text/plain", "a.txt", true},
		{"text/plain", "a.csv", true},
		{"text/plain", "a.log", true},
		{"text/plain", "a.html", false},
		{"text/plain", "a.HTML", false},
		{"text/plain", "a.svg", false},
		{"text/plain", "a.bat", false},
		{"text/plain", "a.desktop", false},
		{"text/plain", "a.pdf", false},
		{"text/plain", "README", false},
		{"application/zip", "a.docx", true},
		{"application/zip", "a.odt", true},
		{"application/zip", "a.ods", true},
		{"application/zip", "a.odp", true},
		{"application/msword", "report.docx", true},
		{"application/msword", "report.docm", false},
		{"application/vnd.ms-excel", "a.xlsx", true},
		{"application/vnd.ms-powerpoint", "a.pptx", true},
		{"application/zip", "a.epub", true},
		{"application/zip", "a.jar", false},
		{"application/zip", "a.pdf", false},
		{"application/gzip", "a.tgz", true},
		{"application/gzip", "a.tar", false},
		{"application/xml", "a.svg", false},
		{"application/octet-stream", "a.desktop", true},
		{"application/x-unheard-of", "a.desktop", true},
		{"", "a.desktop", true},
	} {
		if got := Agrees(tt.mediaType, tt.name); got != tt.want {
			t.Errorf("%s, %s: got %t, want %t", tt.mediaType, tt.name, got, tt.want)
		}
	}
}

func TestMayHold(t *testing.T) {
	for _, tt := range []struct {
		mediaType, name string
		want            bool
	}{
		{"text/plain", "Makefile", true},
		{"text/plain", "", false},
		{"text/plain", "x.", false},
		{"text/plain", "x.desktop", false},
		{"text/plain", "mail.eml", true},
		{"text/plain", "logo.svg", false},
		{"text/xml", "logo.SVG", true},
		{"application/xml", "logo.svg", true},
		{"application/xml", "x.html", false},
		{"video/mp4", "clip.mov", true},
		{"video/mp4", "clip.webm", false},
		{"application/zip", "x.APK", true},
		{"application/zip", "x.desktop", false},
		{"application/zip", "x", false},
		{"application/vnd.oasis.opendocument.text", "x.zip", true},
		{"application/vnd.oasis.opendocument.spreadsheet", "x.zip", true},
		{"application/vnd.oasis.opendocument.presentation", "x.zip", true},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "x.ZIP", true},
		{"application/vnd.oasis.opendocument.text", "x.docx", false},
		{"application/msword", "x.zip", false},
		{"application/x-none", "x.zip", false},
		{"image/png", "x", false},
		{"image/png", "x.apk", false},
		{"image/png", "x.zip", false},
	} {
		if got := MayHold(tt.mediaType, tt.name); got != tt.want {
			t.Errorf("%s, %s: got %t, want %t", tt.mediaType, tt.name, got, tt.want)
		}
	}
	for _, ext := range zips {
		if !slices.Contains(active, ext) {
			t.Errorf("%s: got an extension that is not active, want it in active", ext)
		}
	}
}

func TestActive(t *testing.T) {
	for name, want := range map[string]bool{"a.EXE": true, "a.pdf.lnk": true, "a.svg": true, "a.pdf": false, "a.exe.pdf": false, "exe": false, "": false} {
		if got := Active(name); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	if !slices.IsSorted(active) {
		t.Error("got active in another order, want it sorted")
	}
	seen := make(map[string]bool)
	for _, f := range formats {
		if seen[f.mediaType] {
			t.Errorf("%s: got two rows, want one", f.mediaType)
		}
		seen[f.mediaType] = true
		for _, ext := range slices.Concat(f.usual, f.others) {
			if !Agrees(f.mediaType, "a"+ext) {
				t.Errorf("got that %s does not agree with %s, want that it does", f.mediaType, ext)
			}
		}
	}
}
