package netguard

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// A row is a line of testdata/vectors.jsonl; testdata/SPEC.md has the format.
type row struct {
	URLs      []string              `json:"urls"`
	DNS       map[string][][]string `json:"dns"`
	Want      string                `json:"want"`
	Rule      string                `json:"rule"`
	Reaches   []string              `json:"reaches"`
	Why       string                `json:"why"`
	Published []string              `json:"published"`
}

// byName are the rules by their names in the rows.
var byName = map[string]rule{
	"host": hostInvalid, "local-name": hostLocal, "userinfo": userinfoPresent, "port": portNotAllowed, "address": addrNotPublic,
}

// TestPublished runs the rows that a guard in any language can run: the bypasses of other guards that were
// published, and the cases beside them.
func TestPublished(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	advisories, refused := make(map[string]bool), 0
	for line := range strings.Lines(string(text)) {
		var v row
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, id := range v.Published {
			advisories[id] = true
		}
		if v.Want == "refused" {
			refused++
		}
		t.Run(v.Why, func(t *testing.T) { v.run(t) })
	}
	if len(advisories) < 9 {
		t.Errorf("got %d advisories, want 9", len(advisories))
	}
	t.Logf("%d rows are refused; they and the others have %d advisories", refused, len(advisories))
}

// run judges the URLs of a row one after another, and asks for the name of each once.
func (v *row) run(t *testing.T) {
	z := new(zone)
	for name, answers := range v.DNS {
		for _, addrs := range answers {
			z.add(name+".", addrs...)
		}
	}
	g := (&Guard{Resolver: z}).WithPorts(80, 443)
	for i, raw := range v.URLs {
		addrs, err := reached(t, g, raw)
		last := i == len(v.URLs)-1
		if !last || v.Want == "allowed" {
			if err != nil {
				t.Fatalf("%s: got %v, want it allowed", raw, err)
			}
			if last && !slices.Equal(addrs, parseAddrs(v.Reaches...)) {
				t.Errorf("%s: got %v, want %v", raw, addrs, v.Reaches)
			}
			continue
		}
		if _, unparsed := errors.AsType[*url.Error](err); unparsed && v.Rule == "host" {
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.rule != byName[v.Rule] || !errors.Is(err, fetch.Blocked) {
			t.Errorf("%s: got %v, want a refusal by the rule %s", raw, err, v.Rule)
		}
	}
	for name, n := range z.lookups {
		if n > len(v.URLs) {
			t.Errorf("%s: got %d questions for the name, want one for each URL", name, n)
		}
	}
}

// reached returns the addresses that g lets a URL reach. Each is judged once more as the address of a socket.
func reached(t *testing.T, g *Guard, raw string) ([]netip.Addr, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	name, port, err := g.Authority(u)
	if err != nil {
		return nil, err
	}
	addrs, err := g.Resolve(t.Context(), name)
	for _, addr := range addrs {
		if err := g.ControlContext(t.Context(), "tcp6", netip.AddrPortFrom(addr, port).String(), nil); err != nil {
			t.Errorf("%s: the socket to %v: %v", raw, addr, err)
		}
	}
	return addrs, err
}

// A vector is a row of the shared table of URLs that are blocked or allowed.
type vector struct {
	url, class, want, why, setup string
}

// TestVectors runs those rows of the shared table that a guard can decide: all
// except the rows about the answers of a server, which belong to the fetchers.
func TestVectors(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the conformance data")
	}
	vectors := readVectors(t, filepath.Join(shared, "vectors", "ssrf.tsv"))
	records := readRecords(t, vectors)
	judged := 0
	for _, v := range vectors {
		if reason := notOurs(v); reason != "" {
			continue
		}
		judged++
		t.Run(v.class+"/"+v.url, func(t *testing.T) {
			setEnvironment(t, v.setup)
			z := &zone{answers: records}
			err := judge(t, z, v)
			if blocked := err != nil; blocked != (v.want == "blocked") {
				t.Errorf("%s (%s): %v; want %s", v.url, v.why, err, v.want)
			}
			if err != nil && !errors.Is(err, fetch.Blocked) && !expectedFailure(err) {
				t.Errorf("%s (%s): got %v, want a refusal", v.url, v.why, err)
			}
		})
	}
	if judged < len(vectors)*3/4 {
		t.Errorf("got %d of %d rows judged, want three quarters", judged, len(vectors))
	}
	t.Logf("%d of %d rows judged", judged, len(vectors))
}

