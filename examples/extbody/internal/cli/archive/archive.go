// Package archive is the command archive.
package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/wording"
)

// selectors is the help for the arguments of the commands that take selectors.
const selectors = `

A SELECTOR is one of these terms. Terms are joined by the words and, or, not, "(" and ")",
each an argument of its own; without a word both have to hold.

   from=, to=      an address, a domain as @example.org, or a part of the field;
                   to= is To, Cc and Bcc
   to-only=, cc=   the same of To alone, and of Cc alone
   since=, until=  when the message arrived: 2025-01-31, 2025-01 or 2025
   subject=, name= a part of the subject, of the name of the file
   text=           words in the subject or text of the message, or in a captured text: settlement,
                   'settlement agreement' (one after the other) or settle* (the start of a word)
   thread=         the message is in a thread with the one of that Message-ID or digest
   host=, url=     the host and those below it; the exact URL
   type=           the media type of the file: application/pdf or image
   size=           its octets: 0, 1MB+ for so many or more, 20kB- for so many or less
   files=          how many references the message has: 0, 2+ or 3-
   dialect=        the form of the reference, as list --json has it
   provider=       a part of the name of the service
   custodian=      a part of the name of a mailbox that had the message
   state=          captured, exception or open
   delay=          how long after the message it was captured: 30d+, 2h-, 60 (seconds)
   captured-since= when it was captured: 2025-01-31, 2025-01 or 2025
   changed         a later capture has another body
   given-up        it is not asked for again, because attempts were made for so long
   hold=           the reference or the message is held, and that is a part of the reason
   label=          declared, version, current, rendition or unknown
   kind=           the kind or reason of the exception, or forgotten
   message=        the Message-ID, or eight or more first digits of the digest of the message
   object=         eight or more first digits of the digest of a body that was captured,
                   the latest or one before it
   md5=            the MD5 of a body that was captured, in 32 digits
   ref=            the id of the reference in its message

Texts are compared whatever their case; ß is ss. For text= the messages are read that the other
terms leave, for md5= their bodies, and for thread= the headers of all messages.

If all terms are about messages (message=, from=, to=, to-only=, cc=, since=, until=, subject=, text=, thread=,
custodian=, files=, hold=), the messages themselves are selected, and the bodies that they refer to. Otherwise bodies
are. With hold= it is the messages, and the bodies, that are held.`

// files are the standard files of a command, and the settings of its user.
type files struct {
	in       io.Reader
	out, err io.Writer
	settings *settings.Settings
}

// status gives an error the exit status of an archive that cannot be used at present.
func status(err error) error {
	switch {
	case errors.Is(err, core.ErrBusy):
		return exit.With(exit.Again, err)
	case errors.Is(err, core.ErrRefused):
		return exit.Mistake(err)
	case errors.Is(err, core.ErrAway):
		return exit.With(exit.More, err)
	}
	if _, ok := errors.AsType[*fleet.Away](err); ok {
		return exit.With(exit.More, err)
	}
	return err
}

// writing opens an archive for writing, and calls f with it. With create it makes the
// archive if it is missing, with its objects in a bucket if objects is not "".
func writing(dir string, create bool, objects string, f func(*core.Archive) error) error {
	ar, err := core.Open(dir, create, &core.Options{Agent: record.Version(), Objects: objects, Notice: say})
	if err != nil {
		return err
	}
	defer ar.Close()
	notice(ar)
	err = f(ar)
	shared := ar.Shared()
	if shared != nil && !errors.Is(err, shared) {
		say(shared.Error())
	}
	return errors.Join(err, skipped(ar))
}

// reading opens an archive for reading, and calls f with it.
func reading(dir string, f func(*core.Archive) error) error { return readingURLs(dir, false, f) }

// readingURLs is reading, with the passwords of URLs if exact is set.
func readingURLs(dir string, exact bool, f func(*core.Archive) error) error {
	ar, err := core.Read(dir, &core.Options{Agent: record.Version(), ExactURLs: exact, Notice: say})
	if err != nil {
		return err
	}
	defer ar.Close()
	notice(ar)
	return errors.Join(f(ar), ar.Whole(), skipped(ar))
}

// skipped returns an error if there are objects that the terms of a selector could not look into.
func skipped(ar *core.Archive) error {
	n := ar.Skipped()
	if n == 0 {
		return nil
	}
	return exit.With(exit.Some, fmt.Errorf("objects that may have what is asked for are lost or damaged: %d. Run archive verify", n))
}

