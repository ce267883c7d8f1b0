package discover_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/discover"
)

func ExampleFilter() {
	var f discover.Filter
	fmt.Println(f.Possible([]byte("Content-Type: text/plain\n\nPlease see the well-known page.\n")))
	f.Reset()
	f.Write([]byte("Content-Type: MESSAGE / (by URL) Exter"))
	fmt.Println(f.Possible([]byte("nal-Body; access-type=URL; URL=\"http://a.example/\"\n\n\n")))
	// Output:
	// false
	// true
}
