package charset_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"mime"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		label, octets, want string
		err                 error
	}{
		{"us-ascii", "a", "a", nil},
		{"US-ASCII", "\xe4", "\xe4", charset.ErrInvalid},
		{"utf-8", "ä", "ä", nil},
		{"UTF8", "\xe4", "\xe4", charset.ErrInvalid},
		{"iso-8859-1", "\xe4", "ä", nil},
		{"windows-1252", "\x80", "€", nil},
		{"KOI8-R", "\xf0\xd2\xc9\xcb\xc1\xda", "Приказ", nil},
		{"cp1251", "\xcf\xf0\xe8\xea\xe0\xe7", "Приказ", nil},
		{"gb2312", "\xb1\xa8\xb8\xe6", "报告", nil},
		{"CP936", "\xb1\xa8\xb8\xe6", "报告", nil},
		{"big5", "\xb3\xf8\xa7i", "報告", nil},
		{"shift_jis", "\x95\xf1\x8d\x90", "報告", nil},
		{"iso-2022-jp", "\x1b$BJs9p\x1b(B", "報告", nil},
		{"euc-kr", "\xba\xb8\xb0\xed", "보고", nil},
		{"gbk", "\xb1", "\xb1", charset.ErrInvalid},
		{"hz-gb-2312", "~{1(8f~}", "报告", nil},
		{"hz", "a~~b", "a~b", nil},
		{"iso-2022-kr", "\x1b$)C\x0e:80m\x0f a", "보고 a", nil},
		{"utf-7", "+U/BTFw-.pdf", "台北.pdf", nil},
		{"utf-7", "1 +- 1 +2D0-", "1 +- 1 +2D0-", charset.ErrInvalid},
		{"iso-8859-2", "a\x80\x9f\xb1", "a\u0080\u009fą", nil},
		{"windows-1252", "\x81", "\u0081", nil},
		{"iso-8859-8-i", "\x80\xe0", "\u0080א", nil},
		{"iso-8859-3", "\xa5", "\xa5", charset.ErrInvalid},
		{"iso-2022-cn", "a", "a", charset.ErrUnknown},
		{"utf-16", "a\x00.\x00b\x00", "a.b", nil},
		{"utf-16", "\xfe\xff\x00a", "a", nil},
		{"utf-16", "ab", "ab", charset.ErrUnknown},
		{"utf-16be", "\x00a\x00", "\x00a\x00", charset.ErrInvalid},
		{"x-unknown", "a", "a", charset.ErrUnknown},
		{"", "a", "a", charset.ErrUnknown},
	} {
		got, err := charset.Text(tt.label, tt.octets)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Text(%q, %q): got %q, %v, want %q, %v", tt.label, tt.octets, got, err, tt.want, tt.err)
		}
	}
}

func TestIsKnown(t *testing.T) {
	for label, want := range map[string]bool{
		"": true, "Unknown-8bit": true, "utf-8": true, "KOI8-R": true, "utf-16le": true, "utf-32": true, "x-no": false, "utf-9": false,
	} {
		if got := charset.IsKnown(label); got != want {
			t.Errorf("%q: got %t, want %t", label, got, want)
		}
	}
}

