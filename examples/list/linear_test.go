package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// Each pattern of the list takes a number of steps that is linear in the length of the text, also in an engine
// that goes back, as JavaScript and Python have. The steps are counted.
func TestPatternsAreLinear(t *testing.T) {
	c := newCompiler(theList(t))
	for _, made := range []func(*compiler) (string, error){linkTables, wrapperTables} {
		if _, err := made(c); err != nil {
			t.Fatal(err)
		}
	}
	texts := 0
	for _, pattern := range slices.Sorted(maps.Values(c.patterns)) {
		attack, n := steepest(t, pattern)
		texts += n
		if attack != "" {
			t.Errorf("%s: got more than linear steps for %q", pattern, attack)
		}
	}
	if texts < 10_000 {
		t.Errorf("got %d texts for %d patterns, want many for each", texts, len(c.patterns))
	}
	for pattern, want := range map[string]bool{
		".*x.*": true, "(?:a|b)*": false, "[ab]*a[ab]*": true, "(?:a+b?)+": true, "(?:.*/)?[^/]+": false, "(.*?)/s/.*": true, "[^x\\n]*x.*": false,
	} {
		if attack, _ := steepest(t, pattern); (attack != "") != want {
			t.Errorf("%s: got %q, want a text: %v", pattern, attack, want)
		}
	}
}

// steepest returns a text for which the steps of a pattern grow faster than its length, or "", and the number of
// texts that were tried.
func steepest(t *testing.T, pattern string) (attack string, tried int) {
	t.Helper()
	re, err := syntax.Parse("(?:"+pattern+")", syntax.Perl&^syntax.OneLine)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	const short, factor = 64, 4
	runes := runesOf(re)
	for _, head := range loopsOf(re) {
		for _, pump := range pumpsOf(re, runes) {
			for _, tail := range []string{"", "\n", "\x00", "x", "/"} {
				tried++
				few := steps(prog, head+strings.Repeat(pump, short)+tail)
				many := steps(prog, head+strings.Repeat(pump, short*factor)+tail)
				if many > 2*factor*few || many == maxSteps {
					return head + "(" + pump + ")*" + tail, tried
				}
			}
		}
	}
	return "", tried
}

// maxSteps ends the match of a text that takes exponential time.
const maxSteps = 1 << 20

// steps returns the number of steps in which an engine that goes back matches the whole of a text, or finds that
// it does not match.
func steps(prog *syntax.Prog, text string) (n int) {
	type state struct {
		pc uint32
		at int
	}
	runes := []rune(text)
	stack := []state{{uint32(prog.Start), 0}}
	for len(stack) > 0 && n < maxSteps {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n++
		inst := &prog.Inst[s.pc]
		switch inst.Op {
		case syntax.InstMatch:
			if s.at == len(runes) {
				return n
			}
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, state{inst.Arg, s.at}, state{inst.Out, s.at})
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, state{inst.Out, s.at})
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if s.at < len(runes) && inst.MatchRune(runes[s.at]) {
				stack = append(stack, state{inst.Out, s.at + 1})
			}
		}
	}
	return n
}

// runesOf returns characters that the parts of an expression distinguish.
func runesOf(re *syntax.Regexp) (runes []rune) {
	switch re.Op {
	case syntax.OpLiteral:
		runes = re.Rune
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune) && i < 8; i += 2 {
			runes = append(runes, max(re.Rune[i], ' '))
		}
	}
	for _, sub := range re.Sub {
		runes = append(runes, runesOf(sub)...)
	}
	runes = slices.DeleteFunc(slices.Clone(runes), func(r rune) bool { return r > unicode.MaxASCII || r < ' ' })
	slices.Sort(runes)
	return slices.Compact(runes)
}

// pumpsOf returns texts to repeat: each of some characters, each two of them, and each literal of an expression.
func pumpsOf(re *syntax.Regexp, runes []rune) (pumps []string) {
	runes = append([]rune("a"), runes...)
	for _, r := range runes {
		pumps = append(pumps, string(r))
	}
	for _, r := range runes[:min(len(runes), 10)] {
		for _, q := range runes[:min(len(runes), 10)] {
			pumps = append(pumps, string([]rune{r, q}))
		}
	}
	var walk func(re *syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		if re.Op == syntax.OpLiteral {
			pumps = append(pumps, string(re.Rune))
		}
		for _, sub := range re.Sub {
			walk(sub)
		}
	}
	walk(re)
	return pumps
}

// loopsOf returns the shortest texts that lead an expression to each of its loops.
func loopsOf(re *syntax.Regexp) (heads []string) {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		heads = append(heads, "")
	}
	before := ""
	for _, sub := range re.Sub {
		for _, h := range loopsOf(sub) {
			heads = append(heads, before+h)
		}
		if re.Op == syntax.OpConcat {
			before += shortest(sub)
		}
	}
	slices.Sort(heads)
	return slices.Compact(heads)
}

// shortest returns a short text that an expression matches.
func shortest(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		return string(max(re.Rune[0], '!'))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpAlternate:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(shortest(re.Sub[0]), re.Min)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(shortest(sub))
		}
		return b.String()
	}
	return ""
}

