package externalbody

import "github.com/go-extbody/extbody/internal/mimescan"

// readText reads what the Dialects find in the decoded body of a text part.
func (rd *reader) readText(s *source, p *mimescan.Part, header string) error {
	return nil
}
