package tftpfetch

import (
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TF-1, TF-2, AT-12: the request for a URL and a transfer type.
func TestTarget(t *testing.T) {
	longest := strings.Repeat("n", maxRequest-maxOptions-len("\x00\x01\x00\x00octet"))
	for _, tt := range []struct {
		name     string
		url      string
		transfer string
		media    string
		file     string
		mode     mode
		crlf     bool
		kind     fetch.Kind
	}{
		{name: "Plain", url: "tftp://a.example/file", file: "file", mode: octet, crlf: true},
		{name: "Scheme", url: "TFTP://a.example/file", file: "file", mode: octet, crlf: true},
		{name: "Slashes", url: "tftp://a.example/boot/x86/k", file: "boot/x86/k", mode: octet, crlf: true},
		{name: "SecondSlash", url: "tftp://a.example//boot", file: "/boot", mode: octet, crlf: true},
		{name: "EncodedSlash", url: "tftp://a.example/%2Fboot%2Fk", file: "/boot/k", mode: octet, crlf: true},
		{name: "DotSegments", url: "tftp://a.example/a/../b", file: "a/../b", mode: octet, crlf: true},
		{name: "DecodedOnce", url: "tftp://a.example/a%2520b", file: "a%20b", mode: octet, crlf: true},
		{name: "Octets", url: "tftp://a.example/%ff%c3%a9", file: "\xff\xc3\xa9", mode: octet, crlf: true},
		{name: "Port", url: "tftp://a.example:69/f", file: "f", mode: octet, crlf: true},
		{name: "Fragment", url: "tftp://a.example/f#x", file: "f", mode: octet, crlf: true},
		{name: "Longest", url: "tftp://a.example/" + longest, file: longest, mode: octet, crlf: true},

		{name: "ModeOctet", url: "tftp://a.example/f;mode=octet", file: "f", mode: octet, crlf: true},
		{name: "ModeNetascii", url: "tftp://a.example/f;mode=netascii", file: "f", mode: netascii, crlf: true},
		{name: "ModeCase", url: "tftp://a.example/f;MODE=NetASCII", file: "f", mode: netascii, crlf: true},
		{name: "ModeEncoded", url: "tftp://a.example/f%3Bmode=netascii", file: "f;mode=netascii", mode: octet, crlf: true},
		{name: "OtherSemicolon", url: "tftp://a.example/f;type=a", file: "f;type=a", mode: octet, crlf: true},
		{name: "TransferType", url: "tftp://a.example/f", transfer: "netascii", file: "f", mode: netascii, crlf: true},
		{name: "TransferTypeCase", url: "tftp://a.example/f", transfer: "NETASCII", file: "f", mode: netascii, crlf: true},
		{name: "TransferTypeWins", url: "tftp://a.example/f;mode=netascii", transfer: "octet", file: "f", mode: octet, crlf: true},

		{name: "Text", url: "tftp://a.example/f", media: "Text/HTML; charset=utf-8", file: "f", mode: octet, crlf: true},
		{name: "Multipart", url: "tftp://a.example/f", media: "multipart/mixed", file: "f", mode: octet, crlf: true},
		{name: "Message", url: "tftp://a.example/f", media: "message/rfc822", file: "f", mode: octet, crlf: true},
		{name: "Image", url: "tftp://a.example/f", media: "image/jpeg", file: "f", mode: octet},

		{name: "OtherScheme", url: "ftp://a.example/f", kind: fetch.Unsupported},
		{name: "NoHost", url: "tftp:///f", kind: fetch.Malformed},
		{name: "Opaque", url: "tftp:f", kind: fetch.Malformed},
		{name: "User", url: "tftp://joe@a.example/f", kind: fetch.Malformed},
		{name: "Query", url: "tftp://a.example/f?x", kind: fetch.Malformed},
		{name: "EmptyQuery", url: "tftp://a.example/f?", kind: fetch.Malformed},
		{name: "NoPath", url: "tftp://a.example", kind: fetch.Malformed},
		{name: "NoName", url: "tftp://a.example/", kind: fetch.Malformed},
		{name: "NoNameMode", url: "tftp://a.example/;mode=octet", kind: fetch.Malformed},
		{name: "NUL", url: "tftp://a.example/f%00netascii", kind: fetch.Malformed},
		{name: "CR", url: "tftp://a.example/f%0Dx", kind: fetch.Malformed},
		{name: "LF", url: "tftp://a.example/f%0Ax", kind: fetch.Malformed},
		{name: "TooLong", url: "tftp://a.example/n" + longest, kind: fetch.Malformed},
		{name: "ModeMail", url: "tftp://a.example/f;mode=mail", kind: fetch.Unsupported},
		{name: "ModeOther", url: "tftp://a.example/f;mode=binary", kind: fetch.Malformed},
		{name: "ModeEmpty", url: "tftp://a.example/f;mode=", kind: fetch.Malformed},
		{name: "TransferTypeMail", url: "tftp://a.example/f", transfer: "MAIL", kind: fetch.Unsupported},
		{name: "TransferTypeImage", url: "tftp://a.example/f", transfer: "i", kind: fetch.Unsupported},
		{name: "LocalHost", url: "tftp://localhost/f", kind: fetch.Blocked},
		{name: "PrivateAddress", url: "tftp://192.168.0.1/f", kind: fetch.Blocked},
		{name: "OtherPort", url: "tftp://a.example:53/f", kind: fetch.Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			noError(t, err)
			req := &fetch.Request{URL: u, TransferType: tt.transfer, MediaType: tt.media}
			f := New(nil).(*fetcher)
			got, err := f.target(req)
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error %v, want %v", err, tt.kind)
			}
			if check := f.Check(req); fetch.KindOf(check) != tt.kind {
				t.Errorf("Check: %v, want %v", check, tt.kind)
			}
			if err != nil {
				return
			}
			if want := (target{host: got.host, port: 69, name: tt.file, mode: tt.mode, crlf: tt.crlf}); *got != want {
				t.Errorf("got %+v, want %+v", *got, want)
			}
		})
	}
}

