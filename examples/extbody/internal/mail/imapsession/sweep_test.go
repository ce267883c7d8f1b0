package imapsession

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// wantSecond wants the second part of a multipart that is a reference.
func wantSecond(bs imap.BodyStructure, _ int64) Wanted {
	multi, ok := bs.(*imap.BodyStructureMultiPart)
	if !ok || len(multi.Children) < 2 {
		return Wanted{}
	}
	return Wanted{Sections: []*imap.FetchItemBodySection{
		{Part: []int{2}, Specifier: imap.PartSpecifierMIME, Peek: true},
		{Part: []int{2}, Peek: true},
	}}
}

// swept is the outcome of a sweep, a line a message: its UID, and "sections",
// "whole" or "unread"; whole messages are fetched.
func swept(ctx context.Context, s *Session) (lines []string, reasons []error) {
	for m, err := range s.Sweep(ctx, wantSecond) {
		switch {
		case err != nil:
			lines = append(lines, "error")
			reasons = append(reasons, err)
		case m.Whole:
			reasons = append(reasons, m.Why)
			var b bytes.Buffer
			n, err := s.Fetch(ctx, m.UID, &b)
			if err != nil {
				lines = append(lines, fmt.Sprintf("%d unread", m.UID))
				reasons = append(reasons, err)
				continue
			}
			if n != int64(b.Len()) {
				panic("wrong number of octets")
			}
			lines = append(lines, fmt.Sprintf("%d whole %d", m.UID, n))
		default:
			header := m.Section(&imap.FetchItemBodySection{Part: []int{2}, Specifier: imap.PartSpecifierMIME})
			body := m.Section(&imap.FetchItemBodySection{Part: []int{2}})
			if !strings.Contains(string(header), fmt.Sprintf("x=%d\r\n", m.UID)) || string(body) != "\r\n" {
				lines = append(lines, fmt.Sprintf("%d wrong %q %q", m.UID, header, body))
				continue
			}
			lines = append(lines, fmt.Sprintf("%d sections", m.UID))
		}
	}
	return lines, reasons
}

// box is a mailbox of messages 10, 20, 30, ..., of which those with odd tens
// hold a reference.
func box(n int) []fakeMessage {
	var messages []fakeMessage
	for i := 1; i <= n; i++ {
		if uid := uint32(i * 10); i%2 == 1 {
			messages = append(messages, mixedMessage(uid))
		} else {
			messages = append(messages, plainMessage(uid))
		}
	}
	return messages
}

// replaced returns a tamper that changes the responses for a message to
// commands with a word in them.
func replaced(uid uint32, word string, change func(string) string) func(string, uint32, string) string {
	return func(command string, of uint32, response string) string {
		if of == uid && strings.Contains(command, word) {
			return change(response)
		}
		return response
	}
}

// removed returns a tamper for a server that sends nothing for a message once it
// has been asked for it with word in the command, does not find it from then on,
// and has exists messages when the mailbox is opened again.
func removed(uid uint32, word string, exists int) func(string, uint32, string) string {
	gone := false
	return func(command string, of uint32, r string) string {
		if gone = gone || of == uid && strings.Contains(command, word) && strings.Contains(command, "FETCH"); !gone {
			return r
		}
		if of == uid {
			return ""
		}
		r = strings.Replace(r, "* 5 EXISTS", fmt.Sprintf("* %d EXISTS", exists), 1)
		if strings.Contains(command, "SEARCH 1:4") {
			return strings.Replace(r, "* SEARCH 10 20 30 40", "* SEARCH 10 20 40 50", 1)
		}
		if strings.Contains(command, "SEARCH") {
			return strings.Replace(r, fmt.Sprintf(" %d", uid), "", 1)
		}
		return r
	}
}

// listedAs returns a tamper that answers the list of messages so.
func listedAs(answer string) func(string, uint32, string) string {
	return func(_ string, _ uint32, r string) string {
		return strings.Replace(r, "* SEARCH 10 20 30 40 50", answer, 1)
	}
}

// edited returns a tamper that replaces a text in the responses for a message to commands
// with a word in them.
func edited(uid uint32, word, old, new string) func(string, uint32, string) string {
	return replaced(uid, word, func(r string) string { return strings.Replace(r, old, new, 1) })
}

// whole returns a tamper that sends nothing for message 30, and its octets as a whole
// after change.
func whole(change func(string) string) func(string, uint32, string) string {
	return func(command string, uid uint32, r string) string {
		switch {
		case uid == 30 && strings.Contains(command, "BODY.PEEK[]"):
			return change(r)
		case uid == 30:
			return ""
		}
		return r
	}
}

func fixed(s string) func(string) string { return func(string) string { return s } }

