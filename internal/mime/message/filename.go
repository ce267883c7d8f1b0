package message

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// FileNames returns the names of the file that a part is, by its header: each filename of a Content-Disposition
// and each name of a Content-Type, with encoded-words decoded. Programs differ in which of several they use.
func FileNames(header string) (names []string) {
	for f := range Fields(header, 0) {
		attribute := ""
		switch {
		case strings.EqualFold(f.Name, "Content-Disposition"):
			attribute = "filename"
		case strings.EqualFold(f.Name, "Content-Type"):
			attribute = "name"
		default:
			continue
		}
		for _, p := range param.Parse(f.Value).Params {
			if p.Name == attribute && p.Value != "" {
				names = append(names, charset.Words(p.Value))
			}
		}
	}
	return names
}

// OpenedAs returns the media type as which mail programs open a part: mediaType, which is in lower case, or the one
// of its file names. The name decides for application/octet-stream, for a part without a media type (typed is false),
// and for a type that is not known, which counts as application/octet-stream (RFC 2049 section 2). application/pgp is
// a text.
func OpenedAs(mediaType string, typed bool, names []string) string {
	top, _, _ := strings.Cut(mediaType, "/")
	switch {
	case mediaType == "application/pgp", mediaType == "application/x-pgp":
		return "text/plain"
	case !typed, mediaType == "application/octet-stream":
	case top == "message" && !isKnownMessage(mediaType):
	case slices.Contains([]string{"application", "audio", "font", "image", "message", "model", "multipart", "text", "video"}, top):
		return mediaType
	}
	switch {
	case HasExtension(names, []string{".eml"}):
		return "message/rfc822"
	case top == "message":
		return mediaType
	case HasExtension(names, []string{".htm", ".html", ".shtml"}):
		return "text/html"
	case HasExtension(names, []string{".ics"}):
		return "text/calendar"
	}
	return mediaType
}

// MayBeArmored reports whether a part may be a message of OpenPGP, by its type and file names. Exchange leaves PGP/MIME
// (RFC 3156) as such files.
func MayBeArmored(mediaType string, names ...string) bool {
	return mediaType == "application/octet-stream" && HasExtension(names, []string{".asc", ".pgp", ".gpg"})
}

// MayBeOpenedAs reports whether OpenedAs depends on the names of a part that is not the message itself.
func (p *Part) MayBeOpenedAs() bool {
	switch p.Type {
	case "application/octet-stream", "application/pgp", "application/x-pgp":
		return true
	case "text/plain", "text/html":
		return !p.typed() && p.Parent != nil
	}
	return OpenedAs(p.Type, p.typed(), []string{".eml"}) != p.Type
}

// OpenedAs is [OpenedAs] of a part with that header.
func (p *Part) OpenedAs(header string) string { return OpenedAs(p.Type, p.typed(), FileNames(header)) }

// typed reports whether p has a media type of its own.
func (p *Part) typed() bool { return p.ContentType.Len() > 0 && !p.Diag.Has(BadContentType) }

// isKnownMessage reports whether programs know the format of a message type.
func isKnownMessage(mediaType string) bool {
	known := []string{
		"message/external-body", "message/partial", "message/delivery-status", "message/disposition-notification",
	}
	return IsMessage(mediaType) || slices.Contains(known, mediaType)
}

// HasExtension reports whether one of some file names ends in one of some extensions, such as ".url". It ignores
// case, and the blanks and periods after a name, which Windows drops.
func HasExtension(names, extensions []string) bool {
	for _, name := range names {
		name = strings.ToLower(strings.TrimRight(name, " .\t\r\n"))
		for _, e := range extensions {
			if strings.HasSuffix(name, strings.ToLower(e)) {
				return true
			}
		}
	}
	return false
}
