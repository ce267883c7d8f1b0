package filefetch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

var _ driver.Inspector = (*fetcher)(nil)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folder opens a new folder as a root.
func folder(t testing.TB) (dir string, root *os.Root) {
	t.Helper()
	dir = t.TempDir()
	root, err := os.OpenRoot(dir)
	noError(t, err)
	t.Cleanup(func() { root.Close() })
	return dir, root
}

func write(t testing.TB, root *os.Root, name, data string) {
	t.Helper()
	noError(t, root.MkdirAll(filepath.Dir(name), 0o755))
	noError(t, root.WriteFile(name, []byte(data), 0o644))
}

func fileURL(path string) *url.URL { return &url.URL{Scheme: "file", Path: filepath.ToSlash(path)} }

func get(ctx context.Context, f fetch.Fetcher, u *url.URL) (string, *fetch.Response, error) {
	resp, err := fetch.Do(ctx, f, &fetch.Request{URL: u})
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), resp, err
}

func TestConformance(t *testing.T) {
	dir, root := folder(t)
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Root: root, Prefix: dir}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			switch obj.Fault {
			case fetchtest.Good:
				write(t, root, "file", string(obj.Body))
				return &fetch.Request{URL: fileURL(dir + "/file")}
			case fetchtest.Missing:
				return &fetch.Request{URL: fileURL(dir + "/missing")}
			case fetchtest.Forbidden:
				return &fetch.Request{URL: fileURL("/etc/passwd")}
			}
			return nil
		},
	})
}

func TestFetch(t *testing.T) {
	dir, root := folder(t)
	write(t, root, "sub/~joe", "hello")
	when := time.Date(2004, 2, 29, 23, 59, 59, 500, time.FixedZone("", 3600))
	noError(t, os.Chtimes(filepath.Join(dir, "sub/~joe"), when, when))
	u := fileURL(dir + "/sub/~joe")
	got, resp, err := get(t.Context(), New(&Options{Root: root}), u)
	if err != nil || got != "hello" {
		t.Fatalf("got %q, %v, want %q, nil", got, err, "hello")
	}
	if resp.Size != 5 || resp.MediaType != "" || resp.URL.String() != u.String() || resp.RemoteAddr.IsValid() {
		t.Errorf("got size %d, type %q, URL %v, address %v, want 5, none, %v, none", resp.Size, resp.MediaType, resp.URL, resp.RemoteAddr, u)
	}
	if got := resp.Header.Get("Last-Modified"); got != "Sun, 29 Feb 2004 22:59:59 GMT" {
		t.Errorf("Last-Modified %q, want %q", got, "Sun, 29 Feb 2004 22:59:59 GMT")
	}
}

