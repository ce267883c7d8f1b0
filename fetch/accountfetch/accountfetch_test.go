package accountfetch_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/sharefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/cloud"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func day(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }

// three returns a file with three versions.
func three(name string) *cloud.File {
	return &cloud.File{Name: name, MediaType: "application/pdf", Versions: []cloud.Version{{At: day(1), Text: "one"}, {At: day(10), Text: "the second"}, {At: day(20), Text: "third and last"}}}
}

const (
	share  = "EabcdefghijklmnopqrsT"
	site   = "https://contoso.sharepoint.com/:b:/s/team/" + share
	vanity = "https://files.contoso.example/:b:/s/team/" + share
	driveS = "1S3cretS3cretS3cretS3cretS3cre"
	inBox  = "https://drive.google.com/file/d/" + driveS + "/view?usp=sharing"
)

// office is an account at Graph, and mine one at Drive.
var (
	office = accountfetch.Account{Name: "work", Provider: "graph", Hosts: []string{".contoso.example", "contoso.sharepoint.com", "1drv.ms"}, First: true}
	mine   = accountfetch.Account{Name: "home", Provider: "drive", Hosts: []string{"drive.google.com", "docs.google.com"}}
)

// A world has the layers as package safefetch puts them, above a Cloud.
type world struct {
	*cloud.Cloud
	fetch.Fetcher
	file    *cloud.File
	tokens  []string // that the command gives; the last one again and again
	asked   int      // for tokens
	public  map[string]string
	without int // requests without an account
	seen    []*fetch.Exchange
	max     int64
	hops    []string
}

func newWorld(t *testing.T, a accountfetch.Account) *world {
	x := &world{Cloud: cloud.New(t), public: make(map[string]string), tokens: []string{cloud.Good}}
	web := httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard(), TLSConfig: x.TLS()})
	t.Cleanup(web.CloseIdleConnections)
	if a.Base == "" {
		a.Base = x.API.URL + map[string]string{"graph": "/v1.0", "drive": "/drive/v3"}[a.Provider]
	}
	if a.Token == nil {
		a.Token = x.token
	}
	x.Fetcher = accountfetch.New(sharefetch.New(fetch.Func(x.anonymous)), throttle.New(web, &throttle.Options{PerHost: 4}), a)
	x.file = three("report.pdf")
	if a.Provider == "drive" {
		x.file.ID = driveS
	}
	x.Add(site, x.file)
	return x
}

