// Package imap groups the parts of IMAP that every client here shares.
// It may import codec and netx.
package imap
