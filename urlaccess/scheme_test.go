package urlaccess

import "testing"

func TestScheme(t *testing.T) {
	tests := []struct {
		name, url, want string
		ok              bool
	}{
		{"Lower", "http://a/", "http", true},
		{"UA14AnyCase", "HtTp://a/", "http", true},
		{"AllCharacters", "a1+-.:x", "a1+-.", true},
		{"OneLetter", "c:/dir", "c", true},
		{"NothingAfterColon", "data:", "data", true},
		{"UA15Relative", "b/c:d", "", false},
		{"UA15NetworkPath", "//a/b", "", false},
		{"UA15AbsolutePath", "/a:b", "", false},
		{"OptionLike", "-o/x", "", false},
		{"OptionLikeWithColon", "-o:x", "", false},
		{"StartsWithDigit", "1a:x", "", false},
		{"StartsWithPlus", "+a:x", "", false},
		{"ColonFirst", ":x", "", false},
		{"NoColon", "http", "", false},
		{"Underscore", "a_b:x", "", false},
		{"EightBit", "\u00e4:x", "", false},
		{"Space", "ht tp:x", "", false},
		{"Percent", "ht%74p:x", "", false},
		{"Empty", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Scheme(tt.url); got != tt.want || ok != tt.ok {
				t.Errorf("got %q %v, want %q %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

// UA-16.
func TestSplitFragment(t *testing.T) {
	tests := []struct {
		name, in, url, fragment string
		has                     bool
	}{
		{"None", "http://a/b", "http://a/b", "", false},
		{"One", "http://a/b#c", "http://a/b", "c", true},
		{"Empty", "http://a/b#", "http://a/b", "", true},
		{"FirstHashSplits", "http://a/b#c#d", "http://a/b", "c#d", true},
		{"QuestionMarkInside", "http://a/b#c?d", "http://a/b", "c?d", true},
		{"EscapedHashIsData", "http://a/%23", "http://a/%23", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url, fragment, has := SplitFragment(tt.in)
			if url != tt.url || fragment != tt.fragment || has != tt.has {
				t.Errorf("got %q %q %v, want %q, %q, %v", url, fragment, has, tt.url, tt.fragment, tt.has)
			}
		})
	}
}
