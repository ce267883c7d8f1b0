package open

import (
	"errors"
	"fmt"
	"strings"

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
	outcome = "opened with " + by
	if hosts := linkedFrom(path); len(hosts) > 0 {
		outcome += ", which loads pictures for it from " + strings.Join(hosts, ", ")
	}
	return outcome, true
}

// openPage opens the page of a reference in the browser, and returns the outcome in words. Without a
// browser they have the URL.
func openPage(ref *externalbody.Reference) (outcome string, shown bool) {
	u, err := ref.Locate()
	if err != nil {
		return "not opened: " + err.Error(), false
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return "not opened: it is no page", false
	}
	by, err := browse(u.String())
	if err != nil {
		return fmt.Sprintf("not opened: %s; the page is %s", err, u), false
	}
	return "opened in the browser with " + by, true
}

var errNoBrowser = errors.New("no browser was found")

var errNoProgram = errors.New("no program for files of this type was found")
