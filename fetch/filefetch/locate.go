package filefetch

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/ascii"
)

var (
	errScheme    = errors.New("not a file URL")
	errUser      = errors.New("a user in the URL")
	errPort      = errors.New("a port in the URL")
	errQuery     = errors.New("a query in the URL")
	errRelative  = errors.New("the path is not absolute")
	errSegment   = errors.New("a slash or a NUL in a segment of the path")
	errEscape    = errors.New("a bad percent-encoding in the path")
	errSite      = errors.New("the file is on another machine")
	errNetwork   = errors.New("a path of the network")
	errDots      = errors.New("a dot segment in the path")
	errNoRoot    = errors.New("Options.Root is not set")
	errOutside   = errors.New("the file is not below the root")
	errDevice    = errors.New("a name that the system keeps for itself")
	errDirectory = errors.New("a directory")
)

func malformed(err error) error   { return &fetch.Error{Kind: fetch.Malformed, Err: err} }
func blocked(err error) error     { return &fetch.Error{Kind: fetch.Blocked, Err: err} }
func unsupported(err error) error { return &fetch.Error{Kind: fetch.Unsupported, Err: err} }

// locate returns the name below the root of the file that u names.
func (f *fetcher) locate(u *url.URL) (string, error) {
	switch {
	case !strings.EqualFold(u.Scheme, "file"):
		return "", unsupported(errScheme)
	case u.User != nil:
		return "", malformed(errUser)
	case u.RawQuery != "" || u.ForceQuery:
		return "", malformed(errQuery)
	case u.Port() != "":
		return "", malformed(errPort)
	}
	segments, err := split(u)
	if err != nil {
		return "", err
	}
	// RFC 8089 section 3, RFC 2046 section 5.2.3.4.
	if !f.here(u.Host) {
		return "", blocked(errSite)
	}
	return f.below(segments)
}

// split returns the segments of the path, decoded. The last one is empty if the
// path ends in a slash.
func split(u *url.URL) ([]string, error) {
	path, ok := strings.CutPrefix(u.EscapedPath(), "/")
	if !ok || u.Opaque != "" {
		return nil, malformed(errRelative)
	}
	if strings.HasPrefix(path, "/") {
		return nil, blocked(errNetwork) // RFC 8089 appendix E.3.2
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		s, err := url.PathUnescape(s)
		switch {
		case err != nil:
			return nil, malformed(errEscape)
		case strings.ContainsAny(s, "/\x00"):
			return nil, malformed(errSegment)
		case s == "." || s == "..":
			return nil, blocked(errDots)
		case filepath.Separator != '/' && strings.ContainsRune(s, filepath.Separator):
			return nil, blocked(errNetwork)
		}
		segments[i] = s
	}
	return segments, nil
}

// here reports whether the host of a URL is this machine.
func (f *fetcher) here(host string) bool {
	if host == "" || host == "*" || strings.EqualFold(host, "localhost") {
		return true
	}
	return f.opts.Host != "" && matchSite(host, f.opts.Host)
}

// below returns the name of a file relative to the root.
func (f *fetcher) below(segments []string) (string, error) {
	if f.opts.Root == nil {
		return "", unsupported(errNoRoot)
	}
	directory := segments[len(segments)-1] == ""
	// As in the file system, empty segments mean nothing.
	segments = slices.DeleteFunc(segments, func(s string) bool { return s == "" })
	if len(segments) < len(f.prefix) || !slices.Equal(segments[:len(f.prefix)], f.prefix) {
		return "", blocked(errOutside)
	}
	name := filepath.Join(segments[len(f.prefix):]...)
	switch {
	case directory || name == "":
		return "", unsupported(errDirectory)
	case !filepath.IsLocal(name):
		return "", blocked(errDevice)
	}
	return name, nil
}

// maxName is the longest domain name, with a root dot.
const maxName = 254

// siteChars has the characters of domain names, in lower case, and of patterns.
const siteChars = ascii.Lower + ascii.Digits + ".-_*"

// matchSite reports whether a host is among those that site stands for: each "*" in it is
// one or more characters, of which dots are some (RFC 2046 section 5.2.3.4). The case of
// letters and a root dot do not matter.
func matchSite(site, host string) bool {
	if len(site) > maxName || len(host) > maxName {
		return false
	}
	site = strings.ToLower(strings.TrimSuffix(site, "."))
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if strings.Trim(site, siteChars) != "" || strings.Trim(host, siteChars) != "" {
		return false
	}
	is, err := path.Match(strings.ReplaceAll(site, "*", "?*"), host)
	return is && err == nil
}
