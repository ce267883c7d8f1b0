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

// TakeAnswer returns how many octets of data, which come in pieces of n, belong to one answer.
func TakeAnswer(data string, n int) int {
	var a answers
	a.expect()
	taken := 0
	for taken < len(data) {
		piece := data[taken:min(taken+n, len(data))]
		k := a.take([]byte(piece))
		if taken += k; k < len(piece) {
			break
		}
	}
	return taken
}
