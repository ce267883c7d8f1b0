// Package peers tests the library with clients and servers of other projects. The
// tests are here so that a user of the library needs no checksums of these modules.
package peers
