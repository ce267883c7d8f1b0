package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/cloud"
)

// An office is a Cloud with the files of an organisation, a mailbox, and an archive of it.
type office struct {
	*cloud.Cloud
	t        *testing.T
	box, dir string
	clock    *clock
	mails    int
	files    map[string]*cloud.File // by the link
}

// march is a time in March 2026.
func march(day, hour, minute int) time.Time {
	return time.Date(2026, 3, day, hour, minute, 0, 0, time.UTC)
}

func newOffice(t *testing.T) *office {
	o := &office{Cloud: cloud.New(t), t: t, box: maildir(t), dir: home(t), clock: new(clock), files: make(map[string]*cloud.File)}
	o.clock.set(march(28, 1, 0), 0)
	return o
}

// link returns a link to a file with versions of these times, whose texts are their times.
func (o *office) link(name string, times ...time.Time) string {
	link := "https://contoso.sharepoint.com/:b:/s/team/E" + fmt.Sprintf("%020s", name)
	f := &cloud.File{Name: name + ".pdf", MediaType: "application/pdf"}
	for _, at := range times {
		f.Versions = append(f.Versions, cloud.Version{At: at, Text: pdf(at)})
	}
	o.files[link] = o.Add(link, f)
	return link
}

func pdf(at time.Time) string { return "%PDF-1.4 " + at.Format(time.RFC3339) }

// mail delivers a message with a link, a Date and a time in its field Received. A zero time leaves the field out.
func (o *office) mail(link string, date, received time.Time) {
	o.mails++
	var b strings.Builder
	if !received.IsZero() {
		fmt.Fprintf(&b, "Received: from a.example by b.example; %s\r\n", received.Format(time.RFC1123Z))
	}
	if !date.IsZero() {
		fmt.Fprintf(&b, "Date: %s\r\n", date.Format(time.RFC1123Z))
	}
	fmt.Fprintf(&b, "From: a@example.org\r\nMessage-ID: <%d@example.org>\r\nContent-Type: text/plain\r\n\r\n<%s>\r\n", o.mails, link)
	deliver(o.t, o.box, fmt.Sprintf("%04d:2,S", o.mails), b.String())
}

// account returns the account of the office.
func (o *office) account() accountfetch.Account {
	return accountfetch.Account{
		Name: "work", User: "ann@contoso.example", Provider: "graph", First: true, Base: o.API.URL + "/v1.0",
		Hosts: []string{"contoso.sharepoint.com"},
		Token: func(context.Context, string) (string, error) { return cloud.Good, nil },
	}
}

// with returns the options of a run with the account.
func (o *office) with() *archive.SyncOptions {
	a := o.account()
	opts := options(o.box)
	opts.AccountHosts = a.Hosts
	opts.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{
		TLSConfig: o.TLS(), Throttle: &throttle.Options{PerHost: 4},
		Accounts: func(next, api fetch.Fetcher) fetch.Fetcher { return accountfetch.New(next, api, a) },
	})
	return opts
}

var errLogin = &fetch.Error{Kind: fetch.Interstitial, Err: errors.New("login")}

// without returns the options of a run without the account, in which f answers for all links.
func (o *office) without(f fetch.Func) *archive.SyncOptions {
	opts := options(o.box)
	opts.Resolver.Fetcher = f
	return opts
}

// sync runs, and returns the rows of the CSV by the number of the message.
func (o *office) sync(opts *archive.SyncOptions) map[string]map[string]string {
	o.t.Helper()
	res := runAt(o.t, o.dir, o.clock, opts)
	rows := make(map[string]map[string]string)
	list := records(o.t, table(o.t, readAt(o.t, o.dir, o.clock)))
	if opts.AccountHosts != nil { // otherwise several messages ask the same
		list = agreeing(o.t, o.dir, o.clock)
	}
	for _, row := range list {
		rows[strings.Trim(row["message_id"], "<>")] = row
	}
	if m := o.Misuses(); len(m) > 0 {
		o.t.Errorf("got %q, want none of it", m)
	}
	if res.Left > 0 {
		o.t.Errorf("got %+v, want nothing left", res.Counts)
	}
	return rows
}

