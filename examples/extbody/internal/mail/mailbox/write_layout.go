package mailbox

import (
	"crypto/sha256"
	"encoding/binary"
)

// A layout is where the messages of a mailbox are. Two layouts are equal if their
// messages are at the same places.
type layout struct {
	messages int64
	sum      [sha256.Size]byte // of the sum before and the spans of the last message
}

// add adds a message by the lengths of its spans.
func (l *layout) add(envelope, content, trailer int64) {
	l.messages++
	b := make([]byte, 0, len(l.sum)+3*8)
	b = append(b, l.sum[:]...)
	for _, n := range []int64{envelope, content, trailer} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	l.sum = sha256.Sum256(b)
}
