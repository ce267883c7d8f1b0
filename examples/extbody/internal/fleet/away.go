package fleet

import (
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/go-extbody/extbody/fetch"
)

// public returns err without the password that a connection string may have.
func public(err error) error {
	if parse, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		return &URLError{Database, errors.New("the URL of the database cannot be read: " + parse.Unwrap().Error())}
	}
	return err
}

// A URLError is the error of a URL of the tier that means nothing.
type URLError struct {
	Of  string // Database or Bucket
	Err error
}

func (e *URLError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *URLError) Unwrap() error { return e.Err }

// An Away is the cause of the error, of Kind Local, of a request that the tier cannot take at
// present. No host is to blame for it (OP-40).
type Away struct {
	Of  string // the part: database, bucket or fetcher
	Err error
}

// Error names the part and the reason.
func (e *Away) Error() string { return e.Part() + " is away: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *Away) Unwrap() error { return e.Err }

// Part names the part in words.
func (e *Away) Part() string { return "the " + e.Of + " of the fleet" }

// away returns the error of a request that the tier cannot take at present.
func away(part string, err error) error {
	return &fetch.Error{Op: "fetch", Kind: fetch.Local, Err: &Away{part, public(err)}, After: time.Now().Add(retryTime)}
}

var errUncounted = errors.New("the database of the fleet was away a moment ago")

// A SetupError is a fault of the tier that no waiting mends: a login or a right that is missing,
// tables that are missing or of another version, or a bucket that is not there.
type SetupError struct {
	Err    error
	bucket bool // it is one of the bucket, and otherwise of the database
}

func (e *SetupError) Error() string { return "the fleet cannot be used: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *SetupError) Unwrap() error { return e.Err }

// Part returns the part that has the fault: Database or Bucket.
func (e *SetupError) Part() string {
	if e.bucket {
		return Bucket
	}
	return Database
}

// The parts of a tier that a URL names.
const (
	Database = "database"
	Bucket   = "bucket"
)
