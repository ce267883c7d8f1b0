package charset_test

import (
	"errors"
	"mime"
	"strings"
	"testing"
	"unicode/utf8"

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
		{"iso-8859-3", "\xa5", "\xa5", charset.ErrInvalid},
		{"iso-2022-cn", "a", "a", charset.ErrUnknown},
		{"utf-16", "a\x00", "a\x00", charset.ErrUnknown},
		{"x-unknown", "a", "a", charset.ErrUnknown},
		{"", "a", "a", charset.ErrUnknown},
	} {
		got, err := charset.Text(tt.label, tt.octets)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Text(%q, %q): got %q, %v, want %q, %v", tt.label, tt.octets, got, err, tt.want, tt.err)
		}
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

// FuzzWords holds that what the standard library encodes comes back, and that of
// anything else text that is UTF-8 stays UTF-8.
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
