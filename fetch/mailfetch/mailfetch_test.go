package mailfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

var _ driver.Inspector = (*fetcher)(nil)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An outbox is a sender that keeps its messages.
type outbox struct {
	mu       sync.Mutex
	from, to []string
	msgs     []string
	err      error
}

func (o *outbox) send(_ context.Context, from, to string, msg []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.from, o.to, o.msgs = append(o.from, from), append(o.to, to), append(o.msgs, string(msg))
	return o.err
}

func (o *outbox) fetcher() *fetcher {
	n := 0
	f := New(&Options{From: "joe@desk.example", Send: o.send}).(*fetcher)
	f.now = func() time.Time { return time.Date(2004, 2, 29, 23, 59, 59, 0, time.FixedZone("", -3600)) }
	f.messageID = func() string {
		n++
		return fmt.Sprintf("<%d@desk.example>", n)
	}
	return f
}

func mailto(text string) *fetch.Request {
	return &fetch.Request{URL: &url.URL{Scheme: "mailto"}, Text: text}
}

func do(t *testing.T, f fetch.Fetcher, req *fetch.Request) error {
	t.Helper()
	resp, err := fetch.Do(t.Context(), f, req)
	if resp != nil {
		t.Fatalf("got the response %+v, want none", resp)
	}
	if _, ok := err.(*fetch.Error); !ok {
		t.Fatalf("got %T, want *fetch.Error", err)
	}
	return err
}

// Most of the suite needs a body, and mail has none yet.
func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: new(outbox).fetcher(),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault != fetchtest.Forbidden {
				return nil
			}
			return mailto("mailto:root@localhost")
		},
	})
}

// AT-19 to AT-22: the whole message.
func TestFetch(t *testing.T) {
	var out outbox
	req := mailto("MAILTO:Mail-Server@Archive.Example?Subject=get%20it&BODY=send%20a+b%0D%0A.%0D%0A%0D%0Aend")
	req.ContentID = "<id42@mail.example>"
	var phases []fetch.Phase
	req.Progress = func(e fetch.Event) { phases = append(phases, e.Phase) }
	err := do(t, out.fetcher(), req)
	if fetch.KindOf(err) != fetch.Pending {
		t.Fatal(err)
	}
	sent, ok := errors.AsType[*Sent](err)
	if want := (Sent{"Mail-Server@archive.example", "<1@desk.example>", "<id42@mail.example>"}); !ok || *sent != want {
		t.Errorf("got %+v, want %+v", sent, want)
	}
	for _, secret := range []string{"get it", "get%20it", "send"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("got %q, want it without %q", err, secret)
		}
	}
	want := strings.ReplaceAll(`From: joe@desk.example
To: Mail-Server@archive.example
Subject: get it
Date: Mon, 01 Mar 2004 00:59:59 +0000
Message-ID: <1@desk.example>
Comments: This message was generated automatically in an attempt to
 resolve a MIME external-body reference, whose Content-ID is
 <id42@mail.example>
Auto-Submitted: auto-generated
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit

send a+b
.

end`, "\n", "\r\n")
	if len(out.msgs) != 1 || out.msgs[0] != want {
		t.Errorf("sent %q, want 1 of them", out.msgs)
	}
	if out.from[0] != "joe@desk.example" || out.to[0] != "Mail-Server@archive.example" {
		t.Errorf("got a message from %q to %q, want joe@desk.example and Mail-Server@archive.example", out.from, out.to)
	}
	if !slices.Equal(phases, []fetch.Phase{fetch.Sending}) {
		t.Errorf("got phases %q, want sending", phases)
	}
}

