package tftpfetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

const (
	port = 69

	// maxRequest bounds a read request (RFC 2347), and maxOptions the octets of its
	// options: "blksize", "65464", "tsize" and "0", each with a NUL.
	maxRequest = 512
	maxOptions = 8 + 6 + 6 + 2
)

// A mode is the mode field of a request (RFC 1350 section 5).
type mode string

const (
	octet    mode = "octet"
	netascii mode = "netascii"
	mail     mode = "mail"
)

// A target is a Request in terms of TFTP. Everything in it has been checked: its name
// can be sent.
type target struct {
	host string
	port uint16
	name string
	mode mode
	crlf bool // in netascii, a line end stays CRLF
}

var (
	errScheme   = errors.New("not a tftp URL")
	errHost     = errors.New("the URL has no host")
	errUser     = errors.New("a user in the URL")
	errQuery    = errors.New("a query in the URL")
	errNoName   = errors.New("the URL names no file")
	errInject   = errors.New("CR, LF or NUL in the name")
	errLongName = errors.New("the name does not fit into a request")
	errEscape   = errors.New("a bad percent-encoding in the path")
	errMode     = errors.New("a ;mode= other than netascii or octet")
	errMail     = errors.New("the mode mail cannot retrieve")
)

func malformed(err error) error { return &fetch.Error{Kind: fetch.Malformed, Err: err} }

// splitPath returns the file name that an escaped path has, and the value of
// its mode. RFC 3617 section 2 has no "/" in a name; the first one is the
// delimiter, and the others are part of the name.
func splitPath(path string) (name, mode string, err error) {
	path = strings.TrimPrefix(path, "/")
	// The mode is cut off before decoding, so that %3Bmode=octet is part of
	// the name.
	path, mode = cutMode(path)
	name, err = url.PathUnescape(path)
	if err != nil {
		return "", "", errEscape
	}
	switch {
	case name == "":
		return "", "", errNoName
	case strings.ContainsAny(name, "\r\n\x00"):
		return "", "", errInject
	}
	return name, mode, nil
}

func cutMode(path string) (name, mode string) {
	const key = ";mode="
	i := strings.LastIndexByte(path, ';')
	if i < 0 || len(path)-i < len(key) || !strings.EqualFold(path[i:i+len(key)], key) {
		return path, ""
	}
	mode = path[i+len(key):]
	if mode == "" {
		mode = key // not a valid mode
	}
	return path[:i], mode
}

// parseMode decides between the transfer type of the Request and the mode of
// the URL. A mode of the URL that RFC 3617 does not have is refused even where
// it does not count.
func parseMode(transferType, urlMode string) (mode, error) {
	m := mode(strings.ToLower(cmp.Or(urlMode, string(octet)))) // RFC 3617 section 2
	if m != octet && m != netascii && m != mail {
		return "", malformed(errMode)
	}
	if m != mail && transferType != "" {
		m = mode(strings.ToLower(transferType))
	}
	switch m {
	case octet, netascii:
		return m, nil
	case mail: // RFC 1123 section 4.2.2.1
		return "", &fetch.Error{Kind: fetch.Unsupported, Err: errMail}
	}
	return "", &fetch.Error{Kind: fetch.Unsupported, Err: fmt.Errorf("transfer type %.20q", transferType)}
}

// lineBased reports whether the canonical form of a media type has lines that
// end in CRLF. A body without a type is text (RFC 2045 section 5.2).
func lineBased(mediaType string) bool {
	major, _, _ := strings.Cut(mediaType, "/")
	switch strings.ToLower(strings.TrimSpace(major)) {
	case "", "text", "message", "multipart":
		return true
	}
	return false
}
