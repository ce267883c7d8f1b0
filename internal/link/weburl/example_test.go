package weburl_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

func ExampleParse() {
	u, ok := weburl.Parse("https://Files.EXAMPLE./s/x%20y?key=a%3Db#secret")
	key, _ := u.Param("key")
	fmt.Println(ok, u.Host, u.Path, key)
	_, ok = weburl.Parse("https://files.example@evil.example/")
	fmt.Println(ok)
	// Output:
	// true files.example /s/x%20y a%3Db
	// false
}
