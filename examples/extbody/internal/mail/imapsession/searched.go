package imapsession

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// codeNumber returns the number of a response code in an untagged OK.
func codeNumber(line []byte, code string) (uint32, bool) {
	prefix := "* OK [" + code + " "
	if !wire.HasPrefixFold(line, prefix) {
		return 0, false
	}
	digits, _, _ := bytes.Cut(line[len(prefix):], []byte("]"))
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return uint32(n), err == nil
}

// numbered returns the number and the word of a response such as "* 3 EXISTS",
// and the rest.
func numbered(line []byte) (n uint32, word string, data []byte) {
	rest, ok := bytes.CutPrefix(line, []byte("* "))
	digits, rest, spaced := bytes.Cut(rest, []byte(" "))
	number, err := strconv.ParseUint(string(digits), 10, 32)
	if !ok || !spaced || err != nil {
		return 0, "", nil
	}
	name, data, _ := bytes.Cut(rest, []byte(" "))
	return uint32(number), strings.ToUpper(string(name)), data
}

// searched returns the UIDs in a SEARCH response, or in the ESEARCH response that a
// server with IMAP4rev2 alone sends in its place (RFC 9051 section 7.3.4). It reports
// false for any other response.
func searched(line []byte) (uids []uint32, ok bool, err error) {
	switch {
	case wire.HasPrefixFold(line, "* SEARCH"):
		for digits := range bytes.FieldsSeq(line[len("* SEARCH"):]) {
			uid, err := wire.Number(digits)
			if err != nil {
				return nil, false, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
			}
			uids = append(uids, uid)
		}
		return uids, true, nil
	case wire.HasPrefixFold(line, "* ESEARCH"):
		uids, err = extended(&parser{wire.Parser{Rest: line[len("* ESEARCH"):]}})
		return uids, err == nil, err
	}
	return nil, false, nil
}

// extended reads the rest of an ESEARCH response: a correlator, UID, and results. The result ALL
// is a set.
func extended(p *parser) (uids []uint32, err error) {
	byUID := false
	for p.Accept(' ') {
		if p.Next('(') {
			if err := p.Skip(0); err != nil {
				return nil, wire.NewFault(wire.ErrProtocol, err)
			}
			continue
		}
		switch name := p.Atom(); {
		case bytes.EqualFold(name, []byte("UID")):
			byUID = true
		case bytes.EqualFold(name, []byte("ALL")) && p.Accept(' '):
			uids, err = expand(p.Atom())
			if err != nil {
				return nil, err
			}
		case len(name) == 0 || !p.Accept(' ') || p.Skip(0) != nil:
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
	}
	if len(p.Rest) > 0 || len(uids) > 0 && !byUID {
		return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
	}
	return uids, nil
}

// expand returns the numbers of a set. No command asks for more than listWindow.
func expand(set []byte) ([]uint32, error) {
	var uids []uint32
	for r := range bytes.SplitSeq(set, []byte(",")) {
		from, to, isRange := bytes.Cut(r, []byte(":"))
		if !isRange {
			to = from
		}
		first, err := wire.Number(from)
		last, err2 := wire.Number(to)
		if err != nil || err2 != nil {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
		first, last = min(first, last), max(first, last)
		if last-first >= listWindow || len(uids) > listWindow {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrTooLong)
		}
		for n := range last - first + 1 {
			uids = append(uids, first+n)
		}
	}
	return uids, nil
}