// TestJIS compares a text in ISO-2022-JP whose high bits were set with EUC-JP.
func TestJIS(t *testing.T) {
	const text = "a\u5831\u544a b\n\u5831c\u544a\r\nd"
	jis, err := japanese.ISO2022JP.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want, err := japanese.EUCJP.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var j charset.JISReader
	for piece := range slices.Chunk(jis, 2) {
		j.Set(piece)
	}
	if got := charset.WithoutEscapes(jis); !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, s, want string }{
		{"none", "plain =? text", "plain =? text"},
		{"Q", "=?utf-8?Q?a_b=C3=A4?=", "a bä"},
		{"B", "=?GB2312?B?saiw5g==?=.pdf", "报版.pdf"},
		{"B without its padding", "=?gb18030?B?saiw5g?=", "报版"},
		{"with a language (RFC 2231 section 5)", "=?us-ascii*en?q?Keith?=", "Keith"},
		{"two words", "=?utf-8?q?a?= \r\n =?utf-8?q?b?=", "ab"},
		{"two words, two charsets", "=?utf-8?q?a?= =?koi8-r?q?=F0?=", "aП"},
		{"text between", "=?utf-8?q?a?= and =?utf-8?q?b?=", "a and b"},
		{"a character cut in two", "=?utf-8?b?5Q==?= =?UTF-8?b?oKE=?=", "堡"},
		{"the same, in two encodings", "=?utf-8?b?5Q==?= =?utf-8?q?=A0=A1?=", "堡"},
		{"octets that are not of the charset", "=?utf-8?q?a=E4b?=", "a\uFFFDb"},
		{"the same of another charset", "=?gbk?q?a=B1?=", "a\uFFFD"},
		{"UTF-7 over two words", "=?utf-7?q?a+AOQ?= =?utf-7?q?-b?=", "aäb"},
		{"UTF-16", "=?UTF-16LE?B?YQAuAGUAeABlAA==?=", "a.exe"},
		{"a charset that is not known", "=?x-no?q?a?= =?x-no?q?b?= =?utf-8?q?c?=", "=?x-no?q?a?= =?x-no?q?b?=c"},
		{"an encoding that is not known", "=?utf-8?x?a?=", "=?utf-8?x?a?="},
		{"no base64", "=?utf-8?b?a!?=", "=?utf-8?b?a!?="},
		{"no end", "=?utf-8?q?a", "=?utf-8?q?a"},
		{"nothing in it", "=?utf-8?q??=", ""},
		{"no encoded octet", "=?utf-8?q?a=zz=?=", "a=zz="},
		{"within a word", "=?=?utf-8?q?a?=", "=?a"},
	} {
		if got := charset.Words(tt.s); got != tt.want {
			t.Errorf("%s: Words(%q): got %q, want %q", tt.name, tt.s, got, tt.want)
		}
	}
}

// FuzzWords wants words that the standard library encodes to be decoded again, and
// any other text that is UTF-8 to stay UTF-8.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a", "報告 ä", "=?utf-8?q?a?=", "=?gbk?b?saiw5g==?= =?gbk?q?=B1?=", "=?x?y?z", strings.Repeat("é", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := charset.Words(s)
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("Words(%q): got %q, want UTF-8", s, got)
		}
		if !strings.Contains(s, "=?") && got != s {
			t.Errorf("Words(%q): got %q, want it as it is", s, got)
		}
		if !utf8.ValidString(s) || strings.Contains(s, "=?") {
			return
		}
		for _, enc := range []mime.WordEncoder{mime.QEncoding, mime.BEncoding} {
			encoded := enc.Encode("utf-8", s)
			if got := charset.Words(encoded); got != s {
				t.Errorf("Words(%q): got %q, want %q", encoded, got, s)
			}
		}
	})
}

func TestSpellings(t *testing.T) {
	for _, tt := range []struct{ label, octets, want string }{
		{"latin-9", "\xa4", "€"}, {"latin9", "\xa4", "€"}, {"latin-2", "\xb1", "ą"}, {"win-1251", "\xef", "п"}, {"cp-1251", "\xef", "п"}, {"Windows1252", "\x80", "€"},
		{"cp437", "\x81", "ü"}, {"cp-850", "\x81", "ü"}, {"IBM852", "\xa5", "ą"}, {"gb2312", "\x81\x30\x81\x30", "\u0080"}, {"gbk", "\x80", "€"},
		{"IBM037", "\xc8\x89", "Hi"}, {"cp500", "\xc8\x89\x4a\x5a\xbb", "Hi[]|"}, {"ibm1140", "\xc8\x89\x9f", "Hi€"},
	} {
		if got, err := charset.Text(tt.label, tt.octets); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.label, got, err, tt.want)
		}
	}
}

// decodeAll is a program for Python. For each codec it prints octets, or pairs of them, and
// texts in its charset, each with the text that they stand for, or "-".
const decodeAll = `
import random, sys
for arg in sys.argv[1:]:
    kind, label, codec = arg.split('/')
    random.seed(label)
    def show(b):
        try: s = b.decode(codec).encode('utf-8').hex()
        except ValueError: s = '-'
        print(label, b.hex(), s)
    if kind == 'single':
        for a in range(256): show(bytes([a]))
    elif kind == 'double':
        for a in range(0x80, 256):
            show(bytes([a]))
            for b in range(0x30, 256): show(bytes([a, b]))
    else:
        letters = [chr(c) for c in list(range(0x20, 0x7f)) + list(range(0xa1, 0x3100)) + list(range(0x4e00, 0x9f00)) + list(range(0xac00, 0xd7a4)) + [0x1f44a]]
        good = []
        for c in letters:
            try: c.encode(codec); good.append(c)
            except ValueError: pass
        for i in range(2000):
            show(''.join(random.choice(good[:95] if random.random() < 0.5 else good) for _ in range(20)).encode(codec))
`

