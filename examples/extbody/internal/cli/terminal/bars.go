package terminal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/wording"
)

// home moves the cursor to the first column. The bars leave it there, but the terminal
// writes "^C" where it is.
const home = "\r"

// barDelay is how long a transfer runs before it gets a bar. Most are over by then.
const barDelay = 300 * time.Millisecond

// Bars are the progress bars of the running transfers. Several goroutines may call its
// methods at once. A nil *Bars shows nothing.
type Bars struct {
	to     io.Writer
	Status *Progress // the line below the bars; nil for none

	mu        sync.Mutex
	container *mpb.Progress // nil before the first bar
	line      *mpb.Bar      // shows the status
	since     time.Time     // of the first progress
	running   map[*externalbody.Reference]*bar
	held      int // how many callers hold them
}

type bar struct {
	begun    time.Time
	last     fetch.Event
	bar      *mpb.Bar  // nil before barDelay
	measures bool      // the bar is of octets that come, and not of a server that is waited for
	first    time.Time // when octets were first told, and which
	octets   int64
}

// NewBars returns the bars for a terminal, and nil if w is not a terminal, or is one that cannot move its
// cursor.
func NewBars(w io.Writer) *Bars {
	if !Is(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &Bars{to: w, running: make(map[*externalbody.Reference]*bar)}
}

// Progress shows the progress of a transfer.
func (b *Bars) Progress(ref *externalbody.Reference, e fetch.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.running[ref]
	if r == nil {
		r = &bar{begun: time.Now()}
		b.running[ref] = r
		time.AfterFunc(barDelay, func() { b.late(ref, r) })
	}
	r.last = e
	if e.Phase == fetch.Receiving && r.first.IsZero() {
		r.first = time.Now()
		r.octets = e.Octets
	}
	if b.since.IsZero() {
		b.since = r.begun
	}
	if b.held > 0 {
		return
	}
	if b.Status != nil && b.line == nil && time.Since(b.since) > barDelay {
		b.line = b.statusLine()
	}
	b.update(ref, r)
}

// late shows a transfer that has not ended after barDelay, also if nothing comes.
func (b *Bars) late(ref *externalbody.Reference, r *bar) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running[ref] == r && b.held == 0 {
		b.update(ref, r)
	}
}

// update makes the bar of a transfer, once it is due, and moves it. The caller has the lock.
func (b *Bars) update(ref *externalbody.Reference, r *bar) {
	measures := r.last.Phase == fetch.Receiving
	if r.last.Phase == fetch.Waiting && r.bar == nil || time.Since(r.begun) < barDelay {
		return
	}
	if measures && r.bar != nil && !r.measures {
		r.bar.Abort(true)
		r.bar = nil
	}
	if r.bar == nil {
		r.bar = b.add(ref, r)
		r.measures = measures
	}
	if r.bar != nil && measures {
		r.bar.SetCurrent(r.last.Octets)
	}
}

// draw makes a bar. It returns nil if bars cannot be shown any more.
func (b *Bars) draw(total int64, filler mpb.BarFiller, options ...mpb.BarOption) *mpb.Bar {
	if b.container == nil {
		b.container = mpb.New(mpb.WithOutput(b.to), mpb.WithAutoRefresh())
	}
	bar, err := b.container.Add(total, filler, options...)
	if err != nil {
		return nil
	}
	return bar
}

// statusLine shows the status below the bars.
func (b *Bars) statusLine() *mpb.Bar {
	return b.draw(0, nil, mpb.BarPriority(math.MaxInt),
		mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string { return home + b.Status.fit(s.AvailableWidth) })))
}

// nameColumns is the room for the name of a file beside its bar, and leastName the room on a narrow
// terminal, where paceColumns are for the numbers.
const (
	nameColumns = 24
	leastName   = 8
	paceColumns = 46
)

// add makes the bar of a transfer: its name, octets, percent, rate and the time that is left.
// Without a total it has the first two and the rate. Before octets come it says so.
func (b *Bars) add(ref *externalbody.Reference, r *bar) *mpb.Bar {
	most := min(max(Columns(b.to)-paceColumns, leastName), nameColumns)
	name := wording.Name(show.Line(cmp.Or(ref.Name, "(no name)")), most)
	name = home + name + strings.Repeat(" ", most-wording.Columns(name))
	if r.last.Phase != fetch.Receiving {
		return b.draw(0, nil, mpb.PrependDecorators(decor.Name(name+"  waiting for the server")), mpb.BarRemoveOnComplete())
	}
	total := r.last.Total
	if total <= 0 {
		total = ref.Size // the size that the message announces
	}
	before := mpb.PrependDecorators(
		decor.Name(name),
		decor.Any(func(s decor.Statistics) string { return fmt.Sprintf("%11s", wording.About(s.Current)) }),
	)
	first := r.first
	octets := r.octets
	after := mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
		return pace(s.Current, total, s.Current-octets, time.Since(first))
	}))
	style := mpb.BarStyle()
	if total <= 0 {
		style = style.Lbound("").Rbound("").Padding(" ").Tip("")
	}
	return b.draw(max(total, 0), style.Build(), before, after, mpb.BarRemoveOnComplete())
}

