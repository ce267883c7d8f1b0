package externalbody

const DefaultMessageTime = defaultMessageTime

func (r *Reference) DispositionType() string { return r.dispositionType() }

func (h Fields) Lookup(name string) (string, bool) { return h.lookup(name) }
