package externalbody_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// A relative URL inside a container under base64 is relative to what is around it
// (RFC 2557 section 5), which is not in the decoded octets.
func TestBaseAroundEncodedContainer(t *testing.T) {
	inner := "--i\nContent-Type: message/external-body; access-type=URL; URL=\"c.png\"\n\nContent-Type: image/png\n\n--i--\n"
	container := "--o\nContent-Type: multipart/mixed; boundary=i\nContent-Transfer-Encoding: base64\n%s\n" +
		base64.StdEncoding.EncodeToString([]byte(inner)) + "\n--o--\n"
	for _, c := range []struct{ name, outer, container, want string }{
		{"None", "", "", ""},
		{"Message", "Content-Location: http://a.example/m/\n", "", "http://a.example/m/c.png"},
		{"Container", "Content-Location: http://a.example/m/\n", "Content-Location: http://a.example/n/\n", "http://a.example/n/c.png"},
		{"Far", "X: " + strings.Repeat("x", 900) + "\nContent-Location: http://a.example/m/\n", "", "http://a.example/m/c.png"},
	} {
		text := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n" + c.outer + "\n" +
			strings.Replace(container, "%s", c.container, 1)
		refs := openText(t, text, nil)
		if len(refs) != 1 {
			t.Fatalf("%s: got %d references, want 1", c.name, len(refs))
		}
		r := &externalbody.Resolver{BaseURL: true, Fetcher: &web{}}
		if got := r.Plan(refs[0]).URL; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What is around a message says nothing of the base in it.
func TestBaseWithinMessage(t *testing.T) {
	for _, mediaType := range []string{"message/rfc822", "message/global", "message/news"} {
		text := "Content-Type: multipart/mixed; boundary=o\nContent-Location: http://a.example/m/\n\n--o\nContent-Type: " + mediaType + "\n\n" +
			"Content-Type: message/external-body; access-type=URL; URL=\"c.png\"\n\nContent-Type: image/png\n\n--o--\n"
		refs := openText(t, text, nil)
		if len(refs) != 1 {
			t.Fatalf("%s: got %d references, want 1", mediaType, len(refs))
		}
		r := &externalbody.Resolver{BaseURL: true, Fetcher: &web{}}
		if got := r.Plan(refs[0]).URL; got != "" {
			t.Errorf("%s: got %q, want no URL", mediaType, got)
		}
	}
}
