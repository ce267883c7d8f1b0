package externalbody

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Dialect is a form of reference other than a message/external-body part. Mailers
// write such forms into header fields and texts. Package dialect has the forms that are
// known, and a program can add its own.
//
// The functions of a Dialect keep no state: several goroutines may call them.
type Dialect struct {
	// Name is the Dialect of the References that it finds, such as "filelink". It is in
	// lower case and not empty, since "" is the standard form. Open fails if it is not, and
	// if two Dialects have the same name.
	Name string

	// Read returns the references in the header of an entity. It is nil if the form
	// does not appear in headers. Read is called for each message and each part
	//
	//   - whose header has one of Fields, in upper or lower case, or
	//   - whose media type, in lower case, is one of Types, or
	//   - whose file name, as Content-Disposition or Content-Type has it, ends in one of
	//     Extensions, such as ".url", in upper or lower case, or
	//   - whose body has no transfer encoding and starts, after white space, with one
	//     of Prefixes, in upper or lower case. A prefix has at most 100 octets.
	//
	// For a message/external-body part Read is called only if the part has no access
	// type. Its results then replace the part's own Reference.
	//
	// Read sets the place of each result: Origins[0].Field if a field of the Header holds
	// the reference, and Start and End if they are in the text that Entity.Body returned. Without
	// both, the whole part is meant, unless other parts are in it. A place that does not
	// exist is Unplaced.
	Fields, Types, Extensions, Prefixes []string
	Read                                func(e *Entity) []*Reference

	// Text reads a text/html or text/plain part, or one that mail programs show like these: text/x-amp-html,
	// text/watch-html, text/markdown, text/enriched. It is nil if the form does not appear in texts. Text returns
	// nil if nothing of the part is wanted. Otherwise it returns a function that gets the tokens of the part in
	// order, the last of which is an EndToken. That function calls found for each reference. It must not call found
	// after it has returned from the EndToken.
	//
	// The place of the reference is from the first octet of the tokens that are passed to found to the last one.
	// They are tokens of this part, their copies, or made of them by Token.Cut, Token.Joined and Token.Value.
	// Without tokens, or if one of them has no place, the reference is Unplaced. The Origins of the Reference are
	// ignored, with one exception: with Origins[0].Picture the place is a Picture. Only a token that Token.Value
	// returned, or a piece of a ContentToken, can be one.
	//
	// Text is called for each part whose decoded octets hold one of Hints, in upper or lower case. It is also
	// called if a Hint may be there in disguise, that is, written with character references or broken by line ends.
	// ASCII letters in Hints are in lower case. Other letters are written in the charset of the text, and their
	// case matters.
	//
	// The tags of a text/html include those of the tree that the HTML Standard builds.
	// Where programs read a text in different ways, the tokens of each reading are given:
	// for a comment that Outlook may show, such as "<!--[if mso]>", for noscript, and for
	// elements such as style in an svg, math or select element. The first
	// base element with an href comes before all other tokens.
	//
	// Otherwise there are no tokens for comments, and for the content of elements such as
	// title and textarea. For the content of style and script see DataToken and ContentToken.
	//
	// A text of more than 64 KiB is several tokens. Data of more than that is a ContentToken,
	// and an attribute of more than that is left out, unless it is a link or a program may load something for it.
	//
	// A Token is valid until the next one is given. A copy of it keeps its place and its
	// strings, but not its Attrs. The strings in Hints must not be replaced after the first
	// use.
	Hints []string
	Text  func(e *Entity, found func(ref *Reference, tokens ...*Token)) func(*Token)

	// Near makes reading a text/html much faster. If it is not nil, Text promises to
	// need only the EndToken and these tokens around a Hint:
	//
	//   - the start tags, texts and scripts that hold the Hint,
	//   - the element whose start tag holds it,
	//   - for each name in Near, the outermost element of that name that contains one of these,
	//     but of "a" the innermost,
	//   - the link whose start tag is directly before such an element,
	//   - the text and the end tag that follow.
	//
	// Near has at most 8 names of elements, in lower case. An element ends where as
	// many of its name have ended as have started. Text may be given more than this, and
	// is given the whole text if a Hint may be there in disguise.
	Near []string

	// Hosts are hosts whose share links cannot be recognized by their shape alone. The
	// value is the kind of the host, as in fetch.Request.ShareHosts. Hosts
	// hold for all references of the message, including References of other Dialects and
	// standard parts. Open fails if a host is not a host name or a kind is not known.
	Hosts map[string]string
}

