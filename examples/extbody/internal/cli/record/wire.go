package record

import (
	"net/netip"
	"runtime/debug"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A wire is the record of the traffic for a reference.
type wire struct {
	Started      string         `json:"started,omitempty"`
	Ended        string         `json:"ended,omitempty"`
	ServerStatus int            `json:"server_status,omitempty"` // of the last answer, such as 200 or 404
	Hops         []string       `json:"hops,omitempty"`          // URLs that redirected, in order
	Address      netip.AddrPort `json:"address,omitzero"`        // that the body came from
	TLS          *fetch.TLS     `json:"tls,omitempty"`
	ServedType   string         `json:"served_type,omitempty"` // the media type by the server
	ETag         string         `json:"etag,omitempty"`
	LastModified string         `json:"last_modified,omitempty"`
}

// newWire returns the wire of a Report, or nil if no server was contacted.
func newWire(ref *externalbody.Reference, rep *externalbody.Report, exact bool) *wire {
	if rep.Started.IsZero() {
		return nil
	}
	cut := func(s string) string { return show.Escape(s) }
	if !exact {
		secrets := secretsOf(ref, append(slices.Clip(rep.Hops), rep.FinalURL)...)
		cut = func(s string) string { return show.Escape(secrets.Cut(s)) }
	}
	w := &wire{
		Started:      stamp(rep.Started),
		ServerStatus: rep.Status,
		Address:      rep.RemoteAddr,
		TLS:          rep.TLS,
		ServedType:   cut(rep.ServedType),
		ETag:         cut(rep.Header.Get("ETag")),
		LastModified: cut(rep.Header.Get("Last-Modified")),
	}
	if !rep.Ended.IsZero() {
		w.Ended = stamp(rep.Ended)
	}
	for _, h := range rep.Hops {
		w.Hops = append(w.Hops, show.Escape(shownURL(ref, h, exact)))
	}
	return w
}

// version is the version of the program.
const version = "0.1.0"

// Version returns the name of the program, its version, and the commit if it is known.
func Version() string {
	v := "extbody " + version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			v += "+modified"
		}
	}
	return v
}
