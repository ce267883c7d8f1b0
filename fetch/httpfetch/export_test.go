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
