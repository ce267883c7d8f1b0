package inspect

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// errOnce refuses downloads that the host counts, which are left to the recipients of
// the message.
var errOnce = &fetch.Error{Op: "inspect", Kind: fetch.Denied, Err: errors.New("each fetch uses up one of the downloads that the host allows")}

// A finding is the facts about a body, for every message that refers to it.
type finding struct {
	State   State         `json:"state"`
	Kind    fetch.Kind    `json:"kind,omitempty"`    // why it could not be had
	After   time.Time     `json:"after,omitzero"`    // when to ask again, if that is known
	Served  string        `json:"served,omitempty"`  // media type, by the server
	Sniffed string        `json:"sniffed,omitempty"` // media type, by the first octets
	Octets  int64         `json:"octets,omitempty"`
	SHA256  string        `json:"sha256,omitempty"`
	Capture fetch.Capture `json:"capture,omitempty"`

	// Mismatch is set if the type or the digest of the body differs from the announced
	// one.
	Mismatch bool `json:"mismatch,omitempty"`

	// Changed is set if the server gave other octets before.
	Changed bool `json:"changed,omitempty"`

	// Cloaked is set if a browser gets another body than a program. The other facts are
	// about the body that a browser gets, unless only the other one is malware.
	Cloaked bool `json:"cloaked,omitempty"`

	scanned

	untried    bool     // there was no room to look for the body
	known      string   // the SHA256 of the body when it was last had
	extensions []string // of the names that the server and the URL give the body
	members    []string // extensions of the members of a zip file
}

// find fetches a body, looks at it and has it scanned. It looks again with browser, unless
// that is nil, no server answered, or the body is made for each request.
func (in *Inspector) find(ctx context.Context, r, browser *externalbody.Resolver, ref *externalbody.Reference) *finding {
	f := in.look(ctx, r, ref)
	if browser == nil || !f.answered() || f.Capture == fetch.CaptureRendition {
		return f
	}
	g := in.look(ctx, browser, ref)
	switch {
	case g.unaffordable(), g.untried:
		return g
	case !g.answered() || g.SHA256 == f.SHA256:
		return f
	case f.Scan == Infected && g.Scan != Infected || g.State != Known:
		g = f
	}
	g.Cloaked = true
	return g
}

// answered reports whether a server answered for good, with a body or without.
func (f *finding) answered() bool {
	kinds := []fetch.Kind{fetch.NotFound, fetch.Gone, fetch.Forbidden, fetch.Interstitial, fetch.TypeMismatch, fetch.DigestMismatch, fetch.TooLarge}
	return f.State == Known || f.State == Failed && slices.Contains(kinds, f.Kind)
}

// look is one look at a body.
func (in *Inspector) look(ctx context.Context, r *externalbody.Resolver, ref *externalbody.Reference) *finding {
	spool, err := r.SaveSpool(ctx, []*externalbody.Reference{ref}, in.TempDir)
	if err != nil {
		k := fetch.KindOf(err)
		late, ok := errors.AsType[interface {
			error
			Timeout() bool
		}](err)
		switch {
		case errors.Is(err, throttle.ErrTurn):
			return noRoom()
		case ok && late.Timeout() && r.Timeouts.FirstOctet == busyTime:
			f := noRoom()
			f.untried = false
			return f
		}
		f := &finding{
			State: Failed, Kind: k, After: fetch.AfterOf(err),
			// The page of a file host is a login or a notice. Any other server serves it as
			// the file.
			Mismatch: k == fetch.TypeMismatch || k == fetch.DigestMismatch || k == fetch.Interstitial && ref.Provider == "",
		}
		if k == fetch.Deferred && f.After.IsZero() {
			f.State = StillToCome // the budget of the message was spent, and the next try continues
		}
		return f
	}
	defer spool.Close()
	rep := spool.Report
	f := &finding{
		State: Known, Served: brief(essence(rep.ServedType)), Octets: rep.Bytes, SHA256: hex.EncodeToString(rep.SHA256), Capture: rep.Capture(),
	}
	head := make([]byte, sniffBytes)
	n, err := spool.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return &finding{State: Failed, Kind: fetch.Local}
	}
	f.Sniffed = sniff(head[:n])
	f.Mismatch = contradicts(head[:n], ref.MediaType, ref.Name)
	names := []string{spool.FileName}
	for _, v := range rep.Header.Values("Content-Disposition") {
		names = append(names, fieldParams(v, "filename")...)
	}
	if u, err := url.Parse(rep.FinalURL); err == nil {
		names = append(names, path.Base(u.Path))
	}
	f.extensions = extensionsOf(names, ref.MediaType, f.Served, f.Sniffed)
	f.members = memberExtensions(spool, spool.Size())
	f.scanned = in.Scanner.scan(ctx, spool.NewReader(), f.SHA256)
	return f
}

// unaffordable reports whether the budget of the message that asked was spent.
func (f *finding) unaffordable() bool {
	return f.State == StillToCome && f.Kind == fetch.Deferred && f.After.IsZero()
}

// compare sets Changed. before is the finding before this one, or nil. A rendition is
// made for each request, so its octets differ.
func (f *finding) compare(before *finding) {
	if before != nil {
		f.known = cmp.Or(f.SHA256, before.known)
		f.Changed = before.known != "" && f.known != before.known && f.Capture != fetch.CaptureRendition
	} else {
		f.known = f.SHA256
	}
}

// size returns about how many octets of memory a finding has.
func (f *finding) size() int64 {
	n := 600 + len(f.Served) + len(f.Sniffed) + len(f.Signature) + len(f.version)
	for _, ext := range slices.Concat(f.extensions, f.members) {
		n += 16 + len(ext)
	}
	return int64(n)
}

// essence returns a media type in lower case without parameters.
func essence(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}
