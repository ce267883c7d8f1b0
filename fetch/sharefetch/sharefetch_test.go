package sharefetch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

func request(text string) *fetch.Request {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return &fetch.Request{URL: u}
}

// A host is a Fetcher of answers in memory, by URL. It records its requests.
type host struct {
	answers map[string]answerTo
	asked   []string
	last    *fetch.Request
}

type answerTo struct {
	mediaType   string
	disposition string
	body        string
	err         error
	capture     fetch.Capture
	codings     []string
	hops        []*url.URL
}

func (h *host) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	h.asked = append(h.asked, req.URL.String())
	h.last = req
	a, ok := h.answers[req.URL.String()]
	if !ok {
		return nil, fetch.NotFound
	}
	if a.err != nil {
		return nil, a.err
	}
	header := make(textproto.MIMEHeader)
	header.Set("ETag", `"v1"`)
	if a.disposition != "" {
		header.Set("Content-Disposition", a.disposition)
	}
	resp := &fetch.Response{
		URL:       req.URL,
		MediaType: a.mediaType,
		Size:      int64(len(a.body)),
		Body:      io.NopCloser(strings.NewReader(a.body)),
		Header:    header,
		Capture:   a.capture,
		Hops:      a.hops,
	}
	driver.OfResponse(resp).Codings = a.codings
	return resp, nil
}

const page = "<!DOCTYPE html><title>Sign in</title>SECRET"

