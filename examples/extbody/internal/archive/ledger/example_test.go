package ledger_test

import (
	"fmt"
	"os"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Head{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, word := range []string{"one", "two"} {
		if _, err := l.Append(now, ledger.Entry{Kind: "word", Body: map[string]string{"word": word}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	head, torn, err := ledger.Read(dir, ledger.Place{}, ledger.Head{}, nil, func(l *ledger.Line) error {
		var body struct{ Word string }
		err := l.Body(&body)
		fmt.Println(l.Place, l.Kind, body.Word)
		return err
	})
	fmt.Println(head == l.Head(), head.Seq, torn, err)
	// Output:
	// 2026-11.jsonl:0 word one
	// 2026-11.jsonl:150 word two
	// true 2 0 <nil>
}
