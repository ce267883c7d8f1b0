package source_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
)

func ExampleMessages() {
	const mail = "MIME-Version: 1.0\n" +
		"Content-Type: message/external-body; access-type=url; url=\"https://files.example/a.png\"\n\n" +
		"Content-Type: image/png\n\n"
	files := &source.Files{In: strings.NewReader(mail)}
	defer files.Close()
	for m, err := range source.Messages(context.Background(), record.Paths(nil), files, new(source.Servers)) {
		if err == nil {
			err = m.Read(new(source.Reading))
		}
		fmt.Println(m.Title(), err)
		for _, ref := range m.Refs {
			fmt.Println(ref.Locate())
		}
		m.Close()
	}
	// Output:
	// - message 0 <nil>
	// https://files.example/a.png <nil>
}