func TestFetch(t *testing.T) {
	const (
		dropbox   = "https://www.dropbox.com/scl/fi/a1SECRET1a2B3c4/r.pdf?rlkey=SECRET&dl=0"
		dropbox1  = "https://www.dropbox.com/scl/fi/a1SECRET1a2B3c4/r.pdf?rlkey=SECRET&dl=1"
		onedrive  = "https://1drv.ms/u/c/c1SECRET/d21a2B3c4D5e"
		onedrive1 = "https://my.microsoftpersonalcontent.com/personal/c1SECRET/_layouts/15/download.aspx?share=d21a2B3c4D5e"
		docs      = "https://docs.google.com/document/d/1SECRET1a2B3c4D5e6F7g8H9i0J1/edit"
		docs1     = "https://docs.google.com/document/d/1SECRET1a2B3c4D5e6F7g8H9i0J1/export?format=pdf"
		box       = "https://app.box.com/s/p0SECRET/folder/170000001"
		other     = "https://files.example/a"
		wetl      = "https://we.tl/t-SECRET"
		naver     = "https://bigfile.mail.naver.com/download?fid=SECRET1a2B3c"
		tianyi    = "https://download.cloud.189.cn/file/downloadFile.action?expired=1000000&sig=SECRET"
		tianyi2   = "https://download.cloud.189.cn/file/downloadFile.action?expired=4102444800000&sig=SECRET"
	)
	pdf := answerTo{mediaType: "application/pdf", body: "%PDF-1.7"}
	html := answerTo{mediaType: "text/html", body: page}
	report := answerTo{mediaType: "text/html", body: "<!DOCTYPE html><title>Report</title>"}
	for _, tt := range []struct {
		name    string
		url     string
		as      string // the announced name
		mime    string
		size    int64
		answer  answerTo // to the URL that is to be asked for
		asked   string   // "" if nothing may be sent
		hops    int
		capture fetch.Capture
		kind    fetch.Kind
		says    string
	}{
		{name: "Other", url: other, answer: html, asked: other},
		{name: "OtherFails", url: other, answer: answerTo{err: fetch.Gone}, asked: other, kind: fetch.Gone},
		{name: "Direct", url: dropbox, answer: pdf, asked: dropbox1, capture: fetch.CaptureCurrent},
		{name: "Version", url: dropbox, answer: answerTo{body: "%PDF", capture: fetch.CaptureVersion}, asked: dropbox1, capture: fetch.CaptureVersion},
		{name: "OtherHost", url: onedrive, answer: pdf, asked: onedrive1, hops: 1, capture: fetch.CaptureCurrent},
		{name: "HopsOfNext", url: onedrive, answer: answerTo{body: "x", hops: []*url.URL{{Host: "h"}}}, asked: onedrive1, hops: 2, capture: fetch.CaptureCurrent},
		{name: "Rendition", url: docs, as: "r.html", mime: "application/vnd.google-apps.document", size: 7, answer: pdf, asked: docs1, capture: fetch.CaptureRendition},
		{name: "RenditionPage", url: docs, as: "r.html", answer: html, asked: docs1, kind: fetch.Interstitial},
		{name: "Itself", url: naver, as: "a.zip", answer: answerTo{body: "PK\x03\x04"}, asked: naver, capture: fetch.CaptureCurrent},
		{name: "Program", url: wetl, kind: fetch.Unsupported, says: "only a program of the host's own"},
		{name: "Account", url: "https://onedrive.live.com/download?resid=6CB!SECRET", kind: fetch.Credentials, says: "wants an account"},
		{name: "NoAddress", url: "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D&f=SECRET", kind: fetch.Unsupported, says: "no address"},
		{name: "Own", url: "https://files.example:8443/own/s/SECRET", answer: pdf, asked: "https://files.example:8443/own/s/SECRET/download", capture: fetch.CaptureCurrent},
		{name: "OwnPage", url: "https://files.example:8443/own/s/SECRET", answer: html, asked: "https://files.example:8443/own/s/SECRET/download", kind: fetch.Interstitial},

		{name: "Folder", url: box, kind: fetch.Unsupported, says: "folder"},
		{name: "EndToEnd", url: "https://mega.nz/file/SECRET1a#SECRET", kind: fetch.Unsupported, says: "encrypted"},
		{name: "EndToEndOld", url: "https://mega.nz/#!SECRET1a!SECRET", kind: fetch.Unsupported, says: "encrypted"},

		{name: "Quota", url: dropbox, answer: answerTo{mediaType: "text/html", body: "<html><title>Google Drive - Quota exceeded</title>"}, asked: dropbox1, kind: fetch.Unavailable, says: "(quota exceeded)"},
		{name: "Page", url: dropbox, answer: html, asked: dropbox1, kind: fetch.Interstitial, says: "(login)"},
		{name: "PageForName", url: naver, as: "a.zip", answer: answerTo{mediaType: "application/zip", body: page}, asked: naver, kind: fetch.Interstitial},
		{name: "PageForType", url: naver, mime: "application/zip", answer: html, asked: naver, kind: fetch.Interstitial},
		{name: "HTML", url: naver, as: "a.html", answer: report, asked: naver, capture: fetch.CaptureCurrent},
		{name: "LoginForHTML", url: naver, as: "a.html", answer: html, asked: naver, kind: fetch.Interstitial, says: "(login)"},
		{name: "NameBeforeLink", url: dropbox, as: "r.html", answer: report, asked: dropbox1, capture: fetch.CaptureCurrent},
		{name: "Attachment", url: naver, answer: answerTo{mediaType: "text/html", disposition: "attachment", body: page}, asked: naver, capture: fetch.CaptureCurrent},
		{name: "Size", url: naver, as: "a.zip", size: int64(len(page)), answer: html, asked: naver, capture: fetch.CaptureCurrent},
		{name: "Coded", url: naver, as: "a.zip", answer: answerTo{mediaType: "text/html", body: "\x1f\x8b\x08", codings: []string{"gzip"}}, asked: naver, kind: fetch.Interstitial},

		{name: "NotFound", url: dropbox, answer: answerTo{err: fetch.NotFound}, asked: dropbox1, kind: fetch.NotFound},
		{name: "Forbidden", url: onedrive, answer: answerTo{err: &fetch.Error{Op: "fetch", URL: onedrive1, Kind: fetch.Forbidden}}, asked: onedrive1, kind: fetch.Forbidden},
		{name: "URLError", url: onedrive, answer: answerTo{err: &url.Error{Op: "Get", URL: onedrive1, Err: io.ErrUnexpectedEOF}}, asked: onedrive1, kind: fetch.Truncated},
		{name: "Expired", url: tianyi, answer: answerTo{err: &fetch.Error{Kind: fetch.Forbidden, Err: errors.New("status 403")}}, asked: tianyi, kind: fetch.Expired, says: "1970-01-01T00:16:40Z: status 403"},
		{name: "NotExpired", url: tianyi2, answer: answerTo{err: fetch.Forbidden}, asked: tianyi2, kind: fetch.Forbidden},
		{name: "ExpiredPage", url: tianyi, as: "a.zip", answer: html, asked: tianyi, kind: fetch.Expired, says: "a page came"},
		{name: "ExpiredUnavailable", url: tianyi, answer: answerTo{err: fetch.Unavailable}, asked: tianyi, kind: fetch.Unavailable},
		{name: "ExpiredButThere", url: tianyi, answer: pdf, asked: tianyi, capture: fetch.CaptureCurrent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &host{answers: map[string]answerTo{tt.asked: tt.answer}}
			f := sharefetch.New(h)
			req := request(tt.url)
			req.ShareHosts = map[string]string{"files.example:8443/own": "nextcloud"}
			req.Name, req.MediaType, req.Size = tt.as, tt.mime, tt.size
			resp, err := f.Fetch(t.Context(), req)
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got error %v, want %v", err, tt.kind)
			}
			if want := []string{tt.asked}; tt.asked == "" && h.asked != nil || tt.asked != "" && !slices.Equal(h.asked, want) {
				t.Errorf("asked %q, want %q", h.asked, want)
			}
			if err != nil {
				if tt.url != other {
					checkError(t, err, tt.says)
				}
				return
			}
			defer resp.Body.Close()
			if tt.capture == fetch.CaptureRendition && h.last.MediaType != "application/pdf" {
				t.Errorf("got %s asked for, want application/pdf", h.last.MediaType)
			}
			got := []any{resp.Capture, len(resp.Hops), resp.URL.String(), resp.Header.Get("ETag")}
			if want := []any{tt.capture, tt.hops, tt.asked, `"v1"`}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if tt.hops > 0 && resp.Hops[0].String() != tt.url {
				t.Errorf("got the first hop %s, want %s", resp.Hops[0], tt.url)
			}
			if got, err := io.ReadAll(resp.Body); string(got) != tt.answer.body || err != nil {
				t.Errorf("got %q, %v, want %q, nil", got, err, tt.answer.body)
			}
		})
	}
}

