package serve

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// message refers to a file that is not asked for.
const message = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\n\r\n"

func mail(t testing.TB, e *Engine, text string) *Mail {
	m := &Mail{Front: "test", Spool: e.Spool(), Received: time.Now(), Wait: time.Second}
	t.Cleanup(func() { m.Spool.Close() })
	if _, err := io.WriteString(m.Spool, text); err != nil {
		t.Fatal(err)
	}
	return m
}

// metric returns how many numbers have a name, and the sum of the counters among them.
func metric(t *testing.T, r *prometheus.Registry, name string) (n int, sum float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "extbody_") {
			t.Errorf("got the name %s, want it to begin with extbody_", f.GetName())
		}
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				n, sum = n+1, sum+m.GetCounter().GetValue()
			}
		}
	}
	return n, sum
}

// The page has the reason why a message cannot be kept.
func TestSpool(t *testing.T) {
	for _, test := range []struct {
		name string
		opts Options
		size int
		want fetch.Kind
	}{
		{"Longest", Options{MaxMessage: 100}, 100, 0},
		{"TooLong", Options{MaxMessage: 100}, 101, fetch.TooLarge},
		{"NoMemory", Options{Memory: 1}, 100, 0},
		{"NoDisk", Options{Memory: 1, TempDir: filepath.Join(t.TempDir(), "gone")}, 100, fetch.Local},
	} {
		e := New(test.opts, nil)
		s := e.Spool()
		_, err := io.WriteString(s, strings.Repeat("x", test.size))
		if got := e.ReadFailure(err); got != test.want || (err == nil) != (test.want == 0) {
			t.Errorf("%s: got %v, %v, want %v", test.name, err, got, test.want)
		}
		if failing := len(e.Failing()) > 0; failing != (test.want == fetch.Local) {
			t.Errorf("%s: got %v, want the disk among them %t", test.name, e.Failing(), test.want == fetch.Local)
		}
		s.Close()
	}
}

// More messages than there is room for pass, and that is counted and said.
func TestFailsOpen(t *testing.T) {
	registry := prometheus.NewRegistry()
	var said []any
	e := New(Options{
		Inspector: new(inspect.Inspector), Messages: 1, Metrics: NewMetrics(registry),
		Log: func(_ string, pairs ...any) { said = pairs },
	}, new(inspect.Policy))
	e.active.Add(1)
	c := e.Check(context.Background(), mail(t, e, message))
	if d := c.Decide(); d.Action != inspect.Tag || c.Report.Failure != fetch.Deferred {
		t.Errorf("got %s, %v, want %s, %v", d.Action, c.Report.Failure, inspect.Tag, fetch.Deferred)
	}
	c.Close()
	if s := fmt.Sprint(said...); !strings.Contains(s, "passed_unverifiedtrue") && !strings.Contains(s, "passed_unverified true") {
		t.Errorf("the log has %v, want passed_unverified", said)
	}
	if _, sum := metric(t, registry, "extbody_passed_unverified_total"); sum != 1 {
		t.Errorf("extbody_passed_unverified_total: got %v, want 1", sum)
	}
}

