package list_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/list"
)

func ExampleRun() {
	const mail = "MIME-Version: 1.0\n" +
		"Content-Type: message/external-body; access-type=url; url=\"http://a.example/report.txt\"\n\n" +
		"Content-Type: text/plain\n\n"
	run := &list.Run{In: strings.NewReader(mail), Out: os.Stdout, Err: os.Stdout, Flags: new(list.Flags)}
	if err := run.Do(context.Background(), nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// - message 0
	//   1  url  text/plain  -  http://a.example/report.txt  (no-content-id)
	// extbody: 1 reference in 1 message
}
