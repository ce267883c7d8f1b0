package archive

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzMembers holds: what is read of a line in the short way is what encoding/json reads.
func FuzzMembers(f *testing.F) {
	for _, v := range []any{
		&Exception{Facts: Facts{Key: "ab\"\\", Expect: "c", Header: map[string][]string{"A": {"x", "}\",{"}}}, Source: "s\u2028", UID: 7, Attempts: 3, Due: time.Unix(1_790_000_000, 5).UTC()},
		&Exception{}, &Capture{SHA256: "x", NotModified: true}, &ReferenceRecord{Key: "k", Size: -1},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"key": "x"}`))
	f.Add([]byte(`{"key":"x"},`))
	f.Add([]byte(`{"k\u0065y":"x"}`))
	f.Add([]byte("{\"\xb7\":true}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tree map[string]json.RawMessage
		if err := json.Unmarshal(text, &tree); err != nil {
			members(text, func(_, _ []byte) {}) // panics at nothing
			return
		}
		got := make(map[string]string)
		if !members(text, func(name, value []byte) { got[string(name)] = string(value) }) {
			return
		}
		if len(got) != len(tree) {
			t.Errorf("got %d members of %q, want %d", len(got), text, len(tree))
		}
		for name, value := range got {
			want, ok := tree[name]
			if !ok && !json.Valid([]byte(`"`+name+`"`)) {
				continue
			}
			if string(want) != value {
				t.Errorf("%q: got %q, want %q", name, value, want)
			}
		}
	})
}

// TestRead holds: each kind of line is read in the short way as in the long one.
func TestRead(t *testing.T) {
	e := &Exception{Facts: Facts{Key: digest("k"), Expect: "0123456789abcdef", URL: "http://h/\u2028<>&"}, Source: "a \"b\" \\", File: "f", UID: 5, Resolved: true, Attempts: 9, First: time.Unix(1, 0).UTC(), Due: time.Unix(2, 0).UTC()}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var got Exception
	if err := got.read(text); err != nil || got.Key != e.Key || got.Expect != e.Expect || got.Source != e.Source || got.File != e.File || got.UID != 5 ||
		!got.Resolved || got.Attempts != 9 || !got.First.Equal(e.First) || !got.Due.Equal(e.Due) {
		t.Errorf("got %+v, %v; want %+v", got, err, e)
	}
	for _, bad := range []string{`{"key":1}`, `{"uid":"x"}`, `{"due":"yesterday"}`, `{`, `[]`} {
		if err := new(Exception).read([]byte(bad)); err == nil {
			t.Errorf("%s: got no error, want one", bad)
		}
	}
}
