package bodystore_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := bodystore.Serve(dir, "https://files.example/mail", true, bodystore.SHA256)
	if err != nil {
		fmt.Println(err)
		return
	}
	url, err := store.Message().Put(context.Background(), &rewrite.Object{Section: "2", Name: "a b.txt", Body: strings.NewReader("body")})
	fmt.Println(url, err)
	// Output: https://files.example/mail/23/0d/230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5/a%20b.txt <nil>
}
