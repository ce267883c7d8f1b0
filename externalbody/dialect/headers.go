package dialect

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// documentReference reads Document-Reference. Outlook and Exchange put one into the
// header of a message for each file that is shared with it:
//
//	URL; FileName=N; ProviderType=T; ProviderUrl=URL; Permission=P; ContentType=T; Expiration=TICKS
//
// The form is known from a message on a mailing list of 2020, and from a description by
// the makers of eM Client. Only the latter has Expiration. All values are
// percent-encoded UTF-8.
func documentReference() externalbody.Dialect {
	fields := []string{"Document-Reference"}
	return externalbody.Dialect{Name: "document-reference", Fields: fields, Read: readFields(fields, readDocument)}
}

func readDocument(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	url, rest, _ := strings.Cut(value, ";")
	url = strings.TrimSpace(url)
	var broken []string
	decode := func(name, v string) string {
		if !percent.Valid(v) {
			broken = append(broken, name)
		}
		return strings.ToValidUTF8(string(percent.AppendDecode(nil, v)), "\uFFFD")
	}
	if !strings.Contains(url, "://") { // else it is not encoded
		url = decode("url", url)
	}
	r := newLink(url, field, "https", "http")
	var seen []string
	for pair := range strings.SplitSeq(rest, ";") {
		name, v, ok := strings.Cut(pair, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !ok || len(seen) == 32 {
			continue
		}
		v = decode(name, strings.TrimSpace(v))
		if slices.Contains(seen, name) {
			diag(r, externalbody.DiagRepeatedField, name)
			continue
		}
		seen = append(seen, name)
		switch name {
		case "filename":
			setName(r, v)
		case "providertype":
			if r.Provider == "" {
				r.Provider = documentProvider(v)
			}
		case "permission":
			r.Permission = documentPermission(v)
		case "contenttype":
			setType(r, v)
		case "expiration":
			setTicks(r, v)
		}
	}
	for _, name := range broken {
		diag(r, externalbody.DiagPercent, name)
	}
	return r
}

// maxProvider bounds a ProviderType that is not known, in octets.
const maxProvider = 40

// documentProvider returns the name of the provider for a ProviderType. One that is not known
// counts only if it is a word: anybody can write the field.
func documentProvider(v string) string {
	v = strings.ToLower(v)
	switch {
	case v == "onedriveconsumer":
		return "onedrive"
	case v == "onedrivepro":
		return "sharepoint"
	case len(v) > maxProvider, strings.Trim(v, ascii.Lower+ascii.Digits+"-_.") != "":
		return ""
	}
	return v
}

// documentPermission returns the meaning of a Permission. View and Edit occur alone and
// after a scope, as in AnonymousEdit.
func documentPermission(v string) string {
	switch v = strings.ToLower(v); {
	case strings.HasSuffix(v, "view"), v == "":
		return "read"
	case strings.HasSuffix(v, "edit"):
		return "read-write"
	}
	return v
}

// ticksAtEpoch is the Unix epoch in seconds since the year 1.
const ticksAtEpoch = 62_135_596_800

// setTicks sets the expiration from a number of 100 ns since the year 1.
func setTicks(r *externalbody.Reference, v string) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		diag(r, externalbody.DiagBadExpiration, "expiration")
		return
	}
	const second = 10_000_000
	setExpiration(r, time.Unix(n/second-ticksAtEpoch, n%second*100))
}

// contentExternal reads Content-External, of draft-melnikov-email-big-files-00 section
// 3. It has the syntax of Content-Type, with RFC 2231, and there is one field for each
// file:
//
//	Content-External: application/pdf; url="https://h.example/a.pdf"; size=42
//
// Its media type belongs to the file, and counts more than the type in an answer.
//
// The names of its parameters could not be read: only the start of the draft is
// public in many places. Parameters are read if they can mean only one thing: the URL
// as url, uri or href, the name as name or filename, size, and digests by the name of
// their algorithm, in hexadecimal or base64. A program that writes the field would need
// the whole text.
func contentExternal() externalbody.Dialect {
	fields := []string{"Content-External"}
	return externalbody.Dialect{Name: "content-external", Fields: fields, Read: readFields(fields, readContentExternal)}
}

