package externalbody

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// maxLine bounds a line that is written, without its line end (RFC 5322 section 2.1.1).
// softLine is the length that a line should not exceed.
const (
	maxLine  = 998
	softLine = 78
)

// ContentType returns the value of the Content-Type field of a message/external-body
// part for the Reference. The value has its access type, the Params that say where the
// body is, and then Name, Expiration, Size and Permission. It is folded with CRLF and a
// tab.
//
//   - The name is written for the access types url and mail-server only. For others
//     NAME is where the body is.
//   - A MODE is always written for data other than text.
//   - A Reference that a Dialect found must be given an access type first.
//
// A Size of 0 is written only if Params has a size: the zero value is not a statement.
//
// ContentType returns an error of Kind Malformed for a part that must not be generated:
//
//   - a missing parameter,
//   - a SITE that is not a fully qualified domain name,
//   - a URL with a password in it, without a scheme, or of a scheme that retrieves nothing,
//     such as javascript: (RFC 2017 section 2),
//   - an access type that is not a token, such as "url ",
//   - a name with a line end,
//   - a Size below -1,
//   - all else that [ReadRaw] would give a Diag, or that could not be located.
//
// A data: URL whose data is not in Params is an error of Kind TooLarge. The access type
// afs, which RFC 2049 (appendix B) withdrew, is an error of Kind Unsupported.
func (r *Reference) ContentType() (string, error) {
	ct, err := r.contentTypeField()
	if err != nil {
		return "", err
	}
	if err := r.validate("Content-Type: "+ct+"\r\n", "Content-Type: text/plain\r\nContent-ID: <a@b>\r\n\r\n"); err != nil {
		return "", err
	}
	return ct, nil
}

// validate reads a part as others will, and returns an error for the first fault.
func (r *Reference) validate(header, body string) error {
	read, err := ReadRaw([]byte(header), []byte(body))
	if err != nil {
		return err
	}
	if d, ok := read.firstDiag(); ok {
		return r.fault(fetch.Malformed, d.Param, fmt.Errorf("others would read it with the fault %s", d.Code))
	}
	for _, p := range slices.Concat(read.reprDigests(), read.contentMD5()) {
		if p.bad == DiagBadDigest {
			return r.fault(fetch.Malformed, p.param, errors.New("not a digest"))
		}
	}
	l, err := read.location(locateOptions{})
	switch {
	case fetch.KindOf(err) == fetch.Malformed:
		return err
	case fetch.KindOf(err) == fetch.Blocked: // RFC 2046 section 5.2.3.2
		return r.fault(fetch.Malformed, "site", errors.New("no fully qualified domain name"))
	case err == nil && read.AccessType == "url":
		if err := l.retrieves(); err != nil {
			return r.fault(fetch.Malformed, "url", err)
		}
	}
	return nil
}

// contentTypeField is ContentType without validation by reading.
func (r *Reference) contentTypeField() (string, error) {
	params, err := r.generated()
	if err != nil {
		return "", err
	}
	text := []byte(externalBody)
	column := len("Content-Type: ") + len(text)
	for _, p := range params {
		text = append(text, ';')
		param, err := r.appendParam(nil, p)
		if err != nil {
			return "", err
		}
		first, _, folded := strings.Cut(string(param), "\r\n")
		if column+len("; ")+len(first) > softLine || folded {
			text = append(text, "\r\n\t"...)
			column = 8 + len(first)
		} else {
			text = append(text, ' ')
			column += len("; ") + len(first)
		}
		if folded {
			column = softLine
		}
		text = append(text, param...)
	}
	return string(text), nil
}

