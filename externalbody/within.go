package externalbody

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

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

// parent returns the part around p. It is a part of s, or the container of s, which is
// a part of s.outer. It is nil for the message.
func (s *source) parent(p *message.Part) *message.Part {
	if p.Parent != nil && p.Parent == s.standIn {
		return s.container
	}
	return p.Parent
}

// header returns the header of p, up to the limit. Only the beginning of a long
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

// ErrWholeMessage is in the error of Kind Unsupported of a Reference to a body in its own
// message, if the part that holds the body is not at hand. This is so after [ReadRaw], and
// if a message was opened without all of its octets. A caller fetches the whole message
// and opens that.
var ErrWholeMessage = errors.New("the message is not at hand: fetch the message and open it")

var errNotHere = errors.New("no other part of the message has this Content-ID")

// fetchWithin is the Fetcher of bodies without the network. It finds a part of the same
// message by access type content-id (RFC 1873) or a cid: URL (RFC 2392 section 2), and
// another message by a mid: URL.
func (r *Resolver) fetchWithin(ref *Reference) fetch.Func {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Scheme == "mid" {
			return r.fetchMID(ctx, req)
		}
		if ref.source == nil {
			return nil, &fetch.Error{Kind: fetch.Unsupported, Err: ErrWholeMessage}
		}
		return ref.source.fetch(ctx, req, ref.part.Message(), req.URL.Opaque, ref.AccessType == "content-id")
	}
}

// fetch returns the part that the text of a cid: URL names in the message at root.
func (s *source) fetch(ctx context.Context, req *fetch.Request, root *message.Part, text string, exactly bool) (*fetch.Response, error) {
	ids, err := decodeID(text)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		found, err := s.find(ctx, root, id)
		if err != nil {
			return nil, unread("", err)
		}
		if found == nil {
			continue
		}
		p, err := choose(found, exactly)
		if err != nil {
			return nil, err
		}
		return s.open(req, p)
	}
	return nil, &fetch.Error{Kind: fetch.NotFound, Err: errNotHere}
}

// reference returns the Reference whose Content-ID a cid: URL names. It returns nil if
// no part or Reference in the message of ref has it. A part that has the data comes
// before a Reference that only promises it.
func (r *Reference) reference(ctx context.Context, u *url.URL) (*Reference, error) {
	if r.source == nil || u.Scheme != "cid" || r.AccessType == "content-id" {
		return nil, nil
	}
	ids, err := decodeID(u.Opaque)
	if err != nil {
		return nil, err
	}
	root := r.part.Message()
	for _, id := range ids {
		found, err := r.source.find(ctx, root, id)
		if err != nil {
			return nil, unread("resolve", err)
		}
		if found != nil {
			return nil, nil
		}
		if other := r.source.message.reference(r.source, root, id); other != nil {
			return other, nil
		}
	}
	return nil, nil
}

// unread returns the error for a header of the message that could not be read. The Kind
// is Canceled if a context ended, and Unsupported if the octets are not at hand.
func unread(op string, err error) error {
	kind := fetch.Local
	switch fetch.KindOf(err) {
	case fetch.Canceled:
		kind = fetch.Canceled
	case fetch.Unsupported:
		kind = fetch.Unsupported
		err = fmt.Errorf("%w (%w)", ErrWholeMessage, err)
	}
	return &fetch.Error{Op: op, Kind: kind, Err: err}
}

// decodeID returns the Content-IDs that the text of a cid: URL may mean. The example of
// RFC 2392 section 2 contradicts its rule. The decoded text is therefore tried first,
// and then the text as it is.
func decodeID(text string) ([]string, error) {
	decoded, err := url.PathUnescape(text)
	if err != nil || decoded == "" {
		return nil, &fetch.Error{Kind: fetch.Malformed, Err: errSyntax}
	}
	ids := []string{"<" + decoded + ">"}
	if decoded != text {
		ids = append(ids, "<"+text+">")
	}
	return ids, nil
}

// choose returns the one part of parts that is meant. Access type content-id wants exactly
// one (RFC 1873 section 2.1). For a cid: URL it is the last one of a multipart/alternative
// around them (RFC 2392 section 2).
func choose(parts []*message.Part, exactly bool) (*message.Part, error) {
	around := parts[0].Parent
	formats := around != nil && around.Type == "multipart/alternative" &&
		!slices.ContainsFunc(parts, func(p *message.Part) bool { return p.Parent != around })
	if len(parts) > 1 && (exactly || !formats) {
		return nil, &fetch.Error{Kind: fetch.Malformed, Err: errors.New("several parts of the message have this Content-ID")}
	}
	return parts[len(parts)-1], nil
}

// open returns the decoded body of a part.
func (s *source) open(req *fetch.Request, p *message.Part) (*fetch.Response, error) {
	field, err := message.ReadSpan(s.r, p.ContentType.First(s.maxHeader))
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Local, Err: err}
	}
	mediaType := strings.TrimSpace(message.Unfold(message.FieldValue(field)))
	resp := &fetch.Response{URL: req.URL, MediaType: cmp.Or(mediaType, p.Type), Size: -1}
	src := message.NewErrReader(p.Body.Reader(s.r))
	var body io.Reader = src
	if d := message.DecodeStrict(src, p.Encoding); d != nil {
		body = d
	} else {
		resp.Size = p.Body.Len()
	}
	// If the message cannot be read, that is the error, whatever the decoder makes of it.
	resp.Body = io.NopCloser(&faultReader{body, func(err error) error {
		if src.Failure() != nil {
			err = &fetch.Error{Kind: fetch.Local, Err: src.Failure()}
		}
		return err
	}})
	return resp, nil
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

