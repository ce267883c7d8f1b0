package host

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCanonical(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	name253 := strings.Repeat(label63+".", 3) + strings.Repeat("b", 61)
	for _, tt := range []struct {
		name string
		in   string
		want string
		err  error
	}{
		{name: "Name", in: "files.example.com", want: "files.example.com"},
		{name: "UpperCase", in: "FILES.Example.COM", want: "files.example.com"},
		{name: "RootDot", in: "example.com.", want: "example.com"},
		{name: "TwoRootDots", in: "example.com..", err: BadLabel},
		{name: "OnlyDot", in: ".", err: Empty},
		{name: "SingleLabel", in: "localhost", want: "localhost"},
		{name: "DigitsInLabels", in: "3com.4u.example", want: "3com.4u.example"},
		{name: "HyphensInThirdAndFourthPlace", in: "r3---sn-apo3qvuoxuxbt-j5pe.example", want: "r3---sn-apo3qvuoxuxbt-j5pe.example"},
		{name: "Longest", in: name253, want: name253},
		{name: "LongestWithRootDot", in: name253 + ".", want: name253},
		{name: "NameTooLong", in: name253 + "b", err: TooLong},
		{name: "LabelTooLong", in: label63 + "a.example", err: TooLong},
		{name: "Empty", in: "", err: Empty},
		{name: "LeadingDot", in: ".example.com", err: BadLabel},
		{name: "EmptyLabel", in: "a..example", err: BadLabel},
		{name: "LeadingHyphen", in: "-a.example", err: BadLabel},
		{name: "TrailingHyphen", in: "a-.example", err: BadLabel},
		{name: "LastLabelTrailingHyphen", in: "a.example-", err: BadLabel},
		{name: "OnlyHyphen", in: "-", err: BadLabel},

		{name: "Space", in: "a b.example", err: BadCharacter},
		{name: "Percent", in: "a%2eexample", err: BadCharacter},
		{name: "At", in: "a@b.example", err: BadCharacter},
		{name: "Slash", in: "a/b.example", err: BadCharacter},
		{name: "Backslash", in: `a\b.example`, err: BadCharacter},
		{name: "Hash", in: "a#b.example", err: BadCharacter},
		{name: "Question", in: "a?b.example", err: BadCharacter},
		{name: "Comma", in: "127.0.0.1,b.example", err: BadCharacter},
		{name: "Underscore", in: "A_b.example", want: "a_b.example"},
		{name: "NUL", in: "127.0.0.1\x00.example", err: BadCharacter},
		{name: "CRLF", in: "127.0.0.1\r\n.example", err: BadCharacter},
		{name: "Tab", in: "exa\tmple.com", err: BadCharacter},
		{name: "DEL", in: "exa\x7fmple.com", err: BadCharacter},
		{name: "ClosingBracket", in: "a].example", err: BadCharacter},

		{name: "Umlaut", in: "b\u00fccher.example", want: "xn--bcher-kva.example"},
		{name: "UpperCaseUmlaut", in: "B\u00dcCHER.EXAMPLE", want: "xn--bcher-kva.example"},
		{name: "Decomposed", in: "bu\u0308cher.example", want: "xn--bcher-kva.example"},
		{name: "ALabel", in: "xn--bcher-kva.example", want: "xn--bcher-kva.example"},
		{name: "UpperCaseALabel", in: "XN--BCHER-KVA.example.", want: "xn--bcher-kva.example"},
		{name: "NontransitionalSharpS", in: "stra\u00dfe.example", want: "xn--strae-oqa.example"},
		{name: "LongS", in: "LOCALHO\u017fT", want: "localhost"},
		{name: "CircledLetters", in: "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3", want: "localhost"},
		{name: "Snowman", in: "\u2603.example", want: "xn--n3h.example"},
		{name: "HyphensBesideUmlaut", in: "r3---sn.b\u00fccher.example", want: "r3---sn.xn--bcher-kva.example"},
		{name: "SoftHyphenIgnored", in: "exa\u00admple.com", want: "example.com"},
		{name: "IdeographicDots", in: "a\u3002b\uff0ec\uff61example", want: "a.b.c.example"},
		{name: "IdeographicRootDot", in: "b\u00fccher.example\u3002", want: "xn--bcher-kva.example"},
		{name: "TwoIdeographicRootDots", in: "b\u00fccher.example\u3002\u3002", err: BadLabel},
		{name: "RootDotUncoveredByMapping", in: "example.com.\u00ad", err: BadLabel},
		{name: "EmptyALabelAtTheEnd", in: "example.xn--", err: BadIDN},
		{name: "ALabelOfASCII", in: "xn--localhost-.example", err: BadIDN},
		{name: "ALabelThatMaps", in: "xn--8i7caa", err: BadIDN},
		{name: "AccountOfExpandsToSlash", in: "a.example\u2100.b.example", err: BadIDN},
		{name: "FullwidthPercent", in: "a\uff0541.example", err: BadIDN},
		{name: "FullwidthColons", in: "\uff1a\uff1a1", err: BadIDN},
		{name: "InvalidUTF8", in: "a\xff.example", err: BadIDN},
		{name: "OnlyInvalidUTF8", in: "\xff", err: BadIDN},
		{name: "CutUTF8", in: "a.example\xe3\x80", err: BadIDN},
		{name: "SurrogateUTF8", in: "a\xed\xa0\x80.example", err: BadIDN},
		{name: "OverlongDot", in: "a\xc0\xaeexample", err: BadIDN},
		{name: "LeadingCombiningMark", in: "\u0308a.example", err: BadIDN},
		{name: "BidiRule", in: "\u05d0a.example", err: BadIDN},
		{name: "BidiRuleAfterMapping", in: "a\u2135b.example", err: BadIDN},
		{name: "PaddedWithIgnored", in: strings.Repeat("\u00ad", 500) + "a.example", want: "a.example"},
		{name: "PaddedOverTheBound", in: strings.Repeat("\u00ad", 510) + "a.example", err: BadIDN},

		{name: "IPv4", in: "192.0.2.1", want: "192.0.2.1"},
		{name: "IPv4RootDot", in: "192.0.2.1.", err: BadNumber},
		{name: "IPv4FullwidthRootDot", in: "\uff11\uff19\uff12.0.2.1\u3002", err: BadNumber},
		{name: "IPv4FullwidthDigits", in: "\uff11\uff12\uff17.0.0.1", want: "127.0.0.1"},
		{name: "IPv4IdeographicDots", in: "127\u30020\uff0e0\uff611", want: "127.0.0.1"},
		{name: "IPv4Short", in: "127.1", err: BadNumber},
		{name: "IPv4ThreeParts", in: "127.0.1", err: BadNumber},
		{name: "IPv4Whole", in: "2130706433", err: BadNumber},
		{name: "IPv4Hex", in: "0x7f.1", err: BadNumber},
		{name: "IPv4HexWhole", in: "0X7F000001", err: BadNumber},
		{name: "IPv4HexParts", in: "0x7f.0x0.0x0.0x1", err: BadNumber},
		{name: "IPv4HexWithoutDigits", in: "127.0.0.0x", err: BadNumber},
		{name: "IPv4Octal", in: "0177.0.0.1", err: BadNumber},
		{name: "IPv4Padded", in: "127.000.000.001", err: BadNumber},
		{name: "IPv4FiveParts", in: "127.0.0.1.1", err: BadNumber},
		{name: "IPv4TooBig", in: "127.0.0.256", err: BadNumber},
		{name: "NameEndsInNumber", in: "foo.0x4", err: BadNumber},
		{name: "NameEndsInNonOctal", in: "foo.09", err: BadNumber},
		{name: "Zero", in: "0", err: BadNumber},
		{name: "HexLookingName", in: "foo.0xg", want: "foo.0xg"},
		{name: "NameBeginsAsIPv4", in: "127.0.0.1.example", want: "127.0.0.1.example"},

		{name: "IPv6", in: "[2001:db8::1]", want: "2001:db8::1"},
		{name: "IPv6WithoutBrackets", in: "2001:db8::1", want: "2001:db8::1"},
		{name: "IPv6Long", in: "[2001:0DB8:0000:0000:0000:0000:0000:0001]", want: "2001:db8::1"},
		{name: "IPv6Mapped", in: "[::ffff:192.0.2.1]", want: "192.0.2.1"},
		{name: "IPv6MappedHex", in: "[::ffff:c000:201]", want: "192.0.2.1"},
		{name: "IPv6Zone", in: "[fe80::1%lo]", err: BadLiteral},
		{name: "IPv6EncodedZone", in: "[fe80::1%25lo]", err: BadLiteral},
		{name: "IPv6MappedZone", in: "::ffff:192.0.2.1%lo", err: BadLiteral},
		{name: "IPv6ShortTail", in: "[::ffff:127.1]", err: BadLiteral},
		{name: "IPv6OctalTail", in: "[::ffff:0177.0.0.1]", err: BadLiteral},
		{name: "IPv6Unclosed", in: "[::1", err: BadLiteral},
		{name: "IPv6Unopened", in: "::1]", err: BadLiteral},
		{name: "IPv6FullwidthColons", in: "[\uff1a\uff1a1]", err: BadLiteral},
		{name: "IPv6TextBehind", in: "[::1]public.example", err: BadLiteral},
		{name: "IPvFuture", in: "[v1.fe80::1]", err: BadLiteral},
		{name: "IPv4InBrackets", in: "[127.0.0.1]", err: BadLiteral},
		{name: "NameInBrackets", in: "[example.com]", err: BadLiteral},
		{name: "EmptyBrackets", in: "[]", err: BadLiteral},
		{name: "NameWithPort", in: "example.com:80", err: BadLiteral},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Canonical(tt.in)
			if got != tt.want || err != tt.err {
				t.Errorf("Canonical(%q) = %q, %v; want %q, %v", tt.in, got, err, tt.want, tt.err)
			}
		})
	}
}