// FI-1, FI-2, AT-14 to AT-18: the answers of Check for a URL.
func TestLocate(t *testing.T) {
	_, root := folder(t)
	f := New(&Options{Root: root, Prefix: "/pub/data/", Host: "Thumper.Bellcore.com."}).(*fetcher)
	for _, tt := range []struct {
		name string
		url  string
		want string // with slashes
		kind fetch.Kind
	}{
		{name: "NoHost", url: "file:///pub/data/a", want: "a"},
		{name: "NoAuthority", url: "file:/pub/data/a", want: "a"},
		{name: "LocalHost", url: "FILE://LocalHost/pub/data/a", want: "a"},
		{name: "ThisHost", url: "file://thumper.bellcore.com/pub/data/a", want: "a"},
		{name: "ThisHostDot", url: "file://thumper.bellcore.com./pub/data/a", want: "a"},
		{name: "Pattern", url: "file://*.bellcore.com/pub/data/a", want: "a"},
		{name: "Everywhere", url: "file://*/pub/data/a", want: "a"},
		{name: "Below", url: "file:///pub/data/b/c", want: "b/c"},
		{name: "EmptySegments", url: "file:///pub//data///b//c", want: "b/c"},
		{name: "Decoded", url: "file:///p%75b/data/%C3%A9%25%3F", want: "é%?"},
		{name: "Octets", url: "file:///pub/data/%ff", want: "\xff"},
		{name: "Tilde", url: "file:///pub/data/~/a", want: "~/a"},
		{name: "Dots", url: "file:///pub/data/.../..a", want: ".../..a"},
		{name: "Fragment", url: "file:///pub/data/a#x", want: "a"},

		{name: "Outside", url: "file:///etc/passwd", kind: fetch.Blocked},
		{name: "Case", url: "file:///PUB/data/a", kind: fetch.Blocked},
		{name: "Longer", url: "file:///pub/database/a", kind: fetch.Blocked},
		{name: "Parent", url: "file:///pub", kind: fetch.Blocked},
		{name: "DotDot", url: "file:///pub/data/../../etc/passwd", kind: fetch.Blocked},
		{name: "DotDotInside", url: "file:///pub/data/a/../b", kind: fetch.Blocked},
		{name: "EncodedDotDot", url: "file:///pub/data/%2E%2e/b", kind: fetch.Blocked},
		{name: "Dot", url: "file:///pub/data/./a", kind: fetch.Blocked},
		{name: "UNC", url: "file:////server/pub/data/a", kind: fetch.Blocked},
		{name: "Drive", url: "file:///c:/pub/data/a", kind: fetch.Blocked},
		{name: "DriveBar", url: "file:///c|/pub/data/a", kind: fetch.Blocked},
		{name: "OtherHost", url: "file://flash.bellcore.com/pub/data/a", kind: fetch.Blocked},
		{name: "Domain", url: "file://bellcore.com/pub/data/a", kind: fetch.Blocked},
		{name: "OtherPattern", url: "file://*.bellcore.org/pub/data/a", kind: fetch.Blocked},
		{name: "NetworkPath", url: "file:////pub/data/a", kind: fetch.Blocked},
		{name: "Address", url: "file://127.0.0.1/pub/data/a", kind: fetch.Blocked},
		{name: "Address6", url: "file://[::1]/pub/data/a", kind: fetch.Blocked},

		{name: "Root", url: "file:///pub/data", kind: fetch.Unsupported},
		{name: "RootSlash", url: "file:///pub/data/", kind: fetch.Unsupported},
		{name: "Directory", url: "file:///pub/data/a/", kind: fetch.Unsupported},
		{name: "OtherScheme", url: "http://localhost/pub/data/a", kind: fetch.Unsupported},

		{name: "DriveRelative", url: "file:c:/pub/data/a", kind: fetch.Malformed},
		{name: "Relative", url: "file:a", kind: fetch.Malformed},
		{name: "NoPath", url: "file://localhost", kind: fetch.Malformed},
		{name: "User", url: "file://joe@localhost/pub/data/a", kind: fetch.Malformed},
		{name: "Port", url: "file://localhost:80/pub/data/a", kind: fetch.Malformed},
		{name: "Query", url: "file:///pub/data/a?x", kind: fetch.Malformed},
		{name: "EmptyQuery", url: "file:///pub/data/a?", kind: fetch.Malformed},
		{name: "EncodedSlash", url: "file:///pub/data/b%2Fc", kind: fetch.Malformed},
		{name: "EncodedPrefix", url: "file:///pub%2fdata/a", kind: fetch.Malformed},
		{name: "NUL", url: "file:///pub/data/a%00.txt", kind: fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			noError(t, err)
			got, err := f.locate(u)
			if filepath.ToSlash(got) != tt.want || fetch.KindOf(err) != tt.kind {
				t.Errorf("got %q, %v; want %q, %v", got, err, tt.want, tt.kind)
			}
			if err := f.Check(&fetch.Request{URL: u}); fetch.KindOf(err) != tt.kind {
				t.Errorf("Check: got %v, want %v", err, tt.kind)
			}
		})
	}
}

