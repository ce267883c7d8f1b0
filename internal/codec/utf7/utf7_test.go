package utf7_test

import (
	"testing"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/utf7"
)

func TestEncode(t *testing.T) {
	for in, want := range map[string]string{
		"INBOX": "INBOX", "a&b": "a&-b", "~peter/mail/台北/日本語": "~peter/mail/&U,BTFw-/&ZeVnLIqe-",
		"Entwürfe & more": "Entw&APw-rfe &- more", "☺!": "&Jjo-!", "ä&": "&AOQ-&-", "😀": "&2D3eAA-",
	} {
		if got := utf7.Encode(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		ok       bool
	}{
		{"", "", true},
		{"INBOX", "INBOX", true},
		{"Entw&APw-rfe &- more", "Entwürfe & more", true},
		{"~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語", true},
		{"&2D3eAA-", "😀", true},
		{"A & B", "", false},
		{"a&", "", false},
		{"&AGE-", "", false},       // "a", which stands for itself
		{"&APw-&APw-", "", false},  // one run is two
		{"&2D0-", "", false},       // half of a pair
		{"&APwA-", "", false},      // bits that are left
		{"Entw\xfcrfe", "", false}, // no ASCII
		{"a\x00b", "", false},
	} {
		if got, ok := utf7.Decode(tt.in); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q: got %q, %t; want %q, %t", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestDecoder(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Hi Mom -+Jjo--!", "Hi Mom -☺-!"}, {"1 +- 2", "1 + 2"}, {"+2D3cSg-", "👊"}, {"+2D0-a", "\ufffda"}, {"+2D0", "\ufffd"}, {"+3Eo", "\ufffd"}, {"+2D0AYQ", "\ufffda"},
	} {
		var d utf7.Decoder
		var got []byte
		for i := range len(tt.in) {
			got = d.Append(got, []byte{tt.in[i]})
		}
		if got = d.End(got); string(got) != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestMayHide(t *testing.T) {
	for text, want := range map[string]bool{"a +ADw-b": true, "+IKwAPA-b": true, "a+b+AD": true, "+ZeVnLIqe-": false, "1+1 +49-30": false, "A B": false, "": false} {
		if got := utf7.MayHide([]byte(text)); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// Decode accepts exactly the texts that Encode writes.
func FuzzDecode(f *testing.F) {
	f.Add("Entw&APw-rfe &- more")
	f.Add("Entwürfe & more")
	f.Fuzz(func(t *testing.T, s string) {
		if name, ok := utf7.Decode(s); ok && utf7.Encode(name) != s {
			t.Errorf("%q: got %q, which is written %q, want the same", s, name, utf7.Encode(name))
		}
		if name, ok := utf7.Decode(utf7.Encode(s)); utf8.ValidString(s) && (!ok || name != s) {
			t.Errorf("%q is written %q: got %q, %t; want the same, true", s, utf7.Encode(s), name, ok)
		}
	})
}
