package serve

import (
	"context"
	"log/slog"
	"time"

	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

// watchTime is the time between two looks at a part.
const watchTime = 10 * time.Second

// watchAgain is the time between two looks at a part that failed.
const watchAgain = time.Second

// watch looks at a part of the server until ctx ends, so that it counts as failed before mail needs
// it, and not any more as soon as it is back, also if it was mail that found it missing. It logs both.
func watch(ctx context.Context, engine *core.Engine, logger *slog.Logger, part string, check func(context.Context) error) {
	failed := false
	for {
		err := check(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if engine.Failed(part, err.Error()); !failed {
				logger.Error("the server does without something", "degraded", []string{part + ": " + core.Plain(err.Error())})
			}
		case engine.Works(part) || failed:
			logger.Info("a part works again", "was", part)
		}
		wait := watchTime
		failed = err != nil
		if failed {
			wait = watchAgain
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}
