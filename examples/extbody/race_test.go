//go:build race

package main

// underRace says that the program runs under the race detector, which multiplies memory.
const underRace = true
