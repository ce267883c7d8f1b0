package policy

import (
	"net/url"
	"testing"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
)

// TestWayOut wants the end of an error line to name the flag against a refusal of the guard, and
// no flag where none helps.
func TestWayOut(t *testing.T) {
	header := "Content-Type: message/external-body; access-type=URL; URL=\"http://files.example/a\"\r\n"
	ref, err := externalbody.ReadRaw([]byte(header), []byte("Content-Type: text/plain\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, url string
		flags     []string
		want      string
	}{
		{"Private", "http://10.0.0.1/", nil, "; --allow-net 10.0.0.1 allows it"},
		{"Denied", "http://93.184.216.34/", []string{"--deny-net", "93.184.216.0/24"}, ""},
		{"Port", "http://files.example:81/", nil, "; --allow-port 81 allows it"},
		{"LocalName", "http://printer.local/", nil, "; --allow-net with a range that has its address allows it"},
		{"InvalidName", "http://a..example/", nil, ""},
		{"NoHost", "http:///a", nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := new(Policy)
			f := pflag.NewFlagSet("", pflag.ContinueOnError)
			p.Contacts(f)
			if err := f.Parse(row.flags); err != nil {
				t.Fatal(err)
			}
			u, err := url.Parse(row.url)
			if err != nil {
				t.Fatal(err)
			}
			err = p.Guard().WithPorts(80).CheckURL(u)
			if err == nil {
				t.Fatal("got no refusal")
			}
			if got := p.WayOut(ref, err); got != row.want {
				t.Errorf("%v: got %q, want %q", err, got, row.want)
			}
		})
	}
}