// The result of an Office file at the address of a document, and the page of a host
// that names the address of the file.
func TestFetchNext(t *testing.T) {
	const (
		office = "https://docs.google.com/document/d/1SECRET1a2B3c4D5e6F7g8H9i0J1/edit?rtpof=true"
		file   = "https://drive.usercontent.google.com/download?id=1SECRET1a2B3c4D5e6F7g8H9i0J1&export=download&confirm=t"
		export = "https://docs.google.com/document/d/1SECRET1a2B3c4D5e6F7g8H9i0J1/export?format=pdf"
		shared = "https://app.box.com/s/p0SECRET"
		yandex = "https://disk.yandex.ru/i/aSECRETb"
		api    = "https://cloud-api.yandex.net/v1/disk/public/resources/download?public_key=https%3A%2F%2Fdisk.yandex.ru%2Fi%2FaSECRETb"
		loader = "https://downloader.disk.yandex.ru/disk/SECRET?uid=0"
		drive  = "https://drive.google.com/file/d/1SECRET1a2B3c4D5e6F7g8H9i0J1/view"
		form   = "https://drive.usercontent.google.com/download?id=1SECRET1a2B3c4D5e6F7g8H9i0J1&export=download&confirm=t&uuid=2&at=3%3A4"
		number = "https://app.box.com/index.php?rm=box_download_shared_file&shared_name=p0SECRET&file_id=f_70000001"
	)
	docx := answerTo{mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", body: "PK\x03\x04"}
	pdf := answerTo{mediaType: "application/pdf", body: "%PDF-1.7"}
	html := answerTo{mediaType: "text/html", body: page}
	boxPage := answerTo{mediaType: "text/html", body: "<!DOCTYPE html>" + strings.Repeat(" ", 100<<10) + `"typedID":"f_70000001"`}
	warning := answerTo{mediaType: "text/html", body: `<!DOCTYPE html><title>Google Drive - Virus scan warning</title>` + strings.Repeat(" ", 5000) +
		`<form id="download-form" action="https://drive.usercontent.google.com/download" method="get"><input type="submit" value="Download anyway"/><input type="hidden" name="id" value="1SECRET1a2B3c4D5e6F7g8H9i0J1">` +
		`<input type="hidden" name="export" value="download"><input type="hidden" name="confirm" value="t"><input type="hidden" name="uuid" value="2"><input type="hidden" name="at" value="3:4"></form>`}
	elsewhere := answerTo{mediaType: "text/html", body: strings.Replace(warning.body, "drive.usercontent.google.com", "evil.example", 1)}
	json := func(body string) answerTo { return answerTo{mediaType: "application/json", body: body} }
	for _, tt := range []struct {
		name    string
		url     string
		max     int
		answers map[string]answerTo
		asked   []string
		capture fetch.Capture
		hops    int
		kind    fetch.Kind
	}{
		{"Office", office, 0, map[string]answerTo{file: docx}, []string{file}, fetch.CaptureCurrent, 1, 0},
		{"OfficeNotThere", office, 0, map[string]answerTo{file: {err: fetch.NotFound}, export: pdf}, []string{file, export}, fetch.CaptureRendition, 0, 0},
		{"OfficePage", office, 0, map[string]answerTo{file: html, export: pdf}, []string{file, export}, fetch.CaptureRendition, 0, 0},
		{"OfficeNeither", office, 0, map[string]answerTo{file: html, export: html}, []string{file, export}, "", 0, fetch.Interstitial},
		{"OfficeUnavailable", office, 0, map[string]answerTo{file: {err: fetch.Unavailable}, export: pdf}, []string{file}, "", 0, fetch.Unavailable},
		{"OfficeCut", office, 0, map[string]answerTo{file: {err: fetch.TooLarge}, export: pdf}, []string{file}, "", 0, fetch.TooLarge},
		{"Box", shared, 0, map[string]answerTo{shared: boxPage, number: docx}, []string{shared, number}, fetch.CaptureCurrent, 1, 0},
		{"BoxNothing", shared, 0, map[string]answerTo{shared: html}, []string{shared}, "", 0, fetch.Interstitial},
		{"BoxFile", shared, 0, map[string]answerTo{shared: pdf}, []string{shared}, fetch.CaptureCurrent, 0, 0},
		{"BoxPageAgain", shared, 0, map[string]answerTo{shared: boxPage, number: boxPage}, []string{shared, number}, "", 0, fetch.Interstitial},
		{"Ask", yandex, 0, map[string]answerTo{api: json(`{"href":"` + loader + `","method":"GET"}`), loader: docx}, []string{api, loader}, fetch.CaptureCurrent, 2, 0},
		{"AskNothing", yandex, 0, map[string]answerTo{api: json(`{"error":"DiskNotFoundError"}`)}, []string{api}, "", 0, fetch.Unsupported},
		{"AskPlaintext", yandex, 0, map[string]answerTo{api: json(`{"href":"http://downloader.disk.yandex.ru/SECRET"}`)}, []string{api}, "", 0, fetch.Unsupported},
		{"AskPage", yandex, 0, map[string]answerTo{api: html}, []string{api}, "", 0, fetch.Unsupported},
		{"AskFails", yandex, 0, map[string]answerTo{api: {err: fetch.NotFound}}, []string{api}, "", 0, fetch.NotFound},
		{"AskPageForFile", yandex, 0, map[string]answerTo{api: json(`{"href":"` + loader + `"}`), loader: html}, []string{api, loader}, "", 0, fetch.Interstitial},
		{"AskOneRedirect", yandex, 1, map[string]answerTo{api: json(`{"href":"` + loader + `"}`), loader: docx}, []string{api}, "", 0, fetch.Protocol},
		{"Warning", drive, 0, map[string]answerTo{file: warning, form: pdf}, []string{file, form}, fetch.CaptureCurrent, 2, 0},
		{"WarningTwice", drive, 0, map[string]answerTo{file: warning, form: warning}, []string{file, form}, "", 0, fetch.Interstitial},
		{"WarningElsewhere", drive, 0, map[string]answerTo{file: elsewhere}, []string{file}, "", 0, fetch.Interstitial},
		{"BoxNoRedirects", shared, -1, map[string]answerTo{shared: boxPage, number: docx}, []string{shared}, "", 0, fetch.Protocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &host{answers: tt.answers}
			req := request(tt.url)
			req.MaxRedirects = tt.max
			resp, err := sharefetch.New(h).Fetch(t.Context(), req)
			if got := fetch.KindOf(err); got != tt.kind {
				t.Fatalf("got error %v, want %v", err, tt.kind)
			}
			if !slices.Equal(h.asked, tt.asked) {
				t.Errorf("asked %q, want %q", h.asked, tt.asked)
			}
			if err != nil {
				checkError(t, err, "")
				return
			}
			defer resp.Body.Close()
			if resp.Capture != tt.capture || len(resp.Hops) != tt.hops {
				t.Errorf("got capture %q and %d hops, want %q and %d", resp.Capture, len(resp.Hops), tt.capture, tt.hops)
			}
			if got, err := io.ReadAll(resp.Body); string(got) != tt.answers[tt.asked[len(tt.asked)-1]].body || err != nil {
				t.Errorf("got %q, %v, want %q, nil", got, err, tt.answers[tt.asked[len(tt.asked)-1]].body)
			}
		})
	}
}

