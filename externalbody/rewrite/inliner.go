package rewrite

import (
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
)

// An inliner is one call of Inline.
type inliner struct {
	opts InlineOptions
	ctx  *noDeadline // for everything but getting bodies
	layout
	guard     *guard
	adder     *adder
	marks     *marks // nil without Attach
	fallbacks *fallbacks
	file      spool.File       // of the bodies that are not short
	open      func() bodyStore // makes the place of a body
	workers   *workers         // get the bodies
	disk      context.Context  // ends when the disk takes no more octets
	fill      context.CancelFunc
	report    *Report
	size      int64 // of the message, with everything decided so far
	edits     []edit
	raised    map[*message.Part]bool // whose label is 8bit or will be
	places    map[*message.Part]bool // that may be replaced
	pages     map[*message.Part]*page
	bearers   func() (*bearers, error)  // reads them once
	rest      []*externalbody.Reference // of the body that was decided: those that promise another one
	buf       []byte                    // for copying
}

// InlineOptions are the options of Inline. A Resolver is needed. Everything else has a
// safe default.
type InlineOptions struct {
	// Resolver gets the bodies. Without one, Inline is an error of Kind Unsupported.
	//
	// If the size of a body is not the SIZE of its reference, the reference stays, with an error of Kind
	// SizeMismatch: the body may be cut short, or another one. Its Judge can accept it, see
	// externalbody.RefuseSize. The Judge is also asked about a part that may be the body already. For a body
	// that Attach adds, whose text stays, only sizes that are promised count; see
	// externalbody.Reference.Promises.
	Resolver *externalbody.Resolver

	// At is where the message is on its way; the default is Delivery.
	At Place

	// Select reports whether a reference is to be inlined; nil selects all. A reference
	// that is not selected stays as it is, even if another reference to the same body
	// is inlined.
	Select func(ref *externalbody.Reference) bool

	// Notice puts a text about it in place of a body that cannot be had, and removes
	// all references to that body. By default the references stay. They also stay
	//
	//   - if the body may arrive later,
	//   - if it was not asked for because of a limit,
	//   - if it was there but could not be written.
	Notice bool

	// KeepAlternatives leaves the other references to a body that was inlined. By
	// default those are removed whose promises the body keeps, so that the message has
	// the body only once.
	KeepAlternatives bool

	// DropOuter merges headers exactly by RFC 2046 section 5.2.2.1:
	//
	//   - The part around the reference loses its Content-Disposition,
	//     Content-Description and Content-Language. By default they stay if the phantom
	//     header has none.
	//   - A message that is a reference as a whole gets the Subject, Message-ID,
	//     Encrypted and MIME-Version of the phantom header. By default it keeps those
	//     that it has.
	DropOuter bool

	// Transport8bit means that the transport of the message from here on carries 8bit
	// data (RFC 6152).
	Transport8bit bool

	// Nested also rewrites messages within the message. This alters messages that were
	// forwarded.
	Nested bool

	// Location adds a Content-Location with the URL that the body came from. It does
	// not if the reference has one, or if the URL holds credentials or is one itself,
	// as with a share link.
	Location bool

	// ResultField is the name of a header field to add to each body. The field has how
	// the body was resolved, its SHA-256 and the time. "" adds none.
	ResultField string

	// Attach adds the bodies of references that a Dialect found. Each becomes an
	// attachment beside the text that names it, as described in the package comment. A picture
	// that a text/html shows becomes a part of a multipart/related, and its URLs in the text
	// become cid: URLs. By default such references are left. An added part is 7bit, quoted-printable or base64,
	// even with Transport8bit. It has no Content-Location, since the URL of a share
	// link is a credential. A body that cannot be had gets no Notice.
	Attach bool

	// AllowSVG allows SVG pictures that do more than show their own content. By default an SVG picture with
	// a script, an event handler, a page within it or a reference to anything outside of it stays where it
	// is, with an error of Kind Unsupported.
	AllowSVG bool

	// TempDir is where bodies are kept until the message is written. "" is the system's
	// folder for temporary files.
	TempDir string

	// MaxOutput bounds the octets of the message after inlining; 0 means no limit. A
	// body that would exceed it is left with all references to it, with an error of
	// Kind TooLarge. A message that exceeds it already gets nothing that makes it
	// larger.
	MaxOutput int64
}

// A page is a text/html whose pictures are put into the message.
type page struct {
	part   *message.Part
	point  *point // of the pictures; nil if the page must not be changed
	reason error  // why it must not
	cuts   []cut  // the URLs that are replaced, in order
}

// A job is a body to ask for.
type job struct {
	item     Item
	refs     []*externalbody.Reference // to be tried; empty if the item is decided already
	attached bool
	host     string // of the first of refs; "" if that contacts no host

	// The outcome, after done is closed.
	done   chan struct{}
	sink   *sink
	report *externalbody.Report
	err    error
}

// A workers is a worker pool that runs jobs, in order. A job that waits for its host does not
// hold up the others.
type workers struct {
	run    func(*job)
	group  sync.WaitGroup
	thrown chan struct{} // closed after end is set
	end    rethrow.End   // of the first job that did not return

	mu   sync.Mutex
	jobs []*job // that have not started
	busy map[string]int
	over bool // a job did not return
}

// A sink puts one body into a spool, and surveys it. It is an externalbody.Sink with the method Begin.
type sink struct {
	x      *inliner
	body   bodyStore
	most   int64 // octets that the body may have
	survey survey
	err    error // of the spool
}

// A bodyStore is where a body waits until the message is written, as in a spool.Spool.
type bodyStore interface {
	io.Writer
	io.ReaderAt
	Reset() error
}

// A noDeadline is a context without its deadline while bodies are resolved. If the
// deadline passes meanwhile, it does not count afterwards either: a body that was resolved in
// time is written.
type noDeadline struct {
	context.Context
	strict bool // the deadline counts
}

// place returns the part to replace for a reference that is not unfit: its own, or the
// fallback around it.
func (x *inliner) place(ref *externalbody.Reference) (*message.Part, error) {
	fallback, err := x.fallbacks.around(x.partOf(ref))
	return cmp.Or(fallback, x.partOf(ref)), err
}
