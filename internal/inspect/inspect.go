// Package inspect looks at one message and says what the files are that it
// refers to, and what to do with the message by the policy of a site.
//
// An Inspector finds the references, fetches what they refer to through the
// Resolver that it is given, compares it with what was promised, and has it
// scanned. It makes a Report, which has a Verdict and symbols. A Policy makes a
// Decision of the Report for a recipient. It is the one path for all front ends:
// the command check, HTTP, LMTP and the milter.
//
// # Time
//
// Inspect returns after Inspector.Wait at the latest. What is not known by then
// is Pending. The fetch goes on, for Pool.Timeout at most, and who inspects the
// message again finds the outcome. Several messages that refer to the same thing
// share one fetch and one scan.
//
// # Failing open
//
// A message that has no references, or about which nothing can be found out, is
// passed unless a rule says otherwise. Rules that want it otherwise name the
// verdicts unavailable and pending.
//
// # Secrets
//
// The URL of a share link is a credential. A Report, a header field and a
// Decision have the host of it, and nothing else.
package inspect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// An Inspector inspects messages. Its fields are not changed once it is in use;
// its methods may be called by several goroutines at once.
type Inspector struct {
	// Resolver fetches. nil contacts nobody: each reference is listed with the
	// Kind denied, and no verdict is made of that.
	Resolver *externalbody.Resolver

	// Reading says which forms of references are read; nil is the standard one
	// alone.
	Reading *externalbody.OpenOptions

	// Pool bounds and shares the fetches. It is needed with a Resolver.
	Pool *Pool

	// Scanner looks for malware in bodies; nil means that they are not scanned.
	Scanner *Scanner

	// Wait bounds the time that Inspect waits for fetches. 0 means as long as
	// its context lets it.
	Wait time.Duration

	// TempDir is where bodies are kept while they are looked at; "" is the
	// system's folder for such files.
	TempDir string

	// Fetches and Octets bound what the references of one message may cost each
	// time that it is inspected; 0 means 100 contacts and 1 GiB.
	Fetches, Octets int64

	// Once lets references be fetched of which each fetch uses up one of the
	// downloads that their host allows. By default they are left for who the
	// message is for, with the Kind denied.
	Once bool
}

// The bounds of one message.
const (
	localTime      = 5 * time.Second // for what is in the message itself, where Wait is less
	defaultFetches = 100
	defaultOctets  = 1 << 30
)

// A Message is what is inspected.
type Message struct {
	Text io.ReaderAt
	Size int64

	// Source names who hands the message in, "" if that is not known. It has a
	// bounded number of fetches at a time; see [PoolOptions]. It must be nothing
	// that a stranger writes, such as the sender of the envelope: who writes the
	// same would use up what the other has.
	Source string
}

// Domain returns what follows the last @ of an address, in lower case; "" if there is
// no @.
func Domain(address string) string {
	i := strings.LastIndexByte(address, '@')
	if i < 0 {
		return ""
	}
	return strings.ToLower(address[i+1:])
}

// Inspect looks at a message. It never fails: what keeps it from looking is in
// the Report, whose Verdict is Unavailable then. It returns when ctx ends, with
// what is known.
//
// m.Text is not read after Inspect has returned.
func (in *Inspector) Inspect(ctx context.Context, m *Message) *Report {
	rep := &Report{Refs: []Ref{}}
	msg, err := externalbody.Open(m.Text, m.Size, in.Reading)
	if err == nil {
		err = msg.Incomplete()
		if err != nil {
			err = &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
		}
	}
	if err != nil {
		rep.Failure = fetch.KindOf(err)
	}
	if msg == nil {
		rep.conclude()
		return rep
	}
	in.inspect(ctx, m, msg, rep)
	rep.conclude()
	return rep
}

