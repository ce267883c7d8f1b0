package externalbody

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// maxCIDOctets bounds how much of a cid: URL is kept and compared.
	maxCIDOctets = 256

	// maxCIDURLs bounds how many are kept of a message.
	maxCIDURLs = 100_000
)

// cidURLs are the texts after "cid:" in the octets of a message, sorted.
type cidURLs []string

// has reports whether one of the texts begins with id.
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
	buf := make([]byte, 0, 64<<10)
	for {
		n, err := io.ReadFull(src, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return nil, fmt.Errorf("the message: %w", err)
		}
		rest := buf
		for len(found) < maxCIDURLs {
			i := bytes.Index(rest, []byte(prefix))
			if i < 0 {
				rest = rest[max(0, len(rest)-len(prefix)+1):]
				break
			}
			rest = rest[i:]
			if len(rest) < len(prefix)+maxCIDOctets && !last {
				break
			}
			rest = rest[len(prefix):]
			text := cidText(rest)
			found = append(found, string(text))
			rest = rest[len(text):]
		}
		if last || len(found) == maxCIDURLs {
			slices.Sort(found)
			return slices.Compact(found), nil
		}
		buf = buf[:copy(buf[:cap(buf)], rest)]
	}
}

// cidText returns the text of a cid: URL that b begins with, up to maxCIDOctets.
func cidText(b []byte) []byte {
	b = b[:min(len(b), maxCIDOctets)]
	for i, c := range b {
		if c <= ' ' || c == '"' || c == '<' || c == '>' {
			return b[:i]
		}
	}
	return b
}
