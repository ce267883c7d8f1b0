package listen_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

func ExampleOpen() {
	l, err := listen.Open("127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	fmt.Println(l.Addr().Network())
	// Output: tcp
}