// textHints returns the Hints, if the Dialect reads texts.
func (d *Dialect) textHints() []string {
	if d.Text == nil {
		return nil
	}
	return d.Hints
}

// NewReference returns a Reference of access type URL, for a Dialect to complete. The
// URL is its only other parameter. If url is a link of a mail gateway or the like that
// wraps another URL, the Reference has the wrapped one and a Diag.
//
// NewReference fills in the facts that the URL has about the body: its provider, name,
// size, media type and expiration. A Dialect may replace them.
//
// A Dialect may add to Diags, and gives the place as [Dialect] defines it. The reader of
// the message does the rest: it sets ID, Dialect and Section, and it merges References
// that lead to the same place.
func NewReference(url string) *Reference {
	r := &Reference{
		AccessType: "url",
		Params:     []Field{{"access-type", "url"}, {"url", url}},
		Size:       -1,
		Permission: "read",
		Origins:    make([]Origin, 1),
	}
	r.unwrap()
	r.analyzed = analyze(r.Params[1].Value, redact.Rules{})
	r.findLink(nil)
	r.adopt(r.urlFacts())
	return r
}

// NewMention returns a Reference like NewReference that only adds a place, and the facts there, to one
// found elsewhere in the message. It is dropped if nothing else in the message refers
// to the same place. An example is a link of any shape in the text/plain alternative of
// a text/html part, and another one a field that has the key of a file and not the host of its link.
func NewMention(url string) *Reference {
	r := NewReference(url)
	r.mention = true
	return r
}

// A Token is a piece of a text.
type Token struct {
	Kind TokenKind

	// Name is the name of a tag, in lower case. Of a ContentToken it is the element, "style" or
	// "script".
	Name string

	// Attrs are the attributes of a start tag, in order. Their names are in lower case.
	// Their values are in UTF-8, with character references decoded.
	Attrs []Field

	// Text is the text in UTF-8, with character references decoded. Of a LinkToken or
	// URLToken it is the URL as it stands there. A LinkToken does not have the line
	// ends and quote marks that broke it. A ContentToken that overlaps too many others has
	// none.
	Text string

	// Longer is set for a URLToken that ends with its line, if the lines after it may
	// belong to the URL. It is the URL with these lines, and LongerEnd is where it
	// ends. Wrapped is true if Longer is the more likely reading, because the line is
	// long and the next looks like the rest of a URL. Certain is true if it is the only
	// one: with format=flowed and delsp=yes, and in angle brackets.
	Longer           string
	Wrapped, Certain bool
	LongerEnd        int64

	// Start and End delimit the token in the decoded body of the part, in octets. Both are
	// 0 if that is not known, for example in a text in UTF-16. A URLToken with character
	// references other than "&amp;" has the Start and End of the text that it is in, and so
	// have those after it there. To change them does not change the place of the token.
	Start, End int64

	// Quoted is true if the token is in quoted or forwarded text.
	Quoted bool

	// Ambiguous is true if programs read a text/html there in several ways, so that other
	// programs may not have the token. A text in a link may then be outside of it.
	Ambiguous bool

	// Foreign is true if a start tag may be in an svg, math or select element, in which browsers read
	// other elements in another way, or starts one.
	Foreign bool

	source *mailtext.Token // nil if it was made by a method
	span   tokenSpan
}

// A tokenSpan is the place of a Token.
type tokenSpan struct {
	entity                *Entity // nil if the place is not known
	start, end, longerEnd int64
	exact                 bool // Text is the octets there
	picture               bool // it may be a Picture
}

// Attr returns the value of the first attribute of that name, which is in lower case.
func (t *Token) Attr(name string) (string, bool) { return Fields(t.Attrs).lookup(name) }

// isCurrent reports whether t is the token that was given last.
func (t *Token) isCurrent() bool {
	s := t.source
	if s == nil || TokenKind(s.Kind) != t.Kind {
		return false
	}
	return s.Start == t.span.start && s.End == t.span.end
}

func (t *Token) place(span tokenSpan) *Token {
	t.span = span
	t.source = nil
	t.Start = span.start
	t.End = span.end
	if span.entity == nil {
		t.Start = 0
		t.End = 0
	}
	return t
}

