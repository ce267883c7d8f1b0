package mailbox

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// bzipped is what bzip2 makes of "Subject: a\n\nb\n".
const bzipped = "425a68393141592653591b0dbcf3000002db8000104000001008003a10060020002201a1908069a68b13664422b52f1772453850901b0dbcf3"

func packed(t testing.TB, form, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch form {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "zstd":
		e, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = e
	default:
		return text
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contents returns the messages at path, or what their errors are.
func contents(t *testing.T, path string) (list []string) {
	t.Helper()
	for m, err := range Walk(path) {
		if err != nil {
			list = append(list, "error: "+err.Error())
			continue
		}
		b, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Error(err)
		}
		if !m.Compressed {
			t.Errorf("%s: got Compressed false, want true", m.Path)
		}
		list = append(list, string(b))
		m.Close()
	}
	return list
}

func TestCompressed(t *testing.T) {
	const mail, other = "Subject: a\n\nb\n", "Subject: c\n\nd\n"
	mbox := envelope + mail + "\n" + envelope + other
	for _, form := range []string{"gzip", "zlib", "zstd"} {
		for _, tt := range []struct {
			name, path, text string
			want             []string
		}{
			{"Mbox", "box.1." + form, mbox, []string{mail, other}},
			{"Eml", "a.eml.gz", mbox, []string{mail + "\n" + envelope + other}},
			{"Maildir", "cur/1.M1P2.host,S=14,W=17:2,SZ", mail, []string{mail}},
			{"Large", "box", envelope + mail + strings.Repeat("x\n", 2<<20), []string{mail + strings.Repeat("x\n", 2<<20)}},
		} {
			t.Run(tt.name+form, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.Mkdir(filepath.Join(dir, "new"), 0o700); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, tt.path)
				writeText(t, path, packed(t, form, tt.text))
				if strings.HasPrefix(tt.path, "cur") {
					path = dir
				}
				if got := contents(t, path); !slices.Equal(got, tt.want) {
					t.Errorf("got %.200q, want %.200q", got, tt.want)
				}
			})
		}
	}
	t.Run("Bzip2", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.bz2")
		b, err := hex.DecodeString(bzipped)
		if err != nil {
			t.Fatal(err)
		}
		writeText(t, path, string(b))
		if got, want := contents(t, path), []string{mail}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("Members", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "box.gz")
		writeText(t, path, packed(t, "gzip", mbox+"\n")+packed(t, "gzip", envelope+mail))
		if got, want := contents(t, path), []string{mail, other, mail}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestCompressedErrors wants an error of the file alone.
func TestCompressedErrors(t *testing.T) {
	long := packed(t, "gzip", envelope+strings.Repeat("Subject: a\n", 10_000))
	var window bytes.Buffer
	e, err := zstd.NewWriter(&window, zstd.WithWindowSize(2*maxZstdWindow))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		e.Write(make([]byte, maxZstdWindow))
	}
	e.Close()
	for _, tt := range []struct {
		name, file string
		want       error
	}{
		{"Bomb", packed(t, "gzip", envelope+strings.Repeat("\n", minInflated)), ErrInflated},
		{"Window", window.String(), ErrInflated},
		{"CutOff", long[:len(long)-1], io.ErrUnexpectedEOF},
		{"Damaged", long[:len(long)-6] + "xx" + long[len(long)-4:], gzip.ErrChecksum},
		{"Twice", packed(t, "gzip", long), ErrNotMail},
		{"Zip", packed(t, "zstd", "PK\x03\x04\x00\x00"), ErrNotMail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeText(t, filepath.Join(dir, "a"), tt.file)
			writeText(t, filepath.Join(dir, "b"), "Subject: b\n")
			var errs []error
			n := 0
			for m, err := range Walk(dir) {
				if m.Close(); err != nil {
					errs = append(errs, err)
					continue
				}
				n++
			}
			if len(errs) != 1 || !errors.Is(errs[0], tt.want) || n != 1 {
				t.Errorf("got %d messages, %v; want 1, %v", n, errs, tt.want)
			}
		})
	}
}

func TestInflateCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := strings.NewReader(packed(t, "gzip", "x"))
	if _, _, err := Inflate(ctx, r, r.Size()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestForeign tells what is no mail from mail, however that begins.
func TestForeign(t *testing.T) {
	tar := make([]byte, 512)
	copy(tar, "a.eml")
	copy(tar[tarPlace:], tarMark)
	for _, tt := range []struct {
		name, file string
		want       bool
	}{
		{"Zip", "PK\x03\x04\x14\x00\x00\x00", true},
		{"PST", "!BDN\x8a\x3a\xd4\x0b", true},
		{"MSG", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00\x00", true},
		{"PDF", "%PDF-1.7\nx", true},
		{"Xz", "\xFD7zXZ\x00\x00", true},
		{"Tar", string(tar), true},
		{"UTF16", "S\x00u\x00b\x00j\x00e\x00c\x00t\x00:\x00", true},
		{"Index", "\x07\x00\x02\x00some index", true},
		{"Mork", "// <!-- <mdb:mork:z v=\"1.4\"/> -->", true},
		{"EmptyLinesBefore", "\r\n\nPK\x03\x04\x14", true},

		{"Message", "Subject: a\n\nb\n", false},
		{"FieldLikeASignature", "MZ: a\n\nb\n", false},
		{"FieldThenNUL", "Subject: a\x00\n\nb\n", false},
		{"MalformedField", "Bad Name: x\nSubject: a\n\n", false},
		{"Text", "only text\n", false},
		{"From", envelope + "PK\x03\x04", false},
		{"MMDF", "\x01\x01\x01\x01\n", false},
		{"X", "x^2 is no zlib\n", false},
		{"Empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for m, err := range Read("a", strings.NewReader(tt.file), int64(len(tt.file))) {
				if got := errors.Is(err, ErrNotMail); got != tt.want {
					t.Errorf("got %v, %v; want that it is no mail: %v", m, err, tt.want)
				}
			}
			if c := compressionOf([]byte(tt.file), strings.NewReader(tt.file), int64(len(tt.file))); c != nil {
				t.Errorf("got %s, want no compression", c.name)
			}
		})
	}
}

// FuzzInflate finds either nothing compressed, or what was compressed, or an error.
// In a Maildir each file is a message, also one that cannot be read.
func TestUnreadMaildir(t *testing.T) {
	for name, text := range map[string]string{
		"lz4":        "\x04\x22\x4D\x18abc",
		"dovecotLZ4": "Dovecot-LZ4\x0d\x2a\x9b\xc5abc",
		"xz":         "\xFD7zXZ\x00abc",
		"mail_crypt": "CRYPTED\x03\x07\x02\x00\x00",
	} {
		dir := t.TempDir()
		for _, f := range []string{"cur/1.a:2,S", "new/2.a"} {
			path := filepath.Join(dir, f)
			os.MkdirAll(filepath.Dir(path), 0o700)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		for m, err := range Walk(dir) {
			if n++; !errors.Is(err, ErrUnread) {
				t.Errorf("%s: got %v, want %v", name, err, ErrUnread)
			}
			m.Close()
		}
		if n != 2 {
			t.Errorf("%s: got %d messages, want 2", name, n)
		}
	}
}

func FuzzInflate(f *testing.F) {
	for _, form := range []string{"", "gzip", "zlib", "zstd"} {
		f.Add(packed(f, form, "Subject: a\n\n"+strings.Repeat("b", 100)))
	}
	b, _ := hex.DecodeString(bzipped)
	f.Add(string(b))
	f.Fuzz(func(t *testing.T, file string) {
		spool, n, err := Inflate(t.Context(), strings.NewReader(file), int64(len(file)))
		if spool == nil {
			if n != 0 {
				t.Errorf("got %d octets of nothing, %v, want 0", n, err)
			}
			return
		}
		defer spool.Discard()
		info, serr := spool.Stat()
		if serr != nil || err != nil || info.Size() != n || n > minInflated {
			t.Errorf("got %d octets, %v, %v; want those of the file, %d at most", n, err, serr, minInflated)
		}
	})
}
