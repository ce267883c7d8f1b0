package loads

import (
	"strings"
	"testing"
)

// The URLs of a style sheet are in order and within it, and without escapes they are its octets.
func FuzzCSS(f *testing.F) {
	for _, css := range []string{
		`a{background:url(x) url("y") url('z')}`, `a{b:u\72l(x\29 )}`, `@import url(x);@font-face{src:url(y)}`, "a{b:url('x\n')}",
		`a{b:image-set("x" 1x)}/*`, `url(`, `url("`, `\`, `@`, `@\`, `"\`, "url(\\\n)", "url(x\\", `url(x \`, `}}))]`, "\"\\\r\n\"",
	} {
		f.Add(css)
	}
	f.Fuzz(func(t *testing.T, css string) {
		last := 0
		readCSS(css, func(_ Kind, from, to int, value string) {
			if from < last || to < from || to > len(css) {
				t.Fatalf("got %d to %d after %d", from, to, last)
			}
			last = from
			if raw := css[from:to]; !strings.Contains(raw, `\`) && raw != value {
				t.Errorf("got %q, want %q", value, raw)
			}
		})
	})
}
