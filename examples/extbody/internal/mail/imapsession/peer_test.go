package imapsession

import (
	"cmp"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// Why this package reads responses itself: each of these servers is one that
// TestSweepFaults or TestIdleNotAbsolute reads, and that go-imap's client does
// not, some of them without an error. A failure means that it does now.
func TestPeerFaults(t *testing.T) {
	mime := &imap.FetchItemBodySection{Part: []int{2}, Specifier: imap.PartSpecifierMIME, Peek: true, Partial: &imap.SectionPartial{Size: 100}}
	for _, tt := range []struct {
		name   string
		tamper func(string, uint32, string) string
		opts   *imap.FetchOptions
		slow   time.Duration
		fault  func([]*imapclient.FetchMessageBuffer, error) bool
	}{
		{"LosesUIDBehindLiteral", replaced(30, "MIME", func(r string) string {
			return strings.TrimSuffix(strings.Replace(r, "(UID 30 ", "(", 1), ")\r\n") + " UID 30)\r\n"
		}), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{mime}}, 0,
			func(got []*imapclient.FetchMessageBuffer, err error) bool { return err == nil && len(got) == 0 }},
		{"LosesBehindFlags", replaced(30, "MIME", func(r string) string {
			return "* 3 FETCH (UID 30 FLAGS (\\Seen))\r\n" + r
		}), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{mime}}, 0,
			func(got []*imapclient.FetchMessageBuffer, err error) bool {
				return err == nil && len(got) == 1 && got[0].FindBodySection(mime) == nil
			}},
		{"OddStructureEndsConnection", replaced(30, "BODYSTRUCTURE", func(r string) string {
			return strings.Replace(r, `NIL NIL "7bit" 20`, `NIL """" 20`, 1)
		}), &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}, 0,
			func(_ []*imapclient.FetchMessageBuffer, err error) bool { return err != nil }},
		{"UnknownItemEndsConnection", replaced(30, "BODYSTRUCTURE", func(r string) string {
			return strings.Replace(r, "(UID 30", "(UID 30 X-GM-MSGID 5", 1)
		}), &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}, 0,
			func(_ []*imapclient.FetchMessageBuffer, err error) bool { return err != nil }},
		{"EndsLiteralThatFlows", nil, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{mime}}, 9 * time.Second,
			func(_ []*imapclient.FetchMessageBuffer, err error) bool { return err != nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// Without capabilities in the greeting go-imap's client asks for
				// them, and races with itself.
				f := &fake{messages: box(5), tamper: tt.tamper, greeting: "* PREAUTH [CAPABILITY IMAP4rev1] ready"}
				ours, theirs := net.Pipe()
				pace := &paced{Conn: theirs}
				f.wg.Go(func() { f.serve(pace) })
				defer f.wg.Wait()
				c := imapclient.New(ours, nil)
				defer c.Close()
				if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
					t.Fatal(err)
				}
				pace.pause.Store(int64(tt.slow))
				got, err := c.Fetch(imap.UIDSetNum(30), tt.opts).Collect()
				if !tt.fault(got, err) {
					t.Errorf("go-imap: got %d messages, %v; want the fault of %s", len(got), err, tt.name)
				}
			})
		})
	}
}

