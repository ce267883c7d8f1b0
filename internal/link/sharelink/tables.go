// Code generated from examples/list/list.json. DO NOT EDIT.

package sharelink

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// fingerprint is a digest of the list.
const fingerprint = "0b16470012bf99edcc51808f9fe21f4d"

// pageNames are words that pages have for names, and that are as long as random IDs.
var pageNames = []string{"about", "aboutus", "about-us", "abuse", "account", "apps", "billing", "blog", "business", "careers", "company", "contact", "contact-us", "contacts", "cookies", "copyright", "dashboard", "default", "developers", "dmca", "docs", "document", "documentation", "documents", "download", "downloads", "enterprise", "error", "example", "examples", "explore", "faq", "favicon", "features", "feedback", "file", "files", "folder", "folders", "forgot", "form", "getting-started", "guide", "help", "history", "home", "images", "index", "install", "invite", "jobs", "join", "legal", "login", "logo", "logout", "manage", "members", "mobile", "my-files", "news", "notice", "notifications", "null", "order", "pages", "partners", "password", "payment", "policy", "premium", "press", "pricing", "privacy", "privacy-policy", "product", "products", "profile", "register", "report", "report_abuse", "request", "reset", "robots", "rules", "sample", "search", "security", "settings", "share", "shared", "sign-in", "sign_up", "sign-up", "signin", "signup", "sitemap", "static", "status", "support", "team", "templates", "terms", "terms-of-service", "tools", "trial", "undefined", "unsubscribe", "upgrade", "upload", "uploader", "uploads", "user", "users", "verify", "video", "videos"}

