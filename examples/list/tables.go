package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A table is a Go file that is generated from the list.
type table struct {
	path string // from the folder of the list
	text []byte
}

// tables returns the Go files.
func tables(l *list) ([]table, error) {
	var all []table
	for _, t := range []struct {
		path string
		make func(*compiler) (string, error)
	}{
		{"../../internal/link/sharelink/tables.go", linkTables},
		{"../../internal/link/unwrap/tables.go", wrapperTables},
		{"../../internal/link/interstitial/tables.go", pageTables},
	} {
		text, err := t.make(newCompiler(l))
		if err != nil {
			return nil, err
		}
		formatted, err := format.Source([]byte("// Code generated from examples/list/list.json. DO NOT EDIT.\n\n" + text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.path, err)
		}
		all = append(all, table{t.path, formatted})
	}
	return all, nil
}

const linksHeader = `package sharelink

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

`

func linkTables(c *compiler) (string, error) {
	l := c.list
	sets := newShared()
	var b strings.Builder
	b.WriteString(linksHeader)
	fmt.Fprintf(
		&b, "// pageNames are words that pages have for names, and that are as long as random IDs.\n"+
			"var pageNames = %s\n\n",
		goStrings(l.Words),
	)
	rows := func(name, doc string, list []row) {
		names := newNames("row")
		fmt.Fprintf(&b, "// %s\nvar %s = []rule{\n", doc, name)
		for i := range list {
			b.WriteString("{" + c.rule(sets, &list[i]) + "},\n")
			names.add(list[i].Provider, plain([]any{list[i].Hosts, list[i].Prefixes, list[i].Paths, list[i].Mark, list[i].Param}))
		}
		b.WriteString("}\n\n")
		b.WriteString(names.declarations())
		hosts := func(i int) []string { return c.expandSets(list[i].Hosts) }
		b.WriteString("// " + name + "ByHost has the rows of " + name + " by host.\n" +
			"var " + name + "ByHost = " + goHosts(weburl.NewHosts(len(list), hosts), names) + "\n\n")
	}
	rows("rules", "rules has the shapes of links at known hosts. The first row that matches a URL counts.", l.Links)
	rows("guesses", "guesses has shapes of links that only one program has, at any host.", l.Guesses)
	b.WriteString("// software has the shapes of links at hosts that a caller names.\nvar software = []program{\n")
	for i := 0; i < len(l.Software); {
		first := &l.Software[i]
		fmt.Fprintf(&b, "{%s, []rule{\n", goStrings(append([]string{first.Provider}, first.Also...)))
		for ; i < len(l.Software) && l.Software[i].Provider == first.Provider; i++ {
			b.WriteString("{" + c.rule(sets, &l.Software[i]) + "},\n")
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n\n")
	b.WriteString(sets.declarations())
	b.WriteString("// digests has a digest of each row, also of wrappers, and one of all else.\nvar digests = [...]uint64{\n")
	for _, d := range digestsOf(l) {
		fmt.Fprintf(&b, "0x%s,\n", d)
	}
	b.WriteString("}\n\n")
	c.writePatterns(&b)
	return b.String(), c.err
}

// digestsOf returns the digests of links and wrappers, in order.
func digestsOf(l *list) []string {
	var all []string
	add := func(v any) {
		sum := sha256.Sum256(plain(v))
		all = append(all, hex.EncodeToString(sum[:8]))
	}
	for kind, rows := range [][]row{l.Links, l.Software, l.Guesses} {
		for _, r := range rows {
			r.Source = ""
			r.Year = 0
			r.Note = ""
			r.Is = nil
			r.Not = nil
			add([]any{kind, r})
		}
	}
	for _, w := range l.Wrappers {
		w.Source = ""
		w.Note = ""
		w.Is = nil
		w.Not = nil
		add(w)
	}
	for _, shared := range []any{l.Sets, l.Patterns, l.Pieces, l.Words} {
		add(shared)
	}
	slices.Sort(all)
	return all
}

// rule returns the fields of a rule.
func (c *compiler) rule(sets *shared, r *row) string {
	f := newFields()
	f.text("provider", r.Provider)
	f.add("hosts", sets.name("hosts", c.expandSets(r.Hosts)))
	paths := r.Paths
	if r.Prefixes != nil {
		paths = nil
		for _, prefix := range c.expandSets(r.Prefixes) {
			for _, p := range r.Paths {
				paths = append(paths, prefix+p)
			}
		}
	}
	f.add("paths", sets.name("paths", paths))
	f.text("param", r.Param)
	f.text("mark", r.Mark)
	cases := r.Cases
	if cases == nil {
		cases = []form{{}}
	}
	var forms []string
	for _, own := range cases {
		forms = append(forms, "{"+c.form(merged(r.form, own))+"}")
	}
	f.add("cases", "[]form{"+strings.Join(forms, ",\n")+"}")
	if c.err != nil {
		c.err = fmt.Errorf("%s %q: %w", r.Provider, r.Paths, c.err)
	}
	return f.String()
}

// merged returns a case with the fields of its row. Pieces and conditions of both count.
func merged(f, own form) form {
	take := maps.Clone(f.Take)
	if take == nil {
		take = make(map[string]texts)
	}
	maps.Copy(take, own.Take)
	return form{
		Take: take, If: slices.Concat(f.If, own.If), Unless: slices.Concat(f.Unless, own.Unless),
		ID: or(own.ID, f.ID), Token: cmp.Or(own.Token, f.Token), Min: cmp.Or(own.Min, f.Min), Random: own.Random || f.Random, Partial: own.Partial || f.Partial,
		Kind: cmp.Or(own.Kind, f.Kind), Name: or(own.Name, f.Name), Direct: or(own.Direct, f.Direct), Ask: or(own.Ask, f.Ask), Find: or(own.Find, f.Find),
		Needs: cmp.Or(own.Needs, f.Needs), Once: own.Once || f.Once, Cookies: own.Cookies || f.Cookies, Encrypted: own.Encrypted || f.Encrypted,
		Whole: or(own.Whole, f.Whole), Rendition: own.Rendition || f.Rendition, Type: cmp.Or(own.Type, f.Type),
		Fallback: or(own.Fallback, f.Fallback), FallbackType: cmp.Or(own.FallbackType, f.FallbackType),
		Size: or(own.Size, f.Size), Expires: or(own.Expires, f.Expires), ExpiresMS: or(own.ExpiresMS, f.ExpiresMS),
	}
}

func or(a, b texts) texts {
	if a != nil {
		return a
	}
	return b
}

// form returns the fields of a form.
func (c *compiler) form(own form) string {
	s := c.newScope(own.Take)
	if own.ID != nil {
		s.define("id", own.ID)
	}
	if own.Name != nil {
		s.define("name", own.Name)
	}
	f := newFields()
	any := func(name string, t texts) {
		if t != nil {
			f.add(name, c.any(s, t))
		}
	}
	if own.If != nil {
		f.add("when", c.anys(s, own.If))
	}
	if own.Unless != nil {
		f.add("unless", c.anys(s, own.Unless))
	}
	f.flag("ownID", own.ID != nil)
	if own.Token != "" {
		f.add("token", c.pattern(own.Token))
	}
	f.number("min", own.Min)
	f.flag("random", own.Random)
	f.flag("partial", own.Partial)
	switch k := own.Kind; {
	case k == nil:
		c.fail("no kind")
	case k.is != "":
		f.add("kind", kindName(k.is))
	default:
		var kinds []string
		for _, k := range []struct {
			name string
			when texts
		}{{"file", k.if_.File}, {"folder", k.if_.Folder}, {"native", k.if_.Native}, {"page", k.if_.Page}} {
			if k.when != nil {
				kinds = append(kinds, "{"+kindName(k.name)+", "+c.any(s, k.when)+"}")
			}
		}
		f.add("kinds", "[]kindIf{"+strings.Join(kinds, ", ")+"}")
	}
	any("direct", own.Direct)
	any("ask", own.Ask)
	any("find", own.Find)
	if own.Needs != "" {
		f.add("needs", map[string]string{"account": "NeedsAccount", "program": "NeedsProgram"}[own.Needs])
	}
	f.flag("once", own.Once)
	f.flag("cookies", own.Cookies)
	f.flag("endToEnd", own.Encrypted)
	f.flag("rendition", own.Rendition)
	more := newFields()
	f, more = more, f
	any("whole", own.Whole)
	any("fallback", own.Fallback)
	any("size", own.Size)
	any("expires", own.Expires)
	any("expireMS", own.ExpiresMS)
	f.text("mediaType", own.Type)
	f.text("fallbackType", own.FallbackType)
	f, more = more, f
	if text := more.String(); text != "" {
		f.add("more", "&facts{"+text+"}")
	}
	if take := c.take(s); take != "" {
		f.add("take", take)
	}
	return f.String()
}

func kindName(kind string) string { return strings.ToUpper(kind[:1]) + kind[1:] }

const wrappersHeader = `package unwrap

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// wrappers is the table of known wrappers. The first row that matches a URL counts.
var wrappers = []wrapper{
`

func wrapperTables(c *compiler) (string, error) {
	l := c.list
	var b strings.Builder
	b.WriteString(wrappersHeader)
	sets := newShared()
	names := newNames("row")
	for i := range l.Wrappers {
		w := &l.Wrappers[i]
		names.add(w.Wrapper, plain([]any{w.Hosts, w.Paths}))
		s := c.newScope(w.Take)
		f := newFields()
		f.text("name", w.Wrapper)
		f.add("hosts", sets.name("hosts", c.expandSets(w.Hosts)))
		if w.Paths != nil {
			f.add("paths", goStrings(w.Paths))
		}
		if w.If != nil {
			f.add("when", c.anys(s, w.If))
		}
		if w.Unless != nil {
			f.add("unless", c.anys(s, w.Unless))
		}
		f.flag("gateway", w.Gateway)
		f.flag("opaque", w.Opaque)
		if w.OpaqueUnless != nil {
			f.add("clear", c.any(s, w.OpaqueUnless))
		}
		if w.Param != nil {
			f.add("params", goStrings(w.Param))
		}
		if w.Target != nil {
			f.add("target", c.any(s, w.Target))
		}
		f.flag("oneSlash", w.OneSlash)
		if take := c.take(s); take != "" {
			f.add("take", take)
		}
		b.WriteString("{" + f.String() + "},\n")
		if c.err != nil {
			return "", fmt.Errorf("%s: %w", w.Wrapper, c.err)
		}
	}
	b.WriteString("}\n\n" + names.declarations() + sets.declarations())
	hosts := weburl.NewHosts(len(l.Wrappers), func(i int) []string { return c.expandSets(l.Wrappers[i].Hosts) })
	b.WriteString("// wrappersByHost has the rows of wrappers by host.\nvar wrappersByHost = " + goHosts(hosts, names) + "\n\n")
	var anyHost []string
	for _, w := range l.Wrappers {
		if w.Hosts == nil {
			anyHost = append(anyHost, w.Paths...)
		}
	}
	slices.Sort(anyHost)
	b.WriteString("// anyHost has the paths of the wrappers for any host.\nvar anyHost = " + goStrings(slices.Compact(anyHost)) + "\n\n")
	c.writePatterns(&b)
	return b.String(), c.err
}

func pageTables(c *compiler) (string, error) {
	l := c.list
	var b strings.Builder
	b.WriteString("package interstitial\n\n")
	reasons := map[string]string{}
	for _, r := range []string{"Scan", "Quota", "Expired", "Deleted", "Denied", "Login", "Consent"} {
		reasons[strings.ToLower(r)] = r
	}
	b.WriteString(`// marks has texts that occur in pages: words of English pages, and
// addresses and markup in pages of any language. They are in lower case. The first match
// counts. A text that other pages may contain by chance counts only in the title.
var marks = []mark{
`)
	for _, m := range l.Pages.Marks {
		if reasons[m.Reason] == "" {
			return "", fmt.Errorf("%q: no such reason", m.Reason)
		}
		fmt.Fprintf(&b, "{%s, []byte(%s), %v},\n", reasons[m.Reason], goText(m.Text), m.Title)
	}
	b.WriteString(`}

// htmlTags are the starts that identify HTML (MIME Sniffing Standard, section 7.1).
// Each of them except the comment must be followed by a space or ">".
var htmlTags = ` + goStrings(l.Pages.Tags) + `

// officeEntries are the starts of the names in an Office document (ECMA-376 part 2).
var officeEntries = ` + goStrings(l.Pages.Entries) + "\n\n")
	var byExtension, byType strings.Builder
	b.WriteString("// families have the starts of formats.\nvar families = [...]family{\n")
	for _, f := range l.Pages.Families {
		var begins []string
		for _, h := range f.Begins {
			octets, err := hex.DecodeString(h)
			if err != nil {
				return "", fmt.Errorf("%s: %w", f.Family, err)
			}
			begins = append(begins, string(octets))
		}
		name := f.Family
		fmt.Fprintf(&b, "%s: {%s},\n", name, goStrings(begins))
		fmt.Fprintf(&byExtension, "case %s:\nreturn &families[%s]\n", quoted(f.Extensions), name)
		if f.Types != nil {
			fmt.Fprintf(&byType, "case %s:\nreturn &families[%s]\n", quoted(f.Types), name)
		}
	}
	b.WriteString("}\n\nconst (\n")
	for i, f := range l.Pages.Families {
		b.WriteString(f.Family)
		if i == 0 {
			b.WriteString(" = iota")
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n\n// familyOfExtension returns the family of an extension, or nil.\n" +
		"func familyOfExtension(ext string) *family {\nswitch ext {\n" + byExtension.String() + "}\nreturn nil\n}\n\n")
	b.WriteString("// familyOfType returns the family of a media type, or nil.\n" +
		"func familyOfType(t string) *family {\nswitch t {\n" + byType.String() + "}\nreturn nil\n}\n\n")
	b.WriteString("// formOf returns the form of an extension that file names in mail have. Other extensions are of any form.\n" +
		"func formOf(ext string) form {\nswitch ext {\n")
	fmt.Fprintf(
		&b, "case %s:\nreturn markup\ncase %s:\nreturn text\ncase %s:\nreturn binary\n}\nreturn unknown\n}\n",
		quoted(l.Pages.Markup), quoted(l.Pages.Text), quoted(l.Pages.Binary),
	)
	return b.String(), nil
}

func quoted(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, strconv.Quote(s))
	}
	return strings.Join(out, ", ")
}

func goStrings(list []string) string { return "[]string{" + quoted(list) + "}" }

// goHosts returns a table by host, a line for each pattern.
func goHosts(h *weburl.Hosts, names *names) string {
	var b strings.Builder
	fmt.Fprintf(&b, "&weburl.Hosts{\nSlots: []weburl.Slot{\n")
	last := len(h.Slots) - 1
	for i, s := range h.Slots {
		if s.Pattern != "" || i == last {
			fmt.Fprintf(&b, "%d: {%s},\n", i, strings.TrimPrefix(
				fmt.Sprintf("Pattern: %q, Rows: []uint16{%s}", s.Pattern, names.list(s.Rows)), `Pattern: "", Rows: []uint16{}`,
			))
		}
	}
	b.WriteString("},\n")
	if h.Other != nil {
		b.WriteString("Other: []uint16{\n" + strings.ReplaceAll(names.list(h.Other), ", ", ",\n") + ",\n},\n")
	}
	b.WriteString("}")
	return b.String()
}

// names are the names of the rows of a table, in their order. A further row does not change the names of
// others.
type names struct {
	prefix string
	all    []string
}

func newNames(prefix string) *names { return &names{prefix: prefix} }

// add adds the name of a row. Rows of equal shape are numbered.
func (n *names) add(owner string, shape []byte) {
	letters := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return '_'
		}
		return r
	}, owner)
	name := n.prefix + "_" + letters + "_" + digest(string(shape))
	for base, i := name, 2; slices.Contains(n.all, name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n.all = append(n.all, name)
}

