package house

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// A role is a group of packages that may import the same things, tests apart. The
// table is a statement of the architecture: a new import is a decision, not a fix for
// a failing test.
type role struct {
	dirs  string // the packages, separated by blanks; one that ends in "/..." stands for all below it as well
	deny  string // packages of the standard library, likewise; net/netip, which is arithmetic, is always allowed
	allow string // packages besides the standard library, ours without the module's path
}

// roles are in the order of the layers: a role may import only roles before it, and
// packages of its own.
var roles = []role{
	// The base of the library.
	{"internal/codec/...", "net/...", "github.com/segmentio/asm/... golang.org/x/text/..."},
	{"internal/netx/...", "net/http/...", "internal/codec/ascii internal/codec/percent"},
	{"internal/file/...", "net/...", "golang.org/x/sys/unix golang.org/x/sys/windows"},
	{"internal/recent", "net/...", ""},
	{"internal/wording", "net/...", "golang.org/x/text/width"},
	{"dataurl", "net/...", "internal/codec/..."},
	{"internal/mime/...", "net/...", "internal/codec/..."},
	{"internal/link/...", "net/http/...", "internal/codec/... internal/mime/... golang.org/x/net/idna"},
	{"urlaccess urlaccess/form", "net/...", "internal/codec/... internal/link"},
	{"internal/mailtext/...", "net/http/...", "internal/codec/... internal/mime/... internal/link/... golang.org/x/net/html golang.org/x/text/..."},
	{"internal/imap/...", "net/http/...", "internal/codec/... internal/netx/..."},

	// Fetching.
	{"fetch/record", "net/http/...", ""},
	{"fetch", "net/http/...", "fetch/record urlaccess dataurl internal/codec/... internal/file/diskfull internal/link/... internal/netx/..."},
	{"fetch/driver", "net/http/...", "fetch fetch/record internal/netx/..."},
	{"fetch/netguard", "net/http/...", "fetch fetch/record internal/link/host internal/netx/... code.dny.dev/ssrf"},
	{"fetch/throttle", "net/http/...", "fetch fetch/driver internal/link internal/link/host internal/netx/... golang.org/x/net/publicsuffix"},
	{"fetch/cache", "net/http/... crypto/tls", "fetch fetch/driver internal/file/filelock internal/file/filestate internal/link internal/netx/... internal/recent"},
	{"fetch/fetchtest", "net/http/...", "fetch fetch/driver fetch/netguard go.uber.org/goleak"},
	{"fetch/httpfetch", "", "fetch fetch/record fetch/driver fetch/netguard internal/codec/ascii internal/codec/lazyregexp internal/codec/percent internal/link/host internal/netx/... golang.org/x/net/proxy golang.org/x/net/publicsuffix"},
	{"fetch/ftpfetch", "net/http/...", "fetch fetch/driver fetch/netguard internal/link/host internal/netx/..."},
	{"fetch/tftpfetch", "net/http/...", "fetch fetch/driver fetch/netguard internal/link/host internal/netx/..."},
	{"fetch/imapfetch", "net/http/...", "fetch fetch/driver fetch/netguard internal/codec/lazyregexp internal/link/host internal/link/rfc5092 internal/imap/... internal/mime/... internal/netx/..."},
	{"fetch/mailfetch", "net/http/...", "fetch fetch/driver internal/codec/... internal/link/host"},
	{"fetch/filefetch", "net/http/...", "fetch fetch/driver internal/codec/ascii"},
	{"fetch/datafetch", "net/...", "fetch fetch/driver dataurl"},
	{"fetch/sharefetch", "net/http/...", "fetch fetch/driver internal/codec/progress internal/link/..."},
	{"fetch/accountfetch", "net/http/...", "fetch fetch/driver fetch/record internal/codec/bounded internal/codec/lazyregexp internal/link/..."},
	{"fetch/safefetch", "", "fetch fetch/cache fetch/datafetch fetch/ftpfetch fetch/httpfetch fetch/netguard fetch/sharefetch fetch/throttle internal/link/... golang.org/x/net/publicsuffix"},

	// Reading, resolving and rewriting mail.
	{"externalbody", "net/http/... crypto/tls", "fetch fetch/record urlaccess internal/codec/... internal/file/... internal/link/... internal/mailtext/... internal/mime/... internal/netx/... internal/wording github.com/emersion/go-message"},
	// It reads documents within documents itself.
	{"externalbody/internal/loads", "net/http/...", "externalbody dataurl urlaccess internal/codec/ascii internal/codec/charset internal/link/weburl internal/mailtext internal/mime/..."},
	{"externalbody/dialect", "net/http/...", "externalbody externalbody/internal/loads fetch urlaccess internal/codec/... internal/link/... internal/mime/..."},
	{"externalbody/rewrite", "net/http/... crypto/tls", "externalbody externalbody/internal/loads fetch urlaccess internal/codec/... internal/file/... internal/link internal/link/redact internal/link/rfc5092 internal/mime/... internal/netx/only internal/netx/rethrow"},
	{"externalbody/imapbody", "net/http/... crypto/tls", "externalbody fetch internal/mailtext/... internal/mime/... github.com/emersion/go-imap/v2"},
	// It answers HTTP requests, which nothing else of the library does.
	{"externalbody/webbody", "crypto/tls", "externalbody fetch"},

	// The list of linked files: a program that makes the tables of packages below internal/link, which
	// know nothing of it. Its tests hold all readers of the list against each other.
	{"examples/list", "net/http/...", "internal/link/..."},

	// Tests of any package.
	{"internal/house/...", "", ""},
	{"internal/testkit/...", "", "internal/codec/filehash"},

	// A program for webmails, with nothing that a webmail would not link.
	{"examples/webview", "", "externalbody externalbody/dialect externalbody/webbody fetch fetch/netguard fetch/safefetch"},

	// An extension in another language, and the program that makes one file of it.
	{"examples/thunderbird", "net/...", ""},

	// A reader of mail on go-imap v1, which nothing else links.
	{"examples/partviewer", "", "externalbody externalbody/dialect externalbody/imapbody fetch/safefetch github.com/emersion/go-imap github.com/emersion/go-imap/client"},

	// The program extbody. Its testkit has peers of the library, which pull modules.
	{program + "testkit/...", "", library + " fetch/..."},
	// The files that users write.
	{program + "tomltext", "net/...", "github.com/pelletier/go-toml/v2 github.com/pelletier/go-toml/v2/unstable"},
	{program + "cli/exit " + program + "cli/show " + program + "cli/pool", "net/http/...", "internal/codec/lazyregexp internal/wording"},
	{program + "cli/flagvalue", "net/http/...", "internal/link/host internal/mime/... github.com/spf13/pflag"},
	// JMAP is spoken over HTTP. Its errors have Kinds, as all requests have.
	{program + "mail/jmapsession", "", "fetch internal/codec/ascii internal/codec/bounded internal/codec/percent internal/mime/message internal/netx/..."},
	{program + "mail/...", "net/http/...", program + "mail/serverurl internal/codec/... internal/file/... internal/imap/... internal/link/host internal/link/rfc5092 internal/mime/message internal/mime/param internal/wording github.com/emersion/go-imap/v2 github.com/klauspost/compress/zstd golang.org/x/sys/unix"},
	// Bodies kept elsewhere: package fleet and package archive use it.
	{program + "store", "", "internal/file/... internal/netx/lastoctet github.com/minio/minio-go/v7/..."},
	// The ledger and the WARC files are formats. They know nothing of mail.
	{program + "archive/ledger " + program + "archive/warc", "net/...", "internal/codec/bounded internal/file/... internal/wording"},
	// The index of texts is a database of SQLite. It knows neither mail nor archives.
	{program + "archive/textindex", "net/http/...", "modernc.org/sqlite modernc.org/sqlite/vfs"},
	// The exchanges of an archive are WARC files. They know nothing of mail either.
	{program + "archive/exchange", "", "fetch internal/codec/bounded internal/file/... internal/link/interstitial internal/wording " + program + "archive/warc " + program + "store"},
	// Package archive speaks HTTP itself with the time-stamp authority that the user names.
	{program + "archive", "", library + " internal/mailtext " + program + "archive/... " + program + "mail/... " + program + "store github.com/digitorus/timestamp golang.org/x/text/cases golang.org/x/text/unicode/norm"},
	// The pages of an archive show bodies by webbody, as webview does.
	{program + "archive/browse", "", library + " externalbody/webbody " + program + "archive " + program + "store"},
	{program + "gateway/...", "", library + " " + program + "tomltext golang.org/x/text/unicode/norm golang.org/x/net/publicsuffix github.com/emersion/go-milter github.com/pelletier/go-toml/v2/unstable github.com/prometheus/client_golang/prometheus"},
	{program + "fleet", "net/http/...", "fetch fetch/driver fetch/cache fetch/safefetch internal/codec/bounded internal/netx/rfc9111 fetch/throttle internal/file/... internal/link " + program + "store github.com/jackc/pgx/v5/..."},
	// Parts that commands share.
	{
		program + "cli/bodystore " + program + "cli/login " + program + "cli/output " + program + "cli/policy " + program + "cli/record " +
			program + "cli/rewriting " + program + "cli/source " + program + "cli/terminal",
		"net/http/...", library + " fetch/accountfetch fetch/safefetch fetch/filefetch fetch/imapfetch fetch/mailfetch fetch/tftpfetch " + program + "mail/... " + program + "archive " + program + "fleet " + program + "cli/... github.com/emersion/go-imap/v2 github.com/spf13/cobra github.com/spf13/pflag github.com/vbauerster/mpb/v8/... golang.org/x/term golang.org/x/sys/unix golang.org/x/sys/windows",
	},
	// The settings of a user, which the commands get.
	{program + "cli/settings", "net/http/...", "internal/file/... " + program + "tomltext " + program + "cli/exit " + program + "cli/login " + program + "cli/flagvalue " + program + "cli/show github.com/pelletier/go-toml/v2/unstable github.com/spf13/cobra github.com/spf13/pflag"},
	// The commands and the root command.
	{program + "cli/mcp", "", library + " " + program + "... github.com/spf13/cobra github.com/modelcontextprotocol/go-sdk/jsonrpc github.com/modelcontextprotocol/go-sdk/mcp"},
	{program + "cli/...", "", library + " dataurl fetch/safefetch internal/mailtext " + program + "... github.com/prometheus/client_golang/prometheus/... github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys/unix golang.org/x/sys/windows golang.org/x/sys/windows/registry"},
	{"examples/extbody", "", library + " dataurl fetch/safefetch " + program + "... github.com/prometheus/client_golang/prometheus/... github.com/spf13/cobra github.com/spf13/pflag"},
}

