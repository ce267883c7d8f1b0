package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// MaxPolicyBytes bounds the text of a policy.
const MaxPolicyBytes = 1 << 20

// A PolicyError is a mistake in the text of a policy.
type PolicyError struct {
	Line  int    // from 1
	Field string // with its table, such as "rule.action"; "" if the text is not TOML
	Err   error
}

// Error names the line and the field.
func (e *PolicyError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d: %s: %v", e.Line, e.Field, e.Err)
}

// Unwrap returns the mistake.
func (e *PolicyError) Unwrap() error { return e.Err }

// ParsePolicy reads a policy, which is TOML:
//
//	[defer]
//	tries = 5         # how often a message is deferred at most: 1 to 1000
//	delay = "30m"     # how long after its first try it is deferred: 1s to 168h
//	retry = "1m"      # retry_after of an Answer with the verdict pending: 1s to 168h
//
//	[[rule]]
//	name = "malware"  # needed: 1 to 64 letters, digits and "-._", each name once
//	verdict = "malware"
//	action = "reject" # needed: none, tag, inline, notice, strip, redirect, quarantine, defer or reject
//	to = "a@b.example" # needed for redirect: the address that gets the message
//	mode = "enforce"  # shadow, tag or enforce; enforce is the default
//
// The conditions are verdict, dialect, host, kind, mismatch, min_size, unread, extension,
// scan, recipient and authenticated. A condition that is a text may also be a list of texts,
// one of which must match. min_size is a number of octets, or a text such as "10MB".
//
// Every error is a *PolicyError. Nothing is ignored: an unknown field is an error, and
// so is a value that can never match.
func ParsePolicy(text []byte) (*Policy, error) {
	if len(text) > MaxPolicyBytes {
		return nil, &PolicyError{Line: 1, Err: fmt.Errorf("the policy has more than %d octets", MaxPolicyBytes)}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // the byte order mark of some editors
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &PolicyError{Line: 1, Err: errors.New("it is UTF-16: want UTF-8")}
	}
	// The library checks the syntax, and that nothing is defined twice.
	var any map[string]any
	if err := toml.Unmarshal(text, &any); err != nil {
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := d.Position()
			return nil, &PolicyError{Line: max(line, 1), Field: strings.Join(d.Key(), "."), Err: errors.New(strings.TrimPrefix(d.Error(), "toml: "))}
		}
		return nil, &PolicyError{Line: 1, Err: err}
	}
	d := decoder{policy: new(Policy), names: make(map[string]bool)}
	d.p.Reset(text)
	for d.p.NextExpression() {
		if err := d.expression(d.p.Expression()); err != nil {
			return nil, err
		}
	}
	if err := d.p.Error(); err != nil {
		return nil, &PolicyError{Line: 1, Err: err}
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if err := d.unreachable(); err != nil {
		return nil, err
	}
	return d.policy, nil
}

// unreadReasons are the values of the condition unread.
var unreadReasons = []string{
	string(externalbody.DiagEncrypted), string(externalbody.DiagPartialMessage), string(externalbody.DiagUnknownEncoding),
	string(externalbody.DiagUnknownCharset), string(externalbody.DiagAmbiguous), string(externalbody.DiagCutShort),
}

// A decoder makes a Policy from the expressions of its text.
type decoder struct {
	p      unstable.Parser
	policy *Policy
	table  string
	line   int   // of the table
	lines  []int // of the rules
	names  map[string]bool
}

func (d *decoder) expression(n *unstable.Node) error {
	key, line := d.key(n)
	fail := func(err error) error {
		field := key
		if n.Kind == unstable.KeyValue && d.table != "" {
			field = d.table + "." + key
		}
		return &PolicyError{Line: line, Field: field, Err: err}
	}
	switch n.Kind {
	case unstable.ArrayTable:
		if err := d.end(); err != nil {
			return err
		}
		if key != "rule" {
			return fail(errors.New("there is no such list: want [[rule]]"))
		}
		d.table, d.line = "rule", line
		d.policy.Rules = append(d.policy.Rules, Rule{})
		d.lines = append(d.lines, line)
		return nil
	case unstable.Table:
		if err := d.end(); err != nil {
			return err
		}
		if key != "defer" {
			return fail(errors.New("there is no such table: want [defer] or [[rule]]"))
		}
		d.table, d.line = "defer", line
		return nil
	case unstable.KeyValue:
		var err error
		switch v := n.Value(); d.table {
		case "rule":
			err = d.rule(&d.policy.Rules[len(d.policy.Rules)-1], key, v)
		case "defer":
			err = d.deferral(key, v)
		default:
			err = errors.New("a field outside of a table: want [defer] or [[rule]] before it")
		}
		if err != nil {
			return fail(err)
		}
	}
	return nil
}

