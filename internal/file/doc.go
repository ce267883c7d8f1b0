// Package file groups files that appear whole or not at all, and what waits in them.
// It may import the standard library without net, and golang.org/x/sys.
package file
