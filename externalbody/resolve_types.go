package externalbody

import "context"

// commonTypes maps other names of media types, as mail and servers have them, to the
// registered ones.
var commonTypes = map[string]string{
	"image/jpg":                    "image/jpeg",
	"image/pjpeg":                  "image/jpeg",
	"image/x-png":                  "image/png",
	"application/x-pdf":            "application/pdf",
	"application/x-zip":            "application/zip",
	"application/x-zip-compressed": "application/zip",
	"application/x-gzip":           "application/gzip",
	"application/x-rtf":            "application/rtf",
	"text/rtf":                     "application/rtf",
	"audio/mp3":                    "audio/mpeg",
	"audio/x-mp3":                  "audio/mpeg",
	"audio/x-wav":                  "audio/wav",
	"video/x-m4v":                  "video/mp4",
	"text/xml":                     "application/xml",
	"text/x-vcard":                 "text/vcard",
	"application/x-javascript":     "text/javascript",
	"application/javascript":       "text/javascript",
	"application/x-msword":         "application/msword",
	"application/x-tar-gz":         "application/gzip",
	"application/x-compressed-tar": "application/gzip",
	"application/x-download":       anyType,
	"application/force-download":   anyType,
	"application/x-force-download": anyType,
	"application/download":         anyType,
	"application/binary":           anyType,
	"binary/octet-stream":          anyType,
}

// anyType says nothing about the octets.
const anyType = "application/octet-stream"

// CommonTypes is a [Resolver].SameType for mail in practice. It reports whether the two
// types are names of one type, such as image/jpg and image/jpeg, or whether one of them
// says only that there are octets, such as application/x-download.
func CommonTypes(_ context.Context, _ *Reference, announced, served string) bool {
	a, s := commonType(announced), commonType(served)
	return a == s || a == anyType || s == anyType
}

func commonType(t string) string {
	if c, ok := commonTypes[t]; ok {
		return c
	}
	return t
}
