//go:build !unix

package below

const noWait = 0
