package dataurl_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/dataurl"
)

const none = dataurl.DefaultMediaType

// A result is the meaning of a URL: a media type and a body, or the kind of its
// fault.
type result struct {
	mediaType, body string
	kind            dataurl.Kind
}

// duTable has a row for each row of the table of requirements DU-1 to DU-9, and
// some more: the meaning by RFC 2397 and by the Fetch Standard.
var duTable = []struct {
	name, in       string
	strict, whatwg result
}{
	{"Note", "data:,A%20brief%20note", result{none, "A brief note", 0}, result{none, "A brief note", 0}},
	{"EmptyBody", "data:,", result{none, "", 0}, result{none, "", 0}},
	{"Nothing", "data:", result{kind: dataurl.NoComma}, result{kind: dataurl.NoComma}},
	{"NoComma", "data:text/html", result{kind: dataurl.NoComma}, result{kind: dataurl.NoComma}},
	{"NoScheme", ",x", result{kind: dataurl.NotData}, result{kind: dataurl.NotData}},
	{"Empty", "", result{kind: dataurl.NotData}, result{kind: dataurl.NotData}},
	{"OtherScheme", "date:,x", result{kind: dataurl.NotData}, result{kind: dataurl.NotData}},
	{"SchemeWithControl", "data\x1a,x", result{kind: dataurl.NotData}, result{kind: dataurl.NotData}},
	{"SchemeCase", "DaTa:,x", result{none, "x", 0}, result{none, "x", 0}},
	{"EmptyParameter", "data:;,x", result{kind: dataurl.BadMediaType}, result{"text/plain", "x", 0}},
	{"OnlyParameter", "data:;charset=utf-8,x", result{"text/plain;charset=utf-8", "x", 0}, result{"text/plain;charset=utf-8", "x", 0}},
	{"NoPadding", "data:;base64,YQ", result{kind: dataurl.BadBase64}, result{none, "a", 0}},
	{"Base64NotLast", "data:;base64;charset=utf-8,YQ==", result{kind: dataurl.BadMediaType}, result{"text/plain;charset=utf-8", "YQ==", 0}},
	{"SpaceAfterMark", "data:text/plain;base64 ,YQ==", result{kind: dataurl.BadMediaType}, result{"text/plain", "a", 0}},
	{"SpaceBeforeMark", "data:text/plain; base64,YQ==", result{kind: dataurl.BadMediaType}, result{"text/plain", "a", 0}},
	{"Case", "data:TEXT/HTML;BASE64,YQ==", result{"text/html", "a", 0}, result{"text/html", "a", 0}},
	{"MarkWithoutSemicolon", "data:base64,YQ==", result{kind: dataurl.BadMediaType}, result{none, "YQ==", 0}},
	{"MarkWithValue", "data:;base64=1,YQ==", result{"text/plain;base64=1", "YQ==", 0}, result{"text/plain;base64=1", "YQ==", 0}},
	{"MarkTwice", "data:;base64;base64,YQ==", result{kind: dataurl.BadMediaType}, result{"text/plain", "a", 0}},
	{"MarkEscaped", "data:;%62ase64,YQ==", result{kind: dataurl.BadMediaType}, result{"text/plain", "YQ==", 0}},
	{"EmptyValueBase64", "data:;x=;base64,YQ", result{kind: dataurl.BadMediaType}, result{"text/plain", "a", 0}},
	{"PaddingEscaped", "data:;base64,YQ%3D%3D", result{none, "a", 0}, result{none, "a", 0}},
	{"AllEscaped", "data:;base64,%59%57%4A%6a", result{none, "abc", 0}, result{none, "abc", 0}},
	{"Base64Empty", "data:;base64,", result{none, "", 0}, result{none, "", 0}},
	{"Base64White", "data:;base64,Y%20Q%0A==", result{kind: dataurl.BadBase64}, result{none, "a", 0}},
	{"Base64RawWhite", "data:;base64,Y\tQ \n=\f=\r", result{kind: dataurl.BadCharacter}, result{none, "a", 0}},
	{"Base64VT", "data:;base64,YQ\v==", result{kind: dataurl.BadCharacter}, result{kind: dataurl.BadBase64}},
	{"Base64HalfPadding", "data:;base64,YQ=", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64MorePadding", "data:;base64,YQ===", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64OnlyPadding", "data:;base64,====", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64PaddingInside", "data:;base64,YQ==YQ==", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64PaddedGroup", "data:;base64,YWJj=", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64One", "data:;base64,Y", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64Five", "data:;base64,YWJjY", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64URLAlphabet", "data:;base64,-_8=", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64LeftoverBits", "data:;base64,YR", result{kind: dataurl.BadBase64}, result{none, "a", 0}},
	{"Base64LeftoverBitsPadded", "data:;base64,YR==", result{kind: dataurl.BadBase64}, result{none, "a", 0}},
	{"Base64LeftoverBitsThree", "data:;base64,YWJ=", result{kind: dataurl.BadBase64}, result{none, "ab", 0}},
	{"Base64Plus", "data:;base64,++//", result{none, "\xfb\xef\xff", 0}, result{none, "\xfb\xef\xff", 0}},
	{"Base64Percent", "data:;base64,YQ%", result{kind: dataurl.BadCharacter}, result{kind: dataurl.BadBase64}},
	{"Base64Fragment", "data:;base64,YQ==#YQ==", result{none, "a", 0}, result{none, "a", 0}},
	{"Base64EscapedHash", "data:;base64,YQ==%23", result{kind: dataurl.BadBase64}, result{kind: dataurl.BadBase64}},
	{"Base64EightBit", "data:;base64,YWJ\xe9", result{kind: dataurl.BadCharacter}, result{kind: dataurl.BadBase64}},
	{"QuotesEscaped", "data:text/plain;charset=%22utf-8%22,x", result{"text/plain;charset=utf-8", "x", 0}, result{"text/plain;charset=%22utf-8%22", "x", 0}},
	{"Quotes", `data:text/plain;charset="utf-8",x`, result{kind: dataurl.BadMediaType}, result{"text/plain;charset=utf-8", "x", 0}},
	{"CommaInQuotes", `data:text/plain;a=",",x`, result{kind: dataurl.BadMediaType}, result{`text/plain;a=""`, `",x`, 0}},
	{"Duplicate", "data:text/plain;a=b;A=c,x", result{kind: dataurl.BadMediaType}, result{"text/plain;a=b", "x", 0}},
	{"EmptyValue", "data:text/plain;charset=,x", result{kind: dataurl.BadMediaType}, result{"text/plain", "x", 0}},
	{"NoValue", "data:text/plain;charset,x", result{kind: dataurl.BadMediaType}, result{"text/plain", "x", 0}},
	{"NoSubtype", "data:image,x", result{kind: dataurl.BadMediaType}, result{none, "x", 0}},
	{"EmptySubtype", "data:image/,x", result{kind: dataurl.BadMediaType}, result{none, "x", 0}},
	{"SlashEscaped", "data:text%2Fplain,x", result{kind: dataurl.BadMediaType}, result{none, "x", 0}},
	{"TwoSlashes", "data:text/plain/x,x", result{kind: dataurl.BadMediaType}, result{none, "x", 0}},
	{"TypeEscaped", "data:%54ext/pl%61in,x", result{"text/plain", "x", 0}, result{"%54ext/pl%61in", "x", 0}},
	{"ValueEscaped", "data:text/plain;a=x%20y%3B,x", result{`text/plain;a="x y;"`, "x", 0}, result{"text/plain;a=x%20y%3B", "x", 0}},
	{"ValueWithSpecial", "data:text/plain;a=x?y,x", result{kind: dataurl.BadMediaType}, result{`text/plain;a="x?y"`, "x", 0}},
	{"ValueNotUTF8", "data:text/plain;a=%FF,x", result{kind: dataurl.BadMediaType}, result{"text/plain;a=%FF", "x", 0}},
	{"ValueControl", "data:text/plain;a=%00,x", result{kind: dataurl.BadMediaType}, result{"text/plain;a=%00", "x", 0}},
	{"TypeNoURLCharacter", "data:a/b^c;d=|,x", result{kind: dataurl.BadMediaType}, result{"a/b^c;d=|", "x", 0}},
	{"TypeBadEscape", "data:text/pl%6,x", result{kind: dataurl.BadMediaType}, result{"text/pl%6", "x", 0}},
	{"TypoOfTheRFC", "data:text/plain;charset=iso-8859-7,%be%fg%be", result{kind: dataurl.BadCharacter}, result{"text/plain;charset=iso-8859-7", "\xbe%fg\xbe", 0}},
	{"TypoMended", "data:text/plain;charset=iso-8859-7,%be%d3%be", result{"text/plain;charset=iso-8859-7", "\xbe\xd3\xbe", 0}, result{"text/plain;charset=iso-8859-7", "\xbe\xd3\xbe", 0}},
	{"LonePercent", "data:,%", result{kind: dataurl.BadCharacter}, result{none, "%", 0}},
	{"OneDigit", "data:,%4", result{kind: dataurl.BadCharacter}, result{none, "%4", 0}},
	{"NotHex", "data:,%zz", result{kind: dataurl.BadCharacter}, result{none, "%zz", 0}},
	{"Fragment", "data:,a#b", result{none, "a", 0}, result{none, "a", 0}},
	{"CommaInFragment", "data:text/plain#,x", result{kind: dataurl.NoComma}, result{kind: dataurl.NoComma}},
	{"QueryAndSpace", "data:,a?b c", result{kind: dataurl.BadCharacter}, result{none, "a?b c", 0}},
	{"Plus", "data:,a+b", result{none, "a+b", 0}, result{none, "a+b", 0}},
	{"UTF8", "data:,é", result{kind: dataurl.BadCharacter}, result{none, "\xc3\xa9", 0}},
	{"EightBit", "data:,\xe9", result{kind: dataurl.BadCharacter}, result{none, "\xe9", 0}},
	{"LineBreak", "data:,a\nb", result{kind: dataurl.BadCharacter}, result{none, "ab", 0}},
	{"TabsAndBreaks", "data:,\ta\r\n\tb\t\n", result{kind: dataurl.BadCharacter}, result{none, "ab", 0}},
	{"BreakInEscape", "data:,%\n4\t1%\r4%", result{kind: dataurl.BadCharacter}, result{none, "A%4%", 0}},
	{"BreakInBase64Escape", "data:;base64,%\n59%5\t7I%\r3D", result{kind: dataurl.BadCharacter}, result{none, "ab", 0}},
	{"DecodedOnce", "data:,%2541", result{none, "%41", 0}, result{none, "%41", 0}},
	{"EscapedBreak", "data:,a%0Ab%23c", result{none, "a\nb#c", 0}, result{none, "a\nb#c", 0}},
	{"ControlInBody", "data:,a\x00\fb", result{kind: dataurl.BadCharacter}, result{none, "a\x00\fb", 0}},
	{"SpaceAtEnds", " \x00data:,a \x1f", result{kind: dataurl.NotData}, result{none, "a", 0}},
	{"SpaceAtEnd", "data:,a ", result{kind: dataurl.BadCharacter}, result{none, "a", 0}},
	{"BreaksInScheme", "\nda\tta\r:,a", result{kind: dataurl.NotData}, result{none, "a", 0}},
	{"BreaksInType", "data:te\nxt/html;bas\te64\r,YQ==", result{kind: dataurl.BadMediaType}, result{"text/html", "a", 0}},
	{"ControlInType", "data:text/plain\f,x", result{kind: dataurl.BadMediaType}, result{"text/plain%0c", "x", 0}},
	{"UTF8InType", "data:†/†,x", result{kind: dataurl.BadMediaType}, result{"%e2%80%a0/%e2%80%a0", "x", 0}},
	{"QuestionInType", `data:a/b;c="?<x> y",x`, result{kind: dataurl.BadMediaType}, result{`a/b;c="?%3Cx%3E%20y%22"`, "x", 0}},
	{"SpaceBeforeQuestion", `data:a/b;c="x ?,x`, result{kind: dataurl.BadMediaType}, result{`a/b;c="x%20?"`, "x", 0}},
	{"SpacesBeforeQuestion", `data:a/b;c="x  ` + "\t" + `?,x`, result{kind: dataurl.BadMediaType}, result{`a/b;c="x %20?"`, "x", 0}},
	{"CommaInBody", "data:application/vnd-xxx-query,select_vcount,fcol_from_fieldtable/local",
		result{"application/vnd-xxx-query", "select_vcount,fcol_from_fieldtable/local", 0},
		result{"application/vnd-xxx-query", "select_vcount,fcol_from_fieldtable/local", 0}},
	{"AnyTopLevelType", "data:font/woff2;base64,YQ==", result{"font/woff2", "a", 0}, result{"font/woff2", "a", 0}},
	{"Authority", "data://host/,x", result{kind: dataurl.BadMediaType}, result{none, "x", 0}},
}

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTable(t *testing.T) {
	for _, tt := range duTable {
		t.Run(tt.name, func(t *testing.T) {
			mediaType, body, err := dataurl.Decode(tt.in)
			check(t, "Decode", tt.whatwg, mediaType, body, err)
			mediaType, body, err = dataurl.AppendDecode([]byte("pre"), tt.in)
			if err == nil {
				body = body[3:]
			}
			check(t, "AppendDecode", tt.whatwg, mediaType, body, err)
			u, err := dataurl.Parse(tt.in)
			checkURL(t, "Parse", tt.whatwg, u, err)
			u, err = dataurl.ParseStrict(tt.in)
			if (err == nil) != (tt.strict.kind == 0) {
				t.Errorf("ParseStrict(%q): got error %v, want Kind %v", tt.in, err, tt.strict.kind)
			}
			checkURL(t, "ParseStrict", tt.strict, u, err)
		})
	}
}

