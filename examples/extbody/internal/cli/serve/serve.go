// Package serve has the command that inspects messages for mail servers.
package serve

import (
	"context"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
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
	f.BoolVar(
		&s.milterBodies, "milter-bodies", false,
		"let the milter replace bodies, for notice and strip: never with milter_default_action "+
			"= accept, by which Postfix loses a message whose milter ends meanwhile",
	)
	f.StringVar(&s.metrics, "metrics", "", "show /metrics and a page for the operator at `ADDR`")
	f.BoolVar(&s.readyWhole, "ready-if-whole", false, "let /readyz be 503 while the server does without its cache, its scanner or its disk")
	s.logLevel = flagvalue.OneOf("info", "warn", "error")
	f.Var(&s.logLevel, "log-level", "log nothing less than this; decisions are info")
	f.BoolVar(&s.logRecipients, "log-recipients", false, "log the addresses of the recipients too")
	f.DurationVar(&s.wait, "wait", 2*time.Second, "let a message wait up to `D` for what it refers to, by LMTP and as a milter")
	f.DurationVar(&s.httpWait, "http-wait", 300*time.Millisecond, "let a question that gives no time wait up to `D`")
	f.StringVar(&s.name, "name", "", "the `NAME` of this host in header fields (default: that of the system)")
	f.StringSliceVar(&s.acceptHosts, "accept-host", nil, "let clients of --http and --metrics ask for this host by `NAME` too (repeatable)")
	f.StringVar(
		&s.archive, "archive", "",
		"hand bodies over to the archive in `DIR` as mail arrives: those that a rule with the action capture names",
	)
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

// levels are the values of --log-level.
var levels = map[string]slog.Level{"info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// run runs the server until ctx ends.
func (s *flags) run(ctx context.Context, errw io.Writer) error {
	// The limits among the flags bound the memory of a server. Most of its heap is left
	// from messages that have ended.
	debug.SetMemoryLimit(150 << 20)
	logger := slog.New(slog.NewJSONHandler(errw, &slog.HandlerOptions{Level: levels[s.logLevel.Value]}))
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

// A logWriter logs each text that is written to it as a warning, in one line.
type logWriter struct{ logger *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.logger.Warn(show.Line(string(p)))
	return len(p), nil
}
