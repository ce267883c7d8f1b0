package imapsession

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/internal/codec/utf7"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// listing returns a tamper for a server that answers LIST with these lines, and
// refuses to open the mailboxes in refused, by their names as they are sent.
func listing(list string, refused map[string]string) func(string, uint32, string) string {
	return func(command string, _ uint32, r string) string {
		tag, _, tagged := strings.Cut(r, " OK done")
		verb, name, _ := strings.Cut(command, " ")
		switch {
		case verb == "LIST" && tagged:
			return list + r
		case verb == "EXAMINE" && refused[strings.Trim(name, `"`)] != "":
			if !tagged {
				return ""
			}
			return strings.ReplaceAll(refused[strings.Trim(name, `"`)], "TAG", tag)
		}
		return r
	}
}

// The mailboxes of a server are those that can be opened, and their names are
// believed only if they can be given back.
func TestMailboxes(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		want       string // names; "!" behind one that cannot be opened
		err        error
	}{
		{"None", "", "", nil},
		{"Quoted", "* LIST () \"/\" \"INBOX\"\r\n* LIST (\\HasNoChildren) \"/\" \"a b\"\r\n", "INBOX|a b", nil},
		{"Atoms", "* list (\\Marked) \".\" INBOX\r\n* LIST () NIL x.y\r\n", "INBOX|x.y", nil},
		{"AtomWithSpace", "* LIST () \"/\" Sent Items\r\n", "Sent Items", nil},
		{"Literal", "* LIST () \"/\" {3}\r\na\"b\r\n", "a\"b", nil},
		{"LiteralWithLine", "* LIST () \"/\" {4}\r\na\r\nb\r\n", "a??b!", nil},
		{"Noselect", "* LIST (\\Noselect) \"/\" a\r\n* LIST (\\HasChildren \\NOSELECT) \"/\" b\r\n* LIST (\\NonExistent) \"/\" c\r\n* LIST () \"/\" d\r\n", "d", nil},
		{"Twice", "* LIST () \"/\" a\r\n* LIST () \"/\" \"a\"\r\n", "a", nil},
		{"Encoded", "* LIST () \"/\" \"Entw&APw-rfe &- more\"\r\n", "Entwürfe & more", nil},
		{"NotEncoded", "* LIST () \"/\" \"A & B\"\r\n* LIST () \"/\" c\r\n", "A & B!|c", nil},
		{"EightBit", "* LIST () \"/\" \"\xfc\"\r\n", "?!", nil},
		{"Unrelated", "* 5 EXISTS\r\n* LIST () \"/\" a\r\n* OK LIST\r\n", "a", nil},
		{"OneUnreadable", "* LIST \"/\" a\r\n* LIST () \"/\" b\r\n", "\"/\" a!|b", nil},
		{"Tilde", "* LIST () \"/\" ~x\r\n* LIST () \"/\" b\r\n", "~x|b", nil},
		{"Literal8", "* LIST () \"/\" ~{2}\r\n~x\r\n", "~x", nil},
		{"ControlCharacter", "* LIST () \"/\" \"a\tb\"\r\n", "a\tb", nil},
		{"Many", many(maxMailboxes+1, "* LIST () \"/\" m%d\r\n"), strings.TrimPrefix(many(maxMailboxes, "|m%d"), "|"), ErrTooLarge},
		{"ManyOctets", "* LIST () \"/\" " + strings.Repeat("x", maxNames/2) + "\r\n* LIST () \"/\" y" + strings.Repeat("x", maxNames/2) + "\r\n", strings.Repeat("x", maxNames/2), ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{tamper: listing(tt.list, nil)}
				s := f.openServer(t, f.config())
				list, err := s.Mailboxes(t.Context())
				var names []string
				for _, m := range list {
					name := m.Name
					if m.Err != nil {
						name += "!"
					}
					names = append(names, name)
				}
				if got := strings.Join(names, "|"); got != tt.want || !errors.Is(err, tt.err) {
					t.Errorf("got %.200q, %v; want %.200q, %v", got, err, tt.want, tt.err)
				}
			})
		})
	}
}

// many returns a text for each of n numbers.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// One connection reads all mailboxes, and one that cannot be opened, or that ends
// the connection, costs no other.
func TestExamine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(3), tamper: listing("", map[string]string{
			"no":    "TAG NO [NOPERM] x\r\n",
			"kills": "CLOSE",
			"later": "TAG NO [INUSE] x\r\n",
			"bare":  "TAG OK x\r\n",
		})}
		s := f.openServer(t, f.config())
		for _, tt := range []struct {
			mailbox  string
			validity uint32
			want     error
		}{
			{"a", 0, nil}, {"no", 0, wire.ErrForbidden}, {"b", 42, nil}, {"kills", 0, wire.ErrUnavailable}, {"c", 0, nil},
			{"later", 0, wire.ErrUnavailable}, {"stale", 41, ErrChanged}, {"bare", 0, wire.ErrProtocol}, {"d", 0, nil},
		} {
			err := s.Examine(t.Context(), tt.mailbox, tt.validity)
			if !errors.Is(err, tt.want) {
				t.Errorf("%s: got %v, want %v", tt.mailbox, err, tt.want)
			}
			if err != nil {
				continue
			}
			if lines, reasons := swept(t.Context(), s); strings.Join(lines, "|") != "10 sections|30 sections" {
				t.Errorf("%s: got %v, %v; want 10 and 30", tt.mailbox, lines, reasons)
			}
		}
		if f.connections != 2 {
			t.Errorf("got %d connections, want 2", f.connections)
		}
	})
}

