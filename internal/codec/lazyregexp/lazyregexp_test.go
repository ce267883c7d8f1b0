package lazyregexp_test

import (
	"testing"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

func TestNew(t *testing.T) {
	word := lazyregexp.New("^[a-z]+$")
	if first := word(); !first.MatchString("abc") || first.MatchString("a1") || word() != first {
		t.Error("got another expression than the one that was given, or two of them")
	}
	wrong := lazyregexp.New("(")
	defer func() {
		if recover() == nil {
			t.Error("got no panic for what is no expression")
		}
	}()
	wrong()
}
