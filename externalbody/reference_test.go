package externalbody_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

const remotePart = "Content-Type: message/external-body; access-type=url; url=\"http://h.example/x\"\n\nContent-Type: text/plain\n\n"

func TestParamsGet(t *testing.T) {
	ps := externalbody.Fields{{"access-type", "url"}, {"x", "1"}, {"X", "2"}}
	for _, tt := range []struct {
		name, want string
		ok         bool
	}{{"Access-Type", "url", true}, {"X", "1", true}, {"y", "", false}, {"", "", false}} {
		if got, ok := ps.Lookup(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// A Reference names the part that it is in, which message it belongs to, and whether
// that is to be seen in the octets of the message.
func TestSections(t *testing.T) {
	within := func(head, inner string) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n" + head + "\n\n" + inner + "\n--b--\n"
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("MIME-Version: 1.0\n" + remotePart))
	for _, tt := range []struct {
		name, text       string
		section, message string
		hidden           bool
	}{
		{"Whole", remotePart, "1", "", false},
		{"Part", within("Content-Type: multipart/mixed; boundary=c", "--c\n"+remotePart+"\n--c--"), "2.1", "", false},
		{"Message", within("Content-Type: message/rfc822", remotePart), "2.1", "2", false},
		{"PartOfMessage", within("Content-Type: message/rfc822", strings.NewReplacer("=b\n", "=e\n", "--b", "--e").Replace(within("Content-Type: multipart/mixed; boundary=d", "--d\n"+remotePart+"\n--d--"))), "2.2.1", "2", false},
		{"Hidden", within("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", encoded), "2.1", "2", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "MIME-Version: 1.0\n" + tt.text
			m := openMessage(t, text, nil)
			refs := slices.Collect(m.References())
			if len(refs) != 1 {
				t.Fatalf("got %d references, want 1", len(refs))
			}
			if section, message, hidden := refs[0].Section(), refs[0].MessageSection(), refs[0].Hidden(); section != tt.section || message != tt.message || hidden != tt.hidden {
				t.Errorf("got %q, %q, %v, want %q, %q, %v", section, message, hidden, tt.section, tt.message, tt.hidden)
			}
			if got, err := io.ReadAll(m.Reader()); err != nil || string(got) != text {
				t.Errorf("got %q, %v, want the message", got, err)
			}
		})
	}
	ref, err := externalbody.ReadRaw([]byte(strings.SplitAfter(remotePart, "\n\n")[0]), nil)
	must(t, err)
	if section, message, hidden := ref.Section(), ref.MessageSection(), ref.Hidden(); section != "" || message != "" || !hidden {
		t.Errorf("read alone: got %q, %q, %v, want \"\", \"\", true", section, message, hidden)
	}
}

// TestPrintable: the texts of a reference that programs show and log have no character that
// a terminal obeys or that changes the direction of writing, and is of bounded length.
func TestPrintable(t *testing.T) {
	for _, evil := range []string{"a\x1b[2J\u202egpj\u200b\x9b\a\u2028b", "a\x1b\b\x9b\u0085\u202eb", strings.Repeat("a", 50_000)} {
		testPrintable(t, evil)
	}
}

func testPrintable(t *testing.T, evil string) {
	part := func(params, phantom string) string {
		return "Content-Type: message/external-body; " + params + "\n\n" + phantom + "\n\n"
	}
	r := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	for name, text := range map[string]string{
		"URL":         part(`access-type=URL; URL="https://h.example/`+evil+`"`, "Content-Type: text/"+evil+"\nContent-Disposition: attachment; filename=\""+evil+"\""),
		"Host":        part(`access-type=URL; URL="https://`+evil+`/"`, "Content-Type: a/b"),
		"IDNA":        part(`access-type=URL; URL="https://xn--`+evil+`.example/%1b%e2%80%ae"`, "Content-Type: a/b\nContent-MD5: "+evil+"\nContent-Transfer-Encoding: "+evil),
		"Scheme":      part(`access-type=URL; URL="`+evil+`:x"`, "Content-Type: a/b"),
		"Data":        part(`access-type=URL; URL="data:`+evil+`,x"`, "Content-Type: a/b"),
		"AccessType":  part(`access-type=`+evil+`; site="h.example"; name="`+evil+`"`, "Content-Type: text/plain; "+evil+"=x"),
		"ContentID":   part(`access-type=content-id`, "Content-Type: a/b\nContent-ID: <"+evil+"@h.example>"),
		"OuterID":     "Content-ID: <" + evil + "@h.example>\n" + part(`access-type=content-id`, "Content-Type: a/b\nContent-Disposition: "+evil),
		"Param":       part(`access-type=URL; URL="https://h.example/"; `+evil+`=1; `+evil+`=2; `+evil, "Content-Type: a/b; "+evil+"=1; "+evil+"=2"),
		"Field":       part(`access-type=URL; URL="https://h.example/"`, "Content-Type: a/b\n"+evil+": x\n"+evil+": y"),
		"FTP":         part(`access-type=anon-ftp; site="h.example"; name="`+evil+`"; directory="`+evil+`"; mode="`+evil+`"; size="`+evil+`"; expiration="`+evil+`"; permission="`+evil+`"`, "Content-Type: a"),
		"Site":        part(`access-type=anon-ftp; site="`+evil+`.example"; name=x`, "Content-Type: a/b"),
		"Server":      part(`access-type=mail-server; server="`+evil+`@h.example"`, "Content-Type: a/b"),
		"Subject":     part(`access-type=mail-server; server="x@h.example"; subject="`+evil+`"`, "Content-Type: a/b"),
		"File":        part(`access-type=local-file; site="`+evil+`"; name="/`+evil+`"`, "Content-Type: a/b"),
		"Domain":      part(`access-type=mail-server; server="x@`+evil+`.example"`, "Content-Type: a/b"),
		"Announced":   part(`access-type=URL; URL="data:,x"`, "Content-Type: text/"+evil+"\nContent-Disposition: attachment; filename=\""+evil+"\""),
		"Document":    "Document-Reference: https%3a%2f%2fh.example%2f" + evil + "; FileName=" + evil + "; ContentType=" + evil + "/x; Permission=" + evil + "; ProviderType=" + evil + "\n\n",
		"EncodedName": "Document-Reference: https%3a%2f%2fh.example%2fa; FileName=%1b%e2%80%ae; ProviderType=%1b%e2%80%ae; ProviderUrl=%1b\n\n",
		"FileLink":    "X-Mozilla-Cloud-Part: cloudFile; url=https://h.example/%0a%1b; name=" + evil + "; size=" + evil + "\nContent-Type: " + evil + "/x\n\n",
	} {
		m := openMessage(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
		n := 0
		for ref := range m.References() {
			n++
			p := r.Plan(ref)
			words := []string{ref.String(), p.String(), p.Reason, p.URL}
			for _, d := range slices.Concat(ref.Diags, p.Diags) {
				words = append(words, d.String())
			}
			for _, s := range words {
				if len(s) > 2000 {
					t.Errorf("%s: got %.100q of %d octets, want 2,000 at most", name, s, len(s))
				}
			}
			for what, s := range map[string]string{
				"Reference": ref.String(), "Plan": strings.ReplaceAll(p.String(), "\n", " "),
				"URL": p.URL, "Host": p.Host, "Path": p.Path, "Name": p.Ref.Name, "MediaType": p.Ref.MediaType,
				"Provider": p.Ref.Provider, "Sender": p.Sender, "Reason": p.Reason,
				"Diags": fmt.Sprint(ref.Diags, p.Diags), "ContentID": ref.ContentID, "AccessType": ref.AccessType,
				"Permission": ref.Permission, "announced type": ref.MediaType, "Disposition": ref.DispositionType(),
			} {
				if i := strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }); i >= 0 {
					t.Errorf("%s: got %s %q, want it printable", name, what, s)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: got %d references, want 1", name, n)
		}
	}
}

// at calls f when the clock shows a time, which is after 1999.
func at(t *testing.T, when time.Time, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(when))
		f(t)
	})
}

