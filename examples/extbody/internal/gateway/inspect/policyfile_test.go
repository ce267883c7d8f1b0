package inspect

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

func TestParsePolicy(t *testing.T) {
	p, err := ParsePolicy([]byte(`
# what a site wants
[defer]
tries = 3
delay = "10m"

[[rule]]
name = "malware"
verdict = "malware"
action = "reject"
mode = "enforce"

[[rule]]
name = "big"
verdict = ["clean", "suspicious"]
dialect = ["standard", "share-link"]
host = ["*.Files.example", "b.example"]
kind = "not-found"
mismatch = true
min_size = "10MB"
extension = [
  ".EXE", # a comment
  "scr",
]
scan = ["none", "failed"]
recipient = ["A@b.example", "c.example"]
authenticated = false
action = "tag"
mode = "shadow"
`))
	if err != nil {
		t.Fatal(err)
	}
	set := func(field string, values ...string) *term {
		t := &term{field: field, set: make(map[string]bool)}
		for _, v := range values {
			t.set[v] = true
		}
		return t
	}
	want := &Policy{
		Defer: DeferLimits{Tries: 3, Delay: 10 * time.Minute},
		Rules: []Rule{
			{Name: "malware", Action: Reject, Mode: Enforce, line: 7, when: []*term{set("verdict", "malware")}},
			{Name: "big", Action: Tag, Mode: Shadow, line: 13, when: []*term{
				set("verdict", "clean", "suspicious"), set("dialect", "standard", "share-link"), set("host", "files.example", "b.example"),
				set("kind", "not-found"), set("mismatch", "true"), {field: "min_size", set: map[string]bool{}, number: 10e6},
				set("extension", "exe", "scr"), set("scan", "none", "failed"), set("recipient", "a@b.example", "c.example"), set("authenticated", "false"),
			}},
		},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got %+v, want %+v", p, want)
	}
}