// list returns the names of some rows.
func (n *names) list(rows []uint16) string {
	var out []string
	for _, r := range rows {
		out = append(out, n.all[r])
	}
	return strings.Join(out, ", ")
}

func (n *names) declarations() string {
	if len(n.all) == 0 {
		return ""
	}
	return "// The numbers of the rows.\nconst (\n_ = iota - 1\n" + strings.Join(n.all, "\n") + "\n)\n\n"
}

// wrap breaks a long list into lines.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.SplitAfterSeq(text, ", ") {
		column += len(word)
		if column > 120 {
			b.WriteByte('\n')
			column = len(word)
		}
		b.WriteString(word)
	}
	return b.String()
}

// fields are the fields of a composite literal.
type fields struct{ list []string }

func newFields() *fields { return new(fields) }

func (f *fields) add(name, value string) {
	if value != "" {
		f.list = append(f.list, name+": "+value)
	}
}

func (f *fields) text(name, value string) {
	if value != "" {
		f.add(name, strconv.Quote(value))
	}
}

func (f *fields) number(name string, n int) {
	if n != 0 {
		f.add(name, strconv.Itoa(n))
	}
}

func (f *fields) flag(name string, set bool) {
	if set {
		f.add(name, "true")
	}
}

func (f *fields) String() string { return strings.Join(f.list, ", ") }

// shared names lists of texts that several rows have.
type shared struct{ lists map[string]string }

func newShared() *shared { return &shared{make(map[string]string)} }

func (s *shared) name(kind string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	text := goStrings(list)
	if len(list) == 1 {
		return text
	}
	name := kind + digest(text)
	s.lists[name] = text
	return name
}

func (s *shared) declarations() string {
	if len(s.lists) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("// Hosts and paths that rows have.\nvar (\n")
	for _, name := range slices.Sorted(maps.Keys(s.lists)) {
		fmt.Fprintf(&b, "%s = %s\n", name, wrap(s.lists[name]))
	}
	b.WriteString(")\n\n")
	return b.String()
}