// Each message is read whole or reported, whatever the server does (bad input).
func TestSweepFaults(t *testing.T) {
	const (
		all      = "10 sections|30 sections|50 sections"
		whole30  = "10 sections|30 whole 20|50 sections"
		unread30 = "10 sections|30 unread|50 sections"
		error30  = "10 sections|50 sections|error"
	)
	for _, tt := range []struct {
		name   string
		tamper func(string, uint32, string) string
		want   string
		reason error // one that is reported on the way; nil: none is
	}{
		{"None", nil, all, nil},
		{"UIDLast", replaced(30, "FETCH", func(r string) string {
			return strings.TrimSuffix(strings.Replace(r, "(UID 30 ", "(", 1), ")\r\n") + " UID 30)\r\n"
		}), all, nil},
		{"FlagsFirst", edited(30, "FETCH", "* 3 FETCH", "* 3 FETCH (FLAGS (\\Seen) UID 30)\r\n* 3 FETCH"), all, nil},
		{"FlagsFirstWithoutUID", edited(30, "FETCH", "* 3 FETCH", "* 3 FETCH (FLAGS (\\Seen))\r\n* 3 FETCH"), all, nil},
		{"TwoResponses", edited(30, "MIME", " BODY[2]<0>", ")\r\n* 3 FETCH (UID 30 BODY[2]<0>"), all, nil},
		{"TwoResponsesOneUID", edited(30, "MIME", " BODY[2]<0>", ")\r\n* 3 FETCH (BODY[2]<0>"), all, nil},
		{"UIDFirstAlone", edited(30, "BODYSTRUCTURE", "(UID 30 ", "(UID 30)\r\n* 3 FETCH ("), all, nil},
		{"NumberIsAnotherMessage", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 FLAGS ())\r\n* 3 EXPUNGE\r\n* 3 FETCH (BODYSTRUCTURE "+textPlain+")\r\n")),
			whole30, wire.ErrProtocol},
		{"UnknownItem", edited(30, "FETCH", "(UID", "(X-GM-MSGID 12 X-LIST (a (b \"c\")) UID"), all, nil},
		{"UnknownResponses", edited(30, "FETCH", "* 3 FETCH", "* VANISHED (EARLIER) 1:3\r\n* 7 EXISTS\r\n* OK [ALERT] {5}\r\n* OK hello {99}\r\n* 3 FETCH"), all, nil},
		{"LowerCaseAndQuotes", replaced(30, "FETCH", func(r string) string {
			return strings.NewReplacer("FETCH (UID", "fetch (uid", "BODYSTRUCTURE", "bodystructure", "BODY[2.MIME]", "body[2.mime]").Replace(r)
		}), all, nil},
		{"QuotedSection", replaced(30, "MIME", func(r string) string {
			return fmt.Sprintf("* 3 FETCH (UID 30 BODY[2.MIME]<0> %s BODY[2]<0> ~{2}\r\n\r\n)\r\n", literal("a: \"x=30\r\n"))
		}), all, nil},

		{"NoSize", edited(30, "BODYSTRUCTURE", " RFC822.SIZE 20", ""), all, nil},
		{"SizeIsNoNumber", edited(30, "BODYSTRUCTURE", "RFC822.SIZE 20", "RFC822.SIZE NIL"), all, nil},
		{"SizeIsAString", edited(30, "BODYSTRUCTURE", "RFC822.SIZE 20", "RFC822.SIZE \"20\""), all, nil},
		{"SizeIsNegative", edited(30, "BODYSTRUCTURE", "RFC822.SIZE 20", "RFC822.SIZE -20"), all, nil},
		{"SizeInAnotherResponse", edited(30, "BODYSTRUCTURE", "RFC822.SIZE 20 ", "RFC822.SIZE 20)\r\n* 3 FETCH (UID 30 "), all, nil},
		{"NothingForOne", replaced(30, "MIME", fixed("")), whole30, wire.ErrProtocol},
		{"NoStructureForOne", replaced(30, "BODYSTRUCTURE", fixed("")), whole30, wire.ErrProtocol},
		{"NILSection", edited(30, "MIME", literal("\r\n"), "NIL"), whole30, wire.ErrProtocol},
		{"NILStructure", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 BODYSTRUCTURE NIL)\r\n")), whole30, wire.ErrProtocol},
		{"OneSectionOfTwo", edited(30, "MIME", " BODY[2]<0> "+literal("\r\n"), ""), all, nil},
		{"RangeIgnored", replaced(30, "MIME", fixed("* 3 FETCH (UID 30 BODY[2.MIME] "+literal(strings.Repeat("x", maxSection+1))+")\r\n")), whole30, wire.ErrProtocol},
		{"OtherRange", edited(30, "MIME", "BODY[2]<0>", "BODY[2]<5>"), whole30, wire.ErrProtocol},
		{"LargeSection", replaced(30, "MIME", fixed("* 3 FETCH (UID 30 BODY[2.MIME]<0> "+literal(strings.Repeat("x", maxSection))+")\r\n")), whole30, ErrTooLarge},
		{"ClosesMidLiteral", replaced(30, "MIME", fixed("* 3 FETCH (UID 30 BODY[2]<0> {20}\r\nabcCLOSE")), whole30, wire.ErrUnavailable},
		{"ClosesMidStructure", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 BODYSTRUCTURE ((CLOSE")), whole30, wire.ErrUnavailable},
		{"StallsMidLiteral", replaced(30, "MIME", fixed("* 3 FETCH (UID 30 BODY[2]<0> {20}\r\nabcHANG")), whole30, wire.ErrUnavailable},
		{"StallsMidStructure", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (HANG")), whole30, wire.ErrUnavailable},
		{"Bye", replaced(30, "FETCH", fixed("* BYE see you\r\nCLOSE")), unread30, wire.ErrUnavailable},
		{"LiteralTooLong", edited(30, "MIME", "{2}", "{9}"), whole30, wire.ErrProtocol},
		{"LiteralTooShort", edited(30, "MIME", literal("\r\n"), "{1}\r\n\r\n"), whole30, wire.ErrProtocol},
		{"TrailingOctets", edited(30, "MIME", ")\r\n", ") x\r\n"), whole30, wire.ErrProtocol},
		{"LiteralHuge", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 BODYSTRUCTURE (\"text\" {99999999999}\r\n")), whole30, wire.ErrProtocol},
		{"EndlessLine", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 "+strings.Repeat("X ", wire.MaxResponse))), whole30, wire.ErrProtocol},
		{"DeepStructure", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (UID 30 BODYSTRUCTURE "+strings.Repeat("(", 100_000)+")\r\n")), whole30, wire.ErrProtocol},
		{"DeepUnknownItem", replaced(30, "BODYSTRUCTURE", fixed("* 3 FETCH (X "+strings.Repeat("(", 100_000)+" UID 30)\r\n")), whole30, wire.ErrProtocol},
		{"NotIMAP", replaced(30, "BODYSTRUCTURE", fixed("HTTP/1.1 400 Bad Request\r\n\r\n")), whole30, wire.ErrProtocol},
		{"Refused", func(command string, _ uint32, r string) string {
			if tag, _, ok := strings.Cut(r, " OK done"); ok && strings.Contains(command, "MIME") {
				return tag + " NO [SERVERBUG] some messages\r\n"
			}
			return replaced(30, "MIME", fixed(""))(command, 30, r)
		}, "10 whole 20|30 whole 20|50 whole 20", wire.ErrProtocol},
		{"NotListed", listedAs("* SEARCH 10 20 30 40"), "10 sections|30 sections|error", wire.ErrProtocol},
		{"ListIsNoNumbers", listedAs("* SEARCH 10 x 30 40 50"), "error", wire.ErrProtocol},
		{"Removed", removed(30, "MIME", 4), "10 sections|50 sections", nil},
		{"RemovedBeforeItsStructure", removed(30, "BODYSTRUCTURE", 4), "10 sections|50 sections", nil},
		{"LeftOut", func(command string, uid uint32, r string) string {
			switch {
			case uid == 30:
				return ""
			case strings.Contains(command, "SEARCH UID"):
				return strings.Replace(r, " 30", "", 1)
			}
			return r
		}, error30, wire.ErrProtocol},
		{"LeftOutEvenOfTheList", removed(30, "MIME", 5), error30, wire.ErrProtocol},
		{"LeftOutAndListRefused", func() func(string, uint32, string) string {
			remove := removed(30, "MIME", 4)
			return func(command string, uid uint32, r string) string {
				if strings.Contains(command, "SEARCH 1:4") {
					return strings.Replace(r, " OK ", " NO ", 1)
				}
				return remove(command, uid, r)
			}
		}(), error30, wire.ErrProtocol},
		{"Extended", listedAs(`* ESEARCH (TAG "a3") UID ALL 10,20,40,30,50`), all, nil},
		{"ExtendedWithMore", listedAs(`* ESEARCH UID MIN 10 MODSEQ 7 X (a (b)) ALL 10,20,30:30,40,50 COUNT 5`), all, nil},
		{"ExtendedByNumber", listedAs(`* ESEARCH (TAG "a3") ALL 1:5`), "error", wire.ErrProtocol},
		{"ExtendedHuge", listedAs(`* ESEARCH (TAG "a3") UID ALL 1:4294967295`), "error", wire.ErrProtocol},
		{"ExtendedManyRanges", listedAs(`* ESEARCH (TAG "a3") UID ALL ` + strings.Repeat("1:5000,", 1000) + "1"), "error", wire.ErrProtocol},
		{"ExtendedOpen", listedAs(`* ESEARCH (TAG "a3") UID ALL 10:*`), "error", wire.ErrProtocol},
		{"ExtendedZero", listedAs(`* ESEARCH (TAG "a3") UID ALL 0`), "error", wire.ErrProtocol},
		{"ExtendedCut", listedAs(`* ESEARCH (TAG "a3") UID ALL`), "error", wire.ErrProtocol},
		{"ExtendedNothing", listedAs(`* ESEARCH (TAG "a3") UID`), "error", wire.ErrProtocol},
		{"NotSaidWhetherRemoved", func(command string, uid uint32, r string) string {
			if uid == 30 && strings.Contains(command, "MIME") || strings.Contains(command, "SEARCH UID") && strings.HasPrefix(r, "* ") {
				return ""
			}
			return r
		}, whole30, wire.ErrProtocol},
		{"SearchRefused", func(command string, uid uint32, r string) string {
			if uid == 30 && strings.Contains(command, "MIME") {
				return ""
			}
			if strings.Contains(command, "SEARCH UID") {
				return strings.Replace(strings.Replace(r, " 30", "", 1), " OK done", " NO x", 1)
			}
			return r
		}, whole30, wire.ErrProtocol},
		{"NoList", func(command string, _ uint32, r string) string {
			if strings.Contains(command, "SEARCH 1:5") && strings.HasPrefix(r, "* ") {
				return ""
			}
			return r
		}, "error", wire.ErrProtocol},
		{"RemovedWhileListing", func(command string, uid uint32, r string) string {
			if strings.Contains(command, "SEARCH 1:5") {
				return strings.Replace(r, "* SEARCH 10 20 30 40 50", "* SEARCH 10 20 40 50\r\n* 3 EXPUNGE", 1)
			}
			if uid == 30 {
				return ""
			}
			return r
		}, "10 sections|50 sections", nil},
		{"ValidityChangesUnderway", replaced(30, "MIME", func(r string) string {
			return "* OK [UIDVALIDITY 43] changed\r\n" + r
		}), "error", ErrChanged},
		{"WholeNIL", whole(fixed("* 3 FETCH (UID 30 RFC822.SIZE 20 BODY[]<0> NIL)\r\n")), unread30, wire.ErrProtocol},
		{"WholeShort", whole(func(r string) string { return strings.Replace(r, "SIZE 20", "SIZE 21", 1) }), whole30, wire.ErrProtocol},
		{"WholeEmpty", whole(fixed("* 3 FETCH (UID 30 RFC822.SIZE 20 BODY[]<0> {0}\r\n)\r\n")), unread30, wire.ErrProtocol},
		{"WholeLonger", whole(func(r string) string { return strings.Replace(r, "SIZE 20", "SIZE 7", 1) }), whole30, wire.ErrProtocol},
		{"NothingWhatever", replaced(30, "FETCH", fixed("")), unread30, wire.ErrProtocol},
		{"ClosesWhatever", replaced(30, "FETCH", fixed("CLOSE")), unread30, wire.ErrUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{messages: box(5), tamper: tt.tamper}
				lines, reasons := swept(t.Context(), f.open(t))
				if got := strings.Join(lines, "|"); got != tt.want {
					t.Errorf("got  %s\nwant %s\n%v", got, tt.want, reasons)
				}
				if tt.reason == nil && len(reasons) > 0 || tt.reason != nil && !errors.Is(errors.Join(reasons...), tt.reason) {
					t.Errorf("got the reasons %v, want %v", reasons, tt.reason)
				}
			})
		})
	}
}

// A message that is removed while UIDs are listed moves those behind it to
// other sequence numbers.
func TestSweepRemovedBetweenLists(t *testing.T) {
	f := &fake{messages: make([]fakeMessage, listWindow)}
	for i := range f.messages {
		f.messages[i] = plainMessage(uint32(i + 1))
	}
	f.messages = append(f.messages, mixedMessage(listWindow+1), mixedMessage(listWindow+2))
	f.tamper = func(command string, _ uint32, r string) string {
		if command == fmt.Sprintf("UID SEARCH 1:%d", listWindow) && strings.HasPrefix(r, "* ") {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.messages = slices.Delete(f.messages, 4, 5)
			return r + "* 5 EXPUNGE\r\n"
		}
		return r
	}
	lines, reasons := swept(t.Context(), f.open(t))
	if want := fmt.Sprintf("%d sections|%d sections", listWindow+1, listWindow+2); strings.Join(lines, "|") != want || len(reasons) > 0 {
		t.Errorf("got %q, %v; want %q, none", lines, reasons, want)
	}
}

// Another mailbox of the same name is not read on (RFC 3501 section 2.3.1.1).
func TestSweepValidityAfterReconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(5)}
		f.tamper = replaced(30, "MIME", fixed("CLOSE"))
		f.connected = func(f *fake, n int) {
			if n > 1 {
				f.validity = 43
			}
		}
		_, reasons := swept(t.Context(), f.open(t))
		var u *Unread
		if len(reasons) != 1 || !errors.As(reasons[0], &u) || !errors.Is(u, ErrChanged) {
			t.Fatal(reasons)
		}
		if u.N != 3 || u.First != 10 || u.Last != 50 {
			t.Errorf("got %+v, want 3 from 10 to 50", u)
		}
	})
}

