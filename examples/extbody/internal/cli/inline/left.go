package inline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/wording"
)

// A reason is why a flag, or a default of one, leaves a file where it is.
type reason int

const (
	isLink reason = iota
	atOtherHost
	notChosen
	inTransit
	isNested
	tooLarge
	reasons // how many there are
)

// reasonWords are the words about one file and about several, and the flag that takes them.
var reasonWords = [reasons]struct{ one, several, flag string }{
	isLink:      {"a link", "links", " (--dialects all takes these)"},
	atOtherHost: {"at a host that was not named", "at hosts that were not named", " (--yes %s takes these)"},
	notChosen:   {"not chosen by --name or --ref", "not chosen by --name or --ref", ""},
	inTransit:   {"in a signed message", "in signed messages", " (--at delivery takes these)"},
	isNested:    {"in a message within the message", "in messages within messages", " (--nested takes these)"},
	tooLarge:    {"too large for its message", "too large for their messages", " (--max-message none takes these)"},
}

// A left counts the files of a run that its flags left where they are, and the parts that could not
// be looked into. A nil *left counts nothing.
type left struct {
	files [reasons]int
	hosts []string // of the files at hosts that were not named
	parts record.Counts
}

// read counts the parts of a message that could not be looked into and, if the run reads the
// standard form alone, the files that it has in other forms.
func (l *left) read(m *mailbox.Message, msg *externalbody.Message, reading *source.Reading) {
	if l == nil {
		return
	}
	if !reading.Standard() {
		l.parts.Message(msg, 0)
		return
	}
	// The index may have references from before an error.
	whole, _ := reading.OpenListed(m)
	whole = cmp.Or(whole, msg)
	l.parts.Message(whole, 0)
	for alts := range whole.Alternatives() {
		if alts[0].Dialect != "" {
			l.files[isLink]++
		}
	}
}

// note counts the files of a message that was rewritten. chosen reports whether --name and --ref
// choose a reference; nil means that they choose all. host returns the host of one.
func (l *left) note(report *rewrite.Report, chosen func(*externalbody.Reference) bool, host func(*externalbody.Reference) string) {
	if l == nil || report == nil {
		return
	}
	for _, i := range report.Items {
		unchosen := func(ref *externalbody.Reference) bool { return chosen != nil && !chosen(ref) }
		notSelected := i.Action == rewrite.Left && i.Err == nil && i.StoodIn == "" && len(i.References) > 0
		switch {
		case errors.Is(i.Err, rewrite.ErrInTransit):
			l.files[inTransit]++
		case errors.Is(i.Err, rewrite.ErrNested):
			l.files[isNested]++
		case errors.Is(i.Err, rewrite.ErrMaxOutput):
			l.files[tooLarge]++
		case !notSelected:
		case !slices.ContainsFunc(i.References, func(ref *externalbody.Reference) bool { return !unchosen(ref) }):
			l.files[notChosen]++
		default:
			l.files[atOtherHost]++
			if name := host(i.References[0]); len(l.hosts) < 2 && !slices.Contains(l.hosts, name) {
				l.hosts = append(l.hosts, name)
			}
		}
	}
}

// print writes one line about the files that were left, and the parts that could not be looked into,
// if there are any.
func (l *left) print(w io.Writer) {
	if l == nil {
		return
	}
	if text := l.String(); text != "" {
		fmt.Fprintln(w, show.Wrap("extbody: "+show.Line(text), terminal.Width(w)))
	}
}

func (l *left) String() string {
	n := 0
	kinds := 0
	for _, k := range l.files {
		n += k
		if k > 0 {
			kinds++
		}
	}
	var words []string
	for r, k := range l.files {
		of := reasonWords[r]
		text := of.several
		if k == 1 {
			text = of.one
		}
		if kinds > 1 {
			text = fmt.Sprintf("%d %s", k, strings.TrimPrefix(text, "a "))
		}
		flag := of.flag
		if reason(r) == atOtherHost {
			flag = fmt.Sprintf(flag, l.host())
		}
		if k > 0 {
			words = append(words, text+flag)
		}
	}
	unread := l.parts.UnreadParts()
	if n == 0 {
		return unread
	}
	words[0] = wording.Choose(n, "file is left: ", "files are left: ") + words[0]
	text := strings.Join(words, ", ")
	if unread != "" {
		text += "; " + unread
	}
	return text
}

// host returns the one host of the files at hosts that were not named, or a word for several.
func (l *left) host() string {
	if len(l.hosts) == 1 {
		return l.hosts[0]
	}
	return "HOST"
}
