package bounded_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/internal/codec/bounded"
)

// TestValues holds, OP-62: a text may have as many values as its bound, and not one more, however its octets arrive.
func TestValues(t *testing.T) {
	for text, n := range map[string]int{
		`0`:                                  1,
		`"a,[{"`:                             1,
		`[]`:                                 2,
		`{}`:                                 2,
		`[0]`:                                2,
		`[0,0,0]`:                            4,
		`{"a,":1,"b\",":[{},"\\"],"c":"[,"}`: 7,
	} {
		var v any
		if err := bounded.JSON([]byte(text), &v, n); err != nil {
			t.Errorf("%s: got %v for %d values, want none", text, err, n)
		}
		if err := bounded.JSON([]byte(text), &v, n-1); !errors.Is(err, bounded.ErrMany) {
			t.Errorf("%s: got %v for %d values, want %v", text, err, n-1, bounded.ErrMany)
		}
		got, err := io.ReadAll(bounded.Values(iotest.OneByteReader(strings.NewReader(text)), n))
		if err != nil || string(got) != text {
			t.Errorf("got %s, %v; want %s", got, err, text)
		}
		if got, err := io.ReadAll(bounded.Values(strings.NewReader(text), n-1)); err != bounded.ErrMany || len(got) > 0 {
			t.Errorf("%s: got %q, %v; want %v", text, got, err, bounded.ErrMany)
		}
	}
}

// TestTags holds, OP-62: an attribute has a word at least, and the text of a value none.
func TestTags(t *testing.T) {
	for text, n := range map[string]int{
		`<a>b c d e f</a>`:                     1,
		`<a b="c d e" f='>g h'/>i j k`:         3,
		`<a b c d=e>`:                          5,
		`<a b="1"c="2">`:                       3,
		"<a\n\tb = 'x'\r\nc>":                  3,
		`<!-- it's --><a b c d><e f="<g h i j`: 4,
		`<a b=1éc=2>`:                          4,
	} {
		if _, err := io.ReadAll(bounded.Tags(iotest.OneByteReader(strings.NewReader(text)), n)); err != nil {
			t.Errorf("%s: got %v for %d words, want none", text, err, n)
		}
		if _, err := io.ReadAll(bounded.Tags(strings.NewReader(text), n-1)); err != bounded.ErrMany {
			t.Errorf("%s: got %v for %d words, want %v", text, err, n-1, bounded.ErrMany)
		}
	}
}

// count returns how many values a decoded text has.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += count(e)
		}
	case map[string]any:
		for _, e := range v {
			n += count(e)
		}
	}
	return n
}

// FuzzBounds wants a text of JSON to have at most as many values as are counted, and a tag of XML at most as many
// attributes, whether it is read in the strict way or not.
func FuzzBounds(f *testing.F) {
	f.Add([]byte(`[{"a":[1,2,"\"[,"]},{},[]]`), 3)
	f.Add([]byte(`<a b c='d' e=f g="h"i='j'><!-- " --><k l m n>`), 2)
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		most = 1 + most&0xf
		var v any
		if bounded.JSON(text, &v, most) == nil && count(v) > most {
			t.Errorf("got %d values of %q, want at most %d", count(v), text, most)
		}
		if whole := json.Valid(text); whole {
			if _, err := io.ReadAll(bounded.Values(strings.NewReader(string(text)), len(text)+2)); err != nil {
				t.Errorf("got %v for %q, want none", err, text)
			}
		}
		for _, strict := range []bool{true, false} {
			d := xml.NewDecoder(bounded.Tags(strings.NewReader(string(text)), most))
			d.Strict = strict
			for {
				token, err := d.RawToken()
				if err != nil {
					break
				}
				if e, ok := token.(xml.StartElement); ok && len(e.Attr) >= most {
					t.Errorf("got %d attributes of %q, want less than %d", len(e.Attr), text, most)
				}
			}
		}
	})
}
