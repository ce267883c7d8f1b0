package sharelink

import "slices"

// rules is the table of known hosts. The first row that matches a URL counts. A
// comment above each group has the sources of its forms:
//
//   - mail: messages in archives
//   - links: several links in public files
//   - programs: several independent programs that do so
//   - one program: a single program that does so
//
// A year is that of the newest of these. This project has not tried any row against
// its host. A direct form marked "programs" may end at any time. When one
// ends, the host answers with a page, and package interstitial notices that.
//
// The paths of a row lead to files and to nothing else on its host. A test checks the
// rows against the pages that every host has.
var rules = []rule{
	// Dropbox. Links (2026); the maker documents dl=1. A folder would come as an
	// archive made for the request, so it is not asked for. A name after the token of a
	// folder is a file or a folder in it. Notices of a share have /l/scl/ (mail), which
	// one program asks for with dl=1. Documents of Paper have no octets of their own
	// (links).
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fi/{id}/{name}", "/e/scl/fi/{id}/{name}", "/s/{id}/{name}", "/s/{id}"}, min: 9, kind: File, direct: set("dl", "1")},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fo/{id}/*", "/sh/{id}/*"}, param: "preview", id: `.+`, refine: previewed, needs: NeedsProgram},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fo/{id}", "/scl/fo/{id}/{}", "/sh/{id}/{}", "/sh/{id}", "/sc/{id}/{}", "/sc/{id}"}, min: 9, kind: Folder},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/gallery/{id}/{}", "/gallery/{id}/{}/{}"}, id: `[0-9]{6,}`, kind: Folder},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/scl/fo/{id}/{}/*", "/sh/{id}/{}/*"}, min: 9, refine: inFolder, direct: set("dl", "1")},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/l/scl/{id}"}, min: 16, direct: set("dl", "1")},
	{provider: "dropbox", hosts: dropbox, paths: []string{"/l/s/{id}", "/l/{id}/transfer", "/t/{id}", "/transfer/{id}"}, min: 9, needs: NeedsProgram},
	{provider: "dropbox", hosts: []string{"paper.dropbox.com"}, paths: []string{"/doc/*"}, min: 12, kind: Native, refine: paper},
	{provider: "dropbox", hosts: dropboxContent, paths: []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}", "/sh/{id}/{}/{name}", "/content_link/{id}/file"}, min: 9, kind: File, direct: itself},

	// Dropbox's public folders, which ended in 2017 (mail). Old mail refers to them.
	{provider: "dropbox", hosts: append(dropboxContent, dropbox...), paths: []string{"/u/{owner}/*"}, refine: publicFile, direct: itself},

	// OneDrive. Mail for the first form, links for the others. An anonymous API used to
	// give the files of the first form and of the long ones. It has answered 401 since
	// June 2024 (programs). Programs (2026) use download.aspx with the newer links.
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/{id}"}, id: `s!.+`, refine: oneDriveNew, needs: NeedsProgram},
	{provider: "onedrive", hosts: []string{"1drv.ms", "sdrv.ms"}, paths: []string{"/{id}"}, id: `1[0-9A-Za-z]{6}|[0-9A-Za-z]{6}`, min: 6, needs: NeedsProgram},
	{provider: "onedrive", hosts: oneDriveStores, paths: []string{"/{id}", "/{id}/{name}"}, id: `[xy][1-4][mp].{30,}`, kind: File, direct: itself},
	{provider: "onedrive", cookies: true, hosts: []string{"1drv.ms"}, paths: []string{"/{type}/c/{owner}/{id}"}, min: 12, refine: oneDriveNew, direct: personal},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/download", "/download.aspx"}, param: "resid", id: `.*!.+`, kind: File, needs: NeedsAccount},
	{provider: "onedrive", cookies: true, hosts: oneDriveLive, paths: oneDrivePaths, param: "redeem", min: 16, refine: oneDriveRedeem, direct: personal, needs: NeedsAccount},
	{provider: "onedrive", hosts: oneDriveLive, paths: oneDrivePaths, param: "resid", id: `.+`, refine: oneDriveLong, needs: NeedsAccount},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/"}, param: "id", id: `.+`, refine: oneDriveLong, needs: NeedsAccount},
	{provider: "onedrive", cookies: true, hosts: oneDriveLive, paths: []string{"/{type}/{owner}/*"}, min: 12, refine: oneDriveShared, direct: personal},
	{provider: "onedrive", hosts: oneDriveLive, paths: []string{"/{type}/{owner}/*"}, min: 12, refine: sharePoint, needs: NeedsAccount},
	{provider: "onedrive", hosts: oneDriveLive, paths: editors("/personal/{owner}/_layouts/15/"), param: "resid", id: `.*!.+`, kind: File, refine: sharePointFile, needs: NeedsProgram},
	{provider: "onedrive", hosts: oneDriveLive, paths: editors("/personal/{owner}/_layouts/15/"), param: "sourcedoc", id: `\{?[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+\}?|/.+`, kind: File, refine: sharePointFile, needs: NeedsAccount},
	{provider: "onedrive", cookies: true, hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "share", min: 12, kind: File, direct: itself},
	{provider: "onedrive", cookies: true, hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "UniqueId", id: `[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+`, kind: File, direct: itself},

	// SharePoint. Links (2026); programs for download=1. Programs, and the maker's issue
	// tracker, for download.aspx with share, UniqueId or SourceUrl. The first answer sets
	// a cookie that the next request must have. The hosts below other
	// domains are for national clouds (maker's documentation). sites.ey.com is a customer's own
	// name (links).
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: []string{"/{type}/r/*"}, param: "sourcedoc", id: `\{?[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+\}?|/.+`, kind: File, refine: sharePointOpened, direct: sharePointUnique},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: []string{"/{type}/r/*"}, param: "dtMigrationdoc", id: `\{?[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+\}?`, kind: File, refine: sharePointOpened, direct: sharePointUnique},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: []string{"/{type}/{owner}/*"}, min: 12, refine: sharePoint, direct: set("download", "1")},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: layouts("download.aspx"), param: "share", min: 12, kind: File, direct: itself},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: layouts("download.aspx"), param: "UniqueId", id: `[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+`, kind: File, direct: itself},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: layouts("download.aspx"), param: "SourceUrl", id: `.+`, kind: File, refine: sharePointPath, direct: itself},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: layouts("guestaccess.aspx"), param: "share", min: 12, kind: File, direct: sharePointShare},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: layouts("guestaccess.aspx"), param: "guestaccesstoken", min: 12, kind: File, refine: opaque, needs: NeedsAccount},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: append(editors("/_layouts/15/"), editors("/{}/{}/_layouts/15/")...), param: "sourcedoc", id: `\{?[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+\}?|/.+`, kind: File, refine: sharePointFile, direct: sharePointUnique},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: []string{"/*"}, param: "id", id: `.+`, refine: sharePointView, direct: sharePointSource},
	{provider: "sharepoint", cookies: true, hosts: sharePointHosts, paths: []string{"/sites/{owner}/*", "/teams/{owner}/*", "/personal/{owner}/*"}, refine: sharePointDocument, direct: sharePointSource},

	// Google Drive. Mail; programs (2026) for drive.usercontent.google.com with
	// confirm=t, which gives large files too. resourcekey is a credential that old files
	// need. A link with open?id= may lead to anything.
	{provider: "google-drive", hosts: drive, paths: drivePaths("/file/d/{id}", "/file/d/{id}/*", "/file/u/{}/d/{id}/*"), min: 15, kind: File, direct: driveFile, find: driveForm},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/uc", "/u/{}/uc"), param: "id", min: 15, kind: File, direct: driveFile, find: driveForm},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/open", "/u/{}/open"), param: "id", min: 15, direct: driveFile, find: driveForm},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/drive/folders/{owner}", "/drive/u/{}/folders/{owner}"), param: "id", min: 15, direct: driveFile, find: driveForm},
	{provider: "google-drive", hosts: drive, kind: Folder, paths: drivePaths("/drive/folders/{id}", "/drive/u/{}/folders/{id}", "/drive/mobile/folders/{id}", "/drive/mobile/folders/{id}/{}", "/drive/u/{}/mobile/folders/{id}", "/drive/u/{}/mobile/folders/{id}/{}"), min: 15},
	{provider: "google-drive", hosts: drive, paths: drivePaths("/folderview", "/embeddedfolderview"), param: "id", min: 15, kind: Folder},
	{provider: "google-drive", hosts: []string{"drive.usercontent.google.com"}, paths: []string{"/download", "/uc", "/u/{}/download", "/u/{}/uc"}, param: "id", min: 15, kind: File, direct: set("confirm", "t"), find: driveForm},

	// Google Docs. Links; programs for the exports. A published document has an address
	// of its own without the ID of the document. Forms are not here: they are
	// filled in, and are not files. Drawings are files only as exports.
	{provider: "google-docs", hosts: docs, paths: slices.Concat(docsPaths("document", "/export"), docsPaths("spreadsheets", "/export", "/gviz/tq"), docsPaths("presentation", "/export", "/export/{}"), docsPaths("drawings", "/export/{}")), min: 15, kind: Native, refine: rendition, direct: itself},
	{provider: "google-docs", hosts: docs, paths: []string{"/{type}/d/e/{id}/*"}, id: `2PACX-.{6,}`, kind: Native, refine: published, direct: itself},
	document("document", "application/pdf", "/export?format=pdf"),
	document("spreadsheets", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "/export?format=xlsx"),
	document("presentation", "application/pdf", "/export/pdf"),

	// Google Docs until about 2012. Mail for View, links for the others. The ID of a
	// document is another one today.
	{provider: "google-docs", hosts: docs, paths: drivePaths("/View", "/Doc", "/document/pub", "/presentation/pub", "/spreadsheets/pub"), param: "id", min: 10, kind: Native},
	{provider: "google-docs", hosts: docs, paths: drivePaths("/View", "/Doc"), param: "docid", min: 10, kind: Native},
	{provider: "google-docs", hosts: []string{"docs.google.com", "spreadsheets.google.com"}, paths: drivePaths("/spreadsheet/ccc", "/spreadsheet/pub", "/ccc", "/pub"), param: "key", min: 10, kind: Native},
	{provider: "google-drive", hosts: docs, paths: drivePaths("/leaf", "/fileview"), param: "id", min: 15, kind: File, direct: driveFile, find: driveForm},

	// Albums of Google Photos (links, mail). A script in the page shows them.
	{provider: "google-photos", hosts: []string{"photos.google.com", "photos.app.goo.gl"}, paths: []string{"/share/{id}", "/share/{id}/photo/{}", "/{id}"}, id: `AF1Qip.{30,}|[0-9A-Za-z]{17}`, min: 17, needs: NeedsProgram},

	// Apple. Links for all. Addresses occur both with variables and with the values of
	// the parameters in their place, which shows the meaning of the variables. A link to
	// iclouddrive has the name as its fragment, and only a script in the page gets the
	// file.
	{provider: "icloud", hosts: iCloud, paths: []string{"/attachment"}, param: "u", id: `.+`, kind: File, refine: mailDrop, direct: mailDropFile},
	{provider: "icloud", hosts: iCloud, paths: []string{"/iclouddrive/{id}"}, min: 16, refine: namedByFragment, needs: NeedsProgram},
	{provider: "icloud", hosts: []string{"share.icloud.com"}, paths: []string{"/photos/{id}"}, min: 16, kind: Folder},
	{provider: "icloud", hosts: iCloud, paths: []string{"/sharedalbum", "/sharedalbum/{}"}, min: 12, kind: Folder, refine: inFragment("")},
	{provider: "icloud", hosts: iCloud, paths: []string{"/pages/{id}", "/numbers/{id}", "/keynote/{id}"}, id: `0.{19,}`, kind: Native, refine: namedByFragment},
	{provider: "icloud", hosts: iCloud, paths: []string{"/iw"}, min: 20, kind: Native, refine: inFragment("pages/", "numbers/", "keynote/")},
	{provider: "icloud", hosts: iCloudContents, paths: []string{"/B/{}/{name}"}, kind: File, refine: iCloudContent, direct: iCloudFile},

	// WeTransfer. Links. The page asks its API for the address of the files. The API
	// counts the downloads.
	{provider: "wetransfer", hosts: []string{"we.tl"}, paths: []string{"/{id}"}, id: `t-.{6,}|[0-9A-Za-z]{10}`, random: true, once: true, needs: NeedsProgram},
	{provider: "wetransfer", hosts: []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}, paths: []string{"/downloads/{id}", "/downloads/{id}/*"}, min: 16, once: true, needs: NeedsProgram},
	{provider: "wetransfer", hosts: []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}, paths: []string{"/previews/{id}", "/previews/{id}/*"}, min: 16, needs: NeedsProgram},
	{provider: "wetransfer", hosts: []string{"download.wetransfer.com"}, paths: []string{"/{}/{id}/*"}, id: `[0-9a-f]{20,}`, kind: File, direct: itself},
	{provider: "wetransfer", hosts: []string{"collect.wetransfer.com"}, paths: []string{"/board/{id}"}, min: 12, kind: Folder},

	// Box, with or without a customer's label before the host. Links; programs for the
	// download by the number of the file, which is in the page of a link. The same token
	// under shared/static answers 400 for some links that work (2026), so the page is
	// read instead.
	{provider: "box", hosts: box, paths: []string{"/s/{id}", "/shared/{id}"}, min: 8, refine: boxShare, find: boxPage("shared_name")},
	{provider: "box", hosts: []string{"box.net", ".box.net"}, paths: []string{"/shared/{id}", "/shared/static/{id}"}, id: `[0-9a-z]{10,20}([.][0-9a-z]+)?`, min: 10, needs: NeedsProgram},
	{provider: "box", hosts: box, paths: []string{"/v/{id}"}, min: 5, refine: boxShare, find: boxPage("vanity_name")},
	{provider: "box", hosts: box, paths: []string{"/s/{owner}/file/{id}"}, id: `[0-9]{5,}`, kind: File, direct: to("https://{host}/index.php?rm=box_download_shared_file&shared_name={owner}&file_id=f_{id}")},
	{provider: "box", hosts: box, paths: []string{"/file/{id}"}, id: `[0-9]{5,}`, kind: File, direct: boxShared, needs: NeedsAccount},
	{provider: "box", hosts: box, paths: []string{"/notes/{id}"}, id: `[0-9]{5,}`, kind: Native, needs: NeedsAccount},
	{provider: "box", hosts: box, paths: []string{"/s/{}/folder/{id}", "/folder/{id}"}, id: `[0-9]{5,}`, kind: Folder},
	{provider: "box", hosts: box, paths: []string{"/shared/static/{id}"}, min: 8, kind: File, direct: itself},
	{provider: "box", hosts: box, paths: []string{"/index.php"}, param: "file_id", id: `(f_)?[0-9]{5,}`, kind: File, refine: boxDownload, direct: itself},

	// Hosts that cannot decrypt the files they keep. Links for all.
	{provider: "proton", hosts: []string{"drive.proton.me"}, paths: []string{"/urls/{id}"}, min: 8, endToEnd: true},
	{provider: "mega", hosts: mega, paths: []string{"/file/{id}", "/embed/{id}"}, min: 8, kind: File, endToEnd: true, refine: megaKey},
	{provider: "mega", hosts: mega, paths: []string{"/folder/{id}", "/folder/{id}/*"}, min: 8, kind: Folder, endToEnd: true, refine: megaKey},
	{provider: "mega", hosts: mega, paths: []string{"/"}, min: 8, endToEnd: true, refine: megaOld},
	{provider: "mega", hosts: []string{"transfer.it"}, paths: []string{"/t/{id}"}, min: 10, endToEnd: true},
	{provider: "internxt", hosts: []string{"drive.internxt.com", "share.internxt.com"}, paths: []string{"/sh/file/{id}/{}", "/sh/folder/{id}/{}", "/d/sh/file/{id}/{}", "/d/sh/folder/{id}/{}"}, min: 12, endToEnd: true},
	{provider: "filen", hosts: []string{"app.filen.io", "drive.filen.io"}, paths: []string{"/"}, id: uuid, endToEnd: true, refine: inFragment("/d/", "/f/")},
	{provider: "bitwarden-send", hosts: []string{"send.bitwarden.com", "vault.bitwarden.com", "vault.bitwarden.eu"}, paths: []string{"/"}, min: 12, endToEnd: true, refine: inFragment("/send/", "")},
	{provider: "tresorit", hosts: []string{"web.tresorit.com"}, paths: []string{"/l/{id}"}, min: 5, endToEnd: true},
	{provider: "tresorit", hosts: []string{"web.tresorit.com", "send.tresorit.com"}, paths: []string{"/l", "/a"}, min: 16, endToEnd: true, refine: inFragment("")},
	{provider: "thunderbird-send", hosts: []string{"send.tb.pro"}, paths: []string{"/share/{id}", "/download/{id}"}, min: 8, endToEnd: true},
	{provider: "send", hosts: []string{"send.vis.ee", "send.firefox.com"}, paths: []string{"/download/{id}"}, id: `[0-9a-f]{10,16}`, endToEnd: true},
	{provider: "sync.com", hosts: []string{".sync.com"}, paths: []string{"/dl/{id}", "/dl/{id}/{}", "/dl/{id}/{}/view/*", "/dl/{id}/view/*", "/4.0/dl/{id}", "/4.0/dl/{id}/view/*"}, id: `[0-9a-f]{6,}`, min: 6, endToEnd: true, refine: syncHost},

	// NetEase. Mail. A script in the page asks for the address of the file. yeah.net is
	// the same service; only its host was found, not a link.
	{provider: "netease", hosts: []string{"mail.163.com", "mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com"}, paths: []string{"/large-attachment-download/index.html", "/fs/display", "/fs/preview"}, param: "file", min: 6, kind: File, refine: netEase, needs: NeedsProgram},
	{provider: "netease", hosts: []string{"dashi.163.com"}, paths: []string{"/html/cloud-attachment-download"}, param: "key", min: 6, kind: File, refine: named("title"), needs: NeedsProgram},

	// QQ Mail. Links; programs for func=4 instead of func=3. Old links have the key as
	// k. For exmail.qq.com, the service for companies, only links were found.
	{provider: "qq", hosts: qq, paths: []string{"/ftn/download"}, param: "key", min: 6, kind: File, direct: qqFile},
	{provider: "qq", hosts: []string{"mail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", min: 6, kind: File, direct: qqFile},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", min: 6, kind: File, needs: NeedsProgram},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/ftn/download"}, param: "key", min: 6, kind: File, needs: NeedsProgram},

	// Alibaba Mail, at hosts of its customers. Links; the page needs its script.
	{provider: "alibaba", mark: "openlinks", paths: []string{"/alimail/openLinks/downloadMimeMetaDiskBigAttach"}, param: "id", id: `netdiskid:.+`, kind: File, needs: NeedsProgram},

	// Sina. One program (2026) posts the form of the page.
	{provider: "sina", hosts: []string{"mail.sina.com.cn", ".mail.sina.com.cn"}, paths: []string{"/filecenter/download.php"}, param: "id", min: 8, kind: File, needs: NeedsProgram},

	// China Telecom. Links. The link is a signed address of the file.
	{provider: "tianyi", hosts: []string{"download.cloud.189.cn"}, paths: []string{"/file/downloadFile.action"}, kind: File, refine: tianyi, direct: itself},

	// Naver. Links; a plain GET is known to suffice. Daum and Kakao run the same service
	// under their names; one program for the addresses at attach.mail.daum.net.
	{provider: "naver", hosts: []string{"bigfile.mail.naver.com"}, paths: bigFile, param: "fid", min: 6, kind: File, direct: itself},
	{provider: "kakao", hosts: []string{"bigfile.mail.daum.net", "bigfile.mail.kakao.com"}, paths: bigFile, param: "fid", min: 6, kind: File, direct: itself},
	{provider: "kakao", hosts: []string{"attach.mail.daum.net"}, paths: []string{"/bigfile/v1/urls/{id}", "/bigfile/v1/urls/{}/{id}"}, min: 6, kind: File, direct: itself},

	{provider: "naver", hosts: []string{"mybox.naver.com"}, paths: []string{"/share/list"}, param: "shareKey", min: 16, needs: NeedsProgram},

	// Mail.ru and Yandex Disk. Links. Only an API has the address of the file. The API
	// of Yandex is documented, and the API of Mail.ru is known from a program (pyload, 2026). Files
	// that Yandex Mail attaches from the disk are at /mail/.
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/public/{owner}/{id}"}, min: 8, ask: to("https://cloud.mail.ru/api/v2/dispatcher?api=2"), find: mailRuFile},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/public/{owner}/{id}/*", "/stock/{id}"}, min: 8, needs: NeedsProgram},
	{provider: "yandex", hosts: yandex, paths: []string{"/i/{id}"}, min: 8, kind: File, ask: yandexAsk, find: hrefOf},
	{provider: "yandex", hosts: yandex, paths: []string{"/public", "/public/"}, param: "hash", min: 16, needs: NeedsProgram},
	{provider: "yandex", hosts: yandex, paths: []string{"/d/{id}", "/d/{id}/*"}, min: 8, needs: NeedsProgram},
	{provider: "yandex", hosts: yandex, paths: []string{"/mail"}, param: "hash", min: 8, kind: File, refine: named("name"), needs: NeedsProgram},

	// pCloud. Links; its API is documented.
	{provider: "pcloud", hosts: []string{"my.pcloud.com", "e.pcloud.com", "u.pcloud.com"}, paths: []string{"/"}, min: 16, refine: inFragment("page=publink&code=", "page=puplink&code="), needs: NeedsProgram},
	{provider: "pcloud", hosts: []string{".pcloud.link", ".pcloud.com"}, paths: []string{"/publink/show"}, param: "code", min: 6, ask: pCloudAsk, find: pCloudFile, needs: NeedsProgram},

	// Services for companies. Links for all (2026). A link to a storage host
	// of ShareFile is a signed address of the file. Programs for two direct forms: Egnyte
	// has /dd/ instead of /dl/, and Zoho has /download?directDownload=true.
	{provider: "sharefile", hosts: shareFile, paths: []string{"/{id}", "/public/share/{id}"}, id: `(d|web)-.{8,}`, needs: NeedsProgram},
	{provider: "sharefile", hosts: shareFile, paths: []string{"/d/{id}", "/share/view/{id}", "/share/view/{id}/{}"}, min: 8, needs: NeedsProgram},
	{provider: "sharefile", hosts: shareFile, paths: []string{"/download.ashx"}, param: "dt", id: `dt[0-9a-f]{32}`, kind: File, direct: itself},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: []string{"/dl/{id}", "/dl/{id}/{name}"}, min: 8, kind: File, direct: to("https://{host}/dd/{id}/")},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: []string{"/dd/{id}", "/dd/{id}/*"}, min: 8, kind: File, direct: itself},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: []string{"/fl/{id}", "/fl/{id}/*"}, min: 8, kind: Folder},
	{provider: "zoho", hosts: zoho, paths: []string{"/external/{id}"}, id: `[0-9A-Fa-f]{32,}`, direct: to("https://{host}/external/{id}/download?directDownload=true")},
	{provider: "zoho", hosts: zoho, paths: []string{"/external/{id}/download"}, id: `[0-9A-Fa-f]{32,}`, kind: File, direct: set("directDownload", "true")},
	{provider: "zoho", hosts: zoho, paths: []string{"/external/{type}/{id}"}, id: `[0-9A-Fa-f]{32,}`, needs: NeedsProgram},
	{provider: "zoho", hosts: zoho, paths: []string{"/file/{id}"}, min: 20, kind: File, needs: NeedsAccount},
	{provider: "zoho", hosts: zoho, paths: []string{"/folder/{id}"}, min: 20, kind: Folder},
	{provider: "adobe", hosts: adobe, paths: []string{"/link/track", "/link/review", "/link/spaces"}, param: "uri", id: `(?i:urn:aaid:).+`, needs: NeedsProgram},
	{provider: "adobe", hosts: adobe, paths: []string{"/id/{id}"}, id: `(?i:urn:aaid:).+`, needs: NeedsProgram},
	{provider: "slack", hosts: []string{".slack.com"}, paths: []string{"/files-pri/{id}/{name}", "/files-pri/{id}/download/{name}", "/files/{owner}/{id}", "/files/{owner}/{id}/{name}"}, id: `T[0-9A-Z]+-F[0-9A-Z]+|F[0-9A-Z]{5,}`, kind: File, needs: NeedsAccount},
	{provider: "slack", hosts: []string{"slack-files.com"}, paths: []string{"/{id}"}, id: `T[^-]+-F[^-]+-[^-]+`, kind: File, needs: NeedsProgram},
	{provider: "hubspot", hosts: []string{".hubspot.com"}, paths: []string{"/documents/{owner}/view/{id}"}, id: `[0-9]{5,}`, kind: File, needs: NeedsProgram},
	{provider: "salesforce", hosts: salesforce, paths: []string{"/sfc/dist/version/download"}, param: "ids", id: `068.*`, kind: File, direct: itself},
	{provider: "salesforce", hosts: salesforce, paths: []string{"/sfc/p/*"}, refine: salesforceShare, needs: NeedsProgram},

	// Services for large files, and disks of providers. Links for all (2026); programs for
	// Baidu, Aliyun, Quark and Workupload too, and one program for Filemail's /t/. A script
	// in the page asks for the address of the files.
	{provider: "swisstransfer", hosts: []string{"www.swisstransfer.com", "swisstransfer.com"}, paths: []string{"/d/{id}"}, id: uuid, once: true, ask: to("https://www.swisstransfer.com/api/links/{id}"), find: swissTransferFile},
	{provider: "transfernow", hosts: []string{"www.transfernow.net", "transfernow.net"}, paths: []string{"/dl/{id}", "/dl/{id}/{}", "/{id}"}, id: `20[0-9]{6}.{4,}|[0-9A-Za-z]{6}[0-9]{6}|[0-9a-z]{12}`, min: 12, needs: NeedsProgram},
	{provider: "transfernow", hosts: []string{"www.transfernow.net", "transfernow.net"}, paths: []string{"/cld", "/{}/cld"}, param: "utm_source", id: `20[0-9]{6}.{4,}`, needs: NeedsProgram},
	{provider: "filemail", hosts: []string{".filemail.com", "filemail.com"}, paths: []string{"/d/{id}", "/t/{id}"}, id: `[a-z]{15}|[0-9A-Za-z]{8}`, min: 8, needs: NeedsProgram},
	{provider: "filemail", hosts: []string{".filemail.com"}, paths: []string{"/api/file/get"}, param: "filekey", min: 20, kind: File, direct: itself},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, id: `[^-]{10}-[a-z]{2}`, min: 8, needs: NeedsProgram},
	{provider: "smash", hosts: []string{"files.fromsmash.com"}, paths: []string{"/{id}/{name}"}, id: uuid, kind: File, direct: itself},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, id: `.{4,}-[cd]t`, needs: NeedsProgram},
	{provider: "hightail", hosts: []string{"spaces.hightail.com"}, paths: []string{"/receive/{id}", "/receive/{id}/*", "/space/{id}", "/space/{id}/*"}, min: 5, needs: NeedsProgram},
	{provider: "hightail", hosts: []string{"www.yousendit.com"}, paths: []string{"/transfer.php"}, param: "ufid", id: `[0-9A-F]{16}`, needs: NeedsProgram},
	{provider: "hightail", hosts: []string{".yousendit.com"}, paths: []string{"/d.aspx"}, param: "id", id: `[0-9A-Z]{26}`, needs: NeedsProgram},
	{provider: "kdrive", hosts: []string{"kdrive.infomaniak.com"}, paths: []string{"/app/share/{owner}/{id}", "/app/share/{owner}/{id}/*"}, id: uuid, needs: NeedsProgram},
	{provider: "lanzou", hosts: lanzou, paths: []string{"/{id}"}, id: `[bi][0-9A-Za-z]{6,13}`, min: 7, needs: NeedsProgram},
	{provider: "123pan", hosts: pan123, paths: []string{"/s/{id}"}, id: `[0-9A-Za-z]{4,8}-[0-9A-Za-z]{4,8}([.]html)?`, random: true, needs: NeedsProgram},
	{provider: "115", hosts: []string{"115.com", "115cdn.com", "anxia.com"}, paths: []string{"/s/{id}"}, id: `sw[0-9a-z]{8,12}`, min: 10, needs: NeedsProgram},
	{provider: "xunlei", hosts: []string{"pan.xunlei.com"}, paths: []string{"/s/{id}"}, min: 20, needs: NeedsProgram},
	{provider: "caiyun", hosts: []string{"caiyun.139.com"}, paths: []string{"/m/i"}, id: `[0-9A-Za-z]{10,16}`, min: 10, refine: bareQuery, needs: NeedsProgram},
	{provider: "caiyun", hosts: []string{"yun.139.com"}, paths: []string{"/shareweb"}, id: `[0-9A-Za-z]{10,16}`, min: 10, refine: inFragment("/w/i/"), needs: NeedsProgram},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/t/{id}"}, id: `[0-9A-Za-z]{12}`, min: 12, needs: NeedsProgram},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/web/share"}, param: "code", id: `[0-9A-Za-z]{12}`, min: 12, needs: NeedsProgram},
	{provider: "weibo", hosts: []string{"vdisk.weibo.com"}, paths: []string{"/s/{id}", "/lc/{id}"}, min: 8, needs: NeedsProgram},
	{provider: "weiyun", hosts: []string{"share.weiyun.com"}, paths: []string{"/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "baidu", hosts: baidu, paths: []string{"/s/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "baidu", hosts: baidu, paths: []string{"/share/init"}, param: "surl", min: 6, needs: NeedsProgram},
	{provider: "baidu", hosts: baidu, paths: []string{"/share/link"}, param: "shareid", id: `[0-9]{5,}`, needs: NeedsProgram},
	{provider: "aliyun-drive", hosts: []string{"www.aliyundrive.com", "aliyundrive.com", "www.alipan.com", "alipan.com"}, paths: []string{"/s/{id}", "/s/{id}/*"}, min: 6, needs: NeedsProgram},
	{provider: "quark", hosts: []string{"pan.quark.cn"}, paths: []string{"/s/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "ilanzou", hosts: []string{"www.ilanzou.com"}, paths: []string{"/s/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "360", hosts: []string{".lc.yunpan.cn"}, paths: []string{"/lk/{id}"}, id: `[0-9A-Za-z]{12,16}`, min: 12, needs: NeedsProgram},
	{provider: "fangcloud", hosts: []string{".fangcloud.com"}, paths: []string{"/share/{id}"}, id: `[0-9a-f]{20,}`, needs: NeedsProgram},
	{provider: "jianguoyun", hosts: []string{"www.jianguoyun.com"}, paths: []string{"/p/{id}"}, id: `D.{14,24}`, min: 15, needs: NeedsProgram},
	{provider: "cowtransfer", hosts: []string{"cowtransfer.com", ".cowtransfer.com"}, paths: []string{"/s/{id}"}, id: `[0-9a-f]{12,16}`, needs: NeedsProgram},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/f/{id}"}, id: `[0-9]+-[0-9]+-[0-9a-f]{6}`, kind: File, needs: NeedsProgram},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/d/{id}"}, id: `[0-9]+-[0-9]+-[0-9a-f]{6}`, kind: Folder},
	{provider: "uc", hosts: []string{"drive.uc.cn"}, paths: []string{"/s/{id}"}, id: `[0-9a-f]{12,16}`, needs: NeedsProgram},
	{provider: "kdocs", hosts: []string{"www.kdocs.cn", "kdocs.cn"}, paths: []string{"/l/{id}"}, id: `[cs][0-9A-Za-z]{8,11}`, min: 9, kind: Native, needs: NeedsAccount},
	{provider: "tencent-docs", hosts: []string{"docs.qq.com"}, paths: []string{"/doc/{id}", "/sheet/{id}", "/slide/{id}", "/pdf/{id}"}, id: `D[0-9A-Za-z]{15,20}`, min: 16, kind: Native, needs: NeedsAccount},
	{provider: "sendspace", hosts: []string{"www.sendspace.com"}, paths: []string{"/file/{id}", "/pro/dl/{id}"}, id: `[0-9a-z]{6}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "workupload", hosts: []string{"workupload.com"}, paths: []string{"/file/{id}", "/archive/{id}", "/start/{id}"}, min: 8, needs: NeedsProgram},

	// FileSender, which universities run. Links. The numbers of the files are in the page.
	{provider: "filesender", mark: "filesender", paths: []string{"/", "/{}", "/{}/{}"}, param: "token", id: uuid, refine: fileSender, direct: fileSenderFile, needs: NeedsProgram},

	// A mail provider, and hosts that keep anybody's files. Links; programs for a plain
	// GET of the addresses of Fastmail and Filebin. Mail for a bin of Filebin, for Gofile's
	// form of 2019, and for MediaFire's lists of keys. MediaFire's form without a path is
	// older (links).
	{provider: "fastmail", hosts: []string{"user.fm"}, paths: []string{"/files/{id}/{name}"}, id: `v[0-9]+-.{6,}`, kind: File, direct: itself},
	{provider: "gigafile", hosts: []string{".gigafile.nu"}, paths: []string{"/{id}"}, id: `[0-9a-f]{4}-.{16,}`, needs: NeedsProgram},
	{provider: "mediafire", hosts: mediaFire, paths: mediaFirePaths, min: 10, kind: File, needs: NeedsProgram},
	{provider: "mediafire", hosts: []string{"www.mediafire.com", "mediafire.com", "app.mediafire.com"}, paths: []string{"/folder/{id}", "/folder/{id}/{}"}, min: 10, kind: Folder},
	{provider: "mediafire", hosts: []string{"app.mediafire.com"}, paths: []string{"/{id}"}, id: `[0-9a-z]{11,15}`, min: 11, needs: NeedsProgram},
	{provider: "mediafire", hosts: []string{".mediafire.com"}, paths: []string{"/{}/{id}/{name}"}, id: `[0-9a-z]{11,15}`, min: 11, kind: File, direct: itself},
	{provider: "mediafire", hosts: mediaFire, paths: []string{"/file/{}", "/folder/{}", "/", "/download.php"}, refine: mediaFireKeys, needs: NeedsProgram},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/d/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/"}, param: "c", min: 6, needs: NeedsProgram},
	{provider: "gofile", hosts: []string{".gofile.io"}, paths: []string{"/download/{id}/{name}", "/download/web/{id}/{name}", "/download/direct/{id}/{name}"}, min: 6, kind: File, needs: NeedsProgram},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}/{name}"}, min: 8, kind: File, refine: fileBin, direct: itself},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}"}, id: `[0-9a-z]{12,}`, min: 12, kind: Folder},

	// Disks and mail providers (links, 2026). The pages need their scripts.
	{provider: "gmx", hosts: []string{"c.gmx.net", "c.web.de"}, paths: []string{"/{name}/{id}", "/{name}/{id}/*"}, min: 10, refine: atOwner, needs: NeedsProgram},
	{provider: "hidrive", hosts: []string{"my.hidrive.com", "hidrive.ionos.com"}, paths: []string{"/lnk/{id}", "/share/{id}"}, min: 8, needs: NeedsProgram},
	{provider: "koofr", hosts: []string{"app.koofr.net", "storage.rcs-rds.ro"}, paths: []string{"/links/{id}"}, id: uuid, needs: NeedsProgram},
	{provider: "koofr", hosts: []string{"k00.fr"}, paths: []string{"/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "jottacloud", hosts: []string{"www.jottacloud.com", "jottacloud.com"}, paths: []string{"/s/{id}"}, id: `[0-9A-Fa-f]{20,}`, needs: NeedsProgram},
	{provider: "feishu", hosts: []string{".feishu.cn", ".larksuite.com"}, paths: []string{"/file/{id}"}, min: 20, kind: File, needs: NeedsAccount},
	{provider: "feishu", hosts: []string{".feishu.cn", ".larksuite.com"}, paths: []string{"/docx/{id}", "/docs/{id}", "/wiki/{id}", "/sheets/{id}", "/base/{id}", "/slides/{id}"}, min: 20, kind: Native, needs: NeedsAccount},
	{provider: "terabox", hosts: terabox, paths: []string{"/s/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "terabox", hosts: terabox, paths: []string{"/sharing/link", "/sharing/embed", "/web/share/link"}, param: "surl", min: 8, needs: NeedsProgram},
	{provider: "storj", hosts: []string{"link.storjshare.io", "link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io"}, paths: []string{"/s/{id}/{owner}/*"}, min: 20, refine: storj, direct: storjRaw},
	{provider: "storj", hosts: []string{"link.storjshare.io", "link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io"}, paths: []string{"/raw/{id}/{owner}/*"}, min: 20, refine: storj, direct: itself},

	// Hosts of anybody's files. Programs for pixeldrain, catbox (gallery-dl, 2026),
	// 1fichier, workupload, easyupload and krakenfiles (pyload, 2026), mail and links for
	// the others (2026).
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: []string{"/u/{id}", "/api/file/{id}"}, min: 8, kind: File, direct: to("https://pixeldrain.com/api/file/{id}?download")},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: []string{"/l/{id}", "/d/{id}", "/d/{id}/*"}, min: 8, kind: Folder},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: []string{"/api/filesystem/{id}", "/api/filesystem/{id}/*"}, min: 8, needs: NeedsProgram},
	{provider: "catbox", hosts: []string{"files.catbox.moe", "litter.catbox.moe"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{6}[.][0-9A-Za-z]{1,8}`, min: 6, kind: File, refine: namedByID, direct: itself},
	{provider: "catbox", hosts: []string{"files.catbox.moe", "litter.catbox.moe"}, paths: []string{"/{id}"}, id: `[a-z]{6}[.](jpe?g|png|gif|webp|mp[34]|m4a|wav|ogg|webm|mov|mkv|pdf|zip|rar|7z|bin|apk|exe|docx?|xlsx?|pptx?)`, kind: File, refine: namedByID, direct: itself},
	{provider: "catbox", hosts: []string{"catbox.moe", "www.catbox.moe"}, paths: []string{"/c/{id}"}, min: 6, kind: Folder},
	{provider: "1fichier", hosts: []string{"1fichier.com", "www.1fichier.com"}, paths: []string{"/"}, id: `[0-9a-z]{10,24}`, min: 10, refine: bareQuery, kind: File, needs: NeedsProgram},
	{provider: "easyupload", hosts: []string{"easyupload.io", "www.easyupload.io"}, paths: []string{"/{id}", "/m/{id}"}, id: `[0-9a-z]{6}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "krakenfiles", hosts: []string{"krakenfiles.com", "www.krakenfiles.com"}, paths: []string{"/view/{id}/file.html"}, min: 8, kind: File, needs: NeedsProgram},
	{provider: "ufile", hosts: []string{"ufile.io", "uploadfiles.io"}, paths: []string{"/{id}", "/f/{id}"}, id: `[0-9a-z]{5}|[0-9a-z]{8}`, random: true, needs: NeedsProgram},
	{provider: "jumpshare", hosts: []string{"jumpshare.com", "jmp.sh"}, paths: []string{"/b/{id}", "/v/{id}", "/s/{id}", "/embed/{id}", "/share/{id}", "/{id}"}, id: `[0-9A-Za-z]{7,24}`, min: 7, needs: NeedsProgram},
	{provider: "dropmefiles", hosts: []string{"dropmefiles.com"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{5}`, random: true, needs: NeedsProgram},
	{provider: "tinyupload", hosts: []string{".tinyupload.com"}, paths: []string{"/", "/index.php"}, param: "file_id", id: `[0-9]{12,}`, kind: File, needs: NeedsProgram},
	{provider: "transferbigfiles", hosts: []string{"www.transferbigfiles.com"}, paths: []string{"/{id}", "/{id}/{}"}, id: uuid, needs: NeedsProgram},
	{provider: "0x0", hosts: []string{"0x0.st", "x0.at", "ttm.sh", "envs.sh"}, paths: []string{"/{id}", "/s/{}/{id}"}, id: `[-_0-9A-Za-z]*[-_0-9A-Z][-_0-9A-Za-z]*([.][0-9A-Za-z]{1,8}){1,2}`, kind: File, refine: namedByID, direct: itself},
	{provider: "transfer.sh", hosts: []string{"transfer.sh"}, paths: []string{"/{id}/{name}", "/get/{id}/{name}"}, id: `[0-9A-Za-z]{5,10}`, min: 5, kind: File, direct: itself},
	{provider: "temp.sh", hosts: []string{"temp.sh"}, paths: []string{"/{id}/{name}"}, id: `[0-9A-Za-z]{5}`, min: 5, kind: File, needs: NeedsProgram},
	{provider: "zendesk", hosts: []string{".zendesk.com"}, paths: []string{"/attachments/token/{id}"}, min: 15, kind: File, refine: named("name"), direct: itself},
	{provider: "buzzheavier", hosts: []string{"buzzheavier.com", "bzzhr.co"}, paths: []string{"/{id}", "/f/{id}"}, id: `[0-9a-z]{8,14}`, min: 8, kind: File, needs: NeedsProgram},
	{provider: "icedrive", hosts: []string{"icedrive.net"}, paths: []string{"/0/{id}", "/1/{id}", "/s/{id}"}, min: 10, needs: NeedsProgram},
	{provider: "rapidshare", hosts: []string{"rapidshare.com", ".rapidshare.com", "rapidshare.de"}, paths: []string{"/file/{id}/{name}", "/files/{id}/{name}"}, id: `[0-9]{6,}`, kind: File, needs: NeedsProgram},
	{provider: "androidfilehost", hosts: []string{"www.androidfilehost.com", "androidfilehost.com"}, paths: []string{"/"}, param: "fid", id: `[0-9]{12,}`, kind: File, needs: NeedsProgram},
	{provider: "androidfilehost", hosts: []string{"www.androidfilehost.com", "androidfilehost.com"}, paths: []string{"/"}, param: "flid", id: `[0-9]{5,}`, kind: Folder},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: []string{"/s/{id}", "/get/{id}/{}", "/file/{id}/{}", "/mobile/{id}/{}", "/document/{id}/{}", "/office/{id}/{}", "/rar/{id}/{}", "/zip/{id}/{}", "/archive/{id}/{}", "/video/{id}/{}", "/mp3/{id}/{}", "/photo/{id}/{}", "/web/directDownload/{id}/{}", "/file/{id}/{}/{}"}, min: 8, kind: File, needs: NeedsProgram},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: []string{"/folder/{id}/{}", "/dir/{id}/{}"}, min: 8, kind: Folder},
	{provider: "files.fm", hosts: []string{"files.fm"}, paths: []string{"/u/{id}", "/f/{id}"}, id: `[0-9a-z]{8,11}([.][0-9a-z]{3,4})?`, random: true, needs: NeedsProgram},
	{provider: "anonfiles", hosts: []string{"anonfiles.com", "anonfile.com", "bayfiles.com", "hotfile.io", "letsupload.cc"}, paths: []string{"/{id}", "/{id}/{}"}, id: `[0-9A-Za-z]{10}`, min: 10, kind: File, needs: NeedsProgram},
	{provider: "zippyshare", hosts: []string{".zippyshare.com"}, paths: []string{"/v/{id}/file.html", "/d/{id}/{}/{name}"}, min: 8, kind: File, needs: NeedsProgram},
	{provider: "xfilesharing", hosts: xFileSharing, paths: []string{"/{id}", "/{id}/{}"}, id: `[0-9a-z]{12}`, min: 12, kind: File, needs: NeedsProgram},
	{provider: "modsfire", hosts: []string{"modsfire.com"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{15}`, min: 15, kind: File, needs: NeedsProgram},
	{provider: "megaup", hosts: []string{"megaup.net"}, paths: []string{"/{id}/{name}"}, id: `[0-9a-z]{5,6}|[0-9a-f]{32}`, random: true, kind: File, refine: fileBin, needs: NeedsProgram},
	{provider: "doodrive", hosts: []string{"doodrive.com"}, paths: []string{"/f/{id}"}, id: `[0-9a-z]{6,12}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "download.gg", hosts: []string{"download.gg"}, paths: []string{"/{id}"}, id: `file-[0-9]+_[0-9a-f]{16}`, kind: File, needs: NeedsProgram},
	{provider: "uploadhaven", hosts: []string{"uploadhaven.com"}, paths: []string{"/download/{id}"}, id: `[0-9a-f]{32}`, kind: File, needs: NeedsProgram},
	{provider: "2shared", hosts: []string{"www.2shared.com", "2shared.com"}, paths: []string{"/file/{id}/{}", "/photo/{id}/{}", "/document/{id}/{}", "/audio/{id}/{}", "/video/{id}/{}"}, min: 8, kind: File, needs: NeedsProgram},
	{provider: "uploaded", hosts: []string{"uploaded.to", "uploaded.net"}, paths: []string{"/file/{id}", "/file/{id}/{}"}, id: `[0-9a-z]{8}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "uploaded", hosts: []string{"uploaded.to", "uploaded.net"}, paths: []string{"/"}, param: "id", id: `[0-9a-z]{6,8}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "sugarsync", hosts: []string{"www.sugarsync.com"}, paths: []string{"/pf/{id}"}, id: `D[0-9]+_[0-9]+_[0-9]+`, needs: NeedsProgram},
	{provider: "cloudapp", hosts: []string{"f.cl.ly"}, paths: []string{"/items/{id}/{name}"}, id: `[0-9A-Za-z]{20}`, kind: File, direct: itself},
	{provider: "synology", hosts: []string{"gofile.me"}, paths: []string{"/{owner}/{id}"}, id: `[0-9A-Za-z]{9}`, min: 9, needs: NeedsProgram},
	{provider: "copy", hosts: []string{"copy.com", "www.copy.com"}, paths: []string{"/s/{id}", "/s/{id}/*", "/{id}", "/{id}/*"}, id: `[0-9A-Za-z]{12,16}`, min: 12, needs: NeedsProgram},
	{provider: "filefactory", hosts: []string{"www.filefactory.com", "filefactory.com"}, paths: []string{"/file/{id}", "/file/{id}/*"}, id: `[0-9a-z]{7,14}`, min: 7, kind: File, needs: NeedsProgram},
	{provider: "depositfiles", hosts: []string{"depositfiles.com", "www.depositfiles.com", "dfiles.eu"}, paths: []string{"/files/{id}", "/{}/files/{id}"}, id: `[0-9a-z]{9}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "megaupload", hosts: []string{"www.megaupload.com", "megaupload.com"}, paths: []string{"/"}, param: "d", id: `[0-9A-Z]{8}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "ge.tt", hosts: []string{"ge.tt"}, paths: []string{"/{id}", "/{id}/v/{}", "/api/1/files/{id}/{}/blob"}, id: `[0-9][0-9A-Za-z]{6,7}`, needs: NeedsProgram},
	{provider: "upload.ee", hosts: []string{"www.upload.ee", "upload.ee"}, paths: []string{"/files/{id}/{}"}, id: `[0-9]{5,}`, kind: File, needs: NeedsProgram},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/dl/{id}/{name}"}, id: `[0-9]{5,}`, kind: File, direct: itself},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/{id}/{name}"}, id: `[0-9]{5,}`, kind: File, needs: NeedsProgram},
	{provider: "rghost", hosts: []string{"rghost.net", "rghost.ru"}, paths: []string{"/{id}", "/{id}/image.png", "/download/{id}/*"}, id: `([0-9]{5,}|[0-9][0-9A-Za-z]{8})([.]view)?`, kind: File, needs: NeedsProgram},
	{provider: "nitroflare", hosts: []string{"nitroflare.com", "www.nitroflare.com"}, paths: []string{"/view/{id}", "/view/{id}/{}"}, id: `[0-9A-F]{15}`, kind: File, needs: NeedsProgram},
	{provider: "mirrored", hosts: []string{"www.mirrored.to", "mirrored.to"}, paths: []string{"/files/{id}/{}"}, id: `[0-9A-Z]{8}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "narod", hosts: []string{"narod.ru"}, paths: []string{"/disk/{id}/{}", "/disk/get/{id}/{}"}, id: `[0-9]{8,}.*`, kind: File, needs: NeedsProgram},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/{id}"}, id: `[a-z][0-9A-Za-z]{8}([.][0-9a-z]{3,4})?`, random: true, kind: File, needs: NeedsProgram},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/getfile.pl"}, param: "file", id: `/[0-9A-Za-z]{8}`, kind: File, needs: NeedsProgram},
	{provider: "mail.ru", hosts: []string{"files.mail.ru"}, paths: []string{"/{id}"}, id: `[0-9A-Z]{6}|[0-9A-F]{32}`, min: 6, needs: NeedsProgram},
	{provider: "ifolder", hosts: []string{"ifolder.ru", ".ifolder.ru"}, paths: []string{"/{id}"}, id: `[0-9]{7,}`, kind: File, needs: NeedsProgram},
	{provider: "myairbridge", hosts: []string{"mab.to"}, paths: []string{"/{id}", "/{id}/{}", "/t/{id}/{}"}, id: `[0-9A-Za-z]{9,13}`, min: 9, needs: NeedsProgram},
	{provider: "sendgb", hosts: []string{"sendgb.com", "www.sendgb.com"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{11}`, min: 11, needs: NeedsProgram},
	{provider: "frame.io", hosts: []string{"next.frame.io", "app.frame.io"}, paths: []string{"/share/{id}", "/share/{id}/*", "/reviews/{id}", "/reviews/{id}/*"}, id: uuid, needs: NeedsProgram},
	{provider: "grosfichiers", hosts: []string{"www.grosfichiers.com"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{11,13}(_[0-9A-Za-z]+)?`, min: 11, needs: NeedsProgram},
	{provider: "cjoint", hosts: []string{"www.cjoint.com"}, paths: []string{"/doc/{owner}/{id}"}, id: `[A-Z][0-9A-Za-z]{10}_.+`, kind: File, direct: itself},
	{provider: "data.hu", hosts: []string{"data.hu", ".data.hu"}, paths: []string{"/get/{id}/{name}", "/get/{}/{id}/{name}"}, id: `[0-9]{6,}`, kind: File, needs: NeedsProgram},
	{provider: "divshare", hosts: []string{"www.divshare.com", "divshare.com"}, paths: []string{"/download/{id}"}, id: `[0-9]{6,}-[0-9a-f]{3}`, kind: File, needs: NeedsProgram},
	{provider: "zshare", hosts: []string{"www.zshare.net", "zshare.net"}, paths: []string{"/audio/{id}", "/video/{id}", "/download/{id}", "/image/{id}"}, id: `[0-9a-f]{14,}`, kind: File, needs: NeedsProgram},
	{provider: "adrive", hosts: []string{"www.adrive.com"}, paths: []string{"/public/{id}", "/public/{id}/{name}"}, id: `[0-9A-Za-z]{6}([.]html)?`, random: true, kind: File, needs: NeedsProgram},
	{provider: "keep2share", hosts: []string{"k2s.cc", "keep2share.cc"}, paths: []string{"/file/{id}", "/file/{id}/{}"}, id: `[0-9a-f]{12,14}`, kind: File, needs: NeedsProgram},
	{provider: "file-upload", hosts: []string{".file-upload.net", "file-upload.net"}, paths: []string{"/{id}/{}", "/{}/{id}/{}"}, id: `download-[0-9]{5,}`, kind: File, needs: NeedsProgram},
	{provider: "rapidgator", hosts: []string{"rapidgator.net", "rg.to"}, paths: []string{"/file/{id}", "/file/{id}/{}"}, id: `[0-9a-f]{32}|[0-9]{6,}`, kind: File, needs: NeedsProgram},
	{provider: "turbobit", hosts: []string{"turbobit.net"}, paths: []string{"/{id}"}, id: `[0-9a-z]{12}[.]html`, min: 12, kind: File, needs: NeedsProgram},
	{provider: "file.io", hosts: []string{"file.io", "www.file.io"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{6,12}`, min: 6, kind: File, once: true, needs: NeedsProgram},
	{provider: "fex", hosts: []string{"fex.net"}, paths: []string{"/s/{id}", "/{}/s/{id}"}, id: `[0-9a-z]{7}`, random: true, needs: NeedsProgram},
	{provider: "fex", hosts: []string{"fex.net"}, paths: []string{"/{id}", "/get/{id}/{}"}, id: `[0-9]{9,}`, needs: NeedsProgram},
	{provider: "wormhole", hosts: []string{"wormhole.app"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{5,8}`, random: true, endToEnd: true, refine: keyed},
	{provider: "pcloud", hosts: []string{"filedn.com", "filedn.eu"}, paths: []string{"/{id}/*"}, id: `l[0-9A-Za-z]{22}`, refine: storj, direct: itself},
	{provider: "vk", hosts: []string{"vk.com", "m.vk.com"}, mark: "vk.com/doc", paths: []string{"/{id}"}, id: `doc-?[0-9]+_[0-9]{6,}`, kind: File, needs: NeedsProgram},
	{provider: "filemail", hosts: []string{"fil.email"}, paths: []string{"/{id}"}, min: 6, needs: NeedsProgram},
	{provider: "transferxl", hosts: []string{"www.transferxl.com", "transferxl.com"}, paths: []string{"/download/{id}", "/{}/download/{id}", "/{id}"}, id: `0[0-9A-Za-z]{7,20}`, min: 8, needs: NeedsProgram},
	{provider: "github", hosts: []string{"github.com"}, paths: []string{"/user-attachments/files/{id}/{name}", "/{owner}/{}/files/{id}/{name}"}, id: `[0-9]{5,}`, kind: File, direct: itself},
	{provider: "gitlab", hosts: []string{"gitlab.com"}, paths: []string{"/-/project/{owner}/uploads/{id}/{name}", "/{owner}/{}/uploads/{id}/{name}", "/{owner}/{}/{}/uploads/{id}/{name}"}, id: `[0-9A-Fa-f]{32}`, kind: File, direct: itself},

	// Links for all (2026), and mail for STACK.
	{provider: "adobe", hosts: []string{"assets.adobe.com", "shared-assets.adobe.com", "files.acrobat.com", "cloud.acrobat.com"}, paths: []string{"/public/{id}", "/link/{id}", "/a/preview/{id}", "/file/{id}"}, id: uuid, needs: NeedsProgram},
	{provider: "docsend", hosts: []string{"docsend.com", ".docsend.com"}, paths: []string{"/view/{id}", "/view/{id}/d/{}"}, id: `[0-9a-z]{7}|[0-9a-z]{16}`, random: true, kind: File, needs: NeedsProgram},
	{provider: "free", hosts: []string{"transfert.free.fr"}, paths: []string{"/{id}"}, id: `[0-9A-Za-z]{7}`, min: 7, needs: NeedsProgram},
	{provider: "stack", hosts: []string{".stackstorage.com"}, paths: []string{"/s/{id}", "/s/{id}/*"}, id: `[0-9A-Za-z]{15,16}`, min: 15, needs: NeedsProgram},
	{provider: "synology", hosts: []string{".quickconnect.to"}, paths: []string{"/sharing/{id}", "/d/s/{id}/{}", "/d/s/{id}"}, id: `[0-9A-Za-z]{9}|[0-9A-Za-z]{32}`, min: 9, needs: NeedsProgram},
	{provider: "discord", hosts: []string{"cdn.discordapp.com", "media.discordapp.net"}, paths: []string{"/attachments/{}/{id}/{name}"}, id: `[0-9]{15,20}`, kind: File, direct: itself},
	{provider: "limewire", hosts: []string{"limewire.com"}, paths: []string{"/d/{id}"}, id: `[0-9A-Za-z]{5}|` + uuid, min: 5, endToEnd: true},
	{provider: "uschovna", hosts: []string{"www.uschovna.cz", "uschovna.cz"}, paths: []string{"/zasilka/{id}"}, id: `[0-9A-Z]{16}-[0-9A-Z]{3,4}`, needs: NeedsProgram},
	{provider: "filetransfer.io", hosts: []string{"filetransfer.io"}, paths: []string{"/data-package/{id}", "/data-package/{id}/download"}, id: `[0-9A-Za-z]{8}`, min: 8, needs: NeedsProgram},
	{provider: "firestorage", hosts: []string{"firestorage.jp"}, paths: []string{"/download/{id}"}, id: `[0-9a-f]{40}`, needs: NeedsProgram},
	{provider: "gigamove", hosts: []string{"gigamove.rwth-aachen.de", "gigamove.rz.rwth-aachen.de"}, paths: []string{"/de/download/{id}", "/en/download/{id}", "/d/id/{id}"}, id: `[0-9a-f]{32}|[0-9A-Za-z]{14}`, min: 14, needs: NeedsProgram},

	// Links (2011 to 2026), and mail for ZendTo, CryptPad and d.pr. Some of these hosts
	// have ended. Old mail refers to them.
	{provider: "pcloud", hosts: []string{"transfer.pcloud.com"}, paths: []string{"/download.html"}, param: "code", id: `5Z[0-9A-Za-z]{40,80}`, needs: NeedsProgram},
	{provider: "pcloud", hosts: []string{"pc.cd", "e.pc.cd", "u.pc.cd"}, paths: []string{"/{id}"}, id: mixed, min: 4, needs: NeedsProgram},
	{provider: "filen", hosts: []string{"filen.io", "app.filen.io", "drive.filen.io"}, paths: []string{"/d/{id}", "/f/{id}"}, id: uuid, endToEnd: true},
	{provider: "onedrive", hosts: []string{".skydrive.live.com", ".office.live.com"}, paths: []string{"/self.aspx/*", "/view.aspx/*", "/browse.aspx/*"}, refine: lastName, needs: NeedsProgram},
	{provider: "zoho", hosts: []string{"docs.zoho.com", "docs.zoho.eu", "docs.zoho.in", "docs.zohopublic.com"}, paths: []string{"/file/{id}"}, id: `[0-9a-z]{30,40}`, kind: File, needs: NeedsProgram},
	{provider: "amazon", hosts: amazon, paths: []string{"/clouddrive/share/{id}", "/clouddrive/share/{id}/*", "/photos/share/{id}", "/photos/share/{id}/*"}, id: `[0-9A-Za-z]{43}`, needs: NeedsProgram},
	{provider: "opendrive", hosts: []string{"od.lk", "www.opendrive.com"}, paths: []string{"/d/{id}/{name}", "/s/{id}/{name}", "/f/{id}", "/f/{id}/{name}", "/fl/{id}", "/file/{id}"}, id: `[A-Z][0-9A-Za-z_-]{11,40}`, min: 12, needs: NeedsProgram},
	{provider: "droplr", hosts: []string{"d.pr"}, mark: "//d.pr/", paths: []string{"/f/{id}", "/i/{id}", "/v/{id}", "/free/f/{id}", "/free/i/{id}"}, id: mixed, min: 4, kind: File, needs: NeedsProgram},
	{provider: "cloudapp", hosts: []string{"cl.ly", "share.getcloudapp.com"}, paths: []string{"/{id}", "/{id}/{name}", "/{id}/download/{name}", "/image/{id}", "/image/{id}/{name}"}, id: mixed, min: 4, kind: File, needs: NeedsProgram},
	{provider: "ubuntuone", hosts: []string{"ubuntuone.com"}, paths: []string{"/{id}", "/p/{id}"}, id: mixed, min: 3, kind: File, needs: NeedsProgram},
	{provider: "send-anywhere", hosts: []string{"sendanywhe.re", "send-anywhere.com"}, paths: []string{"/{id}", "/web/downloads/{id}", "/web/s/{id}"}, id: `[0-9A-Z]{8}`, min: 8, needs: NeedsProgram},
	{provider: "docdroid", hosts: []string{"www.docdroid.net", "docdroid.net"}, paths: []string{"/{id}", "/{id}/{}", "/file/download/{id}/{name}"}, id: `[0-9A-Za-z]{7}`, min: 7, kind: File, needs: NeedsProgram},
	{provider: "uloz.to", hosts: []string{"uloz.to", "ulozto.net", "ulozto.cz", "ulozto.sk"}, paths: []string{"/file/{id}", "/file/{id}/{}"}, id: `[0-9A-Za-z]{8,12}`, min: 8, kind: File, needs: NeedsProgram},
	{provider: "fileconvoy", hosts: []string{"www.fileconvoy.com"}, paths: []string{"/dfl.php"}, param: "id", id: `g[0-9a-f]{30,}`, needs: NeedsProgram},
	{provider: "abv", hosts: []string{"dox.abv.bg"}, paths: []string{"/download"}, param: "id", id: `[0-9a-f]{10}`, kind: File, needs: NeedsProgram},
	{provider: "sendbig", hosts: []string{"www.sendbig.com"}, paths: []string{"/view-files"}, param: "Id", id: uuid, needs: NeedsProgram},
	{provider: "wenshushu", hosts: []string{"www.wenshushu.cn", "wenshushu.cn", "wss1.cn"}, paths: []string{"/f/{id}", "/k/{id}"}, id: `[0-9a-z]{11}`, random: true, needs: NeedsProgram},
	{provider: "pikpak", hosts: []string{"mypikpak.com", "drive.mypikpak.com"}, paths: []string{"/s/{id}", "/s/{id}/*"}, id: `V.{24,28}`, min: 25, needs: NeedsProgram},
	{provider: "filez", hosts: []string{"jbox.sjtu.edu.cn", "pan.bnu.edu.cn"}, paths: []string{"/l/{id}"}, id: mixed, min: 6, needs: NeedsProgram},
	{provider: "weixin", hosts: []string{"drive.weixin.qq.com"}, paths: []string{"/s"}, param: "k", id: `A[0-9A-Za-z]{17,30}`, min: 18, needs: NeedsProgram},
	{provider: "hightail", hosts: []string{"www.yousendit.com", "yousendit.com", "www.hightail.com"}, paths: []string{"/download/{id}"}, id: `[0-9A-Za-z]{15,30}`, min: 15, needs: NeedsProgram},
	{provider: "sendsafely", hosts: []string{".sendsafely.com"}, paths: []string{"/receive"}, param: "packageCode", id: `.{40,}`, endToEnd: true},
	{provider: "syncplicity", hosts: []string{".syncplicity.com"}, paths: []string{"/share/{id}", "/share/{id}/{}"}, id: `[0-9a-z]{14,16}`, min: 14, needs: NeedsProgram},
	{provider: "figshare", hosts: []string{"figshare.com", ".figshare.com"}, paths: []string{"/s/{id}"}, id: hex20, needs: NeedsProgram},
	{provider: "lufi", hosts: []string{"framadrop.org", "upload.disroot.org", "drop.infini.fr"}, paths: []string{"/r/{id}"}, id: `.{10}`, min: 10, kind: File, endToEnd: true, refine: keyed},
	{provider: "cryptpad", hosts: []string{"cryptpad.fr"}, paths: []string{"/file", "/drive", "/pad", "/doc", "/sheet", "/slide", "/presentation"}, endToEnd: true, refine: keyed},
	{provider: "puush", hosts: []string{"puu.sh"}, paths: []string{"/{id}", "/{}/{id}"}, id: `[0-9A-Za-z]{5}([.][0-9a-z]{2,4})?|[0-9a-f]{10}[.][0-9a-z]{2,4}`, min: 5, kind: File, direct: itself},
	{provider: "wikisend", hosts: []string{"wikisend.com", "www.wikisend.com"}, paths: []string{"/download/{id}/{name}"}, id: `[0-9]{6}`, kind: File, needs: NeedsProgram},
	{provider: "meo", hosts: []string{"cld.pt"}, paths: []string{"/dl/download/{id}/*"}, id: uuid, kind: File, refine: ownCloudDAV, direct: itself},
	{provider: "google-drive", hosts: []string{"googledrive.com", "www.googledrive.com"}, paths: []string{"/host/{id}", "/host/{id}/*"}, min: 15, needs: NeedsProgram},
	{provider: "uupload", hosts: []string{"uupload.ir"}, paths: []string{"/filelink/{id}/{name}"}, id: `[0-9A-Za-z]{12}`, min: 12, kind: File, needs: NeedsProgram},
	{provider: "zeta-uploader", hosts: []string{"www.zeta-uploader.com"}, paths: []string{"/{id}", "/{}/{id}"}, id: `[0-9]{9,}`, needs: NeedsProgram},
	{provider: "osf", hosts: []string{"osf.io"}, paths: []string{"/{}", "/{}/files/*"}, param: "view_only", id: `[0-9a-f]{32}`, kind: Folder},
	{provider: "figshare", hosts: []string{"ndownloader.figshare.com", "figshare.com"}, paths: []string{"/files/{}", "/ndownloader/files/{}"}, param: "private_link", id: hex20, kind: File, direct: itself},
	{provider: "filehorst", hosts: []string{"filehorst.de"}, paths: []string{"/d/{id}"}, id: `[0-9A-Za-z]{8}`, min: 8, kind: File, needs: NeedsProgram},
	{provider: "frams-fex", hosts: []string{"fex.rus.uni-stuttgart.de", "fex.belwue.de"}, paths: []string{"/fop/{id}/{name}"}, id: `[0-9A-Za-z]{8}`, min: 8, kind: File, direct: itself},
	{provider: "mirrorace", hosts: []string{"mirrorace.org"}, paths: []string{"/m/{id}"}, id: `[0-9A-Za-z]{5}`, random: true, needs: NeedsProgram},
	{provider: "powerfolder", hosts: []string{"syncandshare.lrz.de", "faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de"}, paths: []string{"/getlink/{id}", "/getlink/{id}/*", "/dl/{id}", "/dl/{id}/*"}, id: `fi[0-9A-Za-z]{18,24}`, needs: NeedsProgram},

	// Nextcloud and ownCloud of universities and providers (links, 2026).
	{provider: "seafile", hosts: publicSeafiles, paths: []string{"/f/{id}"}, id: hex20, kind: File, direct: set("dl", "1")},
	{provider: "seafile", hosts: publicSeafiles, paths: []string{"/d/{}/files"}, param: "p", id: ".+", kind: File, refine: seafilePath, direct: set("dl", "1")},
	{provider: "seafile", hosts: publicSeafiles, paths: []string{"/seafhttp/files/{id}/{name}"}, id: uuid, kind: File, direct: itself},
	{provider: "seafile", hosts: publicSeafiles, paths: []string{"/d/{id}"}, id: hex20, kind: Folder},
	{provider: "nextcloud", hosts: publicClouds, paths: shares("/s/{id}", "/s/{id}/preview", "/s/{id}/authenticate", "/s/{id}/download", "/s/{id}/download/{name}"), min: 8, refine: nextcloudPart, direct: nextcloudFile},
}

var (
	dropbox         = []string{"www.dropbox.com", "dropbox.com"}
	dropboxContent  = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com"}
	oneDriveLive    = []string{"onedrive.live.com", "skydrive.live.com"}
	oneDriveStores  = []string{".livefilestore.com", ".files.1drv.com", ".storage.live.com", ".files.storage.msn.com"}
	oneDrivePaths   = []string{"/", "/redir", "/redir.aspx", "/view", "/view.aspx", "/edit", "/edit.aspx", "/embed"}
	sharePointHosts = []string{".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint-df.com", "sites.ey.com"}
	drive           = []string{"drive.google.com", "docs.google.com"}
	docs            = []string{"docs.google.com"}
	iCloud          = []string{"www.icloud.com", "icloud.com", "www.icloud.com.cn", "icloud.com.cn"}
	iCloudContents  = []string{".icloud-content.com", ".icloud-content.com.cn"}
	box             = []string{".box.com", "box.com"}
	mega            = []string{"mega.nz", "www.mega.nz", "mega.co.nz"}
	qq              = []string{"wx.mail.qq.com", "iwx.mail.qq.com"}
	amazon          = []string{"www.amazon.com", "www.amazon.de", "www.amazon.co.uk", "www.amazon.ca", "www.amazon.fr", "www.amazon.es", "www.amazon.it", "www.amazon.co.jp", "www.amazon.com.au", "www.amazon.com.br", "www.amazon.in"}
	terabox         = []string{"terabox.com", "www.terabox.com", "1024terabox.com", "www.1024terabox.com", "teraboxapp.com", "www.teraboxapp.com", "1024tera.com", "www.1024tera.com", "freeterabox.com", "www.freeterabox.com", "terafileshare.com", "teraboxlink.com", "terasharelink.com"}
	publicClouds    = []string{"magentacloud.de", "www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch", "bwsyncandshare.kit.edu", "surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au", "b2drop.eudat.eu", "owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net"}
	publicSeafiles  = []string{"cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr", "seafile.lirmm.fr", "seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de"}
	xFileSharing    = []string{"usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com", "katfile.cloud", "katfile.online", "datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com", "clicknupload.org", "clicknupload.to", "clicknupload.cc", "clicknupload.click", "clicknupload.red", "dailyuploads.net", "drop.download", "easybytez.com", "www.easybytez.com", "file.al", "filefox.cc", "filejoker.net", "filerio.in", "hugefiles.net", "mexa.sh", "mexashare.com", "novafile.com", "novafile.org", "send.cm", "send.now", "filelu.com", "file-upload.org", "www.file-upload.org", "upload-4ever.com", "www.upload-4ever.com", "uploadrar.com", "usersfiles.com", "userscloud.com", "tusfiles.com", "hexupload.net", "rapidfileshare.net", "dosya.co"}
	lanzou          = []string{".lanzou.com", ".lanzoub.com", ".lanzoue.com", ".lanzouf.com", ".lanzoug.com", ".lanzouh.com", ".lanzoui.com", ".lanzouj.com", ".lanzoul.com", ".lanzoum.com", ".lanzouo.com", ".lanzoup.com", ".lanzouq.com", ".lanzous.com", ".lanzout.com", ".lanzouu.com", ".lanzouv.com", ".lanzouw.com", ".lanzoux.com", ".lanzouy.com", ".lanzn.com", ".lanpw.com"}
	baidu           = []string{"pan.baidu.com", "yun.baidu.com"}
	pan123          = []string{"www.123pan.com", "123pan.com", "www.123pan.cn", "www.123684.com", "www.123865.com", "www.123912.com", "www.123952.com"}
	yandex          = []string{"disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz", "disk.360.yandex.ru", "disk.360.yandex.com", "yadi.sk"}
	bigFile         = []string{"/download", "/bigfileupload/download"}
	shareFile       = []string{".sharefile.com", ".sharefile.eu", ".securevdr.com"}
	zoho            = []string{"workdrive.zohopublic.com", "workdrive.zohopublic.eu", "workdrive.zohopublic.in", "workdrive.zohopublic.com.cn", "workdrive.zohoexternal.com", "workdrive.zohoexternal.eu", "workdrive.zohoexternal.in", "workdrive.zoho.com", "workdrive.zoho.eu", "workdrive.zoho.in", "workdrive.zoho.com.au"}
	adobe           = []string{"documentcloud.adobe.com", "acrobat.adobe.com"}
	salesforce      = []string{".salesforce.com", ".salesforce-sites.com", ".force.com"}
	mediaFire       = []string{"www.mediafire.com", "mediafire.com"}
	mediaFirePaths  = []string{"/file/{id}", "/file/{id}/{name}", "/file/{id}/{name}/file", "/file_premium/{id}/{name}/file", "/view/{id}/{name}/file", "/download/{id}", "/download/{id}/{name}"}
)

// personal is the address of a file in the OneDrive of a person.
var personal = to("https://my.microsoftpersonalcontent.com/personal/{owner}/_layouts/15/download.aspx?share={id}")

// driveFile is the address of a file of Google Drive.
var driveFile = to("https://drive.usercontent.google.com/download?id={id}&export=download&confirm=t", "resourcekey")

// document returns the rule of one kind of Google document. Its export has the media
// type mediaType and is at the address of the document followed by tail.
//
// QUIRK: an Office file that was uploaded to Drive has the address of a document too.
// It is known by rtpof=true, or by an ID of 33 characters, as files in Drive have; the
// ID of a document has 44. The octets of the file itself are asked for first.
func document(kind, mediaType, tail string) rule {
	export := to("https://docs.google.com/"+kind+"/d/{id}"+tail, "resourcekey")
	return rule{
		provider: "google-docs", hosts: docs, paths: docsPaths(kind, "", "/*"), min: 15, kind: Native,
		refine: func(f *found, l *Link) bool {
			if rtpof, _ := f.u.Param("rtpof"); rtpof == "true" || len(f.id) == 33 {
				l.Kind = File
				l.Fallback, l.FallbackType = export(f, l), mediaType
				return true
			}
			l.MediaType, l.Rendition = mediaType, true
			return true
		},
		direct: func(f *found, l *Link) string {
			if l.Kind == File {
				return driveFile(f, l)
			}
			return export(f, l)
		},
	}
}

// layouts returns the patterns of SharePoint's pages: at the root, and in a site or a
// person's own site.
func layouts(pages ...string) []string {
	var patterns []string
	for _, page := range pages {
		patterns = append(patterns, "/_layouts/15/"+page, "/{}/{}/_layouts/15/"+page)
	}
	return patterns
}

// editors returns the patterns of the pages that show a document for reading or
// editing.
func editors(prefix string) []string {
	return []string{prefix + "Doc.aspx", prefix + "doc2.aspx", prefix + "WopiFrame.aspx", prefix + "WopiFrame2.aspx"}
}

// drivePaths returns the patterns, and each of them again with the domain of an
// organisation before it.
func drivePaths(patterns ...string) []string {
	for _, p := range patterns {
		patterns = append(patterns, "/a/{}"+p, "/corp"+p)
	}
	return patterns
}

// docsPaths returns the patterns of one kind of document. Each has one of tails after
// the ID, and each occurs with and without the number of an account.
func docsPaths(kind string, tails ...string) []string {
	var patterns []string
	for _, tail := range tails {
		patterns = append(patterns, "/"+kind+"/d/{id}"+tail, "/"+kind+"/u/{}/d/{id}"+tail)
	}
	return drivePaths(patterns...)
}
