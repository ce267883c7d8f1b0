package inspect

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/pelletier/go-toml/v2/unstable"
	"golang.org/x/net/publicsuffix"
)

// A condition is a field of a rule.
type condition struct {
	kind   unstable.Kind // of its value: String, which can be a list, Bool or Integer
	item   bool          // it is about a reference
	who    bool          // it is about the client, the envelope, the sender or their authentication
	many   bool          // strict rules and others can differ: see [Rule]
	parse  func(string) (string, error)
	glob   bool                                // a text may be a pattern
	number func(*unstable.Node) (int64, error) // for one with a number
	wider  func(string) iter.Seq[string]       // a value, and the others that include it
	facts  func(*query) facts
}

// An outcome is a set of the three constants. A name that has several readings can meet a
// condition by one and not by another.
type outcome uint8

// met reports whether a condition is met. For a strict rule one fact is enough. For any
// other rule all facts must be known, and the condition must hold for all of them.
func (o outcome) met(strict bool) bool { return o == holds || strict && o&holds != 0 }

func (o outcome) not() outcome { return o&open | o&holds<<1 | o&fails>>1 }

const (
	holds outcome = 1 << iota // for one of the facts
	fails                     // for one of the facts
	open                      // a fact is not known
)

// all returns the outcome of several conditions together.
func all(terms []*term, of func(*term) outcome) outcome {
	sum := holds
	for _, t := range terms {
		o := of(t)
		if o == fails {
			return fails
		}
		sum = sum&o&holds | (sum|o)&(fails|open)
	}
	return sum
}

// A term is a condition with its values.
type term struct {
	field  string
	name   string          // of the header field, for "header"; "" for a table of them
	set    map[string]bool // for a field of conditions with texts or a boolean
	globs  []string        // patterns beside the set
	number int64           // for one with a number
	terms  []*term         // for "all", "any" and "not"
	signer *term           // for "dkim": the domains of the signatures that count; nil for the domains of the sender
}

// outcome returns the outcome for the reference and the recipient of q. negated is whether t is
// within an odd number of "not". For a strict rule such a condition is an exception, which must be
// proven: an unknown fact about the sender does not meet it (OP-41).
func (t *term) outcome(q *query, negated bool) outcome {
	switch {
	case t.field == "any":
		return all(t.terms, func(t *term) outcome { return t.outcome(q, negated).not() }).not()
	case t.field == "not":
		return all(t.terms, func(t *term) outcome { return t.outcome(q, !negated) }).not()
	case t.terms != nil:
		return all(t.terms, func(t *term) outcome { return t.outcome(q, negated) })
	}
	known, at := q.known(t)
	if known[at] == 0 {
		known[at] = t.test(t.facts(q))
	}
	mustBeProven := negated && q.strict && conditions[t.field].who
	if known[at] == open && mustBeProven {
		return fails
	}
	return known[at]
}

// facts returns the facts that the condition is about.
func (t *term) facts(q *query) facts {
	switch t.field {
	case "dkim":
		return q.signatures(t.signer)
	case "header":
		return q.headerField(t.name)
	}
	return conditions[t.field].facts(q)
}

// exceptions adds the fields about the sender that are within an odd number of "not" to list.
func (t *term) exceptions(negated bool, list []string) []string {
	isException := negated && t.terms == nil && conditions[t.field].who
	if isException && !slices.Contains(list, t.field) {
		list = append(list, t.field)
	}
	for _, inner := range t.terms {
		list = inner.exceptions(negated != (t.field == "not"), list)
	}
	return list
}

// scanned reports whether the condition holds only for bodies that were scanned.
func (t *term) scanned() bool {
	switch t.field {
	case "verdict":
		return len(t.set) == 1 && t.set[string(Malware)]
	case "scan":
		return !t.set[unscannedIn]
	case "signature":
		return true
	case "all":
		return slices.ContainsFunc(t.terms, (*term).scanned)
	case "any":
		return !slices.ContainsFunc(t.terms, func(t *term) bool { return !t.scanned() })
	}
	return false
}

// later reports whether the condition needs a body, or the verdict.
func (t *term) later() bool {
	if t.terms != nil {
		return slices.ContainsFunc(t.terms, (*term).later)
	}
	return !conditions[t.field].who && !slices.Contains([]string{"dialect", "host", "scheme"}, t.field)
}