// rules has the shapes of links at known hosts. The first row that matches a URL counts.
var rules = []rule{
	{provider: "0x0", hosts: hosts0, paths: paths0, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, token: &patterns[1], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "115", hosts: hosts1, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[2], min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "123pan", hosts: hosts2, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[3], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "1fichier", hosts: hosts3, paths: []string{"/"}, cases: []form{{ownID: true, token: &patterns[4], min: 10, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[5]}}}}}}}},
	{provider: "2shared", hosts: hosts4, paths: paths1, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "360", hosts: []string{".lc.yunpan.cn"}, paths: []string{"/lk/{id}"}, cases: []form{{token: &patterns[6], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: paths2, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: paths3, cases: []form{{min: 8, kind: Folder}}},
	{provider: "abv", hosts: []string{"dox.abv.bg"}, paths: []string{"/download"}, param: "id", cases: []form{{token: &patterns[7], kind: File, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hosts5, paths: paths4, param: "uri", cases: []form{{token: &patterns[8], kind: Page, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hosts5, paths: []string{"/id/{id}"}, cases: []form{{token: &patterns[8], kind: Page, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hosts6, paths: paths5, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "adrive", hosts: []string{"www.adrive.com"}, paths: paths6, cases: []form{{token: &patterns[10], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "aliyun-drive", hosts: hosts7, paths: paths7, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "amazon", hosts: hosts8, paths: paths8, cases: []form{{token: &patterns[11], kind: Page, needs: NeedsProgram}}},
	{provider: "androidfilehost", hosts: hosts9, paths: []string{"/"}, param: "fid", cases: []form{{token: &patterns[12], kind: File, needs: NeedsProgram}}},
	{provider: "androidfilehost", hosts: hosts9, paths: []string{"/"}, param: "flid", cases: []form{{token: &patterns[13], kind: Folder}}},
	{provider: "anonfiles", hosts: hosts10, paths: paths9, cases: []form{{token: &patterns[14], min: 10, kind: File, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hosts11, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hosts11, paths: []string{"/share/init"}, param: "surl", cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hosts11, paths: []string{"/share/link"}, param: "shareid", cases: []form{{token: &patterns[13], kind: Page, needs: NeedsProgram}}},
	{provider: "bitwarden-send", hosts: hosts12, paths: []string{"/"}, cases: []form{{ownID: true, min: 12, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[15]}}}}}}}},
	{provider: "box", hosts: hosts13, paths: paths10, cases: []form{{unless: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[16]}}}}, min: 8, kind: Page, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindText, Pattern: &patterns[17]}, {Op: verbs.Match, Pattern: &patterns[18]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.ID}, {Text: "&file_id=f_"}, {Piece: verbs.Value}}}}}}}},
	{provider: "box", hosts: hosts14, paths: paths11, cases: []form{{token: &patterns[19], min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "box", hosts: hosts13, paths: []string{"/v/{id}"}, cases: []form{{unless: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[16]}}}}, min: 5, kind: Page, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindText, Pattern: &patterns[17]}, {Op: verbs.Match, Pattern: &patterns[18]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&vanity_name="}, {Piece: verbs.ID}, {Text: "&file_id=f_"}, {Piece: verbs.Value}}}}}}}},
	{provider: "box", hosts: hosts13, paths: []string{"/s/{owner}/file/{id}"}, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.Owner}, {Text: "&file_id=f_"}, {Piece: verbs.ID}}}}}}}},
	{provider: "box", hosts: hosts13, paths: []string{"/file/{id}"}, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.Own + 0}, {Text: "&file_id=f_"}, {Piece: verbs.ID}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "s"}}}}}}}},
	{provider: "box", hosts: hosts13, paths: []string{"/notes/{id}"}, cases: []form{{token: &patterns[13], kind: Native, needs: NeedsAccount}}},
	{provider: "box", hosts: hosts13, paths: paths12, cases: []form{{token: &patterns[13], kind: Folder}}},
	{provider: "box", hosts: hosts13, paths: []string{"/shared/static/{id}"}, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "box", hosts: hosts13, paths: []string{"/index.php"}, param: "file_id", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rm"}, {Op: verbs.Match, Pattern: &patterns[20]}}}}, ownID: true, token: &patterns[21], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "file_id"}, {Op: verbs.Match, Pattern: &patterns[22]}}}}}}}},
	{provider: "buzzheavier", hosts: hosts15, paths: paths13, cases: []form{{token: &patterns[23], min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "caiyun", hosts: []string{"caiyun.139.com"}, paths: []string{"/m/i"}, cases: []form{{ownID: true, token: &patterns[24], min: 10, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[5]}}}}}}}},
	{provider: "caiyun", hosts: []string{"yun.139.com"}, paths: []string{"/shareweb"}, cases: []form{{ownID: true, token: &patterns[24], min: 10, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[25]}}}}}}}},
	{provider: "catbox", hosts: hosts16, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, token: &patterns[26], min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "catbox", hosts: hosts16, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, token: &patterns[27], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "catbox", hosts: hosts17, paths: []string{"/c/{id}"}, cases: []form{{min: 6, kind: Folder}}},
	{provider: "cjoint", hosts: []string{"www.cjoint.com"}, paths: []string{"/doc/{owner}/{id}"}, cases: []form{{token: &patterns[28], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "cloudapp", hosts: []string{"f.cl.ly"}, paths: []string{"/items/{id}/{name}"}, cases: []form{{token: &patterns[29], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "cloudapp", hosts: hosts18, paths: paths14, cases: []form{{token: &patterns[30], min: 4, kind: File, needs: NeedsProgram}}},
	{provider: "copy", hosts: hosts19, paths: paths15, cases: []form{{token: &patterns[6], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "cowtransfer", hosts: hosts20, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[31], kind: Page, needs: NeedsProgram}}},
	{provider: "cozy", hosts: hosts21, paths: []string{"/public"}, param: "sharecode", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[32]}}}}, token: &patterns[33], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "cryptpad", hosts: []string{"cryptpad.fr"}, paths: paths16, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[34]}}}}, kind: Page, endToEnd: true}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[35], kind: File, needs: NeedsProgram}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[35], kind: Folder}}},
	{provider: "data.hu", hosts: hosts22, paths: paths17, cases: []form{{token: &patterns[36], kind: File, needs: NeedsProgram}}},
	{provider: "depositfiles", hosts: hosts23, paths: paths18, cases: []form{{token: &patterns[37], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "discord", hosts: hosts24, paths: []string{"/attachments/{}/{id}/{name}"}, cases: []form{{token: &patterns[38], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "divshare", hosts: hosts25, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[39], kind: File, needs: NeedsProgram}}},
	{provider: "docdroid", hosts: hosts26, paths: paths19, cases: []form{{token: &patterns[40], min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "docsend", hosts: hosts27, paths: paths20, cases: []form{{token: &patterns[41], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "doodrive", hosts: []string{"doodrive.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[42], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "download.gg", hosts: []string{"download.gg"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[43], kind: File, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: hosts28, paths: paths21, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts28, paths: paths22, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "preview"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[44]}}}}}}}},
	{provider: "dropbox", hosts: hosts28, paths: paths23, cases: []form{{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts28, paths: paths24, cases: []form{{token: &patterns[36], kind: Folder}}},
	{provider: "dropbox", hosts: hosts28, paths: paths25, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, min: 9, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}},
		{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts28, paths: []string{"/l/scl/{id}"}, cases: []form{{min: 16, kind: Page, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts28, paths: paths26, cases: []form{{min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: []string{"paper.dropbox.com"}, paths: []string{"/doc/*"}, cases: []form{{ownID: true, min: 12, partial: true, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[46]}}}}}}}},
	{provider: "dropbox", hosts: hosts29, paths: paths27, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "dropbox", hosts: hosts30, paths: []string{"/u/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patterns[47]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "droplr", hosts: []string{"d.pr"}, paths: paths28, mark: "//d.pr/", cases: []form{{token: &patterns[30], min: 4, kind: File, needs: NeedsProgram}}},
	{provider: "dropmefiles", hosts: []string{"dropmefiles.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[48], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "easyupload", hosts: hosts31, paths: paths29, cases: []form{{token: &patterns[49], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths30, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/dd/"}, {Piece: verbs.ID}, {Text: "/"}}}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths31, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths32, cases: []form{{min: 8, kind: Folder}}},
	{provider: "fangcloud", hosts: []string{".fangcloud.com"}, paths: []string{"/share/{id}"}, cases: []form{{token: &patterns[50], kind: Page, needs: NeedsProgram}}},
	{provider: "fastmail", hosts: []string{"user.fm"}, paths: []string{"/files/{id}/{name}"}, cases: []form{{token: &patterns[51], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "feishu", hosts: hosts32, paths: []string{"/mail/page/attachment"}, param: "token", cases: []form{{min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "feishu", hosts: hosts32, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "feishu", hosts: hosts32, paths: paths33, cases: []form{{min: 20, kind: Native, needs: NeedsAccount}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths34, cases: []form{{token: &patterns[52], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths35, cases: []form{{token: &patterns[53], kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hosts33, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[54], kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hosts34, paths: paths36, param: "private_link", cases: []form{{token: &patterns[54], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "file-upload", hosts: hosts35, paths: paths37, cases: []form{{token: &patterns[55], kind: File, needs: NeedsProgram}}},
	{provider: "file.io", hosts: hosts36, paths: []string{"/{id}"}, cases: []form{{token: &patterns[56], min: 6, kind: File, needs: NeedsProgram, once: true}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[57], min: 12, kind: Folder}}},
	{provider: "fileconvoy", hosts: []string{"www.fileconvoy.com"}, paths: []string{"/dfl.php"}, param: "id", cases: []form{{token: &patterns[58], kind: Page, needs: NeedsProgram}}},
	{provider: "filefactory", hosts: hosts37, paths: paths38, cases: []form{{token: &patterns[59], min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "filehorst", hosts: []string{"filehorst.de"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[60], min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "filemail", hosts: hosts38, paths: paths39, cases: []form{{token: &patterns[61], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filemail", hosts: []string{".filemail.com"}, paths: []string{"/api/file/get"}, param: "filekey", cases: []form{{min: 20, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filemail", hosts: []string{"fil.email"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "filen", hosts: hosts39, paths: []string{"/"}, cases: []form{{ownID: true, token: &patterns[9], kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[62]}}}}}}}},
	{provider: "filen", hosts: hosts40, paths: paths40, cases: []form{{token: &patterns[9], kind: Page, endToEnd: true}}},
	{provider: "files.fm", hosts: []string{"files.fm"}, paths: paths41, cases: []form{{token: &patterns[63], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "filetransfer.io", hosts: []string{"filetransfer.io"}, paths: paths42, cases: []form{{token: &patterns[60], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filez", hosts: hosts41, paths: []string{"/l/{id}"}, cases: []form{{token: &patterns[30], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "firestorage", hosts: []string{"firestorage.jp"}, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[64], kind: Page, needs: NeedsProgram}}},
	{provider: "frame.io", hosts: hosts42, paths: paths43, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "frams-fex", hosts: hosts43, paths: []string{"/fop/{id}/{name}"}, cases: []form{{token: &patterns[60], min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[65], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/getfile.pl"}, param: "file", cases: []form{{token: &patterns[66], kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"transfert.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[40], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "ge.tt", hosts: []string{"ge.tt"}, paths: paths44, cases: []form{{token: &patterns[67], kind: Page, needs: NeedsProgram}}},
	{provider: "gigafile", hosts: []string{".gigafile.nu"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[68], kind: Page, needs: NeedsProgram}}},
	{provider: "gigamove", hosts: hosts44, paths: paths45, cases: []form{{token: &patterns[69], min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "github", hosts: []string{"github.com"}, paths: paths46, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gitlab", hosts: []string{"gitlab.com"}, paths: paths47, cases: []form{{token: &patterns[70], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gmx", hosts: hosts45, paths: paths48, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[71]}}}}, min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/d/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/"}, param: "c", cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{".gofile.io"}, paths: paths49, cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths50, cases: []form{{min: 15, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: []string{"/{type}/d/e/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[72]}}}}, token: &patterns[73], partial: true, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths51, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[75]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths52, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[75]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths53, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[75]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths54, param: "id", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths55, param: "docid", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: hosts46, paths: paths56, param: "key", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-drive", hosts: hosts47, paths: paths57, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts47, paths: paths58, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts47, paths: paths59, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts47, paths: paths60, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts47, paths: paths61, cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: hosts47, paths: paths62, param: "id", cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: []string{"drive.usercontent.google.com"}, paths: paths63, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "confirm", Parts: []verbs.Part{{Text: "t"}}}}}, find: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: []string{"docs.google.com"}, paths: paths64, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[77]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts48, paths: paths65, cases: []form{{min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "google-photos", hosts: hosts49, paths: paths66, cases: []form{{token: &patterns[78], min: 17, kind: Page, needs: NeedsProgram}}},
	{provider: "grosfichiers", hosts: []string{"www.grosfichiers.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[79], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "hidrive", hosts: hosts50, paths: paths67, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"spaces.hightail.com"}, paths: paths68, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"www.yousendit.com"}, paths: []string{"/transfer.php"}, param: "ufid", cases: []form{{token: &patterns[80], kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{".yousendit.com"}, paths: []string{"/d.aspx"}, param: "id", cases: []form{{token: &patterns[81], kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: hosts51, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[82], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "hubspot", hosts: []string{".hubspot.com"}, paths: []string{"/documents/{owner}/view/{id}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "icedrive", hosts: []string{"icedrive.net"}, paths: paths69, cases: []form{{min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "icloud", hosts: hosts52, paths: []string{"/attachment"}, param: "u", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[83]}}}}, ownID: true, token: &patterns[76], kind: File, direct: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "${f}", Parts: []verbs.Part{{Piece: verbs.Name, Form: verbs.Escaped}}}, {Op: verbs.Replace, Text: "${uk}", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.Escaped}}}, {Op: verbs.URL}, {Piece: verbs.Link}}}, more: &facts{size: verbs.Any{{{Op: verbs.Param, Text: "sz"}}}, expires: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "f"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}, {Op: verbs.Not, Pattern: &patterns[84]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "uk"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}}}}},
	{provider: "icloud", hosts: hosts52, paths: []string{"/iclouddrive/{id}"}, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: []string{"share.icloud.com"}, paths: []string{"/photos/{id}"}, cases: []form{{min: 16, kind: Folder}}},
	{provider: "icloud", hosts: hosts52, paths: paths70, cases: []form{{ownID: true, min: 12, kind: Folder, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[85]}}}}}}}},
	{provider: "icloud", hosts: hosts52, paths: paths71, cases: []form{{token: &patterns[86], kind: Native, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: hosts52, paths: []string{"/iw"}, cases: []form{{ownID: true, min: 20, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[87]}}}}}}}},
	{provider: "icloud", hosts: hosts53, paths: []string{"/B/{}/{name}"}, cases: []form{{ownID: true, token: &patterns[76], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Percent}, {Op: verbs.Not, Pattern: &patterns[88]}, {Piece: verbs.Link}}}, more: &facts{expires: verbs.Any{{{Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Name}, {Op: verbs.Not, Pattern: &patterns[84]}}}}}}}},
	{provider: "ifolder", hosts: hosts54, paths: []string{"/{id}"}, cases: []form{{token: &patterns[89], kind: File, needs: NeedsProgram}}},
	{provider: "ilanzou", hosts: []string{"www.ilanzou.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "internxt", hosts: hosts55, paths: paths72, cases: []form{{min: 12, kind: Page, endToEnd: true}}},
	{provider: "jianguoyun", hosts: []string{"www.jianguoyun.com"}, paths: []string{"/p/{id}"}, cases: []form{{token: &patterns[90], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "jottacloud", hosts: hosts56, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[91], kind: Page, needs: NeedsProgram}}},
	{provider: "jumpshare", hosts: hosts57, paths: paths73, cases: []form{{token: &patterns[92], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "kakao", hosts: hosts58, paths: paths74, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kakao", hosts: []string{"attach.mail.daum.net"}, paths: paths75, cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kdocs", hosts: hosts59, paths: []string{"/l/{id}"}, cases: []form{{token: &patterns[93], min: 9, kind: Native, needs: NeedsAccount}}},
	{provider: "kdrive", hosts: []string{"kdrive.infomaniak.com"}, paths: paths76, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "keep2share", hosts: hosts60, paths: paths77, cases: []form{{token: &patterns[94], kind: File, needs: NeedsProgram}}},
	{provider: "koofr", hosts: hosts61, paths: []string{"/links/{id}"}, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "koofr", hosts: []string{"k00.fr"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "krakenfiles", hosts: hosts62, paths: []string{"/view/{id}/file.html"}, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "lanzou", hosts: hosts63, paths: []string{"/{id}"}, cases: []form{{token: &patterns[95], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "limewire", hosts: []string{"limewire.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[96], min: 5, kind: Page, endToEnd: true}}},
	{provider: "lufi", hosts: hosts64, paths: []string{"/r/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[97]}}}}, token: &patterns[98], min: 10, kind: File, endToEnd: true}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/public/{owner}/{id}"}, cases: []form{{min: 8, kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud.mail.ru/api/v2/dispatcher?api=2"}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "body.weblink_get.0.url"}, {Op: verbs.Match, Pattern: &patterns[99]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/"}, {Piece: verbs.Owner}, {Text: "/"}, {Piece: verbs.ID}}}}}}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: paths78, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "mail.ru", hosts: []string{"files.mail.ru"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[100], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "mail.ru", hosts: []string{".cloud.mail.ru"}, paths: paths79, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[101]}}}}, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}}}}},
	{provider: "mediafire", hosts: hosts65, paths: paths80, cases: []form{{min: 10, kind: File, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts66, paths: paths81, cases: []form{{min: 10, kind: Folder}}},
	{provider: "mediafire", hosts: []string{"app.mediafire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[102], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: []string{".mediafire.com"}, paths: []string{"/{}/{id}/{name}"}, cases: []form{{token: &patterns[102], min: 11, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "mediafire", hosts: hosts65, paths: paths82, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[103]}}}}, unless: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[104]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts65, paths: paths83, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[105]}}}}, unless: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[104]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mega", hosts: hosts67, paths: paths84, cases: []form{{min: 8, kind: File, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[106]}}}}}}},
	{provider: "mega", hosts: hosts67, paths: paths85, cases: []form{{min: 8, kind: Folder, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[107]}}}}}}},
	{provider: "mega", hosts: hosts67, paths: []string{"/"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[108]}}}}, ownID: true, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[109]}}}}, {Folder, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[110]}}}}}, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[111]}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[112]}}}}}}}},
	{provider: "mega", hosts: []string{"transfer.it"}, paths: []string{"/t/{id}"}, cases: []form{{min: 10, kind: Page, endToEnd: true}}},
	{provider: "megaup", hosts: []string{"megaup.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, token: &patterns[113], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "megaupload", hosts: hosts68, paths: []string{"/"}, param: "d", cases: []form{{token: &patterns[114], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "meo", hosts: []string{"cld.pt"}, paths: []string{"/dl/download/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, token: &patterns[9], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "mirrorace", hosts: []string{"mirrorace.org"}, paths: []string{"/m/{id}"}, cases: []form{{token: &patterns[48], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "mirrored", hosts: hosts69, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &patterns[114], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "modsfire", hosts: []string{"modsfire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[115], min: 15, kind: File, needs: NeedsProgram}}},
	{provider: "myairbridge", hosts: []string{"mab.to"}, paths: paths86, cases: []form{{token: &patterns[116], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "narod", hosts: []string{"narod.ru"}, paths: paths87, cases: []form{{token: &patterns[117], kind: File, needs: NeedsProgram}}},
	{provider: "naver", hosts: []string{"bigfile.mail.naver.com"}, paths: paths74, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "naver", hosts: []string{"mybox.naver.com"}, paths: []string{"/share/list"}, param: "shareKey", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "netease", hosts: hosts70, paths: paths88, param: "file", cases: []form{{unless: []verbs.Any{{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patterns[76]}, {Op: verbs.Not, Pattern: &patterns[118]}}}}, min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "netease", hosts: []string{"dashi.163.com"}, paths: []string{"/html/cloud-attachment-download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "nextcloud", hosts: hosts71, paths: paths89, cases: []form{{min: 8, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nitroflare", hosts: hosts72, paths: paths90, cases: []form{{token: &patterns[121], kind: File, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/{id}"}, cases: []form{{token: &patterns[122], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[123]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[124]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[125]}}}}}, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts73, paths: []string{"/{id}"}, cases: []form{{token: &patterns[126], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts74, paths: paths91, cases: []form{{token: &patterns[127], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/c/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[123]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[124]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[125]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts75, paths: paths92, param: "resid", cases: []form{{token: &patterns[128], kind: File, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts75, paths: paths93, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[129]}}}}, ownID: true, min: 16, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[123]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[124]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[125]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[130]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[131]}, {Op: verbs.Not, Pattern: &patterns[132]}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[133]}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[134]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[129]}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[137]}}}}, min: 16, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[131]}, {Op: verbs.Not, Pattern: &patterns[132]}, {Op: verbs.Base64}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[129]}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[137]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[140]}}}}, min: 16, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[131]}, {Op: verbs.Not, Pattern: &patterns[132]}, {Op: verbs.Base64}}}}}}}},
	{provider: "onedrive", hosts: hosts75, paths: paths93, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[143], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[140]}}}}, token: &patterns[143], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts75, paths: []string{"/"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[143], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[140]}}}}, token: &patterns[143], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts75, paths: []string{"/{type}/g/personal/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[145]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[146]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts75, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[147]}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[145]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[146]}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts75, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &patterns[148]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[145]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[146]}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[108]}}}}}}}},
	{provider: "onedrive", hosts: hosts75, paths: paths94, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[129]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[123]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[124]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[125]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[130]}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[131]}, {Op: verbs.Not, Pattern: &patterns[132]}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[133]}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[134]}}}}}}}},
	{provider: "onedrive", hosts: hosts75, paths: paths95, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[128], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, token: &patterns[128], kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts75, paths: paths95, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[149], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, token: &patterns[150], kind: File, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "UniqueId", cases: []form{{token: &patterns[151], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts76, paths: paths96, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[152]}}}, {{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "onedrive", hosts: []string{"1drv.ws"}, paths: []string{"/{type}/{id}"}, cases: []form{{token: &patterns[122], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[123]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[124]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[125]}}}}}, needs: NeedsProgram}}},
	{provider: "opendrive", hosts: hosts77, paths: paths97, cases: []form{{token: &patterns[153], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "osf", hosts: []string{"osf.io"}, paths: paths98, param: "view_only", cases: []form{{token: &patterns[154], kind: Folder}}},
	{provider: "pcloud", hosts: hosts78, paths: []string{"/"}, cases: []form{{ownID: true, min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[155]}}}}}}}},
	{provider: "pcloud", hosts: hosts79, paths: []string{"/publink/show"}, param: "code", cases: []form{{min: 6, kind: Page, ask: verbs.Any{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[156]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://eapi.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: "https://api.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "hosts.0"}, {Op: verbs.Match, Pattern: &patterns[76]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[157]}}}}}}}},
	{provider: "pcloud", hosts: hosts80, paths: []string{"/{id}/*"}, cases: []form{{token: &patterns[158], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[76]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "pcloud", hosts: []string{"transfer.pcloud.com"}, paths: []string{"/download.html"}, param: "code", cases: []form{{token: &patterns[160], kind: Page, needs: NeedsProgram}}},
	{provider: "pcloud", hosts: hosts81, paths: []string{"/{id}"}, cases: []form{{token: &patterns[30], min: 4, kind: Page, needs: NeedsProgram}}},
	{provider: "pikpak", hosts: hosts82, paths: paths7, cases: []form{{token: &patterns[161], min: 25, kind: Page, needs: NeedsProgram}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths99, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://pixeldrain.com/api/file/"}, {Piece: verbs.ID}, {Text: "?download"}}}}}}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths100, cases: []form{{min: 8, kind: Folder}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths101, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", hosts: hosts83, paths: paths102, cases: []form{{token: &patterns[162], kind: Page, needs: NeedsProgram}}},
	{provider: "proton", hosts: []string{"drive.proton.me"}, paths: []string{"/urls/{id}"}, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "puush", hosts: []string{"puu.sh"}, paths: paths103, cases: []form{{token: &patterns[163], min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "qq", hosts: hosts84, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"mail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "quark", hosts: []string{"pan.quark.cn"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "rapidgator", hosts: hosts85, paths: paths77, cases: []form{{token: &patterns[164], kind: File, needs: NeedsProgram}}},
	{provider: "rapidshare", hosts: hosts86, paths: paths104, cases: []form{{token: &patterns[36], kind: File, needs: NeedsProgram}}},
	{provider: "rghost", hosts: hosts87, paths: paths105, cases: []form{{token: &patterns[165], kind: File, needs: NeedsProgram}}},
	{provider: "salesforce", hosts: hosts88, paths: []string{"/sfc/dist/version/download"}, param: "ids", cases: []form{{token: &patterns[166], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "salesforce", hosts: hosts88, paths: []string{"/sfc/p/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[167]}}, {{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[167]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", hosts: hosts89, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[54], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", hosts: hosts89, paths: []string{"/d/{}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patterns[143], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "seafile", hosts: hosts89, paths: []string{"/seafhttp/files/{id}/{name}"}, cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", hosts: hosts89, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[54], kind: Folder}}},
	{provider: "send", hosts: hosts90, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[168], kind: Page, endToEnd: true}}},
	{provider: "send-anywhere", hosts: hosts91, paths: paths106, cases: []form{{token: &patterns[114], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sendbig", hosts: []string{"www.sendbig.com"}, paths: []string{"/view-files"}, param: "Id", cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "sendgb", hosts: hosts92, paths: []string{"/{id}"}, cases: []form{{token: &patterns[169], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "sendsafely", hosts: []string{".sendsafely.com"}, paths: []string{"/receive"}, param: "packageCode", cases: []form{{token: &patterns[170], kind: Page, endToEnd: true}}},
	{provider: "sendspace", hosts: []string{"www.sendspace.com"}, paths: paths107, cases: []form{{token: &patterns[49], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts93, paths: paths108, cases: []form{{token: &patterns[171], kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts93, paths: paths109, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts93, paths: []string{"/download.ashx"}, param: "dt", cases: []form{{token: &patterns[172], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: []string{"/{type}/r/*"}, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[173]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[174]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[149], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[173]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[174]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, token: &patterns[150], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[180]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: []string{"/{type}/r/*"}, param: "dtMigrationdoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[173]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[174]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}, {Op: verbs.Not, Pattern: &patterns[138]}}}}, token: &patterns[150], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[180]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[147]}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[145]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[146]}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &patterns[148]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[145]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[146]}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[108]}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths110, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths110, param: "UniqueId", cases: []form{{token: &patterns[151], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths110, param: "SourceUrl", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[143], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths111, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths111, param: "guestaccesstoken", cases: []form{{min: 12, partial: true, kind: File, needs: NeedsAccount, cookies: true}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths112, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[149], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, token: &patterns[150], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[180]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: []string{"/*"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[152]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[181]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}}, token: &patterns[143], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts94, paths: paths113, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[152]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[182]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[183]}}, {{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[184]}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[136]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[45]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[175]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[177]}, {Op: verbs.Match, Pattern: &patterns[178]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[179]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sina", hosts: hosts95, paths: []string{"/filecenter/download.php"}, param: "id", cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "slack", hosts: []string{".slack.com"}, paths: paths114, cases: []form{{token: &patterns[185], kind: File, needs: NeedsAccount}}},
	{provider: "slack", hosts: []string{"slack-files.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[186], kind: File, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[187], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"files.fromsmash.com"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[188], kind: Page, needs: NeedsProgram}}},
	{provider: "stack", hosts: []string{".stackstorage.com"}, paths: paths7, cases: []form{{token: &patterns[189], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "storj", hosts: hosts96, paths: []string{"/s/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[76]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[190]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/raw/"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}, {{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[191]}}}}}}}},
	{provider: "storj", hosts: hosts96, paths: []string{"/raw/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[76]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[159]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sugarsync", hosts: []string{"www.sugarsync.com"}, paths: []string{"/pf/{id}"}, cases: []form{{token: &patterns[192], kind: Page, needs: NeedsProgram}}},
	{provider: "swisstransfer", hosts: hosts97, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[9], kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://www.swisstransfer.com/api/links/"}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.1"}, {Op: verbs.Not, Pattern: &patterns[193]}, {Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.0.UUID"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/api/download/"}, {Piece: verbs.ID}, {Text: "/"}, {Piece: verbs.Value}}}}}, once: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.downloadHost"}}}}}}}},
	{provider: "sync.com", hosts: []string{".sync.com"}, paths: paths115, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[194]}}}}, token: &patterns[195], min: 6, kind: Page, endToEnd: true}}},
	{provider: "syncplicity", hosts: []string{".syncplicity.com"}, paths: paths116, cases: []form{{token: &patterns[196], min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{"gofile.me"}, paths: []string{"/{owner}/{id}"}, cases: []form{{token: &patterns[197], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{".quickconnect.to"}, paths: paths117, cases: []form{{token: &patterns[198], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "temp.sh", hosts: []string{"temp.sh"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[48], min: 5, kind: File, needs: NeedsProgram}}},
	{provider: "tencent-docs", hosts: []string{"docs.qq.com"}, paths: paths118, cases: []form{{token: &patterns[199], min: 16, kind: Native, needs: NeedsAccount}}},
	{provider: "terabox", hosts: hosts98, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "terabox", hosts: hosts98, paths: paths119, param: "surl", cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "thunderbird-send", hosts: []string{"send.tb.pro"}, paths: paths120, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "tianyi", hosts: []string{"download.cloud.189.cn"}, paths: []string{"/file/downloadFile.action"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, more: &facts{expireMS: verbs.Any{{{Op: verbs.Param, Text: "expired"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/t/{id}"}, cases: []form{{token: &patterns[33], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/web/share"}, param: "code", cases: []form{{token: &patterns[33], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tinyupload", hosts: hosts99, paths: paths121, param: "file_id", cases: []form{{token: &patterns[12], kind: File, needs: NeedsProgram}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/dl/{id}/{name}"}, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "transfer.sh", hosts: []string{"transfer.sh"}, paths: paths122, cases: []form{{token: &patterns[200], min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "transferbigfiles", hosts: []string{"www.transferbigfiles.com"}, paths: paths9, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts100, paths: paths123, cases: []form{{token: &patterns[201], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts100, paths: paths124, param: "utm_source", cases: []form{{token: &patterns[202], kind: Page, needs: NeedsProgram}}},
	{provider: "transferxl", hosts: hosts101, paths: paths125, cases: []form{{token: &patterns[203], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "tresorit", hosts: []string{"web.tresorit.com"}, paths: []string{"/l/{id}"}, cases: []form{{min: 5, kind: Page, endToEnd: true}}},
	{provider: "tresorit", hosts: hosts102, paths: paths126, cases: []form{{ownID: true, min: 16, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[85]}}}}}}}},
	{provider: "turbobit", hosts: []string{"turbobit.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[204], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "ubuntuone", hosts: []string{"ubuntuone.com"}, paths: paths127, cases: []form{{token: &patterns[30], min: 3, kind: File, needs: NeedsProgram}}},
	{provider: "uc", hosts: []string{"drive.uc.cn"}, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[31], kind: Page, needs: NeedsProgram}}},
	{provider: "ufile", hosts: hosts103, paths: paths13, cases: []form{{token: &patterns[205], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "uloz.to", hosts: hosts104, paths: paths77, cases: []form{{token: &patterns[206], min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "upload.ee", hosts: hosts105, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts106, paths: paths77, cases: []form{{token: &patterns[207], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts106, paths: []string{"/"}, param: "id", cases: []form{{token: &patterns[208], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploadhaven", hosts: []string{"uploadhaven.com"}, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[154], kind: File, needs: NeedsProgram}}},
	{provider: "uschovna", hosts: hosts107, paths: []string{"/zasilka/{id}"}, cases: []form{{token: &patterns[209], kind: Page, needs: NeedsProgram}}},
	{provider: "uupload", hosts: []string{"uupload.ir"}, paths: []string{"/filelink/{id}/{name}"}, cases: []form{{token: &patterns[33], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "vk", hosts: hosts108, paths: []string{"/{id}"}, mark: "vk.com/doc", cases: []form{{token: &patterns[210], kind: File, needs: NeedsProgram}}},
	{provider: "weibo", hosts: []string{"vdisk.weibo.com"}, paths: paths128, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "weixin", hosts: []string{"drive.weixin.qq.com"}, paths: []string{"/s"}, param: "k", cases: []form{{token: &patterns[211], min: 18, kind: Page, needs: NeedsProgram}}},
	{provider: "weiyun", hosts: []string{"share.weiyun.com"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "wenshushu", hosts: hosts109, paths: paths129, cases: []form{{token: &patterns[212], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"we.tl"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[213], random: true, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hosts110, paths: paths130, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hosts110, paths: paths131, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"download.wetransfer.com"}, paths: []string{"/{}/{id}/*"}, cases: []form{{token: &patterns[50], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "wetransfer", hosts: []string{"collect.wetransfer.com"}, paths: []string{"/board/{id}"}, cases: []form{{min: 12, kind: Folder}}},
	{provider: "wetransfer", hosts: []string{"go.wetransfer.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[214], random: true, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wikisend", hosts: hosts111, paths: []string{"/download/{id}/{name}"}, cases: []form{{token: &patterns[215], kind: File, needs: NeedsProgram}}},
	{provider: "workupload", hosts: []string{"workupload.com"}, paths: paths132, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "wormhole", hosts: []string{"wormhole.app"}, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[97]}}}}, token: &patterns[216], random: true, kind: Page, endToEnd: true}}},
	{provider: "xfilesharing", hosts: hosts112, paths: paths9, cases: []form{{token: &patterns[217], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "xunlei", hosts: []string{"pan.xunlei.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 20, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts113, paths: []string{"/i/{id}"}, cases: []form{{min: 8, kind: File, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud-api.yandex.net/v1/disk/public/resources/download?public_key="}, {Piece: verbs.Link, Form: verbs.Escaped}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "href"}}}}}},
	{provider: "yandex", hosts: hosts113, paths: paths133, param: "hash", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts113, paths: paths134, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts113, paths: []string{"/mail"}, param: "hash", cases: []form{{min: 8, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zendesk", hosts: []string{".zendesk.com"}, paths: []string{"/attachments/token/{id}"}, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zeta-uploader", hosts: []string{"www.zeta-uploader.com"}, paths: paths103, cases: []form{{token: &patterns[53], kind: Page, needs: NeedsProgram}}},
	{provider: "zippyshare", hosts: []string{".zippyshare.com"}, paths: paths135, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/external/{id}"}, cases: []form{{token: &patterns[218], kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/external/"}, {Piece: verbs.ID}, {Text: "/download?directDownload=true"}}}}}}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/external/{id}/download"}, cases: []form{{token: &patterns[218], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "directDownload", Parts: []verbs.Part{{Text: "true"}}}}}}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/external/{type}/{id}"}, cases: []form{{token: &patterns[218], kind: Page, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/folder/{id}"}, cases: []form{{min: 20, kind: Folder}}},
	{provider: "zoho", hosts: hosts115, paths: []string{"/file/{id}"}, cases: []form{{token: &patterns[219], kind: File, needs: NeedsProgram}}},
	{provider: "zshare", hosts: hosts116, paths: paths136, cases: []form{{token: &patterns[220], kind: File, needs: NeedsProgram}}},
	{provider: "alibaba", paths: []string{"/alimail/openLinks/downloadMimeMetaDiskBigAttach"}, param: "id", mark: "openlinks", cases: []form{{token: &patterns[221], kind: File, needs: NeedsProgram}}},
	{provider: "carbonio", paths: []string{"/services/files/public/link/download/{id}"}, mark: "/files/public/link/download/", cases: []form{{token: &patterns[222], random: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filesender", paths: paths137, param: "token", mark: "filesender", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[223]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[225]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[225]}}}}, token: &patterns[9], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[47]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[47]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
}

// guesses has shapes of links that only one program has, at any host.
var guesses = []rule{
	{provider: "nextcloud", paths: paths138, mark: "/index.php/s/", cases: []form{{token: &patterns[226], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nextcloud", paths: paths138, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[227]}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[228]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[229]}}, {{Piece: verbs.ID}, {Op: verbs.Not, Pattern: &patterns[230]}}}}, token: &patterns[115], min: 15, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "owncloud", paths: paths139, param: "t", mark: "public.php?service=files", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &patterns[231]}}}}, token: &patterns[70], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "filesender", paths: paths137, param: "token", mark: "?s=download", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[223]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}}}}, token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", paths: []string{"/seafhttp/files/{id}/{name}"}, mark: "/seafhttp/files/", cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", paths: []string{"/d/{owner}/files"}, param: "p", mark: "/files/?p=", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patterns[232]}}}, {{{Piece: verbs.Name}}}}, token: &patterns[143], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[54], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[54], kind: Folder}}},
	{provider: "dracoon", paths: []string{"/public/download-shares/{id}"}, mark: "/public/download-shares/", cases: []form{{token: &patterns[233], kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", paths: paths140, mark: "/getlink/fi", cases: []form{{token: &patterns[162], kind: Page, needs: NeedsProgram}}},
	{provider: "open-xchange", paths: paths141, mark: "/ajax/share/", cases: []form{{token: &patterns[234], kind: Page, needs: NeedsProgram}}},
	{provider: "qnap", paths: paths142, param: "ssid", mark: "share.cgi", cases: []form{{token: &patterns[235], kind: Page, needs: NeedsProgram}}},
	{provider: "synology", paths: []string{"/sharing/{id}"}, mark: "/sharing/", cases: []form{{token: &patterns[197], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "zendto", paths: paths143, param: "claimID", mark: "claimid=", cases: []form{{token: &patterns[236], min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "hcp-anywhere", paths: []string{"/u/{id}/{name}"}, mark: "//hcpanywhere", cases: []form{{token: &patterns[237], min: 16, kind: File, needs: NeedsProgram}}},
	{provider: "anyshare", paths: []string{"/link/{id}"}, mark: "/link/aa", cases: []form{{token: &patterns[238], kind: Page, needs: NeedsProgram}}},
	{provider: "send", paths: []string{"/download/{id}"}, mark: "/download/", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[97]}}}}, token: &patterns[239], kind: File, endToEnd: true}}},
}

// software has the shapes of links at hosts that a caller names.
var software = []program{
	{[]string{"nextcloud", "owncloud"}, []rule{
		{provider: "nextcloud", paths: paths144, cases: []form{{kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[76]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[76]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
		{provider: "nextcloud", paths: paths145, cases: []form{{kind: Page, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "nextcloud", paths: paths146, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
		{provider: "nextcloud", paths: paths147, param: "t", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &patterns[231]}}}}, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[119]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	}},
	{[]string{"seafile"}, []rule{
		{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
		{provider: "seafile", paths: paths148, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "seafile", paths: []string{"/d/{id}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patterns[143], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
		{provider: "seafile", paths: paths149, cases: []form{{kind: Folder}}},
		{provider: "seafile", paths: paths150, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsAccount}}},
	}},
	{[]string{"zimbra"}, []rule{
		{provider: "zimbra", paths: paths151, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[152]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[45]}}}}}}}},
	}},
	{[]string{"kiteworks"}, []rule{
		{provider: "kiteworks", paths: paths152, cases: []form{{kind: Page, needs: NeedsProgram}}},
		{provider: "kiteworks", paths: paths153, cases: []form{{kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filesender"}, []rule{
		{provider: "filesender", paths: paths154, param: "token", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[223]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}}}}, token: &patterns[9], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[47]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[47]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[224]}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
	}},
	{[]string{"liquidfiles"}, []rule{
		{provider: "liquidfiles", paths: paths155, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"hidrive"}, []rule{
		{provider: "hidrive", paths: paths67, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"pydio"}, []rule{
		{provider: "pydio", paths: []string{"/public/{id}"}, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filerun"}, []rule{
		{provider: "filerun", paths: paths156, param: "id", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"projectsend"}, []rule{
		{provider: "projectsend", paths: []string{"/download.php"}, param: "token", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}}}},
		{provider: "projectsend", paths: paths157, cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/s/"}, {Piece: verbs.ID}, {Text: "/download"}}}}}, once: true}}},
	}},
	{[]string{"plik"}, []rule{
		{provider: "plik", paths: []string{"/file/{owner}/{id}/{name}"}, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "plik", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[240]}}}}}}}},
	}},
	{[]string{"gokapi"}, []rule{
		{provider: "gokapi", paths: []string{"/d"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[241]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/d/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[241]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/dh/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "gokapi", paths: []string{"/downloadFile"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"picoshare"}, []rule{
		{provider: "picoshare", paths: paths91, cases: []form{{token: &patterns[242], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"send"}, []rule{
		{provider: "send", paths: []string{"/download/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[97]}}}}, token: &patterns[243], kind: File, endToEnd: true}}},
	}},
	{[]string{"bitwarden-send"}, []rule{
		{provider: "bitwarden-send", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[244]}}}}}}}},
	}},
}

// Hosts and paths that rows have.
var (
	hosts0 = []string{"0x0.st", "x0.at", "ttm.sh", "envs.sh"}
	paths0 = []string{"/{id}", "/s/{}/{id}"}
	hosts1 = []string{"115.com", "115cdn.com", "anxia.com"}
	hosts2 = []string{"www.123pan.com", "123pan.com", "www.123pan.cn", "www.123684.com", "www.123865.com", "www.123912.com",
		"www.123952.com"}
	hosts3 = []string{"1fichier.com", "www.1fichier.com"}
	hosts4 = []string{"www.2shared.com", "2shared.com"}
	paths1 = []string{"/file/{id}/{}", "/photo/{id}/{}", "/document/{id}/{}", "/audio/{id}/{}", "/video/{id}/{}"}
	paths2 = []string{"/s/{id}", "/get/{id}/{}", "/file/{id}/{}", "/mobile/{id}/{}", "/document/{id}/{}", "/office/{id}/{}",
		"/rar/{id}/{}", "/zip/{id}/{}", "/archive/{id}/{}", "/video/{id}/{}", "/mp3/{id}/{}", "/photo/{id}/{}",
		"/web/directDownload/{id}/{}", "/file/{id}/{}/{}"}
	paths3 = []string{"/folder/{id}/{}", "/dir/{id}/{}"}
	hosts5 = []string{"documentcloud.adobe.com", "acrobat.adobe.com"}
	paths4 = []string{"/link/track", "/link/review", "/link/spaces"}
	hosts6 = []string{"assets.adobe.com", "shared-assets.adobe.com", "files.acrobat.com", "cloud.acrobat.com"}
	paths5 = []string{"/public/{id}", "/link/{id}", "/a/preview/{id}", "/file/{id}"}
	paths6 = []string{"/public/{id}", "/public/{id}/{name}"}
	hosts7 = []string{"www.aliyundrive.com", "aliyundrive.com", "www.alipan.com", "alipan.com"}
	paths7 = []string{"/s/{id}", "/s/{id}/*"}
	hosts8 = []string{"www.amazon.com", "www.amazon.de", "www.amazon.co.uk", "www.amazon.ca", "www.amazon.fr", "www.amazon.es",
		"www.amazon.it", "www.amazon.co.jp", "www.amazon.com.au", "www.amazon.com.br", "www.amazon.in"}
	paths8  = []string{"/clouddrive/share/{id}", "/clouddrive/share/{id}/*", "/photos/share/{id}", "/photos/share/{id}/*"}
	hosts9  = []string{"www.androidfilehost.com", "androidfilehost.com"}
	hosts10 = []string{"anonfiles.com", "anonfile.com", "bayfiles.com", "hotfile.io", "letsupload.cc"}
	paths9  = []string{"/{id}", "/{id}/{}"}
	hosts11 = []string{"pan.baidu.com", "yun.baidu.com"}
	hosts12 = []string{"send.bitwarden.com", "vault.bitwarden.com", "vault.bitwarden.eu"}
	hosts13 = []string{".box.com", "box.com"}
	paths10 = []string{"/s/{id}", "/shared/{id}"}
	hosts14 = []string{"box.net", ".box.net"}
	paths11 = []string{"/shared/{id}", "/shared/static/{id}"}
	paths12 = []string{"/s/{}/folder/{id}", "/folder/{id}"}
	hosts15 = []string{"buzzheavier.com", "bzzhr.co"}
	paths13 = []string{"/{id}", "/f/{id}"}
	hosts16 = []string{"files.catbox.moe", "litter.catbox.moe"}
	hosts17 = []string{"catbox.moe", "www.catbox.moe"}
	hosts18 = []string{"cl.ly", "share.getcloudapp.com"}
	paths14 = []string{"/{id}", "/{id}/{name}", "/{id}/download/{name}", "/image/{id}", "/image/{id}/{name}"}
	hosts19 = []string{"copy.com", "www.copy.com"}
	paths15 = []string{"/s/{id}", "/s/{id}/*", "/{id}", "/{id}/*"}
	hosts20 = []string{"cowtransfer.com", ".cowtransfer.com"}
	hosts21 = []string{".mycozy.cloud", ".twake.app"}
	paths16 = []string{"/file", "/drive", "/pad", "/doc", "/sheet", "/slide", "/presentation", "/code", "/kanban", "/whiteboard",
		"/diagram"}
	hosts22 = []string{"data.hu", ".data.hu"}
	paths17 = []string{"/get/{id}/{name}", "/get/{}/{id}/{name}"}
	hosts23 = []string{"depositfiles.com", "www.depositfiles.com", "dfiles.eu"}
	paths18 = []string{"/files/{id}", "/{}/files/{id}"}
	hosts24 = []string{"cdn.discordapp.com", "media.discordapp.net"}
	hosts25 = []string{"www.divshare.com", "divshare.com"}
	hosts26 = []string{"www.docdroid.net", "docdroid.net"}
	paths19 = []string{"/{id}", "/{id}/{}", "/file/download/{id}/{name}"}
	hosts27 = []string{"docsend.com", ".docsend.com"}
	paths20 = []string{"/view/{id}", "/view/{id}/d/{}"}
	hosts28 = []string{"www.dropbox.com", "dropbox.com"}
	paths21 = []string{"/scl/fi/{id}/{name}", "/e/scl/fi/{id}/{name}", "/s/{id}/{name}", "/s/{id}"}
	paths22 = []string{"/scl/fo/{owner}/*", "/sh/{owner}/*"}
	paths23 = []string{"/scl/fo/{id}", "/scl/fo/{id}/{}", "/sh/{id}/{}", "/sh/{id}", "/sc/{id}/{}", "/sc/{id}"}
	paths24 = []string{"/gallery/{id}/{}", "/gallery/{id}/{}/{}"}
	paths25 = []string{"/scl/fo/{id}/{}/*", "/sh/{id}/{}/*"}
	paths26 = []string{"/l/s/{id}", "/l/{id}/transfer", "/t/{id}", "/transfer/{id}"}
	hosts29 = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com"}
	paths27 = []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}", "/sh/{id}/{}/{name}", "/content_link/{id}/file"}
	hosts30 = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com", "www.dropbox.com", "dropbox.com"}
	paths28 = []string{"/f/{id}", "/i/{id}", "/v/{id}", "/free/f/{id}", "/free/i/{id}"}
	hosts31 = []string{"easyupload.io", "www.easyupload.io"}
	paths29 = []string{"/{id}", "/m/{id}"}
	paths30 = []string{"/dl/{id}", "/dl/{id}/{name}"}
	paths31 = []string{"/dd/{id}", "/dd/{id}/*"}
	paths32 = []string{"/fl/{id}", "/fl/{id}/*"}
	hosts32 = []string{".feishu.cn", ".larksuite.com"}
	paths33 = []string{"/docx/{id}", "/docs/{id}", "/wiki/{id}", "/sheets/{id}", "/base/{id}", "/slides/{id}"}
	paths34 = []string{"/s/{id}", "/{}/s/{id}"}
	paths35 = []string{"/{id}", "/get/{id}/{}"}
	hosts33 = []string{"figshare.com", ".figshare.com"}
	hosts34 = []string{"ndownloader.figshare.com", "figshare.com"}
	paths36 = []string{"/files/{}", "/ndownloader/files/{}"}
	hosts35 = []string{".file-upload.net", "file-upload.net"}
	paths37 = []string{"/{id}/{}", "/{}/{id}/{}"}
	hosts36 = []string{"file.io", "www.file.io"}
	hosts37 = []string{"www.filefactory.com", "filefactory.com"}
	paths38 = []string{"/file/{id}", "/file/{id}/*"}
	hosts38 = []string{".filemail.com", "filemail.com"}
	paths39 = []string{"/d/{id}", "/t/{id}"}
	hosts39 = []string{"app.filen.io", "drive.filen.io"}
	hosts40 = []string{"filen.io", "app.filen.io", "drive.filen.io"}
	paths40 = []string{"/d/{id}", "/f/{id}"}
	paths41 = []string{"/u/{id}", "/f/{id}"}
	paths42 = []string{"/data-package/{id}", "/data-package/{id}/download"}
	hosts41 = []string{"jbox.sjtu.edu.cn", "pan.bnu.edu.cn"}
	hosts42 = []string{"next.frame.io", "app.frame.io"}
	paths43 = []string{"/share/{id}", "/share/{id}/*", "/reviews/{id}", "/reviews/{id}/*"}
	hosts43 = []string{"fex.rus.uni-stuttgart.de", "fex.belwue.de"}
	paths44 = []string{"/{id}", "/{id}/v/{}", "/api/1/files/{id}/{}/blob"}
	hosts44 = []string{"gigamove.rwth-aachen.de", "gigamove.rz.rwth-aachen.de"}
	paths45 = []string{"/de/download/{id}", "/en/download/{id}", "/d/id/{id}"}
	paths46 = []string{"/user-attachments/files/{id}/{name}", "/{owner}/{}/files/{id}/{name}"}
	paths47 = []string{"/-/project/{owner}/uploads/{id}/{name}", "/{owner}/{}/uploads/{id}/{name}",
		"/{owner}/{}/{}/uploads/{id}/{name}"}
	hosts45 = []string{"c.gmx.net", "c.web.de"}
	paths48 = []string{"/{}/{id}", "/{}/{id}/*"}
	paths49 = []string{"/download/{id}/{name}", "/download/web/{id}/{name}", "/download/direct/{id}/{name}"}
	paths50 = []string{"/document/d/{id}/export", "/document/u/{}/d/{id}/export", "/spreadsheets/d/{id}/export",
		"/spreadsheets/u/{}/d/{id}/export", "/spreadsheets/d/{id}/gviz/tq", "/spreadsheets/u/{}/d/{id}/gviz/tq",
		"/presentation/d/{id}/export", "/presentation/u/{}/d/{id}/export", "/presentation/d/{id}/export/{}",
		"/presentation/u/{}/d/{id}/export/{}", "/drawings/d/{id}/export/{}", "/drawings/u/{}/d/{id}/export/{}",
		"/a/{}/document/d/{id}/export", "/a/{}/document/u/{}/d/{id}/export", "/a/{}/spreadsheets/d/{id}/export",
		"/a/{}/spreadsheets/u/{}/d/{id}/export", "/a/{}/spreadsheets/d/{id}/gviz/tq", "/a/{}/spreadsheets/u/{}/d/{id}/gviz/tq",
		"/a/{}/presentation/d/{id}/export", "/a/{}/presentation/u/{}/d/{id}/export", "/a/{}/presentation/d/{id}/export/{}",
		"/a/{}/presentation/u/{}/d/{id}/export/{}", "/a/{}/drawings/d/{id}/export/{}", "/a/{}/drawings/u/{}/d/{id}/export/{}",
		"/corp/document/d/{id}/export", "/corp/document/u/{}/d/{id}/export", "/corp/spreadsheets/d/{id}/export",
		"/corp/spreadsheets/u/{}/d/{id}/export", "/corp/spreadsheets/d/{id}/gviz/tq", "/corp/spreadsheets/u/{}/d/{id}/gviz/tq",
		"/corp/presentation/d/{id}/export", "/corp/presentation/u/{}/d/{id}/export", "/corp/presentation/d/{id}/export/{}",
		"/corp/presentation/u/{}/d/{id}/export/{}", "/corp/drawings/d/{id}/export/{}", "/corp/drawings/u/{}/d/{id}/export/{}"}
	paths51 = []string{"/document/d/{id}", "/document/u/{}/d/{id}", "/document/d/{id}/*", "/document/u/{}/d/{id}/*",
		"/a/{}/document/d/{id}", "/a/{}/document/u/{}/d/{id}", "/a/{}/document/d/{id}/*", "/a/{}/document/u/{}/d/{id}/*",
		"/corp/document/d/{id}", "/corp/document/u/{}/d/{id}", "/corp/document/d/{id}/*", "/corp/document/u/{}/d/{id}/*"}
	paths52 = []string{"/spreadsheets/d/{id}", "/spreadsheets/u/{}/d/{id}", "/spreadsheets/d/{id}/*", "/spreadsheets/u/{}/d/{id}/*",
		"/a/{}/spreadsheets/d/{id}", "/a/{}/spreadsheets/u/{}/d/{id}", "/a/{}/spreadsheets/d/{id}/*",
		"/a/{}/spreadsheets/u/{}/d/{id}/*", "/corp/spreadsheets/d/{id}", "/corp/spreadsheets/u/{}/d/{id}",
		"/corp/spreadsheets/d/{id}/*", "/corp/spreadsheets/u/{}/d/{id}/*"}
	paths53 = []string{"/presentation/d/{id}", "/presentation/u/{}/d/{id}", "/presentation/d/{id}/*", "/presentation/u/{}/d/{id}/*",
		"/a/{}/presentation/d/{id}", "/a/{}/presentation/u/{}/d/{id}", "/a/{}/presentation/d/{id}/*",
		"/a/{}/presentation/u/{}/d/{id}/*", "/corp/presentation/d/{id}", "/corp/presentation/u/{}/d/{id}",
		"/corp/presentation/d/{id}/*", "/corp/presentation/u/{}/d/{id}/*"}
	paths54 = []string{"/View", "/Doc", "/document/pub", "/presentation/pub", "/spreadsheets/pub", "/a/{}/View", "/a/{}/Doc",
		"/a/{}/document/pub", "/a/{}/presentation/pub", "/a/{}/spreadsheets/pub", "/corp/View", "/corp/Doc",
		"/corp/document/pub", "/corp/presentation/pub", "/corp/spreadsheets/pub"}
	paths55 = []string{"/View", "/Doc", "/a/{}/View", "/a/{}/Doc", "/corp/View", "/corp/Doc"}
	hosts46 = []string{"docs.google.com", "spreadsheets.google.com"}
	paths56 = []string{"/spreadsheet/ccc", "/spreadsheet/pub", "/ccc", "/pub", "/a/{}/spreadsheet/ccc", "/a/{}/spreadsheet/pub",
		"/a/{}/ccc", "/a/{}/pub", "/corp/spreadsheet/ccc", "/corp/spreadsheet/pub", "/corp/ccc", "/corp/pub"}
	hosts47 = []string{"drive.google.com", "docs.google.com"}
	paths57 = []string{"/file/d/{id}", "/file/d/{id}/*", "/file/u/{}/d/{id}/*", "/a/{}/file/d/{id}", "/a/{}/file/d/{id}/*",
		"/a/{}/file/u/{}/d/{id}/*", "/corp/file/d/{id}", "/corp/file/d/{id}/*", "/corp/file/u/{}/d/{id}/*"}
	paths58 = []string{"/uc", "/u/{}/uc", "/a/{}/uc", "/a/{}/u/{}/uc", "/corp/uc", "/corp/u/{}/uc"}
	paths59 = []string{"/open", "/u/{}/open", "/a/{}/open", "/a/{}/u/{}/open", "/corp/open", "/corp/u/{}/open"}
	paths60 = []string{"/drive/folders/{owner}", "/drive/u/{}/folders/{owner}", "/a/{}/drive/folders/{owner}",
		"/a/{}/drive/u/{}/folders/{owner}", "/corp/drive/folders/{owner}", "/corp/drive/u/{}/folders/{owner}"}
	paths61 = []string{"/drive/folders/{id}", "/drive/u/{}/folders/{id}", "/drive/mobile/folders/{id}",
		"/drive/mobile/folders/{id}/{}", "/drive/u/{}/mobile/folders/{id}", "/drive/u/{}/mobile/folders/{id}/{}",
		"/a/{}/drive/folders/{id}", "/a/{}/drive/u/{}/folders/{id}", "/a/{}/drive/mobile/folders/{id}",
		"/a/{}/drive/mobile/folders/{id}/{}", "/a/{}/drive/u/{}/mobile/folders/{id}",
		"/a/{}/drive/u/{}/mobile/folders/{id}/{}", "/corp/drive/folders/{id}", "/corp/drive/u/{}/folders/{id}",
		"/corp/drive/mobile/folders/{id}", "/corp/drive/mobile/folders/{id}/{}", "/corp/drive/u/{}/mobile/folders/{id}",
		"/corp/drive/u/{}/mobile/folders/{id}/{}"}
	paths62 = []string{"/folderview", "/embeddedfolderview", "/a/{}/folderview", "/a/{}/embeddedfolderview", "/corp/folderview",
		"/corp/embeddedfolderview"}
	paths63 = []string{"/download", "/uc", "/u/{}/download", "/u/{}/uc"}
	paths64 = []string{"/leaf", "/fileview", "/a/{}/leaf", "/a/{}/fileview", "/corp/leaf", "/corp/fileview"}
	hosts48 = []string{"googledrive.com", "www.googledrive.com"}
	paths65 = []string{"/host/{id}", "/host/{id}/*"}
	hosts49 = []string{"photos.google.com", "photos.app.goo.gl"}
	paths66 = []string{"/share/{id}", "/share/{id}/photo/{}", "/{id}"}
	hosts50 = []string{"my.hidrive.com", "hidrive.ionos.com"}
	paths67 = []string{"/lnk/{id}", "/share/{id}"}
	paths68 = []string{"/receive/{id}", "/receive/{id}/*", "/space/{id}", "/space/{id}/*"}
	hosts51 = []string{"www.yousendit.com", "yousendit.com", "www.hightail.com"}
	paths69 = []string{"/0/{id}", "/1/{id}", "/s/{id}"}
	hosts52 = []string{"www.icloud.com", "icloud.com", "www.icloud.com.cn", "icloud.com.cn"}
	paths70 = []string{"/sharedalbum", "/sharedalbum/{}"}
	paths71 = []string{"/pages/{id}", "/numbers/{id}", "/keynote/{id}"}
	hosts53 = []string{".icloud-content.com", ".icloud-content.com.cn"}
	hosts54 = []string{"ifolder.ru", ".ifolder.ru"}
	hosts55 = []string{"drive.internxt.com", "share.internxt.com"}
	paths72 = []string{"/sh/file/{id}/{}", "/sh/folder/{id}/{}", "/d/sh/file/{id}/{}", "/d/sh/folder/{id}/{}"}
	hosts56 = []string{"www.jottacloud.com", "jottacloud.com"}
	hosts57 = []string{"jumpshare.com", "jmp.sh"}
	paths73 = []string{"/b/{id}", "/v/{id}", "/s/{id}", "/embed/{id}", "/share/{id}", "/{id}"}
	hosts58 = []string{"bigfile.mail.daum.net", "bigfile.mail.kakao.com"}
	paths74 = []string{"/download", "/bigfileupload/download"}
	paths75 = []string{"/bigfile/v1/urls/{id}", "/bigfile/v1/urls/{}/{id}"}
	hosts59 = []string{"www.kdocs.cn", "kdocs.cn"}
	paths76 = []string{"/app/share/{owner}/{id}", "/app/share/{owner}/{id}/*"}
	hosts60 = []string{"k2s.cc", "keep2share.cc"}
	paths77 = []string{"/file/{id}", "/file/{id}/{}"}
	hosts61 = []string{"app.koofr.net", "storage.rcs-rds.ro"}
	hosts62 = []string{"krakenfiles.com", "www.krakenfiles.com"}
	hosts63 = []string{".lanzou.com", ".lanzoub.com", ".lanzoue.com", ".lanzouf.com", ".lanzoug.com", ".lanzouh.com", ".lanzoui.com",
		".lanzouj.com", ".lanzoul.com", ".lanzoum.com", ".lanzouo.com", ".lanzoup.com", ".lanzouq.com", ".lanzous.com",
		".lanzout.com", ".lanzouu.com", ".lanzouv.com", ".lanzouw.com", ".lanzoux.com", ".lanzouy.com", ".lanzn.com",
		".lanpw.com"}
	hosts64 = []string{"framadrop.org", "upload.disroot.org", "drop.infini.fr"}
	paths78 = []string{"/public/{owner}/{id}/*", "/stock/{id}"}
	paths79 = []string{"/weblink/view/{owner}/{id}/*", "/weblink/view/{owner}/{id}", "/weblink/get/{owner}/{id}/*",
		"/weblink/get/{owner}/{id}"}
	hosts65 = []string{"www.mediafire.com", "mediafire.com"}
	paths80 = []string{"/file/{id}", "/file/{id}/{name}", "/file/{id}/{name}/file", "/file_premium/{id}/{name}/file",
		"/view/{id}/{name}/file", "/download/{id}", "/download/{id}/{name}"}
	hosts66 = []string{"www.mediafire.com", "mediafire.com", "app.mediafire.com"}
	paths81 = []string{"/folder/{id}", "/folder/{id}/{}"}
	paths82 = []string{"/file/*", "/folder/*"}
	paths83 = []string{"/", "/download.php"}
	hosts67 = []string{"mega.nz", "www.mega.nz", "mega.co.nz"}
	paths84 = []string{"/file/{id}", "/embed/{id}"}
	paths85 = []string{"/folder/{id}", "/folder/{id}/*"}
	hosts68 = []string{"www.megaupload.com", "megaupload.com"}
	hosts69 = []string{"www.mirrored.to", "mirrored.to"}
	paths86 = []string{"/{id}", "/{id}/{}", "/t/{id}/{}"}
	paths87 = []string{"/disk/{id}/{}", "/disk/get/{id}/{}"}
	hosts70 = []string{"mail.163.com", "mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com"}
	paths88 = []string{"/large-attachment-download/index.html", "/fs/display", "/fs/preview"}
	hosts71 = []string{"magentacloud.de", "www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch",
		"bwsyncandshare.kit.edu", "surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au",
		"b2drop.eudat.eu", "owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net"}
	paths89 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
		"/{}/index.php/s/{id}/download", "/{}/index.php/s/{id}/download/{name}", "/s/{id}", "/s/{id}/preview",
		"/s/{id}/authenticate", "/s/{id}/download", "/s/{id}/download/{name}", "/index.php/s/{id}",
		"/index.php/s/{id}/preview", "/index.php/s/{id}/authenticate", "/index.php/s/{id}/download",
		"/index.php/s/{id}/download/{name}", "/nextcloud/s/{id}", "/nextcloud/s/{id}/preview",
		"/nextcloud/s/{id}/authenticate", "/nextcloud/s/{id}/download", "/nextcloud/s/{id}/download/{name}",
		"/owncloud/s/{id}", "/owncloud/s/{id}/preview", "/owncloud/s/{id}/authenticate", "/owncloud/s/{id}/download",
		"/owncloud/s/{id}/download/{name}", "/cloud/s/{id}", "/cloud/s/{id}/preview", "/cloud/s/{id}/authenticate",
		"/cloud/s/{id}/download", "/cloud/s/{id}/download/{name}", "/files/s/{id}", "/files/s/{id}/preview",
		"/files/s/{id}/authenticate", "/files/s/{id}/download", "/files/s/{id}/download/{name}", "/nc/s/{id}",
		"/nc/s/{id}/preview", "/nc/s/{id}/authenticate", "/nc/s/{id}/download", "/nc/s/{id}/download/{name}", "/oc/s/{id}",
		"/oc/s/{id}/preview", "/oc/s/{id}/authenticate", "/oc/s/{id}/download", "/oc/s/{id}/download/{name}", "/plus/s/{id}",
		"/plus/s/{id}/preview", "/plus/s/{id}/authenticate", "/plus/s/{id}/download", "/plus/s/{id}/download/{name}",
		"/nextcloud/index.php/s/{id}", "/nextcloud/index.php/s/{id}/preview", "/nextcloud/index.php/s/{id}/authenticate",
		"/nextcloud/index.php/s/{id}/download", "/nextcloud/index.php/s/{id}/download/{name}", "/owncloud/index.php/s/{id}",
		"/owncloud/index.php/s/{id}/preview", "/owncloud/index.php/s/{id}/authenticate", "/owncloud/index.php/s/{id}/download",
		"/owncloud/index.php/s/{id}/download/{name}", "/cloud/index.php/s/{id}", "/cloud/index.php/s/{id}/preview",
		"/cloud/index.php/s/{id}/authenticate", "/cloud/index.php/s/{id}/download", "/cloud/index.php/s/{id}/download/{name}",
		"/files/index.php/s/{id}", "/files/index.php/s/{id}/preview", "/files/index.php/s/{id}/authenticate",
		"/files/index.php/s/{id}/download", "/files/index.php/s/{id}/download/{name}", "/nc/index.php/s/{id}",
		"/nc/index.php/s/{id}/preview", "/nc/index.php/s/{id}/authenticate", "/nc/index.php/s/{id}/download",
		"/nc/index.php/s/{id}/download/{name}", "/oc/index.php/s/{id}", "/oc/index.php/s/{id}/preview",
		"/oc/index.php/s/{id}/authenticate", "/oc/index.php/s/{id}/download", "/oc/index.php/s/{id}/download/{name}",
		"/plus/index.php/s/{id}", "/plus/index.php/s/{id}/preview", "/plus/index.php/s/{id}/authenticate",
		"/plus/index.php/s/{id}/download", "/plus/index.php/s/{id}/download/{name}"}
	hosts72 = []string{"nitroflare.com", "www.nitroflare.com"}
	paths90 = []string{"/view/{id}", "/view/{id}/{}"}
	hosts73 = []string{"1drv.ms", "sdrv.ms"}
	hosts74 = []string{".livefilestore.com", ".files.1drv.com", ".storage.live.com", ".files.storage.msn.com"}
	paths91 = []string{"/{id}", "/{id}/{name}"}
	hosts75 = []string{"onedrive.live.com", "skydrive.live.com"}
	paths92 = []string{"/download", "/download.aspx"}
	paths93 = []string{"/", "/redir", "/redir.aspx", "/view", "/view.aspx", "/edit", "/edit.aspx", "/embed"}
	paths94 = []string{"/personal/{}/_layouts/15/Doc.aspx", "/personal/{}/_layouts/15/doc2.aspx",
		"/personal/{}/_layouts/15/WopiFrame.aspx", "/personal/{}/_layouts/15/WopiFrame2.aspx"}
	paths95 = []string{"/personal/{owner}/_layouts/15/Doc.aspx", "/personal/{owner}/_layouts/15/doc2.aspx",
		"/personal/{owner}/_layouts/15/WopiFrame.aspx", "/personal/{owner}/_layouts/15/WopiFrame2.aspx"}
	hosts76  = []string{".skydrive.live.com", ".office.live.com"}
	paths96  = []string{"/self.aspx/*", "/view.aspx/*", "/browse.aspx/*"}
	hosts77  = []string{"od.lk", "www.opendrive.com"}
	paths97  = []string{"/d/{id}/{name}", "/s/{id}/{name}", "/f/{id}", "/f/{id}/{name}", "/fl/{id}", "/file/{id}"}
	paths98  = []string{"/{}", "/{}/files/*"}
	hosts78  = []string{"my.pcloud.com", "e.pcloud.com", "u.pcloud.com"}
	hosts79  = []string{".pcloud.link", ".pcloud.com"}
	hosts80  = []string{"filedn.com", "filedn.eu"}
	hosts81  = []string{"pc.cd", "e.pc.cd", "u.pc.cd"}
	hosts82  = []string{"mypikpak.com", "drive.mypikpak.com"}
	paths99  = []string{"/u/{id}", "/api/file/{id}"}
	paths100 = []string{"/l/{id}", "/d/{id}", "/d/{id}/*"}
	paths101 = []string{"/api/filesystem/{id}", "/api/filesystem/{id}/*"}
	hosts83  = []string{"syncandshare.lrz.de", "faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de"}
	paths102 = []string{"/getlink/{id}", "/getlink/{id}/*", "/dl/{id}", "/dl/{id}/*"}
	paths103 = []string{"/{id}", "/{}/{id}"}
	hosts84  = []string{"wx.mail.qq.com", "iwx.mail.qq.com"}
	hosts85  = []string{"rapidgator.net", "rg.to"}
	hosts86  = []string{"rapidshare.com", ".rapidshare.com", "rapidshare.de"}
	paths104 = []string{"/file/{id}/{name}", "/files/{id}/{name}"}
	hosts87  = []string{"rghost.net", "rghost.ru"}
	paths105 = []string{"/{id}", "/{id}/image.png", "/download/{id}/*"}
	hosts88  = []string{".salesforce.com", ".salesforce-sites.com", ".force.com"}
	hosts89  = []string{"cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr", "seafile.lirmm.fr",
		"seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de"}
	hosts90  = []string{"send.vis.ee", "send.firefox.com"}
	hosts91  = []string{"sendanywhe.re", "send-anywhere.com"}
	paths106 = []string{"/{id}", "/web/downloads/{id}", "/web/s/{id}"}
	hosts92  = []string{"sendgb.com", "www.sendgb.com"}
	paths107 = []string{"/file/{id}", "/pro/dl/{id}"}
	hosts93  = []string{".sharefile.com", ".sharefile.eu", ".securevdr.com"}
	paths108 = []string{"/{id}", "/public/share/{id}"}
	paths109 = []string{"/d/{id}", "/share/view/{id}", "/share/view/{id}/{}"}
	hosts94  = []string{".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint-df.com",
		"sites.ey.com"}
	paths110 = []string{"/_layouts/15/download.aspx", "/{}/{}/_layouts/15/download.aspx"}
	paths111 = []string{"/_layouts/15/guestaccess.aspx", "/{}/{}/_layouts/15/guestaccess.aspx"}
	paths112 = []string{"/_layouts/15/Doc.aspx", "/_layouts/15/doc2.aspx", "/_layouts/15/WopiFrame.aspx",
		"/_layouts/15/WopiFrame2.aspx", "/{}/{}/_layouts/15/Doc.aspx", "/{}/{}/_layouts/15/doc2.aspx",
		"/{}/{}/_layouts/15/WopiFrame.aspx", "/{}/{}/_layouts/15/WopiFrame2.aspx"}
	paths113 = []string{"/sites/{owner}/*", "/teams/{owner}/*", "/personal/{owner}/*"}
	hosts95  = []string{"mail.sina.com.cn", ".mail.sina.com.cn"}
	paths114 = []string{"/files-pri/{id}/{name}", "/files-pri/{id}/download/{name}", "/files/{owner}/{id}",
		"/files/{owner}/{id}/{name}"}
	hosts96  = []string{"link.storjshare.io", "link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io"}
	hosts97  = []string{"www.swisstransfer.com", "swisstransfer.com"}
	paths115 = []string{"/dl/{id}", "/dl/{id}/{}", "/dl/{id}/{}/view/*", "/dl/{id}/view/*", "/4.0/dl/{id}", "/4.0/dl/{id}/view/*"}
	paths116 = []string{"/share/{id}", "/share/{id}/{}"}
	paths117 = []string{"/sharing/{id}", "/d/s/{id}/{}", "/d/s/{id}"}
	paths118 = []string{"/doc/{id}", "/sheet/{id}", "/slide/{id}", "/pdf/{id}"}
	hosts98  = []string{"terabox.com", "www.terabox.com", "1024terabox.com", "www.1024terabox.com", "teraboxapp.com",
		"www.teraboxapp.com", "1024tera.com", "www.1024tera.com", "freeterabox.com", "www.freeterabox.com",
		"terafileshare.com", "teraboxlink.com", "terasharelink.com"}
	paths119 = []string{"/sharing/link", "/sharing/embed", "/web/share/link"}
	paths120 = []string{"/share/{id}", "/download/{id}"}
	hosts99  = []string{"tinyupload.com", ".tinyupload.com"}
	paths121 = []string{"/", "/index.php"}
	paths122 = []string{"/{id}/{name}", "/get/{id}/{name}"}
	hosts100 = []string{"www.transfernow.net", "transfernow.net"}
	paths123 = []string{"/dl/{id}", "/dl/{id}/{}", "/{id}"}
	paths124 = []string{"/cld", "/{}/cld"}
	hosts101 = []string{"www.transferxl.com", "transferxl.com"}
	paths125 = []string{"/download/{id}", "/{}/download/{id}", "/{id}"}
	hosts102 = []string{"web.tresorit.com", "send.tresorit.com"}
	paths126 = []string{"/l", "/a"}
	paths127 = []string{"/{id}", "/p/{id}"}
	hosts103 = []string{"ufile.io", "uploadfiles.io"}
	hosts104 = []string{"uloz.to", "ulozto.net", "ulozto.cz", "ulozto.sk"}
	hosts105 = []string{"www.upload.ee", "upload.ee"}
	hosts106 = []string{"uploaded.to", "uploaded.net"}
	hosts107 = []string{"www.uschovna.cz", "uschovna.cz"}
	hosts108 = []string{"vk.com", "m.vk.com"}
	paths128 = []string{"/s/{id}", "/lc/{id}"}
	hosts109 = []string{"www.wenshushu.cn", "wenshushu.cn", "wss1.cn"}
	paths129 = []string{"/f/{id}", "/k/{id}"}
	hosts110 = []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}
	paths130 = []string{"/downloads/{id}", "/downloads/{id}/*"}
	paths131 = []string{"/previews/{id}", "/previews/{id}/*"}
	hosts111 = []string{"wikisend.com", "www.wikisend.com"}
	paths132 = []string{"/file/{id}", "/archive/{id}", "/start/{id}"}
	hosts112 = []string{"usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com", "katfile.cloud", "katfile.online",
		"datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com", "clicknupload.org",
		"clicknupload.to", "clicknupload.cc", "clicknupload.click", "clicknupload.red", "dailyuploads.net", "drop.download",
		"easybytez.com", "www.easybytez.com", "file.al", "filefox.cc", "filejoker.net", "filerio.in", "hugefiles.net",
		"mexa.sh", "mexashare.com", "novafile.com", "novafile.org", "send.cm", "send.now", "filelu.com", "file-upload.org",
		"www.file-upload.org", "upload-4ever.com", "www.upload-4ever.com", "uploadrar.com", "usersfiles.com", "userscloud.com",
		"tusfiles.com", "hexupload.net", "rapidfileshare.net", "dosya.co"}
	hosts113 = []string{"disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz",
		"disk.360.yandex.ru", "disk.360.yandex.com", "yadi.sk"}
	paths133 = []string{"/public", "/public/"}
	paths134 = []string{"/d/{id}", "/d/{id}/*"}
	paths135 = []string{"/v/{id}/file.html", "/d/{id}/{}/{name}"}
	hosts114 = []string{"workdrive.zohopublic.com", "workdrive.zohopublic.eu", "workdrive.zohopublic.in",
		"workdrive.zohopublic.com.cn", "workdrive.zohoexternal.com", "workdrive.zohoexternal.eu", "workdrive.zohoexternal.in",
		"workdrive.zoho.com", "workdrive.zoho.eu", "workdrive.zoho.in", "workdrive.zoho.com.au", "workdrive.zohopublic.com.au",
		"workdrive.zohopublic.jp"}
	hosts115 = []string{"docs.zoho.com", "docs.zoho.eu", "docs.zoho.in", "docs.zohopublic.com"}
	hosts116 = []string{"www.zshare.net", "zshare.net"}
	paths136 = []string{"/audio/{id}", "/video/{id}", "/download/{id}", "/image/{id}"}
	paths137 = []string{"/", "/{}", "/{}/{}"}
	paths138 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/download",
		"/{}/index.php/s/{id}/download/{name}", "/s/{id}", "/s/{id}/preview", "/s/{id}/download", "/s/{id}/download/{name}",
		"/index.php/s/{id}", "/index.php/s/{id}/preview", "/index.php/s/{id}/download", "/index.php/s/{id}/download/{name}",
		"/nextcloud/s/{id}", "/nextcloud/s/{id}/preview", "/nextcloud/s/{id}/download", "/nextcloud/s/{id}/download/{name}",
		"/owncloud/s/{id}", "/owncloud/s/{id}/preview", "/owncloud/s/{id}/download", "/owncloud/s/{id}/download/{name}",
		"/cloud/s/{id}", "/cloud/s/{id}/preview", "/cloud/s/{id}/download", "/cloud/s/{id}/download/{name}", "/files/s/{id}",
		"/files/s/{id}/preview", "/files/s/{id}/download", "/files/s/{id}/download/{name}", "/nc/s/{id}", "/nc/s/{id}/preview",
		"/nc/s/{id}/download", "/nc/s/{id}/download/{name}", "/oc/s/{id}", "/oc/s/{id}/preview", "/oc/s/{id}/download",
		"/oc/s/{id}/download/{name}", "/plus/s/{id}", "/plus/s/{id}/preview", "/plus/s/{id}/download",
		"/plus/s/{id}/download/{name}", "/nextcloud/index.php/s/{id}", "/nextcloud/index.php/s/{id}/preview",
		"/nextcloud/index.php/s/{id}/download", "/nextcloud/index.php/s/{id}/download/{name}", "/owncloud/index.php/s/{id}",
		"/owncloud/index.php/s/{id}/preview", "/owncloud/index.php/s/{id}/download",
		"/owncloud/index.php/s/{id}/download/{name}", "/cloud/index.php/s/{id}", "/cloud/index.php/s/{id}/preview",
		"/cloud/index.php/s/{id}/download", "/cloud/index.php/s/{id}/download/{name}", "/files/index.php/s/{id}",
		"/files/index.php/s/{id}/preview", "/files/index.php/s/{id}/download", "/files/index.php/s/{id}/download/{name}",
		"/nc/index.php/s/{id}", "/nc/index.php/s/{id}/preview", "/nc/index.php/s/{id}/download",
		"/nc/index.php/s/{id}/download/{name}", "/oc/index.php/s/{id}", "/oc/index.php/s/{id}/preview",
		"/oc/index.php/s/{id}/download", "/oc/index.php/s/{id}/download/{name}", "/plus/index.php/s/{id}",
		"/plus/index.php/s/{id}/preview", "/plus/index.php/s/{id}/download", "/plus/index.php/s/{id}/download/{name}"}
	paths139 = []string{"/public.php", "/{}/public.php"}
	paths140 = []string{"/getlink/{id}", "/getlink/{id}/*"}
	paths141 = []string{"/ajax/share/{id}", "/ajax/share/{id}/*"}
	paths142 = []string{"/share.cgi", "/share.cgi/{name}"}
	paths143 = []string{"/pickup.php", "/pickup", "/{}/pickup.php", "/{}/pickup"}
	paths144 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
		"/{}/index.php/s/{id}/authenticate/{}", "/{}/index.php/s/{id}/download", "/{}/index.php/s/{id}/download/{name}",
		"/s/{id}", "/s/{id}/preview", "/s/{id}/authenticate", "/s/{id}/authenticate/{}", "/s/{id}/download",
		"/s/{id}/download/{name}", "/index.php/s/{id}", "/index.php/s/{id}/preview", "/index.php/s/{id}/authenticate",
		"/index.php/s/{id}/authenticate/{}", "/index.php/s/{id}/download", "/index.php/s/{id}/download/{name}",
		"/nextcloud/s/{id}", "/nextcloud/s/{id}/preview", "/nextcloud/s/{id}/authenticate",
		"/nextcloud/s/{id}/authenticate/{}", "/nextcloud/s/{id}/download", "/nextcloud/s/{id}/download/{name}",
		"/owncloud/s/{id}", "/owncloud/s/{id}/preview", "/owncloud/s/{id}/authenticate", "/owncloud/s/{id}/authenticate/{}",
		"/owncloud/s/{id}/download", "/owncloud/s/{id}/download/{name}", "/cloud/s/{id}", "/cloud/s/{id}/preview",
		"/cloud/s/{id}/authenticate", "/cloud/s/{id}/authenticate/{}", "/cloud/s/{id}/download",
		"/cloud/s/{id}/download/{name}", "/files/s/{id}", "/files/s/{id}/preview", "/files/s/{id}/authenticate",
		"/files/s/{id}/authenticate/{}", "/files/s/{id}/download", "/files/s/{id}/download/{name}", "/nc/s/{id}",
		"/nc/s/{id}/preview", "/nc/s/{id}/authenticate", "/nc/s/{id}/authenticate/{}", "/nc/s/{id}/download",
		"/nc/s/{id}/download/{name}", "/oc/s/{id}", "/oc/s/{id}/preview", "/oc/s/{id}/authenticate",
		"/oc/s/{id}/authenticate/{}", "/oc/s/{id}/download", "/oc/s/{id}/download/{name}", "/plus/s/{id}",
		"/plus/s/{id}/preview", "/plus/s/{id}/authenticate", "/plus/s/{id}/authenticate/{}", "/plus/s/{id}/download",
		"/plus/s/{id}/download/{name}", "/nextcloud/index.php/s/{id}", "/nextcloud/index.php/s/{id}/preview",
		"/nextcloud/index.php/s/{id}/authenticate", "/nextcloud/index.php/s/{id}/authenticate/{}",
		"/nextcloud/index.php/s/{id}/download", "/nextcloud/index.php/s/{id}/download/{name}", "/owncloud/index.php/s/{id}",
		"/owncloud/index.php/s/{id}/preview", "/owncloud/index.php/s/{id}/authenticate",
		"/owncloud/index.php/s/{id}/authenticate/{}", "/owncloud/index.php/s/{id}/download",
		"/owncloud/index.php/s/{id}/download/{name}", "/cloud/index.php/s/{id}", "/cloud/index.php/s/{id}/preview",
		"/cloud/index.php/s/{id}/authenticate", "/cloud/index.php/s/{id}/authenticate/{}", "/cloud/index.php/s/{id}/download",
		"/cloud/index.php/s/{id}/download/{name}", "/files/index.php/s/{id}", "/files/index.php/s/{id}/preview",
		"/files/index.php/s/{id}/authenticate", "/files/index.php/s/{id}/authenticate/{}", "/files/index.php/s/{id}/download",
		"/files/index.php/s/{id}/download/{name}", "/nc/index.php/s/{id}", "/nc/index.php/s/{id}/preview",
		"/nc/index.php/s/{id}/authenticate", "/nc/index.php/s/{id}/authenticate/{}", "/nc/index.php/s/{id}/download",
		"/nc/index.php/s/{id}/download/{name}", "/oc/index.php/s/{id}", "/oc/index.php/s/{id}/preview",
		"/oc/index.php/s/{id}/authenticate", "/oc/index.php/s/{id}/authenticate/{}", "/oc/index.php/s/{id}/download",
		"/oc/index.php/s/{id}/download/{name}", "/plus/index.php/s/{id}", "/plus/index.php/s/{id}/preview",
		"/plus/index.php/s/{id}/authenticate", "/plus/index.php/s/{id}/authenticate/{}", "/plus/index.php/s/{id}/download",
		"/plus/index.php/s/{id}/download/{name}"}
	paths145 = []string{"/public.php/dav/files/{id}", "/remote.php/dav/public-files/{id}", "/nextcloud/public.php/dav/files/{id}",
		"/nextcloud/remote.php/dav/public-files/{id}", "/owncloud/public.php/dav/files/{id}",
		"/owncloud/remote.php/dav/public-files/{id}", "/cloud/public.php/dav/files/{id}",
		"/cloud/remote.php/dav/public-files/{id}", "/files/public.php/dav/files/{id}",
		"/files/remote.php/dav/public-files/{id}", "/nc/public.php/dav/files/{id}", "/nc/remote.php/dav/public-files/{id}",
		"/oc/public.php/dav/files/{id}", "/oc/remote.php/dav/public-files/{id}", "/plus/public.php/dav/files/{id}",
		"/plus/remote.php/dav/public-files/{id}"}
	paths146 = []string{"/public.php/dav/files/{id}/*", "/remote.php/dav/public-files/{id}/*",
		"/nextcloud/public.php/dav/files/{id}/*", "/nextcloud/remote.php/dav/public-files/{id}/*",
		"/owncloud/public.php/dav/files/{id}/*", "/owncloud/remote.php/dav/public-files/{id}/*",
		"/cloud/public.php/dav/files/{id}/*", "/cloud/remote.php/dav/public-files/{id}/*",
		"/files/public.php/dav/files/{id}/*", "/files/remote.php/dav/public-files/{id}/*", "/nc/public.php/dav/files/{id}/*",
		"/nc/remote.php/dav/public-files/{id}/*", "/oc/public.php/dav/files/{id}/*", "/oc/remote.php/dav/public-files/{id}/*",
		"/plus/public.php/dav/files/{id}/*", "/plus/remote.php/dav/public-files/{id}/*"}
	paths147 = []string{"/public.php", "/nextcloud/public.php", "/owncloud/public.php", "/cloud/public.php", "/files/public.php",
		"/nc/public.php", "/oc/public.php", "/plus/public.php"}
	paths148 = []string{"/seafhttp/f/{id}", "/seafhttp/files/{id}/{name}"}
	paths149 = []string{"/d/{id}", "/d/s/{id}"}
	paths150 = []string{"/smart-link/{id}", "/smart-link/{id}/{}"}
	paths151 = []string{"/home/{}/*", "/service/home/{}/*"}
	paths152 = []string{"/w/{id}", "/s/{id}", "/f/{id}"}
	paths153 = []string{"/courier/{}/{}/*", "/courier/{}/{}"}
	paths154 = []string{"", "/index.php", "/download.php"}
	paths155 = []string{"/link/{id}", "/message/{id}"}
	paths156 = []string{"/wl", "/wl/index.php"}
	paths157 = []string{"/s/{id}", "/s/{id}/download"}
)

// rulesByHost has the rows of rules by host, and guessesByHost those of guesses.
var (
	rulesByHost = &weburl.Hosts{
		Slots: []uint16{0, 0, 0, 244, 0, 0, 0, 189, 298, 0, 0, 236, 425, 0, 0, 0, 198, 221, 0, 30, 0, 457, 89, 272, 291, 0, 0, 0, 0, 0, 88,
			168, 0, 0, 0, 0, 0, 137, 47, 307, 431, 451, 0, 207, 0, 0, 0, 0, 0, 422, 0, 152, 193, 292, 117, 129, 91, 0, 0, 0, 0, 0,
			482, 0, 0, 0, 0, 0, 0, 109, 156, 0, 110, 0, 12, 370, 0, 93, 271, 42, 324, 368, 0, 66, 448, 0, 380, 0, 0, 33, 0, 356, 0,
			0, 345, 80, 90, 11, 169, 26, 453, 0, 0, 0, 262, 0, 209, 0, 197, 0, 0, 0, 0, 0, 0, 0, 86, 421, 23, 408, 67, 420, 478,
			150, 114, 208, 416, 419, 163, 385, 464, 0, 176, 0, 0, 0, 0, 216, 439, 24, 219, 0, 0, 337, 304, 0, 0, 333, 0, 0, 0, 0,
			0, 222, 0, 0, 0, 334, 177, 491, 0, 0, 378, 61, 0, 3, 361, 0, 0, 125, 35, 312, 22, 317, 199, 328, 0, 311, 0, 44, 151, 0,
			0, 0, 375, 0, 120, 0, 0, 424, 127, 149, 31, 226, 438, 0, 192, 335, 0, 0, 0, 0, 84, 48, 83, 495, 119, 0, 286, 343, 449,
			14, 174, 132, 0, 0, 0, 0, 230, 322, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 295, 94, 403, 0, 463, 339, 0, 139, 300, 0, 0, 0, 0,
			0, 0, 0, 52, 57, 225, 462, 0, 116, 162, 0, 235, 143, 0, 46, 144, 303, 306, 277, 0, 0, 445, 0, 95, 338, 480, 415, 0, 0,
			0, 0, 0, 466, 215, 0, 0, 0, 0, 0, 481, 97, 111, 433, 442, 267, 243, 188, 0, 0, 78, 279, 0, 0, 0, 0, 231, 0, 0, 0, 0,
			27, 191, 0, 0, 0, 0, 276, 393, 360, 0, 0, 99, 0, 20, 376, 0, 0, 128, 413, 0, 77, 0, 194, 284, 0, 17, 0, 387, 252, 389,
			0, 0, 0, 309, 467, 254, 468, 232, 34, 325, 479, 0, 0, 367, 130, 344, 0, 0, 0, 476, 59, 0, 319, 62, 224, 285, 488, 175,
			223, 377, 0, 0, 9, 131, 0, 0, 0, 214, 75, 357, 407, 206, 294, 113, 411, 0, 0, 167, 0, 185, 0, 165, 70, 363, 288, 496,
			499, 426, 101, 173, 0, 0, 248, 423, 0, 0, 0, 346, 153, 347, 0, 53, 180, 21, 0, 0, 0, 85, 37, 108, 43, 115, 122, 247,
			412, 0, 100, 0, 0, 0, 0, 0, 0, 348, 0, 366, 255, 0, 314, 0, 0, 0, 0, 490, 0, 296, 461, 213, 0, 0, 0, 40, 134, 158, 0,
			0, 0, 0, 106, 0, 0, 379, 0, 0, 0, 0, 54, 13, 186, 212, 355, 0, 441, 74, 56, 0, 187, 96, 0, 0, 0, 0, 184, 0, 205, 0, 0,
			58, 372, 384, 0, 0, 0, 181, 41, 0, 0, 0, 0, 0, 0, 0, 160, 38, 159, 259, 498, 201, 418, 471, 0, 0, 141, 0, 402, 0, 0,
			200, 0, 228, 0, 396, 0, 102, 0, 0, 0, 0, 265, 0, 0, 0, 0, 0, 0, 240, 0, 0, 28, 472, 0, 0, 293, 0, 0, 0, 0, 0, 264, 0,
			0, 0, 155, 0, 0, 0, 0, 1, 218, 0, 273, 172, 429, 0, 0, 171, 0, 0, 409, 0, 0, 0, 437, 0, 0, 39, 0, 0, 0, 0, 0, 112, 0,
			0, 0, 0, 0, 0, 0, 289, 436, 0, 0, 0, 434, 0, 0, 383, 0, 0, 123, 210, 446, 394, 473, 0, 237, 391, 4, 0, 465, 0, 0, 0, 0,
			397, 0, 0, 474, 362, 0, 0, 0, 489, 45, 278, 305, 0, 0, 63, 0, 157, 0, 0, 341, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 331, 0,
			310, 32, 82, 308, 0, 0, 444, 414, 0, 250, 0, 316, 365, 64, 164, 340, 492, 0, 0, 6, 256, 354, 239, 76, 0, 253, 0, 0,
			459, 29, 428, 0, 0, 0, 301, 486, 0, 0, 229, 195, 81, 0, 454, 0, 0, 0, 0, 0, 7, 497, 410, 2, 202, 395, 0, 364, 0, 0,
			135, 323, 501, 0, 0, 0, 0, 25, 313, 0, 0, 0, 0, 227, 450, 249, 427, 373, 220, 204, 269, 10, 287, 217, 352, 401, 405, 0,
			0, 0, 390, 0, 297, 358, 399, 483, 258, 299, 0, 392, 0, 15, 374, 0, 246, 0, 0, 329, 0, 0, 406, 0, 0, 0, 0, 0, 0, 0, 0,
			142, 0, 350, 0, 456, 0, 103, 275, 353, 0, 0, 79, 0, 0, 0, 0, 351, 460, 0, 0, 0, 0, 0, 238, 327, 0, 0, 0, 290, 170, 260,
			107, 242, 398, 487, 0, 19, 154, 0, 98, 140, 263, 0, 0, 241, 330, 386, 280, 0, 0, 0, 0, 0, 0, 161, 18, 400, 0, 0, 0, 0,
			0, 0, 0, 0, 318, 493, 0, 0, 0, 0, 0, 0, 0, 404, 452, 371, 138, 477, 283, 315, 0, 0, 0, 261, 494, 0, 0, 148, 0, 0, 0,
			183, 281, 321, 118, 0, 0, 0, 274, 0, 0, 0, 71, 0, 0, 121, 0, 430, 0, 0, 0, 0, 8, 0, 51, 104, 234, 266, 469, 0, 16, 0,
			0, 0, 0, 68, 320, 0, 49, 0, 65, 359, 0, 0, 388, 0, 0, 0, 0, 0, 0, 146, 0, 0, 381, 50, 251, 332, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 0, 0, 69, 92, 0, 0, 233, 0, 0, 0, 0, 73, 72, 382, 124, 0, 0, 0, 0, 136, 0, 455, 484, 0, 0, 0, 0, 147, 126, 0, 435,
			0, 0, 0, 0, 245, 336, 133, 0, 0, 447, 0, 0, 268, 0, 0, 36, 5, 0, 55, 0, 470, 0, 0, 87, 349, 440, 178, 182, 432, 179,
			443, 458, 369, 0, 0, 0, 0, 326, 475, 0, 0, 0, 105, 0, 485, 0, 302, 166, 0, 0, 0, 0, 60, 417, 342, 0, 0, 282, 203, 190,
			0, 0, 0, 0, 0, 0, 196, 0, 0, 257, 0, 270, 145, 211, 0, 0, 0, 0},
		Patterns: []string{"0x0.st", "x0.at", "ttm.sh", "envs.sh", "115.com", "115cdn.com", "anxia.com", "www.123pan.com", "123pan.com",
			"www.123pan.cn", "www.123684.com", "www.123865.com", "www.123912.com", "www.123952.com", "1fichier.com",
			"www.1fichier.com", "www.2shared.com", "2shared.com", ".lc.yunpan.cn", "www.4shared.com", "dox.abv.bg",
			"documentcloud.adobe.com", "acrobat.adobe.com", "assets.adobe.com", "shared-assets.adobe.com", "files.acrobat.com",
			"cloud.acrobat.com", "www.adrive.com", "www.aliyundrive.com", "aliyundrive.com", "www.alipan.com", "alipan.com",
			"www.amazon.com", "www.amazon.de", "www.amazon.co.uk", "www.amazon.ca", "www.amazon.fr", "www.amazon.es",
			"www.amazon.it", "www.amazon.co.jp", "www.amazon.com.au", "www.amazon.com.br", "www.amazon.in",
			"www.androidfilehost.com", "androidfilehost.com", "anonfiles.com", "anonfile.com", "bayfiles.com", "hotfile.io",
			"letsupload.cc", "pan.baidu.com", "yun.baidu.com", "send.bitwarden.com", "vault.bitwarden.com", "vault.bitwarden.eu",
			".box.com", "box.com", "box.net", ".box.net", "buzzheavier.com", "bzzhr.co", "caiyun.139.com", "yun.139.com",
			"files.catbox.moe", "litter.catbox.moe", "catbox.moe", "www.catbox.moe", "www.cjoint.com", "f.cl.ly", "cl.ly",
			"share.getcloudapp.com", "copy.com", "www.copy.com", "cowtransfer.com", ".cowtransfer.com", ".mycozy.cloud",
			".twake.app", "cryptpad.fr", ".ctfile.com", "data.hu", ".data.hu", "depositfiles.com", "www.depositfiles.com",
			"dfiles.eu", "cdn.discordapp.com", "media.discordapp.net", "www.divshare.com", "divshare.com", "www.docdroid.net",
			"docdroid.net", "docsend.com", ".docsend.com", "doodrive.com", "download.gg", "www.dropbox.com", "dropbox.com",
			"paper.dropbox.com", "dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com", "d.pr", "dropmefiles.com",
			"easyupload.io", "www.easyupload.io", ".egnyte.com", ".fangcloud.com", "user.fm", ".feishu.cn", ".larksuite.com",
			"fex.net", "figshare.com", ".figshare.com", "ndownloader.figshare.com", ".file-upload.net", "file-upload.net",
			"file.io", "www.file.io", "filebin.net", "www.fileconvoy.com", "www.filefactory.com", "filefactory.com",
			"filehorst.de", ".filemail.com", "filemail.com", "fil.email", "app.filen.io", "drive.filen.io", "filen.io", "files.fm",
			"filetransfer.io", "jbox.sjtu.edu.cn", "pan.bnu.edu.cn", "firestorage.jp", "next.frame.io", "app.frame.io",
			"fex.rus.uni-stuttgart.de", "fex.belwue.de", "dl.free.fr", "transfert.free.fr", "ge.tt", ".gigafile.nu",
			"gigamove.rwth-aachen.de", "gigamove.rz.rwth-aachen.de", "github.com", "gitlab.com", "c.gmx.net", "c.web.de",
			"gofile.io", ".gofile.io", "docs.google.com", "spreadsheets.google.com", "drive.google.com",
			"drive.usercontent.google.com", "googledrive.com", "www.googledrive.com", "photos.google.com", "photos.app.goo.gl",
			"www.grosfichiers.com", "my.hidrive.com", "hidrive.ionos.com", "spaces.hightail.com", "www.yousendit.com",
			".yousendit.com", "yousendit.com", "www.hightail.com", ".hubspot.com", "icedrive.net", "www.icloud.com", "icloud.com",
			"www.icloud.com.cn", "icloud.com.cn", "share.icloud.com", ".icloud-content.com", ".icloud-content.com.cn",
			"ifolder.ru", ".ifolder.ru", "www.ilanzou.com", "drive.internxt.com", "share.internxt.com", "www.jianguoyun.com",
			"www.jottacloud.com", "jottacloud.com", "jumpshare.com", "jmp.sh", "bigfile.mail.daum.net", "bigfile.mail.kakao.com",
			"attach.mail.daum.net", "www.kdocs.cn", "kdocs.cn", "kdrive.infomaniak.com", "k2s.cc", "keep2share.cc",
			"app.koofr.net", "storage.rcs-rds.ro", "k00.fr", "krakenfiles.com", "www.krakenfiles.com", ".lanzou.com",
			".lanzoub.com", ".lanzoue.com", ".lanzouf.com", ".lanzoug.com", ".lanzouh.com", ".lanzoui.com", ".lanzouj.com",
			".lanzoul.com", ".lanzoum.com", ".lanzouo.com", ".lanzoup.com", ".lanzouq.com", ".lanzous.com", ".lanzout.com",
			".lanzouu.com", ".lanzouv.com", ".lanzouw.com", ".lanzoux.com", ".lanzouy.com", ".lanzn.com", ".lanpw.com",
			"limewire.com", "framadrop.org", "upload.disroot.org", "drop.infini.fr", "cloud.mail.ru", "files.mail.ru",
			".cloud.mail.ru", "www.mediafire.com", "mediafire.com", "app.mediafire.com", ".mediafire.com", "mega.nz",
			"www.mega.nz", "mega.co.nz", "transfer.it", "megaup.net", "www.megaupload.com", "megaupload.com", "cld.pt",
			"mirrorace.org", "www.mirrored.to", "mirrored.to", "modsfire.com", "mab.to", "narod.ru", "bigfile.mail.naver.com",
			"mybox.naver.com", "mail.163.com", "mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com", "dashi.163.com",
			"magentacloud.de", "www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch",
			"bwsyncandshare.kit.edu", "surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au",
			"b2drop.eudat.eu", "owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net",
			"nitroflare.com", "www.nitroflare.com", "1drv.ms", "sdrv.ms", ".livefilestore.com", ".files.1drv.com",
			".storage.live.com", ".files.storage.msn.com", "onedrive.live.com", "skydrive.live.com",
			"my.microsoftpersonalcontent.com", ".skydrive.live.com", ".office.live.com", "1drv.ws", "od.lk", "www.opendrive.com",
			"osf.io", "my.pcloud.com", "e.pcloud.com", "u.pcloud.com", ".pcloud.link", ".pcloud.com", "filedn.com", "filedn.eu",
			"transfer.pcloud.com", "pc.cd", "e.pc.cd", "u.pc.cd", "mypikpak.com", "drive.mypikpak.com", "pixeldrain.com",
			"syncandshare.lrz.de", "faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de", "drive.proton.me", "puu.sh",
			"wx.mail.qq.com", "iwx.mail.qq.com", "mail.qq.com", "exmail.qq.com", "pan.quark.cn", "rapidgator.net", "rg.to",
			"rapidshare.com", ".rapidshare.com", "rapidshare.de", "rghost.net", "rghost.ru", ".salesforce.com",
			".salesforce-sites.com", ".force.com", "cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr",
			"seafile.lirmm.fr", "seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de", "send.vis.ee", "send.firefox.com",
			"sendanywhe.re", "send-anywhere.com", "www.sendbig.com", "sendgb.com", "www.sendgb.com", ".sendsafely.com",
			"www.sendspace.com", ".sharefile.com", ".sharefile.eu", ".securevdr.com", ".sharepoint.com", ".sharepoint.us",
			".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint-df.com", "sites.ey.com", "mail.sina.com.cn", ".mail.sina.com.cn",
			".slack.com", "slack-files.com", "fromsmash.com", "files.fromsmash.com", ".stackstorage.com", "link.storjshare.io",
			"link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io", "www.sugarsync.com",
			"www.swisstransfer.com", "swisstransfer.com", ".sync.com", ".syncplicity.com", "gofile.me", ".quickconnect.to",
			"temp.sh", "docs.qq.com", "terabox.com", "www.terabox.com", "1024terabox.com", "www.1024terabox.com", "teraboxapp.com",
			"www.teraboxapp.com", "1024tera.com", "www.1024tera.com", "freeterabox.com", "www.freeterabox.com",
			"terafileshare.com", "teraboxlink.com", "terasharelink.com", "send.tb.pro", "download.cloud.189.cn", "cloud.189.cn",
			"tinyupload.com", ".tinyupload.com", "tmpfiles.org", "transfer.sh", "www.transferbigfiles.com", "www.transfernow.net",
			"transfernow.net", "www.transferxl.com", "transferxl.com", "web.tresorit.com", "send.tresorit.com", "turbobit.net",
			"ubuntuone.com", "drive.uc.cn", "ufile.io", "uploadfiles.io", "uloz.to", "ulozto.net", "ulozto.cz", "ulozto.sk",
			"www.upload.ee", "upload.ee", "uploaded.to", "uploaded.net", "uploadhaven.com", "www.uschovna.cz", "uschovna.cz",
			"uupload.ir", "vk.com", "m.vk.com", "vdisk.weibo.com", "drive.weixin.qq.com", "share.weiyun.com", "www.wenshushu.cn",
			"wenshushu.cn", "wss1.cn", "we.tl", "wetransfer.com", "www.wetransfer.com", ".wetransfer.com",
			"download.wetransfer.com", "collect.wetransfer.com", "go.wetransfer.com", "wikisend.com", "www.wikisend.com",
			"workupload.com", "wormhole.app", "usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com",
			"katfile.cloud", "katfile.online", "datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com",
			"clicknupload.org", "clicknupload.to", "clicknupload.cc", "clicknupload.click", "clicknupload.red", "dailyuploads.net",
			"drop.download", "easybytez.com", "www.easybytez.com", "file.al", "filefox.cc", "filejoker.net", "filerio.in",
			"hugefiles.net", "mexa.sh", "mexashare.com", "novafile.com", "novafile.org", "send.cm", "send.now", "filelu.com",
			"file-upload.org", "www.file-upload.org", "upload-4ever.com", "www.upload-4ever.com", "uploadrar.com",
			"usersfiles.com", "userscloud.com", "tusfiles.com", "hexupload.net", "rapidfileshare.net", "dosya.co",
			"pan.xunlei.com", "disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz",
			"disk.360.yandex.ru", "disk.360.yandex.com", "yadi.sk", ".zendesk.com", "www.zeta-uploader.com", ".zippyshare.com",
			"workdrive.zohopublic.com", "workdrive.zohopublic.eu", "workdrive.zohopublic.in", "workdrive.zohopublic.com.cn",
			"workdrive.zohoexternal.com", "workdrive.zohoexternal.eu", "workdrive.zohoexternal.in", "workdrive.zoho.com",
			"workdrive.zoho.eu", "workdrive.zoho.in", "workdrive.zoho.com.au", "workdrive.zohopublic.com.au",
			"workdrive.zohopublic.jp", "docs.zoho.com", "docs.zoho.eu", "docs.zoho.in", "docs.zohopublic.com", "www.zshare.net",
			"zshare.net"},
		Rows: [][]uint16{{0}, {0}, {0}, {0}, {1}, {1}, {1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {3}, {3}, {4}, {4}, {5}, {6, 7}, {8}, {9, 10},
			{9, 10}, {11}, {11}, {11}, {11}, {12}, {13}, {13}, {13}, {13}, {14}, {14}, {14}, {14}, {14}, {14}, {14}, {14}, {14},
			{14}, {14}, {15, 16}, {15, 16}, {17}, {17}, {17}, {17}, {17}, {18, 19, 20}, {18, 19, 20}, {21}, {21}, {21}, {22, 24,
				25, 26, 27, 28, 29, 30}, {22, 24, 25, 26, 27, 28, 29, 30}, {23}, {23}, {31}, {31}, {32}, {33}, {34, 35}, {34, 35},
			{36}, {36}, {37}, {38}, {39}, {39}, {40}, {40}, {41}, {41}, {42}, {42}, {43}, {44, 45}, {46}, {46}, {47}, {47}, {47},
			{48}, {48}, {49}, {49}, {50}, {50}, {51}, {51}, {52}, {53}, {54, 55, 56, 57, 58, 59, 60, 63}, {54, 55, 56, 57, 58, 59,
				60, 63}, {61}, {62, 63}, {62, 63}, {62, 63}, {64}, {65}, {66}, {66}, {67, 68, 69}, {70}, {71}, {72, 73, 74}, {72, 73,
				74}, {75, 76}, {77, 78}, {77}, {78}, {79}, {79}, {80}, {80}, {81, 82}, {83}, {84}, {84}, {85}, {86, 87}, {86}, {88},
			{89, 90}, {89, 90}, {90}, {91}, {92}, {93}, {93}, {94}, {95}, {95}, {96}, {96}, {97, 98}, {99}, {100}, {101}, {102},
			{102}, {103}, {104}, {105}, {105}, {106, 107}, {108}, {109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
				122, 124}, {116}, {117, 118, 119, 120, 121, 122}, {123}, {125}, {125}, {126}, {126}, {127}, {128}, {128}, {129}, {130,
				132}, {131}, {132}, {132}, {133}, {134}, {135, 136, 138, 139, 140}, {135, 136, 138, 139, 140}, {135, 136, 138, 139,
				140}, {135, 136, 138, 139, 140}, {137}, {141}, {141}, {142}, {142}, {143}, {144}, {144}, {145}, {146}, {146}, {147},
			{147}, {148}, {148}, {149}, {150}, {150}, {151}, {152}, {152}, {153}, {153}, {154}, {155}, {155}, {156}, {156}, {156},
			{156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156}, {156},
			{156}, {156}, {157}, {158}, {158}, {158}, {159, 160}, {161}, {162}, {163, 164, 167, 168}, {163, 164, 167, 168}, {164,
				165}, {166}, {169, 170, 171}, {169, 170, 171}, {169, 170, 171}, {172}, {173}, {174}, {174}, {175}, {176}, {177}, {177},
			{178}, {179}, {180}, {181}, {182}, {183}, {183}, {183}, {183}, {183}, {184}, {185}, {185}, {185}, {185}, {185}, {185},
			{185}, {185}, {185}, {185}, {185}, {185}, {185}, {185}, {185}, {185}, {186}, {186}, {187, 188, 190}, {188}, {189},
			{189}, {189}, {189}, {191, 192, 193, 194, 195, 196, 197, 198, 199, 200}, {191, 192, 193, 194, 195, 196, 197, 198, 199,
				200}, {201, 202}, {203}, {203}, {204}, {205}, {205}, {206}, {207}, {207}, {207}, {208}, {208}, {209}, {209}, {210},
			{211}, {211}, {211}, {212}, {212}, {213, 214, 215}, {216}, {216}, {216}, {217}, {218}, {219}, {219}, {220}, {221, 222},
			{223}, {224}, {224}, {225}, {225}, {225}, {226}, {226}, {227, 228}, {227, 228}, {227, 228}, {229, 230, 231, 232}, {229,
				230, 231, 232}, {229, 230, 231, 232}, {229, 230, 231, 232}, {229, 230, 231, 232}, {229, 230, 231, 232}, {233}, {233},
			{234}, {234}, {235}, {236}, {236}, {237}, {238}, {239, 240, 241}, {239, 240, 241}, {239, 240, 241}, {242, 243, 244,
				245, 246, 247, 248, 249, 250, 251, 252, 253}, {242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253}, {242, 243,
				244, 245, 246, 247, 248, 249, 250, 251, 252, 253}, {242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253}, {242,
				243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253}, {242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253},
			{254}, {254}, {255}, {256}, {257, 259}, {258}, {260}, {261, 262}, {261, 262}, {261, 262}, {261, 262}, {263}, {264},
			{264}, {265}, {266}, {267}, {268}, {269}, {270}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {271,
				272}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {271, 272}, {273}, {274}, {275, 276},
			{277}, {277}, {278, 279}, {280}, {281}, {282, 283}, {282, 283}, {284}, {284}, {285, 286}, {286}, {287}, {288}, {289},
			{290}, {290}, {291}, {291}, {291}, {291}, {292}, {292}, {293, 294}, {293, 294}, {295}, {296}, {296}, {297}, {298},
			{298}, {299}, {300}, {301}, {302}, {302}, {302}, {303}, {304, 305}, {304, 305}, {304, 305}, {306}, {307}, {308}, {309},
			{309}, {310}, {311}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312},
			{312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312},
			{312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {312}, {313}, {314, 315, 316, 317},
			{314, 315, 316, 317}, {314, 315, 316, 317}, {314, 315, 316, 317}, {314, 315, 316, 317}, {314, 315, 316, 317}, {314,
				315, 316, 317}, {314, 315, 316, 317}, {318}, {319}, {320}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321,
				322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323,
				324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {321, 322, 323, 324, 325},
			{321, 322, 323, 324, 325}, {321, 322, 323, 324, 325}, {326}, {326}, {326}, {326}, {327}, {327}},
		Other: []uint16{328, 329, 330},
	}
	guessesByHost = &weburl.Hosts{
		Slots:    []uint16{0},
		Patterns: []string{},
		Rows:     [][]uint16{},
		Other:    []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
	}
)

var patterns = [...]verbs.Pattern{
	{Text: `(?:(?:.|\n)+(?:[.](?:[A-Za-z][0-9A-Za-z]{0,7}|[0-9][A-Za-z][0-9A-Za-z]{0,6}|[0-9]{2}[A-Za-z][0-9A-Za-z]{0,5}|[0-9]{3}[A-Za-z][0-9A-Za-z]{0,4}|[0-9]{4}[A-Za-z][0-9A-Za-z]{0,3}|[0-9]{5}[A-Za-z][0-9A-Za-z]{0,2}|[0-9]{6}[A-Za-z][0-9A-Za-z]?|[0-9]{7}[A-Za-z])))`, Is: verbs.File},
	{Text: `[a-z]*[-_0-9A-Z][-_0-9A-Za-z]*(?:[.][0-9A-Za-z]{1,8}){1,2}`},
	{Text: `sw[0-9a-z]{8,12}`},
	{Text: `[0-9A-Za-z]{4,8}-[0-9A-Za-z]{4,8}(?:[.]html)?`},
	{Text: `[0-9a-z]{10,24}`},
	{Text: `([^&]+)(?:&.*)?`},
	{Text: `[0-9A-Za-z]{12,16}`},
	{Text: `[0-9a-f]{10}`},
	{Text: `[uU][rR][nN]:[aA]{2}[iI][dD]:[0-9A-Za-z]+:[0-9A-Za-z]{2,5}:[^0-9\n]*[0-9].*`},
	{Text: `[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`},
	{Text: `[0-9A-Za-z]{6}(?:[.]html)?`},
	{Text: `[0-9A-Za-z]{43}`},
	{Text: `[0-9]{12,}`},
	{Text: `[0-9]{5,}`},
	{Text: `[0-9A-Za-z]{10}`},
	{Text: `(?:/send/)?((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `(?:account|blog|community|developer|status|support|training)[.].*`},
	{Text: `"typedID":"([^"]{0,40})`},
	{Text: `f_([0-9]{1,32})`},
	{Text: `[0-9a-z]{10,20}(?:[.][0-9a-z]+)?`},
	{Text: `box_download_shared_file`},
	{Text: `(?:f_)?[0-9]{5,}`},
	{Text: `(?:f_)?((?:.|\n)+)`},
	{Text: `[0-9a-z]{8,14}`},
	{Text: `[0-9A-Za-z]{10,16}`},
	{Text: `/w/i/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `[0-9A-Za-z]{6}[.][0-9A-Za-z]{1,8}`},
	{Text: `[a-z]{6}[.](?:jpe?g|png|gif|webp|mp[34]|m4a|wav|ogg|webm|mov|mkv|pdf|zip|rar|7z|bin|apk|exe|docx?|xlsx?|pptx?)`},
	{Text: `[A-Z][0-9A-Za-z]{10}_.+`},
	{Text: `[0-9A-Za-z]{20}`},
	{Text: `(?:(?:[a-z]+[0-9A-Z]|[A-Z]+[0-9a-z]|[0-9]+[A-Za-z])[0-9A-Za-z]*)`},
	{Text: `[0-9a-f]{12,16}`},
	{Text: `[^.]*-drive[.].*|drive[.].*`},
	{Text: `[0-9A-Za-z]{12}`},
	{Text: `/[0-9]+/.{16,}`},
	{Text: `[0-9]+-[0-9]+-[0-9a-f]{6}`},
	{Text: `[0-9]{6,}`},
	{Text: `[0-9a-z]{9}`},
	{Text: `[0-9]{15,20}`},
	{Text: `[0-9]{6,}-[0-9a-f]{3}`},
	{Text: `[0-9A-Za-z]{7}`},
	{Text: `[0-9a-z]{7}|[0-9a-z]{16}`},
	{Text: `[0-9a-z]{6,12}`},
	{Text: `file-[0-9]+_[0-9a-f]{16}`},
	{Text: `[^\n]+`},
	{Text: `(?:(?:(?:.|\n)*/)?([^/]+(?:[.](?:[A-Za-z][0-9A-Za-z]{0,7}|[0-9][A-Za-z][0-9A-Za-z]{0,6}|[0-9]{2}[A-Za-z][0-9A-Za-z]{0,5}|[0-9]{3}[A-Za-z][0-9A-Za-z]{0,4}|[0-9]{4}[A-Za-z][0-9A-Za-z]{0,3}|[0-9]{5}[A-Za-z][0-9A-Za-z]{0,2}|[0-9]{6}[A-Za-z][0-9A-Za-z]?|[0-9]{7}[A-Za-z]))))`, Is: verbs.End},
	{Text: `[^/]+`},
	{Text: `[0-9]+`},
	{Text: `[0-9A-Za-z]{5}`},
	{Text: `[0-9a-z]{6}`},
	{Text: `[0-9a-f]{20,}`},
	{Text: `v[0-9]+-.{6,}`},
	{Text: `[0-9a-z]{7}`},
	{Text: `[0-9]{9,}`},
	{Text: `[0-9A-Fa-f]{20}`},
	{Text: `download-[0-9]{5,}`},
	{Text: `[0-9A-Za-z]{6,12}`},
	{Text: `[0-9a-z]{12,}`},
	{Text: `g[0-9a-f]{30,}`},
	{Text: `[0-9a-z]{7,14}`},
	{Text: `[0-9A-Za-z]{8}`},
	{Text: `[a-z]{15}|[0-9A-Za-z]{8}`},
	{Text: `(?:/d/|/f/)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `[0-9a-z]{8,11}(?:[.][0-9a-z]{3,4})?`},
	{Text: `[0-9a-f]{40}`},
	{Text: `[a-z][0-9A-Za-z]{8}(?:[.][0-9a-z]{3,4})?`},
	{Text: `/[0-9A-Za-z]{8}`},
	{Text: `[0-9][0-9A-Za-z]{6,7}`},
	{Text: `[0-9a-f]{4}-.{16,}`},
	{Text: `[0-9a-f]{32}|[0-9A-Za-z]{14}`},
	{Text: `[0-9A-Fa-f]{32}`},
	{Text: `@[0-9]+/.*`},
	{Text: `document|spreadsheets|presentation`},
	{Text: `2PACX-.{6,}`},
	{Text: `true`},
	{Text: `.{33}`},
	{Text: `(?:(?:.|\n)+)`, Is: verbs.Some},
	{Text: `https://drive[.]usercontent[.]google[.]com`},
	{Text: `AF1Qip.{30,}|[0-9A-Za-z]{17}`},
	{Text: `[0-9A-Za-z]{11,13}(?:_[0-9A-Za-z]+)?`},
	{Text: `[0-9A-F]{16}`},
	{Text: `[0-9A-Z]{26}`},
	{Text: `[0-9A-Za-z]{15,30}`},
	{Text: `https://.+[.]icloud-content[.]com(?:[.]cn)?`},
	{Text: `[$][{]f[}]`},
	{Text: `((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `0.{19,}`},
	{Text: `(?:pages/|numbers/|keynote/)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `(?:(?:.|\n)*)[$][{](?:f|uk)[}](?:(?:.|\n)*)`},
	{Text: `[0-9]{7,}`},
	{Text: `D.{14,24}`},
	{Text: `[0-9A-Fa-f]{20,}`},
	{Text: `[0-9A-Za-z]{7,24}`},
	{Text: `[cs][0-9A-Za-z]{8,11}`},
	{Text: `[0-9a-f]{12,14}`},
	{Text: `[bi][0-9A-Za-z]{6,13}`},
	{Text: `[0-9A-Za-z]{5}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`},
	{Text: `.{16,}`},
	{Text: `.{10}`},
	{Text: `(.+?)/?`},
	{Text: `[0-9A-Z]{6}|[0-9A-F]{32}`},
	{Text: `cloclo[0-9]*[.].*`},
	{Text: `[0-9a-z]{11,15}`},
	{Text: `[0-9a-z]{11,15}(?:,[0-9a-z]{11,15})+`},
	{Text: `(?:.*,)?[a-z]+(?:,(?:(?:.|\n)*))?`},
	{Text: `[0-9a-z]{11,15}(?:,[0-9a-z]{11,15})*`},
	{Text: `[!-.0-~]{43}(?:/.*)?`},
	{Text: `[!-.0-~]{22}(?:/.*)?`},
	{Text: `(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`, Is: verbs.Token},
	{Text: `!.*`},
	{Text: `F!.*`},
	{Text: `![^!]*![#-.0-~]{43}(?:[!/].*)?|F![^!]*![#-.0-~]{22}(?:[!/].*)?`},
	{Text: `F?!([-_.~:0-9A-Za-z]+)![^!].*`},
	{Text: `[0-9a-z]{5,6}|[0-9a-f]{32}`},
	{Text: `[0-9A-Z]{8}`},
	{Text: `[0-9A-Za-z]{15}`},
	{Text: `[0-9A-Za-z]{9,13}`},
	{Text: `[0-9]{8}.*`},
	{Text: `X-NETEASE-HUGE-ATTACHMENT|X-NTES-HUGE-ATTACHMENT`},
	{Text: `/*[^/](?:(?:.|\n)*)`},
	{Text: `(https?://[^?]*/s/+[^/?]+)(?:[/?].*)?`},
	{Text: `[0-9A-F]{15}`},
	{Text: `s![A-Z].*`},
	{Text: `[biptuvwx]`},
	{Text: `[fo]`},
	{Text: `[a-z]`},
	{Text: `1[0-9A-Za-z]{6}|[0-9A-Za-z]{6}`},
	{Text: `[xy][1-4][mp].{30,}`},
	{Text: `[^!\n]*!.+`},
	{Text: `1drv[.]ms`},
	{Text: `[a-z]/c/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))`},
	{Text: `([^=]*)=*`},
	{Text: `[^+/\n]*[+/].*`},
	{Text: `([a-z])/c/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`},
	{Text: `[a-z]/c/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`},
	{Text: `/(?:(?:.|\n)*)`},
	{Text: `(?:.*[^/][.](?:aspx?|ashx|html?))`},
	{Text: `[a-z]/c/[^/]+/[^/]+`},
	{Text: `(?:(?:/(?:[^/.\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*|[.][^/.\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*|[.][.][^/\\\x00-\x1f\x7f]+))+)`, Is: verbs.Path},
	{Text: `(?:(?:.|\n)*)!(?:(?:.|\n)*)`},
	{Text: `root`},
	{Text: `(?:file|photo|video|audio)(?:,(?:(?:.|\n)*))?`},
	{Text: `folder(?:,(?:(?:.|\n)*))?`},
	{Text: `.+`},
	{Text: `:(?:[biptuvwx]|fl):`},
	{Text: `:[fo]:`},
	{Text: `:[a-km-z]:`},
	{Text: `(?:.|\n)+[.](?:aspx?|ashx|html?)`},
	{Text: `r`},
	{Text: `/.+`},
	{Text: `[{]?[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)+[}]?`},
	{Text: `[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)+`},
	{Text: `.[^/\n]*/.+`},
	{Text: `[A-Z][0-9A-Za-z_-]{11,40}`},
	{Text: `[0-9a-f]{32}`},
	{Text: `(?:page=publink&code=|page=puplink&code=)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `e.*`},
	{Text: `/.*`},
	{Text: `l[0-9A-Za-z]{22}`},
	{Text: `.*[^/]`},
	{Text: `5Z[0-9A-Za-z]{40,80}`},
	{Text: `V.{24,28}`},
	{Text: `fi[0-9A-Za-z]{18,24}`},
	{Text: `[0-9A-Za-z]{5}(?:[.][0-9a-z]{2,4})?|[0-9a-f]{10}[.][0-9a-z]{2,4}`},
	{Text: `[0-9a-f]{32}|[0-9]{6,}`},
	{Text: `(?:[0-9]{5,}|[0-9][0-9A-Za-z]{8})(?:[.]view)?`},
	{Text: `068.*`},
	{Text: `(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/a/.+`},
	{Text: `[0-9a-f]{10,16}`},
	{Text: `[0-9A-Za-z]{11}`},
	{Text: `.{40,}`},
	{Text: `(?:d|web)-.{8,}`},
	{Text: `dt[0-9a-f]{32}`},
	{Text: `:.*`},
	{Text: `(?:.|\n)+[.]aspx`},
	{Text: `(.*?)/_layouts/(?:(?:.|\n)*)`},
	{Text: `:[^/]*/r/([^/]+/[^/]+)(?:/.*)?`},
	{Text: `:[^/]*/r/.+`},
	{Text: `([^/]+/[^/]+)(?:/.*)?`},
	{Text: `:[^/]*/r/(.+)`},
	{Text: `[{]?((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))[}]?`},
	{Text: `(?:.*/)?[^/]+[.]aspx`},
	{Text: `(?:.*/)?(?:_layouts|_api|_vti_bin|_catalogs|sitepages|pages|lists|forms|style%20library|publishingimages|sitecollectionimages)/(?:(?:.|\n)*)`},
	{Text: `(?:.*/)?siteassets/(?:(?:.|\n)*)`},
	{Text: `.*[.]one`},
	{Text: `T[0-9A-Z]+-F[0-9A-Z]+|F[0-9A-Z]{5,}`},
	{Text: `T[^-]+-F[^-]+-[^-]+`},
	{Text: `[^-]{10}-[a-z]{2}`},
	{Text: `.{4,}-[cd]t`},
	{Text: `[0-9A-Za-z]{15,16}`},
	{Text: `(.*?)/s/(?:(?:.|\n)*)`},
	{Text: `.*?/s/((?:(?:.|\n)*))`},
	{Text: `D[0-9]+_[0-9]+_[0-9]+`},
	{Text: `(?:.|\n)+`},
	{Text: `(?:ln|cp[.]).*`},
	{Text: `[0-9a-f]{6,}`},
	{Text: `[0-9a-z]{14,16}`},
	{Text: `[0-9A-Za-z]{9}`},
	{Text: `[0-9A-Za-z]{9}|[0-9A-Za-z]{32}`},
	{Text: `D[0-9A-Za-z]{15,20}`},
	{Text: `[0-9A-Za-z]{5,10}`},
	{Text: `20[0-9]{6}.{4,}|[0-9A-Za-z]{6}[0-9]{6}|[0-9a-z]{12}`},
	{Text: `20[0-9]{6}.{4,}`},
	{Text: `0[0-9A-Za-z]{7,20}`},
	{Text: `[0-9a-z]{12}[.]html`},
	{Text: `[0-9a-z]{5}|[0-9a-z]{8}`},
	{Text: `[0-9A-Za-z]{8,12}`},
	{Text: `[0-9a-z]{8}`},
	{Text: `[0-9a-z]{6,8}`},
	{Text: `[0-9A-Z]{16}-[0-9A-Z]{3,4}`},
	{Text: `doc-?[0-9]+_[0-9]{6,}`},
	{Text: `A[0-9A-Za-z]{17,30}`},
	{Text: `[0-9a-z]{11}`},
	{Text: `t-.{6,}|[0-9A-Za-z]{10}`},
	{Text: `t-.{6,}`},
	{Text: `[0-9]{6}`},
	{Text: `[0-9A-Za-z]{5,8}`},
	{Text: `[0-9a-z]{12}`},
	{Text: `[0-9A-Fa-f]{32,}`},
	{Text: `[0-9a-z]{30,40}`},
	{Text: `[0-9a-f]{14,}`},
	{Text: `netdiskid:.+`},
	{Text: `[0-9A-Za-z]{8}|[0-9A-Za-z]{32}|[0-9A-Za-z]{50}`},
	{Text: `download`},
	{Text: `.*/download[.]php`},
	{Text: `.*filesender(?:(?:.|\n)*)`},
	{Text: `[0-9A-Za-z]{15}|[0-9a-f]{32}`},
	{Text: `[^A-Z\n]*[A-Z].*`},
	{Text: `.*cloud(?:(?:.|\n)*)`},
	{Text: `.*/download(?:(?:.|\n)*)`},
	{Text: `[^01hluvIOUV\n]*[01hluvIOUV].*`},
	{Text: `files`},
	{Text: `[0-9a-z]{20}`},
	{Text: `[0-9A-Za-z]{32}`},
	{Text: `[0-9a-f]{48}`},
	{Text: `0[0-9A-Za-z]{6}|[0-9a-f]{32}`},
	{Text: `[0-9A-Za-z]{16}`},
	{Text: `[-_0-9A-Za-z]{16}`},
	{Text: `AA[0-9A-F]{32}`},
	{Text: `[0-9a-f]{16}`},
	{Text: `/[?]id=((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
	{Text: `(https?://[^/?]*(?:/[^?]*?)??)/d(?:[/?](?:(?:.|\n)*))?`},
	{Text: `[-!].{8,}`},
	{Text: `[0-9a-fA-F]{10,16}`},
	{Text: `/send/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`},
}