// A mistake is reported with its line and its field, and none is passed over.
func TestParsePolicyErrors(t *testing.T) {
	const rule = "[[rule]]\nname = \"a\"\naction = \"tag\"\n"
	for _, test := range []struct {
		name, text string
		line       int
		field      string
	}{
		{"NoTOML", "[[rule]\n", 1, ""},
		{"Twice", rule + "action = \"none\"\n", 4, ""},
		{"UnknownField", rule + "hosts = \"a.example\"\n", 4, "rule.hosts"},
		{"SecondRule", rule + "\n[[rule]]\nname = \"b\"\naction = \"tagg\"\n", 7, "rule.action"},
		{"FirstOfTwo", "[[rule]]\nname = \"a\"\naction = \"tagg\"\n[[rule]]\nname = \"b\"\naction = \"tag\"\n", 3, "rule.action"},
		{"NoName", "[[rule]]\naction = \"tag\"\n", 1, "rule.name"},
		{"NoAction", rule + "[[rule]]\nname = \"b\"\n", 4, "rule.action"},
		{"NameTwice", rule + rule, 5, "rule.name"},
		{"BadName", "[[rule]]\nname = \"a\\r\\nb: c\"\naction = \"tag\"\n", 2, "rule.name"},
		{"Mode", rule + "mode = \"on\"\n", 4, "rule.mode"},
		{"Verdict", rule + "verdict = [\"clean\", \"evil\"]\n", 4, "rule.verdict"},
		{"EmptyList", rule + "host = []\n", 4, "rule.host"},
		{"Kind", rule + "kind = \"nofound\"\n", 4, "rule.kind"},
		{"Type", rule + "mismatch = \"yes\"\n", 4, "rule.mismatch"},
		{"Number", rule + "verdict = 3\n", 4, "rule.verdict"},
		{"Size", rule + "min_size = -1\n", 4, "rule.min_size"},
		{"SizeText", rule + "min_size = \"10 elephants\"\n", 4, "rule.min_size"},
		{"SizeOverflow", rule + "min_size = \"9223372036854775807GiB\"\n", 4, "rule.min_size"},
		{"Host", rule + "host = \"https://a.example/\"\n", 4, "rule.host"},
		{"Dialect", rule + "dialect = \"dropbox\"\n", 4, "rule.dialect"},
		{"Recipient", rule + "recipient = \"*@a.example\"\n", 4, "rule.recipient"},
		{"Dotted", rule + "a.b = 1\n", 4, "rule.a.b"},
		{"EmptyNot", rule + "not = {}\n", 4, "rule.not"},
		{"NotOfText", rule + "not = \"a\"\n", 4, "rule.not"},
		{"AnyOfTable", rule + "any = { host = \"a.example\" }\n", 4, "rule.any"},
		{"InAny", rule + "any = [\n{ host = \"a.example\" },\n{ not = { kind = \"x\" } },\n]\n", 6, "rule.any.not.kind"},
		{"NameInNot", rule + "not = { name = \"b\" }\n", 4, "rule.not.name"},
		{"Deepest", rule + strings.Repeat("not = { ", maxDepth) + "host = \"/\"" + strings.Repeat(" }", maxDepth) + "\n", 4, "rule" + strings.Repeat(".not", maxDepth) + ".host"},
		{"TooDeep", rule + strings.Repeat("not = { ", maxDepth+1) + "host = \"a.example\"" + strings.Repeat(" }", maxDepth+1) + "\n", 4, ""},
		{"ClientMapped", rule + "client = \"::ffff:192.0.2.0/120\"\n", 4, "rule.client"},
		{"ClientName", rule + "client = \"a.example\"\n", 4, "rule.client"},
		{"HalfType", rule + "type = \"pdf\"\n", 4, "rule.type"},
		{"NoVerifier", rule + "any = [{ host = \"a.example\" }, { dmarc = \"pass\" }]\n", 4, "rule.dmarc"},
		{"DKIMDomainAlone", rule + "dkim_domain = \"a.example\"\n", 1, "rule.dkim_domain"},
		{"DKIMDomainInNot", rule + "not = { dkim_domain = \"a.example\" }\n", 4, "rule.not"},
		{"SkipOfBody", "[[rule]]\nname = \"a\"\naction = \"skip\"\nauthenticated = true\nscan = \"infected\"\n", 1, "rule.scan"},
		{"SkipInNot", "[[rule]]\nname = \"a\"\naction = \"skip\"\nnot = { extension = \"exe\" }\n", 1, "rule.not"},
		{"CaptureOfBody", "[[rule]]\nname = \"a\"\naction = \"capture\"\nscan = \"clean\"\n", 1, "rule.scan"},
		{"CaptureThatTags", "[[rule]]\nname = \"a\"\naction = \"capture\"\nmode = \"tag\"\n", 1, "rule.mode"},
		{"PartOfType", rule + "type = \"application/*pdf\"\n", 4, "rule.type"},
		{"PartOfHost", rule + "host = \"a*.example\"\n", 4, "rule.host"},
		{"NetworkOfHost", rule + "host = \"192.0.2.0/33\"\n", 4, "rule.host"},
		{"Digest", rule + "sha256 = \"aa\"\n", 4, "rule.sha256"},
		{"Count", rule + "min_count = \"5MB\"\n", 4, "rule.min_count"},
		{"CountNever", rule + "min_count = 3\nmax_count = 2\n", 1, "rule.min_count"},
		{"HeaderOfText", rule + "header = \"Subject\"\n", 4, "rule.header"},
		{"HeaderEmpty", rule + "header = {}\n", 4, "rule.header"},
		{"HeaderField", rule + "header = { \"Sub*\" = \"x\" }\n", 4, "rule.header.Sub*"},
		{"HeaderPattern", rule + "header = { Subject = \"\" }\n", 4, "rule.header.Subject"},
		{"Scheme", rule + "scheme = \"gopher\"\n", 4, "rule.scheme"},
		{"RedirectToTwo", "[[rule]]\nname = \"a\"\naction = \"redirect\"\nto = [\"a@a.example\", \"b@a.example\"]\n", 1, "rule.to"},
		{"SetTwice", "[sets]\n\"@programs\" = [\"x\"]\n" + rule, 2, "sets.@programs"},
		{"SetOfNone", "[sets]\na = []\n" + rule, 2, "sets.a"},
		{"SetOfSet", "[sets]\na = [\"@b\"]\n" + rule, 2, "sets.a"},
		{"NoSuchSet", rule + "extension = \"@program\"\n", 4, "rule.extension"},
		{"NoFiles", rule + "host = { file = \"a\" }\n", 4, "rule.host"},
		{"EmptyTable", rule + "host = [\"a.example\", {}]\n", 4, "rule.host"},
		{"OtherTable", rule + "host = { list = \"a\" }\n", 4, "rule.host"},
		{"Authserv", "[authentication]\nauthserv_id = \"a; b\"\n", 2, "authentication.authserv_id"},
		{"RedirectNowhere", "[[rule]]\nname = \"a\"\naction = \"redirect\"\n", 1, "rule.to"},
		{"ToWithoutRedirect", rule + "to = \"a@b.example\"\n", 1, "rule.to"},
		{"CopyNowhere", "[[rule]]\nname = \"a\"\naction = \"copy\"\n", 1, "rule.to"},
		{"SubjectWithoutText", "[[rule]]\nname = \"a\"\naction = \"subject\"\n", 1, "rule.text"},
		{"TextWithoutSubject", rule + "text = \"[File]\"\n", 1, "rule.text"},
		{"TextOfTwoLines", "[[rule]]\nname = \"a\"\naction = \"subject\"\ntext = \"a\\r\\nBcc: b\"\n", 4, "rule.text"},
		{"LongText", "[[rule]]\nname = \"a\"\naction = \"subject\"\ntext = \"" + strings.Repeat("a", 61) + "\"\n", 4, "rule.text"},
		{"ToIsNoAddress", rule + "to = \"b.example\"\n", 4, "rule.to"},
		{"Tries", "[defer]\ntries = 0\n", 2, "defer.tries"},
		{"Delay", "[defer]\n\ndelay = \"1\"\n", 3, "defer.delay"},
		{"Table", "[rules]\n", 1, "rules"},
		{"SingleRule", "[rule]\nname = \"a\"\n", 1, "rule"},
		{"List", "[[defer]]\n", 1, "defer"},
		{"Outside", "action = \"tag\"\n", 1, "action"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParsePolicy([]byte(test.text))
			e, ok := errors.AsType[*PolicyError](err)
			if !ok {
				t.Fatalf("got %v, want a PolicyError", err)
			}
			if e.Line != test.line || test.field != "" && e.Field != test.field {
				t.Errorf("got line %d, field %q (%v), want line %d, field %q", e.Line, e.Field, e, test.line, test.field)
			}
		})
	}
}

