package externalbody_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

var update = flag.Bool("update", false, "rewrite the references in testdata/vectors")

// A vector is the JSON beside a message of testdata/vectors, whose README
// specifies it.
type vector struct {
	About        string            `json:"about"`
	Source       string            `json:"source"`
	References   []vectorReference `json:"references"`
	Alternatives [][]int           `json:"alternatives,omitempty"`
}

type vectorReference struct {
	Dialect     string         `json:"dialect"`
	AccessType  string         `json:"access_type"`
	Params      [][2]string    `json:"params"`
	ContentType string         `json:"content_type,omitempty"`
	ContentID   string         `json:"content_id,omitempty"`
	Name        string         `json:"name,omitempty"`
	Size        *int64         `json:"size,omitempty"`
	Expiration  string         `json:"expiration,omitempty"`
	Permission  string         `json:"permission"`
	Provider    string         `json:"provider,omitempty"`
	Promises    []string       `json:"promises,omitempty"`
	Digests     [][2]string    `json:"digests,omitempty"`
	PhantomBody string         `json:"phantom_body,omitempty"`
	Quoted      bool           `json:"quoted,omitempty"`
	Origins     []vectorOrigin `json:"origins"`
	Request     string         `json:"request,omitempty"`
	Refused     string         `json:"refused,omitempty"`
	Diags       []string       `json:"diags,omitempty"`
}

type vectorOrigin struct {
	Section string `json:"section"`
	Field   string `json:"field,omitempty"`
}

// newVectorReference returns the facts that the vectors have about a Reference.
func newVectorReference(ref *externalbody.Reference) vectorReference {
	v := vectorReference{
		Dialect: ref.Dialect, AccessType: ref.AccessType, ContentType: ref.MediaType, ContentID: ref.ContentID, Name: ref.Name,
		Permission: ref.Permission, Provider: ref.Provider, Quoted: ref.Quoted,
		PhantomBody: strings.ReplaceAll(string(ref.PhantomBody()), "\r\n", "\n"),
		Promises:    ref.Promises,
		Params:      [][2]string{}, Origins: []vectorOrigin{},
	}
	for _, p := range ref.Params {
		v.Params = append(v.Params, [2]string{p.Name, p.Value})
	}
	for _, o := range ref.Origins {
		v.Origins = append(v.Origins, vectorOrigin{o.Section, o.Field})
	}
	if ref.Size >= 0 {
		v.Size = &ref.Size
	}
	if !ref.Expiration.IsZero() {
		v.Expiration = ref.Expiration.UTC().Format(time.RFC3339Nano)
	}
	for _, d := range ref.Digests {
		v.Digests = append(v.Digests, [2]string{d.Algorithm, hex.EncodeToString(d.Sum)})
	}
	for _, d := range ref.Diags {
		v.Diags = append(v.Diags, d.String())
	}
	switch req, err := ref.Request(); {
	case err != nil:
		v.Refused = fetch.KindOf(err).String()
	case req.Text != "":
		v.Request = req.Text
	default:
		v.Request = req.URL.String()
	}
	return v
}

// TestVectors reads each message of testdata/vectors, with line ends of both
// kinds, and wants the references that the JSON beside it has.
func TestVectors(t *testing.T) {
	messages, err := filepath.Glob("testdata/vectors/*.eml")
	if err != nil || len(messages) == 0 {
		t.Fatalf("got %d messages and %v, want messages", len(messages), err)
	}
	for _, path := range messages {
		name := strings.TrimSuffix(path, ".eml")
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(path)
			must(t, err)
			want := readVector(t, name+".json", *update)
			lf := strings.ReplaceAll(string(text), "\r\n", "\n")
			if *update {
				want.References, want.Alternatives = readAll(t, lf)
				writeVector(t, name+".json", want)
			}
			for _, text := range []string{lf, strings.ReplaceAll(lf, "\n", "\r\n")} {
				refs, alternatives := readAll(t, text)
				for i := range max(len(refs), len(want.References)) {
					var got, wanted any
					if i < len(refs) {
						got = refs[i]
					}
					if i < len(want.References) {
						wanted = want.References[i]
					}
					if !reflect.DeepEqual(got, wanted) {
						t.Errorf("reference %d: got\n%s\nwant\n%s", i, indent(t, got), indent(t, wanted))
					}
				}
				if !reflect.DeepEqual(alternatives, want.Alternatives) {
					t.Errorf("alternatives: got %v, want %v", alternatives, want.Alternatives)
				}
			}
		})
	}
}

// TestVectorsAreComplete wants of each form a plain, a hostile and a quoted
// case, and no file without its other half.
func TestVectorsAreComplete(t *testing.T) {
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join("testdata", "vectors", name))
		return err == nil
	}
	for _, form := range dialect.All() {
		for _, kind := range []string{"plain", "hostile", "quoted"} {
			if name := form.Name + "-" + kind + ".eml"; !exists(name) {
				t.Errorf("got no vector %s, want one for each dialect and kind", name)
			}
		}
	}
	entries, err := os.ReadDir("testdata/vectors")
	must(t, err)
	for _, e := range entries {
		base := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".eml"), ".json")
		if base != e.Name() && (!exists(base+".eml") || !exists(base+".json")) {
			t.Errorf("got half a vector %s, want an .eml and a .json", e.Name())
		}
	}
}

// readAll reads a message, with all Dialects.
func readAll(t *testing.T, text string) ([]vectorReference, [][]int) {
	t.Helper()
	m := openMessage(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
	all := slices.Collect(m.References())
	refs := []vectorReference{}
	for _, ref := range all {
		refs = append(refs, newVectorReference(ref))
	}
	var alternatives [][]int
	several := false
	for alts := range m.Alternatives() {
		var group []int
		for _, ref := range alts {
			group = append(group, slices.Index(all, ref))
		}
		several = several || len(group) > 1
		alternatives = append(alternatives, group)
	}
	if !several {
		alternatives = nil // each is a body of its own
	}
	return refs, alternatives
}

// readVector reads a vector, in which a key that is not specified is a mistake. With create, a vector without a
// file is empty, apart from the keys that are to be written into it.
func readVector(t *testing.T, path string, create bool) *vector {
	t.Helper()
	text, err := os.ReadFile(path)
	if create && errors.Is(err, fs.ErrNotExist) {
		return &vector{About: toWrite, Source: toWrite}
	}
	must(t, err)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var v vector
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: got error %v, want none", path, err)
	}
	for _, field := range []string{v.About, v.Source} {
		if field == "" || field == toWrite {
			t.Errorf("%s: got no about or no source, want both", path)
		}
	}
	return &v
}

// toWrite is the about and the source of a vector that -update made.
const toWrite = "to be written"

// The first -update of a message without a vector makes one, and names the keys that are still to
// be written.
func TestNewVector(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	v := readVector(t, path, true)
	v.References, _ = readAll(t, "Subject: x\n\nhttps://www.dropbox.com/s/a1b2c3d4e5f6g7h/b.pdf\n")
	writeVector(t, path, v)
	text, err := os.ReadFile(path)
	must(t, err)
	if !strings.Contains(string(text), `"about": "`+toWrite+`"`) || len(v.References) != 1 {
		t.Errorf("got %s, want a vector of one reference", text)
	}
}

func writeVector(t *testing.T, path string, v *vector) {
	t.Helper()
	must(t, os.WriteFile(path, append(indent(t, v), '\n'), 0o644))
}

func indent(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	must(t, e.Encode(v))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
