package mailtext

// IsHTML reports whether mail programs show a text of that media type, in lower case, as
// HTML: text/html, and what stands beside it for programs that know it, of AMP for Email
// and of Apple Watch.
func IsHTML(mediaType string) bool {
	switch mediaType {
	case "text/html", "text/x-amp-html", "text/watch-html":
		return true
	}
	return false
}

// IsPlain reports whether mail programs show a text of that media type, in lower case, as
// it stands, or nearly so: text/plain, Markdown (RFC 7763), and text/enriched (RFC 1896).
// Other subtypes of text are files, as a rule.
func IsPlain(mediaType string) bool {
	switch mediaType {
	case "text/plain", "text/markdown", "text/x-markdown", "text/enriched":
		return true
	}
	return false
}
