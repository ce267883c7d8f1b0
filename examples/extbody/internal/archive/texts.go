package archive

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// messageText returns the subject of a message and its texts, as [writeText] has them, and whether they are cut. If the
// object is lost the subject is all of it, and the error is one of isLost.
func (a *Archive) messageText(m *MessageRecord) (text string, cut bool, err error) {
	subject := charset.Words(m.Subject)
	f, err := a.objects.Hold(m.SHA256)
	if err != nil {
		return subject, false, err
	}
	defer f.Close()
	var b bytes.Buffer
	b.WriteString(subject + "\n")
	w := bufio.NewWriter(&b)
	cut, err = writeText(w, f, f.Size())
	err = errors.Join(err, w.Flush())
	return b.String(), cut, err
}

// textType returns the media type of a captured body that is a text, as the message says or else as its server does; ""
// if neither says so.
func (c *Capture) textType() string {
	for _, of := range []string{c.ContentType, c.ServedType} {
		if hasType(of, "text") {
			return of
		}
	}
	return ""
}

// sameText reports whether two captured bodies are one text.
func (c *Capture) sameText(other *Capture) bool {
	return c.SHA256 == other.SHA256 && c.textType() == other.textType()
}

// capturedText returns the first [maxText] octets of a captured body as a text, and whether it has more of them. It is ""
// if the body is none. If the object is lost the error is one of isLost.
func (a *Archive) capturedText(c *Capture) (text string, cut bool, err error) {
	of := c.textType()
	if of == "" {
		return "", false, nil
	}
	octets, err := a.start(c.SHA256, maxText+1)
	if err != nil {
		return "", false, err
	}
	cut = len(octets) > maxText
	octets = octets[:min(len(octets), maxText)]
	label, _ := param.Parse(of).Get("charset")
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	writeTokens(w, &mailtext.Source{Octets: octets, Charset: label}, hasType(of, "text/html"))
	err = w.Flush()
	return b.String(), cut, err
}

// start returns the first octets of an object.
func (a *Archive) start(sum string, most int64) ([]byte, error) {
	body, _, err := a.objects.Reader(sum)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, most))
}

// md5Of returns the MD5 of an object in hexadecimal digits; "" if it is not there.
func (a *Archive) md5Of(sum string) (string, error) {
	h := md5.New()
	body, _, err := a.objects.Reader(sum)
	if err == nil {
		defer body.Close()
		_, err = io.Copy(h, body)
	}
	switch {
	case isLost(err):
		a.skip(sum)
		return "", nil
	case err != nil:
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// skip notes an object that a Selector cannot look into, unless it was forgotten.
func (a *Archive) skip(sum string) {
	if flags := a.index.flags(sum); flags&flagStored == 0 || flags&flagForgotten != 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.skipped == nil {
		a.skipped = make(map[string]bool)
	}
	a.skipped[sum] = true
}

// Skipped returns how many objects selectors could not look into since the last call, because they are lost or damaged.
func (a *Archive) Skipped() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.skipped)
	a.skipped = nil
	return n
}

// isLost reports whether an object is lost, damaged or forgotten, and not only away.
func isLost(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDigest)
}

// thread returns the messages, by shortSum, that are in a thread with the ones of a digest or Message-ID. Two messages
// are in a thread if a field References or In-Reply-To (RFC 5322 section 3.6.4) of one has the Message-ID of the other, or
// both have one ID. Of a message that is no object only the Message-ID is known.
func (a *Archive) thread(name string) (map[string]bool, error) {
	above := make(map[string]string) // by ID or message: another one of its thread
	top := func(id string) string {
		for above[id] != "" {
			if next := above[above[id]]; next != "" {
				above[id] = next // the way is shorter from then on
			}
			id = above[id]
		}
		return id
	}
	join := func(x, y string) {
		x = top(x)
		y = top(y)
		if x != y {
			above[y] = x
		}
	}
	var messages, named []string // by shortSum
	err := a.lines(func(_ *ledger.Line, record any) error {
		m := record.(*MessageRecord)
		k := shortSum(m.SHA256)
		messages = append(messages, k)
		if m.named(name) {
			named = append(named, k)
		}
		ids := messageIDs(m.MessageID)
		if m.Stored {
			header, err := a.header(m.SHA256)
			switch {
			case isLost(err):
				a.skip(m.SHA256)
			case err != nil:
				return err
			}
			for f := range message.Fields(header, 0) {
				if strings.EqualFold(f.Name, "References") || strings.EqualFold(f.Name, "In-Reply-To") {
					ids = append(ids, messageIDs(f.Line())...)
				}
			}
		}
		for _, id := range ids {
			join(id, k)
		}
		return nil
	}, kindMessage)
	tops := make(map[string]bool)
	for _, k := range named {
		tops[top(k)] = true
	}
	list := make(map[string]bool)
	for _, k := range messages {
		if tops[top(k)] {
			list[k] = true
		}
	}
	return list, err
}

// messageIDs returns the IDs in a field, each with its angle brackets.
func messageIDs(field string) (ids []string) {
	for {
		_, after, _ := strings.Cut(field, "<")
		id, rest, found := strings.Cut(after, ">")
		if !found {
			return ids
		}
		ids = append(ids, "<"+id+">")
		field = rest
	}
}

// hasType reports whether a media type is wanted, which names all of it or its first half.
func hasType(of, wanted string) bool {
	of, _, _ = strings.Cut(strings.ToLower(of), ";")
	of = strings.TrimSpace(of)
	first, _, _ := strings.Cut(of, "/")
	return of == wanted || first == strings.TrimSuffix(wanted, "/*")
}
