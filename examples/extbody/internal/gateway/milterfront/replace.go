package milterfront

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/textproto"
	"slices"
	"strings"

	milter "github.com/emersion/go-milter"

	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// maxBodyPacket bounds the octets of a packet with a piece of a body.
const maxBodyPacket = 65_535

// errHeader is the error of a header that is too long to be compared.
var errHeader = errors.New("milter: the header is too long")

// replace asks the mail server to replace the message from by the one in to: the fields of
// its header that differ, and its body.
func replace(m *milter.Modifier, from, to *spool.Spool) error {
	before, _, err := header(from)
	after, off, err2 := header(to)
	errs := []error{err, err2}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		// Removing begins with the last one, so that the others keep their numbers.
		for i, old := range slices.Backward(before[name]) {
			value := "" // removes the field
			if i < len(after[name]) {
				value = after[name][i]
			}
			if value != old {
				errs = append(errs, m.ChangeHeader(i+1, name, value))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		for _, value := range after[name][min(len(before[name]), len(after[name])):] {
			errs = append(errs, m.AddHeader(name, value))
		}
	}
	buf := make([]byte, maxBodyPacket)
	for begun := false; !begun || off < to.Size(); begun = true {
		n, err := to.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			return errors.Join(append(errs, err)...)
		}
		// The library makes LF of each CRLF within a packet.
		if n == len(buf) && buf[n-1] == '\r' {
			n--
		}
		errs = append(errs, m.ReplaceBody(buf[:n]))
		off += int64(n)
	}
	return errors.Join(errs...)
}

// header returns the values of the fields of a message, by name, and where its body begins.
func header(s *spool.Spool) (map[string][]string, int64, error) {
	text, err := io.ReadAll(io.NewSectionReader(s, 0, maxPacket))
	if err != nil {
		return nil, 0, err
	}
	end := bytes.Index(text, []byte("\r\n\r\n")) + 2
	if end < 2 && !bytes.HasPrefix(text, []byte("\r\n")) {
		return nil, 0, errHeader
	}
	fields := make(map[string][]string)
	for f := range message.Fields(string(text[:max(end, 0)]), 0) {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		fields[name] = append(fields[name], strings.TrimPrefix(f.Value, " "))
	}
	return fields, int64(max(end, 0) + 2), nil
}
