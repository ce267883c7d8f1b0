// Package testkit groups servers for tests.
// It may import anything, as only tests import it.
package testkit
