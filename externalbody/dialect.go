package externalbody

// A Dialect is a form of reference other than a message/external-body part: what
// mailers write into header fields and texts in its place. Package dialect has
// the forms that are known, and a program can add its own.
//
// A Dialect keeps no state. Several goroutines may call its functions.
type Dialect struct {
	// Name is [Reference].Dialect of what it finds, such as "filelink". It is
	// in lower case and not empty.
	Name string

	// Read returns the references that the header of an entity makes. It is nil
	// if the form is not in headers. Read is called for each message and each part
	//
	//   - whose header has one of Fields, whatever its case, or
	//   - whose media type, in lower case, is one of Types, or
	//   - whose body has no transfer encoding and begins, after white space, with
	//     one of Prefixes, whatever its case. A prefix has at most 100 octets.
	//
	// For a message/external-body part Read is called only if the part has no
	// access type. What it returns then replaces the part's own Reference.
	Fields, Types, Prefixes []string
	Read                    func(e *Entity) []*Reference

	// Text returns a function that is given the tokens of a text/html or
	// text/plain part in order, the last of which is an [EndToken], and that
	// calls found for each reference. It is nil if the form is not in texts. Text
	// is called for each part whose decoded octets hold one of Hints, whatever its
	// case, or may hold one that is written with character references or line ends
	// in it. Hints are octets, whose letters of ASCII are in lower case. Letters
	// outside of ASCII are as the charset of the text has them, and have a case.
	//
	// There are no tokens for comments, for what a "<!--[if mso]>" hides from
	// all programs but Outlook, and for the content of elements such as style
	// and title, but for scripts that are data. A tag of more than 64 KiB has no
	// Attrs. A longer text is several tokens. A longer script is left out.
	//
	// A Token is valid until the next one is given.
	Hints []string
	Text  func(e *Entity, found func(*Reference)) func(*Token)

	// Near, if it is not nil, says that of a text/html Text needs only what is
	// near its Hints, which makes reading much faster. Besides the EndToken it
	// may then be given only what belongs to a Hint:
	//
	//   - the start tags, texts and scripts that have it,
	//   - the element whose start tag has it,
	//   - the outermost element around these of each name in Near, which are at
	//     most 8 names of elements in lower case; of links ("a"), which are not
	//     within one another, the one that is open; and the link whose start tag
	//     is directly before such an element,
	//   - the text that follows, and the end tag that does.
	//
	// An element ends where as many of its name have ended as have begun. Text
	// may be given more, and is given all of a text in which a Hint may be
	// written in a way that is not seen.
	Near []string

	// Hosts are hosts whose links have the shape of a share link only once the
	// host is known, with the kind of the host, as package sharefetch has them
	// in its Options. They hold for all references of the message, those of
	// other Dialects and standard parts too. Open fails if a host is
	// not a host name, or a kind is not known.
	Hosts map[string]string
}

// NewReference returns a Reference of access type URL, for a Dialect to
// complete. Its URL, which is its only other parameter, is the one that the
// given one wraps, if it is a link of a mail gateway or the like, of which the
// Diags tell. What that URL says of itself is filled in: who keeps the body, its
// name, size, media type and expiration. All of it gives way to what a Dialect
// sets.
//
// A Dialect sets Origins[0].Field where it found the reference in a header
// field, and Start and End where it found it in a text. It may add to Diags. The
// reader of the message does the rest: ID, Dialect and Section, and it makes one
// Reference of those that lead to the same place.
func NewReference(url string) *Reference {
	r := &Reference{
		AccessType: "url",
		Params:     []Param{{"access-type", "url"}, {"url", url}},
		Size:       -1,
		Permission: "read",
		Origins:    make([]Origin, 1),
	}
	r.unwrap()
	r.findLink(nil)
	r.adopt(r.said())
	return r
}

// NewMention returns a Reference as NewReference does, which only adds a place to
// one that is found elsewhere in the message. An example is a link of any shape in
// the text/plain twin of a text/html part. If nothing else in the message refers to
// the same place, the mention is dropped.
func NewMention(url string) *Reference {
	r := NewReference(url)
	r.mention = true
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

	// Start and End delimit the token in the decoded body of the part, in
	// octets. Those of a URLToken in a text that has character references are
	// the ones of the text.
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
	URLToken                       // an http or https URL in a text, without brackets, before the TextToken that it begins in
	EndToken                       // the end of the part
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