// key returns the name of the key of an expression, and its line.
func (d *decoder) key(n *unstable.Node) (string, int) {
	var parts []string
	line := 0
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if line == 0 {
			line = d.p.Shape(k.Raw).Start.Line
		}
		parts = append(parts, string(k.Data))
	}
	return strings.Join(parts, "."), line
}

// end checks the table that ends here.
func (d *decoder) end() error {
	if d.table != "rule" {
		return nil
	}
	r := &d.policy.Rules[len(d.policy.Rules)-1]
	missing := ""
	switch {
	case r.Name == "":
		missing = "name"
	case r.Action == "":
		missing = "action"
	case r.Action == Redirect && r.To == "":
		missing = "to"
	case r.Action != Redirect && r.To != "":
		return &PolicyError{Line: d.line, Field: "rule.to", Err: errors.New("it needs the action redirect")}
	default:
		return nil
	}
	return &PolicyError{Line: d.line, Field: "rule." + missing, Err: errors.New("it is missing")}
}

// unreachable returns an error for the first rule that can never decide.
func (d *decoder) unreachable() error {
	rules := d.policy.Rules
	for j := range rules {
		for i := range rules[:j] {
			if rules[i].final() && rules[i].covers(&rules[j]) {
				return &PolicyError{Line: d.lines[j], Field: "rule.name", Err: fmt.Errorf("%q can never match: %q before it matches the same, and decides", rules[j].Name, rules[i].Name)}
			}
		}
	}
	return nil
}

// rule reads a field of a rule.
func (d *decoder) rule(r *Rule, key string, v *unstable.Node) (err error) {
	switch key {
	case "name":
		if r.Name, err = text(v); err != nil {
			return err
		}
		if !isName(r.Name) {
			return fmt.Errorf("%q: want 1 to 64 letters, digits and \"-._\"", r.Name)
		}
		if d.names[r.Name] {
			return fmt.Errorf("%q: another rule has that name", r.Name)
		}
		d.names[r.Name] = true
	case "action":
		r.Action, err = value(v, actions)
	case "to":
		if r.To, err = text(v); err == nil && (Domain(r.To) == "" || strings.ContainsAny(r.To, " <>,\r\n")) {
			return fmt.Errorf("%q: want an address", r.To)
		}
	case "mode":
		r.Mode, err = value(v, modes)
	case "verdict":
		r.Verdicts, err = values(v, func(s string) (Verdict, error) { return oneOf(s, verdicts) })
	case "scan":
		r.Scans, err = values(v, func(s string) (Scan, error) {
			if s == unscannedIn {
				return Unscanned, nil
			}
			return oneOf(s, []Scan{ScanClean, Infected, ScanFailed, unscannedIn})
		})
	case "dialect":
		r.Dialects, err = values(v, func(s string) (string, error) { return oneOf(s, append([]string{Standard}, dialect.Names()...)) })
	case "kind":
		r.Kinds, err = values(v, func(s string) (k fetch.Kind, err error) {
			if s == "" {
				return 0, errors.New("it is empty")
			}
			return k, k.UnmarshalText([]byte(s))
		})
	case "host":
		r.Hosts, err = values(v, readHost)
	case "extension":
		r.Extensions, err = values(v, func(s string) (string, error) {
			s = strings.ToLower(strings.TrimPrefix(s, "."))
			if s == "" || strings.ContainsAny(s, "./\\* ") {
				return "", fmt.Errorf("%q is no extension: want what follows the last dot of a name", s)
			}
			return s, nil
		})
	case "recipient":
		r.Recipients, err = values(v, func(s string) (string, error) {
			if s == "" || s == "@" || strings.ContainsAny(s, " *<>") || strings.HasSuffix(s, "@") {
				return "", fmt.Errorf("%q: want an address or a domain", s)
			}
			return strings.ToLower(s), nil
		})
	case "mismatch":
		r.Mismatch, err = boolean(v)
	case "authenticated":
		r.Authenticated, err = boolean(v)
	case "unread":
		r.Unread, err = values(v, func(s string) (string, error) { return oneOf(s, unreadReasons) })
	case "min_size":
		r.MinSize, err = octets(v)
	default:
		return errors.New("there is no such field")
	}
	return err
}

