// Package picture knows pictures by their octets, and SVG that does more than to show one.
//
// Several goroutines may call all functions at once.
package picture

import (
	"bytes"
	"slices"
	"strings"
)

// HeadBytes is how many octets of the start Type looks at.
const HeadBytes = 4096

// SVG is the media type of SVG.
const SVG = "image/svg+xml"

// beginnings are how the formats begin that mail programs show.
var beginnings = []struct{ begins, mediaType string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"BM", "image/bmp"},
	{"\x00\x00\x01\x00", "image/x-icon"},
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
	{"\xff\x0a", "image/jxl"},
	{"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"},
}

// brands are the brands of ISO base media files that are pictures (ISO 23008-12, AVIF).
var brands = map[string]string{
	"avif": "image/avif", "avis": "image/avif", "heic": "image/heic", "heix": "image/heic", "hevc": "image/heic-sequence", "mif1": "image/heif", "msf1": "image/heif-sequence",
}

// Type returns the media type of a picture that starts with head, or "" if it is no picture.
// Text in UTF-16 is not known as SVG.
func Type(head []byte) string {
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.begins)) {
			return b.mediaType
		}
	}
	switch {
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return "image/webp"
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return brands[string(head[8:12])]
	case IsSVG(head):
		return SVG
	}
	return ""
}

// IsSVG reports whether the first element of a text is svg.
func IsSVG(head []byte) bool {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		switch {
		case bytes.HasPrefix(text, []byte("<?")), bytes.HasPrefix(text, []byte("<!--")),
			bytes.HasPrefix(text, []byte("<!DOCTYPE")), bytes.HasPrefix(text, []byte("<!doctype")):
			end := []byte(">")
			if bytes.HasPrefix(text, []byte("<!--")) {
				end = []byte("-->")
			}
			_, after, ok := bytes.Cut(text, end)
			if !ok {
				return false
			}
			text = after
		default:
			name, opened := bytes.CutPrefix(text, []byte("<"))
			if i := bytes.IndexAny(name, " \t\r\n/>"); i >= 0 {
				name = name[:i]
			}
			if _, local, prefixed := bytes.Cut(name, []byte(":")); prefixed {
				name = local
			}
			return opened && bytes.EqualFold(name, []byte("svg"))
		}
	}
}

// local returns the name of an element or attribute without its prefix, in lower case.
func local(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// shows reports whether an element, by its name in lower case, only shows something.
func shows(element string) bool {
	return !slices.Contains([]string{
		"script", "foreignobject", "iframe", "frame", "embed", "object", "audio", "video", "source", "track", "handler", "listener", "link", "meta", "base",
		"html", "body", "form", "input", "button", "discard",
	}, element)
}
