// Package cli groups the commands and their shared parts: flags, records, output, terminal, logins and exit statuses.
// It may import the library, mail and archive.
package cli
