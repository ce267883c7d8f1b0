package date_test

import (
	"fmt"
	"time"

	"github.com/go-extbody/extbody/internal/mime/date"
)

func ExampleParse() {
	for _, s := range []string{
		"Fri, 14 Jun 1991 19:13:14 -0400 (EDT)",
		"Sat, 20 June 02 12:00 GMT",
		"Sun Nov  6 08:49:37 1994",
		"never",
	} {
		t, forgiven, err := date.Parse(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(t.UTC().Format(time.RFC3339), forgiven)
	}
	// Output:
	// 1991-06-14T23:13:14Z false
	// 2002-06-20T12:00:00Z true
	// 1994-11-06T08:49:37Z true
	// date: not a date
}