// pace returns how far a transfer is: " 45%  1.2 MB/s  2m5s left". A total that is not
// positive is not known. The rate is of the octets that arrived in a time, without those before, and
// without the time in which the server was waited for.
func pace(octets, total, arrived int64, within time.Duration) string {
	rate := float64(arrived) / max(within.Seconds(), 1e-3)
	text := fmt.Sprintf("%13s", wording.About(int64(rate))+"/s")
	if total <= 0 {
		return text
	}
	left := "?"
	if rate > 0 {
		left = time.Duration(min(max(float64(total-octets), 0)/rate, maxLeft) * float64(time.Second)).Round(time.Second).String()
	}
	return fmt.Sprintf("%4d%%%s %6s left", int64(min(float64(octets)/float64(total), 1)*100), text, left)
}

// maxLeft bounds the time that is left, in seconds: nobody waits longer.
const maxLeft = 99 * 3600

// Done removes the bar of a transfer.
func (b *Bars) Done(ref *externalbody.Reference) {
	if b == nil {
		return
	}
	b.mu.Lock()
	r := b.running[ref]
	delete(b.running, ref)
	b.mu.Unlock()
	if r != nil && r.bar != nil {
		r.bar.Abort(true)
	}
}

// hold removes the bars from the terminal until release is called, so that a question can
// be asked there. Transfers that go on get new bars after that.
func (b *Bars) hold() (release func()) {
	if b == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held++
	for _, r := range b.running {
		if r.bar != nil {
			r.bar.Abort(true)
			r.bar = nil
		}
	}
	if b.line != nil {
		b.line.Abort(true)
		b.line = nil
	}
	if b.container != nil {
		b.container.Wait()
		b.container = nil
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.held--
	}
}

// Stop removes the bars, after every transfer is done.
func (b *Bars) Stop() { b.hold() }

// Over returns a Writer. Its lines are shown above the bars if they go to a terminal.
func (b *Bars) Over(w io.Writer) io.Writer {
	if b == nil || !Is(w) {
		return w
	}
	return &overBars{b, w}
}

type overBars struct {
	bars *Bars
	w    io.Writer
}

func (o *overBars) Write(p []byte) (int, error) {
	o.bars.mu.Lock()
	container := o.bars.container
	o.bars.mu.Unlock()
	if container == nil {
		return o.w.Write(p)
	}
	_, err := container.Write(append([]byte(home+"\x1b[J"), p...))
	if _, done := errors.AsType[mpb.ErrDone[*mpb.Progress]](err); done {
		return o.w.Write(p)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Progress is a status line: how far a run is. Several goroutines may call its methods at
// once.
type Progress struct {
	Hosts    func() []throttle.Host // the hosts that are asked
	Found    atomic.Int64           // references, so far
	All      atomic.Bool            // Found is final
	Received atomic.Int64           // octets of bodies

	mu               sync.Mutex
	done, ok, failed int // references
}

// Set sets how many references are done, and how many of them succeeded and failed.
func (s *Progress) Set(done, ok, failed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = done
	s.ok = ok
	s.failed = failed
}

// maxHosts is how many hosts a status line names.
const maxHosts = 3

// String returns the status as a line.
func (s *Progress) String() string {
	waiting := s.waiting()
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("%d of %s", s.done, wording.Count(s.Found.Load(), "reference"))
	if !s.All.Load() {
		text += " found so far"
	}
	text += fmt.Sprintf(", %d ok, %d failed, %s", s.ok, s.failed, show.Octets(s.Received.Load()))
	if waiting != "" {
		text += "; waiting for " + waiting
	}
	return text
}

// fit returns the status as a line of at most the given columns if there is one: first
// it leaves out the hosts, then most words.
func (s *Progress) fit(width int) string {
	text := s.String()
	if len(text) <= width {
		return text
	}
	if short, _, _ := strings.Cut(text, "; "); len(short) <= width {
		return short
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%d/%d, %d failed, %s", s.done, s.Found.Load(), s.failed, show.Octets(s.Received.Load()))
}

// waiting names the hosts for which references wait.
func (s *Progress) waiting() string {
	var words []string
	others := 0
	for _, h := range s.Hosts() {
		if h.Waiting+h.InFlight == 0 {
			continue
		}
		if len(words) == maxHosts {
			others++
			continue
		}
		words = append(words, fmt.Sprintf("%s (%d)", show.Line(h.Name), h.Waiting+h.InFlight))
	}
	if others > 0 {
		words = append(words, wording.Count(others, "other host"))
	}
	return strings.Join(words, ", ")
}

// EveryMinute writes a line about a run each minute until stop is called.
func EveryMinute(w io.Writer, s fmt.Stringer) (stop func()) {
	end := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-time.After(time.Minute):
				fmt.Fprintf(w, "extbody: %s\n", s)
			case <-end:
				return
			}
		}
	})
	return func() {
		close(end)
		running.Wait()
	}
}

// NewLockedWriter returns a Writer that several goroutines may use. Each Write is one
// Write to w.
func NewLockedWriter(w io.Writer) io.Writer { return &lockedWriter{w: w} }

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