// checkURL reads the body of u in several ways.
func checkURL(t *testing.T, what string, want result, u *dataurl.URL, err error) {
	t.Helper()
	if err != nil {
		check(t, what, want, "", nil, err)
		return
	}
	for _, r := range []io.Reader{u.NewReader(), iotest.OneByteReader(u.NewReader()), iotest.HalfReader(u.NewReader())} {
		body, err := io.ReadAll(r)
		check(t, what, want, u.MediaType, body, err)
		if len(body) > u.DecodedLen() {
			t.Errorf("%s: got a body of %d octets, want at most DecodedLen, %d", what, len(body), u.DecodedLen())
		}
	}
}

func check(t *testing.T, what string, want result, mediaType string, body []byte, err error) {
	t.Helper()
	if want.kind != 0 {
		if e, ok := errors.AsType[*dataurl.Error](err); !ok || e.Fault() != want.kind || !errors.Is(err, want.kind) {
			t.Errorf("%s: got %q, %q, %v; want %v", what, mediaType, body, err, want.kind)
		}
		return
	}
	if err != nil || mediaType != want.mediaType || string(body) != want.body {
		t.Errorf("%s: got %q, %q, %v; want %q, %q", what, mediaType, body, err, want.mediaType, want.body)
	}
}

// TestHierarchical has URLs with a host or an absolute path, which the URL
// Standard normalizes.
func TestHierarchical(t *testing.T) {
	tests := []struct {
		name, in, body string
		kind           dataurl.Kind
	}{
		{"Host", "data://host/,x", "x", 0},
		{"CommaInHost", "data://a,b/c", "b/c", 0},
		{"NoPath", "data://,x", "x", 0},
		{"Path", "data:/,x", "x", 0},
		{"EmptyHost", "data:///,x", "x", 0},
		{"Port", "data://h:80/,x", "x", 0},
		{"PortNotANumber", "data://test:test/,X", "", dataurl.BadAuthority},
		{"PortTooLarge", "data://h:65536/,x", "", dataurl.BadAuthority},
		{"PortVeryLarge", "data://h:" + strings.Repeat("9", 99) + "/,x", "", dataurl.BadAuthority},
		{"PortWithoutHost", "data://:80/,x", "", dataurl.BadAuthority},
		{"PortNormalized", "data://a,b:0080/c", "b:80/c", 0},
		{"PortEmpty", "data://a,b:/c", "b/c", 0},
		{"UserWithoutHost", "data://u@/,x", "", dataurl.BadAuthority},
		{"EmptyUser", "data://@a,b/", "b/", 0},
		{"User", "data://a,b:c@d/,x", "b:c@d/,x", 0},
		{"UserWithAt", "data://a,@b@c/", "@b@c/", 0},
		{"EmptyPassword", "data://a,b:@c/", "b@c/", 0},
		{"EmptyUserWithPassword", "data://:a,b@c/", "b@c/", 0},
		{"ForbiddenInHost", "data://a^b/,x", "", dataurl.BadAuthority},
		{"SpaceInHost", "data://a b/,x", "", dataurl.BadAuthority},
		{"NulInHost", "data://a\x00b/,x", "", dataurl.BadAuthority},
		{"ControlInHost", "data://a,\x01/", "\x01/", 0},
		{"BracketInHost", "data://a[b/,x", "", dataurl.BadAuthority},
		{"ColonInBracket", "data://a[b:c]d/,x", "", dataurl.BadAuthority},
		{"IPv6", "data://a,@[0:0::0001]:1/x", "@[::1]:1/x", 0},
		{"IPv6Mapped", "data://a,@[::ffff:1.2.3.4]/x", "@[::ffff:102:304]/x", 0},
		{"IPv6Compatible", "data://a,@[::1.2.3.4]/x", "@[::102:304]/x", 0},
		{"IPv6Zone", "data://a,@[::1%25eth0]/x", "", dataurl.BadAuthority},
		{"IPv6Zone2", "data://a,@[fe80::1%1]/x", "", dataurl.BadAuthority},
		{"IPv4InBrackets", "data://[1.2.3.4]/,x", "", dataurl.BadAuthority},
		{"IPv6Unclosed", "data://[::1/,x", "", dataurl.BadAuthority},
		{"DotSegments", "data:/a/b,c/./d/../e", "c/e", 0},
		{"DotSegmentsEscaped", "data:/a/b,c/%2e/d/.%2E/e", "c/e", 0},
		{"DotSegmentAtEnd", "data:/a,b/.", "b/", 0},
		{"DoubleDotAtEnd", "data:/a,b/..", "", dataurl.NoComma},
		{"DoubleDotAtEndKept", "data:/a,b/c/..", "b/", 0},
		{"ThreeDots", "data:/a,b/...", "b/...", 0},
		{"FourDots", "data:/a,b/%2e...", "b/....", 0},
		{"AboveRoot", "data:/../../a,b", "b", 0},
		{"CommaResolved", "data:/a,b/../c", "", dataurl.NoComma},
		{"EmptySegment", "data:/..//a,b", "b", 0},
		{"Mark", "data:/;base64,YQ==", "a", 0},
		{"MarkAndHost", "data://h/;base64,Y\nQ", "a", 0},
		{"MarkInHost", "data://;base64,YQ", "a", 0},
		{"MarkInUser", "data://;base64,YQ@h", "YQ@h", 0},
		{"MarkWithSpace", "data:/; base64,YQ==", "YQ==", 0},
		{"Query", "data:/?;base64,YQ==", "a", 0},
		{"QueryHost", "data://h?/../,x", "x", 0},
		{"QueryDots", "data:/a?,x/../y", "x/../y", 0},
		{"Fragment", "data:/a,b/#/../c", "b/", 0},
		{"FragmentHost", "data://h#,x", "", dataurl.NoComma},
		{"Escapes", "data:/,a{}^`\"<>é%41%", "a{}^`\"<>éA%", 0},
		{"BreakBeforeSlash", "data:\n/\t/a:b/,x", "", dataurl.BadAuthority},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mediaType, body, err := dataurl.Decode(tt.in)
			check(t, "Decode", result{none, tt.body, tt.kind}, mediaType, body, err)
		})
	}
}

