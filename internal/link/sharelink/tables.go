// Code generated from examples/list/list.json. DO NOT EDIT.

package sharelink

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// fingerprint is a digest of the list.
const fingerprint = "963a1e438634076a9adfe381d0ad50b5"

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
	{provider: "cryptpad", hosts: []string{"cryptpad.fr"}, paths: paths16, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[32]}}}}, kind: Page, endToEnd: true}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[33], kind: File, needs: NeedsProgram}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[33], kind: Folder}}},
	{provider: "data.hu", hosts: hosts21, paths: paths17, cases: []form{{token: &patterns[34], kind: File, needs: NeedsProgram}}},
	{provider: "depositfiles", hosts: hosts22, paths: paths18, cases: []form{{token: &patterns[35], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "discord", hosts: hosts23, paths: []string{"/attachments/{}/{id}/{name}"}, cases: []form{{token: &patterns[36], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "divshare", hosts: hosts24, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[37], kind: File, needs: NeedsProgram}}},
	{provider: "docdroid", hosts: hosts25, paths: paths19, cases: []form{{token: &patterns[38], min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "docsend", hosts: hosts26, paths: paths20, cases: []form{{token: &patterns[39], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "doodrive", hosts: []string{"doodrive.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[40], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "download.gg", hosts: []string{"download.gg"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[41], kind: File, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: hosts27, paths: paths21, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts27, paths: paths22, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "preview"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[42]}}}}}}}},
	{provider: "dropbox", hosts: hosts27, paths: paths23, cases: []form{{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts27, paths: paths24, cases: []form{{token: &patterns[34], kind: Folder}}},
	{provider: "dropbox", hosts: hosts27, paths: paths25, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, min: 9, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}},
		{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts27, paths: []string{"/l/scl/{id}"}, cases: []form{{min: 16, kind: Page, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts27, paths: paths26, cases: []form{{min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: []string{"paper.dropbox.com"}, paths: []string{"/doc/*"}, cases: []form{{ownID: true, min: 12, partial: true, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[44]}}}}}}}},
	{provider: "dropbox", hosts: hosts28, paths: paths27, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "dropbox", hosts: hosts29, paths: []string{"/u/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patterns[45]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "droplr", hosts: []string{"d.pr"}, paths: paths28, mark: "//d.pr/", cases: []form{{token: &patterns[30], min: 4, kind: File, needs: NeedsProgram}}},
	{provider: "dropmefiles", hosts: []string{"dropmefiles.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[46], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "easyupload", hosts: hosts30, paths: paths29, cases: []form{{token: &patterns[47], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths30, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/dd/"}, {Piece: verbs.ID}, {Text: "/"}}}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths31, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths32, cases: []form{{min: 8, kind: Folder}}},
	{provider: "fangcloud", hosts: []string{".fangcloud.com"}, paths: []string{"/share/{id}"}, cases: []form{{token: &patterns[48], kind: Page, needs: NeedsProgram}}},
	{provider: "fastmail", hosts: []string{"user.fm"}, paths: []string{"/files/{id}/{name}"}, cases: []form{{token: &patterns[49], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "feishu", hosts: hosts31, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "feishu", hosts: hosts31, paths: paths33, cases: []form{{min: 20, kind: Native, needs: NeedsAccount}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths34, cases: []form{{token: &patterns[50], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths35, cases: []form{{token: &patterns[51], kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hosts32, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[52], kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hosts33, paths: paths36, param: "private_link", cases: []form{{token: &patterns[52], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "file-upload", hosts: hosts34, paths: paths37, cases: []form{{token: &patterns[53], kind: File, needs: NeedsProgram}}},
	{provider: "file.io", hosts: hosts35, paths: []string{"/{id}"}, cases: []form{{token: &patterns[54], min: 6, kind: File, needs: NeedsProgram, once: true}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[55], min: 12, kind: Folder}}},
	{provider: "fileconvoy", hosts: []string{"www.fileconvoy.com"}, paths: []string{"/dfl.php"}, param: "id", cases: []form{{token: &patterns[56], kind: Page, needs: NeedsProgram}}},
	{provider: "filefactory", hosts: hosts36, paths: paths38, cases: []form{{token: &patterns[57], min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "filehorst", hosts: []string{"filehorst.de"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[58], min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "filemail", hosts: hosts37, paths: paths39, cases: []form{{token: &patterns[59], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filemail", hosts: []string{".filemail.com"}, paths: []string{"/api/file/get"}, param: "filekey", cases: []form{{min: 20, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filemail", hosts: []string{"fil.email"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "filen", hosts: hosts38, paths: []string{"/"}, cases: []form{{ownID: true, token: &patterns[9], kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[60]}}}}}}}},
	{provider: "filen", hosts: hosts39, paths: paths40, cases: []form{{token: &patterns[9], kind: Page, endToEnd: true}}},
	{provider: "files.fm", hosts: []string{"files.fm"}, paths: paths41, cases: []form{{token: &patterns[61], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "filetransfer.io", hosts: []string{"filetransfer.io"}, paths: paths42, cases: []form{{token: &patterns[58], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filez", hosts: hosts40, paths: []string{"/l/{id}"}, cases: []form{{token: &patterns[30], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "firestorage", hosts: []string{"firestorage.jp"}, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[62], kind: Page, needs: NeedsProgram}}},
	{provider: "frame.io", hosts: hosts41, paths: paths43, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "frams-fex", hosts: hosts42, paths: []string{"/fop/{id}/{name}"}, cases: []form{{token: &patterns[58], min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[63], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/getfile.pl"}, param: "file", cases: []form{{token: &patterns[64], kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"transfert.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[38], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "ge.tt", hosts: []string{"ge.tt"}, paths: paths44, cases: []form{{token: &patterns[65], kind: Page, needs: NeedsProgram}}},
	{provider: "gigafile", hosts: []string{".gigafile.nu"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[66], kind: Page, needs: NeedsProgram}}},
	{provider: "gigamove", hosts: hosts43, paths: paths45, cases: []form{{token: &patterns[67], min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "github", hosts: []string{"github.com"}, paths: paths46, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gitlab", hosts: []string{"gitlab.com"}, paths: paths47, cases: []form{{token: &patterns[68], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gmx", hosts: hosts44, paths: paths48, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[69]}}}}, min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/d/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/"}, param: "c", cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{".gofile.io"}, paths: paths49, cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths50, cases: []form{{min: 15, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: []string{"/{type}/d/e/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[70]}}}}, token: &patterns[71], partial: true, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths51, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[72]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[73]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths52, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[72]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[73]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths53, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patterns[72]}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[73]}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths54, param: "id", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths55, param: "docid", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: hosts45, paths: paths56, param: "key", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-drive", hosts: hosts46, paths: paths57, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts46, paths: paths58, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts46, paths: paths59, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts46, paths: paths60, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts46, paths: paths61, cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: hosts46, paths: paths62, param: "id", cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: []string{"drive.usercontent.google.com"}, paths: paths63, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "confirm", Parts: []verbs.Part{{Text: "t"}}}}}, find: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: []string{"docs.google.com"}, paths: paths64, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[75]}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts47, paths: paths65, cases: []form{{min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "google-photos", hosts: hosts48, paths: paths66, cases: []form{{token: &patterns[76], min: 17, kind: Page, needs: NeedsProgram}}},
	{provider: "grosfichiers", hosts: []string{"www.grosfichiers.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[77], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "hidrive", hosts: hosts49, paths: paths67, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"spaces.hightail.com"}, paths: paths68, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"www.yousendit.com"}, paths: []string{"/transfer.php"}, param: "ufid", cases: []form{{token: &patterns[78], kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{".yousendit.com"}, paths: []string{"/d.aspx"}, param: "id", cases: []form{{token: &patterns[79], kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: hosts50, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[80], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "hubspot", hosts: []string{".hubspot.com"}, paths: []string{"/documents/{owner}/view/{id}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "icedrive", hosts: []string{"icedrive.net"}, paths: paths69, cases: []form{{min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "icloud", hosts: hosts51, paths: []string{"/attachment"}, param: "u", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterns[81]}}}}, ownID: true, token: &patterns[74], kind: File, direct: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "${f}", Parts: []verbs.Part{{Piece: verbs.Name, Form: verbs.Escaped}}}, {Op: verbs.Replace, Text: "${uk}", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.Escaped}}}, {Op: verbs.URL}, {Piece: verbs.Link}}}, more: &facts{size: verbs.Any{{{Op: verbs.Param, Text: "sz"}}}, expires: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "f"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}, {Op: verbs.Not, Pattern: &patterns[82]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "uk"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}}}}},
	{provider: "icloud", hosts: hosts51, paths: []string{"/iclouddrive/{id}"}, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: []string{"share.icloud.com"}, paths: []string{"/photos/{id}"}, cases: []form{{min: 16, kind: Folder}}},
	{provider: "icloud", hosts: hosts51, paths: paths70, cases: []form{{ownID: true, min: 12, kind: Folder, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[83]}}}}}}}},
	{provider: "icloud", hosts: hosts51, paths: paths71, cases: []form{{token: &patterns[84], kind: Native, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: hosts51, paths: []string{"/iw"}, cases: []form{{ownID: true, min: 20, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[85]}}}}}}}},
	{provider: "icloud", hosts: hosts52, paths: []string{"/B/{}/{name}"}, cases: []form{{ownID: true, token: &patterns[74], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Percent}, {Op: verbs.Not, Pattern: &patterns[86]}, {Piece: verbs.Link}}}, more: &facts{expires: verbs.Any{{{Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Name}, {Op: verbs.Not, Pattern: &patterns[82]}}}}}}}},
	{provider: "ifolder", hosts: hosts53, paths: []string{"/{id}"}, cases: []form{{token: &patterns[87], kind: File, needs: NeedsProgram}}},
	{provider: "ilanzou", hosts: []string{"www.ilanzou.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "internxt", hosts: hosts54, paths: paths72, cases: []form{{min: 12, kind: Page, endToEnd: true}}},
	{provider: "jianguoyun", hosts: []string{"www.jianguoyun.com"}, paths: []string{"/p/{id}"}, cases: []form{{token: &patterns[88], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "jottacloud", hosts: hosts55, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[89], kind: Page, needs: NeedsProgram}}},
	{provider: "jumpshare", hosts: hosts56, paths: paths73, cases: []form{{token: &patterns[90], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "kakao", hosts: hosts57, paths: paths74, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kakao", hosts: []string{"attach.mail.daum.net"}, paths: paths75, cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kdocs", hosts: hosts58, paths: []string{"/l/{id}"}, cases: []form{{token: &patterns[91], min: 9, kind: Native, needs: NeedsAccount}}},
	{provider: "kdrive", hosts: []string{"kdrive.infomaniak.com"}, paths: paths76, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "keep2share", hosts: hosts59, paths: paths77, cases: []form{{token: &patterns[92], kind: File, needs: NeedsProgram}}},
	{provider: "koofr", hosts: hosts60, paths: []string{"/links/{id}"}, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "koofr", hosts: []string{"k00.fr"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "krakenfiles", hosts: hosts61, paths: []string{"/view/{id}/file.html"}, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "lanzou", hosts: hosts62, paths: []string{"/{id}"}, cases: []form{{token: &patterns[93], min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "limewire", hosts: []string{"limewire.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[94], min: 5, kind: Page, endToEnd: true}}},
	{provider: "lufi", hosts: hosts63, paths: []string{"/r/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[95]}}}}, token: &patterns[96], min: 10, kind: File, endToEnd: true}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/public/{owner}/{id}"}, cases: []form{{min: 8, kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud.mail.ru/api/v2/dispatcher?api=2"}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "body.weblink_get.0.url"}, {Op: verbs.Match, Pattern: &patterns[97]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/"}, {Piece: verbs.Owner}, {Text: "/"}, {Piece: verbs.ID}}}}}}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: paths78, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "mail.ru", hosts: []string{"files.mail.ru"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[98], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts64, paths: paths79, cases: []form{{min: 10, kind: File, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts65, paths: paths80, cases: []form{{min: 10, kind: Folder}}},
	{provider: "mediafire", hosts: []string{"app.mediafire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[99], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: []string{".mediafire.com"}, paths: []string{"/{}/{id}/{name}"}, cases: []form{{token: &patterns[99], min: 11, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "mediafire", hosts: hosts64, paths: paths81, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[100]}}}}, unless: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[101]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts64, paths: paths82, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[102]}}}}, unless: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[101]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mega", hosts: hosts66, paths: paths83, cases: []form{{min: 8, kind: File, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[103]}}}}}}},
	{provider: "mega", hosts: hosts66, paths: paths84, cases: []form{{min: 8, kind: Folder, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[104]}}}}}}},
	{provider: "mega", hosts: hosts66, paths: []string{"/"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[105]}}}}, ownID: true, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[106]}}}}, {Folder, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[107]}}}}}, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[108]}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[109]}}}}}}}},
	{provider: "mega", hosts: []string{"transfer.it"}, paths: []string{"/t/{id}"}, cases: []form{{min: 10, kind: Page, endToEnd: true}}},
	{provider: "megaup", hosts: []string{"megaup.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, token: &patterns[110], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "megaupload", hosts: hosts67, paths: []string{"/"}, param: "d", cases: []form{{token: &patterns[111], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "meo", hosts: []string{"cld.pt"}, paths: []string{"/dl/download/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, token: &patterns[9], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "mirrorace", hosts: []string{"mirrorace.org"}, paths: []string{"/m/{id}"}, cases: []form{{token: &patterns[46], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "mirrored", hosts: hosts68, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &patterns[111], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "modsfire", hosts: []string{"modsfire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[112], min: 15, kind: File, needs: NeedsProgram}}},
	{provider: "myairbridge", hosts: []string{"mab.to"}, paths: paths85, cases: []form{{token: &patterns[113], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "narod", hosts: []string{"narod.ru"}, paths: paths86, cases: []form{{token: &patterns[114], kind: File, needs: NeedsProgram}}},
	{provider: "naver", hosts: []string{"bigfile.mail.naver.com"}, paths: paths74, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "naver", hosts: []string{"mybox.naver.com"}, paths: []string{"/share/list"}, param: "shareKey", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "netease", hosts: hosts69, paths: paths87, param: "file", cases: []form{{unless: []verbs.Any{{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patterns[74]}, {Op: verbs.Not, Pattern: &patterns[115]}}}}, min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "netease", hosts: []string{"dashi.163.com"}, paths: []string{"/html/cloud-attachment-download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "nextcloud", hosts: hosts70, paths: paths88, cases: []form{{min: 8, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[117]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nitroflare", hosts: hosts71, paths: paths89, cases: []form{{token: &patterns[118], kind: File, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/{id}"}, cases: []form{{token: &patterns[119], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[121]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[122]}}}}}, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts72, paths: []string{"/{id}"}, cases: []form{{token: &patterns[123], min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts73, paths: paths90, cases: []form{{token: &patterns[124], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/c/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[121]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[122]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts74, paths: paths91, param: "resid", cases: []form{{token: &patterns[125], kind: File, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts74, paths: paths92, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[126]}}}}, ownID: true, min: 16, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[121]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[122]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[127]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[128]}, {Op: verbs.Not, Pattern: &patterns[129]}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[130]}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[131]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[126]}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[134]}}}}, min: 16, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[128]}, {Op: verbs.Not, Pattern: &patterns[129]}, {Op: verbs.Base64}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[136]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[126]}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[134]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[137]}}}}, min: 16, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[128]}, {Op: verbs.Not, Pattern: &patterns[129]}, {Op: verbs.Base64}}}}}}}},
	{provider: "onedrive", hosts: hosts74, paths: paths92, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[140], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[136]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[137]}}}}, token: &patterns[140], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts74, paths: []string{"/"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[140], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[136]}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[137]}}}}, token: &patterns[140], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[138]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[139]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts74, paths: []string{"/{type}/g/personal/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[143]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts74, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[143]}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts74, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &patterns[145]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[143]}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[105]}}}}}}}},
	{provider: "onedrive", hosts: hosts74, paths: paths93, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[126]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[120]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[121]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[122]}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[127]}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[128]}, {Op: verbs.Not, Pattern: &patterns[129]}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[130]}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[131]}}}}}}}},
	{provider: "onedrive", hosts: hosts74, paths: paths94, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[125], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}}, token: &patterns[125], kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts74, paths: paths94, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[146], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}}, token: &patterns[147], kind: File, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "UniqueId", cases: []form{{token: &patterns[148], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts75, paths: paths95, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[149]}}}, {{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "opendrive", hosts: hosts76, paths: paths96, cases: []form{{token: &patterns[150], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "osf", hosts: []string{"osf.io"}, paths: paths97, param: "view_only", cases: []form{{token: &patterns[151], kind: Folder}}},
	{provider: "pcloud", hosts: hosts77, paths: []string{"/"}, cases: []form{{ownID: true, min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[152]}}}}}}}},
	{provider: "pcloud", hosts: hosts78, paths: []string{"/publink/show"}, param: "code", cases: []form{{min: 6, kind: Page, ask: verbs.Any{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[153]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://eapi.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: "https://api.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "hosts.0"}, {Op: verbs.Match, Pattern: &patterns[74]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[154]}}}}}}}},
	{provider: "pcloud", hosts: hosts79, paths: []string{"/{id}/*"}, cases: []form{{token: &patterns[155], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[74]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "pcloud", hosts: []string{"transfer.pcloud.com"}, paths: []string{"/download.html"}, param: "code", cases: []form{{token: &patterns[157], kind: Page, needs: NeedsProgram}}},
	{provider: "pcloud", hosts: hosts80, paths: []string{"/{id}"}, cases: []form{{token: &patterns[30], min: 4, kind: Page, needs: NeedsProgram}}},
	{provider: "pikpak", hosts: hosts81, paths: paths7, cases: []form{{token: &patterns[158], min: 25, kind: Page, needs: NeedsProgram}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths98, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://pixeldrain.com/api/file/"}, {Piece: verbs.ID}, {Text: "?download"}}}}}}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths99, cases: []form{{min: 8, kind: Folder}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths100, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", hosts: hosts82, paths: paths101, cases: []form{{token: &patterns[159], kind: Page, needs: NeedsProgram}}},
	{provider: "proton", hosts: []string{"drive.proton.me"}, paths: []string{"/urls/{id}"}, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "puush", hosts: []string{"puu.sh"}, paths: paths102, cases: []form{{token: &patterns[160], min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "qq", hosts: hosts83, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"mail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "quark", hosts: []string{"pan.quark.cn"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "rapidgator", hosts: hosts84, paths: paths77, cases: []form{{token: &patterns[161], kind: File, needs: NeedsProgram}}},
	{provider: "rapidshare", hosts: hosts85, paths: paths103, cases: []form{{token: &patterns[34], kind: File, needs: NeedsProgram}}},
	{provider: "rghost", hosts: hosts86, paths: paths104, cases: []form{{token: &patterns[162], kind: File, needs: NeedsProgram}}},
	{provider: "salesforce", hosts: hosts87, paths: []string{"/sfc/dist/version/download"}, param: "ids", cases: []form{{token: &patterns[163], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "salesforce", hosts: hosts87, paths: []string{"/sfc/p/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[164]}}, {{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[164]}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", hosts: hosts88, paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[52], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", hosts: hosts88, paths: []string{"/d/{}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patterns[140], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "seafile", hosts: hosts88, paths: []string{"/seafhttp/files/{id}/{name}"}, cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", hosts: hosts88, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[52], kind: Folder}}},
	{provider: "send", hosts: hosts89, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[165], kind: Page, endToEnd: true}}},
	{provider: "send-anywhere", hosts: hosts90, paths: paths105, cases: []form{{token: &patterns[111], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sendbig", hosts: []string{"www.sendbig.com"}, paths: []string{"/view-files"}, param: "Id", cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "sendgb", hosts: hosts91, paths: []string{"/{id}"}, cases: []form{{token: &patterns[166], min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "sendsafely", hosts: []string{".sendsafely.com"}, paths: []string{"/receive"}, param: "packageCode", cases: []form{{token: &patterns[167], kind: Page, endToEnd: true}}},
	{provider: "sendspace", hosts: []string{"www.sendspace.com"}, paths: paths106, cases: []form{{token: &patterns[47], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts92, paths: paths107, cases: []form{{token: &patterns[168], kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts92, paths: paths108, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts92, paths: []string{"/download.ashx"}, param: "dt", cases: []form{{token: &patterns[169], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: []string{"/{type}/r/*"}, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[170]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[171]}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[146], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[170]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[171]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}}, token: &patterns[147], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[177]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: []string{"/{type}/r/*"}, param: "dtMigrationdoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[170]}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[171]}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}, {Op: verbs.Not, Pattern: &patterns[135]}}}}, token: &patterns[147], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[177]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[144]}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[143]}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &patterns[145]}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[141]}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[142]}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterns[143]}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[105]}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths109, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths109, param: "UniqueId", cases: []form{{token: &patterns[148], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths109, param: "SourceUrl", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[140], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths110, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths110, param: "guestaccesstoken", cases: []form{{min: 12, partial: true, kind: File, needs: NeedsAccount, cookies: true}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths111, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[146], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[132]}}}}, token: &patterns[147], kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[177]}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: []string{"/*"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[149]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[178]}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}}, token: &patterns[140], partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts93, paths: paths112, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[149]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[179]}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[180]}}, {{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &patterns[181]}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterns[133]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &patterns[43]}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[135]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &patterns[172]}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[173]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &patterns[174]}, {Op: verbs.Match, Pattern: &patterns[175]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterns[176]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sina", hosts: hosts94, paths: []string{"/filecenter/download.php"}, param: "id", cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "slack", hosts: []string{".slack.com"}, paths: paths113, cases: []form{{token: &patterns[182], kind: File, needs: NeedsAccount}}},
	{provider: "slack", hosts: []string{"slack-files.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[183], kind: File, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[184], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"files.fromsmash.com"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[185], kind: Page, needs: NeedsProgram}}},
	{provider: "stack", hosts: []string{".stackstorage.com"}, paths: paths7, cases: []form{{token: &patterns[186], min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "storj", hosts: hosts95, paths: []string{"/s/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[74]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[187]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/raw/"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}, {{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[188]}}}}}}}},
	{provider: "storj", hosts: hosts95, paths: []string{"/raw/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patterns[74]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[156]}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sugarsync", hosts: []string{"www.sugarsync.com"}, paths: []string{"/pf/{id}"}, cases: []form{{token: &patterns[189], kind: Page, needs: NeedsProgram}}},
	{provider: "swisstransfer", hosts: hosts96, paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[9], kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://www.swisstransfer.com/api/links/"}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.1"}, {Op: verbs.Not, Pattern: &patterns[190]}, {Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.0.UUID"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/api/download/"}, {Piece: verbs.ID}, {Text: "/"}, {Piece: verbs.Value}}}}}, once: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.downloadHost"}}}}}}}},
	{provider: "sync.com", hosts: []string{".sync.com"}, paths: paths114, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[191]}}}}, token: &patterns[192], min: 6, kind: Page, endToEnd: true}}},
	{provider: "syncplicity", hosts: []string{".syncplicity.com"}, paths: paths115, cases: []form{{token: &patterns[193], min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{"gofile.me"}, paths: []string{"/{owner}/{id}"}, cases: []form{{token: &patterns[194], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{".quickconnect.to"}, paths: paths116, cases: []form{{token: &patterns[195], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "temp.sh", hosts: []string{"temp.sh"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[46], min: 5, kind: File, needs: NeedsProgram}}},
	{provider: "tencent-docs", hosts: []string{"docs.qq.com"}, paths: paths117, cases: []form{{token: &patterns[196], min: 16, kind: Native, needs: NeedsAccount}}},
	{provider: "terabox", hosts: hosts97, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "terabox", hosts: hosts97, paths: paths118, param: "surl", cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "thunderbird-send", hosts: []string{"send.tb.pro"}, paths: paths119, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "tianyi", hosts: []string{"download.cloud.189.cn"}, paths: []string{"/file/downloadFile.action"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, more: &facts{expireMS: verbs.Any{{{Op: verbs.Param, Text: "expired"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/t/{id}"}, cases: []form{{token: &patterns[197], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/web/share"}, param: "code", cases: []form{{token: &patterns[197], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tinyupload", hosts: hosts98, paths: paths120, param: "file_id", cases: []form{{token: &patterns[12], kind: File, needs: NeedsProgram}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/dl/{id}/{name}"}, cases: []form{{token: &patterns[13], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "transfer.sh", hosts: []string{"transfer.sh"}, paths: paths121, cases: []form{{token: &patterns[198], min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "transferbigfiles", hosts: []string{"www.transferbigfiles.com"}, paths: paths9, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts99, paths: paths122, cases: []form{{token: &patterns[199], min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts99, paths: paths123, param: "utm_source", cases: []form{{token: &patterns[200], kind: Page, needs: NeedsProgram}}},
	{provider: "transferxl", hosts: hosts100, paths: paths124, cases: []form{{token: &patterns[201], min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "tresorit", hosts: []string{"web.tresorit.com"}, paths: []string{"/l/{id}"}, cases: []form{{min: 5, kind: Page, endToEnd: true}}},
	{provider: "tresorit", hosts: hosts101, paths: paths125, cases: []form{{ownID: true, min: 16, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[83]}}}}}}}},
	{provider: "turbobit", hosts: []string{"turbobit.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[202], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "ubuntuone", hosts: []string{"ubuntuone.com"}, paths: paths126, cases: []form{{token: &patterns[30], min: 3, kind: File, needs: NeedsProgram}}},
	{provider: "uc", hosts: []string{"drive.uc.cn"}, paths: []string{"/s/{id}"}, cases: []form{{token: &patterns[31], kind: Page, needs: NeedsProgram}}},
	{provider: "ufile", hosts: hosts102, paths: paths13, cases: []form{{token: &patterns[203], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "uloz.to", hosts: hosts103, paths: paths77, cases: []form{{token: &patterns[204], min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "upload.ee", hosts: hosts104, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &patterns[13], kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts105, paths: paths77, cases: []form{{token: &patterns[205], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts105, paths: []string{"/"}, param: "id", cases: []form{{token: &patterns[206], random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploadhaven", hosts: []string{"uploadhaven.com"}, paths: []string{"/download/{id}"}, cases: []form{{token: &patterns[151], kind: File, needs: NeedsProgram}}},
	{provider: "uschovna", hosts: hosts106, paths: []string{"/zasilka/{id}"}, cases: []form{{token: &patterns[207], kind: Page, needs: NeedsProgram}}},
	{provider: "uupload", hosts: []string{"uupload.ir"}, paths: []string{"/filelink/{id}/{name}"}, cases: []form{{token: &patterns[197], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "vk", hosts: hosts107, paths: []string{"/{id}"}, mark: "vk.com/doc", cases: []form{{token: &patterns[208], kind: File, needs: NeedsProgram}}},
	{provider: "weibo", hosts: []string{"vdisk.weibo.com"}, paths: paths127, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "weixin", hosts: []string{"drive.weixin.qq.com"}, paths: []string{"/s"}, param: "k", cases: []form{{token: &patterns[209], min: 18, kind: Page, needs: NeedsProgram}}},
	{provider: "weiyun", hosts: []string{"share.weiyun.com"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "wenshushu", hosts: hosts108, paths: paths128, cases: []form{{token: &patterns[210], random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"we.tl"}, paths: []string{"/{id}"}, cases: []form{{token: &patterns[211], random: true, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hosts109, paths: paths129, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hosts109, paths: paths130, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"download.wetransfer.com"}, paths: []string{"/{}/{id}/*"}, cases: []form{{token: &patterns[48], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "wetransfer", hosts: []string{"collect.wetransfer.com"}, paths: []string{"/board/{id}"}, cases: []form{{min: 12, kind: Folder}}},
	{provider: "wikisend", hosts: hosts110, paths: []string{"/download/{id}/{name}"}, cases: []form{{token: &patterns[212], kind: File, needs: NeedsProgram}}},
	{provider: "workupload", hosts: []string{"workupload.com"}, paths: paths131, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "wormhole", hosts: []string{"wormhole.app"}, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[95]}}}}, token: &patterns[213], random: true, kind: Page, endToEnd: true}}},
	{provider: "xfilesharing", hosts: hosts111, paths: paths9, cases: []form{{token: &patterns[214], min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "xunlei", hosts: []string{"pan.xunlei.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 20, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts112, paths: []string{"/i/{id}"}, cases: []form{{min: 8, kind: File, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud-api.yandex.net/v1/disk/public/resources/download?public_key="}, {Piece: verbs.Link, Form: verbs.Escaped}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "href"}}}}}},
	{provider: "yandex", hosts: hosts112, paths: paths132, param: "hash", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts112, paths: paths133, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts112, paths: []string{"/mail"}, param: "hash", cases: []form{{min: 8, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zendesk", hosts: []string{".zendesk.com"}, paths: []string{"/attachments/token/{id}"}, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zeta-uploader", hosts: []string{"www.zeta-uploader.com"}, paths: paths102, cases: []form{{token: &patterns[51], kind: Page, needs: NeedsProgram}}},
	{provider: "zippyshare", hosts: []string{".zippyshare.com"}, paths: paths134, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts113, paths: []string{"/external/{id}"}, cases: []form{{token: &patterns[215], kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/external/"}, {Piece: verbs.ID}, {Text: "/download?directDownload=true"}}}}}}}},
	{provider: "zoho", hosts: hosts113, paths: []string{"/external/{id}/download"}, cases: []form{{token: &patterns[215], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "directDownload", Parts: []verbs.Part{{Text: "true"}}}}}}}},
	{provider: "zoho", hosts: hosts113, paths: []string{"/external/{type}/{id}"}, cases: []form{{token: &patterns[215], kind: Page, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts113, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "zoho", hosts: hosts113, paths: []string{"/folder/{id}"}, cases: []form{{min: 20, kind: Folder}}},
	{provider: "zoho", hosts: hosts114, paths: []string{"/file/{id}"}, cases: []form{{token: &patterns[216], kind: File, needs: NeedsProgram}}},
	{provider: "zshare", hosts: hosts115, paths: paths135, cases: []form{{token: &patterns[217], kind: File, needs: NeedsProgram}}},
	{provider: "alibaba", paths: []string{"/alimail/openLinks/downloadMimeMetaDiskBigAttach"}, param: "id", mark: "openlinks", cases: []form{{token: &patterns[218], kind: File, needs: NeedsProgram}}},
	{provider: "filesender", paths: paths136, param: "token", mark: "filesender", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[219]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[221]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[221]}}}}, token: &patterns[9], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[45]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[45]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
}

// guesses has shapes of links that only one program has, at any host.
var guesses = []rule{
	{provider: "nextcloud", paths: paths137, mark: "/index.php/s/", cases: []form{{token: &patterns[222], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[117]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nextcloud", paths: paths137, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &patterns[223]}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[224]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[225]}}, {{Piece: verbs.ID}, {Op: verbs.Not, Pattern: &patterns[226]}}}}, token: &patterns[112], min: 15, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[117]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "owncloud", paths: paths138, param: "t", mark: "public.php?service=files", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &patterns[227]}}}}, token: &patterns[68], kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "filesender", paths: paths136, param: "token", mark: "?s=download", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[219]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}}}}, token: &patterns[9], kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", paths: []string{"/seafhttp/files/{id}/{name}"}, mark: "/seafhttp/files/", cases: []form{{token: &patterns[9], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", paths: []string{"/d/{owner}/files"}, param: "p", mark: "/files/?p=", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patterns[228]}}}, {{{Piece: verbs.Name}}}}, token: &patterns[140], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{token: &patterns[52], kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", paths: []string{"/d/{id}"}, cases: []form{{token: &patterns[52], kind: Folder}}},
	{provider: "dracoon", paths: []string{"/public/download-shares/{id}"}, mark: "/public/download-shares/", cases: []form{{token: &patterns[229], kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", paths: paths139, mark: "/getlink/fi", cases: []form{{token: &patterns[159], kind: Page, needs: NeedsProgram}}},
	{provider: "open-xchange", paths: paths140, mark: "/ajax/share/", cases: []form{{token: &patterns[230], kind: Page, needs: NeedsProgram}}},
	{provider: "qnap", paths: paths141, param: "ssid", mark: "share.cgi", cases: []form{{token: &patterns[231], kind: Page, needs: NeedsProgram}}},
	{provider: "synology", paths: []string{"/sharing/{id}"}, mark: "/sharing/", cases: []form{{token: &patterns[194], min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "zendto", paths: paths142, param: "claimID", mark: "claimid=", cases: []form{{token: &patterns[232], min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "hcp-anywhere", paths: []string{"/u/{id}/{name}"}, mark: "//hcpanywhere", cases: []form{{token: &patterns[233], min: 16, kind: File, needs: NeedsProgram}}},
	{provider: "anyshare", paths: []string{"/link/{id}"}, mark: "/link/aa", cases: []form{{token: &patterns[234], kind: Page, needs: NeedsProgram}}},
	{provider: "send", paths: []string{"/download/{id}"}, mark: "/download/", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[95]}}}}, token: &patterns[235], kind: File, endToEnd: true}}},
}

// software has the shapes of links at hosts that a caller names.
var software = []program{
	{[]string{"nextcloud", "owncloud"}, []rule{
		{provider: "nextcloud", paths: paths143, cases: []form{{kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[74]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[0]}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[117]}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patterns[74]}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
		{provider: "nextcloud", paths: paths144, cases: []form{{kind: Page, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "nextcloud", paths: paths145, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
		{provider: "nextcloud", paths: paths146, param: "t", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &patterns[227]}}}}, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[116]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	}},
	{[]string{"seafile"}, []rule{
		{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
		{provider: "seafile", paths: paths147, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "seafile", paths: []string{"/d/{id}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patterns[140], partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
		{provider: "seafile", paths: paths148, cases: []form{{kind: Folder}}},
		{provider: "seafile", paths: paths149, cases: []form{{token: &patterns[9], kind: Page, needs: NeedsAccount}}},
	}},
	{[]string{"zimbra"}, []rule{
		{provider: "zimbra", paths: paths150, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &patterns[149]}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[43]}}}}}}}},
	}},
	{[]string{"kiteworks"}, []rule{
		{provider: "kiteworks", paths: paths151, cases: []form{{kind: Page, needs: NeedsProgram}}},
		{provider: "kiteworks", paths: paths152, cases: []form{{kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filesender"}, []rule{
		{provider: "filesender", paths: paths153, param: "token", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &patterns[219]}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}}}}, token: &patterns[9], kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[45]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterns[45]}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[220]}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
	}},
	{[]string{"liquidfiles"}, []rule{
		{provider: "liquidfiles", paths: paths154, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"hidrive"}, []rule{
		{provider: "hidrive", paths: paths67, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"pydio"}, []rule{
		{provider: "pydio", paths: []string{"/public/{id}"}, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filerun"}, []rule{
		{provider: "filerun", paths: paths155, param: "id", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"projectsend"}, []rule{
		{provider: "projectsend", paths: []string{"/download.php"}, param: "token", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}}}},
		{provider: "projectsend", paths: paths156, cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/s/"}, {Piece: verbs.ID}, {Text: "/download"}}}}}, once: true}}},
	}},
	{[]string{"plik"}, []rule{
		{provider: "plik", paths: []string{"/file/{owner}/{id}/{name}"}, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "plik", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[236]}}}}}}}},
	}},
	{[]string{"gokapi"}, []rule{
		{provider: "gokapi", paths: []string{"/d"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[237]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/d/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterns[237]}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/dh/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "gokapi", paths: []string{"/downloadFile"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"picoshare"}, []rule{
		{provider: "picoshare", paths: paths90, cases: []form{{token: &patterns[238], kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"send"}, []rule{
		{provider: "send", paths: []string{"/download/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[95]}}}}, token: &patterns[239], kind: File, endToEnd: true}}},
	}},
	{[]string{"bitwarden-send"}, []rule{
		{provider: "bitwarden-send", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[240]}}}}}}}},
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
	paths16 = []string{"/file", "/drive", "/pad", "/doc", "/sheet", "/slide", "/presentation", "/code", "/kanban", "/whiteboard",
		"/diagram"}
	hosts21 = []string{"data.hu", ".data.hu"}
	paths17 = []string{"/get/{id}/{name}", "/get/{}/{id}/{name}"}
	hosts22 = []string{"depositfiles.com", "www.depositfiles.com", "dfiles.eu"}
	paths18 = []string{"/files/{id}", "/{}/files/{id}"}
	hosts23 = []string{"cdn.discordapp.com", "media.discordapp.net"}
	hosts24 = []string{"www.divshare.com", "divshare.com"}
	hosts25 = []string{"www.docdroid.net", "docdroid.net"}
	paths19 = []string{"/{id}", "/{id}/{}", "/file/download/{id}/{name}"}
	hosts26 = []string{"docsend.com", ".docsend.com"}
	paths20 = []string{"/view/{id}", "/view/{id}/d/{}"}
	hosts27 = []string{"www.dropbox.com", "dropbox.com"}
	paths21 = []string{"/scl/fi/{id}/{name}", "/e/scl/fi/{id}/{name}", "/s/{id}/{name}", "/s/{id}"}
	paths22 = []string{"/scl/fo/{owner}/*", "/sh/{owner}/*"}
	paths23 = []string{"/scl/fo/{id}", "/scl/fo/{id}/{}", "/sh/{id}/{}", "/sh/{id}", "/sc/{id}/{}", "/sc/{id}"}
	paths24 = []string{"/gallery/{id}/{}", "/gallery/{id}/{}/{}"}
	paths25 = []string{"/scl/fo/{id}/{}/*", "/sh/{id}/{}/*"}
	paths26 = []string{"/l/s/{id}", "/l/{id}/transfer", "/t/{id}", "/transfer/{id}"}
	hosts28 = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com"}
	paths27 = []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}", "/sh/{id}/{}/{name}", "/content_link/{id}/file"}
	hosts29 = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com", "www.dropbox.com", "dropbox.com"}
	paths28 = []string{"/f/{id}", "/i/{id}", "/v/{id}", "/free/f/{id}", "/free/i/{id}"}
	hosts30 = []string{"easyupload.io", "www.easyupload.io"}
	paths29 = []string{"/{id}", "/m/{id}"}
	paths30 = []string{"/dl/{id}", "/dl/{id}/{name}"}
	paths31 = []string{"/dd/{id}", "/dd/{id}/*"}
	paths32 = []string{"/fl/{id}", "/fl/{id}/*"}
	hosts31 = []string{".feishu.cn", ".larksuite.com"}
	paths33 = []string{"/docx/{id}", "/docs/{id}", "/wiki/{id}", "/sheets/{id}", "/base/{id}", "/slides/{id}"}
	paths34 = []string{"/s/{id}", "/{}/s/{id}"}
	paths35 = []string{"/{id}", "/get/{id}/{}"}
	hosts32 = []string{"figshare.com", ".figshare.com"}
	hosts33 = []string{"ndownloader.figshare.com", "figshare.com"}
	paths36 = []string{"/files/{}", "/ndownloader/files/{}"}
	hosts34 = []string{".file-upload.net", "file-upload.net"}
	paths37 = []string{"/{id}/{}", "/{}/{id}/{}"}
	hosts35 = []string{"file.io", "www.file.io"}
	hosts36 = []string{"www.filefactory.com", "filefactory.com"}
	paths38 = []string{"/file/{id}", "/file/{id}/*"}
	hosts37 = []string{".filemail.com", "filemail.com"}
	paths39 = []string{"/d/{id}", "/t/{id}"}
	hosts38 = []string{"app.filen.io", "drive.filen.io"}
	hosts39 = []string{"filen.io", "app.filen.io", "drive.filen.io"}
	paths40 = []string{"/d/{id}", "/f/{id}"}
	paths41 = []string{"/u/{id}", "/f/{id}"}
	paths42 = []string{"/data-package/{id}", "/data-package/{id}/download"}
	hosts40 = []string{"jbox.sjtu.edu.cn", "pan.bnu.edu.cn"}
	hosts41 = []string{"next.frame.io", "app.frame.io"}
	paths43 = []string{"/share/{id}", "/share/{id}/*", "/reviews/{id}", "/reviews/{id}/*"}
	hosts42 = []string{"fex.rus.uni-stuttgart.de", "fex.belwue.de"}
	paths44 = []string{"/{id}", "/{id}/v/{}", "/api/1/files/{id}/{}/blob"}
	hosts43 = []string{"gigamove.rwth-aachen.de", "gigamove.rz.rwth-aachen.de"}
	paths45 = []string{"/de/download/{id}", "/en/download/{id}", "/d/id/{id}"}
	paths46 = []string{"/user-attachments/files/{id}/{name}", "/{owner}/{}/files/{id}/{name}"}
	paths47 = []string{"/-/project/{owner}/uploads/{id}/{name}", "/{owner}/{}/uploads/{id}/{name}",
		"/{owner}/{}/{}/uploads/{id}/{name}"}
	hosts44 = []string{"c.gmx.net", "c.web.de"}
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
	hosts45 = []string{"docs.google.com", "spreadsheets.google.com"}
	paths56 = []string{"/spreadsheet/ccc", "/spreadsheet/pub", "/ccc", "/pub", "/a/{}/spreadsheet/ccc", "/a/{}/spreadsheet/pub",
		"/a/{}/ccc", "/a/{}/pub", "/corp/spreadsheet/ccc", "/corp/spreadsheet/pub", "/corp/ccc", "/corp/pub"}
	hosts46 = []string{"drive.google.com", "docs.google.com"}
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
	hosts47 = []string{"googledrive.com", "www.googledrive.com"}
	paths65 = []string{"/host/{id}", "/host/{id}/*"}
	hosts48 = []string{"photos.google.com", "photos.app.goo.gl"}
	paths66 = []string{"/share/{id}", "/share/{id}/photo/{}", "/{id}"}
	hosts49 = []string{"my.hidrive.com", "hidrive.ionos.com"}
	paths67 = []string{"/lnk/{id}", "/share/{id}"}
	paths68 = []string{"/receive/{id}", "/receive/{id}/*", "/space/{id}", "/space/{id}/*"}
	hosts50 = []string{"www.yousendit.com", "yousendit.com", "www.hightail.com"}
	paths69 = []string{"/0/{id}", "/1/{id}", "/s/{id}"}
	hosts51 = []string{"www.icloud.com", "icloud.com", "www.icloud.com.cn", "icloud.com.cn"}
	paths70 = []string{"/sharedalbum", "/sharedalbum/{}"}
	paths71 = []string{"/pages/{id}", "/numbers/{id}", "/keynote/{id}"}
	hosts52 = []string{".icloud-content.com", ".icloud-content.com.cn"}
	hosts53 = []string{"ifolder.ru", ".ifolder.ru"}
	hosts54 = []string{"drive.internxt.com", "share.internxt.com"}
	paths72 = []string{"/sh/file/{id}/{}", "/sh/folder/{id}/{}", "/d/sh/file/{id}/{}", "/d/sh/folder/{id}/{}"}
	hosts55 = []string{"www.jottacloud.com", "jottacloud.com"}
	hosts56 = []string{"jumpshare.com", "jmp.sh"}
	paths73 = []string{"/b/{id}", "/v/{id}", "/s/{id}", "/embed/{id}", "/share/{id}", "/{id}"}
	hosts57 = []string{"bigfile.mail.daum.net", "bigfile.mail.kakao.com"}
	paths74 = []string{"/download", "/bigfileupload/download"}
	paths75 = []string{"/bigfile/v1/urls/{id}", "/bigfile/v1/urls/{}/{id}"}
	hosts58 = []string{"www.kdocs.cn", "kdocs.cn"}
	paths76 = []string{"/app/share/{owner}/{id}", "/app/share/{owner}/{id}/*"}
	hosts59 = []string{"k2s.cc", "keep2share.cc"}
	paths77 = []string{"/file/{id}", "/file/{id}/{}"}
	hosts60 = []string{"app.koofr.net", "storage.rcs-rds.ro"}
	hosts61 = []string{"krakenfiles.com", "www.krakenfiles.com"}
	hosts62 = []string{".lanzou.com", ".lanzoub.com", ".lanzoue.com", ".lanzouf.com", ".lanzoug.com", ".lanzouh.com", ".lanzoui.com",
		".lanzouj.com", ".lanzoul.com", ".lanzoum.com", ".lanzouo.com", ".lanzoup.com", ".lanzouq.com", ".lanzous.com",
		".lanzout.com", ".lanzouu.com", ".lanzouv.com", ".lanzouw.com", ".lanzoux.com", ".lanzouy.com", ".lanzn.com",
		".lanpw.com"}
	hosts63 = []string{"framadrop.org", "upload.disroot.org", "drop.infini.fr"}
	paths78 = []string{"/public/{owner}/{id}/*", "/stock/{id}"}
	hosts64 = []string{"www.mediafire.com", "mediafire.com"}
	paths79 = []string{"/file/{id}", "/file/{id}/{name}", "/file/{id}/{name}/file", "/file_premium/{id}/{name}/file",
		"/view/{id}/{name}/file", "/download/{id}", "/download/{id}/{name}"}
	hosts65 = []string{"www.mediafire.com", "mediafire.com", "app.mediafire.com"}
	paths80 = []string{"/folder/{id}", "/folder/{id}/{}"}
	paths81 = []string{"/file/*", "/folder/*"}
	paths82 = []string{"/", "/download.php"}
	hosts66 = []string{"mega.nz", "www.mega.nz", "mega.co.nz"}
	paths83 = []string{"/file/{id}", "/embed/{id}"}
	paths84 = []string{"/folder/{id}", "/folder/{id}/*"}
	hosts67 = []string{"www.megaupload.com", "megaupload.com"}
	hosts68 = []string{"www.mirrored.to", "mirrored.to"}
	paths85 = []string{"/{id}", "/{id}/{}", "/t/{id}/{}"}
	paths86 = []string{"/disk/{id}/{}", "/disk/get/{id}/{}"}
	hosts69 = []string{"mail.163.com", "mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com"}
	paths87 = []string{"/large-attachment-download/index.html", "/fs/display", "/fs/preview"}
	hosts70 = []string{"magentacloud.de", "www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch",
		"bwsyncandshare.kit.edu", "surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au",
		"b2drop.eudat.eu", "owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net"}
	paths88 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
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
	hosts71 = []string{"nitroflare.com", "www.nitroflare.com"}
	paths89 = []string{"/view/{id}", "/view/{id}/{}"}
	hosts72 = []string{"1drv.ms", "sdrv.ms"}
	hosts73 = []string{".livefilestore.com", ".files.1drv.com", ".storage.live.com", ".files.storage.msn.com"}
	paths90 = []string{"/{id}", "/{id}/{name}"}
	hosts74 = []string{"onedrive.live.com", "skydrive.live.com"}
	paths91 = []string{"/download", "/download.aspx"}
	paths92 = []string{"/", "/redir", "/redir.aspx", "/view", "/view.aspx", "/edit", "/edit.aspx", "/embed"}
	paths93 = []string{"/personal/{}/_layouts/15/Doc.aspx", "/personal/{}/_layouts/15/doc2.aspx",
		"/personal/{}/_layouts/15/WopiFrame.aspx", "/personal/{}/_layouts/15/WopiFrame2.aspx"}
	paths94 = []string{"/personal/{owner}/_layouts/15/Doc.aspx", "/personal/{owner}/_layouts/15/doc2.aspx",
		"/personal/{owner}/_layouts/15/WopiFrame.aspx", "/personal/{owner}/_layouts/15/WopiFrame2.aspx"}
	hosts75  = []string{".skydrive.live.com", ".office.live.com"}
	paths95  = []string{"/self.aspx/*", "/view.aspx/*", "/browse.aspx/*"}
	hosts76  = []string{"od.lk", "www.opendrive.com"}
	paths96  = []string{"/d/{id}/{name}", "/s/{id}/{name}", "/f/{id}", "/f/{id}/{name}", "/fl/{id}", "/file/{id}"}
	paths97  = []string{"/{}", "/{}/files/*"}
	hosts77  = []string{"my.pcloud.com", "e.pcloud.com", "u.pcloud.com"}
	hosts78  = []string{".pcloud.link", ".pcloud.com"}
	hosts79  = []string{"filedn.com", "filedn.eu"}
	hosts80  = []string{"pc.cd", "e.pc.cd", "u.pc.cd"}
	hosts81  = []string{"mypikpak.com", "drive.mypikpak.com"}
	paths98  = []string{"/u/{id}", "/api/file/{id}"}
	paths99  = []string{"/l/{id}", "/d/{id}", "/d/{id}/*"}
	paths100 = []string{"/api/filesystem/{id}", "/api/filesystem/{id}/*"}
	hosts82  = []string{"syncandshare.lrz.de", "faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de"}
	paths101 = []string{"/getlink/{id}", "/getlink/{id}/*", "/dl/{id}", "/dl/{id}/*"}
	paths102 = []string{"/{id}", "/{}/{id}"}
	hosts83  = []string{"wx.mail.qq.com", "iwx.mail.qq.com"}
	hosts84  = []string{"rapidgator.net", "rg.to"}
	hosts85  = []string{"rapidshare.com", ".rapidshare.com", "rapidshare.de"}
	paths103 = []string{"/file/{id}/{name}", "/files/{id}/{name}"}
	hosts86  = []string{"rghost.net", "rghost.ru"}
	paths104 = []string{"/{id}", "/{id}/image.png", "/download/{id}/*"}
	hosts87  = []string{".salesforce.com", ".salesforce-sites.com", ".force.com"}
	hosts88  = []string{"cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr", "seafile.lirmm.fr",
		"seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de"}
	hosts89  = []string{"send.vis.ee", "send.firefox.com"}
	hosts90  = []string{"sendanywhe.re", "send-anywhere.com"}
	paths105 = []string{"/{id}", "/web/downloads/{id}", "/web/s/{id}"}
	hosts91  = []string{"sendgb.com", "www.sendgb.com"}
	paths106 = []string{"/file/{id}", "/pro/dl/{id}"}
	hosts92  = []string{".sharefile.com", ".sharefile.eu", ".securevdr.com"}
	paths107 = []string{"/{id}", "/public/share/{id}"}
	paths108 = []string{"/d/{id}", "/share/view/{id}", "/share/view/{id}/{}"}
	hosts93  = []string{".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint-df.com",
		"sites.ey.com"}
	paths109 = []string{"/_layouts/15/download.aspx", "/{}/{}/_layouts/15/download.aspx"}
	paths110 = []string{"/_layouts/15/guestaccess.aspx", "/{}/{}/_layouts/15/guestaccess.aspx"}
	paths111 = []string{"/_layouts/15/Doc.aspx", "/_layouts/15/doc2.aspx", "/_layouts/15/WopiFrame.aspx",
		"/_layouts/15/WopiFrame2.aspx", "/{}/{}/_layouts/15/Doc.aspx", "/{}/{}/_layouts/15/doc2.aspx",
		"/{}/{}/_layouts/15/WopiFrame.aspx", "/{}/{}/_layouts/15/WopiFrame2.aspx"}
	paths112 = []string{"/sites/{owner}/*", "/teams/{owner}/*", "/personal/{owner}/*"}
	hosts94  = []string{"mail.sina.com.cn", ".mail.sina.com.cn"}
	paths113 = []string{"/files-pri/{id}/{name}", "/files-pri/{id}/download/{name}", "/files/{owner}/{id}",
		"/files/{owner}/{id}/{name}"}
	hosts95  = []string{"link.storjshare.io", "link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io"}
	hosts96  = []string{"www.swisstransfer.com", "swisstransfer.com"}
	paths114 = []string{"/dl/{id}", "/dl/{id}/{}", "/dl/{id}/{}/view/*", "/dl/{id}/view/*", "/4.0/dl/{id}", "/4.0/dl/{id}/view/*"}
	paths115 = []string{"/share/{id}", "/share/{id}/{}"}
	paths116 = []string{"/sharing/{id}", "/d/s/{id}/{}", "/d/s/{id}"}
	paths117 = []string{"/doc/{id}", "/sheet/{id}", "/slide/{id}", "/pdf/{id}"}
	hosts97  = []string{"terabox.com", "www.terabox.com", "1024terabox.com", "www.1024terabox.com", "teraboxapp.com",
		"www.teraboxapp.com", "1024tera.com", "www.1024tera.com", "freeterabox.com", "www.freeterabox.com",
		"terafileshare.com", "teraboxlink.com", "terasharelink.com"}
	paths118 = []string{"/sharing/link", "/sharing/embed", "/web/share/link"}
	paths119 = []string{"/share/{id}", "/download/{id}"}
	hosts98  = []string{"tinyupload.com", ".tinyupload.com"}
	paths120 = []string{"/", "/index.php"}
	paths121 = []string{"/{id}/{name}", "/get/{id}/{name}"}
	hosts99  = []string{"www.transfernow.net", "transfernow.net"}
	paths122 = []string{"/dl/{id}", "/dl/{id}/{}", "/{id}"}
	paths123 = []string{"/cld", "/{}/cld"}
	hosts100 = []string{"www.transferxl.com", "transferxl.com"}
	paths124 = []string{"/download/{id}", "/{}/download/{id}", "/{id}"}
	hosts101 = []string{"web.tresorit.com", "send.tresorit.com"}
	paths125 = []string{"/l", "/a"}
	paths126 = []string{"/{id}", "/p/{id}"}
	hosts102 = []string{"ufile.io", "uploadfiles.io"}
	hosts103 = []string{"uloz.to", "ulozto.net", "ulozto.cz", "ulozto.sk"}
	hosts104 = []string{"www.upload.ee", "upload.ee"}
	hosts105 = []string{"uploaded.to", "uploaded.net"}
	hosts106 = []string{"www.uschovna.cz", "uschovna.cz"}
	hosts107 = []string{"vk.com", "m.vk.com"}
	paths127 = []string{"/s/{id}", "/lc/{id}"}
	hosts108 = []string{"www.wenshushu.cn", "wenshushu.cn", "wss1.cn"}
	paths128 = []string{"/f/{id}", "/k/{id}"}
	hosts109 = []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}
	paths129 = []string{"/downloads/{id}", "/downloads/{id}/*"}
	paths130 = []string{"/previews/{id}", "/previews/{id}/*"}
	hosts110 = []string{"wikisend.com", "www.wikisend.com"}
	paths131 = []string{"/file/{id}", "/archive/{id}", "/start/{id}"}
	hosts111 = []string{"usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com", "katfile.cloud", "katfile.online",
		"datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com", "clicknupload.org",
		"clicknupload.to", "clicknupload.cc", "clicknupload.click", "clicknupload.red", "dailyuploads.net", "drop.download",
		"easybytez.com", "www.easybytez.com", "file.al", "filefox.cc", "filejoker.net", "filerio.in", "hugefiles.net",
		"mexa.sh", "mexashare.com", "novafile.com", "novafile.org", "send.cm", "send.now", "filelu.com", "file-upload.org",
		"www.file-upload.org", "upload-4ever.com", "www.upload-4ever.com", "uploadrar.com", "usersfiles.com", "userscloud.com",
		"tusfiles.com", "hexupload.net", "rapidfileshare.net", "dosya.co"}
	hosts112 = []string{"disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz",
		"disk.360.yandex.ru", "disk.360.yandex.com", "yadi.sk"}
	paths132 = []string{"/public", "/public/"}
	paths133 = []string{"/d/{id}", "/d/{id}/*"}
	paths134 = []string{"/v/{id}/file.html", "/d/{id}/{}/{name}"}
	hosts113 = []string{"workdrive.zohopublic.com", "workdrive.zohopublic.eu", "workdrive.zohopublic.in",
		"workdrive.zohopublic.com.cn", "workdrive.zohoexternal.com", "workdrive.zohoexternal.eu", "workdrive.zohoexternal.in",
		"workdrive.zoho.com", "workdrive.zoho.eu", "workdrive.zoho.in", "workdrive.zoho.com.au", "workdrive.zohopublic.com.au",
		"workdrive.zohopublic.jp"}
	hosts114 = []string{"docs.zoho.com", "docs.zoho.eu", "docs.zoho.in", "docs.zohopublic.com"}
	hosts115 = []string{"www.zshare.net", "zshare.net"}
	paths135 = []string{"/audio/{id}", "/video/{id}", "/download/{id}", "/image/{id}"}
	paths136 = []string{"/", "/{}", "/{}/{}"}
	paths137 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/download",
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
	paths138 = []string{"/public.php", "/{}/public.php"}
	paths139 = []string{"/getlink/{id}", "/getlink/{id}/*"}
	paths140 = []string{"/ajax/share/{id}", "/ajax/share/{id}/*"}
	paths141 = []string{"/share.cgi", "/share.cgi/{name}"}
	paths142 = []string{"/pickup.php", "/pickup", "/{}/pickup.php", "/{}/pickup"}
	paths143 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
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
	paths144 = []string{"/public.php/dav/files/{id}", "/remote.php/dav/public-files/{id}", "/nextcloud/public.php/dav/files/{id}",
		"/nextcloud/remote.php/dav/public-files/{id}", "/owncloud/public.php/dav/files/{id}",
		"/owncloud/remote.php/dav/public-files/{id}", "/cloud/public.php/dav/files/{id}",
		"/cloud/remote.php/dav/public-files/{id}", "/files/public.php/dav/files/{id}",
		"/files/remote.php/dav/public-files/{id}", "/nc/public.php/dav/files/{id}", "/nc/remote.php/dav/public-files/{id}",
		"/oc/public.php/dav/files/{id}", "/oc/remote.php/dav/public-files/{id}", "/plus/public.php/dav/files/{id}",
		"/plus/remote.php/dav/public-files/{id}"}
	paths145 = []string{"/public.php/dav/files/{id}/*", "/remote.php/dav/public-files/{id}/*",
		"/nextcloud/public.php/dav/files/{id}/*", "/nextcloud/remote.php/dav/public-files/{id}/*",
		"/owncloud/public.php/dav/files/{id}/*", "/owncloud/remote.php/dav/public-files/{id}/*",
		"/cloud/public.php/dav/files/{id}/*", "/cloud/remote.php/dav/public-files/{id}/*",
		"/files/public.php/dav/files/{id}/*", "/files/remote.php/dav/public-files/{id}/*", "/nc/public.php/dav/files/{id}/*",
		"/nc/remote.php/dav/public-files/{id}/*", "/oc/public.php/dav/files/{id}/*", "/oc/remote.php/dav/public-files/{id}/*",
		"/plus/public.php/dav/files/{id}/*", "/plus/remote.php/dav/public-files/{id}/*"}
	paths146 = []string{"/public.php", "/nextcloud/public.php", "/owncloud/public.php", "/cloud/public.php", "/files/public.php",
		"/nc/public.php", "/oc/public.php", "/plus/public.php"}
	paths147 = []string{"/seafhttp/f/{id}", "/seafhttp/files/{id}/{name}"}
	paths148 = []string{"/d/{id}", "/d/s/{id}"}
	paths149 = []string{"/smart-link/{id}", "/smart-link/{id}/{}"}
	paths150 = []string{"/home/{}/*", "/service/home/{}/*"}
	paths151 = []string{"/w/{id}", "/s/{id}", "/f/{id}"}
	paths152 = []string{"/courier/{}/{}/*", "/courier/{}/{}"}
	paths153 = []string{"", "/index.php", "/download.php"}
	paths154 = []string{"/link/{id}", "/message/{id}"}
	paths155 = []string{"/wl", "/wl/index.php"}
	paths156 = []string{"/s/{id}", "/s/{id}/download"}
)

// rulesByHost has the rows of rules by host, and guessesByHost those of guesses.
var (
	rulesByHost = &weburl.Hosts{
		Slots: []uint16{0, 0, 0, 241, 0, 0, 0, 187, 294, 0, 0, 233, 420, 0, 0, 0, 196, 219, 0, 30, 0, 452, 87, 269, 287, 0, 0, 0, 0, 0, 86,
			166, 0, 0, 0, 0, 0, 135, 47, 303, 426, 446, 0, 205, 0, 0, 0, 0, 0, 0, 0, 150, 191, 288, 115, 127, 89, 0, 0, 0, 0, 0,
			477, 0, 0, 0, 0, 0, 0, 107, 154, 0, 108, 0, 12, 366, 0, 91, 268, 42, 320, 364, 0, 66, 443, 0, 376, 0, 0, 33, 0, 352, 0,
			0, 341, 78, 88, 11, 167, 26, 448, 0, 0, 0, 259, 0, 207, 0, 195, 0, 0, 0, 0, 0, 0, 0, 84, 417, 23, 404, 67, 416, 473,
			148, 112, 206, 412, 415, 161, 381, 459, 0, 174, 0, 0, 0, 0, 214, 434, 24, 217, 0, 0, 333, 300, 0, 0, 329, 0, 0, 0, 0,
			0, 220, 0, 0, 0, 330, 175, 486, 0, 0, 374, 61, 0, 3, 357, 0, 0, 123, 35, 308, 22, 313, 197, 324, 0, 307, 0, 44, 149, 0,
			0, 0, 371, 0, 118, 0, 0, 419, 125, 147, 31, 433, 0, 0, 190, 331, 0, 0, 0, 0, 82, 48, 81, 490, 117, 0, 282, 339, 444,
			14, 172, 130, 0, 0, 0, 0, 227, 318, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 291, 92, 399, 0, 458, 335, 0, 137, 296, 0, 0, 0, 0,
			0, 0, 0, 52, 57, 223, 457, 0, 114, 160, 0, 232, 141, 0, 46, 142, 299, 302, 274, 0, 0, 440, 0, 93, 334, 475, 411, 0, 0,
			0, 0, 0, 461, 213, 0, 0, 0, 0, 0, 476, 95, 109, 428, 437, 264, 240, 186, 0, 0, 76, 276, 0, 0, 0, 0, 228, 0, 0, 0, 0,
			27, 189, 0, 0, 0, 0, 273, 389, 356, 0, 0, 97, 0, 20, 372, 0, 0, 126, 409, 0, 0, 0, 192, 280, 0, 17, 0, 383, 249, 385,
			0, 0, 0, 305, 462, 251, 463, 229, 34, 321, 474, 0, 0, 363, 128, 340, 0, 0, 0, 471, 59, 0, 315, 62, 222, 281, 483, 173,
			221, 373, 0, 0, 9, 129, 0, 0, 0, 212, 75, 353, 403, 204, 290, 111, 407, 0, 0, 165, 0, 183, 0, 163, 70, 359, 284, 491,
			494, 421, 99, 171, 0, 0, 245, 418, 0, 0, 0, 342, 151, 343, 0, 53, 178, 21, 0, 0, 0, 83, 37, 106, 43, 113, 120, 244,
			408, 0, 98, 0, 0, 0, 0, 0, 0, 344, 0, 362, 252, 0, 310, 0, 0, 0, 0, 485, 0, 292, 456, 211, 0, 0, 0, 40, 132, 156, 0, 0,
			0, 0, 104, 0, 0, 375, 0, 0, 0, 0, 54, 13, 184, 210, 351, 0, 436, 74, 56, 0, 185, 94, 0, 0, 0, 0, 182, 0, 203, 0, 0, 58,
			368, 380, 0, 0, 0, 179, 41, 0, 0, 0, 0, 0, 0, 0, 158, 38, 157, 256, 493, 199, 414, 466, 0, 0, 139, 0, 398, 0, 0, 198,
			0, 225, 0, 392, 0, 100, 0, 0, 0, 0, 262, 0, 0, 0, 0, 0, 0, 237, 0, 0, 28, 467, 0, 0, 289, 0, 0, 0, 0, 0, 261, 0, 0, 0,
			153, 0, 0, 0, 0, 1, 216, 0, 270, 170, 424, 0, 0, 169, 0, 0, 405, 0, 0, 0, 432, 0, 0, 39, 0, 0, 0, 0, 0, 110, 0, 0, 0,
			0, 0, 0, 0, 285, 431, 0, 0, 0, 429, 0, 0, 379, 0, 0, 121, 208, 441, 390, 468, 0, 234, 387, 4, 0, 460, 0, 0, 0, 0, 393,
			0, 0, 469, 358, 0, 0, 0, 484, 45, 275, 301, 0, 0, 63, 0, 155, 0, 0, 337, 495, 0, 0, 0, 0, 0, 0, 0, 0, 0, 327, 0, 306,
			32, 80, 304, 0, 0, 439, 410, 0, 247, 0, 312, 361, 64, 162, 336, 487, 0, 0, 6, 253, 350, 236, 0, 0, 250, 0, 0, 454, 29,
			423, 0, 0, 0, 297, 481, 0, 0, 226, 193, 79, 0, 449, 0, 0, 0, 0, 0, 7, 492, 406, 2, 200, 391, 0, 360, 0, 0, 133, 319,
			496, 0, 0, 0, 0, 25, 309, 0, 0, 0, 0, 224, 445, 246, 422, 369, 218, 202, 266, 10, 283, 215, 348, 397, 401, 0, 0, 0,
			386, 0, 293, 354, 395, 478, 255, 295, 0, 388, 0, 15, 370, 0, 243, 0, 0, 325, 0, 0, 402, 0, 0, 0, 0, 0, 0, 0, 0, 140, 0,
			346, 0, 451, 0, 101, 272, 349, 0, 0, 77, 0, 0, 0, 0, 347, 455, 0, 0, 0, 0, 0, 235, 323, 0, 0, 0, 286, 168, 257, 105,
			239, 394, 482, 0, 19, 152, 0, 96, 138, 260, 0, 0, 238, 326, 382, 277, 0, 0, 0, 0, 0, 0, 159, 18, 396, 0, 0, 0, 0, 0, 0,
			0, 0, 314, 488, 0, 0, 0, 0, 0, 0, 0, 400, 447, 367, 136, 472, 279, 311, 0, 0, 0, 258, 489, 0, 0, 146, 0, 0, 0, 181,
			278, 317, 116, 0, 0, 0, 271, 0, 0, 0, 71, 0, 0, 119, 0, 425, 0, 0, 0, 0, 8, 0, 51, 102, 231, 263, 464, 0, 16, 0, 0, 0,
			0, 68, 316, 0, 49, 0, 65, 355, 0, 0, 384, 0, 0, 0, 0, 0, 0, 144, 0, 0, 377, 50, 248, 328, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 69, 90, 0, 0, 230, 0, 0, 0, 0, 73, 72, 378, 122, 0, 0, 0, 0, 134, 0, 450, 479, 0, 0, 0, 0, 145, 124, 0, 430, 0, 0,
			0, 0, 242, 332, 131, 0, 0, 442, 0, 0, 265, 0, 0, 36, 5, 0, 55, 0, 465, 0, 0, 85, 345, 435, 176, 180, 427, 177, 438,
			453, 365, 0, 0, 0, 0, 322, 470, 0, 0, 0, 103, 0, 480, 0, 298, 164, 0, 0, 0, 0, 60, 413, 338, 0, 0, 0, 201, 188, 0, 0,
			0, 0, 0, 0, 194, 0, 0, 254, 0, 267, 143, 209, 0, 0, 0, 0},
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
			"share.getcloudapp.com", "copy.com", "www.copy.com", "cowtransfer.com", ".cowtransfer.com", "cryptpad.fr",
			".ctfile.com", "data.hu", ".data.hu", "depositfiles.com", "www.depositfiles.com", "dfiles.eu", "cdn.discordapp.com",
			"media.discordapp.net", "www.divshare.com", "divshare.com", "www.docdroid.net", "docdroid.net", "docsend.com",
			".docsend.com", "doodrive.com", "download.gg", "www.dropbox.com", "dropbox.com", "paper.dropbox.com",
			"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com", "d.pr", "dropmefiles.com", "easyupload.io",
			"www.easyupload.io", ".egnyte.com", ".fangcloud.com", "user.fm", ".feishu.cn", ".larksuite.com", "fex.net",
			"figshare.com", ".figshare.com", "ndownloader.figshare.com", ".file-upload.net", "file-upload.net", "file.io",
			"www.file.io", "filebin.net", "www.fileconvoy.com", "www.filefactory.com", "filefactory.com", "filehorst.de",
			".filemail.com", "filemail.com", "fil.email", "app.filen.io", "drive.filen.io", "filen.io", "files.fm",
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
			"www.mediafire.com", "mediafire.com", "app.mediafire.com", ".mediafire.com", "mega.nz", "www.mega.nz", "mega.co.nz",
			"transfer.it", "megaup.net", "www.megaupload.com", "megaupload.com", "cld.pt", "mirrorace.org", "www.mirrored.to",
			"mirrored.to", "modsfire.com", "mab.to", "narod.ru", "bigfile.mail.naver.com", "mybox.naver.com", "mail.163.com",
			"mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com", "dashi.163.com", "magentacloud.de",
			"www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch", "bwsyncandshare.kit.edu",
			"surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au", "b2drop.eudat.eu",
			"owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net", "nitroflare.com",
			"www.nitroflare.com", "1drv.ms", "sdrv.ms", ".livefilestore.com", ".files.1drv.com", ".storage.live.com",
			".files.storage.msn.com", "onedrive.live.com", "skydrive.live.com", "my.microsoftpersonalcontent.com",
			".skydrive.live.com", ".office.live.com", "od.lk", "www.opendrive.com", "osf.io", "my.pcloud.com", "e.pcloud.com",
			"u.pcloud.com", ".pcloud.link", ".pcloud.com", "filedn.com", "filedn.eu", "transfer.pcloud.com", "pc.cd", "e.pc.cd",
			"u.pc.cd", "mypikpak.com", "drive.mypikpak.com", "pixeldrain.com", "syncandshare.lrz.de",
			"faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de", "drive.proton.me", "puu.sh", "wx.mail.qq.com",
			"iwx.mail.qq.com", "mail.qq.com", "exmail.qq.com", "pan.quark.cn", "rapidgator.net", "rg.to", "rapidshare.com",
			".rapidshare.com", "rapidshare.de", "rghost.net", "rghost.ru", ".salesforce.com", ".salesforce-sites.com",
			".force.com", "cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr", "seafile.lirmm.fr",
			"seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de", "send.vis.ee", "send.firefox.com", "sendanywhe.re",
			"send-anywhere.com", "www.sendbig.com", "sendgb.com", "www.sendgb.com", ".sendsafely.com", "www.sendspace.com",
			".sharefile.com", ".sharefile.eu", ".securevdr.com", ".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us",
			".sharepoint.cn", ".sharepoint-df.com", "sites.ey.com", "mail.sina.com.cn", ".mail.sina.com.cn", ".slack.com",
			"slack-files.com", "fromsmash.com", "files.fromsmash.com", ".stackstorage.com", "link.storjshare.io",
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
			"download.wetransfer.com", "collect.wetransfer.com", "wikisend.com", "www.wikisend.com", "workupload.com",
			"wormhole.app", "usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com", "katfile.cloud",
			"katfile.online", "datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com",
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
			{36}, {36}, {37}, {38}, {39}, {39}, {40}, {40}, {41}, {41}, {42}, {43, 44}, {45}, {45}, {46}, {46}, {46}, {47}, {47},
			{48}, {48}, {49}, {49}, {50}, {50}, {51}, {52}, {53, 54, 55, 56, 57, 58, 59, 62}, {53, 54, 55, 56, 57, 58, 59, 62},
			{60}, {61, 62}, {61, 62}, {61, 62}, {63}, {64}, {65}, {65}, {66, 67, 68}, {69}, {70}, {71, 72}, {71, 72}, {73, 74},
			{75, 76}, {75}, {76}, {77}, {77}, {78}, {78}, {79, 80}, {81}, {82}, {82}, {83}, {84, 85}, {84}, {86}, {87, 88}, {87,
				88}, {88}, {89}, {90}, {91}, {91}, {92}, {93}, {93}, {94}, {94}, {95, 96}, {97}, {98}, {99}, {100}, {100}, {101},
			{102}, {103}, {103}, {104, 105}, {106}, {107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 122},
			{114}, {115, 116, 117, 118, 119, 120}, {121}, {123}, {123}, {124}, {124}, {125}, {126}, {126}, {127}, {128, 130},
			{129}, {130}, {130}, {131}, {132}, {133, 134, 136, 137, 138}, {133, 134, 136, 137, 138}, {133, 134, 136, 137, 138},
			{133, 134, 136, 137, 138}, {135}, {139}, {139}, {140}, {140}, {141}, {142}, {142}, {143}, {144}, {144}, {145}, {145},
			{146}, {146}, {147}, {148}, {148}, {149}, {150}, {150}, {151}, {151}, {152}, {153}, {153}, {154}, {154}, {154}, {154},
			{154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154}, {154},
			{154}, {155}, {156}, {156}, {156}, {157, 158}, {159}, {160, 161, 164, 165}, {160, 161, 164, 165}, {161, 162}, {163},
			{166, 167, 168}, {166, 167, 168}, {166, 167, 168}, {169}, {170}, {171}, {171}, {172}, {173}, {174}, {174}, {175},
			{176}, {177}, {178}, {179}, {180}, {180}, {180}, {180}, {180}, {181}, {182}, {182}, {182}, {182}, {182}, {182}, {182},
			{182}, {182}, {182}, {182}, {182}, {182}, {182}, {182}, {182}, {183}, {183}, {184, 185, 187}, {185}, {186}, {186},
			{186}, {186}, {188, 189, 190, 191, 192, 193, 194, 195, 196, 197}, {188, 189, 190, 191, 192, 193, 194, 195, 196, 197},
			{198, 199}, {200}, {200}, {201}, {201}, {202}, {203}, {203}, {203}, {204}, {204}, {205}, {205}, {206}, {207}, {207},
			{207}, {208}, {208}, {209, 210, 211}, {212}, {212}, {212}, {213}, {214}, {215}, {215}, {216}, {217, 218}, {219}, {220},
			{220}, {221}, {221}, {221}, {222}, {222}, {223, 224}, {223, 224}, {223, 224}, {225, 226, 227, 228}, {225, 226, 227,
				228}, {225, 226, 227, 228}, {225, 226, 227, 228}, {225, 226, 227, 228}, {225, 226, 227, 228}, {229}, {229}, {230},
			{230}, {231}, {232}, {232}, {233}, {234}, {235, 236, 237}, {235, 236, 237}, {235, 236, 237}, {238, 239, 240, 241, 242,
				243, 244, 245, 246, 247, 248, 249}, {238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249}, {238, 239, 240, 241,
				242, 243, 244, 245, 246, 247, 248, 249}, {238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249}, {238, 239, 240,
				241, 242, 243, 244, 245, 246, 247, 248, 249}, {238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249}, {250},
			{250}, {251}, {252}, {253, 255}, {254}, {256}, {257, 258}, {257, 258}, {257, 258}, {257, 258}, {259}, {260}, {260},
			{261}, {262}, {263}, {264}, {265}, {266}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {267,
				268}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {267, 268}, {269}, {270}, {271, 272}, {273}, {273},
			{274, 275}, {276}, {277}, {278, 279}, {278, 279}, {280}, {280}, {281, 282}, {282}, {283}, {284}, {285}, {286}, {286},
			{287}, {287}, {287}, {287}, {288}, {288}, {289, 290}, {289, 290}, {291}, {292}, {292}, {293}, {294}, {294}, {295},
			{296}, {297}, {298}, {298}, {298}, {299}, {300, 301}, {300, 301}, {300, 301}, {302}, {303}, {304}, {304}, {305}, {306},
			{307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307},
			{307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307},
			{307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {307}, {308}, {309, 310, 311, 312}, {309, 310, 311,
				312}, {309, 310, 311, 312}, {309, 310, 311, 312}, {309, 310, 311, 312}, {309, 310, 311, 312}, {309, 310, 311, 312},
			{309, 310, 311, 312}, {313}, {314}, {315}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319,
				320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316,
				317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318, 319, 320}, {316, 317, 318,
				319, 320}, {316, 317, 318, 319, 320}, {321}, {321}, {321}, {321}, {322}, {322}},
		Other: []uint16{323, 324},
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
	{Text: `[0-9A-Za-z]{12}`},
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
	{Text: `[0-9]{6}`},
	{Text: `[0-9A-Za-z]{5,8}`},
	{Text: `[0-9a-z]{12}`},
	{Text: `[0-9A-Fa-f]{32,}`},
	{Text: `[0-9a-z]{30,40}`},
	{Text: `[0-9a-f]{14,}`},
	{Text: `netdiskid:.+`},
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
