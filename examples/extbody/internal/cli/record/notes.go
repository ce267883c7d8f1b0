package record

import (
	"errors"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// accessDeleted is the access type of an attachment that its user has deleted.
const accessDeleted = "x-mutt-deleted"

// dateWord returns the word before the EXPIRATION of a reference of an access type.
func dateWord(accessType string) string {
	if accessType == accessDeleted {
		return "deleted " // it is when that was
	}
	return "until "
}

// refusal returns the rule that forbids to ask for a reference because of its parameters, unless a
// flag allows it: in few words, and the whole reason. The words are "" if there is none.
func refusal(ref *externalbody.Reference) (words, why string) {
	_, err := ref.Request()
	if cause := fetch.CauseOf(err); cause != 0 {
		words = "blocked: " + cause.String()
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok && e.Err != nil {
		why = e.Err.Error()
	}
	return words, why
}
