package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/check"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/milterfront"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

type flags struct {
	check.Inspecting
	http, lmtp, next, milter, metrics string
	name, tempDir, archive            string
	wait                              time.Duration
	httpWait                          time.Duration
	messages, fetchesAtOnce, perHost  int
	perClient, pending                int
	maxMessage                        flagvalue.Size
	readyWhole, logRecipients         bool
	milterBodies                      bool
	logLevel                          flagvalue.Choice
	acceptHosts                       []string
}

// check returns a mistake in the flags, and sets the default of --name.
func (s *flags) check() error {
	switch {
	case s.http == "" && s.lmtp == "" && s.milter == "":
		return errors.New("want --http, --lmtp or --milter")
	case (s.lmtp == "") != (s.next == ""):
		return errors.New("--lmtp and --lmtp-next need each other")
	case strings.Contains(s.archive, "://"):
		return fmt.Errorf("--archive %s: want the folder of an archive, whose objects may be in a bucket", s.archive)
	case s.wait < 0 || s.wait > maxWait:
		return fmt.Errorf("--wait %s: want a time of at most %s", s.wait, maxWait)
	case s.httpWait < 0 || s.httpWait > httpfront.MaxWait:
		return fmt.Errorf("--http-wait %s: want a time of at most %s", s.httpWait, httpfront.MaxWait)
	}
	if err := flagvalue.AtLeastOne([]flagvalue.Limit{
		{Flag: "messages", N: int64(s.messages)},
		{Flag: "fetches", N: int64(s.fetchesAtOnce)},
		{Flag: "per-host", N: int64(s.perHost)},
		{Flag: "per-client", N: int64(s.perClient)},
		{Flag: "pending", N: int64(s.pending)},
		{Flag: "max-message", N: int64(s.maxMessage)},
	}); err != nil {
		return err
	}
	if s.next != "" {
		if err := listen.Check(s.next); err != nil {
			return fmt.Errorf("--lmtp-next: %w", err)
		}
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
	if err != nil {
		return nil, err
	}
	if err := s.needs(p); err != nil {
		return nil, fmt.Errorf("--policy: %s: %w", s.File, err)
	}
	return p, nil
}

// needs returns the first mistake in a rule that this server can never carry out or match.
func (s *flags) needs(p *inspect.Policy) (err error) {
	if s.lmtp != "" {
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
	return err
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

// maxWait bounds the time of --wait. Mail servers wait 10 minutes for a reply.
const maxWait = 5 * time.Minute

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
