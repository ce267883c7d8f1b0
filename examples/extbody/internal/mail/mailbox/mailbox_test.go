package mailbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/internal/testkit"
)

const (
	fromA = "From a@example.com Thu Jan  1 00:00:00 1970\n"
	fromB = "From b@example.com Fri Jan  2 00:00:00 1970\n"
)

// pieces are compared by the tests: the texts of the three spans.
type pieces struct{ envelope, content, trailer string }

func texts(file string, seq iter.Seq2[*Message, error]) (list []pieces, err error) {
	for m, err := range seq {
		if err != nil {
			return list, err
		}
		if m.Index != len(list) {
			return list, fmt.Errorf("got the index %d, want %d", m.Index, len(list))
		}
		text := func(s Span) string { return file[s.Start:s.End] }
		content, err := io.ReadAll(m.Reader())
		if err != nil {
			return list, err
		}
		if string(content) != text(m.Content) {
			return list, fmt.Errorf("message %d: got %q, want %q", m.Index, content, text(m.Content))
		}
		list = append(list, pieces{text(m.Envelope), text(m.Content), text(m.Trailer)})
	}
	return list, nil
}

func read(path, file string) ([]pieces, error) {
	return texts(file, Read(path, strings.NewReader(file), int64(len(file))))
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func TestRead(t *testing.T) {
	tests := []struct {
		name string
		path string
		file string
		want []pieces
	}{
		{name: "Empty", path: "box"},
		{name: "Message", path: "m", file: "Subject: a\n\nFrom here on, text.\n\nFrom x\n",
			want: []pieces{{"", "Subject: a\n\nFrom here on, text.\n\nFrom x\n", ""}}},
		{name: "Mbox", path: "box", file: fromA + "Subject: a\n\nx\n\n" + fromB + "Subject: b\n\ny\n\n",
			want: []pieces{{fromA, "Subject: a\n\nx\n", "\n"}, {fromB, "Subject: b\n\ny\n", "\n"}}},
		{name: "MboxCRLF", path: "box", file: crlf(fromA + "Subject: a\n\nx\n\n" + fromB + "Subject: b\n\ny\n\n"),
			want: []pieces{{crlf(fromA), "Subject: a\r\n\r\nx\r\n", "\r\n"}, {crlf(fromB), "Subject: b\r\n\r\ny\r\n", "\r\n"}}},
		{name: "MboxQuotedLinesStay", path: "box", file: fromA + "\nx\n\n>From a\n\n>>From b\n\n" + fromB + "\n",
			want: []pieces{{fromA, "\nx\n\n>From a\n\n>>From b\n", "\n"}, {fromB, "\n", ""}}},
		{name: "EmlIsOneMessage", path: "x.EML", file: fromA + "Subject: a\n\nx\n\n" + fromB + "Subject: b\n\ny\n",
			want: []pieces{{fromA, "Subject: a\n\nx\n\n" + fromB + "Subject: b\n\ny\n", ""}}},
		{name: "ByteOrderMarkAndEmptyLines", path: "box", file: "\xEF\xBB\xBF\n\r\n" + fromA + "A: b\n\n",
			want: []pieces{{"\xEF\xBB\xBF\n\r\n" + fromA, "A: b\n\n", ""}}},
		{name: "HeaderEndIsNoTrailer", path: "box", file: fromA + "A: b\n\n" + fromB + "C: d\n\n\n",
			want: []pieces{{fromA, "A: b\n\n", ""}, {fromB, "C: d\n\n", "\n"}}},
		{name: "NoEmptyLineBeforeFrom", path: "box", file: fromA + "A: b\n\nx\n" + fromB + "C: d\n\ny\n",
			want: []pieces{{fromA, "A: b\n\nx\n", ""}, {fromB, "C: d\n\ny\n", ""}}},
		{name: "ProseThatBeginsWithFrom", path: "box", file: fromA + "A: b\n\nx\n\nFrom now on: all\nNote: y\n",
			want: []pieces{{fromA, "A: b\n\nx\n\nFrom now on: all\nNote: y\n", ""}}},
		{name: "DateInParagraphWithoutHeaderBehind", path: "box", file: fromA + "A: b\n\nhe wrote\n" + fromB + "or so\n",
			want: []pieces{{fromA, "A: b\n\nhe wrote\n" + fromB + "or so\n", ""}}},
		{name: "FromLineInHeader", path: "box", file: fromA + "A: b\n" + fromB + "C: d\n\nx\n",
			want: []pieces{{fromA, "A: b\n", ""}, {fromB, "C: d\n\nx\n", ""}}},
		{name: "SecondFromLine", path: "box", file: fromA + fromB + "C: d\n\nx\n",
			want: []pieces{{fromA, fromB + "C: d\n\nx\n", ""}}},
		{name: "NoDates", path: "box", file: "From nobody\nA: b\n\nx\n\nFrom me\nto you\n\nFrom nobody\nA: c\n\ny\n",
			want: []pieces{{"From nobody\n", "A: b\n\nx\n\nFrom me\nto you\n", "\n"}, {"From nobody\n", "A: c\n\ny\n", ""}}},
		{name: "OtherDates", path: "box",
			file: "From - Thu Jan 01 00:00:00 1970\n\n\n" +
				"From 12@xxx Tue Apr 01 00:00:00 +0000 2014\n\n\n" +
				"From a at b.example  Fri Nov 12 13:14 1993\n\n\n" +
				"From a Sat, 19 Feb 2000 12:00:00 +0100\n\n",
			want: []pieces{
				{"From - Thu Jan 01 00:00:00 1970\n", "\n", "\n"},
				{"From 12@xxx Tue Apr 01 00:00:00 +0000 2014\n", "\n", "\n"},
				{"From a at b.example  Fri Nov 12 13:14 1993\n", "\n", "\n"},
				{"From a Sat, 19 Feb 2000 12:00:00 +0100\n", "\n", ""},
			}},
		{name: "ContentLength", path: "box", file: fromA + "content-LENGTH : 53\n\nx\n\n" + fromA + "A: b\n\n" + "\n" + fromB + "Content-Length: 2\n\ny\n",
			want: []pieces{{fromA, "content-LENGTH : 53\n\nx\n\n" + fromA + "A: b\n\n", "\n"}, {fromB, "Content-Length: 2\n\ny\n", ""}}},
		{name: "ContentLengthOverTheNextMessage", path: "box", file: fromA + lengthOf("x\n\n"+fromB+"A: b\n\ny\n") + "x\n\n" + fromB + "A: b\n\ny\n",
			want: []pieces{{fromA, lengthOf("x\n\n"+fromB+"A: b\n\ny\n") + "x\n", "\n"}, {fromB, "A: b\n\ny\n", ""}}},
		{name: "ContentLengthOverTheNextOfThree", path: "box", file: fromA + lengthOf("x\n\n"+fromB+"A: b\n\ny\n") + "x\n\n" + fromB + "A: b\n\ny\n\n" + fromA + "C: d\n\nz\n",
			want: []pieces{{fromA, lengthOf("x\n\n"+fromB+"A: b\n\ny\n") + "x\n", "\n"}, {fromB, "A: b\n\ny\n", "\n"}, {fromA, "C: d\n\nz\n", ""}}},
		{name: "ContentLengthOverTheNextCRLF", path: "box", file: crlf(fromA + "Content-Length: 60\n\nx\n\n" + fromB + "A: b\n\nyyyyyyyyy\n"),
			want: []pieces{{crlf(fromA), crlf("Content-Length: 60\n\nx\n"), "\r\n"}, {crlf(fromB), crlf("A: b\n\nyyyyyyyyy\n"), ""}}},
		{name: "ContentLengthOfAllMessages", path: "box", file: fromA + lengthOf("x\n\n"+fromB+"A: b\n") + "x\n\n" + fromB + "A: b\n\n" + fromA + lengthOf("z\n") + "z\n\n" + fromB + lengthOf("\n"+fromA+"A: b\n") + "\n" + fromA + "A: b\n",
			want: []pieces{{fromA, lengthOf("x\n\n"+fromB+"A: b\n") + "x\n\n" + fromB + "A: b\n", "\n"}, {fromA, lengthOf("z\n") + "z\n", "\n"}, {fromB, lengthOf("\n"+fromA+"A: b\n") + "\n" + fromA + "A: b\n", ""}}},
		{name: "ContentLengthOfAllButTheLast", path: "box", file: fromA + lengthOf("x\n\n"+fromB+"A: b\n") + "x\n\n" + fromB + "A: b\n\n" + fromA + lengthOf("z\n") + "zzz\n",
			want: []pieces{{fromA, lengthOf("x\n\n"+fromB+"A: b\n") + "x\n", "\n"}, {fromB, "A: b\n\n", ""}, {fromA, lengthOf("z\n") + "zzz\n", ""}}},
		{name: "ContentLengthWrong", path: "box", file: fromA + "Content-Length: 4\n\nx\n\n" + fromB + "A: b\n\n",
			want: []pieces{{fromA, "Content-Length: 4\n\nx\n", "\n"}, {fromB, "A: b\n\n", ""}}},
		{name: "ContentLengthTwice", path: "box", file: fromA + "Content-Length: 1\nContent-Length: 48\n\nx\n\n" + fromB + "\n",
			want: []pieces{{fromA, "Content-Length: 1\nContent-Length: 48\n\nx\n", "\n"}, {fromB, "\n", ""}}},
		{name: "ContentLengthHuge", path: "box", file: fromA + "Content-Length: 9223372036854775807\n\nx\n",
			want: []pieces{{fromA, "Content-Length: 9223372036854775807\n\nx\n", ""}}},
		{name: "ContentLengthIntoLine", path: "box", file: fromA + "Content-Length: 2\n\nx " + fromB + "\n",
			want: []pieces{{fromA, "Content-Length: 2\n\nx " + fromB, "\n"}}},
		{name: "LastLineWithoutEnd", path: "box", file: fromA + "A: b\n\nx\n\nFrom b Fri Jan  2 00:00:00 1970",
			want: []pieces{{fromA, "A: b\n\nx\n", "\n"}, {"From b Fri Jan  2 00:00:00 1970", "", ""}}},
		{name: "MMDF", path: "box", file: "\x01\x01\x01\x01\nA: b\n\nx\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nC: d\n\n" + fromA + "\x01\x01\x01\x01\n",
			want: []pieces{
				{"\x01\x01\x01\x01\n", "A: b\n\nx\n", "\x01\x01\x01\x01\n"},
				{"\x01\x01\x01\x01\n", "C: d\n\n" + fromA, "\x01\x01\x01\x01\n"}}},
		{name: "MMDFWithFromLineAndCRLF", path: "box", file: crlf("\x01\x01\x01\x01\n" + fromA + "A: b\n\n\x01\x01\x01\x01 \n\x01\x01\x01\x01\n\n"),
			want: []pieces{{crlf("\x01\x01\x01\x01\n" + fromA), crlf("A: b\n\n\x01\x01\x01\x01 \n"), crlf("\x01\x01\x01\x01\n\n")}}},
		{name: "MMDFSingleDelimiters", path: "box", file: "\x01\x01\x01\x01\nA: b\n\n\x01\x01\x01\x01\nC: d\n\nx\x01\x01\x01\x01\n\x01\x01\x01\x01",
			want: []pieces{
				{"\x01\x01\x01\x01\n", "A: b\n\n", "\x01\x01\x01\x01\n"},
				{"", "C: d\n\nx\x01\x01\x01\x01\n", "\x01\x01\x01\x01"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.path, tt.file)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

// The places where one buffer ends and the next starts must not matter.
func TestReadAcrossBuffers(t *testing.T) {
	const around = 1 << 20
	one := fromA + "A: b\n\n"
	for _, sep := range []string{"\n\n", "\r\n\r\n"} {
		for fill := around - len(one) - 60; fill < around-len(one)+12; fill++ {
			first := "A: b\n\n" + strings.Repeat("x", fill) + sep
			file := fromA + first + fromB + "C: d\n\ny\n"
			got, err := read("box", file)
			if err != nil || len(got) != 2 || got[1] != (pieces{fromB, "C: d\n\ny\n", ""}) {
				t.Fatalf("fill of %d: got %d messages, %v, want 2, nil", fill, len(got), err)
			}
		}
	}
}

func TestReadErrors(t *testing.T) {
	file := fromA + "A: b\n\n" + strings.Repeat("x\n", 200<<10) + "\n" + fromB + "\n"
	broken := errors.New("broken")
	tests := []struct {
		name string
		r    io.ReaderAt
		size int
		n    int
		want error
	}{
		{"Shrunk", strings.NewReader(file), len(file) + 1, 2, io.ErrUnexpectedEOF},
		{"AtStart", failing{strings.NewReader(file), 0, broken}, len(file), 0, broken},
		{"Later", failing{strings.NewReader(file), 300 << 10, broken}, len(file), 0, broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := texts(file+" ", Read("box", tt.r, int64(tt.size)))
			if !errors.Is(err, tt.want) || len(got) >= 2 {
				t.Errorf("got %d messages, %v; want at most 1, %v", len(got), err, tt.want)
			}
		})
	}
}

// failing fails for reads after an offset.
type failing struct {
	r     io.ReaderAt
	after int64
	err   error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.after {
		return 0, f.err
	}
	return f.r.ReadAt(p, off)
}

func TestReader(t *testing.T) {
	file := fromA + "A: b\n\nx\n\n" + fromB + "\n"
	for m, err := range Read("-", strings.NewReader(file), int64(len(file))) {
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(m.Reader(), []byte("A: b\n\nx\n")); err != nil {
			t.Error(err)
		}
		break
	}
}

// lengthOf returns a header whose Content-Length is the length of the body.
func lengthOf(body string) string { return fmt.Sprintf("Content-Length: %d\n\n", len(body)) }

// Many headers without an end, and many lengths that lead nowhere, are read in
// linear time: this test takes minutes otherwise.
func TestReadIsLinear(t *testing.T) {
	tests := []struct{ name, unit string }{
		{"Headers", fromA + "A: " + strings.Repeat("x", 2100) + "\n\n"},
		{"HeaderLines", "x\n"},
		{"Lengths", fromA + "Content-Length: 30000000\n\nx\n\n"},
		{"FromLines", "\nFrom x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := fromA + "A: b\n\n" + strings.Repeat(tt.unit, (8<<20)/len(tt.unit))
			r := &testkit.CountingReader{ReaderAt: strings.NewReader(file)}
			for _, err := range Read("box", r, int64(len(file))) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if limit := 40 * int64(len(file)); r.Octets > limit {
				t.Errorf("got %d octets read of a file of %d, want at most %d", r.Octets, len(file), limit)
			}
		})
	}
}

// The spans of a file are the file, whatever is in it, and no message of an
// mbox ends where a separator with full evidence stands in it.
func FuzzRead(f *testing.F) {
	f.Add("box", []byte(fromA+"A: b\n\nx\n\n"+fromB+"C: d\n\n"))
	f.Add("box", []byte(crlf(fromA+"Content-Length: 3\n\nx\n\n"+fromB+"C: d\n\n")))
	f.Add("box", []byte("\xEF\xBB\xBF\n\nFrom x\nA: b\n\n\nFrom y\nC: d\n\n"))
	f.Add("box", []byte("\x01\x01\x01\x01\nA: b\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nC: d\n\x01\x01\x01\x01\n\n"))
	f.Add("box", []byte("\x01\x01\x01\x01\n\x01\x01\x01\x01\r\n\x01\x01\x01\x01\x01\x01\x01\x01\n"))
	f.Add("b", []byte("From \rh:\n"))
	f.Add("m.eml", []byte(fromA+"A: b\n\n"))
	f.Add("m", []byte("A: b\n\nFrom x\n"))
	f.Fuzz(func(t *testing.T, path string, file []byte) {
		var end int64
		for m, err := range Read(path, bytes.NewReader(file), int64(len(file))) {
			if errors.Is(err, ErrNotMail) || errors.Is(err, ErrCR) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Envelope.Start != end || m.Content.Start != m.Envelope.End || m.Trailer.Start != m.Content.End {
				t.Fatalf("got the spans %v %v %v, want one after the other from %d", m.Envelope, m.Content, m.Trailer, end)
			}
			if m.Envelope.Len() < 0 || m.Content.Len() < 0 || m.Trailer.End <= end {
				t.Fatalf("got the spans %v %v %v, want none below zero and one octet or more", m.Envelope, m.Content, m.Trailer)
			}
			end = m.Trailer.End
		}
		if end != int64(len(file)) {
			t.Fatalf("spans end at %d of %d, want %d", end, len(file), int64(len(file)))
		}
	})
}

// Messages that cross windows are read by several goroutines while the mailbox is read on,
// at any number of processors, with others that compute. All octets are as in the file.
func TestOctetsAcrossWindows(t *testing.T) {
	octets := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{7}).Read(octets)
	var file strings.Builder
	var want []string
	for i := range 24 {
		var content strings.Builder
		fmt.Fprintf(&content, "Subject: %d\n\n", i)
		size := []int{100, 200 << 10, 500 << 10, 800<<10 + 57*i, 1500 << 10}[i%5]
		for line := range slices.Chunk(octets[i:i+size], 57) {
			content.WriteString(base64.StdEncoding.EncodeToString(line) + "\n")
		}
		want = append(want, content.String())
		file.WriteString(fromA + content.String() + "\n")
	}
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, file.String())
	for _, procs := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			var load, readers sync.WaitGroup
			var stop atomic.Bool
			defer load.Wait()
			defer stop.Store(true)
			for range procs {
				load.Go(func() {
					for !stop.Load() {
						sha256.Sum256([]byte(want[1]))
					}
				})
			}
			messages := make(chan *Message)
			for range 4 {
				readers.Go(func() {
					for m := range messages {
						got, err := io.ReadAll(m.Reader())
						if err != nil || string(got) != want[m.Index] {
							t.Errorf("message %d: got %d octets, %v, want the %d of the file", m.Index, len(got), err, len(want[m.Index]))
						}
						m.Close()
					}
				})
			}
			n := 0
			for m, err := range Walk(path) {
				if err != nil {
					t.Error(err)
					break
				}
				messages <- m
				n++
			}
			close(messages)
			if readers.Wait(); n != len(want) {
				t.Errorf("got %d messages, want %d", n, len(want))
			}
		})
	}
}

