package main

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestCounts counts how often get asks the questions about a URL for one https reference:
// each of them has one answer, which is carried on. The bounds are lowered, and not raised.
func TestCounts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program with counters")
	}
	const module = "github.com/go-extbody/extbody/"
	counted := []struct {
		file, function string
		most           int
	}{
		{"internal/link/sharelink/sharelink.go", "func (t *Table) Match(", 1},
		{"internal/link/weburl/weburl.go", "func Parse(", 2},
		{"internal/link/host/host.go", "func Canonical(", 6},
		{"fetch/netguard/check.go", "func (g *Guard) Authority(", 2},
		{"fetch/netguard/dial.go", "func (g *Guard) ControlContext(", 1},
	}
	packages := []string{module + "examples/extbody"} // which writes the counts
	for _, c := range counted {
		packages = append(packages, module+filepath.ToSlash(filepath.Dir(c.file)))
	}
	dir := t.TempDir()
	exe, data, profile := filepath.Join(dir, "extbody"), filepath.Join(dir, "data"), filepath.Join(dir, "profile")
	run := func(env []string, name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	run(nil, "go", "build", "-buildvcs=false", "-cover", "-covermode=count", "-coverpkg="+strings.Join(packages, ","), "-o", exe, ".")
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "body")
	}))
	defer server.Close()
	u, err := url.Parse(server.URL)
	must(t, err)
	cert, mail := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "mail.eml")
	for name, text := range map[string]string{
		cert: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})),
		mail: "MIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL=\"" + server.URL + "/b.txt\"\n\nContent-Type: text/plain\nContent-ID: <x@y>\n\n",
	} {
		writeText(t, name, text)
	}
	must(t, os.Mkdir(data, 0o700))
	run([]string{"GOCOVERDIR=" + data, "SSL_CERT_FILE=" + cert}, exe, "get", "--allow-net", "127.0.0.0/8", "--allow-port", u.Port(), "-o", filepath.Join(dir, "save"), mail)
	run(nil, "go", "tool", "covdata", "textfmt", "-i="+data, "-o="+profile)
	counts, err := os.ReadFile(profile)
	must(t, err)
	for _, c := range counted {
		source := readText(t, filepath.Join("..", "..", c.file))
		before, _, found := strings.Cut(source, "\n"+c.function)
		// The first block of a function starts in its line.
		block := regexp.MustCompile(fmt.Sprintf(`(?m)^%s:%d\.\S+ \d+ (\d+)$`, regexp.QuoteMeta(module+c.file), strings.Count(before, "\n")+2))
		got := block.FindSubmatch(counts)
		if !found || got == nil {
			t.Errorf("%s: got no count of %s", c.file, c.function)
			continue
		}
		n, _ := strconv.Atoi(string(got[1]))
		t.Logf("%s: %d", c.function, n)
		if n < 1 || n > c.most {
			t.Errorf("%s: got %d calls, want at least 1 and at most %d", c.function, n, c.most)
		}
	}
}
