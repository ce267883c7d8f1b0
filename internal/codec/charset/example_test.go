package charset_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

func ExampleWords() {
	fmt.Println(charset.Words("=?gb2312?B?saiw5g==?=.pdf"))
	// Output: 报版.pdf
}
