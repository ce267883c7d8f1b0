package weburl_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		want weburl.URL
		ok   bool
	}{
		{"Whole", "HTTPS://Files.Example.:443/a%2Fb;c?x=%41&y#k", weburl.URL{Scheme: "https", Host: "files.example", Path: "/a%2Fb;c", Query: "x=%41&y", Fragment: "k", HasQuery: true, HasFragment: true}, true},
		{"Bare", "http://h.example", weburl.URL{Scheme: "http", Host: "h.example"}, true},
		{"QueryWithoutPath", "http://h.example?x/y", weburl.URL{Scheme: "http", Host: "h.example", Query: "x/y", HasQuery: true}, true},
		{"FragmentWithoutPath", "http://h.example#x?y/z", weburl.URL{Scheme: "http", Host: "h.example", Fragment: "x?y/z", HasFragment: true}, true},
		{"AtInPath", "http://h.example/@a", weburl.URL{Scheme: "http", Host: "h.example", Path: "/@a"}, true},
		{"Port", "http://h.example:443/", weburl.URL{Scheme: "http", Host: "h.example", Port: 443, Path: "/"}, true},
		{"Braces", "http://h.example/${f}", weburl.URL{Scheme: "http", Host: "h.example", Path: "/${f}"}, true},
		{"UTF8", "http://h.example/ü", weburl.URL{Scheme: "http", Host: "h.example", Path: "/ü"}, true},
		{"EmptyQuery", "http://h.example/?#", weburl.URL{Scheme: "http", Host: "h.example", Path: "/", HasQuery: true, HasFragment: true}, true},

		{"FullwidthHost", "https://ｄropbox.com/", weburl.URL{Scheme: "https", Host: "dropbox.com", Path: "/"}, true},
		{"IdeographicDots", "https://www。dropbox．com｡/", weburl.URL{Scheme: "https", Host: "www.dropbox.com", Path: "/"}, true},
		{"SoftHyphen", "https://drop\u00adbox.com:8443/", weburl.URL{Scheme: "https", Host: "dropbox.com", Port: 8443, Path: "/"}, true},
		{"EscapedHost", "https://%64ropbox%2Ecom:443/", weburl.URL{Scheme: "https", Host: "dropbox.com", Path: "/"}, true},
		{"EscapedUTF8Host", "https://%EF%BD%84ropbox.com/", weburl.URL{Scheme: "https", Host: "dropbox.com", Path: "/"}, true},
		{"Dots", "https://h.example/a/./../b//%2E%2e/c/.%2e?x", weburl.URL{Scheme: "https", Host: "h.example", Path: "/b/", Query: "x", HasQuery: true}, true},
		{"DotsAboveRoot", "https://h.example/../../a/.", weburl.URL{Scheme: "https", Host: "h.example", Path: "/a/"}, true},
		{"ThreeDots", "https://h.example/.../.a/%2ea", weburl.URL{Scheme: "https", Host: "h.example", Path: "/.../.a/%2ea"}, true},

		{name: "Relative", text: "/a"},
		{name: "OtherScheme", text: "ftp://h.example/"},
		{name: "OneSlash", text: "https:/h.example/"},
		{name: "NoHost", text: "https:///a"},
		{name: "Userinfo", text: "https://www.dropbox.com@evil.example/s/x"},
		{name: "Backslash", text: `https://evil.example\@www.dropbox.com/`},
		{name: "BackslashInPath", text: `https://h.example/a\b`},
		{name: "UserinfoWithPort", text: "https://www.dropbox.com:443@evil.example/s/x"},
		{name: "Space", text: "https://h.example/a b"},
		{name: "Newline", text: "https://h.example/a\nb"},
		{name: "Angle", text: "https://h.example/a>"},
		{name: "NotUTF8", text: "https://h.example/\xff"},
		{name: "EscapedDelimiter", text: "https://a.example%2Fb/"},
		{name: "EscapedUser", text: "https://a.example%40b.example/"},
		{name: "EscapedTwice", text: "https://%2561.example/"},
		{name: "StrayPercent", text: "https://a%.example/"},
		{name: "FullwidthSlash", text: "https://a.example／b/"},
		{name: "NumericHost", text: "http://0x7f.1/"},
		{name: "BadPort", text: "http://h.example:x/"},
		{name: "TooLong", text: "http://h.example/" + strings.Repeat("a", weburl.MaxBytes)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := weburl.Parse(tt.text)
			if got != tt.want || ok != tt.ok {
				t.Errorf("got %+v, %v, want %+v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestParam(t *testing.T) {
	u, ok := weburl.Parse("https://h.example/?a=1=2&b&c=x&c=x&A=3&d=;e=1")
	if !ok {
		t.Fatal("no URL")
	}
	for _, tt := range []struct {
		name, want string
		ok         bool
	}{{"a", "1=2", true}, {"b", "", true}, {"c", "", false}, {"A", "3", true}, {"e", "", false}, {"", "", false}} {
		if got, ok := u.Param(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestSetParam(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"https://h.example/a", "https://h.example/a?dl=1"},
		{"https://h.example/a?", "https://h.example/a?dl=1"},
		{"https://h.example/a#k", "https://h.example/a?dl=1"},
		{"https://h.example/a?dl=0", "https://h.example/a?dl=1"},
		{"https://h.example/a?dl=0&k=%2f;&dl=2#z", "https://h.example/a?dl=1&k=%2f;"},
		{"https://h.example/a?xdl=0&e", "https://h.example/a?xdl=0&e&dl=1"},
	} {
		if got := weburl.SetParam(tt.text, "dl", "1"); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestSameSite(t *testing.T) {
	a := weburl.URL{Scheme: "https", Host: "a.example", Path: "/x"}
	for _, tt := range []struct {
		b    weburl.URL
		want bool
	}{
		{weburl.URL{Scheme: "https", Host: "a.example"}, true},
		{weburl.URL{Scheme: "http", Host: "a.example"}, false},
		{weburl.URL{Scheme: "https", Host: "b.example"}, false},
		{weburl.URL{Scheme: "https", Host: "a.example", Port: 1}, false},
	} {
		if a.SameSite(tt.b) != tt.want {
			t.Errorf("got %+v, want %v", tt.b, tt.want)
		}
	}
}

// For a URL that Parse accepts, net/url and the joined parts agree.
func TestCutHost(t *testing.T) {
	for text, want := range map[string]string{
		"a-1.example/p": "a-1.example", "a.example?q": "a.example", "a.example#f": "a.example",
		"": "", "/p": "", "a.example": "", "a.example ": "", "a.example:80/": "", "A.example/": "", "a.example./": "",
		"u@a.example/": "", "a%2eexample/": "", "\u00e4.example/": "", "a_b.example/": "", "[::1]/": "",
	} {
		host, rest, ok := weburl.CutHost([]byte(text))
		if string(host) != want || ok != (want != "") || ok && string(host)+string(rest) != text {
			t.Errorf("%q: got %q, %q, %v, want %q", text, host, rest, ok, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"https://h.example/a?b#c", "http://h.example:8080", "HTTP://H.EXAMPLE./%41?%", "https://[::1]/x", "http://a@b/", "http://h.example/a%zz",
		"http://h.example/a|b%7c", "http://A/.", "http://h.example/a/%2E./b?c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, ok := weburl.Parse(text)
		if !ok {
			return
		}
		dots := strings.Contains(text, "/.") || strings.Contains(text, "/%2") // perhaps segments that Parse removes
		tail := u.Path
		if dots {
			tail = ""
		}
		if u.HasQuery {
			tail += "?" + u.Query
		}
		if u.HasFragment {
			tail += "#" + u.Fragment
		}
		if !strings.HasSuffix(text, tail) || len(text) < len(tail)+len(u.Scheme)+len("://h") {
			t.Fatalf("%q: got %+v, want each octet of the tail %q", text, u, tail)
		}
		if v, err := url.Parse(text); err == nil {
			path, err := url.PathUnescape(u.Path)
			if v.Scheme != u.Scheme || v.User != nil || err != nil || !dots && v.Path != path || v.RawQuery != u.Query {
				t.Fatalf("%q: got %+v, want %+v as net/url", text, u, v)
			}
			if host := strings.ToLower(strings.TrimSuffix(v.Hostname(), ".")); !strings.Contains(u.Host, ":") && host != u.Host && !strings.Contains(host, "xn--") && !strings.Contains(host, ":") {
				t.Fatalf("%q: got the host %q, want %q as net/url", text, u.Host, host)
			}
		}
		set := weburl.SetParam(text, "zz", "1")
		if v, ok := weburl.Parse(set); !ok || v.HasFragment {
			t.Fatalf("%q: SetParam: got %q, want a URL without a fragment", text, set)
		} else if value, ok := v.Param("zz"); !ok || value != "1" {
			t.Fatalf("%q: SetParam: got %q, want zz=1 in it", text, set)
		}
	})
}

func TestUnescape(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"/a/b", "/a/b"},
		{"/%3Ax%3a/%73%2D%21", "/:x:/s-!"},
		{"/%2F%25%20%c3%bc%40", "/%2F%25%20%c3%bc%40"},
		{"/%30%39%61%7A", "/09az"},
		{"/%2573%", "/%2573%"},
		{"/%4%41%4", "/%4A%4"},
	} {
		if got := weburl.Unescape(tt.path); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.path, got, tt.want)
		}
	}
}

// A host that is written in other octets is noticed, however the text is cut.
func TestHiddenHost(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"see https://www.dropbox.com/%41ü", false},
		{"see https://www.dropbox%2ecom/", true},
		{"see https://www。dropbox.com/", true},
		{"a: //ü https:// ü", false},
		{"http://a/ http://b/ http://drop\xc2\xadbox.com", true},
		{"HTTPS:www%2ea.example/", true},
		{"https:\n\\www%2ea.example/", true},
		{"https:/\twww%2ea.example/", true},
		{"https://www&shy;.a.example/", true},
		{"&lt;https://a.example&gt; https://b&nbsp;https://c&amp;d; Gr\u00fc\u00dfe:\n\u00fc PS:\n\u00fc color:%", false},
		{"http://a%", true},
		{"http://a.example/f/0123456789abcdefABCD/ x", true},
		{"http://a.example/d/0123456789abcdefABC x http://b/d/http://c%", true},
		{"http://a.example/e/0123456789abcdefABCD", false},
		{"http://a.example/s/AbCdEfGhIjKl2mO", true},
		{"http://a.example/s/AbCdEfGhIjKl2m- http://b.example/s/bcdefghijklmn23/", false},
		{"/f/0123456789abcdefABCD http://", false},
		{"http://" + strings.Repeat("a", 299) + "%", true},
		{"http://" + strings.Repeat("a", 300) + "%", false},
	} {
		for size := 1; size <= len(tt.text); size++ {
			var h weburl.HiddenHost
			for piece := range slices.Chunk([]byte(tt.text), size) {
				h.Write(piece)
			}
			if h.Found != tt.want {
				t.Errorf("%q in pieces of %d: got %v, want %v", tt.text, size, h.Found, tt.want)
			}
		}
	}
}

func TestHosts(t *testing.T) {
	h := weburl.NewHosts(4, func(i int) []string {
		return [][]string{{"a.example", ".b.example"}, nil, {".example"}, {"a.example", "a.example"}}[i]
	})
	tests := []struct {
		host string
		rows []int
	}{
		{"a.example", []int{0, 1, 2, 3}},
		{"x.y.b.example", []int{0, 1, 2}},
		{"b.example", []int{1, 2}},
		{"example", []int{1}},
		{"xa.example.net", []int{1}},
		{"", []int{1}},
	}
	for _, tt := range tests {
		if got := h.AppendRows(nil, tt.host); !slices.Equal(got, tt.rows) {
			t.Errorf("%q: rows %v, want %v", tt.host, got, tt.rows)
		}
		if got, want := h.Has(tt.host), len(tt.rows) > 1; got != want {
			t.Errorf("%q: has %v, want %v", tt.host, got, want)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	for _, tt := range [][2]string{
		{"https://u:p@h.example/x@y", "https://h.example/x@y"}, {"//a@b@h?@", "//h?@"}, {"https://@h#x", "https://h#x"},
		{"https://h/@x", "https://h/@x"}, {`https://e\@h/`, `https://e\@h/`}, {"https://a@http://b@h/", "https://a@http://b@h/"}, {"a@b", "a@b"},
	} {
		if got := weburl.WithoutUser(tt[0]); got != tt[1] {
			t.Errorf("%s: got %s, want %s", tt[0], got, tt[1])
		}
	}
}
