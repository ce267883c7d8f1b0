package mcp

import "github.com/go-extbody/extbody/internal/recent"

// maxPlanned bounds the plans that are remembered.
const maxPlanned = 10_000

// A planned remembers which message was at a place when a reference of it was planned.
type planned struct {
	messages recent.Map[string, string] // keys of messages, by the place and the reference
}

// remember notes that the message with a key was at a place when a reference was planned.
func (p *planned) remember(place, ref, key string) {
	p.messages.Max = maxPlanned
	p.messages.Put(place+"\x00"+ref, key)
}

// another reports whether another message was at a place when a reference was planned.
func (p *planned) another(place, ref, key string) bool {
	before, ok := p.messages.Get(place + "\x00" + ref)
	return ok && before != key
}
