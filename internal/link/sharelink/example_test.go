package sharelink_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

func ExampleMatch() {
	for _, text := range []string{
		"https://www.dropbox.com/scl/fi/5rqdl51a2B3c4D5/report.pdf?rlkey=wkx9&dl=0",
		"https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/edit",
		"https://drive.proton.me/urls/6A3Y3RETFM#FW2gjw0S",
	} {
		l, _ := sharelink.Match(text)
		fmt.Println(l.Provider, l.Kind, l.EndToEnd, l.Rendition, l.Direct)
	}
	// Output:
	// dropbox file false false https://www.dropbox.com/scl/fi/5rqdl51a2B3c4D5/report.pdf?rlkey=wkx9&dl=1
	// google-docs native false true https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=pdf
	// proton page true false
}