// captured returns the text of the body of a row.
func (o *office) captured(row map[string]string) string {
	if row["sha256"] == "" {
		return row["state"] + " " + row["kind"]
	}
	text, err := os.ReadFile(object(o.dir, row["sha256"]))
	must(o.t, err)
	return string(text)
}

// OP-56: the time of a message is its Date if that is near its arrival, and otherwise its arrival, so that a stranger's
// Date chooses no old version. Without an arrival there is no time.
func TestAccountVersionAt(t *testing.T) {
	o := newOffice(t)
	link := o.link("report", march(1, 0, 0), march(20, 0, 0))
	arrival := march(12, 12, 0)
	var want []time.Time
	for _, tt := range []struct{ date, received, want time.Time }{
		{arrival, arrival, arrival},
		{arrival.Add(-time.Hour), arrival, arrival.Add(-time.Hour)},
		{arrival.Add(-day), arrival, arrival.Add(-day)},
		{arrival.Add(-day - time.Second), arrival, arrival},
		{arrival.AddDate(-1, 0, 0), arrival, arrival},
		{arrival.Add(5 * time.Minute), arrival, arrival.Add(5 * time.Minute)},
		{arrival.Add(5*time.Minute + time.Second), arrival, arrival},
		{arrival.AddDate(1, 0, 0), arrival, arrival},
		{time.Time{}, arrival, arrival},
		{arrival, time.Time{}, time.Time{}},
		{time.Time{}, time.Time{}, time.Time{}},
	} {
		o.mail(link, tt.date, tt.received)
		want = append(want, tt.want)
	}
	rows := o.sync(o.with())
	for i, at := range want {
		row := rows[fmt.Sprintf("%d@example.org", i+1)]
		text, label, history, body := at.Format(time.RFC3339), "version", "", pdf(march(1, 0, 0))
		if at.IsZero() {
			text, label, history, body = "", "current", "no-arrival", pdf(march(20, 0, 0))
		}
		if row["version_at"] != text || row["capture"] != label || row["history"] != history || o.captured(row) != body {
			t.Errorf("%d: got the time %q, %s, %q, %q; want %q, %s, %q, %q", i+1, row["version_at"], row["capture"], row["history"], o.captured(row), text, label, history, body)
		}
	}
}

// OP-56: each message of a thread has the version of its time. A capture in whose interval it is serves it, and no host
// is asked.
func TestAccountThread(t *testing.T) {
	o := newOffice(t)
	link := o.link("report", march(1, 0, 0), march(10, 0, 0), march(20, 0, 0))
	for _, d := range []int{2, 12, 13, 3, 25, 26} {
		o.mail(link, march(d, 9, 0), march(d, 9, 0))
	}
	rows := o.sync(o.with())
	for n, d := range []int{1, 10, 10, 1, 20, 20} {
		row := rows[fmt.Sprintf("%d@example.org", n+1)]
		if row["capture"] != "version" || o.captured(row) != pdf(march(d, 0, 0)) {
			t.Errorf("%d: got %s, %q; want the version of day %d", n+1, row["capture"], o.captured(row), d)
		}
		if row["login"] != "work" || row["version_from"] != march(d, 0, 0).UTC().Format(time.RFC3339) || row["history"] != "" || row["item"] == "" {
			t.Errorf("%d: got %v, want the facts of the account", n+1, row)
		}
	}
	if n := o.Requests("octets"); n != 3 {
		t.Errorf("got %d bodies, want one a version", n)
	}
	compared := 0
	for _, x := range attempts(t, o.dir) {
		if x.Compared {
			compared++
		}
	}
	if compared != 3 {
		t.Errorf("got %d captures without a host, want 3", compared)
	}
	if text := slurp(t, o.dir, "ledger"); strings.Contains(text, `"kind":"changed"`) {
		t.Error("got a change, want none: another version is asked for")
	}
	// A later message, in a version that was captured, and one after a change since. The attempt before started now.
	changed := time.Now().Add(time.Hour).Truncate(time.Second).UTC()
	o.Change(func() {
		o.files[link].Versions = append(o.files[link].Versions, cloud.Version{At: changed, Text: pdf(changed)})
	})
	o.mail(link, march(27, 9, 0), march(27, 9, 0))
	o.mail(link, changed.Add(day), changed.Add(day))
	o.clock.set(changed.Add(2*day), 0)
	rows = o.sync(o.with())
	for n, d := range map[int]time.Time{7: march(20, 0, 0), 8: changed} {
		row := rows[fmt.Sprintf("%d@example.org", n)]
		if row["capture"] != "version" || o.captured(row) != pdf(d) {
			t.Errorf("%d: got %s, %q; want the version of %v", n, row["capture"], o.captured(row), d)
		}
	}
}

