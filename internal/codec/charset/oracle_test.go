package charset_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

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
