package unwrap_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/link/unwrap"
)

func ExampleURL() {
	for _, text := range []string{
		"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ffiles.example%2Fa&data=05&reserved=0",
		"https://urldefense.com/v3/__https://files.example/*b__;fg!!A!B$",
		"https://protect-eu.mimecast.com/s/AbCd",
	} {
		r := unwrap.URL(text)
		fmt.Println(r.Wrappers, r.Opaque, r.URL)
	}
	// Output:
	// [safelinks] false https://files.example/a
	// [proofpoint-v3] false https://files.example/~b
	// [mimecast] true https://protect-eu.mimecast.com/s/AbCd
}

func ExampleJoin() {
	fmt.Println(unwrap.Join("https://files.example/a/\n> b"))
	// Output: https://files.example/a/b
}
