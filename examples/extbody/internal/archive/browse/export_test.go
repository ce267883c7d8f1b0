package browse

import "github.com/go-extbody/extbody/examples/extbody/internal/archive"

// Shown returns the texts of a file as a page has them.
func Shown(x *archive.Proof) []any {
	f := newFile(x, "")
	return []any{f.Name, f.Facts, f.Why, f.Records}
}
