package externalbody

import "github.com/go-extbody/extbody/fetch"

// Request returns how Resolve asks for the body of ref: [Reference.Request] with the
// settings of the Resolver, its limits and its Credentials, but for its Fetcher,
// Budget and Observe. It contacts nobody, and does not ask Approve. The error is that
// with which Resolve would fail because it does not know how to ask.
func (r *Resolver) Request(ref *Reference) (*fetch.Request, error) {
	req, _, err := r.request(ref)
	return req, err
}
