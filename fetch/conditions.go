package fetch

// Conditions make a request depend on a copy of the object, or a part of it, that the
// caller has. There are two uses.
//
// With Offset 0 it asks whether the object has changed (RFC 9110 section 13):
// the Response is NotModified, without octets, if the object is still the one
// that ETag or LastModified stand for.
//
// With an Offset it asks for the octets from there on (RFC 9110 section 14, RFC
// 959 section 4.1.3), of the same object only. The Body begins at
// [Response].Offset: there, or at 0 if the object is another one or the server knows
// no ranges. A range of another object, or another range than the one asked
// for, is an error of Kind Protocol, and so is a range without a strong validator of the
// object.
//
// A Fetcher that can do neither ignores them. All validators are as a Response
// had them.
type Conditions struct {
	// URL is the URL of the answer that had the validators, after its redirects; ""
	// if it is not known. Validators hold for one URL (RFC 9110 section 8.8), so that a
	// Fetcher that is redirected to another one asks there without conditions.
	URL string

	// ETag is the entity tag. For a range it has to be a strong one.
	ETag string

	// LastModified is the time of the last change, in the form of the field
	// Last-Modified.
	LastModified string

	// Offset is where the octets asked for begin; 0 asks for no range.
	Offset int64

	// Size is the number of octets of the whole object, for a range of it; 0
	// or less if it is not known. It is compared with the server's, if that gives one,
	// and has to be known for ftp.
	Size int64

	// Session is state, such as cookies, that a Fetcher puts into [Response].Resume for
	// itself. Others leave it as it is.
	Session any
}