// checkError wants an *fetch.Error without secrets.
func checkError(t *testing.T, err error, says string) {
	t.Helper()
	e, ok := err.(*fetch.Error)
	if !ok {
		t.Fatalf("got %T, want *fetch.Error", err)
	}
	if text := e.Error(); strings.Contains(text, "SECRET") || !strings.HasSuffix(e.URL, "/...") || !strings.Contains(text, says) {
		t.Errorf("error is %q, want it to say %q", text, says)
	}
}

func TestCheckHop(t *testing.T) {
	const link = "https://1drv.ms/u/c/c1SECRET/d21a2B3c4D5e"
	refuse := errors.New("no")
	for _, tt := range []struct {
		name string
		url  string
		err  error
		max  int
		hops int
		kind fetch.Kind
	}{
		{"Allowed", link, nil, 10, 1, fetch.NotFound},
		{"Refused", link, refuse, 10, 1, fetch.Denied},
		{"RefusedWithKind", link, fetch.Blocked, 10, 1, fetch.Blocked},
		{"NoRedirects", link, nil, -1, 0, fetch.Protocol},
		{"SameHost", "https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b", refuse, -1, 0, fetch.NotFound},
		{"ToHTTPS", "http://mail.qq.com/cgi-bin/ftnExs_download?k=a1a2B3c4D5e6F7g8&code=b", refuse, 10, 1, fetch.Denied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := new(host)
			req := request(tt.url)
			req.MaxRedirects = tt.max
			hops := 0
			req.CheckHop = func(_ context.Context, from, to *url.URL) error {
				hops++
				if from.String() != tt.url || to.Host == from.Host {
					t.Errorf("got a hop from %s to %s, want from %s to another host", from, to, tt.url)
				}
				from.Path, to.Path = "/", "/" // which changes nothing of the fetch
				return tt.err
			}
			_, err := sharefetch.New(h).Fetch(t.Context(), req)
			if fetch.KindOf(err) != tt.kind || hops != tt.hops || req.URL.String() != tt.url {
				t.Errorf("got %v and %d hops, want %v, %d", err, hops, tt.kind, tt.hops)
			}
			if sent := len(h.asked) > 0; sent != (tt.kind == fetch.NotFound) {
				t.Errorf("got %q asked, want some: %v", h.asked, tt.kind == fetch.NotFound)
			}
			if slices.ContainsFunc(h.asked, func(s string) bool { return strings.HasSuffix(s, "/") }) {
				t.Errorf("got %q asked, want no page", h.asked)
			}
		})
	}
}

