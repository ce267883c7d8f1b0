package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A list is the content of list.json. SPEC.md has the meaning of its fields.
type list struct {
	Format   int                 `json:"format"`
	Date     string              `json:"date"`
	Sets     map[string][]string `json:"sets"`
	Patterns map[string]string   `json:"patterns"`
	Pieces   map[string]texts    `json:"pieces"`
	Words    []string            `json:"words"`
	Links    []row               `json:"links"`
	Software []row               `json:"software"`
	Guesses  []row               `json:"guesses"`
	Wrappers []wrapper           `json:"wrappers"`
	Pages    pages               `json:"pages"`
}

// A row is a shape of links.
type row struct {
	Provider string   `json:"provider"`
	Also     []string `json:"also,omitempty"`
	Hosts    []string `json:"hosts,omitempty"`
	Prefixes []string `json:"prefixes,omitempty"`
	Paths    []string `json:"paths"`
	Mark     string   `json:"mark,omitempty"`
	Param    string   `json:"param,omitempty"`
	form
	Cases  []form    `json:"cases,omitempty"`
	Source string    `json:"source"`
	Year   int       `json:"year"`
	Note   string    `json:"note,omitempty"`
	Is     []example `json:"is"`
	Not    []string  `json:"not"`
}

// A form has the conditions and facts of a row, or of one of its cases.
type form struct {
	Take         map[string]texts `json:"take,omitempty"`
	If           []texts          `json:"if,omitempty"`
	Unless       []texts          `json:"unless,omitempty"`
	ID           texts            `json:"id,omitempty"`
	Token        string           `json:"token,omitempty"`
	Min          int              `json:"min,omitempty"`
	Random       bool             `json:"random,omitempty"`
	Partial      bool             `json:"partial,omitempty"`
	Kind         *kind            `json:"kind,omitempty"`
	Name         texts            `json:"name,omitempty"`
	Direct       texts            `json:"direct,omitempty"`
	Ask          texts            `json:"ask,omitempty"`
	Find         texts            `json:"find,omitempty"`
	Needs        string           `json:"needs,omitempty"`
	Once         bool             `json:"once,omitempty"`
	Cookies      bool             `json:"cookies,omitempty"`
	Encrypted    bool             `json:"encrypted,omitempty"`
	Whole        texts            `json:"whole,omitempty"`
	Rendition    bool             `json:"rendition,omitempty"`
	Type         string           `json:"type,omitempty"`
	Fallback     texts            `json:"fallback,omitempty"`
	FallbackType string           `json:"fallback_type,omitempty"`
	Size         texts            `json:"size,omitempty"`
	Expires      texts            `json:"expires,omitempty"`
	ExpiresMS    texts            `json:"expires_ms,omitempty"`
}

// An example is a golden URL. The source and the year are those of the row, unless it has its own.
type example struct {
	URL       string `json:"url"`
	Kind      string `json:"kind,omitempty"`
	Name      string `json:"name,omitempty"`
	Direct    string `json:"direct,omitempty"`
	Needs     string `json:"needs,omitempty"`
	Unwrapped string `json:"unwrapped,omitempty"`
	Source    string `json:"source,omitempty"`
	Year      int    `json:"year,omitempty"`
}

// A wrapper is a form of URLs that have another URL in them.
type wrapper struct {
	Wrapper      string           `json:"wrapper"`
	Gateway      bool             `json:"gateway,omitempty"`
	Hosts        []string         `json:"hosts,omitempty"`
	Paths        []string         `json:"paths,omitempty"`
	Take         map[string]texts `json:"take,omitempty"`
	If           []texts          `json:"if,omitempty"`
	Unless       []texts          `json:"unless,omitempty"`
	Opaque       bool             `json:"opaque,omitempty"`
	OpaqueUnless texts            `json:"opaque_unless,omitempty"`
	Param        []string         `json:"param,omitempty"`
	Target       texts            `json:"target,omitempty"`
	OneSlash     bool             `json:"one_slash,omitempty"`
	Source       string           `json:"source"`
	Note         string           `json:"note,omitempty"`
	Is           []example        `json:"is"`
	Not          []string         `json:"not"`
}

// pages has the marks that distinguish a page from a file.
type pages struct {
	Marks    []mark   `json:"marks"`
	Tags     []string `json:"tags"`
	Families []family `json:"families"`
	Entries  []string `json:"entries"`
	Markup   []string `json:"markup"`
	Text     []string `json:"text"`
	Binary   []string `json:"binary"`
}

type mark struct {
	Reason string `json:"reason"`
	Text   string `json:"text"`
	Title  bool   `json:"title,omitempty"`
}

type family struct {
	Family     string   `json:"family"`
	Begins     []string `json:"begins"`
	Extensions []string `json:"extensions"`
	Types      []string `json:"types,omitempty"`
}

// texts is a text, or a list of texts.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return json.Unmarshal(b, (*[]string)(t))
	}
	*t = make(texts, 1)
	return json.Unmarshal(b, &(*t)[0])
}

func (t texts) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return plain(t[0]), nil
	}
	return plain([]string(t)), nil
}

