// Package fleet has the commands for a fleet: the worker, and those that set a tier up and show
// it.
package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/wording"
)

// Fetcher returns the command that is a worker.
func Fetcher() *cobra.Command {
	var p policy.Policy
	var o fleet.WorkerOptions
	var perHost, maxPerHost int
	var metrics string
	var acceptHosts []string
	host, _ := os.Hostname()
	cmd := &cobra.Command{
		Use:   "fetcher --fleet URL --objects URL",
		Short: "Fetch for the other commands of a fleet, which were given --fleet",
		Long: `Take requests from the PostgreSQL database of a fleet, make them, and put the bodies
into its bucket. Each host is contacted by one fetcher at a time. Several fetchers share
the hosts; one that ends gives its hosts to the others. FLEET.md sets a fleet up.

SIGTERM ends the fetcher after the requests that it began.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			logger := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
			if !p.Fleet.Given() {
				return exit.Mistake(errors.New("want --fleet and --objects"))
			}
			limits := []flagvalue.Limit{{Flag: "fetches", N: int64(o.Jobs)}, {Flag: "per-host", N: int64(perHost)}}
			if err := flagvalue.AtLeastOne(limits); err != nil {
				return exit.Mistake(err)
			}
			tier, err := p.Fleet.Open(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer tier.Close()
			o.Hosts = new(throttle.State)
			o.MaxBytes = int64(p.MaxBytes)
			o.PerHost = 2 * perHost
			o.Log = logger.Info
			o.Warn = logger.Warn
			w := fleet.NewWorker(tier, o)
			p.Polite = throttle.Options{State: o.Hosts, PerHost: perHost, MaxPerHost: maxPerHost, Fetches: o.Jobs}
			p.Worker = w
			p.Timeout = time.Hour
			engine, err := p.Engine(nil, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer engine.Close()
			stop, err := expose(metrics, append(acceptHosts, host), tier, w)
			if err != nil {
				return exit.Mistake(fmt.Errorf("--metrics: %w", err))
			}
			defer stop()
			logger.Info("fetching", "name", o.Name)
			listen.Notify("READY=1")
			w.Run(cmd.Context(), engine.Fetcher)
			logger.Info("ended")
			return nil
		},
	}
	f := cmd.Flags()
	p.Contacts(f)
	f.StringSliceVar(&acceptHosts, "accept-host", nil, "let clients of --metrics ask for this host by `NAME` too (repeatable)")
	f.StringVar(&o.Name, "name", host, "the `NAME` of this fetcher; each has another one")
	f.IntVar(&o.Jobs, "fetches", 256, "make `N` requests at a time")
	f.IntVar(&perHost, "per-host", 4, "ask one host for `N` bodies at a time")
	f.IntVar(&maxPerHost, "max-per-host", 0, "let --per-host grow to `N` for a host that answers well")
	f.StringVar(&metrics, "metrics", "", "show /metrics at `ADDR`: host:port, the path of a socket, or fd:NAME from systemd")
	f.StringVar(&o.TempDir, "temp-dir", "", "keep bodies in `DIR` until they are in the bucket")
	return cmd
}

// Command returns the command with the subcommands init, tenant, status, drain, who and forget.
func Command() *cobra.Command {
	a := new(admin)
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Set up and look at a fleet",
		Long: `A fleet is fetchers that make the requests of many machines, so that each file host sees one
polite client. FLEET.md says how to set one up.`,
	}
	a.Flags(cmd.PersistentFlags())
	cmd.AddCommand(a.initCommand(), a.tenantCommand(), a.statusCommand(), a.drainCommand(), a.whoCommand(), a.forgetCommand())
	return cmd
}

// An admin is the flags of the subcommands of fleet.
type admin struct {
	policy.Fleet
	json    bool
	undo    bool
	tenant  string
	reading source.Reading
}

// with calls f with the fleet of the flags.
func (a *admin) with(cmd *cobra.Command, f func(*fleet.Tier) error) error {
	if !a.Given() {
		return exit.Mistake(errors.New("want --fleet and --objects"))
	}
	tier, err := fleet.Open(cmd.Context(), a.Database, a.Objects)
	if err != nil {
		return a.Named(err)
	}
	defer tier.Close()
	if cmd.Flags().Changed("tenant") {
		return f(tier.As(a.tenant))
	}
	return f(tier)
}

// setUp calls f with the URL of the database.
func (a *admin) setUp(f func(database string) error) error {
	if a.Database == "" {
		return exit.Mistake(errors.New("want --fleet"))
	}
	return a.Named(f(a.Database))
}

// write writes v as JSON, or as lines for people.
func (a *admin) write(cmd *cobra.Command, v any, lines func(*bytes.Buffer)) error {
	var b bytes.Buffer
	if a.json {
		show.JSON(&b, v)
	} else {
		lines(&b)
	}
	_, err := cmd.OutOrStdout().Write(b.Bytes())
	return err
}

func (a *admin) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.json, "json", false, "write JSON")
}

func (a *admin) tenantFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.tenant, "tenant", "", "act for the tenant `NAME`, not for the one of the login; needs the role fleet_worker")
}

func (a *admin) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init --fleet URL",
		Short: "Create the tables, and the roles fleet_client, fleet_reader and fleet_worker",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.setUp(func(database string) error { return fleet.Init(cmd.Context(), database) })
		},
	}
}

func (a *admin) tenantCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tenant --fleet URL LOGIN [NAME]",
		Short: "Make a login of the database one of a tenant",
		Long: `Make a login of the database one of the tenant NAME. Without NAME it becomes one of the tenant
that logins have at first. Programs with that login are restarted after that.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.setUp(func(database string) error {
				return fleet.SetTenant(cmd.Context(), database, args[0], append(args, "")[1])
			})
		},
	}
}

