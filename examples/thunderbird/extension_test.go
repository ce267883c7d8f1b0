package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// The same files give the same octets, and a release has its version.
func TestPack(t *testing.T) {
	var a, b bytes.Buffer
	if err := pack(&a, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	pack(&b, "1.2.3")
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("got other octets the second time, want the same")
	}
	z, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(z, "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version    string
		Background struct{ Scripts []string }
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Version != "1.2.3" {
		t.Errorf("got %+v, %v, want the version 1.2.3", m, err)
	}
	for _, script := range m.Background.Scripts {
		if _, err := fs.Stat(z, script); err != nil {
			t.Error(err)
		}
	}
}

// warned are the warnings of addons-linter, which knows the interfaces of Firefox: the ones of Thunderbird
// are no mistakes. Thunderbird wants no data_collection_permissions.
var warned = []string{
	`MANIFEST_PERMISSIONS /permissions: Invalid permissions "messagesModify" at 1.`,
	`MANIFEST_PERMISSIONS /permissions: Invalid permissions "messagesRead" at 0.`,
	`MISSING_DATA_COLLECTION_PERMISSIONS The "data_collection_permissions" property is missing.`,
	`UNSUPPORTED_API messageDisplay.getDisplayedMessages is not supported`,
	`UNSUPPORTED_API messageDisplay.onMessagesDisplayed is not supported`,
	`UNSUPPORTED_API messageDisplayAction.openPopup is not supported`,
	`UNSUPPORTED_API messages.getRaw is not supported`,
	`UNSUPPORTED_API messages.getRaw is not supported`,
}

// addons-linter, whose folder of npm is in EXTBODY_ADDONS_LINTER, has no errors, and no other warnings.
func TestLinter(t *testing.T) {
	folder := os.Getenv("EXTBODY_ADDONS_LINTER")
	if folder == "" {
		t.Skip("EXTBODY_ADDONS_LINTER does not name the folder of addons-linter")
	}
	out, err := exec.Command("node", filepath.Join(folder, "bin", "addons-linter"), "--output", "json", "extension").Output()
	var report struct {
		Errors, Notices, Warnings []struct{ Code, Message string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("got %q, %v, want a report", out, err)
	}
	if err != nil || len(report.Errors)+len(report.Notices) > 0 {
		t.Errorf("got %+v, %+v, %v, want no errors", report.Errors, report.Notices, err)
	}
	var got []string
	for _, w := range report.Warnings {
		got = append(got, w.Code+" "+w.Message)
	}
	slices.Sort(got)
	if !slices.Equal(got, warned) {
		t.Errorf("got the warnings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(warned, "\n"))
	}
}

// stub stands for the mail program: it gives the popup the state that the query names.
const stub = `<script>{
const later = setTimeout;
globalThis.setTimeout = (f, ms) => ms === 500 ? f() : later(f, ms); // buttons that take a press are looked at
const contact = { plan: "p", host: "cloud.example", summary: "report.pdf (2 MB) and 1 more from cloud.example, encrypted; it learns your address, and that you read this now.", secure: true, keeps: true, state: "new", files: [1] };
const file = (number, facts) => ({ number, name: "a-rather-long-name-of-a-report-" + "x".repeat(60) + ".pdf", size: "2 MB", kind: "PDF", host: "cloud.example", state: "listed", ...facts });
const head = { phase: "ready", total: 2, contacts: [], unread: [], folder: "/home/ann/Downloads" };
const states = {
	consent: { head: { ...head, contacts: [contact, { ...contact, secure: false, keeps: false, host: "plain.example" }] }, files: [file(1), file(2)] },
	progress: { head: { ...head, contacts: [{ ...contact, state: "running" }] }, files: [file(1, { state: "coming", octets: 3e5, of: 1e6, rate: 2e5 }), file(2, { state: "waiting" })] },
	saved: { head, files: [file(1, { state: "saved", saved: "report.pdf", notes: ["2 MB"] }), file(2, { state: "failed", reason: "the host does not have it" })] },
	refused: { head: { ...head, unread: ["part 2 could not be looked into: encrypted"] }, files: [file(1, { state: "refused", reason: "address 169.254.169.254 is not public" }), file(2)] },
	redirect: { head: { ...head, contacts: [{ ...contact, state: "asks", host: "other.example" }] }, files: [file(1, { state: "waiting" }), file(2)] },
	missing: { head: { ...head, phase: "missing", total: 0 }, files: [] },
	none: { head: { ...head, total: 0 }, files: [] },
};
const port = { onMessage: { addListener: f => f(states[new URLSearchParams(location.search).get("state")]) }, postMessage() {} };
globalThis.browser = { runtime: { connect: () => port, getPlatformInfo: async () => ({ os: "linux" }) } };
}</script>`

// newPopup returns a server of the popup in each state.
func newPopup(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("extension")))
	mux.HandleFunc("GET /popup", func(w http.ResponseWriter, _ *http.Request) {
		text, err := os.ReadFile(filepath.Join("extension", "popup.html"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write(bytes.Replace(text, []byte("<body>"), []byte("<body>"+stub), 1))
	})
	mux.HandleFunc("GET /narrow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<iframe width=320 height=700 style="border:0" src="/popup?tab=1&amp;` + r.URL.RawQuery + `"></iframe><script>
addEventListener("load", () => setTimeout(() => { const d = document.querySelector("iframe").contentDocument.documentElement;
	document.body.dataset.width = d.scrollWidth + " " + d.querySelectorAll("button, p").length }, 200))</script>`))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

var popupStates = []string{"consent", "progress", "saved", "refused", "redirect", "missing", "none"}

// axe-core finds no fault in the popup, in light and in dark colours (OP-58).
func TestPopupAxe(t *testing.T) {
	b := browser.New(t)
	server := browser.Examined(t, newPopup(t))
	for _, state := range popupStates {
		for _, colours := range []string{"0", "1"} { // dark, light
			page := b.Run("--blink-settings=preferredColorScheme="+colours, "--dump-dom", server.URL+"/popup?tab=1&state="+state)
			if found := browser.Faults(page); found != "none" {
				t.Errorf("%s, colours %s: got %s, want no findings", state, colours, found)
			}
			if strings.Contains(page, "<progress") != (state != "missing" && state != "none") {
				t.Errorf("%s: got a page without its files", state)
			}
		}
	}
}

// The popup needs no more than 320 pixels.
func TestPopupNarrow(t *testing.T) {
	b := browser.New(t)
	server := newPopup(t)
	for _, state := range popupStates {
		page := b.Run("--dump-dom", server.URL+"/narrow?state="+state)
		if !strings.Contains(page, `data-width="320 `) || strings.Contains(page, `data-width="320 0"`) {
			_, got, _ := strings.Cut(page, "data-width=")
			t.Errorf("%s: got the width %.12q, want 320", state, got)
		}
	}
}
