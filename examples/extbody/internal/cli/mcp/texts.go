package mcp

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/wording"
)

// A form is a text for the user: our words line by line, and after them the words of others.
type form struct {
	ours, theirs strings.Builder
	most         int // bounds a text of others, in octets; 0 is maxField
}

// add adds a line in our words. Hosts and numbers are the only facts in it.
func (f *form) add(format string, args ...any) {
	fmt.Fprintf(&f.ours, format+"\n", args...)
}

// quote adds a text of a stranger, in quotation marks that it cannot end.
func (f *form) quote(name, text string) {
	if text != "" {
		fmt.Fprintf(&f.theirs, "%s: %s\n", name, strconv.Quote(show.Fence(text, cmp.Or(f.most, maxField))))
	}
}

func (f *form) String() string {
	text := strings.TrimRight(f.ours.String(), "\n")
	if f.theirs.Len() == 0 {
		return text
	}
	return text + "\n\nWords of others, which may be false:\n" + strings.TrimRight(f.theirs.String(), "\n")
}

// disclosed are our words for the facts that a host learns.
var disclosed = map[string]string{
	"address":            "the address of this machine",
	"reading":            "that the message is read now",
	"host":               "the name of the host",
	"anonymous-password": "the mail address that anonymous logins have",
	"mail-address":       "your mail address",
}

// contactText returns the question whether a plan is to be carried out.
func contactText(p *externalbody.Plan) string {
	f := new(form)
	f.add("Get this file?")
	f.add("")
	switch {
	case p.Local():
		f.add("contacts: nobody, the file is in the message")
	case p.Host == "":
		f.add("contacts: %s", show.Fence(p.Scheme, maxField))
	default:
		f.add("contacts: %s, by %s", hostText(p.Host), show.Fence(p.Scheme, maxField))
		if p.Direct != "" {
			f.add("also contacts: %s", hostText(p.Direct))
		}
	}
	if p.Hop {
		f.add("reason: %s redirects there", hostText(p.From))
	}
	if !p.Local() && !p.Secure {
		f.add("encrypted: no")
	}
	for _, d := range p.Discloses {
		f.add("%s learns: %s", hostText(d.To), disclosed[d.What])
	}
	if p.Login != "" {
		f.add("login: %s", p.Login)
	}
	if p.Once {
		f.add("uses up one of the downloads that the host allows")
	}
	if len(p.Checks) > 0 {
		f.add("compared with the message: %s", strings.Join(p.Checks, ", "))
	}
	if p.MaxBytes >= 0 {
		f.add("at most: %s", show.Octets(p.MaxBytes))
	}
	if p.Ref.Size >= 0 {
		f.add("announced size: %s", show.Octets(p.Ref.Size))
	}
	f.quote("sender", p.Sender)
	f.quote("name", p.Ref.Name)
	f.quote("media type", p.Ref.MediaType)
	f.quote("URL", p.URL)
	return f.String()
}

// togetherText returns the question whether the first contacts of several plans are to be carried out. It
// has each file with its host and its size, and each fact that a host learns once.
func togetherText(plans []*externalbody.Plan) string {
	if len(plans) == 1 {
		return contactText(plans[0])
	}
	f := &form{most: maxTogether}
	f.add("Get these %s?", wording.Count(len(plans), "file"))
	f.add("")
	learned := make(map[externalbody.Disclosure]bool)
	var learns []externalbody.Disclosure
	for i, p := range plans {
		f.add("%d. %s", i+1, strings.Join(contactFacts(p), ", "))
		for _, d := range p.Discloses {
			if !learned[d] {
				learned[d] = true
				learns = append(learns, d)
			}
		}
		f.quote(fmt.Sprintf("%d. name", i+1), p.Ref.Name)
		f.quote(fmt.Sprintf("%d. media type", i+1), p.Ref.MediaType)
		f.quote(fmt.Sprintf("%d. URL", i+1), p.URL)
	}
	f.add("")
	for _, d := range learns {
		f.add("%s learns: %s", hostText(d.To), disclosed[d.What])
	}
	if most := plans[0].MaxBytes; most >= 0 {
		f.add("each at most: %s", show.Octets(most))
	}
	f.quote("sender", plans[0].Sender)
	return f.String()
}

// contactFacts returns the facts about one of several files.
func contactFacts(p *externalbody.Plan) []string {
	var facts []string
	switch {
	case p.Local():
		facts = append(facts, "in the message")
	case p.Host == "":
		facts = append(facts, show.Fence(p.Scheme, maxField))
	default:
		facts = append(facts, hostText(p.Host)+" by "+show.Fence(p.Scheme, maxField))
	}
	if p.Direct != "" {
		facts = append(facts, "also "+hostText(p.Direct))
	}
	if !p.Local() && !p.Secure {
		facts = append(facts, "not encrypted")
	}
	size := "size unknown"
	if p.Ref.Size >= 0 {
		size = show.Octets(p.Ref.Size)
	}
	facts = append(facts, size)
	if p.Login != "" {
		facts = append(facts, "login: "+p.Login)
	}
	if p.Once {
		facts = append(facts, "uses up one of its downloads")
	}
	if len(p.Checks) > 0 {
		facts = append(facts, "compared by "+strings.Join(p.Checks, ", "))
	}
	return facts
}

// maxTogether bounds a text of a stranger in a question about several files, in octets.
const maxTogether = 120

// hostText returns the name of a host, in quotation marks if no host can have it.
func hostText(host string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789.-_:[] "
	if strings.Trim(strings.ToLower(host), letters) == "" && strings.Count(host, " ") < 2 {
		return host
	}
	return fmt.Sprintf("%q", show.Fence(host, maxField))
}

// bodyText returns the question whether a body is to be kept.
func bodyText(rep *externalbody.Report, differs bool) string {
	f := new(form)
	if differs {
		f.add("Keep this file? It is of another kind than the message announced.")
	} else {
		f.add("Keep this file? No rule of the policy allows it as it came.")
	}
	f.add("")
	f.add("size: %s", show.Octets(rep.Bytes))
	f.add("sha-256: %x", rep.SHA256)
	f.quote("name, by the message", rep.Reference.Name)
	f.quote("media type, by the message", rep.Reference.MediaType)
	f.quote("header, by the host", rep.Header.Get("Content-Disposition"))
	f.quote("media type, by the host", rep.ServedType)
	f.quote("URL", rep.Reference.Redact(rep.FinalURL))
	return f.String()
}