// TestSIP is SI-2 to SI-4, SI-6, SI-8, SI-10 to SI-12 and SI-16.
func TestSIP(t *testing.T) {
	const data = "v=0"
	s1, s256 := sha1.Sum([]byte(data)), sha256.Sum256([]byte(data))
	hash1, hash256 := hex.EncodeToString(s1[:]), hex.EncodeToString(s256[:])
	now := time.Date(2002, 6, 1, 0, 0, 0, 0, time.UTC)
	const valid = `; expiration="Mon, 24 Jun 2002 09:00:00 GMT"`
	const disposition = "Content-Disposition: session\n"
	sip := externalbody.Resolver{SIP: new(externalbody.SIP)}
	accept := sip
	accept.SIP = &externalbody.SIP{Accept: []string{"application/sdp"}}
	strict := sip
	strict.Strict = true
	var mail externalbody.Resolver

	for _, c := range []struct {
		name, params, phantom string
		r                     externalbody.Resolver
		served                string
		kind                  fetch.Kind
		label, verified       string
		warnings              string
	}{
		{"Plain", valid + "; hash=" + hash1, disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "weak-match", "[]"},
		{"UpperCaseHash", valid + "; hash=" + strings.ToUpper(hash1), disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "weak-match", "[]"},
		{"HashDiffers", valid + "; hash=" + strings.Repeat("0", 40), disposition + "Content-Type: application/sdp\n", sip, "application/sdp", fetch.DigestMismatch, "", "", ""},
		{"HashOfOtherLength", valid + "; hash=10AB568E91245681AC1B", disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "malformed", "[bad-digest hash]"},
		{"HashOfOtherLengthStrict", valid + "; hash=10AB568E91245681AC1B", disposition + "Content-Type: application/sdp\n", strict, "application/sdp", fetch.Malformed, "", "", ""},
		{"HashOfSHA256", valid + "; hash=" + hash256, disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "malformed", "[bad-digest hash]"},
		{"LearnsType", valid, disposition, sip, "application/sdp; x=y", 0, "application/sdp; x=y", "none", "[]"},
		{"LearnsAcceptedType", valid, disposition, accept, "Application/SDP", 0, "Application/SDP", "none", "[]"},
		{"LearnsOtherType", valid, disposition, accept, "text/html", fetch.TypeMismatch, "", "", ""},
		{"NoTypeAtAll", valid, disposition, sip, "", fetch.TypeMismatch, "", "", ""},
		{"AnnouncedTypeWins", valid, disposition + "Content-Type: application/sdp\n", sip, "text/html", fetch.TypeMismatch, "", "", ""},
		{"NoExpiration", "", disposition, sip, "application/sdp", 0, "application/sdp", "none", "[no-expiration expiration]"},
		{"OtherZone", `; expiration="Mon, 24 June 2002 09:00:00 +0100"`, disposition, sip, "application/sdp", 0, "application/sdp", "none", "[expiration-form expiration]"},
		{"NoDisposition", valid, "", sip, "application/sdp", 0, "application/sdp", "none", "[no-disposition content-disposition]"},
		{"Expired", `; expiration="Fri, 31 May 2002 09:00:00 GMT"`, disposition, sip, "application/sdp", fetch.Expired, "", "", ""},
		{"MailTriesExpired", `; expiration="Fri, 31 May 2002 09:00:00 GMT"`, "", mail, "text/plain", 0, "text/plain; charset=us-ascii", "none", "[expired expiration]"},
		{"MailIgnoresHash", `; hash=` + strings.Repeat("0", 40), "", mail, "text/plain", 0, "text/plain; charset=us-ascii", "none", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var report *externalbody.Report
			var err error
			at(t, now, func(t *testing.T) {
				_, report, err = resolve(t, c.r, c.params, c.phantom, page{mediaType: c.served, body: data})
			})
			if fetch.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if c.kind == 0 && (report.MediaType != c.label || string(report.Verified()) != c.verified || fmt.Sprint(report.Warnings) != c.warnings) {
				t.Errorf("got %q, %s, %v, want %q, %s, %s", report.MediaType, report.Verified(), report.Warnings, c.label, c.verified, c.warnings)
			}
		})
	}

	for phantom, want := range map[string]bool{
		"Content-Disposition: render; handling=optional\n": true,
		"Content-Disposition: render; handling=required\n": false,
		"Content-Disposition: render\n":                    false,
		"":                                                 false,
	} {
		if ref := one(t, "message/external-body; access-type=x", phantom); ref.Optional() != want {
			t.Errorf("%q: Optional is %v, want %v", phantom, ref.Optional(), want)
		}
	}
}