// Cut returns Text[from:to] as a token of the same kind. Its place is that of t if Text is
// not the octets of the part as they are there, for example because of a character
// reference. The place of Cut(0, 0) is where t starts, whatever t is. t must be valid, or
// made by Cut.
func (t *Token) Cut(from, to int) *Token {
	c := *t
	c.Text = t.Text[from:to]
	c.Longer = ""
	c.LongerEnd = 0
	span := t.span
	if !span.exact {
		span.exact = to == 0 || t.isCurrent() && t.source.AsWritten()
	}
	span.exact = span.exact && int64(to) <= span.end-span.start
	if span.exact {
		span.end = span.start + int64(to)
		span.start += int64(from)
	}
	span.picture = span.picture && span.exact
	return c.place(span)
}

// Joined returns the token of Longer, which ends at LongerEnd. It returns t if Longer is
// not set.
func (t *Token) Joined() *Token {
	if t.Longer == "" {
		return t
	}
	c := *t
	c.Text = t.Longer
	c.Longer = ""
	c.LongerEnd = 0
	return c.place(tokenSpan{entity: t.span.entity, start: t.span.start, end: t.span.longerEnd})
}

// Value returns value[from:to] as a TextToken, where value is the value of the first
// attribute of that name, which is in lower case. It reports false if its place is not
// known, for example in a text in UTF-16. t must be valid.
func (t *Token) Value(name string, from, to int) (*Token, bool) {
	if t.span.entity == nil || !t.isCurrent() {
		return nil, false
	}
	value, ok := t.source.Attr(name)
	if !ok {
		return nil, false
	}
	start, end, ok := t.source.Span(name, from, to)
	if !ok {
		return nil, false
	}
	c := &Token{Kind: TextToken, Text: value[from:to], Quoted: t.Quoted, Ambiguous: t.Ambiguous}
	return c.place(tokenSpan{entity: t.span.entity, start: start, end: end, picture: true}), true
}

// A TokenKind is the kind of a Token.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, which may be self-closing
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain; given before the line that it starts in
	URLToken                       // an http or https URL in a text, without brackets; given before the TextToken that it starts in
	EndToken                       // the end of the part
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
	ContentToken                   // the content of a style element or of another script, or a piece of it; not given with Near
)

// An Entity is a message, or a part of one, as a [Dialect] sees it. It is valid only
// during the call that it is passed to, and in the Text of a Dialect up to the EndToken.
type Entity struct {
	// Section is the part that the header belongs to, as in Origin. It is "" for the
	// header of the message, and the message/rfc822 part for the header of a message
	// within the message.
	section string

	// MediaType is the media type in lower case.
	MediaType string

	// Params are the parameters of its Content-Type, like the Params of a Reference.
	params []Field

	// Header has all fields of the header.
	Header Fields

	source *source
	part   *message.Part
	body   []byte // the octets that were read of it, up to the most that was asked for
	whole  bool   // body is all of it
	err    error
	unread []UnreadPart // that Dialects noted
}

// Unread records, for [Message.Unread], that something in the part could not be looked into. The
// same reason and detail count once.
func (e *Entity) Unread(reason DiagCode, detail string) {
	u := UnreadPart{e.part.Section(), e.part.Type, reason, strings.Clone(detail[:min(len(detail), maxDetail)])}
	if !slices.Contains(e.unread, u) {
		e.unread = append(e.unread, u)
	}
}

// IsLonger reports whether the decoded body has more than max octets.
func (e *Entity) IsLonger(max int) bool {
	e.Body(max)
	return !e.whole || len(e.body) > max
}

// Param returns the value of the first parameter of that name, which is in lower case.
func (e *Entity) Param(name string) (string, bool) { return Fields(e.params).lookup(name) }

// NoParts reports whether e is a multipart in which no part was found. Some mail programs show its body as a text.
func (e *Entity) NoParts() bool {
	return message.IsMultipart(e.part.Type) && (e.part.Diag.Has(message.BadBoundary) || e.part.Diag.Has(message.NoParts))
}

// Body returns the decoded body, or its first max octets if it is longer. The caller must
// not change them.
func (e *Entity) Body(max int) []byte {
	if max > len(e.body) && !e.whole {
		body, damaged, err := decodeSpan(e.source.r, e.part.Body, e.part.Encoding, int64(max))
		if err != nil {
			e.err = err
		}
		if damaged {
			e.Unread(DiagDecoding, "")
		}
		e.whole = len(body) <= max
		e.body = body[:min(len(body), max)]
	}
	return e.body[:min(len(e.body), max):min(len(e.body), max)]
}

