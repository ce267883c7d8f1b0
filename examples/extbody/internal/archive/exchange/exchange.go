// Package exchange writes and reads the files in which an archive has the requests to servers and their answers: WARC
// files of one run each, in which the records of one attempt lie together.
package exchange

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/wording"
)

// The content types of our metadata records.
const (
	EntryType    = "application/vnd.extbody.entry+json"    // the last record of an attempt, with the members of its line
	exchangeType = "application/vnd.extbody.exchange+json" // an exchange that is not HTTP, or how the connection of one by HTTP was made
)

// maxFile is the size in octets above which the next file is started.
const maxFile = 1 << 30

// maxFiles bounds the files of another run with the same number that are passed over.
const maxFiles = 999

// A Writer writes the exchanges of one run. Its methods may be called from
// several goroutines at once.
type Writer struct {
	dir    string
	run    int64 // the number of the line with which the run started
	agent  string
	mu     sync.Mutex
	file   *os.File
	name   string
	files  int64 // how many the run has started
	size   int64
	broken error
}

// NewWriter returns a Writer for the run that started with a line.
func NewWriter(dir string, run int64, agent string) *Writer {
	return &Writer{dir: dir, run: run, agent: agent}
}

// Files returns the names of the files of exchanges that run and later runs have
// written, in the order of their names.
func Files(dir string, run int64) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if n, ok := RunOf(e.Name()); ok && n >= run {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// fileName returns the name of file k of a run, counted from 1.
func fileName(run, k int64) string { return fmt.Sprintf("%08d-%04d.warc.gz", run, k) }

// RunOf returns the run that wrote a file of exchanges.
func RunOf(name string) (int64, bool) {
	var n, k int64
	_, err := fmt.Sscanf(name, "%d-%d.warc.gz", &n, &k)
	return n, err == nil && name == fileName(n, k) // Sscanf ignores the rest
}

// Write appends the records of an attempt and returns where they are. Only Sync puts them
// on the disk. After an error of the disk nothing more can be written.
func (w *Writer) Write(records []*warc.Record) (*Span, error) {
	var b bytes.Buffer
	for _, r := range records {
		if err := r.Write(&b); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		return nil, w.broken
	}
	if w.file == nil || w.size > maxFile {
		if err := w.next(&b); err != nil {
			return nil, err
		}
	}
	if _, err := w.file.WriteAt(b.Bytes(), w.size); err != nil {
		// The part that was written is removed.
		w.file.Truncate(w.size)
		w.broken = fmt.Errorf("exchanges: %w", err)
		return nil, w.broken
	}
	sum := sha256.Sum256(b.Bytes())
	s := &Span{File: w.name, Offset: w.size, Length: int64(b.Len()), SHA256: hex.EncodeToString(sum[:])}
	w.size += s.Length
	return s, nil
}

// next starts a file, and puts its warcinfo record before the records in b.
func (w *Writer) next(b *bytes.Buffer) error {
	name := fileName(w.run, w.files+1)
	f, err := os.OpenFile(filepath.Join(w.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	for errors.Is(err, os.ErrExist) && w.files < maxFiles { // of a run whose lines are lost
		w.files++
		name = fileName(w.run, w.files+1)
		f, err = os.OpenFile(filepath.Join(w.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return err
	}
	if err := atomicfile.SyncFolder(w.dir); err != nil {
		f.Close()
		return err
	}
	if w.file != nil {
		if err := errors.Join(w.file.Sync(), w.file.Close()); err != nil {
			f.Close()
			return err
		}
	}
	w.file = f
	w.name = name
	w.size = 0
	w.files++
	info := &warc.Record{
		Type:        warc.Info,
		Date:        time.Now(),
		ContentType: warc.FieldsType,
		Fields:      []warc.Field{{Name: "WARC-Filename", Value: name}},
		Block: fmt.Appendf(nil, "software: %s\r\nformat: WARC File Format 1.1\r\n"+
			"conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"+
			"isPartOf: run %d\r\n", w.agent, w.run),
	}
	var head bytes.Buffer
	if err := info.Write(&head); err != nil {
		return err
	}
	head.Write(b.Bytes())
	*b = head
	return nil
}

// Sync puts the records that were written on the disk.
func (w *Writer) Sync() error {
	w.mu.Lock()
	f := w.file
	w.mu.Unlock()
	if f == nil {
		return nil
	}
	return f.Sync()
}

// Close closes the file. It does not sync it.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	w.broken = os.ErrClosed
	return f.Close()
}

// Records returns the records of an attempt: the records of each exchange, and a last one
// with the line of the attempt, given as its kind and body. object is the digest of the
// captured body, or "".
func Records(exchanges []*fetch.Exchange, kind string, body any, object string) ([]*warc.Record, error) {
	var list []*warc.Record
	var ids []string
	for _, x := range exchanges {
		// WARC has no form of its own for how the connection was made, or for other
		// protocols.
		c := *x
		if x.Protocol == "http" || x.Protocol == "connect" {
			c.RequestHead = nil
			c.ResponseHead = nil
			req := &warc.Record{
				Type:        warc.Request,
				URI:         x.URL,
				Date:        x.Started,
				ContentType: warc.RequestType,
				Block:       x.RequestHead,
				Fields:      address(x),
			}
			list = append(list, req)
			ids = append(ids, req.ID())
			if len(x.ResponseHead) > 0 {
				resp := response(x, object)
				resp.Fields = append(resp.Fields, warc.Field{Name: "WARC-Concurrent-To", Value: req.ID()})
				list = append(list, resp)
				ids = append(ids, resp.ID())
			}
		}
		if len(x.ResponseHead) > 0 || brought(x, object) {
			c.Beginning = nil
		}
		text, err := json.Marshal(&c)
		if err != nil {
			return nil, err
		}
		m := &warc.Record{
			Type: warc.Metadata, URI: x.URL, Date: x.Ended, ContentType: exchangeType, Block: wording.JSON(text), Fields: address(x),
		}
		if len(ids) > 0 {
			m.Fields = append(m.Fields, warc.Field{Name: "WARC-Concurrent-To", Value: ids[len(ids)-1]})
		}
		list = append(list, m)
	}
	text, err := json.Marshal(map[string]any{"kind": kind, kind: body})
	if err != nil {
		return nil, err
	}
	entry := &warc.Record{Type: warc.Metadata, Date: time.Now(), ContentType: EntryType, Block: wording.JSON(text)}
	if len(exchanges) > 0 {
		entry.URI = exchanges[0].URL
		entry.Date = cmp.Or(exchanges[len(exchanges)-1].Ended, entry.Date)
	}
	return append(list, entry), nil
}

// address returns the field with the address of the server; nil if there was no connection.
func address(x *fetch.Exchange) []warc.Field {
	if !x.Remote.IsValid() {
		return nil
	}
	return []warc.Field{{Name: "WARC-IP-Address", Value: x.Remote.Addr().WithZone("").Unmap().String()}}
}

// brought reports whether the body of an exchange is the object with a digest.
func brought(x *fetch.Exchange, object string) bool {
	if object == "" {
		return false
	}
	decoded := x.Decoded != nil && x.Decoded.SHA256 == object
	asSent := x.Content != nil && x.Content.SHA256 == object
	return decoded || asSent
}

// response returns the record of an answer. If its body is the object, it is a revisit
// record. Otherwise it has the start of the body.
func response(x *fetch.Exchange, object string) *warc.Record {
	r := &warc.Record{Type: warc.Response, URI: x.URL, Date: x.Ended, ContentType: warc.ResponseType, Fields: address(x)}
	r.Block = slices.Concat(x.ResponseHead, x.Beginning)
	switch {
	case brought(x, object):
		sum, _ := hex.DecodeString(object)
		r.Type = warc.Revisit
		r.Block = slices.Clone(x.ResponseHead)
		r.Fields = append(r.Fields,
			warc.Field{Name: "WARC-Profile", Value: warc.IdenticalPayload},
			warc.Field{Name: "WARC-Payload-Digest", Value: warc.Digest(sum)},
			warc.Field{Name: "WARC-Refers-To-Target-URI", Value: x.URL},
			warc.Field{Name: "WARC-Refers-To-Date", Value: x.Ended.UTC().Format("2006-01-02T15:04:05.000000Z")})
	case x.Cut || x.Content != nil && x.Content.Octets > int64(len(x.Beginning)):
		r.Fields = append(r.Fields, warc.Field{Name: "WARC-Truncated", Value: "length"})
	}
	return r
}

// A Span is the place of the exchanges of one attempt, which are whole gzip members, and
// their digest.
type Span struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"`
}

// An Attempt is the part of a file of exchanges that belongs to one attempt.
type Attempt struct {
	Span  Span
	Kind  string
	Entry json.RawMessage // the members of the line except for the span
}

// MaxBlock bounds the blocks of records that are read, in octets. The blocks that are
// written are much smaller.
const MaxBlock = 64 << 20

// MaxValues bounds the values of an entry that is in a record.
const MaxValues = 200_000

// ReadAttempts calls f with each attempt in a file of exchanges, beginning at from. It
// returns where the last attempt that is whole ends. The error is nil if the file ends
// there. Otherwise it is the error of f, or the reason why no attempt can be read after that
// one.
func ReadAttempts(dir, name string, from int64, f func(*Attempt) error) (int64, error) {
	file, _, err := below.Open(dir, name)
	if err != nil {
		return from, err
	}
	defer file.Close()
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return from, err
	}
	r := warc.NewReader(file, MaxBlock)
	end := from
	for {
		rec, n, err := r.Next()
		switch {
		case err == io.EOF && from+n == end:
			return end, nil
		case err == io.EOF:
			return end, io.ErrUnexpectedEOF
		case err != nil:
			return end, err
		}
		if rec.ContentType != EntryType && rec.URI != "urn:extbody:removed" {
			continue
		}
		at := &Attempt{Span: Span{File: name, Offset: end, Length: from + n - end}}
		if rec.ContentType == EntryType {
			var told map[string]json.RawMessage
			err := bounded.JSON(rec.Block, &told, MaxValues)
			if err == nil {
				err = json.Unmarshal(told["kind"], &at.Kind)
			}
			if err != nil {
				return end, err
			}
			at.Entry = told[at.Kind]
		}
		sum, err := Sum(file, at.Span.Offset, at.Span.Length)
		at.Span.SHA256 = hex.EncodeToString(sum[:])
		if err == nil {
			err = f(at)
		}
		if err != nil {
			return end, err
		}
		end = from + n
	}
}

// Sum returns the SHA-256 of length octets at an offset.
func Sum(r io.ReaderAt, offset, length int64) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(r, offset, length))
	if err == nil && n != length {
		err = io.ErrUnexpectedEOF
	}
	return [sha256.Size]byte(h.Sum(nil)), err
}