// TestByReference is SI-17.
func TestByReference(t *testing.T) {
	for mention, want := range map[string]fetch.Kind{"": fetch.Denied, "Call-Info: <cid:a@b>;purpose=icon\n": 0, "Call-Info: <cid:a%40b>\n": 0} {
		text := mention + "Content-Type: message/external-body; access-type=URL; URL=\"http://h.example/x\"\n\nContent-ID: <a@b>\nContent-Type: text/plain\nContent-Disposition: by-reference\n\n"
		ref := openText(t, text, nil)[0]
		r := &externalbody.Resolver{SIP: new(externalbody.SIP), Fetcher: &web{pages: map[string]page{"http://h.example/x": {mediaType: "text/plain", body: "x"}}}}
		if _, _, err := readBody(t, r, ref); fetch.KindOf(err) != want {
			t.Errorf("%q: got %v, want %v", mention, err, want)
		}
	}
}

// TestNameOfURL: the last segment of a URL is a name if it has an extension and the URL has no shape of a share link.
// Otherwise it may be a token, which is shown nowhere.
func TestNameOfURL(t *testing.T) {
	for _, c := range []struct{ name, url, want string }{
		{"File", "https://files.example/a/report.pdf", "report.pdf"},
		{"Archive", "https://files.example/a/report.zip.001", "report.zip.001"},
		{"Token", "https://files.example/d/9kQ2vTtok3nXw", ""},
		{"TokenFTP", "ftp://files.example/d/9kQ2vTtok3nXw", ""},
		{"TokenWithDots", "https://files.example/d/eyJhbGciOiJIUzI1NiJ9.eyJmIjoiOWtRMnZUdG9rM25YdyJ9.c2lnbmVkOWtRMnZUdG9rM25Ydw", ""},
		{"DotAtTheEnd", "https://files.example/d/9kQ2vTtok3nXw.", ""},
		{"DotAtTheStart", "https://files.example/d/.9kQ2vTtok3nXw", ""},
		{"GuessedShape", "https://cloud.files.example/s/9kQ2vTtok3nXw1", ""},
		{"ShapeWithName", "https://www.dropbox.com/s/9kQ2vTtok3nXw1/report.pdf?dl=0", "report.pdf"},
		{"ShapeWithoutName", "https://drive.google.com/file/d/1a9kQ2vTtok3nXwabcdefghijklmnopqrs/view", ""},
		{"WithinShape", "https://gate.example/https://www.dropbox.com/s/9kQ2vTtok3nXw1/tok3nXw.pdf", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, `message/external-body; access-type=URL; URL="`+c.url+`"`, "Content-Type: application/pdf\n\n")
			p := new(externalbody.Resolver).Plan(ref)
			if ref.Name != c.want {
				t.Errorf("got the name %q, want %q", ref.Name, c.want)
			}
			shown := p.Summary() + "\n" + p.String() + "\n" + (&externalbody.Report{Reference: ref}).FileName()
			if path.Ext(c.want) == "" && strings.Contains(strings.ReplaceAll(shown, p.URL, ""), "tok3nXw") {
				t.Errorf("got the token in %s", shown)
			}
		})
	}
}
