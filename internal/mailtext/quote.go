package mailtext

import (
	"slices"
	"strings"
)

// An htmlQuote tracks the quoted or forwarded messages in a text/html.
type htmlQuote struct {
	blockquotes int
	divs        int
	marked      int  // the value of divs in the outermost div that is a quote, or 0
	rest        bool // everything that follows is quoted
}

// quoteClasses are the classes of the div around a quoted or forwarded message from
// Gmail, Thunderbird, Yahoo and Proton. Mailers that quote such a message may put a
// prefix before the class.
var quoteClasses = []string{
	"gmail_quote", "gmail_quote_container", "moz-forward-container", "yahoo_quoted", "protonmail_quote",
}

// outlookQuote is the id of the block of header fields that Outlook puts above a quoted
// message. Everything that follows is quoted. Mailers may put a prefix before the id.
const outlookQuote = "divRplyFwdMsg"

func (q *htmlQuote) open() bool { return q.rest || q.blockquotes > 0 || q.marked > 0 }

// see updates q for a token, and reports whether the token is quoted.
func (q *htmlQuote) see(t *Token) bool {
	switch t.Kind {
	case TextToken:
		q.rest = q.rest || isSeparator(t.Text)
	case EndTagToken:
		defer q.close(t.Name)
	case StartTagToken:
		switch t.Name {
		case "blockquote":
			q.blockquotes++
		case "div":
			q.divs++
			if q.marked == 0 && isQuoteClass(t) {
				q.marked = q.divs
			}
		}
		if id, ok := t.Attr("id"); ok && strings.HasSuffix(id, outlookQuote) {
			q.rest = true
		}
	}
	return q.open()
}

// close updates q for an end tag.
func (q *htmlQuote) close(name string) {
	switch name {
	case "blockquote":
		q.blockquotes = max(0, q.blockquotes-1)
	case "div":
		if q.marked == q.divs {
			q.marked = 0
		}
		q.divs = max(0, q.divs-1)
	}
}

func isQuoteClass(t *Token) bool {
	classes, _ := t.Attr("class")
	for class := range strings.FieldsSeq(classes) {
		if slices.ContainsFunc(quoteClasses, func(c string) bool { return strings.HasSuffix(class, c) }) {
			return true
		}
	}
	return false
}

// maxSeparator bounds the line above a quoted message, in octets.
const maxSeparator = 100

// dashes start the line above a quoted message.
var dashes = []byte("-----")

// isSeparator reports whether text is the line above a quoted or forwarded message,
// in any language: words with at least five dashes on either side, as in
// "-----Original Message-----". The lines of OpenPGP do not count, nor do the lines
// that Mailman writes between the parts of a message.
func isSeparator(text string) bool {
	if len(text) < 11 || len(text) > maxSeparator || !strings.Contains(text, "-----") {
		return false
	}
	text = strings.TrimSpace(text)
	words := strings.Trim(text, "-")
	if !strings.HasPrefix(text, "-----") || !strings.HasSuffix(text, "-----") || strings.TrimSpace(words) == "" {
		return false
	}
	return !strings.HasPrefix(words, "BEGIN ") && !strings.HasPrefix(words, "END ") && !isNextPart(words)
}

// isOutlookField reports whether text may be the field From, in any language, with which
// Outlook starts a quoted message.
func isOutlookField(text string) bool {
	name, _, ok := strings.Cut(text, ":")
	isWord := name != "" && !strings.ContainsAny(name, " <>")
	return ok && isWord && len(name) < 24
}

// isNextPart reports whether words are the words that Mailman 2 writes between dashes
// above each part of a message, in one of its languages. The text after such a line
// belongs to the message and is not quoted.
func isNextPart(words string) bool {
	const blanks = " \t\u00b7" // QUIRK: the Hebrew words are between middle dots
	switch strings.Trim(words, blanks) {
	case "next part",
		"\u0627\u0644\u0642\u0633\u0645 \u0627\u0644\u062b\u0627\u0646\u064a", // Arabic
		"siguiente parte", "pr\u00f3xima parte", "Pr\u00f3xima Parte", "part seg\u00fcent",
		"dal\u0161\u00ed \u010d\u00e1st", "\u010fal\u0161ia \u010das\u0165",
		"n\u00e6ste del", "neste del", "n\u00e4chster Teil", "volgend deel",
		"\u03b5\u03c0\u03cc\u03bc\u03b5\u03bd\u03bf \u03bc\u03ad\u03c1\u03bf\u03c2", // Greek
		"sekvanta parto", "hurrengo zatia", "seuraava osa", "section suivante", "proxime parte", "parte successiva",
		"\u0642\u0633\u0645\u062a \u0628\u0639\u062f\u06cc",                                               // Persian
		"\u05d4\u05e7\u05d8\u05e2\u00b7\u05d4\u05d1\u05d0", "\u05d4\u05e7\u05d8\u05e2 \u05d4\u05d1\u05d0", // Hebrew
		"sljede\u0107i dio", "naslednji del", "k\u00f6vetkez\u0151 r\u00e9sz",
		"nast\u0119pna cz\u0119\u015b\u0107", "partea urm\u0103toare", "sonraki b\u00f6l\u00fcm",
		"\u0441\u043b\u0435\u0434\u0443\u044e\u0449\u0430\u044f \u0447\u0430\u0441\u0442\u044c",       // Russian
		"\u0441\u043b\u0435\u0434\u0435\u045b\u0438 \u0434\u0438\u043e",                               // Serbian
		"\u043d\u0430\u0441\u0442\u0443\u043f\u043d\u0430 \u0447\u0430\u0441\u0442\u0438\u043d\u0430", // Ukrainian
		"\u4e0b\u4e00\u90e8\u5206", "\u4e0b\u4e00\u90e8\u4efd": // Chinese
		return true
	}
	return false
}