// larry is the picture of RFC 2397 section 4.
const larry = `
data:image/gif;base64,R0lGODdhMAAwAPAAAAAAAP///ywAAAAAMAAw
AAAC8IyPqcvt3wCcDkiLc7C0qwyGHhSWpjQu5yqmCYsapyuvUUlvONmOZtfzgFz
ByTB10QgxOR0TqBQejhRNzOfkVJ+5YiUqrXF5Y5lKh/DeuNcP5yLWGsEbtLiOSp
a/TPg7JpJHxyendzWTBfX0cxOnKPjgBzi4diinWGdkF8kjdfnycQZXZeYGejmJl
ZeGl9i2icVqaNVailT6F5iJ90m6mvuTS4OK05M0vDk0Q4XUtwvKOzrcd3iq9uis
F81M1OIcR7lEewwcLp7tuNNkM3uNna3F2JQFo97Vriy/Xl4/f1cf5VWzXyym7PH
hhx4dbgYKAAA7`

func TestLarry(t *testing.T) {
	const want = "65cc553073db1f014a5040ea25e688827502b7041c7c9c2cfe38122248d46d43"
	mediaType, data, err := dataurl.Decode(larry)
	sum := sha256.Sum256(data)
	if err != nil || mediaType != "image/gif" || len(data) != 273 || hex.EncodeToString(sum[:]) != want {
		t.Errorf("Decode: got %q, %d octets, %x, %v, want %q, 273, nil", mediaType, len(data), sum, err, "image/gif")
	}
	u, err := dataurl.ParseStrict(strings.ReplaceAll(larry, "\n", ""))
	if err != nil || len(u.Encoded) != 364 {
		t.Fatalf("ParseStrict: got %+v, %v, want 364 octets, nil", u, err)
	}
	if again := dataurl.Encode("image/gif", data); again != strings.ReplaceAll(larry, "\n", "") {
		t.Errorf("Encode: got %q, want the URL of the RFC", again)
	}
}

