package exit_test

import (
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

func Example() {
	err := fmt.Errorf("inline: %w", exit.With(exit.Again, errors.New("the disk is full")))
	fmt.Println(err, exit.Is(err, exit.Again), exit.Is(err, exit.Usage))
	// Output: inline: the disk is full true false
}
