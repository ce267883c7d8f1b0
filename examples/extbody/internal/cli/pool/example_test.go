package pool_test

import (
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
)

func ExampleInOrder() {
	type task struct {
		word   string
		length int
	}
	tasks := []*task{{word: "each"}, {word: "in"}, {word: "its"}, {word: "turn"}}
	pool.InOrder(2, slices.Values(tasks), func(t *task) {
		t.length = len(t.word)
	}, func(t *task) {
		fmt.Println(t.word, t.length)
	}, func() {})
	// Output:
	// each 4
	// in 2
	// its 3
	// turn 4
}
