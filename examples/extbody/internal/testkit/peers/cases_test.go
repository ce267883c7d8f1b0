package peers

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/filefetch"
	"github.com/go-extbody/extbody/fetch/mailfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The cases that were tried on nmh, Gnus, MHonArc, mutt and others, none of
// which gets all of them right: each is resolved, or refused with the Kind that
// it deserves.
func TestPeerCases(t *testing.T) {
	const text = "the text\r\n"
	p := newPeers(t, text)
	md5 := "Content-MD5: " + md5sum(text) + "\n"
	const plain = "Content-Type: text/plain\nContent-ID: <a@b>\n"

	for _, c := range []struct {
		name    string
		message string // $HTTP, $FTP and $TFTP are host:port, $ROOT is the folder of local files
		want    string // the body; "" if it is refused
		kind    fetch.Kind
	}{
		{"URL", `access-type=URL; URL="http://$HTTP/a.txt"` + "\n\n" + plain, text, 0},
		{"URLUpperCase", `ACCESS-TYPE=url; url="HTTP://$HTTP/a.txt"` + "\n\n" + plain, text, 0},
		{"URLFolded", "access-type=URL; URL=\"http://$HTTP/long/path/\n\tsegment/that/is/\n\tfolded.txt\"\n\n" + plain, text, 0},
		{"URLWords40", "access-type=URL; URL=\"http://$HTTP/long/path/ segment/that/is/ folded.txt\"\n\n" + plain, text, 0},
		{"URLContinued", `access-type=URL; URL*0="http://$HTTP/"; URL*1="a.txt"` + "\n\n" + plain, text, 0},
		{"URLExtended", `access-type=URL; URL*=us-ascii''http%3A%2F%2F$HTTP%2Fa.txt` + "\n\n" + plain, text, 0},
		{"URLEscapedSpace", `access-type=URL; URL="http://$HTTP/with%20space.txt"` + "\n\n" + plain, text, 0},
		{"URLUnquoted", `access-type=URL; URL=http://$HTTP/a.txt` + "\n\n" + plain, text, 0},
		{"URLOption", `access-type=URL; URL="-o/x"` + "\n\n" + plain, "", fetch.Malformed},
		{"URLData", `access-type=URL; URL="data:text/plain,the%20text%0D%0A"` + "\n\n" + plain, text, 0},
		{"URLFTP", `access-type=URL; URL="ftp://$FTP/pub/a.txt;type=i"` + "\n\n" + plain, text, 0},
		{"URLFile", `access-type=URL; URL="file://$ROOTURL/a.txt"` + "\n\n" + plain, text, 0},
		{"URLFileOutside", `access-type=URL; URL="file:///etc/passwd"` + "\n\n" + plain, "", fetch.Blocked},
		{"URLMailto", `access-type=URL; URL="mailto:a@b.example"` + "\n\n" + plain, "", fetch.Unsupported},
		{"URLMissing", `access-type=URL; URL="http://$HTTP/missing"` + "\n\n" + plain, "", fetch.NotFound},
		{"AnonFTP", `access-type=anon-ftp; site="127.0.0.1"; directory=pub; name="a.txt"; mode=image` + "\n\n" + plain, text, 0},
		{"AnonFTPWithoutDirectory", `access-type=anon-ftp; site="127.0.0.1"; name="top.txt"; mode=image` + "\n\n" + plain, text, 0},
		{"AnonFTPASCII", `access-type=anon-ftp; site="127.0.0.1"; directory=pub; name="a.txt"` + "\n\n" + plain, text, 0},
		{"AnonFTPMissing", `access-type=anon-ftp; site="127.0.0.1"; name="missing"` + "\n\n" + plain, "", fetch.NotFound},
		{"FTPWithLogin", `access-type=ftp; site="127.0.0.1"; directory=pub; name="a.txt"; mode=image` + "\n\n" + plain, text, 0},
		{"FTPWithLoginInClear", `access-type=ftp; site="127.0.0.1"; directory=pub; name="a.txt"; mode=image` + "\n\n" + plain, "", fetch.Untrusted},
		{"TFTP", `access-type=tftp; site="127.0.0.1"; name="a.txt"; mode=octet` + "\n\n" + plain, text, 0},
		{"TFTPMissing", `access-type=tftp; site="127.0.0.1"; name="missing"` + "\n\n" + plain, "", fetch.NotFound},
		{"LocalFile", `access-type=local-file; name="$ROOT/a.txt"` + "\n\n" + plain, text, 0},
		{"LocalFilePasswd", `access-type=local-file; name="/etc/passwd"` + "\n\n" + plain, "", fetch.Blocked},
		{"LocalFileDots", `access-type=local-file; name="$ROOT/../../etc/passwd"` + "\n\n" + plain, "", fetch.Blocked},
		{"LocalFileElsewhere", `access-type=local-file; name="$ROOT/a.txt"; site="elsewhere.example"` + "\n\n" + plain, "", fetch.Blocked},
		{"AFS", `access-type=afs; name="/afs/x/y"` + "\n\n" + plain, "", fetch.Blocked},
		{"MailServer", `access-type=mail-server; server="listserv@h.example"` + "\n\n" + plain + "\nget a.txt\n", "", fetch.Pending},
		{"MailServerSubjectOnly", `access-type=mail-server; server="listserv@h.example"; subject="get a.txt"` + "\n\n" + plain, "", fetch.Pending},
		{"ContentIDAlone", `access-type=content-id` + "\n\n" + plain, "", fetch.NotFound},
		{"UnknownType", `access-type=x-unheard-of; name=x` + "\n\n" + plain, "", fetch.Unsupported},
		{"NoAccessType", `name="x.url"` + "\n\n" + plain, "", fetch.Malformed},
		{"PhantomMissing", `access-type=URL; URL="http://$HTTP/a.txt"` + "\n\n", text, 0},
		{"BlankLineMissing", `access-type=URL; URL="http://$HTTP/a.txt"` + "\n\n" + strings.TrimSuffix(plain, "\n"), text, 0},
		{"Expired", `access-type=URL; URL="http://$HTTP/a.txt"; expiration="Fri, 14 Jun 1991 19:13:14 -0400 (EDT)"` + "\n\n" + plain, text, 0},
		{"WrongSize", `access-type=URL; URL="http://$HTTP/a.txt"; size=3` + "\n\n" + plain, text, 0},
		{"MD5", `access-type=URL; URL="http://$HTTP/a.txt"` + "\n\n" + plain + md5, text, 0},
		{"WrongMD5", `access-type=URL; URL="http://$HTTP/a.txt"` + "\n\n" + plain + "Content-MD5: " + md5sum("other") + "\n", "", fetch.DigestMismatch},
		{"WrongType", `access-type=URL; URL="http://$HTTP/a.html"` + "\n\n" + plain, "", fetch.TypeMismatch},
		{"PhantomBase64", `access-type=URL; URL="http://$HTTP/encoded.txt"` + "\n\n" + plain + "Content-Transfer-Encoding: base64\n", text, 0},
		{"PhantomMultipart", `access-type=URL; URL="http://$HTTP/parts"` + "\n\nContent-Type: multipart/mixed; boundary=b\nContent-ID: <a@b>\n", "--b\r\n\r\nx\r\n--b--\r\n", 0},
		{"PhantomExternalBody", `access-type=URL; URL="http://$HTTP/ref"` + "\n\nContent-Type: message/external-body; access-type=URL; URL=\"http://$HTTP/a.txt\"\nContent-ID: <a@b>\n", text, 0},
		{"PrivateAddress", `access-type=URL; URL="http://10.0.0.1/"` + "\n\n" + plain, "", fetch.Blocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := p.resolver(c.name).Resolve(t.Context(), first(t, "Content-Type: message/external-body; "+p.expand(c.message)))
			var got []byte
			if err == nil {
				got, err = io.ReadAll(body)
				body.Close()
			}
			if fetch.KindOf(err) != c.kind || err == nil && string(got) != c.want {
				t.Errorf("got %q, %v; want %q, %v", got, err, c.want, c.kind)
			}
		})
	}
}

