// Package lazyregexp compiles regular expressions when they are first asked for. A program that filters mail is started
// for each message and needs few of them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression. It panics if expr is not an expression, as
// [regexp.MustCompile] does. Several goroutines may call it at once.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