// Words returns the start of the server's answer as one line of text for people, or ""
// if it has no text. Of the content it has words only where an answer by HTTP is a failure:
// any other content may be a body, which a forget must be able to remove.
func Words(exchanges []*fetch.Exchange) string {
	for _, x := range slices.Backward(exchanges) {
		text := ""
		if head, _, ok := bytes.Cut(x.ResponseHead, []byte("\r\n")); ok {
			text = string(head)
		}
		if success, ok := successLine(text); ok {
			return success + pageName(x.Beginning)
		}
		failed := strings.HasPrefix(text, "HTTP/")
		for _, l := range slices.Backward(x.Dialogue) {
			if !l.Sent {
				text = string(l.Text)
				break
			}
		}
		body := ""
		if failed {
			body = plainText(x.Beginning)
		}
		if text == "" && body == "" {
			continue
		}
		return strings.TrimSpace(text + " " + body)
	}
	return ""
}

// successLine returns the protocol and the status with which a text starts, and the name that
// the registry of HTTP has for the status. It returns false if the text does not start with a
// status line of success (RFC 9112 section 4, RFC 9110 section 15.3).
func successLine(text string) (string, bool) {
	f := strings.Fields(text[:min(len(text), 64)])
	if len(f) < 2 || !strings.HasPrefix(f[0], "HTTP/") {
		return "", false
	}
	code, err := strconv.Atoi(f[1])
	if err != nil || code/100 != 2 {
		return "", false
	}
	return strings.TrimSpace(f[0] + " " + f[1] + " " + http.StatusText(code)), true
}

