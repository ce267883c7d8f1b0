package externalbody

import "github.com/go-extbody/extbody/fetch"

// Request returns how Resolve asks for the body of ref. It is [Reference.Request] with
// the limits, the Credentials and the other settings of the Resolver, except its
// Fetcher, Budget and Observe. It contacts nobody, and does not ask Approve. If Resolve
// would fail because it does not know how to ask, Request returns that error.
func (r *Resolver) Request(ref *Reference) (*fetch.Request, error) {
	req, _, err := r.request(ref)
	return req, err
}
