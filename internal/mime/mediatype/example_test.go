package mediatype_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

func Example() {
	fmt.Println(mediatype.MediaType("Report.PDF"), mediatype.Extension("image/jpeg"))
	// Output: application/pdf .jpg
}