func TestEncodedIsAPart(t *testing.T) {
	tests := []struct{ in, want string }{
		{" data:text/plain,a%20\tb#c \n", "a%20\tb#c"},
		{"data:;base64,Y Q\n==", "Y Q\n=="},
		{"data:,", ""},
		{"data:/a/../,x/./y z#a", "x/y%20z"},
	}
	for _, tt := range tests {
		u, err := dataurl.Parse(tt.in)
		if err != nil || u.Encoded != tt.want {
			t.Errorf("Parse(%q): got %+v, %v; want %q", tt.in, u, err, tt.want)
		}
	}
	in := "data:image/png;base64," + strings.Repeat("AAAA", 1<<20)
	if n := testing.AllocsPerRun(5, func() { dataurl.Parse(in) }); n > 1 {
		t.Errorf("Parse allocates %v times, want the URL only", n)
	}
}

func TestUnquoted(t *testing.T) {
	tests := []struct {
		name, in, mediaType string
		unquoted            bool
	}{
		{"Token", "data:a/b;c=d,", "a/b;c=d", false},
		{"Escaped", "data:a/b;c=d%20e,", `a/b;c="d e"`, false},
		{"Quoted", "data:a/b;c=%22d%20e%22,", `a/b;c="d e"`, true},
		{"QuotedPair", "data:a/b;c=%22d%5C%22e%22,", `a/b;c="d\"e"`, true},
		{"QuotedEmpty", "data:a/b;c=%22%22,", `a/b;c=""`, true},
		{"OneQuote", "data:a/b;c=%22,", `a/b;c="\""`, false},
		{"OpenQuote", "data:a/b;c=%22d,", `a/b;c="\"d"`, false},
		{"QuotedEnd", "data:a/b;c=%22d%5C%22,", `a/b;c="\"d\\\""`, false},
		{"QuoteInside", "data:a/b;c=%22d%22e,", `a/b;c="\"d\"e"`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := dataurl.ParseStrict(tt.in)
			if err != nil || u.MediaType != tt.mediaType || u.Unquoted() != tt.unquoted {
				t.Errorf("ParseStrict: got %+v, %v; want %q, %t", u, err, tt.mediaType, tt.unquoted)
			}
		})
	}
}

