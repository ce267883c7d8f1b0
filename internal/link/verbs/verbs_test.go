package verbs_test

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

const at = "https://h.example:8443/a//b%2Fc/%7ed?x=1%262&y=&z=1&z=2#f#g"

// env returns an Env about the URL at.
func env(t testing.TB) *verbs.Env {
	t.Helper()
	u, ok := weburl.Parse(at)
	if !ok {
		t.Fatal("at is no URL")
	}
	e := &verbs.Env{At: u, Written: "written", Answer: []byte("answer"), Rest: []string{"r1", "r2"}}
	e.Put(verbs.ID, "id!")
	e.Put(verbs.Owner, "no token")
	e.PutEscaped(verbs.Name, "a%20b")
	return e
}

func pattern(text string) *verbs.Pattern { return &verbs.Pattern{Text: text} }

func text(s string) verbs.Step {
	return verbs.Step{Op: verbs.To, Parts: []verbs.Part{{Text: s}}}
}

func part(p verbs.Piece, f verbs.Form) []verbs.Part {
	return []verbs.Part{{Text: "<"}, {Piece: p, Form: f}, {Text: ">"}}
}

func TestVerbs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pipe  verbs.Pipe
		want  string
		fault verbs.Fault
	}{
		{"Link", verbs.Pipe{{Piece: verbs.Link}}, "https://h.example:8443/a//b%2Fc/%7ed?x=1%262&y=&z=1&z=2", 0},
		{"Text", verbs.Pipe{{Piece: verbs.Text}}, "written", 0},
		{"Host", verbs.Pipe{{Piece: verbs.Host}}, "h.example", 0},
		{"Origin", verbs.Pipe{{Piece: verbs.Origin}}, "https://h.example:8443", 0},
		{"Path", verbs.Pipe{{Piece: verbs.PathOf}}, "/a//b%2Fc/%7ed", 0},
		{"Segments", verbs.Pipe{{Piece: verbs.Segments}}, "a/b%2Fc/~d", 0},
		{"Query", verbs.Pipe{{Piece: verbs.Query}}, "x=1%262&y=&z=1&z=2", 0},
		{"Fragment", verbs.Pipe{{Piece: verbs.Fragment}}, "f#g", 0},
		{"NoQuery", verbs.Pipe{text("https://a.example"), {Op: verbs.URL}, {Piece: verbs.Query}}, "", verbs.Missing},
		{"NoFragment", verbs.Pipe{text("https://a.example"), {Op: verbs.URL}, {Piece: verbs.Fragment}}, "", verbs.Missing},
		{"Answer", verbs.Pipe{{Piece: verbs.Answer}}, "answer", 0},
		{"Last", verbs.Pipe{{Piece: verbs.Last}}, "r2", 0},
		{"Rest", verbs.Pipe{{Piece: verbs.Rest}}, "r1/r2", 0},
		{"Name", verbs.Pipe{{Piece: verbs.Name}}, "a b", 0},
		{"NoType", verbs.Pipe{{Piece: verbs.Type}}, "", verbs.Missing},

		{"Param", verbs.Pipe{{Op: verbs.Param, Text: "x"}}, "1%262", 0},
		{"ParamEmpty", verbs.Pipe{{Op: verbs.Param, Text: "y"}}, "", 0},
		{"ParamTwice", verbs.Pipe{{Op: verbs.Param, Text: "z"}}, "", verbs.Missing},
		{"ParamNone", verbs.Pipe{{Op: verbs.Param, Text: "w"}}, "", verbs.Missing},
		{"URL", verbs.Pipe{text("http://B.example/c?d=e"), {Op: verbs.URL}, {Op: verbs.Param, Text: "d"}}, "e", 0},
		{"URLPieces", verbs.Pipe{text("http://B.example/c?d=e#f"), {Op: verbs.URL}, {Piece: verbs.Link}}, "http://b.example/c?d=e", 0},
		{"URLKeeps", verbs.Pipe{text("http://B.example"), {Op: verbs.URL}}, "http://B.example", 0},
		{"NoURL", verbs.Pipe{text("mailto:a@b.example"), {Op: verbs.URL}}, "", verbs.Missing},
		{"Percent", verbs.Pipe{text("a%2Bb+c"), {Op: verbs.Percent}}, "a+b+c", 0},
		{"PercentBad", verbs.Pipe{text("a%2"), {Op: verbs.Percent}}, "", verbs.Garbled},
		{"Base64", verbs.Pipe{text("Pz8_"), {Op: verbs.Base64}}, "???", 0},
		{"Base64Other", verbs.Pipe{text("Pz8/YQ=="), {Op: verbs.Base64}}, "???a", 0},
		{"Base64Bad", verbs.Pipe{text("a"), {Op: verbs.Base64}}, "", verbs.Garbled},
		{"Proofpoint", verbs.Pipe{text("x/v3/__a*b**Ac__;Kj0-!z"), {Op: verbs.Proofpoint}}, "a*b=>c", 0},
		{"ProofpointNone", verbs.Pipe{text("x/v3/__a"), {Op: verbs.Proofpoint}}, "", verbs.Missing},
		{"ProofpointFew", verbs.Pipe{text("x/v3/__a*__;!z"), {Op: verbs.Proofpoint}}, "", verbs.Garbled},
		{"ProofpointMany", verbs.Pipe{text("x/v3/__a__;Kg!z"), {Op: verbs.Proofpoint}}, "", verbs.Garbled},
		{"Lower", verbs.Pipe{text("aBÄ"), {Op: verbs.Lower}}, "abÄ", 0},
		{"Match", verbs.Pipe{text("abc"), {Op: verbs.Match, Pattern: pattern("a.c")}}, "abc", 0},
		{"MatchGroup", verbs.Pipe{text("abc"), {Op: verbs.Match, Pattern: pattern("a(.)c")}}, "b", 0},
		{"MatchWhole", verbs.Pipe{text("abcd"), {Op: verbs.Match, Pattern: pattern("a|abc")}}, "", verbs.Missing},
		{"MatchLine", verbs.Pipe{text("a\nc"), {Op: verbs.Match, Pattern: pattern("a.c")}}, "", verbs.Missing},
		{"MatchPiece", verbs.Pipe{text("id!"), {Op: verbs.Match, Piece: verbs.ID}}, "id!", 0},
		{"MatchOther", verbs.Pipe{text("id"), {Op: verbs.Match, Piece: verbs.ID}}, "", verbs.Missing},
		{"Not", verbs.Pipe{text("abc"), {Op: verbs.Not, Pattern: pattern("b")}}, "abc", 0},
		{"NotMatched", verbs.Pipe{text("abc"), {Op: verbs.Not, Pattern: pattern("a(.)c")}}, "", verbs.Missing},
		{"NotPiece", verbs.Pipe{text("x"), {Op: verbs.Not, Piece: verbs.ID}}, "x", 0},
		{"Set", verbs.Pipe{text("https://a.example/?b=1#c"), {Op: verbs.Set, Text: "b", Parts: part(verbs.ID, verbs.AsToken)}}, "https://a.example/?b=<id!>", 0},
		{"SetNothing", verbs.Pipe{text("https://a.example/?b=1#c"), {Op: verbs.Set, Text: "b", Parts: part(verbs.Type, verbs.AsIs)}}, "https://a.example/?b=1#c", 0},
		{"To", verbs.Pipe{text("v"), {Op: verbs.To, Parts: part(verbs.Value, verbs.AsToken)}}, "<v>", 0},
		{"ToNoToken", verbs.Pipe{{Op: verbs.To, Parts: part(verbs.Owner, verbs.AsToken)}}, "", verbs.Missing},
		{"ToEscaped", verbs.Pipe{{Op: verbs.To, Parts: part(verbs.Owner, verbs.Escaped)}}, "<no%20token>", 0},
		{"ToAsIs", verbs.Pipe{{Op: verbs.To, Parts: part(verbs.Owner, verbs.AsIs)}}, "<no token>", 0},
		{"ToMissing", verbs.Pipe{{Op: verbs.To, Parts: part(verbs.Type, verbs.AsIs)}}, "", verbs.Missing},
		{"Replace", verbs.Pipe{text("axbx"), {Op: verbs.Replace, Text: "x", Parts: part(verbs.ID, verbs.AsToken)}}, "a<id!>b<id!>", 0},
		{"ReplaceNone", verbs.Pipe{text("ab"), {Op: verbs.Replace, Text: "x", Parts: part(verbs.Type, verbs.AsToken)}}, "ab", 0},
		{"ReplaceMissing", verbs.Pipe{text("axb"), {Op: verbs.Replace, Text: "x", Parts: part(verbs.Type, verbs.AsToken)}}, "", verbs.Missing},
		{"FindJSON", verbs.Pipe{text(`{"a":[{"b":"\u00e9"}]}`), {Op: verbs.FindJSON, Text: "a.0.b"}}, "é", 0},
		{"FindJSONNumber", verbs.Pipe{text(`{"a":[1.50]}`), {Op: verbs.FindJSON, Text: "a.0"}}, "1.50", 0},
		{"FindJSONNone", verbs.Pipe{text(`{"a":[1]}`), {Op: verbs.FindJSON, Text: "a.1.b"}}, "", 0},
		{"FindJSONBad", verbs.Pipe{text(`{"a":`), {Op: verbs.FindJSON, Text: "a"}}, "", verbs.Garbled},
		{"FindText", verbs.Pipe{text(`x id="a" y id="a"`), {Op: verbs.FindText, Pattern: pattern(`id="([^"]*)`)}}, "a", 0},
		{"FindTexts", verbs.Pipe{text(`x id="a" y id="b"`), {Op: verbs.FindText, Pattern: pattern(`id="([^"]*)`)}}, "", verbs.Missing},
		{"FindNoText", verbs.Pipe{text(`x`), {Op: verbs.FindText, Pattern: pattern(`id="([^"]*)`)}}, "", verbs.Missing},
		{"FindForm", verbs.Pipe{text(`<form id="f" action="https://a.example/g?h=i"><input name="j" value="k&amp;l"><input value="m"></form>`), form("f")}, "https://a.example/g?h=i&j=k%26l", 0},
		{"FindFormSingle", verbs.Pipe{text(`<FORM action='/g' id='f'><INPUT value='k' name='j'></FORM>`), form("f")}, "https://base.example/g?j=k", 0},
		{"FindFormBare", verbs.Pipe{text(`<form id=f action=g><input name=j value=k></form>`), form("f")}, "https://base.example/c/g?j=k", 0},
		{"FindFormMost", verbs.Pipe{text(`<form id=f action=g>` + strings.Repeat(`<input name=j value=k>`, 100) + `</form>`), form("f")}, "https://base.example/c/g?j=k", 0},
		{"FindFormTooMany", verbs.Pipe{text(`<form id=f action=g>` + strings.Repeat(`<input name=j value=k>`, 101) + `</form>`), form("f")}, "", verbs.Garbled},
		{"FindFormOther", verbs.Pipe{text(`<form id="e" action="/g"></form>`), form("f")}, "", verbs.Garbled},
		{"FindFormScheme", verbs.Pipe{text(`<form id="f" action="javascript:x"></form>`), form("f")}, "", verbs.Garbled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, fault := env(t).Value(verbs.Any{tt.pipe}); got != tt.want || fault != tt.fault {
				t.Errorf("got %q, %d, want %q, %d", got, fault, tt.want, tt.fault)
			}
		})
	}
}

