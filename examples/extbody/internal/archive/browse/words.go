package browse

import (
	"cmp"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/wording"
)

// A fact is a line of a list of facts.
type fact struct {
	Name, Value string
	Bad         bool
}

// reasons has the meaning of each reason of an exception.
var reasons = map[string]string{
	archive.PermissionDenied:              "The host gave the file only to people it knows. The archive has no login that it accepts.",
	archive.ItemDeletedOrOutsideRetention: "The file is not there any more, or the link has expired.",
	archive.Throttling:                    "The host wanted to be asked later, and gave nothing yet.",
	archive.TransientServiceError:         "The host did not answer as it should. That may pass.",
	archive.UnresolvableLink:              "The link does not lead to a file that can be asked for, or the host could not prove who it is.",
	archive.UnsupportedArtifact:           "What the host gave is not what the message promises, or it is larger than was allowed. It was not kept as the file.",
	archive.Unknown:                       "It failed for a reason of its own, which the error says.",
	archive.Interstitial:                  "The host gave a page instead of the file, such as a log-in or a question.",
	archive.Blocked:                       "The link leads to a place that mail must not lead to, so that nobody was asked.",
	archive.Denied:                        "The user, or a rule of the run, did not allow that it is asked for.",
}

// labels has the meaning of each label of a capture.
var labels = map[string]string{
	"declared":  "declared: a digest in the message agrees, so that this is the file that was sent",
	"version":   "version: the version that the link names",
	"current":   "current: the file as it was at the time of the capture, which may not be the one that was sent",
	"rendition": "rendition: made by the host from a document",
	"unknown":   "unknown: it is not known how it relates to the file that was sent",
}

// because returns why a reference has no capture, in words; nil if it has one.
func because(x *archive.Proof) (list []string) {
	e := x.Outcome.Exception
	switch {
	case x.Outcome.Capture != nil:
		return nil
	case e == nil && len(x.Versions) > 0:
		return []string{"None of its captures is one that --capture chooses."}
	case e == nil:
		return []string{"No run has asked for it yet: its host was not allowed, or it comes next."}
	}
	if x.Forgotten {
		list = append(list, "It was removed from the archive on purpose.")
	} else {
		list = append(list, cmp.Or(reasons[e.Reason], reasons[archive.Unknown]))
	}
	if e.Attempts > 0 {
		times := "once, at "
		if e.Attempts > 1 {
			times = strconv.Itoa(e.Attempts) + " times, first at "
		}
		list = append(list, "It was asked for "+times+clock(e.First)+".")
	}
	switch {
	case e.GivenUp:
		list = append(list, "It was given up after so long a time. Only a retry asks again.")
	case e.Due.IsZero():
		list = append(list, "Nothing asks again by itself. Only a retry does.")
	default:
		list = append(list, "It is asked for again from "+clock(e.Due)+" on.")
	}
	if e.Words != "" {
		list = append(list, "The host answered: "+visible(e.Words))
	}
	return list
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// after returns a delay in seconds in words.
func after(n int64) string {
	if n < 0 {
		return wording.Span(-n) + " before the message"
	}
	return wording.Span(n) + " after the message"
}

// late returns how late a capture was, and from which time that counts, in words.
func late(d archive.Delay) string {
	from := "the message arrived, by its topmost field Received"
	switch d.By {
	case "":
		return "not known: the message has no time of its arrival"
	case "date":
		from = "the time in the field Date, which the sender wrote"
	}
	if d.Seconds < 0 {
		return "captured " + wording.Span(-d.Seconds) + " before " + from
	}
	return wording.Span(d.Seconds) + " after " + from
}

// facts returns the proof of a file, as a list.
func facts(x *archive.Proof) (list []fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, fact{Name: name, Value: value})
		}
	}
	r := x.Reference
	add("Link", visible(redact.Passwords(r.URL)))
	if x.Outcome.Capture == nil {
		if e := x.Outcome.Exception; e != nil {
			add("Error", visible(e.Error))
			who(add, &e.Facts)
		}
	} else {
		c := x.Outcome.Capture
		add("SHA-256", c.SHA256)
		add("Size", wording.Exact(c.Size))
		add("Type", visible(c.ContentType))
		add("Which one", cmp.Or(labels[c.Label], c.Label))
		add("Version", visible(c.Version))
		add("How late", late(x.Delay))
		if c.By != "" {
			add("Captured by", "the server "+visible(c.By)+", as the mail arrived")
		} else {
			add("Captured by", "a run of the archive")
		}
		who(add, &c.Facts)
		for _, k := range c.Checks {
			add("Compared", visible(k.Name)+": "+visible(string(k.Status)))
		}
	}
	if x.Line > 0 {
		add("Line", "number "+strconv.FormatInt(x.Line, 10)+" of the ledger, written "+clock(x.Written)+"; archive verify walks the chain")
	}
	add("Time stamp", x.Stamp)
	if x.Outcome.Capture != nil {
		list = append(list, verified("The file now", x.Object))
	}
	if x.Outcome.Capture != nil || x.Outcome.Exception != nil {
		list = append(list, verified("The exchange now", x.Exchange))
	}
	return list
}

// who adds whom an attempt asked, and when.
func who(add func(name, value string), f *archive.Facts) {
	add("Asked", clock(f.Started)+" to "+clock(f.Ended))
	var from []string
	for _, u := range append(f.Hops, f.FinalURL) {
		if u != "" && u != f.URL {
			from = append(from, visible(redact.Passwords(u)))
		}
	}
	add("Led to", strings.Join(from, ", then "))
	add("Server", visible(f.Address))
	add("Login", visible(f.Login))
	if f.Status > 0 {
		add("Status", strconv.Itoa(f.Status))
	}
}

// verified returns the fact about octets that were compared now.
func verified(name string, err error) fact {
	switch {
	case err == nil:
		return fact{Name: name, Value: "whole: its SHA-256 is the one in the ledger"}
	case errors.Is(err, archive.ErrNoProof):
		return fact{Name: name, Value: "none: no server was asked"}
	case errors.Is(err, archive.ErrRemoved):
		return fact{Name: name, Value: "removed on purpose, by a forget"}
	case errors.Is(err, fs.ErrNotExist):
		return fact{name, "lost: run archive verify, and archive repair with a copy", true}
	case errors.Is(err, store.ErrDigest):
		return fact{name, "damaged: its SHA-256 is not the one in the ledger", true}
	case errors.Is(err, archive.ErrAway):
		return fact{name, "not known: the bucket is away", true}
	}
	return fact{name, "cannot be read: " + visible(err.Error()), true}
}

// lines makes a stranger's text fit for a page, and keeps its lines.
func lines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(visible(strings.TrimRight(line, "\r\n")))
		b.WriteByte('\n')
	}
	return b.String()
}

// visible makes a stranger's text fit for a page.
func visible(s string) string { return archive.Visible(s) }
