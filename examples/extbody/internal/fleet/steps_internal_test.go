//go:build linux

package fleet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// A thing is a table, a column, a right and the like that a program may use.
type thing struct {
	Key, Value string
	Table      string // that it belongs to, or ""
	Adds       bool   // a table that is there may get it, and programs that do not know it go on
}

const things = `
WITH tables AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'),
	columns AS (SELECT relname, a.* FROM pg_attribute a JOIN tables t ON t.oid = attrelid WHERE attnum > 0 AND NOT attisdropped),
	functions AS (SELECT * FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
	logins AS (SELECT * FROM pg_roles WHERE rolname IN ('fleet_client', 'fleet_worker', 'fleet_reader'))
SELECT 'table ' || relname AS key, relrowsecurity::text AS value, relname::text AS table, true AS adds FROM tables
UNION ALL SELECT 'column ' || relname || '.' || attname, format_type(atttypid, atttypmod) || ' ' || concat(attnotnull, attidentity), relname,
	NOT attnotnull OR atthasdef OR attidentity <> '' FROM columns
UNION ALL SELECT 'default ' || relname || '.' || attname, pg_get_expr(adbin, adrelid), relname, true
	FROM pg_attrdef JOIN columns ON attrelid = adrelid AND attnum = adnum
UNION ALL SELECT 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid), relname, NOT indisunique FROM pg_index JOIN tables t ON t.oid = indrelid
UNION ALL SELECT 'constraint ' || conname || ' of ' || relname, pg_get_constraintdef(c.oid), relname, false
	FROM pg_constraint c JOIN tables t ON t.oid = conrelid WHERE contype <> 'n'
UNION ALL SELECT 'trigger ' || tgname || ' of ' || relname, pg_get_triggerdef(g.oid), relname, false FROM pg_trigger g JOIN tables t ON t.oid = tgrelid
UNION ALL SELECT 'policy ' || policyname || ' of ' || tablename, concat(permissive, roles, cmd, qual, with_check), tablename, false FROM pg_policies
UNION ALL SELECT 'function ' || oid::regprocedure, pg_get_function_result(oid) || prosecdef, '', true FROM functions
UNION ALL SELECT p || ' of ' || relname || '.' || attname || ' by ' || rolname, '', relname, true
	FROM columns, logins, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) p WHERE has_column_privilege(logins.oid, attrelid, attnum, p)
UNION ALL SELECT 'DELETE of ' || relname || ' by ' || rolname, '', relname, true FROM tables, logins WHERE has_table_privilege(logins.oid, tables.oid, 'DELETE')
UNION ALL SELECT 'EXECUTE of ' || f.oid::regprocedure || ' by ' || rolname, '', '', true FROM functions f, logins WHERE has_function_privilege(logins.oid, f.oid, 'EXECUTE')`

// thingsOf returns the things by their keys.
func thingsOf(t *testing.T, db pgx.Tx) map[string]thing {
	t.Helper()
	rows, _ := db.Query(t.Context(), things)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[thing])
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]thing)
	for _, it := range list {
		all[it.Key] = it
	}
	return all
}

