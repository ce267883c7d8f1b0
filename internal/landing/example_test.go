package landing_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/landing"
)

func ExampleJudge() {
	v := landing.Judge(
		landing.Expect{Name: "report.pdf", Size: 81920},
		landing.Got{MediaType: "text/html; charset=utf-8", Size: -1, Head: []byte("<html><title>Sign in</title>")},
	)
	fmt.Println(v.Page, v.Reason)
	// Output: true login
}
