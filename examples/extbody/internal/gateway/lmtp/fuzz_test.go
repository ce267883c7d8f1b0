package lmtp

import (
	"bufio"
	"strings"
	"testing"
)

// What is read of XFORWARD can stand in a log line.
func FuzzParseXforward(f *testing.F) {
	f.Add("ADDR=IPV6:2001:db8::1 IDENT=a+2Bb")
	f.Fuzz(func(t *testing.T, arg string) {
		var o Origin
		if parseXforward(&o, arg) != nil {
			return
		}
		for _, s := range []string{o.Address, o.QueueID} {
			if len(s) > maxXforward || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q: got %q, want what can be printed", arg, s)
			}
		}
	})
}

// What is read as a path is written as it came, and is one line.
func FuzzParsePath(f *testing.F) {
	f.Add("FROM:<a@b.example> SIZE=1 BODY=8BITMIME")
	f.Add(`FROM:<"a>b\""@c.example> X`)
	f.Add("FROM:<>")
	f.Add("FROM: <@a,@b:c@d>\tRET=HDRS")
	f.Fuzz(func(t *testing.T, arg string) {
		p, err := parsePath(arg, "FROM:")
		if err != nil {
			return
		}
		line := "FROM:<" + p.Address + ">"
		for _, q := range p.Params {
			line += " " + q
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q: got the path %q, want no control character in it", arg, line)
		}
		again, err := parsePath(line, "FROM:")
		if err != nil || again.Address != p.Address || strings.Join(again.Params, " ") != strings.Join(p.Params, " ") {
			t.Errorf("%q: got %+v, then %+v, %v; want the same", arg, p, again, err)
		}
	})
}

// A reply has a code that there is, and a bounded text.
func FuzzReply(f *testing.F) {
	f.Add("250 2.0.0 OK\r\n")
	f.Add("250-a\r\n250-SIZE 1\r\n250 DSN\r\n")
	f.Add("354\r\n")
	f.Add("250-a\r\n251 b\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Client{r: bufio.NewReaderSize(strings.NewReader(text), maxLine)}
		r, err := c.reply()
		if err != nil {
			return
		}
		if r.Code < 200 || r.Code > 599 || len(r.Text) > len(text) || strings.Count(r.Text, "\n") >= maxReplyLines {
			t.Errorf("%q: got %v, want a code of three digits and bounded text", text, r)
		}
	})
}
