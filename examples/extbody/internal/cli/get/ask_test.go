package get

import (
	"slices"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A line has the notes that matter to a person who chooses.
func TestLineOf(t *testing.T) {
	syntax := []externalbody.Diag{{Code: "no-content-id"}}
	for _, tt := range []struct {
		name string
		plan externalbody.Plan
		want []string
	}{
		{"Plain", externalbody.Plan{Ref: &externalbody.Reference{Diags: syntax}}, nil},
		{"Refused", externalbody.Plan{Ref: &externalbody.Reference{Diags: syntax}, Kind: fetch.Blocked}, []string{"blocked"}},
		{"Other", externalbody.Plan{Ref: &externalbody.Reference{Diags: append(syntax, externalbody.Diag{Code: externalbody.DiagConflict, Param: "name"})}}, []string{"conflict name"}},
	} {
		if got := lineOf(&tt.plan).Notes; !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
