// Package house holds the rules of the module as tests: which package may import
// which, what every package has, and what none may have.
//
// Its tests read the sources themselves. So the go command knows what a result depends
// on, and never serves a stale one.
package house
