package ftpfetch

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// pathCommands are the commands of a session that come from the path.
func pathCommands(commands []string) []string {
	return slices.DeleteFunc(commands, func(line string) bool {
		switch verb(line) {
		case "CWD", "RETR", "NLST":
			return false
		}
		return true
	})
}

// FT-2, FT-3, FT-4, FT-5, FT-6, FT-21, AT-4.
func TestPath(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		opts       Options
		listing    bool
		want       []string
	}{
		{name: "OneSegment", path: "/motd", want: []string{"RETR motd"}},
		{name: "Relative", path: "/etc/motd", want: []string{"CWD etc", "RETR motd"}},
		{name: "Absolute", path: "/%2Fetc/motd", want: []string{"CWD /etc", "RETR motd"}},
		{name: "EmptySegment", path: "//etc/motd", want: []string{"CWD ", "CWD etc", "RETR motd"}},
		{name: "EmptySegments", path: "/a//b/motd", want: []string{"CWD a", "CWD ", "CWD b", "RETR motd"}},
		{name: "DotSegments", path: "/../a/./b", want: []string{"CWD ..", "CWD a", "CWD .", "RETR b"}},
		{name: "LiteralArguments", path: "/a%2Fb/c%2Fd", want: []string{"CWD a/b", "RETR c/d"}},
		{name: "DecodedOnce", path: "/%2541", want: []string{"RETR %41"}},
		{name: "Spaces", path: "/%20a%20/%20b%20", want: []string{"CWD  a ", "RETR  b "}},
		{name: "Plus", path: "/a+b", want: []string{"RETR a+b"}},
		{name: "Question", path: "/a?b/c?d", want: []string{"CWD a?b", "RETR c?d"}},
		{name: "QuestionLast", path: "/a?", want: []string{"RETR a?"}},
		{name: "QuestionEncoded", path: "/a%3Fb", want: []string{"RETR a?b"}},
		{name: "Fragment", path: "/a#b", want: []string{"RETR a"}},
		{name: "Typecode", path: "/a;TYPE=I", want: []string{"RETR a"}},
		{name: "TypecodeEncoded", path: "/a%3Btype=a", want: []string{"RETR a;type=a"}},
		{name: "TypecodeInDirectory", path: "/a;type=a/b", want: []string{"CWD a;type=a", "RETR b"}},
		{name: "TypecodeTwice", path: "/a;type=a;type=i", want: []string{"RETR a;type=a"}},
		{name: "Semicolon", path: "/a;v=1", want: []string{"RETR a;v=1"}},
		{name: "TelnetIAC", path: "/%ff%f4%ff%f2x", want: []string{"RETR \xff\xff\xf4\xff\xff\xf2x"}},
		{name: "Latin1", path: "/%e9", want: []string{"RETR \xe9"}},
		{name: "UTF8", path: "/%C3%A9/é", want: []string{"CWD é", "RETR é"}},
		{name: "Hyphen", path: "/-R", want: []string{"RETR -R"}},
		{name: "Listing", path: "/a/b;type=d", listing: true, want: []string{"CWD a", "NLST b"}},
		{name: "ListingSpace", path: "/a%20;type=d", listing: true, want: []string{"NLST a "}},
		{name: "ListingEmptyName", path: "/a/", listing: true, want: []string{"CWD a", "NLST"}},
		{name: "ListingNoPath", path: "", listing: true, want: []string{"NLST"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x"}
			f.start(t)
			tt.opts.Guard = loopback()
			_, _, err := get(t, New(&tt.opts), &fetch.Request{URL: f.url(t, tt.path), Listing: tt.listing})
			wantKind(t, err, 0)
			if got := pathCommands(f.seen()); !slices.Equal(got, tt.want) {
				t.Errorf("commands %q, want %q", got, tt.want)
			}
		})
	}
}

// nobody is a resolver that must not be asked.
type nobody struct{ t *testing.T }

func (n nobody) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.t.Errorf("got a lookup of %s, want none", host)
	return nil, nil
}

