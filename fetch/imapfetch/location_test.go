package imapfetch

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/utf7"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

func TestLocation(t *testing.T) {
	const auth = ";URLAUTH=authuser:INTERNAL:91354a473744909de610943775f92038"
	for _, tt := range []struct {
		name, path string
		want       location
		kind       fetch.Kind
	}{
		{"Message", "/INBOX/;UID=7", location{mailbox: "INBOX", uid: 7}, 0},
		{"LowerCase", "/INBOX;uidvalidity=3/;uid=7/;section=1.mime/;partial=0.9", location{mailbox: "INBOX", uidValidity: 3, uid: 7, section: "1.MIME", partial: true, length: 9}, 0},
		{"SlashInMailbox", "/a/b%2Fc/;UID=7", location{mailbox: "a/b/c", uid: 7}, 0},
		{"EncodedSemicolon", "/a%3BUID=1/;UID=7", location{mailbox: "a;UID=1", uid: 7}, 0},
		{"MailboxEndsInSlash", "/a/;UIDVALIDITY=3/;UID=7", location{mailbox: "a/", uidValidity: 3, uid: 7}, 0},
		{"URLAuth", "/a/;UID=7" + auth, location{mailbox: "a", uid: 7, access: "authuser"}, 0},
		{"Server", "/", location{}, fetch.Unsupported},
		{"Empty", "", location{}, fetch.Unsupported},
		{"Mailbox", "/INBOX", location{}, fetch.Unsupported},
		{"MailboxWithValidity", "/INBOX;UIDVALIDITY=3", location{}, fetch.Unsupported},
		{"NoSlash", "/INBOX;UID=7", location{}, fetch.Malformed},
		{"Order", "/INBOX/;SECTION=1/;UID=7", location{}, fetch.Malformed},
		{"Twice", "/INBOX/;UID=7/;UID=8", location{}, fetch.Malformed},
		{"Unknown", "/INBOX/;UID=7/;FOO=8", location{}, fetch.Malformed},
		{"ZeroUID", "/INBOX/;UID=0", location{}, fetch.Malformed},
		{"SignedUID", "/INBOX/;UID=+1", location{}, fetch.Malformed},
		{"BigUID", "/INBOX/;UID=4294967296", location{}, fetch.Malformed},
		{"TrailingSlash", "/INBOX/;UID=7/", location{}, fetch.Malformed},
		{"CRLFInMailbox", "/INBOX%0D%0Aa/;UID=7", location{}, fetch.Malformed},
		{"NotUTF8", "/%FF/;UID=7", location{}, fetch.Malformed},
		{"CRLFInSection", "/INBOX/;UID=7/;SECTION=1%0D%0A", location{}, fetch.Malformed},
		{"BracketInSection", "/INBOX/;UID=7/;SECTION=1%5D", location{}, fetch.Malformed},
		{"FieldsInjection", "/INBOX/;UID=7/;SECTION=HEADER.FIELDS%20(a)%5D%20(b)", location{}, fetch.Malformed},
		{"MIMEAlone", "/INBOX/;UID=7/;SECTION=MIME", location{}, fetch.Malformed},
		{"EmptySection", "/INBOX/;UID=7/;SECTION=", location{}, fetch.Malformed},
		{"ZeroLength", "/INBOX/;UID=7/;PARTIAL=0.0", location{}, fetch.Malformed},
		{"BadEscape", "/INBOX%2/;UID=7", location{}, fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got location
			err := got.parse(tt.path)
			if fetch.KindOf(err) != tt.kind || err == nil && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v, want %+v, Kind %v", got, err, tt.want, tt.kind)
			}
		})
	}
}

// A location that is read can be written as a URL that is read as the same, and
// nothing in it can end a command line.
func FuzzLocation(f *testing.F) {
	for _, s := range []string{
		"/INBOX/;UID=7", "/a%3Bb/c;UIDVALIDITY=3/;UID=7/;SECTION=1.2.TEXT/;PARTIAL=3.4", "/%E2%98%83/;uid=1/;section=header.fields.not%20(a%20b)",
		"/a/;UID=7;EXPIRE=2030-01-02T03:04:05Z;URLAUTH=user+x%2By:INTERNAL:91354a473744909de610943775f92038", "/;UID=1", "/a/;SECTION=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		var l location
		if err := l.parse(path); err != nil {
			if _, ok := err.(*fetch.Error); !ok {
				t.Fatalf("got %T, want *fetch.Error", err)
			}
			return
		}
		if !utf8.ValidString(l.mailbox) || !wire.Sendable(utf7.Encode(l.mailbox)) || !wire.Sendable(l.item(true)) || strings.Count(l.item(true), "]") != 1 {
			t.Fatalf("%q: got %+v, want what can be sent", path, l)
		}
		var again location
		if err := again.parse(l.path()); err != nil || !reflect.DeepEqual(l, again) {
			t.Fatalf("%q: got %+v, %v, want %+v, nil", l.path(), again, err, l)
		}
	})
}

// path writes a location as the path of a URL.
func (l location) path() string {
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	s := "/" + escape(l.mailbox)
	if l.uidValidity != 0 {
		s += fmt.Sprintf(";UIDVALIDITY=%d", l.uidValidity)
	}
	s += fmt.Sprintf("/;UID=%d", l.uid)
	if l.section != "" {
		s += "/;SECTION=" + escape(l.section)
	}
	if l.partial {
		s += fmt.Sprintf("/;PARTIAL=%d", l.offset)
		if l.length > 0 {
			s += fmt.Sprintf(".%d", l.length)
		}
	}
	if !l.expire.IsZero() {
		s += ";EXPIRE=" + escape(l.expire.Format("2006-01-02T15:04:05.999999999Z07:00"))
	}
	if l.access != "" {
		s += ";URLAUTH=" + escape(l.access) + ":INTERNAL:" + strings.Repeat("0", minToken)
	}
	return s
}