// AT-24: the URLs that are refused before anything is sent, and the messages of the
// others.
func TestParse(t *testing.T) {
	const to = "mailto:a@b.example"
	local64, domain189 := strings.Repeat("l", 64), strings.Repeat("abcdefgh.", 20)+"example.x"
	for _, tt := range []struct {
		name    string
		text    string
		to      string
		subject string
		body    string
		kind    fetch.Kind
	}{
		{name: "Address", text: to, to: "a@b.example"},
		{name: "EmptyFields", text: to + "?", to: "a@b.example"},
		{name: "EmptyValues", text: to + "?subject=&body=", to: "a@b.example"},
		{name: "Domain", text: "mailto:A@B.EXAMPLE.", to: "A@b.example"},
		{name: "Atoms", text: "mailto:a.b+c%25d=e@b.example", to: "a.b+c%d=e@b.example"},
		{name: "EncodedSlash", text: "mailto:a%2Fb@b.example", to: "a/b@b.example"},
		{name: "Quoted", text: "mailto:%22a%20,%5C%22@%22@b.example", to: `"a ,\"@"@b.example`},
		{name: "EncodedAt", text: "mailto:a%40b.example", to: "a@b.example"},
		{name: "Fragment", text: to + "#x?body=y", to: "a@b.example"},
		{name: "Longest", text: "mailto:" + local64 + "@" + domain189, to: local64 + "@" + domain189},
		{name: "Subject", text: to + "?subject=a%09b+c=d?e", to: "a@b.example", subject: "a\tb+c=d?e"},
		{name: "EncodedWord", text: to + "?subject=%3D%3Futf-8%3Fq%3F%3D0D%3F%3D", to: "a@b.example", subject: "=?utf-8?q?=0D?="},
		{name: "SubjectLongest", text: to + "?subject=" + strings.Repeat("s", 989), to: "a@b.example", subject: strings.Repeat("s", 989)},
		{name: "EncodedName", text: to + "?%73UBJECT=a&", to: "a@b.example", subject: "a"},
		{name: "BodyLF", text: to + "?body=a%0Ab%0D%0Ac%0A", to: "a@b.example", body: "a\r\nb\r\nc\r\n"},
		{name: "BodyUTF8", text: to + "?body=%C3%A9", to: "a@b.example", body: "é"},
		{name: "BodyAmpersand", text: to + "?body=a%26cc=x", to: "a@b.example", body: "a&cc=x"},

		{name: "OtherScheme", text: "http://a.example/", kind: fetch.Unsupported},
		{name: "NoAddress", text: "mailto:", kind: fetch.Malformed},
		{name: "AddressInField", text: "mailto:?to=a@b.example", kind: fetch.Malformed},
		{name: "NoDomain", text: "mailto:a", kind: fetch.Malformed},
		{name: "EmptyDomain", text: "mailto:a@", kind: fetch.Malformed},
		{name: "EmptyLocal", text: "mailto:@b.example", kind: fetch.Malformed},
		{name: "List", text: "mailto:a@b.example,c@d.example", kind: fetch.Malformed},
		{name: "EncodedList", text: "mailto:a@b.example%2Cc@d.example", kind: fetch.Malformed},
		{name: "SemicolonList", text: "mailto:a@b.example;c@d.example", kind: fetch.Malformed},
		{name: "CommaInLocal", text: "mailto:a,c@d.example", kind: fetch.Malformed},
		{name: "QuotedDelete", text: "mailto:%22a%7F%22@b.example", kind: fetch.Malformed},
		{name: "Group", text: "mailto:g:a@b.example;", kind: fetch.Malformed},
		{name: "DisplayName", text: "mailto:A%20%3Ca@b.example%3E", kind: fetch.Malformed},
		{name: "Comment", text: "mailto:a(x)@b.example", kind: fetch.Malformed},
		{name: "Space", text: "mailto:a%20b@b.example", kind: fetch.Malformed},
		{name: "TrailingSpace", text: "mailto:a@b.example%20", kind: fetch.Malformed},
		{name: "CRLF", text: "mailto:a@b.example%0D%0ACc:c@d.example", kind: fetch.Malformed},
		{name: "LocalCRLF", text: "mailto:%22a%0D%0A%22@b.example", kind: fetch.Malformed},
		{name: "LocalNUL", text: "mailto:%22a%00%22@b.example", kind: fetch.Malformed},
		{name: "Local8Bit", text: "mailto:%C3%A9@b.example", kind: fetch.Malformed},
		{name: "Domain8Bit", text: "mailto:a@%C3%A9.example", kind: fetch.Malformed},
		{name: "Delete", text: "mailto:a%7F@b.example", kind: fetch.Malformed},
		{name: "DotFirst", text: "mailto:.a@b.example", kind: fetch.Malformed},
		{name: "DotDot", text: "mailto:a..b@b.example", kind: fetch.Malformed},
		{name: "QuoteOpen", text: "mailto:%22a@b.example", kind: fetch.Malformed},
		{name: "QuoteInside", text: "mailto:%22a%22b%22@b.example", kind: fetch.Malformed},
		{name: "QuoteEscapeAtEnd", text: "mailto:%22a%5C%22@b.example", kind: fetch.Malformed},
		{name: "QuoteEmpty", text: "mailto:%22%22@b.example", kind: fetch.Malformed},
		{name: "QuoteAlone", text: "mailto:%22@b.example", kind: fetch.Malformed},
		{name: "LocalTooLong", text: "mailto:l" + local64 + "@b.example", kind: fetch.Malformed},
		{name: "TooLong", text: "mailto:" + local64 + "@" + domain189 + "x", kind: fetch.Malformed},
		{name: "Literal", text: "mailto:a@%5B192.0.2.1%5D", kind: fetch.Malformed},
		{name: "LiteralIPv4", text: "mailto:a@192.0.2.1", kind: fetch.Malformed},
		{name: "Authority", text: "mailto://a@b.example", kind: fetch.Malformed},
		{name: "Option", text: "mailto:-oQ@b.example", kind: fetch.Malformed},
		{name: "QuotedOption", text: "mailto:%22-oQ%22@b.example", kind: fetch.Malformed},
		{name: "OneLabel", text: "mailto:root@localhost", kind: fetch.Blocked},
		{name: "BadEscape", text: "mailto:a%4@b.example", kind: fetch.Malformed},

		{name: "Cc", text: to + "?cc=c@d.example", kind: fetch.Malformed},
		{name: "Bcc", text: to + "?BCC=c@d.example", kind: fetch.Malformed},
		{name: "To", text: to + "?to=c@d.example", kind: fetch.Malformed},
		{name: "InReplyTo", text: to + "?in-reply-to=%3Ca@b%3E", kind: fetch.Malformed},
		{name: "NoName", text: to + "?=x", kind: fetch.Malformed},
		{name: "TwoSubjects", text: to + "?subject=a&SUBJECT=b", kind: fetch.Malformed},
		{name: "TwoBodies", text: to + "?body=a&body=a", kind: fetch.Malformed},
		{name: "NameBadEscape", text: to + "?%4=a", kind: fetch.Malformed},
		{name: "ValueBadEscape", text: to + "?body=%", kind: fetch.Malformed},
		{name: "SubjectCR", text: to + "?subject=a%0D", kind: fetch.Malformed},
		{name: "SubjectLF", text: to + "?subject=a%0ACc:%20x", kind: fetch.Malformed},
		{name: "SubjectNUL", text: to + "?subject=%00", kind: fetch.Malformed},
		{name: "Subject8Bit", text: to + "?subject=%C3%A9", kind: fetch.Malformed},
		{name: "SubjectTooLong", text: to + "?subject=" + strings.Repeat("s", 990), kind: fetch.Malformed},
		{name: "BodyNUL", text: to + "?body=a%00", kind: fetch.Malformed},
		{name: "BodyCR", text: to + "?body=a%0Db", kind: fetch.Malformed},
		{name: "BodyCRCRLF", text: to + "?body=a%0D%0D%0Ab", kind: fetch.Malformed},
		{name: "BodyNoUTF8", text: to + "?body=%E9", kind: fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out outbox
			f := out.fetcher()
			if err := f.Check(mailto(tt.text)); fetch.KindOf(err) != tt.kind {
				t.Errorf("Check: %v, want %v", err, tt.kind)
			}
			if len(out.msgs) > 0 {
				t.Errorf("got %d messages of Check, want none", len(out.msgs))
			}
			want := tt.kind
			if want == 0 {
				want = fetch.Pending
			}
			if err := do(t, f, mailto(tt.text)); fetch.KindOf(err) != want {
				t.Fatalf("error %v, want %v", err, want)
			}
			if tt.kind != 0 {
				if len(out.msgs) > 0 {
					t.Errorf("got %d messages, want none", len(out.msgs))
				}
				return
			}
			r, err := parseMailto(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if r.to.String() != tt.to || r.subject != tt.subject || r.body != tt.body {
				t.Errorf("got %q %q %q, want %q, %q", r.to, r.subject, r.body, tt.subject, tt.body)
			}
			if len(out.to) != 1 || out.to[0] != tt.to {
				t.Errorf("sent to %q, want 1 of them", out.to)
			}
			checkMessage(t, r, out.msgs[0])
		})
	}
}

