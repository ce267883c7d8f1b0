package externalbody_test

import (
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

const remotePart = "Content-Type: message/external-body; access-type=url; url=\"http://h.example/x\"\n\nContent-Type: text/plain\n\n"

func TestParamsGet(t *testing.T) {
	ps := externalbody.Params{{"access-type", "url"}, {"x", "1"}, {"X", "2"}}
	for _, tt := range []struct {
		name, want string
		ok         bool
	}{{"Access-Type", "url", true}, {"X", "1", true}, {"y", "", false}, {"", "", false}} {
		if got, ok := ps.Get(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestCommonTypes(t *testing.T) {
	for _, tt := range []struct {
		announced, served string
		kind              fetch.Kind
	}{
		{"image/jpg", "image/jpeg", 0},
		{"image/jpeg", "image/jpg", 0},
		{"application/zip", "application/x-zip-compressed", 0},
		{"application/pdf", "application/x-pdf", 0},
		{"image/gif", "binary/octet-stream", 0},
		{"audio/mpeg", "audio/mp3", 0},
		{"audio/mp3", "audio/mpeg", 0},
		{"text/xml", "application/xml", 0},
		{"image/gif", "application/force-download", 0},
		{"image/gif", "application/x-download", 0},
		{"application/octet-stream", "image/gif", 0},
		{"image/gif", "image/jpeg", fetch.TypeMismatch},
		{"image/gif", "text/html", fetch.TypeMismatch},
	} {
		_, _, err := resolve(t, externalbody.Resolver{}, "", "Content-Type: "+tt.announced+"\n", page{mediaType: tt.served, body: "x"})
		if k := fetch.KindOf(err); k != tt.kind {
			t.Errorf("%s, served as %s: got %v, want %v", tt.announced, tt.served, k, tt.kind)
		}
	}
}

// A Reference says which part it stands in, which message it belongs to, and whether
// that is to be seen in the octets of the message.
func TestSections(t *testing.T) {
	within := func(head, inner string) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n" + head + "\n\n" + inner + "\n--b--\n"
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("MIME-Version: 1.0\n" + remotePart))
	for _, tt := range []struct {
		name, text       string
		section, message string
		hidden           bool
	}{
		{"Whole", remotePart, "1", "", false},
		{"Part", within("Content-Type: multipart/mixed; boundary=c", "--c\n"+remotePart+"\n--c--"), "2.1", "", false},
		{"Message", within("Content-Type: message/rfc822", remotePart), "2.1", "2", false},
		{"PartOfMessage", within("Content-Type: message/rfc822", strings.NewReplacer("=b\n", "=e\n", "--b", "--e").Replace(within("Content-Type: multipart/mixed; boundary=d", "--d\n"+remotePart+"\n--d--"))), "2.2.1", "2", false},
		{"Hidden", within("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", encoded), "2.1", "2", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "MIME-Version: 1.0\n" + tt.text
			m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			refs := slices.Collect(m.References())
			if len(refs) != 1 {
				t.Fatalf("got %d references, want 1", len(refs))
			}
			if section, message, hidden := refs[0].Section(), refs[0].MessageSection(), refs[0].Hidden(); section != tt.section || message != tt.message || hidden != tt.hidden {
				t.Errorf("got %q, %q, %v, want %q, %q, %v", section, message, hidden, tt.section, tt.message, tt.hidden)
			}
			if got, err := io.ReadAll(m.Reader()); err != nil || string(got) != text {
				t.Errorf("got %q, %v, want the message", got, err)
			}
		})
	}
	ref, err := externalbody.ReadRaw([]byte(strings.SplitAfter(remotePart, "\n\n")[0]), nil)
	if err != nil {
		t.Fatal(err)
	}
	if section, message, hidden := ref.Section(), ref.MessageSection(), ref.Hidden(); section != "" || message != "" || !hidden {
		t.Errorf("read alone: got %q, %q, %v, want \"\", \"\", true", section, message, hidden)
	}
}
