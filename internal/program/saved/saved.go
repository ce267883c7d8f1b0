// Package saved has what a run knows of the files that it saves bodies in: their names,
// which of them have the same octets, and whether the disk has room for more.
package saved