func form(id string) verbs.Step {
	return verbs.Step{Op: verbs.FindForm, Text: id, Parts: []verbs.Part{{Text: "https://base.example/c/d"}}}
}

// The first alternative that does not fail is the value, and the fault is the one of the
// last.
func TestAlternatives(t *testing.T) {
	missing := verbs.Pipe{{Piece: verbs.Type}}
	garbled := verbs.Pipe{text("%"), {Op: verbs.Percent}}
	e := env(t)
	if got, fault := e.Value(verbs.Any{missing, {text("a")}, {text("b")}}); got != "a" || fault != verbs.OK {
		t.Errorf("got %q, %d, want a", got, fault)
	}
	if _, fault := e.Value(verbs.Any{missing, garbled}); fault != verbs.Garbled {
		t.Errorf("got %d, want %d", fault, verbs.Garbled)
	}
	if _, fault := e.Value(verbs.Any{garbled, missing}); fault != verbs.Missing {
		t.Errorf("got %d, want %d", fault, verbs.Missing)
	}
	if e.Holds(nil) {
		t.Error("got that no alternative holds, want that it fails")
	}
}

// A definition is evaluated once, may use the piece of its own name, and passes its fault on.
func TestDefs(t *testing.T) {
	e := env(t)
	e.Defs = []verbs.Def{
		{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.To, Parts: part(verbs.ID, verbs.AsToken)}}}},
		{Piece: verbs.Own, Value: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.Lower}}}},
		{Piece: verbs.Own + 1, Value: verbs.Any{{text("AbC")}}},
		{Piece: verbs.Own + 2, Value: verbs.Any{{text("%"), {Op: verbs.Percent}}}},
		{Piece: verbs.Own + 3, Value: verbs.Any{{{Piece: verbs.Own + 3}}}},
	}
	for range 2 {
		if got, ok := e.Get(verbs.ID); got != "<id!>" || !ok {
			t.Errorf("got %q, %v, want <id!>", got, ok)
		}
	}
	if got, ok := e.Get(verbs.Own); got != "abc" || !ok {
		t.Errorf("got %q, %v, want abc", got, ok)
	}
	if _, fault := e.Value(verbs.Any{{{Piece: verbs.Own + 2}}}); fault != verbs.Garbled {
		t.Errorf("got %d, want %d", fault, verbs.Garbled)
	}
	if got, ok := e.Get(verbs.Own + 3); ok {
		t.Errorf("got %q, want no piece that is only defined by itself", got)
	}
}

