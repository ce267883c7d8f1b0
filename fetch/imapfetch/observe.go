package imapfetch

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// cutOut stands for text that was cut out of the dialogue.
const cutOut = "(cut)"

// newLog begins the exchange of req, nil without an observer.
func newLog(req *fetch.Request) *fetch.Exchange {
	x := req.Begin("imap", req.URL, 0)
	if x != nil {
		x.URL = withoutToken(x.URL)
	}
	return x
}

// say adds a line to the log without credentials: the rest after LOGIN, the answer
// to a "+", the token of URLAUTH, and responses that repeat a secret.
func (s *session) say(sent bool, line string) {
	if !s.log.Full() {
		return
	}
	if sent {
		line = withoutLogin(line)
	} else if s.repeats(line) {
		tag, _, _ := strings.Cut(line, " ")
		line = tag + " " + cutOut
	}
	s.log.Say(sent, withoutToken(line))
}

// withoutLogin returns a line that was sent without credentials. A line that is not a
// command answers a "+", and has nothing else in it.
func withoutLogin(line string) string {
	tag, command, ok := strings.Cut(line, " ")
	if !ok {
		return cutOut
	}
	if verb, _, _ := strings.Cut(command, " "); verb == "LOGIN" {
		return tag + " " + verb + " " + cutOut
	}
	return line
}

// withoutToken cuts out the text after ";URLAUTH=" (RFC 4467 section 3), up to the
// end of the URL.
func withoutToken(s string) string {
	const name = ";URLAUTH="
	var b strings.Builder
	start := 0 // of the text that is not in b yet
	for i := 0; i+len(name) <= len(s); i++ {
		if s[i] != ';' || !wire.HasPrefixFold(s[i:], name) {
			continue
		}
		i += len(name)
		b.WriteString(s[start:i])
		b.WriteString(cutOut)
		n := strings.IndexAny(s[i:], " \"")
		if n < 0 {
			return b.String()
		}
		i += n
		start = i
	}
	return b.String() + s[start:]
}

// repeats reports whether a line has a secret of the login in it.
func (s *session) repeats(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(s.secrets, func(secret string) bool {
		return secret != "" && strings.Contains(line, strings.ToLower(secret))
	})
}

// count adds to the log the counts that are known at its end.
func (s *session) count() {
	s.log.OctetsIn = s.received
	if s.wire != nil {
		s.log.OctetsOut, s.log.OctetsIn = s.wire.Sent, s.wire.Received+s.received
	}
}
