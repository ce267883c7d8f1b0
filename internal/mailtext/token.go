package mailtext

// A Token is a piece of a text. It is valid until the next call of emit.
type Token struct {
	Kind TokenKind

	// Name is the name of a tag, in lower case.
	Name string

	// Attrs are the attributes of a start tag in order. Of several attributes with
	// the same name, it has only the first.
	Attrs []Attr

	// Text is the text in UTF-8, with the character references of HTML decoded except
	// in a DataToken. For a LinkToken or URLToken it is the URL. If the URL is in angle
	// brackets, line ends and quote marks within it are removed.
	Text string

	// Longer is for a URLToken at the end of a line of text/plain. It is the URL
	// joined with the lines after it, or "" if these cannot belong to it. Wrapped is
	// true if Longer is more likely the intended URL than Text, and Certain if the
	// format of the text or angle brackets say so. LongerEnd is the end of Longer in
	// the text.
	Longer           string
	Wrapped, Certain bool
	LongerEnd        int64

	// Start and End are the offsets of the token in the text, in octets. If a
	// URLToken of HTML has character references other than "&amp;", it and later
	// URLTokens in the same TextToken have the Start and End of the TextToken.
	Start, End int64

	// Quoted is true if the token is in a quoted or forwarded message.
	Quoted bool

	// Ambiguous is true if programs read the text there in several ways. Some
	// programs may not have the token. A link that begins in one of several readings
	// ends, at the latest, where only one reading is left.
	Ambiguous bool

	tag    []byte       // a start tag as written
	chars  *textDecoder // of the text
	pieces attrPieces   // of the value for which Span was called last
}

// An Attr is an attribute of a tag: its name in lower case, and its value without
// character references and in UTF-8.
type Attr struct{ Name, Value string }

// A TokenKind is the kind of a Token.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, self-closing or not
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain, before the line in which it begins
	URLToken                       // an http or https URL in a text, before the TextToken in which it begins
	EndToken                       // the end of the text
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
)

// Attr returns the value of an attribute. name must be in lower case. It reports
// false if there is no such attribute.
func (t *Token) Attr(name string) (string, bool) {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}