// FT-6, FT-7, SE-7: these are refused by Check, and by Fetch without a lookup.
func TestRefusedBeforehand(t *testing.T) {
	for _, tt := range []struct {
		name, url string
		req       fetch.Request
		opts      Options
		want      fetch.Kind
	}{
		{name: "CRLF", url: "ftp://files.example/a%0d%0aDELE%20b", want: fetch.Malformed},
		{name: "CR", url: "ftp://files.example/a%0d", want: fetch.Malformed},
		{name: "LF", url: "ftp://files.example/a%0A/b", want: fetch.Malformed},
		{name: "NUL", url: "ftp://files.example/x%00y", want: fetch.Malformed},
		{name: "CRLFInUser", url: "ftp://u%0d%0aPASS%20x@files.example/x", want: fetch.Malformed},
		{name: "LFInPassword", url: "ftp://u:p%0a@files.example/x", want: fetch.Malformed},
		{name: "LFInQuestion", url: "ftp://files.example/x?%0a", want: fetch.Malformed},
		{name: "LFInAnonymous", url: "ftp://files.example/x", opts: Options{Anonymous: "a\nb"}, want: fetch.Malformed},
		{name: "BadEscape", url: "ftp://files.example/x?%zz", want: fetch.Malformed},
		{name: "NoHost", url: "ftp:///x", want: fetch.Malformed},
		{name: "Opaque", url: "ftp:x", want: fetch.Malformed},
		{name: "Typecode", url: "ftp://files.example/x;type=x", want: fetch.Malformed},
		{name: "TypecodeEmpty", url: "ftp://files.example/x;type=", want: fetch.Malformed},
		{name: "TypecodeLong", url: "ftp://files.example/x;type=ii", want: fetch.Malformed},
		{name: "TypecodeNoName", url: "ftp://files.example/a/;type=i", want: fetch.Malformed},
		{name: "Deep", url: "ftp://files.example/" + strings.Repeat("a/", maxDirs+1) + "x", want: fetch.Malformed},
		{name: "Listing", url: "ftp://files.example/x;type=d", want: fetch.Unsupported},
		{name: "ListingEmptyName", url: "ftp://files.example/", want: fetch.Unsupported},
		{name: "ListingOtherType", url: "ftp://files.example/x;type=d", req: fetch.Request{Listing: true, MediaType: "image/png"}, want: fetch.Unsupported},
		{name: "EBCDIC", url: "ftp://files.example/x", req: fetch.Request{TransferType: "e"}, want: fetch.Unsupported},
		{name: "TransferType", url: "ftp://files.example/x", req: fetch.Request{TransferType: "netascii"}, want: fetch.Unsupported},
		{name: "TransferTypeLocal", url: "ftp://files.example/x", req: fetch.Request{TransferType: "l8\r\nDELE x"}, want: fetch.Unsupported},
		{name: "Scheme", url: "http://files.example/x", want: fetch.Unsupported},
		{name: "SMTPPort", url: "ftp://files.example:25/x", want: fetch.Blocked},
		{name: "Loopback", url: "ftp://127.0.0.1/x", want: fetch.Blocked},
		{name: "NumericHost", url: "ftp://2130706433/x", want: fetch.Blocked},
		{name: "AnonymousOnly", url: "ftp://u@files.example/x", req: fetch.Request{Login: fetch.LoginAnonymous}, want: fetch.Malformed},
		{name: "AnonymousNever", url: "ftp://anonymous@files.example/x", req: fetch.Request{Login: fetch.LoginRequired}, want: fetch.Credentials},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			noError(t, err)
			tt.opts.Guard = &netguard.Guard{Resolver: nobody{t}}
			f := New(&tt.opts)
			tt.req.URL = u
			wantKind(t, f.Check(&tt.req), tt.want)
			_, err = f.Fetch(t.Context(), &tt.req)
			wantKind(t, err, tt.want)
		})
	}
}

