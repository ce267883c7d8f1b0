// Package house holds the rules of both modules as tests: imports between packages, the
// documentation of packages, and code that is forbidden in all of them.
//
// The tests read the sources themselves. So the go command knows which files a result
// depends on, and never reuses a stale one.
package house
