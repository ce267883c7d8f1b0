// Package source has the messages that PATHs stand for, those of files and those of
// mailboxes of IMAP servers, and how they are read.
package source