// walk lists the results of Walk: path, index, flags, and the text or the error.
func walk(t *testing.T, root string) []string {
	t.Helper()
	var got []string
	for m, err := range Walk(root) {
		path, _ := filepath.Rel(root, m.Path)
		line := fmt.Sprintf("%s %d", filepath.ToSlash(path), m.Index)
		if m.Flags != "" {
			line += " " + m.Flags
		}
		if err != nil {
			got = append(got, line+" error")
			continue
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprintf("%s %q", line, text))
	}
	return got
}

func TestWalk(t *testing.T) {
	for _, tt := range []struct {
		name         string
		files, links map[string]string
		want         []string
	}{
		{"Folder", map[string]string{
			"b.eml":              "B: b\n",
			"a/x":                fromA + "X: 0\n\n" + fromB + "X: 1\n\n",
			"a/y":                "\x01\x01\x01\x01\nY: 0\n\x01\x01\x01\x01\n",
			"c.txt":              "C: c\n",
			"empty":              "",
			".hidden":            "H: h\n",
			"box" + BackupSuffix: "H: backup\n",
			".git/x":             "G: g\n",
			".Sent/cur/.x":       "",
			".Sent/new/1":        "S: s\n",
			"d/e/f/deep":         "D: d\n",
		}, nil, []string{
			`.Sent/new/1 0 "S: s\n"`,
			`.hidden 0 "H: h\n"`,
			`a/x 0 "X: 0\n\n"`,
			`a/x 1 "X: 1\n\n"`,
			`a/y 0 "Y: 0\n"`,
			`b.eml 0 "B: b\n"`,
			`c.txt 0 "C: c\n"`,
			`d/e/f/deep 0 "D: d\n"`,
		}},
		{"Maildir", map[string]string{
			"cur/1700000003.a.h:2,FS":  "N: 3\n",
			"cur/1700000001.a.h:2,":    fromA + "N: 1\n\n" + fromB + "N: x\n",
			"new/1700000002.a.h":       "N: 2\n",
			"tmp/1700000000.a.h":       "N: 0\n",
			"cur/.nfs1":                "N: y\n",
			"dovecot-uidlist":          "3 V1\n",
			".Sub/cur/1700000009.a.h":  "N: 9\n",
			".Sub/new/.x":              "",
			"unrelated/1700000009.a.h": "N: z\n",
		}, nil, []string{
			fmt.Sprintf("cur/1700000001.a.h:2, 0 %q", "N: 1\n\n"+fromB+"N: x\n"),
			`new/1700000002.a.h 0 "N: 2\n"`,
			`cur/1700000003.a.h:2,FS 0 FS "N: 3\n"`,
			`.Sub/cur/1700000009.a.h 0 "N: 9\n"`,
			`unrelated/1700000009.a.h 0 "N: z\n"`,
		}},
		{"GoesOnAfterErrors", map[string]string{"a": "A: a\n", "z": "Z: z\n"}, map[string]string{"link": "nowhere"},
			[]string{`a 0 "A: a\n"`, `link 0 error`, `z 0 "Z: z\n"`}},
		{"Links", map[string]string{"a": "A: a\n", "d/e": "E: e\n"}, map[string]string{"b": "a", "c": ".", "d/d": "../d"},
			[]string{`a 0 "A: a\n"`, `b 0 "A: a\n"`, `d/e 0 "E: e\n"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "Maildir" {
				needColons(t)
			}
			root := t.TempDir()
			for name, text := range tt.files {
				writeText(t, filepath.Join(root, name), text)
			}
			for name, target := range tt.links {
				if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
					t.Skip(err)
				}
			}
			if got := walk(t, root); !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestWalkMissing(t *testing.T) {
	for m, err := range Walk(filepath.Join(t.TempDir(), "none")) {
		if !errors.Is(err, fs.ErrNotExist) || filepath.Base(m.Path) != "none" {
			t.Errorf("got %+v, %v, want %v", m, err, fs.ErrNotExist)
		}
	}
}

// A message stays readable after the sequence until it is closed, and its file
// is closed with the last one.
func TestMessageOutlivesWalk(t *testing.T) {
	root := t.TempDir()
	writeText(t, filepath.Join(root, "box"), fromA+"N: 0\n\n"+fromB+"N: 1\n")
	var kept []*Message
	for m, err := range Walk(root) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, m)
	}
	kept[0].Close()
	kept[0].Close()
	if text, err := io.ReadAll(kept[1].Reader()); err != nil || string(text) != "N: 1\n" {
		t.Errorf("got %q, %v, want %q, nil", text, err, "N: 1\n")
	}
	kept[1].Close()
	if _, err := io.ReadAll(kept[1].Reader()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want a closed file", err)
	}
}
