package show_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

func Example() {
	fmt.Println(show.Line("invoice\u202efdp.exe\r\n"), show.Octets(1234567), show.Count(2, "file"))
	// Output: invoice\u202efdp.exe\r\n 1,234,567 octets 2 files
}