// checkMessage reads a message with other code and compares it.
func checkMessage(t *testing.T, r *request, msg string) {
	t.Helper()
	head, _, _ := strings.Cut(msg, "\r\n\r\n")
	for line := range strings.SplitSeq(msg, "\r\n") {
		if len(line) > maxLine || strings.ContainsAny(line, "\r\n\x00") || !ascii(line) {
			t.Fatalf("got the line %q, want ASCII without controls, of at most %d octets", line, maxLine)
		}
	}
	m, err := mail.ReadMessage(strings.NewReader(msg))
	if err != nil {
		t.Fatalf("got %v, want a message: %q", err, msg)
	}
	names := []string{
		"From", "To", "Date", "Message-Id", "Comments", "Auto-Submitted",
		"Mime-Version", "Content-Type", "Content-Transfer-Encoding",
	}
	if r.subject != "" {
		names = append(names, "Subject")
	}
	for _, name := range names {
		if len(m.Header[name]) != 1 {
			t.Errorf("got %d of %s in %q, want 1", len(m.Header[name]), name, head)
		}
	}
	if len(m.Header) != len(names) {
		t.Errorf("got %d fields, want %d: %q", len(m.Header), len(names), head)
	}
	// The parser of the standard library shows quoted strings without quotes.
	to, err := m.Header.AddressList("To")
	if err != nil || len(to) != 1 || !strings.HasSuffix(to[0].Address, "@"+r.to.domain) {
		t.Errorf("To is %v, %v; want %q", to, err, r.to)
	}
	if got := m.Header.Get("Subject"); got != strings.Trim(r.subject, " \t") {
		t.Errorf("Subject %q, want %q", got, r.subject)
	}
	body := m.Body
	switch encoding := m.Header.Get("Content-Transfer-Encoding"); encoding {
	case "7bit":
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	default:
		t.Errorf("got encoding %q, want 7bit or quoted-printable", encoding)
	}
	if got, err := io.ReadAll(body); err != nil || string(got) != r.body {
		t.Errorf("body %q, %v; want %q", got, err, r.body)
	}
}

