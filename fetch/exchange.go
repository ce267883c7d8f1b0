package fetch

import (
	"github.com/go-extbody/extbody/fetch/record"
	"net/netip"
	"time"
)

// An Exchange is the record of one step of a fetch on the wire:
//
//   - one HTTP request and its answer, so that each redirect, each repetition
//     and each continuation of a body that was cut is an Exchange of its own;
//   - the request to a proxy for a tunnel;
//   - one session of FTP or IMAP, or one transfer of TFTP.
//
// [Request].Observe gets each Exchange when it ends, failed ones too. After that it is
// read-only. Its form in JSON is stable: fields may be added.
//
// There are no credentials in it. These are replaced by "(cut)":
//
//   - in heads, the values of Authorization, Proxy-Authorization, Cookie and
//     Set-Cookie, and user information in Location;
//   - in dialogues, the arguments of PASS, ACCT and LOGIN, the user of any login but
//     an anonymous one, the lines after AUTHENTICATE, replies that repeat any of it,
//     and the token of URLAUTH.
//
// All other octets of heads and dialogues are as they were on the wire, above TLS. The
// dialogue of TFTP, whose packets are not text, is put into words.
//
// There is one exception. A URL that is a credential as a whole, marked by Secret, is
// here and in the heads as it was asked for. A program that shows an Exchange redacts
// it.
type Exchange struct {
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`

	// Protocol is "http", "ftp", "imap" or "tftp". For the request to a proxy it is
	// "connect" or "socks5".
	Protocol string `json:"protocol"`

	// By names the program that made this Exchange on behalf of another one, such as a
	// fetcher of a fleet. It is "" for an Exchange of this program.
	By string `json:"by,omitempty"`

	// URL is the requested URL, without user information and fragment; for the request
	// to a proxy the URL of the proxy.
	URL string `json:"url"`

	// Secret is Request.Secret.
	Secret bool `json:"secret,omitempty"`

	// Hop is the number of redirects before this Exchange.
	Hop int `json:"hop,omitempty"`

	// Offset is where the octets that were asked for begin, if not at the
	// beginning of the object.
	Offset int64 `json:"offset,omitempty"`

	// Lookups are the names that were resolved for the connection, and Dials the
	// addresses that were tried, in the order in which they failed or succeeded.
	// For a Reused connection they are copies of the ones in the Exchange that made
	// it.
	Lookups []record.Lookup `json:"lookups,omitempty"`
	Dials   []record.Dial   `json:"dials,omitempty"`

	// Remote is the address of the server, or of the proxy; the zero value if there was
	// no connection.
	Remote netip.AddrPort `json:"remote,omitzero"`

	// Reused is set if the connection had served another Exchange before.
	Reused bool `json:"reused,omitempty"`

	// Unasked is set if the server sent octets after the end of the answer. They
	// belong to no answer.
	Unasked bool `json:"unasked,omitempty"`

	// TLS is nil without TLS.
	TLS *record.TLS `json:"tls,omitempty"`

	// OctetsOut and OctetsIn are the octets sent and received, above TLS, with
	// all framing; data connections of FTP count too.
	OctetsOut int64 `json:"octets_out"`
	OctetsIn  int64 `json:"octets_in"`

	// RequestHead is the request line and the header as sent, and ResponseHead
	// the status line and the header as received, each with the empty line
	// that ends it. Answers before the final one (1xx) are left out.
	RequestHead  record.Octets `json:"request_head,omitempty"`
	ResponseHead record.Octets `json:"response_head,omitempty"`

	// Status is the status code of HTTP, the code of the last reply of FTP or
	// of the ERROR of TFTP; 0 if none came.
	Status int `json:"status,omitempty"`

	// Dialogue has the lines of both sides in FTP, IMAP and TFTP, without the body.
	Dialogue []record.Line `json:"dialogue,omitempty"`

	// Content is the body as it was sent, before content codings are undone
	// and after transfer codings are, and Decoded the body after content codings are
	// undone. They are nil if no body was given out, Decoded also without content
	// codings.
	Content *record.Content `json:"content,omitempty"`
	Decoded *record.Content `json:"decoded,omitempty"`

	// Beginning is the first 64 KiB of the content, as far as it was read. An answer that
	// has the status of success may be another page than the object.
	Beginning record.Octets `json:"beginning,omitempty"`

	// Kind and Error are the reason why the Exchange failed, or zero if it did not.
	// A redirect and an answer "not modified" are not failures.
	Kind  Kind   `json:"kind,omitzero"`
	Error string `json:"error,omitempty"`

	// Cut is set if octets are left out here: a head or the dialogue was longer
	// than 256 KiB, or the body of a failed answer was longer than Beginning.
	Cut bool `json:"cut,omitempty"`

	observe func(*Exchange) // nil once it was called
	onEnd   func()
	brief   bool
	said    int // octets in Dialogue
}

// MaxBeginning bounds [Exchange].Beginning.
const MaxBeginning = 64 << 10

// maxSaid bounds heads and dialogues.
const maxSaid = 256 << 10

// full reports whether heads, dialogues, beginnings and digests are wanted, and
// x has not ended.
func (x *Exchange) full() bool { return x != nil && !x.brief && x.observe != nil }

// say adds a line to the dialogue while x is full. The caller has cut out
// credentials.
func (x *Exchange) say(sent bool, text string) {
	if !x.full() {
		return
	}
	x.said += len(text) + 1
	if x.said > maxSaid {
		x.Cut = true
		return
	}
	x.Dialogue = append(x.Dialogue, record.Line{Sent: sent, Text: record.Octets(text)})
}

// setOnEnd sets a function that end calls first, to fill in the rest.
func (x *Exchange) setOnEnd(f func()) {
	if x != nil {
		x.onEnd = f
	}
}

// end ends x and passes it to Observe. err is why the Exchange failed, nil if
// it did not; its text holds nothing of the URL but its host. Only the first
// call counts.
func (x *Exchange) end(err error) {
	if x == nil || x.observe == nil {
		return
	}
	if x.onEnd != nil {
		x.onEnd()
	}
	observe := x.observe
	x.observe = nil
	x.onEnd = nil
	x.Ended = time.Now().UTC()
	if err != nil {
		x.Kind = KindOfFetch(err)
		x.Error = reason(err)
	}
	observe(x)
}

// reason returns the text of err without the Kind and the URL of an [*Error].
func reason(err error) string {
	if e, ok := err.(*Error); ok {
		if e.Err == nil {
			return e.Kind.Error()
		}
		return reason(e.Err)
	}
	return err.Error()
}
