package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A compiler turns pipelines into Go. Its patterns are for one package.
type compiler struct {
	list     *list
	patterns map[string]string // by name
	err      error             // the first
}

func newCompiler(l *list) *compiler { return &compiler{list: l, patterns: make(map[string]string)} }

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// pieces are those that every row has, and the names of their constants.
var pieces = map[string]string{
	"link": "Link", "text": "Text", "host": "Host", "origin": "Origin", "path": "PathOf", "segments": "Segments", "query": "Query", "fragment": "Fragment",
	"answer": "Answer", "last": "Last", "rest": "Rest", "id": "ID", "owner": "Owner", "type": "Type", "name": "Name",
}

// A scope has the pieces that pipelines of a form may name.
type scope struct {
	defs  map[string]texts // of the form and of the list
	used  []string         // names of definitions, in the order of first use
	names map[string]string
}

func (c *compiler) newScope(take map[string]texts) *scope {
	s := &scope{defs: maps.Clone(c.list.Pieces), names: maps.Clone(pieces)}
	if s.defs == nil {
		s.defs = make(map[string]texts)
	}
	maps.Copy(s.defs, take)
	return s
}

// define adds a definition of a piece that every row has.
func (s *scope) define(name string, value texts) {
	s.defs[name] = value
	s.used = append(s.used, name)
}

// piece returns the constant of a piece.
func (c *compiler) piece(s *scope, name string) string {
	if _, ok := s.defs[name]; ok && !slices.Contains(s.used, name) {
		s.used = append(s.used, name)
		if s.names[name] == "" {
			own := 0
			for _, n := range s.used {
				if pieces[n] == "" {
					own++
				}
			}
			s.names[name] = "Own+" + strconv.Itoa(own-1)
			if own > 8 {
				c.fail("%q: more than 8 pieces in a row", name)
			}
		}
	}
	if s.names[name] == "" {
		c.fail("%q: no such piece", name)
	}
	return "verbs." + s.names[name]
}

// take returns the definitions that the pipelines of a scope have used.
func (c *compiler) take(s *scope) string {
	if len(s.used) == 0 {
		return ""
	}
	var defs []string
	for i := 0; i < len(s.used); i++ { // a definition may use others
		name := s.used[i]
		value := c.any(s, s.defs[name])
		defs = append(defs, "{Piece: "+c.piece(s, name)+", Value: "+value+"}")
	}
	return "[]verbs.Def{" + strings.Join(defs, ", ") + "}"
}

func (c *compiler) any(s *scope, t texts) string {
	var pipes []string
	for _, p := range t {
		pipes = append(pipes, c.pipe(s, p))
	}
	return "verbs.Any{" + strings.Join(pipes, ", ") + "}"
}

func (c *compiler) anys(s *scope, list []texts) string {
	var out []string
	for _, t := range list {
		out = append(out, strings.TrimPrefix(c.any(s, t), "verbs.Any"))
	}
	return "[]verbs.Any{" + strings.Join(out, ", ") + "}"
}

func (c *compiler) pipe(s *scope, text string) string {
	var steps []string
	for step := range strings.SplitSeq(text, " | ") {
		steps = append(steps, "{"+c.step(s, step)+"}")
	}
	return "{" + strings.Join(steps, ", ") + "}"
}

func (c *compiler) step(s *scope, text string) string {
	verb, arg, has := strings.Cut(text, " ")
	plainVerb := map[string]string{"url": "URL", "percent": "Percent", "base64": "Base64", "proofpoint": "Proofpoint", "lower": "Lower"}
	switch verb {
	case "param":
		return "Op: verbs.Param, Text: " + strconv.Quote(arg)
	case "match", "not":
		op := "Op: verbs." + strings.ToUpper(verb[:1]) + verb[1:]
		name, isOpened := strings.CutPrefix(arg, "{")
		isPiece := isOpened && strings.IndexByte(name, '}') == len(name)-1
		if isPiece && c.list.Patterns[name[:len(name)-1]] == "" {
			return op + ", Piece: " + c.piece(s, name[:len(name)-1])
		}
		return op + ", Pattern: " + c.pattern(arg)
	case "set":
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			c.fail("%q: want a name and a value", text)
		}
		return "Op: verbs.Set, Text: " + strconv.Quote(name) + ", Parts: " + c.template(s, value)
	case "to":
		return "Op: verbs.To, Parts: " + c.template(s, arg)
	case "replace":
		before, after, _ := strings.Cut(arg, " ")
		return "Op: verbs.Replace, Text: " + strconv.Quote(before) + ", Parts: " + c.template(s, after)
	case "find":
		how, what, _ := strings.Cut(arg, ":")
		switch how {
		case "json":
			return "Op: verbs.FindJSON, Text: " + strconv.Quote(what)
		case "text":
			return "Op: verbs.FindText, Pattern: " + c.pattern(what)
		case "form":
			id, base, _ := strings.Cut(what, " ")
			return "Op: verbs.FindForm, Text: " + strconv.Quote(id) + ", Parts: " + c.template(s, base)
		}
	}
	if op := plainVerb[verb]; op != "" && !has {
		return "Op: verbs." + op
	}
	if has {
		c.fail("%q: no such verb", text)
	}
	return "Piece: " + c.piece(s, verb)
}