// A rule after one that matches the same is a mistake with its line.
func TestUnreachable(t *testing.T) {
	for _, test := range []struct {
		name, first, second string
		want                bool
	}{
		{"All", "action = \"tag\"", "action = \"reject\"", true},
		{"AllInTheShadow", "action = \"tag\"\nmode = \"shadow\"", "action = \"reject\"", false},
		{"AllDeferred", "action = \"defer\"", "action = \"reject\"", false},
		{"AllCaptured", "action = \"capture\"", "action = \"reject\"", false},
		{"CaptureAfterAll", "action = \"tag\"", "action = \"capture\"", false},
		{"CaptureAfterSkip", "action = \"skip\"", "action = \"capture\"", true},
		{"SameVerdict", "verdict = [\"malware\", \"pending\"]\naction = \"tag\"", "verdict = \"malware\"\naction = \"reject\"", true},
		{"OtherVerdict", "verdict = \"pending\"\naction = \"tag\"", "verdict = [\"malware\", \"pending\"]\naction = \"reject\"", false},
		{"HostBelow", "host = \"a.example\"\naction = \"none\"", "host = \"b.a.example\"\naction = \"reject\"", true},
		{"HostAbove", "host = \"b.a.example\"\naction = \"none\"", "host = \"a.example\"\naction = \"reject\"", false},
		{"Recipient", "recipient = \"a.example\"\naction = \"none\"", "recipient = \"b@a.example\"\naction = \"reject\"", true},
		{"Size", "min_size = 10\naction = \"quarantine\"", "min_size = 20\naction = \"reject\"", true},
		{"MostSize", "max_size = 20\naction = \"quarantine\"", "max_size = 10\naction = \"reject\"", true},
		{"AnnouncedSize", "min_size = 10\naction = \"tag\"", "min_size = 20\naction = \"reject\"", false},
		{"Smaller", "min_size = 20\naction = \"tag\"", "min_size = 10\naction = \"reject\"", false},
		{"NamesOfAnotherKind", "extension = \"exe\"\naction = \"tag\"", "extension = \"exe\"\naction = \"reject\"", false},
		{"Bool", "mismatch = true\naction = \"tag\"", "mismatch = false\naction = \"reject\"", false},
		{"Network", "client = \"192.0.2.0/24\"\naction = \"none\"", "client = [\"192.0.2.7\", \"192.0.2.128/25\"]\naction = \"reject\"", true},
		{"OtherNetwork", "client = \"192.0.2.0/24\"\naction = \"none\"", "client = [\"192.0.2.7\", \"192.0.0.0/16\"]\naction = \"reject\"", false},
		{"Type", "type = \"image/*\"\naction = \"quarantine\"", "type = \"image/png\"\naction = \"reject\"", true},
		{"Unicode", "host = \"b\u00fccher.example\"\naction = \"none\"", "host = \"a.xn--bcher-kva.example\"\naction = \"reject\"", true},
		{"SameNot", "not = { host = \"a.example\" }\naction = \"quarantine\"", "kind = \"gone\"\nnot = { host = \"a.example\" }\naction = \"reject\"", true},
		{"OtherNot", "not = { host = \"a.example\" }\naction = \"quarantine\"", "not = { host = \"b.example\" }\naction = \"reject\"", false},
		{"Sizes", "action = \"tag\"\nhost = \"a.example\"", "min_size = 11\nmax_size = 10\naction = \"reject\"", true},
		{"OneSize", "action = \"tag\"\nhost = \"a.example\"", "min_size = 10\nmax_size = 10\naction = \"reject\"", false},
		{"UnreadHost", "action = \"tag\"\nhost = \"a.example\"", "unread = \"encrypted\"\nhost = \"b.example\"\naction = \"reject\"", false},
		{"CleanMalware", "action = \"tag\"\nhost = \"a.example\"", "verdict = [\"clean\", \"suspicious\"]\nscan = \"infected\"\naction = \"reject\"", true},
		{"CleanSignature", "action = \"tag\"\nhost = \"a.example\"", "verdict = [\"clean\", \"suspicious\"]\nsignature = \"*\"\naction = \"reject\"", true},
		{"ScannedSignature", "action = \"tag\"\nhost = \"a.example\"", "scan = [\"clean\", \"none\"]\nsignature = \"*\"\naction = \"reject\"", true},
		{"InfectedSignature", "action = \"tag\"\nhost = \"a.example\"", "scan = [\"clean\", \"infected\"]\nsignature = \"*\"\naction = \"reject\"", false},
		{"CleanMismatch", "action = \"tag\"\nhost = \"a.example\"", "verdict = \"clean\"\nmismatch = true\naction = \"reject\"", true},
		{"SuspiciousMismatch", "action = \"tag\"\nhost = \"a.example\"", "verdict = \"suspicious\"\nmismatch = true\naction = \"reject\"", false},
		{"NotItself", "action = \"tag\"\nhost = \"a.example\"", "host = \"b.c.example\"\nnot = { host = \"c.example\" }\naction = \"reject\"", true},
		{"NotPart", "action = \"tag\"\nhost = \"a.example\"", "host = \"c.example\"\nnot = { host = \"b.c.example\" }\naction = \"reject\"", false},
		{"NotSome", "action = \"tag\"\nhost = \"a.example\"", "extension = \"exe\"\nnot = { extension = \"exe\" }\naction = \"reject\"", false},
	} {
		_, err := ParsePolicy([]byte("[[rule]]\nname = \"a\"\n" + test.first + "\n[[rule]]\nname = \"b\"\n" + test.second + "\n"))
		e, ok := errors.AsType[*PolicyError](err)
		if ok != test.want || ok && e.Line != 4+strings.Count(test.first, "\n") {
			t.Errorf("%s: got %v, want a mistake %t", test.name, err, test.want)
		}
	}
}

