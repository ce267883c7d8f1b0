package form

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// v is a pair with a value, u one without.
func v(name, value string) Field { return Field{Name: name, Value: value, HasValue: true} }
func u(name string) Field        { return Field{Name: name} }

// The examples of draft section 5: each data set with the texts that mean it
// and texts that do not.
func TestParseDraftExamples(t *testing.T) {
	tests := []struct {
		name     string
		fields   []Field
		equal    []string
		notEqual []string
	}{
		{"WhiteSpace", []Field{v(" a ", " 1 ")},
			[]string{" a = 1 ", "+a+=+1+", "%20a%20=%201%20"}, []string{"a=1"}},
		{"LineFeed", []Field{v("text", "x\ny")},
			[]string{"text=x\ny", "text=x%0Ay"}, []string{"text=x%0D%0Ay", "text=x%0Dy"}},
		{"NonASCII", []Field{v("constellation", "Bo\u00f6tes")},
			[]string{"constellation=Bo\u00f6tes", "constellation=Bo%C3%B6tes"}, []string{"constellation=Boo\u0308tes"}},
		{"NUL", []Field{v("name", "\x00value")},
			[]string{"name=\x00value", "name=%00value"}, []string{"name="}},
		{"Percent", []Field{v("Cipher", "c=(m^e)%n")},
			[]string{"Cipher=c%3D(m%5Ee)%25n", "Cipher=c=(m%5Ee)%25n", "Cipher=c=(m^e)%n", "%43%69%70%68%65%72=%63%3d%28%6D%5E%65%29%25%6e"},
			[]string{"Cipher%3Dc%3D(m%5Ee)%25n", "Cipher=c=(m^e)", "Cipher=c"}},
		{"UndefinedUndefined", []Field{u(""), u("")}, []string{";", "&"}, []string{";=", "=;", "=;=", "", "="}},
		{"UndefinedEmpty", []Field{u(""), v("", "")}, []string{";=", "&="}, []string{";", "=;", "=;=", "", "="}},
		{"EmptyUndefined", []Field{v("", ""), u("")}, []string{"=;", "=&"}, []string{";", ";=", "=;=", "", "="}},
		{"EmptyEmpty", []Field{v("", ""), v("", "")}, []string{"=;=", "=&="}, []string{";", ";=", "=;", "", "="}},
		{"NoPairs", nil, []string{""}, []string{";", "=", "&", " "}},
		{"OneEmpty", []Field{v("", "")}, []string{"="}, []string{"", ";", "=="}},
		{"Separators", []Field{v("a&b", "1"), v("c", "2;3"), v("e", "4")},
			[]string{"a%26b=1;c=2%3B3;e=4", "a%26b=1&c=2%3B3&e=4", "a%26b=1;c=2%3B3&e=4", "a%26b=1&c=2%3B3;e=4"},
			[]string{"a&b=1;c=2%3B3;e=4", "a%26b=1&c=2;3&e=4"}},
		{"NamesOnly", []Field{u("image"), u("title"), u("price")},
			[]string{"image;title;price"}, []string{"image=;title=;price=", "title;image;price"}},

		// Cases of our own.
		{"PercentAtTheEnd", []Field{v("a", "%4")}, []string{"a=%4", "a=%254"}, []string{"a=4"}},
		{"SinglePass", []Field{v("a", "%25")}, []string{"a=%2%35", "a=%2525"}, []string{"a=%25"}},
		{"FirstEqualsSplits", []Field{v("a", "b=c"), u(""), u("")}, []string{"a=b=c&;", "a=b%3Dc;&"}, []string{"a%3Db=c&;"}},
		{"RawAndEscapedOctetsCombine", []Field{v("\u00f6", "\u00f6")}, []string{"\xc3%B6=%C3\xb6"}, nil},
		{"ByteOrderMarkIsData", []Field{v("\ufeffa", "b")}, []string{"\ufeffa=b", "%EF%BB%BFa=b"}, []string{"a=b"}},
		{"ReplacementCharacterIsData", []Field{u("\ufffd")}, []string{"\ufffd", "%EF%BF%BD"}, nil},
		{"PlusIsSpace", []Field{v("a", "+ +")}, []string{"a=%2B+%2B", "a=%2b %2b"}, []string{"a=+%20+"}},
		{"Duplicates", []Field{v("b", "2"), v("a", "1"), v("b", "3")}, []string{"b=2&a=1;b=3"}, []string{"a=1&b=2&b=3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range append(tt.equal, Encode(tt.fields)) {
				got, err := Parse(s)
				if err != nil || !slices.Equal(got, tt.fields) {
					t.Errorf("%q: got %v, %v; want %v", s, got, err, tt.fields)
				}
			}
			for _, s := range tt.notEqual {
				got, err := Parse(s)
				if err != nil || slices.Equal(got, tt.fields) {
					t.Errorf("%q: got %v, %v, want anything but %v, nil", s, got, err, tt.fields)
				}
			}
		})
	}
}

