package ftpfetch

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
)

const digits = "0123456789"

const (
	portFTP  = 21
	portFTPS = 990

	// maxDirs bounds the directories of a path, each of which costs a round
	// trip.
	maxDirs = 256
)

// A target is a Request in terms of FTP. Everything in it has been checked: its
// strings can be sent.
type target struct {
	host     string
	port     uint16
	implicit bool // TLS from the first octet
	secure   bool // the server has refused a login without TLS

	login login
	dirs  []string
	name  string
	typ   string // the argument of TYPE
	list  bool   // NLST instead of RETR
}

var (
	errScheme   = errors.New("not an ftp or ftps URL")
	errHost     = errors.New("the URL has no host")
	errInject   = errors.New("CR, LF or NUL in the path or the login")
	errDeep     = fmt.Errorf("a path of more than %d directories", maxDirs)
	errEscape   = errors.New("a bad percent-encoding in the path")
	errTypecode = errors.New("a ;type= other than a, i or d")
	errNoName   = errors.New("a ;type= without a name")
	errListing  = errors.New("the URL names a directory")
)

func malformed(err error) error { return &fetch.Error{Kind: fetch.Malformed, Err: err} }

// sendable reports whether s can be part of a command line. With CR or LF it
// would be two commands, and NUL has a meaning after CR only (RFC 959 section
// 5.3.2, RFC 2640 section 3.1).
func sendable(s string) bool { return !strings.ContainsAny(s, "\r\n\x00") }

// setPath sets dirs and name, and returns the typecode in lower case, or 0.
func (t *target) setPath(u *url.URL) (code byte, err error) {
	path := strings.TrimPrefix(u.EscapedPath(), "/")
	if u.RawQuery != "" || u.ForceQuery {
		// RFC 1738 section 5: "?" is a character of a segment.
		path += "?" + u.RawQuery
	}
	if strings.Count(path, "/") > maxDirs {
		return 0, errDeep
	}
	segments := strings.Split(path, "/")
	last := &segments[len(segments)-1]
	// RFC 1738 section 3.2.2: the typecode is cut off before decoding, so
	// that %3Btype=a is part of the name.
	*last, code, err = cutTypecode(*last)
	if err != nil {
		return 0, err
	}
	for i, s := range segments {
		segments[i], err = url.PathUnescape(s)
		if err != nil {
			return 0, errEscape
		}
	}
	t.dirs = segments[:len(segments)-1]
	t.name = *last
	return code, nil
}

func cutTypecode(segment string) (name string, code byte, err error) {
	const key = ";type="
	i := strings.LastIndexByte(segment, ';')
	if i < 0 || len(segment)-i < len(key) || !strings.EqualFold(segment[i:i+len(key)], key) {
		return segment, 0, nil
	}
	switch value := strings.ToLower(segment[i+len(key):]); value {
	case "a", "i", "d":
		return segment[:i], value[0], nil
	}
	return "", 0, errTypecode
}

// setType decides whether a file or a listing is transferred, and its type.
func (t *target) setType(req *fetch.Request, code byte) error {
	if code == 'd' || t.name == "" && code == 0 {
		// RFC 2017 section 2 leaves listings to text/plain.
		if !req.Listing || mediaType(req) != "" && mediaType(req) != "text/plain" {
			return &fetch.Error{Kind: fetch.Unsupported, Err: errListing}
		}
		t.list = true
		t.typ = "A"
		return nil
	}
	if t.name == "" {
		return malformed(errNoName)
	}
	switch {
	case req.TransferType != "":
		return t.setTransferType(req.TransferType)
	case code == 'a':
		t.typ = "A"
	case code == 'i':
		t.typ = "I"
	case strings.HasPrefix(mediaType(req), "text/"):
		// RFC 1738 section 3.2.3: the type is to be guessed.
		t.typ = "A"
	default:
		t.typ = "I"
	}
	return nil
}

// setTransferType sets the type by RFC 959 section 3.1.1.
func (t *target) setTransferType(s string) error {
	switch s := strings.ToLower(s); {
	case s == "a", s == "i":
		t.typ = strings.ToUpper(s)
		return nil
	case strings.HasPrefix(s, "l"):
		size := strings.TrimLeft(s[1:], " ")
		if len(size) > 0 && len(size) <= 3 && strings.Trim(size, digits) == "" {
			t.typ = "L " + size
			return nil
		}
	}
	return &fetch.Error{Kind: fetch.Unsupported, Err: fmt.Errorf("transfer type %.20q", s)}
}

// counted reports whether SIZE is the number of octets that RETR sends. In
// TYPE A a server may convert line ends, and SIZE with them or not.
func (t *target) counted() bool { return t.typ == "I" || t.typ == "L 8" }

// mediaType returns the announced type without parameters, in lower case.
func mediaType(req *fetch.Request) string {
	s, _, _ := strings.Cut(req.MediaType, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// needsUTF8 reports whether the path has characters that RFC 2640 makes UTF-8
// for servers that know it. Octets that are not UTF-8 are sent as they are.
func (t *target) needsUTF8() bool {
	path := strings.Join(t.dirs, "") + t.name
	ascii := !strings.ContainsFunc(path, func(c rune) bool { return c >= utf8.RuneSelf })
	return !ascii && utf8.ValidString(path)
}

// A login is who logs in. The zero login is one that has to be asked for.
type login struct {
	user, password, account string

	known     bool // the password is known, though it may be empty
	named     bool // the URL names the user
	anonymous bool
	asked     bool // Request.Credentials was asked
}
