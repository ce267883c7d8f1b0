package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/text/encoding/unicode"

	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/verbs"
)

func theList(t testing.TB) *list {
	t.Helper()
	text, err := os.ReadFile("list.json")
	if err != nil {
		t.Fatal(err)
	}
	l, err := readList(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The Go tables are made of the list, and the list has its layout.
func TestGenerated(t *testing.T) {
	files, err := generated(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f.path)
		if err != nil || !bytes.Equal(text, f.text) {
			t.Errorf("%s: got another text, %v, want that of the list: go generate ./examples/list", f.path, err)
		}
	}
}

// A further row, at the beginning of the list or of the wrappers, changes a few generated lines: no other name changes, so
// that two people who add rows do not meet.
func TestOneRow(t *testing.T) {
	lines := func(l *list) map[string]int {
		l.inOrder()
		made, err := tables(l)
		if err != nil {
			t.Fatal(err)
		}
		n := make(map[string]int)
		for _, f := range made {
			for line := range strings.Lines(string(f.text)) {
				n[strings.Join(strings.Fields(line), " ")]++ // gofmt aligns
			}
		}
		return n
	}
	before := lines(theList(t))
	for name, add := range map[string]func(l *list){
		"Link": func(l *list) {
			first := l.Links[0]
			first.Provider = "0"
			first.Hosts = []string{"0.example", "www.0.example"}
			first.Cases = nil
			first.Kind = &kind{is: "file"}
			first.Token = "0a1b2c3d4e5f[0-9]*"
			l.Links = append([]row{first}, l.Links...)
		},
		"Wrapper": func(l *list) {
			first := wrapper{Wrapper: "0", Hosts: []string{"0.example", "www.0.example"}, Target: texts{"link | match 0a1b2c3d4e5f(.*)"}}
			l.Wrappers = append([]wrapper{first}, l.Wrappers...)
		},
	} {
		l := theList(t)
		add(l)
		changed := 0
		for line, n := range lines(l) {
			if d := n - before[line]; d > 0 {
				changed += d
			}
		}
		if changed == 0 || changed > 12 {
			t.Errorf("%s: got %d other lines, want at most 12", name, changed)
		}
	}
}

// A list out of order names the first row that is, and the row that it belongs before.
func TestOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(l *list)
		want  string
	}{
		"Links":    {func(l *list) { l.Links = append(l.Links, row{Provider: "dropbox"}) }, `links: row NUMBER, "dropbox", belongs before the first row of "droplr"`},
		"Wrappers": {func(l *list) { l.Wrappers[0], l.Wrappers[1] = l.Wrappers[1], l.Wrappers[0] }, `wrappers: row 2, "antigena", belongs before the first row of "awstrack"`},
	} {
		l := theList(t)
		tt.spoil(l)
		want := strings.ReplaceAll(tt.want, "NUMBER", strconv.Itoa(len(l.Links)))
		if _, err := readList(plain(l)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestSchema(t *testing.T) {
	text, err := os.ReadFile("list.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	schema, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func() (v map[string]any) {
		text, err := os.ReadFile("list.json")
		if err == nil {
			err = json.Unmarshal(text, &v)
		}
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if err := schema.Validate(read()); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(row map[string]any){
		"NoNearMiss": func(row map[string]any) { row["not"] = []any{} },
		"NoExample":  func(row map[string]any) { delete(row, "is") },
		"NoYear":     func(row map[string]any) { delete(row, "year") },
		"NoSource":   func(row map[string]any) { row["source"] = "" },
		"Misspelt":   func(row map[string]any) { row["provder"] = "x" },
		"Host":       func(row map[string]any) { row["hosts"] = []any{"https://a.example"} },
		"Kind":       func(row map[string]any) { row["kind"] = "fil" },
	} {
		v := read()
		spoil(v["links"].([]any)[0].(map[string]any))
		if schema.Validate(v) == nil {
			t.Errorf("%s: got no error, want one", name)
		}
	}
}

// A text that is not a list is refused, and the error names the row.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		spoil      func(l *list)
	}{
		{"Piece", "no such piece", func(l *list) { l.Links[0].Direct = texts{"nothing"} }},
		{"Verb", "no such verb", func(l *list) { l.Links[0].Direct = texts{"link | append x"} }},
		{"Pattern", "no such pattern", func(l *list) { l.Links[0].Token = "{nothing}+" }},
		{"Groups", "more than one group", func(l *list) { l.Links[0].Direct = texts{"link | match (a)(b)"} }},
		{"Anchor", "not every language", func(l *list) { l.Links[0].Token = "^a" }},
		{"Digits", "not every language", func(l *list) { l.Links[0].Token = `\d+` }},
		{"Flag", "not every language", func(l *list) { l.Links[0].Token = "(?i)a" }},
		{"Set", "no such set", func(l *list) { l.Links[0].Hosts = []string{"@nothing"} }},
		{"NoKind", "no kind", func(l *list) { l.Links[0].Kind = nil }},
		{"Wrapper", "no such piece", func(l *list) { l.Wrappers[0].Target = texts{"nothing"} }},
		{"Reason", "no such reason", func(l *list) { l.Pages.Marks[0].Reason = "x" }},
		{"Hexadecimal", "invalid byte", func(l *list) { l.Pages.Families[0].Begins = []string{"zz"} }},
	} {
		l := theList(t)
		l.Links[0].Cases = nil
		tt.spoil(l)
		if _, err := tables(l); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A pattern that package verbs matches itself is the regular expression of the list.
func TestClasses(t *testing.T) {
	c := newCompiler(theList(t))
	rnd := rand.New(rand.NewPCG(1, 2))
	parts := strings.Split("a|bc|Z|09|12345678|123456789|.|..|/|//|-|~|!|:|%|\\|\n|\x00|\x7f|é|\xff|.pdf|.7z|.001|.html|a.b", "|")
	for text, class := range map[string]verbs.Class{"{token}": verbs.Token, "{file}": verbs.File, "{end}": verbs.End, "{path}": verbs.Path, "{some}": verbs.Some} {
		whole := c.expand(text)
		matched := 0
		for range 20000 {
			var b strings.Builder
			for range rnd.IntN(6) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			got, ok := (&verbs.Pattern{Is: class}).Match(b.String())
			want, wantOK := (&verbs.Pattern{Text: whole}).Match(b.String())
			if ok != wantOK || ok && got != want {
				t.Fatalf("%s: %q: got %q, %v, want %q, %v", text, b.String(), got, ok, want, wantOK)
			}
			if ok {
				matched++
			}
		}
		if matched == 0 {
			t.Errorf("%s: got no match, want some", text)
		}
	}
}

// Each wrapper undoes its examples, and leaves its near misses.
func TestWrappers(t *testing.T) {
	for _, w := range theList(t).Wrappers {
		for _, e := range w.Is {
			r := unwrap.URL(e.URL)
			if r.URL != e.Unwrapped || len(r.Wrappers) == 0 || r.Wrappers[0] != w.Wrapper {
				t.Errorf("%s: got %+v, want %s by %s", e.URL, r, e.Unwrapped, w.Wrapper)
			}
		}
		for _, text := range w.Not {
			if r := unwrap.URL(text); len(r.Wrappers) > 0 {
				t.Errorf("%s: got %+v, want no wrapper", text, r)
			}
		}
		if len(w.Is) == 0 || len(w.Not) == 0 {
			t.Errorf("%s: got %d examples and %d near misses, want both", w.Wrapper, len(w.Is), len(w.Not))
		}
	}
}

// An answer is a line of a reader.
type answer struct {
	URL       string `json:"url"`
	Provider  string `json:"provider"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Direct    string `json:"direct"`
	Unwrapped string `json:"unwrapped"`
}

// inGo returns the answer of the packages of Go.
func inGo(text string) answer {
	a := answer{URL: text, Unwrapped: unwrap.URL(text).URL}
	if l, ok := sharelink.Match(a.Unwrapped); ok {
		a.Provider, a.Kind, a.Name, a.Direct = l.Provider, string(l.Kind), l.Name, l.Direct
	}
	for _, s := range []*string{&a.URL, &a.Name, &a.Direct, &a.Unwrapped} {
		*s, _ = unicode.UTF8.NewDecoder().String(*s)
	}
	return a
}

// reader is the command of a reader.
func reader(t *testing.T, name string, args ...string) func(urls []string) []answer {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s", name)
	}
	return func(urls []string) (answers []answer) {
		cmd := exec.Command(path, args...)
		cmd.Stdin = strings.NewReader(strings.Join(urls, "\n") + "\n")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out) {
			var a answer
			if err := strict(line, &a); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if bytes.Contains(line, []byte(`", "`)) && bytes.Contains(line, []byte(`": "`)) {
				t.Fatalf("%s: got blanks between fields, want none", line)
			}
			answers = append(answers, a)
		}
		if len(answers) != len(urls) {
			t.Fatalf("got %d lines for %d URLs, want one for each", len(answers), len(urls))
		}
		return answers
	}
}

var readers = []struct{ name, program, script string }{
	{"JavaScript", "node", "js/cli.mjs"},
	{"Python", "python3", "python/extbody_list.py"},
}

// A reader whose output is not read to the end fails without a trace.
func TestReadersBrokenPipe(t *testing.T) {
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			path, err := exec.LookPath(r.program)
			if err != nil {
				t.Skipf("there is no %s", r.program)
			}
			cmd := exec.Command(path, r.script)
			cmd.Stdin = strings.NewReader(strings.Repeat("https://a.example/\n", 20_000))
			var faults bytes.Buffer
			cmd.Stderr = &faults
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out.Read(make([]byte, 100))
			out.Close()
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || faults.Len() > 0 {
				t.Errorf("got %v and %q, want exit status 1 and nothing", err, faults.String())
			}
		})
	}
}

// vectorsOf returns the answers for URLs that belong to no row.
func vectorsOf(t *testing.T) (all []answer) {
	text, err := os.ReadFile("vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var a answer
		if err := strict(line, &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// examplesOf returns the URLs of the list, and the vectors.
func examplesOf(t *testing.T) (urls []string) {
	l := theList(t)
	for _, rows := range [][]row{l.Links, l.Software, l.Guesses} {
		for _, r := range rows {
			for _, e := range r.Is {
				urls = append(urls, e.URL)
			}
			urls = append(urls, r.Not...)
		}
	}
	for _, w := range l.Wrappers {
		for _, e := range w.Is {
			urls = append(urls, e.URL)
		}
		urls = append(urls, w.Not...)
	}
	for _, v := range vectorsOf(t) {
		urls = append(urls, v.URL)
	}
	return urls
}

func TestVectors(t *testing.T) {
	vectors := vectorsOf(t)
	for _, want := range vectors {
		if got := inGo(want.URL); got != want {
			t.Errorf("\ngot  %+v\nwant %+v", got, want)
		}
	}
	if len(vectors) < 30 {
		t.Errorf("got %d vectors, want all of them", len(vectors))
	}
}

// The readers in Go, JavaScript and Python give the same answers for all examples and vectors, and for
// examples that were changed in a few places: 3000, or 200,000 with EXTBODY_SLOW=1. So they do for long texts.
func TestReaders(t *testing.T) {
	urls := examplesOf(t)
	n := 3000
	if os.Getenv("EXTBODY_SLOW") != "" {
		n = 200_000
	}
	examples := len(urls)
	rnd := rand.New(rand.NewPCG(3, 4))
	for range n {
		if text := mutate(rnd, urls[rnd.IntN(examples)], urls[:examples]); !strings.ContainsAny(text, "\r\n") {
			urls = append(urls, text)
		}
	}
	for _, texts := range longTexts(t) {
		urls = append(urls, texts[0])
	}
	want := make([]answer, len(urls))
	links, wrapped := 0, 0
	for i, text := range urls {
		want[i] = inGo(text)
		if want[i].Provider != "" {
			links++
		}
		if want[i].Unwrapped != want[i].URL {
			wrapped++
		}
	}
	t.Logf("%d URLs, %d of them examples; %d are links and %d are wrapped", len(urls), examples, links, wrapped)
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			for i, got := range reader(t, r.program, r.script)(urls) {
				if got != want[i] {
					t.Errorf("%.2000q:\ngot  %.2000q\nwant %.2000q", urls[i], fmt.Sprint(got), fmt.Sprint(want[i]))
				}
			}
		})
	}
}

// The readers give the conditions of an example, which are not in their lines.
func TestNeeds(t *testing.T) {
	var urls, want []string
	for _, r := range theList(t).Links {
		for _, e := range r.Is {
			urls, want = append(urls, e.URL), append(want, e.Needs)
		}
	}
	input, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, program string
		args          []string
	}{
		{"JavaScript", "node", []string{"--input-type=module", "-e", `import { readFileSync } from "node:fs"; import { match } from "./js/index.mjs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((u) => match(u).needs)))`}},
		{"Python", "python3", []string{"-B", "-c", "import json, sys; sys.path.insert(0, 'python'); import extbody_list\nprint(json.dumps([extbody_list.match(u)['needs'] for u in json.load(sys.stdin)]))"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, err := exec.LookPath(tt.program)
			if err != nil {
				t.Skipf("there is no %s", tt.program)
			}
			cmd := exec.Command(path, tt.args...)
			cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
			out, err := cmd.Output()
			var got []string
			if err == nil {
				err = json.Unmarshal(out, &got)
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: got %q, want %q", urls[i], got[i], want[i])
				}
			}
		})
	}
}

// The examples in the documents are the ones that the readers give.
func TestDocuments(t *testing.T) {
	const text = "https://www.dropbox.com/s/a1b2c3d4e5f6g7h/b.pdf"
	want := inGo("https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(text))
	if want.Unwrapped != text || want.Direct != text+"?dl=1" {
		t.Fatalf("got %+v, want the direct URL of %s", want, text)
	}
	for _, name := range []string{"README.md", "js/README.md", "python/README.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, []byte(want.Direct)) {
			t.Errorf("%s: got no %s, want it", name, want.Direct)
		}
	}
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	verbs := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9]+)").FindAllSubmatch(spec, -1) {
		verbs[string(m[1])] = true
	}
	for name := range pieces {
		if !bytes.Contains(spec, []byte("`"+name+"`")) {
			t.Errorf("SPEC.md: got no piece %s, want it", name)
		}
	}
	for _, name := range strings.Fields("param url percent base64 proofpoint lower match not set to replace find") {
		if !verbs[name] {
			t.Errorf("SPEC.md: got no verb %s, want it", name)
		}
	}
	for name := range fieldsOf(t) {
		if !bytes.Contains(spec, []byte("`"+name+"`")) {
			t.Errorf("SPEC.md: got no field %s, want it", name)
		}
	}
}