// FU-5: one bad octet voids the set.
func TestParseNotUTF8(t *testing.T) {
	tests := []struct {
		name, s string
		offset  int
	}{
		{"SurrogatesEscaped", "Lookup=%ED%AD%80%ED%B1%BF", 7},
		{"LongSequence", "Lookup=%FE%83%9E%AB%9B%BB%AF", 7},
		{"Overlong", "Lookup=%C0%80", 7},
		{"Truncated", "Lookup=%C3", 7},
		{"Latin1", "Lookup=Bo%F6tes", 7},
		{"Raw", "Lookup=Bo\xf6tes", 7},
		{"InName", "a=1;\xff=2", 4},
		{"InNameWithoutValue", "a=1;%FF", 4},
		{"InLastValue", "a=1;b=2;c=%FF", 10},
		{"SplitBySeparator", "a=%C3;%B6=1", 2},
		{"SplitByEquals", "\xc3=\xb6", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.s)
			if got != nil {
				t.Errorf("got pairs %v, want none", got)
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Offset != tt.offset {
				t.Errorf("%#v, want an error at %d", err, tt.offset)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		s    string
		want []Field
	}{
		{"EmptyIsNothing", Options{}, "", nil},
		{"FU7EmptyIsPair", Options{EmptyIsPair: true}, "", []Field{u("")}},
		{"EmptyIsPairChangesNothingElse", Options{EmptyIsPair: true}, ";", []Field{u(""), u("")}},
		{"AmpersandOnly", Options{AmpersandOnly: true}, "a=1;b=2&c", []Field{v("a", "1;b=2"), u("c")}},
		{"AmpersandOnlyEmpty", Options{AmpersandOnly: true, EmptyIsPair: true}, "", []Field{u("")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.opts.Parse(tt.s)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	tests := []struct {
		name   string
		opts   Options
		fields []Field
		want   string
	}{
		{"Semicolons", Options{}, []Field{v("a", "1"), u("b"), v("c", "")}, "a=1;b;c="},
		{"Ampersands", Options{AmpersandOnly: true}, []Field{v("a", "1;2"), u("b")}, "a=1%3B2&b"},
		{"Reserved", Options{}, []Field{v(";&+%=", ";&+%=")}, "%3B%26%2B%25%3D=%3B%26%2B%25%3D"},
		{"Unreserved", Options{}, []Field{u("azAZ09-._~")}, "azAZ09-._~"},
		{"SpaceAndControls", Options{}, []Field{u(" \x00\n\x7f")}, "%20%00%0A%7F"},
		{"NonASCII", Options{}, []Field{u("\u00f6")}, "%C3%B6"},
		{"ValueWithoutHasValue", Options{}, []Field{{Name: "a", Value: "b"}}, "a"},
		{"FU10NoPairs", Options{}, nil, ""},
		{"FU10OnePair", Options{}, []Field{u("")}, ""},
		{"FU10TwoPairs", Options{}, []Field{u(""), u("")}, ";"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.opts.Encode(tt.fields); got != tt.want {
				t.Errorf("got %q, want %v", got, tt.want)
			}
		})
	}
}

// However many pairs there are, Parse allocates the pairs and one text.
func TestParseAllocations(t *testing.T) {
	for _, s := range []string{strings.Repeat("&", 1<<13), strings.Repeat("%41=+&", 1<<11), strings.Repeat("a=b;", 1<<11)} {
		allocs := testing.AllocsPerRun(5, func() {
			if _, err := Parse(s); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 2 {
			t.Errorf("%.8q...: got %v allocations, want at most 2", s, allocs)
		}
	}
	fields, _ := Parse(strings.Repeat("%41=+&", 1<<11))
	if allocs := testing.AllocsPerRun(5, func() { Encode(fields) }); allocs > 2 {
		t.Errorf("Encode: got %v allocations, want at most 2", allocs)
	}
}

// slowParse is draft section 3 read word for word.
func slowParse(s string, opts Options) ([]Field, bool) {
	if s == "" && !opts.EmptyIsPair {
		return nil, true
	}
	if !opts.AmpersandOnly {
		s = strings.ReplaceAll(s, ";", "&")
	}
	var fields []Field
	for pair := range strings.SplitSeq(s, "&") {
		name, value, has := strings.Cut(pair, "=")
		f := Field{slowUnescape(name), slowUnescape(value), has}
		if !utf8.ValidString(f.Name) || !utf8.ValidString(f.Value) {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, true
}

func slowUnescape(s string) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if raw, err := url.PathUnescape(s[i : i+3]); err == nil {
				out = append(out, raw...)
				i += 2
				continue
			}
		}
		if s[i] == '+' {
			out = append(out, ' ')
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

// FuzzParse holds Parse against a slow reading of the draft, against the
// standard library where both have the same opinion, and against Encode.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", ";", "=", "a=1&b;c=", "a=%2%35", "+a+=+1+", "%C3\xb6", "%ED%AD%80%ED%B1%BF", "a=b=c&;", "%", "%4", "%%41", "a%26b=1;c=2%3B3&e=4", "\xc3&%B6",
	} {
		f.Add(s, false, false)
		f.Add(s, true, true)
	}
	f.Fuzz(func(t *testing.T, s string, ampersandOnly, emptyIsPair bool) {
		opts := Options{AmpersandOnly: ampersandOnly, EmptyIsPair: emptyIsPair}
		want, ok := slowParse(s, opts)
		got, err := opts.Parse(s)
		if (err == nil) != ok || !slices.Equal(got, want) {
			t.Fatalf("got %v, %v; want %v, %v", got, err, want, ok)
		}
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || got != nil || e.Offset > len(s) {
				t.Fatalf("got %v, %#v, want nil, an *Error with an offset in the text", got, err)
			}
			return
		}
		again, err := opts.Parse(opts.Encode(got))
		if err != nil || !slices.Equal(again, got) {
			t.Fatalf("encoded as %q: got %v, %v, want %v, nil", opts.Encode(got), again, err, got)
		}
		if values, err := url.ParseQuery(s); err == nil && ampersandOnly {
			ours := url.Values{}
			for pair := range strings.SplitSeq(s, "&") {
				// ParseQuery skips empty pairs.
				if pair != "" {
					ours.Add(got[0].Name, got[0].Value)
				}
				if len(got) > 0 {
					got = got[1:]
				}
			}
			if ours.Encode() != values.Encode() {
				t.Fatalf("got %q, want %q as of net/url", ours, values)
			}
		}
	})
}

// FuzzEncode checks that a data set survives, with the exception of FU-10, and
// that one that is not UTF-8 is refused.
func FuzzEncode(f *testing.F) {
	f.Add("a", "1", true, "b", "2", false, false)
	f.Add("", "", false, "", "", true, true)
	f.Add(";&", "=%", true, "\u00f6", "\xff", true, false)
	f.Fuzz(func(t *testing.T, n1, v1 string, h1 bool, n2, v2 string, h2, ampersandOnly bool) {
		opts := Options{AmpersandOnly: ampersandOnly}
		for _, fields := range [][]Field{{{n1, v1, h1}}, {{n1, v1, h1}, {n2, v2, h2}}} {
			want := slices.Clone(fields)
			valid := true
			for i, f := range want {
				if !f.HasValue {
					want[i].Value = ""
				}
				valid = valid && utf8.ValidString(f.Name) && utf8.ValidString(want[i].Value)
			}
			if len(want) == 1 && want[0] == (Field{}) {
				opts.EmptyIsPair = true // FU-10
			}
			got, err := opts.Parse(opts.Encode(fields))
			if !valid {
				if _, ok := errors.AsType[*Error](err); !ok {
					t.Fatalf("%v: got %v, want an *Error", fields, err)
				}
				continue
			}
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("got %v, %v; want %v", got, err, want)
			}
		}
	})
}
