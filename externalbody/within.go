package externalbody

import (
	"bufio"
	"bytes"
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
		return ref.source.fetch(ctx, req, ref.part.Message(), req.URL.Opaque, ref.InMessage())
	}
}

// fetch returns the part that the text of a cid: URL names in the message at root.
func (s *source) fetch(
	ctx context.Context, req *fetch.Request, root *message.Part, text string, exactly bool,
) (*fetch.Response, error) {
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
	if r.source == nil || u.Scheme != "cid" || r.InMessage() {
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

// fetchMID finds the message of a mid: URL by [Resolver].Messages, and the part in it
// if the URL names one.
func (r *Resolver) fetchMID(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if r.Messages == nil {
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errors.New("Resolver.Messages is not set")}
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

// find returns the parts with a Content-ID in the message at root, or nil. Parts that
// are references themselves do not count. The headers of the source are read at the
// first call.
func (s *source) find(ctx context.Context, root *message.Part, id string) ([]*message.Part, error) {
	ids, err := s.ids.get(func() (partIDs, error) { return s.readIDs(ctx) })
	if err != nil {
		return nil, err
	}
	return ids[identity{root, id}], nil
}

// readIDs reads the Content-ID of every part that is not a reference.
func (s *source) readIDs(ctx context.Context) (partIDs, error) {
	by := make(partIDs)
	for _, p := range s.parts {
		if p.Type == externalBody {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		header, err := s.header(p)
		if err != nil {
			return nil, err
		}
		f, ok := message.Lookup(header, "Content-ID", 0)
		if !ok {
			continue
		}
		if k := (identity{p.Message(), message.ContentID(f.Value)}); k.id != "" {
			by[k] = append(by[k], p)
		}
	}
	return by, nil
}

// reference returns the first Reference with a Content-ID in the message at root in a
// source, or nil.
func (m *Message) reference(s *source, root *message.Part, id string) *Reference {
	for _, ref := range m.refs {
		if ref.ContentID == id && ref.source == s && ref.part.Message() == root {
			return ref
		}
	}
	return nil
}

const (
	// maxCIDOctets bounds how much of a cid: URL is kept and compared.
	maxCIDOctets = 256

	// maxCIDURLs bounds how many are kept of a message.
	maxCIDURLs = 100_000
)

// has reports whether one of the texts starts with id.
func (c cidURLs) has(id string) bool {
	id = id[:min(len(id), maxCIDOctets)]
	i, _ := slices.BinarySearch(c, id)
	return i < len(c) && strings.HasPrefix(c[i], id)
}

// cidURLs returns the cid: URLs in the message, which it reads only once.
func (m *Message) cidURLs() (cidURLs, error) {
	return m.cids.get(func() (cidURLs, error) {
		return readCIDURLs(m.Reader())
	})
}

// readCIDURLs reads src to its end.
func readCIDURLs(src io.Reader) (cidURLs, error) {
	const prefix = "cid:"
	var found cidURLs
	br := bufio.NewReader(src)
	for len(found) < maxCIDURLs {
		b, err := br.Peek(len(prefix) + maxCIDOctets)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("the message: %w", err)
		}
		if len(b) == 0 {
			break
		}
		skip := len(b)
		if i := bytes.Index(b, []byte(prefix)); i == 0 {
			text := cidText(b[len(prefix):])
			found = append(found, string(text))
			skip = len(prefix) + len(text)
		} else if i > 0 {
			skip = i
		} else if err == nil {
			skip -= len(prefix) - 1
		}
		br.Discard(skip)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// cidText returns the text of a cid: URL that b starts with, up to maxCIDOctets.
func cidText(b []byte) []byte {
	b = b[:min(len(b), maxCIDOctets)]
	for i, c := range b {
		delimits := c == '"' || c == '<' || c == '>'
		if c <= ' ' || delimits {
			return b[:i]
		}
	}
	return b
}
