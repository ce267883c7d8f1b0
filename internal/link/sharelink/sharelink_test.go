package sharelink_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A vector is a golden URL of a row of the list. Identifiers and names in it are invented.
type vector struct {
	URL      string `json:"url"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Direct   string `json:"direct"`
	Needs    string `json:"needs"`
	provider string
}

// A listed row has its golden URLs and near misses.
type listed struct {
	Provider string
	Also     []string
	Is       []vector
	Not      []string
}

// A section is a part of the list.
type section struct{ Links, Software, Guesses []listed }

var list = readList()

func readList() (l section) {
	text, err := os.ReadFile("testdata/list.json")
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		panic(err)
	}
	// The rows for any host are the last of the table.
	return l
}

// vectors are the golden URLs at known hosts.
var vectors = vectorsOf(list.Links)

func vectorsOf(rows []listed) (all []vector) {
	for _, r := range rows {
		for _, v := range r.Is {
			v.provider = r.Provider
			all = append(all, v)
		}
	}
	return all
}

// check compares a link with the vector for it.
func check(t *testing.T, v vector, l *sharelink.Link, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("%s: got no link, want %s", v.URL, v.provider)
		return
	}
	got := vector{v.URL, string(l.Kind), l.Name, l.Direct, sharelink.NeedsText(l), l.Provider}
	if got != v {
		t.Errorf("\ngot  %+v\nwant %+v", got, v)
	}
}

// Each row recognises its golden URLs, no row before it does, and no row recognises its near
// misses.
func TestVectors(t *testing.T) {
	count := 0
	test := func(rows []listed, guessed bool) {
		taken := make(map[string]bool)
		for _, r := range rows {
			names := []string{""}
			if !guessed && &rows[0] == &list.Software[0] {
				names = append([]string{r.Provider}, r.Also...)
			}
			if len(r.Is) == 0 || len(r.Not) == 0 {
				t.Errorf("%s: got %d golden URLs and %d near misses, want both", r.Provider, len(r.Is), len(r.Not))
			}
			for _, kind := range names {
				match := func(text string) (*sharelink.Link, bool) { return tableFor(t, text, kind).Match(text) }
				if guessed {
					match = (*sharelink.Table)(nil).Guess
				}
				number := -1
				for _, v := range r.Is {
					count++
					v.provider = cmp.Or(kind, r.Provider)
					l, ok := match(v.URL)
					check(t, v, l, ok)
					numbers := sharelink.NumbersOf(v.URL, kind, guessed)
					if number < 0 && len(numbers) > 0 {
						number = numbers[0]
					}
					if len(numbers) == 0 || numbers[0] != number {
						t.Errorf("%s: got the rows %v, want the row %d of the first golden URL before others", v.URL, numbers, number)
					}
				}
				if key := fmt.Sprint(kind, number); taken[key] {
					t.Errorf("%s %q: got a row that another one has the golden URLs of, want one of its own", r.Provider, r.Is)
				} else {
					taken[key] = true
				}
				for _, text := range r.Not {
					count++
					if l, ok := match(text); ok {
						t.Errorf("%s: got %+v, want it not recognised", text, *l)
					}
				}
			}
		}
	}
	test(list.Links, false)
	test(list.Software, false)
	test(list.Guesses, true)
	if count < 1000 {
		t.Errorf("got %d vectors, want all of them", count)
	}
	t.Logf("%d vectors", count)
}

// SharePoint at a host of an organisation has the links that it has at its own hosts, if the host is named.
func TestVanity(t *testing.T) {
	const ours = "files.contoso.example"
	table, err := sharelink.NewTable(map[string]string{ours: "sharepoint"})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, v := range vectors {
		u, ok := weburl.Parse(v.URL)
		if v.provider != "sharepoint" || !ok {
			continue
		}
		count++
		v.URL = strings.ReplaceAll(v.URL, u.Host, ours)
		v.Direct = strings.ReplaceAll(v.Direct, u.Host, ours)
		l, ok := table.Match(v.URL)
		check(t, v, l, ok)
		if l, ok := sharelink.Match(v.URL); ok {
			t.Errorf("%s: got %+v, want no link at a host that was not named", v.URL, *l)
		}
	}
	if count < 20 {
		t.Errorf("got %d vectors, want all of SharePoint", count)
	}
	if l, ok := table.Match("https://" + ours + "/sites/team/SitePages/Home.aspx"); ok {
		t.Errorf("got %+v, want no link for a page", *l)
	}
}

// tableFor returns a Table in which the host of a URL is of a kind, or nil for "".
func tableFor(t *testing.T, text, kind string) *sharelink.Table {
	t.Helper()
	u, ok := weburl.Parse(text)
	if kind == "" || !ok {
		return nil
	}
	table, err := sharelink.NewTable(map[string]string{u.Host: kind})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const same = "(the link)"

// golden has the facts that vectors do not have.
var golden = []struct {
	name   string
	text   string
	link   sharelink.Link // Size 0 stands for -1
	direct string         // same stands for text without its fragment
}{
	{"OneDriveNew", "https://1drv.ms/x/c/a77974c33a34d9bb/ERyj4V2-DQ1w2E3r4T5?e=rX", sharelink.Link{Provider: "onedrive", Cookies: true, Kind: sharelink.File, ID: "ERyj4V2-DQ1w2E3r4T5"}, "https://my.microsoftpersonalcontent.com/personal/a77974c33a34d9bb/_layouts/15/download.aspx?share=ERyj4V2-DQ1w2E3r4T5"},
	{"SharePointEscaped", "https://tenant-my.sharepoint.com/%3Ab%3a/g/personal/joe%5Ftenant%5Fcom/EYCB0u8Q1w2E3r4T5y6?e=wVl", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EYCB0u8Q1w2E3r4T5y6"}, "https://tenant-my.sharepoint.com/%3Ab%3a/g/personal/joe%5Ftenant%5Fcom/EYCB0u8Q1w2E3r4T5y6?e=wVl&download=1"},
	{"Docs", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/edit?usp=sharing&resourcekey=0-V", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX1a2B3c4D5e6F7g8H9i0J1k2L", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=pdf&resourcekey=0-V"},
	{"DocsExport", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=docx", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX1a2B3c4D5e6F7g8H9i0J1k2L", Rendition: true}, same},
	{"DocsPublished", "https://docs.google.com/spreadsheets/d/e/2PACX-1vQ2w3E4r5T6y7U8i9/pub?output=csv", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, Rendition: true}, same},
	{"MailDropNoKey", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D&f=a.b", sharelink.Link{Provider: "icloud", Kind: sharelink.File, Name: "a.b"}, ""},
	{"ICloudContent", "https://cvws.icloud-content.com/B/Af/a%20b.pdf?o=A&e=1644729352&r=de0b-1&k=8Z", sharelink.Link{Provider: "icloud", Kind: sharelink.File, ID: "de0b-1", Name: "a b.pdf", Expiration: time.Date(2022, 2, 13, 5, 15, 52, 0, time.UTC)}, same},
	{"WeTransferShort", "https://we.tl/t-AbC91a2B3c", sharelink.Link{Provider: "wetransfer", ID: "t-AbC91a2B3c", Once: true, Needs: sharelink.NeedsProgram}, ""},
	{"MegaOld", "https://mega.nz/#!TL522CpD!_zKQ", sharelink.Link{Provider: "mega", Kind: sharelink.File, ID: "TL522CpD", EndToEnd: true, Cut: true}, ""},
	{"Tianyi", "https://download.cloud.189.cn/file/downloadFile.action?dt=51&expired=1766728823671&sk=dd&sig=x%3D", sharelink.Link{Provider: "tianyi", Kind: sharelink.File, Expiration: time.UnixMilli(1766728823671).UTC()}, same},
	{"BoxDownload", "https://app.box.com/index.php?rm=box_download_shared_file&shared_name=p0&file_id=f_190000001", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "190000001"}, same},
	{
		"MailDrop", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FAf_Z%2F%24%7Bf%7D%3Fo%3DAu%26v%3D1%26e%3D1763787120%26fl%3D%26r%3D37EC-1%26k%3D%24%7Buk%7D%26ckc%3Dcom.apple.largeattachment%26s%3D0x&uk=zqlg-7&f=2025-10-23%20A%2Bb.mp4&sz=146766600",
		sharelink.Link{Provider: "icloud", Kind: sharelink.File, ID: "37EC-1", Name: "2025-10-23 A+b.mp4", Size: 146766600, Expiration: time.Date(2025, 11, 22, 4, 52, 0, 0, time.UTC)},
		"https://cvws.icloud-content.com/B/Af_Z/2025-10-23%20A%2Bb.mp4?o=Au&v=1&e=1763787120&fl=&r=37EC-1&k=zqlg-7&ckc=com.apple.largeattachment&s=0x",
	},
	{
		"DocsOffice", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/edit?usp=sharing&ouid=1&rtpof=true&sd=true",
		sharelink.Link{Provider: "google-docs", Kind: sharelink.File, ID: "1EuX1a2B3c4D5e6F7g8H9i0J1k2L", Fallback: "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=pdf", FallbackType: "application/pdf"},
		"https://drive.usercontent.google.com/download?id=1EuX1a2B3c4D5e6F7g8H9i0J1k2L&export=download&confirm=t",
	},
}

func TestMatch(t *testing.T) {
	for _, tt := range golden {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.link
			want.Kind = cmp.Or(want.Kind, sharelink.Page)
			want.Direct = tt.direct
			if want.Size == 0 {
				want.Size = -1
			}
			if tt.direct == same {
				want.Direct, _, _ = strings.Cut(tt.text, "#")
			}
			got, ok := sharelink.Match(tt.text)
			if !ok {
				t.Fatal("not recognised")
			}
			want.Shape = got.Shape
			if *got != want {
				t.Errorf("\ngot  %+v\nwant %+v", *got, want)
			}
		})
	}
}

// A name cannot get out of the place in the address that it is put into.
func TestMailDropName(t *testing.T) {
	l, ok := sharelink.Match("https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D%26z%3D1&f=..%2F%3Fx%23%24%7Buk%7D&uk=a%26b")
	if want := "https://cvws.icloud-content.com/B/A/..%2F%3Fx%23%24%7Buk%7D?k=a%26b&z=1"; !ok || l.Direct != want {
		t.Errorf("got %+v, want %q", l, want)
	}
}

// No row takes the pages that every host has.
func TestMatchPages(t *testing.T) {
	hosts := make(map[string]bool)
	for _, tt := range vectors {
		if u, ok := weburl.Parse(tt.URL); ok {
			hosts[u.Host] = true
		}
	}
	for host := range hosts {
		for _, path := range []string{
			"", "/", "/login", "/signin", "/help", "/logo.png", "/images/logo.png", "/home", "/form", "/forms/a", "/settings",
			"/settings/account", "/terms", "/privacy", "/about", "/notice", "/index.html", "/search?q=x", "/unsubscribe?id=x", "/favicon.ico",
			"/s", "/file", "/download", "/d", "/dl", "/share", "/documents", "/id", "/pages", "/files", "/t", "/v", "/doc",
			"/pricing", "/blog/2026/news", "/business/plans", "/intl/de/about", "/en-us/help/articles/1", "/careers", "/install", "/app/android",
			"/login?redirect=%2Fs%2FAbCd", "/account/reset?token=AbCd", "/static/images/logo.svg", "/hc/en-us/articles/123", "/l/unsubscribe/x", "/status.json",
		} {
			text := "https://" + host + path
			if l, ok := sharelink.Match(text); ok {
				t.Errorf("%s: got %+v, want none", text, *l)
			}
		}
	}
}

// nearMisses are segments of page URLs at the place where a share link has its
// token.
var nearMisses = strings.Fields("a b2 v2 abc login help home settings Terms logo.png index.html unsubscribe form privacy pricing blog about " +
	"intl plans.html About Pricing FAQ HELP aboutus about-us sign-in sign_up getting-started GettingStarted terms-of-service TermsOfService " +
	"privacy-policy PrivacyPolicy features enterprise business download downloads upload shared-with-me templates documentation " +
	"notifications 2024 2026 press careers contact-us support team invite report_abuse register my-files new undefined null favicon.ico robots.txt app.js main.css")

// No link has the name of a page where its token should be.
func TestNearMisses(t *testing.T) {
	tried := 0
	for _, tt := range vectors {
		link, ok := sharelink.Match(tt.URL)
		if !ok || link.ID == "" || link.Provider == "icloud" && !strings.Contains(link.Shape, "{id}") || strings.Contains(tt.URL, "redeem=") {
			continue // something else makes it a share link
		}
		for _, page := range nearMisses {
			text := strings.Replace(tt.URL, link.ID, page, 1)
			if escaped := url.QueryEscape(link.ID); text == tt.URL {
				text = strings.Replace(tt.URL, escaped, page, 1)
			}
			if text == tt.URL {
				continue
			}
			tried++
			if l, ok := sharelink.Match(text); ok && l.ID == page {
				t.Errorf("%s: got %+v, want none", text, *l)
			}
		}
	}
	if tried < 10000 {
		t.Errorf("got %d near misses, want more", tried)
	}
}

func TestFindDirect(t *testing.T) {
	const link = "https://tenant.app.box.com/s/p0k2vz1a2B"
	const swiss = "https://www.swisstransfer.com/d/847d31ea-4ad9-4487-b545-9e6f8111888a"
	const drive = "https://drive.google.com/file/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/view"
	form := func(action, id string) string {
		return `<form id="download-form" action="` + action + `"><input type="hidden" name="id" value="` + id + `"><input name="confirm" value="t"></form>`
	}
	for _, tt := range []struct{ name, link, page, want string }{
		{"File", link, `{"/app-api/enduserapp/shared-item":{"itemID":197,"typedID":"f_197000001"}} "typedID":"f_197000001"`, "https://tenant.app.box.com/index.php?rm=box_download_shared_file&shared_name=p0k2vz1a2B&file_id=f_197000001"},
		{"Vanity", "https://tenant.box.com/v/data1a2B3c", `"typedID":"f_197000001"`, "https://tenant.box.com/index.php?rm=box_download_shared_file&vanity_name=data1a2B3c&file_id=f_197000001"},
		{"Folder", link, `"typedID":"d_5","x":[{"typedID":"f_197000001"},{"typedID":"f_198000001"}]`, ""},
		{"FolderOfOne", link, `"typedID":"d_5","x":[{"typedID":"f_197000001"}]`, ""},
		{"Nothing", link, `<title>Box</title>`, ""},
		{"Evil", link, `"typedID":"f_197000001&x=//evil.example/"`, ""},
		{"Endless", link, `"typedID":"f_1111111111111111111111111111111111111"`, ""},
		{"OtherRow", "https://www.dropbox.com/s/a1b2c3d4e5f6g7h/b.pdf", `"typedID":"f_197000001"`, ""},
		{"NoLink", "https://a.example/", `"typedID":"f_197000001"`, ""},
		{"PCloud", "https://u.pcloud.link/publink/show?code=XZikKE", `{"result":0,"path":"/cBZ/a%20b.pdf","hosts":["p-def4.pcloud.com","c1.pcloud.com"]}`, "https://p-def4.pcloud.com/cBZ/a%20b.pdf"},
		{"PCloudGone", "https://u.pcloud.link/publink/show?code=XZikKE", `{"result":7002,"error":"gone"}`, ""},
		{"PCloudEvil", "https://u.pcloud.link/publink/show?code=XZikKE", `{"path":"/x","hosts":["u@evil.example"]}`, ""},
		{"SwissTransfer", swiss, `{"result":"success","data":{"downloadHost":"dl-1.swisstransfer.com","container":{"files":[{"UUID":"2e2f23b0-24b8-4c60-8413-d838396ac562"}]}}}`, "https://dl-1.swisstransfer.com/api/download/847d31ea-4ad9-4487-b545-9e6f8111888a/2e2f23b0-24b8-4c60-8413-d838396ac562"},
		{"SwissTransferTwo", swiss, `{"data":{"downloadHost":"dl-1.swisstransfer.com","container":{"files":[{"UUID":"2e2f23b0-24b8-4c60-8413-d838396ac562"},{"UUID":"2e2f23b0-24b8-4c60-8413-d838396ac563"}]}}}`, ""},
		{"MailRu", "https://cloud.mail.ru/public/AbCd/eFgHiJkLm", `{"status":200,"body":{"weblink_get":[{"url":"https://cloclo12.cloud.mail.ru/weblink/get"}]}}`, "https://cloclo12.cloud.mail.ru/weblink/get/AbCd/eFgHiJkLm"},
		{"MailRuDown", "https://cloud.mail.ru/public/AbCd/eFgHiJkLm", `{"status":503}`, ""},
		{"Drive", drive, form("https://drive.usercontent.google.com/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), "https://drive.usercontent.google.com/download?id=1EuX1a2B3c4D5e6F7g8H9i0J1k2L&confirm=t"},
		{"DriveSingleQuotes", drive, strings.ReplaceAll(form("https://drive.usercontent.google.com/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), `"`, "'"), "https://drive.usercontent.google.com/download?id=1EuX1a2B3c4D5e6F7g8H9i0J1k2L&confirm=t"},
		{"DriveRelative", drive, form("/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), "https://drive.usercontent.google.com/download?id=1EuX1a2B3c4D5e6F7g8H9i0J1k2L&confirm=t"},
		{"DriveOtherAuthority", drive, form("//evil.example/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), ""},
		{"DriveOtherFile", drive, form("https://drive.usercontent.google.com/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2M"), ""},
		{"DriveOtherHost", drive, form("https://evil.example/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), ""},
		{"DriveOtherPort", drive, form("https://drive.usercontent.google.com:8443/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), ""},
		{"DrivePlaintext", drive, form("http://drive.usercontent.google.com/download", "1EuX1a2B3c4D5e6F7g8H9i0J1k2L"), ""},
		{"Yandex", "https://disk.yandex.ru/i/DILkFqAZ", `{"href":"https://downloader.disk.yandex.ru/disk/a?b=c#d"}`, "https://downloader.disk.yandex.ru/disk/a?b=c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (*sharelink.Table)(nil).FindDirect(tt.link, []byte(tt.page)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Hosts of a caller's own, at the root or below a path, with a port or not.
func TestTable(t *testing.T) {
	table, err := sharelink.NewTable(map[string]string{
		"cloud.example":           "nextcloud",
		"Files.Example:8443/own/": "owncloud",
		"sea.example":             "seafile",
		"mail.example":            "zimbra",
		"kw.example":              "kiteworks",
		"send.example/fs":         "filesender",
		"liquid.example":          "liquidfiles",
		"hi.example":              "hidrive",
		"pydio.example":           "pydio",
		"run.example":             "filerun",
		"project.example":         "projectsend",
		"plik.example":            "plik",
		"gokapi.example":          "gokapi",
		"pico.example":            "picoshare",
		"ffsend.example":          "send",
		"vault.example":           "bitwarden-send",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		link       *sharelink.Link // nil for none
	}{
		{"Nextcloud", "https://cloud.example/s/aB1?path=%2F", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/s/aB1/download"}},
		{"NextcloudIndex", "https://cloud.example/index.php/s/aB1/", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/index.php/s/aB1/download"}},
		{"NextcloudDirect", "https://cloud.example/s/aB1/download/a%20b.pdf", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Name: "a b.pdf", Direct: "https://cloud.example/s/aB1/download"}},
		{"NextcloudLogin", "https://cloud.example/login", nil},
		{"NextcloudHome", "https://cloud.example/", nil},
		{"OtherPort", "https://cloud.example:8443/s/aB1", nil},
		{"Port", "https://files.example:8443/own/s/aB1", &sharelink.Link{Provider: "owncloud", ID: "aB1", Direct: "https://files.example:8443/own/s/aB1/download"}},
		{"NoPort", "https://files.example/own/s/aB1", nil},
		{"OutOfPath", "https://files.example:8443/s/aB1", nil},
		{"Seafile", "https://sea.example/f/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.File, ID: "aB1", Direct: "https://sea.example/f/aB1/?dl=1"}},
		{"SeafileInFolder", "https://sea.example/d/aB1/files/?p=%2Fa%2Fb%20c.pdf", &sharelink.Link{Provider: "seafile", Kind: sharelink.File, Name: "b c.pdf", Direct: "https://sea.example/d/aB1/files/?p=%2Fa%2Fb%20c.pdf&dl=1"}},
		{"SeafileFolder", "https://sea.example/d/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.Folder, ID: "aB1"}},
		{"Zimbra", "https://mail.example/home/joe@mail.example/Briefcase/a.pdf", &sharelink.Link{Provider: "zimbra", Kind: sharelink.File, Name: "a.pdf", Direct: "https://mail.example/home/joe@mail.example/Briefcase/a.pdf"}},
		{"ZimbraCalendar", "https://mail.example/home/joe@mail.example/Calendar", nil},
		{"Kiteworks", "https://kw.example/w/aB1", &sharelink.Link{Provider: "kiteworks", ID: "aB1", Needs: sharelink.NeedsProgram}},
		{"FileSender", "https://send.example/fs/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562", &sharelink.Link{Provider: "filesender", ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Needs: sharelink.NeedsProgram}},
		{"FileSenderUpload", "https://send.example/fs/?s=upload&token=2e2f23b0-24b8-4c60-8413-d838396ac562", nil},
		{"NextcloudPart", "https://cloud.example/s/aB1?path=%2Fsub&files=report.docx", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.File, ID: "aB1", Name: "report.docx", Direct: "https://cloud.example/s/aB1/download?path=%2Fsub&files=report.docx"}},
		{"NextcloudFile", "https://cloud.example/s/aB1?files=a%20b.pdf", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.File, ID: "aB1", Name: "a b.pdf", Direct: "https://cloud.example/s/aB1/download?path=%2F&files=a%20b.pdf"}},
		{"NextcloudPath", "https://cloud.example/s/aB1?path=%2Fsub", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.Folder, ID: "aB1"}},
		{"NextcloudDir", "https://cloud.example/s/aB1?dir=/sub&openfile=123", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.Folder, ID: "aB1"}},
		{"NextcloudSeveral", "https://cloud.example/s/aB1/download?path=%2F&files=%5B%22a.pdf%22%2C%22b.pdf%22%5D", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.Folder, ID: "aB1"}},
		{"NextcloudBelow", "https://cloud.example/nextcloud/index.php/s/aB1", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/nextcloud/index.php/s/aB1/download"}},
		{"NextcloudPreview", "https://cloud.example/s/aB1/preview", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/s/aB1/download"}},
		{"NextcloudPassword", "https://cloud.example/index.php/s/aB1/authenticate/showShare", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/index.php/s/aB1/download"}},
		{"NextcloudDAV", "https://cloud.example/public.php/dav/files/aB1/a%20b.pdf", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.File, Name: "a b.pdf", Direct: "https://cloud.example/public.php/dav/files/aB1/a%20b.pdf"}},
		{"OwnCloudDAV", "https://cloud.example/remote.php/dav/public-files/aB1/sub/a.pdf", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.File, Name: "a.pdf", Direct: "https://cloud.example/remote.php/dav/public-files/aB1/sub/a.pdf"}},
		{"OwnCloudOld", "https://cloud.example/public.php?service=files&t=0123456789abcdef0123456789abcdef", &sharelink.Link{Provider: "nextcloud", ID: "0123456789abcdef0123456789abcdef", Direct: "https://cloud.example/public.php?service=files&t=0123456789abcdef0123456789abcdef&download="}},
		{"OwnCloudOldPart", "https://cloud.example/public.php?service=files&t=0123456789abcdef0123456789abcdef&path=//sub/a.pdf", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.File, ID: "0123456789abcdef0123456789abcdef", Name: "a.pdf", Direct: "https://cloud.example/public.php?service=files&t=0123456789abcdef0123456789abcdef&path=//sub/a.pdf&download="}},
		{"OwnCloudOldFolder", "https://cloud.example/public.php?service=files&t=0123456789abcdef0123456789abcdef&path=//sub", &sharelink.Link{Provider: "nextcloud", Kind: sharelink.Folder, ID: "0123456789abcdef0123456789abcdef"}},
		{"OwnCloudOther", "https://cloud.example/public.php?service=calendar&t=0123456789abcdef0123456789abcdef", nil},
		{"SeafileSmart", "https://sea.example/smart-link/2e2f23b0-24b8-4c60-8413-d838396ac562/", &sharelink.Link{Provider: "seafile", ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Needs: sharelink.NeedsAccount}},
		{"SeafileOldFolder", "https://sea.example/d/s/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.Folder, ID: "aB1"}},
		{"SeafileServer", "https://sea.example/seafhttp/f/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.File, ID: "aB1", Direct: "https://sea.example/seafhttp/f/aB1/"}},
		{"ZimbraService", "https://mail.example/service/home/joe@mail.example/Briefcase/a.pdf", &sharelink.Link{Provider: "zimbra", Kind: sharelink.File, Name: "a.pdf", Direct: "https://mail.example/service/home/joe@mail.example/Briefcase/a.pdf"}},
		{"KiteworksCourier", "https://kw.example/courier/web/1000@a1b2/wmLogin.html", &sharelink.Link{Provider: "kiteworks", Needs: sharelink.NeedsProgram}},
		{"FileSenderFile", "https://send.example/fs/download.php?token=2e2f23b0-24b8-4c60-8413-d838396ac562&files_ids=123", &sharelink.Link{Provider: "filesender", Kind: sharelink.File, ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Direct: "https://send.example/fs/download.php?token=2e2f23b0-24b8-4c60-8413-d838396ac562&files_ids=123"}},
		{"FileSenderFiles", "https://send.example/fs/download.php?token=2e2f23b0-24b8-4c60-8413-d838396ac562&files_ids=1,2", &sharelink.Link{Provider: "filesender", ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Needs: sharelink.NeedsProgram}},
		{"LiquidFiles", "https://liquid.example/link/a1B2c3D4e5F6g7H8i9", &sharelink.Link{Provider: "liquidfiles", ID: "a1B2c3D4e5F6g7H8i9", Needs: sharelink.NeedsProgram}},
		{"LiquidFilesPage", "https://liquid.example/link/new", nil},
		{"HiDrive", "https://hi.example/lnk/a1B2c3D4", &sharelink.Link{Provider: "hidrive", ID: "a1B2c3D4", Needs: sharelink.NeedsProgram}},
		{"Pydio", "https://pydio.example/public/a1b2c3d4e5", &sharelink.Link{Provider: "pydio", ID: "a1b2c3d4e5", Needs: sharelink.NeedsProgram}},
		{"FileRun", "https://run.example/wl/?id=a1B2c3D4e5F6g7H8i9", &sharelink.Link{Provider: "filerun", ID: "a1B2c3D4e5F6g7H8i9", Needs: sharelink.NeedsProgram}},
		{"ProjectSend", "https://project.example/download.php?id=5&token=a1B2c3D4e5F6g7H8i9", &sharelink.Link{Provider: "projectsend", Kind: sharelink.File, ID: "a1B2c3D4e5F6g7H8i9", Direct: "https://project.example/download.php?id=5&token=a1B2c3D4e5F6g7H8i9&download="}},
		{"ProjectSendShare", "https://project.example/s/a1B2c3D4e5F6g7H8i9", &sharelink.Link{Provider: "projectsend", Kind: sharelink.File, ID: "a1B2c3D4e5F6g7H8i9", Once: true, Direct: "https://project.example/s/a1B2c3D4e5F6g7H8i9/download"}},
		{"Plik", "https://plik.example/file/a1B2c3D4e5F6g7H8/i9J0k1L2m3N4o5P6/a%20b.pdf", &sharelink.Link{Provider: "plik", Kind: sharelink.File, ID: "i9J0k1L2m3N4o5P6", Name: "a b.pdf", Direct: "https://plik.example/file/a1B2c3D4e5F6g7H8/i9J0k1L2m3N4o5P6/a%20b.pdf"}},
		{"PlikPage", "https://plik.example/#/?id=a1B2c3D4e5F6g7H8", &sharelink.Link{Provider: "plik", ID: "a1B2c3D4e5F6g7H8", Needs: sharelink.NeedsProgram}},
		{"Gokapi", "https://gokapi.example/d?id=a1B2c3D4e5F6g7H", &sharelink.Link{Provider: "gokapi", Kind: sharelink.File, ID: "a1B2c3D4e5F6g7H", Direct: "https://gokapi.example/downloadFile?id=a1B2c3D4e5F6g7H"}},
		{"GokapiName", "https://gokapi.example/d/a1B2c3D4e5F6g7H/a.pdf", &sharelink.Link{Provider: "gokapi", Kind: sharelink.File, ID: "a1B2c3D4e5F6g7H", Name: "a.pdf", Direct: "https://gokapi.example/downloadFile?id=a1B2c3D4e5F6g7H"}},
		{"GokapiDirect", "https://gokapi.example/dh/a1B2c3D4e5F6g7H/a.pdf", &sharelink.Link{Provider: "gokapi", Kind: sharelink.File, ID: "a1B2c3D4e5F6g7H", Name: "a.pdf", Direct: "https://gokapi.example/dh/a1B2c3D4e5F6g7H/a.pdf"}},
		{"PicoShare", "https://pico.example/-a1B2c3D4e5/a.pdf", &sharelink.Link{Provider: "picoshare", Kind: sharelink.File, ID: "-a1B2c3D4e5", Name: "a.pdf", Direct: "https://pico.example/-a1B2c3D4e5/a.pdf"}},
		{"PicoSharePage", "https://pico.example/settings-page", nil},
		{"Send", "https://ffsend.example/download/a1b2c3d4e5f6/#AbCdEfGhIjKlMnOpQrStUv", &sharelink.Link{Provider: "send", Kind: sharelink.File, ID: "a1b2c3d4e5f6", EndToEnd: true}},
		{"Vault", "https://vault.example/#/send/a1B2c3D4e5F6/AbCdEfGhIjKlMnOp", &sharelink.Link{Provider: "bitwarden-send", ID: "a1B2c3D4e5F6", EndToEnd: true}},
		{"Known", "https://user.fm/files/v2-300f28f8/a.pdf", &sharelink.Link{Provider: "fastmail", Kind: sharelink.File, ID: "v2-300f28f8", Name: "a.pdf", Direct: "https://user.fm/files/v2-300f28f8/a.pdf"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := table.Match(tt.text)
			if tt.link == nil {
				if ok {
					t.Errorf("got %+v, want none", *got)
				}
				return
			}
			tt.link.Size, tt.link.Kind = -1, cmp.Or(tt.link.Kind, sharelink.Page)
			if ok {
				tt.link.Shape = got.Shape
			}
			if !ok || *got != *tt.link {
				t.Errorf("got %+v, want %+v", got, *tt.link)
			}
			if !hinted(table.Hints(), tt.text) {
				t.Errorf("%s: got no hint, want one", tt.text)
			}
		})
	}
	for _, bad := range []map[string]string{{"a.example": "drive"}, {"a b": "nextcloud"}, {"": "nextcloud"}, {"u@a.example": "nextcloud"}, {"a.example?x": "nextcloud"}, {"https://a.example": "nextcloud"}} {
		if _, err := sharelink.NewTable(bad); err == nil {
			t.Errorf("%v: got no error, want one", bad)
		}
	}
	if none, err := sharelink.NewTable(nil); none != nil || err != nil {
		t.Errorf("got %v, %v, want nil", none, err)
	}
}

func hinted(hints []string, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(text, h) })
}

func TestHints(t *testing.T) {
	hints := (*sharelink.Table)(nil).Hints()
	for _, h := range hints {
		if h != strings.ToLower(h) || len(h) < len("we.tl") {
			t.Errorf("got the hint %q, want one in lower case, not too short", h)
		}
		if len(h) < 8 && !strings.Contains(h, ".") || strings.HasSuffix(h, ".") {
			t.Errorf("got the hint %q, which makes the search for all of them slow", h)
		}
	}
	for _, tt := range vectors {
		if !hinted(hints, tt.URL) {
			t.Errorf("%s: got no hint in it, want one", tt.URL)
		}
	}
	escaped := "https://mail.a.example/alimail/openL%69nks/downloadMimeMetaDiskBigAttach?id=netdiskid%3Aabc"
	if l, ok := sharelink.Match(escaped); ok && !hinted(hints, escaped) {
		t.Errorf("%s: got %+v, but no hint in it, want both or none", escaped, l)
	}
}

// The result for a link is a URL without fragment, at an https or the same site,
// and not a folder; a hint matches beforehand.
func FuzzMatch(f *testing.F) {
	for _, tt := range vectors {
		f.Add(tt.URL)
	}
	hints := (*sharelink.Table)(nil).Hints()
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := sharelink.Match(text)
		if !ok {
			return
		}
		if !hinted(hints, text) {
			t.Fatalf("%q: got no hint in it, want one", text)
		}
		if l.Provider == "" || l.Size == 0 || l.Size < -1 {
			t.Fatalf("%q: got %+v, want a provider and a size, or -1", text, l)
		}
		if l.Direct == "" {
			return
		}
		u, _ := weburl.Parse(text)
		d, ok := weburl.Parse(l.Direct)
		if !ok || d.HasFragment || d.Port != 0 || d.Scheme != "https" && !d.SameSite(u) {
			t.Fatalf("%q: got %q, want https or the same site", text, l.Direct)
		}
		if l.Kind == sharelink.Folder || l.EndToEnd {
			t.Fatalf("%q: got %+v, want no direct form", text, l)
		}
		if u.Fragment != "" && len(u.Fragment) > 8 && !strings.Contains(strings.TrimSuffix(text, "#"+u.Fragment), u.Fragment) && strings.Contains(l.Direct, u.Fragment) {
			t.Fatalf("%q: got %q, want it without the fragment", text, l.Direct)
		}
		again, ok := sharelink.Match(l.Direct)
		if ok && again.Direct != "" && again.Direct != l.Direct {
			t.Fatalf("%q: got %q, then %q, want the same", text, l.Direct, again.Direct)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"First", vectors[0].URL},
		{"Last", vectors[len(vectors)-1].URL},
		{"None", "https://files.example/a/b/c?d=e"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				sharelink.Match(bb.text)
			}
		})
	}
}

// The strict shapes recognize a share at a host that was not named. Other URLs there,
// and at known hosts, are not guessed.
func TestGuess(t *testing.T) {
	for _, tt := range []struct{ text, provider string }{
		{"https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://uni.example/owncloud/index.php/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://uni.example/library/index.php/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://uni.example/a/library/index.php/s/AbCdEfGhIjKlMnO", ""},
		{"https://uni.example/public.php?service=files&t=0123456789abcdef0123456789abcdef", "owncloud"},
		{"https://send.uni.example/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562", "filesender"},
		{"https://sea.uni.example/f/0123456789abcdef0123/", "seafile"},
		{"https://sea.uni.example/d/0123456789abcdef0123/", "seafile"},
		{"https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMn", ""},
		{"https://cloud.uni.example/index.php/s/AbCdEfGhIjKl-nO", ""},
		{"https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMnOp", ""},
		{"https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMnO/download", "nextcloud"},
		{"https://cloud.uni.example/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://nextcloud.uni.example/s/AbCdEfGhIjKlMnO/download/a.pdf", "nextcloud"},
		{"https://files.uni.example/s/AbCdEfGhIjKlMnO", ""},
		{"https://files.uni.example/s/AbCdEfGhIjKlMnO?to=cloud.example", ""},
		{"https://cloud.uni.example/s/AbCdEfGhIjKlMnOp", ""},
		{"https://cloud.uni.example/s/getting-started", ""},
		{"https://owncloud.uni.example/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://seafile.uni.example/d/0123456789abcdef0123/files/?p=%2Fa.pdf", "seafile"},
		{"https://sea.uni.example/seafhttp/files/2e2f23b0-24b8-4c60-8413-d838396ac562/a.pdf", "seafile"},
		{"https://sea.uni.example/seafhttp/files/2e2f23b0/a.pdf", ""},
		{"https://sea.uni.example/d/0123456789abcdef012/files/?p=%2Fa.pdf", ""},
		{"https://cloud.uni.example:8443/index.php/s/AbCdEfGhIjKlMnO", "nextcloud"},
		{"https://cloud.uni.example:8443/index.php/s/AbCdEfGhIjKlMn", ""},
		{"https://uni.example/public.php?service=files&t=0123456789abcdef0123456789abcde", ""},
		{"https://send.uni.example/?s=upload&token=2e2f23b0-24b8-4c60-8413-d838396ac562", ""},
		{"https://sea.uni.example/f/0123456789abcdef012/", ""},
		{"https://sea.uni.example/g/0123456789abcdef0123/", ""},
		{"https://www.dropbox.com/index.php/s/AbCdEfGhIjKlMnO", ""},
		{"https://atlas.uni.example/s/AbCdEfGkSzKfMa2", "nextcloud"},
		{"https://atlas.uni.example/s/AbCdEfGhIjKlMnO/download", "nextcloud"},
		{"https://pay.example/s/3m1mZ2KQsJtpYTN", ""},
		{"https://atlas.uni.example/s/gettingstartedx", ""},
		{"https://box.uni.example/public/download-shares/UOoqX1NJn07k30zunZRL3aQvHGhSEVKx", "dracoon"},
		{"https://box.uni.example/public/download-shares/UOoqX1NJn07k30zunZRL3aQvHGhSEVK", ""},
		{"https://box.uni.example/getlink/fiwgxS6iyv6p68UEvT4sHEx/a.zip", "powerfolder"},
		{"https://share.isp.example/ajax/share/01028db20d4f100618142d9d4f104349a5bd8f2258631570/1/8/MjQy/MjQyLzM1Mg", "open-xchange"},
		{"http://nas.example:8080/share.cgi?ssid=0GjSntA", "qnap"},
		{"https://nas.example:5001/sharing/fcRcMqktA", "synology"},
		{"https://drop.example/download/9ad1ecf72cbf9171/#rddjNC0C0Scg5EObwm00_x", "send"},
		{"https://drop.example/download/9ad1ecf72cbf9171", ""},
		{"https://dropoff.uni.example/pickup.php?claimID=ZHffVJvNFHZmHzQ2&claimPasscode=7ZKDxfcdYG2dac9M", "zendto"},
		{"https://disk.uni.example/link/AA9E57BB3055344D98BCED580891278656", "anyshare"},
		{"https://hcpanywhere.uni.example/u/xQCbyWIAm9_XAJvJ/a.mp4?l", "hcp-anywhere"},
	} {
		l, ok := (*sharelink.Table)(nil).Guess(tt.text)
		if _, known := sharelink.Match(tt.text); known {
			t.Errorf("%s: got it from Match, want a guess", tt.text)
		}
		if ok != (tt.provider != "") || ok && (l.Provider != tt.provider || !l.Guessed) {
			t.Errorf("%s: got %+v, want the provider %q", tt.text, l, tt.provider)
		}
	}
}

func TestExpirationLimit(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64 // 0 for none
	}{{"253402300798", 253402300798}, {"253402300799", 0}, {"1", 1}, {"0", 0}, {"-1", 0}} {
		l, ok := sharelink.Match("https://cvws.icloud-content.com/B/Af/a.pdf?e=" + tt.text)
		if !ok || l.Expiration.IsZero() != (tt.want == 0) || tt.want > 0 && l.Expiration.Unix() != tt.want {
			t.Errorf("%s: got %+v, want the expiration %d", tt.text, l, tt.want)
		}
	}
}
