package pool_test

import (
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
)

func ExampleRun() {
	type task struct {
		word   string
		length int
	}
	tasks := []*task{{word: "each"}, {word: "in"}, {word: "its"}, {word: "turn"}}
	pool.Run(pool.Options{Workers: 2, Ordered: true}, pool.Each(slices.Values(tasks)), func(t *task) {
		t.length = len(t.word)
	}, func(t *task) {
		fmt.Println(t.word, t.length)
	})
	// Output:
	// each 4
	// in 2
	// its 3
	// turn 4
}