// say prints a sentence for people.
func say(sentence string) { fmt.Fprintln(os.Stderr, "extbody:", sentence) }

// notice prints a line about the gaps in a ledger that were accepted.
func notice(ar *core.Archive) {
	switch gaps := ar.Gaps(); len(gaps) {
	case 0:
	case 1:
		fmt.Fprintln(os.Stderr, gaps[0])
	default:
		fmt.Fprintf(os.Stderr, "%s, and %s\n", gaps[0], wording.Count(len(gaps)-1, "other gap"))
	}
}

// selecting returns the function of a command whose arguments are an archive and terms.
func selecting(run func(cmd *cobra.Command, dir string, sel *core.Selector) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		sel, err := core.ParseSelector(args[1:])
		if err != nil {
			return exit.Mistake(err)
		}
		for _, sentence := range sel.Reads() {
			fmt.Fprintln(cmd.ErrOrStderr(), "extbody:", sentence)
		}
		return run(cmd, args[0], sel)
	}
}

// An archiving has the flags of the commands that resolve. Some of them are options of the
// run.
type archiving struct {
	run      core.SyncOptions
	dir      string
	objects  string
	accounts string
	refs     []string
	gone     []string
	expects  bool // that sources which had messages have some
	since    flagvalue.Since
	resolve  string
	hosts    string
	tsa      string
	rate     float64
	policy   policy.Policy
	imap     source.ServerFlags
}

func (g *archiving) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	g.run.GiveUp = core.DefaultGiveUp
	f.Var((*flagvalue.Size)(&g.run.MinFree), "min-free", "leave `N` octets of the disk free; "+
		"0 leaves 64 MiB for the ledger and the index, or a sixteenth of a disk of less than 1 GiB")
	f.Var((*flagvalue.Span)(&g.run.GiveUp), "give-up", "ask again while attempts are made over less than `D`, and then no more; 30d")
	f.BoolVar(&g.run.AcceptSize, "accept-size", false,
		"capture bodies that are not of the announced size; they may be cut short, or something else")
	f.IntVar(&g.run.Jobs, "jobs", 0, "get `N` at the same time (default 48, two of one host)")
	f.Float64Var(&g.rate, "rate", 0, "send at most `N` requests a second to a host")
	f.StringVar(&g.tsa, "tsa", "", "have the head stamped by the authority at `URL` (RFC 3161)")
	g.policy.Flags(f)
	g.imap.Flags(f, &g.policy.AllowPlaintext)
	g.imap.Unlimited = true
}

