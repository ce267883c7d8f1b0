package open

import (
	"errors"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// Notes returns the size of a file that was saved, and its differences from the claims of the
// message.
func Notes(report *externalbody.Report) []string {
	notes := []string{wording.About(report.Bytes)}
	for _, c := range report.Checks {
		if c.Status == fetch.Mismatch {
			notes = append(notes, c.Name+" differs")
		}
	}
	return append(notes, record.Unsaid(report.Checks, record.Warnings(nil, report.Warnings))...)
}

// Show shows a file with the program for it, unless the file could run something, and returns the
// outcome in words. mediaType is the one that was announced and verified.
func Show(path, mediaType string) (outcome string, shown bool) {
	mediaType, reason := judge(path, mediaType)
	if reason != "" {
		return "saved, not opened: " + reason, false
	}
	by, err := view(path, mediaType)
	if err != nil {
		return "saved, not opened: " + err.Error(), false
	}
	return "opened with " + by, true
}

var errNoProgram = errors.New("no program for files of this type was found")
