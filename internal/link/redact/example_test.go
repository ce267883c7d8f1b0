package redact_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/redact"
)

func ExampleURL() {
	for _, raw := range []string{
		"ftp://joe:secret@files.example/report.pdf;type=i",
		"https://files.example/get?id=17&signature=2c1743a391305fbf&inline",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
	} {
		fmt.Println(redact.URL(raw))
	}
	// Output:
	// ftp://xxxxx@files.example/report.pdf;type=i
	// https://files.example/get?id=xxxxx&signature=xxxxx&inline
	// data:image/png;base64,(24 octets)
}

func ExampleOrigin() {
	fmt.Println(redact.Origin("https://drive.example/urls/4XT1AY#d0Kbl0sZ"))
	// Output:
	// https://drive.example/...
}
