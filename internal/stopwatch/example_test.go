package stopwatch_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/internal/stopwatch"
)

func ExampleHold() {
	ctx, cancel := stopwatch.WithTimeout(context.Background(), time.Hour, context.DeadlineExceeded)
	defer cancel(nil)
	release := stopwatch.Hold(ctx)
	_, limited := ctx.Deadline() // somebody is asked now, who may take longer
	release()
	_, again := ctx.Deadline()
	fmt.Println(limited, again)
	// Output: false true
}
