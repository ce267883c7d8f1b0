package netguard

import (
	"context"
	"net"
	"net/netip"

	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// A trace is told about the lookups and dials of a Guard.
type trace dialing.Trace[record.Lookup, record.Dial]

// traceOf returns the trace of ctx, or an empty one.
func traceOf(ctx context.Context) *trace {
	return (*trace)(dialing.TraceOf[record.Lookup, record.Dial](ctx))
}

// maxAnswers bounds the answers in a [record.Lookup].
const maxAnswers = 64

// looked reports a lookup: the addresses of name, or the error.
func (t *trace) looked(g *Guard, name string, answer []netip.Addr, err error) {
	if t.Lookup == nil {
		return
	}
	l := record.Lookup{Host: name}
	for _, addr := range answer {
		a := record.Answer{Addr: addr.Unmap()}
		if rule := g.judge(addr); rule != 0 {
			a.Refused = rule.String()
		}
		if len(l.Answers) < maxAnswers {
			l.Answers = append(l.Answers, a)
			continue
		}
		l.Omitted++
	}
	if err != nil {
		l.Error = err.Error()
	}
	t.Lookup(l)
}

// dialed reports an attempt.
func (t *trace) dialed(addr netip.AddrPort, err error) {
	if t.Dial == nil {
		return
	}
	d := record.Dial{Addr: addr}
	if err != nil {
		d.Error = cause(err)
	}
	t.Dial(d)
}

// cause returns the text of err without the addresses that package net adds.
func cause(err error) string {
	if op, ok := err.(*net.OpError); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
