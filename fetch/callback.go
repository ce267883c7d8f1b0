package fetch

import "errors"

// Refusal returns the error of a callback, such as [Request].CheckHop or
// [Request].Credentials, as an [*Error]: of the Kind that it has, or of kind if it has
// none. Fetchers return it.
func Refusal(kind Kind, err error) *Error {
	if k := ownKind(err); k != 0 {
		kind = k
	}
	return &Error{Kind: kind, Err: err}
}

// ownKind returns the Kind of the first [*Error] or Kind in the tree of err, 0 if there
// is neither.
func ownKind(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	k, _ := errors.AsType[Kind](err)
	return k
}
