package param

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// damaged yields field values of many forms with a few octets of each changed.
func damaged(n int) []string {
	r := rand.New(rand.NewPCG(22, 13))
	seeds := []string{
		`message/external-body; access-type=URL; url="data:a/b;base64,QUJDQUJDQUJDQUJD"; size=7; name="a b"`,
		`message/external-body; access-type=URL; url*0="data:a/b,0123456789"; url*1*=%41%42%43; url*2=z; size=3`,
		`message/external-body; url*=utf-8'en'data:,%41%42%43%44%45%46; access-type=URL`,
		`message/external-body;access-type=url;url=data:a/b;base64,AAAAAAAAAAAA;size=7`,
		`a/b; x="\\\\\\\"aaaa"; (a(b)c) y (=) = z; title="isn't it \"so\""`,
		"a/b; url=\"01\r\n 23\r\n\t456789\"; name=x (y) ; z=\"\"",
	}
	const stuff = "\"\"\"\\\\();;==  \t\r\n*'%,/:<>@[]?0aé"
	fields := make([]string, n)
	for i := range fields {
		b := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(b))
			c := stuff[r.IntN(len(stuff))]
			switch r.IntN(4) {
			case 0:
				b = slices.Delete(b, at, at+1)
			case 1:
				b[at] = c
			default:
				b = slices.Insert(b, at, c)
			}
		}
		fields[i] = string(b)
	}
	return fields
}

// TestSkimAgrees compares Skim and NewValueReader with Parse over damaged values: what
// Skim does not cut means the same to Parse as the whole field.
func TestSkimAgrees(t *testing.T) {
	skimmed, read := 0, 0
	for _, field := range damaged(20_000) {
		s, err := Skim(iotest.OneByteReader(strings.NewReader(field)), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if s.Cut {
			continue
		}
		skimmed++
		full, short := Parse(field), Parse(s.Field)
		if full.Type != short.Type || !slices.Equal(full.Params, short.Params) {
			t.Errorf("%q: got %+v, want %+v as of Parse", field, short, full)
		}
		s, _ = Skim(strings.NewReader(field), 8)
		for _, name := range s.Long {
			if s.Cut {
				continue
			}
			want, _ := full.Get(name)
			got, err := io.ReadAll(NewValueReader(strings.NewReader(field), name))
			if read++; err == nil && string(got) != want || err != nil && !errors.Is(err, ErrValue) {
				t.Errorf("%q: got %q, %v, want %q as of Parse", field, got, err, want)
			}
		}
	}
	t.Logf("%d of 20000 damaged values were skimmed, and %d long values read", skimmed, read)
}
