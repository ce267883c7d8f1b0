package redact

import (
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// dataURL returns the redacted form of a data: URL from the text after "data:".
// Its parameters are left out: they can be as long and as secret as the data.
func dataURL(rest string) string {
	head, data, ok := strings.Cut(rest, ",")
	if !ok {
		return "data:" + octets(rest)
	}
	mediaType, parameters, _ := strings.Cut(head, ";")
	mediaType = strings.TrimSpace(mediaType)
	if len(mediaType) > maxType || !param.IsMediaType(mediaType) {
		mediaType = ""
	}
	last := parameters[strings.LastIndexByte(parameters, ';')+1:]
	if strings.EqualFold(strings.TrimSpace(last), "base64") {
		mediaType += ";base64"
	}
	return "data:" + mediaType + "," + octets(data)
}

// octets returns the length of data in words, or data itself if that is such words.
func octets(data string) string {
	const prefix, suffix, digits = "(", " octets)", "0123456789"
	if len(data) <= len(prefix)+len("18446744073709551615")+len(suffix) {
		n, ok1 := strings.CutPrefix(data, prefix)
		n, ok2 := strings.CutSuffix(n, suffix)
		if ok1 && ok2 && n != "" && strings.Trim(n, digits) == "" {
			return data
		}
	}
	return prefix + strconv.Itoa(len(data)) + suffix
}
