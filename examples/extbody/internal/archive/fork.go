package archive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// A side is one of two ledgers that go on in different ways.
type side struct {
	name  string
	a     *Archive
	heads []named
	lines map[ledger.Head]bool // those of the heads of both that are in its chain
	last  ledger.Head          // the last line before the first damage
}

// read notes the heads that are in the chain up to the first damage.
func (s *side) read(heads []named) {
	s.lines = make(map[ledger.Head]bool)
	s.last, _, _ = ledger.Read(s.a.ledgerDir(), ledger.Place{}, ledger.Head{}, nil, func(l *ledger.Line) error {
		h := headOf(l)
		if slices.ContainsFunc(heads, func(n named) bool { return n.head == h }) {
			s.lines[h] = true
		}
		return nil
	})
}

// proofs returns the names of the heads after a line that are in the chain: all time stamps, and the heads of the other side.
// The own head of a side proves nothing, because whoever writes another chain writes it too.
func (s *side) proofs(after int64, heads []named, other *side) (list []string) {
	for _, n := range heads {
		foreign := slices.Contains(other.heads, n)
		stamp := strings.HasPrefix(n.name, "stamps/")
		if s.lines[n.head] && n.head.Seq > after && (stamp || foreign) {
			list = append(list, n.name)
		}
	}
	return list
}

// fork returns which of two ledgers is proven, as the end of a sentence; "" if the ledgers have no line in common.
func fork(a, b *Archive) string {
	own := &side{name: "the archive", a: a, heads: a.named(" of the archive")}
	other := &side{name: "the copy", a: b, heads: b.named(" of the copy")}
	heads := slices.Concat(own.heads, other.heads)
	own.read(heads)
	other.read(heads)
	same, err := ledger.Common(a.ledgerDir(), b.ledgerDir())
	if err != nil || same == 0 {
		return ""
	}
	text := fmt.Sprintf(": the two ledgers differ after line %d", same)
	ownProofs := own.proofs(same, heads, other)
	otherProofs := other.proofs(same, heads, own)
	switch {
	case len(ownProofs) > 0 && len(otherProofs) > 0:
		return fmt.Sprintf("%s, and both are proven in part: the archive by %s, the copy by %s",
			text, listing(ownProofs), listing(otherProofs))
	case len(ownProofs) > 0:
		return fmt.Sprintf("%s: the archive is proven by %s, and nothing proves the copy", text, listing(ownProofs))
	case len(otherProofs) > 0:
		return fmt.Sprintf("%s: the copy is proven by %s, and nothing proves the archive", text, listing(otherProofs))
	}
	return text + ", and no time stamp proves one of them: run extbody archive verify --head with a head that was kept elsewhere"
}

// listing joins names, at most three of them.
func listing(names []string) string {
	if n := len(names) - 3; n > 0 {
		names = append(slices.Clone(names[:3]), fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}
