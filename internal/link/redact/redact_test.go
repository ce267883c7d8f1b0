package redact

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

type redactTest struct{ name, raw, want string }

// checkRedact tests a function, and that it changes nothing in its own results.
func checkRedact(t *testing.T, redact func(string) string, tests []redactTest) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := redact(tt.raw)
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if again := redact(got); again != got {
				t.Errorf("twice %q, want %q", again, got)
			}
		})
	}
}

func TestURL(t *testing.T) {
	checkRedact(t, URL, []redactTest{
		{"Empty", "", ""},
		{"Ordinary", "http://a.example:8080/b/c.png", "http://a.example:8080/b/c.png"},
		{"RelativePath", "b/c.png", "b/c.png"},

		{"UserAndPassword", "ftp://user:secret@h/f;type=i", "ftp://xxxxx@h/f;type=i"},
		{"UserOnly", "ftp://user@h/f", "ftp://xxxxx@h/f"},
		{"EmptyUser", "ftp://@h/f", "ftp://xxxxx@h/f"},
		{"LastAtCounts", "ftp://user:sec@ret@h/f", "ftp://xxxxx@h/f"},
		{"UserOfShare", "https://user@www.dropbox.com/s/abcdefghij12345/f.pdf", "https://xxxxx@www.dropbox.com/..."},
		{"EmptyUserOfShare", "https://@www.dropbox.com/s/abcdefghij12345/f.pdf?dl=0#x", "https://xxxxx@www.dropbox.com/..."},
		{"NetworkPath", "//user:secret@h/f", "//xxxxx@h/f"},
		{"NoSlashes", "user:secret@h/f", "xxxxx@h/f"},
		{"OneSlash", "http:/user:secret@h/f", "http:/xxxxx@h/f"},
		{"ThreeSlashes", "http:///user:secret@h/f", "http:///xxxxx@h/f"},
		{"Backslashes", `http:\\user:secret@h\f`, `xxxxx@h\f`},
		{"BackslashInUser", `http://DOMAIN\user:secret@h/f`, "http://xxxxx@h/f"},
		{"SpaceInPassword", "http://user:se cret@h/f", "http://xxxxx@h/f"},
		{"ControlInPassword", "http://user:se\x00cret@h/f", "http://xxxxx@h/f"},
		{"BadEscapeInPassword", "http://user:%zz@h/f", "http://xxxxx@h/f"},
		{"SlashInPassword", "ftp://user:sec/ret@h/f", "ftp://xxxxx"},
		{"QuestionMarkInPassword", "ftp://user:sec?ret@h/f", "ftp://xxxxx"},
		{"HashInPassword", "ftp://user:sec#ret@h/f?k=v", "ftp://xxxxx"},
		{"QuestionMarkInUser", "ftp://us?er:secret@h/f", "ftp://us?xxxxx"},
		{"AtInPath", "https://a.example/@user/x", "https://a.example/@user/x"},
		{"AtInPathWithPort", "https://a.example:80/@user/x", "https://a.example:80/@user/x"},
		{"AtInPathWithIPv6", "https://[::1]/@user", "https://[::1]/@user"},
		{"AtInPathWithIPv6Port", "https://[fe80::1%25eth0]:80/@user", "https://[fe80::1%25eth0]:80/@user"},
		{"URLInPath", "https://p.example/fetch/ftp://user:secret@h/f", "https://p.example/fetch/ftp://xxxxx@h/f"},
		{"Mailto", "mailto:joe@a.example", "mailto:joe@a.example"},
		{"ContentID", "CID:part1@a.example", "CID:part1@a.example"},
		{"Sip", "sip:user:secret@h", "xxxxx@h"},
		{"OpaqueWithAtLater", "urn:isbn:x/a@b?c=d@e", "urn:isbn:x/a@b?c=xxxxx"},
		{"MailtoWithUser", "mailto://user:secret@h", "mailto://xxxxx@h"},

		{"Query", "http://h/p?a=secret&b=secret2", "http://h/p?a=xxxxx&b=xxxxx"},
		{"QueryUndefinedAndEmpty", "http://h/p?a=&b&c=1&&=2", "http://h/p?a=&b&c=xxxxx&&=xxxxx"},
		{"QueryOrderAndDuplicates", "http://h/?b=1&a=2&b=3", "http://h/?b=xxxxx&a=xxxxx&b=xxxxx"},
		{"QueryEmpty", "http://h/?", "http://h/?"},
		{"QuerySemicolonIsData", "http://h/?a=1;token=secret", "http://h/?a=xxxxx"},
		{"QueryNameEscaped", "http://h/?x[0]=1&\u00f6=2&a+b=3", "http://h/?x%5B0%5D=xxxxx&%C3%B6=xxxxx&a%20b=xxxxx"},
		{"QueryLongBareName", "http://h/?0123456789abcdef&0123456789abcdefg", "http://h/?0123456789abcdef&xxxxx"},
		{"QueryLongName", "http://h/?" + strings.Repeat("n", 65) + "=1", "http://h/?xxxxx=xxxxx"},
		{"QueryNameWithAt", "http://h/?joe@a=1", "http://h/?xxxxx=xxxxx"},
		{"QueryNotUTF8", "http://h/?a=%FF&b=1", "http://h/?xxxxx"},
		{"QuerySecondQuestionMark", "http://h/?a=1?b=2", "http://h/?a=xxxxx"},
		{"QueryMany", "http://h/?" + strings.Repeat("k=v&", 50) + "k=v",
			"http://h/?" + strings.Repeat("k=xxxxx&", 10) + "..."},
		{"QueryLongest", "http://h/?" + strings.Repeat("n", 64) + "=1&abc=1", "http://h/?" + strings.Repeat("n", 64) + "=xxxxx&abc=xxxxx"},
		{"QueryTooLong", "http://h/?" + strings.Repeat("n", 64) + "=1&abcd=1", "http://h/?" + strings.Repeat("n", 64) + "=xxxxx&..."},
		{"DataTypeLongest", "data:text/" + strings.Repeat("x", maxType-5) + ",a", "data:text/" + strings.Repeat("x", maxType-5) + ",(1 octets)"},
		{"DataTypeTooLong", "data:text/" + strings.Repeat("x", maxType-4) + ",a", "data:,(1 octets)"},
		{"QueryHuge", "http://h/?k=" + strings.Repeat("secret", 1000), "http://h/?k=xxxxx&..."},
		{"QueryHugeCutsPair", "http://h/?k=" + strings.Repeat("s", 4090) + "&secret=1", "http://h/?k=xxxxx&..."},
		{"WrappedLink", "https://eur01.safelinks.example/?url=https%3A%2F%2Fh%2F&data=x", "https://eur01.safelinks.example/?url=xxxxx&data=xxxxx"},

		{"ShareLink", "https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf?dl=0", "https://www.dropbox.com/..."},
		{"ShareLinkWrapped", "<URL:https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf>", "https://www.dropbox.com/..."},
		{"ShareLinkGuessed", "https://cloud.a.example/index.php/s/AbCdEfGhIjKlMnO/download", "https://cloud.a.example/..."},
		{"ShareLinkInPath", "https://web.archive.example/2030/https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf", "https://web.archive.example/2030/..."},
		{"ShareLinkEncodedInPath", "https://w.example/v3/https%3A%2F%2Fwww.dropbox.com%2Fs%2Fa1b2c3d4e5f6g7h%2Freport.pdf", "https://w.example/v3/..."},
		{"ShareLinkWithSpace", "http://www.dropbox.com/s/a01a2B3c4D5e6F7# 00", "http://www.dropbox.com/..."},
		{"OtherURLInPath", "https://web.archive.example/2030/https://h.example/report.pdf", "https://web.archive.example/2030/https://h.example/report.pdf"},
		{"LongHost", "https://www.bank.example." + strings.Repeat("a.", 60) + "evil.example/x", "https://...." + strings.Repeat("a.", 42) + "evil.example/x"},
		{"LongHostWithUser", "https://u:p@" + strings.Repeat("\u202e", 60) + "evil.example/x", "https://xxxxx@..." + strings.Repeat("%E2%80%AE", 9) + "evil.example/x"},
		{"Fragment", "https://drive.example/urls/ID#KEY", "https://drive.example/urls/ID#xxxxx"},
		{"FragmentAlone", "#KEY", "#xxxxx"},
		{"FragmentEmpty", "http://h/#", "http://h/#"},
		{"FragmentWithQuestionMark", "http://h/#a?b=c", "http://h/#xxxxx"},
		{"QueryAndFragment", "http://h/?a=1#b", "http://h/?a=xxxxx#xxxxx"},

		// RFC 5092 section 6.1.2.
		{"URLAuth", "imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=submit+fred:internal:91354a473744909de610943775f92038",
			"imap://xxxxx@example.com/INBOX/;uid=20/;section=1.2;urlauth=xxxxx"},
		{"URLAuthUpper", "imap://h/INBOX;UID=1;URLAUTH=anonymous", "imap://h/INBOX;UID=1;URLAUTH=xxxxx"},
		{"URLAuthEmpty", "imap://h/INBOX;URLAUTH=", "imap://h/INBOX;URLAUTH="},
		{"URLAuthWithSlash", "imap://h/INBOX;URLAUTH=a:internal:s/ecret", "imap://h/INBOX;URLAUTH=xxxxx"},
		{"URLAuthInQuery", "imap://h/INBOX?x;URLAUTH=secret", "imap://h/INBOX?x%3BURLAUTH=xxxxx"},

		{"DataBase64", "data:image/png;base64,aGVsbG8=", "data:image/png;base64,(8 octets)"},
		{"DataParameters", "data:text/plain;name=secret;charset=utf-8,hello", "data:text/plain,(5 octets)"},
		{"DataParametersAndBase64", "DATA:text/plain;name=secret; BASE64 ,aGk=", "data:text/plain;base64,(4 octets)"},
		{"DataNoType", "data:,hello", "data:,(5 octets)"},
		{"DataBadType", "data:secret,hello", "data:,(5 octets)"},
		{"DataLongType", "data:a/" + strings.Repeat("b", 90) + ",hello", "data:,(5 octets)"},
		{"DataNoComma", "data:text/plain;secret", "data:(17 octets)"},
		{"DataWithDelimiters", "data:,a?b=c#d@e/f", "data:,(11 octets)"},
		{"DataEmpty", "data:,", "data:,(0 octets)"},
		{"DataLikeOurMark", "data:,(12 octets)", "data:,(12 octets)"},
		{"DataUnlikeOurMark", "data:,( octets)", "data:,(9 octets)"},
		{"DataWrapped", "<URL: data:,secret", "data:,(6 octets)"},
		{"DataAfterByteOrderMark", "\ufeff data:,secret", "data:,(6 octets)"},

		{"SurroundingSpace", " \r\n http://h/f\t\x00", "http://h/f"},
		{"Wrapper", "<URL:http://user:secret@h/f>", "http://xxxxx@h/f>"},
		{"LineBreaks", "http://h/a\r\nlog: forged", "http://h/a%0D%0Alog:%20forged"},
		{"TerminalEscape", "http://h/\x1b[31m\u009b", "http://h/%1B[31m"},
		{"TextDirection", "http://h/\u202egnp.exe", "http://h/%E2%80%AEgnp.exe"},
		{"NotUTF8", "http://h/\xff\u00f6", "http://h/%FF\u00f6"},
		{"ReplacementCharacter", "http://h/\ufffd", "http://h/\ufffd"},
		{"LongPath", "http://h/" + strings.Repeat("a", 300) + "?k=v", "http://h/" + strings.Repeat("a", 188) + "...?k=xxxxx"},
		{"LongPathExactly", "http://h/" + strings.Repeat("a", 191), "http://h/" + strings.Repeat("a", 191)},
		{"LongPathEscapesWhole", "http://h/" + strings.Repeat("\x01", 300) + "x", "http://h/" + strings.Repeat("%01", 62) + "..."},
		{"LongPathCountsCharacters", "http://h/" + strings.Repeat("\u00f6", 300), "http://h/" + strings.Repeat("\u00f6", 188) + "..."},
		{"LongHost", "http://" + strings.Repeat("a", 300) + "/p", "http://..." + strings.Repeat("a", 97) + "/p"},
		{"LongUser", "http://" + strings.Repeat("a", 300) + "@h/p", "http://xxxxx@h/p"},
		{"NotAURL", "-o/etc/passwd", "-o/etc/passwd"},
	})
}