// uses reports whether the condition, or one in it, is about a field.
func (t *term) uses(field string) bool {
	return t.field == field || slices.ContainsFunc(t.terms, func(t *term) bool { return t.uses(field) })
}

func (t *term) test(f facts) (o outcome) {
	if f.open {
		o = open
	}
	for _, v := range f.values {
		if t.has(v) {
			o |= holds
		} else {
			o |= fails
		}
	}
	if o&holds == 0 && slices.ContainsFunc(f.hidden, t.has) {
		o |= holds | fails
	}
	if o == 0 {
		return fails
	}
	return o
}

// has reports whether a fact, or a value of another condition, meets the condition.
func (t *term) has(value string) bool {
	if t.number != 0 {
		n, _ := strconv.ParseInt(value, 10, 64)
		if strings.HasPrefix(t.field, "max_") {
			return n <= t.number
		}
		return n >= t.number
	}
	if slices.ContainsFunc(t.globs, func(pattern string) bool { return matches(pattern, value) }) {
		return true
	}
	wider := conditions[t.field].wider
	if wider == nil {
		return t.set[value]
	}
	for v := range wider(value) {
		if t.set[v] {
			return true
		}
	}
	return false
}

// covers reports whether t holds whenever o does.
func (t *term) covers(o *term) bool {
	switch {
	case t.field != o.field || t.name != o.name, len(o.set)+len(o.globs) > maxCovered, !reflect.DeepEqual(t.signer, o.signer):
		return false
	case t.terms != nil:
		return reflect.DeepEqual(t, o)
	case t.number != 0:
		return t.has(strconv.FormatInt(o.number, 10))
	}
	for v := range o.set {
		if !t.has(v) {
			return false
		}
	}
	return !slices.ContainsFunc(o.globs, func(pattern string) bool { return !slices.Contains(t.globs, pattern) })
}

// single reports whether t has one fact, which is the same for strict and other rules.
func (t *term) single() bool { return t.terms == nil && !conditions[t.field].many }

// maxCovered bounds the values of a list that is compared with the lists of other rules.
const maxCovered = 1000

// A query is the trial of rules on the references of a message, for a recipient.
type query struct {
	trusted   []string // AuthservIDs of the Policy
	rep       *Report
	items     []*Ref // of rep
	env       *Envelope
	recipient string
	strict    bool // the rule is; see [Rule]
	at        int  // of the reference in items
	own       map[*term][]outcome
}

func (q *query) ref() *Ref { return q.items[q.at] }

// known returns the outcomes of t that are known, and the index of the one to be had.
// Those that do not depend on the recipient are kept in the Report.
func (q *query) known(t *term) (known []outcome, at int) {
	of := &q.rep.known
	n := 1
	if t.field == "recipient" {
		of = &q.own
	} else if conditions[t.field].item {
		at = q.at
		n = len(q.items)
	}
	if *of == nil {
		*of = make(map[*term][]outcome)
	}
	if (*of)[t] == nil {
		(*of)[t] = make([]outcome, n)
	}
	return (*of)[t], at
}

// headerField returns the values of a field in the header of the message.
func (q *query) headerField(name string) facts {
	if q.rep.header == nil {
		return facts{open: true}
	}
	h := q.rep.header
	return facts{values: h.fields[name], hidden: h.seen[name], open: h.more}
}

// authentication returns the results of a method by the hosts that the policy trusts.
func (q *query) authentication(method string) facts {
	values, known := q.rep.header.outcomes(method, q.trusted)
	return facts{values: values, open: !known}
}

// signatures returns the results of the DKIM signatures of some domains: of those that signer
// has, or, if it is nil, of the ones that are aligned with the sender (RFC 7489 section 3.1.1).
// One signature that passes is enough (RFC 6376 section 6.1).
func (q *query) signatures(signer *term) facts {
	h := q.rep.header
	list, known := h.signatures(q.trusted)
	if !known {
		return facts{open: true}
	}
	var f facts
	for _, r := range list {
		switch {
		case signer != nil && !signer.has(r.domain), signer == nil && !aligned(r.domain, Domain(h.from)):
		case r.value == "pass":
			return fact("pass")
		default:
			f.values = append(f.values, r.value)
		}
	}
	if f.values == nil {
		return fact("none")
	}
	return f
}

