package inspect

import "net/netip"

// An Envelope is the facts about a message that are not in it.
type Envelope struct {
	From          string // the sender; "<>" for a bounce, "" if it is not known
	Recipients    []string
	Client        netip.Addr // of the client that sent it; the zero Addr if it is not known
	Authenticated bool       // the client that sent it is known to have logged in
}

// recipients returns the recipients, or an unknown one if there are none.
func (e *Envelope) recipients() []string {
	if len(e.Recipients) == 0 {
		return []string{""}
	}
	return e.Recipients
}