// WriteTo implements [io.WriterTo]. It writes the whole part with CRLF line ends:
//
//   - the header, with Content-Type and Content-Disposition,
//   - the phantom header,
//   - the phantom body.
//
// The phantom header is Header as it is. If Header lacks Content-Type, Content-ID,
// Content-Disposition, Repr-Digest or Content-MD5, these are made of MediaType, ContentID,
// Name and Digests. Digests by other algorithms than SHA-256, SHA-512 and MD5 are not
// written. If the Content-Disposition has a file name, the part itself has the same one,
// for readers that know no references and show the name of the part.
//
// If the part cannot be written, nothing is. The error has the Kind of the error of
// [Reference.ContentType], or Malformed
//
//   - if something is not US-ASCII, or a line is longer than 998 octets, since the part is
//     7bit (RFC 2046 section 5.2.3),
//   - if there is no Content-ID, ContentID is not in angle brackets, or MediaType is not a
//     media type,
//   - if a digest is not one.
func (r *Reference) WriteTo(w io.Writer) (int64, error) {
	ct, err := r.contentTypeField()
	if err != nil {
		return 0, err
	}
	var b strings.Builder
	b.WriteString("Content-Type: " + ct + "\r\n")
	header := r.Header
	if f, ok := r.disposition(); ok {
		if err := writeField(&b, f); err != nil {
			return 0, r.fault(fetch.Malformed, "content-disposition", err)
		}
		if _, ok := header.lookup(f.Name); !ok {
			header = append(header[:len(header):len(header)], f)
		}
	}
	b.WriteString("\r\n")
	if _, ok := header.lookup("Content-Type"); !ok && r.MediaType != "" {
		if v := param.Parse(r.MediaType); len(v.Diags) > 0 || !param.IsMediaType(v.Type) {
			return 0, r.fault(fetch.Malformed, "content-type", fmt.Errorf("%.40q is not a media type", r.MediaType))
		}
		header = append(Fields{{"Content-Type", r.MediaType}}, header...)
	}
	if _, ok := header.lookup("Content-ID"); !ok {
		if r.ContentID == "" {
			return 0, r.fault(fetch.Malformed, "content-id", errMissing)
		}
		if message.ContentID(r.ContentID) != r.ContentID || strings.ContainsAny(r.ContentID, " \t") {
			return 0, r.fault(fetch.Malformed, "content-id", errors.New("not one identifier in angle brackets"))
		}
		header = append(header[:len(header):len(header)], Field{"Content-ID", r.ContentID})
	}
	header = r.appendDigests(header)
	headerEnd := b.Len()
	for _, f := range header {
		if err := writeField(&b, f); err != nil {
			return 0, r.fault(fetch.Malformed, strings.ToLower(f.Name), err)
		}
	}
	b.WriteString("\r\n")
	for line := range strings.Lines(string(r.phantomBody)) {
		line = strings.TrimRight(line, "\r\n")
		if err := check7bit(line); err != nil {
			return 0, r.fault(fetch.Malformed, "", err)
		}
		b.WriteString(line + "\r\n")
	}
	text := b.String()
	if err := r.validate(text[:headerEnd], text[headerEnd:]); err != nil {
		return 0, err
	}
	n, err := io.WriteString(w, text)
	return int64(n), err
}

// appendDigests adds fields with Digests to a phantom header that has none of that name.
func (r *Reference) appendDigests(header Fields) Fields {
	_, hasRepr := header.lookup("Repr-Digest")
	_, hasMD5 := header.lookup("Content-MD5")
	hasMD5 = hasMD5 || message.IsMultipart(r.MediaType) || strings.HasPrefix(r.MediaType, "message/")
	var repr []string
	for _, d := range r.Digests {
		sum := base64.StdEncoding.EncodeToString(d.Sum)
		switch {
		case (d.Algorithm == "sha-256" || d.Algorithm == "sha-512") && !hasRepr:
			repr = append(repr, d.Algorithm+"=:"+sum+":")
		case d.Algorithm == "md5" && !hasMD5:
			header = append(header[:len(header):len(header)], Field{"Content-MD5", sum})
			hasMD5 = true
		}
	}
	if len(repr) > 0 {
		header = append(header[:len(header):len(header)], Field{"Repr-Digest", strings.Join(repr, ", ")})
	}
	return header
}

// SetPhantomBody sets the text that [Reference.WriteTo] writes after the phantom header. For a
// mail-server part these are the commands to send; for any other it means nothing. Each
// line end is written as CRLF. The Reference keeps body. No other goroutine may use the
// Reference meanwhile.
func (r *Reference) SetPhantomBody(body []byte) { r.phantomBody = body }

// disposition returns the Content-Disposition of the part itself: the one in Header,
// with Name if it has no file name of its own.
func (r *Reference) disposition() (Field, bool) {
	f := Field{Name: "Content-Disposition", Value: "attachment"}
	if v, ok := r.Header.lookup(f.Name); ok {
		parsed := param.Parse(v)
		if _, ok := parsed.Get("filename"); ok {
			return Field{f.Name, v}, true
		}
		if parsed.Type == "inline" {
			f.Value = parsed.Type
		}
	}
	name := FileName(r.Name)
	if name == "" {
		return f, false
	}
	f.Value += "; " + foldedName(name)
	return f, true
}

// foldedName returns a filename parameter that can be folded at blanks.
func foldedName(name string) string {
	return strings.Join(param.Fold("filename", name, softLine-10), "; ")
}

// NewContentID returns a new Content-ID, with angle brackets, that is unique in the
// world (RFC 2045 section 7). domain is its right side, a domain of the caller. It
// is not checked.
func NewContentID(domain string) string {
	return "<" + strings.ToLower(rand.Text()) + "@" + domain + ">"
}

