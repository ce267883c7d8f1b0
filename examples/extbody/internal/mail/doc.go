// Package mail groups the places that messages come from: mbox, MMDF and Maildir files,
// and IMAP and JMAP servers. It may import the standard library without net/http, go-imap, and
// internal packages. jmapsession alone speaks HTTP.
package mail