func TestCanonicalDoesNotAllocate(t *testing.T) {
	for _, host := range []string{"files.example.com", "192.0.2.1"} {
		if n := testing.AllocsPerRun(100, func() { Canonical(host) }); n != 0 {
			t.Errorf("Canonical(%q) allocates %v times, want 0", host, n)
		}
	}
}

func TestSingleLabel(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "intranet": true,
		"": false, "a.example": false, "127.0.0.1": false, "::1": false,
	} {
		if got := SingleLabel(host); got != want {
			t.Errorf("SingleLabel(%q) = %v, want %v", host, got, want)
		}
	}
}

func TestAddr(t *testing.T) {
	for host, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::1",
		"": "", "a.example": "", "127.1": "", "foo.0xg": "",
	} {
		got, ok := Addr(host)
		if ok != (want != "") || ok && got != netip.MustParseAddr(want) {
			t.Errorf("Addr(%q): got %v, %v; want %q", host, got, ok, want)
		}
	}
}

func TestParsePort(t *testing.T) {
	for in, want := range map[string]uint16{
		"1": 1, "80": 80, "00080": 80, "65535": 65535, strings.Repeat("0", 1000) + "443": 443,
		"": 0, "0": 0, "000": 0, "65536": 0, "65616": 0, "-1": 0, "+80": 0, "0x50": 0, "80 ": 0,
		"8 0": 0, "http": 0, "\uff18\uff10": 0, "18446744073709551696": 0,
	} {
		got, err := ParsePort(in)
		if got != want || (err != nil) != (want == 0) || err != nil && err != BadPort {
			t.Errorf("ParsePort(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		host string
		port uint16
		err  error
	}{
		{name: "Name", in: "A.example", host: "a.example"},
		{name: "NamePort", in: "A.example.:0080", host: "a.example", port: 80},
		{name: "EmptyPort", in: "a.example:", host: "a.example"},
		{name: "IPv6", in: "[::1]", host: "::1"},
		{name: "IPv6Port", in: "[::1]:443", host: "::1", port: 443},
		{name: "IPv6EmptyPort", in: "[::1]:", host: "::1"},
		{name: "PortZero", in: "a.example:0", err: BadPort},
		{name: "TwoPorts", in: "a.example:80:80", err: BadPort},
		{name: "IPv6WithoutBrackets", in: "::1", err: BadPort},
		{name: "IPv6TextBehind", in: "[::1]a.example", err: BadLiteral},
		{name: "IPv6TextBehindPort", in: "[::1].a.example:80", err: BadLiteral},
		{name: "IPv6Unclosed", in: "[::1", err: BadLiteral},
		{name: "NoHost", in: ":80", err: Empty},
		{name: "Empty", in: "", err: Empty},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, port, err := Split(tt.in)
			if host != tt.host || port != tt.port || err != tt.err {
				t.Errorf("Split(%q) = %q, %d, %v; want %q, %d, %v", tt.in, host, port, err, tt.host, tt.port, tt.err)
			}
		})
	}
}