// fieldsOf returns the names of the fields in the schema.
func fieldsOf(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("list.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if p, ok := v["properties"].(map[string]any); ok {
				for name := range p {
					names[name] = true
				}
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(schema)
	if len(names) < 40 {
		t.Errorf("got %d fields, want all of them", len(names))
	}
	return names
}

// alphabet and parts are the pieces that mutate puts into a URL.
var (
	alphabet = []rune("abcXYZ019-_.~!:/?#[]@$&'()*+,;=%{}é")
	parts    = strings.Fields("/ // . .. %2F %2e %41 %zz % %0A %FF & = # ? ! root /a/b.pdf %2Fa%2Fb.pdf %2Fsites%2FS%2Fa%20b.docx about login abc a.pdf a.aspx personal r f :x: :f: :l: g s d " +
		"files=a.pdf path=%2Fsub dir=/sub openfile=1 preview=a+b.pdf redeem=aHR0cHM6Ly8xZHJ2Lm1zL3gvYy9hNzc5NzRjMzNhMzRkOWJiL0VSeWo0VjItRFExdzJFM3I0VDU resid=6CB!22 id=root " +
		"ithint=file%2cpdf ithint=folder rtpof=true resourcekey=0-V sourcedoc=%7B0a1b-2c%7D sourcedoc=%2Fa%2Fb.docx file=a%20b.docx s=download service=files files_ids=12 u= url= q=https://b.example/ " +
		"url=https%3A%2F%2Fb.example%2F u=https://a.example e=1700000000 uk=a f=x%24 dl=1 download _layouts/15/Doc.aspx SitePages SiteAssets Forms a.one xlsx F! %23 %26")
)

// mutate returns a URL with a few changes. all are others to take parts of.
func mutate(r *rand.Rand, s string, all []string) string {
	for range 1 + r.IntN(3) {
		if s == "" {
			return s
		}
		i := r.IntN(len(s))
		if _, rest, ok := strings.Cut(s, "://"); ok && r.IntN(3) > 0 { // not the host, mostly
			if slash := strings.IndexAny(rest, "/?#"); slash >= 0 {
				i = len(s) - len(rest) + slash + r.IntN(len(rest)-slash)
			}
		}
		char, part := string(alphabet[r.IntN(len(alphabet))]), parts[r.IntN(len(parts))]
		begin := strings.LastIndexAny(s[:i], "/?#&=!") + 1
		end := i + strings.IndexAny(s[i:]+"/", "/?#&=!")
		switch r.IntN(11) {
		case 0:
			s = s[:i] + s[i+1:]
		case 1:
			s = s[:i] + char + s[i:]
		case 2:
			s = s[:i] + char + s[i+1:]
		case 3:
			s = s[:i]
		case 4:
			s = s[:i] + part + s[i:]
		case 5: // a segment or a value
			s = s[:begin] + part + s[end:]
		case 6: // a parameter
			head, tail, found := strings.Cut(s, "#")
			if found {
				tail = "#" + tail
			}
			separator := "?"
			if strings.Contains(head, "?") {
				separator = "&"
			}
			s = head + separator + part + tail
		case 7: // the path of another
			_, here, ok := strings.Cut(s, "://")
			_, there, ok2 := strings.Cut(all[r.IntN(len(all))], "://")
			if a, b := strings.IndexByte(here, '/'), strings.IndexByte(there, '/'); ok && ok2 && a >= 0 && b >= 0 {
				s = s[:len(s)-len(here)+a] + there[b:]
			}
		case 8:
			s = s[:i] + fmt.Sprintf("%%%02X", s[i]) + s[i+1:]
		case 9:
			s = s[:i] + strings.ToUpper(s[i:])
		case 10:
			s += "#" + part
		}
	}
	return s
}
