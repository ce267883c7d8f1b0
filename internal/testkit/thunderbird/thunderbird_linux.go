package thunderbird

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// prefs are the settings of a profile without dialogs, updates and start pages. An extension without a
// signature is taken.
const prefs = `
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.autoDisableScopes", 0);
user_pref("extensions.enabledScopes", 15);
user_pref("xpinstall.signatures.required", false);
user_pref("mail.accountmanager.accounts", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.server.server1.hostname", "Local Folders");
user_pref("mail.server.server1.name", "Local Folders");
user_pref("mail.server.server1.type", "none");
user_pref("mail.server.server1.userName", "nobody");
user_pref("mail.server.server1.directory-rel", "[ProfD]Mail/Local Folders");
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("mail.winsearch.firstRunDone", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("mailnews.start_page_override.mstone", "ignore");
user_pref("marionette.port", 0);
`

// A Program is a running Thunderbird.
type Program struct {
	testing.TB
	display string
	conn    net.Conn
	in      *bufio.Reader
	calls   int
}

// Profile has the settings with which Thunderbird starts.
type Profile struct {
	Home      string            // the home directory, in which hosts are looked for
	Env       []string          // more variables
	Extension string            // the path of an .xpi
	ID        string            // of the extension
	Prefs     string            // more lines of user.js
	Folders   map[string]string // mbox files of local folders, by name
	Open      []string          // .eml files to open; none for the main window
}

// Start starts Thunderbird, on a screen with a window manager, as a popup closes where no window has the
// focus. Where a program of these is missing, the test is skipped.
func Start(t testing.TB, p *Profile) *Program {
	t.Helper()
	for _, name := range []string{"thunderbird", "Xvfb", "openbox", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
	dir := filepath.Join(p.Home, ".thunderbird", "test")
	write(t, filepath.Join(dir, "user.js"), []byte(prefs+p.Prefs))
	for name, text := range p.Folders {
		write(t, filepath.Join(dir, "Mail", "Local Folders", name), []byte(text))
	}
	if p.Extension != "" {
		text, err := os.ReadFile(p.Extension)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "extensions", p.ID+".xpi"), text)
	}
	b := &Program{TB: t, display: screen(t)}
	args := append([]string{"-profile", dir, "-no-remote", "--marionette", "--remote-allow-system-access"}, p.Open...)
	cmd := exec.Command("thunderbird", args...)
	cmd.Env = append([]string{
		"HOME=" + p.Home, "DISPLAY=" + b.display, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TMPDIR=" + t.TempDir(),
		"MOZ_CRASHREPORTER_DISABLE=1", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "LIBGL_ALWAYS_SOFTWARE=1",
	}, p.Env...)
	start(t, cmd)
	b.connect(filepath.Join(dir, "MarionetteActivePort"))
	return b
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// start starts a program in a group of its own, which the end of the test kills.
func start(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Skipf("%s does not run here: %v", cmd.Path, err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
}

// screen starts Xvfb, and returns its display.
func screen(t testing.TB) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1000x800x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	start(t, cmd)
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Skipf("Xvfb does not run here: %v", err)
	}
	display := ":" + strings.TrimSpace(number)
	manager := exec.Command("openbox")
	manager.Env = append(os.Environ(), "DISPLAY="+display)
	start(t, manager)
	return display
}

// patience is for a program that does not answer. Nothing is measured by it.
const patience = time.Minute

// Await waits until a function returns something else than "".
func (b *Program) Await(name string, get func() string) string {
	b.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if got := get(); got != "" {
			return got
		}
		if time.Now().After(end) {
			b.Picture("failure")
			b.Fatalf("got no %s in %v, want it", name, patience)
		}
	}
}