func TestSplit(t *testing.T) {
	for path, want := range map[string]string{"": "", "/": "", "/a//b/": "a|b", "/%3Ax%3a/%2f": ":x:|%2f", "/%61": "a"} {
		if got := strings.Join(verbs.Split(path), "|"); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// A value that was wrapped is unwrapped again, and no answer makes a reader of
// answers panic.
func FuzzFind(f *testing.F) {
	f.Add(`{"a":[{"b":"c"}]}`, "a.0.b")
	f.Add(`<form id="f" action="/g"><input name=j value='k'></form>`, "f")
	f.Add(`id="a" id="b"`, "0")
	f.Fuzz(func(t *testing.T, answer, arg string) {
		e := env(t)
		e.Answer = []byte(answer)
		for _, s := range []verbs.Step{{Op: verbs.FindJSON, Text: arg}, form(arg), {Op: verbs.FindText, Pattern: pattern(`id="([^"]*)`)}} {
			got, fault := e.Value(verbs.Any{{{Piece: verbs.Answer}, s}})
			if fault != verbs.OK && got != "" {
				t.Fatalf("%q: got %q with a fault, want nothing", answer, got)
			}
			if _, ok := weburl.Parse(got); s.Op == verbs.FindForm && fault == verbs.OK && !ok {
				t.Fatalf("%q: got %q, want a URL", answer, got)
			}
		}
	})
}
