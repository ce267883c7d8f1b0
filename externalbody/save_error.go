package externalbody

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// A saveError is the error of a Save for which several alternatives failed. The first
// of its errors says most about what to do. The others are in the order in which they
// were tried.
type saveError struct {
	errs   []error
	others []*Reference // those of errs[1:]
}

// maxOthers bounds how many errors besides the first are in the text of a saveError.
const maxOthers = 3

// newSaveError returns the error of a Save from its failures. An error that ended the
// Save comes first, then one that is Pending, then one that is transient, then the
// first.
func newSaveError(failures []Failure, ended bool) error {
	most := len(failures) - 1
	if !ended {
		most = mostUseful(failures)
	}
	if len(failures) == 1 {
		return failures[0].Err
	}
	e := &saveError{errs: []error{failures[most].Err}}
	for i, f := range failures {
		if i != most {
			e.errs = append(e.errs, f.Err)
			e.others = append(e.others, f.Reference)
		}
	}
	return e
}

func mostUseful(failures []Failure) int {
	transient := 0
	for i, f := range failures {
		switch kind := fetch.KindOf(f.Err); {
		case kind == fetch.Pending:
			return i
		case kind.Transient() && !fetch.KindOf(failures[transient].Err).Transient():
			transient = i
		}
	}
	return transient
}

// Error returns the text of the first error. For some of the others it adds the
// Reference and the Kind.
func (e *saveError) Error() string {
	var b strings.Builder
	b.WriteString(e.errs[0].Error())
	for i, err := range e.errs[1:] {
		separator := "; "
		if i == 0 {
			separator = " (other ways: "
		}
		b.WriteString(separator)
		if i == maxOthers {
			fmt.Fprintf(&b, "%d more", len(e.others)-maxOthers)
			break
		}
		b.WriteString(brief(e.others[i], err))
	}
	b.WriteByte(')')
	return b.String()
}

// brief says in a few words why an alternative failed.
func brief(ref *Reference, err error) string {
	if f, ok := errors.AsType[*fetch.Error](err); ok && f.URL != "" {
		return f.URL + ": " + f.Kind.Error()
	}
	return "part " + ref.ID + ": " + fetch.KindOf(err).Error()
}

// Unwrap returns all errors.
func (e *saveError) Unwrap() []error { return e.errs }

// Timeout reports whether the first error is a time-out.
func (e *saveError) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.errs[0])
	return ok && t.Timeout()
}
