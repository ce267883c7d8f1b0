package externalbody

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// outerFields are the fields of a message/external-body part that must not be repeated:
// a reader who takes the last one would see something else.
var outerFields = []string{"content-type", "content-transfer-encoding", "content-id", "content-location"}

// readRepeated records fields of the part that are repeated with different values. Two
// Content-Type fields that lead to different places count as a conflict of two
// parameters in one field (EB-8).
func (r *Reference) readRepeated(header string) {
	first := make(map[string]string)
	for f := range message.Fields(header, 0) {
		name := strings.ToLower(f.Name)
		if !slices.Contains(outerFields, name) {
			continue
		}
		was, repeated := first[name]
		if !repeated {
			first[name] = f.Value
			continue
		}
		if sameWords(was, f.Value) {
			continue
		}
		r.note(Diag{Code: DiagConflict, Param: name})
		if name == "content-type" && r.conflict == "" && leadsElsewhere(param.Parse(was), param.Parse(f.Value)) {
			r.conflict = name
		}
	}
}

// sameWords reports whether two values of a field differ only in white space.
func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// leadsElsewhere reports whether two Content-Type fields differ in where the body is.
// They also differ if only one of them says where it is.
func leadsElsewhere(a, b *param.Value) bool {
	if a.Type != b.Type {
		return true
	}
	return slices.ContainsFunc(decisive, func(name string) bool {
		v, inA := a.Get(name)
		w, inB := b.Get(name)
		if name == "access-type" {
			v, w = strings.ToLower(v), strings.ToLower(w)
		}
		return inA != inB || !sameWords(v, w)
	})
}