// A kind is the kind of a link, or the kinds with their conditions.
type kind struct {
	is  string
	if_ struct {
		File   texts `json:"file,omitempty"`
		Folder texts `json:"folder,omitempty"`
		Native texts `json:"native,omitempty"`
		Page   texts `json:"page,omitempty"`
	}
}

func (k *kind) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &k.is)
	}
	return strict(b, &k.if_)
}

func (k *kind) MarshalJSON() ([]byte, error) {
	if k.is != "" {
		return plain(k.is), nil
	}
	return plain(k.if_), nil
}

// strict decodes JSON that has no fields other than the fields of v.
func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// plain returns v in JSON on one line, without escapes for HTML.
func plain(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // v is of this package
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// layout returns JSON in the layout of the list: one field, golden URL and near miss a line.
func layout(text []byte) []byte {
	var b bytes.Buffer
	write(&b, text, 0)
	b.WriteByte('\n')
	return b.Bytes()
}

// broad is the greatest length of an array or object on one line, apart from examples.
const broad = 100

// write writes a value. An object or array is on one line if it is short, or deep within a row.
func write(b *bytes.Buffer, text []byte, depth int) {
	first, last, elements := elementsOf(text)
	empty := first == 0 || len(elements) == 0
	deep := depth == 5 || depth > 2 && len(text) <= broad
	if empty || deep || isExample(text) {
		b.Write(oneLine(text))
		return
	}
	b.WriteByte(first)
	inner := first == '[' && depth > 0
	words := inner && elements[0][0] == '"' && !bytes.ContainsAny(text, "./")
	column := broad
	for i, e := range elements {
		if i > 0 {
			b.WriteByte(',')
		}
		column += len(e) + 2
		if words && column < broad {
			b.WriteByte(' ')
			b.Write(e)
			continue
		}
		column = len(e)
		b.WriteByte('\n')
		b.WriteString(strings.Repeat(" ", depth+1))
		if first == '{' {
			name, value, _ := strings.Cut(string(e), ":")
			if j := bytes.Index(e, []byte(`":`)); j >= 0 {
				name = string(e[:j+1])
				value = string(e[j+2:])
			}
			b.WriteString(name + ": ")
			e = []byte(value)
		}
		write(b, e, depth+1)
	}
	b.WriteByte('\n')
	b.WriteString(strings.Repeat(" ", depth))
	b.WriteByte(last)
}

func isExample(text []byte) bool { return bytes.HasPrefix(text, []byte(`{"url":`)) }

// oneLine returns a value with a space after each comma and colon of its own.
func oneLine(text []byte) []byte {
	var b bytes.Buffer
	inText := false
	for i, c := range text {
		b.WriteByte(c)
		switch {
		case c == '"' && !escapedAt(text, i):
			inText = !inText
		case !inText && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
	return b.Bytes()
}

func escapedAt(text []byte, i int) bool {
	n := 0
	for i > 0 && text[i-1] == '\\' {
		n++
		i--
	}
	return n%2 == 1
}

// elementsOf returns the elements of an array, or the fields of an object, and the characters
// around them. first is 0 for another value.
func elementsOf(text []byte) (first, last byte, elements [][]byte) {
	if text[0] != '[' && text[0] != '{' {
		return 0, 0, nil
	}
	inText := false
	deep := 0
	start := 1
	for i, c := range text {
		switch {
		case c == '"' && !escapedAt(text, i):
			inText = !inText
		case inText:
		case c == '[' || c == '{':
			deep++
		case c == ']' || c == '}':
			if deep--; deep == 0 && i > start {
				elements = append(elements, text[start:i])
			}
		case c == ',' && deep == 1:
			elements = append(elements, text[start:i])
			start = i + 1
		}
	}
	return text[0], text[len(text)-1], elements
}

// readList reads list.json.
func readList(text []byte) (*list, error) {
	l := new(list)
	if err := strict(text, l); err != nil {
		return nil, err
	}
	if l.Format != 1 {
		return nil, fmt.Errorf("the list has format %d, want 1", l.Format)
	}
	if err := inAlphabet("links", l.Links, func(r row) string { return r.Provider }); err != nil {
		return nil, err
	}
	if err := inAlphabet("wrappers", l.Wrappers, func(w wrapper) string { return w.Wrapper }); err != nil {
		return nil, err
	}
	return l, nil
}

// inAlphabet returns an error about the first row that is not sorted by its name.
func inAlphabet[Row any](kind string, rows []Row, name func(Row) string) error {
	for i := 1; i < len(rows); i++ {
		own := name(rows[i])
		if own >= name(rows[i-1]) {
			continue
		}
		after := slices.IndexFunc(rows, func(r Row) bool { return name(r) > own })
		return fmt.Errorf("%s: row %d, %q, belongs before the first row of %q", kind, i+1, own, name(rows[after]))
	}
	return nil
}

// inOrder puts the rows for any host after the others: they count last.
func (l *list) inOrder() {
	slices.SortStableFunc(l.Links, func(a, b row) int { return anyHostLast(a.Hosts, b.Hosts) })
	slices.SortStableFunc(l.Wrappers, func(a, b wrapper) int { return anyHostLast(a.Hosts, b.Hosts) })
}

func anyHostLast(a, b []string) int { return cmp.Compare(min(1, len(b)), min(1, len(a))) }
