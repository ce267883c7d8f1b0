package externalbody

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

const (
	// maxHeldField bounds the Content-Type of a reference that is held as a whole, and
	// each value that is held of a longer one.
	maxHeldField = 64 << 10

	// maxURLHead bounds how much a Reference has of a URL that is not held.
	maxURLHead = 1 << 10
)

// A longURL is a data: URL in a parameter that is not held, but read from the message
// each time.
type longURL struct {
	r      io.ReaderAt
	field  message.Span // the value of the Content-Type field
	param  string
	head   string // of the URL, without the comma
	octets int64  // of the value, as it stands there
}

// readContentType reads the Content-Type of the part, in span. If it is longer than a
// header may be, it finds the beginning of each value, and the place of a data: URL.
func (e *entity) readContentType(span message.Span) error {
	if span.Len() > maxHeldField {
		done, err := e.skim(span)
		if done || err != nil {
			return err
		}
	}
	field, err := message.ReadSpan(e.r, span)
	if err != nil {
		return err
	}
	e.contentType = message.FieldValue(field)
	return nil
}

// skim reads a long Content-Type. It returns false if the field is not of the one form
// that can be skimmed, and is short enough to be held.
func (e *entity) skim(span message.Span) (done bool, err error) {
	name, err := message.ReadSpan(e.r, span.First(maxURLHead))
	if err != nil {
		return false, err
	}
	span.Start += int64(strings.IndexByte(name, ':') + 1)
	src := message.NewErrReader(span.Reader(e.r))
	s, err := param.Skim(src, maxHeldField)
	if err != nil {
		return false, err
	}
	e.long, err = e.longURL(span, s)
	switch {
	case err != nil:
		return false, err
	case e.long == nil && span.Len() <= e.maxHeader:
		return false, nil
	}
	e.contentType, e.cut = s.Field, e.long == nil
	return true, nil
}

// longURL returns the data: URL that is the one long parameter of a field. It returns
// nil if the field has other long ones, or if a parser of the whole field would find
// another URL.
func (e *entity) longURL(span message.Span, s *param.Skimmed) (*longURL, error) {
	if s.Cut || len(s.Long) != 1 || s.Long[0] != "url" && s.Long[0] != "uri" {
		return nil, nil
	}
	l := &longURL{r: e.r, field: span, param: s.Long[0], octets: s.Octets}
	kept, _ := param.Parse(s.Field).Get(l.param)
	text, err := urlaccess.Decode(kept)
	if err != nil || len(text) < len("data:") || !strings.EqualFold(text[:len("data:")], "data:") {
		return nil, nil
	}
	src := message.NewErrReader(l.section())
	begin := make([]byte, len(kept))
	if _, err := io.ReadFull(param.NewValueReader(src, l.param), begin); src.Failure() != nil {
		return nil, src.Failure()
	} else if err != nil || string(begin) != kept {
		return nil, nil
	}
	head, _, _ := strings.Cut(text, ",")
	l.head = strings.Clone(head[:min(len(head), maxURLHead)])
	return l, nil
}

func (l *longURL) section() io.Reader {
	return l.field.Reader(l.r)
}

// open opens the text of the URL.
func (l *longURL) open() (io.ReadCloser, error) {
	src := message.NewErrReader(l.section())
	text := urlaccess.NewReader(param.NewValueReader(src, l.param))
	return &longText{text, src}, nil
}

// url returns as much of the URL as is held, without any of its data.
func (l *longURL) url() *url.URL {
	_, opaque, _ := strings.Cut(l.head, ":")
	return &url.URL{Scheme: "data", Opaque: opaque}
}

// shown returns the URL fit for logs.
func (l *longURL) shown() string { return redact.URL(l.located().String()) }

// located returns the URL with the length of its data in place of the data.
func (l *longURL) located() *url.URL {
	u := l.url()
	u.Opaque += fmt.Sprintf(",(%d octets)", l.octets)
	return u
}

// A longText is the text of a URL that is read from the message.
type longText struct {
	text io.Reader
	src  *message.ErrReader
}

// Read implements [io.Reader]. Each error is a [fetch.Error]: Local if the message
// cannot be read, and otherwise Malformed.
func (t *longText) Read(p []byte) (int, error) {
	n, err := t.text.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	kind := fetch.Malformed
	if t.src.Failure() != nil {
		kind = fetch.Local
	}
	return n, &fetch.Error{Kind: kind, Err: err}
}

// Close implements [io.Closer].
func (t *longText) Close() error { return nil }

// shorten makes r the Reference of a URL that is not held.
func (r *Reference) shorten(l *longURL) {
	r.long = l
	for i, p := range r.Params {
		// The others must not keep all of the field in memory.
		r.Params[i] = Param{strings.Clone(p.Name), strings.Clone(p.Value)}
		if p.Name == l.param {
			r.Params[i].Value = l.head
		}
	}
	r.diag(DiagLongURL, l.param)
}

// longURL returns the URL of the parameter of that name if it is not held and was not
// replaced. Otherwise it returns nil.
func (r *Reference) longURL(param string) *longURL {
	if r.long == nil || r.long.param != param {
		return nil
	}
	if v, _ := r.Param(param); v != r.long.head {
		return nil
	}
	return r.long
}

// firstDiag returns the first of Diags that says what was forgiven. That a URL is long
// is not a fault.
func (r *Reference) firstDiag() (Diag, bool) {
	for _, d := range r.Diags {
		if d.Code != DiagLongURL {
			return d, true
		}
	}
	return Diag{}, false
}

var errNotHeld = errors.New("a data: URL that is only in the message: its Reference does not hold it")
