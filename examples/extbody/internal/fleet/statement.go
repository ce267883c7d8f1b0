package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// statements gives each statement the bound of statementTime, also where its context has none: a network
// that falls silent in the middle of a command ends it.
type statements struct{}

type cancelKey struct{}

// TraceQueryStart implements pgx.QueryTracer. The statement uses the context that it returns.
func (statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// unanswered returns err for a person who waited: where the bound of a statement ended it, and not ctx,
// it names the way out.
func unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return public(err)
	}
	return fmt.Errorf(
		"the database of the fleet did not answer within %v: see whether it is reached, and in "+
			"pg_stat_activity whether it waits for a lock; then run the command again: %w",
		statementTime, public(err),
	)
}
