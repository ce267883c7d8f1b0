package netguard

import (
	"net/netip"
	"strconv"

	"github.com/go-extbody/extbody/fetch"
)

// An Error is a refusal. It matches [fetch.Blocked], and thus
// [io/fs.ErrPermission]. Fields that do not belong to the reason are zero.
type Error struct {
	Reason Reason
	Host   string     // in canonical form, if a name was judged
	Addr   netip.Addr // the address that was refused
	Port   uint16     // the port that was refused
	Err    error      // the fault of a host or a port that cannot be parsed, or nil
}

// Error returns the refused host and port, and the reason. It has nothing else of a
// URL.
func (e *Error) Error() string {
	s := e.Reason.String()
	switch e.Reason {
	case AddrNotPublic, AddrDenied:
		s = "address " + e.Addr.String() + " " + s
	case PortNotAllowed:
		s = "port " + strconv.Itoa(int(e.Port)) + " " + s
	}
	if e.Host != "" {
		s = "host " + e.Host + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns [fetch.Blocked], the Reason, the [fetch.Cause] and Err.
func (e *Error) Unwrap() []error {
	errs := []error{fetch.Blocked, e.Reason}
	if int(e.Reason) < len(reasons) && reasons[e.Reason].cause != 0 {
		errs = append(errs, reasons[e.Reason].cause)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}
