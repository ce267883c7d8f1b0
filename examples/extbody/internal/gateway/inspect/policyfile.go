package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/tomltext"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
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
//	[authentication]
//	authserv_id = "mx.example" # whose Authentication-Results count (RFC 8601)
//
//	[sets]
//	office = ["@macros", "docx"] # "@office" stands for these extensions
//
//	[[rule]]
//	name = "malware"  # needed: 1 to 64 letters, digits and "-._", each name once
//	verdict = "malware"
//	action = "reject" # needed: skip, none, tag, inline, subject, copy, notice, strip, redirect, quarantine, hold,
//	                  # defer or reject
//	to = "a@b.example" # needed for redirect and copy: the address that gets the message; for copy also a list
//	text = "[File]"   # needed for subject: the text before the Subject
//	mode = "enforce"  # shadow, tag or enforce; enforce is the default
//
// The conditions are
//
//	verdict, authenticated, min_count, max_count,
//	min_total_size, max_total_size      on the message
//	envelope_from, recipient, client    on its envelope
//	header_from, header, dkim, dkim_domain,
//	spf, dmarc                          on its header
//	dialect, scheme, host, kind, mismatch, min_size, max_size,
//	type, extension, file_name, sha256, scan, signature, unread,
//	encrypted, redirected, min_redirects, max_redirects
//	                                    on a reference
//	not                                 a table of conditions that do not hold together
//	all, any                            a list of such tables
//
// A condition that is a text may also be a list of texts, one of which must match, or
// { file = "NAME" }, a file with one a line, in which # starts a comment. An extension may be the
// name of one of the [Sets], or of one of [sets]. In file_name, signature and header "*" stands for any characters
// and "?" for one. header is a table of fields and their values. A size is a number of octets, or a text such as "10MB".
//
// Every error is a *PolicyError. Nothing is ignored: an unknown field is an error, and
// so is a value or a rule that can never match. It is an error to name a file; see
// [ReadPolicy].
func ParsePolicy(text []byte) (*Policy, error) {
	return parsePolicy(text, func(string) ([]byte, error) { return nil, errors.New("there are no files") })
}

