package fieldvalue

import "strings"

// Codings returns the content codings of the lines of Content-Encoding, in lower case and in the order in
// which they were applied, without identity.
//
// QUIRK: servers send names there that are no coding at all, such as "none", "utf-8", "binary" and the
// "aws-chunked" of uploads to S3. The octets are then as if there was no coding: curl and wget take them.
// Codings leaves out all names that are not registered, and unknown reports that there were some.
func Codings(lines []string) (codings []string, unknown bool) {
	for _, line := range lines {
		for coding := range Members(line) {
			coding = strings.ToLower(coding)
			switch coding {
			case "identity":
			case "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd":
				// The registry of RFC 9110 section 16.6.1, of which package fetch can undo some.
				codings = append(codings, coding)
			default:
				unknown = true
			}
		}
	}
	return codings, unknown
}
