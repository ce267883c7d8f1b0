package weburl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// parseAll prints for each URL of a JSON list its host name, path, query and fragment, or
// null if it is not one.
const parseAll = `
const urls = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(urls.map(text => {
	try {
		const u = new URL(text);
		return u.username || u.password ? null : [u.hostname, u.port, u.pathname, u.search, u.hash];
	} catch { return null }
})));`

// Whatever is a URL here is the same URL to the parser of the URL Standard in Node, and
// no spelling of a host that Node understands is unknown here.
func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	texts := disguises(20000)
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", parseAll)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	if err := json.Unmarshal(out, &want); err != nil || len(want) != len(texts) {
		t.Fatalf("got %d answers, %v, want %d", len(want), err, len(texts))
	}
	both := 0
	for i, text := range texts {
		u, ok := weburl.Parse(text)
		w := want[i]
		switch {
		case ok && w == nil:
			t.Errorf("%q: got %+v, want no URL", text, u)
		case !ok && w != nil && strings.TrimSuffix(w[0], ".") == "www.dropbox.com" && !strings.ContainsAny(text, `@\`):
			t.Errorf("%q: got no URL, want %q", text, w)
		case ok:
			both++
			host, path := strings.TrimSuffix(w[0], "."), w[2]
			port := ""
			if u.Port != 0 {
				port = fmt.Sprint(u.Port)
			}
			if u.Host != host || port != w[1] || u.Path != path && u.Path+path != "/" {
				t.Errorf("%q: got %+v, want %q", text, u, w)
			}
		}
	}
	t.Logf("%d of %d are URLs to both", both, len(texts))
}

// disguises returns n spellings of a URL at www.dropbox.com, and of others.
func disguises(n int) []string {
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		b.WriteString(pick("https://", "HTTP://", "https://", "http://"))
		for _, c := range "www.dropbox.com" {
			switch rnd.IntN(12) {
			case 0:
				fmt.Fprintf(&b, "%%%02x", c)
			case 1:
				fmt.Fprintf(&b, "%%%02X", c&^0x20)
			case 2:
				b.WriteRune(c - '!' + '\uff01') // full width
			case 3:
				b.WriteString(string(c) + pick("\u00ad", "\u200b", "", "\ufe0f"))
			case 4:
				if c == '.' {
					b.WriteString(pick("。", "．", "｡", "%E3%80%82"))
					continue
				}
				b.WriteString(strings.ToUpper(string(c)))
			case 5:
				if rnd.IntN(20) == 0 {
					b.WriteString(pick("%", "%2f", "@", "%40", `\`, "#", "?", "／", "ß", "xn--", "%00", ":", "_", "-"))
				}
				fallthrough
			default:
				b.WriteRune(c)
			}
		}
		b.WriteString(pick("", "", "", ".", "。", ":443", ":80", ":8443", ":", `\@a.example`))
		for range rnd.IntN(5) {
			b.WriteString("/" + pick("a", ".", "..", "%2e", "%2E.", ".%2e%2e", "", "s", "...", "%2ea", "a%2fb"))
		}
		b.WriteString(pick("", "/", "?x=%41", "#f", "?", "/.?#"))
		texts[i] = b.String()
	}
	return texts
}