func parsePolicy(text []byte, open func(name string) ([]byte, error)) (*Policy, error) {
	if len(text) > MaxPolicyBytes {
		return nil, &PolicyError{Line: 1, Err: fmt.Errorf("the policy has more than %d octets", MaxPolicyBytes)}
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &PolicyError{Line: 1, Err: errors.New("it is UTF-16: want UTF-8")}
	}
	toml, err := tomltext.Read(text)
	if err != nil {
		return nil, syntaxError(err)
	}
	d := decoder{text: toml, policy: new(Policy), names: make(map[string]bool), open: open, sets: Sets()}
	if err := d.readSets(); err != nil {
		return nil, err
	}
	if err := toml.Each(d.expression); err != nil {
		return nil, syntaxError(err)
	}
	if d.needs != nil && len(d.policy.AuthservIDs) == 0 {
		return nil, d.needs
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d.policy, nil
}

// syntaxError returns the PolicyError for a text that is not TOML, and other errors as they are.
func syntaxError(err error) error {
	e, ok := errors.AsType[*tomltext.Error](err)
	if !ok {
		return err
	}
	if len(e.Key) > 0 && e.Key[len(e.Key)-1] == "name" {
		err = fmt.Errorf("%w as the name of the rule; a condition on the names of the file is file_name", err)
	}
	return &PolicyError{Line: e.Line, Field: strings.Join(e.Key, "."), Err: err}
}

// maxListBytes bounds a file with values.
const maxListBytes = 16 << 20

// ReadPolicy reads the policy in a file. The names of other files in it are relative to
// the folder of the file. An error about the policy is, or wraps, a *PolicyError.
func ReadPolicy(path string) (*Policy, error) {
	text, err := readAtMost(path, MaxPolicyBytes+1)
	if err != nil {
		return nil, err
	}
	p, err := parsePolicy(text, func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		list, err := readAtMost(name, maxListBytes+1)
		if len(list) > maxListBytes {
			err = fmt.Errorf("%s has more than %d octets", name, maxListBytes)
		}
		return list, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Read = time.Now()
	return p, nil
}

func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// A decoder makes a Policy from the expressions of its text.
type decoder struct {
	text   *tomltext.Text
	policy *Policy
	table  string
	line   int // of the field of a rule
	names  map[string]bool
	open   func(name string) ([]byte, error) // reads a list
	sets   map[string][]string               // of extensions, by name
	needs  error                             // of a condition that needs [authentication]
}

func (d *decoder) expression(n *unstable.Node) (err error) {
	key, line := d.key(n)
	field := key
	switch n.Kind {
	case unstable.ArrayTable, unstable.Table:
		list := n.Kind == unstable.ArrayTable
		if list != (key == "rule") || !slices.Contains([]string{"rule", "defer", "authentication", "sets"}, key) {
			err = errors.New("there is no such table: want [defer], [authentication], [sets] or [[rule]]")
		}
		d.table = key
		d.line = line
		if list {
			d.policy.Rules = append(d.policy.Rules, Rule{line: line})
		}
	case unstable.KeyValue:
		if d.table != "" {
			field = d.table + "." + key
		}
		switch v := n.Value(); d.table {
		case "rule":
			d.line = line
			err = d.rule(&d.policy.Rules[len(d.policy.Rules)-1], key, v)
		case "defer":
			err = d.deferral(key, v)
		case "authentication":
			err = d.authentication(key, v)
		case "sets":
		default:
			err = errors.New("a field outside of a table: want [defer], [authentication], [sets] or [[rule]] before it")
		}
	}
	if err != nil {
		return mistake(line, field, err)
	}
	return nil
}

// readSets reads the table [sets], which may be after the rules that name the sets.
func (d *decoder) readSets() error {
	table := ""
	return d.text.Each(func(n *unstable.Node) error {
		key, line := d.key(n)
		if n.Kind == unstable.Table || n.Kind == unstable.ArrayTable {
			table = key
		} else if table == "sets" {
			if err := d.extensions(key, n.Value()); err != nil {
				return mistake(line, "sets."+key, err)
			}
		}
		return nil
	})
}

// extensions reads a named set.
func (d *decoder) extensions(key string, v *unstable.Node) error {
	name := "@" + strings.TrimPrefix(key, "@")
	if d.sets[name] != nil {
		return fmt.Errorf("there is a set %s already", name)
	}
	if !ruleName().MatchString(name[1:]) {
		return errors.New("want a name of 1 to 64 letters, digits and \"-._\"")
	}
	t := &term{field: "extension", set: make(map[string]bool)}
	if err := d.texts(t, v); err != nil {
		return err
	}
	d.sets[name] = slices.Sorted(maps.Keys(t.set))
	return nil
}

// key returns the name of the key of an expression, and its line.
func (d *decoder) key(n *unstable.Node) (string, int) {
	parts, line := d.text.Key(n)
	return strings.Join(parts, "."), line
}

// check returns a mistake in the first rule that lacks a field or can never decide.
func (d *decoder) check() error {
	rules := d.policy.Rules
	missing := errors.New("it is missing")
	for j, r := range rules {
		switch {
		case r.Name == "":
			return mistake(r.line, "rule.name", missing)
		case r.Action == "":
			return mistake(r.line, "rule.action", missing)
		case (r.Action == Redirect || r.Action == Copy) && len(r.To) == 0:
			return mistake(r.line, "rule.to", missing)
		case r.Action != Redirect && r.Action != Copy && len(r.To) > 0:
			return mistake(r.line, "rule.to", errors.New("it needs the action redirect or copy"))
		case r.Action == Redirect && len(r.To) > 1:
			return mistake(r.line, "rule.to", errors.New("it has several addresses: want one for the action redirect"))
		case r.Action == Subject && r.Text == "":
			return mistake(r.line, "rule.text", missing)
		case r.Action != Subject && r.Text != "":
			return mistake(r.line, "rule.text", errors.New("it needs the action subject"))
		}
		var err error
		rules[j].when, err = withSigners(r.when)
		if err != nil {
			return mistake(r.line, "rule.dkim_domain", err)
		}
		r = rules[j]
		early := r.Action == Skip || r.Action == Capture
		if i := slices.IndexFunc(r.when, (*term).later); early && i >= 0 {
			return mistake(r.line, "rule."+r.when[i].field, fmt.Errorf(
				"the action %s is before anything is fetched, so that it is not known", r.Action,
			))
		}
		if r.Action == Capture && r.Mode == TagOnly {
			return mistake(r.line, "rule.mode", errors.New("the action capture does nothing to the message: want shadow or enforce"))
		}
		if a, b := r.contradiction(); a != "" {
			return mistake(r.line, "rule."+a, fmt.Errorf("%q can never match: it contradicts %s", r.Name, b))
		}
		for i := range rules[:j] {
			// A capture does not depend on its place, but where nothing is fetched there is none.
			if before := &rules[i]; before.final() && before.covers(&r) && (r.Action != Capture || before.Action == Skip) {
				return mistake(r.line, "rule.name", fmt.Errorf(
					"%q can never match: %q before it matches the same, and decides", r.Name, before.Name,
				))
			}
		}
	}
	return nil
}

// ruleFields are the fields of a rule that are no conditions.
var ruleFields = []string{"name", "action", "to", "text", "mode"}

// rule reads a field of a rule.
func (d *decoder) rule(r *Rule, key string, v *unstable.Node) error {
	switch {
	case key == "to":
		return values(v, func(v *unstable.Node) error { return r.sendTo(v) })
	case slices.Contains(fields(), key):
		t, err := d.term(key, v, 0)
		r.when = append(r.when, t)
		return err
	case !slices.Contains(ruleFields, key):
		return noField(key, append(fields(), ruleFields...))
	}
	s, err := text(v)
	switch {
	case err != nil:
	case key == "action":
		r.Action, err = oneOf(s, actions)
	case key == "mode":
		r.Mode, err = oneOf(s, modes)
	case key == "text":
		r.Text = s
		err = checkTag(s)
	case isPattern(s):
		err = fmt.Errorf("%q: it is the name of the rule; a condition on the names of the file is file_name", s)
	case !ruleName().MatchString(s):
		err = fmt.Errorf("%q: want 1 to 64 letters, digits and \"-._\"", s)
	case d.names[s]:
		err = fmt.Errorf("%q: another rule has that name", s)
	default:
		r.Name = s
		d.names[s] = true
	}
	return err
}

// sendTo reads an address that gets the message.
func (r *Rule) sendTo(v *unstable.Node) error {
	s, err := text(v)
	if err == nil && (Domain(s) == "" || strings.ContainsAny(s, " <>,\r\n")) {
		err = fmt.Errorf("%q: want an address", s)
	}
	r.To = append(r.To, s)
	return err
}

// fields returns the names of all conditions.
func fields() []string { return append(slices.Sorted(maps.Keys(conditions)), "not", "all", "any") }

// term reads a condition.
func (d *decoder) term(key string, v *unstable.Node, depth int) (*term, error) {
	t := &term{field: key, set: make(map[string]bool)}
	c, known := conditions[key]
	switch {
	case key == "not", key == "all", key == "any":
		if depth == maxDepth {
			return nil, fmt.Errorf("it is more than %d deep", maxDepth)
		}
		return t, d.inner(t, v, depth+1)
	case !known:
		return nil, noField(key, fields())
	case key == "header":
		return d.header(v)
	case c.kind == unstable.Integer:
		var err error
		t.number, err = c.number(v)
		return t, err
	case c.kind == unstable.Bool:
		if v.Kind != unstable.Bool {
			return nil, fmt.Errorf("it is of type %v: want true or false", v.Kind)
		}
		t.set[string(v.Data)] = true
		return t, nil
	}
	if d.needs == nil && slices.Contains([]string{"dkim", "spf", "dmarc"}, key) {
		d.needs = mistake(d.line, "rule."+key, errors.New("it needs the authserv_id of [authentication]"))
	}
	return t, d.texts(t, v)
}

// header reads a table of header fields and their values, all of which must hold.
func (d *decoder) header(v *unstable.Node) (*term, error) {
	table := &term{field: "header"}
	if v.Kind != unstable.InlineTable {
		return nil, fmt.Errorf("it is of type %v: want a table such as { Subject = \"*invoice*\" }", v.Kind)
	}
	for it := v.Children(); it.Next(); {
		key, line := d.key(it.Node())
		if key == "" || strings.ContainsAny(key, ": \t*?") {
			return nil, mistake(line, key, errors.New("want the name of a header field"))
		}
		t := &term{field: "header", name: strings.ToLower(key), set: make(map[string]bool)}
		if err := d.texts(t, it.Node().Value()); err != nil {
			return nil, mistake(line, key, err)
		}
		table.terms = append(table.terms, t)
	}
	if len(table.terms) == 0 {
		return nil, errors.New("an empty table has no fields")
	}
	return table, nil
}

// texts reads a text, a list of texts, or the name of a file with them.
func (d *decoder) texts(t *term, v *unstable.Node) error {
	return values(v, func(v *unstable.Node) error {
		if v.Kind == unstable.InlineTable {
			return d.list(t, v)
		}
		s, err := text(v)
		if err != nil {
			return err
		}
		return d.add(t, s)
	})
}

// add adds a text to the values of a condition, or the texts of a named set.
func (d *decoder) add(t *term, s string) error {
	list := []string{s}
	if t.field == "extension" && strings.HasPrefix(s, "@") {
		list = d.sets[s]
		if list == nil {
			return noSet(s, slices.Sorted(maps.Keys(d.sets)))
		}
	}
	c := conditions[t.field]
	for _, s := range list {
		s, err := c.parse(s)
		if err != nil {
			return err
		}
		if c.glob && isPattern(s) {
			t.globs = append(t.globs, s)
		} else {
			t.set[s] = true
		}
	}
	return nil
}

// inner reads the conditions of "not", which is a table of them, and of "all" and "any",
// which are lists of such tables.
func (d *decoder) inner(t *term, v *unstable.Node, depth int) error {
	if t.field == "not" {
		return d.conditions(t, v, depth)
	}
	if v.Kind != unstable.Array {
		return fmt.Errorf("it is of type %v: want a list of tables", v.Kind)
	}
	return values(v, func(v *unstable.Node) error {
		one := &term{field: "all"}
		t.terms = append(t.terms, one)
		return d.conditions(one, v, depth)
	})
}

// conditions reads a table of conditions.
func (d *decoder) conditions(t *term, v *unstable.Node, depth int) error {
	if v.Kind != unstable.InlineTable {
		return fmt.Errorf("it is of type %v: want a table such as { host = \"a.example\" }", v.Kind)
	}
	for it := v.Children(); it.Next(); {
		key, line := d.key(it.Node())
		one, err := d.term(key, it.Node().Value(), depth)
		if err != nil {
			return mistake(line, key, err)
		}
		t.terms = append(t.terms, one)
	}
	if len(t.terms) == 0 {
		return errors.New("an empty table has no conditions")
	}
	var err error
	t.terms, err = withSigners(t.terms)
	return err
}

// withSigners makes a condition "dkim_domain" the signer of the condition "dkim" beside it.
func withSigners(terms []*term) ([]*term, error) {
	i := slices.IndexFunc(terms, func(t *term) bool { return t.field == "dkim_domain" })
	if i < 0 {
		return terms, nil
	}
	j := slices.IndexFunc(terms, func(t *term) bool { return t.field == "dkim" })
	if j < 0 {
		return nil, errors.New("it needs dkim beside it")
	}
	terms[j].signer = terms[i]
	return slices.Delete(terms, i, i+1), nil
}

// list reads the values of a condition from a file, one a line.
func (d *decoder) list(t *term, v *unstable.Node) error {
	it := v.Children()
	key := ""
	if it.Next() {
		key, _ = d.key(it.Node())
	}
	if key != "file" || !it.IsLast() {
		return errors.New("want { file = \"NAME\" }")
	}
	name, err := text(it.Node().Value())
	if err != nil {
		return err
	}
	values, err := d.open(name)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(values)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		// Some editors begin a file with a byte order mark.
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if line == "" {
			continue
		}
		if err := d.add(t, line); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	return nil
}

// authentication reads a field of [authentication].
func (d *decoder) authentication(key string, v *unstable.Node) error {
	if key != "authserv_id" {
		return noField(key, []string{"authserv_id"})
	}
	return values(v, func(v *unstable.Node) error {
		s, err := text(v)
		if err == nil && (s == "" || strings.ContainsAny(s, " ;")) {
			err = fmt.Errorf("%q: want the name with which Authentication-Results begins", s)
		}
		d.policy.AuthservIDs = append(d.policy.AuthservIDs, strings.ToLower(s))
		return err
	})
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
		return noField(key, []string{"tries", "delay", "retry"})
	}
	return err
}

// mistake returns err as a PolicyError in a field.
func mistake(line int, field string, err error) *PolicyError {
	if e, ok := err.(*PolicyError); ok {
		return &PolicyError{Line: e.Line, Field: field + "." + e.Field, Err: e.Err}
	}
	return &PolicyError{Line: line, Field: field, Err: err}
}

// maxDepth bounds how deep conditions are within one another.
const maxDepth = 10

func text(v *unstable.Node) (string, error) {
	if v.Kind != unstable.String {
		return "", fmt.Errorf("it is of type %v: want a text", v.Kind)
	}
	return string(v.Data), nil
}

// values reads a value, or each value of a list.
func values(v *unstable.Node, read func(*unstable.Node) error) error {
	n := 0
	err := tomltext.Values(v, func(v *unstable.Node) error {
		n++
		return read(v)
	})
	if err == nil && n == 0 {
		err = errors.New("an empty list is never met")
	}
	return err
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

// ruleName matches the names of rules, which stand in header fields too.
var ruleName = lazyregexp.New(`^[a-zA-Z0-9._-]{1,64}$`)

// Needs returns a *PolicyError for the first rule in force whose action a front end can never
// carry out; actions are those that it can, in addition to None, Tag, Defer and Reject.
func (p *Policy) Needs(front string, actions []Action) error {
	for _, r := range p.Rules {
		early := r.Action == Skip || r.Action == Capture
		can := early || slices.Contains(always, r.Action) || slices.Contains(actions, r.Action)
		if cmp.Or(r.Mode, Enforce) == Enforce && !can {
			return mistake(r.line, "rule.action", fmt.Errorf("%q needs the action %s, which %s cannot do", r.Name, r.Action, front))
		}
	}
	return nil
}

// NeedsScanner returns a *PolicyError for the first rule that can match only if bodies are scanned.
func (p *Policy) NeedsScanner() error {
	for _, r := range p.Rules {
		for _, t := range r.when {
			if t.scanned() {
				return mistake(r.line, "rule."+t.field, fmt.Errorf("%q can never match: nothing is scanned without --clamd", r.Name))
			}
		}
	}
	return nil
}

// NeedsArchive returns a *PolicyError for the first rule with the action Capture.
func (p *Policy) NeedsArchive() error {
	for _, r := range p.Rules {
		if r.Action == Capture {
			return mistake(r.line, "rule.action", fmt.Errorf("%q needs --archive", r.Name))
		}
	}
	return nil
}
