package codec

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/unwrap"
)

const safe = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fb%3Fc%3D1%26d%3D2&data=05%7C02&reserved=0"

// run runs the command with standard input.
func run(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	cmd := URL()
	var out bytes.Buffer
	cmd.SetIn(strings.NewReader(input))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{"unwrap"}, args...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestUnwrap(t *testing.T) {
	const inside, richInside = "https://a.example/b?c=1&d=2", "https://a.example/b?c=1&amp;d=2"
	rich := strings.ReplaceAll(safe, "&", "&amp;")
	barracuda := "https://linkprotect.cudasvc.com/url?a="
	for _, tt := range []struct {
		name, input string
		args        []string
		want        string
	}{
		{"Argument", "", []string{safe, "https://a.example/"}, "https://a.example/b?c=1&d=2\nhttps://a.example/\n"},
		{"Text", "see " + safe + ".\n(" + safe + "), " + safe, nil, "see https://a.example/b?c=1&d=2.\n(https://a.example/b?c=1&d=2), https://a.example/b?c=1&d=2"},
		{"Nothing", "see https://a.example/?url=https://b.example/\n\xff\n", nil, "see https://a.example/?url=https://b.example/\n\xff\n"},
		{"Unclosed", "<" + safe + "\nThis stays -> x", nil, "<" + inside + "\nThis stays -> x"},
		{"Blanks", "<" + safe + " and more> x", nil, "<" + inside + " and more> x"},
		{"Several", safe + "," + safe + ";" + safe + "|" + safe, nil, inside + "," + inside + ";" + inside + "|" + inside},
		{"Marks", "*" + safe + "* `" + safe + "` _" + safe + "_ «" + safe + "» “" + safe + "” " + safe + "…", nil, "*" + inside + "* `" + inside + "` _" + inside + "_ «" + inside + "» “" + inside + "” " + inside + "…"},
		{"Broken", "> See " + safe[:64] + "\n> " + safe[64:] + "\n> x", nil, "> See " + inside + "\n> x"},
		{"LongLine", strings.Repeat("x ", 32<<10-30) + safe + " x", nil, strings.Repeat("x ", 32<<10-30) + inside + " x"},
		{"References", "&lt;" + rich + "&gt; " + rich + ".&nbsp;x &quot;" + rich + "&quot; &#39;" + rich + "&#39;", nil, "&lt;" + richInside + "&gt; " + richInside + ".&nbsp;x &quot;" + richInside + "&quot; &#39;" + richInside + "&#39;"},
		{"Brackets", "> <" + safe[:60] + "\n> " + safe[60:] + ">\n", nil, "> <https://a.example/b?c=1&d=2>\n"},
		{"HTML", `<a href="` + rich + `">x</a> <a href='` + rich + `'>`, nil, `<a href="https://a.example/b?c=1&amp;d=2">x</a> <a href='https://a.example/b?c=1&amp;d=2'>`},
		{"NotASCII", barracuda + "https://a.example/%C3%A9", nil, "https://a.example/%C3%A9"},
		{"Opaque", "https://protect-eu.mimecast.com/s/AbCdEf", nil, "https://protect-eu.mimecast.com/s/AbCdEf"},
		{"Case", "HTTPS" + safe[5:], nil, "https://a.example/b?c=1&d=2"},
		{
			"Mail", "Subject: " + safe + "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + strings.ReplaceAll(safe, "=", "=3D")[:70] + "=\r\n" + strings.ReplaceAll(safe, "=", "=3D")[70:] + "\r\n",
			[]string{"--mail"}, "Subject: " + safe + "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nhttps://a.example/b?c=3D1&d=3D2\r\n",
		},
		{
			"MailSigned", "Content-Type: multipart/signed; boundary=q\r\n\r\n--q\r\n\r\n" + safe + "\r\n--q--\r\n",
			[]string{"--mail"}, "Content-Type: multipart/signed; boundary=q\r\n\r\n--q\r\n\r\n" + safe + "\r\n--q--\r\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := run(t, tt.input, tt.args...); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	if _, err := run(t, "", "--mail", safe); err == nil {
		t.Error("--mail with a URL: got no error, want one")
	}
}

// A second run finds nothing more, and all that changes is URLs that are wrapped.
func FuzzEdits(f *testing.F) {
	f.Add("see "+safe+".", false)
	f.Add(`<a href="`+strings.ReplaceAll(safe, "&", "&amp;")+`">`, true)
	f.Add("<"+safe[:60]+"\n> "+safe[60:]+">", false)
	f.Fuzz(func(t *testing.T, text string, rich bool) {
		mediaType := "text/plain"
		if rich {
			mediaType = "text/html"
		}
		list := edits(mediaType, []byte(text))
		at := int64(0)
		for _, e := range list {
			if e.Start < at || e.End < e.Start || e.End > int64(len(text)) {
				t.Fatalf("%q: got %+v, want edits in order", text, list)
			}
			at = e.End
			was := text[e.Start:e.End]
			if !strings.Contains(was, "&") && len(unwrap.URL(unwrap.Join(was)).Wrappers) == 0 {
				t.Fatalf("%q: got the edit of %q, which is not wrapped", text, was)
			}
		}
		if len(edited([]byte(text), list)) > len(text) {
			t.Fatalf("%q: got a longer text, want it at most as long", text)
		}
	})
}