func (a *files) syncCommand() *cobra.Command {
	var g archiving
	cmd := &cobra.Command{
		Use:   "sync SOURCE... --to DIR",
		Short: "Bring an archive up to its sources, and capture due references",
		Long: `Read the messages of each SOURCE, store those with references, and capture what
they refer to.

A SOURCE is imaps://user@host/ for all mailboxes, imaps://user@host/Mailbox for
one, jmap://user@host/ for the account of a JMAP server, jmap://user@host/Mailbox for one
of its mailboxes, a Maildir, an mbox (which may be compressed), an .emlx, a zip archive of
messages, or a folder of these. --refs reads references that are in no message at hand, as list
--json --exact-urls writes them; each line is kept as the message/external-body part
that says the same.

--since passes over messages that were received before. Over IMAP it goes by the day of
INTERNALDATE, so that messages of up to two more days are read; of a JMAP server by
receivedAt. Of files it goes by the
time of the last change. The field Date is not used, since a sender can write anything
there. Messages that are passed over are counted, and a run without --since takes them.

A SOURCE that cannot be found is an error in each run, with status 1, until --gone SOURCE
writes that it is no more. One that had messages and has none is named in each run: the
first time with status 3, as a disk may not be mounted, and with --expect-mail each time
with status 1.

Fetching tells the hosts that, when and from where a message is read. So nothing is
fetched unless --resolve says so. The hosts that it would contact are printed.

Files at the hosts of the accounts of config.toml are asked for with these accounts, in the
version that was in force when the message was sent. ACCOUNTS.md has how to set them up.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.sync(cmd.Context(), args, &g)
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.dir, "to", "", "the archive, which is made if it is missing")
	objectsFlag(f, &g.objects)
	f.StringVar(&g.resolve, "resolve", "none", "fetch from all hosts, none, or hosts, which --hosts lists")
	f.StringVar(&g.hosts, "hosts", "", "with --resolve hosts: the hosts, and those below them, one a line in `FILE`")
	f.StringVar(&g.accounts, "accounts", "", "read a SOURCE from each line of `FILE` too")
	f.StringArrayVar(&g.refs, "refs", nil, "read references from the lines of JSON in `FILE` too")
	f.StringArrayVar(&g.gone, "gone", nil, "write that `SOURCE` is no more, so that it is no error (repeatable)")
	f.BoolVar(&g.expects, "expect-mail", false, "end with status 1 each time if a source that had messages has none")
	f.Var(&g.since, "since", "pass over messages received before `DATE`: a day such as 2026-01-31, or a span such as 30d")
	f.BoolVar(&g.run.VerifySources, "verify-sources", false, "read each message, also in a Maildir whose file is as it was")
	f.BoolVar(&g.run.All, "all", false, "store every message, not only those with references")
	f.Var((*flagvalue.Span)(&g.run.Recapture), "recapture", "ask again for bodies captured more than `D` ago, such as 30d")
	g.flags(cmd)
	return cmd
}

// objectsFlag adds the flag that names the bucket of a new archive.
func objectsFlag(f *pflag.FlagSet, objects *string) {
	f.StringVar(objects, "archive-objects", "", "keep the objects of a new archive in the bucket at `URL` (s3://HOST/BUCKET/PREFIX), which it remembers")
}

func (a *files) retryCommand() *cobra.Command {
	var g archiving
	cmd := &cobra.Command{
		Use:   "retry DIR [SELECTOR...]",
		Short: "Ask again for some references",
		Long:  `Ask again for the selected references, also if they are final, captured or forgotten.` + selectors,
		Args:  cobra.MinimumNArgs(1),
		RunE: selecting(func(cmd *cobra.Command, dir string, sel *core.Selector) error {
			g.resolve = "all"
			done, err := g.options(a)
			if err != nil {
				return err
			}
			defer done()
			return writing(dir, false, "", func(ar *core.Archive) error {
				res, err := ar.Retry(cmd.Context(), sel, &g.run)
				return a.result(ar, res, err, func() { advise(a.out, cmd.Flags().Arg(0), &g.policy, res) })
			})
		}),
	}
	g.flags(cmd)
	return cmd
}

func (a *files) sync(ctx context.Context, args []string, g *archiving) error {
	if g.dir == "" {
		return exit.Mistake(errors.New("archive sync needs --to"))
	}
	if g.accounts != "" {
		list, err := listed(g.accounts)
		if err != nil {
			return exit.Mistake(fmt.Errorf("--accounts: %w", err))
		}
		args = append(args, list...)
	}
	done, err := g.options(a)
	if err != nil {
		return err
	}
	defer done()
	servers := &source.Servers{
		Flags: &g.imap, Ask: terminal.NewAsker(a.in, a.err, nil), Err: a.err, Reading: g.policy.Reading, Guard: g.policy.Guard(),
	}
	for _, path := range args {
		if err := source.CheckRemote(path); err != nil {
			return exit.Mistake(err)
		}
	}
	for _, path := range g.gone {
		name, err := goneName(path)
		if err != nil {
			return exit.Mistake(fmt.Errorf("--gone %s: %w", path, err))
		}
		g.run.Gone = append(g.run.Gone, name)
	}
	// No server is contacted before the archive is open.
	return writing(g.dir, true, g.objects, func(ar *core.Archive) error {
		for _, path := range args {
			if !source.IsRemote(path) {
				g.run.Sources = append(g.run.Sources, core.Files(path, g.since.Time))
				continue
			}
			boxes, stop, err := servers.Archived(ctx, path, g.run.All, g.since.Time)
			defer stop()
			if err != nil {
				return err
			}
			g.run.Sources = append(g.run.Sources, boxes...)
		}
		for _, path := range g.refs {
			g.run.Sources = append(g.run.Sources, core.Refs(path))
		}
		res, err := ar.Sync(ctx, &g.run)
		if errors.Is(err, core.ErrNoSource) {
			return exit.Mistake(fmt.Errorf("--gone: %w", err))
		}
		emptied := slices.ContainsFunc(res.Sources, func(s core.SourceRecord) bool { return s.Emptied })
		if err == nil && g.expects && emptied {
			err = errors.New("a source that had messages has none")
		}
		return a.result(ar, res, err, func() { advise(a.out, g.dir, &g.policy, res) })
	})
}

func goneName(path string) (string, error) {
	if source.IsRemote(path) {
		return source.Name(path)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errors.New("it is there")
	}
	return core.Files(path, time.Time{}).Name(), nil
}

// maxList bounds the files of listed, in octets.
const maxList = 16 << 20

// listed returns the lines of a file without white space around them. It leaves out empty
// lines, and comments, which start with "#".
func listed(path string) (list []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxList+1))
	if err == nil && len(text) > maxList {
		err = fmt.Errorf("%s: it is larger than 16 MiB", path)
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list, nil
}

// options completes the options of the run, and returns a function that ends their use.
func (g *archiving) options(a *files) (func(), error) {
	var err error
	g.run.Resolve, err = g.resolves()
	if err != nil {
		return nil, exit.Mistake(err)
	}
	if g.run.Jobs < 0 {
		return nil, exit.Mistake(fmt.Errorf("--jobs %d: want 1 or more", g.run.Jobs))
	}
	if g.rate < 0 {
		return nil, exit.Mistake(fmt.Errorf("--rate %v: want a number of requests such as 0.5", g.rate))
	}
	g.policy.Polite.Rate = g.rate
	g.policy.Polite.PerHost = 2 // no person waits for the bodies
	g.policy.Polite.MaxPerHost = 24
	g.policy.Polite.Fetches = cmp.Or(g.run.Jobs, 48)
	g.policy.Accounts = a.settings.Accounts()
	for _, account := range g.policy.Accounts {
		g.run.AccountHosts = append(g.run.AccountHosts, account.Hosts...)
	}
	engine, err := g.policy.Engine(nil, a.err)
	if err != nil {
		return nil, err
	}
	r := engine.Resolver
	g.run.Resolver = r
	g.run.Open = g.policy.Options()
	g.run.Login = g.policy.Identity
	if g.tsa != "" {
		g.run.Stamp = core.Stamper(g.tsa)
	}
	// The run gives the Budget to the Resolver. One without limits only counts.
	g.run.Budget = cmp.Or(r.Budget, fetch.NewBudget(fetch.BudgetLimits{}))
	r.Budget = nil
	return engine.Close, nil
}

// resolves returns a function that reports whether a host may be asked; nil if none may.
func (g *archiving) resolves() (func(string) bool, error) {
	switch g.resolve {
	case "none":
		return nil, nil
	case "all":
		return func(string) bool { return true }, nil
	case "hosts":
	default:
		return nil, fmt.Errorf("--resolve %s: want all, none or hosts", g.resolve)
	}
	list, err := listed(g.hosts)
	if err != nil {
		return nil, fmt.Errorf("--hosts: %w", err)
	}
	hosts := make(map[string]bool)
	for _, h := range list {
		for name := range host.Domains(h) {
			hosts[name] = true // the first name is the host itself, the others are above it
			break
		}
	}
	return func(hostname string) bool {
		for name := range host.Domains(hostname) {
			if hosts[name] {
				return true
			}
		}
		return false
	}, nil
}

// sourceLine returns the line about a source that was read.
func sourceLine(s *core.SourceRecord) string {
	equal := "="
	if s.Unaccounted() != 0 {
		equal = "≠"
	}
	counts := fmt.Sprintf("%s %s %d seen + %d excepted", wording.Count(s.Exists, "message"), equal, s.Seen, s.Excepted)
	line := show.Line(s.Source) + ": " + counts
	if s.Older > 0 {
		line += fmt.Sprintf(" + %d older", s.Older)
	}
	line += fmt.Sprintf("; %d stored", s.Stored)
	if s.NoMail > 0 {
		line += fmt.Sprintf("; %d without mail by name", s.NoMail)
	}
	return line
}

// maxNotRead bounds the files that are named.
const maxNotRead = 20

// result prints the numbers of a run, and calls advise. It returns the error that gives the exit status.
func (a *files) result(ar *core.Archive, res *core.Result, err error, advise func()) error {
	for _, s := range res.Sources {
		if s.Error != "" {
			fmt.Fprintf(a.err, "extbody: %s: %s\n", show.Line(s.Source), show.Line(s.Error))
		}
		if s.Gone {
			fmt.Fprintf(a.out, "%s: it is no more\n", show.Line(s.Source))
			continue
		}
		if s.Emptied {
			fmt.Fprintf(a.err, "extbody: %s: it had messages and has none\n", show.Line(s.Source))
		}
		fmt.Fprintln(a.out, sourceLine(&s))
	}
	fmt.Fprintf(a.out, "%s, %s; %d captured, %d changed, %s (%d new), %d left; %s, %s%s\n",
		wording.Count(res.Messages, "new message"), wording.Count(res.References, "reference"), res.Captures,
		res.Changed, wording.Count(res.Exceptions, "exception"), res.New, res.Left,
		wording.Count(res.Requests, "request"), show.Octets(res.Octets), record.UnreadParts(res.Unread))
	if res.Delivered > 0 {
		fmt.Fprintf(a.out, "%s made at delivery\n", wording.Choose(res.Delivered, "of the captures was", "of the captures were"))
	}
	if res.Unnamed > 0 {
		fmt.Fprintln(a.out, wording.Choose(res.Unnamed, "capture at delivery was removed, because no message named it in 90 days",
			"captures at delivery were removed, because no message named them in 90 days"))
	}
	for _, name := range res.Damaged {
		fmt.Fprintln(a.out, "damaged:", show.Line(name))
	}
	if res.GivenUp > 0 {
		fmt.Fprintf(a.out, "%d given up: only a retry asks for them again\n", res.GivenUp)
	}
	if res.Deferred > 0 {
		fmt.Fprintf(a.out, "%d not asked for, because their hosts want that later; they are due in the next run\n", res.Deferred)
	}
	if res.Clock != 0 {
		fmt.Fprintf(a.err, "extbody: the clock is %s from the last line of the ledger. "+
			"If it is wrong, set it. Nothing is given up in this run\n",
			wording.Count(int(res.Clock.Hours()/24), "day"))
	}
	if res.Refetched > 0 {
		fmt.Fprintf(a.out, "%s, because the server sent less or other parts than it announces\n",
			wording.Choose(res.Refetched, "message was fetched whole", "messages were fetched whole"))
	}
	if res.Reread > 0 {
		fmt.Fprintf(a.out, "%s read again, because this version or its options may find more\n",
			wording.Choose(res.Reread, "known message was", "known messages were"))
	}
	if res.Unasked > 0 {
		a.printContacts(res)
	}
	for i, file := range res.NotRead {
		if i == maxNotRead {
			fmt.Fprintf(a.err, "extbody: and %d more are not read\n", len(res.NotRead)-i)
			break
		}
		fmt.Fprintf(a.err, "extbody: %s\n", show.Line(file))
	}
	for _, name := range res.Lost {
		fmt.Fprintln(a.out, "lost:", show.Line(name))
	}
	advise()
	fmt.Fprintln(a.out, "head", ar.Head())
	if err != nil {
		return err
	}
	return resultStatus(res)
}

// printContacts prints the hosts of the bodies that were not asked for, most bodies first.
func (a *files) printContacts(res *core.Result) {
	hosts := slices.SortedFunc(maps.Keys(res.Contacts), func(x, y string) int {
		return cmp.Or(cmp.Compare(res.Contacts[y], res.Contacts[x]), cmp.Compare(x, y))
	})
	fmt.Fprintf(a.out, "%s not asked for. --resolve all would contact %s:\n",
		wording.Choose(res.Unasked, "body is", "bodies are"), wording.Count(len(hosts), "host"))
	for i, h := range hosts {
		if i == 20 {
			fmt.Fprintf(a.out, "  and %d more\n", len(hosts)-i)
			break
		}
		fmt.Fprintf(a.out, "  %s: %d\n", show.Line(h), res.Contacts[h])
	}
}

// resultStatus returns the error that gives the exit status of a run that came to its end.
func resultStatus(res *core.Result) error {
	switch {
	case len(res.Lost) > 0:
		return fmt.Errorf("%s lost: run archive verify, and archive repair with a copy",
			wording.Choose(len(res.Lost), "object of the archive is", "objects of the archive are"))
	case slices.ContainsFunc(res.Sources, func(s core.SourceRecord) bool { return s.Error != "" }):
		return errors.New("a source was not read to its end: run again to read the rest, or with --gone if it is no more")
	case len(res.NotRead) > 0:
		return fmt.Errorf("%s not read",
			wording.Choose(len(res.NotRead), "file or folder may hold mail and is", "files or folders may hold mail and are"))
	case res.Unaccounted > 0:
		return fmt.Errorf("%s not accounted for", wording.Choose(res.Unaccounted, "message is", "messages are"))
	case res.Spent:
		return exit.With(exit.More, nil)
	case res.New+res.GivenUp > 0, res.NewlyEmptied, len(res.Damaged) > 0, res.Unread[externalbody.DiagCutShort] > 0:
		return exit.With(exit.Some, nil)
	}
	return nil
}
