package cloud_test

import (
	"encoding/json"
	"encoding/pem"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/cloud"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// OP-55: the clients of the vendors take the servers for the real ones. EXTBODY_ACCOUNT_CLIENTS lists folders of npm with
// @microsoft/microsoft-graph-client and @googleapis/drive, as PATH does.
func TestClients(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("EXTBODY_ACCOUNT_CLIENTS"))
	if len(folders) == 0 {
		t.Skip("EXTBODY_ACCOUNT_CLIENTS does not name folders of npm with the clients of the vendors")
	}
	node := daemons.Program(t, "node")
	c := cloud.New(t)
	c.Redirect = c.Octets.URL
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	link := "https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT"
	file := c.Add(link, &cloud.File{Name: "report.pdf", MediaType: "application/pdf", Versions: []cloud.Version{
		{At: day(1), Text: "one"}, {At: day(10), Text: "the second"}, {At: day(20), Text: "third and last"},
	}})
	roots := filepath.Join(t.TempDir(), "roots.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.API.Certificate().Raw})
	if err := os.WriteFile(roots, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	facts, err := json.Marshal(map[string]string{"api": c.API.URL, "link": link, "item": file.ID, "file": file.ID, "token": cloud.Good})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, folder := range folders {
		cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "clients.cjs"), folder, string(facts))
		cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+roots)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: got %v, %s", folder, err, out)
		}
		var outcomes map[string]string
		if err := json.Unmarshal(out, &outcomes); err != nil {
			t.Fatalf("%s: got %s, %v", folder, out, err)
		}
		maps.Copy(got, outcomes)
	}
	if len(got) == 0 {
		t.Fatalf("got no client in %q, want one", folders)
	}
	for question, want := range map[string]string{
		"graph item":                "report.pdf 14 b!drive",
		"graph versions":            "3.0 2.0 1.0",
		"graph octets":              "third and last",
		"graph octets of a version": "the second",
		"graph present version":     "error 400",
		"graph no share":            "error 400",
		"graph token":               "error 401",

		"drive file":                 "report.pdf 14 aa75647719f2d5a478eacbfb2c54261f r3",
		"drive revisions":            "r1 r2 r3",
		"drive octets":               "third and last",
		"drive octets of a revision": "the second",
		"drive no file":              "error 404",
		"drive token":                "error 401",
	} {
		if outcome, asked := got[question]; asked && outcome != want {
			t.Errorf("%s: got %q, want %q", question, outcome, want)
		}
	}
	if m := c.Misuses(); len(m) > 0 {
		t.Errorf("got %q, want none of it", m)
	}
	t.Logf("%d questions", len(got))
}
