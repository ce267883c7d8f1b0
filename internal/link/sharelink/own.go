package sharelink

import (
	"cmp"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// kinds has the shapes of links for each kind of host, with their sources: the programs' own
// code by the name of its repository, or links in public files. A share of Nextcloud or
// ownCloud can be a folder, which is sent as an archive. A share with a password is answered
// with a page.
var kinds = map[string][]rule{
	"nextcloud": nextcloud, // nextcloud/server, owncloud/core, links
	"owncloud":  nextcloud,
	"seafile": { // haiwen/seahub, links
		{paths: []string{"/f/{id}"}, kind: File, direct: set("dl", "1")},
		{paths: []string{"/seafhttp/f/{id}", "/seafhttp/files/{id}/{name}"}, kind: File, direct: itself},
		{paths: []string{"/d/{id}/files"}, param: "p", id: ".+", kind: File, refine: seafilePath, direct: set("dl", "1")},
		{paths: []string{"/d/{id}", "/d/s/{id}"}, kind: Folder},
		{paths: []string{"/smart-link/{id}", "/smart-link/{id}/{}"}, id: uuid, needs: NeedsAccount},
	},
	"zimbra":    {{paths: []string{"/home/{}/*", "/service/home/{}/*"}, kind: File, refine: lastName, direct: itself}},                                                   // links
	"kiteworks": {{paths: []string{"/w/{id}", "/s/{id}", "/f/{id}"}, needs: NeedsProgram}, {paths: []string{"/courier/{}/{}/*", "/courier/{}/{}"}, needs: NeedsProgram}}, // links
	"filesender": { // filesender/filesender, links
		{paths: []string{"", "/index.php", "/download.php"}, param: "token", id: uuid, refine: fileSenderToken, direct: fileSenderFile, needs: NeedsProgram},
	},
	"liquidfiles": {{paths: []string{"/link/{id}", "/message/{id}"}, min: 16, needs: NeedsProgram}},       // liquidfiles/liquidfiles_unix
	"hidrive":     {{paths: []string{"/lnk/{id}", "/share/{id}"}, min: 8, needs: NeedsProgram}},           // links
	"pydio":       {{paths: []string{"/public/{id}"}, min: 5, needs: NeedsProgram}},                       // pydio/cells
	"filerun":     {{paths: []string{"/wl", "/wl/index.php"}, param: "id", min: 16, needs: NeedsProgram}}, // links
	"projectsend": { // projectsend/projectsend: version 1, and the shares of version 2
		{paths: []string{"/download.php"}, param: "token", min: 12, kind: File, direct: set("download", "")},
		{paths: []string{"/s/{id}", "/s/{id}/download"}, min: 12, kind: File, once: true, direct: to("https://{host}/s/{id}/download")},
	},
	"plik": { // root-gg/plik
		{paths: []string{"/file/{owner}/{id}/{name}"}, min: 8, kind: File, direct: itself},
		{paths: []string{"/"}, min: 8, refine: inFragment("/?id="), needs: NeedsProgram},
	},
	"gokapi": { // Forceu/Gokapi
		{paths: []string{"/d"}, param: "id", min: 5, kind: File, direct: gokapiFile},
		{paths: []string{"/d/{id}/{name}"}, min: 5, kind: File, direct: gokapiFile},
		{paths: []string{"/dh/{id}/{name}"}, min: 5, kind: File, direct: itself},
		{paths: []string{"/downloadFile"}, param: "id", min: 5, kind: File, direct: itself},
	},
	"picoshare":      {{paths: []string{"/{id}", "/{id}/{name}"}, id: "[-!].{8,}", kind: File, direct: itself}},                  // mtlynch/picoshare
	"send":           {{paths: []string{"/download/{id}"}, id: "[0-9a-fA-F]{10,16}", kind: File, endToEnd: true, refine: keyed}}, // timvisee/send
	"bitwarden-send": {{paths: []string{"/"}, min: 8, endToEnd: true, refine: inFragment("/send/")}},                             // bitwarden/clients
}

var nextcloud = []rule{
	{paths: shares("/s/{id}", "/s/{id}/preview", "/s/{id}/authenticate", "/s/{id}/authenticate/{}", "/s/{id}/download", "/s/{id}/download/{name}"), refine: nextcloudPart, direct: nextcloudFile},
	{paths: below("/public.php/dav/files/{id}", "/remote.php/dav/public-files/{id}"), direct: itself},
	{paths: below("/public.php/dav/files/{id}/*", "/remote.php/dav/public-files/{id}/*"), kind: File, refine: ownCloudDAV, direct: itself},
	{paths: below("/public.php"), param: "t", min: 8, refine: ownCloudOld, direct: set("download", "")},
}

// below returns patterns as they are, and below the folders in which people install these
// programs.
func below(patterns ...string) []string {
	for _, p := range patterns {
		for _, folder := range []string{"/nextcloud", "/owncloud", "/cloud", "/files", "/nc", "/oc", "/plus"} {
			patterns = append(patterns, folder+p)
		}
	}
	return patterns
}

// shares is below for the addresses of shares, which the server writes with index.php
// unless it is set up otherwise. With index.php the folder may have any name.
func shares(patterns ...string) (list []string) {
	for _, p := range patterns {
		list = append(list, "/{}/index.php"+p)
		patterns = append(patterns, "/index.php"+p)
	}
	return append(list, below(patterns...)...)
}

// guesses has shapes of links that only one program has, at any host. Of 428,000
// URLs in mail, 21 had one of them, and all of these were shares.
var guesses = []rule{
	{provider: "nextcloud", mark: "/index.php/s/", paths: guessedShares, id: "[0-9A-Za-z]{15}|[0-9a-f]{32}", refine: nextcloudPart, direct: nextcloudFile},
	{provider: "nextcloud", paths: guessedShares, id: "[0-9A-Za-z]{15}", min: 15, refine: guessedShare, direct: nextcloudFile},
	{provider: "owncloud", mark: "public.php?service=files", paths: []string{"/public.php", "/{}/public.php"}, param: "t", id: "[0-9A-Fa-f]{32}", refine: ownCloudOld, direct: set("download", "")},
	{provider: "filesender", mark: "?s=download", paths: []string{"/", "/{}", "/{}/{}"}, param: "token", id: uuid, refine: fileSenderToken, needs: NeedsProgram},
	{provider: "seafile", mark: "/seafhttp/files/", paths: []string{"/seafhttp/files/{id}/{name}"}, id: uuid, kind: File, direct: itself},
	{provider: "seafile", mark: "/files/?p=", paths: []string{"/d/{owner}/files"}, param: "p", id: ".+", kind: File, refine: guessedPart, direct: set("dl", "1")},
	{provider: "seafile", paths: []string{"/f/{id}"}, id: hex20, kind: File, direct: set("dl", "1")},
	{provider: "seafile", paths: []string{"/d/{id}"}, id: hex20, kind: Folder},
	{provider: "dracoon", mark: "/public/download-shares/", paths: []string{"/public/download-shares/{id}"}, id: "[0-9A-Za-z]{32}", needs: NeedsProgram},
	{provider: "powerfolder", mark: "/getlink/fi", paths: []string{"/getlink/{id}", "/getlink/{id}/*"}, id: "fi[0-9A-Za-z]{18,24}", needs: NeedsProgram},
	{provider: "open-xchange", mark: "/ajax/share/", paths: []string{"/ajax/share/{id}", "/ajax/share/{id}/*"}, id: "[0-9a-f]{48}", needs: NeedsProgram},
	{provider: "qnap", mark: "share.cgi", paths: []string{"/share.cgi", "/share.cgi/{name}"}, param: "ssid", id: "0[0-9A-Za-z]{6}|[0-9a-f]{32}", needs: NeedsProgram},
	{provider: "synology", mark: "/sharing/", paths: []string{"/sharing/{id}"}, id: "[0-9A-Za-z]{9}", min: 9, needs: NeedsProgram},
	{provider: "zendto", mark: "claimid=", paths: []string{"/pickup.php", "/pickup", "/{}/pickup.php", "/{}/pickup"}, param: "claimID", id: "[0-9A-Za-z]{16}", min: 16, needs: NeedsProgram},
	{provider: "hcp-anywhere", mark: "//hcpanywhere", paths: []string{"/u/{id}/{name}"}, id: "[-_0-9A-Za-z]{16}", min: 16, kind: File, needs: NeedsProgram},
	{provider: "anyshare", mark: "/link/aa", paths: []string{"/link/{id}"}, id: "AA[0-9A-F]{32}", needs: NeedsProgram},
	{provider: "send", mark: "/download/", paths: []string{"/download/{id}"}, id: "[0-9a-f]{16}", kind: File, endToEnd: true, refine: keyed},
}

const hex20 = "[0-9A-Fa-f]{20}"

var guessedShares = shares("/s/{id}", "/s/{id}/preview", "/s/{id}/download", "/s/{id}/download/{name}")

// guessedShare accepts a token at a host named after a cloud, the address of a download, and
// a token without the characters that Nextcloud leaves out, because people confuse them. A
// token without a capital is the name of a page.
func guessedShare(f *found, l *Link) bool {
	return f.id != strings.ToLower(f.id) && (strings.Contains(f.u.Host, "cloud") || strings.Contains(f.u.Path, "/download") || !strings.ContainsAny(f.id, "01hluvIOUV")) && nextcloudPart(f, l)
}

// nextcloudPart reads which part of a share the link is to: path or dir is a folder in
// it, and files is a file in that folder. A link with openfile names a file by a number
// that the host's page alone knows.
func nextcloudPart(f *found, l *Link) bool {
	if name := f.value("files"); isFileName(name) {
		l.Kind, l.Name = File, name
		return true
	}
	path := f.value("path") + f.value("dir")
	if strings.Trim(path, "/") != "" || f.value("files")+f.value("openfile") != "" {
		l.Kind = Folder
	}
	return true
}

// nextcloudFile returns the address of the share, or of the file in it that the query
// names.
func nextcloudFile(f *found, _ *Link) string {
	u := f.u
	base, _, _ := strings.Cut(u.Path, "/s/"+f.id)
	query := ""
	if files, ok := f.u.Param("files"); ok {
		path, _ := f.u.Param("path")
		dir, _ := f.u.Param("dir")
		query = "path=" + cmp.Or(path, dir, "%2F") + "&files=" + files
	}
	return weburl.URL{Scheme: u.Scheme, Host: u.Host, Port: u.Port, Path: base + "/s/" + f.id + "/download", Query: query, HasQuery: query != ""}.String()
}

// ownCloudDAV reads the name of a file in a share that is addressed by WebDAV.
func ownCloudDAV(f *found, l *Link) bool {
	l.ID = ""
	l.nameEnd(f.last())
	return len(f.rest) > 0
}

// ownCloudOld accepts the addresses of shares up to version 7. The parameter path is a
// file or folder in the share.
func ownCloudOld(f *found, l *Link) bool {
	if service, _ := f.u.Param("service"); service != "files" {
		return false
	}
	if path := f.value("path"); strings.Trim(path, "/") != "" {
		l.nameEnd(path)
	}
	return true
}

// seafilePath reads the name from the path of a file within a shared folder.
func seafilePath(f *found, l *Link) bool {
	l.ID = ""
	return l.nameEnd(decoded(f.id))
}

// guessedPart is seafilePath for a folder with the token that only Seafile makes.
func guessedPart(f *found, l *Link) bool {
	return len(f.owner) == 20 && isKey(f.owner) && seafilePath(f, l)
}

// lastName reads the name at the end of the path.
func lastName(f *found, l *Link) bool { return len(f.rest) >= 2 && l.nameEnd(f.last()) }

// fileSenderToken accepts a download at a host that is known to run FileSender.
func fileSenderToken(f *found, _ *Link) bool {
	s, _ := f.u.Param("s")
	return s == "download" || strings.HasSuffix(f.u.Path, "/download.php")
}

// fileSenderFile returns the link itself if it is the download of one file.
func fileSenderFile(f *found, l *Link) string {
	if files, _ := f.u.Param("files_ids"); !isDecimal(files) || !strings.HasSuffix(f.u.Path, "/download.php") {
		return ""
	}
	l.Kind = File
	return itself(f, l)
}

// inFragment accepts links whose fragment begins with one of prefixes and has a token
// after it. After a slash or a "#", a key follows the token.
func inFragment(prefixes ...string) func(*found, *Link) bool {
	return func(f *found, l *Link) bool {
		for _, p := range prefixes {
			if rest, ok := strings.CutPrefix(f.u.Fragment, p); ok {
				f.id, _, _ = strings.Cut(strings.NewReplacer("%23", "/", "#", "/").Replace(rest), "/")
				f.id, _, _ = strings.Cut(f.id, "&")
				l.ID = f.id
				return isToken(l.ID)
			}
		}
		return false
	}
}

// gokapiFile returns the address of the octets of a file, which is below the folder of its
// page.
func gokapiFile(f *found, _ *Link) string {
	base, _, _ := strings.Cut(f.u.Path+"/", "/d/")
	if !isToken(f.id) {
		return ""
	}
	return weburl.URL{Scheme: f.u.Scheme, Host: f.u.Host, Port: f.u.Port, Path: base + "/downloadFile", Query: "id=" + f.id, HasQuery: true}.String()
}

// keyed accepts links with a key in the fragment.
func keyed(f *found, _ *Link) bool { return len(f.u.Fragment) >= 16 }