const (
	program = "examples/extbody/internal/"
	library = "externalbody externalbody/dialect externalbody/imapbody externalbody/rewrite urlaccess fetch fetch/record fetch/driver fetch/cache fetch/netguard fetch/throttle internal/codec/... internal/file/... internal/imap/... internal/link/... internal/mime/... internal/netx/... internal/recent internal/wording"
)

// matches reports whether a list of packages has p.
func matches(list, p string) bool {
	for pat := range strings.FieldsSeq(list) {
		if base, deep := strings.CutSuffix(pat, "/..."); p == base || deep && strings.HasPrefix(p, base+"/") {
			return true
		}
	}
	return false
}

// roleOf returns the index of the role of a package, -1 if it has none.
func roleOf(dir string) int {
	return slices.IndexFunc(roles, func(r role) bool { return matches(r.dirs, dir) })
}

// logs reports whether a package may log: a program, and the commands that are servers.
func logs(dir string) bool {
	return isProgram(dir) || matches(program+"cli/serve "+program+"cli/fleet", dir)
}

// describes reports whether a file only has the form of values in the logs of others, by
// LogValue.
func describes(path string) bool {
	return slices.Contains([]string{"fetch/log.go", "externalbody/log.go", "externalbody/rewrite/log.go", "internal/link/redact/log.go"}, path)
}