// A server that cannot be reached any more: the messages that are left are counted.
func TestSweepServerGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(5)}
		f.tamper = replaced(30, "BODYSTRUCTURE", fixed("CLOSE"))
		cfg := f.config()
		dials := 0
		cfg.Dial = func(ctx context.Context) (net.Conn, error) {
			if dials++; dials > 1 {
				return nil, errors.New("refused")
			}
			return f.dial(ctx)
		}
		s := f.openWith(t, cfg)
		began := time.Now()
		_, reasons := swept(t.Context(), s)
		var u *Unread
		if len(reasons) != 1 || !errors.As(reasons[0], &u) || !errors.Is(u, wire.ErrUnavailable) || u.N != 4 || u.First != 10 || u.Last != 50 {
			t.Errorf("got %v, want one for %v: 4 from 10 to 50", reasons, wire.ErrUnavailable)
		}
		if dials != 1+maxConnects {
			t.Errorf("got %d dials, want %d", dials, 1+maxConnects)
		}
		if d := time.Since(began); d < time.Second || d > time.Minute {
			t.Errorf("got it after %v, want a second to a minute", d)
		}
	})
}

// The server drops the connection ever again but works in between.
func TestSweepFlaky(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(100)}
		commands := 0
		f.tamper = func(command string, uid uint32, r string) string {
			if uid == 0 {
				return r
			}
			if commands++; commands%7 == 0 {
				return r + "CLOSE"
			}
			return r
		}
		lines, reasons := swept(t.Context(), f.open(t))
		// Those without a reference are seen if a connection was lost on them.
		count := 0
		for _, line := range lines {
			var uid int
			var how string
			if fmt.Sscan(line, &uid, &how); how != "sections" && how != "whole" {
				t.Errorf("got %s, want sections or whole", line)
			}
			count += uid / 10 % 2
		}
		if count != 50 {
			t.Errorf("got %d messages, %v; want 50", count, reasons)
		}
	})
}