// The hop is one of those that MaxRedirects and Progress count.
func TestHopCounts(t *testing.T) {
	for _, tt := range []struct{ limit, want int }{{0, fetch.DefaultMaxRedirects - 1}, {10, 9}, {2, 1}, {1, -1}} {
		h := new(host)
		req := request("https://1drv.ms/u/c/c1/d21a2B3c4D5e")
		req.MaxRedirects = tt.limit
		var events []fetch.Event
		req.Progress = func(e fetch.Event) { events = append(events, e) }
		if _, err := sharefetch.New(h).Fetch(t.Context(), req); !errors.Is(err, fetch.NotFound) {
			t.Fatal(err)
		}
		if h.last.MaxRedirects != tt.want {
			t.Errorf("%d: got %d are left, want %d", tt.limit, h.last.MaxRedirects, tt.want)
		}
		h.last.Progress(fetch.Event{Phase: fetch.Connecting})
		if want := []fetch.Event{{Phase: fetch.Redirecting, Total: -1, Hop: 1}, {Phase: fetch.Connecting, Hop: 1}}; !slices.Equal(events, want) {
			t.Errorf("events are %+v, want %+v", events, want)
		}
	}
}

func TestCheck(t *testing.T) {
	f := sharefetch.New(web())
	for _, tt := range []struct {
		name, url string
		kind      fetch.Kind
	}{
		{"Link", "https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b", 0},
		{"Folder", "https://www.dropbox.com/scl/fo/SECRET1a2B3c4D5/b", fetch.Unsupported},
		{"EndToEnd", "https://drive.proton.me/urls/SECRET1a2B#SECRET", fetch.Unsupported},
		{"Other", "https://files.example/", 0},
		{"Guarded", "http://10.0.0.1/", fetch.Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := f.Check(request(tt.url))
			if fetch.KindOf(err) != tt.kind {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
			if tt.kind == fetch.Unsupported {
				checkError(t, err, "")
			}
		})
	}
	if err := sharefetch.New(new(host)).Check(request("https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b")); err != nil {
		t.Errorf("next is not a Checker: got error %v, want none", err)
	}
}