// broken returns the things by which a step may break a program that does not know it: those that are gone or
// have changed, and new ones of a table that refuse rows which the program writes.
func broken(before, after map[string]thing) (keys []string) {
	for key, it := range before {
		if now, ok := after[key]; !ok || now.Value != it.Value {
			keys = append(keys, key)
		}
	}
	for key, it := range after {
		_, known := before[key]
		_, old := before["table "+it.Table]
		if !known && old && !it.Adds {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestSteps takes the steps of the tables one after the other. From the first version on that serves the programs of
// the version before, a step only adds, so that these programs go on. Steps that do more are found.
func TestSteps(t *testing.T) {
	t.Parallel()
	steps := strings.Split(schema, "\n-- Version ")
	if len(steps) != version {
		t.Errorf("got %d steps for the version %d, want one for each", len(steps), version)
	}
	db, err := pgx.Connect(t.Context(), daemons.StartPostgres(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.WithoutCancel(t.Context()))
	const first = 4 // programs before that are not served by later tables
	// take takes a step in tx as Init does.
	take := func(tx pgx.Tx, step string) {
		t.Helper()
		for _, statements := range []string{"-- " + step, roles} {
			if _, err := tx.Exec(t.Context(), statements); err != nil {
				t.Fatalf("%v: %s", err, step)
			}
		}
	}
	errUndo := errors.New("undo")
	in := func(f func(tx pgx.Tx) error) {
		t.Helper()
		if err := pgx.BeginFunc(t.Context(), db, f); err != nil && err != errUndo {
			t.Fatal(err)
		}
	}
	var present map[string]thing
	in(func(tx pgx.Tx) error {
		take(tx, strings.Join(steps[:first], "\n-- "))
		present = thingsOf(t, tx)
		return nil
	})
	if len(present) < 200 {
		t.Fatalf("got %d things, want at least 200: %q", len(present), slices.Sorted(maps.Keys(present)))
	}
	for i, step := range steps[first:] {
		in(func(tx pgx.Tx) error {
			take(tx, step)
			after := thingsOf(t, tx)
			if keys := broken(present, after); len(keys) > 0 {
				t.Errorf("version %d: got steps that may break programs of version %d by %q, want steps that only add", first+i+1, first+i, keys)
			}
			present = after
			return nil
		})
	}
	for _, test := range []struct{ step, want string }{
		{`ALTER TABLE fleet_jobs ADD later text`, ""},
		{`ALTER TABLE fleet_jobs ADD later text NOT NULL DEFAULT ''`, ""},
		{`CREATE TABLE fleet_later (id integer PRIMARY KEY, name text NOT NULL UNIQUE)`, ""},
		{`CREATE INDEX fleet_later ON fleet_jobs (created); CREATE FUNCTION fleet_later() RETURNS integer RETURN 1`, ""},
		{`GRANT SELECT (created) ON fleet_jobs TO fleet_client`, ""},
		{`ALTER TABLE fleet_jobs ADD later text NOT NULL`, "column fleet_jobs.later"},
		{`ALTER TABLE fleet_jobs DROP tries`, "column fleet_jobs.tries"},
		{`ALTER TABLE fleet_jobs RENAME tries TO times`, "column fleet_jobs.tries"},
		{`ALTER TABLE fleet_jobs ALTER tries TYPE bigint`, "column fleet_jobs.tries"},
		{`ALTER TABLE fleet_jobs ALTER tries DROP DEFAULT`, "default fleet_jobs.tries"},
		{`ALTER TABLE fleet_jobs ALTER worker SET NOT NULL`, "column fleet_jobs.worker"},
		{`ALTER TABLE fleet_jobs ADD CHECK (tries < 2)`, "constraint fleet_jobs_tries_check of fleet_jobs"},
		{`ALTER TABLE fleet_entries DROP CONSTRAINT fleet_entries_pkey`, "constraint fleet_entries_pkey of fleet_entries"},
		{`CREATE UNIQUE INDEX fleet_later ON fleet_scans (sha256)`, "index fleet_later"},
		{`DROP INDEX fleet_jobs_open`, "index fleet_jobs_open"},
		{`DROP FUNCTION fleet_served; CREATE FUNCTION fleet_served() RETURNS integer RETURN 1`, "function fleet_served()"},
		{`ALTER TABLE fleet_workers RENAME running TO busy`, "column fleet_workers.running"},
		{`REVOKE fleet_client FROM CURRENT_USER; REASSIGN OWNED BY fleet_client TO CURRENT_USER; DROP OWNED BY fleet_client`, ""}, // roles.sql gives it all again
		{`CREATE POLICY later ON fleet_jobs AS RESTRICTIVE USING (tries < 2)`, "policy later of fleet_jobs"},
	} {
		in(func(tx pgx.Tx) error {
			take(tx, "\n"+test.step)
			if keys := broken(present, thingsOf(t, tx)); (len(keys) > 0) != (test.want != "") || test.want != "" && !slices.Contains(keys, test.want) {
				t.Errorf("%s: got %q, want %q", test.step, keys, test.want)
			}
			return errUndo
		})
	}
	// A right that roles.sql takes away.
	in(func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `REVOKE UPDATE (handed) ON fleet_jobs FROM fleet_client; REVOKE EXECUTE ON FUNCTION fleet_secret FROM fleet_reader`); err != nil {
			return err
		}
		want := []string{"EXECUTE of fleet_secret(text) by fleet_reader", "UPDATE of fleet_jobs.handed by fleet_client"}
		if keys := broken(present, thingsOf(t, tx)); !slices.Equal(keys, want) {
			t.Errorf("got %q for rights that were taken away, want %q", keys, want)
		}
		return errUndo
	})
}