// connect connects with Marionette, whose port is in a file of the profile, and begins a session.
func (b *Program) connect(file string) {
	b.Helper()
	port := b.Await("port of Marionette", func() string {
		text, _ := os.ReadFile(file)
		return strings.TrimSpace(string(text))
	})
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	b.conn = conn
	b.in = bufio.NewReader(conn)
	b.packet() // the greeting
	b.command("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}})
	b.command("Marionette:SetContext", map[string]any{"value": "chrome"})
}

// packet reads a packet: a length, a colon and JSON.
func (b *Program) packet() []byte {
	b.Helper()
	b.conn.SetReadDeadline(time.Now().Add(patience))
	head, err := b.in.ReadString(':')
	if err != nil {
		b.Fatalf("Marionette: %v", err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(head, ":"))
	if err != nil {
		b.Fatalf("Marionette: %v", err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(b.in, text); err != nil {
		b.Fatalf("Marionette: %v", err)
	}
	return text
}

// command runs a command of Marionette, and returns its value.
func (b *Program) command(name string, params any) json.RawMessage {
	b.Helper()
	b.calls++
	text, err := json.Marshal([]any{0, b.calls, name, params})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintf(b.conn, "%d:%s", len(text), text); err != nil {
		b.Fatal(err)
	}
	var answer []json.RawMessage
	if err := json.Unmarshal(b.packet(), &answer); err != nil || len(answer) != 4 {
		b.Fatalf("Marionette: got %q, %v, want an answer", answer, err)
	}
	if string(answer[2]) != "null" {
		b.Fatalf("%s: %s", name, answer[2])
	}
	return answer[3]
}

// Script runs JavaScript with the rights of the program, and returns the text that it returns.
func (b *Program) Script(script string, args ...any) string {
	b.Helper()
	if args == nil {
		args = []any{}
	}
	value := b.command("WebDriver:ExecuteScript", map[string]any{"script": library + script, "args": args})
	var v struct{ Value any }
	if err := json.Unmarshal(value, &v); err != nil {
		b.Fatal(err)
	}
	if v.Value == nil {
		return ""
	}
	return fmt.Sprint(v.Value)
}

// library has the variables of scripts: main is the main window, tabs its tabs, shower the page around the shown
// message, which is the one of a message window if there is one, pane the browser with the text of the shown
// message, and documents all documents of windows and of the pages in them.
const library = `
const main = () => Services.wm.getMostRecentWindow("mail:3pane");
const tabs = () => main()?.document.getElementById("tabmail");
const about = () => tabs()?.currentAbout3Pane;
const shower = () => {
	const w = Services.wm.getMostRecentWindow("mail:messageWindow");
	return w?.messageBrowser?.contentWindow ?? tabs()?.currentAboutMessage ?? about()?.messageBrowser?.contentWindow;
};
const pane = () => shower()?.getMessagePaneBrowser();
const documents = () => {
	const list = [];
	for (const w of Services.wm.getEnumerator(null)) list.push(w.document);
	if (about()) list.push(about().document);
	if (shower()) list.push(shower().document);
	return list;
};
const button = () => shower()?.document.querySelector("[id$='-messageDisplayAction-toolbarbutton']");
const popup = () => {
	for (const d of documents()) for (const b of d.querySelectorAll("browser")) {
		if (b.currentURI?.spec.endsWith("/popup.html") || b.currentURI?.spec.includes("/popup.html?")) return b;
	}
	return null;
};
const strip = () => {
	for (const e of pane()?.contentDocument?.documentElement?.children ?? []) {
		const root = e.openOrClosedShadowRoot;
		if (root) return root;
	}
	return null;
};
// inPage runs a script in the page of a browser, and returns what it returns: nothing if the page is closed
// before that.
const inPage = (browser, script) => new Promise(resolve => {
	main()?.setTimeout(resolve, 5000, "");
	const name = "extbody-test-" + Math.random();
	browser.messageManager.addMessageListener(name, function take(m) {
		browser.messageManager.removeMessageListener(name, take);
		resolve(m.data);
	});
	const text = "sendAsyncMessage(" + JSON.stringify(name) + ", (() => {" + script + "})())";
	browser.messageManager.loadFrameScript("data:application/javascript;charset=utf-8," + encodeURIComponent(text), false);
});
// at is a script for inPage that returns the middle of the button with a text on the screen, if that takes a press.
const at = ` + "`" + `
const b = [...content.document.querySelectorAll("button")].find(b => b.textContent == LABEL);
if (!b || b.disabled) return "";
b.scrollIntoView({ block: "nearest" });
const r = b.getBoundingClientRect();
return Math.round(content.mozInnerScreenX + r.x + r.width / 2) + " " + Math.round(content.mozInnerScreenY + r.y + r.height / 2);
` + "`" + `;
const center = (e, x, y) => {
	const r = e.getBoundingClientRect();
	return Math.round(x + r.x + r.width / 2) + " " + Math.round(y + r.y + r.height / 2);
};
`

// Press presses the mouse at a point of the screen: "x y".
func (b *Program) Press(point string) {
	b.Helper()
	at := strings.Fields(point)
	b.tool(append(append([]string{"mousemove", "--sync"}, at...), "click", "1")...)
}

// Key types a key, such as Escape.
func (b *Program) Key(name string) {
	b.Helper()
	b.tool("key", name)
}

func (b *Program) tool(args ...string) {
	b.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+b.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("xdotool %q: %v: %s", args, err, out)
	}
}

// Picture keeps a picture of the screen in the folder EXTBODY_SCREENSHOTS, if that is set.
func (b *Program) Picture(name string) {
	b.Helper()
	dir := os.Getenv("EXTBODY_SCREENSHOTS")
	if dir == "" {
		return
	}
	cmd := exec.Command("import", "-window", "root", filepath.Join(dir, "thunderbird-"+name+".png"))
	cmd.Env = append(os.Environ(), "DISPLAY="+b.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Logf("no picture: %v: %s", err, out)
	}
}