// A literal that flows is not interrupted, however long it takes (research: go-imap
// ends a literal after five minutes).
func TestIdleNotAbsolute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := plainMessage(10)
		m.text = strings.Repeat("x", 600)
		f := &fake{messages: []fakeMessage{m}}
		cfg := f.config()
		cfg.Limits.Wait = 2 * time.Hour
		cfg.Dial = func(context.Context) (net.Conn, error) {
			ours, theirs := net.Pipe()
			pace := &paced{Conn: theirs}
			pace.pause.Store(int64(5 * time.Second))
			f.wg.Go(func() { f.serve(pace) })
			return ours, nil
		}
		s := f.openWith(t, cfg)
		began := time.Now()
		var b bytes.Buffer
		if _, err := s.Fetch(t.Context(), 10, &b); err != nil || b.String() != m.text {
			t.Errorf("got %d octets, %v; want %d, nil", b.Len(), err, len(m.text))
		}
		if d := time.Since(began); d < 50*time.Minute {
			t.Errorf("got it after %v, want 50 minutes or more", d)
		}
	})
}

func TestFetchChunks(t *testing.T) {
	for _, size := range []int{0, 1, wholeChunk - 1, wholeChunk, wholeChunk + 1, 2*wholeChunk + 5} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			m := plainMessage(10)
			m.text = strings.Repeat("0123456789", size/10+1)[:size]
			m.structure = strings.Replace(textPlain, " 5 1 ", fmt.Sprintf(" %d 1 ", min(5, size)), 1)
			closed := false
			f := &fake{messages: []fakeMessage{m}}
			f.tamper = func(command string, uid uint32, r string) string {
				if uid != 0 && strings.Contains(command, fmt.Sprintf("<%d.", wholeChunk)) && !closed {
					closed = true
					return r[:len(r)/2] + "CLOSE"
				}
				return r
			}
			var b bytes.Buffer
			n, err := f.open(t).Fetch(t.Context(), 10, &b)
			if err != nil || n != int64(size) || b.String() != m.text {
				t.Errorf("got %d (%d octets), %v; want %d, nil", n, b.Len(), err, size)
			}
		})
	}
}

