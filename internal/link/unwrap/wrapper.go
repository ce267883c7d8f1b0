package unwrap

import "github.com/go-extbody/extbody/internal/link/verbs"

// A wrapper is one form of wrapping and how to undo it. examples/list/SPEC.md has the meaning of
// its fields.
type wrapper struct {
	// name is the name in Result.Wrappers.
	name string

	// gateway is true if its maker checks the links of mail.
	gateway bool

	// hosts are the hosts that have the form. One that starts with a dot stands
	// for all hosts below it. Without hosts, any host may have it.
	hosts []string

	// paths are the paths that have the form. One that ends with "/" stands for
	// all paths that start with it. Without paths, any path may have it.
	paths []string

	take   []verbs.Def // pieces
	when   []verbs.Any // all of them hold
	unless []verbs.Any // none of them holds

	opaque bool      // the target is not in it
	clear  verbs.Any // the target is in it if that holds, or if it is nil

	// params are parameters. The first of them that is not empty is the target, percent-encoded. A "+"
	// stays as it is, since it cannot stand for a space: a URL contains none.
	params   []string
	target   verbs.Any // the target, if there are no params
	oneSlash bool      // the target may have lost a slash of its "//"
}
