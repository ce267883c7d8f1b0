package externalbody

// A Dialect is a form of reference other than a message/external-body part. Mailers
// write such forms into header fields and texts. Package dialect has the forms that are
// known, and a program can add its own.
//
// The functions of a Dialect keep no state: several goroutines may call them.
type Dialect struct {
	// Name is the Dialect of the References that it finds, such as "filelink". It is in
	// lower case and not empty.
	Name string

	// Read returns the references in the header of an entity. It is nil if the form
	// does not appear in headers. Read is called for each message and each part
	//
	//   - whose header has one of Fields, whatever its case, or
	//   - whose media type, in lower case, is one of Types, or
	//   - whose body has no transfer encoding and begins, after white space, with one
	//     of Prefixes, whatever its case. A prefix has at most 100 octets.
	//
	// For a message/external-body part Read is called only if the part has no access
	// type. What it returns then replaces the part's own Reference.
	Fields, Types, Prefixes []string
	Read                    func(e *Entity) []*Reference

	// Text reads a text/html or text/plain part, or one that mail programs show like
	// these: text/x-amp-html, text/watch-html, text/markdown, text/enriched. It is nil if the form does not appear
	// in texts. Text returns a function that is given the tokens of the part in order,
	// the last of which is an [EndToken]. That function calls found for each reference.
	//
	// Text is called for each part whose decoded octets hold one of Hints, whatever the
	// case of ASCII letters. It is also called if a Hint may be there in disguise, that
	// is, written with character references or broken by line ends. ASCII letters in
	// Hints are in lower case. Other letters are written in the charset of the text,
	// and their case matters.
	//
	// There are no tokens for
	//
	//   - comments, except what a "<!--[if mso]>" shows to Outlook only,
	//   - the content of elements such as style and title, and of scripts that are not
	//     data; see [DataToken].
	//
	// A tag of more than 64 KiB has no Attrs. A text of more than that is several
	// tokens. A script of more than that is left out.
	//
	// A Token is valid until the next one is given. The strings in Hints must not be
	// replaced after the first use.
	Hints []string
	Text  func(e *Entity, found func(*Reference)) func(*Token)

	// Near makes reading a text/html much faster. If it is not nil, Text promises to
	// need only the EndToken and what belongs to a Hint:
	//
	//   - the start tags, texts and scripts that hold the Hint,
	//   - the element whose start tag holds it,
	//   - for each name in Near, the outermost element of that name around these,
	//     except that of links ("a") it is the one that is open,
	//   - the link whose start tag is directly before such an element,
	//   - the text and the end tag that follow.
	//
	// Near has at most 8 names of elements, in lower case. An element ends where as
	// many of its name have ended as have begun. Text may be given more than this, and
	// is given the whole text if a Hint may be there in disguise.
	Near []string

	// Hosts are hosts whose share links cannot be recognized by their shape alone. The
	// value is the kind of the host, as in the Options of package sharefetch. Hosts
	// hold for all references of the message, including those of other Dialects and
	// standard parts. Open fails if a host is not a host name or a kind is not known.
	Hosts map[string]string
}

// NewReference returns a Reference of access type URL, for a Dialect to complete. The
// URL is its only other parameter. If url is a link of a mail gateway or the like that
// wraps another URL, the Reference has the wrapped one, and a Diag says so.
//
// NewReference fills in what the URL tells about the body: who keeps it, its name,
// size, media type and expiration. Whatever a Dialect sets replaces that.
//
// A Dialect sets Origins[0].Field if it found the reference in a header field, and
// Start and End if it found it in a text. It may add to Diags. The reader of the
// message does the rest: it sets ID, Dialect and Section, and it merges References that
// lead to the same place.
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

// NewMention returns a Reference like that of [NewReference] which only adds a place to
// one found elsewhere in the message. It is dropped if nothing else in the message
// refers to the same place. An example is a link of any shape in the text/plain twin of
// a text/html part.
func NewMention(url string) *Reference {
	r := NewReference(url)
	r.mention = true
	return r
}

// A Token is a piece of a text.
type Token struct {
	Kind TokenKind

	// Name is the name of a tag, in lower case.
	Name string

	// Attrs are the attributes of a start tag, in order. Their names are in lower case.
	// Their values are in UTF-8, with character references decoded.
	Attrs []Param

	// Text is the text in UTF-8, with character references decoded. Of a LinkToken or
	// URLToken it is the URL as it stands there. A LinkToken does not have the line
	// ends and quote marks that broke it.
	Text string

	// Longer is set for a URLToken that ends with its line, if the lines after it may
	// belong to the URL. It is the URL with these lines, and LongerEnd is where it
	// ends. Wrapped is true if Longer is the more likely reading, because the line is
	// long and what follows looks like the rest of a URL.
	Longer    string
	Wrapped   bool
	LongerEnd int64

	// Start and End delimit the token in the decoded body of the part, in octets. A
	// URLToken with character references other than "&amp;" has the Start and End of the
	// text that it is in, and so have those after it there.
	Start, End int64

	// Quoted is true if the token is in quoted or forwarded text.
	Quoted bool
}

// A TokenKind is the kind of a Token.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, which may be self-closing
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain; given before the line that it begins in
	URLToken                       // an http or https URL in a text, without brackets; given before the TextToken that it begins in
	EndToken                       // the end of the part
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
)

// Attr returns the value of the first attribute of that name, which is in lower case.
func (t *Token) Attr(name string) (string, bool) {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}