func readContentExternal(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	v := param.Parse(value)
	isURL := func(name string) bool { return name == "url" || name == "uri" || name == "href" }
	// White space in a URL comes from folding, as in RFC 2017 section 3.
	url := strings.Join(strings.Fields(firstOf(v, "url", "uri", "href")), "")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http", "ftp", "ftps")
	setName(r, charset.Words(firstOf(v, "filename", "name")))
	setType(r, v.Type)
	if r.MediaType != "" {
		r.Promises = append(r.Promises, "type")
	}
	setSize(r, strings.TrimSpace(firstOf(v, "size")))
	if r.Size >= 0 {
		r.Promises = append(r.Promises, "size")
	}
	conflict := false
	for _, p := range v.Params {
		addDigest(r, p.Name, p.Value)
		conflict = conflict || isURL(p.Name) && strings.Join(strings.Fields(p.Value), "") != url
	}
	if conflict {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}

// firstOf returns the first value that exists, by names in order.
func firstOf(v *param.Value, names ...string) string {
	for _, name := range names {
		if s, ok := v.Get(name); ok && s != "" {
			return s
		}
	}
	return ""
}

// digestSizes has the octets of the digests of each algorithm, by its name without hyphens.
var digestSizes = map[string]int{"md5": 16, "sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}

// addDigest adds a digest in hexadecimal or base64. Their lengths differ, so that they
// cannot be confused. Other texts are not digests. Other parameters are ignored.
func addDigest(r *externalbody.Reference, name, text string) {
	algorithm := strings.ReplaceAll(strings.TrimPrefix(name, "content-"), "-", "")
	size, ok := digestSizes[algorithm]
	if !ok {
		return
	}
	text = strings.Join(strings.Fields(text), "")
	sum, err := hex.DecodeString(text)
	if err != nil || len(sum) != size {
		sum, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	}
	if err != nil || len(sum) != size {
		diag(r, externalbody.DiagBadDigest, name)
		return
	}
	r.Digests = append(r.Digests, fetch.Digest{Algorithm: strings.Replace(algorithm, "sha", "sha-", 1), Sum: sum})
}

// openXchange reads X-Open-Xchange-Share-URL. App Suite puts it into the header of a
// message that shares files or a folder. Its value is the URL alone. The field is also
// in messages whose X-Open-Xchange-Share-Type is not share-created, such as those to
// reset a password, and refers to nothing there. The form is in the sources of App
// Suite.
//
// X-Open-Xchange-Share-Access has a user name and a password, and is not read.
func openXchange() externalbody.Dialect {
	fields := []string{"X-Open-Xchange-Share-URL"}
	return externalbody.Dialect{
		Name:   "open-xchange",
		Fields: fields,
		Read: readFile(fields, func(e *externalbody.Entity, field, value string) *externalbody.Reference {
			kind := strings.TrimSpace(e.Header.Get("X-Open-Xchange-Share-Type"))
			if kind != "" && !strings.EqualFold(kind, "share-created") {
				return nil
			}
			r := newLink(value, field, "https", "http")
			r.Name = "" // the URL ends with a token
			return r
		}),
	}
}

// remoteAttachment reads two fields of the header of a message. There is one for each
// file:
//
//	Remote-Attachment-Url: URL; name=FILE
//	Image-Archive-Url: URL
//
// The forms are those that a public program reads. It gets mail of one sender by IMAP,
// and the files with it. No sender and no message is public. The program takes the
// text between the first "=" and the next ";" as the name, whatever the parameter is called,
// and so do we. It takes an archive of pictures for a ZIP file, although the field
// does not have a type.
func remoteAttachment() externalbody.Dialect {
	fields := []string{"Remote-Attachment-Url", "Image-Archive-Url"}
	return externalbody.Dialect{Name: "remote-attachment", Fields: fields, Read: readFields(fields, readRemoteAttachment)}
}

func readRemoteAttachment(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	url, rest, _ := strings.Cut(value, ";")
	url = strings.Trim(strings.TrimSpace(url), "<>")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	if _, name, ok := strings.Cut(rest, "="); ok && r.AccessType != "" {
		name, _, _ = strings.Cut(name, ";")
		setName(r, charset.Words(strings.Trim(strings.TrimSpace(name), `"`)))
	}
	return r
}
