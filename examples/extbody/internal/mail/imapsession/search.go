package imapsession

import (
	"bytes"
	"strconv"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// searched returns the UIDs in a SEARCH response, or in the ESEARCH response that a
// server with IMAP4rev2 alone sends in its place (RFC 9051 section 7.3.4). It reports
// false for any other response.
func searched(line []byte) (uids []uint32, ok bool, err error) {
	switch {
	case wire.HasPrefixFold(line, "* SEARCH"):
		for digits := range bytes.FieldsSeq(line[len("* SEARCH"):]) {
			n, err := strconv.ParseUint(string(digits), 10, 32)
			if err != nil || n == 0 {
				return nil, false, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
			}
			uids = append(uids, uint32(n))
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
			if uids, err = expand(p.Atom()); err != nil {
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
		first, err := strconv.ParseUint(string(from), 10, 32)
		if err != nil || first == 0 {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
		last, err := strconv.ParseUint(string(to), 10, 32)
		if err != nil || last == 0 {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
		first, last = min(first, last), max(first, last)
		if last-first >= listWindow || len(uids) > listWindow {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrTooLong)
		}
		for n := first; n <= last; n++ {
			uids = append(uids, uint32(n))
		}
	}
	return uids, nil
}
