package httpfront

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// BenchmarkCheck is beside Bare, a server that only reads the message and answers.
func BenchmarkCheck(b *testing.B) {
	e := serve.New(serve.Options{Inspector: &inspect.Inspector{
		Reading: &externalbody.OpenOptions{Dialects: dialect.All()},
	}}, new(inspect.Policy))
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{\"verdict\":\"clean\",\"symbols\":[],\"refs\":[],\"action\":\"none\"}\n")
	})
	plain := "Subject: a\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat("the quick brown fox jumps over the lazy dog\r\n", 900)
	html := "Subject: a\r\nContent-Type: text/html\r\n\r\n" + strings.Repeat("<p>the <b>quick</b> <a href=\"https://www.example.com/a\">fox</a></p>\r\n", 850)
	for _, run := range []struct {
		name string
		h    http.Handler
		text string
	}{
		{"Bare/Plain40K", bare, plain}, {"Ours/Plain40K", New(e, 0, nil), plain},
		{"Bare/HTML60K", bare, html}, {"Ours/HTML60K", New(e, 0, nil), html},
	} {
		b.Run(run.name, func(b *testing.B) {
			s := httptest.NewServer(run.h)
			defer s.Close()
			b.SetBytes(int64(len(run.text)))
			for b.Loop() {
				resp, err := http.Post(s.URL+"/v1/check", "message/rfc822", bytes.NewReader([]byte(run.text)))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}
