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
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// An Asker asks at a terminal about decisions that the flags leave open: once for each host, again
// if the way to it is less safe than the one that was agreed to, and once for each login. Several goroutines may call its methods at
// once; one asks at a time. A nil *Asker does not ask.
type Asker struct {
	// Verb is the question about files: "Get?". "" means "Get".
	Verb string

	// Many is from how many files on a question wants a word and Enter, since a key is typed by mistake. So
	// many files that need no agreement are asked about too. 0 means that there is no such number.
	Many int

	// Agreed are the hosts about which nobody is asked, each with who agreed.
	Agreed flagvalue.Hosts

	// Remember keeps hosts as agreed for later runs, each for the way that the question named, in
	// the form of [flagvalue.Way]. If it is nil, that is not offered.
	Remember func(hosts ...string) error

	answers  *answers
	out      io.Writer
	width    int
	bars     *Bars
	raw      func() (restore func()) // makes the terminal give each key as it is typed
	password func() (string, error)  // reads a password without showing it

	mu      sync.Mutex
	allowed map[string]flagvalue.Hosts // hosts that were agreed to, by login
	denied  map[string]bool            // by contact
	chosen  map[string]bool            // by the ID of a Plan
	ended   bool                       // a question was answered by the wish to be asked no more
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
		allowed:  make(map[string]flagvalue.Hosts),
		denied:   make(map[string]bool),
		chosen:   make(map[string]bool),
		logins:   make(map[string]*fetch.Userinfo),
	}
}

// ErrNotAllowed is the error of a Plan that a person did not agree to.
var ErrNotAllowed = errors.New("not allowed at the terminal")

// contact identifies the question that a Plan raises.
func contact(p *externalbody.Plan) string { return p.Scheme + "//" + p.Host + " " + login(p) }

// login returns the login of a Plan that a question names, or "".
func login(p *externalbody.Plan) string {
	switch p.Login {
	case "credentials", "url":
		return p.Login
	}
	return ""
}

// allow keeps that the contact of a Plan, and with Direct also the one that the question named, was agreed to.
func (a *Asker) allow(p *externalbody.Plan) {
	delete(a.denied, contact(p))
	a.agree(login(p), flagvalue.Way(p.Scheme, p.Host))
	a.allowNamed(p)
}

func (a *Asker) agree(login, key string) {
	if a.allowed[login] == nil {
		a.allowed[login] = make(flagvalue.Hosts)
	}
	a.allowed[login][key] = ""
}

// allowNamed keeps that the host which has the files of the one of a Plan was agreed to with it.
func (a *Asker) allowNamed(p *externalbody.Plan) {
	if p.Direct != "" {
		a.agree("", flagvalue.Way("https", p.Direct))
	}
}

// deny keeps that the contact of a Plan was not agreed to.
func (a *Asker) deny(p *externalbody.Plan) {
	a.denied[contact(p)] = true
	if p.Direct != "" {
		a.denied["https//"+p.Direct+" "] = true
	}
}