// deferral reads a field of [defer].
func (d *decoder) deferral(key string, v *unstable.Node) (err error) {
	l := &d.policy.Defer
	switch key {
	case "tries":
		if v.Kind != unstable.Integer {
			return fmt.Errorf("it is of type %v: want a whole number", v.Kind)
		}
		n, err := strconv.ParseInt(string(v.Data), 0, 32)
		if err != nil || n < 1 || n > 1000 {
			return fmt.Errorf("%s: want 1 to 1000", v.Data)
		}
		l.Tries = int(n)
	case "delay":
		l.Delay, err = duration(v)
	case "retry":
		l.Retry, err = duration(v)
	default:
		return errors.New("there is no such field")
	}
	return err
}

func text(v *unstable.Node) (string, error) {
	if v.Kind != unstable.String {
		return "", fmt.Errorf("it is of type %v: want a text", v.Kind)
	}
	return string(v.Data), nil
}

func value[T ~string](v *unstable.Node, of []T) (T, error) {
	s, err := text(v)
	if err != nil {
		return "", err
	}
	return oneOf(s, of)
}

// values reads a text or a list of texts.
func values[T any](v *unstable.Node, parse func(string) (T, error)) ([]T, error) {
	var list []T
	add := func(v *unstable.Node) error {
		s, err := text(v)
		if err != nil {
			return err
		}
		t, err := parse(s)
		if err == nil {
			list = append(list, t)
		}
		return err
	}
	if v.Kind != unstable.Array {
		return list, add(v)
	}
	for it := v.Children(); it.Next(); {
		if it.Node().Kind == unstable.Comment {
			continue
		}
		if err := add(it.Node()); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, errors.New("an empty list is never met")
	}
	return list, nil
}

func boolean(v *unstable.Node) (*bool, error) {
	if v.Kind != unstable.Bool {
		return nil, fmt.Errorf("it is of type %v: want true or false", v.Kind)
	}
	b := string(v.Data) == "true"
	return &b, nil
}

func duration(v *unstable.Node) (time.Duration, error) {
	s, err := text(v)
	if err != nil {
		return 0, err
	}
	t, err := time.ParseDuration(s)
	if err != nil || t < time.Second || t > 7*24*time.Hour {
		return 0, fmt.Errorf("%q: want a time from 1s to 168h, such as 30m", s)
	}
	return t, nil
}

// units are the units of sizes, the longer names first.
var units = []struct {
	name   string
	octets int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}}

// octets reads a number of octets, at least 1.
func octets(v *unstable.Node) (int64, error) {
	number, unit := string(v.Data), int64(1)
	switch v.Kind {
	case unstable.Integer:
		number = strings.ReplaceAll(number, "_", "")
	case unstable.String:
		for _, u := range units {
			if n, ok := strings.CutSuffix(number, u.name); ok {
				number, unit = strings.TrimSpace(n), u.octets
				break
			}
		}
	default:
		return 0, fmt.Errorf("it is of type %v: want a number of octets", v.Kind)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%s: want a number of octets, at least 1, such as 1000 or \"10MB\"", v.Data)
	}
	return n * unit, nil
}

// readHost reads the name of a host.
func readHost(s string) (string, error) {
	h := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(s, "*."), "."))
	bad := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' || r == '[' || r == ']' || r == ':')
	}
	if h == "" || strings.HasPrefix(h, ".") || strings.ContainsFunc(h, bad) {
		return "", fmt.Errorf("%q is no host: want a name in ASCII, which stands for all names below it as well", s)
	}
	return h, nil
}

// isName reports whether s can be the name of a rule, also in a header field.
func isName(s string) bool {
	ok := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._", r)
	}
	return s != "" && len(s) <= 64 && !slices.ContainsFunc([]rune(s), func(r rune) bool { return !ok(r) })
}
