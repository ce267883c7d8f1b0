package main

import (
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
	"github.com/go-extbody/extbody/internal/testkit/thunderbird"
)

// large returns a part of 30 MB.
func large() string {
	line := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", 57))) + "\n"
	return "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n" + strings.Repeat(line, 30_000_000/len(line)) + "\n"
}

// Messages in tabs, ones with an attached message, large ones, and ones that are deleted show their own files
// (OP-58).
func TestKinds(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("it takes a minute: set EXTBODY_SLOW")
	}
	d := newDesk(t)
	d.install()
	attached := "Content-Type: message/rfc822\nContent-Disposition: attachment; filename=inner.eml\n\nFrom: Ann <ann@example.com>\n" +
		"Subject: Inner\nMIME-Version: 1.0\n" + mixed("text/plain", "inner", reference(d.base+"/report", "inner.pdf")) + "\n"
	r := d.thunderbird(thunderbird.Profile{Folders: map[string]string{"Test": strings.Join([]string{
		mail(1, "One", mixed("text/plain", "one", reference(d.base+"/one", "one.pdf"))),
		mail(2, "Two", mixed("text/plain", "two", reference(d.base+"/two", "two.pdf"), reference(d.base+"/other", "other.pdf"))),
		mail(3, "Attached", mixed("text/plain", "outer", attached)),
		mail(4, "Deleted", mixed("text/plain", "deleted", reference(d.base+"/deleted", "deleted.pdf"), large())),
		mail(5, "Large", mixed("text/plain", "large", reference(d.base+"/large", "large.pdf"), large())),
		mail(6, "Moved", mixed("text/plain", "moved", reference(d.base+"/moved", "moved.pdf"))),
		mail(7, "Always", mixed("text/plain", "always", reference(d.secure+"/first", "first.pdf"))),
		mail(8, "Again", mixed("text/plain", "again", reference(d.secure+"/second", "second.pdf"))),
	}, "")}})
	d.tabs(r)
	r.choose("Attached")
	r.strip("inner.pdf")
	r.badge("1")
	d.deleted(r)
	r.choose("Large")
	r.strip("large.pdf")
	r.badge("1")
	d.redirected(r)
	d.always(r)
	d.buttonOff(r)
}

// tabs wants the state of each of two tabs to stay its own.
func (d *desk) tabs(r *reader) {
	d.Helper()
	r.choose("Two")
	uri := r.Script(`return shower().gMessageURI`)
	r.choose("One")
	r.strip("one.pdf")
	r.Script(`tabs().openTab("mailMessageTab", { messageURI: arguments[0], background: false })`, uri)
	r.drawn("Two")
	r.strip("two.pdf")
	r.badge("2")
	if text := r.ask(); strings.Contains(text, "one.pdf") {
		d.Errorf("got %q, want the files of the tab", text)
	}
	r.press("Get")
	r.popup("saved as other.pdf")
	r.close()
	r.strip("2 of 2 saved")
	r.Picture("tab")
	r.Script(`tabs().switchToTab(0)`)
	r.drawn("One")
	r.badge("1")
	if text := r.Script(`return strip().querySelector("section").textContent`); !strings.Contains(text, "not asked") || strings.Contains(text, "two.pdf") {
		d.Errorf("got the strip %q, want the one of the first tab", text)
	}
	r.Script(`tabs().switchToTab(1)`)
	r.drawn("Two")
	r.strip("2 of 2 saved")
	r.Script(`tabs().closeTab(1)`)
}

// deleted deletes a message that has begun to load. The next one is shown with its own files.
func (d *desk) deleted(r *reader) {
	d.Helper()
	r.choose("One")
	r.Script(`
const a = about();
for (let i = 0; i < a.gDBView.rowCount; i++) {
	const message = a.gDBView.getMsgHdrAt(i);
	if (message.mime2DecodedSubject != "Deleted") continue;
	a.threadTree.selectedIndex = i;
	message.folder.deleteMessages([message], null, true, false, null, false);
	break;
}`)
	r.Await("end of the message", func() string {
		return r.Script(`
const v = about().gDBView;
for (let i = 0; i < v.rowCount; i++) if (v.getMsgHdrAt(i).mime2DecodedSubject == "Deleted") return "";
return "ok"`)
	})
	r.choose("Two")
	r.strip("two.pdf")
	if text := r.Script(`return strip().querySelector("section").textContent`); strings.Contains(text, "deleted.pdf") {
		d.Errorf("got the strip %q, want the one of the message", text)
	}
}