// FuzzResponse reads responses of any kind: no panic, no endless loop, and we read
// the same from a BODYSTRUCTURE as go-imap's client.
func FuzzResponse(f *testing.F) {
	for _, s := range []string{
		textPlain, mixedWith, "(" + mixedWith + mixedWith + ` "mixed")`,
		`("message" "rfc822" NIL NIL NIL "7bit" 99 (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) ` + mixedWith + ` 7 NIL NIL NIL NIL)`,
		`("message" "rfc822" NIL NIL NIL "7bit" 99)`, `(NIL "mixed" NIL NIL NIL NIL)`, "NIL", "(((",
		`("text" "plain" ("charset" {5}` + "\r\n" + `utf-8) NIL NIL "7bit" 5 1)`, `("a" "b\"c" NIL "<x>" "d" "base64" 4294967295)`,
	} {
		f.Add(s)
	}
	f.Add(`("message" "rfc822" NIL NIL NIL "" 9(NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL)(("text" "" NIL NIL NIL "" 5 1)("a" "b" NIL NIL NIL "" 0) "") 7)`)
	f.Fuzz(func(t *testing.T, structure string) {
		ours, theirs := net.Pipe()
		go func() {
			io.WriteString(theirs, "* 1 FETCH (UID 7 BODYSTRUCTURE "+structure+")\r\n")
			theirs.Close()
		}()
		c := newConn(ours, newBudget(Limits{}))
		defer c.Abort()
		line, err := c.Response()
		if err != nil {
			if !errors.Is(err, wire.ErrProtocol) && !errors.Is(err, wire.ErrUnavailable) {
				t.Fatal(err)
			}
			io.Copy(io.Discard, ours)
			return
		}
		line = append([]byte(nil), line...)
		io.Copy(io.Discard, ours)
		_, _, data := numbered(line)
		got := parseFetch(data)
		if got.err == nil && (got.structure == nil || got.uid != 7) {
			t.Skip("another item, or another BODYSTRUCTURE")
		}
		want := peerStructure(t, "* 1 FETCH (UID 7 BODYSTRUCTURE "+structure+")\r\n")
		if want == nil || got.structure == nil {
			return
		}
		if g, w := shape(got.structure), shape(want); g != w {
			t.Errorf("%q: got %s, want %s", structure, g, w)
		}
	})
}

// peerStructure returns the structure that go-imap's client reads; nil if it reads
// none.
func peerStructure(t *testing.T, response string) imap.BodyStructure {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	c := imapclient.New(ours, nil)
	defer c.Close()
	go func() {
		io.WriteString(theirs, "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n")
		buf := make([]byte, 4096)
		theirs.Read(buf)
		io.WriteString(theirs, response+"T1 OK done\r\n")
		theirs.Close()
	}()
	got, err := c.Fetch(imap.UIDSetNum(7), &imap.FetchOptions{BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}).Collect()
	if err != nil || len(got) != 1 {
		return nil
	}
	return got[0].BodyStructure
}

// shape writes a structure as we read it.
func shape(bs imap.BodyStructure) string {
	switch bs := bs.(type) {
	case *imap.BodyStructureMultiPart:
		s := "multipart/" + strings.ToLower(bs.Subtype) + "("
		for _, child := range bs.Children {
			s += shape(child) + " "
		}
		return s + ")"
	case *imap.BodyStructureSinglePart:
		// go-imap gives a part without an encoding the default.
		s := strings.ToLower(bs.Type + "/" + bs.Subtype + ";" + cmp.Or(bs.Encoding, "7bit"))
		if m := bs.MessageRFC822; m != nil {
			s += "{" + shape(m.BodyStructure) + "}"
		}
		return s
	}
	return "nil"
}

// A winmail.dat is known by its name, wherever the server has that, if the type is a
// general one.
func TestStructureOutlookName(t *testing.T) {
	for _, tt := range []struct{ name, structure, want string }{
		{"Parameter", `("application" "octet-stream" ("name" "WinMail.dat") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, "winmail.dat"},
		{"Disposition", `("APPLICATION" "OCTET-STREAM" NIL NIL NIL "base64" 9000 NIL ("attachment" ("filename" "winmail.dat")) NIL NIL)`, "winmail.dat"},
		{"Literal", "(\"application\" \"octet-stream\" (\"name\" {11}\r\nwinmail.dat) NIL NIL \"base64\" 9000)", "winmail.dat"},
		{"OtherName", `("application" "octet-stream" ("name" "winmail.da") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, ""},
		{"OtherType", `("application" "pdf" ("name" "winmail.dat") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, ""},
		{"NoName", `("application" "octet-stream" NIL NIL NIL "base64" 9000)`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bs, err := (&parser{wire.Parser{Rest: []byte(tt.structure)}}).structure(0)
			if err != nil {
				t.Fatal(err)
			}
			if got := bs.(*imap.BodyStructureSinglePart).Filename(); got != tt.want {
				t.Errorf("got the name %q, want %q", got, tt.want)
			}
		})
	}
}
