//go:build !unix

package filefetch

// nonBlocking is for systems that have named pipes in the file system.
const nonBlocking = 0
