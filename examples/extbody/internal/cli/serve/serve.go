// Package serve has the command that inspects messages for mail servers.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/milterfront"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Command returns the command.
func Command() *cobra.Command {
	var s flags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Inspect the files that messages refer to, for mail servers",
		Long: `Say what the files are that messages refer to, have them scanned, and tag, defer,
quarantine or reject messages by a policy: by HTTP (for rspamd and others), as an
LMTP proxy, which can put the files in, and as a milter. SERVE.md has set-ups for
mail servers, and says what each failure does to mail.

It fails open: if something about a message is not known, the message passes, unless a
rule of the policy says otherwise. The metric extbody_passed_unverified_total counts
such messages.

SIGHUP reads the policy again. A policy with a mistake is refused, and the old one stays
in force. SIGTERM ends the server after it has answered the messages that it took.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	s.Inspecting.Flags(f)
	f.StringVar(&s.http, "http", "", "answer POST /v1/check at `ADDR`: host:port, the path of a socket, or fd:NAME from systemd")
	f.StringVar(&s.lmtp, "lmtp", "", "take messages by LMTP at `ADDR`")
	f.StringVar(&s.next, "lmtp-next", "", "hand these messages on to the LMTP server at `ADDR`")
	f.StringVar(&s.milter, "milter", "", "be a milter at `ADDR`")
	f.BoolVar(&s.milterBodies, "milter-bodies", false, "let the milter replace bodies, for notice and strip: never with milter_default_action = accept, by which Postfix loses a message whose milter ends meanwhile")
	f.StringVar(&s.metrics, "metrics", "", "show /metrics and a page for the operator at `ADDR`")
	f.BoolVar(&s.readyWhole, "ready-if-whole", false, "let /readyz be 503 while the server does without its cache, its scanner or its disk")
	f.BoolVar(&s.logRecipients, "log-recipients", false, "log the addresses of the recipients too")
	f.DurationVar(&s.wait, "wait", 2*time.Second, "let a message wait up to `D` for what it refers to, by LMTP and as a milter")
	f.DurationVar(&s.httpWait, "http-wait", 300*time.Millisecond, "let a question that gives no time wait up to `D`")
	f.StringVar(&s.name, "name", "", "the `NAME` of this host in header fields (default: that of the system)")
	f.StringSliceVar(&s.acceptHosts, "accept-host", nil, "let clients of --http and --metrics ask for this host by `NAME` too (repeatable)")
	f.StringVar(&s.archive, "archive", "", "hand bodies over to the archive in `DIR` as mail arrives: those that a rule with the action capture names")
	f.StringVar(&s.tempDir, "temp-dir", "", "keep long messages and bodies in `DIR` while they are looked at; it is made if it is missing")
	f.IntVar(&s.messages, "messages", 2000, "look at `N` messages at a time; for more, the policy for unavailable decides")
	f.IntVar(&s.fetchesAtOnce, "fetches", 128, "fetch `N` bodies at a time")
	f.IntVar(&s.perHost, "per-host", 4, "ask one host for `N` bodies at a time")
	f.IntVar(&s.perClient, "per-client", 100, "look for `N` bodies at a time for the messages of one client")
	f.IntVar(&s.pending, "pending", 2000, "look for `N` bodies at a time, including those that wait")
	s.maxMessage = 100 << 20
	f.Var(&s.maxMessage, "max-message", "do not look at messages of more than `N` octets; the policy for unavailable decides")
	return cmd
}

// run runs the server until ctx ends.
func (s *flags) run(ctx context.Context, errw io.Writer) error {
	// The limits among the flags bound the memory of a server. Most of its heap is left
	// from messages that have ended.
	debug.SetMemoryLimit(150 << 20)
	logger := slog.New(slog.NewJSONHandler(errw, nil))
	// Mail goes on after the reader of the log has gone.
	defer exit.BrokenPipes()()
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	// Libraries log to the same place.
	log.SetFlags(0)
	log.SetOutput(logWriter{logger})
	if err := s.check(); err != nil {
		return exit.Mistake(err)
	}
	policy, err := s.readPolicy()
	if err != nil {
		return exit.Mistake(err)
	}
	v := newServer(s, logger)
	defer v.close()
	if err := v.open(errw); err != nil {
		return err
	}
	v.wire(policy)
	if err := v.listen(); err != nil {
		return err
	}
	v.start()
	if s.File == "" {
		logger.Warn("there is no policy: every message passes, with a header field that says what was found")
	}
	s.remark(logger, policy)
	listen.Notify("READY=1")
	err = v.steer(ctx, hangups)
	listen.Notify("STOPPING=1")
	v.drain()
	logger.Info("ended")
	return err
}

// maxWait bounds the time of --wait. Mail servers wait 10 minutes for a reply.
const maxWait = 5 * time.Minute

// check returns a mistake in the flags, and sets the default of --name.
func (s *flags) check() error {
	switch {
	case s.http == "" && s.lmtp == "" && s.milter == "":
		return errors.New("want --http, --lmtp or --milter")
	case (s.lmtp == "") != (s.next == ""):
		return errors.New("--lmtp and --lmtp-next need each other")
	case strings.Contains(s.archive, "://"):
		return fmt.Errorf("--archive %s: want the folder of an archive, whose objects may be in a bucket", s.archive)
	case s.wait < 0 || s.wait > maxWait || s.httpWait < 0 || s.httpWait > httpfront.MaxWait:
		return fmt.Errorf("--wait: want a time of at most %s; --http-wait: want a time of at most %s", maxWait, httpfront.MaxWait)
	case s.messages < 1 || s.fetchesAtOnce < 1 || s.perHost < 1 || s.perClient < 1 || s.pending < 1 || s.Fetches < 1 || s.maxMessage < 1:
		return errors.New("each limit must be at least 1")
	}
	if s.name == "" {
		s.name, _ = os.Hostname()
	}
	s.name = cmp.Or(s.name, "localhost")
	return nil
}

// readPolicy reads the policy. An action that one of the front ends can never carry out is a
// mistake, and so is a rule about malware without a scanner.
func (s *flags) readPolicy() (*inspect.Policy, error) {
	p, err := s.ReadPolicy()
	if err == nil && s.lmtp != "" {
		err = p.Needs("--lmtp", lmtpfront.Actions)
	}
	if err == nil && s.milter != "" {
		err = p.Needs("--milter", milterfront.Actions(s.milterBodies))
	}
	if err == nil && !s.Scans() {
		err = p.NeedsScanner()
	}
	if err == nil && s.archive == "" {
		err = p.NeedsArchive()
	}
	return p, err
}

// watchTime is the time between two looks at a part.
const watchTime = 10 * time.Second

// watchAgain is the time between two looks at a part that failed.
const watchAgain = time.Second

// watch looks at a part of the server until ctx ends, so that it counts as failed before mail needs
// it, and not any more as soon as it is back, also if it was mail that found it missing. It logs both.
func watch(ctx context.Context, engine *core.Engine, logger *slog.Logger, part string, check func(context.Context) error) {
	failed := false
	for {
		err := check(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if engine.Failed(part, err.Error()); !failed {
				logger.Error("the server does without something", "degraded", []string{part + ": " + core.Plain(err.Error())})
			}
		case engine.Works(part) || failed:
			logger.Info("a part works again", "was", part)
		}
		wait := watchTime
		if failed = err != nil; failed {
			wait = watchAgain
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// remark logs which rules match where a fact is not known, and which facts a front end cannot
// know.
func (s *flags) remark(logger *slog.Logger, p *inspect.Policy) {
	for _, r := range p.Rules {
		if fields := r.Exceptions(); len(fields) > 0 {
			logger.Info("a rule exempts nobody of whom a fact is not known", "rule", r.Name, "facts", fields)
		}
	}
	if s.archive != "" && p.NeedsArchive() == nil {
		logger.Warn("--archive has nothing to do: no rule has the action capture")
	}
	if s.lmtp == "" {
		return
	}
	for _, fact := range lmtpfront.Unknown {
		if rules := p.Uses(fact); len(rules) > 0 {
			logger.Warn("a front end cannot know a fact", "front", lmtpfront.Name, "fact", fact, "rules", rules)
		}
	}
}

// usable makes the folder dir for temporary files, if it is missing, and makes a file in
// it. It returns an error if that is not possible. "", the system's folder, is not tried.
func usable(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := atomicfile.Open(dir)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

// A logWriter logs each text that is written to it as a warning, in one line.
type logWriter struct{ logger *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.logger.Warn(show.Line(string(p)))
	return len(p), nil
}