// anonymous gives public files, and a page to log in for all else.
func (x *world) anonymous(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	x.without++
	text, ok := x.public[req.URL.String()]
	mediaType := ""
	if !ok {
		text = "<!DOCTYPE html><title>Sign in</title>"
		mediaType = "text/html"
	}
	return &fetch.Response{MediaType: mediaType, Size: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
}

func (x *world) token(context.Context, string) (string, error) {
	x.asked++
	token := x.tokens[0]
	if len(x.tokens) > 1 {
		x.tokens = x.tokens[1:]
	}
	return token, nil
}

// An outcome is the result of a fetch.
type outcome struct {
	text string
	resp *fetch.Response
	err  error
}

func (x *world) get(ctx context.Context, link string, at time.Time) outcome {
	u, err := url.Parse(link)
	if err != nil {
		return outcome{err: err}
	}
	req := &fetch.Request{URL: u, Secret: true, AsOf: at, MaxBytes: x.max}
	req.Observe = func(e *fetch.Exchange) { x.seen = append(x.seen, e) }
	req.CheckHop = func(_ context.Context, _, to *url.URL) error {
		x.hops = append(x.hops, to.String())
		return nil
	}
	resp, err := fetch.Do(ctx, x.Fetcher, req)
	if err != nil {
		return outcome{err: err}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return outcome{string(b), resp, err}
}

// String returns the text, the label, the version and its history; or the Kind and the words.
func (o outcome) String() string {
	if o.err != nil {
		e, ok := errors.AsType[*fetch.Error](o.err)
		if !ok || e.Err == nil {
			return o.err.Error()
		}
		return fmt.Sprintf("%s: %s", fetch.KindOf(o.err), e.Err)
	}
	version, history := "-", "-"
	if object := driver.OfResponse(o.resp).Object; object != nil {
		if object.Version != "" {
			version = strings.TrimPrefix(object.Version[:min(5, len(object.Version))], `"`)
		}
		if object.History != "" {
			history = object.History
		}
	}
	return fmt.Sprintf("%q %s %s %s", o.text, o.resp.Capture, version, history)
}

// written is everything that a caller may write down of a fetch.
func (x *world) written(o outcome) string {
	b, _ := json.Marshal(x.seen)
	s := string(b) + strings.Join(x.hops, " ")
	if o.err != nil {
		s += o.err.Error()
	}
	if o.resp != nil {
		object, _ := json.Marshal(driver.OfResponse(o.resp).Object)
		s += fmt.Sprint(o.resp.URL, o.resp.Header, o.resp.Checks) + string(object)
	}
	return s
}

// A row is a case. counts are the requests to the API, for octets, for tokens and without an account.
type row struct {
	name   string
	link   string // "" for site, or for inBox
	at     time.Time
	setup  func(*world)
	want   string
	counts [4]int
}

// TestGraph is OP-55 and OP-56: the cases of Graph, their costs, and that nothing leaks in any of them.
func TestGraph(t *testing.T) {
	const late = `"third and last" current c:{E `
	run(t, office, []row{
		{name: "PublicHostOfNoAccount", link: "https://www.dropbox.com/scl/fi/a1SECRET1a2B3c4/r.pdf?rlkey=SECRET&dl=0", setup: func(x *world) {
			x.public["https://www.dropbox.com/scl/fi/a1SECRET1a2B3c4/r.pdf?rlkey=SECRET&dl=1"] = "%PDF"
		}, want: `"%PDF" current - -`, counts: [4]int{0, 0, 0, 1}},
		{name: "Present", want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "Fragment", link: site + "#page=2", want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "OtherTenant", setup: func(x *world) {
			x.Tokens["stranger"] = -1
			x.tokens = []string{"stranger"}
			x.file.Strangers = true
		}, want: "forbidden: the API answers 403 accessDenied", counts: [4]int{1, 0, 1, 1}},
		{name: "Folder", setup: func(x *world) { x.file.Kind = "folder" }, want: "unsupported: the link is to a folder", counts: [4]int{1, 0, 1, 0}},
		{name: "Bundle", setup: func(x *world) { x.file.Kind = "bundle" }, want: "unsupported: the link is to a folder", counts: [4]int{1, 0, 1, 0}},
		{name: "Notebook", setup: func(x *world) { x.file.Kind = "package" }, want: "unsupported: the link is to a document without octets", counts: [4]int{1, 0, 1, 0}},
		{name: "Shortcut", setup: func(x *world) {
			x.file.Target = x.Add("", &cloud.File{Name: "target.pdf", MediaType: "application/pdf", Versions: []cloud.Version{{At: day(2), Text: "target"}}})
		}, want: `"target" current c:{E -`, counts: [4]int{2, 1, 1, 0}},
		{name: "Withdrawn", setup: func(x *world) { delete(x.Links, site) }, want: "forbidden: the API answers 403 accessDenied", counts: [4]int{1, 0, 1, 1}},
		{name: "RevokedMeanwhile", setup: func(x *world) { x.file.Deny = "accessDenied" }, want: "forbidden: the API answers 403 accessDenied", counts: [4]int{2, 0, 1, 0}},
		{name: "RecordingThatMayOnlyBeSeen", setup: func(x *world) { x.file.Name, x.file.Deny = "Weekly.mp4", "notAllowed" }, want: "forbidden: the API answers 403 notAllowed", counts: [4]int{2, 0, 1, 0}},
		{name: "LinkThatMayOnlyBeSeen", at: day(12), setup: func(x *world) { x.file.Deny = "accessDenied" }, want: "forbidden: the API answers 403 accessDenied", counts: [4]int{4, 0, 1, 0}},
		{name: "SensitivityLabel", setup: func(x *world) { x.file.BadDigest, x.file.Announced = true, 99 }, want: "digest-mismatch: the graph quickxor of the API disagrees", counts: [4]int{3, 1, 1, 0}},
		{name: "Malware", setup: func(x *world) { x.file.Deny = "malwareDetected" }, want: "forbidden: the API answers 403 malwareDetected", counts: [4]int{2, 0, 1, 0}},
		{name: "WordsOfTheServer", setup: func(x *world) { x.file.Deny = "SECRET words\r\n" }, want: "forbidden: the API answers 403", counts: [4]int{2, 0, 1, 0}},
		{name: "WordIsToken", setup: func(x *world) {
			x.Tokens["a.SECRET.t0ken"] = -1
			x.tokens = []string{"a.SECRET.t0ken"}
			x.file.Deny = "a.SECRET.t0ken"
		}, want: "forbidden: the API answers 403", counts: [4]int{2, 0, 1, 0}},
		{name: "WordIsLink", setup: func(x *world) { x.file.Deny = base64.RawURLEncoding.EncodeToString([]byte(site)) }, want: "forbidden: the API answers 403", counts: [4]int{2, 0, 1, 0}},
		{name: "OctetsWantLogin", setup: func(x *world) { x.Refuse = 401 }, want: "credentials: status 401 Unauthorized", counts: [4]int{2, 1, 1, 0}},
		{name: "OctetsRefused", setup: func(x *world) { x.Refuse = 403 }, want: "forbidden: status 403 Forbidden", counts: [4]int{2, 1, 1, 0}},
		{name: "MoreThanSelected", at: day(12), setup: func(x *world) { x.Talks = true }, want: `"the second" version 2.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "NoID", setup: func(x *world) { x.file.ID = "" }, want: "protocol: the answer of the API cannot be read", counts: [4]int{1, 0, 1, 0}},
		{name: "TokenEnded", setup: func(x *world) { x.tokens = []string{"old", cloud.Good} }, want: late + "-", counts: [4]int{3, 1, 2, 0}},
		{name: "TokenEndsBetween", at: day(12), setup: func(x *world) {
			x.Tokens["short"] = 1
			x.tokens = []string{"short", cloud.Good}
		}, want: `"the second" version 2.0 -`, counts: [4]int{5, 1, 2, 0}},
		{name: "TokenRefusedTwice", setup: func(x *world) { x.tokens = []string{"old", "older", "oldest"} }, want: "credentials: the API refuses the token", counts: [4]int{2, 0, 2, 0}},
		{name: "TokenSame", setup: func(x *world) { x.tokens = []string{"old"} }, want: "credentials: the API refuses the token", counts: [4]int{1, 0, 2, 0}},
		{name: "TokenNone", setup: func(x *world) { x.tokens = []string{""} }, want: "credentials: the API refuses the token", counts: [4]int{0, 0, 1, 0}},
		{name: "TokenOfTwoLines", setup: func(x *world) { x.tokens = []string{"a\r\nX-Evil: 1"} }, want: "credentials: the token of the account is not one word", counts: [4]int{0, 0, 1, 0}},
		{name: "LoginEndedAndPublic", setup: func(x *world) {
			x.tokens = []string{"old", "older", "oldest"}
			x.public[site+"?download=1"] = "%PDF of all"
		}, want: "credentials: the API refuses the token", counts: [4]int{2, 0, 2, 0}},
		{name: "OctetsElsewhere", setup: func(x *world) { x.Redirect = strings.Replace(x.Other.URL, "127.0.0.1", "evil.example.com", 1) }, want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "OctetsAtPrivate", setup: func(x *world) { x.Redirect = "https://10.0.0.1" }, want: "blocked: ", counts: [4]int{2, 0, 1, 0}},
		{name: "OctetsWithoutTLS", setup: func(x *world) { x.Redirect = "http://octets.example.com" }, want: "blocked: ", counts: [4]int{2, 0, 1, 0}},
		{name: "OctetsAsPage", setup: func(x *world) { x.file.Octets = "text/html; charset=utf-8" }, want: "interstitial: a page where a file was expected", counts: [4]int{2, 1, 1, 0}},
		{name: "OctetsOfPage", setup: func(x *world) {
			x.file.MediaType = "text/html"
			x.file.Octets = "text/html"
		}, want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "NextPageElsewhere", at: day(5), setup: func(x *world) { x.NextPage = x.Other.URL }, want: "blocked: the API names a page elsewhere", counts: [4]int{2, 0, 1, 0}},
		{name: "NextPageAbove", at: day(5), setup: func(x *world) { x.NextPage = x.API.URL + "/v1.0/../x" }, want: "blocked: the API names a page elsewhere", counts: [4]int{2, 0, 1, 0}},
		{name: "NextPage", at: day(5), want: `"one" version 1.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "Busy", setup: func(x *world) { x.Busy = 1 }, want: late + "-", counts: [4]int{3, 1, 1, 0}},
		{name: "Huge", setup: func(x *world) { x.max = 8 }, want: "too-large: 14 octets, by the API", counts: [4]int{1, 0, 1, 0}},
		{name: "Digest", setup: func(x *world) { x.file.BadDigest = true }, want: "digest-mismatch: the graph quickxor of the API disagrees", counts: [4]int{3, 1, 1, 0}},
		{name: "Size", setup: func(x *world) { x.file.Announced = 12 }, want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "ChangedMeanwhile", setup: func(x *world) {
			x.OnOpen = func() { x.file.Versions = append(x.file.Versions, cloud.Version{At: day(21), Text: "fourth"}) }
		}, want: "unavailable: the file was changed while it was fetched", counts: [4]int{3, 1, 1, 0}},
		{name: "ChangedMeanwhileNoDigest", at: day(20), setup: func(x *world) {
			x.file.NoDigest = true
			x.OnOpen = func() { x.file.Versions = append(x.file.Versions, cloud.Version{At: day(21), Text: "fourth"}) }
		}, want: "unavailable: the file was changed while it was fetched", counts: [4]int{3, 1, 1, 0}},
		{name: "NoDigest", at: day(20), setup: func(x *world) { x.file.NoDigest = true }, want: `"third and last" version c:{E -`, counts: [4]int{3, 1, 1, 0}},
		{name: "Version", at: day(12), want: `"the second" version 2.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "VersionAtTheSecond", at: day(10), want: `"the second" version 2.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "VersionBefore", at: day(10).Add(-time.Second), want: `"one" version 1.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "VersionDeleted", at: day(12), setup: func(x *world) { x.file.Deleted = map[string]bool{"2.0": true} }, want: late + "deleted", counts: [4]int{5, 1, 1, 0}},
		{name: "VersionsHidden", at: day(12), setup: func(x *world) { x.file.Hidden = true }, want: late + "hidden", counts: [4]int{3, 1, 1, 0}},
		{name: "VersionsOfOtherClock", at: day(12), setup: func(x *world) { x.ClockSkew = -8 * time.Hour }, want: late + "clock", counts: [4]int{3, 1, 1, 0}},
		{name: "VersionsWithoutEnd", at: day(1), setup: func(x *world) {
			for i := range 60 {
				x.file.Versions = append(x.file.Versions, cloud.Version{At: day(21).Add(time.Duration(i) * time.Minute), Text: "more"})
			}
		}, want: `"more" current c:{E long`, counts: [4]int{22, 1, 1, 0}},
		{name: "Renamed", at: day(12), setup: func(x *world) { x.file.Name = "other.pdf" }, want: `"the second" version 2.0 -`, counts: [4]int{4, 1, 1, 0}},
		{name: "OlderThanHistory", at: day(12), setup: func(x *world) { x.file.Versions = x.file.Versions[2:] }, want: late + "cut", counts: [4]int{3, 1, 1, 0}},
		{name: "YoungerThanMail", at: day(1).Add(-time.Hour), want: late + "younger", counts: [4]int{2, 1, 1, 0}},
		{name: "Unchanged", at: day(25), want: `"third and last" version c:{E -`, counts: [4]int{2, 1, 1, 0}},
		{name: "OnlyTouched", at: day(22), setup: func(x *world) { x.file.Touched = day(24) }, want: `"third and last" version c:{E -`, counts: [4]int{4, 1, 1, 0}},
		{name: "PersonalLink", link: "https://1drv.ms/u/s!AabcdefghijklmnopqrsT", want: "not-found: the API answers 400 invalidRequest", counts: [4]int{1, 0, 1, 0}},
		{name: "PublicAndRefused", setup: func(x *world) {
			delete(x.Links, site)
			x.public[site+"?download=1"] = "%PDF of all"
		}, want: `"%PDF of all" current - -`, counts: [4]int{1, 0, 1, 1}},
		{name: "PublicAndRefusedAsOf", at: day(12), setup: func(x *world) {
			delete(x.Links, site)
			x.public[site+"?download=1"] = "%PDF of all"
		}, want: `"%PDF of all" current - not-by-account`, counts: [4]int{1, 0, 1, 1}},
		{name: "NoShareAtTheHost", link: "https://files.contoso.example/", want: "forbidden: the API answers 403 accessDenied", counts: [4]int{1, 0, 1, 0}},
		{name: "VanityRefused", link: vanity, want: "forbidden: the API answers 403 accessDenied", counts: [4]int{1, 0, 1, 0}},
		{name: "Vanity", link: vanity, setup: func(x *world) { x.Links[vanity] = x.file }, want: late + "-", counts: [4]int{2, 1, 1, 0}},
		{name: "ConnectionLost", setup: func(x *world) { x.Cut = true }, want: late + "-", counts: [4]int{3, 2, 1, 0}},
		{name: "ConnectionLostInVersion", at: day(12), setup: func(x *world) { x.Cut = true }, want: `"the second" version 2.0 -`, counts: [4]int{5, 2, 1, 0}},
		{name: "StrangersTenant", link: strings.Replace(site, "contoso", "stranger", 1), want: "interstitial: ", counts: [4]int{0, 0, 0, 1}},
		{name: "HostThatLooksAlike", link: strings.Replace(site, "contoso.sharepoint.com", "contoso.sharepoint.com.evil.example", 1), want: `"<!DOCTYPE`, counts: [4]int{0, 0, 0, 1}},
		{name: "HostWithMoreBefore", link: strings.Replace(site, "contoso", "xcontoso", 1), want: "interstitial: ", counts: [4]int{0, 0, 0, 1}},
		{name: "SuffixWithoutDot", link: strings.Replace(vanity, "files.contoso", "filescontoso", 1), want: `"<!DOCTYPE`, counts: [4]int{0, 0, 0, 1}},
		{name: "Userinfo", link: strings.Replace(site, "contoso.sharepoint.com", "contoso.sharepoint.com@evil.example", 1), want: `"<!DOCTYPE`, counts: [4]int{0, 0, 0, 1}},
		{name: "WithUser", link: strings.Replace(site, "contoso", "ann@contoso", 1), want: "", counts: [4]int{0, 0, 0, 1}},
		{name: "WithPort", link: strings.Replace(site, ".com/", ".com:8443/", 1), want: "", counts: [4]int{0, 0, 0, 1}},
		{name: "WithoutTLS", link: strings.Replace(site, "https", "http", 1), want: "", counts: [4]int{0, 0, 0, 1}},
	})
}

// TestDrive is OP-55 and OP-56 for Drive, whose octets come from the API itself.
func TestDrive(t *testing.T) {
	const late = `"third and last" current r3 `
	run(t, mine, []row{
		{name: "Present", want: late + "-", counts: [4]int{2, 0, 1, 1}},
		{name: "Version", at: day(12), want: `"the second" version r2 -`, counts: [4]int{3, 0, 1, 0}},
		{name: "Unchanged", at: day(21), want: `"third and last" version r3 -`, counts: [4]int{2, 0, 1, 0}},
		{name: "OlderThanHistory", at: day(12), setup: func(x *world) { x.file.Versions = x.file.Versions[2:] }, want: `"third and last" current r1 cut`, counts: [4]int{3, 0, 1, 0}},
		{name: "VersionDeleted", at: day(12), setup: func(x *world) { x.file.Deleted = map[string]bool{"r2": true} }, want: late + "deleted", counts: [4]int{4, 0, 1, 0}},
		{name: "VersionsHidden", at: day(12), setup: func(x *world) { x.file.Hidden = true }, want: late + "hidden", counts: [4]int{3, 0, 1, 0}},
		{name: "Digest", setup: func(x *world) { x.file.BadDigest = true }, want: "digest-mismatch: the drive md5 of the API disagrees", counts: [4]int{3, 0, 1, 1}},
		{name: "ResourceKeyMissing", setup: func(x *world) { x.file.Key = "0-abc" }, want: "not-found: the API answers 404 notFound; without an account: interstitial", counts: [4]int{1, 0, 1, 1}},
		{name: "ResourceKey", link: inBox + "&resourcekey=0-abc", setup: func(x *world) { x.file.Key = "0-abc" }, want: late + "-", counts: [4]int{2, 0, 1, 1}},
		{name: "Shortcut", setup: func(x *world) {
			x.file.Target = x.Add("", &cloud.File{ID: "1T4rget", Name: "target.pdf", MediaType: "application/pdf", Key: "0-k", Versions: []cloud.Version{{At: day(2), Text: "target"}}})
		}, want: `"target" current r1 -`, counts: [4]int{3, 0, 1, 1}},
		{name: "Document", setup: func(x *world) { x.file.MediaType = "application/vnd.google-apps.document" }, want: `"%PDF of report.pdf" rendition - -`, counts: [4]int{2, 0, 1, 1}},
		{name: "DocumentAsOf", at: day(12), setup: func(x *world) { x.file.MediaType = "application/vnd.google-apps.document" }, want: `"%PDF of report.pdf" rendition - rendition`, counts: [4]int{2, 0, 1, 0}},
		{name: "ShortcutToNothing", setup: func(x *world) { x.file.Target = new(cloud.File) }, want: "protocol: the answer of the API cannot be read", counts: [4]int{1, 0, 1, 1}},
		{name: "OtherFile", setup: func(x *world) { x.file.ID = "1Other" }, want: "protocol: the API answers for another file", counts: [4]int{1, 0, 1, 1}},
		{name: "Form", setup: func(x *world) { x.file.MediaType = "application/vnd.google-apps.form" }, want: "unsupported: the link is to a document", counts: [4]int{1, 0, 1, 1}},
		{name: "Folder", setup: func(x *world) { x.file.MediaType = "application/vnd.google-apps.folder" }, want: "unsupported: the link is to a folder", counts: [4]int{1, 0, 1, 1}},
		{name: "Trash", setup: func(x *world) { x.file.Trashed = true }, want: "gone: the file is in the trash", counts: [4]int{1, 0, 1, 1}},
		{name: "RateAs403", setup: func(x *world) { x.file.Deny = "userRateLimitExceeded" }, want: "unavailable: the API answers 403 userRateLimitExceeded", counts: [4]int{2, 0, 1, 1}},
		{name: "Abuse", setup: func(x *world) { x.file.Deny = "cannotDownloadAbusiveFile" }, want: "forbidden: the API answers 403 cannotDownloadAbusiveFile", counts: [4]int{2, 0, 1, 1}},
		{name: "Public", setup: func(x *world) {
			x.public["https://drive.usercontent.google.com/download?id="+driveS+"&export=download&confirm=t"] = "%PDF of all"
		}, want: `"%PDF of all" current - -`, counts: [4]int{0, 0, 0, 1}},
	})
}

// run runs the cases of an account.
func run(t *testing.T, a accountfetch.Account, rows []row) {
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			x := newWorld(t, a)
			if tt.setup != nil {
				tt.setup(x)
			}
			if tt.link == "" {
				tt.link = map[string]string{"graph": site, "drive": inBox}[a.Provider]
			}
			got := x.get(t.Context(), tt.link, tt.at)
			if !strings.HasPrefix(got.String(), tt.want) {
				t.Errorf("got  %s\nwant %s\n%v", got, tt.want, got.err)
			}
			counts := [4]int{x.Requests("GET "), x.Requests("octets"), x.asked, x.without}
			if counts != tt.counts {
				t.Errorf("got %d requests to the API, %d for octets, %d for tokens and %d without an account, want %v", counts[0], counts[1], counts[2], counts[3], tt.counts)
			}
			if m := x.Misuses(); len(m) > 0 {
				t.Errorf("got %q, want none of it", m)
			}
			encoded := base64.RawURLEncoding.EncodeToString([]byte(tt.link))
			if got.err != nil && strings.Contains(got.err.Error(), "SECRET") {
				t.Errorf("got %v, want it without a text of the API", got.err)
			}
			secrets := []string{cloud.Secret, cloud.Good}
			if x.without == 0 { // otherwise sharefetch has asked for the link, and shows it to its caller
				secrets = append(secrets, share, driveS, encoded)
			}
			for _, secret := range secrets {
				if s := x.written(got); strings.Contains(s, secret) {
					t.Errorf("got %q in %s, want it in no record", secret, s)
				}
			}
			t.Logf("%s | %v", got, counts)
		})
	}
}
