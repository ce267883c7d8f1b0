package safefetch_test

import (
	"bufio"
	"encoding/json"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// A vector is a URL and whether the strict policy lets it be fetched.
type vector struct {
	url, class, why string
	allowed         bool
	twice           bool              // the second fetch decides
	env             map[string]string // variables that must have no effect
	answers         [][]netip.Addr    // the addresses of the name of the URL, in turn
}

// vectors are ours, for a run without the shared ones.
var vectors = []vector{
	{url: "http://127.0.0.1/", class: "literal"},
	{url: "http://2130706433/", class: "literal"},
	{url: "http://0x7f.1/", class: "literal"},
	{url: "http://0177.0.0.1/", class: "literal"},
	{url: "http://[::1]/", class: "literal"},
	{url: "http://[::ffff:127.0.0.1]/", class: "literal"},
	{url: "http://[64:ff9b::7f00:1]/", class: "literal"},
	{url: "http://[2002:7f00:1::]/", class: "literal"},
	{url: "http://169.254.169.254/latest/", class: "literal"},
	{url: "http://\uff11\uff12\uff17.0.0.1/", class: "literal"},
	{url: "http://10.1.2.3/", class: "literal"},
	{url: "http://100.64.0.1/", class: "literal"},
	{url: "http://8.8.8.8/", class: "literal", allowed: true},
	{url: "http://[2606:4700::1]/", class: "literal", allowed: true},
	{url: "http://localhost/", class: "name"},
	{url: "http://printer/", class: "name"},
	{url: "http://db.internal/", class: "name"},
	{url: "http://public.test/", class: "name", allowed: true},
	{url: "HTTP://Public.TEST./", class: "name", allowed: true},
	{url: "http://inside.test/", class: "dns", answers: addresses("10.0.0.1")},
	{url: "http://loop6.test/", class: "dns", answers: addresses("::1")},
	{url: "http://mixed.test/", class: "dns", answers: addresses("93.184.216.34 127.0.0.1")},
	{url: "http://rebind.test/", class: "dns", answers: addresses("93.184.216.34", "127.0.0.1"), twice: true},
	{url: "http://public.test/redir?code=302&to=http%3A%2F%2F127.0.0.1%2F", class: "redirect"},
	{url: "http://public.test/redir?code=307&to=http%3A%2F%2Finside.test%2F", class: "redirect", answers: addresses("10.0.0.1")},
	{url: "http://public.test/redir?code=302&to=%2F%2F169.254.169.254%2F", class: "redirect"},
	{url: "http://public.test/redir?code=302&to=file%3A%2F%2F%2Fetc%2Fpasswd", class: "redirect"},
	{url: "http://public.test/redir?code=302&to=data%3A%2Cx", class: "redirect"},
	{url: "http://public.test/redir?code=302&to=%5C%5C127.0.0.1%5C", class: "redirect"},
	{url: "http://public.test/redir?code=302&to=http%3A%2F%2Fu%3Ap%40other.test%2F", class: "redirect"},
	{url: "http://public.test/redir?code=302&to=http%3A%2F%2Fother.test%2F", class: "redirect", allowed: true},
	{url: "http://public.test/redir?code=300&to=http%3A%2F%2Fother.test%2F", class: "redirect"},
	{url: "http://public.test/loop", class: "redirect"},
	{url: "http://public.test/hop/9", class: "redirect", allowed: true},
	{url: "http://public.test/hop/11", class: "redirect"},
	{url: "http://public.test/refresh", class: "redirect", allowed: true},
	{url: "http://public.test/altsvc", class: "redirect", allowed: true},
	{url: "http://u:p@public.test/", class: "parser"},
	{url: "http://public.test\\@127.0.0.1/", class: "parser"},
	{url: "http://public.test:0/", class: "port"},
	{url: "http://public.test:25/", class: "port"},
	{url: "http://public.test/%0d%0aX-Injected:%201", class: "parser", allowed: true},
	{url: "https://127.0.0.1/", class: "literal"},
	{url: "ftp://127.0.0.1/x", class: "ftp"},
	{url: "ftp://inside.test/x", class: "ftp", answers: addresses("10.0.0.1")},
	{url: "ftps://[::1]/x", class: "ftp"},
	{url: "file:///etc/passwd", class: "scheme"},
	{url: "gopher://public.test/", class: "scheme"},
	{url: "tftp://public.test/x", class: "scheme"},
	{url: "imap://public.test/INBOX", class: "scheme"},
	{url: "javascript:alert(1)", class: "scheme"},
	{url: "data:text/plain;base64,SGVsbG8=", class: "scheme", allowed: true},
	{url: "http://inside.test/", class: "proxy", answers: addresses("10.0.0.1"), env: map[string]string{
		"HTTP_PROXY": "http://93.184.216.36:3128", "http_proxy": "http://93.184.216.36:3128", "ALL_PROXY": "http://93.184.216.36:3128",
	}},
}

// addresses parses answers, each a list of addresses.
func addresses(answers ...string) [][]netip.Addr {
	var list [][]netip.Addr
	for _, answer := range answers {
		var addrs []netip.Addr
		for _, field := range strings.Fields(answer) {
			addrs = append(addrs, netip.MustParseAddr(field))
		}
		list = append(list, addrs)
	}
	return list
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.class, func(t *testing.T) { run(t, v) })
	}
}