// bodyOf returns a body that is read from r and closed with c.
func bodyOf(r io.Reader, c io.Closer) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{r, c}
}

// fetchMID finds the message of a mid: URL by [Resolver].Messages, and the part in it
// if the URL names one.
func (r *Resolver) fetchMID(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if r.Messages == nil {
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errors.New("no store of messages was given")}
	}
	mid, cid, hasCID := strings.Cut(req.URL.Opaque, "/")
	id, err := url.PathUnescape(mid)
	if err != nil || id == "" {
		return nil, &fetch.Error{Kind: fetch.Malformed, Err: errSyntax}
	}
	m, err := r.Messages(ctx, "<"+id+">")
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, &fetch.Error{Kind: fetch.NotFound, Err: errors.New("no such message")}
	}
	if !hasCID {
		return &fetch.Response{
			URL:       req.URL,
			MediaType: "message/rfc822",
			Size:      m.index.Size,
			Body:      io.NopCloser(m.Reader()),
		}, nil
	}
	return m.source.fetch(ctx, req, m.index.Root(), cid, false)
}

// within reports whether the scheme names something in a message.
func within(scheme string) bool { return scheme == "cid" || scheme == "mid" }

// Match returns the body that arrives in answer to a Reference that was Pending. ref is
// of access type mail-server, and m is a message that came. The answer is recognized by
// the Content-ID of m or of one of its parts (RFC 2046 section 5.2.3.5). Its media type
// must agree with the announced one. It is decoded by its own header, and compared with
// the digest that ref promises.
//
// Everyone who saw the reference knows the Content-ID. A [Sender] other than the server is
// a warning, and an error of Kind Denied with Strict.
//
// The error is NotFound if m is not an answer to ref.
func (r *Resolver) Match(ctx context.Context, ref *Reference, m *Message) (*Body, error) {
	plan, req := r.plan(ref)
	if req == nil {
		return nil, plan.err
	}
	if ref.ContentID == "" {
		return nil, ref.fault(fetch.Malformed, "content-id", errMissing)
	}
	found, err := m.source.find(ctx, m.index.Root(), ref.ContentID)
	if err != nil {
		return nil, unread("match", err)
	}
	if len(found) != 1 {
		kind := fetch.NotFound
		if len(found) > 1 {
			kind = fetch.Malformed
		}
		return nil, &fetch.Error{Op: "match", URL: plan.URL, Kind: kind, Err: errors.New("not the answer: " + errNotHere.Error())}
	}
	server, _ := ref.Param("server")
	genuine := sameAddress(Sender(m.from...), Sender(server))
	if !genuine && r.Strict {
		return nil, &fetch.Error{Op: "match", URL: plan.URL, Kind: fetch.Denied, Err: errors.New("the answer is from somebody else")}
	}
	req.URL = &url.URL{Scheme: "cid", Opaque: segment(message.BareID(ref.ContentID))}
	req.Text = ""
	resp, err := fetch.Do(ctx, fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return m.source.open(req, found[0])
	}), req)
	if err != nil {
		return nil, err
	}
	b, err := r.admit(ctx, ref, plan, resp, &chain{trace: r.newTrace(ref)})
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	if !genuine {
		b.verify.report.Warnings = append(b.verify.report.Warnings, Diag{Code: DiagOtherSender, Param: "from"})
	}
	return b, nil
}

// message returns the Message that the Reference is in, or nil if it did not come from
// Open.
func (r *Reference) message() *Message {
	if r.source == nil {
		return nil
	}
	return r.source.message
}

// maxNesting bounds how often a fetched body may be a reference again.
const maxNesting = 5

// A chain is the way from a Reference to the data if it refers to another reference
// (RFC 2046 section 5.2.3.7).
type chain struct {
	seen map[string]bool // the Plans that were followed
	left int64           // octets that may still be read; < 0: no limit

	trace *trace

	promised []claim // of the References on the way
}

// follow remembers a Plan. It refuses a Plan that it has seen, and refuses too many.
func (c *chain) follow(p *Plan) error {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	switch {
	case c.seen[p.ID]:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: errors.New("the references form a circle")}
	case len(c.seen) > maxNesting:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: fmt.Errorf("more than %d references one after the other", maxNesting)}
	}
	c.seen[p.ID] = true
	return nil
}

// nested returns the Reference that the body of ref is. Its Content-Type with all
// parameters is in the phantom header of ref. Its own phantom header is in the data.
func (r *Resolver) nested(ref *Reference, body *Body) (*Reference, error) {
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, defaultHeaderBytes+maxPhantomBody+1))
	if err != nil {
		return nil, err
	}
	if len(data) > defaultHeaderBytes+maxPhantomBody {
		return nil, &fetch.Error{Op: "resolve", URL: body.verify.plan.URL, Kind: fetch.TooLarge, Err: errors.New("a reference of that size")}
	}
	var header strings.Builder
	for _, f := range ref.Header {
		header.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	inner, err := readRaw(header.String(), data, false)
	if err != nil {
		return nil, err
	}
	inner.ID, inner.Origins = ref.ID, ref.Origins
	inner.part, inner.source, inner.strict = ref.part, ref.source, ref.strict
	return inner, nil
}
