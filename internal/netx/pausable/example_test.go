package pausable_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/internal/netx/pausable"
)

func ExampleHold() {
	ctx, cancel := pausable.WithTimeout(context.Background(), time.Hour, context.DeadlineExceeded)
	defer cancel(nil)
	release := pausable.Hold(ctx)
	_, limited := ctx.Deadline() // somebody is asked now, who may take longer
	release()
	_, again := ctx.Deadline()
	fmt.Println(limited, again)
	// Output: false true
}
