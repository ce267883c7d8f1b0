// Command extbody finds the references in mail to files elsewhere, gets the files safely,
// and saves those that it could verify.
//
//	extbody list [--json] [PATH...]            list references
//	extbody open [PATH] [REF...]               ask, get, save by name, and show; for mail programs
//	extbody get [-o DIR] [--json] [PATH...]    resolve and save
//	extbody inline [-o FILE] [PATH]            put bodies in; a filter without PATH
//	extbody externalize --store DIR --base-url URL --min-size N [-o FILE] [PATH]
//	extbody normalize [-o FILE] [PATH]         add standard parts for other forms
//	extbody new --url URL --type TYPE          write a part
//	extbody url encode|decode [VALUE]          the URL parameter of RFC 2017
//	extbody data encode|decode [VALUE]         data: URLs
//	extbody archive sync|status|due|retry|verify|...   keep the files of references, with proof
//	extbody check [--policy FILE] [PATH]       one message, and a verdict
//	extbody serve --http ADDR ...              the same for mail servers
//	extbody config                             the settings, and from where each is
//	extbody demo                               all of it, on this machine alone
//
// A PATH is a message, an mbox or MMDF file, a Maildir, a folder of any of
// these, or "-" for standard input, which is also read without a PATH. For list and get
// it may be a mailbox of an IMAP server, imaps://user@host/Mailbox, or all its mailboxes,
// imaps://user@host/, or an account of a JMAP server, jmap://user@host/.
//
// OUTPUT.md has the exit statuses and the keys of JSON. FILTER.md is about inline and
// externalize in the delivery of mail, SERVE.md about serve.
package main

import (
	"embed"
	"io"
	"log"
	"os"
	"runtime/debug"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli"
)

// documents are those that the command help prints.
//
//go:embed *.md
var documents embed.FS

func main() {
	debug.SetGCPercent(garbage())
	// Package net/http logs octets that a server sends unasked.
	log.SetOutput(io.Discard)
	os.Exit(cli.Main(documents))
}

// garbage returns how much garbage, in percent of the heap that lives, a command makes
// before it is collected. Few objects live while a mailbox is read, so that much garbage
// costs some megabytes and saves a quarter of the time. A run that fetches, or keeps an
// archive, has more of them.
func garbage() int {
	switch strings.Join(os.Args[1:min(2, len(os.Args))], "") {
	case "get", "fetcher", "archive":
		return 150
	}
	return 400
}