func (a *admin) statusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status --fleet URL --objects URL",
		Short: "Show the jobs, the fetchers and what is stored",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd, func(tier *fleet.Tier) error {
				s, err := tier.Status(cmd.Context())
				if err != nil {
					return err
				}
				return a.write(cmd, s, func(b *bytes.Buffer) { text(b, s) })
			})
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

func (a *admin) drainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drain --fleet URL --objects URL NAME",
		Short: "Let a fetcher end its requests and take no more",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(tier *fleet.Tier) error {
				known, err := tier.Drain(cmd.Context(), args[0], !a.undo)
				if err == nil && !known {
					err = exit.Mistake(fmt.Errorf("there is no fetcher %s", show.Line(args[0])))
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&a.undo, "undo", false, "let it take requests again")
	return cmd
}

func (a *admin) whoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "who --fleet URL --objects URL SHA256",
		Short: "Show which mails referred to a body",
		Long: `Show which mails referred to the body with a SHA-256, as each "serve" of the fleet found it:
when, at which server, with which queue ID and Message-ID. What was found is kept for 30 days.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, err := hex.DecodeString(args[0])
			if err != nil || len(sum) != sha256.Size {
				return exit.Mistake(fmt.Errorf("%s: want a SHA-256 in hexadecimal", show.Line(args[0])))
			}
			return a.with(cmd, func(tier *fleet.Tier) error {
				list, err := tier.Who(cmd.Context(), sum)
				if err != nil {
					return err
				}
				return a.write(cmd, list, func(b *bytes.Buffer) {
					for _, f := range list {
						fmt.Fprintf(
							b, "%s %s %s %s\n", f.Found.UTC().Format(time.DateTime), show.Line(f.Server),
							show.Line(f.QueueID), show.Line(f.MessageID),
						)
					}
				})
			})
		},
	}
	a.jsonFlag(cmd)
	a.tenantFlag(cmd)
	return cmd
}

func (a *admin) forgetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forget --fleet URL --objects URL URL|SHA256|FILE...",
		Short: "Remove what the fleet has of URLs, bodies and messages",
		Long: `Remove the stored answers, the requests and the bodies of URLs, of bodies by their SHA-256, and
