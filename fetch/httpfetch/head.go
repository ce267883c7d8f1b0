package httpfetch

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

var (
	errBareCR = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("a CR within a line of the header section")}
	errName   = &fetch.Error{
		Kind: fetch.Protocol, Err: errors.New("white space after the name of a field that delimits the body"),
	}
)

// readHead judges the head of an answer, and returns the one that net/http reads. net/http is
// lenient where other readers of the same answer find another end of the body:
//
//   - A CR that is not part of a line end is an error (RFC 9112 section 2.2).
//   - White space between the name Transfer-Encoding or Content-Length and its colon is an error
//     (RFC 9112 section 5.1). net/http ignores such a field.
//   - The transfer coding of an HTTP/1.0 answer is undone, as curl and wget do. net/http ignores it
//     there, and takes the chunks for the content. RFC 9112 section 6.1 calls such an answer faulty.
//   - After an answer with a transfer coding and a Content-Length, or a transfer coding in HTTP/1.0,
//     the connection is closed (RFC 9112 sections 6.1 and 6.3).
func readHead(head []byte) ([]byte, error) {
	if bytes.Count(head, []byte("\r")) != bytes.Count(head, []byte("\r\n")) {
		return nil, errBareCR
	}
	status, fields, _ := bytes.Cut(head, []byte("\n"))
	coded := false // by a transfer coding
	sized := false
	for line := range bytes.Lines(fields) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		bare := bytes.Trim(name, " \t")
		isCoding := strings.EqualFold(string(bare), "Transfer-Encoding")
		isLength := strings.EqualFold(string(bare), "Content-Length")
		if !isCoding && !isLength {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue // of the field before it (RFC 9112 section 5.2)
		}
		if len(bare) < len(name) {
			return nil, errName
		}
		coded = coded || isCoding && !strings.EqualFold(string(bytes.TrimSpace(value)), "identity")
		sized = sized || isLength
	}
	old := bytes.HasPrefix(status, []byte("HTTP/1.0 ")) || bytes.HasPrefix(status, []byte("HTTP/0."))
	if !coded || !old && !sized {
		return head, nil
	}
	read := make([]byte, 0, len(head)+len(closing))
	read = append(read, status...)
	read = append(read, "\n"+closing...)
	copy(read, "HTTP/1.1")
	return append(read, fields...), nil
}

// closing makes net/http close the connection after an answer.
const closing = "Connection: close\r\n"