// AT-20: how bodies are encoded.
func TestEncoding(t *testing.T) {
	for _, tt := range []struct{ name, body, charset, encoding string }{
		{"ASCII", "get a\n", "us-ascii", "7bit"},
		{"Empty", "", "us-ascii", "7bit"},
		{"Control", "a\x01\x7f\t", "us-ascii", "7bit"},
		{"LongestLine", strings.Repeat("a", 998) + "\nb", "us-ascii", "7bit"},
		{"LongLine", "b\n" + strings.Repeat("a", 999), "us-ascii", "quoted-printable"},
		{"UTF8", "é = è \n", "utf-8", "quoted-printable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &request{to: address{"a", "b.example"}, from: address{"c", "d.example"}}
			if err := r.setBody(tt.body); err != nil {
				t.Fatal(err)
			}
			msg := string(r.message("<x@y>", time.Unix(0, 0)))
			for _, want := range []string{"charset=" + tt.charset, "Content-Transfer-Encoding: " + tt.encoding} {
				if !strings.Contains(msg, want+"\r\n") {
					t.Errorf("no %q in %q", want, msg)
				}
			}
			checkMessage(t, r, msg)
		})
	}
}

// A Content-ID that could break the header is left out.
func TestContentID(t *testing.T) {
	for id, want := range map[string]bool{
		"<a@b>":                              true,
		"<" + strings.Repeat("a", 995) + ">": true,
		"<" + strings.Repeat("a", 996) + ">": false,
		"":                                   false,
		"<>":                                 false,
		"a@b":                                false,
		"<a@b":                               false,
		"a@b>":                               false,
		"<a b>":                              false,
		"<a\r\nBcc:x>":                       false,
		"<\xe9>":                             false,
	} {
		r := &request{to: address{"a", "b.example"}, from: address{"c", "d.example"}, contentID: id}
		msg := string(r.message("<x@y>", time.Unix(0, 0)))
		if got := strings.Contains(msg, "whose Content-ID is\r\n "+id+"\r\n"); got != want {
			t.Errorf("%q: got %v in %q, want %v", id, got, msg, want)
		}
		checkMessage(t, r, msg)
	}
}