func TestSharedVectors(t *testing.T) {
	dir := os.Getenv("EXTBODY_SHARED")
	if dir == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the shared vectors")
	}
	file, err := os.Open(filepath.Join(dir, "vectors", "ssrf.tsv"))
	noError(t, err)
	defer file.Close()
	n := 0
	lines := bufio.NewScanner(file)
	lines.Scan() // the names of the columns
	for lines.Scan() {
		if v, ok := parseVector(t, lines.Text()); ok {
			t.Run(v.class, func(t *testing.T) { run(t, v) })
			n++
		}
	}
	if err := lines.Err(); err != nil || n < 100 {
		t.Errorf("got %d vectors, %v, want at least 100, nil", n, err)
	}
}

// parseVector reads a line: vector, class, expected, why and setup. Those that
// need a server of another kind are left to the packages of their schemes.
func parseVector(t *testing.T, line string) (vector, bool) {
	t.Helper()
	fields := strings.Split(line, "\t")
	if len(fields) != 5 || fields[2] != "allowed" && fields[2] != "blocked" {
		t.Fatalf("got the line %q, want five fields, the third blocked or allowed", line)
	}
	v := vector{url: fields[0], class: fields[1], allowed: fields[2] == "allowed", why: fields[3]}
	if v.class == "non-http" {
		return v, false
	}
	if strings.HasPrefix(v.url, `"`) {
		noError(t, json.Unmarshal([]byte(v.url), &v.url))
	}
	words := strings.Fields(strings.NewReplacer("twice", "twice ", "dns:", "dns: ", " + A ", " ", " + AAAA ", " ").Replace(fields[4]))
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "twice":
			v.twice = true
		case strings.HasPrefix(word, "env:"):
			name, value, _ := strings.Cut(word[len("env:"):], "=")
			v.env = map[string]string{name: value}
		case word == "then":
			v.answers = append(v.answers, nil)
		default:
			addr, err := netip.ParseAddr(word)
			if err != nil {
				continue
			}
			if len(v.answers) == 0 {
				v.answers = append(v.answers, nil)
			}
			last := len(v.answers) - 1
			v.answers[last] = append(v.answers[last], addr)
		}
	}
	return v, true
}

// run fetches a vector and checks that the guard has decided as expected.
func run(t *testing.T, v vector) {
	for name, value := range v.env {
		t.Setenv(name, value)
	}
	u, err := url.Parse(v.url)
	if err != nil {
		if v.allowed {
			t.Errorf("%s: got error %v, want none", v.url, err)
		}
		return
	}
	w := newWorld(t, v)
	if v.allowed && w.outside(u) {
		// It cannot be reached from here. That nothing forbids it is all.
		if err := w.mux.Check(&fetch.Request{URL: u}); err != nil {
			t.Errorf("%s: got error %v of Check, want none", v.url, err)
		}
		return
	}
	err = w.get(u, v.url)
	if v.twice && err == nil {
		err = w.get(u, v.url)
	}
	switch kind := fetch.KindOf(err); {
	case v.allowed:
		if err != nil {
			t.Errorf("%s (%s): got error %v, want none", v.url, v.why, err)
		}
	case kind == fetch.Blocked, kind == fetch.Malformed:
	case kind == fetch.Protocol && v.class == "redirect":
	case kind == fetch.Unavailable && w.names.missing != "":
		if w.names.missing != "127.0.0.1.public.test" {
			t.Errorf("%s (%s): nobody has scripted %s, want %s", v.url, v.why, w.names.missing, "127.0.0.1.public.test")
		}
	default:
		t.Errorf("%s (%s): got %v, want a refusal", v.url, v.why, err)
	}
}
