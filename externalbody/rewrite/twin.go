package rewrite

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"html"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/externalbody"
)

// twin writes a multipart/alternative behind the fields in outer: a text for
// people, the same as HTML, and entity, which is best and hence last (RFC 2046
// section 5.1.4).
func twin(outer *header, entity []byte, ref *externalbody.Reference, where string) error {
	boundary := rand.Text() // 26 letters and digits, of 130 random bits
	outer.line(`Content-Type: multipart/alternative; boundary="` + boundary + `"`)
	outer.line("")
	name := ref.Name
	if name == "" {
		name = "a part of type " + ref.MediaType
	}
	size := strconv.FormatInt(ref.Size, 10) + " octets"
	until := ""
	if !ref.Expiration.IsZero() {
		until = "until " + ref.Expiration.UTC().Format(time.RFC1123)
	}
	plain := fmt.Sprintf("%s (%s)\r\n%s\r\n", name, size, where)
	e := html.EscapeString
	rich := fmt.Sprintf("<p><a href=\"%s\">%s</a> (%s)", e(where), e(name), size)
	if until != "" {
		plain += until + "\r\n"
		rich += "<br>" + until
	}
	rich += "</p>\r\n"
	for _, p := range []struct{ mediaType, text string }{{"text/plain", plain}, {"text/html", rich}} {
		outer.line("--" + boundary)
		outer.line("Content-Type: " + p.mediaType + "; charset=utf-8")
		outer.line("Content-Transfer-Encoding: " + quotedPrintable)
		outer.line("")
		var b bytes.Buffer
		c := coding{name: quotedPrintable, eol: outer.eol}
		if err := c.encode(&b, bytes.NewReader([]byte(p.text)), make([]byte, 4<<10)); err != nil {
			return err
		}
		outer.text = append(outer.text, b.Bytes()...)
	}
	outer.line("--" + boundary)
	outer.text = append(outer.text, entity...)
	outer.line("--" + boundary + "--")
	return nil
}
