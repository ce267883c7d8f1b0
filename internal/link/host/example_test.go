package host_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/host"
)

func ExampleCanonical() {
	for _, hostname := range []string{"Files.EXAMPLE.com.", "bücher.example", "[::FFFF:192.0.2.1]", "0x7f.1"} {
		canonical, err := host.Canonical(hostname)
		if err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println(canonical)
	}
	// Output:
	// files.example.com
	// xn--bcher-kva.example
	// 192.0.2.1
	// refused: numeric host that is not a canonical IPv4 address
}
