package fetch_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

func TestOctetsJSON(t *testing.T) {
	for _, row := range []struct{ octets, want string }{
		{"", `""`},
		{"220 hello\r\n", `"220 hello\r\n"`},
		{"\u00e9\u2028", `"é\u2028"`},
		{"caf\xe9", `{"base64":"Y2Fm6Q=="}`},
	} {
		got, err := json.Marshal(fetch.Octets(row.octets))
		if err != nil || string(got) != row.want {
			t.Errorf("%q: got %s, %v, want %s", row.octets, got, err, row.want)
		}
	}
	for _, bad := range []string{`1`, `{}`, `{"base64":"?"}`, `null0`} {
		if err := new(fetch.Octets).UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s: got no error, want an error", bad)
		}
	}
}

func FuzzOctetsJSON(f *testing.F) {
	f.Add([]byte("220 hello"))
	f.Add([]byte{0xff, '{', 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := json.Marshal(fetch.Octets(data))
		if err != nil {
			t.Fatal(err)
		}
		var back fetch.Octets
		if err := json.Unmarshal(text, &back); err != nil || !bytes.Equal(back, data) {
			t.Errorf("got %q, %v, want %q", back, err, data)
		}
	})
}
