package mailbox

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// bzipped is the output of bzip2 for "Subject: a\n\nb\n".
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x1b\x0d\xbc\xf3\x00\x00\x02\xdb\x80\x00\x10\x40\x00\x00\x10\x08\x00\x3a\x10\x06\x00\x20\x00\x22\x01\xa1\x90\x80\x69\xa6\x8b\x13\x66\x44\x22\xb5\x2f\x17\x72\x45\x38\x50\x90\x1b\x0d\xbc\xf3"

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

// contents returns the messages at path, or their errors.
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
				path := filepath.Join(dir, tt.path)
				writeText(t, path, packed(t, form, tt.text))
				if strings.HasPrefix(tt.path, "cur") {
					path = dir
					writeText(t, filepath.Join(dir, "new/.x"), "")
				}
				if got := contents(t, path); !slices.Equal(got, tt.want) {
					t.Errorf("got %.200q, want %.200q", got, tt.want)
				}
			})
		}
	}
	for _, tt := range []struct {
		name, file string
		want       []string
	}{
		{"a.bz2", bzipped, []string{mail}},
		{"members.gz", packed(t, "gzip", mbox+"\n") + packed(t, "gzip", envelope+mail), []string{mail, other, mail}},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		writeText(t, path, tt.file)
		if got := contents(t, path); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
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
		{"Twice", packed(t, "gzip", long), ErrUnread},
		{"Zip", packed(t, "zstd", "PK\x03\x04\x00\x00"), ErrUnread},
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

// TestForeign holds: a file that cannot start mail is an error, which distinguishes a form that may hold mail (OP-47)
// from one that does not.
func TestForeign(t *testing.T) {
	tar := make([]byte, 512)
	copy(tar, "a.eml")
	copy(tar[tarPlace:], tarMark)
	for _, tt := range []struct {
		name, file string
		want       error
	}{
		{"Zip", "PK\x03\x04\x14\x00\x00\x00", ErrUnread},
		{"PST", "!BDN\x8a\x3a\xd4\x0b", ErrUnread},
		{"MSG", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00\x00", ErrUnread},
		{"PDF", "%PDF-1.7\nx", ErrNotMail},
		{"Xz", "\xFD7zXZ\x00\x00", ErrUnread},
		{"Tar", string(tar), ErrUnread},
		{"UTF16", "\xFF\xFES\x00u\x00b\x00", ErrUnread},
		{"UTF16Unmarked", "S\x00u\x00b\x00j\x00e\x00c\x00t\x00:\x00", ErrNotMail},
		{"Index", "\x07\x00\x02\x00some index", ErrNotMail},
		{"Mork", "// <!-- <mdb:mork:z v=\"1.4\"/> -->", ErrNotMail},
		{"EmptyLinesBefore", "\r\n\nPK\x03\x04\x14", ErrUnread},

		{"Message", "Subject: a\n\nb\n", nil},
		{"FieldLikeASignature", "MZ: a\n\nb\n", nil},
		{"FieldThenNUL", "Subject: a\x00\n\nb\n", nil},
		{"MalformedField", "Bad Name: x\nSubject: a\n\n", nil},
		{"Text", "only text\n", nil},
		{"From", envelope + "PK\x03\x04", nil},
		{"MMDF", "\x01\x01\x01\x01\n", nil},
		{"X", "x^2 is no zlib\n", nil},
		{"Empty", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for m, err := range Read("a", strings.NewReader(tt.file), int64(len(tt.file))) {
				if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
					t.Errorf("got %v, %v; want %v", m, err, tt.want)
				}
			}
			if c := compressionOf([]byte(tt.file), strings.NewReader(tt.file), int64(len(tt.file))); c != nil {
				t.Errorf("got %s, want no compression", c.name)
			}
		})
	}
}

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
			writeText(t, filepath.Join(dir, f), text)
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

// FuzzInflate finds nothing that is compressed, or its contents, or an error.
func FuzzInflate(f *testing.F) {
	for _, form := range []string{"", "gzip", "zlib", "zstd"} {
		f.Add(packed(f, form, "Subject: a\n\n"+strings.Repeat("b", 100)))
	}
	f.Add(bzipped)
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