// aligned reports whether two domains belong to one organization (RFC 7489 section 3.2).
func aligned(a, b string) bool {
	if _, err := netip.ParseAddr(a); err == nil {
		return a == b
	}
	of := func(domain string) string {
		domain, err := host.Canonical(domain)
		if err != nil {
			return ""
		}
		// A public suffix is an organization of its own.
		org, err := publicsuffix.EffectiveTLDPlusOne(domain)
		if err != nil {
			return domain
		}
		return org
	}
	return of(a) != "" && of(a) == of(b)
}

// facts are the facts that a condition is about.
type facts struct {
	values []string
	hidden []string // a strict rule sees these as well
	open   bool     // not all values are known
}

// fact returns the one value of a condition. An empty one is not known.
func fact[T ~string](v T) facts {
	if v == "" {
		return facts{open: true}
	}
	return facts{values: []string{string(v)}}
}

// conditions are the fields of a rule that compare something.
var conditions = map[string]*condition{
	"verdict": {parse: among(verdicts...), facts: func(q *query) facts { return fact(q.rep.Verdict) }},
	"authenticated": {who: true, kind: unstable.Bool, facts: func(q *query) facts {
		return fact(strconv.FormatBool(q.env.Authenticated))
	}},
	"recipient":     {who: true, parse: readAddress, wider: addresses, facts: func(q *query) facts { return fact(q.recipient) }},
	"envelope_from": {who: true, parse: readAddress, wider: addresses, facts: func(q *query) facts { return fact(q.env.From) }},
	"header_from": {who: true, parse: readAddress, wider: addresses, facts: func(q *query) facts {
		if q.rep.header == nil {
			return facts{open: true}
		}
		if q.rep.header.from == "" {
			return facts{} // the From fields name no one sender
		}
		return fact(q.rep.header.from)
	}},
	"client": {who: true, parse: readNetwork, wider: networks, facts: func(q *query) facts {
		if !q.env.Client.IsValid() {
			return facts{open: true}
		}
		return fact(q.env.Client.Unmap().WithZone("").String())
	}},
	"header":      {who: true, many: true, parse: readPattern, glob: true}, // see [term.facts]
	"dkim":        {who: true, many: true, parse: among(results...)},       // see [term.facts]
	"dkim_domain": {who: true, parse: readHost, wider: host.Domains},       // only as the signer of a term
	"spf":         {who: true, many: true, parse: among(results...), facts: func(q *query) facts { return q.authentication("spf") }},
	"dmarc":       {who: true, many: true, parse: among(results...), facts: func(q *query) facts { return q.authentication("dmarc") }},

	"dialect": {item: true, parse: among(append([]string{Standard}, dialect.Names()...)...), facts: func(q *query) facts { return fact(q.ref().Dialect) }},
	"scheme":  {item: true, parse: among(schemes...), facts: func(q *query) facts { return fact(q.ref().Scheme) }},
	"host": {item: true, parse: readURLHost, wider: hosts, facts: func(q *query) facts {
		if q.ref().Dialect == "" {
			return facts{open: true}
		}
		return facts{values: []string{(&url.URL{Host: q.ref().Host}).Hostname()}}
	}},
	"kind": {item: true, many: true, parse: among(kinds()...), facts: func(q *query) facts {
		r := q.ref()
		values := []string{r.Kind.String()}
		if errors.Is(r.Kind, fetch.DigestMismatch) && r.Kind != fetch.DigestMismatch {
			values = append(values, fetch.DigestMismatch.String()) // of rules that are older than the Kind
		}
		return facts{values: values, open: r.State == StillToCome && r.Kind == 0}
	}},
	"mismatch": {kind: unstable.Bool, item: true, many: true, facts: func(q *query) facts {
		r := q.ref()
		is := r.Mismatch || r.Disguise != ""
		return facts{values: []string{strconv.FormatBool(is)}, open: r.State != Known && !is}
	}},
	"encrypted": {kind: unstable.Bool, item: true, many: true, facts: func(q *query) facts {
		r := q.ref()
		is := r.Encrypted || r.unread == string(externalbody.DiagEncrypted)
		return facts{values: []string{strconv.FormatBool(is)}, open: r.State != Known && !is}
	}},
	"redirected": {kind: unstable.Bool, item: true, many: true, facts: func(q *query) facts {
		if q.ref().State != Known {
			return facts{open: true}
		}
		return fact(strconv.FormatBool(q.ref().Redirected))
	}},
	"min_redirects":  {kind: unstable.Integer, number: count, item: true, many: true, facts: func(q *query) facts { return atLeast(redirects(q)) }},
	"max_redirects":  {kind: unstable.Integer, number: count, item: true, many: true, facts: func(q *query) facts { return atMost(redirects(q)) }},
	"min_size":       {kind: unstable.Integer, number: octets, item: true, many: true, facts: size},
	"max_size":       {kind: unstable.Integer, number: octets, item: true, many: true, facts: size},
	"min_total_size": {kind: unstable.Integer, number: octets, many: true, facts: func(q *query) facts { return atLeast(totalSize(q.rep)) }},
	"max_total_size": {kind: unstable.Integer, number: octets, many: true, facts: func(q *query) facts { return atMost(totalSize(q.rep)) }},
	"min_count":      {kind: unstable.Integer, number: count, many: true, facts: func(q *query) facts { return atLeast(references(q.rep)) }},
	"max_count":      {kind: unstable.Integer, number: count, many: true, facts: func(q *query) facts { return atMost(references(q.rep)) }},
	"unread": {item: true, many: true, parse: among(unreadReasons...), facts: func(q *query) facts {
		f := facts{values: []string{cmp.Or(q.ref().unread, q.ref().Within)}}
		if q.ref().wrapped() {
			f.hidden = []string{string(unreadWrapper)}
		}
		return f
	}},
	"file_name": {item: true, many: true, parse: readPattern, glob: true, facts: func(q *query) facts {
		r := q.ref()
		return facts{
			values: slices.Concat(r.names.written(), r.finding.names.written()),
			hidden: slices.Concat(r.names.all(), r.finding.names.all(), r.memberNames.all()),
			open:   r.State != Known && !r.promised,
		}
	}},
	"sha256": {item: true, parse: readSHA256, facts: func(q *query) facts { return fact(q.ref().SHA256) }},
	"signature": {item: true, many: true, parse: readPattern, glob: true, facts: func(q *query) facts {
		r := q.ref()
		if r.Signature == "" {
			return facts{open: r.Scan != ScanClean}
		}
		return fact(folded(r.Signature))
	}},
	"extension": {item: true, many: true, parse: readExtension, facts: func(q *query) facts {
		r := q.ref()
		f := facts{
			values: slices.Concat(r.extensions, r.finding.extensions),
			hidden: slices.Concat(r.members, r.said, r.implied), open: r.State != Known && !r.promised,
		}
		isProgramName := func(ext string) bool { return ext != "bin" && filekind.IsProgramName(ext) }
		if r.Mismatch || filekind.IsProgram(r.Sniffed) && !slices.ContainsFunc(f.values, isProgramName) {
			f.values = append(f.values, r.implied...)
		}
		return f
	}},
	"type": {item: true, many: true, parse: readType, wider: types, facts: mediaTypes},
	"scan": {item: true, many: true, parse: among(ScanClean, Infected, ScanFailed, unscannedIn), facts: func(q *query) facts {
		return facts{values: []string{string(cmp.Or(q.ref().Scan, unscannedIn))}, open: q.ref().State == StillToCome}
	}},
}

