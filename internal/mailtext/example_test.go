package mailtext_test

import (
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/internal/mailtext"
)

func ExampleHTML() {
	text := `<p>See <a href="https://a.example/?b&amp;c">it</a></p><blockquote><a href="https://old.example/">old</a></blockquote>`
	mailtext.HTML(&mailtext.Source{Octets: []byte(text)}, func(t *mailtext.Token) {
		if href, ok := t.Attr("href"); ok && t.Kind == mailtext.StartTagToken {
			fmt.Println(href, t.Start, t.End, t.Quoted)
		}
	})
	// Output:
	// https://a.example/?b&c 7 44 false
	// https://old.example/ 66 97 true
}

func ExamplePlain() {
	text := "The file:\n<https://a.example/\n  long/name.pdf>\n> https://old.example/\n"
	mailtext.Plain(&mailtext.Source{Reader: strings.NewReader(text)}, func(t *mailtext.Token) {
		switch t.Kind {
		case mailtext.LinkToken, mailtext.URLToken:
			fmt.Println(t.Text, t.Quoted)
		}
	})
	// Output:
	// https://a.example/long/name.pdf false
	// https://old.example/ true
}
