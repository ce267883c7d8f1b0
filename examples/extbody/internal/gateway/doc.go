// Package gateway groups the parts of check and serve: inspection by policy, and the
// front ends for mail servers. It may import the library.
package gateway
