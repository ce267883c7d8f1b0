package rewrite_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// What mail programs read differently is not changed.
func TestAmbiguousIsLeft(t *testing.T) {
	const (
		ref = "Content-Type: message/external-body; access-type=URL;\n URL=\"https://a.example/x\"\n\nContent-Type: image/png\nContent-ID: <x@y>\n\n"
	)
	for _, part := range []string{"JUNK\n" + ref, strings.Replace(ref, "\n\n", "\nContent-Type: text/plain\n\n", 1), "X: y\r" + ref} {
		text := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n" + part + "\n--b--\n"
		y := &tally{Reader: strings.NewReader(text)}
		m, err := externalbody.Open(y, int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r := range m.References() {
			if n++; !r.Ambiguous() {
				t.Errorf("%q: got %v, want it ambiguous", part, r)
			}
		}
		if n == 0 {
			t.Errorf("%q: got no references, want one", part)
		}
		for name, do := range map[string]func(*bytes.Buffer) error{
			"Inline": func(b *bytes.Buffer) error {
				_, err := rewrite.Inline(t.Context(), b, m, &rewrite.InlineOptions{Resolver: y.resolver(), Attach: true, TempDir: t.TempDir()})
				return err
			},
			"Normalize": func(b *bytes.Buffer) error {
				_, err := rewrite.Normalize(t.Context(), b, m, nil)
				return err
			},
		} {
			var out bytes.Buffer
			if err := do(&out); err != nil || out.String() != text {
				t.Errorf("%s of %q: got %q, %v, want it unchanged", name, part, out.String(), err)
			}
		}
	}
}
