// Package externalbody finds the message/external-body parts of mail, describes the bodies
// that they refer to, and gets them (RFC 2046 section 5.2.3, RFC 2017).
//
// [Open] indexes a message and makes a [Reference] of each such part, at any depth,
// even where the message is malformed. [Read] and [ReadRaw] make a Reference of a part
// that the caller has found. Reading uses no network.
//
// The body of such a part begins with a second header, which describes the data that the
// part stands for. It is called the phantom header here.
//
// A [Resolver] turns a Reference into a [Body]. Its [Plan] lists beforehand the hosts that
// would be contacted and the facts that they would learn. The Body ends with io.EOF only if
// it is whole and as the Reference promised.
//
//	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
//	msg, err := externalbody.Open(file, size, &externalbody.OpenOptions{Dialects: dialect.All()})
//	...
//	for alts := range msg.Alternatives() {
//		name, report, err := resolver.SaveFile(ctx, alts, folder) // an *os.Root
//		...
//	}
//
// [Message.Alternatives] yields one slice for each body. The slice holds the References
// to that body, each of which is a way to get it. [Resolver.SaveFile] saves the body to
// a file by the first way that succeeds. [Resolver.Save] writes it to a [Sink] instead,
// and [Resolver.Resolve] streams it.
//
// # To write a reference
//
// A program that sends mail fills in a Reference and calls [Reference.WriteTo], which
// writes the whole part. It refuses all that [Open] would read with a [Diag].
//
//	sum := sha256.Sum256(data)
//	ref := &externalbody.Reference{
//		AccessType: "url",
//		Params:     externalbody.Params{{Name: "url", Value: "https://files.example/report.pdf"}},
//		MediaType:  "application/pdf",
//		Name:       "report.pdf",
//		Size:       int64(len(data)),
//		ContentID:  externalbody.NewContentID("mail.example"),
//		Digests:    []externalbody.Digest{{Algorithm: "sha-256", Sum: sum[:]}},
//	}
//	_, err := ref.WriteTo(w)
//
// # Standards
//
// The package implements the reading side of RFC 2045, 2046, 2017, 2231 and 1864. Its
// functions are tolerant: input with one plausible meaning is read, and a [Diag] records
// each fault that was forgiven. Two kinds of parts are listed but never resolved: one with a
// parameter that is given twice with different values, and one with two Content-Type
// fields that lead to different places.
package externalbody

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// OpenOptions are the options of Open. nil means the zero value.
type OpenOptions struct {
	// Dialects are the forms to look for besides message/external-body parts.
	// dialect.All returns those that are known. Without Dialects only containers are
	// decoded.
	Dialects []Dialect

	// Strict makes [Reference.Request] refuse a Reference that has Diags.
	Strict bool

	// MaxDepth bounds the nesting of parts; the default is 100. MaxParts bounds their
	// number; the default is 10,000. Parts beyond these limits are not read, and
	// [Message.Incomplete] reports it.
	MaxDepth, MaxParts int

	// MaxReferences bounds the number of References; the default is 10,000. Dialects
	// may find them in four times as many places. References beyond these limits are left
	// out, and [Message.Incomplete] reports it.
	MaxReferences int

	// MaxHeaderBytes bounds the memory for one header; the default is 256 KiB. The
	// Content-Type of a message/external-body part does not count. It may hold a data:
	// URL of any length, and up to 256 KiB besides.
	MaxHeaderBytes int64

	// MaxDecodedBytes bounds the octets that are decoded, for all parts of a message
	// together; the default is 64 MiB. It counts containers under base64 or
	// quoted-printable, signed messages of S/MIME, winmail.dat of Outlook, and each
	// text of more than 256 KiB that may hold a link. [Message.Incomplete] reports that
	// something was left out.
	MaxDecodedBytes int64
}

const (
	defaultHeaderBytes  = 256 << 10
	defaultDecodedBytes = 64 << 20
	defaultReferences   = 10_000
	maxPhantomBody      = 256 << 10
)

func (o *OpenOptions) withDefaults() OpenOptions {
	c := *cmp.Or(o, new(OpenOptions))
	c.MaxHeaderBytes = cmp.Or(max(0, c.MaxHeaderBytes), defaultHeaderBytes)
	c.MaxReferences = cmp.Or(max(0, c.MaxReferences), defaultReferences)
	c.MaxDecodedBytes = cmp.Or(max(0, c.MaxDecodedBytes), defaultDecodedBytes)
	return c
}

// A Message is an index of a message: where its parts are, and the References in it.
// Its methods do not change it, and several goroutines may call them.
type Message struct {
	index      *message.Index
	source     *source
	from       []string // the values of the first two From fields
	refs       []*Reference
	incomplete error
	unread     []UnreadPart
	budget     messageBudget

	cids lazy[cidURLs]
	sum  lazy[digest]

	refused sync.Map // refusal: said no; see Consent
}

// Open indexes the message of size octets in r. It reads the message once, in linear
// time, and keeps only offsets and References. r must stay open until the last Body of
// the Message is closed.
//
// A malformed message is not an error, and neither is a limit that was reached, which
// [Message.Incomplete] reports. Open fails if r fails. It fails with Malformed if the
// Hosts of a Dialect are not host names or are of an unknown kind.
func Open(r io.ReaderAt, size int64, opts *OpenOptions) (*Message, error) {
	o := opts.withDefaults()
	scanned, ok := r.(message.IndexedReader)
	if !ok {
		index, err := message.Scan(r, size, message.Limits{
			Depth:       o.MaxDepth,
			Parts:       o.MaxParts,
			HeaderBytes: o.MaxHeaderBytes,
		})
		if err != nil {
			return nil, err
		}
		scanned = message.IndexedReader{ReaderAt: r, Index: index}
	}
	r, index := scanned.ReaderAt, scanned.Index
	m := &Message{index: index}
	m.source = &source{r: r, parts: index.Parts, maxHeader: o.MaxHeaderBytes, message: m}
	hosts, err := hostsOf(o.Dialects)
	if err != nil {
		return nil, err
	}
	rd := reader{opts: o, index: index, message: m, left: o.MaxDecodedBytes, found: newFindings(hosts), bases: make(map[*message.Part]string)}
	defer rd.release()
	if m.refs, err = rd.readAll(m.source); err != nil {
		return nil, err
	}
	m.from = fromFields(rd.top, index.Root())
	if err := rd.readOtherwise(m.source, size); err != nil {
		return nil, err
	}
	if m.incomplete == nil && index.Limit != nil {
		m.incomplete = index.Limit
	}
	if m.incomplete != nil {
		m.unread = append(m.unread, UnreadPart{Reason: DiagCutShort, Detail: m.incomplete.Error()})
	}
	return m, nil
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
		l.value, l.made = value, true
	}
	return l.value, nil
}
