package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// An Asker asks at a terminal about decisions that the flags leave open: once for each
// scheme and host, and once for each login. Several goroutines may call its methods at
// once; one asks at a time. A nil *Asker does not ask.
type Asker struct {
	// Verb is what is asked about files: "Get?". "" means "Get".
	Verb string

	// Agreed are the hosts about which nobody is asked, as in [externalbody.Plan].Host, each
	// with who agreed. A host is exactly that one, with its port.
	Agreed map[string]string

	// Remember keeps hosts as agreed for later runs. If it is nil, that is not offered.
	Remember func(hosts ...string) error

	answers  *answers
	out      io.Writer
	width    int
	bars     *Bars
	raw      func() (restore func()) // makes the terminal give each key as it is typed
	password func() (string, error)  // reads a password without showing it

	mu      sync.Mutex
	allowed map[string]bool            // by contact
	chosen  map[string]bool            // by the ID of a Plan
	logins  map[string]*fetch.Userinfo // by scheme, host and port; nil: none
}

// NewAsker returns an Asker if in and terminal are terminals, and nil otherwise. No
// Bars are drawn while it asks.
func NewAsker(in io.Reader, terminal io.Writer, bars *Bars) *Asker {
	f, ok := in.(*os.File)
	if !ok || !Is(in) || !Is(terminal) {
		return nil
	}
	a := AskerOf(in, terminal, bars, func() (string, error) {
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(terminal)
		return string(b), err
	})
	a.width = Columns(terminal)
	a.raw = func() func() {
		state, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return func() {}
		}
		a.answers.echo = terminal
		return func() {
			a.answers.echo = nil
			term.Restore(int(f.Fd()), state)
		}
	}
	return a
}

// AskerOf returns an Asker that reads answers from in, and passwords with password.
func AskerOf(in io.Reader, out io.Writer, bars *Bars, password func() (string, error)) *Asker {
	return &Asker{
		answers:  &answers{in: bufio.NewReader(in)},
		out:      out,
		width:    usualWidth,
		bars:     bars,
		raw:      func() func() { return func() {} },
		password: password,
		allowed:  make(map[string]bool),
		chosen:   make(map[string]bool),
		logins:   make(map[string]*fetch.Userinfo),
	}
}

// ErrNotAllowed is the error of a Plan that a person did not agree to.
var ErrNotAllowed = errors.New("not allowed at the terminal")

// contact identifies the question that a Plan raises.
func contact(p *externalbody.Plan) string {
	key := p.Scheme + "//" + p.Host
	switch p.Login {
	case "credentials", "url":
		key += " " + p.Login
	}
	return key
}

