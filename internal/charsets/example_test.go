package charsets_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/charsets"
)

func ExampleWords() {
	fmt.Println(charsets.Words("=?gb2312?B?saiw5g==?=.pdf"))
	// Output: 报版.pdf
}
