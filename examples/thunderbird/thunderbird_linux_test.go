package main

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/thunderbird"
)

// A desk is the home of a person who reads mail with Thunderbird, and a server that has files.
type desk struct {
	*testing.T
	home   string
	base   string // of the server; /moved leads to the other one
	secure string // of a server with TLS
	asked  atomic.Int64
}

// pdf has more octets than fit into one read.
var pdf = "%PDF-1.7 " + strings.Repeat("report ", 100_000)

func newDesk(t *testing.T) *desk {
	t.Helper()
	if testing.Short() {
		t.Skip("starting Thunderbird takes seconds")
	}
	for _, name := range []string{"thunderbird", "Xvfb", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
	d := &desk{T: t, home: t.TempDir()}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.asked.Add(1)
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, d.secure+"/report", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Length", fmt.Sprint(len(pdf)))
		if r.URL.Path == "/slow" {
			io.WriteString(w, pdf[:len(pdf)*305/1000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		io.WriteString(w, pdf)
	})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	d.base = server.URL
	tls := httptest.NewTLSServer(handler)
	t.Cleanup(tls.Close)
	d.secure = tls.URL
	d.write("roots.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: tls.Certificate().Raw})))
	d.write(".config/extbody/config.toml", fmt.Sprintf("[open]\noutput = %q\nallow-net = [\"127.0.0.1/32\"]\nallow-port = [%q, %q]\n",
		filepath.Join(d.home, "Saved"), port(d.base), port(d.secure)))
	d.write("bin/xdg-open", "#!/bin/sh\necho \"$@\" >>\"$HOME/opened\"\n")
	if err := os.Chmod(filepath.Join(d.home, "bin", "xdg-open"), 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}

func port(base string) string { return base[strings.LastIndex(base, ":")+1:] }

func (d *desk) write(name, text string) {
	d.Helper()
	path := filepath.Join(d.home, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		d.Fatal(err)
	}
}

// install builds the program, or takes the one of EXTBODY_PROGRAM, and installs it as its host.
func (d *desk) install() {
	d.Helper()
	program := os.Getenv("EXTBODY_PROGRAM")
	if program == "" {
		program = filepath.Join(d.home, "bin", "extbody")
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../extbody").CombinedOutput(); err != nil {
			d.Fatalf("%v: %s", err, out)
		}
	}
	cmd := exec.Command(program, "native", "--install", "thunderbird")
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		d.Fatalf("%v: %s", err, out)
	}
}

// thunderbird starts it with the extension.
func (d *desk) thunderbird(p thunderbird.Profile) *reader {
	d.Helper()
	p.Home, p.ID = d.home, "extbody@go-extbody.github.io"
	p.Extension = filepath.Join(d.home, "extbody.xpi")
	if err := write(p.Extension, ""); err != nil {
		d.Fatal(err)
	}
	p.Env = append(p.Env, "SSL_CERT_FILE="+filepath.Join(d.home, "roots.pem"), "PATH="+filepath.Join(d.home, "bin")+":"+os.Getenv("PATH"))
	return &reader{thunderbird.Start(d.T, &p)}
}

// mail returns a message of an mbox. The number is its minute.
func mail(number int, subject, body string) string {
	return fmt.Sprintf("From - Mon Nov 23 10:%02d:00 2026\nFrom: Ann <ann@example.com>\nTo: Bob <bob@example.com>\nSubject: %s\n"+
		"Date: Mon, 23 Nov 2026 10:%02d:00 +0000\nMessage-ID: <%d@example.com>\nMIME-Version: 1.0\n%s\n", number, subject, number, number, body)
}

// reference returns a part, and the header of a message that is one.
func reference(url, name string) string {
	return fmt.Sprintf("Content-Type: message/external-body; access-type=URL; URL=\"%s\"\n\nContent-ID: <1@b>\nContent-Type: application/pdf\n"+
		"Content-Disposition: attachment; filename=%s\n\n", url, name)
}

// mixed returns a multipart of a text and other parts.
func mixed(mediaType, text string, parts ...string) string {
	return "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: " + mediaType + "\n\n" + text + "\n--b\n" + strings.Join(parts, "--b\n") + "--b--\n"
}

// many returns 5000 references.
func many(base string) (parts []string) {
	for i := range 5000 {
		parts = append(parts, reference(fmt.Sprintf("%s/%d", base, i), fmt.Sprintf("%d.pdf", i)))
	}
	return parts
}

// hostile is a page that hides all that it can, and draws a strip of its own over everything.
const hostile = `<html><head><style>
section, ul, li, span, button, :root > :not(head, body) { display: none !important; visibility: hidden !important; opacity: 0 !important }
:root > div, :root > :not(head, body) { position: absolute !important; left: -9999px !important; height: 0 !important; transform: scale(0) !important }
#fake { position: fixed; inset: 0 0 auto 0; height: 200px; background: #eef3fa; z-index: 2147483647 }
#fake, #lure { display: block !important; visibility: visible !important; opacity: 1 !important }
</style></head><body><div id=fake>invoice.pdf good.example 99 files <button id=lure>Get</button></div></body></html>`

// A reader is a Thunderbird with the extension.
type reader struct{ *thunderbird.Program }

// choose shows the message of the folder Test that has a subject, and waits until it is drawn.
func (r *reader) choose(subject string) {
	r.Helper()
	r.chooseIn("none", "Test", subject)
}

// chooseIn is choose for a folder of the server with a type.
func (r *reader) chooseIn(server, folder, subject string) {
	r.Helper()
	r.Await("folder", func() string {
		return r.Script(`
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const server = MailServices.accounts.allServers.find(s => s.type == arguments[1]);
const folder = server?.rootFolder.subFolders.find(f => f.name == arguments[2]);
const a = about();
if (!folder || !a?.displayFolder || !a.threadTree) return "";
if (a.gFolder?.URI != folder.URI) { a.displayFolder(folder.URI); return "" }
for (let i = 0; i < (a.gDBView?.rowCount ?? 0); i++) {
	if (a.gDBView.getMsgHdrAt(i).mime2DecodedSubject == arguments[0]) { a.threadTree.selectedIndex = i; return "ok" }
}
return ""`, subject, server, folder)
	})
	r.drawn(subject)
}

// drawn waits until the message with a subject is drawn.
func (r *reader) drawn(subject string) {
	r.Helper()
	r.Await("message", func() string {
		return r.Script(`return shower()?.gMessage?.mime2DecodedSubject == arguments[0] && pane()?.contentDocument?.readyState == "complete" ? "ok" : ""`, subject)
	})
}

// strip waits until the text of the strip has a text.
func (r *reader) strip(want string) {
	r.Helper()
	r.Await("strip with "+want, func() string {
		return r.Script(`return strip()?.querySelector("section").textContent.includes(arguments[0]) ? "ok" : ""`, want)
	})
}

// badge waits until the button has a text.
func (r *reader) badge(want string) {
	r.Helper()
	r.Await("badge "+want, func() string {
		return r.Script(`return (button()?.getAttribute("badge") ?? "") == arguments[0] ? "ok" : ""`, want)
	})
}

// get presses the button of the first file in the strip, and waits for the popup.
func (r *reader) get() {
	r.Helper()
	r.Press(r.Script(`const w = pane().contentWindow; return center(strip().querySelector("button"), w.mozInnerScreenX, w.mozInnerScreenY)`))
	r.popup("Files that this message points at")
}

// ask presses the button of the header, and waits for the question about all files.
func (r *reader) ask() string {
	r.Helper()
	r.Press(r.Script(`return center(button(), shower().mozInnerScreenX, shower().mozInnerScreenY)`))
	return r.popup("learns")
}

// popup waits until the popup has a text, and returns all of its text.
func (r *reader) popup(want string) string {
	r.Helper()
	return r.Await("popup with "+want, func() string {
		return r.Script(`
const page = popup(), want = arguments[0];
return page ? inPage(page, "return content.document.body?.innerText ?? ''").then(text => text.includes(want) ? text : "") : ""`, want)
	})
}

// press presses a button of the popup, which has to stay where it is: the popup changes its size with its text.
func (r *reader) press(label string) {
	r.Helper()
	before := ""
	r.Press(r.Await("button "+label, func() string {
		at := r.Script(`return popup() ? inPage(popup(), at.replace("LABEL", JSON.stringify(arguments[0]))) : ""`, label)
		if at != before {
			before = at
			return ""
		}
		return at
	}))
}

// close closes the popup.
func (r *reader) close() {
	r.Helper()
	r.Key("Escape")
	r.Await("end of the popup", func() string { return r.Script(`return popup() ? "" : "ok"`) })
}

// The way of a person through the extension, in the main window (OP-58).
func TestThunderbird(t *testing.T) {
	d := newDesk(t)
	d.install()
	r := d.thunderbird(thunderbird.Profile{Folders: map[string]string{"Test": strings.Join([]string{
		mail(1, "Report", mixed("text/plain", "the report", reference(d.base+"/report", "report.pdf"))),
		mail(2, "Slow", mixed("text/plain", "slow", reference(d.base+"/slow", "slow.pdf"))),
		mail(3, "Blocked", mixed("text/plain", "blocked", reference("http://169.254.169.254/latest/", "keys.pdf"))),
		mail(4, "Hostile", mixed("text/html", hostile, reference(d.base+"/report", "hostile.pdf"))),
		mail(5, "Alone", reference(d.base+"/report", "alone.pdf")),
		mail(6, "Cloud", "Content-Type: text/html\n\n<a href=\"https://www.dropbox.com/s/0123456789abcde/plan.pdf?dl=0\">plan</a>\n"),
		mail(7, "Plain", "\nno file\n"),
		mail(8, "Encrypted", "Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\n"+
			"Version: 1\n\n--b\nContent-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n\n--b--\n"),
		mail(9, "Many", mixed("text/plain", "many", many(d.base)...)),
	}, "")}})

	r.choose("Report")
	r.strip("report.pdf")
	r.strip("not asked")
	r.badge("1")
	r.Picture("list")
	d.notShared(r)
	r.get()
	host := strings.TrimPrefix(d.base, "http://")
	if text := r.popup("learns"); !strings.Contains(text, host) || !strings.Contains(text, "Not encrypted") {
		t.Errorf("got the question %q, want the host and that it is not encrypted", text)
	}
	r.Picture("consent")
	if n := d.asked.Load(); n != 0 {
		t.Fatalf("got %d requests before a person agreed, want none", n)
	}
	r.press("Get")
	r.popup("saved as report.pdf")
	r.Picture("saved")
	if got, err := os.ReadFile(filepath.Join(d.home, "Saved", "report.pdf")); err != nil || string(got) != pdf {
		t.Errorf("got %d octets, %v, want the ones of the server", len(got), err)
	}
	r.press("Open")
	opened := filepath.Join(d.home, "Saved", "report.pdf") + "\n"
	r.Await("file that is opened", func() string {
		text, _ := os.ReadFile(filepath.Join(d.home, "opened"))
		return string(text)
	})
	if text, _ := os.ReadFile(filepath.Join(d.home, "opened")); string(text) != opened {
		t.Errorf("got %q opened, want %q", text, opened)
	}
	r.close()
	r.strip("saved")

	r.choose("Slow")
	r.strip("slow.pdf")
	r.get()
	r.press("Get")
	r.popup("30 %")
	r.badge("30%")
	r.strip("30 %")
	r.Picture("progress")
	r.press("Cancel")
	r.popup("canceled")
	r.close()
	if _, err := os.Stat(filepath.Join(d.home, "Saved", "slow.pdf")); err == nil {
		t.Error("got the file of a get that was canceled, want none")
	}

	r.choose("Blocked")
	r.strip("keys.pdf")
	r.get()
	if text := r.popup("refused"); !strings.Contains(text, "169.254.169.254") {
		t.Errorf("got %q, want the refusal of the address", text)
	}
	r.Picture("refused")
	r.close()

	before := d.asked.Load()
	r.choose("Hostile")
	r.badge("1")
	r.Await("strip", func() string { return r.Script(`return strip()?.querySelector("button") ? "ok" : ""`) })
	r.Press(r.Script(`const w = pane().contentWindow; return center(pane().contentDocument.querySelector("#lure"), w.mozInnerScreenX, w.mozInnerScreenY)`))
	r.Script(`
const page = Cu.Sandbox(pane().contentWindow, { sandboxPrototype: pane().contentWindow, wantXrays: false });
page.get = strip().querySelector("button");
Cu.evalInSandbox("get.click()", page)`) // of a script
	r.Picture("hostile")
	if r.Script(`return popup() ? "open" : ""`) != "" {
		t.Error("got a popup by a button of the mail, or by a script, want none")
	}
	r.Press(r.Script(`return center(button(), shower().mozInnerScreenX, shower().mozInnerScreenY)`))
	if text := r.popup("learns"); !strings.Contains(text, "hostile.pdf") || strings.Contains(text, "good.example") {
		t.Errorf("got %q, want the file of the message", text)
	}
	r.close()

	r.choose("Alone")
	r.strip("alone.pdf")
	r.choose("Cloud")
	r.strip("www.dropbox.com")
	r.choose("Plain")
	r.badge("")
	if text := r.Script(`return strip() ? "a strip" : ""`); text != "" {
		t.Error("got a strip above a mail without files, want none")
	}
	r.choose("Encrypted")
	r.strip("encrypted")
	r.choose("Many")
	r.badge("5000")
	r.strip("Show all 5000")
	lines := func() string { return r.Script(`return strip()?.querySelectorAll("li").length ?? ""`) }
	if got := lines(); got != "50" {
		t.Errorf("got %s lines of 5000, want 50", got)
	}
	r.Press(r.Script(`
const w = pane().contentWindow, b = [...strip().querySelectorAll("button")].find(b => b.textContent == "Show all 5000");
b.scrollIntoView({ block: "center" });
return center(b, w.mozInnerScreenX, w.mozInnerScreenY)`))
	r.Await("strip with 5000 lines", func() string {
		if lines() != "5000" {
			return ""
		}
		return "ok"
	})
	if n := d.asked.Load(); n != before {
		t.Errorf("got %d requests for mails that were shown, want none", n-before)
	}
}

// notShared wants the strip to be neither printed nor quoted.
func (d *desk) notShared(r *reader) {
	d.Helper()
	if got := r.Script(`
const c = pane().browsingContext, host = strip().host;
c.mediumOverride = "print";
const shown = pane().contentWindow.getComputedStyle(host).display;
c.mediumOverride = "";
return shown`); got != "none" {
		d.Errorf("got the display %q in print, want none", got)
	}
	// An answer quotes the message, or the selection as this encoder has it.
	for _, whole := range []string{"", "all"} {
		if got := r.Script(`
const doc = pane().contentDocument, all = doc.documentElement;
const s = pane().contentWindow.getSelection();
s.selectAllChildren(all);
const encoder = Cu.createDocumentEncoder("text/html");
encoder.init(doc, "text/html", 0);
if (arguments[0]) encoder.setNode(all); else encoder.setSelection(s);
const text = encoder.encodeToString() + s.toString();
s.removeAllRanges();
return text`, whole); strings.Contains(got, "report.pdf") || !strings.Contains(got, "the report") {
			d.Errorf("got %q quoted, want the text alone", got)
		}
	}
}

// Without the program, the popup has the line that installs it, also in the window of an .eml.
func TestWithoutProgram(t *testing.T) {
	d := newDesk(t)
	text := mail(1, "Report", mixed("text/plain", "the report", reference(d.base+"/report", "report.pdf")))
	_, text, _ = strings.Cut(text, "\n")
	d.write("report.eml", text)
	r := d.thunderbird(thunderbird.Profile{Open: []string{filepath.Join(d.home, "report.eml")}})
	r.badge("!")
	r.Press(r.Script(`return center(button(), shower().mozInnerScreenX, shower().mozInnerScreenY)`))
	if text := r.popup("is not installed"); !strings.Contains(text, "native --install thunderbird") {
		t.Errorf("got %q, want the line that installs it", text)
	}
	r.Picture("missing")
	moved := filepath.Join(d.home, "bin", "moved")
	d.write("bin/moved", "#!/bin/sh\nexec /nowhere/extbody native \"$@\"\n")
	if err := os.Chmod(moved, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(".mozilla/native-messaging-hosts/extbody.json", fmt.Sprintf(
		`{"name": "extbody", "description": "", "path": %q, "type": "stdio", "allowed_extensions": ["extbody@go-extbody.github.io"]}`, moved))
	r.press("Try again")
	r.popup("moved or removed")
	d.install()
	r.press("Try again")
	r.popup("learns")
	r.close()
	r.strip("report.pdf")
	if n := d.asked.Load(); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
}