// An answer that next would have refused is refused also through the Fetcher around
// it.
func TestAudit(t *testing.T) {
	f := sharefetch.New(web())
	for text, want := range map[string]fetch.Kind{"https://files.example/x": 0, "http://10.0.0.1/x": fetch.Blocked} {
		if err := f.Audit(&fetch.Response{URL: request(text).URL}); fetch.KindOf(err) != want {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
	}
}

// The octets that were looked at are not lost, whatever the sizes of the reads.
func TestBody(t *testing.T) {
	data := make([]byte, 20_000)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	for _, n := range []int{0, 1, 4095, 4096, 4097, len(data)} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"OneByte": iotest.OneByteReader, "DataErr": iotest.DataErrReader, "Half": iotest.HalfReader,
		} {
			var done <-chan struct{}
			next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
				done = ctx.Done()
				return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(wrap(bytes.NewReader(data[:n])))}, nil
			})
			resp, err := sharefetch.New(next).Fetch(t.Context(), request("https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b"))
			if err != nil {
				t.Fatal(err)
			}
			if err := iotest.TestReader(resp.Body, data[:n]); err != nil {
				t.Errorf("%s, %d octets: got %v, want a good reader", name, n, err)
			}
			select {
			case <-done:
				t.Error("got the context ended before Close, want it in force")
			default:
			}
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
			select {
			case <-done:
			default:
				t.Error("after Close: got the context in force, want it ended")
			}
		}
	}
}

