package archive

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestAdvice is OP-59: each kind of exception has a command that helps, or one that lists its references.
func TestAdvice(t *testing.T) {
	link := &externalbody.Reference{AccessType: "url", Params: externalbody.Fields{{Name: "url", Value: "http://files.example:8080/a"}}}
	refused := fetch.CausePort.With(&fetch.Error{Kind: fetch.Blocked, Err: errors.New("a port")})
	for _, tt := range []struct {
		name, want string
		failure    core.Failure
	}{
		{"a flag helps", "--allow-port 8080 allows it: extbody archive retry ar kind=blocked with it",
			core.Failure{Kind: fetch.Blocked, Ref: link, Err: refused}},
		{"no flag helps", "extbody archive search ar kind=blocked", core.Failure{Kind: fetch.Blocked, Err: fetch.Blocked}},
		{"due", "extbody archive due ar", core.Failure{Kind: fetch.Unavailable, Due: 1, Err: fetch.Unavailable}},
		{"a login", "extbody archive retry ar kind=credentials", core.Failure{Kind: fetch.Credentials, Err: fetch.Credentials}},
		{"a size", "extbody archive retry ar kind=size-mismatch --accept-size", core.Failure{Kind: fetch.SizeMismatch, Err: fetch.SizeMismatch}},
		{"gone", "extbody archive search ar kind=gone", core.Failure{Kind: fetch.Gone, Err: fetch.Gone}},
	} {
		if got := advice("ar", new(policy.Policy), &tt.failure); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for name, want := range map[string]string{"ar": "ar", "my ar": "'my ar'", "it's": `'it'\''s'`, "-x": "'-x'"} {
		if got := quoted(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	var out bytes.Buffer
	advise(&out, "ar", new(policy.Policy), new(core.Result))
	if out.Len() > 0 {
		t.Errorf("without exceptions: got %q, want nothing", out.String())
	}
}