// RFC 9051 section 2.3.3: the time of arrival comes with the first octets, and a server without one gives the octets alone.
func TestFetchDated(t *testing.T) {
	want := time.Date(2026, 3, 5, 11, 0, 7, 0, time.UTC)
	long := strings.Repeat("x", 2*wholeChunk)
	for _, tt := range []struct {
		value, text string
		want        time.Time
	}{
		{`" 5-Mar-2026 12:00:07 +0100"`, "text", want},
		{`"05-Mar-2026 11:00:07 +0000"`, "text", want},
		{`"05-mar-2026 11:00:07 +0000"`, long, want},
		{`"01-Jan-0001 00:00:00 +0000"`, "text", time.Time{}},
		{`"5 Mar 2026"`, "text", time.Time{}},
		{`""`, "text", time.Time{}},
		{`NIL`, long, time.Time{}},
	} {
		m := plainMessage(10)
		m.text = tt.text
		m.arrived = tt.value
		f := &fake{messages: []fakeMessage{m}}
		var b bytes.Buffer
		got, err := f.open(t).FetchDated(t.Context(), 10, &b)
		if err != nil || !got.Equal(tt.want) || b.String() != tt.text {
			t.Errorf("%s: got %v, %d octets, %v; want %v, %d octets", tt.value, got, b.Len(), err, tt.want, len(tt.text))
		}
		asked := strings.Count(strings.Join(f.log, "\n"), "INTERNALDATE")
		if asked != 1 {
			t.Errorf("%s: asked %d times, want once", tt.value, asked)
		}
	}
}

