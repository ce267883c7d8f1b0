package mailbox_test

import (
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

func ExampleRead() {
	const box = "From a@example.com Thu Jan  1 00:00:00 1970\n" +
		"Subject: one\n\n>From here on, text.\n\n" +
		"From b@example.com Fri Jan  2 00:00:00 1970\n" +
		"Subject: two\n\n"
	for m, err := range mailbox.Read("-", strings.NewReader(box), int64(len(box))) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Index, m.Content.Start, m.Reader().Size())
	}
	// Output:
	// 0 44 35
	// 1 124 14
}