// TestCanonicalEveryCodePoint holds each code point of the first plane to the
// promise that a canonical host stays as it is.
func TestCanonicalEveryCodePoint(t *testing.T) {
	accepted := 0
	for r := range rune(0x10000) {
		host := "a" + string(r) + ".3com.example"
		got, err := Canonical(host)
		if err != nil {
			continue
		}
		accepted++
		if again, err := Canonical(got); again != got || err != nil {
			t.Errorf("%U: Canonical(%q) = %q, and of that got %q, %v; want the same", r, host, got, again, err)
		}
	}
	if accepted < 50_000 {
		t.Errorf("got %d names accepted, want at least 50,000", accepted)
	}
}

// FuzzCanonical checks that a canonical host stays as it is, and that net/url
// and net read it as we do.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{
		"example.com", "EXAMPLE.com.", "b\u00fccher.example", "xn--bcher-kva.example", "xn--", "a.xn--", "xn--a.\u05d0",
		"127.0.0.1", "127.1", "0x7f.1", "[::1]", "::ffff:1.2.3.4", "[fe80::1%25lo]", "\uff11\u3002\uff12",
		"\u2603.3com", "3.xn--n3h", "\u200d.example", "\u0915\u094d\u200d.example", "\u00ad", "a\u2024b", "\u2488com", "a.\u00df",
		"xn--xn---epa.example", "\u0660.example", "\u1e9e", "\u2100", "\xff", "a\x00b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		host, err := Canonical(in)
		if err != nil {
			if _, ok := errors.AsType[Reason](err); !ok || host != "" {
				t.Fatalf("Canonical(%q) = %q, %T, want %q", in, host, err, "")
			}
			return
		}
		if !utf8.ValidString(in) {
			t.Fatalf("Canonical(%q): got %q, want an error for what is not UTF-8", in, host)
		}
		if again, err := Canonical(host); again != host || err != nil {
			t.Fatalf("Canonical(%q) = %q, and of that got %q, %v; want the same", in, host, again, err)
		}
		joined := net.JoinHostPort(host, "80")
		if h, p, err := Split(joined); h != host || p != 80 || err != nil {
			t.Fatalf("Split(%q) = %q, %d, %v, want %q, 80, nil", joined, h, p, err, host)
		}
		u, err := url.Parse("http://" + joined + "/")
		if err != nil || u.Hostname() != host {
			t.Fatalf("net/url reads %q as %v, %v; want the host %q", host, u, err, host)
		}
		addr, ok := Addr(host)
		if want, err := netip.ParseAddr(host); ok != (err == nil) || addr != want {
			t.Fatalf("Addr(%q) = %v, %v; netip says %v, %v", host, addr, ok, want, err)
		}
		if ok && addr.String() != host {
			t.Fatalf("got the host %q of an address, want %v", host, addr)
		}
	})
}
