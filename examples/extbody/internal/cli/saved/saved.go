// Package saved keeps track of the files in which a run saves bodies: their names,
// which of them have the same octets, and whether the disk has room for more.
package saved
