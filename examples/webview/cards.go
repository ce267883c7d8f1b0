package main

import (
	"fmt"
	"strings"
)

// maxCard is how many files a card has. All of them can be kept at once.
const maxCard = maxJobs / 2

// A file is a body for a page.
type file struct {
	*body
	Ways []*way
	Job  *view // the newest one, or nil
}

// A card has files of the same host for which opening them has the same consequences, or one file. Its one form
// agrees to the Plans of those files that are not here yet.
type card struct {
	Letter int
	Title  string // of several files
	Lines  []line // the consequences for all of several files
	Files  []*file
	Button string  // "" if there is nothing to get
	Wanted []*file // the ones that the form names
}

// Several reports whether the card has more than one file.
func (c *card) Several() bool { return len(c.Files) > 1 }

// cards groups the files of a message, in the order of the message.
func cards(letter int, files []*file) []*card {
	var list []*card
	open := make(map[string]*card)
	for _, f := range files {
		key := f.contact()
		c := open[key]
		if c == nil || key == "" || len(c.Files) == maxCard {
			c = &card{Letter: letter}
			open[key] = c
			list = append(list, c)
		}
		c.Files = append(c.Files, f)
	}
	for _, c := range list {
		c.describe()
	}
	return list
}

// contact returns a text that is the same for files whose opening has the same consequences. It is "" for a
// file with several ways: each may lead to another host.
func (f *file) contact() string {
	if len(f.Ways) != 1 {
		return ""
	}
	w := f.Ways[0]
	texts := []string{w.contact, w.From, w.Refused, fmt.Sprint(w.Local)}
	for _, l := range w.shared() {
		texts = append(texts, l.Icon, l.Text)
	}
	return strings.Join(texts, "\x00")
}

// shared returns the lines of a way without the facts of its file alone.
func (w *way) shared() []line {
	if len(w.Lines) == 0 {
		return nil
	}
	first := w.Lines[0]
	switch first.Icon {
	case "locked":
		first.Text = "Encrypted."
	case "open":
		first.Text = "Not encrypted."
	default:
		first.Text = "In the message itself."
	}
	return append([]line{first}, w.Lines[1:]...)
}

// describe fills in the words of a card.
func (c *card) describe() {
	first := c.Files[0].Ways[0]
	from := ""
	switch {
	case first.Local:
		from = " in the message"
	case first.From != "":
		from = " from " + first.From
	}
	c.Title = fmt.Sprintf("%d files%s", len(c.Files), from)
	c.Lines = first.shared()
	if !c.Several() {
		return
	}
	for _, f := range c.Files {
		had := f.Job != nil && f.Job.Refused == ""
		if f.Ways[0].Refused == "" && !had {
			c.Wanted = append(c.Wanted, f)
		}
	}
	verb := "Get"
	if first.Local {
		verb = "Open"
	}
	switch n := len(c.Wanted); n {
	case 0:
	case 1:
		c.Button = verb + " 1 file" + from
	default:
		c.Button = fmt.Sprintf("%s %d files%s", verb, n, from)
	}
}

// A tally counts the files of a message that were asked for.
type tally struct {
	Letter   int
	Asked    int
	Here     int
	Failed   int
	Running  bool
	Question string // the Token of a job that has one; "" if none
}

func (l *letter) tally(files []*file) *tally {
	t := &tally{Letter: l.Number}
	for _, f := range files {
		if f.Job == nil {
			continue
		}
		t.Asked++
		switch {
		case f.Job.Question != nil:
			t.Question = f.Job.Token
		case f.Job.Running:
			t.Running = true
		case f.Job.Refused != "":
			t.Failed++
		default:
			t.Here++
		}
	}
	return t
}