// OP-56: where the version of the time is not to be had, the capture says why, and so does the report.
func TestAccountReasons(t *testing.T) {
	o := newOffice(t)
	at := march(12, 9, 0)
	var links []string
	link := func(name string, times ...time.Time) string {
		links = append(links, o.link(name, times...))
		o.mail(links[len(links)-1], at, at)
		return links[len(links)-1]
	}
	link("fine", march(1, 0, 0), march(20, 0, 0))
	cut := link("cut", march(15, 0, 0), march(20, 0, 0))
	link("younger", march(15, 0, 0))
	hidden := link("hidden", march(1, 0, 0), march(20, 0, 0))
	deleted := link("deleted", march(1, 0, 0), march(20, 0, 0))
	denied := link("denied", march(1, 0, 0))
	o.Change(func() {
		o.files[cut].Created = march(1, 0, 0)
		o.files[hidden].Hidden = true
		o.files[deleted].Deleted = map[string]bool{"1.0": true}
		o.files[denied].Deny = "accessDenied"
	})
	rows := o.sync(o.with())
	for n, want := range []string{"version ", "current cut", "current younger", "current hidden", "current deleted", " "} {
		row := rows[fmt.Sprintf("%d@example.org", n+1)]
		if got := row["capture"] + " " + row["history"]; got != want {
			t.Errorf("%d: got %q, want %q", n+1, got, want)
		}
	}
	report := page(t, readAt(t, o.dir, o.clock))
	for _, want := range []string{
		"Of 6 linked files, 16 % are captured in the version of the mail&#39;s time: 1 by the history of their host, 0 captured within five minutes",
		"<tr><td>its host has kept no version that is as old</td><td class=\"n\">1</td></tr>",
		"<tr><td>not captured: the server does not give it</td><td class=\"n\">1</td></tr>",
	} {
		if !strings.Contains(report, want) && !strings.Contains(report, strings.ReplaceAll(want, "&#39;", "'")) {
			t.Errorf("got\n%s\nwant %s", report, want)
		}
	}
	for _, what := range []string{"ledger", "exchanges"} {
		text := slurp(t, o.dir, what)
		if what == "exchanges" {
			text = unzipped(t, o.dir)
			if !strings.Contains(text, "lastModifiedDateTime") || !strings.Contains(text, "/v1.0/shares/(link)/driveItem") {
				t.Errorf("got %s, want the answers of the API", text)
			}
		}
		for _, secret := range []string{cloud.Good, cloud.Secret, "Bearer", "downloadUrl", "displayName"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: got %q, want it nowhere", what, secret)
			}
		}
	}
}

