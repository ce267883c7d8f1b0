//go:build !unix

package cache

// nonBlocking is for systems that have named pipes in the file system.
const nonBlocking = 0
