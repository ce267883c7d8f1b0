package externalbody

import (
	"strings"
	"testing"
)

// TestAnalyzedOnce: the URL of a Reference is analyzed where it is read. Plan, the name and
// the text for logs use that, unless the parameter has been replaced.
func TestAnalyzedOnce(t *testing.T) {
	ref, err := ReadRaw([]byte("Content-Type: message/external-body; access-type=url; url=\"https://h.example/a.png?key=1\"\r\n\r\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ref.analyzed.shown, "https://h.example/a.png?key=xxxxx"; got != want || ref.Name != "a.png" {
		t.Errorf("got %q, %q, want %q, a.png", got, ref.Name, want)
	}
	ref.analyzed.shown, ref.analyzed.name = "https://known.example/", "known"
	if p := new(Resolver).Plan(ref); p.URL != "https://known.example/" || ref.urlName() != "known" || !strings.HasSuffix(ref.String(), " https://known.example/") {
		t.Errorf("got %q, %q, %q, want the analysis from the reader", p.URL, ref.urlName(), ref)
	}
	long := *ref
	long.Params = Params{{"url", "data:," + strings.Repeat("x", 100<<10)}}
	if got, want := long.String(), "url data:,(102400 octets)"; got != want {
		t.Errorf("got %.80q, want %q", got, want)
	}
	ref.Params[1].Value = "https://other.example/b"
	if p := new(Resolver).Plan(ref); p.URL != "https://other.example/b" || ref.urlName() != "b" {
		t.Errorf("got %q, %q, want the other URL", p.URL, ref.urlName())
	}
}
