package mailtext

// A Token is a piece of a text. It is valid until the next one is given.
type Token struct {
	Kind TokenKind

	// Name is that of a tag, in lower case.
	Name string

	// Attrs are the attributes of a start tag in order, the first of each name.
	Attrs []Attr

	// Text is the text without character references and in UTF-8, or the URL of
	// a LinkToken or URLToken as it stands there. A LinkToken is without the
	// line ends and quote marks that broke it.
	Text string

	// Longer is, for a URLToken that ends with its line, the URL that it would be
	// together with the lines after it; "" if these cannot belong to it. Wrapped
	// says that this is the more likely reading: the line is long, and what
	// follows looks like the rest of a URL. LongerEnd is where it ends.
	Longer    string
	Wrapped   bool
	LongerEnd int64

	// Start and End delimit the token in the text, in octets. Those of a URLToken
	// in a text that has character references are the ones of the text.
	Start, End int64

	// Quoted is true in what the text quotes or forwards.
	Quoted bool
}

// An Attr is an attribute of a tag: its name in lower case, and its value without
// character references and in UTF-8.
type Attr struct{ Name, Value string }

// A TokenKind is what a Token is.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, or a tag that is both
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain, before the line that it begins in
	URLToken                       // an http or https URL in a text, without brackets, before the TextToken that it begins in
	EndToken                       // the end of the text
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
)

// Attr returns the value of the first attribute of that name, in lower case.
func (t *Token) Attr(name string) (string, bool) {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}