// peers are the servers that the cases refer to.
type peers struct {
	t                     *testing.T
	http, ftp, tftp, root string
	ports                 []uint16
}

func newPeers(t *testing.T, text string) *peers {
	t.Helper()
	p := &peers{t: t, root: t.TempDir()}
	if err := os.WriteFile(filepath.Join(p.root, "a.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	pages := map[string][2]string{
		"/a.txt": {"text/plain", text}, "/with space.txt": {"text/plain", text},
		"/long/path/segment/that/is/folded.txt": {"text/plain", text},
		"/a.html":                               {"text/html", text},
		"/encoded.txt":                          {"text/plain", "dGhlIHRleHQNCg==\n"},
		"/parts":                                {"multipart/mixed; boundary=b", "--b\r\n\r\nx\r\n--b--\r\n"},
		"/ref":                                  {"message/external-body", "Content-Type: text/plain\r\nContent-ID: <i@h>\r\n\r\n"},
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", page[0])
		io.WriteString(w, page[1])
	}))
	t.Cleanup(web.Close)
	p.http = p.allow(web.Listener.Addr())

	disk := afero.NewMemMapFs()
	for _, name := range []string{"/pub/a.txt", "/top.txt"} {
		if err := afero.WriteFile(disk, name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.ftp = p.allow(ftpServer(t, &driver{fs: afero.NewReadOnlyFs(disk)}))

	p.tftp = p.allow(tftpServer(t, map[string][]byte{"a.txt": []byte(text)}))
	return p
}

// allow adds the port of a server to those that may be used.
func (p *peers) allow(addr net.Addr) string {
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		p.t.Fatal(err)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		p.t.Fatal(err)
	}
	p.ports = append(p.ports, uint16(n))
	return addr.String()
}