// The readers in Go, JavaScript and Python take time that is linear in the length of a URL, for URLs of up to 64 KiB
// that are wrong in many ways. Each reader measures its own time for a text of n, 2n and 4n octets; a time of
// 100 ms is enough for any of them, and beyond it 4n may take 8 times as long as n.
func TestReadersAreLinear(t *testing.T) {
	texts := longTexts(t)
	t.Logf("%d texts", len(texts))
	check := func(t *testing.T, measure func(texts [][3]string) [][3]float64) {
		var again [][3]string
		for i, times := range measure(texts) {
			if times[2] > 0.1 {
				again = append(again, texts[i])
			}
		}
		for n := 0; n < 3 && len(again) > 0; n++ { // a time may be the time of another process
			var slow [][3]string
			for i, times := range measure(again) {
				if times[2] > 8*times[0] && times[2] > 0.1 {
					t.Logf("%.3f s, %.3f s, %.3f s for %.100q", times[0], times[1], times[2], again[i][0])
					slow = append(slow, again[i])
				}
			}
			again = slow
		}
		for _, text := range again {
			t.Errorf("got more than linear time for %.100q (%d octets)", text[0], len(text[0]))
		}
	}
	t.Run("Go", func(t *testing.T) {
		check(t, func(texts [][3]string) (all [][3]float64) {
			for _, text := range texts {
				var times [3]float64
				for i, s := range text {
					start := time.Now()
					inGo(s)
					times[i] = time.Since(start).Seconds()
				}
				all = append(all, times)
			}
			return all
		})
	})
	for _, tt := range []struct {
		name, program string
		args          []string
	}{
		{"JavaScript", "node", []string{"--input-type=module", "-e", `import { readFileSync } from "node:fs"; import { match, unwrap } from "./js/index.mjs";
const time = (u) => { const start = process.cpuUsage(); match(unwrap(u)); const used = process.cpuUsage(start); return (used.user + used.system) / 1e6; };
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((texts) => texts.map(time))))`}},
		{"Python", "python3", []string{"-B", "-c", `import json, sys, time; sys.path.insert(0, 'python'); import extbody_list
def cpu(u):
    start = time.process_time()
    extbody_list.match(extbody_list.unwrap(u))
    return time.process_time() - start
print(json.dumps([[cpu(u) for u in texts] for texts in json.load(sys.stdin)]))`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, err := exec.LookPath(tt.program)
			if err != nil {
				t.Skipf("there is no %s", tt.program)
			}
			check(t, func(texts [][3]string) (all [][3]float64) {
				input, err := json.Marshal(texts)
				if err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(path, tt.args...)
				cmd.Stdin = bytes.NewReader(input)
				cmd.Stderr = os.Stderr
				out, err := cmd.Output()
				if err == nil {
					err = json.Unmarshal(out, &all)
				}
				if err != nil || len(all) != len(texts) {
					t.Fatalf("got %d times, %v, want %d", len(all), err, len(texts))
				}
				return all
			})
		})
	}
}

// longTexts returns URLs of 16, 32 and 64 KiB: some of those that have a text which many readers find hard in a part of a
// URL or in an example, or five times as many with EXTBODY_SLOW=1.
func longTexts(t *testing.T) (all [][3]string) {
	add := func(head, pump, tail string) {
		var texts [3]string
		for i, size := range []int{16 << 10, 32 << 10, 64 << 10} {
			texts[i] = head + strings.Repeat(pump, (size-len(head)-len(tail))/len(pump)) + tail
		}
		all = append(all, texts)
	}
	// These were slow, or a fault.
	add("https://a.example:", "0", "")
	add("https://", "\u0301\u0316", ".example/")
	add("https://urldefense.com/v3/__https://a.example/*__;", "=", "x!!k$")
	add("https://urldefense.com/v3/__", "/v3/____;", "")
	pumps := []string{
		"a", "/", "//", "=", "&", "&a=", "-", "*", "**A", "é", "\u0301\u0316", "\u00ad", "%FF", "%2F", "%", "/.", "/..", "/%2e", ":", ".", "!", "__;", "__;!", "/v3/__", "/___", "___.",
		"xn--", ".xn--a", "0", "0.", "A", "aA", "a0", "[", "]:1", "?", "#", "@", "+", "{", "/d/", "/s/", "http://", "=http", "url=", "/_layouts/", "/download", "\U0001f600",
	}
	oneIn := 20
	if os.Getenv("EXTBODY_SLOW") != "" {
		oneIn = 4
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, pump := range pumps {
		for _, head := range []string{
			"https://", "https://[", "https://xn--", "https://a.example:", "https://a.example/", "https://a.example/?", "https://a.example/?a=", "https://a.example/#",
			"https://urldefense.com/v3/__https://a.example/", "https://urldefense.com/v3/__https://a.example/*__;", "https://urldefense.com/v2/url?u=", "https://urldefense.com/v1/url?u=",
			"https://eur01.safelinks.protection.outlook.com/?url=", "https://secure-web.cisco.com/1abc/", "https://protect.checkpoint.com/v2/", "https://u.sophos.example/",
			"https://www.dropbox.com/s/", "https://t.sharepoint.com/", "https://t.sharepoint.com/sites/S/", "https://1drv.ms/u/s!", "https://drive.google.com/file/d/", "https://cloud.example/s/",
		} {
			for _, tail := range []string{"", "%0A", "x!!k$"} {
				if rnd.IntN(oneIn) == 0 {
					add(head, pump, tail)
				}
			}
		}
	}
	l := theList(t)
	some := func(examples []example) {
		for _, e := range examples {
			if rnd.IntN(oneIn) > 0 {
				continue
			}
			i := 8 + rnd.IntN(len(e.URL)-8)
			add(e.URL[:i], pumps[rnd.IntN(len(pumps))], e.URL[i:])
			add(e.URL, pumps[rnd.IntN(len(pumps))], "%0A")
		}
	}
	for _, r := range l.Links {
		some(r.Is)
	}
	for _, w := range l.Wrappers {
		some(w.Is)
	}
	return all
}