// unreadWrapper is a link of a gateway whose target could not be read, of whatever form it is.
const unreadWrapper externalbody.DiagCode = "wrapper"

// unreadReasons are the values of the condition unread.
var unreadReasons = []externalbody.DiagCode{
	externalbody.DiagEncrypted, externalbody.DiagPartialMessage, externalbody.DiagMissingBody, externalbody.DiagUnknownEncoding,
	externalbody.DiagUnknownCharset, externalbody.DiagAmbiguous, externalbody.DiagDecoding, externalbody.DiagOpaqueLink,
	externalbody.DiagCutShort, filekind.Archive, unreadWrapper,
}

// schemes are the values of the condition scheme.
var schemes = []string{"http", "https", "ftp", "ftps", "data", "mailto", "tftp", "imap", "imaps", "file"}

// among returns the function that reads one of some words.
func among[T ~string](words ...T) func(string) (string, error) {
	return func(s string) (string, error) {
		word, err := oneOf(s, words)
		return string(word), err
	}
}

// kinds are the values of the condition kind.
func kinds() (list []string) {
	for k := range fetch.Kinds() {
		list = append(list, k.String())
	}
	return list
}

func readExtension(s string) (string, error) {
	s = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(s, "*"), "."))
	if s == "" || strings.ContainsAny(s, "./\\* \x00") {
		return "", fmt.Errorf("%q is no extension: want what follows the last dot of a name", s)
	}
	return s, nil
}

