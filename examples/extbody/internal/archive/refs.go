package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// MaxRefLine bounds a line of the file of [Refs], in octets.
const MaxRefLine = 1 << 20

// Refs returns the Source of a file of references whose messages are not at hand. The file
// has JSON lines as extbody list --json --exact-urls writes them. Each line is an object.
// Empty lines, and members other than these, are ignored:
//
//	ref            the ID of the reference; it must not be empty
//	dialect        "" for a message/external-body part
//	access_type    of such a part
//	params         of such a part: a list of pairs of a name and a value
//	url            where the body is; enough for a line without params
//	name           a name for the body
//	size           the size of the body
//	content_type   the media type of the body
//	expiration     RFC 3339
//	content_id     of the part
//	promises       of a dialect: the members that it knows to be exact
//	message_id     of the message with the reference
//
// A line of a part has access_type and params, and no dialect. Its size and content_type
// are promises. Those of another line are ignored, unless promises has "size" or "type".
//
// A line is kept as a message with one reference, an equivalent message/external-body part.
// The message is seen in the file, at the number of the line. Equivalent lines are the same
// message, wherever they are seen. A URL has the same key as in mail.
//
// A line is an exception, with its number, in these cases. The lines after it are read.
//
//   - It is not a JSON object of this form, or has no ref.
//   - It has neither a url nor access_type and params.
//   - It is longer than [MaxRefLine].
//   - Its URL was redacted.
func Refs(path string) Source {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return refs{path}
}

type refs struct{ path string }

func (f refs) Name() string            { return pathText(f.path) }
func (f refs) Exists() (int64, uint32) { return -1, 0 }

func (f refs) Messages(ctx context.Context, _ func(*Sighting) Known) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		whole := func(err error) { yield(&Item{Sighting: Sighting{Source: f.Name()}}, err) }
		file, err := os.Open(f.path)
		if err != nil {
			whole(err)
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, 64<<10)
		for n := 1; ; n++ {
			line, err := refLine(in)
			if err == io.EOF {
				return
			}
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil && !errors.Is(err, errRefLong) {
				whole(err)
				return
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var text []byte
			if err == nil {
				text, err = refMessage(line)
			}
			if _, ok := errors.AsType[*fetch.Error](err); err != nil && !ok {
				err = &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err}
			}
			item := &Item{
				Sighting: Sighting{Source: f.Name(), File: f.Name() + ":" + strconv.Itoa(n)},
				Content: func() (*io.SectionReader, error) {
					return io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), nil
				},
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

var (
	errRefLong     = errors.New("the line is longer than 1 MiB")
	errRefNone     = errors.New("the line is not one of a reference")
	errRefURL      = errors.New("the line names no URL and no access type")
	errRefRedacted = errors.New("the URL was redacted, and leads nowhere: it has to be listed with --exact-urls")
)

// refLine returns a line without its end. It reads a line that is too long to its end.
func refLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := in.ReadSlice('\n')
		if long = long || len(line)+len(piece) > MaxRefLine+1; !long {
			line = append(line, piece...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || long):
		case err != nil:
			return nil, err
		}
		if long {
			return nil, errRefLong
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
}

// A refRecord has the members of a line that count.
type refRecord struct {
	Ref         string      `json:"ref"`
	Dialect     string      `json:"dialect"`
	AccessType  string      `json:"access_type"`
	Params      [][2]string `json:"params"`
	URL         string      `json:"url"`
	Name        string      `json:"name"`
	Size        *int64      `json:"size"`
	ContentType string      `json:"content_type"`
	Expiration  time.Time   `json:"expiration"`
	ContentID   string      `json:"content_id"`
	Promises    []string    `json:"promises"`
	MessageID   string      `json:"message_id"`
}

// refMessage returns the message for a line. Equivalent lines give the same octets.
func refMessage(line []byte) ([]byte, error) {
	var rec refRecord
	if err := json.Unmarshal(line, &rec); err != nil {
		return nil, err
	}
	if rec.Ref == "" {
		return nil, errRefNone
	}
	standard := rec.Dialect == "" && rec.AccessType != "" && len(rec.Params) > 0
	if !standard && rec.URL == "" {
		return nil, errRefURL
	}
	ref := &externalbody.Reference{AccessType: "url", Size: -1, Name: rec.Name, Expiration: rec.Expiration, MediaType: "application/octet-stream"}
	ref.Params = externalbody.Params{{Name: "access-type", Value: "url"}, {Name: "url", Value: rec.URL}}
	if standard {
		ref.AccessType, ref.Params = rec.AccessType, nil
		for _, p := range rec.Params {
			ref.Params = append(ref.Params, externalbody.Param{Name: strings.ToLower(p[0]), Value: p[1]})
		}
	}
	for _, p := range ref.Params {
		if p.Name == "url" && redacted(p.Value) {
			return nil, errRefRedacted
		}
	}
	if rec.Size != nil && *rec.Size >= 0 && (standard || slices.Contains(rec.Promises, "size")) {
		ref.Size = *rec.Size
	}
	if rec.ContentType != "" && (standard || slices.Contains(rec.Promises, "type")) {
		ref.MediaType = rec.ContentType
	}
	if ref.ContentID = rec.ContentID; !isID(rec.ContentID) {
		ref.ContentID = "<" + digest(rec.URL + "\n" + rec.Ref)[:32] + "@refs.invalid>"
	}
	var b bytes.Buffer
	if isID(rec.MessageID) {
		fmt.Fprintf(&b, "Message-ID: %s\r\n", rec.MessageID)
	}
	b.WriteString("MIME-Version: 1.0\r\n")
	if _, err := ref.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// isID reports whether s can be written as a Message-ID or Content-ID without a change.
func isID(s string) bool {
	return len(s) > 2 && len(s) <= 250 && s[0] == '<' && s[len(s)-1] == '>' &&
		strings.IndexFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}

// redacted reports whether a URL was made for logs: package redact replaces secrets with
// "xxxxx" and "...".
func redacted(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, value, _ := strings.Cut(pair, "="); value == "xxxxx" {
			return true
		}
	}
	return slices.Contains(strings.Split(u.Path, "/"), "...") || strings.HasSuffix(text, "...")
}
