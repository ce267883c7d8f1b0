package urlaccess

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		name, param, want string
		repairs           []Repair
	}{
		// RFC 2017 section 3.1, as unfolded and as raw header text.
		{"RFCExampleFolded", "ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/\r\n                        8/9/10/11/12/13/14/15/16/17/18/20/21/\r\n                        file.html",
			"ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/20/21/file.html", nil},
		{"RFCExampleSpaces", "ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/ 8/9/10/11/12/13/14/15/16/17/18/20/21/ file.html",
			"ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/20/21/file.html", nil},
		// RFC 2231 section 3, joined by the parameter parser.
		{"RFC2231Example", "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar",
			"ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar", nil},
		{"UA6AllWhiteSpaceEverywhere", " \th t\ttp:\n//a\r/b \r\n", "http://a/b", nil},
		{"UA6BareLineFeedsAndTabs", "http://home.netscape.com/\n\t\tpeople/\n\t\tjwz/\n\t\tindex.html",
			"http://home.netscape.com/people/jwz/index.html", nil},
		{"UA6HyphenStays", "http://a/long- name", "http://a/long-name", nil},
		{"UA7NoPercentDecoding", "http://a/%20%2520%41%zz%", "http://a/%20%2520%41%zz%", nil},
		{"UA8Specials", "http://a/()<>@,;:/[]?={}|^`#!$&'*+~", "http://a/()<>@,;:/[]?={}|^`#!$&'*+~", nil},
		{"UA8LongWord", "http://a/" + strings.Repeat("x", 100), "http://a/" + strings.Repeat("x", 100), nil},
		{"UA9Quote", `http://a/"b"`, "http://a/%22b%22", []Repair{quoteEncoded}},
		{"UA9Backslash", `http://a\b`, "http://a%5Cb", []Repair{BackslashEncoded}},
		{"UA9UTF8", "http://a/\u00f6", "http://a/%C3%B6", []Repair{eightBitEncoded}},
		{"UA9Latin1", "http://a/\xf6", "http://a/%F6", []Repair{eightBitEncoded}},
		{"UA9NoBreakSpaceIsNotLWSP", "http://a/\u00a0", "http://a/%C2%A0", []Repair{eightBitEncoded}},
		{"UA9SameLengthAfterChanges", "ab  \"", "ab%22", []Repair{quoteEncoded}},
		{"UA12Wrapper", "<URL:http://a/b>", "http://a/b", []Repair{wrapperRemoved}},
		{"UA12WrapperFolded", "<URL: http://a/\r\n b>", "http://a/b", []Repair{wrapperRemoved}},
		{"UA12PrefixOnly", "url:http://a/b", "http://a/b", []Repair{wrapperRemoved}},
		{"UA12BracketsOnly", "<http://a/b>", "http://a/b", []Repair{wrapperRemoved}},
		{"UA12Nested", "URL:<uRl:<http://a/b>>", "http://a/b", []Repair{wrapperRemoved}},
		{"UA12Unclosed", "<URL:http://a/b", "<URL:http://a/b", nil},
		{"UA12InsideIsData", "http://a/URL:<b>", "http://a/URL:<b>", nil},
		{"AllRepairs", "<\"\\\xff>", "%22%5C%FF", []Repair{wrapperRemoved, quoteEncoded, BackslashEncoded, eightBitEncoded}},
		{"RelativeIsNotJudged", "b/c", "b/c", nil},
		{"FragmentStays", "http://a/b#c", "http://a/b#c", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, repairs, err := DecodeReport(tt.param)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if !slices.Equal(repairs, tt.repairs) {
				t.Errorf("repairs %v, want %v", repairs, tt.repairs)
			}
			if plain, err := Decode(tt.param); plain != tt.want || err != nil {
				t.Errorf("Decode: got %q, %v, want %q, nil", plain, err, tt.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name, param string
		reason      Reason
		offset      int
	}{
		{"Empty", "", Empty, 0},
		{"WhiteSpaceOnly", " \r\n\t", Empty, 4},
		{"EmptyWrapper", "<URL: >", Empty, 7},
		{"EmptyPrefix", "URL:", Empty, 4},
		{"NUL", "http://a/\x00", ControlCharacter, 9},
		{"NULAfterFold", "http://\r\n a/\x00", ControlCharacter, 12},
		{"Escape", "\x1bhttp://a/", ControlCharacter, 0},
		{"VerticalTab", "http://a\v/", ControlCharacter, 8},
		{"FormFeed", "http://a\f/", ControlCharacter, 8},
		{"Delete", "http://a/\x7f", ControlCharacter, 9},
		{"FirstOneCounts", "\"\x01\x02", ControlCharacter, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, repairs, err := DecodeReport(tt.param)
			if got != "" || repairs != nil {
				t.Errorf("got %q %v with an error, want %q, nil", got, repairs, "")
			}
			if !errors.Is(err, tt.reason) {
				t.Fatalf("error %v, want %v", err, tt.reason)
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Offset != tt.offset {
				t.Errorf("%#v, want offset %d", err, tt.offset)
			}
		})
	}
}

// A data: URL of many megabytes is not copied when there is nothing to change,
// and allocated once when there is.
func TestDecodeAllocations(t *testing.T) {
	clean := "data:," + strings.Repeat("abcdefgh", 1<<13)
	folded := strings.Repeat("data:,abcdefgh\r\n ", 1<<12)
	for _, tt := range []struct {
		name, param string
		max         float64
	}{
		{"Clean", clean, 0},
		{"Wrapped", "<URL:" + clean + ">", 1}, // the list of repairs
		{"Folded", folded, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			allocs := testing.AllocsPerRun(5, func() {
				if _, _, err := DecodeReport(tt.param); err != nil {
					t.Fatal(err)
				}
			})
			if allocs > tt.max {
				t.Errorf("%v allocations, want at most %v", allocs, tt.max)
			}
		})
	}
}

// onlyPlain is the set of octets that a decoded URL may have, written apart
// from the code under test.
const onlyPlain = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"

// FuzzDecode checks that the decoded text is plain, that decoding it again changes
// nothing, that only white space gets lost, and that errors are typed.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"", " ", "http://a/b", "<URL:http://a/ b>", "URL:URL:", "<<>>", "\"\\\xff\x00", "a\r\n b",
		"ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/\r\n 8/9", "%", "%4", "\u2028\u00e9",
	} {
		f.Add(s)
	}
	lwsp := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "")
	f.Fuzz(func(t *testing.T, param string) {
		got, repairs, err := DecodeReport(param)
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || got != "" || e.Offset < 0 || e.Offset > len(param) {
				t.Fatalf("got %q, %#v, want \"\", an *Error with an offset in the parameter", got, err)
			}
			return
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return !strings.ContainsRune(onlyPlain, r) }); i >= 0 {
			t.Fatalf("got octet %#x in %q, want only those of a URL", got[i], got)
		}
		if len(repairs) == 0 && got != lwsp.Replace(param) {
			t.Fatalf("got %q without a repair, want %q", got, lwsp.Replace(param))
		}
		again, repairs, err := DecodeReport(got)
		if again != got || repairs != nil || err != nil {
			t.Fatalf("decoded twice: got %q, %v, %v, want %q, nil, nil", again, repairs, err, got)
		}
	})
}

func TestScheme(t *testing.T) {
	tests := []struct {
		name, url, want string
		ok              bool
	}{
		{"Lower", "http://a/", "http", true},
		{"UA14AnyCase", "HtTp://a/", "http", true},
		{"AllCharacters", "a1+-.:x", "a1+-.", true},
		{"OneLetter", "c:/dir", "c", true},
		{"NothingAfterColon", "data:", "data", true},
		{"UA15Relative", "b/c:d", "", false},
		{"UA15NetworkPath", "//a/b", "", false},
		{"UA15AbsolutePath", "/a:b", "", false},
		{"OptionLike", "-o/x", "", false},
		{"OptionLikeWithColon", "-o:x", "", false},
		{"StartsWithDigit", "1a:x", "", false},
		{"StartsWithPlus", "+a:x", "", false},
		{"ColonFirst", ":x", "", false},
		{"NoColon", "http", "", false},
		{"Underscore", "a_b:x", "", false},
		{"EightBit", "\u00e4:x", "", false},
		{"Space", "ht tp:x", "", false},
		{"Percent", "ht%74p:x", "", false},
		{"Empty", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Scheme(tt.url); got != tt.want || ok != tt.ok {
				t.Errorf("got %q %v, want %q %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}
