package inspect

import (
	"errors"
	"io"
	"mime"
	"strings"
	"unicode"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// maxTag bounds the text before a Subject.
const maxTag = 60

// errTag is the mistake of a text that cannot be put before a Subject.
var errTag = errors.New("want a text of 1 to 60 octets that are printed, without a space at either end and without =?")

var errNoHeader = errors.New("the message has no header")

// checkTag returns an error if a text cannot be put before a Subject.
func checkTag(s string) error {
	unprinted := strings.ContainsFunc(s, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) })
	hasLength := s != "" && len(s) <= maxTag
	odd := unprinted || strings.TrimSpace(s) != s || strings.Contains(s, "=?")
	if !hasLength || odd {
		return errTag
	}
	return nil
}

// Retitle writes the message to dst, which is empty, with tag before its Subject. A Subject that starts
// with tag, even after "Re:" and the like, stays as it is. A message without a Subject gets one. All
// other octets stay. It is an error if the message has no header, or one of more than 1 MiB.
func (in *Inspector) Retitle(dst *spool.Spool, m *Message, tag string) error {
	msg, err := externalbody.Open(m.Text, m.Size, in.Reading)
	if err != nil {
		return err
	}
	index, r := message.IndexOf(msg.Reader())
	root := index.Root()
	text, err := message.ReadSpan(r, root.Header.First(maxHeader))
	if err != nil {
		return err
	}
	if root.Header.Len() > maxHeader || root.Diag.Has(message.HeaderTooLong) {
		return errors.New("the header is too long")
	}
	var b strings.Builder
	end := "\r\n"
	found := false
	for f := range message.Fields(text, 0) {
		if !strings.HasSuffix(f.Raw, "\r\n") && strings.HasSuffix(f.Raw, "\n") {
			end = "\n"
		}
		if !strings.EqualFold(f.Name, "Subject") {
			b.WriteString(f.Raw)
			continue
		}
		found = true
		b.WriteString(retitled(f, tag, end))
	}
	head := b.String()
	var next [1]byte
	n, err := m.Text.ReadAt(next[:], root.Header.End)
	switch {
	case err != nil && err != io.EOF:
		return err
	case text == "" && n > 0 && next[0] != '\r' && next[0] != '\n', strings.HasPrefix(text, " "), strings.HasPrefix(text, "\t"):
		return errNoHeader
	case !found:
		// Before the other fields, but after a "From " line, which is not a field.
		at := 0
		for f := range message.Fields(text, 0) {
			if f.Name != "" || f.Raw == "" {
				break
			}
			at += len(f.Raw)
		}
		if at > 0 && text[at-1] != '\n' {
			return errNoHeader
		}
		head = text[:at] + "Subject: " + strings.TrimSpace(encodedTag(tag, end)) + end + text[at:]
	}
	_, err = io.Copy(dst, io.MultiReader(
		io.NewSectionReader(m.Text, 0, root.Header.Start), strings.NewReader(head),
		io.NewSectionReader(m.Text, root.Header.End, m.Size-root.Header.End)))
	return err
}

// retitled returns a Subject field with tag before its value.
func retitled(f message.Field, tag, end string) string {
	if strings.HasPrefix(withoutReplies(strings.TrimSpace(charset.Words(unfolded.Replace(f.Value)))), tag) {
		return f.Raw
	}
	colon := strings.IndexByte(f.Raw, ':') + 1
	value := strings.TrimLeft(f.Raw[colon:], " \t")
	first, _, _ := strings.Cut(value, "\n")
	put := f.Raw[:colon] + " " + encodedTag(tag, end)
	switch {
	case strings.TrimSpace(first) == "": // there is no value, or it begins in the next line
		return strings.TrimSuffix(put, " ") + value
	case len(put)+len(first) > maxSubjectLine:
		return strings.TrimSuffix(put, " ") + end + " " + value
	}
	return put + value
}

// maxSubjectLine is the length beyond which a Subject is folded after the tag (RFC 5322 section 2.1.1).
const maxSubjectLine = 76

// encodedTag returns tag with a space after it, as it is written in a header field. In encoded words the
// space is within them, because one between two of them is not shown (RFC 2047 section 6.2).
func encodedTag(tag, end string) string {
	if strings.ContainsFunc(tag, func(r rune) bool { return r > '~' }) {
		return strings.ReplaceAll(mime.BEncoding.Encode("utf-8", tag+" "), "?= =?", "?="+end+" =?") + " "
	}
	return tag + " "
}

// replies matches the words before the Subject of a reply or a forwarded message.
var replies = lazyregexp.New(`^(?:\s*\pL{1,5}(?:\[\d+\])?\s*:)+\s*`)

func withoutReplies(subject string) string { return replies().ReplaceAllLiteralString(subject, "") }