// TestImports holds each package to its role, and the roles to their order. No package
// but a program's logs: a library returns errors.
func TestImports(t *testing.T) {
	used := make([]bool, len(roles))
	arrows := make(map[string]bool)
	for _, s := range sources(t) {
		at := roleOf(s.dir())
		if at < 0 {
			t.Errorf("%s: got a package without a role, want one in the table", s.path)
			continue
		}
		used[at] = true
		if s.test() {
			continue
		}
		for _, i := range imports(s) {
			ours, isOurs := strings.CutPrefix(i, module)
			switch to := roleOf(ours); {
			case isOurs && to == at:
			case isOurs && to > at:
				t.Errorf("%s: got the import %s, want packages of layers below alone", s.path, ours)
			case isOurs && !matches(roles[at].allow, ours):
				t.Errorf("%s: got the import %s, want those of its role alone", s.path, ours)
			case isOurs:
				arrows[path.Dir(s.path)+" "+ours] = true
			case standard(i):
				if i != "net/netip" && matches(roles[at].deny, i) || matches("log/...", i) && !logs(s.dir()) && !describes(s.path) {
					t.Errorf("%s: got the import %s, want those of its role alone", s.path, i)
				}
			case !matches(roles[at].allow, i):
				t.Errorf("%s: got the import %s, want those of its role alone", s.path, i)
			}
		}
	}
	for i, r := range roles {
		if !used[i] {
			t.Errorf("%s: got a role and no package, want both", r.dirs)
		}
	}
	t.Logf("%d roles, %d packages, %d arrows between packages of different roles", len(roles), len(packages(sources(t))), len(arrows))
}