func (p *peers) expand(text string) string {
	root := filepath.ToSlash(p.root)
	rootURL := url.URL{Path: root}
	return strings.NewReplacer("$HTTP", p.http, "$FTP", p.ftp, "$TFTP", p.tftp, "$ROOTURL", rootURL.EscapedPath(), "$ROOT", root).Replace(text)
}

// resolver returns a Resolver with all fetchers. The classical access types
// know no ports: requests to the usual ones go to their servers.
func (p *peers) resolver(name string) *externalbody.Resolver {
	guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: p.ports}
	safe := safefetch.New(&safefetch.Options{Guard: &netguard.Guard{Allow: guard.Allow, Ports: p.ports}, AllowPlaintext: name == "FTPWithLogin"})
	root, err := os.OpenRoot(p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { root.Close() })
	mux := new(fetch.Mux)
	for _, scheme := range []string{"http", "https", "data"} {
		mux.Handle(scheme, safe)
	}
	mux.Handle("ftp", behind(p.ftp, safe))
	mux.Handle("tftp", behind(p.tftp, tftpfetch.New(&tftpfetch.Options{Guard: guard})))
	mux.Handle("file", filefetch.New(&filefetch.Options{Root: root, Host: "here.example"}))
	mux.Handle("mailto", mailfetch.New(&mailfetch.Options{
		From: "me@h.example",
		Send: func(context.Context, string, string, []byte) error { return nil },
	}))
	return &externalbody.Resolver{
		Fetcher: mux,
		AnySite: true,
		Credentials: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
			return &fetch.Userinfo{User: "bob", Password: "pw"}, nil
		},
	}
}

// behind sends requests without a port to a server.
func behind(server string, f fetch.Fetcher) fetch.Fetcher {
	return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Port() != "" {
			return f.Fetch(ctx, req)
		}
		c := *req
		u, err := url.Parse(req.URL.String())
		if err != nil {
			return nil, err
		}
		u.Host = server
		c.URL = u
		return f.Fetch(ctx, &c)
	})
}

// first returns the first Reference of a message.
func first(t *testing.T, text string) *externalbody.Reference {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for ref := range m.References() {
		return ref
	}
	t.Fatal("got no Reference, want one")
	return nil
}

func md5sum(s string) string {
	sum := md5.Sum([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}