// Each recipient has a decision, one that is given twice has one, and the deferrals of one are
// no other's.
func TestDecideEach(t *testing.T) {
	deferrals, err := inspect.NewDeferrals("")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := inspect.ParsePolicy([]byte("[defer]\ntries = 1\n\n[[rule]]\nname = \"x\"\nrecipient = \"x@a.example\"\naction = \"reject\"\n" +
		"[[rule]]\nname = \"s\"\nrecipient = \"z@a.example\"\naction = \"hold\"\nmode = \"shadow\"\n[[rule]]\nname = \"d\"\naction = \"defer\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	shadows := 0 // in the log
	e := New(Options{Inspector: new(inspect.Inspector), Deferrals: deferrals, Log: func(_ string, pairs ...any) {
		shadows += strings.Count(fmt.Sprint(pairs...), "s=hold")
	}}, policy)
	decide := func(rcpt ...string) (list []inspect.Action) {
		m := mail(t, e, message)
		m.Envelope.Recipients = rcpt
		c := e.Check(context.Background(), m)
		all := c.DecideEach()
		for _, d := range all {
			list = append(list, d.Action)
		}
		c.Record(all)
		return list
	}
	for i, test := range []struct {
		rcpt []string
		want []inspect.Action
	}{
		{[]string{"t@a.example", "t@a.example"}, []inspect.Action{inspect.Defer, inspect.Defer}},
		{[]string{"x@a.example", "y@a.example"}, []inspect.Action{inspect.Reject, inspect.Defer}},
		{[]string{"y@a.example", "z@a.example"}, []inspect.Action{inspect.Tag, inspect.Defer}},
		{[]string{"y@a.example", "z@a.example"}, []inspect.Action{inspect.Tag, inspect.Tag}},
	} {
		if got := decide(test.rcpt...); !reflect.DeepEqual(got, test.want) {
			t.Errorf("try %d: got %v, want %v", i, got, test.want)
		}
	}
	// In the last try the first recipient has the same action and rule without it.
	if shadows != 2 {
		t.Errorf("got %d log lines with a rule in the shadow, want 2", shadows)
	}
}

// A message may name any provider; the numbers keep those that we know apart.
func TestHostClass(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := NewMetrics(registry)
	for i := range 100 {
		m.Observe(&externalbody.Reference{Provider: fmt.Sprint("provider", i)}, &fetch.Exchange{})
	}
	m.Observe(&externalbody.Reference{Provider: "dropbox"}, &fetch.Exchange{})
	if n, _ := metric(t, registry, "extbody_fetches_total"); n != 2 {
		t.Errorf("got %d classes of hosts, want other and dropbox", n)
	}
}

// The words of strangers are short and printable in the log and on the page.
func TestLogPlain(t *testing.T) {
	var said []any
	e := New(Options{Inspector: new(inspect.Inspector), Log: func(_ string, pairs ...any) { said = pairs }}, new(inspect.Policy))
	m := mail(t, e, strings.ReplaceAll(message, "a.example", "\u202egpj.example"))
	m.QueueID = "a\r\n\x1b[31m" + strings.Repeat("x", 10_000)
	m.Envelope.From = "\"x@other.example\"@b.example\xff\u202e"
	c := e.Check(context.Background(), m)
	c.Decide()
	c.Close()
	text := fmt.Sprint(said...) + fmt.Sprint(e.Last())
	if strings.ContainsAny(text, "\r\n\x1b\u202e") || len(text) > 2000 || !strings.Contains(text, "b.example") || strings.Contains(text, "other.example") {
		t.Errorf("got %q, want one short line with the domain alone", text)
	}
}

// A log line and the record for the page answer who else got a file.
func TestLogFinds(t *testing.T) {
	for _, recipients := range []bool{false, true} {
		said := make(map[string]any)
		e := New(Options{Inspector: new(inspect.Inspector), LogRecipients: recipients, Log: func(_ string, pairs ...any) {
			for i := 0; i < len(pairs); i += 2 {
				said[pairs[i].(string)] = pairs[i+1]
			}
		}}, new(inspect.Policy))
		m := mail(t, e, "Message-ID: <\x1b1@a.example>\r\n"+strings.Replace(message, "text/plain", "text/plain; name=\"Bill.pdf\"", 1))
		m.QueueID, m.Client, m.Envelope.Recipients = "4fXy", "192.0.2.1", []string{"b@b.example", "b@b.example"}
		c := e.Check(context.Background(), m)
		c.Report.Refs[0].SHA256, c.Report.Refs[0].Signature = strings.Repeat("ab", 32), "Eicar"
		c.Decide()
		c.Close()
		want := map[string]string{
			"message_id": "<?1@a.example>", "queue_id": "4fXy", "client": "192.0.2.1", "sha256": "[" + strings.Repeat("ab", 32) + "]", "signatures": "[Eicar]",
			"hosts": "[a.example]", "names": "[Bill.pdf]", "kinds": "[denied]", "recipients": "2",
		}
		if recipients {
			want["rcpt"] = "[b@b.example]"
		}
		for key, value := range want {
			if got := fmt.Sprint(said[key]); got != value {
				t.Errorf("%s: got %s, want %s", key, got, value)
			}
		}
		if !recipients && said["rcpt"] != nil {
			t.Errorf("rcpt: got %v, want none without the option", said["rcpt"])
		}
		past := e.Last()[0]
		for text, has := range map[string]bool{"": true, "ABABAB": true, "A.Example": true, "bill.pdf": true, "eicar": true, "4FXY": true, "192.0.2.1": true, "other": false} {
			if past.Has(text) != has {
				t.Errorf("%q: got it found %v, want %v", text, !has, has)
			}
		}
	}
}

// The records for the page have at most 1,000 entries, and a bounded number of octets.
func TestLastBounded(t *testing.T) {
	for _, size := range []int{0, 100_000} {
		e := New(Options{}, nil)
		for i := range maxPast + 1 {
			e.remember(Past{QueueID: fmt.Sprint(i), Find: strings.Repeat("x", size)})
		}
		list := e.Last()
		if want := min(maxPast, maxPastOctets/(300+size)); len(list) != want || list[0].QueueID != fmt.Sprint(maxPast) || e.octets > maxPastOctets {
			t.Errorf("%d octets each: got %d records, the newest %s, %d octets, want %d", size, len(list), list[0].QueueID, e.octets, want)
		}
	}
}

// When the server is about to end no client waits for an outcome that may follow.
func TestHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := new(fetch.Mux)
		mux.Handle("https", fetch.Func(func(ctx context.Context, _ *fetch.Request) (*fetch.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		pool := inspect.NewPool(inspect.PoolOptions{})
		defer pool.Close()
		e := New(Options{Inspector: &inspect.Inspector{Resolver: &externalbody.Resolver{Fetcher: mux}, Pool: pool}}, new(inspect.Policy))
		m := mail(t, e, message)
		m.Wait = time.Minute
		begun := time.Now()
		time.AfterFunc(time.Second, e.Hurry)
		c := e.Check(t.Context(), m)
		if took := time.Since(begun); took != time.Second || c.Report.Verdict != inspect.Pending {
			t.Errorf("got %s after %v, want %s after 1s", c.Report.Verdict, took, inspect.Pending)
		}
	})
}

// TestInlineOtherBody holds: a body that is not the one that was looked at is not put in, and the next message
// with the link is suspicious, whatever it calls the file.
func TestInlineOtherBody(t *testing.T) {
	for _, other := range []bool{false, true} {
		asked := 0
		mux := new(fetch.Mux)
		mux.Handle("https", fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			text := "looked at"
			if asked++; other && asked > 1 {
				text = "not looked at"
			}
			return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader(text))}, nil
		}))
		resolver := &externalbody.Resolver{Fetcher: mux}
		pool := inspect.NewPool(inspect.PoolOptions{})
		defer pool.Close()
		e := New(Options{
			Inspector:  &inspect.Inspector{Resolver: resolver, Pool: pool, Reading: new(externalbody.OpenOptions)},
			Inline:     rewrite.InlineOptions{Resolver: resolver},
			MaxMessage: 1 << 20,
		}, new(inspect.Policy))
		m := mail(t, e, message)
		m.Most, m.Wait, m.Actions = 1<<20, time.Minute, []inspect.Action{inspect.Inline}
		c := e.Check(t.Context(), m)
		put := inspect.Decision{Action: inspect.Inline, Change: map[string]inspect.Action{c.Report.Refs[0].ID: inspect.Inline}}
		text := c.Text(put)
		if asked != 2 || (text == nil) != other {
			t.Errorf("another body %t: got a message with a body: %t, after %d requests; want %t, after 2", other, text != nil, asked, !other)
		}
		if c.can(put) != !other || c.can(inspect.Decision{Action: inspect.Tag}) {
			t.Errorf("another body %t: got an action that cannot be carried out, or not one that can", other)
		}
		// A suspicious body, and one that no rule puts in, stays a reference.
		none := c.can(inspect.Decision{Action: inspect.Inline, Change: map[string]inspect.Action{"9": inspect.Inline}})
		c.forms, c.Report.Refs[0].Changed = make(map[string]*spool.Spool), true
		if none || c.can(put) || asked != 2 {
			t.Error("got a body put in that should stay a reference")
		}
		c.Close()
		want := inspect.Clean
		if other {
			want = inspect.Suspicious
		}
		for _, text := range []string{message, strings.Replace(message, "\r\n\r\n", "\r\n\r\nContent-Disposition: attachment; filename=other.txt\r\n", 1)} {
			m := mail(t, e, text)
			m.Wait = time.Minute
			if next := e.Check(t.Context(), m); next.Report.Verdict != want {
				t.Errorf("another body %t: got the verdict %s on the next message, want %s\n%s", other, next.Report.Verdict, want, text)
			}
		}
	}
}

