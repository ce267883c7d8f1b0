package imapbody

import (
	"io"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
)

// needs are Dialects that read more than headers.
type needs []externalbody.Dialect

// text reports whether a Dialect reads the texts of a media type.
func (w needs) text(media string) bool {
	return (mailtext.IsHTML(media) || mailtext.IsPlain(media)) &&
		slices.ContainsFunc(w, func(d externalbody.Dialect) bool { return d.Text != nil })
}

// body reports whether a Dialect reads the bodies of parts of a media type.
func (w needs) body(media string) bool {
	return slices.ContainsFunc(w, func(d externalbody.Dialect) bool {
		return d.Read != nil && slices.Contains(d.Types, media)
	})
}

// named reports whether a Dialect reads the bodies of parts with one of these file names.
func (w needs) named(names ...string) bool {
	return slices.ContainsFunc(w, func(d externalbody.Dialect) bool {
		return d.Read != nil && message.HasExtension(names, d.Extensions)
	})
}

// prefixes reports whether a Dialect reads the starts of bodies.
func (w needs) prefixes() bool {
	return slices.ContainsFunc(w, func(d externalbody.Dialect) bool { return d.Read != nil && len(d.Prefixes) > 0 })
}

// of returns how much of the body of a part to ask for. 0 means nothing, and more than
// maxText means that it is too much.
func (w needs) of(p Part, k kind) int64 {
	size := p.Size()
	if k == reference || size <= smallBody {
		return step(size)
	}
	media := message.OpenedAs(mediaType(p), true, []string{p.FileName()})
	if w.mayRead(media) {
		return step(size)
	}
	if w.text(media) || w.body(media) || w.named(p.FileName()) {
		return step(size)
	}
	name := p.FileName()
	named := tnef.IsPart(media, name) || smime.IsPart(media, name) || message.MayBeArmored(media, name)
	if len(w) > 0 && named {
		return step(size)
	}
	if w.prefixes() && !isEncoded(p.Encoding()) {
		return maxPrefix
	}
	return 0
}

// mayRead reports whether Open reads a part that is opened as that media type, because of its name.
func (w needs) mayRead(media string) bool {
	return len(w) > 0 && (w.text(media) || w.body(media) || media == "message/rfc822")
}

// complete reports whether Open reads the whole body of a part of r.
func (w needs) complete(p *message.Part, r io.ReaderAt) bool {
	if p.Encoded || p.Type == "message/external-body" || w.text(p.Type) {
		return true
	}
	if len(w) > 0 && p.MayBeOpenedAs() {
		header, err := message.ReadSpan(r, p.Header)
		if err != nil || w.mayRead(p.OpenedAs(header)) {
			return true
		}
	}
	if len(w) == 0 || message.IsMultipart(p.Type) {
		return false
	}
	header, err := message.ReadSpan(r, p.Header)
	if err != nil || tnef.IsPart(p.Type, header) {
		return true
	}
	names := message.FileNames(header)
	return smime.IsPart(p.Type, names...) || message.MayBeArmored(p.Type, names...) || w.named(names...)
}

// prefix reports whether Open reads the start of the body of a part.
func (w needs) prefix(p *message.Part) bool {
	return w.prefixes() && p.Encoding == message.Identity && !message.IsMultipart(p.Type)
}

// A node is a part of a message, as the server described it.
type node struct {
	place    place
	index    int // in skeleton.nodes
	parent   *node
	children []*node

	size int64 // how much of its body is asked for; 0 if it is left out
	told int64 // how much of it there is, as the server counts
}

const (
	// maxText bounds a body that is fetched without the message.
	maxText = 1 << 20

	// maxSize bounds an RFC822.SIZE that is believed, so that sums with it do not
	// overflow.
	maxSize = 1 << 40

	// smallBody bounds a body that is fetched whatever it is: it costs no more than its
	// header.
	smallBody = 4 << 10

	// maxTop bounds the headers of a message that is fetched in one piece. Nearly all
	// are much smaller.
	maxTop = 24 << 10

	// smallRest bounds the octets that are fetched although they could be left out.
	smallRest = 8 << 10

	// maxPrefix is how much Open compares with the Prefixes of a Dialect.
	maxPrefix = 128
)

// steps are the sizes with which bodies are asked for. There are few of them, so that a
// client can ask for the same sections of many messages at once.
var steps = [...]int64{16 << 10, 64 << 10, 256 << 10, maxText}

// roundUp returns the size with which to ask for a start of n octets: a power of
// two, or one and a half of one, for the same reason.
func roundUp(n int64) int64 {
	s := int64(512)
	for ; s < n; s *= 2 {
		if n <= s/2*3 {
			return s / 2 * 3
		}
	}
	return s
}

// step returns the size with which to ask for a whole body of that size. It is larger
// than the body, so that it is known whether all of it came.
func step(size int64) int64 {
	for _, s := range steps {
		if size < s {
			return s
		}
	}
	return size + 1
}
