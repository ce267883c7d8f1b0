// Package codec groups the codecs: octets to octets, without a meaning.
// It may import the standard library without net, and one SIMD library.
package codec
