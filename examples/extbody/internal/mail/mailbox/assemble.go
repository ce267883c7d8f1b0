package mailbox

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// Beside a message N.partial.emlx of Apple Mail, in a folder Messages, are the bodies of its attachments:
//
//	Attachments/N/SECTION/NAME	decoded, in the folder that has the folder Messages
//	N.SECTION.emlxpart		as in the message, in its folder; of early versions
const (
	emlxSuffix     = ".emlx"
	partSuffix     = ".emlxpart"
	messagesName   = "Messages"
	attachmentName = "Attachments"
)

// appleLength is the field of a part whose body is apart.
const appleLength = "X-Apple-Content-Length"

const (
	// maxApart bounds the bodies that are put in one message: each is an open file.
	maxApart = 100

	// maxApartHeader bounds the header in which the field is looked for.
	maxApartHeader = 256 << 10

	// maxBlank bounds the line ends that may be the whole body of a part whose body is apart.
	maxBlank = 4
)

// lineEnd is a line end of Apple Mail.
var lineEnd = strings.NewReader("\n")

// assemble puts the bodies that are apart into a message of Apple Mail, and notes each of them. A body
// that is not there, or cannot be put in, is missing. beside opens their files. Without it all are missing.
func assemble(m *Message, beside *opener) error {
	r := m.Reader()
	x, err := message.Scan(r, r.Size(), message.Limits{})
	if err != nil {
		return err
	}
	whole := new(assembled)
	done := int64(0)
	for _, p := range x.Parts {
		size, ok := apartSize(r, p)
		if !ok {
			continue
		}
		apart := ApartPart{Section: p.Section(), Size: size}
		if len(whole.files) < maxApart {
			body, length, path, err := beside.bodyOf(whole, m.Path, p)
			if err != nil {
				whole.close()
				return err
			}
			apart.File = path
			if path != "" {
				whole.add(r, done, p.Body.Start-done)
				if p.Blank.Len() == 0 { // its line end is of the delimiter
					whole.add(lineEnd, 0, 1)
				}
				whole.add(body, 0, length)
				done = p.Body.End
				if next, err := message.ReadSpan(r, message.Span{Start: done, End: min(done+1, r.Size())}); err == nil && next == "-" {
					whole.add(lineEnd, 0, 1)
				}
			}
		}
		m.Apart = append(m.Apart, apart)
	}
	if len(whole.files) > 0 {
		whole.add(r, done, r.Size()-done)
		m.whole = whole
	}
	return nil
}

// apartSize returns the length of the body of a part that is apart.
func apartSize(r io.ReaderAt, p *message.Part) (int64, bool) {
	if p.Body.Len() > maxBlank || message.IsMultipart(p.Type) {
		return 0, false
	}
	body, err := message.ReadSpan(r, p.Body)
	if err != nil || strings.TrimSpace(body) != "" {
		return 0, false
	}
	header, err := message.ReadSpan(r, p.Header.First(maxApartHeader))
	if err != nil {
		return 0, false
	}
	f, ok := message.Lookup(header, appleLength, 0)
	size, err := strconv.ParseInt(f.Text(), 10, 64)
	return size, ok && err == nil && size > 0
}

// bodyOf returns the encoded body of a part that is apart, and the path of its file, which it opens for whole.
// The path is "" if there is no such file, or if there are several. mail is the path of the message.
func (o *opener) bodyOf(whole *assembled, mail string, p *message.Part) (body io.ReaderAt, size int64, path string, err error) {
	encodings := []message.Encoding{message.Identity, message.Base64, message.QuotedPrintable}
	if o == nil || !slices.Contains(encodings, p.Encoding) {
		return nil, 0, "", nil
	}
	raw := false
	path, err = o.attachment(mail, p.Section())
	if path == "" && err == nil {
		path = filepath.Join(filepath.Dir(mail), emlxNumber(mail)+"."+p.Section()+partSuffix)
		raw = true
	}
	if err != nil {
		return nil, 0, "", err
	}
	f, info, err := o.openRegular(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, "", nil
	} else if err != nil {
		return nil, 0, "", err
	}
	whole.files = append(whole.files, f)
	var coder *lineCoder
	switch {
	case raw, p.Encoding == message.Identity:
		return f, info.Size(), path, nil
	case p.Encoding == message.Base64:
		coder = newBase64(f, info.Size())
	default:
		coder = newQuoted(f, info.Size())
	}
	return coder, coder.encoded(), path, nil
}

// attachment returns the path of the one file in the folder of the attachment of a message.
func (o opener) attachment(path, section string) (string, error) {
	dir := filepath.Join(filepath.Dir(filepath.Dir(path)), attachmentName, emlxNumber(path), section)
	entries, err := o.readDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || !o.isFile(filepath.Join(dir, e.Name()), e)
	})
	if len(entries) != 1 {
		return "", nil
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

// emlxNumber returns N of N.emlx and of N.partial.emlx.
func emlxNumber(path string) string {
	n, _, _ := strings.Cut(filepath.Base(path), ".")
	return n
}

// isApart reports whether a file or folder belongs to a message of Apple Mail, which has it.
func (o opener) isApart(path string, isFolder bool) bool {
	if number := emlxNumber(path); !isFolder {
		return strings.HasSuffix(path, partSuffix) && o.hasMessage(filepath.Join(filepath.Dir(path), number))
	}
	dir, number := filepath.Split(path)
	dir = filepath.Clean(dir)
	_, err := strconv.ParseUint(number, 10, 64)
	return err == nil && filepath.Base(dir) == attachmentName && o.hasMessage(filepath.Join(filepath.Dir(dir), messagesName, number))
}

// hasMessage reports whether a message of Apple Mail has a path, without its suffix.
func (o opener) hasMessage(path string) bool {
	for _, suffix := range []string{emlxSuffix, ".partial" + emlxSuffix} {
		if info, err := o.stat(path + suffix); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
