package tnef_test

import (
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/internal/mailtext/tnef"
)

func ExampleParts() {
	data := file(message(variable(0x1009, 0x102, compressed)))
	body, boundary, whole := tnef.Parts(data, 1<<20)
	fmt.Println(whole)
	fmt.Println(strings.ReplaceAll(strings.ReplaceAll(string(body), boundary, "BOUNDARY"), "\r\n", "\n"))
	// Output:
	// true
	//
	// --BOUNDARY
	// Content-Type: text/plain; charset=utf-8
	// Content-Transfer-Encoding: 8bit
	//
	// hello world
	// --BOUNDARY--
}
