// Package file groups files that appear whole or not at all, and data that waits in files.
// It may import the standard library without net, and golang.org/x/sys.
package file
