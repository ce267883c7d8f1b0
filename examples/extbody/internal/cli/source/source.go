// Package source finds and reads the messages that PATHs stand for, in files and in
// mailboxes of IMAP servers.
package source