// A path that net/url would not have made.
func TestTargetBadEscape(t *testing.T) {
	if _, _, err := splitPath("/a%zz"); err != errEscape {
		t.Errorf("got %v, want %v", err, errEscape)
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct{ in, want int }{{0, 1428}, {1, 512}, {512, 512}, {9000, 9000}, {1 << 20, 65464}} {
		if got := New(&Options{BlockSize: tt.in}).(*fetcher).opts.BlockSize; got != tt.want {
			t.Errorf("%d: got %d, want %d", tt.in, got, tt.want)
		}
	}
	if got := New(&Options{retryAfter: -1}).(*fetcher).opts.retryAfter; got != defaultRetryAfter {
		t.Errorf("retryAfter %v, want %v", got, defaultRetryAfter)
	}
}

// A name that is accepted can be sent, and survives being written as a URL.
func FuzzName(f *testing.F) {
	for _, s := range []string{
		"/f", "//f", "/%2Ff", "/a/b", "/f;mode=netascii", "/f%3Bmode=mail", "/f;mode=", "/a%00", "/a%0d%0a",
		"/%", "/%zz", "/%25", "", "/", "/;mode=octet", "/;;mode=octet;mode=octet", "/\xff", "/f;type=a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		name, m, err := splitPath(path)
		if err != nil {
			return
		}
		if name == "" || strings.ContainsAny(name, "\r\n\x00") {
			t.Fatalf("%q: got the name %q, want one without CR, LF and NUL", path, name)
		}
		again, none, err := splitPath("/" + url.PathEscape(name))
		if err != nil || again != name || none != "" {
			t.Fatalf("%q: got the name %q, mode %q, which comes back as %q, %q, %v, want the name alone", path, name, m, again, none, err)
		}
	})
}
