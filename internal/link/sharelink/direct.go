package sharelink

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// itself is for links that give the octets.
func itself(f *found, _ *Link) string {
	text, _, _ := strings.Cut(f.text, "#")
	return text
}

// set is for links that give the octets with a parameter set to a value.
func set(name, value string) func(*found, *Link) string {
	return func(f *found, _ *Link) string { return weburl.SetParam(f.text, name, value) }
}

// to is for links whose octets are at another URL, made from template. There,
// "{host}" stands for the host of the link, and "{id}" and "{owner}" for the pieces
// that the pattern found. Parameters of the link whose names are in keep are copied as they
// are.
func to(template string, keep ...string) func(*found, *Link) string {
	return func(f *found, l *Link) string {
		if !isToken(f.id) || f.owner == "" && strings.Contains(template, "{owner}") {
			return ""
		}
		text := strings.ReplaceAll(template, "{host}", f.u.Host)
		text = strings.ReplaceAll(strings.ReplaceAll(text, "{id}", f.id), "{owner}", f.owner)
		for _, name := range keep {
			if value, ok := f.u.Param(name); ok && value != "" {
				text = weburl.SetParam(text, name, value)
			}
		}
		return text
	}
}

// site returns the address of download.aspx in the site that a page or document
// belongs to.
func (f *found) site() string {
	path := f.u.Path
	if segments := split(path); len(segments) > 2 && strings.HasPrefix(segments[0], ":") && segments[1] == "r" {
		path = "/" + strings.Join(segments[2:], "/")
	}
	base, _, ok := strings.Cut(path, "/_layouts/")
	if !ok {
		base = ""
		if segments := split(path); len(segments) > 1 {
			base = "/" + segments[0] + "/" + segments[1]
		}
	}
	return "https://" + f.u.Host + base + "/_layouts/15/download.aspx"
}

// sharePointShare is for a share that the ID is a guest's token for.
func sharePointShare(f *found, _ *Link) string {
	if !isToken(f.id) {
		return ""
	}
	return f.site() + "?share=" + f.id
}

// sharePointUnique is for the address of an editor, which names a document by its
// ID or by its path.
func sharePointUnique(f *found, l *Link) string {
	id := decoded(f.id)
	if strings.HasPrefix(id, "/") {
		return sharePointSource(f, l)
	}
	id = strings.TrimSuffix(strings.TrimPrefix(id, "{"), "}")
	if !isToken(id) {
		return ""
	}
	return f.site() + "?UniqueId=" + id
}

// sharePointSource is for a document whose path on its server is known.
func sharePointSource(f *found, _ *Link) string {
	path := serverPath(f.id)
	if f.id == "" {
		path = serverPath(strings.ReplaceAll(f.u.Path, "+", "%2B"))
	}
	if path == "" {
		return ""
	}
	return f.site() + "?SourceUrl=" + escaped(path)
}

// boxShared is for a file whose share is known.
func boxShared(f *found, _ *Link) string {
	token, _ := f.u.Param("s")
	if !isToken(token) {
		return ""
	}
	return "https://" + f.u.Host + "/index.php?rm=box_download_shared_file&shared_name=" + token + "&file_id=f_" + f.id
}

// boxPage reads the number of the file from the page of a share, in the data for
// the page's script. A page with several numbers, or with a number of another kind,
// is the page of a folder and gives "".
func boxPage(param string) func(*found, []byte) string {
	return func(f *found, page []byte) string {
		number := ""
		for _, m := range boxID.FindAllSubmatch(page, -1) {
			n, ok := strings.CutPrefix(string(m[1]), "f_")
			if !ok || len(n) > 32 || !isDecimal(n) || number != "" && n != number {
				return ""
			}
			number = n
		}
		if number == "" || !isToken(f.id) {
			return ""
		}
		return "https://" + f.u.Host + "/index.php?rm=box_download_shared_file&" + param + "=" + f.id + "&file_id=f_" + number
	}
}

var boxID = regexp.MustCompile(`"typedID":"([^"]{0,40})`)