of the references in the messages in files, and the findings of these bodies and messages.
A body that other URLs led to stays, unless its SHA-256 is given. The URL of a share link
stands for the URL of its file too; where that is only known from the answer of the host,
the SHA-256 is needed.

It needs a login with the role fleet_worker. Backups, and a bucket that keeps versions,
have what was forgotten for as long as they keep it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s := new(fleet.Selection)
			for _, arg := range args {
				if err := selecting(cmd, s, &a.reading, arg); err != nil {
					return exit.Mistake(err)
				}
			}
			return a.with(cmd, func(tier *fleet.Tier) error {
				n, err := tier.Forget(cmd.Context(), s)
				if err != nil {
					return err
				}
				return a.write(cmd, n, func(b *bytes.Buffer) {
					fmt.Fprintf(b, "%s, %s, %s and %s removed\n", wording.Count(n.Answers, "answer"), wording.Count(n.Jobs, "request"),
						wording.Count(n.Bodies, "body"), wording.Count(n.Findings, "finding"))
				})
			})
		},
	}
	a.reading.Flags(cmd.Flags())
	a.jsonFlag(cmd)
	a.tenantFlag(cmd)
	return cmd
}

// selecting adds an argument of forget to s: a URL, a SHA-256 in hexadecimal, or the file of
// messages, with the references in them.
func selecting(cmd *cobra.Command, s *fleet.Selection, reading *source.Reading, arg string) error {
	if sum, err := hex.DecodeString(arg); err == nil && len(sum) == sha256.Size {
		s.Bodies = append(s.Bodies, sum)
		return nil
	}
	if strings.Contains(arg, "://") {
		addURL(s, arg)
		return nil
	}
	files := &source.Files{In: cmd.InOrStdin()}
	defer files.Close()
	for m, err := range source.Messages(cmd.Context(), record.Paths([]string{arg}), files, nil) {
		if err == nil {
			err = m.Read(reading)
		}
		if err == nil {
			s.Messages = append(s.Messages, serve.Plain(inspect.MessageID(m.Whole())))
		}
		for _, ref := range m.Refs {
			if req, err := ref.Request(); err == nil {
				addURL(s, req.URL.String())
			}
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", show.Line(m.Title()), err)
		}
		if m.Close(); err != nil {
			return err
		}
	}
	return nil
}

// addURL adds a URL, and the URL of the file if it is a share link.
func addURL(s *fleet.Selection, text string) {
	s.URLs = append(s.URLs, text)
	if link, ok := sharelink.Match(text); ok {
		for _, u := range []string{link.Direct, link.Fallback, link.Ask} {
			if u != "" {
				s.URLs = append(s.URLs, u)
			}
		}
	}
}

// text writes a status for people.
func text(b *bytes.Buffer, s *fleet.Status) {
	for _, j := range s.Jobs {
		fmt.Fprintf(b, "%-8s %6d jobs, the oldest of %s\n", j.State, j.Count, j.Oldest.UTC().Format(time.DateTime))
	}
	for _, q := range s.Waiting {
		fmt.Fprintf(b, "waiting  %6d jobs for %s, the oldest of %s\n", q.Count, show.Line(q.Host), q.Oldest.UTC().Format(time.DateTime))
	}
	for _, w := range s.Workers {
		fmt.Fprintf(
			b, "fetcher  %s: %s, %s, seen %s", show.Line(w.Name),
			wording.Count(w.Hosts, "host"), wording.Count(w.Running, "request"), w.Seen.UTC().Format(time.DateTime),
		)
		if w.Absent {
			b.WriteString(", absent")
		}
		if w.Drain {
			b.WriteString(", draining")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "stored   %s, %s\n", wording.Count(s.Entries, "answer"), wording.Count(s.Octets, "octet"))
}
