// Package fleet has the commands for a fleet: the worker, and what sets a tier up and shows
// it.
package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// Fetcher returns the command that is a worker.
func Fetcher() *cobra.Command {
	var p policy.Policy
	var o fleet.WorkerOptions
	var perHost int
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
			tier, err := p.Fleet.Open(cmd.Context())
			if err != nil {
				return err
			}
			defer tier.Close()
			o.Hosts, o.MaxBytes, o.Log = new(throttle.State), int64(p.MaxBytes), logger.Info
			w := fleet.NewWorker(tier, o)
			p.Polite = throttle.Options{State: o.Hosts, PerHost: perHost, Fetches: o.Jobs}
			p.Worker, p.Timeout = w, time.Hour
			engine, err := p.Engine(nil, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer engine.Close()
			logger.Info("fetching", "name", o.Name)
			w.Run(cmd.Context(), engine.Fetcher)
			logger.Info("ended")
			return nil
		},
	}
	f := cmd.Flags()
	p.Contacts(f)
	name, _ := os.Hostname()
	f.StringVar(&o.Name, "name", name, "the `NAME` of this fetcher; each has another one")
	f.IntVar(&o.Jobs, "fetches", 256, "make `N` requests at a time")
	f.IntVar(&perHost, "per-host", 4, "ask one host for `N` bodies at a time")
	f.StringVar(&o.TempDir, "temp-dir", "", "keep bodies in `DIR` until they are in the bucket")
	return cmd
}

// Command returns the command with the subcommands init, status and drain.
func Command() *cobra.Command {
	var p policy.Fleet
	var asJSON, undo bool
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Set up and look at a fleet",
		Long: `A fleet is fetchers that make the requests of many machines, so that each file host sees one
polite client. FLEET.md says how to set one up.`,
	}
	p.Flags(cmd.PersistentFlags())
	open := func(cmd *cobra.Command) (*fleet.Tier, error) {
		if !p.Given() {
			return nil, exit.Mistake(errors.New("want --fleet and --objects"))
		}
		return p.Open(cmd.Context())
	}
	create := &cobra.Command{
		Use:   "init --fleet URL",
		Short: "Create the tables, and the roles fleet_client and fleet_worker",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return fleet.Init(cmd.Context(), p.Database) },
	}
	status := &cobra.Command{
		Use:   "status --fleet URL --objects URL",
		Short: "Show the jobs, the fetchers and what is stored",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tier, err := open(cmd)
			if err != nil {
				return err
			}
			defer tier.Close()
			s, err := tier.Status(cmd.Context())
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if asJSON {
				show.JSON(&b, s)
			} else {
				text(&b, s)
			}
			_, err = cmd.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	status.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	drain := &cobra.Command{
		Use:   "drain --fleet URL --objects URL NAME",
		Short: "Let a fetcher end its requests and take no more",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			tier, err := open(cmd)
			if err != nil {
				return err
			}
			defer tier.Close()
			known, err := tier.Drain(cmd.Context(), args[0], !undo)
			if err == nil && !known {
				err = exit.Mistake(fmt.Errorf("there is no fetcher %s", show.Line(args[0])))
			}
			return err
		},
	}
	drain.Flags().BoolVar(&undo, "undo", false, "let it take requests again")
	cmd.AddCommand(create, status, drain)
	return cmd
}

// text writes a status for people.
func text(b *bytes.Buffer, s *fleet.Status) {
	for _, j := range s.Jobs {
		fmt.Fprintf(b, "%-8s %6d jobs, the oldest of %s\n", j.State, j.Count, j.Oldest.UTC().Format(time.DateTime))
	}
	for _, w := range s.Workers {
		fmt.Fprintf(b, "fetcher  %s: %d hosts, %d requests, seen %s", show.Line(w.Name), w.Hosts, w.Running, w.Seen.UTC().Format(time.DateTime))
		if w.Drain {
			b.WriteString(", draining")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "stored   %d answers, %d octets\n", s.Entries, s.Octets)
}