// AT-24: the same request is sent once, and few are sent.
func TestLimits(t *testing.T) {
	var out outbox
	f := out.fetcher()
	for _, tt := range []struct {
		text string
		want fetch.Kind
		sent int
	}{
		{"mailto:a@b.example?body=1", fetch.Pending, 1},
		{"mailto:a@b.example?body=1", fetch.Pending, 1},
		{"mailto:a@B.example?body=1&subject=", fetch.Pending, 1},
		{"mailto:a@b.example?subject=1", fetch.Pending, 2},
		{"mailto:a@b.example?body=2", fetch.Pending, 3},
		{"mailto:a@b.example?body=3", fetch.Blocked, 3},
		{"mailto:A@b.example?body=1", fetch.Blocked, 3},
		{"mailto:a@b.example?body=1", fetch.Pending, 3},
		{"mailto:c@b.example", fetch.Pending, 4},
		{"mailto:d@b.example", fetch.Pending, 5},
		{"mailto:e@b.example", fetch.Pending, 6},
		{"mailto:f@b.example", fetch.Pending, 7},
		{"mailto:g@b.example", fetch.Pending, 8},
		{"mailto:h@b.example", fetch.Pending, 9},
		{"mailto:i@b.example", fetch.Pending, 10},
		{"mailto:j@b.example", fetch.Blocked, 10},
		{"mailto:i@b.example", fetch.Pending, 10},
	} {
		req := mailto(tt.text)
		req.ContentID = "<" + tt.text[7:8] + "@x>"
		check := f.Check(req)
		if (tt.want == fetch.Blocked) != (fetch.KindOf(check) == fetch.Blocked) {
			t.Errorf("%s: got %v of Check, want as of Fetch %v", tt.text, check, tt.want)
		}
		err := do(t, f, req)
		if fetch.KindOf(err) != tt.want || len(out.msgs) != tt.sent {
			t.Errorf("%s: %v, %d sent; want %v, %d", tt.text, err, len(out.msgs), tt.want, tt.sent)
		}
		if sent, ok := errors.AsType[*Sent](err); ok && tt.text == "mailto:a@b.example?body=1" {
			if sent.MessageID != "<1@desk.example>" || sent.ContentID != "<a@x>" {
				t.Errorf("%s: got %+v, want <1@desk.example> for <a@x>", tt.text, sent)
			}
		}
	}
}

// The facts that make two requests different.
func TestKey(t *testing.T) {
	a, c := address{"a", "b.example"}, address{"c", "b.example"}
	seen := make(map[[32]byte]bool)
	for _, r := range []*request{{to: a}, {to: c}, {to: a, subject: "1"}, {to: a, subject: "2"}, {to: a, body: "1"}, {to: a, subject: "1", body: "1"}} {
		if seen[r.key()] {
			t.Errorf("%+v: got the key of another, want its own", r)
		}
		seen[r.key()] = true
	}
}

func TestOptions(t *testing.T) {
	send := new(outbox).send
	for _, tt := range []struct {
		name string
		opts *Options
		want fetch.Kind
	}{
		{"Nil", nil, fetch.Unsupported},
		{"NoSend", &Options{From: "a@b.example"}, fetch.Unsupported},
		{"NoFrom", &Options{Send: send}, fetch.Unsupported},
		{"BadFrom", &Options{Send: send, From: "Joe <a@b.example>"}, fetch.Local},
		{"Good", &Options{Send: send, From: "a@localhost"}, fetch.Pending},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := New(tt.opts)
			if check := fetch.KindOf(f.Check(mailto("mailto:a@b.example"))); check != tt.want && tt.want != fetch.Pending {
				t.Errorf("got %v of Check, want %v", check, tt.want)
			}
			if err := do(t, f, mailto("mailto:a@b.example")); fetch.KindOf(err) != tt.want {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
	f := New(&Options{From: "a@B.example"}).(*fetcher)
	one, two := f.messageID(), f.messageID()
	if one == two || !isMessageID(one) || !strings.HasSuffix(one, "@b.example>") {
		t.Errorf("got Message-IDs %q, %q, want two in b.example", one, two)
	}
	before := time.Now()
	if got := f.now(); got.Before(before) || got.After(time.Now()) {
		t.Errorf("got the time %v, want about %v", got, before)
	}
}

// The error of the sender decides, and the request may be made again.
func TestSendErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want fetch.Kind
	}{
		{errors.New("no route to submission server"), fetch.Local},
		{fmt.Errorf("user says no: %w", fetch.Denied), fetch.Denied},
		{&fetch.Error{Kind: fetch.Unavailable}, fetch.Unavailable},
		{context.Canceled, fetch.Canceled},
		{context.DeadlineExceeded, fetch.Canceled},
	} {
		out := outbox{err: tt.err}
		f := out.fetcher()
		if err := do(t, f, mailto("mailto:a@b.example")); fetch.KindOf(err) != tt.want || !errors.Is(err, fetch.KindOf(tt.err)) && tt.want != fetch.Local {
			t.Errorf("error %v, want %v", err, tt.want)
		}
		out.err = nil
		if err := do(t, f, mailto("mailto:a@b.example")); fetch.KindOf(err) != fetch.Pending || len(out.msgs) != 2 {
			t.Errorf("again: got %v, want %v", err, fetch.Pending)
		}
		out.err = tt.err
		do(t, f, mailto("mailto:a@b.example?body=x"))
		if err := do(t, f, mailto("mailto:a@b.example?body=y")); fetch.KindOf(err) != fetch.Blocked {
			t.Errorf("failed requests do not count: got %v, want %v", err, fetch.Blocked)
		}
	}
}