// A server that refuses the login when it is asked again is not asked for each
// mailbox.
func TestExamineAfterLoginFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{greeting: "* OK hi", messages: box(1)}
		logins := 0
		f.tamper = func(command string, _ uint32, r string) string {
			tag, _, tagged := strings.Cut(r, " OK done")
			switch {
			case strings.HasPrefix(command, "LOGIN"):
				if logins++; logins > 1 {
					return tag + " NO [AUTHENTICATIONFAILED] x\r\n"
				}
			case strings.HasPrefix(command, "EXAMINE") && tagged:
				return "CLOSE"
			}
			return r
		}
		s := f.openServer(t, f.config())
		for i, want := range []error{wire.ErrUnavailable, wire.ErrCredentials, wire.ErrCredentials, wire.ErrCredentials} {
			if err := s.Examine(t.Context(), "a", 0); !errors.Is(err, want) {
				t.Errorf("%d: got %v, want %v", i, err, want)
			}
		}
		if logins != 2 {
			t.Errorf("got %d logins, want 2", logins)
		}
	})
}

// One message of a mailbox, by its UID.
func TestOnly(t *testing.T) {
	f := &fake{messages: box(5)}
	s := f.open(t)
	for _, tt := range []struct {
		uid  uint32
		want string
		err  error
	}{
		{30, "30", nil}, {20, "", nil}, {31, "", ErrGone}, {50, "50", nil},
	} {
		var got []string
		var failure error
		for m, err := range s.Only(t.Context(), tt.uid, wantSecond) {
			if failure = err; err == nil {
				got = append(got, fmt.Sprint(m.UID))
			}
		}
		if strings.Join(got, "|") != tt.want || !errors.Is(failure, tt.err) {
			t.Errorf("%d: got %q, %v; want %q, %v", tt.uid, got, failure, tt.want, tt.err)
		}
	}
	if log := strings.Join(f.log, "\n"); strings.Contains(log, "SEARCH 1:") || strings.Contains(log, "FETCH 10") {
		t.Errorf("got %s, want no other message asked for", log)
	}
}

// A name with a control character is opened as the server sent it.
func TestControlCharacterName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tamper: listing("* LIST () \"/\" \"a\tb\"\r\n", nil)}
		s := f.openServer(t, f.config())
		list, err := s.Mailboxes(t.Context())
		if err != nil || len(list) != 1 || list[0].Err != nil {
			t.Fatalf("got %q, %v, want one mailbox", list, err)
		}
		if err := s.Examine(t.Context(), list[0].Name, 0); err != nil {
			t.Error(err)
		}
		if log := strings.Join(f.log, "\n"); !strings.Contains(log, "EXAMINE \"a\tb\"") {
			t.Errorf("got %q, want EXAMINE with the name that was listed", log)
		}
	})
}

// Whatever a server lists, a name that counts is one that leads back to it, and
// time and memory are in proportion to the response.
func FuzzListed(f *testing.F) {
	for _, seed := range []string{
		`* LIST () "/" INBOX`, `* LIST (\Noselect \HasChildren) "." "a&AOQ-b"`, "* LIST () NIL {3}\r\nabc",
		`* LIST (\a (b)) "/" x`, `* LIST () "/" "a\"b" ("CHILDINFO" ("SUBSCRIBED"))`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		raw, ok, err := listed(line)
		if err != nil && !errors.Is(err, wire.ErrProtocol) {
			t.Fatalf("got %v, want %v", err, wire.ErrProtocol)
		}
		s := &Session{conn: wire.New(nil, wire.Options{})}
		if m := s.newMailbox(raw); ok && m.Err == nil && utf7.Encode(m.Name) != raw && s.raw[m.Name] != raw {
			t.Errorf("%q: got %q, which is written %q, want %q", line, m.Name, utf7.Encode(m.Name), raw)
		}
		s.conn.Caps = map[string]bool{"IMAP4REV2": true}
		if m := s.newMailbox(raw); strings.ContainsAny(m.Name, "\r\n\x00") {
			t.Errorf("%q: got %q, want a name without line ends and NUL", raw, m.Name)
		}
	})
}

// A server that does not answer LIST ends with the context.
func TestMailboxesCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tamper: func(command string, _ uint32, r string) string {
			if strings.HasPrefix(command, "LIST") {
				return "HANG"
			}
			return r
		}}
		s := f.openServer(t, f.config())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Mailboxes(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
	})
}
