package main

import (
	"cmp"
	"fmt"
	"mime"
	"strings"
	"unicode"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A way is a Plan in words.
type way struct {
	ID       string
	Name     string
	Icon     string // of the type
	Size     string // "" if none is announced
	From     string // the host, or ""
	Lines    []line // the consequences of opening it, for most readers
	Facts    []string
	Warnings []string
	Refused  string // why it cannot be opened; "" if it can
	Local    bool   // opening it uses no network
	contact  string // who is contacted and how, in full
}

func newWay(p *externalbody.Plan, ref *externalbody.Reference) *way {
	w := &way{ID: p.ID, Name: title(p.Ref, cmp.Or(p.Host, hostOf(p.Ref))), Icon: icon(p.Ref.MediaType), Lines: lines(p), Local: p.Local()}
	w.contact = strings.Join([]string{p.Scheme, p.Host, p.Direct, p.Login}, "\x00")
	w.From = clean(cmp.Or(p.Host, hostOf(p.Ref)), 100)
	if p.Ref.Size >= 0 {
		w.Size = octets(p.Ref.Size)
	}
	for line := range strings.Lines(strings.TrimPrefix(p.String(), "part "+p.Ref.ID+": ")) {
		w.Facts = append(w.Facts, clean(line, 300))
	}
	if ref != nil && ref.Quoted {
		w.Warnings = append(w.Warnings, "It is in quoted text: somebody wrote it before the sender did.")
	}
	for _, d := range p.Diags {
		if d.Code == externalbody.DiagLinkText {
			w.Warnings = append(w.Warnings, "The text of the link names another site than the link leads to.")
		}
	}
	if p.Kind != 0 {
		w.Refused = because(p.Kind, p.Cause)
	}
	return w
}

// A line is a sentence with the name of its icon in head.html.
type line struct{ Icon, Text string }

// lines returns the sentence of a Plan in lines: where the file comes from, and the facts that this discloses.
// The file is called by its type, since its name is above them. A refused Plan has no lines.
func lines(p *externalbody.Plan) (list []line) {
	if p.Kind != 0 {
		return nil // Refused says why
	}
	q := *p
	ref := *p.Ref
	ref.Name = ""
	q.Ref = &ref
	for i, text := range strings.Split(q.Summary(), "; ") {
		name := "note"
		switch {
		case i == 0 && p.Local():
			name = "mail"
		case i == 0 && p.Secure:
			name = "locked"
		case i == 0:
			name = "open"
		case strings.Contains(text, "learn"):
			name = "eye"
		}
		list = append(list, line{name, clean(strings.ToUpper(text[:1])+text[1:], 300) + "."})
	}
	return list
}

// title returns the name of a file for a page. One without a name is called by its type and its host.
func title(ref *externalbody.Reference, host string) string {
	if name := clean(ref.Name, 100); name != "" {
		return name
	}
	text := "File"
	switch major, minor, _ := strings.Cut(ref.MediaType, "/"); {
	case major == "image", major == "audio", major == "video", major == "text":
		text = strings.ToUpper(major[:1]) + major[1:]
	case minor == "pdf", minor == "zip":
		text = strings.ToUpper(minor) + " file"
	}
	if host != "" {
		text += " from " + host
	}
	return clean(text, 100)
}

// icon returns the name of the icon of a media type in head.html.
func icon(mediaType string) string {
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case major == "image", major == "audio", major == "video":
		return major
	case major == "text", minor == "pdf", strings.Contains(minor, "document"), strings.Contains(minor, "word"):
		return "text"
	case minor == "zip", minor == "gzip", minor == "x-tar", strings.HasSuffix(minor, "compressed"):
		return "archive"
	}
	return "file"
}

// hostOf returns the host of a Reference, or "".
func hostOf(ref *externalbody.Reference) string {
	if u, err := ref.Locate(); err == nil {
		return u.Host
	}
	return ""
}

// A view is a job in words.
type view struct {
	Token         string
	Letter        int
	Name, Icon    string
	Running       bool
	Phase         string
	Octets, Total int64 // of the body so far and as a whole; Total is -1 if not known
	Far           string
	Question      *way
	Refused       string // why it failed
	Detail        string
	Transient     bool
	Picture, Text bool // can be shown
	Size          string
	Verified      string
	SHA256        string
}

// because describes a Kind of failure for people, with the Cause of one that is Blocked.
func because(k fetch.Kind, cause string) string {
	if k == fetch.Blocked && cause == fetch.CauseAddress.String() {
		return "It leads into a private network, and mail must not lead there."
	}
	return cmp.Or(reasons[k], "It cannot be opened.")
}

var reasons = map[fetch.Kind]string{
	fetch.Unsupported:    "This way of getting a file is not supported here.",
	fetch.Malformed:      "The message does not say where it is in a way that means one thing.",
	fetch.Blocked:        "It leads to a place that mail must not lead to.",
	fetch.Denied:         "You did not agree.",
	fetch.Expired:        "It has expired.",
	fetch.Credentials:    "The host wants a login.",
	fetch.NotFound:       "The host does not have it.",
	fetch.Forbidden:      "The host does not give it to you.",
	fetch.TooLarge:       "It is larger than is allowed here.",
	fetch.Truncated:      "It ended before its end. What came has been thrown away.",
	fetch.TypeMismatch:   "It is something else than the message says. It has been thrown away.",
	fetch.DigestMismatch: "It is not what the sender promised. It has been thrown away.",
	fetch.Interstitial:   "The host sent a page in place of the file.",
	fetch.Pending:        "It has been asked for, and will come by mail.",
	fetch.Gone:           "It has been deleted.",
	fetch.Unavailable:    "The host does not answer now.",
	fetch.Untrusted:      "The host cannot prove who it is.",
	fetch.Protocol:       "The host gave an answer that makes no sense.",
	fetch.Canceled:       "You stopped it.",
	fetch.Local:          "There is a fault on our side.",
	fetch.Deferred:       "It is too much at once. It can be opened later.",
	fetch.SizeMismatch:   "It is not of the size that the message says. It has been thrown away.",
}

// clean makes a stranger's text fit for one line of a page: without controls, and
// without marks that change the direction of the text.
func clean(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strings.TrimSpace(s)
}

// decodeWords decodes the encoded-words of a header field, where it can.
func decodeWords(s string) string {
	if decoded, err := new(mime.WordDecoder).DecodeHeader(s); err == nil {
		return decoded
	}
	return s
}

// octets returns a size for people.
func octets(n int64) string {
	switch {
	case n == 1:
		return "1 octet"
	case n < 1000:
		return fmt.Sprintf("%d octets", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
