package dialect_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

const outlook = `From: a@b.example
Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!AgaMhbe7wFq8gi8; FileName=plan.pdf;
 ProviderType=OneDriveConsumer; Permission=View
Content-Type: text/plain

The plan.
`

func ExampleAll() {
	m, err := externalbody.Open(strings.NewReader(outlook), int64(len(outlook)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		log.Fatal(err)
	}
	for ref := range m.References() {
		fmt.Println(ref.Dialect, ref.Provider, ref.Name, ref.Origins[0].Field)
	}
	// Output: document-reference onedrive plan.pdf Document-Reference
}
