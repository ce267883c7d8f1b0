package archive

import (
	"container/list"
	"io"
	"os"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
)

// maxOpened bounds the octets of the messages that stay open although no task uses them.
const maxOpened = 64 << 20

// messages are the messages of a run whose references are being resolved. Each is read and
// parsed once for all its tasks, as long as there is room for it.
type messages struct {
	dir objects

	mu     sync.Mutex
	by     map[string]*openMessage // by digest
	idle   list.List               // of those that no task uses, the longest idle first
	octets int64                   // of the idle ones
}

// An openMessage is a message that is open.
type openMessage struct {
	sum  string
	file *os.File
	size int64
	refs map[string][]*externalbody.Reference // by ID
	id   string                               // its Message-ID

	parse func() error // once
	users int
	elem  *list.Element // in idle; nil while there are users
}

// get returns a message. It compares the octets with the digest. The caller calls put.
func (m *messages) get(sum string, o *externalbody.OpenOptions) (*openMessage, error) {
	m.mu.Lock()
	x := m.by[sum]
	if x == nil {
		x = &openMessage{sum: sum}
		x.parse = sync.OnceValue(func() error { return x.open(m.dir, o) })
		if m.by == nil {
			m.by = make(map[string]*openMessage)
		}
		m.by[sum] = x
	}
	if x.elem != nil {
		m.idle.Remove(x.elem)
		m.octets -= x.size
		x.elem = nil
	}
	x.users++
	m.mu.Unlock()
	if err := x.parse(); err != nil {
		m.put(x)
		return nil, err
	}
	return x, nil
}

func (x *openMessage) open(dir objects, o *externalbody.OpenOptions) error {
	if err := dir.check(x.sum); err != nil {
		return err
	}
	var err error
	if x.file, x.size, err = dir.open(x.sum); err != nil {
		return err
	}
	msg, err := externalbody.Open(x.file, x.size, o)
	if err != nil {
		return err
	}
	x.id = describeMessage(x.sum, io.NewSectionReader(x.file, 0, x.size)).MessageID
	x.refs = make(map[string][]*externalbody.Reference)
	for ref := range msg.References() {
		x.refs[ref.ID] = append(x.refs[ref.ID], ref)
	}
	return nil
}

// put ends the use of a message by one task.
func (m *messages) put(x *openMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if x.users--; x.users > 0 {
		return
	}
	x.elem = m.idle.PushBack(x)
	m.octets += x.size
	m.shrink(maxOpened)
}

// close closes the messages that no task uses.
func (m *messages) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shrink(-1)
}

func (m *messages) shrink(most int64) {
	for m.idle.Len() > 0 && (m.octets > most || m.idle.Len() > maxWaiters) {
		x := m.idle.Remove(m.idle.Front()).(*openMessage)
		m.octets -= x.size
		delete(m.by, x.sum)
		if x.file != nil {
			x.file.Close()
		}
	}
}
