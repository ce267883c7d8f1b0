package discover

import "bytes"

// maxName is how many octets of a line package message searches for the colon after the
// name of a field.
const maxName = 1024

// sample takes the samples that begin at indexes from to to-1 of t. It counts how many in
// a row may be in a header.
func (f *Filter) sample(t text, from, to int) {
	first := (t.base + int64(from) + sampleEvery - 1) / sampleEvery * sampleEvery
	for i := first - t.base; i < int64(to); i += sampleEvery {
		f.samples++
		if leavesHeader(t.b[i:min(int64(len(t.b)), i+ahead)]) {
			f.samples = 0
		}
		f.possible = f.possible || f.samples >= manySamples
	}
}

// leavesHeader reports whether b contains a line that cannot be in a header. The first
// line of b does not count, since it may be cut.
func leavesHeader(b []byte) bool {
	for {
		lf := bytes.IndexByte(b, '\n')
		if lf < 0 {
			return false
		}
		b = b[lf+1:]
		line := b[:min(len(b), maxName)]
		if lf = bytes.IndexByte(line, '\n'); lf >= 0 {
			line = line[:lf]
		} else if len(line) < maxName {
			return false // cut short
		}
		if !inHeader(line) {
			return true
		}
	}
}

// inHeader reports whether a line may be in a header: as a field, as the continuation of
// a field, or as a line that mailbox files have.
func inHeader(line []byte) bool {
	if bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From ")) {
		return true
	}
	if len(line) > 0 && isBlank(line[0]) {
		return true
	}
	i := 0
	for i < len(line) && line[i] > ' ' && line[i] != ':' && line[i] != 0x7F {
		i++
	}
	name := i
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	return name > 0 && i < len(line) && line[i] == ':'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