// size returns the octets of the body, or the announced ones if it could not be had.
func size(q *query) facts {
	switch r := q.ref(); {
	case r.State == Known:
		return fact(strconv.FormatInt(r.Octets, 10))
	case r.Size < 0:
		return facts{open: true}
	default:
		return facts{values: []string{strconv.FormatInt(r.Size, 10)}, open: !r.promised}
	}
}

// redirects returns how many URLs led on to another one, and whether the body came after them.
func redirects(q *query) (n int64, whole bool) { return int64(q.ref().hops), q.ref().State == Known }

// totalSize returns the octets of all bodies of a message together, or the announced ones, and whether all are
// known.
func totalSize(rep *Report) (sum int64, whole bool) {
	whole = rep.whole()
	for i := range rep.Refs {
		switch r := &rep.Refs[i]; {
		case r.State == Known:
			sum += r.Octets
		case r.Size >= 0 && r.Size < math.MaxInt64-sum:
			sum += r.Size
			whole = whole && r.promised
		default:
			whole = false
		}
	}
	return sum, whole
}

// references returns how many references a message has, and whether all are known.
func references(rep *Report) (n int64, whole bool) { return int64(len(rep.Refs)), rep.whole() }

// atLeast returns the facts of a condition about the least of a number, of which more may come.
func atLeast(n int64, whole bool) facts {
	f := atMost(n, whole)
	if !whole {
		f.hidden = []string{strconv.FormatInt(n, 10)}
	}
	return f
}

// atMost returns the facts of a condition about the most of a number, of which more may come.
func atMost(n int64, whole bool) facts {
	if !whole {
		return facts{open: true}
	}
	return facts{values: []string{strconv.FormatInt(n, 10)}}
}

// mediaTypes returns the types that the message and the server give the body, and the one that its
// first octets show if the others say nothing, or if it contradicts them. A type that stands for any
// data says nothing.
func mediaTypes(q *query) facts {
	r := q.ref()
	f := facts{open: r.State != Known && !r.promised}
	general := func(t string) bool { return t == "" || t == "application/octet-stream" }
	types := slices.DeleteFunc([]string{filekind.Essence(r.Said), r.Served}, func(t string) bool { return t == "" })
	f.values = slices.DeleteFunc(slices.Clone(types), general)
	if len(f.values) == 0 && general(r.Sniffed) {
		f.values = types
	}
	f.hidden = types
	switch {
	case general(r.Sniffed):
	case r.Mismatch, len(f.values) == 0:
		f.values = append(f.values, r.Sniffed)
	default:
		f.hidden = append(f.hidden, r.Sniffed)
	}
	return f
}

func readType(s string) (string, error) {
	major, minor, ok := strings.Cut(s, "/")
	isWhole := ok && major != "" && minor != ""
	partOf := isPattern(major) || minor != "*" && isPattern(minor)
	if !isWhole || partOf || strings.ContainsAny(s, " ;") {
		return "", fmt.Errorf("%q: want a media type such as application/pdf, or a family such as image/*, which stands for all of it", s)
	}
	return strings.ToLower(s), nil
}

// types yields a media type and the one that stands for all of its family.
func types(t string) iter.Seq[string] {
	major, _, _ := strings.Cut(t, "/")
	return slices.Values([]string{t, major + "/*"})
}

func readHost(s string) (string, error) {
	h, err := host.Canonical(strings.TrimPrefix(s, "*."))
	if err != nil {
		return "", fmt.Errorf("%q is no host: want a name, which stands for all names below it as well", s)
	}
	return h, nil
}

// anyPunycode is a host of which a label is in Punycode (RFC 5890 section 2.3.2.1).
const anyPunycode = "xn--*"

// readURLHost reads the name of a host, a range of addresses, or anyPunycode.
func readURLHost(s string) (string, error) {
	switch {
	case s == anyPunycode:
		return s, nil
	case strings.Contains(s, "/") && !strings.Contains(s, "//"):
		return readNetwork(s)
	case isPattern(strings.TrimPrefix(s, "*.")):
		return "", fmt.Errorf(
			"%q: want a name, which stands for all names below it as well, a range such as 192.0.2.0/24, or %s", s,
			anyPunycode,
		)
	}
	return readHost(s)
}

