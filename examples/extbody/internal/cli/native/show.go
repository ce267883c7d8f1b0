package native

import (
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/open"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

// show shows a file that was saved in this session, by the rules of open, or its folder.
func (s *session) show(q *Request) (*Answer, error) {
	saved := s.result(q.File)
	if saved == nil || saved.path == "" {
		return nil, errUnsaved
	}
	err := s.begin(func() {
		a := &Answer{ID: q.ID, Shown: true}
		if q.Op == "show" {
			a.Text, a.Shown = open.Show(saved.path, saved.mediaType)
		} else if err := open.Reveal(saved.path); err != nil {
			a.Shown = false
			a.Error = err.Error()
		}
		a.Text = show.Fence(a.Text, maxText)
		s.out.write(a)
	})
	return nil, err
}