func TestOrigin(t *testing.T) {
	checkRedact(t, Origin, []redactTest{
		{"ShareLink", "https://www.dropbox.example/scl/fi/ID/n?rlkey=secret#k", "https://www.dropbox.example/..."},
		{"NoPath", "https://h", "https://h"},
		{"NoPathButQuery", "https://h?a=secret", "https://h/..."},
		{"NoPathButFragment", "https://h#secret", "https://h/..."},
		{"UserAndPort", "https://user:secret@h:8080/x", "https://xxxxx@h:8080/..."},
		{"SlashInPassword", "https://user:sec/ret@h/x", "https://xxxxx/..."},
		{"NetworkPath", "//h/x", "//h/..."},
		{"NoHost", "file:///etc/passwd", "file:///..."},
		{"NoSlashes", "cid:a@b", "cid:..."},
		{"NoScheme", "b/TOKEN//x", "..."},
		{"LongScheme", strings.Repeat("a", 33) + ":b", "..."},
		{"Empty", "", "..."},
		{"Data", "data:,secret", "data:,(6 octets)"},
		{"LongHost", "http://" + strings.Repeat("a", 300) + "/p", "http://..." + strings.Repeat("a", 97) + "/..."},
	})
}

// Text that is not shown is not copied either.
func TestURLHuge(t *testing.T) {
	const size = 1 << 16
	for _, unit := range []string{"a", "/", "//a:b", "@", "&", "&a=b", "?", "#", ";", ";urlauth", "data:", " ", "<", "\xff", "\u00f6", "\x00", "url:", "%FF", "http://a@"} {
		for _, prefix := range []string{"", "http://", "http://h/?", "data:", "http://h/#"} {
			raw := prefix + strings.Repeat(unit, size/len(unit)) + "@"
			if got := URL(raw); utf8.RuneCountInString(got) > MaxRunes {
				t.Errorf("%q: got %d characters, want at most %d", prefix+unit, utf8.RuneCountInString(got), MaxRunes)
			}
			if n := testing.AllocsPerRun(1, func() { URL(raw) }); n > 100 {
				t.Errorf("%q: got %v allocations, want at most 100", prefix+unit, n)
			}
		}
	}
}

