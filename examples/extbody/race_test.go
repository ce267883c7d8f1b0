//go:build race

package main

// underRace reports whether the program runs under the race detector, which multiplies
// memory.
const underRace = true
