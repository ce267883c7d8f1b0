// Package discover tells, from the octets of a message and without parsing it,
// whether externalbody.Open can find a message/external-body in it. Most
// messages hold none, and a [Filter] passes over them at about the speed at
// which memory is read.
//
// A Filter never misses. A message that it rules out has no Reference of the standard
// form, and is within the default limits of Open, so that Open would report nothing. It
// may be wrong the other way. It does not look for what dialects find.
//
// # Why nothing is missed
//
// Package mimescan reads types from header fields as they are in the octets of the
// message, or in those of a container that was decoded.
//
// A type may have white space and comments around its slash. But each half of it is one
// word (RFC 2045 section 5.1), or all of it is in quotes. So in every spelling the
// octets "external-body" are in the message, in some case and uninterrupted. They show
// a reference that is in the octets themselves. A signed message of S/MIME is looked
// into by Open, and shows in the same way by "pkcs7-mime".
//
// A container is decoded if it is a multipart or message part under base64 or
// quoted-printable. All leaves of today's mail are under these, and almost no container
// is. What tells is a Content-Type and a Content-Transfer-Encoding in one header. Both
// names contain "Content-T". Each header ends with an empty line, if not before, so two
// fields with an empty line between them are not in one header. A value is judged by
// its first octets. If these are not letters, for example where a comment stands first,
// the value counts as the worst. One container needs no Content-Type: a part of a
// multipart/digest (RFC 2046 section 5.1.5). A message that has such a type is possible
// at once.
//
// As to the limits, a message has at most one part for itself, one for each line that
// begins with "--" and one for each field Content-Type. With fewer than 64 parts, none
// is 100 deep, there are fewer than 10,000, and their headers are less than 16 MiB,
// since at most 256 KiB of each are read. A longer header has 256 KiB without a line
// that no header has, and samples at every 64 KiB find it.
//
// All of "external-body", "pkcs7-mime", "Content-T" and "--" contain a "-". Base64 has none,
// and text has few.
package discover

const (
	// ahead is how many octets after a place are known when it is judged, unless the
	// message ends. A header that does not end within them makes a message possible.
	ahead = 4 << 10

	// behind is how many octets before a place are known when it is judged.
	behind = len("external")

	// manyParts is a number of parts with which no limit is reached; see the package
	// comment.
	manyParts = 64

	// A header of more than 256 KiB holds at least manySamples samples, one at every
	// sampleEvery octets. A sample is ahead octets long.
	sampleEvery = 64 << 10
	manySamples = 3
)

// A Filter judges one message after the other. The zero Filter is ready for the first
// one. Several goroutines must not use it at once.
type Filter struct {
	possible bool

	seen   int64  // octets that were given
	judged int64  // octets that were looked at
	tail   []byte // the last octets seen, of which only the first are judged

	parts   int
	samples int // how many of the last samples in a row may be of a header

	// These are the offsets up to which the headers go that had a Content-Type of a
	// container, and a Content-Transfer-Encoding that hides it.
	container, hiding int64
}

// Reset makes the Filter ready for another message.
func (f *Filter) Reset() { *f = Filter{tail: f.tail[:0]} }

// Write takes the next octets of the message and does not keep them. It returns false
// if the message is possible already; Write then needs no more.
//
// How a message is cut into pieces matters to no message but one that cannot be ruled
// out because of the length of a header.
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

// Possible reports whether the message may hold a reference. Its last octets are
// p, which may be all of them or none.
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

// judge looks at the octets of b that were not looked at before and that have enough
// others after them. If b is the last, it looks at all of them. base is the offset of b
// in the message.
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
	// Nothing that is looked for contains the first octet of a message.
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

// part counts what may be the start of a part.
func (f *Filter) part() {
	f.parts++
	f.possible = f.possible || f.parts >= manyParts-1
}
