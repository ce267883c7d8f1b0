// Package verbs evaluates the pipelines of the list of linked files, which
// examples/list/SPEC.md describes. Tables that are generated from the list have the pipelines
// as data.
//
// A pipeline makes a text of the pieces of a URL, or fails. Evaluation takes time linear in
// the length of the URL and contacts no server. Several goroutines may evaluate the same
// pipeline at once.
package verbs

// A Pipe is a pipeline.
type Pipe []Step

// An Any has alternatives. The first pipeline that does not fail gives its value. A nil
// Any fails.
type Any []Pipe

// A Step is a verb with its arguments, or a piece.
type Step struct {
	Op      Op
	Piece   Piece
	Text    string // a name, or the text to replace
	Parts   []Part // a template
	Pattern *Pattern
}

// An Op is a verb.
type Op uint8

const (
	Take       Op = iota // the value is Piece
	Param                // the value is that of the parameter Text of the URL
	URL                  // the value is a URL: pieces of a URL are those of it from here on
	Percent              // percent-decoded
	Base64               // decoded from Base64 of either alphabet, with or without padding
	Proofpoint           // the URL in a wrapper of Proofpoint, version 3
	Lower                // in small letters, as far as they are ASCII
	Match                // matches Pattern, or equals Piece
	Not                  // does not match Pattern, or differs from Piece
	Set                  // a URL with the parameter Text set to Parts
	To                   // Parts
	Replace              // with Parts for each Text
	FindJSON             // the property of JSON at the path Text
	FindText             // the one text that Pattern finds
	FindForm             // the URL that the form with the ID Text asks for
)

// A Piece is a part of a URL, of the pattern of its path, or one that a row defines.
type Piece uint8

const (
	None     Piece = iota
	Value          // the value so far, in templates
	Link           // the URL in its normal form, without a fragment
	Text           // the URL as written
	Host           // its host
	Origin         // its scheme, host and port
	PathOf         // its path, as written
	Segments       // its segments that are not empty, with "/" between
	Query          // its query, if there is a "?"
	Fragment       // its fragment, if there is a "#"
	Answer         // the answer of a host
	Last           // the last of the segments for "*"
	Rest           // the segments for "*", with "/" between
	ID             // the segment {id}, or the parameter that the row names
	Owner          // the segment {owner}
	Type           // the segment {type}
	Name           // the segment {name}, decoded
	Own            // the first that rows define
)

const pieces = Own + 8

// A Part is a part of a template: a text, or a piece in one of three forms.
type Part struct {
	Text  string
	Piece Piece
	Form  Form
}

// A Form is the way in which a piece is put into a template.
type Form uint8

const (
	AsToken Form = iota // as it is, and only a token
	Escaped             // percent-encoded, and not empty
	AsIs                // as it is
)

// A Def is a piece that a row defines, perhaps from the piece of the same name.
type Def struct {
	Piece Piece
	Value Any
}

// A Fault is the reason why a pipeline failed.
type Fault uint8

const (
	OK      Fault = iota
	Missing       // a piece or a match is missing
	Garbled       // a value is not encoded as the verb wants it
)