// inspect fills in what there is to say of the references.
func (in *Inspector) inspect(ctx context.Context, m *Message, msg *externalbody.Message, rep *Report) {
	whole := ctx
	if in.Wait > 0 {
		var stop, stopWhole context.CancelFunc
		whole, stopWhole = context.WithTimeout(ctx, max(in.Wait, localTime))
		defer stopWhole()
		ctx, stop = context.WithTimeout(ctx, in.Wait)
		defer stop()
	}
	type asked struct {
		at   int // in the Refs
		ask  func() (t *task, state asking, f *finding)
		task *task
	}
	var asks []asked
	var resolver *externalbody.Resolver
	var keys []string
	// Each is looked at for itself: that some of them lead to the same body is the
	// word of who wrote the message, and a reader may take any of them.
	for ref := range msg.References() {
		if resolver == nil {
			resolver = in.resolver()
		}
		a := asked{at: len(rep.Refs)}
		plan := resolver.Plan(anonymous(ref))
		rep.Refs = append(rep.Refs, listed(ref, plan))
		// The Mismatch of a finding depends on what the message says.
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %q", plan.ID, ref.MediaType, ref.Name))
		id := hex.EncodeToString(sum[:])
		keys = append(keys, id)
		if in.Resolver == nil {
			rep.Refs[a.at].finding = finding{State: Left, Kind: fetch.Denied}
			continue
		}
		if plan.Local() {
			// The octets are in the message, which is at hand now and not later.
			f := in.find(whole, resolver, ref)
			if whole.Err() != nil {
				f = &finding{State: StillToCome}
			}
			rep.Refs[a.at].found(f, false)
			continue
		}
		a.ask = func() (*task, asking, *finding) {
			return in.Pool.ask(id, m.Source, in.Scanner.version(), func(ctx context.Context) *finding {
				return in.find(ctx, resolver, ref)
			})
		}
		switch t, state, f := a.ask(); state {
		case isKnown, isRefused:
			rep.Refs[a.at].found(f, state == isKnown)
		case isBegun:
			a.task, a.ask = t, nil
			asks = append(asks, a)
		case isShared:
			a.task = t
			asks = append(asks, a)
		}
	}
	slices.Sort(keys)
	sum := sha256.Sum256([]byte(strings.Join(keys, "")))
	rep.Key = hex.EncodeToString(sum[:])
	for _, a := range asks {
		f := a.task.await(ctx)
		// What another message had no budget left for, this one may have.
		for f.unaffordable() && a.ask != nil && ctx.Err() == nil {
			t, state, g := a.ask()
			if f = g; f == nil {
				f = t.await(ctx)
			}
			if state != isShared {
				break
			}
		}
		rep.Refs[a.at].found(f, false)
	}
}

// anonymous returns a reference without what tells it from others that ask for the
// same and accept the same: messages that refer to one file have one fetch. An
// access type that needs the Content-ID keeps it.
func anonymous(ref *externalbody.Reference) *externalbody.Reference {
	switch ref.AccessType {
	case "content-id", "mail-server":
		return ref
	}
	a := *ref
	a.ContentID = ""
	a.Header = slices.DeleteFunc(slices.Clone(ref.Header), func(f externalbody.Field) bool {
		return strings.EqualFold(f.Name, "Content-ID") || strings.EqualFold(f.Name, "Content-Description")
	})
	return &a
}

// resolver returns the Resolver for one message.
func (in *Inspector) resolver() *externalbody.Resolver {
	if in.Resolver == nil {
		return new(externalbody.Resolver)
	}
	r := *in.Resolver
	limits := fetch.BudgetLimits{Octets: in.Octets, Fetches: in.Fetches}
	if limits.Octets == 0 {
		limits.Octets = defaultOctets
	}
	if limits.Fetches == 0 {
		limits.Fetches = defaultFetches
	}
	budget := fetch.NewBudget(limits)
	r.MessageBudget = func(*externalbody.Message) *fetch.Budget { return budget }
	if !in.Once {
		approve := r.Approve
		r.Approve = func(ctx context.Context, p *externalbody.Plan) error {
			if p.Once {
				return errOnce
			}
			if approve != nil {
				return approve(ctx, p)
			}
			return nil
		}
	}
	return &r
}
