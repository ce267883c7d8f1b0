package mailtext

// A Token is a piece of a text. It is valid until the next Token is given.
type Token struct {
	Kind TokenKind

	// Name is the name of a tag, in lower case.
	Name string

	// Attrs are the attributes of a start tag in order. Of several with the same name,
	// only the first is there.
	Attrs []Attr

	// Text is the text in UTF-8, with the character references of HTML decoded except
	// in a DataToken. For a LinkToken or URLToken it is the URL. If the URL is in angle
	// brackets, line ends and quote marks within it are removed.
	Text string

	// Longer is for a URLToken at the end of a line of text/plain. It is the URL
	// together with the lines after it, or "" if these cannot belong to it. Wrapped says
	// that Longer is more likely the URL that was meant than Text. LongerEnd is where
	// Longer ends in the text.
	Longer    string
	Wrapped   bool
	LongerEnd int64

	// Start and End are where the token begins and ends in the text, in octets. If a
	// URLToken of HTML has character references other than "&amp;", it and those after it
	// in the same TextToken have the Start and End of the TextToken.
	Start, End int64

	// Quoted says that the token is in a quoted or forwarded message.
	Quoted bool

	// Ambiguous says that programs read the text there in several ways. Other programs may
	// not have the token. A link that begins in one reading ends at the latest where there
	// is one reading again.
	Ambiguous bool
}

// An Attr is an attribute of a tag: its name in lower case, and its value without
// character references and in UTF-8.
type Attr struct{ Name, Value string }

// A TokenKind says what a Token is.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, self-closing or not
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain, given before the line in which it begins
	URLToken                       // an http or https URL in a text, given before the TextToken in which it begins
	EndToken                       // the end of the text
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
)

// Attr returns the value of the attribute name, which is in lower case. It reports false
// if there is none.
func (t *Token) Attr(name string) (string, bool) {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}