// TestPython compares Text with the codecs of Python: all octets of the charsets of single
// octets, all pairs of others, and random texts of those with escape sequences.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	// Where we differ on purpose: only we have a text, only Python has one, both have others.
	type counts struct {
		ours, theirs, others int
		why                  string
	}
	const gb = "80 is the euro sign as in browsers; golang.org/x/text has no characters for 174 unassigned pairs"
	known := map[string]counts{
		"windows-1255": {1, 0, 0, "CA is U+05BA in the Encoding Standard"},
		"koi8-u":       {0, 0, 2, "AE and BE are letters of Belarusian in the Encoding Standard"},
		"shift_jis":    {0, 852, 0, "A0, FD, FE and FF are errors in the Encoding Standard"},
		"euc-jp":       {457, 0, 6, "the Encoding Standard has the extensions of NEC and IBM"},
		"gbk":          {82, 174, 0, gb}, "gb2312": {82, 174, 0, gb}, "gb18030": {82, 174, 0, gb},
		"big5":        {192, 0, 11, "the Encoding Standard has a later version of HKSCS"},
		"iso-2022-jp": {0, 0, 27, "2141, 2142 and others are other dashes and signs in the Encoding Standard"},
		"hz-gb-2312":  {0, 0, 2, "A1A4 and A1AA are other dots and dashes in the Encoding Standard"},
	}
	args := []string{"-c", decodeAll}
	for label, codec := range map[string]string{
		"iso-8859-1": "cp1252", "iso-8859-2": "iso8859_2", "iso-8859-3": "iso8859_3", "iso-8859-4": "iso8859_4", "iso-8859-5": "iso8859_5",
		"iso-8859-6": "iso8859_6", "iso-8859-7": "iso8859_7", "iso-8859-8": "iso8859_8", "iso-8859-9": "cp1254", "iso-8859-10": "iso8859_10",
		"iso-8859-13": "iso8859_13", "iso-8859-14": "iso8859_14", "latin-9": "iso8859_15", "iso-8859-16": "iso8859_16",
		"windows-1250": "cp1250", "win-1251": "cp1251", "cp1252": "cp1252", "windows-1253": "cp1253", "windows-1254": "cp1254", "windows-1255": "cp1255",
		"windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258", "windows-874": "cp874", "tis-620": "cp874",
		"koi8-r": "koi8_r", "koi8-u": "koi8_u", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "cp866": "cp866",
		"cp437": "cp437", "cp-850": "cp850", "ibm852": "cp852", "858": "cp858", "ibm037": "cp037", "ibm500": "cp500", "ibm1140": "cp1140",
	} {
		args = append(args, "single/"+label+"/"+codec)
	}
	for label, codec := range map[string]string{
		"shift_jis": "cp932", "euc-jp": "euc_jp", "gbk": "gb18030", "gb2312": "gb18030", "gb18030": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949",
	} {
		args = append(args, "double/"+label+"/"+codec)
	}
	for label, codec := range map[string]string{"utf-7": "utf_7", "iso-2022-kr": "iso2022_kr", "hz-gb-2312": "hz", "iso-2022-jp": "iso2022_jp"} {
		args = append(args, "text/"+label+"/"+codec)
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]counts)
	all, same := 0, 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		octets, _ := hex.DecodeString(f[1])
		text, err := charset.Text(f[0], string(octets))
		got := hex.EncodeToString([]byte(text))
		if err != nil {
			got = "-"
		}
		n := found[f[0]]
		switch {
		case got == f[2]:
			same++
		case f[2] == "-" && len(octets) == 1 && text == string(rune(octets[0])): // a C1 control in the Encoding Standard
		case f[2] == "-":
			n.ours++
		case got == "-":
			n.theirs++
		default:
			n.others++
		}
		if k := known[f[0]]; n.ours > k.ours || n.theirs > k.theirs || n.others > k.others {
			t.Errorf("%s, %s: got %s, want %s, or a reason why we differ", f[0], f[1], got, f[2])
		}
		found[f[0]] = n
		all++
	}
	t.Logf("%d of %d are the same in %d charsets", same, all, len(found))
	for label, k := range known {
		t.Logf("%s: %s: %d only here, %d only in Python, %d others", label, k.why, found[label].ours, found[label].theirs, found[label].others)
	}
}
