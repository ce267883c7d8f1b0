package dataurl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
)

func TestEncode(t *testing.T) {
	tests := []struct{ name, mediaType, data, want string }{
		{"Note", "text/plain", "A brief note", "data:text/plain,A%20brief%20note"},
		{"Empty", "", "", "data:,"},
		{"NoType", "", "x", "data:,x"},
		{"BadType", "x", "x", "data:,x"},
		{"Default", dataurl.DefaultMediaType, "x", "data:text/plain;charset=US-ASCII,x"},
		{"Case", "Text/HTML; Charset=UTF-8", "x", "data:text/html;charset=UTF-8,x"},
		{"URLCharacters", "a/b", "az09AZ-_.!~*'();/?:@&=+$,", "data:a/b,az09AZ-_.!~*'();/?:@&=+$,"},
		{"Unsafe", "a/b", "% \"#<>[\\]^`{|}\x7f" + strings.Repeat("x", 80), "data:a/b,%25%20%22%23%3C%3E%5B%5C%5D%5E%60%7B%7C%7D%7F" + strings.Repeat("x", 80)},
		{"Short", "a/b", "\xff\xff\xff\xff", "data:a/b,%FF%FF%FF%FF"}, // 12 against 15.
		{"Equal", "a/b", "\xff\xff\xff\xff\xff", "data:a/b,%FF%FF%FF%FF%FF"},
		{"Long", "a/b", "\xff\xff\xff\xff\xff\xff", "data:a/b;base64,////////"},
		{"Value", "a/b;c=d.e", "x", "data:a/b;c=d.e,x"},
		{"ValueQuoted", `a/b;c="d, e"`, "x", "data:a/b;c=d%2C%20e,x"},
		{"ValueWithQuote", `a/b;c="\"d"`, "x", "data:a/b;c=%22%5C%22d%22,x"},
		{"ValueEmpty", `a/b;c=""`, "x", "data:a/b;c=%22%22,x"},
		{"ValuePercent", "a/b;c=%20", "x", "data:a/b;c=%2520,x"},
		{"TypeHash", "a#/b", "x", "data:a%23/b,x"},
		{"TypeBase64", "a/b;base64=1", "x", "data:a/b;base64=1,x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := dataurl.Encode(tt.mediaType, []byte(tt.data)); got != tt.want {
				t.Errorf("Encode = %q, want %q", got, tt.want)
			}
		})
	}
	data := random(100_000)
	if n := testing.AllocsPerRun(5, func() { dataurl.Encode("image/png", data) }); n != 1 {
		t.Errorf("Encode allocates %v times, want 1", n)
	}
	clear(data)
	if n := testing.AllocsPerRun(5, func() { dataurl.Encode("a/b;c=d", data[:10]) }); n != 1 {
		t.Errorf("Encode allocates %v times, want 1", n)
	}
}

func ExampleEncode() {
	fmt.Println(dataurl.Encode("text/plain", []byte("A brief note")))
	fmt.Println(dataurl.Encode("image/gif", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff")))
	// Output:
	// data:text/plain,A%20brief%20note
	// data:image/gif;base64,R0lGODlhAQABAIAAAP8=
}
