package rewrite

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

var (
	errProtected = errors.New("inside signed or encrypted content")
	errHeaderEnd = errors.New("its header ends with a line that is neither empty nor a field")
	errDecoding  = errors.New("mail programs disagree about its transfer encoding")
	errAmbiguous = errors.New("mail programs disagree about the structure of the message")
)

// A guard decides which parts must not be changed.
type guard struct {
	r         io.ReaderAt
	at        Place
	nested    bool
	signed    map[*message.Part]bool  // by the part that is a message; true if its header is too long to know
	headers   map[*message.Part]int64 // see headerEnd
	ambiguous bool                    // mail programs disagree about the structure of the message
}

// newGuard returns a guard of the message in r. m is nil if r is a part of a message.
func newGuard(m *externalbody.Message, r io.ReaderAt, at Place, nested bool) *guard {
	g := &guard{r: r, at: at, nested: nested, signed: make(map[*message.Part]bool), headers: make(map[*message.Part]int64)}
	if m == nil {
		return g
	}
	for u := range m.Unread() {
		g.ambiguous = g.ambiguous || u.Reason == externalbody.DiagAmbiguous
	}
	return g
}

// refuseEntity returns why the entity p must not be written with another header, as a
// fetch.Error, or nil if it may be. The second result is an error of the source.
func (g *guard) refuseEntity(p *message.Part) (reason, err error) {
	switch {
	case p.Diag.Has(message.MissingBlank):
		// Readers differ about where its header ends.
		return leave(fetch.Malformed, errHeaderEnd), nil
	case p.Diag.Has(message.BareCR):
		return leave(fetch.Malformed, errors.New("its header has a CR that does not belong to a line end")), nil
	case p.Disputed() && p.Type != externalBody: // the body of a reference is elsewhere
		return leave(fetch.Malformed, errDecoding), nil
	}
	return g.refuse(p)
}

// refuse returns why nothing in or beside p may be changed, like refuseEntity.
func (g *guard) refuse(p *message.Part) (reason, err error) {
	if g.ambiguous {
		return leave(fetch.Malformed, errAmbiguous), nil
	}
	isMessage := p.Parent != nil && !message.IsMultipart(p.Parent.Type)
	if isMessage && p.Parent.Header.Len() > 0 && p.Parent.Blank.Len() == 0 {
		// A header in this place would become part of the header of p.
		return leave(fetch.Malformed, errors.New("no empty line is between it and the header of the part around it")), nil
	}
	for q := p; q != nil; q = q.Parent {
		if q != p {
			end, err := g.headerEnd(q)
			if err != nil {
				return nil, err
			}
			if p.Header.Start <= end {
				return leave(fetch.Malformed, errHeaderEnd), nil
			}
		}
		if q != p && isProtected(q.Type) {
			return leave(fetch.Denied, errProtected), nil // RFC 1847 section 2.1
		}
		inside := q.Parent != nil && q == q.Message()
		if inside && !g.nested {
			return leave(fetch.Denied, ErrNested), nil
		}
		if g.at == Delivery || q.Parent != nil && !inside {
			continue
		}
		signed, ok := g.signed[q]
		if !ok {
			fs, tooLong, err := fields(g.r, q)
			if err != nil {
				return nil, err
			}
			signed = tooLong != nil || slices.ContainsFunc(fs, func(f message.Field) bool { return isSignature(f.Name) })
			g.signed[q] = signed
		}
		if signed {
			return leave(fetch.Denied, ErrInTransit), nil // RFC 6376 section 3.4
		}
	}
	return nil, nil
}

// headerEnd returns where the header of p ends for the programs that read it up to an
// empty line, or -1 if all programs agree about its end.
func (g *guard) headerEnd(p *message.Part) (int64, error) {
	if p.Blank.Len() > 0 {
		return -1, nil
	}
	end, ok := g.headers[p]
	if ok {
		return end, nil
	}
	body, err := message.ReadSpan(g.r, p.Body.First(maxHeader))
	if err != nil {
		return 0, local(err)
	}
	end = -1
	startsParts := p.Boundary != "" && strings.HasPrefix(body, "--"+p.Boundary)
	if p.Diag.Has(message.BareCR) || p.Diag.Has(message.MissingBlank) && !startsParts {
		end = p.Body.Start
		for line := range strings.Lines(body) {
			if strings.Trim(line, "\r\n") == "" {
				break
			}
			end += int64(len(line))
		}
	}
	g.headers[p] = end
	return end, nil
}

// authentication sets the facts in the header of the message about its signatures.
func (r *Report) authentication(src io.ReaderAt, root *message.Part) error {
	fs, _, err := fields(src, root)
	if err != nil {
		return err
	}
	for _, f := range fs {
		switch {
		case isSignature(f.Name):
			r.Signatures = append(r.Signatures, f.Name)
		case strings.EqualFold(f.Name, "Authentication-Results"):
			r.AuthResults = append(r.AuthResults, f.Text())
		}
	}
	return nil
}

// isSignature reports whether a field of that name covers the message (RFC 6376
// section 3.5, RFC 8617 section 4).
func isSignature(name string) bool {
	return slices.Contains([]string{"dkim-signature", "arc-seal", "arc-message-signature"}, strings.ToLower(name))
}

// isProtected reports whether the contents of a part of that type are signed or
// encrypted.
func isProtected(mediaType string) bool {
	return mediaType == "multipart/signed" || mediaType == "multipart/encrypted"
}

// isComposite reports whether RFC 2045 section 6.4 forbids encoding data of that type.
// RFC 6532 section 3.5 allows it for message/global.
func isComposite(mediaType string) bool {
	return message.IsMultipart(mediaType) || strings.HasPrefix(mediaType, "message/") && mediaType != "message/global"
}

// boundaries returns the boundaries of all multiparts around p.
func boundaries(p *message.Part) []string {
	var b []string
	for q := p.Parent; q != nil; q = q.Parent {
		if q.Boundary != "" {
			b = append(b, q.Boundary)
		}
	}
	return b
}
