package mailtext

import "strings"

// IsHTML reports whether some mail programs show a text of this media type as HTML:
// text/html and two alternatives to it, for AMP for Email and for Apple Watch.
// mediaType must be in lower case.
func IsHTML(mediaType string) bool {
	switch mediaType {
	case "text/html", "text/x-amp-html", "text/watch-html":
		return true
	}
	return false
}

// IsPlain reports whether mail programs show a text of this media type with few or no
// changes: text/plain and each unknown subtype of text (RFC 2046 section 4.1.4), but
// not HTML and not file formats. mediaType must be in lower case.
func IsPlain(mediaType string) bool {
	subtype, ok := strings.CutPrefix(mediaType, "text/")
	switch subtype {
	case "calendar", "csv", "css", "directory", "javascript", "ecmascript", "rtf", "richtext", "sgml", "tab-separated-values",
		"vcard", "x-vcard", "x-vcalendar", "xml", "xml-external-parsed-entity", "rfc822-headers", "x-patch", "x-diff":
		return false
	}
	return ok && !IsHTML(mediaType)
}