var inBraces = regexp.MustCompile(`\{([a-z]*[a-z0-9]*)([%=]?)\}`)

func (c *compiler) template(s *scope, text string) string {
	var parts []string
	end := 0
	for _, m := range inBraces.FindAllStringSubmatchIndex(text, -1) {
		if m[0] > end {
			parts = append(parts, "{Text: "+strconv.Quote(text[end:m[0]])+"}")
		}
		end = m[1]
		name := text[m[2]:m[3]]
		form := map[string]string{"": "", "%": ", Form: verbs.Escaped", "=": ", Form: verbs.AsIs"}[text[m[4]:m[5]]]
		if name == "" {
			parts = append(parts, "{Piece: verbs.Value"+form+"}")
		} else {
			parts = append(parts, "{Piece: "+c.piece(s, name)+form+"}")
		}
	}
	if end < len(text) || text == "" {
		parts = append(parts, "{Text: "+strconv.Quote(text[end:])+"}")
	}
	return "[]verbs.Part{" + strings.Join(parts, ", ") + "}"
}

// classes are the patterns that package verbs matches without a regular expression.
var classes = map[string]string{"{token}": "Token", "{file}": "File", "{end}": "End", "{path}": "Path", "{some}": "Some"}

// pattern returns the address of the variable of a pattern.
func (c *compiler) pattern(text string) string {
	whole := c.expand(text)
	name := "pattern" + digest(whole)
	if other, ok := c.patterns[name]; ok && other != whole {
		c.fail("%q and %q have the same digest", whole, other)
	}
	c.patterns[name] = whole
	return "&" + name
}

// writePatterns writes the patterns, sorted by name.
func (c *compiler) writePatterns(b *strings.Builder) {
	is := make(map[string]string)
	for text, class := range classes {
		is[c.expand(text)] = ", Is: verbs." + class
	}
	b.WriteString("var (\n")
	for _, name := range slices.Sorted(maps.Keys(c.patterns)) {
		whole := c.patterns[name]
		fmt.Fprintf(b, "%s = verbs.Pattern{Text: %s%s}\n", name, goText(whole), is[whole])
	}
	b.WriteString(")\n")
}

// digest returns a part of a name that is the same as long as text is. Another row of the list does not change it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// expand returns a pattern with the patterns that it names.
func (c *compiler) expand(text string) string {
	for range 3 {
		text = inBraces.ReplaceAllStringFunc(text, func(name string) string {
			p := c.list.Patterns[name[1:len(name)-1]]
			if p == "" && name[1] > '9' {
				c.fail("%q: no such pattern", name)
			}
			if p == "" {
				return name
			}
			if strings.Contains(p, "|") {
				return "(?:" + p + ")"
			}
			return p
		})
	}
	re, err := regexp.Compile("^(?:" + text + ")$")
	switch {
	case err != nil:
		c.fail("%q: %v", text, err)
	case re.NumSubexp() > 1:
		c.fail("%q: more than one group", text)
	case unportable.MatchString(text):
		c.fail("%q: has what not every language has: a class by letter, an anchor, a flag or a named group", text)
	}
	return text
}

// unportable matches syntax that the regular expressions of the list do not have.
var unportable = regexp.MustCompile(`\\[^\\nx]|\(\?[^:]|(^|[^\[\\])\^|[^\[\\(|]\$($|[^\]])`)

func goText(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// expandSets returns hosts or prefixes with the sets that they name.
func (c *compiler) expandSets(list []string) (out []string) {
	for _, s := range list {
		name, ok := strings.CutPrefix(s, "@")
		if !ok {
			out = append(out, s)
			continue
		}
		set := c.list.Sets[name]
		if set == nil {
			c.fail("%q: no such set", s)
		}
		out = append(out, set...)
	}
	return out
}
