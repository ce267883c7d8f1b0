package share

import (
	"encoding/base64"
	"strings"

	"github.com/go-extbody/extbody/internal/percent"
	"github.com/go-extbody/extbody/internal/weburl"
)

// itself is for links that give the octets.
func itself(f *found, _ *Link) string {
	text, _, _ := strings.Cut(f.text, "#")
	return text
}

// set is for links that give the octets with a parameter set to a value.
func set(name, value string) func(*found, *Link) string {
	return func(f *found, _ *Link) string { return weburl.SetParam(f.text, name, value) }
}

// to is for links that lead to another URL, in which "{host}" stands for the
// link's host, and "{id}" and "{owner}" for what its pattern found. The
// parameters in keep go along as they are, for those that have them.
func to(template string, keep ...string) func(*found, *Link) string {
	return func(f *found, l *Link) string {
		if !isToken(f.id) {
			return ""
		}
		text := strings.NewReplacer("{host}", f.u.Host, "{id}", f.id, "{owner}", f.owner).Replace(template)
		for _, name := range keep {
			if value, ok := f.u.Param(name); ok && value != "" {
				text = weburl.SetParam(text, name, value)
			}
		}
		return text
	}
}

// oneDriveShares is the address of the OneDrive API that takes a share link
// in Base64, without padding and in the alphabet for URLs.
func oneDriveShares(f *found, l *Link) string {
	if l.Kind != File {
		return ""
	}
	return "https://api.onedrive.com/v1.0/shares/u!" + base64.RawURLEncoding.EncodeToString([]byte(itself(f, l))) + "/root/content"
}

// component holds the octets that are escaped where a value is put into a URL:
// all but the unreserved ones (RFC 3986 section 2.3).
var component = notUnreserved()

func notUnreserved() (s percent.Set) {
	for c := range s {
		s[c] = true
	}
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") {
		s[c] = false
	}
	return s
}

func escaped(s string) string { return string(percent.AppendEncode(nil, s, &component)) }