// Approve returns a function for the field Approve of a [externalbody.Resolver]. It
// asks about Plans for which asks returns true, unless [Asker.Agree] did.
func (a *Asker) Approve(asks func(*externalbody.Plan) bool) func(context.Context, *externalbody.Plan) error {
	return func(ctx context.Context, p *externalbody.Plan) error {
		if !asks(p) {
			return nil
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if err := context.Cause(ctx); err != nil {
			return err // the run has ended
		}
		ok, known := a.chosen[p.ID]
		if !known {
			_, ok = a.Agreed[p.Host]
			known = ok
		}
		if !known {
			ok, known = a.allowed[contact(p)]
		}
		if !known {
			chosen, err := a.ask(ctx, []*externalbody.Plan{p}, []int{0})
			if err != nil {
				return err
			}
			ok = len(chosen) > 0
		}
		if !ok {
			return ErrNotAllowed
		}
		return nil
	}
}

// Agree shows lines about some files, and asks about their Plans, one question for those
// that are alike. It returns the ones that were agreed to. The lines number the files from 1 in
// the order of plans, and an answer can choose among the files of a question by number. Nobody is
// asked about a Plan that is refused or local, about a host that is Agreed, and twice about the
// same host.
func (a *Asker) Agree(ctx context.Context, lines []string, plans []*externalbody.Plan) (agreed []bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.bars.hold()()
	for _, line := range lines {
		fmt.Fprintln(a.out, line)
	}
	agreed = make([]bool, len(plans))
	for _, group := range Alike(plans) {
		p := plans[group[0]]
		if p.Kind == 0 && !p.Local() {
			if group, err = a.decide(ctx, plans, group); err != nil {
				return nil, err
			}
		}
		for _, i := range group {
			agreed[i] = true
		}
	}
	return agreed, nil
}

// Alike returns the indices of Plans in groups, so that each group is about one question. The
// groups are in the order of their first Plans.
func Alike(plans []*externalbody.Plan) (groups [][]int) {
	byHost := make(map[string][]int) // indices of groups
	for i, p := range plans {
		of := byHost[p.Host]
		j := slices.IndexFunc(of, func(j int) bool { return plans[groups[j][0]].Like(p) })
		if j < 0 {
			j = len(of)
			of = append(of, len(groups))
			byHost[p.Host] = of
			groups = append(groups, nil)
		}
		groups[of[j]] = append(groups[of[j]], i)
	}
	return groups
}

// decide returns the indices of the Plans that are agreed to, of a group, by what was said
// before or by asking.
func (a *Asker) decide(ctx context.Context, plans []*externalbody.Plan, group []int) (chosen []int, err error) {
	var alike []*externalbody.Plan
	for _, i := range group {
		alike = append(alike, plans[i])
	}
	p := alike[0]
	if by, ok := a.Agreed[p.Host]; ok {
		a.say(p.Summary(alike[1:]...) + ". Agreed by " + by + ".")
		return group, nil
	}
	if ok, known := a.allowed[contact(p)]; known {
		if !ok {
			group = nil
		}
		return group, nil
	}
	chosen, err = a.ask(ctx, alike, group)
	for _, i := range group {
		a.chosen[plans[i].ID] = slices.Contains(chosen, i)
	}
	return chosen, err
}

// say writes a sentence in lines that fit.
func (a *Asker) say(text string) {
	fmt.Fprintln(a.out, show.Wrap(show.Line(text), a.width))
}

// ask asks one question about Plans that are alike, and returns the indices of those that
// are agreed to. An answer may have their numbers, which are greater by one.
func (a *Asker) ask(ctx context.Context, alike []*externalbody.Plan, indices []int) (chosen []int, err error) {
	defer a.bars.hold()()
	p := alike[0]
	words, choices := []string{"yes", "no"}, "y/N"
	if a.Remember != nil {
		words, choices = append(words, "always"), choices+"/always"
	}
	if len(indices) > 1 {
		choices = fmt.Sprintf("%s/%d %d", choices, indices[0]+1, indices[1]+1)
	}
	question := a.question(alike, choices)
	for {
		answer, err := a.answer(ctx, question+" ", words)
		if err != nil {
			return nil, err
		}
		contacts := []string{contact(p)}
		if p.Direct != "" {
			contacts = append(contacts, "https//"+p.Direct) // the question named it
		}
		allow := func(ok bool) {
			for _, c := range contacts {
				a.allowed[c] = ok
			}
		}
		switch answer {
		case "yes":
			allow(true)
			return indices, nil
		case "always":
			allow(true)
			hosts := []string{p.Host}
			if p.Direct != "" {
				hosts = append(hosts, p.Direct)
			}
			if err := a.Remember(hosts...); err != nil {
				a.say("It cannot be kept for later: " + err.Error())
			}
			return indices, nil
		case "no", "":
			allow(false)
			return nil, nil
		}
		if chosen, ok := choose(answer, indices); ok {
			if p.Direct != "" {
				a.allowed["https//"+p.Direct] = true
			}
			return chosen, nil
		}
		a.say("Type one of " + choices + ".")
	}
}

// question returns the question about Plans that are alike. It is in two lines if that can be
// done by cutting the name of the file.
func (a *Asker) question(alike []*externalbody.Plan, choices string) string {
	p, ref := *alike[0], *alike[0].Ref
	p.Ref = &ref
	var whole string
	for _, columns := range []int{longName, longName / 2, longName / 4} {
		ref.Name = wording.Name(alike[0].Ref.Name, columns)
		sentence := show.Line(fmt.Sprintf("%s. %s? [%s]", p.Summary(alike[1:]...), cmp.Or(a.Verb, "Get"), choices))
		text := show.Wrap(sentence, a.width-len(" y"))
		if strings.Count(text, "\n") < 2 {
			return text
		}
		whole = cmp.Or(whole, text)
	}
	return whole
}

// longName is how many columns the name of a file has in a question, if there is room.
const longName = 40

// answer writes a question and reads the answer. What is typed meanwhile is shown once.
func (a *Asker) answer(ctx context.Context, question string, words []string) (answer string, err error) {
	restore := a.raw()
	if a.answers.echo != nil {
		question = strings.ReplaceAll(question, "\n", "\r\n") // a raw terminal does not return by itself
	}
	io.WriteString(a.out, question)
	err = exit.OrInterrupted(ctx, func() error {
		answer = a.answers.read(ctx, words...)
		return nil
	})
	restore()
	fmt.Fprintln(a.out)
	return answer, err
}

// choose reads numbers of a list, and returns their indices.
func choose(answer string, indices []int) (chosen []int, ok bool) {
	for word := range strings.FieldsFuncSeq(answer, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		n, err := strconv.Atoi(word)
		if err != nil || !slices.Contains(indices, n-1) {
			return nil, false
		}
		chosen = append(chosen, n-1)
	}
	return chosen, len(chosen) > 0
}

// Credentials is for the field Credentials of a [externalbody.Resolver].
func (a *Asker) Credentials(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprint(c.Scheme, "//", c.User, "@", c.Host, ":", c.Port)
	if info, known := a.logins[key]; known {
		return info, nil
	}
	a.logins[key] = nil
	defer a.bars.hold()()
	fmt.Fprintf(a.out, "%s://%s wants a login.\n", c.Scheme, show.Line(c.Host))
	user := c.User
	if user == "" {
		fmt.Fprint(a.out, "User (none to give up): ")
		if user = a.answers.read(ctx); user == "" {
			return nil, nil
		}
	}
	fmt.Fprintf(a.out, "Password of %s: ", show.Line(user))
	password, err := a.password()
	if err != nil {
		return nil, err
	}
	a.logins[key] = &fetch.Userinfo{User: user, Password: password}
	return a.logins[key], nil
}
