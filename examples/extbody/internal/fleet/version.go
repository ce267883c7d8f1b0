package fleet

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// release is the version of the tables that Init of this program makes, a number. The linker sets
// it in the test of an upgrade, which has two programs.
var release = "4"

// version is release as a number. A program works on the tables of its own version and on the
// tables of the next: Init of the next program is the first step of an upgrade.
var version, _ = strconv.Atoi(release)

// served is the oldest version of programs that the tables of this version serve: the one before.
// Programs before version 4 work on tables of their own version alone.
var served = max(version-1, 4)

// An errVersion is the error of tables that do not serve this program.
type errVersion struct{ version, serves int }

func (v errVersion) Error() string {
	if v.version < version {
		return fmt.Sprintf(
			"the tables of the fleet have version %d, and this program needs %d: run its \"fleet init\" first", v.version, version,
		)
	}
	return fmt.Sprintf("the tables of the fleet have version %d and serve programs of version %d and later, and this program has %d: "+
		"it has to be replaced by a newer one", v.version, v.serves, version)
}

func isVersion(err error) bool {
	_, is := errors.AsType[errVersion](err)
	return is
}

// A rower is a connection, or a pool of them.
type rower interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// fits returns an error if the tables do not serve this program. It sets the clock.
func fits(ctx context.Context, db rower, c *clock) error {
	var v errVersion
	var now time.Time
	asked := time.Now()
	err := db.QueryRow(ctx, `SELECT version, serves, now() FROM fleet_tier`).Scan(&v.version, &v.serves, &now)
	if err == nil {
		c.set(asked, now)
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "42703" { // version 3 has no such column
		err = db.QueryRow(ctx, `SELECT version FROM fleet_tier`).Scan(&v.version)
	}
	if err == nil && (version > v.version || version < v.serves) {
		err = v
	}
	return err
}