func isDecimal(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// escaped returns a value for a URL: all octets except the unreserved ones (RFC 3986 section
// 2.3) are percent-encoded.
func escaped(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// yandexAsk is the documented address that gives the address of a public file (API of
// Yandex Disk, "Download file from public folder").
func yandexAsk(f *found, _ *Link) string {
	return "https://cloud-api.yandex.net/v1/disk/public/resources/download?public_key=" + escaped(itself(f, nil))
}

// decode returns the answer in JSON, or the zero value if it is something else.
func decode[T any](answer []byte) (v T) {
	if json.Unmarshal(answer, &v) != nil {
		return *new(T)
	}
	return v
}

// hrefOf reads the URL from the property href of an answer.
func hrefOf(_ *found, answer []byte) string { return decode[struct{ Href string }](answer).Href }

// mailRuFile reads the address at which Mail.ru keeps files that are public.
func mailRuFile(f *found, answer []byte) string {
	v := decode[struct {
		Body struct {
			WeblinkGet []struct{ URL string } `json:"weblink_get"`
		}
	}](answer)
	if len(v.Body.WeblinkGet) == 0 {
		return ""
	}
	return strings.TrimSuffix(v.Body.WeblinkGet[0].URL, "/") + "/" + f.owner + "/" + f.id
}

// pCloudAsk is the documented address that gives the address of a public file (pCloud
// API, getpublinkdownload). Links at e.pcloud.link and e1.pcloud.link are of customers in
// Europe, who have an API of their own.
func pCloudAsk(f *found, _ *Link) string {
	if !isToken(f.id) {
		return ""
	}
	api := "https://api.pcloud.com"
	if strings.HasPrefix(f.u.Host, "e") {
		api = "https://eapi.pcloud.com"
	}
	return api + "/getpublinkdownload?code=" + f.id
}

// pCloudFile reads the address from the answer: a list of hosts, and a path.
func pCloudFile(_ *found, answer []byte) string {
	v := decode[struct {
		Hosts []string
		Path  string
	}](answer)
	if len(v.Hosts) == 0 || !strings.HasPrefix(v.Path, "/") {
		return ""
	}
	return "https://" + v.Hosts[0] + v.Path
}

// swissTransferFile reads the address of the file from the answer about a transfer. A
// transfer of several files has no such address.
func swissTransferFile(f *found, answer []byte) string {
	v := decode[struct {
		Data struct {
			DownloadHost string `json:"downloadHost"`
			Container    struct {
				Files []struct{ UUID string }
			}
		}
	}](answer)
	if len(v.Data.Container.Files) != 1 || !isUUID(v.Data.Container.Files[0].UUID) {
		return ""
	}
	return "https://" + v.Data.DownloadHost + "/api/download/" + f.id + "/" + v.Data.Container.Files[0].UUID
}

// storjRaw is the address of the octets of a shared object.
func storjRaw(f *found, l *Link) string { return strings.Replace(itself(f, l), "/s/", "/raw/", 1) }

// formTag and inputTag match the tags of a form of HTML and their attributes.
var (
	formTag  = regexp.MustCompile(`(?is)<form\b([^>]*)>(.*?)</form`)
	inputTag = regexp.MustCompile(`(?is)<input\b([^>]*)>`)
	attrOf   = regexp.MustCompile(`(?is)\b(id|name|value|action)\s*=\s*"([^"]*)"`)
)

// driveForm reads the address at which Google Drive sends a file after its warning that
// the file was not scanned: the action of the form, with its hidden values. The
// programs gdown and yt-dlp (2026) do the same. The form asks once more for the file that
// was asked for.
func driveForm(f *found, page []byte) string {
	for _, m := range formTag.FindAllSubmatch(page, -1) {
		form := attrsOf(m[1])
		u, ok := weburl.Parse(form["action"])
		if form["id"] != "download-form" || !ok || u.Scheme != "https" || u.Host != "drive.usercontent.google.com" || u.Port != 0 {
			continue
		}
		text := u.String()
		for _, input := range inputTag.FindAllSubmatch(m[2], -1) {
			if v := attrsOf(input[1]); v["name"] != "" {
				text = weburl.SetParam(text, escaped(v["name"]), escaped(v["value"]))
			}
		}
		if u, _ = weburl.Parse(text); u.Path != "" {
			if id, _ := u.Param("id"); id == f.id {
				return text
			}
		}
	}
	return ""
}

// attrsOf returns attributes, with their character references undone.
func attrsOf(tag []byte) map[string]string {
	attrs := make(map[string]string)
	for _, m := range attrOf.FindAllSubmatch(tag, -1) {
		attrs[strings.ToLower(string(m[1]))] = html.UnescapeString(string(m[2]))
	}
	return attrs
}