// TestErrors holds offsets, and that no error quotes the URL (DU-12).
func TestErrors(t *testing.T) {
	long := strings.Repeat("QUJD", 5000)
	tests := []struct {
		name, in string
		strict   bool
		kind     dataurl.Kind
		offset   int
	}{
		{"NotData", "  SECRET:,", false, dataurl.NotData, 2},
		{"NoComma", "data:SECRET", false, dataurl.NoComma, 11},
		{"BadAuthority", "data://SECRET:SECRET/,", false, dataurl.BadAuthority, 5},
		{"BadCharacter", "data:;base64,SECRE*SECRET", false, dataurl.BadBase64, 5},
		{"BadEscaped", "data:;base64,SEC%0ARE%2aSECRET", false, dataurl.BadBase64, 8},
		{"BadLate", "data:;base64," + long + "SECR\nE-T", false, dataurl.BadBase64, 20006},
		{"BadLateBroken", "data:;base64,\n" + long + "S\nE%43RET!", false, dataurl.BadBase64, 20010},
		{"BadPadding", "data:;base64,SECRE===", false, dataurl.BadBase64, 5},
		{"MissingPadding", "data:;base64,SECRET=", false, dataurl.BadBase64, 7},
		{"BadLength", "data:;base64,SECRETSEC#SECRET", false, dataurl.BadBase64, 9},
		{"StrictType", "data:SECRET,", true, dataurl.BadMediaType, 5},
		{"StrictCharacter", "data:,SECRET SECRET", true, dataurl.BadCharacter, 6},
		{"StrictEscape", "data:,SECRET%4", true, dataurl.BadCharacter, 6},
		{"StrictBase64", "data:;base64,SECRETS", true, dataurl.BadBase64, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			if tt.strict {
				_, err = dataurl.ParseStrict(tt.in)
			} else {
				var data []byte
				_, data, err = dataurl.Decode(tt.in)
				if data != nil {
					t.Error("Decode returns data with an error")
				}
			}
			e, ok := errors.AsType[*dataurl.Error](err)
			if !ok || e.Fault() != tt.kind || e.Offset != tt.offset {
				t.Fatalf("error: got %v, want %v at %d", err, tt.kind, tt.offset)
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("got error %v, want it without the URL", err)
			}
		})
	}
}