// hosts yields a host, and the values that include it: the domains that it is below, the ranges that the address is
// in, and anyPunycode.
func hosts(h string) iter.Seq[string] {
	return func(yield func(string) bool) {
		punycode := slices.ContainsFunc(strings.Split(h, "."), func(label string) bool { return strings.HasPrefix(label, "xn--") })
		if punycode && !yield(anyPunycode) {
			return
		}
		for d := range host.Domains(h) {
			if !yield(d) {
				return
			}
		}
		networks(h)(yield)
	}
}

// readSHA256 reads a digest in hexadecimal, after which there may be a name, as sha256sum writes it: with a backslash
// before the digest if the name has one.
func readSHA256(s string) (string, error) {
	word := strings.TrimPrefix(strings.ToLower(s), `\`)
	if end := strings.IndexAny(word, " \t"); end >= 0 {
		word = word[:end]
	}
	if sum, err := hex.DecodeString(word); err != nil || len(sum) != sha256.Size {
		return "", fmt.Errorf("%q: want the 64 hexadecimal digits of a SHA-256", s)
	}
	return word, nil
}

// readNetwork reads an address or a range of addresses.
func readNetwork(s string) (string, error) {
	p, err := prefix(s)
	if err != nil || p.Addr().Is4In6() {
		return "", fmt.Errorf("%q: want an address, or a range such as 192.0.2.0/24", s)
	}
	return p.String(), nil
}

func prefix(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Unmap().Prefix(a.Unmap().BitLen())
	}
	p, err := netip.ParsePrefix(s)
	return p.Masked(), err
}

// networks yields a range of addresses and those that include it, of an address too.
func networks(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		p, err := prefix(s)
		for more := err == nil; more && yield(p.String()) && p.Bits() > 0; {
			p = netip.PrefixFrom(p.Addr(), p.Bits()-1).Masked()
		}
	}
}

// readAddress reads an address, "@" and a domain for the addresses of that domain alone,
// a domain for those below it as well, or "<>" for the sender of a bounce.
func readAddress(s string) (string, error) {
	i := strings.LastIndexByte(s, '@')
	domain, err := host.Canonical(s[i+1:])
	switch {
	case s == "<>":
		return s, nil
	case err != nil || strings.ContainsAny(s[:i+1], " *<>"):
		if domain, below := strings.CutPrefix(s, "*."); below {
			return "", fmt.Errorf("%q: want %q, which stands for all addresses there and below", s, domain)
		}
		if domain, of := strings.CutPrefix(s, "*@"); of {
			return "", fmt.Errorf("%q: want %q, which stands for all its addresses", s, "@"+domain)
		}
		return "", fmt.Errorf("%q: want an address or a domain", s)
	}
	return mailbox(s[:i+1] + domain), nil
}

// addresses yields an address, "@" and its domain, and the domains that it is below.
func addresses(address string) iter.Seq[string] {
	return func(yield func(string) bool) {
		address = mailbox(address)
		i := strings.LastIndexByte(address, '@')
		for d := range host.Domains(address[i+1:]) {
			if i >= 0 && (!yield(address[:i+1]+d) || i > 0 && !yield("@"+d)) {
				return
			}
			i = -1
			if !yield(d) {
				return
			}
		}
	}
}

// mailbox returns an address in the form in which addresses are compared: in lower
// case, without a route (RFC 5321 appendix C), without the quotes of its local part,
// which have no meaning (RFC 5321 section 4.1.2), and without a dot after its domain.
func mailbox(address string) string {
	address = strings.TrimSuffix(strings.ToLower(address), ".")
	if strings.HasPrefix(address, "@") {
		if _, after, ok := strings.Cut(address, ":"); ok {
			address = after
		}
	}
	i := strings.LastIndexByte(address, '@')
	if i < 2 || address[0] != '"' || address[i-1] != '"' {
		return address
	}
	return quotedPair().ReplaceAllString(address[1:i-1], "$1") + address[i:]
}

// quotedPair matches a character after a backslash (RFC 5321 section 4.1.2).
var quotedPair = lazyregexp.New(`(?s)\\(.?)`)

// oneOf returns the value that s stands for.
func oneOf[T ~string](s string, values []T) (T, error) {
	if i := slices.Index(values, T(s)); i >= 0 {
		return values[i], nil
	}
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	if word := nearest(s, words); word != "" {
		return "", fmt.Errorf("%q is none of %v: the nearest one is %s", s, values, word)
	}
	return "", fmt.Errorf("%q is none of %v", s, values)
}
