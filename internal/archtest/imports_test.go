package archtest

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// A policy says what the files of a package, tests apart, may import directly.
// It is a statement of what the architecture is: a new import is a decision,
// not a fix for a failing test.
type policy struct {
	deny  []string // of the standard library; a path that ends in "/..." means all below it as well; net/netip, which is arithmetic, is let pass
	allow []string // besides the standard library; ours without the module's path
}

var (
	noNet  = []string{"net/..."}
	noHTTP = []string{"net/http/..."}
)

var policies = map[string]policy{
	"urlaccess":      {deny: noNet, allow: []string{"internal/percent"}},
	"urlaccess/form": {deny: noNet, allow: []string{"internal/percent"}},
	"dataurl":        {deny: noNet, allow: []string{"internal/base64x", "internal/percent"}},

	"fetch":            {deny: noHTTP, allow: []string{"internal/holdback", "internal/redact", "internal/stopwatch", "internal/tlsfault"}},
	"fetch/netguard":   {deny: noHTTP, allow: []string{"fetch", "internal/hostname", "code.dny.dev/ssrf"}},
	"fetch/httpfetch":  {allow: []string{"fetch", "fetch/netguard", "internal/fieldvalue", "internal/hostname", "internal/tlsfault", "golang.org/x/net/proxy", "golang.org/x/net/publicsuffix"}},
	"fetch/ftpfetch":   {deny: noHTTP, allow: []string{"fetch", "fetch/netguard", "internal/hostname", "internal/tlsfault"}},
	"fetch/datafetch":  {deny: noNet, allow: []string{"fetch", "dataurl"}},
	"fetch/safefetch":  {deny: noHTTP, allow: []string{"fetch", "fetch/netguard", "fetch/httpfetch", "fetch/ftpfetch", "fetch/datafetch", "fetch/sharefetch", "fetch/throttle", "fetch/cache", "internal/share", "golang.org/x/net/publicsuffix"}},
	"fetch/sharefetch": {deny: noHTTP, allow: []string{"fetch", "internal/landing", "internal/redact", "internal/share", "internal/weburl"}},
	"fetch/throttle":   {deny: noHTTP, allow: []string{"fetch", "golang.org/x/net/publicsuffix"}},
	"fetch/tftpfetch":  {deny: noHTTP, allow: []string{"fetch", "fetch/netguard", "internal/hostname"}},
	"fetch/filefetch":  {deny: noHTTP, allow: []string{"fetch"}},
	"fetch/mailfetch":  {deny: noHTTP, allow: []string{"fetch", "internal/hostname", "internal/percent"}},
	// The cache is for every program that fetches: it brings nothing in.
	"fetch/cache":         {deny: []string{"net/http/...", "crypto/tls"}, allow: []string{"fetch", "fetch/cache/rfc9111"}},
	"fetch/cache/rfc9111": {deny: noNet, allow: []string{"internal/fieldvalue"}},
	"fetch/fetchtest":     {deny: noHTTP, allow: []string{"fetch", "go.uber.org/goleak"}},

	"externalbody": {
		deny: []string{"net/http/...", "crypto/tls"},
		allow: []string{
			"fetch", "urlaccess", "github.com/emersion/go-message",
			"internal/base64x", "internal/charsets", "internal/holdback", "internal/hostname", "internal/maildate", "internal/mailtext",
			"internal/mimeparam", "internal/mimescan", "internal/percent", "internal/redact", "internal/stopwatch",
			"internal/cms", "internal/filetype", "internal/landing", "internal/needle", "internal/unnamed", "internal/quoprint", "internal/share", "internal/tnef", "internal/unwrap", "internal/weburl",
		},
	},
	"externalbody/dialect": {deny: noHTTP, allow: []string{
		"externalbody", "urlaccess", "internal/charsets", "internal/maildate", "internal/mimeparam", "internal/mimescan", "internal/percent",
		"internal/share", "internal/unwrap", "internal/weburl",
	}},

	"externalbody/rewrite": {deny: []string{"net/http/...", "crypto/tls"}, allow: []string{
		"externalbody", "fetch", "urlaccess", "internal/base64x", "internal/charsets", "internal/cms", "internal/filetype", "internal/mimeparam", "internal/mimescan",
	}},
	"externalbody/imapbody": {deny: []string{"net/http/...", "crypto/tls"}, allow: []string{
		"externalbody", "fetch", "internal/cms", "internal/mailtext", "internal/mimescan", "internal/tnef", "github.com/emersion/go-imap/v2",
	}},
	"fetch/imapfetch": {deny: noHTTP, allow: []string{
		"fetch", "fetch/netguard", "internal/hostname", "internal/imapwire", "internal/mimeparam", "internal/mimescan",
	}},

	"internal/archtest": {},
	"internal/cite":     {deny: noNet},
	"internal/xref":     {deny: noNet, allow: []string{"internal/cite"}},
	"internal/base64x":  {deny: noNet, allow: []string{"github.com/segmentio/asm/base64", "github.com/segmentio/asm/cpu", "github.com/segmentio/asm/cpu/x86"}},
	"internal/filetype": {deny: noNet},
	"internal/holdback": {deny: noNet},
	"internal/hostname": {deny: noHTTP, allow: []string{"golang.org/x/net/idna"}},
	"internal/mailbox":  {deny: noNet, allow: []string{"internal/discover", "internal/unnamed", "github.com/klauspost/compress/zstd", "golang.org/x/sys/unix"}},
	"internal/maildate": {deny: noHTTP},
	// The text engine: tokens and links, and no References.
	"internal/mailtext": {deny: noNet, allow: []string{"internal/needle",
		"internal/charsets", "internal/unwrap",
		"golang.org/x/net/html", "golang.org/x/text/encoding", "golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/japanese",
		"golang.org/x/text/encoding/unicode", "golang.org/x/text/transform",
	}},
	"internal/mimeparam":  {deny: noNet, allow: []string{"internal/charsets", "internal/percent"}},
	"internal/mimescan":   {deny: noNet, allow: []string{"internal/base64x", "internal/mimeparam", "internal/quoprint"}},
	"internal/fieldvalue": {deny: noNet},
	"internal/percent":    {deny: noNet},
	"internal/redact":     {deny: noNet, allow: []string{"urlaccess", "urlaccess/form", "internal/percent", "internal/share"}},

	"internal/charsets":    {deny: noNet, allow: []string{"internal/percent", "golang.org/x/text/encoding", "golang.org/x/text/encoding/htmlindex"}},
	"internal/cms":         {deny: noNet},
	"internal/tnef":        {deny: noNet, allow: []string{"internal/charsets", "internal/percent"}},
	"internal/discover":    {deny: noNet},
	"internal/dovecottest": {},
	"internal/imaptest":    {}, // for tests alone
	"internal/imapsession": {deny: noHTTP, allow: []string{"internal/imapwire", "internal/mutf7", "github.com/emersion/go-imap/v2"}},
	// What both IMAP clients speak: it knows neither of them, nor of Kinds.
	"internal/imapwire":  {deny: noHTTP, allow: []string{"internal/mutf7", "internal/tlsfault"}},
	"internal/mutf7":     {deny: noNet},
	"internal/needle":    {deny: noNet},
	"internal/quoprint":  {deny: noNet},
	"internal/stopwatch": {deny: noNet},
	"internal/tlsfault":  {deny: noHTTP},
	// How programs say what strangers wrote.
	"internal/show": {deny: noNet},

	"internal/unnamed":   {deny: noNet, allow: []string{"golang.org/x/sys/unix"}},
	"internal/bodystore": {deny: noNet, allow: []string{"internal/unnamed"}},

	"internal/landing": {deny: noNet, allow: []string{"internal/mimeparam"}},
	"internal/share":   {deny: noNet, allow: []string{"internal/percent", "internal/weburl"}},
	"internal/unwrap":  {deny: noNet, allow: []string{"internal/weburl"}},
	"internal/weburl":  {deny: noNet, allow: []string{"internal/hostname", "internal/percent"}},

	"internal/clamd": {deny: noHTTP, allow: []string{"fetch"}},
	// What is done with a message by the policy of a site: no front end, no log.
	"internal/inspect": {allow: []string{
		"externalbody", "externalbody/dialect", "fetch", "internal/filetype", "internal/hostname", "internal/unnamed",
		"github.com/pelletier/go-toml/v2", "github.com/pelletier/go-toml/v2/unstable",
	}},

	// The archive is below the program and above the library, as its engine. The
	// ledger and the WARC files are formats, which know nothing of mail and nets. It
	// speaks HTTP itself with one server alone, the time-stamp authority that the
	// user names.
	"internal/archive/ledger": {deny: noNet, allow: []string{"internal/unnamed"}},
	"internal/archive/warc":   {deny: noNet},
	"internal/archive": {allow: []string{
		"externalbody", "externalbody/dialect", "externalbody/rewrite", "fetch", "internal/archive/ledger", "internal/archive/warc", "internal/charsets", "internal/hostname", "internal/mailbox", "internal/maildate", "internal/mimescan", "internal/unnamed",
		"internal/share", // for the fingerprint of its table alone
		"go.etcd.io/bbolt", "github.com/digitorus/timestamp",
	}},

	"internal/lmtp":            {deny: noHTTP, allow: []string{"internal/listen"}},
	"internal/serve":           {deny: noHTTP, allow: []string{"externalbody", "fetch", "internal/inspect", "internal/unnamed", "github.com/prometheus/client_golang/prometheus"}},
	"internal/serve/httpfront": {allow: []string{"fetch", "internal/inspect", "internal/listen", "internal/serve"}},
	"internal/serve/lmtpfront": {deny: noHTTP, allow: []string{
		"externalbody", "externalbody/rewrite", "fetch", "internal/inspect", "internal/lmtp", "internal/serve", "internal/unnamed",
	}},
	"internal/serve/milterfront": {deny: noHTTP, allow: []string{"fetch", "internal/inspect", "internal/listen", "internal/serve", "github.com/emersion/go-milter"}},
	"internal/serve/page":        {allow: []string{"fetch/throttle", "internal/serve"}},
	// What flags mean, before a command knows what they are for.
	"internal/flagvalue": {deny: noHTTP},
	"internal/crowd":     {deny: noNet},
	// A PATH on an IMAP server is data; the two clients know nothing of URLs.
	"internal/imapurl": {deny: noHTTP, allow: []string{"internal/percent"}},
	"internal/listen":  {deny: noHTTP},
	"internal/exit":    {deny: noNet},
	"internal/spool":   {deny: noNet, allow: []string{"internal/exit", "internal/unnamed"}},
	// What the commands of extbody stand on. Nothing else imports these, and none of them knows a command.
	"internal/program/terminal": {deny: noHTTP, allow: []string{
		"externalbody", "fetch", "fetch/throttle", "internal/exit", "internal/show",
		"github.com/vbauerster/mpb/v8", "github.com/vbauerster/mpb/v8/decor", "golang.org/x/term",
	}},
	"internal/program/login": {deny: noHTTP, allow: []string{"fetch", "internal/program/terminal", "internal/show", "github.com/spf13/pflag"}},
	"internal/program/record": {deny: noHTTP, allow: []string{
		"externalbody", "fetch", "urlaccess", "internal/exit", "internal/hostname", "internal/mailbox", "internal/mimescan", "internal/redact", "internal/show",
	}},
	"internal/program/source": {deny: noHTTP, allow: []string{
		"externalbody", "externalbody/dialect", "externalbody/imapbody", "fetch", "internal/archive",
		"internal/crowd", "internal/flagvalue", "internal/exit", "internal/imapsession", "internal/imapurl", "internal/imapwire", "internal/mailbox", "internal/mimescan",
		"internal/program/login", "internal/program/record", "internal/program/terminal", "internal/redact", "internal/show", "internal/spool",
		"github.com/emersion/go-imap/v2", "github.com/spf13/pflag",
	}},
	"internal/program/policy": {deny: noHTTP, allow: []string{
		"externalbody", "fetch", "fetch/cache", "fetch/filefetch", "fetch/netguard", "fetch/safefetch", "fetch/tftpfetch", "fetch/throttle",
		"internal/exit", "internal/flagvalue", "internal/program/login", "internal/program/source", "internal/program/terminal", "github.com/spf13/pflag",
	}},
	"internal/program/output":   {deny: noNet, allow: []string{"internal/exit", "internal/unnamed", "golang.org/x/sys/unix"}},
	"internal/program/saved":    {deny: noNet, allow: []string{"externalbody", "internal/archive", "internal/filetype", "internal/show"}},
	"internal/program/webstore": {deny: noHTTP, allow: []string{"externalbody/rewrite", "fetch", "urlaccess", "internal/bodystore", "internal/exit"}},
	"internal/program/rewriting": {deny: noHTTP, allow: []string{
		"externalbody", "externalbody/rewrite", "fetch", "internal/exit", "internal/flagvalue", "internal/mailbox",
		"internal/program/output", "internal/program/record", "internal/program/source", "internal/program/webstore",
		"internal/show", "internal/spool", "internal/unnamed", "github.com/spf13/pflag",
	}},
	"internal/program/getting": {deny: noHTTP, allow: []string{
		"externalbody", "fetch", "internal/crowd", "internal/exit", "internal/flagvalue",
		"internal/program/output", "internal/program/policy", "internal/program/record", "internal/program/saved", "internal/program/source", "internal/program/terminal",
		"internal/show", "github.com/spf13/pflag",
	}},
	"internal/program/listing": {deny: noHTTP, allow: []string{
		"externalbody", "internal/crowd", "internal/exit",
		"internal/program/record", "internal/program/source", "internal/program/terminal", "internal/show", "github.com/spf13/pflag",
	}},
	// What a webmail would link, and nothing besides.
	"examples/webview": {allow: []string{"externalbody", "externalbody/dialect", "fetch", "fetch/netguard", "fetch/safefetch"}},

	"examples/extbody": {allow: []string{
		"externalbody", "externalbody/dialect", "externalbody/rewrite", "urlaccess", "dataurl", "fetch", "fetch/safefetch", "fetch/netguard", "fetch/throttle",
		"internal/archive", "internal/archive/ledger", "internal/bodystore", "internal/clamd", "internal/crowd", "internal/exit", "internal/flagvalue", "internal/hostname", "internal/imapurl", "internal/inspect", "internal/listen", "internal/maildate", "internal/serve", "internal/serve/httpfront", "internal/serve/lmtpfront", "internal/serve/milterfront", "internal/serve/page", "internal/show", "internal/spool", "internal/unnamed",
		"internal/program/getting", "internal/program/listing", "internal/program/output", "internal/program/policy", "internal/program/record", "internal/program/rewriting", "internal/program/source", "internal/program/terminal", "internal/program/webstore",
		"github.com/prometheus/client_golang/prometheus", "github.com/prometheus/client_golang/prometheus/collectors", "github.com/prometheus/client_golang/prometheus/promhttp", "github.com/spf13/cobra", "github.com/spf13/pflag",
	}},
}

