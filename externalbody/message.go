package externalbody

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Message is an index of a message: where its parts are, and the References in it.
// Its methods do not change it, and several goroutines may call them if the reader
// given to [Open] allows that, as an os.File does.
type Message struct {
	index      *message.Index
	source     *source
	from       []string          // the values of the first two From fields
	hosts      map[string]string // see Dialect.Hosts
	links      *sharelink.Table  // of hosts; may be nil
	refs       []*Reference
	incomplete error
	unread     []UnreadPart
	budget     messageBudget

	cids lazy[cidURLs]
	sum  lazy[digest]

	refused sync.Map // refusal: said no; see Consent
}

// References yields the References of the message in message order. They include those
// inside message/rfc822 parts and inside signed messages of S/MIME (RFC 8551 section
// 3.5.2). The Section of the latter counts the signed message as if it were a
// message/rfc822 part, although an IMAP server has no such section. No signature is
// verified.
//
// With Dialects they also include those in the texts of a winmail.dat (MS-OXTNEF). Their
// Section counts that part as if it were a multipart/mixed.
func (m *Message) References() iter.Seq[*Reference] { return slices.Values(m.refs) }

// Reader returns a reader of the octets of the message, as they were given to Open.
// Each call returns a new reader.
func (m *Message) Reader() *io.SectionReader {
	return io.NewSectionReader(message.IndexedReader{ReaderAt: m.source.r, Index: m.index}, 0, m.index.Size)
}

// Incomplete returns the limit that kept a part of the message from being read, or nil
// if everything was read. The References found before it are complete.
func (m *Message) Incomplete() error { return m.incomplete }

// Unread yields all parts that Open could not look into, in message order, and last the
// limit that [Message.Incomplete] reports.
func (m *Message) Unread() iter.Seq[UnreadPart] { return slices.Values(m.unread) }

// rules returns the rules by which the share links of the message are recognised. m may be nil.
func (m *Message) rules() redact.Rules {
	if m == nil {
		return redact.Rules{}
	}
	return redact.Rules{Own: m.links}
}

// digest returns the digest of the octets of the message. It reads them only once.
func (m *Message) digest(ctx context.Context) (digest, error) {
	return m.sum.get(func() (d digest, err error) {
		h := sha256.New()
		src := m.Reader()
		for left := m.index.Size; left > 0; {
			if err := ctx.Err(); err != nil {
				return d, err
			}
			n, err := io.CopyN(h, src, min(left, 1<<20))
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return d, fmt.Errorf("the message: %w", err)
			}
			left -= n
		}
		h.Sum(d[:0])
		return d, nil
	})
}

// An identity is a Content-ID in the scope of its message.
type identity struct {
	root *message.Part // its scope
	id   string        // with angle brackets
}

// partIDs has the parts of a source by their Content-ID, in message order.
type partIDs map[identity][]*message.Part

// cidURLs are the texts after "cid:" in the octets of a message, sorted.
type cidURLs []string

const (
	// maxHeldField bounds the Content-Type of a reference that is held as a whole, and
	// each value that is held of a longer one.
	maxHeldField = 64 << 10

	// maxURLHead bounds how much a Reference has of a URL that is not held.
	maxURLHead = 1 << 10
)

// A lazy is a value that is made when it is first asked for. If making it fails, it is
// tried again the next time. The zero lazy is ready to use. Several goroutines may use
// it at once.
type lazy[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		value, err := make()
		if err != nil {
			return value, err
		}
		l.value = value
		l.made = true
	}
	return l.value, nil
}

const externalBody = "message/external-body"

// decodeSpan returns the decoded octets of a span, or the first limit+1 if there are
// more, and whether mail programs may decode them to others. Damaged data ends without an error. r returns the other
// errors.
func decodeSpan(
	r io.ReaderAt, s message.Span, enc message.Encoding, limit int64,
) (body []byte, damaged bool, err error) {
	src := message.NewErrReader(s.Reader(r))
	decoded := message.Decode(src, enc)
	body, fault := io.ReadAll(io.LimitReader(decoded, limit+1))
	return body, message.Damaged(decoded, fault), src.Failure()
}