// pageName returns the name that the list of file hosts has for the page with a beginning, in
// parentheses after a space; "" if it is not a page, or the list has no name for it.
func pageName(beginning []byte) string {
	v := interstitial.Judge(interstitial.Expect{}, interstitial.Got{Size: -1, Head: beginning})
	if !v.Page || !v.Reason.IsKnown() {
		return ""
	}
	return " (" + string(v.Reason) + ")"
}

// WithoutBody returns words without words of a body, and reports whether they had some, as
// versions before wrote them.
func WithoutBody(words string) (text string, had bool) {
	line, ok := successLine(words)
	if !ok {
		return words, false
	}
	name := strings.TrimSuffix(strings.TrimPrefix(words, line+" ("), ")")
	if words == line || interstitial.Reason(name).IsKnown() {
		return words, false
	}
	return line, true
}

// plainText returns the first words of a page without its tags.
func plainText(b []byte) string {
	b = b[:min(len(b), 4096)]
	if bytes.IndexByte(b, 0) >= 0 {
		return ""
	}
	var out strings.Builder
	tag := false
	for _, c := range string(b) {
		switch {
		case c == '<':
			tag = true
		case c == '>':
			tag = false
			out.WriteByte(' ')
		case !tag && c != '\uFFFD':
			out.WriteRune(c)
		}
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "")
	}
	return text
}