// redirected follows a redirect to another host after a question about that.
func (d *desk) redirected(r *reader) {
	d.Helper()
	r.choose("Moved")
	r.strip("moved.pdf")
	r.ask()
	before := d.asked.Load()
	r.press("Get")
	r.popup("The host leads to another one: " + strings.TrimPrefix(d.secure, "https://"))
	r.Picture("redirect")
	if n := d.asked.Load() - before; n != 1 {
		d.Errorf("got %d requests before the second question, want the one to the first host", n)
	}
	r.press("Get")
	r.popup("saved as moved.pdf")
	r.close()
}

// always agrees to a host for good, which the next message with that host shows.
func (d *desk) always(r *reader) {
	d.Helper()
	r.choose("Always")
	r.strip("first.pdf")
	r.ask()
	r.press("Always for this host (encrypted)")
	r.popup("saved as first.pdf")
	r.close()
	text, err := os.ReadFile(filepath.Join(d.home, ".config", "extbody", "config.toml"))
	if err != nil || !strings.Contains(string(text), strings.TrimPrefix(d.secure, "https://")) {
		d.Errorf("got the settings %q, %v, want the host in them", text, err)
	}
	before := d.asked.Load()
	r.choose("Again")
	r.strip("second.pdf")
	if n := d.asked.Load() - before; n != 0 {
		d.Errorf("got %d requests for a mail that is shown, want none", n)
	}
	if text := r.ask(); !strings.Contains(text, "Agreed by") {
		d.Errorf("got the question %q, want the agreement in it", text)
	}
	r.close()
}

// buttonOff takes the button off. The popup is a window.
func (d *desk) buttonOff(r *reader) {
	d.Helper()
	r.choose("One")
	r.strip("one.pdf")
	r.Script(`button().remove()`)
	r.get()
	if text := r.popup("learns"); !strings.Contains(text, "one.pdf") {
		d.Errorf("got %q, want the file of the message", text)
	}
	if r.Script(`return Services.wm.getMostRecentWindow("mail:extensionPopup") ? "ok" : ""`) == "" {
		d.Error("got no window of the extension, want one")
	}
	r.press("Get")
	r.popup("saved as one.pdf")
	r.Picture("window")
	r.strip("saved")
}

// A message in a folder of IMAP shows its files.
func TestIMAP(t *testing.T) {
	d := newDesk(t)
	_, text, _ := strings.Cut(mail(1, "Remote", mixed("text/plain", "remote", reference(d.base+"/report", "remote.pdf"))), "\n")
	server := dovecot.Start(t, func(maildir string) {
		if err := os.WriteFile(filepath.Join(maildir, "cur", "1:2,"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	d.install()
	_, port, err := net.SplitHostPort(server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	r := d.thunderbird(thunderbird.Profile{Prefs: fmt.Sprintf(`
user_pref("mail.accountmanager.accounts", "account1,account2");
user_pref("mail.account.account2.server", "server2");
user_pref("mail.account.account2.identities", "id1");
user_pref("mail.identity.id1.useremail", "ann@example.com");
user_pref("mail.identity.id1.fullName", "Ann");
user_pref("mail.identity.id1.valid", true);
user_pref("mail.server.server2.type", "imap");
user_pref("mail.server.server2.hostname", "127.0.0.1");
user_pref("mail.server.server2.port", %s);
user_pref("mail.server.server2.userName", %q);
user_pref("mail.server.server2.name", "IMAP");
user_pref("mail.server.server2.directory-rel", "[ProfD]ImapMail/127.0.0.1");
user_pref("mail.server.server2.login_at_startup", false);
user_pref("mail.server.server2.socketType", 0);
user_pref("mail.server.server2.authMethod", 3);
`, port, dovecot.User)})
	r.Await("account", func() string {
		return r.Script(`
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const server = MailServices.accounts.allServers.find(s => s.type == "imap");
if (!server || !about()?.displayFolder) return "";
server.password = arguments[0];
server.performExpand(null);
return "ok"`, dovecot.Password)
	})
	r.chooseIn("imap", "INBOX", "Remote")
	r.strip("remote.pdf")
	r.badge("1")
	r.ask()
	r.press("Get")
	r.popup("saved as remote.pdf")
	if got, err := os.ReadFile(filepath.Join(d.home, "Saved", "remote.pdf")); err != nil || string(got) != pdf {
		t.Errorf("got %d octets, %v, want the ones of the server", len(got), err)
	}
}