func TestReaderEndsWithFault(t *testing.T) {
	u, err := dataurl.Parse("data:;base64,YWJjYWJj-")
	noError(t, err)
	data, err := io.ReadAll(u.NewReader())
	if string(data) != "abcabc" || !errors.Is(err, dataurl.BadBase64) {
		t.Errorf("ReadAll: got %q, %v, want %q, %v", data, err, "abcabc", dataurl.BadBase64)
	}
}

// TestLong decodes long bodies in all ways there are, and compares.
func TestLong(t *testing.T) {
	want := random(40_000)
	for name, text := range bodies(want) {
		t.Run(name, func(t *testing.T) {
			in := "data:a/b" + text
			mediaType, data, err := dataurl.Decode(in)
			if err != nil || mediaType != "a/b" || !bytes.Equal(data, want) {
				t.Fatalf("Decode: got %q, %d octets, %v, want %q, nil", mediaType, len(data), err, "a/b")
			}
			u, err := dataurl.Parse(in)
			noError(t, err)
			if err := iotest.TestReader(u.NewReader(), want); err != nil {
				t.Error(err)
			}
			for _, room := range []int{0, 1, 100, len(want) - 1, len(want), len(want) + 1, 2 * len(want)} {
				dst := append(make([]byte, 0, 3+room), "pre"...)
				_, out, err := dataurl.AppendDecode(dst, in)
				if err != nil || !bytes.HasPrefix(out, []byte("pre")) || !bytes.Equal(out[3:], want) {
					t.Errorf("AppendDecode into %d: got %d octets, %v, want %d, nil", room, len(out), err, 3+len(want))
				}
			}
			if name == "PercentBreak" {
				return // It looks much too long for the buffer.
			}
			dst := make([]byte, 0, len(want))
			if n := testing.AllocsPerRun(5, func() { dataurl.AppendDecode(dst, in) }); n != 0 {
				t.Errorf("AppendDecode into a buffer of the exact size allocates %v times, want 0", n)
			}
		})
	}
}

