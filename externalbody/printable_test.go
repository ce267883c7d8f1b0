package externalbody_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// TestPrintable: what programs show and log of a reference has no character that a terminal
// obeys or that changes the direction of writing, and is of bounded length.
func TestPrintable(t *testing.T) {
	t.Run("Controls", func(t *testing.T) { testPrintable(t, "a\x1b[2J\u202egpj\u200b\x9b\a\u2028b") })
	t.Run("NoSpecials", func(t *testing.T) { testPrintable(t, "a\x1b\b\x9b\u0085\u202eb") })
	t.Run("Long", func(t *testing.T) { testPrintable(t, strings.Repeat("a", 50_000)) })
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
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for ref := range m.References() {
			n++
			p := r.Plan(ref)
			words := map[string]string{"Reference": ref.String(), "Plan": p.String(), "Reason": p.Reason, "URL": p.URL}
			for _, d := range slices.Concat(ref.Diags, p.Diags) {
				words["Diag"] = d.String()
				if len(d.String()) > 2000 {
					break
				}
			}
			for what, s := range words {
				if len(s) > 2000 {
					t.Errorf("%s: got %s of %d octets, want 2,000 at most", name, what, len(s))
				}
			}
			for what, s := range map[string]string{
				"Reference": ref.String(), "Plan": strings.ReplaceAll(p.String(), "\n", " "),
				"URL": p.URL, "Host": p.Host, "Path": p.Path, "Name": p.Name, "MediaType": p.MediaType,
				"Provider": p.Provider, "Sender": p.Sender, "Reason": p.Reason,
				"Diags": fmt.Sprint(ref.Diags, p.Diags), "ContentID": ref.ContentID, "AccessType": ref.AccessType,
				"Permission": ref.Permission, "announced type": ref.MediaType, "Disposition": ref.Disposition(),
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
