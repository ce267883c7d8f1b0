// Package only has the argument of methods that are exported for packages of this module alone, which
// others cannot call since they cannot name its type.
package only

// A Driver is the argument of the methods of package fetch that package driver has functions for.
type Driver struct{}
