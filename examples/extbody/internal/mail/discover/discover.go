// Package discover tells, from the octets of a message and without parsing it,
// whether externalbody.Open can find a message/external-body in it. Most
// messages hold none, and a [Filter] passes over them at about the speed at
// which memory is read.
//
// A Filter never misses a reference. A message that it rules out has no Reference of the
// standard form and is within the default limits of Open, so Open would report nothing. A
// message that it does not rule out may have no Reference either. A Filter does not look
// for references that only dialects find.
//
// # Why nothing is missed
//
// Package message reads types from header fields, either in the octets of the message
// itself or in a container that it decoded. Each of these cases leaves a trace.
//
// A reference in the octets of the message has "external-body" in its type. A type may
// have white space and comments around its slash. But each half of it is one word (RFC
// 2045 section 5.1), or all of it is in quotes. So the octets "external-body" are in the
// message, uninterrupted, in some case of letters. Open also looks into signed messages
// of S/MIME. In the same way, these contain "pkcs7-mime".
//
// A container is decoded if it is a multipart or message part in base64 or
// quoted-printable. In today's mail, most leaves have one of these encodings, and almost
// no container does. Such a container has a Content-Type and a Content-Transfer-Encoding
// in one header. Both names contain "Content-T". A header ends at an empty line at the
// latest, so two fields with an empty line between them are not in one header. A value is
// judged by its first octets. If these are not letters, for example in a comment, the
// worst value is assumed. One container needs no Content-Type: a part of a
// multipart/digest (RFC 2046 section 5.1.5). A message with that type is not ruled out.
//
// Then there are the limits of Open. A message has at most one part for itself, one for
// each line that begins with "--", and one for each field Content-Type. If that makes
// fewer than 64 parts, none is 100 deep, there are fewer than 10,000, and their headers
// have less than 16 MiB, since at most 256 KiB of each are read. A header of more than
// 256 KiB has as many octets in which every line could be in a header. Samples at every
// 64 KiB find it.
//
// Each of "external-body", "pkcs7-mime", "Content-T" and "--" contains a "-". Base64
// contains none, and text contains few.
package discover

const (
	// ahead is how many octets after a place are known when it is judged, unless the
	// message ends before. If a header with a field that matters does not end within
	// them, the message is not ruled out.
	ahead = 4 << 10

	// behind is how many octets before a place are known when it is judged.
	behind = len("external")

	// manyParts is a number of parts below which no limit is reached; see the package
	// comment.
	manyParts = 64

	// A header of more than 256 KiB holds at least manySamples samples, one at every
	// sampleEvery octets. A sample is ahead octets long.
	sampleEvery = 64 << 10
	manySamples = 3
)

// A Filter judges one message after the other. The zero Filter is ready for the first
// one. A Filter must not be used by several goroutines at once.
type Filter struct {
	possible bool

	seen   int64  // how many octets were written
	judged int64  // how many of them were judged
	tail   []byte // the last octets written; the first of them are judged

	parts   int
	samples int // how many samples in a row, up to the last, may be in a header

	// container is where the last header ends that has a Content-Type of a container,
	// and hiding is where the last header ends that has a Content-Transfer-Encoding that
	// would hide it. Both are offsets in the message.
	container, hiding int64
}

// Reset makes the Filter ready for another message.
func (f *Filter) Reset() { *f = Filter{tail: f.tail[:0]} }

// Write takes the next octets of the message. It does not keep p. It returns false if the
// message cannot be ruled out any more. No more octets are needed then.
//
// The verdict does not depend on how a message is cut into pieces, with one exception:
// whether a long header keeps a message from being ruled out may depend on it.
func (f *Filter) Write(p []byte) (undecided bool) {
	if f.possible {
		return false
	}
	const keep = behind + ahead
	if len(f.tail)+len(p) <= 2*keep {
		f.tail = append(f.tail, p...)
		f.judge(f.tail, f.seen+int64(len(p)-len(f.tail)), false)
	} else {
		if have := len(f.tail); have > 0 {
			f.tail = append(f.tail, p[:min(len(p), keep)]...)
			f.judge(f.tail, f.seen-int64(have), false)
		}
		f.judge(p, f.seen, false)
		f.tail = append(f.tail, p[max(0, len(p)-keep):]...)
	}
	f.seen += int64(len(p))
	if n := len(f.tail) - keep; n > 0 {
		f.tail = append(f.tail[:0], f.tail[n:]...)
	}
	return !f.possible
}

// Possible reports whether the message may hold a reference. p has the octets of the
// message that were not written yet: all of them, the last ones, or none.
func (f *Filter) Possible(p []byte) bool {
	if f.seen > 0 {
		f.Write(p)
		p = f.tail
	} else {
		f.seen = int64(len(p))
	}
	if !f.possible {
		f.judge(p, f.seen-int64(len(p)), true)
	}
	return f.possible
}

// judge judges the octets of b that were not judged before and that have enough octets
// after them. If last is true, the message ends with b, and judge judges them all. base
// is the offset of b in the message.
func (f *Filter) judge(b []byte, base int64, last bool) {
	from, to := int(f.judged-base), len(b)
	if !last {
		to -= ahead
	}
	if from >= to || f.possible {
		return
	}
	f.judged = base + int64(to)
	t := text{b, base, last}
	f.sample(t, from, to)
	// A dash that is the first octet of a message belongs to nothing that is looked for.
	for i := indexDash(b, max(from, 1), to); i < to && !f.possible; i = indexDash(b, i+1, to) {
		switch b[i-1] {
		case 'l', 'L':
			if foldSuffix(b[:i], "external") && foldPrefix(b[i+1:], "body") {
				f.possible = true
			}
		case '7':
			if foldSuffix(b[:i], "pkcs7") && foldPrefix(b[i+1:], "mime") {
				f.possible = true
			}
		case 't', 'T':
			if foldSuffix(b[:i], "content") && foldPrefix(b[i+1:], "t") {
				f.field(t, i+1)
			}
		case '\n':
			if foldPrefix(b[i+1:], "-") {
				f.part()
			}
		}
	}
}

// part counts one place where a part may begin.
func (f *Filter) part() {
	f.parts++
	f.possible = f.possible || f.parts >= manyParts-1
}