func TestFetchErrors(t *testing.T) {
	huge := plainMessage(20)
	huge.text = strings.Repeat("x", 3*wholeChunk)
	f := &fake{messages: []fakeMessage{plainMessage(10), huge}}
	cfg := f.config()
	cfg.MaxMessage = 2 * wholeChunk
	s := f.openWith(t, cfg)
	var b bytes.Buffer
	if _, err := s.Fetch(t.Context(), 15, &b); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if _, err := s.Fetch(t.Context(), 20, &b); !errors.Is(err, ErrTooLarge) || b.Len() > 0 {
		t.Errorf("got %v, %d octets; want %v, none", err, b.Len(), ErrTooLarge)
	}
	f.tamper = replaced(20, "BODY.PEEK[]", func(r string) string { return strings.Replace(r, "SIZE 3145728", "SIZE 7", 1) })
	if _, err := s.Fetch(t.Context(), 20, &b); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, %d octets, want %v", err, b.Len(), ErrTooLarge)
	}
}

func TestSweepStops(t *testing.T) {
	f := &fake{messages: box(9)}
	s := f.open(t)
	for range s.Sweep(t.Context(), wantSecond) {
		break
	}
	if lines, _ := swept(t.Context(), s); len(lines) != 5 {
		t.Errorf("got %q, want 5 of them", lines)
	}
}

func TestSweepCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(5), tamper: replaced(30, "BODYSTRUCTURE", fixed("HANG"))}
		s := f.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, reasons := swept(ctx, s)
		if len(reasons) != 1 || !errors.Is(reasons[0], context.Canceled) {
			t.Error(reasons)
		}
	})
}

// Nothing that the Session sends changes anything or sets a flag (IM-5).
func TestSweepLeavesNoTrace(t *testing.T) {
	f := &fake{messages: box(5), tamper: replaced(30, "MIME", fixed(""))}
	swept(t.Context(), f.open(t))
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, command := range f.log {
		verb, _, _ := strings.Cut(command, " ")
		ok := verb == "CAPABILITY" || verb == "EXAMINE" || verb == "LOGOUT" ||
			strings.HasPrefix(command, "UID SEARCH ") || strings.HasPrefix(command, "UID FETCH ")
		if !ok || strings.Contains(command, "BODY[") {
			t.Error(command)
		}
	}
}

// Sections of many messages are asked for at once.
func TestSweepBatches(t *testing.T) {
	f := &fake{messages: box(600)}
	if lines, _ := swept(t.Context(), f.open(t)); len(lines) != 300 {
		t.Errorf("got %d messages, want 300", len(lines))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.log) > 3+2*4 { // four windows
		t.Errorf("got %d commands, want at most %d: %.80q", len(f.log), 3+2*4, f.log)
	}
}

