package filetype_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/filetype"
)

func Example() {
	fmt.Println(filetype.MediaType("Report.PDF"), filetype.Extension("image/jpeg"))
	// Output: application/pdf .jpg
}
