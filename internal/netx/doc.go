// Package netx groups the parts of network protocols that several fetchers share.
// It may import the standard library without net/http.
package netx
