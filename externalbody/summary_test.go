package externalbody_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestPlanSummary wants one sentence with the names first, and at most 160 columns of it
// whatever a stranger names his file and his host.
func TestPlanSummary(t *testing.T) {
	plan := func(params, phantom string) *externalbody.Plan {
		ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; "+params+"\r\n\r\n"), []byte(phantom+"\r\n\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		return (&externalbody.Resolver{Fetcher: fetch.Func(nil)}).Plan(ref)
	}
	url := func(u string) string { return "access-type=url; url=\"" + u + "\"" }
	const pdf = "Content-Type: application/pdf"
	long := strings.Repeat("Quartalsbericht ", 20) + ".pdf"
	host := strings.Repeat("login.bank.example.", 10) + "evil.example"
	for _, tt := range []struct {
		name, params, phantom string
		more                  int
		want                  string
	}{
		{"Name", url("https://cloud.example/a/slides.pdf") + "; size=587", pdf, 0,
			"slides.pdf (587 octets) from cloud.example, encrypted; it learns your address, and that you read this now"},
		{"More", url("https://cloud.example/a/slides.pdf") + "; size=587", pdf, 4,
			"slides.pdf (587 octets) and 4 more from cloud.example, encrypted; it learns your address, and that you read this now"},
		{"NoName", url("http://cloud.example:8080/") + "; size=22100000", pdf, 0,
			"a PDF file (22 MB) from cloud.example:8080, not encrypted; it learns your address, and that you read this now"},
		{"Nothing", url("https://cloud.example/"), "Content-Type: x/y", 0,
			"a file from cloud.example, encrypted; it learns your address, and that you read this now"},
		{"Login", "access-type=ftp; site=a.example; name=b.pdf", pdf, 0,
			"b.pdf from a.example, not encrypted, with your login; it learns your address, and that you read this now"},
		{"URLLogin", url("ftp://me:pw@a.example/b.pdf"), pdf, 0,
			"b.pdf from a.example, not encrypted, with the login in the URL; it learns your address, and that you read this now"},
		{"Mail", "access-type=mail-server; server=\"s@a.example\"", pdf, 0,
			"a PDF file by mail from a.example; it learns your mail address, and that you read this now"},
		{"Data", url("data:application/pdf,x"), pdf, 0, "a PDF file, in the message itself"},
		{"Expired", url("https://a.example/b.pdf") + "; expiration=\"Sat, 01 Jan 2000 00:00:00 +0000\"", pdf, 0,
			"b.pdf from a.example, encrypted; it learns your address, and that you read this now; it was to be there until 2000-01-01"},
		{"Terminal", url("https://a.example/x"), pdf + "\r\nContent-Disposition: attachment; filename*=utf-8''a%1B%5B2J%E2%80%AEb.pdf", 0,
			"\"a[2Jb.pdf\" from a.example, encrypted; it learns your address, and that you read this now"},
		{"Long", url("https://" + host + "/x"), pdf + "\r\nContent-Disposition: attachment; filename=\"" + long + "\"", 0,
			"\"Quartalsbericht Q...bericht .pdf\" from ....bank.example.login.bank.example.evil.example, encrypted; it learns your address, and that you read this now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(tt.params, tt.phantom)
			got := p.Summary(slices.Repeat([]*externalbody.Plan{p}, tt.more)...)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if len(got) > 160 {
				t.Errorf("got %d columns, want at most 160", len(got))
			}
			if !p.Like(p) {
				t.Error("got a Plan that is not like itself")
			}
		})
	}
	a := plan(url("https://cloud.example/a"), pdf)
	for _, u := range []string{"http://cloud.example/a", "https://cloud.example:444/a", "https://other.example/a", "ftp://cloud.example/a"} {
		if b := plan(url(u), pdf); a.Like(b) {
			t.Errorf("%s: got that it is like %s, want not", u, a.URL)
		}
	}
	if b := plan(url("https://cloud.example/b?c"), "Content-Type: x/y"); !a.Like(b) {
		t.Errorf("got that %s is not like %s, want that it is", b.URL, a.URL)
	}
	refused := plan(url("http://127.1/b.pdf"), pdf)
	if got := refused.Summary(); !strings.HasPrefix(got, "b.pdf: refused (malformed): ") {
		t.Errorf("got %q, want the name and why it is refused", got)
	}
	hop := &externalbody.Plan{Ref: &externalbody.Reference{Name: "b.pdf", Size: -1}, Hop: true, From: "a.example", Host: "c.example", Scheme: "https", Secure: true}
	if got, want := hop.Summary(), "b.pdf from c.example, to which a.example redirects, encrypted; it learns your address, and that you read this now"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
