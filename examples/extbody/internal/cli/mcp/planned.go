package mcp

// maxPlanned bounds the plans that are remembered.
const maxPlanned = 10_000

// A planned remembers which message was at a place when a reference of it was planned.
type planned struct {
	messages map[string]string // keys of messages, by the place and the reference
	order    []string
}

// remember notes that the message with a key was at a place when a reference was planned.
func (p *planned) remember(place, ref, key string) {
	if p.messages == nil {
		p.messages = make(map[string]string)
	}
	at := place + "\x00" + ref
	if _, ok := p.messages[at]; !ok {
		p.order = append(p.order, at)
	}
	p.messages[at] = key
	if len(p.order) > maxPlanned {
		delete(p.messages, p.order[0])
		p.order = p.order[1:]
	}
}

// another reports whether another message was at a place when a reference was planned.
func (p *planned) another(place, ref, key string) bool {
	before, ok := p.messages[place+"\x00"+ref]
	return ok && before != key
}