// Whatever the text, there is a Policy whose rules have names and actions, or a
// PolicyError.
func FuzzParsePolicy(f *testing.F) {
	f.Add("[[rule]]\nname = \"a\"\naction = \"tag\"\nkind = [\"gone\"]\n")
	f.Add("[defer]\ntries = 3\ndelay = \"1h\"\n")
	f.Add("[[rule]]\nname = \"a\"\naction = { b = 1 }\n")
	f.Add("[authentication]\nauthserv_id = [\"a\"]\n[[rule]]\nname = 'a'\naction = 'strip'\nnot = { dmarc = 'pass', any = [{ client = '10.0.0.0/8' }, { host = { file = 'a' } }] }\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePolicy([]byte(text))
		if err != nil {
			if e, ok := errors.AsType[*PolicyError](err); !ok || e.Line < 1 || e.Line > strings.Count(text, "\n")+1 {
				t.Errorf("got %#v, want a PolicyError with a line of the text", err)
			}
			return
		}
		for _, r := range p.Rules {
			if !ruleName().MatchString(r.Name) || r.Action == "" {
				t.Errorf("got the rule %+v, want one with a name and an action", r)
			}
		}
	})
}

// The rules in SERVE.md are a policy.
func TestRulesOfManual(t *testing.T) {
	text, err := os.ReadFile("../../../SERVE.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"partners.txt": "partner.example", "closed.txt": "7z", "released.txt": strings.Repeat("0", 64)}
	n := 0
	for i, block := range strings.Split(string(text), "```") {
		if i%2 == 0 || !strings.Contains(block, "[[rule]]") {
			continue
		}
		n++
		list := func(name string) ([]byte, error) { return []byte(files[name] + "\n"), nil }
		if _, err := parsePolicy([]byte(block), list); err != nil {
			t.Errorf("%s: got %v", block, err)
		}
	}
	if n == 0 {
		t.Error("got no rules in SERVE.md, want some")
	}
}

// Spellings that people use work, or are refused with the right one.
func TestSpellings(t *testing.T) {
	for condition, want := range map[string]string{
		"extension = '.exe'": "", "extension = '*.exe'": "", "host = '*.evil.example'": "", "min_size = '10 MB'": "", "max_size = '10MiB'": "",
		"extension = 'a.exe'": "what follows the last dot", "header_from = '*.evil.example'": "want \"evil.example\"",
		"recipient = '*@a.example'": "want \"@a.example\"", "min_size = '10 mb'": "such as 1000 or \"10MB\"",
	} {
		p, err := ParsePolicy([]byte("[[rule]]\nname = 'r'\naction = 'reject'\n" + condition + "\n"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", condition, err, want)
		}
		if err == nil && strings.Contains(condition, "exe") && !p.Rules[0].when[0].set["exe"] {
			t.Errorf("%s: got %v, want exe", condition, p.Rules[0].when[0].set)
		}
	}
}

// A rule that can match only the finds of a scanner is a mistake without a scanner.
func TestNeedsScanner(t *testing.T) {
	for condition, want := range map[string]bool{
		"verdict = 'malware'": true, "verdict = ['malware', 'suspicious']": false, "scan = ['infected', 'failed']": true, "scan = ['infected', 'none']": false,
		"all = [{ host = 'a.example' }, { scan = 'infected' }]": true, "any = [{ scan = 'clean' }, { verdict = 'malware' }]": true,
		"any = [{ scan = 'clean' }, { host = 'a.example' }]": false, "not = { scan = 'clean' }": false,
	} {
		err := parsed(t, "[[rule]]\nname = 'r'\naction = 'reject'\n"+condition+"\n").NeedsScanner()
		if e, ok := errors.AsType[*PolicyError](err); ok != want || ok && e.Line != 1 {
			t.Errorf("%s: got %v, want a mistake %t", condition, err, want)
		}
	}
}

// The policy that operators begin with does as its comments promise.
func TestSamplePolicy(t *testing.T) {
	text, err := os.ReadFile("../../../serve/policy.toml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePolicy(text)
	if err != nil {
		t.Fatal(err)
	}
	program := finding{State: Known, Sniffed: "application/x-dosexec", Mismatch: true, extensions: []string{"pdf"}}
	for _, test := range []struct {
		name string
		ref  Ref
		may  bool
		want Decision
	}{
		{"Good", Ref{finding: finding{State: Known}}, true, Decision{Action: Tag}},
		{"Malware", Ref{finding: finding{State: Known, scanned: scanned{Scan: Infected}}}, true, by("malware", Reject)},
		{"ProgramCalledPDF", Ref{extensions: []string{"pdf"}, finding: program}, true, Decision{Action: Tag, Shadow: []string{"disguised=quarantine"}}},
		{"Pending", Ref{finding: finding{State: StillToCome}}, true, by("pending", Defer)},
		{"DeferredEnough", Ref{finding: finding{State: StillToCome}}, false, Decision{Action: Tag, Shadow: []string{"still-pending=quarantine"}}},
		{"Unavailable", Ref{finding: finding{State: Failed, Kind: fetch.NotFound}}, true, Decision{Action: Tag}},
	} {
		if got := p.Decide(report(test.ref), new(Envelope), "", func() bool { return test.may }); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

// The octets that editors put before a text are skipped, or named as a mistake.
func TestPolicyMarks(t *testing.T) {
	const text = "[[rule]]\r\nname = \"a\"\r\naction = \"tag\"\r\n"
	if p, err := ParsePolicy([]byte("\ufeff" + text)); err != nil || len(p.Rules) != 1 {
		t.Errorf("a byte order mark: got %v, want one rule", err)
	}
	_, err := ParsePolicy([]byte("\ufeff" + strings.Replace(text, "tag", "tga", 1)))
	if e, ok := errors.AsType[*PolicyError](err); !ok || e.Line != 3 || e.Field != "rule.action" {
		t.Errorf("a mistake after a byte order mark: got %v, want line 3, rule.action", err)
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if _, err := ParsePolicy([]byte(mark + "[\x00")); err == nil || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%q: got %v, want a word of UTF-16", mark, err)
		}
	}
}

// A mistake names the word that is nearest to it.
func TestNearest(t *testing.T) {
	for text, want := range map[string]string{
		"hosts = 'a.example'":                  "the nearest one is host",
		"filename = 'x'":                       "the nearest one is file_name",
		"subject = 'x'":                        "the nearest one is header",
		"count = 5":                            "the nearest one is min_count",
		"redirects = 5":                        "the nearest one is min_redirects",
		"to_ = 'x'":                            "the nearest one is to",
		"not = { extensions = 'exe' }":         "the nearest one is extension",
		"helo = 'x'":                           "want one of authenticated, client",
		"kind = 'notfound'":                    "the nearest one is not-found",
		"dialect = 'sharelink'":                "the nearest one is share-link",
		"mode = 'shade'":                       "[shadow tag enforce]",
		"extension = '@program'":               "the nearest one is @programs",
		"[[rule]]\nname = '*invoice*'":         "file_name",
		"name = '*invoice*'":                   "file_name",
		"[defer]\ntrie = 4":                    "the nearest one is tries",
		"[authentication]\nauthserv-id = 'mx'": "the nearest one is authserv_id",
	} {
		_, err := ParsePolicy([]byte("[[rule]]\nname = 'a'\naction = 'tag'\n" + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// A set may be in a file, and a list of a rule may name a set.
func TestNamedSets(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"office.txt": "docx # Word\n@macros\n",
		"digests": strings.Repeat("AB", 32) + "  setup.exe # as sha256sum writes it\n\\" +
			strings.Repeat("cd", 32) + "  a\\nb.exe\n" + strings.Repeat("ef", 32) + "\tafter a tab.exe\n",
		"policy": "[[rule]]\nname = 'd'\nsha256 = { file = 'digests' }\naction = 'hold'\n[[rule]]\nname = 'a'\nextension = '@office'\naction = 'hold'\n[sets]\noffice = { file = 'office.txt' }\nall = ['@office', '@programs']\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ReadPolicy(filepath.Join(dir, "policy"))
	if err != nil {
		t.Fatal(err)
	}
	if set := p.Rules[0].when[0].set; len(set) != 3 || !set[strings.Repeat("ab", 32)] || !set[strings.Repeat("cd", 32)] || !set[strings.Repeat("ef", 32)] {
		t.Errorf("got %v, want the digests of the file", set)
	}
	if set := p.Rules[1].when[0].set; !set["docx"] || !set["xlsm"] || set["exe"] {
		t.Errorf("got %v, want the extensions of the file, and of the set that it names", set)
	}
}