// Nobody but a program logs: a library returns errors.
var programsOnly = []string{"log/..."}

func TestImports(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range sources(t) {
		seen[s.dir()] = true
		p, ok := policies[s.dir()]
		if !ok {
			t.Errorf("%s: got a package without a policy, want one with it", s.path)
			continue
		}
		if s.test() {
			continue
		}
		for _, i := range imports(s) {
			ours, isOurs := strings.CutPrefix(i, module)
			switch {
			case isOurs:
				if !slices.Contains(p.allow, ours) {
					t.Errorf("%s: got the import %s, want those of its policy alone", s.path, ours)
				}
			case standard(i):
				if i != "net/netip" && matches(p.deny, i) || !program(s.dir()) && matches(programsOnly, i) {
					t.Errorf("%s: got the import %s, want those of its policy alone", s.path, i)
				}
			case !slices.Contains(p.allow, i):
				t.Errorf("%s: got the import %s, want those of its policy alone", s.path, i)
			}
		}
	}
	for dir := range policies {
		if !seen[dir] {
			t.Errorf("%s: got a policy and no package, want both", dir)
		}
	}
}

// TestArrowsPointDown holds the table itself to the order of the layers.
func TestArrowsPointDown(t *testing.T) {
	layer := func(pkg string) int {
		switch {
		case strings.HasPrefix(pkg, "examples/"):
			return 100
		case path.Dir(pkg) == "internal/program": // what the commands stand on, in this order
			return 10 + slices.Index([]string{"terminal", "login", "record", "source", "policy", "output", "saved", "webstore", "rewriting", "getting", "listing"}, path.Base(pkg))
		case strings.HasPrefix(pkg, "internal/serve/"): // the front ends
			return 9
		case pkg == "internal/serve":
			return 8
		case pkg == "internal/clamd": // its errors have the Kinds of fetch
			return 7
		case pkg == "internal/inspect", pkg == "internal/archive":
			return 7
		case strings.HasPrefix(pkg, "externalbody/"):
			return 6
		case pkg == "externalbody":
			return 5
		case pkg == "fetch/safefetch":
			return 4
		case path.Dir(pkg) == "fetch" && pkg != "fetch/netguard":
			return 3
		case pkg == "fetch/netguard":
			return 2
		case strings.HasPrefix(pkg, "internal/"):
			return 0
		}
		return 1
	}
	for pkg, p := range policies {
		for _, i := range p.allow {
			if _, ours := policies[i]; !ours {
				continue
			}
			up := layer(i) >= layer(pkg) && layer(pkg) != 0 || layer(pkg) == 0 && layer(i) != 0
			redactor := pkg == "internal/redact" && strings.HasPrefix(i, "urlaccess")
			if up && !redactor {
				t.Errorf("%s: got the import %s in its policy, want packages below it alone", pkg, i)
			}
		}
	}
}

func matches(patterns []string, p string) bool {
	for _, pat := range patterns {
		if base, deep := strings.CutSuffix(pat, "/..."); p == base || deep && strings.HasPrefix(p, base+"/") {
			return true
		}
	}
	return false
}
