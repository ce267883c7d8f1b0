package sharelink

import "github.com/go-extbody/extbody/internal/link/verbs"

// A rule is one shape of URL of one provider. examples/list/SPEC.md has the meaning of its fields.
type rule struct {
	provider string

	// hosts are the hosts of the rule. One that starts with a dot stands for all
	// hosts below it. A rule without hosts is for any host.
	hosts []string

	// port is the port of the hosts, or 0 for the default of the scheme. A rule without
	// hosts is for any port.
	port uint16

	// paths are patterns; the path must match one of them. See [shape.match].
	paths []string

	// param is the parameter of the query whose value is the ID. A URL without
	// it, or where it is empty, does not match. param is "" for a rule whose ID is
	// in the path and for one without an ID.
	param string

	// mark is the hint of a rule instead of its hosts, which are too common or unknown. A
	// URL must contain it as written.
	mark string

	// cases are the forms that a URL of this shape has. The first that matches counts.
	cases []form
}

// A program is software that anybody can run on any host.
type program struct {
	kinds []string // its names for callers
	rules []rule   // without hosts
}

// A form has the conditions and facts of a link.
type form struct {
	take    []verbs.Def // pieces
	when    []verbs.Any // all of them hold
	unless  []verbs.Any // none of them holds
	ownID   bool        // take has the ID; without it the URL is no link
	token   *verbs.Pattern
	min     int
	random  bool
	partial bool // the ID is that of something else

	kind  Kind
	kinds []kindIf // instead of kind

	direct, ask, find verbs.Any
	needs             Need

	once, cookies, endToEnd, rendition bool

	more *facts // nil if there are none
}

// A kindIf is the kind of a link if a condition holds.
type kindIf struct {
	kind Kind
	when verbs.Any
}

// facts are those that few forms have.
type facts struct {
	whole                             verbs.Any // the key is not cut
	fallback, size, expires, expireMS verbs.Any
	mediaType, fallbackType           string
}
