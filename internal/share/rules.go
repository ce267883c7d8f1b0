package share

// rules is what is known, first match first. Where it was seen stands above
// each: "mail" for messages in archives, "links" for several links in public
// files, "programs" for several independent programs that do it, "one program"
// for one. Direct forms marked "programs" may age, as they are nobody's promise;
// a host that answers a page then is noticed by package landing.
var rules = []rule{
	// Dropbox. Links; dl=1 is documented by the maker. A folder comes as an
	// archive made for the occasion, so that it is not asked for. Behind the
	// token of an old folder link there can be a file or a folder.
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}", "/s/{id}"}, kind: File, direct: set("dl", "1")},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fo/{id}/*", "/sh/{id}/{}", "/sh/{id}"}, kind: Folder},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/sh/{id}/{}/*", "/t/{id}", "/transfer/{id}"}},
	{provider: "dropbox", hosts: []string{"dl.dropboxusercontent.com", "dl.dropbox.com"}, paths: []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}"}, kind: File, direct: itself},

	// OneDrive. Mail for the first form, links for the second and the long
	// ones. Programs for the API, for download.aspx with the newer links, for
	// which the API wants a login, and for /download with resid and authkey.
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/{id}"}, refine: oneDriveShort, direct: oneDriveShares},
	{
		provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/c/{owner}/{id}"}, refine: oneDriveNew,
		direct: to("https://my.microsoftpersonalcontent.com/personal/{owner}/_layouts/15/download.aspx?share={id}"),
	},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/download", "/download.aspx"}, param: "resid", kind: File, direct: itself},
	{provider: "onedrive", hosts: oneDriveLive, paths: oneDrivePaths, param: "resid", refine: oneDriveLong, direct: oneDriveDownload},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/"}, param: "id", refine: oneDriveLong, direct: oneDriveDownload},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/{type}/{owner}/*"}, refine: sharePoint},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "share", kind: File, direct: itself},

	// SharePoint. Links; programs for download=1. The other hosts are those of
	// national clouds (maker's documentation).
	{provider: "sharepoint", hosts: sharePointHosts, paths: []string{"/{type}/{owner}/*"}, refine: sharePoint, direct: set("download", "1")},
	{provider: "sharepoint", hosts: sharePointHosts, paths: layouts("download.aspx"), param: "share", kind: File, direct: itself},
	{provider: "sharepoint", hosts: sharePointHosts, paths: layouts("download.aspx"), param: "UniqueId", kind: File, direct: itself},
	{provider: "sharepoint", hosts: sharePointHosts, paths: layouts("Doc.aspx"), param: "sourcedoc", kind: File, refine: sharePointFile},

	// Google Drive. Mail; programs for uc?export=download. resourcekey is a
	// credential that old files need. What open?id= leads to is not in it.
	{provider: "google-drive", hosts: drive, paths: drivePaths("/file/d/{id}", "/file/d/{id}/*", "/file/u/{}/d/{id}/*"), kind: File, direct: driveFile},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/uc", "/u/{}/uc"), param: "id", kind: File, direct: set("export", "download")},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/open", "/u/{}/open"), param: "id", direct: driveFile},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/drive/folders/{id}", "/drive/u/{}/folders/{id}", "/drive/mobile/folders/{id}"), kind: Folder},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/folderview"), param: "id", kind: Folder},
	{provider: "google-drive", hosts: []string{"drive.usercontent.google.com"}, paths: []string{"/download", "/uc"}, param: "id", kind: File, direct: itself},

	// Google Docs. Links; programs for the exports. A published document has
	// an address of its own, from which the document's ID cannot be told.
	{provider: "google-docs", hosts: docs, paths: docsPaths("document", "/export"), kind: Native, refine: rendition, direct: itself},
	{provider: "google-docs", hosts: docs, paths: docsPaths("spreadsheets", "/export"), kind: Native, refine: rendition, direct: itself},
	{provider: "google-docs", hosts: docs, paths: docsPaths("presentation", "/export", "/export/{}"), kind: Native, refine: rendition, direct: itself},
	{provider: "google-docs", hosts: docs, paths: []string{"/{type}/d/e/{id}/*"}, kind: Native, refine: published, direct: itself},
	{provider: "google-docs", hosts: docs, paths: []string{"/forms/d/e/{id}/*"}, kind: Native},
	{
		provider: "google-docs", hosts: docs, paths: docsPaths("document", "", "/*"), kind: Native, refine: exports("application/pdf"),
		direct: to("https://docs.google.com/document/d/{id}/export?format=pdf", "resourcekey"),
	},
	{
		provider: "google-docs", hosts: docs, paths: docsPaths("spreadsheets", "", "/*"), kind: Native, refine: exports("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
		direct: to("https://docs.google.com/spreadsheets/d/{id}/export?format=xlsx", "resourcekey"),
	},
	{
		provider: "google-docs", hosts: docs, paths: docsPaths("presentation", "", "/*"), kind: Native, refine: exports("application/pdf"),
		direct: to("https://docs.google.com/presentation/d/{id}/export/pdf", "resourcekey"),
	},
	{provider: "google-docs", hosts: docs, paths: append(docsPaths("forms", "", "/*"), docsPaths("drawings", "", "/*")...), kind: Native},

	// Apple. Links for all. That the variables are replaced by the parameters
	// is told by the two forms of the address in the wild. What leads to
	// iclouddrive has the name as fragment, and gives the file to a program
	// alone.
	{provider: "icloud", hosts: iCloud, paths: []string{"/attachment"}, param: "u", kind: File, refine: mailDrop, direct: mailDropFile},
	{provider: "icloud", hosts: iCloud, paths: []string{"/iclouddrive/{id}"}, refine: namedByFragment},
	{provider: "icloud", hosts: []string{".icloud-content.com"}, paths: []string{"/B/{}/{name}"}, kind: File, refine: iCloudContent, direct: iCloudFile},

	// WeTransfer. Links. The page asks its API for the address of the files,
	// and counts.
	{provider: "wetransfer", hosts: []string{"we.tl"}, paths: []string{"/{id}"}, once: true, refine: transfer},
	{provider: "wetransfer", hosts: []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}, paths: []string{"/downloads/{id}", "/downloads/{id}/*"}, once: true},

	// Box, with a customer's label in front or not. Links; programs for both
	// direct forms, of which the first is for files alone.
	{provider: "box", hosts: box, paths: []string{"/s/{id}"}, direct: to("https://{host}/shared/static/{id}")},
	{
		provider: "box", hosts: box, paths: []string{"/s/{owner}/file/{id}"}, kind: File,
		direct: to("https://{host}/index.php?rm=box_download_shared_file&shared_name={owner}&file_id=f_{id}"),
	},
	{provider: "box", hosts: box, paths: []string{"/s/{}/folder/{id}"}, kind: Folder},
	{provider: "box", hosts: box, paths: []string{"/shared/static/{id}"}, kind: File, direct: itself},
	{provider: "box", hosts: box, paths: []string{"/index.php"}, param: "file_id", kind: File, refine: boxDownload, direct: itself},

	// Hosts that cannot read what they keep. Links for all but Thunderbird
	// Send, whose paths no sample was found of.
	{provider: "proton", hosts: []string{"drive.proton.me"}, paths: []string{"/urls/{id}"}, endToEnd: true},
	{provider: "mega", hosts: mega, paths: []string{"/file/{id}"}, kind: File, endToEnd: true},
	{provider: "mega", hosts: mega, paths: []string{"/folder/{id}", "/folder/{id}/*"}, kind: Folder, endToEnd: true},
	{provider: "mega", hosts: mega, paths: []string{"/"}, endToEnd: true, refine: megaOld},
	{provider: "tresorit", hosts: []string{"web.tresorit.com"}, paths: []string{"/l/{id}"}, endToEnd: true},
	{provider: "thunderbird-send", hosts: []string{"send.tb.pro"}, paths: []string{"/share/{id}", "/download/{id}"}, endToEnd: true},

	// NetEase. Mail. A program on the page asks for the address of the file.
	{provider: "netease", hosts: []string{"mail.163.com", "mail.126.com"}, paths: []string{"/large-attachment-download/index.html"}, param: "file", kind: File, refine: netEase},
	{provider: "netease", hosts: []string{"fs.163.com", "fs.qiye.163.com"}, paths: []string{"/fs/display"}, param: "file", kind: File, refine: netEase},
	{provider: "netease", hosts: []string{"dashi.163.com"}, paths: []string{"/html/cloud-attachment-download"}, param: "key", kind: File, refine: titled},

	// QQ Mail. Links; programs for func=4 in place of func=3. Old links have
	// the key as k.
	{provider: "qq", hosts: qq, paths: []string{"/ftn/download"}, param: "key", kind: File, direct: qqFile},
	{provider: "qq", hosts: []string{"mail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", kind: File, direct: qqFile},

	// Alibaba Mail, at hosts of its customers. Links; a page with a program.
	{provider: "alibaba", paths: []string{"/alimail/openLinks/downloadMimeMetaDiskBigAttach"}, param: "id", kind: File, refine: netDisk},

	// Sina. No sample was found; the page posts a form.
	{provider: "sina", hosts: []string{"mail.sina.com.cn", ".mail.sina.com.cn"}, paths: []string{"/filecenter/download.php"}, param: "id", kind: File},

	// China Telecom. Links. A signed address of the file.
	{provider: "tianyi", hosts: []string{"download.cloud.189.cn"}, paths: []string{"/file/downloadFile.action"}, kind: File, refine: tianyi, direct: itself},

	// Naver. Links; a plain GET is known to do. Of the other two, which run
	// the same service, only the hosts were found.
	{provider: "naver", hosts: []string{"bigfile.mail.naver.com"}, paths: []string{"/download", "/bigfileupload/download"}, param: "fid", kind: File, direct: itself},
	{provider: "kakao", hosts: []string{"bigfile.mail.daum.net", "bigfile.mail.kakao.com"}, paths: []string{"/{}", "/{}/*"}, kind: File, direct: itself},

	// Mail.ru and Yandex Disk. Links. An API has the address of the file.
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/stock/{id}", "/public/{}/{}", "/public/{}/{}/*"}},
	{provider: "yandex", hosts: yandex, paths: []string{"/i/{id}"}, kind: File},
	{provider: "yandex", hosts: yandex, paths: []string{"/d/{id}", "/d/{id}/*"}},

	// pCloud. Links.
	{provider: "pcloud", hosts: []string{".pcloud.link", ".pcloud.com"}, paths: []string{"/publink/show"}, param: "code"},
}

var (
	dropbox         = []string{"www.dropbox.com", "dropbox.com"}
	oneDriveLive    = []string{"onedrive.live.com"}
	oneDrivePaths   = []string{"/", "/redir", "/redir.aspx", "/view.aspx", "/edit.aspx", "/embed"}
	sharePointHosts = []string{".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn"}
	drive           = []string{"drive.google.com", "docs.google.com"}
	docs            = []string{"docs.google.com"}
	iCloud          = []string{"www.icloud.com", "icloud.com"}
	box             = []string{".box.com", "box.com"}
	mega            = []string{"mega.nz", "www.mega.nz", "mega.co.nz"}
	qq              = []string{"wx.mail.qq.com", "iwx.mail.qq.com"}
	yandex          = []string{"disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz", "yadi.sk"}
)

// driveFile is the address of a file of Google Drive.
var driveFile = to("https://drive.google.com/uc?export=download&id={id}", "resourcekey")

// layouts returns the patterns of a page of SharePoint, which stands in the
// root, in a site, or in somebody's own one.
func layouts(page string) []string {
	return []string{"/_layouts/15/" + page, "/{}/{}/_layouts/15/" + page}
}

// drivePaths returns the patterns, and each with the domain of an organisation
// in front.
func drivePaths(patterns ...string) []string {
	for _, p := range patterns {
		patterns = append(patterns, "/a/{}"+p)
	}
	return patterns
}

// docsPaths returns the patterns of one kind of document, with what can stand
// behind its ID, and with the number of an account in front of it or not.
func docsPaths(kind string, tails ...string) []string {
	var patterns []string
	for _, tail := range tails {
		patterns = append(patterns, "/"+kind+"/d/{id}"+tail, "/"+kind+"/u/{}/d/{id}"+tail)
	}
	return drivePaths(patterns...)
}
