package externalbody_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

const phantomHeader = "Content-Type: image/png; name=c.png\r\nContent-ID: <c@a.example>\r\n\r\nphantom\r\n"

// TestReadPart: decoded parameters give the Reference that the field gives.
func TestReadPart(t *testing.T) {
	for _, c := range []struct {
		name, field string // the parameters in the field
		params      map[string]string
	}{
		{"URL", `access-type=URL; url="http://files.example/c.png"; size=1234`, map[string]string{"ACCESS-TYPE": "URL", "URL": "http://files.example/c.png", "size": "1234"}},
		{"FTP", `access-type=anon-ftp; site=ftp.example; name="a b.png"`, map[string]string{"access-type": "anon-ftp", "site": "ftp.example", "name": "a b.png"}},
		{"Quotes", `access-type=local-file; name="C:\\dir\\\"a\".png"`, map[string]string{"access-type": "local-file", "name": `C:\dir\"a".png`}},
		{"Encoded", `access-type=anon-ftp; site=ftp.example; name*=utf-8''%C3%A9%20%22.png`, map[string]string{"access-type": "anon-ftp", "site": "ftp.example", "name*": "utf-8''%C3%A9%20%22.png"}},
		{"Pieces", `access-type=URL; url*0*=utf-8''https%3A//a.example/; url*1="x y"`, map[string]string{"access-type": "URL", "url*0*": "utf-8''https%3A//a.example/", "url*1": "x y"}},
		{"NoAccessType", `url="http://files.example/c.png"`, map[string]string{"url": "http://files.example/c.png"}},
		{"Nothing", ``, nil},
	} {
		want, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; "+c.field+"\r\n\r\n"), []byte(phantomHeader))
		must(t, err)
		got := externalbody.ReadPart(maps.All(c.params), []byte(phantomHeader))
		if g, w := partFacts(got), partFacts(want); g != w {
			t.Errorf("%s: got\n%s, want\n%s", c.name, g, w)
		}
	}
	if ref := externalbody.ReadPart(nil, nil); ref.MediaType != "text/plain" || ref.AccessType != "" || diags(ref) == "" {
		t.Errorf("nothing: got %s, %q, %s, want text/plain, no access type and Diags", ref.MediaType, ref.AccessType, diags(ref))
	}
}

// TestPlanWithoutPart: a Plan names no part if the part has no number.
func TestPlanWithoutPart(t *testing.T) {
	params := map[string]string{"access-type": "URL", "url": "data:,x"}
	for _, access := range []string{"URL", "x-own"} {
		params["access-type"] = access
		plan := new(externalbody.Resolver).Plan(externalbody.ReadPart(maps.All(params), []byte(phantomHeader)))
		if text := plan.String(); strings.Contains(text, "part") || strings.HasPrefix(text, ":") || strings.HasPrefix(text, " ") {
			t.Errorf("%s: got\n%s, want a first line without a part", access, text)
		}
	}
}

// FuzzReadPart: the Params of a Reference, given as decoded parameters, give the Params of the same
// Reference.
func FuzzReadPart(f *testing.F) {
	f.Add(`access-type=URL; url="http://files.example/c.png"; size=1234`, phantomHeader)
	f.Add(`access-type=anon-ftp; site=ftp.example; name*0*=utf-8''%C3%A9; name*1=b`, "\r\n")
	f.Add(`access-type=mail-server; server="a@b.example"; expiration="x"`, "Content-Type: x\n\nget\n")
	f.Fuzz(func(t *testing.T, field, part string) {
		want, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; "+field+"\r\n\r\n"), []byte(part))
		if err != nil {
			return
		}
		seen := make(map[string]bool)
		for _, p := range want.Params {
			if seen[p.Name] || strings.Contains(p.Name, "*") || p.Name != strings.TrimSpace(p.Name) {
				return // two of a name can be a pair of RFC 2231, which is not visible any more
			}
			seen[p.Name] = true
		}
		got := externalbody.ReadPart(func(yield func(string, string) bool) {
			for _, p := range want.Params {
				if !yield(strings.ToUpper(p.Name), p.Value) {
					return
				}
			}
		}, []byte(part))
		if g, w := partFacts(got), partFacts(want); strings.EqualFold(strings.ToUpper(field), field) && g != w {
			t.Errorf("got\n%s, want\n%s", g, w)
		}
	})
}

// partFacts returns the facts of a Reference, without its Diags and the order of its
// Params.
func partFacts(ref *externalbody.Reference) string {
	params := make(map[string]string)
	for _, p := range ref.Params {
		params[p.Name] = p.Value
	}
	req, err := ref.Request()
	where := ""
	if err == nil {
		where = req.RawURL()
	}
	return fmt.Sprintf("%q %q %q %q %d %v %q %q %s %v", ref.AccessType, params, ref.MediaType, ref.Name, ref.Size, ref.Expiration, ref.ContentID, ref.PhantomBody(), where, fetch.KindOf(err))
}
