// Package mime groups the syntax of mail: RFC 2045 to 2231 and RFC 5322.
// It may import codec.
package mime