// The access type local-file has a literal NAME, which is not an escaped path.
func TestLiteralName(t *testing.T) {
	_, root := folder(t)
	f := New(&Options{Root: root, Prefix: "/pub"}).(*fetcher)
	for path, want := range map[string]string{"/pub/a%2Fb": "a%2Fb", "/pub/a?b#c": "a?b#c"} {
		if got, err := f.locate(fileURL(path)); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q, nil", path, got, err, want)
		}
	}
	opaque := fileURL("/pub/a")
	opaque.Opaque = "/pub/b"
	if _, err := f.locate(opaque); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("two paths: got %v, want %v", err, fetch.Malformed)
	}
	for path, want := range map[string]fetch.Kind{"pub/a": fetch.Malformed, "/pub/a\x00": fetch.Malformed, "../pub/a": fetch.Malformed} {
		if _, err := f.locate(fileURL(path)); fetch.KindOf(err) != want {
			t.Errorf("%q: got %v, want %v", path, err, want)
		}
	}
}

// An option that is forgotten fails closed.
func TestOptions(t *testing.T) {
	_, root := folder(t)
	pub := fileURL("/pub/a")
	for _, tt := range []struct {
		name string
		opts *Options
		host string
		kind fetch.Kind
	}{
		{name: "Nil", kind: fetch.Unsupported},
		{name: "NoRoot", opts: &Options{Prefix: "/"}, kind: fetch.Unsupported},
		{name: "WholeSystem", opts: &Options{Root: root, Prefix: "/"}},
		{name: "NoHost", opts: &Options{Root: root, Prefix: "/pub"}, host: "thumper.bellcore.com", kind: fetch.Blocked},
		{name: "NoHostPattern", opts: &Options{Root: root, Prefix: "/pub"}, host: "*.*", kind: fetch.Blocked},
		{name: "NoHostDot", opts: &Options{Root: root, Prefix: "/pub"}, host: ".", kind: fetch.Blocked},
		{name: "NoHostEverywhere", opts: &Options{Root: root, Prefix: "/pub"}, host: "*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := *pub
			u.Host = tt.host
			if err := New(tt.opts).Check(&fetch.Request{URL: &u}); fetch.KindOf(err) != tt.kind {
				t.Errorf("error %v, want %v", err, tt.kind)
			}
		})
	}
}

// The name of a root is made absolute.
func TestRelativeRoot(t *testing.T) {
	t.Chdir(t.TempDir())
	root, err := os.OpenRoot(".")
	noError(t, err)
	defer root.Close()
	write(t, root, "a", "hello")
	wd, err := os.Getwd()
	noError(t, err)
	f := New(&Options{Root: root})
	t.Chdir(t.TempDir())
	if got, _, err := get(t.Context(), f, fileURL(wd+"/a")); got != "hello" || err != nil {
		t.Errorf("got %q, %v, want %q, nil", got, err, "hello")
	}
}

// AT-17: the files that are opened, and that errors have no path.
func TestOpen(t *testing.T) {
	dir, root := folder(t)
	secret := filepath.Join(t.TempDir(), "s3cr3t")
	noError(t, os.WriteFile(secret, []byte("s3cr3t"), 0o600))
	write(t, root, "sub/s3cr3t", "hello")
	for link, target := range map[string]string{
		"inside":      "sub/s3cr3t",
		"outside":     secret,
		"sub/up":      "../../s3cr3t",
		"outsideDir":  filepath.Dir(secret),
		"loop":        "loop",
		"broken":      "s3cr3t",
		"rootFromSub": "sub/../sub/s3cr3t",
	} {
		if err := root.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	for _, tt := range []struct {
		name string
		path string
		want string
		kind fetch.Kind
	}{
		{name: "File", path: "sub/s3cr3t", want: "hello"},
		{name: "Inside", path: "inside", want: "hello"},
		{name: "ThereAndBack", path: "rootFromSub", want: "hello"},
		{name: "Outside", path: "outside", kind: fetch.Blocked},
		{name: "Up", path: "sub/up", kind: fetch.Blocked},
		{name: "OutsideDirectory", path: "outsideDir/s3cr3t", kind: fetch.Blocked},
		{name: "Loop", path: "loop", kind: fetch.NotFound},
		{name: "Broken", path: "broken", kind: fetch.NotFound},
		{name: "Missing", path: "s3cr3t", kind: fetch.NotFound},
		{name: "FileAsDirectory", path: "sub/s3cr3t/s3cr3t", kind: fetch.NotFound},
		{name: "LongName", path: strings.Repeat("s3cr3t", 100), kind: fetch.NotFound},
		{name: "Directory", path: "sub", kind: fetch.Unsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := New(&Options{Root: root}).Fetch(t.Context(), &fetch.Request{URL: fileURL(dir + "/" + tt.path)})
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error %v, want %v", err, tt.kind)
			}
			if err != nil {
				e, ok := err.(*fetch.Error)
				if !ok || e.URL != "" || strings.Contains(e.Error(), "s3cr3t") || strings.Contains(e.Error(), dir) {
					t.Errorf("got %T %v, want *fetch.Error without the path", err, err)
				}
				return
			}
			defer got.Body.Close()
			if data, err := io.ReadAll(got.Body); string(data) != tt.want || err != nil {
				t.Errorf("got %q, %v, want %q, nil", data, err, tt.want)
			}
		})
	}
}

func TestPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything is readable here")
	}
	dir, root := folder(t)
	write(t, root, "a", "hello")
	noError(t, root.Chmod("a", 0))
	if _, _, err := get(t.Context(), New(&Options{Root: root}), fileURL(dir+"/a")); fetch.KindOf(err) != fetch.Forbidden {
		t.Errorf("error %v, want %v", err, fetch.Forbidden)
	}
}

// The table from faults of the file system to Kinds.
func TestSystemError(t *testing.T) {
	for _, tt := range []struct {
		err  error
		kind fetch.Kind
	}{
		{&os.PathError{Op: "open", Path: "s3cr3t", Err: os.ErrPermission}, fetch.Forbidden},
		{&os.PathError{Op: "open", Path: "s3cr3t", Err: os.ErrNotExist}, fetch.NotFound},
		{&os.PathError{Op: "open", Path: "s3cr3t", Err: os.ErrClosed}, fetch.Local},
		{&os.PathError{Op: "open", Path: "s3cr3t", Err: errors.New("other")}, fetch.Blocked},
		{io.ErrNoProgress, fetch.Local},
	} {
		err := systemError(tt.err)
		if fetch.KindOf(err) != tt.kind || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%v: got %v, want %v", tt.err, err, tt.kind)
		}
	}
}

func TestClosedRoot(t *testing.T) {
	dir, root := folder(t)
	write(t, root, "a", "hello")
	root.Close()
	if _, _, err := get(t.Context(), New(&Options{Root: root}), fileURL(dir+"/a")); fetch.KindOf(err) != fetch.Local {
		t.Errorf("error %v, want %v", err, fetch.Local)
	}
}

// A file that changes while it is read.
func TestChangingFile(t *testing.T) {
	for size, kind := range map[int64]fetch.Kind{3: fetch.Truncated, 9: fetch.Protocol} {
		dir, root := folder(t)
		write(t, root, "a", "hello")
		resp, err := fetch.Do(t.Context(), New(&Options{Root: root}), &fetch.Request{URL: fileURL(dir + "/a")})
		noError(t, err)
		noError(t, os.Truncate(filepath.Join(dir, "a"), size))
		_, err = io.ReadAll(resp.Body)
		if fetch.KindOf(err) != kind {
			t.Errorf("size %d: error %v, want %v", size, err, kind)
		}
		resp.Body.Close()
	}
}

type zoned struct{ fs.FileInfo }

func (zoned) ModTime() time.Time { return time.Unix(0, 0).In(time.FixedZone("", 3600)) }

func TestHeader(t *testing.T) {
	if got := header(zoned{}).Get("Last-Modified"); got != "Thu, 01 Jan 1970 00:00:00 GMT" {
		t.Errorf("Last-Modified %q, want %q", got, "Thu, 01 Jan 1970 00:00:00 GMT")
	}
}

// The end of the context is noticed at the next Read.
func TestContext(t *testing.T) {
	dir, root := folder(t)
	write(t, root, "a", "hello")
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := New(&Options{Root: root}).Fetch(ctx, &fetch.Request{URL: fileURL(dir + "/a")})
	noError(t, err)
	defer resp.Body.Close()
	if n, err := resp.Body.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("got %d, %v, want 1, nil", n, err)
	}
	cancel()
	if n, err := resp.Body.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %d, %v, want 0, %v", n, err, context.Canceled)
	}
	if _, err := New(&Options{Root: root}).Fetch(ctx, &fetch.Request{URL: fileURL(dir + "/a")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch: got %v, want %v", err, context.Canceled)
	}
}