// An error comes after the octets that came before it, without the URL.
func TestBodyError(t *testing.T) {
	for _, n := range []int{0, 10, 5000} {
		fault := &fetch.Error{URL: "https://h.example/SECRET", Kind: fetch.Truncated}
		next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			r := io.MultiReader(strings.NewReader(strings.Repeat("x", n)), iotest.ErrReader(fault))
			return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(r)}, nil
		})
		resp, err := sharefetch.New(next).Fetch(t.Context(), request("https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if len(got) != n || !errors.Is(err, fetch.Truncated) {
			t.Errorf("%d: got %d octets, %v, want all, truncated", n, len(got), err)
		}
		checkError(t, err, "")
		resp.Body.Close()
	}
}

// A body that does not begin is given up.
func TestPeekTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := false
		next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Size: -1, Body: &silent{ctx: ctx, closed: &closed}}, nil
		})
		req := request("https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b")
		req.Timeouts.Stall = 7 * time.Second
		start := time.Now()
		_, err := sharefetch.New(next).Fetch(t.Context(), req)
		e, ok := err.(*fetch.Error)
		if !ok || e.Kind != fetch.Unavailable || !e.Timeout() || time.Since(start) != 7*time.Second || !closed {
			t.Errorf("got %v after %v, closed %v, want unavailable, a time-out, after 7s, true", err, time.Since(start), closed)
		}
	})
}

// A silent body gives nothing until its context ends.
type silent struct {
	ctx    context.Context
	closed *bool
}

func (s *silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, context.Cause(s.ctx)
}

func (s *silent) Close() error {
	*s.closed = true
	return nil
}

// Whatever the URL is, nothing with a fragment's octets is asked for, a URL that is
// refused is refused by Check as well, and no error has a path.
func FuzzFetch(f *testing.F) {
	for _, s := range []string{
		"https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b#SECRETKEY", "https://mega.nz/file/a1a2B3c4#SECRETKEY", "https://1drv.ms/u/c/a/b1a2B3c4D5e6#SECRETKEY",
		"https://app.box.com/s/a/folder/70000001", "https://we.tl/t-x1a2B3c4D5", "https://docs.google.com/document/d/x1a2B3c4D5e6F7g8H9i0J1k2L3m4", "http://h.example/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" {
			return
		}
		h := new(host)
		fetcher := sharefetch.New(h)
		req := &fetch.Request{URL: u}
		checked := fetcher.Check(req)
		_, err = fetcher.Fetch(t.Context(), req)
		if err == nil {
			t.Fatal("got an answer from nowhere, want an error")
		}
		if (len(h.asked) == 0) != (checked != nil) {
			t.Fatalf("%q: got %q asked, want some unless Check refuses: %v", text, h.asked, checked)
		}
		if e, ok := err.(*fetch.Error); ok && strings.Contains(e.Error(), "SECRETKEY") {
			t.Fatalf("%q: got %v, want it without the key", text, err)
		}
	})
}

func BenchmarkFetch(b *testing.B) {
	data := make([]byte, 1<<20)
	next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Size: int64(len(data)), Body: io.NopCloser(bytes.NewReader(data))}, nil
	})
	for _, bb := range []struct {
		name string
		f    fetch.Fetcher
	}{{"Share", sharefetch.New(next)}, {"Bare", next}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			req := request("https://www.dropbox.com/s/a1a2B3c4D5e6F7g/b")
			buf := make([]byte, 32<<10)
			for b.Loop() {
				resp, err := bb.f.Fetch(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, err = resp.Body.Read(buf)
				}
				resp.Body.Close()
			}
		})
	}
}