// An UnreadPart is a part of a message that Open could not look into, although References
// may be in it.
type UnreadPart struct {
	// Section is the section of the part, as in Origin. It may be "" for the message itself.
	Section string

	// MediaType is the media type of the part in lower case. It is "" for the limit that
	// Message.Incomplete reports, which is about no part.
	MediaType string

	// Reason is one of
	//
	//   - DiagEncrypted, for a multipart/encrypted, and for S/MIME that is not signed data alone. With Dialects, an
	//     application/octet-stream, application/pkcs7 or application/x-pkcs7 is S/MIME as well if its name ends in
	//     .p7m, .p7z, .p7c or .p7s (RFC 8551 section 3.2.1). With Dialects the code is also for a message of
	//     OpenPGP (RFC 9580 section 6.2) in a text, or in a file whose type or name is for one,
	//   - DiagPartialMessage, for a message/partial (RFC 2046 section 5.2.2),
	//   - DiagMissingBody, for a part without a body whose header says that it had one: X-Apple-Content-Length, as in
	//     a .partial.emlx of Apple Mail, the parameter size of Content-Disposition, or MS-Blob-Excluded,
	//   - DiagUnknownEncoding, for a container, or with Dialects a text, whose transfer
	//     encoding is private (RFC 2045 section 6.3). A part in an unknown encoding is read as
	//     it stands, which helps if nothing is encoded. It is also for a text in x-uuencode
	//     that is long or looks like a link to programs that do not undo it,
	//   - DiagUnknownCharset, with Dialects for a text whose charset is not known and may
	//     hide ASCII letters, or on whose charset mail programs disagree,
	//   - DiagAmbiguous, for a part about whose structure mail programs disagree. All
	//     readings were looked into, and a program may still have another one. It is also
	//     for a multipart without a boundary that is in it,
	//   - DiagDecoding, if mail programs decode the part to different octets. It is for containers and references,
	//     and with Dialects for texts, and for files that are looked into because of their name. Their header ends
	//     with a line that is not a field, their transfer encoding is nearly base64 or quoted-printable, their
	//     base64 is damaged or goes on after its padding, or a "=" in their quoted-printable stands for nothing and
	//     may be part of a link. Several readings were looked into. No rewriting changes such a part,
	//   - DiagOpaqueLink, with Dialects, for links of a mail gateway whose target cannot be read, or whose encoding
	//     is damaged; once for each gateway,
	//   - DiagCutShort, for a part that a bound left unread in part: a signed message or a winmail.dat that is nested
	//     too deeply, and with Dialects, for example, a text/calendar, a .url file or a URL that is too long. Without
	//     a MediaType it is the last one, if Message.Incomplete is not nil.
	Reason DiagCode

	// Detail is the id of a message/partial, the name of an unknown encoding, charset or gateway, the bound
	// of a part that was cut short, or the text of Message.Incomplete. It is a text from the message, of at most 100
	// octets, and must be escaped where it is shown.
	Detail string
}

// maxDetail bounds the Detail of an UnreadPart, in octets.
const maxDetail = 100

// A source holds parts: the message, or the decoded octets of one of its parts.
type source struct {
	r         io.ReaderAt
	parts     []*message.Part
	maxHeader int64
	message   *Message
	ids       lazy[partIDs]

	// container is the part of outer that holds the decoded octets. standIn stands for
	// it in the Parent of parts. Both are nil for the message.
	container, standIn *message.Part
	outer              *source
}

// contentType returns the parsed Content-Type of p, or the start of a long one.
func (s *source) contentType(p *message.Part) (*param.Value, error) {
	field, err := message.ReadSpan(s.r, p.ContentType.First(maxHeldField))
	return param.Parse(message.FieldValue(field)), err
}

// encodingName returns the Content-Transfer-Encoding of p in lower case.
func (s *source) encodingName(p *message.Part) string {
	header, err := s.header(p)
	if err != nil {
		return ""
	}
	field, _ := message.Lookup(header, "Content-Transfer-Encoding", 0)
	return strings.ToLower(strings.TrimSpace(field.Value))
}

// parent returns the part around p. It is a part of s, or the container of s, which is
// a part of s.outer. It is nil for the message.
func (s *source) parent(p *message.Part) *message.Part {
	if p.Parent != nil && p.Parent == s.standIn {
		return s.container
	}
	return p.Parent
}

// header returns the header of p, up to the limit. Only the start of a long
// Content-Type is there, and its length does not count.
func (s *source) header(p *message.Part) (string, error) {
	long := p.ContentType
	if long.Len() <= maxHeldField {
		return message.ReadSpan(s.r, p.Header.First(s.maxHeader))
	}
	before := message.Span{Start: p.Header.Start, End: long.Start}.First(s.maxHeader)
	after := message.Span{Start: long.End, End: p.Header.End}.First(s.maxHeader - before.Len())
	var header strings.Builder
	for _, span := range []message.Span{before, long.First(maxHeldField), after} {
		if span == after {
			header.WriteString("\r\n")
		}
		text, err := message.ReadSpan(s.r, span)
		if err != nil {
			return "", err
		}
		header.WriteString(text)
	}
	return header.String(), nil
}

// A digest is a SHA-256.
type digest [sha256.Size]byte

// The default costs of all references of one message together; see
// [Resolver].MessageBudget.
const (
	DefaultMessageFetches = 200           // contacts, redirects included
	defaultMessageBytes   = 10 << 30      // octets of all bodies
	defaultMessageTime    = 1 * time.Hour // from the first fetch
)

// A messageBudget is the default budget of one message. It is made at the first fetch.
type messageBudget struct {
	mu     sync.Mutex
	budget *fetch.Budget
	until  time.Time
}

// get returns the budget in force at a time.
func (b *messageBudget) get(now time.Time) *fetch.Budget {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.budget == nil || now.Sub(b.until) >= defaultMessageTime {
		b.until = now.Add(defaultMessageTime)
		b.budget = fetch.NewBudget(fetch.BudgetLimits{
			Fetches: DefaultMessageFetches,
			Octets:  defaultMessageBytes,
			Until:   b.until,
		})
	}
	return b.budget
}

// A faultReader passes the errors of a reader, and its io.EOF, through a function.
type faultReader struct {
	io.Reader
	as func(error) error
}

func (f *faultReader) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil {
		err = f.as(err)
	}
	return n, err
}

func bodyOf(r io.Reader, c io.Closer) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{r, c}
}
