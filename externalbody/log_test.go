package externalbody_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// TestNoPassword: nothing that is printed or logged of a Reference, its Plan or its Report shows a password, a
// value of a query or the key in a share link.
func TestNoPassword(t *testing.T) {
	const url = "ftp://anna:hunter2@h.example/a.png"
	const share = "https://www.dropbox.com/scl/fi/tok9/a.pdf?rlkey=tok9&dl=0"
	refs := openText(t, mixed(external(`url; url="`+url+`"`, "Content-Type: image/png\n"), external(`url; url="`+share+`"`, "Content-Type: application/pdf\n")), nil)
	if len(refs) != 2 {
		t.Fatalf("got %d references, want 2", len(refs))
	}
	for i, want := range []string{"h.example/a.png", "https://www.dropbox.com"} {
		ref := refs[i]
		final, _ := ref.Param("url")
		report := externalbody.Report{Reference: ref, FinalURL: final, Hops: []string{final}, Failures: []externalbody.Failure{{Reference: ref}}}
		r := externalbody.Resolver{}
		for name, v := range map[string]any{
			"Reference": ref, "value": *ref, "Report": &report, "value of Report": report, "Failure": externalbody.Failure{Reference: ref, Report: &report}, "Plan": r.Plan(ref),
		} {
			var b bytes.Buffer
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				fmt.Fprintf(&b, verb+"\n", v)
			}
			slog.New(slog.NewTextHandler(&b, nil)).Info("m", "v", v)
			if name != "Failure" { // encoding/json writes all of it
				slog.New(slog.NewJSONHandler(&b, nil)).Info("m", "v", v)
			}
			got := b.String()
			for _, secret := range []string{"hunter2", "tok9", "anna"} {
				if strings.Contains(got, secret) {
					t.Errorf("%s: got %s in\n%s, want it nowhere", name, secret, got)
				}
			}
			if !strings.Contains(got, want) || strings.Contains(got, "PANIC") {
				t.Errorf("%s: got\n%s, want %q in it", name, got, want)
			}
		}
	}
}
