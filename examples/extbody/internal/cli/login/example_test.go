package login_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
)

func ExampleNetrc() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "netrc")
	err = os.WriteFile(path, []byte("machine files.example login ann password secret\ndefault login x password y\n"), 0o600)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(login.Netrc(path, "files.example", "", false))
	fmt.Println(login.Netrc(path, "elsewhere.example", "", false))
	// Output:
	// ann secret <nil>
	//   no password: give --password-command or --netrc, or answer at a terminal
}
