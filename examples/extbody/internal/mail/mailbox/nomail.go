package mailbox

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// noMail are the names of files and folders that hold no mail, by the program that makes them. In a name, "*"
// stands for any octets. The names of beside count beside cur or new alone, since elsewhere a mailbox can
// have them.
var noMail = []struct {
	program string
	files   []string
	folders []string
	beside  []string
}{
	{program: "Dovecot", files: []string{
		"dovecot-uidlist", "dovecot-uidlist.lock", "dovecot-uidlist.tmp", "dovecot-uidvalidity", "dovecot-uidvalidity.*",
		"dovecot-keywords", "dovecot-keywords.lock", "dovecot-acl", "dovecot-acl-list", "dovecot-attributes", "dovecot-attributes.lock",
		"dovecot.index", "dovecot.index.*", "dovecot.list.index", "dovecot.list.index.*", "dovecot.map.index", "dovecot.map.index.*",
		"dovecot.mailbox.log", "dovecot.mailbox.log.*", ".dovecot.sieve", ".dovecot.svbin", ".dovecot.lda-dupes", ".subscriptions",
		"maildirfolder", "maildirsize",
	}, folders: []string{".imap", "xapian-indexes", "lucene-indexes", "fts-flatcurve"}, beside: []string{"subscriptions", "dovecot-virtual"}},
	{program: "Courier", files: []string{
		"courierimapsubscribed", "courierimapuiddb", "courierimapuiddb.lock", "courierimapacl", "courierimaphieracl", "courierpop3dsizelist",
	}, folders: []string{"courierimapkeywords", "courierimaphieracl"}, beside: []string{"shared-maildirs", "shared-folders", "shared-timestamp"}},
	{program: "Cyrus", files: []string{
		"cyrus.header", "cyrus.index", "cyrus.cache", "cyrus.squat", "cyrus.seen", "cyrus.annotations", "cyrus.expunge", "cyrus.dav",
	}},
	{program: "mu", files: []string{".noindex", ".noupdate"}, folders: []string{".mu"}},
	{program: "notmuch", files: []string{".notmuch-config"}, folders: []string{".notmuch"}},
	{program: "mbsync", files: []string{".mbsyncstate*", ".uidvalidity", ".isyncuidmap.db", ".mbsyncrc"}, folders: []string{".mbsync"}},
	{program: "offlineimap", files: []string{".offlineimaprc", ".offlineimap.lock"}, folders: []string{".offlineimap"}},
	{program: "Thunderbird", files: []string{
		"*.msf", "msgFilterRules.dat", "filterlog.html", "popstate.dat", "popstate-*.dat", "panacea.dat", "folderCache.json", "folderTree.json",
		"virtualFolders.dat", "global-messages-db.sqlite", "global-messages-db.sqlite-*", "feeds.json", "feeds.rdf", "feeditems.json", "feeditems.rdf",
	}, folders: []string{"*.mozmsgs"}},
	{program: "Evolution", files: []string{
		"*.cmeta", "*.ev-summary", "*.ev-summary-meta", "*.ibex.index", "*.ibex.index.data", "folders.db", "folders.db-*", "..maildir++",
	}},
	{program: "MH", files: []string{".mh_sequences", ".mh_sequences.lock", ".xmhcache"}},
	{program: "Claws Mail and Sylpheed", files: []string{
		".claws_cache", ".claws_mark", ".claws_tags", ".sylpheed_cache", ".sylpheed_mark", ".sylpheed_msg_cache",
	}},
	{program: "version control", files: []string{
		".git", ".gitignore", ".gitattributes", ".gitkeep", ".gitmodules", ".hgignore", ".hgtags", ".keep",
	},
		folders: []string{".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "CVS", "_darcs"}},
	{program: "systems", files: []string{".DS_Store", "._*", ".nfs*", ".directory", "Thumbs.db", "desktop.ini"},
		folders: []string{"lost+found", "__MACOSX", ".Trashes", ".fseventsd", ".Spotlight-V100", ".stfolder"}},
	{program: "extbody", files: []string{"*" + BackupSuffix, newPrefix + "*", atomicfile.Prefix + "*"}, folders: []string{atomicfile.Prefix + "*"}},
}

// isNoMail reports whether a file, or a folder, holds no mail by its name. beside reports that it is beside
// the folder cur or new.
func isNoMail(name string, isFolder, beside bool) bool {
	for i := range noMail {
		row := &noMail[i]
		names := row.files
		if isFolder {
			names = row.folders
		}
		if fitsAny(names, name) {
			return true
		}
		if beside && !isFolder && slices.Contains(row.beside, name) {
			return true
		}
	}
	return false
}

func fitsAny(patterns []string, name string) bool {
	for _, p := range patterns {
		before, after, wild := strings.Cut(p, "*")
		if !wild && p == name {
			return true
		}
		rest, ok := strings.CutPrefix(name, before)
		if wild && ok && strings.HasSuffix(rest, after) {
			return true
		}
	}
	return false
}
