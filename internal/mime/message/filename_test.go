package message

import (
	"slices"
	"testing"
)

// TestFileNames holds: each name that a program may use counts.
func TestFileNames(t *testing.T) {
	for _, tt := range []struct {
		header string
		want   []string
		is     bool
	}{
		{"Content-Type: text/plain\n", nil, false},
		{"Content-Type: a/b; name=a.URL\n", []string{"a.URL"}, true},
		{"Content-Type: a/b; name=a.txt\nContent-Disposition: attachment; filename*0=b.; filename*1=url\n", []string{"a.txt", "b.url"}, true},
		{"content-disposition: inline; filename=a.txt; filename=\"=?utf-8?Q?b=2Eurl?=\"\n", []string{"a.txt", "b.url"}, true},
		{"Content-Disposition: attachment; filename=\"a.url. \"\n", []string{"a.url. "}, true},
		{"Content-Disposition: attachment; filename=a.url.txt\nX-Name: b.url\n", []string{"a.url.txt"}, false},
	} {
		got := FileNames(tt.header)
		if is := HasExtension(got, []string{".url"}); !slices.Equal(got, tt.want) || is != tt.is {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.header, got, is, tt.want, tt.is)
		}
	}
}
