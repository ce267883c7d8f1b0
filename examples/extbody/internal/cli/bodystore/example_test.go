package bodystore_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
)

func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := bodystore.Open(dir, bodystore.SHA256)
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := store.Put(context.Background(), strings.NewReader("hello\n"))
	fmt.Println(body.Path[:13], body.Size, err)
	// Output: 58/91/5891b5b 6 <nil>
}
