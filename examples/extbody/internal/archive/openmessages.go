package archive

import (
	"slices"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody"
)

// messages are the messages of a run whose references are being resolved. Each is read and
// parsed once for all its tasks, as long as there is room for it.
type messages struct {
	dir store.Objects

	mu     sync.Mutex
	by     map[string]*openMessage // by digest
	idle   []*openMessage          // those that no task uses, the longest idle first
	octets int64                   // of the idle ones
}

// An openMessage is a message that is open.
type openMessage struct {
	sum  string
	text *store.Held                          // nil if it could not be opened
	refs map[string][]*externalbody.Reference // by ID
	id   string                               // its Message-ID

	parse func() error // once
	users int
}

// get returns a message. It compares the octets with the digest. The caller calls put.
func (m *messages) get(sum string, o *externalbody.OpenOptions) (*openMessage, error) {
	m.mu.Lock()
	x := m.by[sum]
	if x == nil {
		x = &openMessage{sum: sum}
		x.parse = sync.OnceValue(func() error { return x.open(m.dir, o) })
		m.by[sum] = x
	}
	if i := slices.Index(m.idle, x); i >= 0 {
		m.idle = slices.Delete(m.idle, i, i+1)
		m.octets -= x.size()
	}
	x.users++
	m.mu.Unlock()
	if err := x.parse(); err != nil {
		m.put(x)
		return nil, err
	}
	return x, nil
}

func (x *openMessage) size() int64 {
	if x.text == nil {
		return 0
	}
	return x.text.Size()
}

func (x *openMessage) open(dir store.Objects, o *externalbody.OpenOptions) error {
	text, err := dir.Hold(x.sum)
	if err != nil {
		return err
	}
	x.text = text
	msg, err := externalbody.Open(text, text.Size(), o)
	if err != nil {
		return err
	}
	x.id = describeMessage(x.sum, text.SectionReader).MessageID
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
	m.idle = append(m.idle, x)
	m.octets += x.size()
	m.shrink(maxOpened)
}

// close closes the messages that no task uses.
func (m *messages) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shrink(-1)
}

func (m *messages) shrink(most int64) {
	for len(m.idle) > 0 && (m.octets > most || len(m.idle) > maxWaiters) {
		x := m.idle[0]
		m.idle = m.idle[1:]
		m.octets -= x.size()
		delete(m.by, x.sum)
		if x.text != nil {
			x.text.Close()
		}
	}
}

// maxOpened bounds the octets of the messages that stay open although no task uses them.
const maxOpened = 64 << 20

const (
	defaultJobs = 48
	maxWaiters  = 1000 // tasks that wait for their hosts, beside the jobs
)
