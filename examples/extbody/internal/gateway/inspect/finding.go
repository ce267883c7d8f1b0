package inspect

import (
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// errOnce refuses downloads that the host counts, which are left to the recipients of
// the message.
var errOnce = &fetch.Error{
	Op: "inspect", Kind: fetch.Denied, Err: errors.New("each fetch uses up one of the downloads that the host allows"),
}

// unasked reports whether err means that the host was not asked for this body, for a reason that may
// pass: it has to be left alone because of its answer to another request, or there was no room (OP-49).
func unasked(err error) bool {
	switch {
	case errors.Is(err, throttle.ErrTurn):
		return true
	case fetch.KindOf(err) != fetch.Deferred, errors.Is(err, throttle.ErrRefused):
		return false
	}
	return !fetch.AfterOf(err).IsZero()
}

// missing returns the finding about a body that could not be had because of err. busy is set if others
// waited, so that the host had less time.
func missing(err error, ref *externalbody.Reference, busy bool) *finding {
	if unasked(err) {
		f := noRoom()
		if at := fetch.AfterOf(err); !at.IsZero() {
			f.After = at
		}
		return f
	}
	late, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	if busy && ok && late.Timeout() {
		f := noRoom()
		f.untried = false
		return f
	}
	k := fetch.KindOf(err)
	// The page of a file host is a login or a notice. Any other server serves it as the file.
	page := k == fetch.Interstitial && ref.Provider == ""
	f := &finding{
		State: Failed, Kind: k, After: fetch.AfterOf(err),
		Mismatch: page || slices.Contains([]fetch.Kind{fetch.TypeMismatch, fetch.DigestMismatch, fetch.SizeMismatch}, k),
	}
	if k == fetch.Deferred && f.After.IsZero() {
		f.State = StillToCome // the budget of the message was spent, and the next try continues
	}
	part, ok := errors.AsType[interface {
		error
		Part() string
	}](err)
	switch {
	case ok:
		f.part = part.Part()
		f.reason = brief(part.Error())
	case errors.Is(err, fetch.ErrDamaged):
		f.part = StoredBody
		f.reason = fetch.ErrDamaged.Error()
	}
	return f
}

// found returns the finding about a body of size octets that was had. It is not scanned.
func found(ref *externalbody.Reference, rep *externalbody.Report, name string, body io.ReaderAt, size int64) (*finding, error) {
	f := &finding{
		State: Known, Served: brief(filekind.Essence(rep.ServedType)), Octets: rep.Bytes, SHA256: hex.EncodeToString(rep.SHA256), Capture: rep.Capture(),
	}
	head := make([]byte, filekind.SniffBytes)
	n, err := body.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	f.Sniffed, f.Mismatch = filekind.Compare(head[:n], body, size, ref.MediaType, ref.Name)
	var served []string
	for _, v := range rep.Header.Values("Content-Disposition") {
		served = append(served, fieldParams(v, "filename")...)
		if name := fieldvalue.FileName(v, "", charset.Text); name != "" {
			served = append(served, name)
		}
	}
	names := append([]string{name}, served...)
	if u, err := url.Parse(rep.FinalURL); err == nil {
		names = append(names, path.Base(u.Path))
	}
	f.names = namesOf(names)
	f.hops = len(rep.Hops)
	f.extensions = extensionsOf(names, ref.MediaType, f.Served, f.Sniffed)
	f.served = extensionsOf(served)
	f.implied = filekind.Implied(head[:n], f.Sniffed, append(names, ref.Name), f.Served)
	members := &memberNames{seen: make(map[string]bool), names: fileNames{most: maxMemberOctets}}
	if f.Sniffed == "application/x-gzip" {
		for _, n := range append(names, ref.Name) { // the file in it has the rest of the name
			if i := strings.LastIndexByte(n, '.'); i > 0 {
				members.add(n[:i])
			}
		}
	}
	inside := filekind.Look(head[:n], f.Sniffed, body, size, members.add)
	f.members = members.list
	f.Encrypted = inside.Encrypted
	f.Within = inside.Unread
	f.memberNames = members.names
	f.memberNames.seen = nil
	if members.more || f.memberNames.more {
		f.Within = filekind.CutShort
	}
	switch {
	case inside.Differs:
		f.Disguise = "zip-headers-differ"
	case filekind.Smuggles(f.Sniffed, body, size):
		f.Disguise = "file-in-page"
	}
	if from, err := ref.Locate(); err == nil && ref.Provider == "" {
		to, err := url.Parse(rep.FinalURL)
		f.Redirected = err == nil && to.Hostname() != "" && !aligned(from.Hostname(), to.Hostname())
	}
	return f, nil
}

// memberNames collects names and their extensions.
type memberNames struct {
	seen map[string]bool
	list []string
	more bool // there are more than fit

	names fileNames
}

// maxMembers bounds the extensions of the files within a file.
const maxMembers = 1000

func (m *memberNames) add(name string) {
	m.names.add(name)
	for _, ext := range extensionsOf([]string{name}) {
		switch {
		case m.seen[ext]:
		case len(m.list) == maxMembers:
			m.more = true
		default:
			m.seen[ext] = true
			m.list = append(m.list, ext)
		}
	}
}
