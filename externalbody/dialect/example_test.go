package dialect_test

import (
	"context"
	"fmt"
	"io"
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

func ExampleNormalize() {
	m, err := externalbody.Open(strings.NewReader(outlook), int64(len(outlook)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		log.Fatal(err)
	}
	report, err := dialect.Normalize(context.Background(), io.Discard, m, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(report.Added), "part added for", report.Added[0].Name)
	// Output: 1 part added for plan.pdf
}
