package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// key returns the key of a reference with a URL and a transfer encoding, "" if there is
// none.
func (r *ReferenceRecord) key(encoding string) string {
	text := r.URL + "\n" + r.Login
	if encoding != "" {
		text += "\n" + encoding
	}
	return digest(text)
}

// encoding returns the transfer encoding of a reference with a URL that is undone, as its
// key has it.
func (r *ReferenceRecord) encoding() string {
	for _, e := range []message.Encoding{message.Base64, message.QuotedPrintable} {
		if r.Key == r.key(e.String()) {
			return e.String()
		}
	}
	return ""
}

// short returns the start of a digest of all that the record has.
func (s *SourceRecord) short() string {
	text := fmt.Sprintf("%q %d %d %d %d %d %d %q %q",
		s.Source, s.UIDValidity, s.Exists, s.Seen, s.Stored, s.Excepted, s.Older, s.Error, s.Rules)
	if s.State != "" {
		text += fmt.Sprintf(" %q", s.State)
	}
	if s.Gone {
		text += " gone"
	}
	return shortSum(digest(text))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// encoding returns the transfer encoding that the reference gives its body, in lower case.
// It returns "" if there is nothing to undo.
func encoding(ref *externalbody.Reference) string {
	if ref.Dialect != "" {
		return ""
	}
	value := ref.Header.Get("Content-Transfer-Encoding")
	switch e := message.ParseEncoding(value); e {
	case message.Identity:
		return ""
	case message.UUEncode, message.OtherEncoding:
		return strings.ToLower(strings.TrimSpace(value))
	default:
		return e.String() // without comments
	}
}

// expectation returns the start of a digest of the promises of a reference: the media
// type, the size and digests. It returns "" if it has none. A size that a Dialect does not
// know to be exact is not a promise.
func expectation(plan *externalbody.Plan, ref *externalbody.Reference) string {
	var promises []string
	for _, c := range plan.Checks {
		switch c {
		case "size":
			if ref.Dialect == "" || slices.Contains(ref.Promises, "size") {
				promises = append(promises, "size "+strconv.FormatInt(ref.Size, 10))
			}
		case "media-type":
			promises = append(promises, "media-type "+ref.MediaType)
		default:
			promises = append(promises, c+" "+ref.Header.Get("Content-MD5"))
			for _, p := range ref.Params {
				if name := strings.ToLower(p.Name); name == "hash" || strings.Contains(name, "md5") || strings.Contains(name, "sha") {
					promises = append(promises, name+" "+p.Value)
				}
			}
		}
	}
	for _, f := range ref.Header {
		if strings.EqualFold(f.Name, "Repr-Digest") {
			promises = append(promises, "repr-digest "+f.Value)
		}
	}
	if len(promises) == 0 {
		return ""
	}
	slices.Sort(promises)
	return digest(strings.Join(slices.Compact(promises), "\n"))[:16]
}

// maxTop bounds how much of a message is read for the fields of its header, in octets.
const maxTop = 64 << 10

// headerOf returns the header with which a message starts.
func headerOf(top []byte) string {
	header := string(top)
	for _, end := range []string{"\n\n", "\n\r\n"} {
		if before, _, ok := strings.Cut(header, end); ok {
			header = before + "\n"
		}
	}
	return header
}

// describeMessage returns the record of a message: its size and some fields of its header.
func describeMessage(sum string, r *io.SectionReader) *MessageRecord {
	m := &MessageRecord{SHA256: sum, Size: r.Size()}
	top := make([]byte, min(maxTop, r.Size()))
	n, _ := r.ReadAt(top, 0)
	received := false
	for f := range message.Fields(headerOf(top[:n]), 0) {
		var to *string
		switch strings.ToLower(f.Name) {
		case "received":
			if !received { // the topmost field is of the server that has the mailbox
				m.Received = receivedAt(f.Line())
				received = true
			}
			continue
		case "message-id":
			to = &m.MessageID
		case "date":
			to = &m.Date
		case "from":
			to = &m.From
		case "subject":
			to = &m.Subject
		default:
			continue
		}
		if *to == "" {
			*to = fieldText(f.Line())
		}
	}
	return m
}
