package record

import (
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// TestSentence wants a line about a saved file that fits a terminal, with the name of the file
// first, and all facts where the width is not known. A size that was not kept is mentioned
// once.
func TestSentence(t *testing.T) {
	const name = "files/年次報告書 of the quarterly meeting.pdf"
	const whole = name + ": 5,000,000 octets of application/pdf from https://www.files.cloud.example/x (size differs)"
	n := int64(5_000_000)
	r := &Record{Warnings: []string{"announced-mismatch size", "size-mismatch size"}, Facts: &Facts{ContentType: "application/pdf"}, Outcome: &Outcome{File: name, Bytes: &n, FinalURL: "https://www.files.cloud.example/x",
		Checks: []fetch.Check{{Name: "size", Status: fetch.Mismatch}}}}
	for width, want := range map[int]string{
		0:   whole,
		200: whole,
		80:  "files/年次報告...meeting.pdf: 5.0 MB from www.files.cloud.example (size differs)",
		60:  "files/年...ing.pdf: 5.0 MB from www.files.cloud.example (+1)",
		40:  "files/...ing.pdf: 5.0 MB (size differs)",
		10:  "",
	} {
		got := r.Sentence(width)
		if want != "" && got != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
		if width >= 40 && wording.Columns(got) > width {
			t.Errorf("%d columns: got %d: %q", width, wording.Columns(got), got)
		}
	}
}
