package externalbody

// A Dialect is a form of reference that is no message/external-body part: what
// mailers write into header fields and texts in its place. Package dialect has
// the forms that are known, and a program can add its own.
//
// A Dialect keeps no state. Several goroutines may call its functions.
type Dialect struct {
	// Name is [Reference].Dialect of what it finds, such as "filelink". It is
	// in lower case and not empty.
	Name string

	// Read returns the references that the header of an entity makes. It is
	// called for each message and each part whose header has one of Fields, in
	// whatever case, or whose media type, in lower case, is one of Types. It
	// is nil if the form is not found so.
	//
	// What it returns for a message/external-body part stands in the place of
	// the part's own Reference, and it is asked only if the part has no access
	// type.
	Fields, Types []string
	Read          func(e *Entity) []*Reference

	// Text returns a function that is given the tokens of a text/html or
	// text/plain part in order, the last of which is an [EndToken], and that
	// calls found for each reference. It is called for each part whose decoded
	// octets hold one of Hints, which are ASCII in lower case, in whatever
	// case. It is nil if the form is not found in texts.
	//
	// A Token is valid until the next one is given.
	Hints []string
	Text  func(e *Entity, found func(*Reference)) func(*Token)
}

// NewReference returns a Reference of access type URL, for a Dialect to
// complete: of unknown size, with the permission to read, the URL as its only
// other parameter, and the name that the URL ends with.
//
// A Dialect sets Origins[0].Field where it found the reference in a header
// field, and Start and End where it found it in a text. The reader of the
// message does the rest: ID, Dialect and Section.
func NewReference(url string) *Reference {
	r := &Reference{
		AccessType: "url",
		Params:     []Param{{"access-type", "url"}, {"url", url}},
		Size:       -1,
		Permission: "read",
		Origins:    make([]Origin, 1),
	}
	r.Name = r.findName()
	return r
}

// A Token is a piece of a text.
type Token struct {
	Kind TokenKind

	// Name is that of a tag, in lower case.
	Name string

	// Attrs are the attributes of a start tag in order. Names are in lower
	// case, values without character references and in UTF-8.
	Attrs []Param

	// Text is the text without character references and in UTF-8, or the URL of
	// a LinkToken as it stands there, without the line ends and quote marks that
	// broke it.
	Text string

	// Start and End delimit the token in the decoded body of the part, in
	// octets.
	Start, End int64

	// Quoted is true in what the text quotes or forwards.
	Quoted bool
}

// A TokenKind is what a Token is.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, or a tag that is both
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain, before the line that it begins in
	EndToken                       // the end of the part
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