// Sections that do not fit are asked for again, and none is lost.
func TestSweepHolds(t *testing.T) {
	const n, size = 40, 900 << 10
	f := &fake{}
	for i := range uint32(n) {
		m := mixedMessage(i + 1)
		m.sections["[2]"] = strings.Repeat(string(rune('a'+i%26)), size-int(i))
		f.messages = append(f.messages, m)
	}
	s := f.open(t)
	body := &imap.FetchItemBodySection{Part: []int{2}, Peek: true, Partial: &imap.SectionPartial{Size: 1 << 20}}
	want := func(imap.BodyStructure, int64) Wanted {
		return Wanted{Sections: []*imap.FetchItemBodySection{body}}
	}
	next := uint32(0)
	for m, err := range s.Sweep(t.Context(), want) {
		if err != nil || m.Whole {
			t.Fatal(m, err)
		}
		if next++; m.UID != next || string(m.Section(body)) != f.messages[next-1].sections["[2]"] {
			t.Fatalf("got UID %d, %d octets; want %d, %d octets", m.UID, len(m.Section(body)), next, len(f.messages[next-1].sections["[2]"]))
		}
	}
	if next != n {
		t.Errorf("got %d messages, want %d", next, n)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if fetches := len(f.log) - 4; fetches < 16 || fetches > 24 {
		t.Errorf("got %d commands for sections, want 16 to 24: %q", fetches, f.log)
	}
}

// No more is held than is said, with messages that are larger than their size.
func TestKeeper(t *testing.T) {
	var targets []*target
	for i := range 20 {
		section := &imap.FetchItemBodySection{Part: []int{2}, Partial: &imap.SectionPartial{Size: maxRanges}}
		targets = append(targets, &target{uid: uint32(i + 1), items: newItems([]*imap.FetchItemBodySection{section})})
	}
	data := make([]byte, maxRanges)
	rounds := 0
	for ; len(targets) > 0; rounds++ {
		k := newKeeper(targets)
		for i := range targets {
			at := targets[len(targets)-1-i] // the first one last
			if !at.settled() {
				k.answer(at, &fetched{sections: []fetchedSection{{name: "BODY[2]", data: data}}})
			}
			var held int64
			for _, t := range targets {
				held += t.held()
			}
			if held != k.held || held > maxHeld+maxRanges {
				t.Fatalf("got %d octets by its account, want %d, and at most %d", k.held, held, maxHeld+maxRanges)
			}
		}
		for len(targets) > 0 && !targets[0].postponed {
			if targets[0].why != nil || !targets[0].complete() {
				t.Fatal(targets[0])
			}
			targets = targets[1:]
		}
	}
	if rounds < 10 || rounds > 20 {
		t.Errorf("got %d rounds, want 10 to 20", rounds)
	}
}

// A section that does not fit into a response is not asked for.
func TestItems(t *testing.T) {
	part := func(size int64) *imap.FetchItemBodySection {
		return &imap.FetchItemBodySection{Part: []int{2}, Partial: &imap.SectionPartial{Offset: 7, Size: size}}
	}
	for _, tt := range []struct {
		name     string
		sections []*imap.FetchItemBodySection
		want     string
	}{
		{"NoRange", []*imap.FetchItemBodySection{{Part: []int{2}}}, "<0.65536>"},
		{"Range", []*imap.FetchItemBodySection{part(1 << 20)}, "<7.1048576>"},
		{"Ranges", []*imap.FetchItemBodySection{part(maxRanges - 100), part(100)}, "<7.3145628><7.100>"},
		{"TooMuch", []*imap.FetchItemBodySection{part(maxRanges - 99), part(100)}, "<7.65536><7.100>"},
		{"Overflow", []*imap.FetchItemBodySection{part(1 << 62), part(1 << 62), part(1 << 62)}, "<7.65536><7.65536><7.65536>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, i := range newItems(tt.sections) {
				got += i.command[strings.IndexByte(i.command, '<'):]
				if i.all != strings.HasSuffix(i.command, ".65536>") {
					t.Errorf("%s: all: got %t, want %t", i.command, i.all, !i.all)
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A message with more sections of interest than maxItems is fetched as a whole.
func TestManyItems(t *testing.T) {
	for _, n := range []int{maxItems, maxItems + 1} {
		sections := slices.Repeat([]*imap.FetchItemBodySection{{Part: []int{1}}}, n)
		at := new(target)
		structures(func(imap.BodyStructure, int64) Wanted { return Wanted{Sections: sections} }).answer(at, &fetched{structure: &imap.BodyStructureSinglePart{}})
		if got := errors.Is(at.why, ErrTooLarge); got != (n > maxItems) {
			t.Errorf("%d sections: got %v, want ErrTooLarge: %t", n, at.why, n > maxItems)
		}
	}
}

// A server that loses every connection is given up, and nothing is passed over.
func TestSweepGivesUp(t *testing.T) {
	for word, most := range map[string]int{"SEARCH": maxSearches, "FETCH": maxBarren} {
		t.Run(word, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{messages: box(500)}
				f.tamper = func(command string, _ uint32, r string) string {
					if strings.Contains(command, word) {
						return "CLOSE"
					}
					return r
				}
				lines, reasons := swept(t.Context(), f.open(t))
				if len(lines) != 1 || !errors.Is(reasons[0], wire.ErrUnavailable) {
					t.Errorf("got %q, %v, want 1 of them", lines, reasons)
				}
				if u, ok := errors.AsType[*Unread](reasons[0]); word == "FETCH" && (!ok || u.N < 500-maxBarren || u.Last != 5000) {
					t.Errorf("got %+v, want at least %d up to 5000", u, 500-maxBarren)
				}
				if f.connections > most || f.connections < maxConnects {
					t.Errorf("got %d connections, want %d to %d", f.connections, maxConnects, most)
				}
			})
		})
	}
}

// A server that announces 4294967295 messages is asked for the few that it lists, and
// the others are reported.
func TestManyThatExist(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		again      bool // each search gives the same
	}{
		{"UIDNext", "* OK [UIDNEXT 51] next\r\n", true},
		{"TheSameAgain", "", true},
		{"NothingMore", "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{messages: box(5)}
			f.tamper = func(command string, _ uint32, r string) string {
				r = strings.Replace(r, "* 5 EXISTS\r\n", "* 4294967295 EXISTS\r\n"+tt.code, 1)
				if tag, ok := strings.CutSuffix(r, " OK done\r\n"); ok && tt.again && strings.Contains(command, "SEARCH") {
					return "* SEARCH 10 20 30 40 50\r\n" + tag + " OK done\r\n"
				}
				if tt.again && strings.Contains(command, "SEARCH") {
					return ""
				}
				return r
			}
			s := f.open(t)
			uids, unlisted, err := s.UIDs(t.Context())
			if err != nil || len(uids) != 5 || unlisted < 1<<30 {
				t.Errorf("%s: got %d, %d unlisted, %v, want 5 and the rest", tt.name, uids, unlisted, err)
			}
			if n := strings.Count(strings.Join(f.log, "\n"), "SEARCH"); n > 2 {
				t.Errorf("%s: got %d times SEARCH, want 2 at most", tt.name, n)
			}
		})
	}
}

