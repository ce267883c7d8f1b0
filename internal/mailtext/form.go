package mailtext

// IsHTML reports whether some mail programs show a text of this media type as HTML:
// text/html and two types that are sent as alternatives to it, for AMP for Email and for
// Apple Watch. mediaType is in lower case.
func IsHTML(mediaType string) bool {
	switch mediaType {
	case "text/html", "text/x-amp-html", "text/watch-html":
		return true
	}
	return false
}

// IsPlain reports whether mail programs show a text of this media type as it is, or nearly
// so: text/plain, Markdown (RFC 7763) and text/enriched (RFC 1896). Other subtypes of text
// are usually files. mediaType is in lower case.
func IsPlain(mediaType string) bool {
	switch mediaType {
	case "text/plain", "text/markdown", "text/x-markdown", "text/enriched":
		return true
	}
	return false
}