// said returns the answer to an earlier question that is about the contact of a Plan too. A yes is
// about the ways for which [flagvalue.Hosts.Agrees] has it, and a no about the same scheme.
func (a *Asker) said(p *externalbody.Plan) (ok, known bool) {
	if a.denied[contact(p)] {
		return false, true
	}
	_, ok = a.allowed[login(p)].Agrees(p.Scheme, p.Host)
	return ok, ok
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
			_, ok = a.Agreed.Agrees(p.Scheme, p.Host)
			known = ok
			if ok {
				a.allowNamed(p)
			}
		}
		if !known {
			ok, known = a.said(p)
		}
		if !known {
			chosen, err := a.ask(ctx, []*externalbody.Plan{p}, []int{0}, []int{1})
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

// Columns returns how many columns lines at the terminal may have.
func (a *Asker) Columns() int { return a.width }

// Agree shows lines about some files, and asks about their Plans, one question for those
// that are alike. It returns the ones that were agreed to. The lines have the numbers, one for each
// plan, and an answer can choose among the files of a question by number. Nobody is
// asked about a Plan that is refused or local, about a host that is Agreed, and twice about the
// same host, unless these files are Many.
func (a *Asker) Agree(ctx context.Context, lines []string, plans []*externalbody.Plan, numbers []int) (agreed []bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.bars.hold()()
	for _, line := range lines {
		fmt.Fprintln(a.out, line)
	}
	agreed = make([]bool, len(plans))
	var free []int // no question was asked about these
	for _, group := range Alike(plans) {
		p := plans[group[0]]
		asked := false
		if p.Kind == 0 && !p.Local() {
			group, asked, err = a.decide(ctx, plans, group, numbers)
			if err != nil {
				return nil, err
			}
		}
		if p.Kind == 0 && !asked {
			free = append(free, group...)
			continue
		}
		for _, i := range group {
			agreed[i] = true
		}
	}
	free, err = a.some(ctx, plans, free, numbers)
	for _, i := range free {
		agreed[i] = true
	}
	return agreed, err
}

// some asks about files that need no agreement if they are many, and returns the indices of the
// chosen ones.
func (a *Asker) some(ctx context.Context, plans []*externalbody.Plan, indices, numbers []int) ([]int, error) {
	switch {
	case len(indices) == 0, a.ended:
		return nil, nil
	case !a.isMany(indices):
		return indices, nil
	}
	slices.Sort(indices)
	where := "in the message"
	if slices.ContainsFunc(indices, func(i int) bool { return !plans[i].Local() }) {
		where = "that need no agreement"
	}
	chosen, _, err := a.choose(ctx, prompt{indices: indices, numbers: numbers, yes: yes, text: func(choices string) string {
		return show.Wrap(
			fmt.Sprintf("%s %s. %s? [%s]", wording.Count(len(indices), "file"), where, cmp.Or(a.Verb, "Get"), choices),
			a.width-len(" y"),
		)
	}})
	for _, i := range indices {
		a.chosen[plans[i].ID] = slices.Contains(chosen, i)
	}
	return chosen, err
}

// Browse asks whether files that no program can get are to be opened in the browser, and returns the
// indices of the chosen ones.
func (a *Asker) Browse(ctx context.Context, plans []*externalbody.Plan, indices, numbers []int) ([]int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(indices) == 0 || a.ended {
		return nil, nil
	}
	var hosts []string
	for _, i := range indices {
		if host := wording.Host(plans[i].Host, longName); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if n := len(hosts) - maxHosts; n > 0 {
		hosts = append(hosts[:maxHosts], wording.Count(n, "other host"))
	}
	files := "a file"
	if len(indices) > 1 {
		files = wording.Count(len(indices), "file")
	}
	chosen, _, err := a.choose(ctx, prompt{indices: indices, numbers: numbers, yes: browser, text: func(choices string) string {
		text := fmt.Sprintf(
			"%s at %s, in the browser, where you may be known by a login. Open? [%s]", files, strings.Join(hosts, ", "),
			choices,
		)
		return show.Wrap(show.Line(text), a.width-len(" b"))
	}})
	return chosen, err
}

// isMany reports whether a question about files wants a word.
func (a *Asker) isMany(indices []int) bool { return a.Many > 0 && len(indices) >= a.Many }

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

// decide returns the indices of the Plans that are agreed to, of a group, by earlier
// answers or by asking. asked is false if the host was agreed to for all runs.
func (a *Asker) decide(ctx context.Context, plans []*externalbody.Plan, group, numbers []int) (chosen []int, asked bool, err error) {
	var alike []*externalbody.Plan
	for _, i := range group {
		alike = append(alike, plans[i])
	}
	p := alike[0]
	if by, ok := a.Agreed.Agrees(p.Scheme, p.Host); ok {
		a.allowNamed(p)
		a.say(p.Summary(alike[1:]...) + ". Agreed by " + by + ".")
		return group, false, nil
	}
	if ok, known := a.said(p); known {
		if !ok {
			group = nil
		}
		return group, true, nil
	}
	chosen, err = a.ask(ctx, alike, group, numbers)
	for _, i := range group {
		a.chosen[plans[i].ID] = slices.Contains(chosen, i)
	}
	return chosen, true, err
}

// say writes a sentence in lines that fit.
func (a *Asker) say(text string) {
	fmt.Fprintln(a.out, show.Wrap(show.Line(text), a.width))
}

// ask asks one question about Plans that are alike, and returns the indices of those that
// are agreed to. An answer may have their numbers.
func (a *Asker) ask(ctx context.Context, alike []*externalbody.Plan, indices, numbers []int) (chosen []int, err error) {
	p := alike[0]
	if a.ended {
		a.deny(p)
		return nil, nil
	}
	chosen, answer, err := a.choose(
		ctx,
		prompt{indices, numbers, yes, a.Remember != nil, func(choices string) string { return a.question(alike, choices) }},
	)
	switch {
	case err != nil:
		return nil, err
	case answer == yes:
		a.allow(p)
	case answer == always:
		a.allow(p)
		a.keep(p)
	case answer == no:
		a.deny(p)
	default:
		a.allowNamed(p)
	}
	return chosen, nil
}

// keep keeps the hosts of a Plan for later runs, and names the command that takes that back (OP-57).
func (a *Asker) keep(p *externalbody.Plan) {
	ways := []string{flagvalue.Way(p.Scheme, p.Host)}
	hosts := []string{p.Host}
	if p.Direct != "" {
		ways = append(ways, flagvalue.Way("https", p.Direct))
		hosts = append(hosts, p.Direct)
	}
	if err := a.Remember(ways...); err != nil {
		a.say("It cannot be kept for later: " + err.Error())
		return
	}
	a.say(fmt.Sprintf("From now on there is no question about %s. \"extbody config --forget %s\" takes that back.",
		strings.Join(hosts, " and "), strings.Join(hosts, " --forget ")))
}

// The answers to a question about files, apart from the numbers of some.
const (
	yes    = "yes"
	no     = "no"
	always = "always"

	browser = "browser" // a yes to the browser
)

// A prompt is a question about files.
type prompt struct {
	indices []int
	numbers []int                       // of all files of the list, by index
	yes     string                      // the word that agrees to all; its first letter is a key
	keeps   bool                        // the answer may be always
	text    func(choices string) string // the question
}

// choices returns the answers that a question names.
func (a *Asker) choices(q *prompt) string {
	many := a.isMany(q.indices)
	choices := q.yes[:1] + "/N"
	if many {
		choices = "all/None"
	}
	if q.keeps {
		choices += "/always"
	}
	first := q.numbers[q.indices[0]]
	last := q.numbers[q.indices[len(q.indices)-1]]
	switch {
	case many:
		choices += fmt.Sprintf("/%d %d-%d", first, q.numbers[q.indices[1]], last)
	case len(q.indices) > 1:
		choices += fmt.Sprintf("/%d %d", first, q.numbers[q.indices[1]])
	}
	return choices
}

// choose asks a question until there is an answer, and returns the indices of the files that are
// agreed to.
func (a *Asker) choose(ctx context.Context, q prompt) (chosen []int, answer string, err error) {
	defer a.bars.hold()()
	keys := []string{q.yes, no, "none", quit}
	if a.isMany(q.indices) {
		keys = []string{"none", no, quit}
	}
	choices := a.choices(&q)
	text := q.text(choices) + " "
	for {
		answer, err := a.answer(ctx, text, keys)
		if err != nil {
			return nil, no, err
		}
		switch strings.ToLower(answer) {
		case q.yes, q.yes[:1], "all":
			return q.indices, yes, nil
		case always:
			if q.keeps {
				return q.indices, always, nil
			}
		case quit:
			a.ended = true
			return nil, no, nil
		case no, "none", "":
			return nil, no, nil
		}
		if chosen, ok := q.read(answer); ok {
			return chosen, answer, nil
		}
		a.say("Type one of " + choices + ", or q to end.")
	}
}

// question returns the question about Plans that are alike. It is in two lines if that can be
// done by cutting the name of the file.
func (a *Asker) question(alike []*externalbody.Plan, choices string) string {
	p := *alike[0]
	ref := *alike[0].Ref
	p.Ref = &ref
	var whole string
	for columns := longName; columns >= shortName; columns-- {
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

// The most and the least columns that the name of a file has in a question, if there is room.
const (
	longName  = 40
	shortName = 10
)

// answer writes a question and reads the answer. Characters that are typed meanwhile are shown once.
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

// read reads numbers of a list, and ranges of them such as 3-7, and returns their indices in the
// order of the list, each once.
func (q *prompt) read(answer string) (chosen []int, ok bool) {
	for word := range strings.FieldsFuncSeq(answer, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		from, to, ok := show.ParseRange(word)
		if !ok {
			return nil, false
		}
		before := len(chosen)
		for _, i := range q.indices {
			if n := q.numbers[i]; from <= n && n <= to {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) == before {
			return nil, false
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen), len(chosen) > 0
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
		user = a.answers.read(ctx)
		if user == "" {
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