// An account that is new opens the references without a body, in the version of the time of each message. A captured
// one stays as it is until it is captured again, and without the account nothing is opened.
func TestAccountAdded(t *testing.T) {
	o := newOffice(t)
	failed := o.link("failed", march(1, 0, 0), march(10, 0, 0), march(20, 0, 0))
	had := o.link("had", march(1, 0, 0), march(20, 0, 0))
	o.mail(failed, march(2, 0, 0), march(2, 0, 0))
	o.mail(failed, march(12, 0, 0), march(12, 0, 0))
	o.mail(failed, march(12, 0, 0), time.Time{})
	o.mail(had, march(12, 0, 0), march(12, 0, 0))
	asked := make(map[string]int)
	anonymous := func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked[req.RawURL()]++
		if strings.Contains(req.RawURL(), "failed") {
			return nil, errLogin
		}
		text := "%PDF public"
		return &fetch.Response{URL: req.URL, MediaType: "application/pdf", Size: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
	}
	show := func(rows map[string]map[string]string) (list []string) {
		for _, id := range slices.Sorted(maps.Keys(rows)) {
			list = append(list, strings.TrimSpace(rows[id]["capture"]+" "+o.captured(rows[id])+" "+rows[id]["history"]))
		}
		return list
	}
	check := func(when string, rows map[string]map[string]string, want ...string) {
		t.Helper()
		if got := show(rows); !slices.Equal(got, want) {
			t.Errorf("%s: got  %q\nwant %q", when, got, want)
		}
	}
	check("without", o.sync(o.without(anonymous)), "exception interstitial", "exception interstitial", "exception interstitial", "current %PDF public")
	opened := []string{"version " + pdf(march(1, 0, 0)), "version " + pdf(march(10, 0, 0)), "current " + pdf(march(20, 0, 0)) + " no-arrival"}
	o.clock.set(march(29, 1, 0), 0)
	check("with", o.sync(o.with()), append(opened, "current %PDF public")...)
	clear(asked)
	o.clock.set(march(30, 1, 0), 0)
	requests := o.Requests("")
	check("again", o.sync(o.with()), append(opened, "current %PDF public")...)
	check("removed", o.sync(o.without(anonymous)), append(opened, "current %PDF public")...)
	if n := o.Requests("") - requests; n > 0 || len(asked) > 0 {
		t.Errorf("got %d requests and %v, want none", n, asked)
	}
	again := o.with()
	again.Recapture = day
	o.clock.set(march(31, 1, 0), 0)
	check("recapture", o.sync(again), append(opened, "version "+pdf(march(1, 0, 0)))...)
	a, err := archive.Open(o.dir, false, &archive.Options{Now: o.clock.now})
	must(t, err)
	defer a.Close()
	if res, err := a.Retry(t.Context(), selector(t, "message=<4@example.org>"), o.with()); err != nil || res.Captures != 1 {
		t.Errorf("got %+v, %v; want one captured again", res.Counts, err)
	}
}

// A measurement: messages whose files change each minute, collected a day after the last one, with the history of a
// third of the files cut.
//
//	EXTBODY_TEST_MAILS=200 go test -v -run TestAccountMinutes ./examples/extbody/internal/archive
func TestAccountMinutes(t *testing.T) {
	o := newOffice(t)
	o.PageSize = 400
	n := often("EXTBODY_TEST_MAILS", 6)
	want := make(map[string]string)
	const minutes, kept = 2 * 24 * 60, 300
	for i := range n {
		name := fmt.Sprintf("file%d", i)
		var times []time.Time
		for m := range minutes {
			times = append(times, march(10, 0, m))
		}
		at := march(10, 0, 0).Add(time.Duration(i) * day / time.Duration(n)).Add(17 * time.Second).Truncate(time.Second)
		label := "version " + pdf(at.Truncate(time.Minute))
		if i%3 == 2 {
			times = times[len(times)-kept:]
			label = "current " + pdf(times[kept-1]) + " cut"
		}
		link := o.link(name, times...)
		o.files[link].Created = march(10, 0, 0)
		o.mail(link, at, at.Add(20*time.Second))
		want[fmt.Sprintf("%d@example.org", i+1)] = label
	}
	o.clock.set(march(12, 0, 0), 0)
	right := 0
	for id, row := range o.sync(o.with()) {
		if got := strings.TrimSpace(row["capture"] + " " + o.captured(row) + " " + row["history"]); got != want[id] {
			t.Errorf("%s: got %s, want %s", id, got, want[id])
			continue
		}
		right++
	}
	t.Logf("%d of %d mails: as wanted; %d requests to the API, %d bodies", right, n, o.Requests("GET "), o.Requests("octets"))
}
