package interstitial_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/interstitial"
)

func ExampleJudge() {
	v := interstitial.Judge(
		interstitial.Expect{Name: "report.pdf", Size: 81920},
		interstitial.Got{MediaType: "text/html; charset=utf-8", Size: -1, Head: []byte("<html><title>Sign in</title>")},
	)
	fmt.Println(v.Page, v.Reason)
	// Output: true login
}
