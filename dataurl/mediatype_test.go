package dataurl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
)

// mediaTypes has cases for each step of "parse a MIME type". An empty result is
// failure.
var mediaTypes = []struct{ name, in, want string }{
	{"Plain", "text/html", "text/html"},
	{"Case", "Text/HTML;Charset=UTF-8", "text/html;charset=UTF-8"},
	{"White", "\t\n\r text/html \r\n\t", "text/html"},
	{"FormFeedIsNoWhite", "text/html\f", ""},
	{"VerticalTabIsNoWhite", "\vtext/html", ""},
	{"WhiteBeforeSlash", "text /html", ""},
	{"WhiteAfterSlash", "text/ html", ""},
	{"WhiteBeforeSemicolon", "text/html ;a=b", "text/html;a=b"},
	{"WhiteAfterSemicolon", "text/html; \t\r\na=b", "text/html;a=b"},
	{"WhiteBeforeEquals", "text/html;a =b", "text/html"},
	{"WhiteAfterEquals", "text/html;a= b ", `text/html;a=" b"`},
	{"WhiteAfterValue", "text/html;a=b \t;c=d", "text/html;a=b;c=d"},
	{"NoSlash", "text", ""},
	{"NoType", "/html", ""},
	{"NoSubtype", "text/", ""},
	{"NoSubtypeButWhite", "text/ ;a=b", ""},
	{"TwoSlashes", "text/html/x", ""},
	{"SlashInParameter", "text;a=b/c", ""},
	{"AllTokens", "!#$%&'*+-.^_`|~09azAZ/!#$%&'*+-.^_`|~", "!#$%&'*+-.^_`|~09azaz/!#$%&'*+-.^_`|~"},
	{"NoToken", "te(t/html", ""},
	{"EightBitType", "t\u00e9xt/html", ""},
	{"EmptyParameters", "text/html;;; ;", "text/html"},
	{"NoValue", "text/html;a;c=d", "text/html;c=d"},
	{"NoValueAtEnd", "text/html;a", "text/html"},
	{"EmptyValue", "text/html;a=;c=d", "text/html;c=d"},
	{"EmptyValueAtEnd", "text/html;a=", "text/html"},
	{"EmptyValueButWhite", "text/html;a=  ", "text/html"},
	{"NoName", "text/html;=b;c=d", "text/html;c=d"},
	{"NameNoToken", "text/html;(=b;c=d", "text/html;c=d"},
	{"NameQuoted", `text/html;"a"=b;c=d`, "text/html;c=d"},
	{"Duplicate", "text/html;a=b;A=c", "text/html;a=b"},
	{"DuplicateOfInvalid", "text/html;a=;a=\x00;a=c", "text/html;a=c"},
	{"ValueWithEquals", "text/html;a=b=c", `text/html;a="b=c"`},
	{"Quoted", `text/html;a="b"`, "text/html;a=b"},
	{"QuotedSpecial", `text/html;a="b;c,d"`, `text/html;a="b;c,d"`},
	{"QuotedEmpty", `text/html;a=""`, `text/html;a=""`},
	{"QuotedPair", `text/html;a="\b\"\\"`, `text/html;a="b\"\\"`},
	{"QuotedThenMore", `text/html;a="b"c";d=e`, "text/html;a=b;d=e"},
	{"QuotedOpen", `text/html;a="b;c`, `text/html;a="b;c"`},
	{"QuotedOpenEmpty", `text/html;a="`, `text/html;a=""`},
	{"QuotedOpenPair", `text/html;a="b\`, `text/html;a="b\\"`},
	{"QuotedAfterSpace", `text/html;a= "b"`, `text/html;a=" \"b\""`},
	{"QuoteInside", `text/html;a=b"c"`, `text/html;a="b\"c\""`},
	{"BackslashUnquoted", `text/html;a=b\c`, `text/html;a="b\\c"`},
	{"SingleQuotes", "text/html;a='b;c'", "text/html;a='b"},
	{"Tab", "text/html;a=b\tc", "text/html;a=\"b\tc\""},
	{"Control", "text/html;a=b\x01;c=d", "text/html;c=d"},
	{"Delete", "text/html;a=\x7f;c=d", "text/html;c=d"},
	{"Latin1", "text/html;a=\u0080\u00ff", "text/html;a=\"\u0080\u00ff\""},
	{"BeyondLatin1", "text/html;a=\u0100;c=d", "text/html;c=d"},
	{"Replacement", "text/html;a=\ufffd;c=d", "text/html;c=d"},
	{"NotUTF8", "text/html;a=\xff;c=d", "text/html;c=d"},
	{"Comma", "text/html,text/css", ""},
	{"CommaInValue", "text/html;a=b,c", `text/html;a="b,c"`},
	{"Empty", "", ""},
}

func TestParseMediaType(t *testing.T) {
	for _, tt := range mediaTypes {
		t.Run(tt.name, func(t *testing.T) {
			got, err := dataurl.ParseMediaType(tt.in)
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("ParseMediaType(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
			}
			if err != nil && !errors.Is(err, dataurl.BadMediaType) {
				t.Errorf("ParseMediaType(%q): got error %v, want %v", tt.in, err, dataurl.BadMediaType)
			}
		})
	}
}

// TestManyParameters has so many that a search for duplicates one by one would
// not end in time.
func TestManyParameters(t *testing.T) {
	var in strings.Builder
	in.WriteString("a/b")
	for i := range 100_000 {
		fmt.Fprintf(&in, ";p%d=x", i)
	}
	want := in.String()
	in.WriteString(";P0=y;p99999=y")
	got, err := dataurl.ParseMediaType(in.String())
	if err != nil || got != want {
		t.Errorf("ParseMediaType gives %d octets, %v; want %d", len(got), err, len(want))
	}
	if n := testing.AllocsPerRun(5, func() { dataurl.ParseMediaType("text/plain;charset=utf-8") }); n != 0 {
		t.Errorf("ParseMediaType of what it would return allocates %v times, want 0", n)
	}
}

func ExampleParseMediaType() {
	mediaType, err := dataurl.ParseMediaType(`Text/HTML; Charset="utf-8"; charset=latin1`)
	fmt.Println(mediaType, err)
	// Output: text/html;charset=utf-8 <nil>
}