// Section returns the section of the part, as in Origin.
func (e *Entity) Section() string { return e.part.Section() }

// textOrigin returns the place of tokens in the text of e.
func (e *Entity) textOrigin(tokens []*Token, picture bool) Origin {
	if len(tokens) == 0 {
		return Origin{Unplaced: true}
	}
	var o Origin
	for i, t := range tokens {
		if t == nil || t.span.entity != e {
			return Origin{Unplaced: true}
		}
		if i == 0 {
			o.Start = t.span.start
			o.End = t.span.end
		}
		o.Start = min(o.Start, t.span.start)
		o.End = max(o.End, t.span.end)
	}
	if o.Start == o.End {
		return Origin{Unplaced: true}
	}
	o.Picture = picture && len(tokens) == 1 && tokens[0].span.picture
	return o
}

// origin returns a place that the Read of a Dialect gave, if it exists.
func (e *Entity) origin(o Origin) Origin {
	switch {
	case o.Field != "":
		if e.Header.count(o.Field) > 0 {
			return Origin{Field: o.Field}
		}
	case o.Start == 0 && o.End == 0:
		if e.MediaType == "text/plain" || e.MediaType == "text/html" || message.IsMultipart(e.MediaType) {
			break
		}
		if message.IsMessage(e.MediaType) && e.MediaType != externalBody {
			break
		}
		return Origin{}
	case 0 <= o.Start && o.Start < o.End && o.End <= int64(len(e.body)):
		return Origin{Start: o.Start, End: o.End}
	}
	return Origin{Unplaced: true}
}

// newEntity returns the Entity of a part whose header is given.
func newEntity(s *source, p *message.Part, header string) *Entity {
	e := &Entity{
		section:   headerSection(p),
		MediaType: p.Type,
		Header:    parseHeader(header),
		source:    s,
		part:      p,
	}
	if v, ok := e.Header.lookup("Content-Type"); ok {
		for _, p := range param.Parse(v).Params {
			e.params = append(e.params, Field{p.Name, p.Value})
		}
	}
	return e
}

// headerSection returns the section that the header of p belongs to.
func headerSection(p *message.Part) string {
	switch {
	case p.Parent == nil:
		return ""
	case message.IsMultipart(p.Parent.Type):
		return p.Section()
	}
	return p.Parent.Section()
}

// OpenOptions are the options of Open. nil means the zero value.
type OpenOptions struct {
	// Dialects are the forms to look for besides message/external-body parts.
	// dialect.All returns the ones that are known. Without Dialects only containers are
	// decoded.
	Dialects []Dialect

	// Strict makes Reference.Request refuse a Reference that has Diags.
	Strict bool

	// MaxDepth bounds the nesting of parts; the default is 100. MaxParts bounds their
	// number; the default is 10,000. Parts beyond these limits are not read, and
	// Message.Incomplete reports it.
	MaxDepth, MaxParts int

	// MaxReferences bounds the number of References; the default is 10,000. Dialects
	// may find them in four times as many places. References beyond these limits are left
	// out, and Message.Incomplete reports it.
	MaxReferences int

	// MaxHeaderBytes bounds the memory for one header; the default is 256 KiB. The
	// Content-Type of a message/external-body part does not count. It may hold a data:
	// URL of any length, and up to 256 KiB besides.
	MaxHeaderBytes int64

	// MaxDecodedBytes bounds the octets that are decoded, for all parts of a message
	// together; the default is 64 MiB. It counts containers under base64 or
	// quoted-printable, signed messages of S/MIME, winmail.dat of Outlook, and each
	// text of more than 256 KiB that may hold a link. Message.Incomplete reports that
	// something was left out.
	MaxDecodedBytes int64
}

func (o *OpenOptions) withDefaults() OpenOptions {
	c := *cmp.Or(o, new(OpenOptions))
	c.MaxHeaderBytes = cmp.Or(max(0, c.MaxHeaderBytes), defaultHeaderBytes)
	c.MaxReferences = cmp.Or(max(0, c.MaxReferences), defaultReferences)
	c.MaxDecodedBytes = cmp.Or(max(0, c.MaxDecodedBytes), defaultDecodedBytes)
	return c
}

const (
	defaultHeaderBytes  = 256 << 10
	defaultDecodedBytes = 64 << 20
	defaultReferences   = 10_000
	maxPhantomBody      = 256 << 10
)
