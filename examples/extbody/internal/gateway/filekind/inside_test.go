package filekind

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// look calls Look as its callers do.
func look(text string) (in Inside, names []string) {
	head := []byte(text[:min(len(text), SniffBytes)])
	in = Look(head, Sniff(head), strings.NewReader(text), int64(len(text)), func(n string) { names = append(names, n) })
	return in, names
}

// The names of the files in a file are seen whole, or the result shows that they
// were not.
func TestLook(t *testing.T) {
	plain := testkit.Zip("a.txt", "b.exe")
	encrypted := []byte(testkit.Zip("a.txt"))
	directory := strings.LastIndex(string(encrypted), "PK\x01\x02")
	encrypted[6] |= 1
	encrypted[directory+8] |= 1
	otherName := strings.Replace(plain, "b.exe", "b.txt", 1) // in the header of the member, which comes first
	otherFlag := strings.Replace(plain, "PK\x03\x04", "PK\x03\x05", 1)
	long := strings.Repeat("x", 60000) + ".txt"
	padded := slices.Repeat([]string{long}, 20) // a directory of more than a MiB
	compound := make([]byte, 2048)
	copy(compound, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	compound[30], compound[48] = 9, 1
	word := slices.Clone(compound)
	for i, c := range []byte("EncryptedPackage") {
		word[1024+128+2*i] = c
	}
	for name, test := range map[string]struct {
		text  string
		want  Inside
		names []string
	}{
		"Zip":           {plain, Inside{}, []string{"a.txt", "b.exe"}},
		"ZipAfter":      {"before " + plain, Inside{}, []string{"a.txt", "b.exe"}},
		"ZipEncrypted":  {string(encrypted), Inside{Encrypted: true}, []string{"a.txt"}},
		"ZipOtherName":  {otherName, Inside{Differs: true}, []string{"a.txt", "b.exe", "b.txt"}},
		"ZipNoHeader":   {otherFlag, Inside{Differs: true}, []string{"a.txt", "b.exe"}},
		"ZipPadded":     {testkit.Zip(append(padded, "evil.exe")...), Inside{}, append(slices.Clone(padded), "evil.exe")},
		"ZipDamaged":    {strings.Replace(plain, "PK\x01\x02", "PK\x01\x03", 1), Inside{Unread: CutShort}, nil},
		"Tar":           {testkit.Tar("a.txt", "x", "b.exe", "x"), Inside{}, []string{"a.txt", "b.exe"}},
		"TarCut":        {testkit.Tar("a.txt", "x", "b.exe", "x")[:1030], Inside{Unread: CutShort}, []string{"a.txt"}},
		"TarGzip":       {testkit.Gzip("", testkit.Tar("a.txt", "x", "b.exe", "x")), Inside{}, []string{"x.tar", "a.txt", "b.exe"}},
		"GzipName":      {testkit.Gzip("a.js", "hello"), Inside{}, []string{"a.js"}},
		"GzipProgram":   {testkit.Gzip("", "MZ"+strings.Repeat("\x00", 100)), Inside{}, []string{"x.exe"}},
		"GzipCut":       {testkit.Gzip("", "hello")[:12], Inside{Unread: CutShort}, nil},
		"7z":            {"7z\xbc\xaf\x27\x1c", Inside{Unread: Archive}, nil},
		"RAR":           {"Rar!\x1a\x07\x00", Inside{Unread: Archive}, nil},
		"Office":        {string(word), Inside{Encrypted: true}, nil},
		"Compound":      {string(compound), Inside{}, nil},
		"Text":          {"hello", Inside{}, nil},
		"LongGzipOfTar": {testkit.Gzip("", testkit.Tar("a.txt", "x")+strings.Repeat("\x00", 10240)), Inside{}, []string{"x.tar", "a.txt"}},
	} {
		if got, names := look(test.text); got != test.want || !slices.Equal(names, test.names) {
			t.Errorf("%s: got %+v, %.60q, want %+v, %.60q", name, got, names, test.want, test.names)
		}
	}
}

// Whatever the octets, Look ends, and without a panic.
func FuzzLook(f *testing.F) {
	for _, text := range []string{testkit.Zip("a", "b.exe"), testkit.Tar("a", "x"), testkit.Gzip("a", testkit.Tar("b", "x")), "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "7z\xbc\xaf\x27\x1c", "PK\x06\x06PK\x05\x06" + strings.Repeat("\xff", 100)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, _ := look(text)
		if in.Unread != "" && in.Unread != CutShort && in.Unread != Archive {
			t.Errorf("got %q, want one of the values", in.Unread)
		}
	})
}

// A picture with scripts is seen as a page, and a page that brings a file within itself too.
func TestPages(t *testing.T) {
	for text, want := range map[string]string{
		"<svg xmlns='http://www.w3.org/2000/svg'>": "image/svg+xml", "<?xml version='1.0'?>\n<!-- a --><svg:svg>": "image/svg+xml",
		"\xef\xbb\xbf <!DOCTYPE svg><SVG onload='x'>": "image/svg+xml", "<?xml version='1.0'?><html>": "text/xml", "<svgs>": "text/plain",
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"<html><a id=a download='a.zip'></a><script>a.href = URL.createObjectURL(new Blob([x]))</script>": true,
		"<html><a download='a.exe' href='data:application/octet-stream;base64,TVo='>":                     true,
		"<html><script>navigator.msSaveOrOpenBlob(b, 'a.exe')</script>":                                   true,
		"<svg xmlns='http://www.w3.org/2000/svg'><a href='data:application/zip;base64,AA' download='a'/>": true,
		"<html><a href='a.zip' download>get it</a>":                                                       false,
		"<html><img src='data:image/png;base64,AA'> download it":                                          false,
		"createObjectURL download": false, // no page
	} {
		if got := Smuggles(Sniff([]byte(text)), strings.NewReader(text), int64(len(text))); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
