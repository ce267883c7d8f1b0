package externalbody

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/wording"
)

// Summary describes Plans in one sentence for people, without the full stop:
//
//	slides.pdf (587 octets) and 4 more from cloud.example, encrypted; it learns your address, and that you read this now
//
// others are Plans that [Plan.Like] reports to be like p. The sentence names the file of p and counts theirs. Without
// others it also has facts about that file alone: that a download is used up, or that a date has passed. Long names
// and hosts are cut, a host at its start. [Plan.String] has all facts.
func (p *Plan) Summary(others ...*Plan) string {
	files := p.file()
	if n := len(others); n > 0 {
		files += fmt.Sprintf(" and %d more", n)
	}
	if p.Kind != 0 {
		return fmt.Sprintf("%s: refused (%s): %s", files, p.Kind, p.Reason)
	}
	text := files + p.from()
	if len(others) > 0 {
		return text
	}
	if p.Once {
		text += "; this uses up one of the downloads that the host allows"
	}
	if p.Expired {
		text += "; it was to be there until " + p.ref().Expiration.UTC().Format("2006-01-02")
	}
	return text
}

// maxShownName and maxShownHost bound the columns of a name and of a host in a sentence.
const (
	maxShownName = 32
	maxShownHost = 48
)

func shownHost(host string) string { return shown(wording.Host(host, maxShownHost)) }

// file names the file of a Plan, with its size if one is announced.
func (p *Plan) file() string {
	name := wording.Name(p.ref().Name, maxShownName)
	switch {
	case name == "":
		name = "a file"
		if ext := mediatype.Extension(p.mediaType()); ext != "" && ext != ".bin" {
			name = "a " + strings.ToUpper(ext[1:]) + " file"
		}
	case strings.ContainsFunc(name, isNoWord):
		name = quoted(name) // it could go on with the sentence
	}
	if p.ref().Size >= 0 {
		name += " (" + wording.About(p.ref().Size) + ")"
	}
	return name
}

func isNoWord(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("._-+", c)
}

// from returns the end of a sentence that starts with files: where they come from, and the facts that are disclosed.
func (p *Plan) from() string {
	host := shownHost(p.Host)
	switch {
	case p.Local():
		return ", in the message itself"
	case p.Scheme == "file":
		return ", on this machine"
	case p.Scheme == "mailto":
		return " by mail from " + host + "; it learns your mail address, and that you read this now"
	}
	text := " from " + host
	learns := "it learns"
	switch {
	case p.Hop:
		text += ", to which " + shownHost(p.From) + " redirects"
	case p.Direct != "":
		text += " or " + shownHost(p.Direct) + ", which has its files"
		learns = "they learn"
	}
	if p.Account != nil {
		return text + p.asks() + "; its owner can see that"
	}
	if p.Secure {
		text += ", encrypted"
	} else {
		text += ", not encrypted"
	}
	switch p.Login {
	case "credentials":
		text += ", with your login"
	case "url":
		text += ", with the login in the URL"
	}
	text += "; " + learns + " your address"
	if slices.ContainsFunc(p.Discloses, func(d Disclosure) bool { return d.What == "anonymous-password" }) {
		text += ", your mail address"
	}
	text += ", and that you read this now"
	if slices.ContainsFunc(p.Discloses, func(d Disclosure) bool { return d.To == "the sender" }) {
		text += "; so does the sender"
	}
	return text
}

// Like reports whether two Plans contact the same hosts in the same way, so that one question to a person can be about
// both. Plans that are refused are like the ones that are refused with the same Reason.
func (p *Plan) Like(q *Plan) bool {
	if p.Hop != q.Hop {
		return false
	}
	sameHosts := p.Host == q.Host && p.Direct == q.Direct && p.From == q.From
	sameWay := p.Scheme == q.Scheme && p.Secure == q.Secure && p.Login == q.Login
	sameAccount := p.accountName() == q.accountName() && p.AsOf.Equal(q.AsOf)
	sameRefusal := p.Kind == q.Kind && p.Reason == q.Reason
	return sameHosts && sameWay && sameAccount && sameRefusal
}