// A client is known by its login or its public address, and a mail server that hands
// on the messages of everybody is not taken for one.
func TestClient(t *testing.T) {
	for _, test := range []struct{ login, address, want string }{
		{"", "192.0.2.1", "192.0.2.1"},
		{"", "::ffff:192.0.2.1", "192.0.2.1"},
		{"", "2001:db8:1:2::1", "2001:db8:1:2::/64"},
		{"", "2001:db8:1:2:ffff::9%eth0", "2001:db8:1:2::/64"},
		{"a", "192.0.2.1", "login a"},
		{"192.0.2.1", "", "login 192.0.2.1"},
		{"", "127.0.0.1", ""}, {"", "::1", ""}, {"", "10.1.2.3", ""}, {"", "fd00::1", ""}, {"", "fe80::1%eth0", ""},
		{"", "", ""}, {"", "unknown", ""}, {"", "192.0.2.1, 192.0.2.2", ""}, {"", "<nil>", ""}, {"", "0.0.0.0", ""},
	} {
		address, _ := netip.ParseAddr(test.address)
		if got := Client(test.login, address); got != test.want {
			t.Errorf("login %q, address %q: got %q, want %q", test.login, test.address, got, test.want)
		}
	}
}

// The actions of rules since the start are counted by action and rule, for the page and as labels, of
// which there are not more than so many.
func TestTotals(t *testing.T) {
	registry := prometheus.NewRegistry()
	var text strings.Builder
	text.WriteString("[[rule]]\nname = \"watch\"\nmode = \"shadow\"\naction = \"reject\"\n")
	const many = maxRules + 10
	for i := range many {
		fmt.Fprintf(&text, "[[rule]]\nname = \"r%d\"\nrecipient = \"r%d@a.example\"\naction = \"tag\"\n", i, i)
	}
	policy, err := inspect.ParsePolicy([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Inspector: new(inspect.Inspector), Metrics: NewMetrics(registry), LogRecipients: true}, policy)
	decide := func(text string, to ...string) {
		m := mail(t, e, text)
		m.Envelope.Recipients = to
		c := e.Check(t.Context(), m)
		defer c.Close()
		c.Record(c.DecideEach())
	}
	decide("Subject: a\r\n\r\n", "x@a.example")
	decide(message, "x@a.example", "r0@a.example")
	decide(message, "r0@a.example", "r0@a.example")
	got := e.Totals()
	want := []Total{
		{Action: "tag", Rule: "r0", Number: 2}, {Action: "none", Number: 1}, {Action: "tag", Number: 1}, {Action: "reject", Rule: "watch", Shadow: true, Number: 3},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if last := e.Last(); len(last) != 3 || !reflect.DeepEqual(last[0].To, []string{"r0@a.example"}) || !last[0].Has("R0@a") {
		t.Errorf("got %+v, want the recipients of the last message", last)
	}
	for i := range many {
		decide(message, fmt.Sprintf("r%d@a.example", i))
	}
	// "watch", and each rule that has a label, "other" and none, of which "none" is the only other action.
	if n, sum := metric(t, registry, "extbody_messages_total"); n != maxRules+2 || sum != many+4 {
		t.Errorf("got %d labels, %v messages, want %d, %d", n, sum, maxRules+2, many+4)
	}
	if n, sum := metric(t, registry, "extbody_shadowed_total"); n != 1 || sum != many+3 {
		t.Errorf("got %d labels, %v matches in the shadow, want 1, %d", n, sum, many+3)
	}
	if n := len(e.Totals()); n > maxTotals {
		t.Errorf("got %d totals, want at most %d", n, maxTotals)
	}
}