// Responses that arrived before a server died for good are read: of 900 responses in all, 180,
// 450 or 810 come.
func TestSweepBeforeDeath(t *testing.T) {
	for responses, least := range map[int32]int{180: 60, 450: 180, 810: 420} {
		synctest.Test(t, func(t *testing.T) {
			var left atomic.Int32
			left.Store(responses)
			f := &fake{messages: box(600)}
			f.tamper = func(_ string, uid uint32, r string) string {
				if uid > 0 && left.Add(-1) < 0 {
					return "CLOSE"
				}
				return r
			}
			cfg := f.config()
			dial := cfg.Dial
			cfg.Dial = func(ctx context.Context) (net.Conn, error) {
				if left.Load() < 0 {
					return nil, errors.New("refused")
				}
				return dial(ctx)
			}
			s := f.openWith(t, cfg)
			lines, reasons := swept(t.Context(), s)
			u, ok := errors.AsType[*Unread](reasons[len(reasons)-1])
			if !ok || u.Last != 6000 || int(u.First)/10-1 < least || len(lines) < least/2 {
				t.Errorf("%d responses: got %d messages, and %v; want at least %d of 600", responses, len(lines), u, least)
			}
			if s.Failed() == nil {
				t.Error("the session does not know that the server is away")
			}
		})
	}
}

// A server that loses each connection on each whole message is given up after a few of them, and no
// connection is made for the other messages.
func TestFetchGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(80)}
		f.tamper = func(command string, _ uint32, r string) string {
			if strings.Contains(command, "BODY.PEEK[]") {
				return "CLOSE"
			}
			return r
		}
		s := f.open(t)
		began := time.Now()
		for _, m := range f.messages {
			if _, err := s.Fetch(t.Context(), m.uid, io.Discard); !errors.Is(err, wire.ErrUnavailable) {
				t.Fatalf("UID %d: got %v, want %v", m.uid, err, wire.ErrUnavailable)
			}
		}
		if took := time.Since(began); f.connections > maxBarren+1 || took > time.Minute || s.Failed() == nil {
			t.Errorf("got %d connections in %v, and %v; want at most %d", f.connections, took, s.Failed(), maxBarren+1)
		}
	})
}