// judge returns the outcome of a vector: an error of url.Parse, of CheckURL or of
// Resolve, for the URL itself and for the target of its redirect.
func judge(t *testing.T, z *zone, v vector) error {
	g := (&Guard{Resolver: z}).WithPorts(80, 443, 21, 990, 69, 143, 993)
	u, err := url.Parse(v.url)
	for hops := 0; err == nil && hops < 10; hops++ {
		if err := g.CheckURL(u); err != nil {
			return err
		}
		times := 1
		if strings.HasPrefix(v.setup, "twice ") {
			times = 2
		}
		for range times {
			if _, err := g.Resolve(t.Context(), u.Hostname()); err != nil {
				return err
			}
		}
		to := u.Query().Get("to")
		if to == "" {
			return nil
		}
		var location *url.URL
		if location, err = url.Parse(to); err == nil {
			if location.Scheme != "" && !slices.Contains([]string{"http", "https"}, location.Scheme) {
				return fetch.Blocked // HT-10: the fetcher follows to http and https only
			}
			u = u.ResolveReference(location)
		}
	}
	return err
}

// expectedFailure reports whether err keeps a URL from being fetched when the guard
// does not: it cannot be parsed, or its name does not exist.
func expectedFailure(err error) bool {
	if _, ok := errors.AsType[*url.Error](err); ok {
		return true
	}
	dns, ok := errors.AsType[*net.DNSError](err)
	return ok && dns.IsNotFound
}

// notOurs returns why a vector is not for a guard, or "".
func notOurs(v vector) string {
	switch {
	case v.class == "scheme":
		return "the Mux refuses schemes"
	case strings.HasSuffix(v.url, "]") && strings.Contains(v.url, " ["):
		return "needs a scripted server"
	case v.class == "non-http" && v.want == "blocked" && strings.Contains(v.url, "://public.test/"):
		return "about the path"
	case v.class == "non-http" && strings.Contains(v.url, "AUTH=*@"):
		return "about login"
	case v.class == "redirect" && v.want == "blocked" && (strings.Contains(v.url, "/hop/") || strings.Contains(v.url, "/loop")):
		return "about the number of redirects"
	case v.class == "redirect" && strings.Contains(v.url, "to=%5C"):
		return "about the syntax of Location"
	}
	return ""
}

// setEnvironment sets the variables of a setup such as
// "env:HTTP_PROXY=http://proxy:3128 dns", none of which a guard may heed.
func setEnvironment(t *testing.T, setup string) {
	for field := range strings.FieldsSeq(setup) {
		if assignment, ok := strings.CutPrefix(field, "env:"); ok {
			name, value, _ := strings.Cut(assignment, "=")
			t.Setenv(name, value)
		}
	}
}

// readRecords makes the zone that the rows are about, from their setup columns and
// the names that they use without a definition.
func readRecords(t *testing.T, vectors []vector) map[string][][]netip.Addr {
	z := new(zone)
	z.add("public.test.", "93.184.216.34")
	z.add("public6.test.", "2606:2800:220:1::1")
	z.add("other.test.", "93.184.216.36")
	z.add("private.test.", "10.0.0.5")
	z.add("xn--n3h.test.", "127.0.0.1")
	z.add("kubernetes.default.svc.", "10.96.0.1")
	aliases := make(map[string]string)
	for _, v := range vectors {
		_, setup, ok := strings.Cut(v.setup, "dns:")
		if !ok {
			continue
		}
		u, err := url.Parse(v.url)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ToLower(u.Hostname()) + "."
		if rest, ok := strings.CutPrefix(setup, "CNAME "); ok {
			aliases[name] = rest + "."
			continue
		}
		if answers, ok := strings.CutPrefix(setup, "seq A "); ok {
			for answer := range strings.SplitSeq(answers, " then ") {
				z.add(name, answer)
			}
			continue
		}
		var addrs []string
		for record := range strings.SplitSeq(setup, " + ") {
			kind, addr, _ := strings.Cut(record, " ")
			if kind != "A" && kind != "AAAA" {
				t.Fatalf("got record %q, want A or AAAA", record)
			}
			addrs = append(addrs, addr)
		}
		z.add(name, addrs...)
	}
	for range aliases { // long enough for any chain
		for name, target := range aliases {
			if answer, ok := z.answers[target]; ok {
				z.answers[name] = answer
			}
		}
	}
	return z.answers
}

func readVectors(t *testing.T, name string) []vector {
	f, err := os.Open(name)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	var out []vector
	for s := bufio.NewScanner(f); s.Scan(); {
		cells := strings.Split(s.Text(), "\t")
		if len(cells) != 5 {
			t.Fatalf("got %d cells in %q, want 5", len(cells), s.Text())
		}
		if cells[0] == "vector" {
			continue
		}
		if strings.HasPrefix(cells[0], `"`) {
			if err := json.Unmarshal([]byte(cells[0]), &cells[0]); err != nil {
				t.Fatal(err)
			}
		}
		if cells[2] != "blocked" && cells[2] != "allowed" {
			t.Fatalf("got verdict %q, want blocked or allowed", cells[2])
		}
		out = append(out, vector{cells[0], cells[1], cells[2], cells[3], cells[4]})
	}
	return out
}
