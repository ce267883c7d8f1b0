package record_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	facts "github.com/go-extbody/extbody/fetch/record"
)

// The token of a share link stands nowhere in a trace, wherever a server puts it.
func TestTraceOfSecret(t *testing.T) {
	const token, link = "AbCdEf0123456789xYz", "https://www.dropbox.com/scl/fi/AbCdEf0123456789xYz/f.pdf?rlkey=k3yK3yk3yk3y00&dl=1"
	ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; access-type=URL; URL=\""+link+"\"\r\n\r\n"), []byte("Content-Type: x/y\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]string{
		"Location":  "HTTP/1.1 302 Found\r\nLocation: /scl/fi/" + token + "/f.pdf?rlkey=k3yK3yk3yk3y00\r\n\r\n",
		"Folded":    "HTTP/1.1 302 Found\r\nLocation:\r\n https://h.example/" + token + "/\r\n x\r\n\r\n",
		"FoldedIn":  "HTTP/1.1 302 Found\r\nLocation: https://h.example/AbCdEf01234\r\n 56789xYz/\r\n\r\n",
		"Broken":    "HTTP/1.1 302 Found\r\nLocation: ht!tp:\\\\" + token + "\r\n\r\n",
		"Reason":    "HTTP/1.1 404 no " + token + " here\r\n\r\n",
		"Realm":     "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=\"" + token + "\"\r\n\r\n",
		"ETag":      "HTTP/1.1 200 OK\r\nETag: \"" + token + "\"\r\n\r\n",
		"LowerCase": "HTTP/1.1 200 OK\r\nX-Id: " + strings.ToLower(token) + "\r\n\r\n",
		"Query":     "HTTP/1.1 200 OK\r\nX-Key: k3yK3yk3yk3y00\r\n\r\n",
	} {
		for _, asJSON := range []bool{false, true} {
			var b bytes.Buffer
			tr := record.NewTracer(&b, asJSON, false)
			tr.Observe(ref, &fetch.Exchange{
				URL: link, Secret: true, RequestHead: facts.Octets("GET /scl/fi/" + token + "/f.pdf?rlkey=k3yK3yk3yk3y00 HTTP/1.1\r\nHost: www.dropbox.com\r\n\r\n"),
				ResponseHead: facts.Octets(answer), Dialogue: []facts.Line{{Text: facts.Octets("200 " + token)}}, Error: "refused " + token,
			})
			if asJSON {
				json.NewEncoder(&b).Encode(tr.Take(ref))
			}
			text := strings.ToLower(b.String())
			if text == "" || strings.Contains(text, "abcdef01234") || strings.Contains(text, "56789xyz") || strings.Contains(text, "k3yk3y") {
				t.Errorf("%s: got the secret in\n%s", name, b.String())
			}
		}
	}
}