// generated returns the parameters to write, after checking them.
func (r *Reference) generated() ([]Field, error) {
	switch r.AccessType {
	case "":
		return nil, r.fault(fetch.Malformed, "access-type", errMissing)
	case "afs":
		// RFC 2049 appendix B.
		return nil, r.fault(fetch.Unsupported, "access-type", errors.New("afs is withdrawn"))
	}
	switch {
	case !param.IsToken(r.AccessType):
		return nil, r.fault(fetch.Malformed, "access-type", errors.New("not a token"))
	case r.Size < -1:
		return nil, r.fault(fetch.Malformed, "size", fmt.Errorf("%d octets", r.Size))
	case strings.ContainsAny(r.Name, "\r\n\x00"):
		return nil, r.fault(fetch.Malformed, "name", errControl)
	}
	params := []Field{{"access-type", r.AccessType}}
	if r.AccessType == "url" {
		params[0].Value = "URL"
	}
	if l := r.long; l != nil && r.longURL(l.param) != nil {
		return nil, r.fault(fetch.TooLarge, l.param, errors.New("a data: URL that is only in the message: its Reference does not hold it"))
	}
	for _, p := range r.Params {
		name := strings.ToLower(p.Name)
		switch name {
		case "access-type", "expiration", "size", "permission":
			continue
		}
		p.Name = name
		if err := r.checkGenerated(&p); err != nil {
			return nil, err
		}
		params = append(params, p)
	}
	if name := FileName(r.Name); name != "" && (r.AccessType == "url" || r.AccessType == "mail-server") {
		if _, ok := r.Param("name"); !ok {
			params = append(params, Field{"name", name})
		}
	}
	if mode, ok := r.defaultMode(); ok {
		params = append(params, Field{"mode", mode})
	}
	if !r.Expiration.IsZero() {
		params = append(params, Field{"expiration", r.Expiration.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")})
	}
	if _, given := r.Param("size"); r.Size > 0 || r.Size == 0 && given {
		params = append(params, Field{"size", strconv.FormatInt(r.Size, 10)})
	}
	if r.Permission != "" && r.Permission != "read" {
		params = append(params, Field{"permission", r.Permission})
	}
	return params, nil
}

// checkGenerated refuses, or corrects, parameters that may be read but not written.
func (r *Reference) checkGenerated(p *Field) error {
	if strings.ContainsAny(p.Value, "\r\n\x00") && p.Name != "url" {
		return r.fault(fetch.Malformed, p.Name, errControl)
	}
	switch p.Name {
	case "url":
		text, err := urlaccess.Decode(p.Value)
		if err != nil {
			return r.fault(fetch.Malformed, "url", err)
		}
		if _, ok := urlaccess.Scheme(text); !ok {
			return r.fault(fetch.Malformed, "url", errRelative)
		}
		if hasPassword(text) {
			return r.fault(fetch.Malformed, "url", errors.New("a password in the URL")) // UA-21
		}
		p.Value = text
	case "mode":
		switch strings.ToLower(p.Value) {
		case "binary", "tenex", "octet", "image": // AT-6
			p.Value = "image"
			if r.AccessType == "tftp" {
				p.Value = "octet"
			}
		}
	}
	return nil
}

// defaultMode returns the MODE to write for data that the default, which is for text,
// would damage (RFC 2046 section 5.2.3.2).
func (r *Reference) defaultMode() (string, bool) {
	if _, ok := r.Param("mode"); ok || strings.HasPrefix(r.MediaType, "text/") {
		return "", false
	}
	switch r.AccessType {
	case "ftp", "anon-ftp":
		return "image", true
	case "tftp":
		return "octet", true
	}
	return "", false
}

// hasPassword reports whether the authority of a URL holds a password.
func hasPassword(text string) bool {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return false
	}
	authority, _ := splitAuthority(rest)
	userinfo, _, ok := strings.Cut(authority, "@")
	return ok && strings.Contains(userinfo, ":")
}

// appendParam appends a parameter. It folds URLs (RFC 2017 section 3.1) and long values
// (RFC 2231 section 3).
func (r *Reference) appendParam(dst []byte, p Field) ([]byte, error) {
	if p.Name == "url" {
		words := slices.Collect(urlaccess.Words(p.Value))
		return append(dst, `URL="`+strings.Join(words, "\r\n\t")+`"`...), nil
	}
	if len(p.Name) > 40 || len(param.AppendParam(nil, p.Name, "")) == 0 {
		return nil, r.fault(fetch.Malformed, "", fmt.Errorf("%.40q is no name of a parameter", p.Name))
	}
	return append(dst, strings.Join(param.Fold(p.Name, p.Value, softLine-10), ";\r\n\t")...), nil
}

// writeField writes a phantom field, folded where it has white space.
func writeField(b *strings.Builder, f Field) error {
	if f.Name == "" || strings.ContainsFunc(f.Name, func(c rune) bool { return c <= ' ' || c >= 0x7f || c == ':' }) {
		return errors.New("no name of a field")
	}
	line := f.Name + ":"
	for word := range strings.SplitSeq(f.Value, " ") {
		if err := check7bit(word); err != nil {
			return err
		}
		if len(line)+1+len(word) > softLine && line != f.Name+":" && strings.TrimSpace(word) != "" {
			b.WriteString(line + "\r\n")
			line = ""
		}
		line += " " + word
	}
	b.WriteString(line + "\r\n")
	return nil
}

// check7bit returns an error for a line that is not 7bit data (RFC 2045 section
// 2.7).
func check7bit(line string) error {
	if len(line) > maxLine {
		return fmt.Errorf("a line of more than %d octets", maxLine)
	}
	binary := func(c rune) bool { return c == 0 || c >= 0x80 }
	if strings.ContainsAny(line, "\r\n") || strings.ContainsFunc(line, binary) {
		return errors.New("not 7bit data")
	}
	return nil
}