// FuzzURL checks that the result is one printable line of bounded length, that
// redacting it again changes nothing, and that no secret which net/url finds is
// in it.
func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"", "http://user:secretword@h:80/p?k=valueword&b&c=#fragmentword", "ftp://u:p/q@h", "data:image/png;base64,AAAA", "data:x",
		"imap://joe@h/INBOX;URLAUTH=a:internal:91354a473744909de610943775f92038", "<URL:http://h/>", "http://h/?" + strings.Repeat("k=v&", 40),
		"http://h/" + strings.Repeat("p/", 150), "http:\\\\u:p@h", "//a:b//c:d/@", "\xff\u202e\n", "http://h/?" + strings.Repeat("n", 70) + "=1", "mailto:a@b", "http://h?a=%FF", "a@b/c:d/e@f",
		"https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf", "http://a/http://b/https://we.tl/t-abcdef", "https://" + strings.Repeat("a.", 80) + "evil.example/x",
		"data:,(12 octets)", "http://h/...?x=1#", strings.Repeat("s", 40) + "://h",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for name, redact := range map[string]func(string) string{"URL": URL, "Origin": Origin} {
			got := redact(raw)
			if !utf8.ValidString(got) || utf8.RuneCountInString(got) > MaxRunes {
				t.Fatalf("%s: got %q, want UTF-8 of at most %d characters", name, got, MaxRunes)
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Fatalf("%s: got %q, want printable characters alone", name, got)
			}
			if again := redact(got); again != got {
				t.Fatalf("%s twice: got %q, want %q as once", name, again, got)
			}
			for _, secret := range secrets(raw) {
				if strings.Contains(got, secret) {
					t.Fatalf("%s: got %q, want it without %q", name, got, secret)
				}
			}
		}
	})
}

// secrets returns the parts of raw that must not be shown: passwords, values and
// fragments that cannot be mistaken for anything else in the result.
func secrets(raw string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	all := []string{u.EscapedFragment()}
	if password, ok := u.User.Password(); ok {
		all = append(all, password)
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		all = append(all, value)
	}
	var found []string
	unescaped := raw
	for {
		next, err := url.PathUnescape(unescaped)
		if err != nil || next == unescaped {
			break
		}
		unescaped = next
	}
	// Letters that no escape has, so that a match in the result cannot be made of
	// one.
	const letters = "ghijklmnopqrstuvwyzGHIJKLMNOPQRSTUVWYZ"
	for _, s := range all {
		if len(s) >= 4 && strings.IndexByte(letters, s[0]) >= 0 && !strings.Contains(s, "%") &&
			!strings.Contains("(0 octets)", s) &&
			strings.Count(raw, s) == 1 && strings.Count(unescaped, s) <= 1 {
			found = append(found, s)
		}
	}
	return found
}

func BenchmarkURL(b *testing.B) {
	const raw = "https://user:secret@files.example:8443/reports/2026/quarterly%20report.pdf?expires=1763787120&signature=91354a473744909de610943775f92038#page=2"
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		URL(raw)
	}
}
