// Package externalbody finds the message/external-body parts of mail, says what
// they refer to, and gets it (RFC 2046 section 5.2.3, RFC 2017).
//
// [Open] indexes a message and yields a [Reference] for each such part, at any
// depth, also where the message is malformed. [Read] and [ReadRaw] make a
// Reference of a part that the caller has found. Reading contacts nobody.
//
// A [Resolver] turns a Reference into a [Body]. What that would do, whom it
// would contact and what they would learn, is in a [Plan] beforehand. The Body
// ends with io.EOF only if it is whole and is what the Reference promised.
//
//	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
//	msg, err := externalbody.Open(file, size, &externalbody.OpenOptions{Dialects: dialect.All()})
//	...
//	for alts := range msg.Alternatives() {
//		name, report, err := resolver.SaveFile(ctx, alts, folder) // an *os.Root
//		...
//	}
//
// [Message.Alternatives] yields a slice for each body, of the References to it. Each
// Reference says where the body is, and [Resolver.SaveFile] gets one of them and
// saves it; [Resolver.Save] writes to a [Sink], [Resolver.Resolve] streams.
//
// # Standards
//
// The package implements the reading side of RFC 2045, 2046, 2017, 2231 and
// 1864. Its functions are tolerant: what has one plausible meaning is read, and
// recorded as a [Diag]. A parameter that is given twice with different values
// is listed but never resolved, and neither is a part with two Content-Type fields
// that lead to different places.
package externalbody

import (
	"io"
	"iter"
	"sync"

	"github.com/go-extbody/extbody/internal/mimescan"
)

// OpenOptions are the options of Open. The zero value is what nil means.
type OpenOptions struct {
	// Dialects are the forms besides message/external-body parts that are
	// looked for; dialect.All has those that are known. With none, no part is
	// decoded but containers.
	Dialects []Dialect

	// Strict makes [Reference.Request] refuse a Reference that has Diags.
	Strict bool

	// MaxDepth bounds the nesting of parts, default 100; MaxParts their
	// number, default 10,000. What is beyond is not looked into, and
	// [Message.Incomplete] says so.
	MaxDepth, MaxParts int

	// MaxReferences bounds the number of References, default 10,000, and that
	// of the places where Dialects find them, to four times as many. Those
	// beyond are left out, and [Message.Incomplete] says so.
	MaxReferences int

	// MaxHeaderBytes bounds what is held of one header, default 256 KiB. It does
	// not count the Content-Type of a message/external-body. That field may have a
	// data: URL of any length, and up to 256 KiB besides.
	MaxHeaderBytes int64

	// MaxDecodedBytes bounds what is decoded, in memory, of containers under
	// base64 or quoted-printable and of signed messages of S/MIME, for all of them
	// together; default 64 MiB.
	MaxDecodedBytes int64
}

const (
	defaultHeaderBytes  = 256 << 10
	defaultDecodedBytes = 64 << 20
	defaultReferences   = 10_000
	maxPhantomBody      = 256 << 10
)

func (o *OpenOptions) withDefaults() OpenOptions {
	var c OpenOptions
	if o != nil {
		c = *o
	}
	if c.MaxHeaderBytes <= 0 {
		c.MaxHeaderBytes = defaultHeaderBytes
	}
	if c.MaxReferences <= 0 {
		c.MaxReferences = defaultReferences
	}
	if c.MaxDecodedBytes <= 0 {
		c.MaxDecodedBytes = defaultDecodedBytes
	}
	return c
}

// A Message is an index of a message: where its parts are, and the References
// in it. It is not changed by its methods, and may be used by several
// goroutines.
type Message struct {
	index      *mimescan.Index
	source     *source
	from       string // the address in the From field, "" if there is none
	refs       []*Reference
	incomplete error
	budget     messageBudget

	ids  lazy[refIDs]
	cids lazy[cidURLs]
	sum  lazy[digest]

	refused sync.Map // refusal: said no; see Consent
}

// Open indexes the message of size octets in r. It reads through the message
// once, in linear time, and keeps offsets and References only. r has to stay
// open until the last Body of the Message is closed.
//
// What a message says is never an error, however malformed. Errors are those of r,
// and Malformed for a Dialect whose Hosts are not hosts or of no known kind.
// [Message.Incomplete] reports limits that were reached.
func Open(r io.ReaderAt, size int64, opts *OpenOptions) (*Message, error) {
	o := opts.withDefaults()
	index, err := mimescan.Scan(r, size, mimescan.Limits{
		Depth:       o.MaxDepth,
		Parts:       o.MaxParts,
		HeaderBytes: o.MaxHeaderBytes,
	})
	if err != nil {
		return nil, err
	}
	m := &Message{index: index}
	m.source = &source{r: r, parts: index.Parts, maxHeader: o.MaxHeaderBytes, message: m}
	header, err := m.source.header(index.Root())
	if err != nil {
		return nil, err
	}
	if f, ok := mimescan.Lookup(header, "From", 0); ok {
		m.from = address(f.Value)
	}
	hosts, err := hostsOf(o.Dialects)
	if err != nil {
		return nil, err
	}
	rd := reader{opts: o, index: index, message: m, left: o.MaxDecodedBytes}
	rd.found.hosts = hosts
	defer rd.release()
	if err := rd.read(m.source); err != nil {
		return nil, err
	}
	if err := rd.readMentions(); err != nil {
		return nil, err
	}
	m.refs = rd.found.merged()
	for _, ref := range m.refs {
		ref.Signed, ref.Encrypted = ref.source.protection(ref.part)
	}
	if m.incomplete == nil && index.Limit != nil {
		m.incomplete = index.Limit
	}
	return m, nil
}

// References yields the References of the message in message order. Those
// inside a message/rfc822 part are among them, and those inside of a signed message
// of S/MIME (RFC 8551 section 3.5.2), whose Section is as if it were one, though an
// IMAP server knows of no such section. No signature is verified.
func (m *Message) References() iter.Seq[*Reference] {
	return func(yield func(*Reference) bool) {
		for _, ref := range m.refs {
			if !yield(ref) {
				return
			}
		}
	}
}

// Reference returns the Reference with that ID, nil if there is none.
func (m *Message) Reference(id string) *Reference {
	for _, ref := range m.refs {
		if ref.ID == id {
			return ref
		}
	}
	return nil
}

// Reader returns a reader of the octets of the message, as Open was given them. Each
// call returns another one.
func (m *Message) Reader() *io.SectionReader {
	return io.NewSectionReader(mimescan.Indexed{ReaderAt: m.source.r, Index: m.index}, 0, m.index.Size)
}

// Incomplete returns the limit because of which parts of the message were not
// looked into, or nil. The References before it are complete.
func (m *Message) Incomplete() error { return m.incomplete }
