package message

import (
	"strings"
	"testing"
)

func TestMeantEncoding(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  Encoding
	}{
		{"base64.", Base64},
		{"BASE-64", Base64},
		{"base64\x00", Base64},
		{"base64\u00a0", Base64},
		{"<base64>", Base64},
		{"x-b64", Base64},
		{"bas(x)e64", Base64},
		{"bas(\r\n )e64", Base64},
		{"=?UTF-8?B?YmFzZTY0?=", Base64},
		{"quoted printable", QuotedPrintable},
		{"QUOTED_PRINTABLE", QuotedPrintable},
		{"=?us-ascii?Q?quoted-printable?=", QuotedPrintable},
		{"qp", QuotedPrintable},
		{"base9000", OtherEncoding},
		{"8bit+", OtherEncoding},
		{"utf-8", OtherEncoding},
		{"foobar", OtherEncoding},
		{"", OtherEncoding},
	} {
		if got := MeantEncoding(tt.value); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.value, got, tt.want)
		}
	}
}

func TestNearName(t *testing.T) {
	for _, tt := range []struct{ line, name, value string }{
		{"Content-Type: a/b\r\n", typeName, "a/b\r\n"},
		{"content-transfer-encoding : base64", encodingName, "base64"},
		{" \vContent-Type: a/b", typeName, "a/b"},
		{"\rContent-Type: a/b", typeName, "a/b"},
		{"(c) Content-Type (d): a/b", typeName, "a/b"},
		{"Content-Type=a/b", typeName, "a/b"},
		{"Content-Transfer-Encoding base64", encodingName, "base64"},
		{"Content-Type:: a/b", typeName, "a/b"},
		{"Content-Type\r\n : a/b", typeName, "a/b"},
		{"Content-Type", typeName, ""},
		{"Content-TypeX: a/b", "", ""},
		{"Content-Transfer: a/b", "", ""},
		{"X-Content-Type: a/b", "", ""},
		{"> Content-Type: a/b", "", ""},
		{"(Content-Type: a/b", "", ""},
		{" \r\nContent-Type: a/b", "", ""},
		{"", "", ""},
	} {
		name := nearName([]byte(tt.line))
		if name != tt.name {
			t.Errorf("%q: got the name %q, want %q", tt.line, name, tt.name)
		}
		if name == "" {
			continue
		}
		if got := string(nearValue([]byte(tt.line))); got != tt.value {
			t.Errorf("%q: got the value %q, want %q", tt.line, got, tt.value)
		}
	}
}

// TestReadNear has messages that mail programs read by names that are nearly right.
func TestReadNear(t *testing.T) {
	for _, tt := range []struct{ name, text, plain, near string }{
		{"Boundary", "Content-Type: x/y; boundary=b\n\n--b\n\nHi\n--b--\n", "x/y", "multipart/mixed text/plain"},
		{"NoDelimiter", "Content-Type: x/y; boundary=b\n\nHi\n", "x/y", ""},
		{"NoDelimiterEncoded", "Content-Type: x/y; boundary=b\nContent-Transfer-Encoding: base64\n\nHi\n", "x/y base64", ""},
		{"TooLong", "Content-Type: x/y; boundary=" + strings.Repeat("b", 999) + "\n\nHi\n", "x/y", ""},
		{"Encoding", "Content-Transfer-Encoding: base64x\n\nHi\n", "text/plain other", "text/plain base64"},
		{"Comma", "Content-Transfer-Encoding: ,base64\n\nHi\n", "text/plain", "text/plain base64"},
		{"NoColon", "A: b\nContent-Transfer-Encoding=base64\n\nHi\n", "text/plain", "text/plain base64"},
		{"CommentInMessage", "Content-Type: mess(x)age/rfc822\n\nContent-Type: x/y\n\nHi\n", "text/plain", "message/rfc822 x/y"},
		{"CommentInSubtype", "Content-Type: message/external-b(a(b)c)ody; a=\"(\"\n\nA: b\n", "message/external-b", "message/external-body"},
		{"CommentInOther", "Content-Type: te(x)xt/html\n\nHi\n", "text/plain", ""},
		{"ProperFirst", "Content-Transfer-Encoding: 8bit\n(c)Content-Transfer-Encoding: base64\n\nHi\n", "text/plain", ""},
		{"Plain", "Content-Type: text/plain\nContent-Transfer-Encoding: 8bit\n\nHi\n", "text/plain", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := Scan(strings.NewReader(tt.text), int64(len(tt.text)), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := typesOf(x); got != tt.plain {
				t.Errorf("got %q, want %q", got, tt.plain)
			}
			others := x.Others()
			y, err := Scan(strings.NewReader(tt.text), int64(len(tt.text)), Limits{Reading: ReadNear})
			if err != nil {
				t.Fatal(err)
			}
			want := tt.near
			if want == "" {
				want = tt.plain
			} else if len(others) == 0 {
				t.Error("got no other reading")
			}
			if got := typesOf(y); got != want {
				t.Errorf("ReadNear: got %q, want %q", got, want)
			}
		})
	}
}

// typesOf returns the types and encodings of all parts.
func typesOf(x *Index) string {
	var words []string
	for _, p := range x.Parts {
		words = append(words, p.Type)
		if p.Encoding != Identity {
			words = append(words, p.Encoding.String())
		}
	}
	return strings.Join(words, " ")
}