func TestMatchSite(t *testing.T) {
	long := strings.Repeat("a.", 126) + "b"
	for _, tt := range []struct {
		site, host string
		want       bool
	}{
		{"a.example", "A.Example", true},
		{"a.example.", "a.example", true},
		{"*.bellcore.com", "thumper.bellcore.com", true},
		{"*.bellcore.com", "a.b.bellcore.com", true},
		{"*.bellcore.com", "bellcore.com", false},
		{"*.bellcore.com", ".bellcore.com", false},
		{"*.bellcore.com", "thumper.bellcore.com.evil.example", false},
		{"*", "a", true},
		{"*", "", false},
		{"**", "a", false},
		{"**", "ab", true},
		{"th*er.example", "thumper.example", true},
		{"th*er.example", "ther.example", false},
		{"a*", "a", false},
		{"a*", "ab", true},
		{"*a*a*", "bababab", true},
		{"*a*a*", "baab", false},
		{"*ab", "aab", true},
		{"*ab", "xaabab", true},
		{"", "a", false},
		{"", "", true},
		{long, long, true},
		{long + "aaa", long + "aaa", false},
		{strings.Repeat("*a", 127), strings.Repeat("a", 253) + "b", false},
	} {
		if got := matchSite(tt.site, tt.host); got != tt.want {
			t.Errorf("matchSite(%q, %q) = %v, want %v", tt.site, tt.host, got, tt.want)
		}
	}
}

// FuzzMatchSite compares with a regular expression.
func FuzzMatchSite(f *testing.F) {
	f.Add("*.bellcore.com", "thumper.bellcore.com")
	f.Add("*a*a*", "bababab")
	f.Add("a**b", "axyb")
	f.Add("*.", "a.")
	f.Fuzz(func(t *testing.T, site, host string) {
		if len(site) > maxName || len(host) > maxName {
			return
		}
		canonical := func(s string) string { return strings.ToLower(strings.TrimSuffix(s, ".")) }
		if strings.Trim(canonical(site)+canonical(host), siteChars) != "" {
			return
		}
		re, err := regexp.Compile(`\A` + strings.ReplaceAll(regexp.QuoteMeta(canonical(site)), `\*`, `.+`) + `\z`)
		noError(t, err)
		if got := matchSite(site, host); got != re.MatchString(canonical(host)) {
			t.Fatalf("matchSite(%q, %q): got %v, want %v", site, host, got, !got)
		}
	})
}

// A path that is accepted names something below the root, and is the path below
// the prefix as the URL has it.
func FuzzLocate(f *testing.F) {
	for _, s := range []string{
		"file:///pub/a", "file:///pub/../a", "file:///pub/%2e%2e/a", "file:////pub/a", "file:///pub/a%2fb",
		"file:///pub//a", "file://localhost/pub/a/", "file:///pub", "file:///pub/a%00", "file:/pub/%", "file:///pub/~",
		"file://*/pub/\\\\x\\y", "file:///pub/c:/x", "file:///pub/NUL",
	} {
		f.Add(s)
	}
	_, root := folder(f)
	fetcher := New(&Options{Root: root, Prefix: "/pub", Host: "a.example"}).(*fetcher)
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse(text)
		if err != nil {
			return
		}
		name, err := fetcher.locate(u)
		if err != nil {
			if _, ok := err.(*fetch.Error); !ok {
				t.Fatalf("got %T, want *fetch.Error", err)
			}
			return
		}
		if !filepath.IsLocal(name) || strings.Contains(name, "\x00") || filepath.Clean(name) != name {
			t.Fatalf("%q: got the name %q, want a clean and local one", text, name)
		}
		if want := filepath.Clean(filepath.FromSlash(u.Path)); filepath.Join("/pub", name) != want {
			t.Fatalf("%q is %q, want %q", text, name, want)
		}
	})
}