// An ended context sends nothing.
func TestContext(t *testing.T) {
	var out outbox
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := out.fetcher().Fetch(ctx, mailto("mailto:a@b.example")); !errors.Is(err, context.Canceled) || len(out.msgs) > 0 {
		t.Errorf("got %v and %q sent, want canceled and nothing", err, out.msgs)
	}
}

// The same request at the same time is sent once, and each caller hears how
// that went. If the one who sends gives up, another one does it.
func TestSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan error)
		calls := 0
		f := New(&Options{From: "joe@desk.example", Send: func(ctx context.Context, _, _ string, _ []byte) error {
			calls++
			select {
			case err := <-release:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
		start := func(ctx context.Context) <-chan error {
			c := make(chan error, 1)
			go func() {
				_, err := f.Fetch(ctx, mailto("mailto:a@b.example"))
				c <- err
			}()
			synctest.Wait()
			return c
		}
		wait := func(who string, c <-chan error, want fetch.Kind) {
			t.Helper()
			if err := <-c; fetch.KindOf(err) != want {
				t.Errorf("%s: %v, want %v", who, err, want)
			}
		}
		ctx1, cancel1 := context.WithCancel(t.Context())
		ctx2, cancel2 := context.WithCancel(t.Context())
		first, second, third := start(ctx1), start(ctx2), start(t.Context())
		cancel2()
		wait("second", second, fetch.Canceled)
		cancel1()
		wait("first", first, fetch.Canceled)
		synctest.Wait()
		if calls != 2 {
			t.Errorf("got %d calls, want 2", calls)
		}
		fourth := start(t.Context())
		release <- fetch.Denied
		wait("third", third, fetch.Denied)
		wait("fourth", fourth, fetch.Denied)
		fifth, sixth := start(t.Context()), start(t.Context())
		release <- nil
		wait("fifth", fifth, fetch.Pending)
		wait("sixth", sixth, fetch.Pending)
		if calls != 3 {
			t.Errorf("got %d calls, want 3", calls)
		}
	})
}

// The URL is used if the exact text is missing.
func TestURL(t *testing.T) {
	u, err := url.Parse("mailto:a@b.example?subject=x%20y")
	if err != nil {
		t.Fatal(err)
	}
	var out outbox
	if err := do(t, out.fetcher(), &fetch.Request{URL: u}); fetch.KindOf(err) != fetch.Pending || !strings.Contains(out.msgs[0], "\r\nSubject: x y\r\n") {
		t.Errorf("got %v and %q sent, want pending and the subject %q", err, out.msgs, "x y")
	}
}

// A URL that is accepted makes one message to one recipient, which other code reads
// as it was meant.
func FuzzMailto(f *testing.F) {
	for _, s := range []string{
		"mailto:a@b.example", "mailto:a@b.example?subject=x&body=y%0D%0Az", "mailto:%22a,b%22@b.example",
		"mailto:a@b.example,c@d.example", "mailto:a@b.example?subject=%0D%0ABcc:c@d.example", "mailto:-f@b.example",
		"mailto:a@b.example?body=.%0A%0D%0A", "mailto:a@b.example?body=%C3%A9%20%0A", "mailto:a@[1.2.3.4]", "mailto:?to=a@b.c",
		"mailto:a@b.example?subject=%20%20", "mailto:a@b.example?body=%0A%0AFrom%20", "mailto:a%2Fb@b.example#x",
	} {
		f.Add(s, "<id@x>")
	}
	f.Fuzz(func(t *testing.T, text, id string) {
		r, err := parseMailto(text)
		if err != nil {
			if _, ok := err.(*fetch.Error); !ok {
				t.Fatalf("got %T, want *fetch.Error", err)
			}
			return
		}
		r.from, r.contentID = address{"joe", "desk.example"}, id
		if again, err := parseAddress(r.to.String()); err != nil || again != r.to {
			t.Fatalf("got %q, %v, want %q, nil", again, err, r.to)
		}
		checkMessage(t, r, string(r.message("<1@desk.example>", time.Unix(0, 0))))
	})
}
