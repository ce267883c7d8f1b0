package dataurl_test

import (
	"errors"
	"fmt"
	"runtime"
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

func TestEncode(t *testing.T) {
	tests := []struct{ name, mediaType, data, want string }{
		{"Note", "text/plain", "A brief note", "data:text/plain,A%20brief%20note"},
		{"Empty", "", "", "data:,"},
		{"NoType", "", "x", "data:,x"},
		{"BadType", "x", "x", "data:,x"},
		{"Default", dataurl.DefaultMediaType, "x", "data:text/plain;charset=US-ASCII,x"},
		{"Case", "Text/HTML; Charset=UTF-8", "x", "data:text/html;charset=UTF-8,x"},
		{"URLCharacters", "a/b", "az09AZ-_.!~*'();/?:@&=+$,", "data:a/b,az09AZ-_.!~*'();/?:@&=+$,"},
		{"Unsafe", "a/b", "% \"#<>[\\]^`{|}\x7f" + strings.Repeat("x", 80), "data:a/b,%25%20%22%23%3C%3E%5B%5C%5D%5E%60%7B%7C%7D%7F" + strings.Repeat("x", 80)},
		{"Short", "a/b", "\xff\xff\xff\xff", "data:a/b,%FF%FF%FF%FF"}, // 12 against 15.
		{"Equal", "a/b", "\xff\xff\xff\xff\xff", "data:a/b,%FF%FF%FF%FF%FF"},
		{"Long", "a/b", "\xff\xff\xff\xff\xff\xff", "data:a/b;base64,////////"},
		{"Value", "a/b;c=d.e", "x", "data:a/b;c=d.e,x"},
		{"ValueQuoted", `a/b;c="d, e"`, "x", "data:a/b;c=d%2C%20e,x"},
		{"ValueWithQuote", `a/b;c="\"d"`, "x", "data:a/b;c=%22%5C%22d%22,x"},
		{"ValueEmpty", `a/b;c=""`, "x", "data:a/b;c=%22%22,x"},
		{"ValuePercent", "a/b;c=%20", "x", "data:a/b;c=%2520,x"},
		{"TypeHash", "a#/b", "x", "data:a%23/b,x"},
		{"TypeBase64", "a/b;base64=1", "x", "data:a/b;base64=1,x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := dataurl.Encode(tt.mediaType, []byte(tt.data)); got != tt.want {
				t.Errorf("Encode = %q, want %q", got, tt.want)
			}
		})
	}
	data := random(100_000)
	if n := testing.AllocsPerRun(5, func() { dataurl.Encode("image/png", data) }); n != 1 {
		t.Errorf("Encode allocates %v times, want 1", n)
	}
	clear(data)
	if n := testing.AllocsPerRun(5, func() { dataurl.Encode("a/b;c=d", data[:10]) }); n != 1 {
		t.Errorf("Encode allocates %v times, want 1", n)
	}
}

func ExampleEncode() {
	fmt.Println(dataurl.Encode("text/plain", []byte("A brief note")))
	fmt.Println(dataurl.Encode("image/gif", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff")))
	// Output:
	// data:text/plain,A%20brief%20note
	// data:image/gif;base64,R0lGODlhAQABAIAAAP8=
}

// A quoted value takes memory in proportion to its own length, not to the length of
// the text after it.
func TestQuotedValuesMemory(t *testing.T) {
	in := "text/plain" + strings.Repeat(`;a="\x"`, 10_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := dataurl.ParseMediaType(in); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(100*len(in)); got > limit {
		t.Errorf("allocated %d octets for a text of %d, want at most %d", got, len(in), limit)
	}
}
