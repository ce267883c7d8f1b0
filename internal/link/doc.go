// Package link groups the rules of URLs: their parts, their hosts, and which of them lead to files.
// It may import codec and mime.
package link