// FT-7, FT-8, AT-10.
func TestTransferType(t *testing.T) {
	for _, tt := range []struct {
		name, path, mediaType, transferType string
		replies                             map[string]string
		want                                []string
		kind                                fetch.Kind
	}{
		{name: "Unknown", path: "/x", want: []string{"TYPE I"}},
		{name: "Image", path: "/x", mediaType: "image/png", want: []string{"TYPE I"}},
		{name: "Text", path: "/x", mediaType: "Text/HTML; charset=utf-8", want: []string{"TYPE A"}},
		{name: "Textual", path: "/x", mediaType: "textual/x", want: []string{"TYPE I"}},
		{name: "TypecodeWins", path: "/x;type=i", mediaType: "text/plain", want: []string{"TYPE I"}},
		{name: "TypecodeA", path: "/x;type=A", mediaType: "image/png", want: []string{"TYPE A"}},
		{name: "RequestWins", path: "/x;type=i", transferType: "A", want: []string{"TYPE A"}},
		{name: "RequestImage", path: "/x;type=a", mediaType: "text/plain", transferType: "i", want: []string{"TYPE I"}},
		{name: "Local8", path: "/x", transferType: "l8", want: []string{"TYPE L 8"}},
		{name: "Local36", path: "/x", transferType: "L 36", want: []string{"TYPE L 36"}},
		{name: "Local8IsImage", path: "/x", transferType: "l8", replies: map[string]string{"TYPE L 8": "504 no"}, want: []string{"TYPE L 8", "TYPE I"}},
		{name: "Local36IsNotImage", path: "/x", transferType: "l36", replies: map[string]string{"TYPE L 36": "504 no"}, want: []string{"TYPE L 36"}, kind: fetch.Unsupported},
		{name: "Refused", path: "/x", replies: map[string]string{"TYPE I": "421 bye"}, want: []string{"TYPE I"}, kind: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", replies: tt.replies}
			f.start(t)
			_, _, err := get(t, New(&Options{Guard: loopback()}), &fetch.Request{
				URL: f.url(t, tt.path), MediaType: tt.mediaType, TransferType: tt.transferType,
			})
			wantKind(t, err, tt.kind)
			got := slices.DeleteFunc(f.seen(), func(line string) bool { return verb(line) != "TYPE" })
			if !slices.Equal(got, tt.want) {
				t.Errorf("commands %q, want %q", got, tt.want)
			}
		})
	}
}

// FT-2: encoding the segments of a path and reading it gives them back.
func FuzzPath(f *testing.F) {
	f.Add("etc", "motd", false)
	f.Add("/etc", "a;type=a", true)
	f.Add("", "?#%41", false)
	f.Add("..", " \xff ", true)
	f.Add("a/b", "c?d", false)
	f.Fuzz(func(t *testing.T, dir, name string, typed bool) {
		if name == "" {
			return
		}
		raw := "ftp://h/" + escape(dir) + "/" + escape(name)
		if typed {
			raw += ";type=i"
		}
		u, err := url.Parse(raw)
		noError(t, err)
		got := new(target)
		code, err := got.setPath(u)
		noError(t, err)
		if (code == 'i') != typed || !slices.Equal(got.dirs, []string{dir}) || got.name != name {
			t.Errorf("%q: got %q, %q, typecode %q, want %q, %q, typecode i: %v", raw, got.dirs, got.name, code, dir, name, typed)
		}
	})
}

// escape escapes each octet that is not a letter or digit.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
	}
	return b.String()
}

// FuzzPathText: whatever a URL holds, nothing that is sent has CR, LF or NUL.
func FuzzPathText(f *testing.F) {
	for _, s := range []string{
		"ftp://h/a/b;type=a", "ftp://h//a%2fb", "ftp://u:p@h/%0a", "ftps://h?x/y", "ftp://h/%ff;type=d", "ftp://h:21/%00",
	} {
		f.Add(s)
	}
	ftp := New(&Options{Guard: &netguard.Guard{AnyPort: true}}).(*fetcher)
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if err != nil {
			return
		}
		got, err := ftp.target(&fetch.Request{URL: u, Listing: true})
		if err != nil {
			switch fetch.KindOf(err) {
			case fetch.Malformed, fetch.Unsupported, fetch.Blocked:
			default:
				t.Errorf("%q: got %v, want malformed, unsupported or blocked", s, err)
			}
			return
		}
		for _, arg := range append(got.dirs, got.name, got.login.user, got.login.password) {
			if strings.ContainsAny(arg, "\r\n\x00") {
				t.Errorf("%q: got %q to send, want no CR, LF or NUL", s, arg)
			}
		}
		if n := strings.Count(s, "/") - 3; len(got.dirs) > max(n, 0) {
			t.Errorf("%q: got %d directories, want at most %d", s, len(got.dirs), max(n, 0))
		}
	})
}