// TestReaderMemory holds that a reader does not need memory in proportion to the
// body.
func TestReaderMemory(t *testing.T) {
	for name, text := range bodies(random(200_000)) {
		u, err := dataurl.Parse("data:a/b" + text)
		noError(t, err)
		var before, after runtime.MemStats
		var p [100]byte
		runtime.ReadMemStats(&before)
		for r := u.NewReader(); err == nil; {
			_, err = r.Read(p[:])
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; err != io.EOF || n > 64<<10 {
			t.Errorf("%s: got %d octets allocated, %v, want at most %d, EOF", name, n, err, 64<<10)
		}
	}
}

func ExampleDecode() {
	mediaType, data, err := dataurl.Decode("data:text/plain;charset=UTF-8;base64,SGVsbG8sIHdvcmxkIQ==")
	fmt.Printf("%s: %s, %v\n", mediaType, data, err)
	// Output: text/plain;charset=UTF-8: Hello, world!, <nil>
}

func ExampleURL_NewReader() {
	u, err := dataurl.Parse("data:,A%20brief%20note")
	if err != nil {
		fmt.Println(err)
		return
	}
	if u.DecodedLen() > 1<<20 {
		fmt.Println("too large")
		return
	}
	var b strings.Builder
	_, err = io.Copy(&b, u.NewReader())
	fmt.Println(u.MediaType, b.String(), err)
	// Output: text/plain;charset=US-ASCII A brief note <nil>
}

func ExampleParseStrict() {
	_, err := dataurl.ParseStrict("data:text/plain,100%")
	fmt.Println(err, errors.Is(err, dataurl.BadCharacter))
	// Output: dataurl: invalid character or escape at octet 3 true
}

func ExampleParseReader() {
	// The text may be as long as a file, and is not held.
	text := strings.NewReader("data:text/plain;base64,SGVsbG8s\r\n\tIHdvcmxkIQ==")
	s, err := dataurl.ParseReader(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.MediaType)
	if _, err := io.Copy(os.Stdout, s); err != nil {
		fmt.Println(err)
	}
	// Output:
	// text/plain
	// Hello, world!
}
