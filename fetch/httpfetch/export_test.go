package httpfetch

// For the tests of the parsers.
var (
	Offered           = offered
	WithoutSecrets    = withoutSecrets
	ParseContentRange = parseContentRange
)

// AnswerHead returns the head that a tap keeps of octets that come in pieces of n.
func AnswerHead(data []byte, n int) []byte {
	t := &tap{full: true}
	for len(data) > 0 {
		t.read(data[:min(n, len(data))])
		data = data[min(n, len(data)):]
	}
	return t.answer
}

// TakeAnswer returns the octets that net/http gets for one answer at the start of data, which comes in
// pieces of n, and how many octets of data it has.
func TakeAnswer(data string, n int) (out []byte, taken int, fault error) {
	var a answers
	a.expect()
	for taken < len(data) && a.fault == nil {
		piece := data[taken:min(taken+n, len(data))]
		k, octets := a.take([]byte(piece))
		out = append(out, octets...)
		if taken += k; k < len(piece) {
			break
		}
	}
	return append(out, a.rest()...), taken, a.fault
}
