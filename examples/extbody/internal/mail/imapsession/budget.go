package imapsession

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A budget is the rest of Limits.
type budget struct {
	limits           Limits
	octets, commands int64
	waited, earned   time.Duration

	uselessOctets, uselessCommands int64 // since the last progress
}

// spent returns an error if nothing is left.
func (b *budget) spent() error {
	switch {
	case b.octets > b.limits.Octets:
		return wire.NewFault(ErrBudget, fmt.Errorf("the server sent more than %d octets", b.limits.Octets))
	case b.commands > b.limits.Commands:
		return wire.NewFault(ErrBudget, fmt.Errorf("more than %d commands were sent", b.limits.Commands))
	case b.left() <= 0:
		return wire.NewFault(ErrBudget, fmt.Errorf("the server is too slow: more than %v went by waiting for it", b.limits.Wait))
	case b.uselessOctets > maxUselessOctets, b.uselessCommands > maxUselessCommands:
		return wire.NewFault(ErrBudget, errUseless)
	}
	return nil
}

// left returns how much longer the server may be waited for.
func (b *budget) left() time.Duration {
	transfer := time.Duration(float64(b.octets) / earnedOctets * float64(time.Second))
	return b.limits.Wait + b.earned + transfer - b.waited
}

// wait counts the time spent waiting.
func (b *budget) wait(d time.Duration) { b.waited += d }

// received counts octets that came.
func (b *budget) received(n int) {
	b.octets += int64(n)
	b.uselessOctets += int64(n)
}

// command counts commands. It returns an error if they must not be sent.
func (b *budget) command(n int) error {
	b.commands += int64(n)
	b.uselessCommands += int64(n)
	return b.spent()
}

// progress notes that something came that was asked for.
func (b *budget) progress() { b.uselessOctets, b.uselessCommands = 0, 0 }

// message notes that a message came.
func (b *budget) message() {
	b.earned += earnedTime
	b.progress()
}

// The zero Limits mean these.
const (
	DefaultOctets   = 32 << 30
	DefaultCommands = 1_000_000
	DefaultWait     = 2 * time.Minute
)

// NoLimits are as good as no limits.
var NoLimits = Limits{1 << 61, 1 << 61, 1 << 61}

// Limits bound the cost of a Session, over all its connections.
type Limits struct {
	// Octets is how many octets the server may send; 0 is DefaultOctets.
	Octets int64

	// Commands is how many commands may be sent; 0 is DefaultCommands.
	Commands int64

	// Wait is how long the Session waits for the server, all waits together; 0 is
	// DefaultWait. Each 16 KiB that came adds a second, and each message that was read
	// adds a quarter of a second. So only a server that is slower than that uses Wait
	// up. The time between two calls does not count.
	Wait time.Duration
}

const (
	earnedOctets = 16 << 10               // octets for which a second is added
	earnedTime   = 250 * time.Millisecond // added for each message

	// The cost of a server in a row without a message, or without an octet of one.
	maxUselessOctets   = 64 << 20
	maxUselessCommands = 5000
)

var errUseless = errors.New("much came from the server, and none of what was asked for")

func newBudget(l Limits) *budget {
	return &budget{limits: Limits{
		Octets:   cmp.Or(l.Octets, DefaultOctets),
		Commands: cmp.Or(l.Commands, DefaultCommands),
		Wait:     cmp.Or(l.Wait, DefaultWait),
	}}
}
