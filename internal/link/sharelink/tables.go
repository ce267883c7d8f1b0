// Code generated from examples/list/list.json. DO NOT EDIT.

package sharelink

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// pageNames are words that pages have for names, and that are as long as random IDs.
var pageNames = []string{"about", "aboutus", "about-us", "abuse", "account", "apps", "billing", "blog", "business", "careers", "company", "contact", "contact-us", "contacts", "cookies", "copyright", "dashboard", "default", "developers", "dmca", "docs", "document", "documentation", "documents", "download", "downloads", "enterprise", "error", "example", "examples", "explore", "faq", "favicon", "features", "feedback", "file", "files", "folder", "folders", "forgot", "form", "getting-started", "guide", "help", "history", "home", "images", "index", "install", "invite", "jobs", "join", "legal", "login", "logo", "logout", "manage", "members", "mobile", "my-files", "news", "notice", "notifications", "null", "order", "pages", "partners", "password", "payment", "policy", "premium", "press", "pricing", "privacy", "privacy-policy", "product", "products", "profile", "register", "report", "report_abuse", "request", "reset", "robots", "rules", "sample", "search", "security", "settings", "share", "shared", "sign-in", "sign_up", "sign-up", "signin", "signup", "sitemap", "static", "status", "support", "team", "templates", "terms", "terms-of-service", "tools", "trial", "undefined", "unsubscribe", "upgrade", "upload", "uploader", "uploads", "user", "users", "verify", "video", "videos"}

// rules has the shapes of links at known hosts. The first row that matches a URL counts.
var rules = []rule{
	{provider: "0x0", hosts: hosts58b006d2, paths: pathsefba9e23, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, token: &patternc5805fd6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "115", hosts: hostsdd31e197, paths: []string{"/s/{id}"}, cases: []form{{token: &pattern6a162995, min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "123pan", hosts: hostsd8442808, paths: []string{"/s/{id}"}, cases: []form{{token: &patternd478717b, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "1fichier", hosts: hosts12928fa3, paths: []string{"/"}, cases: []form{{ownID: true, token: &pattern25e1fb06, min: 10, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern2005ded4}}}}}}}},
	{provider: "2shared", hosts: hosts4405fca1, paths: pathsd6ca9d09, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "360", hosts: []string{".lc.yunpan.cn"}, paths: []string{"/lk/{id}"}, cases: []form{{token: &patterndd4b93ca, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: paths17ba59f7, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "4shared", hosts: []string{"www.4shared.com"}, paths: paths0b69926b, cases: []form{{min: 8, kind: Folder}}},
	{provider: "abv", hosts: []string{"dox.abv.bg"}, paths: []string{"/download"}, param: "id", cases: []form{{token: &pattern61853d6e, kind: File, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hosts6416e001, paths: paths8e64d1fb, param: "uri", cases: []form{{token: &pattern17fc5493, kind: Page, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hosts6416e001, paths: []string{"/id/{id}"}, cases: []form{{token: &pattern17fc5493, kind: Page, needs: NeedsProgram}}},
	{provider: "adobe", hosts: hostsa750eaff, paths: pathsb7210536, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "adrive", hosts: []string{"www.adrive.com"}, paths: pathsd1fe7aac, cases: []form{{token: &pattern9082e265, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "aliyun-drive", hosts: hosts0237a460, paths: paths30fdba37, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "amazon", hosts: hostsdb46187e, paths: pathsfba7aa9c, cases: []form{{token: &pattern518d60a2, kind: Page, needs: NeedsProgram}}},
	{provider: "androidfilehost", hosts: hostsbf121845, paths: []string{"/"}, param: "fid", cases: []form{{token: &pattern4c42b755, kind: File, needs: NeedsProgram}}},
	{provider: "androidfilehost", hosts: hostsbf121845, paths: []string{"/"}, param: "flid", cases: []form{{token: &pattern31211d8a, kind: Folder}}},
	{provider: "anonfiles", hosts: hosts33ea2c4a, paths: paths474d4018, cases: []form{{token: &patternaf4c39b5, min: 10, kind: File, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hostsa3ba6855, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hostsa3ba6855, paths: []string{"/share/init"}, param: "surl", cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "baidu", hosts: hostsa3ba6855, paths: []string{"/share/link"}, param: "shareid", cases: []form{{token: &pattern31211d8a, kind: Page, needs: NeedsProgram}}},
	{provider: "bitwarden-send", hosts: hosts95f0dae3, paths: []string{"/"}, cases: []form{{ownID: true, min: 12, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern304107fb}}}}}}}},
	{provider: "box", hosts: hosts1c699cc8, paths: pathsf0a661c6, cases: []form{{unless: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternc0178ab5}}}}, min: 8, kind: Page, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindText, Pattern: &pattern3df87c7f}, {Op: verbs.Match, Pattern: &patternb1ac1bd3}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.ID}, {Text: "&file_id=f_"}, {Piece: verbs.Value}}}}}}}},
	{provider: "box", hosts: hosts986acbc8, paths: paths66f25412, cases: []form{{token: &patternecf64a8a, min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/v/{id}"}, cases: []form{{unless: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternc0178ab5}}}}, min: 5, kind: Page, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindText, Pattern: &pattern3df87c7f}, {Op: verbs.Match, Pattern: &patternb1ac1bd3}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&vanity_name="}, {Piece: verbs.ID}, {Text: "&file_id=f_"}, {Piece: verbs.Value}}}}}}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/s/{owner}/file/{id}"}, cases: []form{{token: &pattern31211d8a, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.Owner}, {Text: "&file_id=f_"}, {Piece: verbs.ID}}}}}}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/file/{id}"}, cases: []form{{token: &pattern31211d8a, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/index.php?rm=box_download_shared_file&shared_name="}, {Piece: verbs.Own + 0}, {Text: "&file_id=f_"}, {Piece: verbs.ID}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "s"}}}}}}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/notes/{id}"}, cases: []form{{token: &pattern31211d8a, kind: Native, needs: NeedsAccount}}},
	{provider: "box", hosts: hosts1c699cc8, paths: paths13b65a83, cases: []form{{token: &pattern31211d8a, kind: Folder}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/shared/static/{id}"}, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "box", hosts: hosts1c699cc8, paths: []string{"/index.php"}, param: "file_id", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rm"}, {Op: verbs.Match, Pattern: &patternf847d0cf}}}}, ownID: true, token: &patterne833690f, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "file_id"}, {Op: verbs.Match, Pattern: &pattern1b4a0b52}}}}}}}},
	{provider: "buzzheavier", hosts: hosts489f679d, paths: pathsc9750329, cases: []form{{token: &pattern03a1f792, min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "caiyun", hosts: []string{"caiyun.139.com"}, paths: []string{"/m/i"}, cases: []form{{ownID: true, token: &pattern19d36f69, min: 10, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern2005ded4}}}}}}}},
	{provider: "caiyun", hosts: []string{"yun.139.com"}, paths: []string{"/shareweb"}, cases: []form{{ownID: true, token: &pattern19d36f69, min: 10, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern8108f1b4}}}}}}}},
	{provider: "catbox", hosts: hosts826ca9a3, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, token: &pattern973e62af, min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "catbox", hosts: hosts826ca9a3, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, token: &pattern8a9f606b, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}}}}}}}},
	{provider: "catbox", hosts: hosts5c20b587, paths: []string{"/c/{id}"}, cases: []form{{min: 6, kind: Folder}}},
	{provider: "cjoint", hosts: []string{"www.cjoint.com"}, paths: []string{"/doc/{owner}/{id}"}, cases: []form{{token: &patternf3eec18e, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "cloudapp", hosts: []string{"f.cl.ly"}, paths: []string{"/items/{id}/{name}"}, cases: []form{{token: &patternefafae2e, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "cloudapp", hosts: hosts61c63885, paths: pathsad8cdc1b, cases: []form{{token: &pattern3e548791, min: 4, kind: File, needs: NeedsProgram}}},
	{provider: "copy", hosts: hosts7671b6e1, paths: paths6f91633c, cases: []form{{token: &patterndd4b93ca, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "cowtransfer", hosts: hosts3cd200ca, paths: []string{"/s/{id}"}, cases: []form{{token: &patternedfde5c7, kind: Page, needs: NeedsProgram}}},
	{provider: "cozy", hosts: hostsb6be74d7, paths: []string{"/public"}, param: "sharecode", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern5364e535}}}}, token: &pattern87218f2c, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "cryptpad", hosts: []string{"cryptpad.fr"}, paths: paths2a4b0974, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern13cea295}}}}, kind: Page, endToEnd: true}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &patternb809209f, kind: File, needs: NeedsProgram}}},
	{provider: "ctfile", hosts: []string{".ctfile.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patternb809209f, kind: Folder}}},
	{provider: "data.hu", hosts: hosts889a3a7a, paths: paths4dada9ae, cases: []form{{token: &patternafd390c8, kind: File, needs: NeedsProgram}}},
	{provider: "depositfiles", hosts: hosts206b217f, paths: paths557be409, cases: []form{{token: &pattern5e17c7d3, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "discord", hosts: hostsfe94fecf, paths: []string{"/attachments/{}/{id}/{name}"}, cases: []form{{token: &pattern55134758, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "divshare", hosts: hosts0ac38ee9, paths: []string{"/download/{id}"}, cases: []form{{token: &pattern55ef0fcf, kind: File, needs: NeedsProgram}}},
	{provider: "docdroid", hosts: hostsbc90b4e9, paths: paths32df65d3, cases: []form{{token: &pattern0747e364, min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "docsend", hosts: hosts6800624a, paths: paths143980b8, cases: []form{{token: &pattern7e542cb5, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "doodrive", hosts: []string{"doodrive.com"}, paths: []string{"/f/{id}"}, cases: []form{{token: &pattern397748dd, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "download.gg", hosts: []string{"download.gg"}, paths: []string{"/{id}"}, cases: []form{{token: &patternff313809, kind: File, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: paths255e394c, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: pathscfbd2cc5, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "preview"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterna2e68d67}}}}}}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: paths202dc0a1, cases: []form{{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: pathsd3958de5, cases: []form{{token: &patternafd390c8, kind: Folder}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: pathsea00cb77, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, min: 9, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}},
		{min: 9, kind: Folder}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: []string{"/l/scl/{id}"}, cases: []form{{min: 16, kind: Page, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "dropbox", hosts: hosts7314d7e3, paths: pathsc8953a03, cases: []form{{min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "dropbox", hosts: []string{"paper.dropbox.com"}, paths: []string{"/doc/*"}, cases: []form{{ownID: true, min: 12, partial: true, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern1e20d03d}}}}}}}},
	{provider: "dropbox", hosts: hosts7ea9d8cc, paths: paths91875dd3, cases: []form{{min: 9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "dropbox", hosts: hosts23c693d4, paths: []string{"/u/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patterna0287472}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "droplr", hosts: []string{"d.pr"}, paths: pathsda813a37, mark: "//d.pr/", cases: []form{{token: &pattern3e548791, min: 4, kind: File, needs: NeedsProgram}}},
	{provider: "dropmefiles", hosts: []string{"dropmefiles.com"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern49980cf8, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "easyupload", hosts: hosts461c52d6, paths: pathsdaff5512, cases: []form{{token: &pattern77564c52, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: pathsa04b235d, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/dd/"}, {Piece: verbs.ID}, {Text: "/"}}}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: pathsb5222a4d, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "egnyte", hosts: []string{".egnyte.com"}, paths: paths3f0a56d7, cases: []form{{min: 8, kind: Folder}}},
	{provider: "fangcloud", hosts: []string{".fangcloud.com"}, paths: []string{"/share/{id}"}, cases: []form{{token: &pattern8b3eff17, kind: Page, needs: NeedsProgram}}},
	{provider: "fastmail", hosts: []string{"user.fm"}, paths: []string{"/files/{id}/{name}"}, cases: []form{{token: &pattern132c58a4, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "feishu", hosts: hosts74934e83, paths: []string{"/mail/page/attachment"}, param: "token", cases: []form{{min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "feishu", hosts: hosts74934e83, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "feishu", hosts: hosts74934e83, paths: pathsa1e7ca9c, cases: []form{{min: 20, kind: Native, needs: NeedsAccount}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths28f9672e, cases: []form{{token: &pattern38e5c64c, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "fex", hosts: []string{"fex.net"}, paths: paths19168d3f, cases: []form{{token: &patterncbdf0b42, kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hostsd1e4f51b, paths: []string{"/s/{id}"}, cases: []form{{token: &pattern780a0317, kind: Page, needs: NeedsProgram}}},
	{provider: "figshare", hosts: hosts09caeb13, paths: pathsa8bc0e6e, param: "private_link", cases: []form{{token: &pattern780a0317, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "file-upload", hosts: hostseeb510dc, paths: paths11e7a4c0, cases: []form{{token: &pattern3083ab21, kind: File, needs: NeedsProgram}}},
	{provider: "file.io", hosts: hosts33e3e9f4, paths: []string{"/{id}"}, cases: []form{{token: &pattern131b7e94, min: 6, kind: File, needs: NeedsProgram, once: true}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filebin", hosts: []string{"filebin.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patternce723f18, min: 12, kind: Folder}}},
	{provider: "fileconvoy", hosts: []string{"www.fileconvoy.com"}, paths: []string{"/dfl.php"}, param: "id", cases: []form{{token: &patternf39ea93d, kind: Page, needs: NeedsProgram}}},
	{provider: "filefactory", hosts: hostsb5a0d610, paths: paths18632302, cases: []form{{token: &patternb4ceb6d2, min: 7, kind: File, needs: NeedsProgram}}},
	{provider: "filehorst", hosts: []string{"filehorst.de"}, paths: []string{"/d/{id}"}, cases: []form{{token: &patternbbb896ac, min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "filemail", hosts: hosts565e67c8, paths: paths067ebd96, cases: []form{{token: &pattern41d83880, min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filemail", hosts: []string{".filemail.com"}, paths: []string{"/api/file/get"}, param: "filekey", cases: []form{{min: 20, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filemail", hosts: []string{"fil.email"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "filen", hosts: hosts2d002f1d, paths: []string{"/"}, cases: []form{{ownID: true, token: &pattern3492c60b, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patternc688a93d}}}}}}}},
	{provider: "filen", hosts: hosts46378d13, paths: paths891a56df, cases: []form{{token: &pattern3492c60b, kind: Page, endToEnd: true}}},
	{provider: "files.fm", hosts: []string{"files.fm"}, paths: paths54699895, cases: []form{{token: &pattern17c03f4a, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "filetransfer.io", hosts: []string{"filetransfer.io"}, paths: paths96b23a15, cases: []form{{token: &patternbbb896ac, min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "filez", hosts: hosts1a534236, paths: []string{"/l/{id}"}, cases: []form{{token: &pattern3e548791, min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "firestorage", hosts: []string{"firestorage.jp"}, paths: []string{"/download/{id}"}, cases: []form{{token: &pattern549d6d1a, kind: Page, needs: NeedsProgram}}},
	{provider: "frame.io", hosts: hosts47c3eb6f, paths: pathsbedd22c3, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "frams-fex", hosts: hosts5e9271a7, paths: []string{"/fop/{id}/{name}"}, cases: []form{{token: &patternbbb896ac, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &patterna81d1dde, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"dl.free.fr"}, paths: []string{"/getfile.pl"}, param: "file", cases: []form{{token: &pattern4721db90, kind: File, needs: NeedsProgram}}},
	{provider: "free", hosts: []string{"transfert.free.fr"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern0747e364, min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "ge.tt", hosts: []string{"ge.tt"}, paths: pathsc0d61304, cases: []form{{token: &pattern202cf95e, kind: Page, needs: NeedsProgram}}},
	{provider: "gigafile", hosts: []string{".gigafile.nu"}, paths: []string{"/{id}"}, cases: []form{{token: &patternc17befb3, kind: Page, needs: NeedsProgram}}},
	{provider: "gigamove", hosts: hosts54539efd, paths: paths746b35ed, cases: []form{{token: &pattern3d1a486f, min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "github", hosts: []string{"github.com"}, paths: pathsafb31f75, cases: []form{{token: &pattern31211d8a, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gitlab", hosts: []string{"gitlab.com"}, paths: paths361e276a, cases: []form{{token: &patternf9f4591a, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "gmx", hosts: hosts79c85677, paths: pathsf2a2be77, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern331f5e18}}}}, min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/d/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{"gofile.io"}, paths: []string{"/"}, param: "c", cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "gofile", hosts: []string{".gofile.io"}, paths: paths160c98cc, cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: pathsed9add85, cases: []form{{min: 15, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: []string{"/{type}/d/e/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patternb0b8eca2}}}}, token: &patterncb3aa827, partial: true, kind: Native, direct: verbs.Any{{{Piece: verbs.Link}}}, rendition: true}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: pathsdade2410, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patternb5bea41b}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern9c28d0e4}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/document/d/"}, {Piece: verbs.ID}, {Text: "/export?format=pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: pathsc2be2589, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patternb5bea41b}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern9c28d0e4}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/spreadsheets/d/"}, {Piece: verbs.ID}, {Text: "/export?format=xlsx"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: pathsf8625cb3, cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "rtpof"}, {Op: verbs.Match, Pattern: &patternb5bea41b}}, {{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern9c28d0e4}}}}, min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, more: &facts{fallback: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, fallbackType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}},
		{min: 15, kind: Native, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://docs.google.com/presentation/d/"}, {Piece: verbs.ID}, {Text: "/export/pdf"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, rendition: true, more: &facts{mediaType: "application/pdf"}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: paths7df83fb4, param: "id", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: []string{"docs.google.com"}, paths: pathsc9542e8e, param: "docid", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-docs", hosts: hosts19f1845a, paths: paths929a4a9c, param: "key", cases: []form{{min: 10, kind: Native}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths0df723b2, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths6e79226b, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths1d13abce, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths1ae0622e, param: "id", cases: []form{{min: 15, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths5da6ee8b, cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: hostscc2c84b2, paths: paths0cdade42, param: "id", cases: []form{{min: 15, kind: Folder}}},
	{provider: "google-drive", hosts: []string{"drive.usercontent.google.com"}, paths: paths776b192c, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "confirm", Parts: []verbs.Part{{Text: "t"}}}}}, find: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: []string{"docs.google.com"}, paths: pathse92be640, param: "id", cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download?id="}, {Piece: verbs.ID}, {Text: "&export=download&confirm=t"}}}, {Op: verbs.Set, Text: "resourcekey", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, find: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &pattern8cac7799}, {Op: verbs.Param, Text: "id"}, {Op: verbs.Match, Piece: verbs.ID}, {Piece: verbs.Own + 1}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "resourcekey"}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindForm, Text: "download-form", Parts: []verbs.Part{{Text: "https://drive.usercontent.google.com/download"}}}}}}}}}},
	{provider: "google-drive", hosts: hosts217ee832, paths: pathsf2763009, cases: []form{{min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "google-photos", hosts: hostsa925e88e, paths: paths671d2888, cases: []form{{token: &pattern93e1bb57, min: 17, kind: Page, needs: NeedsProgram}}},
	{provider: "grosfichiers", hosts: []string{"www.grosfichiers.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patternae097f59, min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "hidrive", hosts: hostsdd16cdd1, paths: paths600e6a60, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"spaces.hightail.com"}, paths: paths810a0c64, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{"www.yousendit.com"}, paths: []string{"/transfer.php"}, param: "ufid", cases: []form{{token: &patternf24c2c10, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: []string{".yousendit.com"}, paths: []string{"/d.aspx"}, param: "id", cases: []form{{token: &patternfa8cd851, kind: Page, needs: NeedsProgram}}},
	{provider: "hightail", hosts: hosts66a4fbe7, paths: []string{"/download/{id}"}, cases: []form{{token: &pattern575df24b, min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "hubspot", hosts: []string{".hubspot.com"}, paths: []string{"/documents/{owner}/view/{id}"}, cases: []form{{token: &pattern31211d8a, kind: File, needs: NeedsProgram}}},
	{provider: "icedrive", hosts: []string{"icedrive.net"}, paths: paths2a653561, cases: []form{{min: 10, kind: Page, needs: NeedsProgram}}},
	{provider: "icloud", hosts: hostsb4718613, paths: []string{"/attachment"}, param: "u", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Piece: verbs.Origin}, {Op: verbs.Match, Pattern: &patterncf85f9a7}}}}, ownID: true, token: &patternde8978f3, kind: File, direct: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "${f}", Parts: []verbs.Part{{Piece: verbs.Name, Form: verbs.Escaped}}}, {Op: verbs.Replace, Text: "${uk}", Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.Escaped}}}, {Op: verbs.URL}, {Piece: verbs.Link}}}, more: &facts{size: verbs.Any{{{Op: verbs.Param, Text: "sz"}}}, expires: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Percent}, {Op: verbs.URL}, {Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "f"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Not, Pattern: &patterna56393f4}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "uk"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}}}}},
	{provider: "icloud", hosts: hostsb4718613, paths: []string{"/iclouddrive/{id}"}, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: []string{"share.icloud.com"}, paths: []string{"/photos/{id}"}, cases: []form{{min: 16, kind: Folder}}},
	{provider: "icloud", hosts: hostsb4718613, paths: pathsf707b126, cases: []form{{ownID: true, min: 12, kind: Folder, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern4d1e3857}}}}}}}},
	{provider: "icloud", hosts: hostsb4718613, paths: pathsd5fdea9c, cases: []form{{token: &pattern6a1b2e43, kind: Native, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Percent}}}}}}}},
	{provider: "icloud", hosts: hostsb4718613, paths: []string{"/iw"}, cases: []form{{ownID: true, min: 20, kind: Native, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern0049e088}}}}}}}},
	{provider: "icloud", hosts: hosts66c98c83, paths: []string{"/B/{}/{name}"}, cases: []form{{ownID: true, token: &patternde8978f3, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Percent}, {Op: verbs.Not, Pattern: &pattern18b5f3c1}, {Piece: verbs.Link}}}, more: &facts{expires: verbs.Any{{{Op: verbs.Param, Text: "e"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Op: verbs.Param, Text: "r"}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Name}, {Op: verbs.Not, Pattern: &patterna56393f4}}}}}}}},
	{provider: "ifolder", hosts: hostsb497d49c, paths: []string{"/{id}"}, cases: []form{{token: &pattern3f12a12e, kind: File, needs: NeedsProgram}}},
	{provider: "ilanzou", hosts: []string{"www.ilanzou.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "internxt", hosts: hosts6c94ca6a, paths: pathsda4485f0, cases: []form{{min: 12, kind: Page, endToEnd: true}}},
	{provider: "jianguoyun", hosts: []string{"www.jianguoyun.com"}, paths: []string{"/p/{id}"}, cases: []form{{token: &patterna7364922, min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "jottacloud", hosts: hostse7a00ff7, paths: []string{"/s/{id}"}, cases: []form{{token: &pattern901c71e0, kind: Page, needs: NeedsProgram}}},
	{provider: "jumpshare", hosts: hostse3831e68, paths: pathsf9f6e404, cases: []form{{token: &pattern88bc2cbd, min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "kakao", hosts: hostsa14fe700, paths: paths2e75e7e7, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kakao", hosts: []string{"attach.mail.daum.net"}, paths: pathsac4c2831, cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "kdocs", hosts: hostsa2d1dbc3, paths: []string{"/l/{id}"}, cases: []form{{token: &pattern3496e284, min: 9, kind: Native, needs: NeedsAccount}}},
	{provider: "kdrive", hosts: []string{"kdrive.infomaniak.com"}, paths: paths4bf16564, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "keep2share", hosts: hostsfb01782c, paths: pathsa9021ff0, cases: []form{{token: &pattern78771d49, kind: File, needs: NeedsProgram}}},
	{provider: "koofr", hosts: hostse24927f4, paths: []string{"/links/{id}"}, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "koofr", hosts: []string{"k00.fr"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "krakenfiles", hosts: hostsbee533ae, paths: []string{"/view/{id}/file.html"}, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "lanzou", hosts: hostsd43a1f91, paths: []string{"/{id}"}, cases: []form{{token: &patterna054efd6, min: 7, kind: Page, needs: NeedsProgram}}},
	{provider: "limewire", hosts: []string{"limewire.com"}, paths: []string{"/d/{id}"}, cases: []form{{token: &pattern883fdb8e, min: 5, kind: Page, endToEnd: true}}},
	{provider: "lufi", hosts: hosts509da9a3, paths: []string{"/r/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern8b12bf79}}}}, token: &patternfb9fac7b, min: 10, kind: File, endToEnd: true}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: []string{"/public/{owner}/{id}"}, cases: []form{{min: 8, kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud.mail.ru/api/v2/dispatcher?api=2"}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "body.weblink_get.0.url"}, {Op: verbs.Match, Pattern: &pattern2369c2c6}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/"}, {Piece: verbs.Owner}, {Text: "/"}, {Piece: verbs.ID}}}}}}}},
	{provider: "mail.ru", hosts: []string{"cloud.mail.ru"}, paths: paths0dd73198, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "mail.ru", hosts: []string{"files.mail.ru"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern83fadd26, min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "mail.ru", hosts: []string{".cloud.mail.ru"}, paths: paths91eb6358, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternd79397f6}}}}, min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}}}}},
	{provider: "mediafire", hosts: hosts0d88a92c, paths: pathsb0f35840, cases: []form{{min: 10, kind: File, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts466ce48b, paths: pathsf303129d, cases: []form{{min: 10, kind: Folder}}},
	{provider: "mediafire", hosts: []string{"app.mediafire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern36a1bc3d, min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: []string{".mediafire.com"}, paths: []string{"/{}/{id}/{name}"}, cases: []form{{token: &pattern36a1bc3d, min: 11, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "mediafire", hosts: hosts0d88a92c, paths: paths96ae969b, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern99c9b5bd}}}}, unless: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern8b9e1da5}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mediafire", hosts: hosts0d88a92c, paths: pathsbca0ad75, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern2f07f522}}}}, unless: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern8b9e1da5}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "mega", hosts: hostsec390ea6, paths: paths6d42a844, cases: []form{{min: 8, kind: File, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patternf28b41a6}}}}}}},
	{provider: "mega", hosts: hostsec390ea6, paths: pathsefd412d9, cases: []form{{min: 8, kind: Folder, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patternf1b17e4f}}}}}}},
	{provider: "mega", hosts: hostsec390ea6, paths: []string{"/"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern0911ae4d}}}}, ownID: true, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern92091c35}}}}, {Folder, verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterna6f53d18}}}}}, endToEnd: true, more: &facts{whole: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern61712136}}}}, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern0c420b30}}}}}}}},
	{provider: "mega", hosts: []string{"transfer.it"}, paths: []string{"/t/{id}"}, cases: []form{{min: 10, kind: Page, endToEnd: true}}},
	{provider: "megaup", hosts: []string{"megaup.net"}, paths: []string{"/{id}/{name}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, token: &patterncfec3d29, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "megaupload", hosts: hosts0725f11f, paths: []string{"/"}, param: "d", cases: []form{{token: &pattern1c0f4e32, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "meo", hosts: []string{"cld.pt"}, paths: []string{"/dl/download/{id}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, token: &pattern3492c60b, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "mirrorace", hosts: []string{"mirrorace.org"}, paths: []string{"/m/{id}"}, cases: []form{{token: &pattern49980cf8, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "mirrored", hosts: hosts20ff3bf5, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &pattern1c0f4e32, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "modsfire", hosts: []string{"modsfire.com"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern5c6192a0, min: 15, kind: File, needs: NeedsProgram}}},
	{provider: "myairbridge", hosts: []string{"mab.to"}, paths: pathsdce00b67, cases: []form{{token: &patternd84882ad, min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "narod", hosts: []string{"narod.ru"}, paths: pathsdb205a19, cases: []form{{token: &pattern5f8169db, kind: File, needs: NeedsProgram}}},
	{provider: "naver", hosts: []string{"bigfile.mail.naver.com"}, paths: paths2e75e7e7, param: "fid", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "naver", hosts: []string{"mybox.naver.com"}, paths: []string{"/share/list"}, param: "shareKey", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "netease", hosts: hosts84e2b606, paths: pathsaff49630, param: "file", cases: []form{{unless: []verbs.Any{{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Not, Pattern: &pattern655e8915}}}}, min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "netease", hosts: []string{"dashi.163.com"}, paths: []string{"/html/cloud-attachment-download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "title"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "nextcloud", hosts: hosts91f341fd, paths: pathsf10de65d, cases: []form{{min: 8, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patternf80c65c3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nitroflare", hosts: hosts6725e77b, paths: paths41c86dcc, cases: []form{{token: &pattern1a64235d, kind: File, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/{id}"}, cases: []form{{token: &patternc52674e8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern36d5d11c}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ce8eaf5}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterneade443b}}}}}, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts190679cb, paths: []string{"/{id}"}, cases: []form{{token: &pattern24f02e49, min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "onedrive", hosts: hosts139f7f3f, paths: paths2a37369d, cases: []form{{token: &pattern57c808e9, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "onedrive", hosts: []string{"1drv.ms"}, paths: []string{"/{type}/c/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern36d5d11c}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ce8eaf5}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterneade443b}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: pathsd3371145, param: "resid", cases: []form{{token: &pattern0145bb9c, kind: File, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: paths4d4c521e, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern6c3d6922}}}}, ownID: true, min: 16, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern36d5d11c}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ce8eaf5}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterneade443b}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern2d60daaf}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8c684aad}, {Op: verbs.Not, Pattern: &pattern16fd6357}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patternc5c7aa1c}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterna1c095c4}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern6c3d6922}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterna5782b04}}}}, min: 16, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8c684aad}, {Op: verbs.Not, Pattern: &pattern16fd6357}, {Op: verbs.Base64}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern56e86d57}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern6c3d6922}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterna5782b04}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern4813494d}}}}, min: 16, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern2fc0664a}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern75fcc2e3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8c684aad}, {Op: verbs.Not, Pattern: &pattern16fd6357}, {Op: verbs.Base64}}}}}}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: paths4d4c521e, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternbb93e85b, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern56e86d57}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern4813494d}}}}, token: &patternbb93e85b, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern2fc0664a}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern75fcc2e3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: []string{"/"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternbb93e85b, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern56e86d57}}, {{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern4813494d}}}}, token: &patternbb93e85b, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern2fc0664a}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "ithint"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern75fcc2e3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: []string{"/{type}/g/personal/{owner}/{id}"}, cases: []form{{min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern982e2486}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ff3129a}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern2ce652a0}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern693c1f49}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern982e2486}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ff3129a}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern2ce652a0}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &pattern454349e4}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern982e2486}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ff3129a}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern2ce652a0}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &pattern0911ae4d}}}}}}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: pathsf331a4cd, param: "redeem", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern6c3d6922}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern36d5d11c}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ce8eaf5}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterneade443b}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://my.microsoftpersonalcontent.com/personal/"}, {Piece: verbs.Owner}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern2d60daaf}}}}, {Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "redeem"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8c684aad}, {Op: verbs.Not, Pattern: &pattern16fd6357}, {Op: verbs.Base64}}}}, {Piece: verbs.Type, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patternc5c7aa1c}}}}, {Piece: verbs.Owner, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &patterna1c095c4}}}}}}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: pathsc3ed0e6a, param: "resid", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &pattern0145bb9c, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}}, token: &pattern0145bb9c, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: hosts6bc7fae8, paths: pathsc3ed0e6a, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternffb6afd2, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}}, token: &pattern0f53aec9, kind: File, needs: NeedsAccount, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: []string{"my.microsoftpersonalcontent.com"}, paths: []string{"/personal/{owner}/_layouts/15/download.aspx"}, param: "UniqueId", cases: []form{{token: &patterna7dc20ad, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "onedrive", hosts: hosts22035826, paths: paths53b321a0, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern51f9a615}}}, {{{Piece: verbs.Name}}}}, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "onedrive", hosts: []string{"1drv.ws"}, paths: []string{"/{type}/{id}"}, cases: []form{{token: &patternc52674e8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern36d5d11c}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ce8eaf5}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &patterneade443b}}}}}, needs: NeedsProgram}}},
	{provider: "opendrive", hosts: hostsddfd397d, paths: pathsfd8a19b7, cases: []form{{token: &pattern560965cc, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "osf", hosts: []string{"osf.io"}, paths: pathsd409db00, param: "view_only", cases: []form{{token: &pattern07d2d72b, kind: Folder}}},
	{provider: "pcloud", hosts: hosts2c698c81, paths: []string{"/"}, cases: []form{{ownID: true, min: 16, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern0179f3bf}}}}}}}},
	{provider: "pcloud", hosts: hosts7761cbba, paths: []string{"/publink/show"}, param: "code", cases: []form{{min: 6, kind: Page, ask: verbs.Any{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern32e427a6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://eapi.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: "https://api.pcloud.com/getpublinkdownload?code="}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "hosts.0"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}}, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "path"}, {Op: verbs.Match, Pattern: &pattern837eaf36}}}}}}}},
	{provider: "pcloud", hosts: hostsacee7b5f, paths: []string{"/{id}/*"}, cases: []form{{token: &pattern7a402588, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "pcloud", hosts: []string{"transfer.pcloud.com"}, paths: []string{"/download.html"}, param: "code", cases: []form{{token: &pattern751a844b, kind: Page, needs: NeedsProgram}}},
	{provider: "pcloud", hosts: hostse1011403, paths: []string{"/{id}"}, cases: []form{{token: &pattern3e548791, min: 4, kind: Page, needs: NeedsProgram}}},
	{provider: "pikpak", hosts: hosts3e25b524, paths: paths30fdba37, cases: []form{{token: &patternaff4c391, min: 25, kind: Page, needs: NeedsProgram}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths02194e07, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://pixeldrain.com/api/file/"}, {Piece: verbs.ID}, {Text: "?download"}}}}}}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths228ca5fd, cases: []form{{min: 8, kind: Folder}}},
	{provider: "pixeldrain", hosts: []string{"pixeldrain.com"}, paths: paths781a6367, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", hosts: hosts358b00cf, paths: paths41500078, cases: []form{{token: &pattern59dda667, kind: Page, needs: NeedsProgram}}},
	{provider: "proton", hosts: []string{"drive.proton.me"}, paths: []string{"/urls/{id}"}, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "puush", hosts: []string{"puu.sh"}, paths: paths79b86949, cases: []form{{token: &patternabd1ee5f, min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "qq", hosts: hostsf0ad3d0f, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"mail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://wx.mail.qq.com/ftn/download?func=4&key="}, {Piece: verbs.ID}, {Text: "&code="}, {Piece: verbs.Own + 0}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "code"}}}}}}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/cgi-bin/ftnExs_download"}, param: "k", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "qq", hosts: []string{"exmail.qq.com"}, paths: []string{"/ftn/download"}, param: "key", cases: []form{{min: 6, kind: File, needs: NeedsProgram}}},
	{provider: "quark", hosts: []string{"pan.quark.cn"}, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "rapidgator", hosts: hostsa9f5c53b, paths: pathsa9021ff0, cases: []form{{token: &pattern66f63690, kind: File, needs: NeedsProgram}}},
	{provider: "rapidshare", hosts: hostsbffd2bce, paths: pathsa880b9c5, cases: []form{{token: &patternafd390c8, kind: File, needs: NeedsProgram}}},
	{provider: "rghost", hosts: hosts21b4792f, paths: paths0289c7ab, cases: []form{{token: &pattern988da780, kind: File, needs: NeedsProgram}}},
	{provider: "salesforce", hosts: hosts375e67a1, paths: []string{"/sfc/dist/version/download"}, param: "ids", cases: []form{{token: &patternda7824fb, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "salesforce", hosts: hosts375e67a1, paths: []string{"/sfc/p/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern5537bfa0}}, {{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern5537bfa0}}}}, kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", hosts: hostsb45f8ec6, paths: []string{"/f/{id}"}, cases: []form{{token: &pattern780a0317, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", hosts: hostsb45f8ec6, paths: []string{"/d/{}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patternbb93e85b, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "seafile", hosts: hostsb45f8ec6, paths: []string{"/seafhttp/files/{id}/{name}"}, cases: []form{{token: &pattern3492c60b, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", hosts: hostsb45f8ec6, paths: []string{"/d/{id}"}, cases: []form{{token: &pattern780a0317, kind: Folder}}},
	{provider: "send", hosts: hosts0c2d20dd, paths: []string{"/download/{id}"}, cases: []form{{token: &pattern3ea0b662, kind: Page, endToEnd: true}}},
	{provider: "send-anywhere", hosts: hostsdd044f22, paths: paths1356cdce, cases: []form{{token: &pattern1c0f4e32, min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sendbig", hosts: []string{"www.sendbig.com"}, paths: []string{"/view-files"}, param: "Id", cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "sendgb", hosts: hosts81ab9ce5, paths: []string{"/{id}"}, cases: []form{{token: &pattern1e28186d, min: 11, kind: Page, needs: NeedsProgram}}},
	{provider: "sendsafely", hosts: []string{".sendsafely.com"}, paths: []string{"/receive"}, param: "packageCode", cases: []form{{token: &pattern0f9315be, kind: Page, endToEnd: true}}},
	{provider: "sendspace", hosts: []string{"www.sendspace.com"}, paths: pathscd80b401, cases: []form{{token: &pattern77564c52, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts1cb13076, paths: paths5df1989d, cases: []form{{token: &pattern8ecb3fd1, kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts1cb13076, paths: pathsd9e1a011, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "sharefile", hosts: hosts1cb13076, paths: []string{"/download.ashx"}, param: "dt", cases: []form{{token: &pattern244e8a58, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: []string{"/{type}/r/*"}, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern93b0a6dd}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern2b8aa77b}}}, {{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternffb6afd2, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern93b0a6dd}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern2b8aa77b}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}}, token: &pattern0f53aec9, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern0a3bbebc}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: []string{"/{type}/r/*"}, param: "dtMigrationdoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern93b0a6dd}}}, {{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern2b8aa77b}}}}, unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}, {Op: verbs.Not, Pattern: &pattern8a532d47}}}}, token: &pattern0f53aec9, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern0a3bbebc}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: []string{"/{type}/r/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, unless: []verbs.Any{{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern693c1f49}}}}, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern982e2486}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ff3129a}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern2ce652a0}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: []string{"/{type}/{owner}/*"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Not, Pattern: &pattern454349e4}}}}, ownID: true, min: 12, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern982e2486}}}}, {Folder, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern7ff3129a}}}}, {Page, verbs.Any{{{Piece: verbs.Type}, {Op: verbs.Match, Pattern: &pattern2ce652a0}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: "1"}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &pattern0911ae4d}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: paths19c57e2b, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: paths19c57e2b, param: "UniqueId", cases: []form{{token: &patterna7dc20ad, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: paths19c57e2b, param: "SourceUrl", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternbb93e85b, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: pathsa315fde9, param: "share", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?share="}, {Piece: verbs.ID}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: pathsa315fde9, param: "guestaccesstoken", cases: []form{{min: 12, partial: true, kind: File, needs: NeedsAccount, cookies: true}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: pathse9c401df, param: "sourcedoc", cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternffb6afd2, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}},
		{unless: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern92f35ba7}}}}, token: &pattern0f53aec9, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?UniqueId="}, {Piece: verbs.Own + 1}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "file"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern0a3bbebc}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: []string{"/*"}, param: "id", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern51f9a615}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern860e3877}}}, {{{Piece: verbs.Own + 0}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}}, token: &patternbb93e85b, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sharepoint", hosts: hosts77a9122b, paths: pathsdf47f654, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern51f9a615}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterna8dd1c60}}}, {{{Piece: verbs.Rest}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &patterna63e5e05}}, {{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Match, Pattern: &pattern8e330f32}}}, {{{Piece: verbs.Own + 0}, {Op: verbs.Lower}, {Op: verbs.Not, Pattern: &pattern6c4e7e65}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Text: "/_layouts/15/download.aspx?SourceUrl="}, {Piece: verbs.Own + 0, Form: verbs.Escaped}}}}}, cookies: true, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern8a532d47}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Match, Pattern: &pattern8d711b3b}}, {{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern41f220d6}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Segments}, {Op: verbs.Not, Pattern: &pattern039b531d}, {Op: verbs.Match, Pattern: &patterneab576eb}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Segments}, {Op: verbs.Match, Pattern: &pattern5267f054}, {Op: verbs.To, Parts: []verbs.Part{{Text: "/"}, {Piece: verbs.Value}}}}, {{Piece: verbs.PathOf}}}}}}}},
	{provider: "sina", hosts: hosts4323caed, paths: []string{"/filecenter/download.php"}, param: "id", cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "slack", hosts: []string{".slack.com"}, paths: paths855923ba, cases: []form{{token: &pattern88334683, kind: File, needs: NeedsAccount}}},
	{provider: "slack", hosts: []string{"slack-files.com"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern7640b476, kind: File, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patternd792695b, min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "smash", hosts: []string{"files.fromsmash.com"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &pattern3492c60b, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "smash", hosts: []string{"fromsmash.com"}, paths: []string{"/{id}"}, cases: []form{{token: &patternea54bf50, kind: Page, needs: NeedsProgram}}},
	{provider: "stack", hosts: []string{".stackstorage.com"}, paths: paths30fdba37, cases: []form{{token: &pattern40eed730, min: 15, kind: Page, needs: NeedsProgram}}},
	{provider: "storj", hosts: hosts607c0a8f, paths: []string{"/s/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patternd89a1849}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/raw/"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}}}}, {{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patterne39375fe}}}}}}}},
	{provider: "storj", hosts: hosts607c0a8f, paths: []string{"/raw/{id}/{owner}/*"}, cases: []form{{min: 20, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7533555c}, {Piece: verbs.Last}, {Op: verbs.Percent}}}}}}}},
	{provider: "sugarsync", hosts: []string{"www.sugarsync.com"}, paths: []string{"/pf/{id}"}, cases: []form{{token: &pattern43308af8, kind: Page, needs: NeedsProgram}}},
	{provider: "swisstransfer", hosts: hosts97f5de45, paths: []string{"/d/{id}"}, cases: []form{{token: &pattern3492c60b, kind: Page, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://www.swisstransfer.com/api/links/"}, {Piece: verbs.ID}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.1"}, {Op: verbs.Not, Pattern: &pattern5e9cf594}, {Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.container.files.0.UUID"}, {Op: verbs.Match, Pattern: &pattern3492c60b}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "/api/download/"}, {Piece: verbs.ID}, {Text: "/"}, {Piece: verbs.Value}}}}}, once: true, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "data.downloadHost"}}}}}}}},
	{provider: "sync.com", hosts: []string{".sync.com"}, paths: pathsd1756fbd, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern0644b892}}}}, token: &patternebcc4599, min: 6, kind: Page, endToEnd: true}}},
	{provider: "syncplicity", hosts: []string{".syncplicity.com"}, paths: paths22ebc192, cases: []form{{token: &pattern0e0fdfc2, min: 14, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{"gofile.me"}, paths: []string{"/{owner}/{id}"}, cases: []form{{token: &pattern139d7a75, min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", hosts: []string{".quickconnect.to"}, paths: paths220c9dd3, cases: []form{{token: &pattern7f73957a, min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "temp.sh", hosts: []string{"temp.sh"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &pattern49980cf8, min: 5, kind: File, needs: NeedsProgram}}},
	{provider: "tencent-docs", hosts: []string{"docs.qq.com"}, paths: pathseea17c28, cases: []form{{token: &pattern02b59b9a, min: 16, kind: Native, needs: NeedsAccount}}},
	{provider: "terabox", hosts: hosts384f5271, paths: []string{"/s/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "terabox", hosts: hosts384f5271, paths: paths3a91b886, param: "surl", cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "thunderbird-send", hosts: []string{"send.tb.pro"}, paths: pathsb27db756, cases: []form{{min: 8, kind: Page, endToEnd: true}}},
	{provider: "tianyi", hosts: []string{"download.cloud.189.cn"}, paths: []string{"/file/downloadFile.action"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, more: &facts{expireMS: verbs.Any{{{Op: verbs.Param, Text: "expired"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/t/{id}"}, cases: []form{{token: &pattern87218f2c, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tianyi", hosts: []string{"cloud.189.cn"}, paths: []string{"/web/share"}, param: "code", cases: []form{{token: &pattern87218f2c, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "tinyupload", hosts: hosts13940db8, paths: paths034b592b, param: "file_id", cases: []form{{token: &pattern4c42b755, kind: File, needs: NeedsProgram}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/dl/{id}/{name}"}, cases: []form{{token: &pattern31211d8a, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "tmpfiles", hosts: []string{"tmpfiles.org"}, paths: []string{"/{id}/{name}"}, cases: []form{{token: &pattern31211d8a, kind: File, needs: NeedsProgram}}},
	{provider: "transfer.sh", hosts: []string{"transfer.sh"}, paths: pathsa26250c3, cases: []form{{token: &pattern76ae546d, min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "transferbigfiles", hosts: []string{"www.transferbigfiles.com"}, paths: paths474d4018, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts9f748c33, paths: paths8f57e09a, cases: []form{{token: &pattern12f4e2ae, min: 12, kind: Page, needs: NeedsProgram}}},
	{provider: "transfernow", hosts: hosts9f748c33, paths: paths0f506ab4, param: "utm_source", cases: []form{{token: &pattern0a4bde3b, kind: Page, needs: NeedsProgram}}},
	{provider: "transferxl", hosts: hostscb2b5f4c, paths: paths958d8613, cases: []form{{token: &patternb53d3038, min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "tresorit", hosts: []string{"web.tresorit.com"}, paths: []string{"/l/{id}"}, cases: []form{{min: 5, kind: Page, endToEnd: true}}},
	{provider: "tresorit", hosts: hosts4bca4bad, paths: pathsce29a31f, cases: []form{{ownID: true, min: 16, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern4d1e3857}}}}}}}},
	{provider: "turbobit", hosts: []string{"turbobit.net"}, paths: []string{"/{id}"}, cases: []form{{token: &patterndf60d07a, min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "ubuntuone", hosts: []string{"ubuntuone.com"}, paths: pathsfbf34f1b, cases: []form{{token: &pattern3e548791, min: 3, kind: File, needs: NeedsProgram}}},
	{provider: "uc", hosts: []string{"drive.uc.cn"}, paths: []string{"/s/{id}"}, cases: []form{{token: &patternedfde5c7, kind: Page, needs: NeedsProgram}}},
	{provider: "ufile", hosts: hosts6bb6cefd, paths: pathsc9750329, cases: []form{{token: &pattern59f088dd, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "uloz.to", hosts: hosts6e63d02a, paths: pathsa9021ff0, cases: []form{{token: &pattern3e628014, min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "upload.ee", hosts: hostsb50f3e9d, paths: []string{"/files/{id}/{}"}, cases: []form{{token: &pattern31211d8a, kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts4511245b, paths: pathsa9021ff0, cases: []form{{token: &pattern8652775c, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploaded", hosts: hosts4511245b, paths: []string{"/"}, param: "id", cases: []form{{token: &pattern9d541b38, random: true, kind: File, needs: NeedsProgram}}},
	{provider: "uploadhaven", hosts: []string{"uploadhaven.com"}, paths: []string{"/download/{id}"}, cases: []form{{token: &pattern07d2d72b, kind: File, needs: NeedsProgram}}},
	{provider: "uschovna", hosts: hosts1440b5ba, paths: []string{"/zasilka/{id}"}, cases: []form{{token: &pattern332c92f4, kind: Page, needs: NeedsProgram}}},
	{provider: "uupload", hosts: []string{"uupload.ir"}, paths: []string{"/filelink/{id}/{name}"}, cases: []form{{token: &pattern87218f2c, min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "vk", hosts: hostsc3f8e49c, paths: []string{"/{id}"}, mark: "vk.com/doc", cases: []form{{token: &pattern6bfa00b5, kind: File, needs: NeedsProgram}}},
	{provider: "weibo", hosts: []string{"vdisk.weibo.com"}, paths: pathsc966cd2c, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "weixin", hosts: []string{"drive.weixin.qq.com"}, paths: []string{"/s"}, param: "k", cases: []form{{token: &pattern8d352d0f, min: 18, kind: Page, needs: NeedsProgram}}},
	{provider: "weiyun", hosts: []string{"share.weiyun.com"}, paths: []string{"/{id}"}, cases: []form{{min: 6, kind: Page, needs: NeedsProgram}}},
	{provider: "wenshushu", hosts: hostsae971fbb, paths: pathsd3c8cc0f, cases: []form{{token: &pattern1ede5cbb, random: true, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"we.tl"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern6945a81b, random: true, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hostse7cc831d, paths: paths6e445bc8, cases: []form{{min: 16, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wetransfer", hosts: hostse7cc831d, paths: pathsd24f5551, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "wetransfer", hosts: []string{"download.wetransfer.com"}, paths: []string{"/{}/{id}/*"}, cases: []form{{token: &pattern8b3eff17, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "wetransfer", hosts: []string{"collect.wetransfer.com"}, paths: []string{"/board/{id}"}, cases: []form{{min: 12, kind: Folder}}},
	{provider: "wetransfer", hosts: []string{"go.wetransfer.com"}, paths: []string{"/{id}"}, cases: []form{{token: &pattern00d0ef64, random: true, kind: Page, needs: NeedsProgram, once: true}}},
	{provider: "wikisend", hosts: hosts31f51eb8, paths: []string{"/download/{id}/{name}"}, cases: []form{{token: &pattern11d73b80, kind: File, needs: NeedsProgram}}},
	{provider: "workupload", hosts: []string{"workupload.com"}, paths: paths88a482d5, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "wormhole", hosts: []string{"wormhole.app"}, paths: []string{"/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern8b12bf79}}}}, token: &patternbb7cfac1, random: true, kind: Page, endToEnd: true}}},
	{provider: "xfilesharing", hosts: hostsab4f44e9, paths: paths474d4018, cases: []form{{token: &patterne952cfda, min: 12, kind: File, needs: NeedsProgram}}},
	{provider: "xunlei", hosts: []string{"pan.xunlei.com"}, paths: []string{"/s/{id}"}, cases: []form{{min: 20, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts5c2336e7, paths: []string{"/i/{id}"}, cases: []form{{min: 8, kind: File, ask: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://cloud-api.yandex.net/v1/disk/public/resources/download?public_key="}, {Piece: verbs.Link, Form: verbs.Escaped}}}}}, find: verbs.Any{{{Piece: verbs.Answer}, {Op: verbs.FindJSON, Text: "href"}}}}}},
	{provider: "yandex", hosts: hosts5c2336e7, paths: pathsb7a49c22, param: "hash", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts5c2336e7, paths: pathse163194a, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	{provider: "yandex", hosts: hosts5c2336e7, paths: []string{"/mail"}, param: "hash", cases: []form{{min: 8, kind: File, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zendesk", hosts: []string{".zendesk.com"}, paths: []string{"/attachments/token/{id}"}, cases: []form{{min: 15, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "name"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}}}}}}}},
	{provider: "zeta-uploader", hosts: []string{"www.zeta-uploader.com"}, paths: paths79b86949, cases: []form{{token: &patterncbdf0b42, kind: Page, needs: NeedsProgram}}},
	{provider: "zippyshare", hosts: []string{".zippyshare.com"}, paths: pathsbe780a17, cases: []form{{min: 8, kind: File, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts66606c96, paths: []string{"/external/{id}"}, cases: []form{{token: &pattern9d0dbf09, kind: Page, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/external/"}, {Piece: verbs.ID}, {Text: "/download?directDownload=true"}}}}}}}},
	{provider: "zoho", hosts: hosts66606c96, paths: []string{"/external/{id}/download"}, cases: []form{{token: &pattern9d0dbf09, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "directDownload", Parts: []verbs.Part{{Text: "true"}}}}}}}},
	{provider: "zoho", hosts: hosts66606c96, paths: []string{"/external/{type}/{id}"}, cases: []form{{token: &pattern9d0dbf09, kind: Page, needs: NeedsProgram}}},
	{provider: "zoho", hosts: hosts66606c96, paths: []string{"/file/{id}"}, cases: []form{{min: 20, kind: File, needs: NeedsAccount}}},
	{provider: "zoho", hosts: hosts66606c96, paths: []string{"/folder/{id}"}, cases: []form{{min: 20, kind: Folder}}},
	{provider: "zoho", hosts: hosts03c2ace2, paths: []string{"/file/{id}"}, cases: []form{{token: &patternd2140d51, kind: File, needs: NeedsProgram}}},
	{provider: "zshare", hosts: hosts8f7d9d24, paths: paths858c2d72, cases: []form{{token: &pattern37071dad, kind: File, needs: NeedsProgram}}},
	{provider: "alibaba", paths: []string{"/alimail/openLinks/downloadMimeMetaDiskBigAttach"}, param: "id", mark: "openlinks", cases: []form{{token: &pattern0a1874a7, kind: File, needs: NeedsProgram}}},
	{provider: "carbonio", paths: []string{"/services/files/public/link/download/{id}"}, mark: "/files/public/link/download/", cases: []form{{token: &pattern00a1d514, random: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "filesender", paths: paths3a8b7fa9, param: "token", mark: "filesender", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &pattern68ff63fb}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterndf9121b8}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterndf9121b8}}}}, token: &pattern3492c60b, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterna0287472}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterna0287472}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
}

// The numbers of the rows.
const (
	_ = iota - 1
	row_0x0_e5e37fb6
	row_115_98556be0
	row_123pan_bdd429b1
	row_1fichier_424aa101
	row_2shared_49862b35
	row_360_9abc7a72
	row_4shared_43f1b98c
	row_4shared_8edab186
	row_abv_4fc354d5
	row_adobe_60f3bd0d
	row_adobe_b2c86d73
	row_adobe_13ce0ffb
	row_adrive_6facc825
	row_aliyun_drive_3f3472b1
	row_amazon_12bf5d93
	row_androidfilehost_ffe8e190
	row_androidfilehost_048ad7ad
	row_anonfiles_1a83ee8a
	row_baidu_f6d79344
	row_baidu_bec30b36
	row_baidu_c425d3aa
	row_bitwarden_send_1b68cadc
	row_box_61554fcc
	row_box_ffa10c49
	row_box_3385bb83
	row_box_72e67c31
	row_box_0a5ba715
	row_box_9b176603
	row_box_d04466b1
	row_box_503bf8f2
	row_box_7bf5fe65
	row_buzzheavier_41f9e127
	row_caiyun_63b28603
	row_caiyun_c46d7d15
	row_catbox_632a33ee
	row_catbox_632a33ee_2
	row_catbox_5761fd15
	row_cjoint_9e1a84b6
	row_cloudapp_3cd0790b
	row_cloudapp_b2d82550
	row_copy_7af1f501
	row_cowtransfer_0c680446
	row_cozy_44b51202
	row_cryptpad_f24380a8
	row_ctfile_4377d3a8
	row_ctfile_9eb00a9c
	row_data_hu_4fb72130
	row_depositfiles_1a1c9d60
	row_discord_da2baac0
	row_divshare_5d847d4f
	row_docdroid_1fc888ca
	row_docsend_613b12ae
	row_doodrive_e2339b7f
	row_download_gg_07e1bb49
	row_dropbox_4fabcb42
	row_dropbox_2c0ebd68
	row_dropbox_ed612545
	row_dropbox_4ed62897
	row_dropbox_d773f7ce
	row_dropbox_171485d5
	row_dropbox_5a87fb9a
	row_dropbox_e58b0a2a
	row_dropbox_bc1ec6ac
	row_dropbox_ac92fee2
	row_droplr_6744fa7b
	row_dropmefiles_83b7cd02
	row_easyupload_c70b1799
	row_egnyte_02d02f2b
	row_egnyte_55fe6f9c
	row_egnyte_fb32738f
	row_fangcloud_adcbfc61
	row_fastmail_8050b309
	row_feishu_87a5324e
	row_feishu_ffd30882
	row_feishu_f458ce0c
	row_fex_323d984e
	row_fex_e580da19
	row_figshare_2c3414b4
	row_figshare_259a88fc
	row_file_upload_6af47ff7
	row_file_io_46ad4927
	row_filebin_f674699c
	row_filebin_4478d6b7
	row_fileconvoy_93b201c1
	row_filefactory_8013972e
	row_filehorst_271b6b08
	row_filemail_db1c7afe
	row_filemail_9b9fd65a
	row_filemail_6a185181
	row_filen_1a377df9
	row_filen_e5ff3f4d
	row_files_fm_ef401a4c
	row_filetransfer_io_f672128d
	row_filez_6ff731cc
	row_firestorage_54ffb4b5
	row_frame_io_7865c576
	row_frams_fex_fbb65f47
	row_free_1a3ef2c5
	row_free_e26bf34b
	row_free_9159fd7c
	row_ge_tt_6472c0b4
	row_gigafile_94a25d86
	row_gigamove_62845bc0
	row_github_55b0f4ae
	row_gitlab_e6b80ff6
	row_gmx_37b79624
	row_gofile_06eab9cd
	row_gofile_b9195f28
	row_gofile_04c11715
	row_google_docs_ac7ea710
	row_google_docs_3893026f
	row_google_docs_0d33b28c
	row_google_docs_738fa079
	row_google_docs_409faf72
	row_google_docs_f365cf25
	row_google_docs_1cfa1fbb
	row_google_docs_eb9759f8
	row_google_drive_cae1b396
	row_google_drive_51dc0e92
	row_google_drive_870c32a6
	row_google_drive_cc78fbbd
	row_google_drive_8ae93501
	row_google_drive_2a79e964
	row_google_drive_2e1875d7
	row_google_drive_666009e5
	row_google_drive_4cc68051
	row_google_photos_8a40534b
	row_grosfichiers_7eaed53e
	row_hidrive_5e2c463f
	row_hightail_6026d84e
	row_hightail_79ae112e
	row_hightail_27afb324
	row_hightail_810aff3f
	row_hubspot_d11ce420
	row_icedrive_2241c811
	row_icloud_30781b03
	row_icloud_c44ba675
	row_icloud_c08e9539
	row_icloud_263a1733
	row_icloud_e5f7361c
	row_icloud_98174fb1
	row_icloud_43257c80
	row_ifolder_fa66338b
	row_ilanzou_1756e1b5
	row_internxt_b995d7f5
	row_jianguoyun_aa32bae5
	row_jottacloud_f3742e2e
	row_jumpshare_65022fc6
	row_kakao_fdc6124b
	row_kakao_5a9c52f0
	row_kdocs_b748cf2b
	row_kdrive_717a06cc
	row_keep2share_013024c2
	row_koofr_053171a0
	row_koofr_7d185a89
	row_krakenfiles_125207b2
	row_lanzou_495f85ea
	row_limewire_0b4cff8c
	row_lufi_2e2999e4
	row_mail_ru_76d53dd2
	row_mail_ru_f74722d9
	row_mail_ru_da6e8b27
	row_mail_ru_c949da1f
	row_mediafire_819fb39f
	row_mediafire_e55f7f64
	row_mediafire_1a4f108d
	row_mediafire_a70b395f
	row_mediafire_c77a7dc4
	row_mediafire_03de0161
	row_mega_f993e410
	row_mega_966c32ac
	row_mega_146e35d7
	row_mega_24d4b757
	row_megaup_573558e0
	row_megaupload_457d877e
	row_meo_b000c00b
	row_mirrorace_6344f399
	row_mirrored_a68c10d2
	row_modsfire_0f4f47f7
	row_myairbridge_473dc772
	row_narod_519b0899
	row_naver_e737aefa
	row_naver_a5c1008b
	row_netease_8f3a01e4
	row_netease_d242cd01
	row_nextcloud_ecabf8ad
	row_nitroflare_5c08ead0
	row_onedrive_dd590330
	row_onedrive_35df03cc
	row_onedrive_57040b19
	row_onedrive_542269e8
	row_onedrive_89bf372c
	row_onedrive_71bd9986
	row_onedrive_afea9abe
	row_onedrive_dd04fa8a
	row_onedrive_6722531c
	row_onedrive_96fb65ab
	row_onedrive_1f4420ac
	row_onedrive_0c7e645d
	row_onedrive_8dbde055
	row_onedrive_60236ba7
	row_onedrive_9554f797
	row_onedrive_10ddcdc7
	row_onedrive_b2dbb1b7
	row_onedrive_64556a5e
	row_opendrive_66c40c74
	row_osf_53cd389e
	row_pcloud_a7c361f5
	row_pcloud_4cb53d70
	row_pcloud_64220f8a
	row_pcloud_da7a6ba3
	row_pcloud_3d5159e5
	row_pikpak_f0c7df31
	row_pixeldrain_86500d3a
	row_pixeldrain_39697107
	row_pixeldrain_6fb1ee19
	row_powerfolder_b5bd8e69
	row_proton_31140556
	row_puush_a9bb0157
	row_qq_b6982e83
	row_qq_dd306324
	row_qq_bf926fde
	row_qq_da6819b5
	row_quark_08f022dd
	row_rapidgator_1a08a3da
	row_rapidshare_50f04538
	row_rghost_da4972d7
	row_salesforce_a54e7c4a
	row_salesforce_713f3aa2
	row_seafile_9c826a28
	row_seafile_b3799a49
	row_seafile_f75557f6
	row_seafile_99eade11
	row_send_69f9b60d
	row_send_anywhere_c3275bfd
	row_sendbig_216166ff
	row_sendgb_19bcd843
	row_sendsafely_3e3a8b17
	row_sendspace_65835908
	row_sharefile_688568f5
	row_sharefile_9f31f950
	row_sharefile_16b9fb49
	row_sharepoint_face5807
	row_sharepoint_8803d237
	row_sharepoint_6eace279
	row_sharepoint_4c01da88
	row_sharepoint_9dc00dc1
	row_sharepoint_c9353c9d
	row_sharepoint_c502d83f
	row_sharepoint_f12ee261
	row_sharepoint_7a55d99a
	row_sharepoint_87176774
	row_sharepoint_9d2b35d4
	row_sharepoint_c1958046
	row_sina_f047f2a6
	row_slack_4fd6e8ab
	row_slack_9afc9b12
	row_smash_3ef45222
	row_smash_06f21559
	row_smash_3ef45222_2
	row_stack_cfba38cd
	row_storj_a8536194
	row_storj_e21d9523
	row_sugarsync_644c1f73
	row_swisstransfer_30b6c596
	row_sync_com_9399dd2d
	row_syncplicity_776320ed
	row_synology_5fe2ea95
	row_synology_7ee95b34
	row_temp_sh_eac38050
	row_tencent_docs_fdc41ce2
	row_terabox_a266a9c1
	row_terabox_fcd02b26
	row_thunderbird_send_c80e8174
	row_tianyi_91410a67
	row_tianyi_a69e3537
	row_tianyi_38d7a489
	row_tinyupload_acbf3760
	row_tmpfiles_f8693b33
	row_tmpfiles_64ec080e
	row_transfer_sh_33f661b9
	row_transferbigfiles_546c55df
	row_transfernow_10cb2174
	row_transfernow_50b960bf
	row_transferxl_cd88b415
	row_tresorit_5f98836f
	row_tresorit_07e7b723
	row_turbobit_36b79655
	row_ubuntuone_79446752
	row_uc_34ce51d0
	row_ufile_6bd27dd0
	row_uloz_to_a0efbff0
	row_upload_ee_8ed92799
	row_uploaded_1dd82c1f
	row_uploaded_febc30b4
	row_uploadhaven_d342f9a8
	row_uschovna_7dcbaac3
	row_uupload_bff12839
	row_vk_bfaa9bf2
	row_weibo_5bbf4c42
	row_weixin_848cf221
	row_weiyun_0cd89edb
	row_wenshushu_249666bc
	row_wetransfer_6644869a
	row_wetransfer_4dc33f63
	row_wetransfer_a50a150b
	row_wetransfer_833adc49
	row_wetransfer_ff2481cb
	row_wetransfer_ffe5ea5e
	row_wikisend_3b3fb524
	row_workupload_3a00912e
	row_wormhole_0f142059
	row_xfilesharing_7c4b5cb8
	row_xunlei_c1a87069
	row_yandex_d9cee11e
	row_yandex_4a543cca
	row_yandex_7bb929b6
	row_yandex_24e6e686
	row_zendesk_bf877c06
	row_zeta_uploader_46c96440
	row_zippyshare_a2ff7126
	row_zoho_6076c51a
	row_zoho_92ff8d86
	row_zoho_e4f36b73
	row_zoho_b2219fa8
	row_zoho_9c0448fb
	row_zoho_2c13b272
	row_zshare_9288bda0
	row_alibaba_b6e46ced
	row_carbonio_a7b552df
	row_filesender_b811baa0
)

// rulesByHost has the rows of rules by host.
var rulesByHost = &weburl.Hosts{
	Slots: []weburl.Slot{
		3:    {Pattern: "narod.ru", Rows: []uint16{row_narod_519b0899}},
		7:    {Pattern: "drive.mypikpak.com", Rows: []uint16{row_pikpak_f0c7df31}},
		8:    {Pattern: "kdocs.cn", Rows: []uint16{row_kdocs_b748cf2b}},
		11:   {Pattern: "www.megaupload.com", Rows: []uint16{row_megaupload_457d877e}},
		12:   {Pattern: "workupload.com", Rows: []uint16{row_workupload_3a00912e}},
		16:   {Pattern: ".lanzou.com", Rows: []uint16{row_lanzou_495f85ea}},
		17:   {Pattern: "framadrop.org", Rows: []uint16{row_lufi_2e2999e4}},
		19:   {Pattern: "aliyundrive.com", Rows: []uint16{row_aliyun_drive_3f3472b1}},
		21:   {Pattern: "send.cm", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		22:   {Pattern: "filedn.com", Rows: []uint16{row_pcloud_64220f8a}},
		23:   {Pattern: "sdrv.ms", Rows: []uint16{row_onedrive_35df03cc}},
		24:   {Pattern: "www.docdroid.net", Rows: []uint16{row_docdroid_1fc888ca}},
		30:   {Pattern: "divshare.com", Rows: []uint16{row_divshare_5d847d4f}},
		31:   {Pattern: "www.icloud.com", Rows: []uint16{row_icloud_30781b03, row_icloud_c44ba675, row_icloud_263a1733, row_icloud_e5f7361c, row_icloud_98174fb1}},
		37:   {Pattern: "fex.belwue.de", Rows: []uint16{row_frams_fex_fbb65f47}},
		38:   {Pattern: "anonfile.com", Rows: []uint16{row_anonfiles_1a83ee8a}},
		39:   {Pattern: "katfile.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		40:   {Pattern: "filerio.in", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		41:   {Pattern: "mail.qq.com", Rows: []uint16{row_qq_dd306324}},
		43:   {Pattern: ".lanzoum.com", Rows: []uint16{row_lanzou_495f85ea}},
		49:   {Pattern: "go.wetransfer.com", Rows: []uint16{row_wetransfer_ffe5ea5e}},
		51:   {Pattern: "drive.google.com", Rows: []uint16{row_google_drive_cae1b396, row_google_drive_51dc0e92, row_google_drive_870c32a6, row_google_drive_cc78fbbd, row_google_drive_8ae93501, row_google_drive_2a79e964}},
		52:   {Pattern: "app.koofr.net", Rows: []uint16{row_koofr_053171a0}},
		53:   {Pattern: "filedn.eu", Rows: []uint16{row_pcloud_64220f8a}},
		54:   {Pattern: "files.fm", Rows: []uint16{row_files_fm_ef401a4c}},
		55:   {Pattern: "www.file.io", Rows: []uint16{row_file_io_46ad4927}},
		56:   {Pattern: "docsend.com", Rows: []uint16{row_docsend_613b12ae}},
		62:   {Pattern: ".zippyshare.com", Rows: []uint16{row_zippyshare_a2ff7126}},
		69:   {Pattern: ".larksuite.com", Rows: []uint16{row_feishu_87a5324e, row_feishu_ffd30882, row_feishu_f458ce0c}},
		70:   {Pattern: "photos.google.com", Rows: []uint16{row_google_photos_8a40534b}},
		72:   {Pattern: "fex.net", Rows: []uint16{row_fex_323d984e, row_fex_e580da19}},
		74:   {Pattern: "1024tera.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		75:   {Pattern: "www.123865.com", Rows: []uint16{row_123pan_bdd429b1}},
		77:   {Pattern: "doodrive.com", Rows: []uint16{row_doodrive_e2339b7f}},
		78:   {Pattern: "1drv.ms", Rows: []uint16{row_onedrive_dd590330, row_onedrive_35df03cc, row_onedrive_542269e8}},
		79:   {Pattern: "teraboxapp.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		80:   {Pattern: "seafile.zfn.uni-bremen.de", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		81:   {Pattern: "www.amazon.com.br", Rows: []uint16{row_amazon_12bf5d93}},
		83:   {Pattern: "catbox.moe", Rows: []uint16{row_catbox_5761fd15}},
		84:   {Pattern: "file.al", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		86:   {Pattern: "tinyupload.com", Rows: []uint16{row_tinyupload_acbf3760}},
		89:   {Pattern: "www.amazon.com", Rows: []uint16{row_amazon_12bf5d93}},
		91:   {Pattern: "www.swisstransfer.com", Rows: []uint16{row_swisstransfer_30b6c596}},
		94:   {Pattern: ".mail.sina.com.cn", Rows: []uint16{row_sina_f047f2a6}},
		95:   {Pattern: "data.hu", Rows: []uint16{row_data_hu_4fb72130}},
		96:   {Pattern: "docdroid.net", Rows: []uint16{row_docdroid_1fc888ca}},
		97:   {Pattern: "icloud.com", Rows: []uint16{row_icloud_30781b03, row_icloud_c44ba675, row_icloud_263a1733, row_icloud_e5f7361c, row_icloud_98174fb1}},
		98:   {Pattern: "mexa.sh", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		99:   {Pattern: "files.acrobat.com", Rows: []uint16{row_adobe_13ce0ffb}},
		100:  {Pattern: "www.123684.com", Rows: []uint16{row_123pan_bdd429b1}},
		104:  {Pattern: "cernbox.cern.ch", Rows: []uint16{row_nextcloud_ecabf8ad}},
		106:  {Pattern: ".lanzoup.com", Rows: []uint16{row_lanzou_495f85ea}},
		108:  {Pattern: "www.krakenfiles.com", Rows: []uint16{row_krakenfiles_125207b2}},
		116:  {Pattern: "media.discordapp.net", Rows: []uint16{row_discord_da2baac0}},
		117:  {Pattern: "collect.wetransfer.com", Rows: []uint16{row_wetransfer_ff2481cb}},
		118:  {Pattern: "acrobat.adobe.com", Rows: []uint16{row_adobe_60f3bd0d, row_adobe_b2c86d73}},
		119:  {Pattern: "disk.360.yandex.com", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		120:  {Pattern: "download.wetransfer.com", Rows: []uint16{row_wetransfer_833adc49}},
		121:  {Pattern: "vk.com", Rows: []uint16{row_vk_bfaa9bf2}},
		122:  {Pattern: "www.catbox.moe", Rows: []uint16{row_catbox_5761fd15}},
		123:  {Pattern: ".lanzouo.com", Rows: []uint16{row_lanzou_495f85ea}},
		124:  {Pattern: ".file-upload.net", Rows: []uint16{row_file_upload_6af47ff7}},
		125:  {Pattern: ".wetransfer.com", Rows: []uint16{row_wetransfer_4dc33f63, row_wetransfer_a50a150b}},
		126:  {Pattern: "docs.google.com", Rows: []uint16{row_google_docs_ac7ea710, row_google_docs_3893026f, row_google_docs_0d33b28c, row_google_docs_738fa079, row_google_docs_409faf72, row_google_docs_f365cf25, row_google_docs_1cfa1fbb, row_google_docs_eb9759f8, row_google_drive_cae1b396, row_google_drive_51dc0e92, row_google_drive_870c32a6, row_google_drive_cc78fbbd, row_google_drive_8ae93501, row_google_drive_2a79e964, row_google_drive_666009e5}},
		127:  {Pattern: "uploadrar.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		128:  {Pattern: ".yousendit.com", Rows: []uint16{row_hightail_27afb324}},
		129:  {Pattern: "we.tl", Rows: []uint16{row_wetransfer_6644869a}},
		130:  {Pattern: "www.transfernow.net", Rows: []uint16{row_transfernow_10cb2174, row_transfernow_50b960bf}},
		132:  {Pattern: ".ifolder.ru", Rows: []uint16{row_ifolder_fa66338b}},
		137:  {Pattern: ".lanzoux.com", Rows: []uint16{row_lanzou_495f85ea}},
		138:  {Pattern: "clicknupload.org", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		139:  {Pattern: "assets.adobe.com", Rows: []uint16{row_adobe_13ce0ffb}},
		140:  {Pattern: ".lanpw.com", Rows: []uint16{row_lanzou_495f85ea}},
		143:  {Pattern: ".securevdr.com", Rows: []uint16{row_sharefile_688568f5, row_sharefile_9f31f950, row_sharefile_16b9fb49}},
		144:  {Pattern: "puu.sh", Rows: []uint16{row_puush_a9bb0157}},
		147:  {Pattern: ".sendsafely.com", Rows: []uint16{row_sendsafely_3e3a8b17}},
		153:  {Pattern: "upload.disroot.org", Rows: []uint16{row_lufi_2e2999e4}},
		157:  {Pattern: "workdrive.zoho.eu", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		158:  {Pattern: "www.ilanzou.com", Rows: []uint16{row_ilanzou_1756e1b5}},
		159:  {Pattern: "www.sendspace.com", Rows: []uint16{row_sendspace_65835908}},
		162:  {Pattern: "download.cloud.189.cn", Rows: []uint16{row_tianyi_91410a67}},
		163:  {Pattern: "bzzhr.co", Rows: []uint16{row_buzzheavier_41f9e127}},
		165:  {Pattern: ".quickconnect.to", Rows: []uint16{row_synology_7ee95b34}},
		166:  {Pattern: "ttm.sh", Rows: []uint16{row_0x0_e5e37fb6}},
		169:  {Pattern: "fil.email", Rows: []uint16{row_filemail_6a185181}},
		170:  {Pattern: ".salesforce.com", Rows: []uint16{row_salesforce_a54e7c4a, row_salesforce_713f3aa2}},
		171:  {Pattern: "rapidshare.com", Rows: []uint16{row_rapidshare_50f04538}},
		172:  {Pattern: "documentcloud.adobe.com", Rows: []uint16{row_adobe_60f3bd0d, row_adobe_b2c86d73}},
		173:  {Pattern: "sendanywhe.re", Rows: []uint16{row_send_anywhere_c3275bfd}},
		174:  {Pattern: ".lanzoub.com", Rows: []uint16{row_lanzou_495f85ea}},
		175:  {Pattern: "www.amazon.co.uk", Rows: []uint16{row_amazon_12bf5d93}},
		177:  {Pattern: "rg.to", Rows: []uint16{row_rapidgator_1a08a3da}},
		179:  {Pattern: "spreadsheets.google.com", Rows: []uint16{row_google_docs_eb9759f8}},
		180:  {Pattern: "www.androidfilehost.com", Rows: []uint16{row_androidfilehost_ffe8e190, row_androidfilehost_048ad7ad}},
		184:  {Pattern: "teraboxlink.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		186:  {Pattern: "www.filefactory.com", Rows: []uint16{row_filefactory_8013972e}},
		189:  {Pattern: "www.wikisend.com", Rows: []uint16{row_wikisend_3b3fb524}},
		190:  {Pattern: ".cloud.mail.ru", Rows: []uint16{row_mail_ru_c949da1f}},
		191:  {Pattern: ".gofile.io", Rows: []uint16{row_gofile_04c11715}},
		192:  {Pattern: "drive.filen.io", Rows: []uint16{row_filen_1a377df9, row_filen_e5ff3f4d}},
		193:  {Pattern: "modsfile.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		194:  {Pattern: "www.alipan.com", Rows: []uint16{row_aliyun_drive_3f3472b1}},
		196:  {Pattern: "keep2share.cc", Rows: []uint16{row_keep2share_013024c2}},
		197:  {Pattern: ".sharefile.com", Rows: []uint16{row_sharefile_688568f5, row_sharefile_9f31f950, row_sharefile_16b9fb49}},
		202:  {Pattern: "dfiles.eu", Rows: []uint16{row_depositfiles_1a1c9d60}},
		203:  {Pattern: "bayfiles.com", Rows: []uint16{row_anonfiles_1a83ee8a}},
		204:  {Pattern: "workdrive.zohopublic.jp", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		205:  {Pattern: "www.depositfiles.com", Rows: []uint16{row_depositfiles_1a1c9d60}},
		206:  {Pattern: "www.fileconvoy.com", Rows: []uint16{row_fileconvoy_93b201c1}},
		208:  {Pattern: "filefox.cc", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		209:  {Pattern: "my.pcloud.com", Rows: []uint16{row_pcloud_a7c361f5}},
		210:  {Pattern: "sites.ey.com", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		211:  {Pattern: ".icloud-content.com.cn", Rows: []uint16{row_icloud_43257c80}},
		212:  {Pattern: "www.123952.com", Rows: []uint16{row_123pan_bdd429b1}},
		213:  {Pattern: "pan.bnu.edu.cn", Rows: []uint16{row_filez_6ff731cc}},
		218:  {Pattern: ".mediafire.com", Rows: []uint16{row_mediafire_a70b395f}},
		219:  {Pattern: "seafile.unistra.fr", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		230:  {Pattern: "e.pc.cd", Rows: []uint16{row_pcloud_3d5159e5}},
		231:  {Pattern: "download.gg", Rows: []uint16{row_download_gg_07e1bb49}},
		232:  {Pattern: "uploaded.net", Rows: []uint16{row_uploaded_1dd82c1f, row_uploaded_febc30b4}},
		234:  {Pattern: "www.upload-4ever.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		235:  {Pattern: ".sharepoint.us", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		237:  {Pattern: "transfert.free.fr", Rows: []uint16{row_free_9159fd7c}},
		238:  {Pattern: "syncandshare.lrz.de", Rows: []uint16{row_powerfolder_b5bd8e69}},
		246:  {Pattern: "box.com", Rows: []uint16{row_box_61554fcc, row_box_3385bb83, row_box_72e67c31, row_box_0a5ba715, row_box_9b176603, row_box_d04466b1, row_box_503bf8f2, row_box_7bf5fe65}},
		247:  {Pattern: "files.mail.ru", Rows: []uint16{row_mail_ru_da6e8b27}},
		248:  {Pattern: "upload-4ever.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		249:  {Pattern: "yun.baidu.com", Rows: []uint16{row_baidu_f6d79344, row_baidu_bec30b36, row_baidu_c425d3aa}},
		251:  {Pattern: "file.io", Rows: []uint16{row_file_io_46ad4927}},
		252:  {Pattern: "www.yousendit.com", Rows: []uint16{row_hightail_79ae112e, row_hightail_810aff3f}},
		254:  {Pattern: "megaup.net", Rows: []uint16{row_megaup_573558e0}},
		255:  {Pattern: "gigamove.rz.rwth-aachen.de", Rows: []uint16{row_gigamove_62845bc0}},
		257:  {Pattern: "anonfiles.com", Rows: []uint16{row_anonfiles_1a83ee8a}},
		258:  {Pattern: "drive.proton.me", Rows: []uint16{row_proton_31140556}},
		259:  {Pattern: "github.com", Rows: []uint16{row_github_55b0f4ae}},
		260:  {Pattern: "iwx.mail.qq.com", Rows: []uint16{row_qq_b6982e83}},
		261:  {Pattern: "onedrive.live.com", Rows: []uint16{row_onedrive_89bf372c, row_onedrive_71bd9986, row_onedrive_afea9abe, row_onedrive_dd04fa8a, row_onedrive_6722531c, row_onedrive_96fb65ab, row_onedrive_1f4420ac, row_onedrive_0c7e645d, row_onedrive_8dbde055, row_onedrive_60236ba7}},
		264:  {Pattern: "drop.download", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		266:  {Pattern: "www.dropbox.com", Rows: []uint16{row_dropbox_4fabcb42, row_dropbox_2c0ebd68, row_dropbox_ed612545, row_dropbox_4ed62897, row_dropbox_d773f7ce, row_dropbox_171485d5, row_dropbox_5a87fb9a, row_dropbox_ac92fee2}},
		267:  {Pattern: ".sharepoint.com", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		268:  {Pattern: ".zendesk.com", Rows: []uint16{row_zendesk_bf877c06}},
		269:  {Pattern: "wss1.cn", Rows: []uint16{row_wenshushu_249666bc}},
		275:  {Pattern: "userscloud.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		276:  {Pattern: ".lanzouw.com", Rows: []uint16{row_lanzou_495f85ea}},
		282:  {Pattern: "www.zeta-uploader.com", Rows: []uint16{row_zeta_uploader_46c96440}},
		283:  {Pattern: "katfile.online", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		284:  {Pattern: "figshare.com", Rows: []uint16{row_figshare_2c3414b4, row_figshare_259a88fc}},
		285:  {Pattern: "clicknupload.click", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		286:  {Pattern: "paper.dropbox.com", Rows: []uint16{row_dropbox_e58b0a2a}},
		287:  {Pattern: "datashare.mpcdf.mpg.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		288:  {Pattern: "mab.to", Rows: []uint16{row_myairbridge_473dc772}},
		289:  {Pattern: "www.kdocs.cn", Rows: []uint16{row_kdocs_b748cf2b}},
		292:  {Pattern: "cryptpad.fr", Rows: []uint16{row_cryptpad_f24380a8}},
		293:  {Pattern: "my.microsoftpersonalcontent.com", Rows: []uint16{row_onedrive_9554f797, row_onedrive_10ddcdc7}},
		298:  {Pattern: "mega.nz", Rows: []uint16{row_mega_f993e410, row_mega_966c32ac, row_mega_146e35d7}},
		303:  {Pattern: "cloud.acrobat.com", Rows: []uint16{row_adobe_13ce0ffb}},
		304:  {Pattern: "k2s.cc", Rows: []uint16{row_keep2share_013024c2}},
		309:  {Pattern: ".files.storage.msn.com", Rows: []uint16{row_onedrive_57040b19}},
		310:  {Pattern: "drive.uc.cn", Rows: []uint16{row_uc_34ce51d0}},
		311:  {Pattern: "gofile.me", Rows: []uint16{row_synology_5fe2ea95}},
		314:  {Pattern: "dl.dropbox.com", Rows: []uint16{row_dropbox_bc1ec6ac, row_dropbox_ac92fee2}},
		316:  {Pattern: "www.4shared.com", Rows: []uint16{row_4shared_43f1b98c, row_4shared_8edab186}},
		317:  {Pattern: "terasharelink.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		320:  {Pattern: "filen.io", Rows: []uint16{row_filen_e5ff3f4d}},
		321:  {Pattern: "www.wenshushu.cn", Rows: []uint16{row_wenshushu_249666bc}},
		323:  {Pattern: ".twake.app", Rows: []uint16{row_cozy_44b51202}},
		325:  {Pattern: "storage.rcs-rds.ro", Rows: []uint16{row_koofr_053171a0}},
		326:  {Pattern: "www.opendrive.com", Rows: []uint16{row_opendrive_66c40c74}},
		328:  {Pattern: "www.2shared.com", Rows: []uint16{row_2shared_49862b35}},
		330:  {Pattern: "www.transferxl.com", Rows: []uint16{row_transferxl_cd88b415}},
		331:  {Pattern: "dashi.163.com", Rows: []uint16{row_netease_d242cd01}},
		332:  {Pattern: "web.tresorit.com", Rows: []uint16{row_tresorit_5f98836f, row_tresorit_07e7b723}},
		336:  {Pattern: "hexupload.net", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		337:  {Pattern: "pan.quark.cn", Rows: []uint16{row_quark_08f022dd}},
		338:  {Pattern: "tusfiles.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		339:  {Pattern: "www.magentacloud.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		340:  {Pattern: "www.mega.nz", Rows: []uint16{row_mega_f993e410, row_mega_966c32ac, row_mega_146e35d7}},
		341:  {Pattern: "keeper.mpdl.mpg.de", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		342:  {Pattern: "www.amazon.de", Rows: []uint16{row_amazon_12bf5d93}},
		343:  {Pattern: "yadi.sk", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		346:  {Pattern: "www.1024terabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		347:  {Pattern: "filetransfer.io", Rows: []uint16{row_filetransfer_io_f672128d}},
		348:  {Pattern: "mail.sina.com.cn", Rows: []uint16{row_sina_f047f2a6}},
		352:  {Pattern: "disk.yandex.kz", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		353:  {Pattern: ".box.net", Rows: []uint16{row_box_ffa10c49}},
		355:  {Pattern: ".force.com", Rows: []uint16{row_salesforce_a54e7c4a, row_salesforce_713f3aa2}},
		356:  {Pattern: "caiyun.139.com", Rows: []uint16{row_caiyun_63b28603}},
		357:  {Pattern: "cloud.mail.ru", Rows: []uint16{row_mail_ru_76d53dd2, row_mail_ru_f74722d9}},
		358:  {Pattern: "osf.io", Rows: []uint16{row_osf_53cd389e}},
		359:  {Pattern: "workdrive.zohoexternal.eu", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		360:  {Pattern: "ifolder.ru", Rows: []uint16{row_ifolder_fa66338b}},
		361:  {Pattern: "drop.infini.fr", Rows: []uint16{row_lufi_2e2999e4}},
		362:  {Pattern: "send.tb.pro", Rows: []uint16{row_thunderbird_send_c80e8174}},
		365:  {Pattern: "123pan.com", Rows: []uint16{row_123pan_bdd429b1}},
		366:  {Pattern: "jbox.sjtu.edu.cn", Rows: []uint16{row_filez_6ff731cc}},
		370:  {Pattern: ".lanzouv.com", Rows: []uint16{row_lanzou_495f85ea}},
		371:  {Pattern: ".cowtransfer.com", Rows: []uint16{row_cowtransfer_0c680446}},
		372:  {Pattern: "swisstransfer.com", Rows: []uint16{row_swisstransfer_30b6c596}},
		373:  {Pattern: "uupload.ir", Rows: []uint16{row_uupload_bff12839}},
		374:  {Pattern: ".lanzoul.com", Rows: []uint16{row_lanzou_495f85ea}},
		375:  {Pattern: "drive.weixin.qq.com", Rows: []uint16{row_weixin_848cf221}},
		376:  {Pattern: "ndownloader.figshare.com", Rows: []uint16{row_figshare_259a88fc}},
		377:  {Pattern: "pc.cd", Rows: []uint16{row_pcloud_3d5159e5}},
		380:  {Pattern: "icedrive.net", Rows: []uint16{row_icedrive_2241c811}},
		382:  {Pattern: "bigfile.mail.daum.net", Rows: []uint16{row_kakao_fdc6124b}},
		384:  {Pattern: "docs.zoho.com", Rows: []uint16{row_zoho_2c13b272}},
		385:  {Pattern: "cl.ly", Rows: []uint16{row_cloudapp_b2d82550}},
		386:  {Pattern: "docs.qq.com", Rows: []uint16{row_tencent_docs_fdc41ce2}},
		387:  {Pattern: "docs.zohopublic.com", Rows: []uint16{row_zoho_2c13b272}},
		388:  {Pattern: "u.pcloud.com", Rows: []uint16{row_pcloud_a7c361f5}},
		389:  {Pattern: "www.hightail.com", Rows: []uint16{row_hightail_810aff3f}},
		390:  {Pattern: "wormhole.app", Rows: []uint16{row_wormhole_0f142059}},
		391:  {Pattern: "d.pr", Rows: []uint16{row_droplr_6744fa7b}},
		392:  {Pattern: ".icloud-content.com", Rows: []uint16{row_icloud_43257c80}},
		395:  {Pattern: "mail.126.com", Rows: []uint16{row_netease_8f3a01e4}},
		396:  {Pattern: "wikisend.com", Rows: []uint16{row_wikisend_3b3fb524}},
		400:  {Pattern: ".slack.com", Rows: []uint16{row_slack_4fd6e8ab}},
		401:  {Pattern: "drive.usercontent.google.com", Rows: []uint16{row_google_drive_2e1875d7}},
		402:  {Pattern: "slack-files.com", Rows: []uint16{row_slack_9afc9b12}},
		404:  {Pattern: "send.bitwarden.com", Rows: []uint16{row_bitwarden_send_1b68cadc}},
		405:  {Pattern: "www.jianguoyun.com", Rows: []uint16{row_jianguoyun_aa32bae5}},
		406:  {Pattern: "dox.abv.bg", Rows: []uint16{row_abv_4fc354d5}},
		410:  {Pattern: "cdn.discordapp.com", Rows: []uint16{row_discord_da2baac0}},
		411:  {Pattern: "share.weiyun.com", Rows: []uint16{row_weiyun_0cd89edb}},
		412:  {Pattern: ".feishu.cn", Rows: []uint16{row_feishu_87a5324e, row_feishu_ffd30882, row_feishu_f458ce0c}},
		413:  {Pattern: "file-upload.net", Rows: []uint16{row_file_upload_6af47ff7}},
		414:  {Pattern: "mail.163.com", Rows: []uint16{row_netease_8f3a01e4}},
		415:  {Pattern: "filehorst.de", Rows: []uint16{row_filehorst_271b6b08}},
		416:  {Pattern: "www.amazon.fr", Rows: []uint16{row_amazon_12bf5d93}},
		417:  {Pattern: "www.amazon.in", Rows: []uint16{row_amazon_12bf5d93}},
		419:  {Pattern: "dl.getdropbox.com", Rows: []uint16{row_dropbox_bc1ec6ac, row_dropbox_ac92fee2}},
		426:  {Pattern: "fromsmash.com", Rows: []uint16{row_smash_3ef45222, row_smash_3ef45222_2}},
		428:  {Pattern: "1024terabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		429:  {Pattern: "sciebo.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		431:  {Pattern: "rapidshare.de", Rows: []uint16{row_rapidshare_50f04538}},
		436:  {Pattern: "workdrive.zoho.com", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		438:  {Pattern: "u.pc.cd", Rows: []uint16{row_pcloud_3d5159e5}},
		439:  {Pattern: "www.file-upload.org", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		440:  {Pattern: ".lanzouu.com", Rows: []uint16{row_lanzou_495f85ea}},
		444:  {Pattern: "www.amazon.co.jp", Rows: []uint16{row_amazon_12bf5d93}},
		445:  {Pattern: "next.frame.io", Rows: []uint16{row_frame_io_7865c576}},
		446:  {Pattern: "www.grosfichiers.com", Rows: []uint16{row_grosfichiers_7eaed53e}},
		451:  {Pattern: ".fangcloud.com", Rows: []uint16{row_fangcloud_adcbfc61}},
		454:  {Pattern: "cloud.189.cn", Rows: []uint16{row_tianyi_a69e3537, row_tianyi_38d7a489}},
		459:  {Pattern: "bigfile.mail.kakao.com", Rows: []uint16{row_kakao_fdc6124b}},
		460:  {Pattern: ".lanzout.com", Rows: []uint16{row_lanzou_495f85ea}},
		461:  {Pattern: "vault.bitwarden.com", Rows: []uint16{row_bitwarden_send_1b68cadc}},
		462:  {Pattern: "www.123912.com", Rows: []uint16{row_123pan_bdd429b1}},
		463:  {Pattern: "www.sugarsync.com", Rows: []uint16{row_sugarsync_644c1f73}},
		465:  {Pattern: "clicknupload.cc", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		466:  {Pattern: "cowtransfer.com", Rows: []uint16{row_cowtransfer_0c680446}},
		467:  {Pattern: ".box.com", Rows: []uint16{row_box_61554fcc, row_box_3385bb83, row_box_72e67c31, row_box_0a5ba715, row_box_9b176603, row_box_d04466b1, row_box_503bf8f2, row_box_7bf5fe65}},
		469:  {Pattern: "attach.mail.daum.net", Rows: []uint16{row_kakao_5a9c52f0}},
		470:  {Pattern: "dropbox.com", Rows: []uint16{row_dropbox_4fabcb42, row_dropbox_2c0ebd68, row_dropbox_ed612545, row_dropbox_4ed62897, row_dropbox_d773f7ce, row_dropbox_171485d5, row_dropbox_5a87fb9a, row_dropbox_ac92fee2}},
		475:  {Pattern: "jmp.sh", Rows: []uint16{row_jumpshare_65022fc6}},
		477:  {Pattern: ".lanzouj.com", Rows: []uint16{row_lanzou_495f85ea}},
		480:  {Pattern: "box.net", Rows: []uint16{row_box_ffa10c49}},
		481:  {Pattern: "freeterabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		482:  {Pattern: "www.transferbigfiles.com", Rows: []uint16{row_transferbigfiles_546c55df}},
		486:  {Pattern: "www.jottacloud.com", Rows: []uint16{row_jottacloud_f3742e2e}},
		487:  {Pattern: "www.amazon.com.au", Rows: []uint16{row_amazon_12bf5d93}},
		495:  {Pattern: "hidrive.ionos.com", Rows: []uint16{row_hidrive_5e2c463f}},
		496:  {Pattern: "my.hidrive.com", Rows: []uint16{row_hidrive_5e2c463f}},
		497:  {Pattern: "bwsyncandshare.kit.edu", Rows: []uint16{row_nextcloud_ecabf8ad}},
		498:  {Pattern: "www.amazon.es", Rows: []uint16{row_amazon_12bf5d93}},
		499:  {Pattern: "docs.zoho.in", Rows: []uint16{row_zoho_2c13b272}},
		500:  {Pattern: ".lanzouf.com", Rows: []uint16{row_lanzou_495f85ea}},
		501:  {Pattern: "www.wetransfer.com", Rows: []uint16{row_wetransfer_4dc33f63, row_wetransfer_a50a150b}},
		502:  {Pattern: "pan.xunlei.com", Rows: []uint16{row_xunlei_c1a87069}},
		505:  {Pattern: ".gigafile.nu", Rows: []uint16{row_gigafile_94a25d86}},
		507:  {Pattern: "uploaded.to", Rows: []uint16{row_uploaded_1dd82c1f, row_uploaded_febc30b4}},
		510:  {Pattern: ".lanzoue.com", Rows: []uint16{row_lanzou_495f85ea}},
		512:  {Pattern: "mediafire.com", Rows: []uint16{row_mediafire_819fb39f, row_mediafire_e55f7f64, row_mediafire_c77a7dc4, row_mediafire_03de0161}},
		514:  {Pattern: "uloz.to", Rows: []uint16{row_uloz_to_a0efbff0}},
		516:  {Pattern: "dropmefiles.com", Rows: []uint16{row_dropmefiles_83b7cd02}},
		521:  {Pattern: "owncloud.gwdg.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		528:  {Pattern: "www.mirrored.to", Rows: []uint16{row_mirrored_a68c10d2}},
		531:  {Pattern: "disk.yandex.ru", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		532:  {Pattern: "www.adrive.com", Rows: []uint16{row_adrive_6facc825}},
		535:  {Pattern: "transfer.pcloud.com", Rows: []uint16{row_pcloud_da7a6ba3}},
		541:  {Pattern: "b2drop.eudat.eu", Rows: []uint16{row_nextcloud_ecabf8ad}},
		545:  {Pattern: "www.googledrive.com", Rows: []uint16{row_google_drive_4cc68051}},
		550:  {Pattern: "0x0.st", Rows: []uint16{row_0x0_e5e37fb6}},
		551:  {Pattern: ".lanzn.com", Rows: []uint16{row_lanzou_495f85ea}},
		553:  {Pattern: ".livefilestore.com", Rows: []uint16{row_onedrive_57040b19}},
		554:  {Pattern: "share.icloud.com", Rows: []uint16{row_icloud_c08e9539}},
		555:  {Pattern: "ddownload.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		558:  {Pattern: "icloud.com.cn", Rows: []uint16{row_icloud_30781b03, row_icloud_c44ba675, row_icloud_263a1733, row_icloud_e5f7361c, row_icloud_98174fb1}},
		561:  {Pattern: "m.vk.com", Rows: []uint16{row_vk_bfaa9bf2}},
		565:  {Pattern: "www.sharemods.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		568:  {Pattern: "www.amazon.it", Rows: []uint16{row_amazon_12bf5d93}},
		574:  {Pattern: ".figshare.com", Rows: []uint16{row_figshare_2c3414b4}},
		582:  {Pattern: ".pcloud.link", Rows: []uint16{row_pcloud_4cb53d70}},
		583:  {Pattern: "sharemods.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		587:  {Pattern: "datanodes.to", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		590:  {Pattern: "transfer.sh", Rows: []uint16{row_transfer_sh_33f661b9}},
		593:  {Pattern: ".filemail.com", Rows: []uint16{row_filemail_db1c7afe, row_filemail_9b9fd65a}},
		594:  {Pattern: ".lanzouq.com", Rows: []uint16{row_lanzou_495f85ea}},
		595:  {Pattern: "disk.yandex.com", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		596:  {Pattern: "easybytez.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		597:  {Pattern: "ufile.io", Rows: []uint16{row_ufile_6bd27dd0}},
		599:  {Pattern: "megaupload.com", Rows: []uint16{row_megaupload_457d877e}},
		600:  {Pattern: "turbobit.net", Rows: []uint16{row_turbobit_36b79655}},
		601:  {Pattern: "envs.sh", Rows: []uint16{row_0x0_e5e37fb6}},
		603:  {Pattern: "usersfiles.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		608:  {Pattern: "ulozto.net", Rows: []uint16{row_uloz_to_a0efbff0}},
		611:  {Pattern: "disk.yandex.com.tr", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		612:  {Pattern: "temp.sh", Rows: []uint16{row_temp_sh_eac38050}},
		616:  {Pattern: "workdrive.zohoexternal.in", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		617:  {Pattern: "androidfilehost.com", Rows: []uint16{row_androidfilehost_ffe8e190, row_androidfilehost_048ad7ad}},
		618:  {Pattern: "skydrive.live.com", Rows: []uint16{row_onedrive_89bf372c, row_onedrive_71bd9986, row_onedrive_afea9abe, row_onedrive_dd04fa8a, row_onedrive_6722531c, row_onedrive_96fb65ab, row_onedrive_1f4420ac, row_onedrive_0c7e645d, row_onedrive_8dbde055, row_onedrive_60236ba7}},
		619:  {Pattern: "wx.mail.qq.com", Rows: []uint16{row_qq_b6982e83}},
		622:  {Pattern: "yun.139.com", Rows: []uint16{row_caiyun_c46d7d15}},
		624:  {Pattern: "photos.app.goo.gl", Rows: []uint16{row_google_photos_8a40534b}},
		627:  {Pattern: ".sharepoint.cn", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		628:  {Pattern: "www.zshare.net", Rows: []uint16{row_zshare_9288bda0}},
		638:  {Pattern: "sendgb.com", Rows: []uint16{row_sendgb_19bcd843}},
		640:  {Pattern: "rapidgator.net", Rows: []uint16{row_rapidgator_1a08a3da}},
		641:  {Pattern: "alipan.com", Rows: []uint16{row_aliyun_drive_3f3472b1}},
		642:  {Pattern: "depositfiles.com", Rows: []uint16{row_depositfiles_1a1c9d60}},
		643:  {Pattern: "exmail.qq.com", Rows: []uint16{row_qq_bf926fde, row_qq_da6819b5}},
		646:  {Pattern: "dailyuploads.net", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		647:  {Pattern: "wenshushu.cn", Rows: []uint16{row_wenshushu_249666bc}},
		649:  {Pattern: "fs.163.com", Rows: []uint16{row_netease_8f3a01e4}},
		651:  {Pattern: "rghost.ru", Rows: []uint16{row_rghost_da4972d7}},
		652:  {Pattern: "www.terabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		653:  {Pattern: "files.catbox.moe", Rows: []uint16{row_catbox_632a33ee, row_catbox_632a33ee_2}},
		654:  {Pattern: "yousendit.com", Rows: []uint16{row_hightail_810aff3f}},
		655:  {Pattern: ".sharepoint-mil.us", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		656:  {Pattern: "workdrive.zoho.in", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		659:  {Pattern: ".sciebo.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		660:  {Pattern: "115cdn.com", Rows: []uint16{row_115_98556be0}},
		661:  {Pattern: "link.ap1.storjshare.io", Rows: []uint16{row_storj_a8536194, row_storj_e21d9523}},
		662:  {Pattern: "mirrorace.org", Rows: []uint16{row_mirrorace_6344f399}},
		663:  {Pattern: ".mycozy.cloud", Rows: []uint16{row_cozy_44b51202}},
		665:  {Pattern: "magentacloud.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		668:  {Pattern: "filelu.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		669:  {Pattern: "files.im", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		670:  {Pattern: "www.aliyundrive.com", Rows: []uint16{row_aliyun_drive_3f3472b1}},
		674:  {Pattern: "faubox.rrze.uni-erlangen.de", Rows: []uint16{row_powerfolder_b5bd8e69}},
		675:  {Pattern: "workdrive.zohopublic.com.cn", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		678:  {Pattern: "app.mediafire.com", Rows: []uint16{row_mediafire_e55f7f64, row_mediafire_1a4f108d}},
		679:  {Pattern: "k00.fr", Rows: []uint16{row_koofr_7d185a89}},
		680:  {Pattern: ".data.hu", Rows: []uint16{row_data_hu_4fb72130}},
		682:  {Pattern: "mexashare.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		688:  {Pattern: "anxia.com", Rows: []uint16{row_115_98556be0}},
		689:  {Pattern: "docs.zoho.eu", Rows: []uint16{row_zoho_2c13b272}},
		690:  {Pattern: "vdisk.weibo.com", Rows: []uint16{row_weibo_5bbf4c42}},
		691:  {Pattern: ".lanzoug.com", Rows: []uint16{row_lanzou_495f85ea}},
		692:  {Pattern: "uploadfiles.io", Rows: []uint16{row_ufile_6bd27dd0}},
		693:  {Pattern: "x0.at", Rows: []uint16{row_0x0_e5e37fb6}},
		695:  {Pattern: "terabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		698:  {Pattern: "app.frame.io", Rows: []uint16{row_frame_io_7865c576}},
		699:  {Pattern: "seafile.lirmm.fr", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		700:  {Pattern: "zshare.net", Rows: []uint16{row_zshare_9288bda0}},
		705:  {Pattern: ".rapidshare.com", Rows: []uint16{row_rapidshare_50f04538}},
		706:  {Pattern: "shared-assets.adobe.com", Rows: []uint16{row_adobe_13ce0ffb}},
		711:  {Pattern: "www.mediafire.com", Rows: []uint16{row_mediafire_819fb39f, row_mediafire_e55f7f64, row_mediafire_c77a7dc4, row_mediafire_03de0161}},
		712:  {Pattern: "filejoker.net", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		713:  {Pattern: "mail.yeah.net", Rows: []uint16{row_netease_8f3a01e4}},
		714:  {Pattern: "usersdrive.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		715:  {Pattern: "www.freeterabox.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		716:  {Pattern: "limewire.com", Rows: []uint16{row_limewire_0b4cff8c}},
		717:  {Pattern: ".lanzoui.com", Rows: []uint16{row_lanzou_495f85ea}},
		718:  {Pattern: "link.us1.storjshare.io", Rows: []uint16{row_storj_a8536194, row_storj_e21d9523}},
		719:  {Pattern: "nitroflare.com", Rows: []uint16{row_nitroflare_5c08ead0}},
		720:  {Pattern: "e.pcloud.com", Rows: []uint16{row_pcloud_a7c361f5}},
		721:  {Pattern: ".lanzouy.com", Rows: []uint16{row_lanzou_495f85ea}},
		722:  {Pattern: "upload.ee", Rows: []uint16{row_upload_ee_8ed92799}},
		723:  {Pattern: "www.123pan.cn", Rows: []uint16{row_123pan_bdd429b1}},
		724:  {Pattern: "www.uschovna.cz", Rows: []uint16{row_uschovna_7dcbaac3}},
		728:  {Pattern: "send.tresorit.com", Rows: []uint16{row_tresorit_07e7b723}},
		730:  {Pattern: "mypikpak.com", Rows: []uint16{row_pikpak_f0c7df31}},
		731:  {Pattern: ".sync.com", Rows: []uint16{row_sync_com_9399dd2d}},
		732:  {Pattern: "ulozto.sk", Rows: []uint16{row_uloz_to_a0efbff0}},
		733:  {Pattern: "workdrive.zohopublic.com", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		734:  {Pattern: "drive.switch.ch", Rows: []uint16{row_nextcloud_ecabf8ad}},
		735:  {Pattern: "pixeldrain.com", Rows: []uint16{row_pixeldrain_86500d3a, row_pixeldrain_39697107, row_pixeldrain_6fb1ee19}},
		737:  {Pattern: "ubuntuone.com", Rows: []uint16{row_ubuntuone_79446752}},
		739:  {Pattern: "1fichier.com", Rows: []uint16{row_1fichier_424aa101}},
		740:  {Pattern: "terafileshare.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		742:  {Pattern: "mybox.naver.com", Rows: []uint16{row_naver_a5c1008b}},
		745:  {Pattern: "send-anywhere.com", Rows: []uint16{row_send_anywhere_c3275bfd}},
		748:  {Pattern: "uschovna.cz", Rows: []uint16{row_uschovna_7dcbaac3}},
		757:  {Pattern: "gigamove.rwth-aachen.de", Rows: []uint16{row_gigamove_62845bc0}},
		759:  {Pattern: ".stackstorage.com", Rows: []uint16{row_stack_cfba38cd}},
		761:  {Pattern: "novafile.org", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		763:  {Pattern: "easyupload.io", Rows: []uint16{row_easyupload_c70b1799}},
		764:  {Pattern: ".storage.live.com", Rows: []uint16{row_onedrive_57040b19}},
		765:  {Pattern: "link.eu1.storjshare.io", Rows: []uint16{row_storj_a8536194, row_storj_e21d9523}},
		768:  {Pattern: ".ctfile.com", Rows: []uint16{row_ctfile_4377d3a8, row_ctfile_9eb00a9c}},
		773:  {Pattern: "file-upload.org", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		774:  {Pattern: "link.storjshare.io", Rows: []uint16{row_storj_a8536194, row_storj_e21d9523}},
		780:  {Pattern: "cld.pt", Rows: []uint16{row_meo_b000c00b}},
		781:  {Pattern: "send.firefox.com", Rows: []uint16{row_send_69f9b60d}},
		785:  {Pattern: ".pcloud.com", Rows: []uint16{row_pcloud_4cb53d70}},
		786:  {Pattern: "surfdrive.surf.nl", Rows: []uint16{row_nextcloud_ecabf8ad}},
		787:  {Pattern: "www.icloud.com.cn", Rows: []uint16{row_icloud_30781b03, row_icloud_c44ba675, row_icloud_263a1733, row_icloud_e5f7361c, row_icloud_98174fb1}},
		788:  {Pattern: "modsfire.com", Rows: []uint16{row_modsfire_0f4f47f7}},
		789:  {Pattern: "user.fm", Rows: []uint16{row_fastmail_8050b309}},
		790:  {Pattern: "ulozto.cz", Rows: []uint16{row_uloz_to_a0efbff0}},
		791:  {Pattern: "workdrive.zohoexternal.com", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		793:  {Pattern: ".lc.yunpan.cn", Rows: []uint16{row_360_9abc7a72}},
		794:  {Pattern: "googledrive.com", Rows: []uint16{row_google_drive_4cc68051}},
		796:  {Pattern: "dl.dropboxusercontent.com", Rows: []uint16{row_dropbox_bc1ec6ac, row_dropbox_ac92fee2}},
		797:  {Pattern: "ge.tt", Rows: []uint16{row_ge_tt_6472c0b4}},
		798:  {Pattern: "cloudstor.aarnet.edu.au", Rows: []uint16{row_nextcloud_ecabf8ad}},
		801:  {Pattern: "mirrored.to", Rows: []uint16{row_mirrored_a68c10d2}},
		802:  {Pattern: "www.sendbig.com", Rows: []uint16{row_sendbig_216166ff}},
		803:  {Pattern: "transfernow.net", Rows: []uint16{row_transfernow_10cb2174, row_transfernow_50b960bf}},
		804:  {Pattern: ".skydrive.live.com", Rows: []uint16{row_onedrive_b2dbb1b7}},
		811:  {Pattern: "spaces.hightail.com", Rows: []uint16{row_hightail_6026d84e}},
		812:  {Pattern: "2shared.com", Rows: []uint16{row_2shared_49862b35}},
		813:  {Pattern: "www.upload.ee", Rows: []uint16{row_upload_ee_8ed92799}},
		822:  {Pattern: ".salesforce-sites.com", Rows: []uint16{row_salesforce_a54e7c4a, row_salesforce_713f3aa2}},
		823:  {Pattern: "workdrive.zoho.com.au", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		831:  {Pattern: "uploadhaven.com", Rows: []uint16{row_uploadhaven_d342f9a8}},
		832:  {Pattern: "disk.360.yandex.ru", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		833:  {Pattern: "hugefiles.net", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		834:  {Pattern: "dl.free.fr", Rows: []uint16{row_free_1a3ef2c5, row_free_e26bf34b}},
		835:  {Pattern: "www.1024tera.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		836:  {Pattern: "od.lk", Rows: []uint16{row_opendrive_66c40c74}},
		837:  {Pattern: "rghost.net", Rows: []uint16{row_rghost_da4972d7}},
		841:  {Pattern: ".data.surf.nl", Rows: []uint16{row_nextcloud_ecabf8ad}},
		842:  {Pattern: "workdrive.zohopublic.com.au", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		845:  {Pattern: "gofile.io", Rows: []uint16{row_gofile_06eab9cd, row_gofile_b9195f28}},
		849:  {Pattern: ".office.live.com", Rows: []uint16{row_onedrive_b2dbb1b7}},
		850:  {Pattern: "jumpshare.com", Rows: []uint16{row_jumpshare_65022fc6}},
		851:  {Pattern: "seafile.rlp.net", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		852:  {Pattern: "filebin.net", Rows: []uint16{row_filebin_f674699c, row_filebin_4478d6b7}},
		856:  {Pattern: ".files.1drv.com", Rows: []uint16{row_onedrive_57040b19}},
		860:  {Pattern: "share.getcloudapp.com", Rows: []uint16{row_cloudapp_b2d82550}},
		863:  {Pattern: "filefactory.com", Rows: []uint16{row_filefactory_8013972e}},
		865:  {Pattern: "ddl.to", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		870:  {Pattern: "www.123pan.com", Rows: []uint16{row_123pan_bdd429b1}},
		872:  {Pattern: "pan.baidu.com", Rows: []uint16{row_baidu_f6d79344, row_baidu_bec30b36, row_baidu_c425d3aa}},
		873:  {Pattern: "tubcloud.tu-berlin.de", Rows: []uint16{row_nextcloud_ecabf8ad}},
		874:  {Pattern: "transfer.it", Rows: []uint16{row_mega_24d4b757}},
		875:  {Pattern: "rapidfileshare.net", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		876:  {Pattern: "www.easyupload.io", Rows: []uint16{row_easyupload_c70b1799}},
		878:  {Pattern: "www.1fichier.com", Rows: []uint16{row_1fichier_424aa101}},
		883:  {Pattern: "www.cjoint.com", Rows: []uint16{row_cjoint_9e1a84b6}},
		884:  {Pattern: "cloud.tsinghua.edu.cn", Rows: []uint16{row_seafile_9c826a28, row_seafile_b3799a49, row_seafile_f75557f6, row_seafile_99eade11}},
		886:  {Pattern: "hotfile.io", Rows: []uint16{row_anonfiles_1a83ee8a}},
		888:  {Pattern: "litter.catbox.moe", Rows: []uint16{row_catbox_632a33ee, row_catbox_632a33ee_2}},
		889:  {Pattern: ".syncplicity.com", Rows: []uint16{row_syncplicity_776320ed}},
		892:  {Pattern: "transferxl.com", Rows: []uint16{row_transferxl_cd88b415}},
		899:  {Pattern: "c.gmx.net", Rows: []uint16{row_gmx_37b79624}},
		902:  {Pattern: ".tinyupload.com", Rows: []uint16{row_tinyupload_acbf3760}},
		903:  {Pattern: "fs.qiye.163.com", Rows: []uint16{row_netease_8f3a01e4}},
		904:  {Pattern: "letsupload.cc", Rows: []uint16{row_anonfiles_1a83ee8a}},
		905:  {Pattern: "www.sendgb.com", Rows: []uint16{row_sendgb_19bcd843}},
		917:  {Pattern: ".docsend.com", Rows: []uint16{row_docsend_613b12ae}},
		918:  {Pattern: "f.cl.ly", Rows: []uint16{row_cloudapp_3cd0790b}},
		921:  {Pattern: "mega.co.nz", Rows: []uint16{row_mega_f993e410, row_mega_966c32ac, row_mega_146e35d7}},
		926:  {Pattern: "www.copy.com", Rows: []uint16{row_copy_7af1f501}},
		927:  {Pattern: "copy.com", Rows: []uint16{row_copy_7af1f501}},
		928:  {Pattern: "tmpfiles.org", Rows: []uint16{row_tmpfiles_f8693b33, row_tmpfiles_64ec080e}},
		929:  {Pattern: "filemail.com", Rows: []uint16{row_filemail_db1c7afe}},
		934:  {Pattern: "fex.rus.uni-stuttgart.de", Rows: []uint16{row_frams_fex_fbb65f47}},
		936:  {Pattern: "novafile.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		937:  {Pattern: "workdrive.zohopublic.eu", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		942:  {Pattern: "c.web.de", Rows: []uint16{row_gmx_37b79624}},
		943:  {Pattern: "app.filen.io", Rows: []uint16{row_filen_1a377df9, row_filen_e5ff3f4d}},
		945:  {Pattern: "uptobox.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		950:  {Pattern: ".sharefile.eu", Rows: []uint16{row_sharefile_688568f5, row_sharefile_9f31f950, row_sharefile_16b9fb49}},
		951:  {Pattern: "bigfile.mail.naver.com", Rows: []uint16{row_naver_e737aefa}},
		952:  {Pattern: "firestorage.jp", Rows: []uint16{row_firestorage_54ffb4b5}},
		955:  {Pattern: "www.easybytez.com", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		958:  {Pattern: "mycore.core-cloud.net", Rows: []uint16{row_nextcloud_ecabf8ad}},
		961:  {Pattern: "www.amazon.ca", Rows: []uint16{row_amazon_12bf5d93}},
		962:  {Pattern: "115.com", Rows: []uint16{row_115_98556be0}},
		964:  {Pattern: "vault.bitwarden.eu", Rows: []uint16{row_bitwarden_send_1b68cadc}},
		966:  {Pattern: "dosya.co", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		969:  {Pattern: "www.divshare.com", Rows: []uint16{row_divshare_5d847d4f}},
		970:  {Pattern: "clicknupload.to", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		971:  {Pattern: "files.fromsmash.com", Rows: []uint16{row_smash_06f21559}},
		972:  {Pattern: "drive.internxt.com", Rows: []uint16{row_internxt_b995d7f5}},
		973:  {Pattern: "jottacloud.com", Rows: []uint16{row_jottacloud_f3742e2e}},
		974:  {Pattern: "katfile.cloud", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		975:  {Pattern: "send.now", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		976:  {Pattern: "clicknupload.red", Rows: []uint16{row_xfilesharing_7c4b5cb8}},
		977:  {Pattern: "share.internxt.com", Rows: []uint16{row_internxt_b995d7f5}},
		978:  {Pattern: "www.teraboxapp.com", Rows: []uint16{row_terabox_a266a9c1, row_terabox_fcd02b26}},
		983:  {Pattern: "send.vis.ee", Rows: []uint16{row_send_69f9b60d}},
		984:  {Pattern: "disk.yandex.by", Rows: []uint16{row_yandex_d9cee11e, row_yandex_4a543cca, row_yandex_7bb929b6, row_yandex_24e6e686}},
		988:  {Pattern: ".egnyte.com", Rows: []uint16{row_egnyte_02d02f2b, row_egnyte_55fe6f9c, row_egnyte_fb32738f}},
		990:  {Pattern: "workdrive.zohopublic.in", Rows: []uint16{row_zoho_6076c51a, row_zoho_92ff8d86, row_zoho_e4f36b73, row_zoho_b2219fa8, row_zoho_9c0448fb}},
		992:  {Pattern: "hessenbox.tu-darmstadt.de", Rows: []uint16{row_powerfolder_b5bd8e69}},
		993:  {Pattern: ".hubspot.com", Rows: []uint16{row_hubspot_d11ce420}},
		998:  {Pattern: "buzzheavier.com", Rows: []uint16{row_buzzheavier_41f9e127}},
		999:  {Pattern: "wetransfer.com", Rows: []uint16{row_wetransfer_4dc33f63, row_wetransfer_a50a150b}},
		1000: {Pattern: ".sharepoint-df.com", Rows: []uint16{row_sharepoint_face5807, row_sharepoint_8803d237, row_sharepoint_6eace279, row_sharepoint_4c01da88, row_sharepoint_9dc00dc1, row_sharepoint_c9353c9d, row_sharepoint_c502d83f, row_sharepoint_f12ee261, row_sharepoint_7a55d99a, row_sharepoint_87176774, row_sharepoint_9d2b35d4, row_sharepoint_c1958046}},
		1003: {Pattern: "1drv.ws", Rows: []uint16{row_onedrive_64556a5e}},
		1004: {Pattern: ".lanzouh.com", Rows: []uint16{row_lanzou_495f85ea}},
		1005: {Pattern: "kdrive.infomaniak.com", Rows: []uint16{row_kdrive_717a06cc}},
		1012: {Pattern: "krakenfiles.com", Rows: []uint16{row_krakenfiles_125207b2}},
		1015: {Pattern: "polybox.ethz.ch", Rows: []uint16{row_nextcloud_ecabf8ad}},
		1017: {Pattern: "www.nitroflare.com", Rows: []uint16{row_nitroflare_5c08ead0}},
		1018: {Pattern: ".lanzous.com", Rows: []uint16{row_lanzou_495f85ea}},
		1019: {Pattern: "gitlab.com", Rows: []uint16{row_gitlab_e6b80ff6}},
		1023: {},
	},
	Other: []uint16{
		row_alibaba_b6e46ced,
		row_carbonio_a7b552df,
		row_filesender_b811baa0,
	},
}

// guesses has shapes of links that only one program has, at any host.
var guesses = []rule{
	{provider: "nextcloud", paths: paths6c3867fd, mark: "/index.php/s/", cases: []form{{token: &pattern52388f38, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patternf80c65c3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "nextcloud", paths: paths6c3867fd, cases: []form{{when: []verbs.Any{{{{Piece: verbs.ID}, {Op: verbs.Match, Pattern: &pattern04217bae}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern121cccd3}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern3b97cf6e}}, {{Piece: verbs.ID}, {Op: verbs.Not, Pattern: &pattern5f07ebc4}}}}, token: &pattern5c6192a0, min: 15, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patternf80c65c3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
	{provider: "owncloud", paths: paths8c61b927, param: "t", mark: "public.php?service=files", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &pattern3d7db37d}}}}, token: &patternf9f4591a, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "filesender", paths: paths3a8b7fa9, param: "token", mark: "?s=download", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &pattern68ff63fb}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}}}}, token: &pattern3492c60b, kind: Page, needs: NeedsProgram}}},
	{provider: "seafile", paths: []string{"/seafhttp/files/{id}/{name}"}, mark: "/seafhttp/files/", cases: []form{{token: &pattern3492c60b, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	{provider: "seafile", paths: []string{"/d/{owner}/files"}, param: "p", mark: "/files/?p=", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Owner}, {Op: verbs.Match, Pattern: &patternc400b0ff}}}, {{{Piece: verbs.Name}}}}, token: &patternbb93e85b, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{token: &pattern780a0317, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
	{provider: "seafile", paths: []string{"/d/{id}"}, cases: []form{{token: &pattern780a0317, kind: Folder}}},
	{provider: "dracoon", paths: []string{"/public/download-shares/{id}"}, mark: "/public/download-shares/", cases: []form{{token: &pattern8de03767, kind: Page, needs: NeedsProgram}}},
	{provider: "powerfolder", paths: pathsafd5bd7a, mark: "/getlink/fi", cases: []form{{token: &pattern59dda667, kind: Page, needs: NeedsProgram}}},
	{provider: "open-xchange", paths: pathsd8d376a5, mark: "/ajax/share/", cases: []form{{token: &pattern538bba09, kind: Page, needs: NeedsProgram}}},
	{provider: "qnap", paths: paths0ae7f751, param: "ssid", mark: "share.cgi", cases: []form{{token: &pattern7f6799ff, kind: Page, needs: NeedsProgram}}},
	{provider: "synology", paths: []string{"/sharing/{id}"}, mark: "/sharing/", cases: []form{{token: &pattern139d7a75, min: 9, kind: Page, needs: NeedsProgram}}},
	{provider: "zendto", paths: paths96c34ba7, param: "claimID", mark: "claimid=", cases: []form{{token: &pattern9a1be641, min: 16, kind: Page, needs: NeedsProgram}}},
	{provider: "hcp-anywhere", paths: []string{"/u/{id}/{name}"}, mark: "//hcpanywhere", cases: []form{{token: &pattern70b2b3f3, min: 16, kind: File, needs: NeedsProgram}}},
	{provider: "anyshare", paths: []string{"/link/{id}"}, mark: "/link/aa", cases: []form{{token: &pattern7df0931f, kind: Page, needs: NeedsProgram}}},
	{provider: "send", paths: []string{"/download/{id}"}, mark: "/download/", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern8b12bf79}}}}, token: &pattern4b125842, kind: File, endToEnd: true}}},
}

// The numbers of the rows.
const (
	_ = iota - 1
	row_nextcloud_82fc3904
	row_nextcloud_b9ae8ed7
	row_owncloud_aaa735c8
	row_filesender_cebec173
	row_seafile_2b1769b8
	row_seafile_dc6c1e58
	row_seafile_4edc49a7
	row_seafile_409f149e
	row_dracoon_0a6a608a
	row_powerfolder_93bfe618
	row_open_xchange_38a5ce37
	row_qnap_39ed6ab5
	row_synology_3259904f
	row_zendto_1027584a
	row_hcp_anywhere_767fec75
	row_anyshare_1da843af
	row_send_13b173aa
)

// guessesByHost has the rows of guesses by host.
var guessesByHost = &weburl.Hosts{
	Slots: []weburl.Slot{
		0: {},
	},
	Other: []uint16{
		row_nextcloud_82fc3904,
		row_nextcloud_b9ae8ed7,
		row_owncloud_aaa735c8,
		row_filesender_cebec173,
		row_seafile_2b1769b8,
		row_seafile_dc6c1e58,
		row_seafile_4edc49a7,
		row_seafile_409f149e,
		row_dracoon_0a6a608a,
		row_powerfolder_93bfe618,
		row_open_xchange_38a5ce37,
		row_qnap_39ed6ab5,
		row_synology_3259904f,
		row_zendto_1027584a,
		row_hcp_anywhere_767fec75,
		row_anyshare_1da843af,
		row_send_13b173aa,
	},
}

// software has the shapes of links at hosts that a caller names.
var software = []program{
	{[]string{"nextcloud", "owncloud"}, []rule{
		{provider: "nextcloud", paths: paths6ba72df0, cases: []form{{kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "dir"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}, {{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Op: verbs.Param, Text: "openfile"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde8978f3}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/download"}}}, {Op: verbs.Set, Text: "path", Parts: []verbs.Part{{Piece: verbs.Own + 1, Form: verbs.AsIs}}}, {Op: verbs.Set, Text: "files", Parts: []verbs.Part{{Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern015ee7f1}}, {{Piece: verbs.Name}}}}, {Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &patternf80c65c3}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "path"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.Param, Text: "dir"}, {Op: verbs.Match, Pattern: &patternde8978f3}}, {{Piece: verbs.Own + 2}, {Op: verbs.To, Parts: []verbs.Part{{Text: "%2F"}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Op: verbs.Param, Text: "files"}}}}}}}},
		{provider: "nextcloud", paths: paths2c49b288, cases: []form{{kind: Page, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "nextcloud", paths: paths9bd08645, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Last}}}}, partial: true, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
		{provider: "nextcloud", paths: paths1e56fd1e, param: "t", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "service"}, {Op: verbs.Match, Pattern: &pattern3d7db37d}}}}, min: 8, kinds: []kindIf{{File, verbs.Any{{{Piece: verbs.Name}}}}, {Folder, verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternde0a0306}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Op: verbs.Param, Text: "path"}, {Op: verbs.Replace, Text: "+", Parts: []verbs.Part{{Text: "%20"}}}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	}},
	{[]string{"seafile"}, []rule{
		{provider: "seafile", paths: []string{"/f/{id}"}, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}}}},
		{provider: "seafile", paths: paths5cf27e3b, cases: []form{{kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "seafile", paths: []string{"/d/{id}/files"}, param: "p", cases: []form{{when: []verbs.Any{{{{Piece: verbs.Name}}}}, token: &patternbb93e85b, partial: true, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "dl", Parts: []verbs.Part{{Text: "1"}}}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.ID}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
		{provider: "seafile", paths: paths2bfccb7b, cases: []form{{kind: Folder}}},
		{provider: "seafile", paths: paths4f6bd33a, cases: []form{{token: &pattern3492c60b, kind: Page, needs: NeedsAccount}}},
	}},
	{[]string{"zimbra"}, []rule{
		{provider: "zimbra", paths: paths4918eaf1, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Rest}, {Op: verbs.Match, Pattern: &pattern51f9a615}}}, {{{Piece: verbs.Name}}}}, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}, take: []verbs.Def{{Piece: verbs.Name, Value: verbs.Any{{{Piece: verbs.Last}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern9b9a465f}}}}}}}},
	}},
	{[]string{"kiteworks"}, []rule{
		{provider: "kiteworks", paths: pathsea42b49f, cases: []form{{kind: Page, needs: NeedsProgram}}},
		{provider: "kiteworks", paths: paths514c0fa3, cases: []form{{kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filesender"}, []rule{
		{provider: "filesender", paths: pathsc75609b8, param: "token", cases: []form{{when: []verbs.Any{{{{Op: verbs.Param, Text: "s"}, {Op: verbs.Match, Pattern: &pattern68ff63fb}}, {{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}}}}, token: &pattern3492c60b, kinds: []kindIf{{File, verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterna0287472}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}}}}, {Page, verbs.Any{{{Piece: verbs.Link}}}}}, direct: verbs.Any{{{Op: verbs.Param, Text: "files_ids"}, {Op: verbs.Match, Pattern: &patterna0287472}, {Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc7abffaa}, {Piece: verbs.Link}}}, needs: NeedsProgram}}},
	}},
	{[]string{"liquidfiles"}, []rule{
		{provider: "liquidfiles", paths: paths1b7a6f5c, cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"hidrive"}, []rule{
		{provider: "hidrive", paths: paths600e6a60, cases: []form{{min: 8, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"pydio"}, []rule{
		{provider: "pydio", paths: []string{"/public/{id}"}, cases: []form{{min: 5, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"filerun"}, []rule{
		{provider: "filerun", paths: paths93544346, param: "id", cases: []form{{min: 16, kind: Page, needs: NeedsProgram}}},
	}},
	{[]string{"projectsend"}, []rule{
		{provider: "projectsend", paths: []string{"/download.php"}, param: "token", cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Set, Text: "download", Parts: []verbs.Part{{Text: ""}}}}}}}},
		{provider: "projectsend", paths: paths9222209f, cases: []form{{min: 12, kind: File, direct: verbs.Any{{{Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Host}, {Text: "/s/"}, {Piece: verbs.ID}, {Text: "/download"}}}}}, once: true}}},
	}},
	{[]string{"plik"}, []rule{
		{provider: "plik", paths: []string{"/file/{owner}/{id}/{name}"}, cases: []form{{min: 8, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "plik", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, needs: NeedsProgram, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterndd38f552}}}}}}}},
	}},
	{[]string{"gokapi"}, []rule{
		{provider: "gokapi", paths: []string{"/d"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &pattern2bc4e7ed}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/d/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: &pattern2bc4e7ed}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Value}, {Text: "/downloadFile?id="}, {Piece: verbs.ID}}}}}}}},
		{provider: "gokapi", paths: []string{"/dh/{id}/{name}"}, cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
		{provider: "gokapi", paths: []string{"/downloadFile"}, param: "id", cases: []form{{min: 5, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"picoshare"}, []rule{
		{provider: "picoshare", paths: paths2a37369d, cases: []form{{token: &patternee5eb8b6, kind: File, direct: verbs.Any{{{Piece: verbs.Link}}}}}},
	}},
	{[]string{"send"}, []rule{
		{provider: "send", paths: []string{"/download/{id}"}, cases: []form{{when: []verbs.Any{{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &pattern8b12bf79}}}}, token: &pattern6ee6be16, kind: File, endToEnd: true}}},
	}},
	{[]string{"bitwarden-send"}, []rule{
		{provider: "bitwarden-send", paths: []string{"/"}, cases: []form{{ownID: true, min: 8, kind: Page, endToEnd: true, take: []verbs.Def{{Piece: verbs.ID, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterna7946ff0}}}}}}}},
	}},
}

// Hosts and paths that rows have.
var (
	hosts0237a460 = []string{"www.aliyundrive.com", "aliyundrive.com", "www.alipan.com", "alipan.com"}
	hosts03c2ace2 = []string{"docs.zoho.com", "docs.zoho.eu", "docs.zoho.in", "docs.zohopublic.com"}
	hosts0725f11f = []string{"www.megaupload.com", "megaupload.com"}
	hosts09caeb13 = []string{"ndownloader.figshare.com", "figshare.com"}
	hosts0ac38ee9 = []string{"www.divshare.com", "divshare.com"}
	hosts0c2d20dd = []string{"send.vis.ee", "send.firefox.com"}
	hosts0d88a92c = []string{"www.mediafire.com", "mediafire.com"}
	hosts12928fa3 = []string{"1fichier.com", "www.1fichier.com"}
	hosts13940db8 = []string{"tinyupload.com", ".tinyupload.com"}
	hosts139f7f3f = []string{".livefilestore.com", ".files.1drv.com", ".storage.live.com", ".files.storage.msn.com"}
	hosts1440b5ba = []string{"www.uschovna.cz", "uschovna.cz"}
	hosts190679cb = []string{"1drv.ms", "sdrv.ms"}
	hosts19f1845a = []string{"docs.google.com", "spreadsheets.google.com"}
	hosts1a534236 = []string{"jbox.sjtu.edu.cn", "pan.bnu.edu.cn"}
	hosts1c699cc8 = []string{".box.com", "box.com"}
	hosts1cb13076 = []string{".sharefile.com", ".sharefile.eu", ".securevdr.com"}
	hosts206b217f = []string{"depositfiles.com", "www.depositfiles.com", "dfiles.eu"}
	hosts20ff3bf5 = []string{"www.mirrored.to", "mirrored.to"}
	hosts217ee832 = []string{"googledrive.com", "www.googledrive.com"}
	hosts21b4792f = []string{"rghost.net", "rghost.ru"}
	hosts22035826 = []string{".skydrive.live.com", ".office.live.com"}
	hosts23c693d4 = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com", "www.dropbox.com", "dropbox.com"}
	hosts2c698c81 = []string{"my.pcloud.com", "e.pcloud.com", "u.pcloud.com"}
	hosts2d002f1d = []string{"app.filen.io", "drive.filen.io"}
	hosts31f51eb8 = []string{"wikisend.com", "www.wikisend.com"}
	hosts33e3e9f4 = []string{"file.io", "www.file.io"}
	hosts33ea2c4a = []string{"anonfiles.com", "anonfile.com", "bayfiles.com", "hotfile.io", "letsupload.cc"}
	hosts358b00cf = []string{"syncandshare.lrz.de", "faubox.rrze.uni-erlangen.de", "hessenbox.tu-darmstadt.de"}
	hosts375e67a1 = []string{".salesforce.com", ".salesforce-sites.com", ".force.com"}
	hosts384f5271 = []string{"terabox.com", "www.terabox.com", "1024terabox.com", "www.1024terabox.com", "teraboxapp.com",
		"www.teraboxapp.com", "1024tera.com", "www.1024tera.com", "freeterabox.com", "www.freeterabox.com",
		"terafileshare.com", "teraboxlink.com", "terasharelink.com"}
	hosts3cd200ca = []string{"cowtransfer.com", ".cowtransfer.com"}
	hosts3e25b524 = []string{"mypikpak.com", "drive.mypikpak.com"}
	hosts4323caed = []string{"mail.sina.com.cn", ".mail.sina.com.cn"}
	hosts4405fca1 = []string{"www.2shared.com", "2shared.com"}
	hosts4511245b = []string{"uploaded.to", "uploaded.net"}
	hosts461c52d6 = []string{"easyupload.io", "www.easyupload.io"}
	hosts46378d13 = []string{"filen.io", "app.filen.io", "drive.filen.io"}
	hosts466ce48b = []string{"www.mediafire.com", "mediafire.com", "app.mediafire.com"}
	hosts47c3eb6f = []string{"next.frame.io", "app.frame.io"}
	hosts489f679d = []string{"buzzheavier.com", "bzzhr.co"}
	hosts4bca4bad = []string{"web.tresorit.com", "send.tresorit.com"}
	hosts509da9a3 = []string{"framadrop.org", "upload.disroot.org", "drop.infini.fr"}
	hosts54539efd = []string{"gigamove.rwth-aachen.de", "gigamove.rz.rwth-aachen.de"}
	hosts565e67c8 = []string{".filemail.com", "filemail.com"}
	hosts58b006d2 = []string{"0x0.st", "x0.at", "ttm.sh", "envs.sh"}
	hosts5c20b587 = []string{"catbox.moe", "www.catbox.moe"}
	hosts5c2336e7 = []string{"disk.yandex.ru", "disk.yandex.com", "disk.yandex.com.tr", "disk.yandex.by", "disk.yandex.kz",
		"disk.360.yandex.ru", "disk.360.yandex.com", "yadi.sk"}
	hosts5e9271a7 = []string{"fex.rus.uni-stuttgart.de", "fex.belwue.de"}
	hosts607c0a8f = []string{"link.storjshare.io", "link.us1.storjshare.io", "link.eu1.storjshare.io", "link.ap1.storjshare.io"}
	hosts61c63885 = []string{"cl.ly", "share.getcloudapp.com"}
	hosts6416e001 = []string{"documentcloud.adobe.com", "acrobat.adobe.com"}
	hosts66606c96 = []string{"workdrive.zohopublic.com", "workdrive.zohopublic.eu", "workdrive.zohopublic.in",
		"workdrive.zohopublic.com.cn", "workdrive.zohoexternal.com", "workdrive.zohoexternal.eu", "workdrive.zohoexternal.in",
		"workdrive.zoho.com", "workdrive.zoho.eu", "workdrive.zoho.in", "workdrive.zoho.com.au", "workdrive.zohopublic.com.au",
		"workdrive.zohopublic.jp"}
	hosts66a4fbe7 = []string{"www.yousendit.com", "yousendit.com", "www.hightail.com"}
	hosts66c98c83 = []string{".icloud-content.com", ".icloud-content.com.cn"}
	hosts6725e77b = []string{"nitroflare.com", "www.nitroflare.com"}
	hosts6800624a = []string{"docsend.com", ".docsend.com"}
	hosts6bb6cefd = []string{"ufile.io", "uploadfiles.io"}
	hosts6bc7fae8 = []string{"onedrive.live.com", "skydrive.live.com"}
	hosts6c94ca6a = []string{"drive.internxt.com", "share.internxt.com"}
	hosts6e63d02a = []string{"uloz.to", "ulozto.net", "ulozto.cz", "ulozto.sk"}
	hosts7314d7e3 = []string{"www.dropbox.com", "dropbox.com"}
	hosts74934e83 = []string{".feishu.cn", ".larksuite.com"}
	hosts7671b6e1 = []string{"copy.com", "www.copy.com"}
	hosts7761cbba = []string{".pcloud.link", ".pcloud.com"}
	hosts77a9122b = []string{".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint-df.com",
		"sites.ey.com"}
	hosts79c85677 = []string{"c.gmx.net", "c.web.de"}
	hosts7ea9d8cc = []string{"dl.dropboxusercontent.com", "dl.dropbox.com", "dl.getdropbox.com"}
	hosts81ab9ce5 = []string{"sendgb.com", "www.sendgb.com"}
	hosts826ca9a3 = []string{"files.catbox.moe", "litter.catbox.moe"}
	hosts84e2b606 = []string{"mail.163.com", "mail.126.com", "mail.yeah.net", "fs.163.com", "fs.qiye.163.com"}
	hosts889a3a7a = []string{"data.hu", ".data.hu"}
	hosts8f7d9d24 = []string{"www.zshare.net", "zshare.net"}
	hosts91f341fd = []string{"magentacloud.de", "www.magentacloud.de", "sciebo.de", ".sciebo.de", "polybox.ethz.ch", "drive.switch.ch",
		"bwsyncandshare.kit.edu", "surfdrive.surf.nl", ".data.surf.nl", "cernbox.cern.ch", "cloudstor.aarnet.edu.au",
		"b2drop.eudat.eu", "owncloud.gwdg.de", "tubcloud.tu-berlin.de", "datashare.mpcdf.mpg.de", "mycore.core-cloud.net"}
	hosts95f0dae3 = []string{"send.bitwarden.com", "vault.bitwarden.com", "vault.bitwarden.eu"}
	hosts97f5de45 = []string{"www.swisstransfer.com", "swisstransfer.com"}
	hosts986acbc8 = []string{"box.net", ".box.net"}
	hosts9f748c33 = []string{"www.transfernow.net", "transfernow.net"}
	hostsa14fe700 = []string{"bigfile.mail.daum.net", "bigfile.mail.kakao.com"}
	hostsa2d1dbc3 = []string{"www.kdocs.cn", "kdocs.cn"}
	hostsa3ba6855 = []string{"pan.baidu.com", "yun.baidu.com"}
	hostsa750eaff = []string{"assets.adobe.com", "shared-assets.adobe.com", "files.acrobat.com", "cloud.acrobat.com"}
	hostsa925e88e = []string{"photos.google.com", "photos.app.goo.gl"}
	hostsa9f5c53b = []string{"rapidgator.net", "rg.to"}
	hostsab4f44e9 = []string{"usersdrive.com", "files.im", "ddownload.com", "ddl.to", "katfile.com", "katfile.cloud", "katfile.online",
		"datanodes.to", "uptobox.com", "sharemods.com", "www.sharemods.com", "modsfile.com", "clicknupload.org",
		"clicknupload.to", "clicknupload.cc", "clicknupload.click", "clicknupload.red", "dailyuploads.net", "drop.download",
		"easybytez.com", "www.easybytez.com", "file.al", "filefox.cc", "filejoker.net", "filerio.in", "hugefiles.net",
		"mexa.sh", "mexashare.com", "novafile.com", "novafile.org", "send.cm", "send.now", "filelu.com", "file-upload.org",
		"www.file-upload.org", "upload-4ever.com", "www.upload-4ever.com", "uploadrar.com", "usersfiles.com", "userscloud.com",
		"tusfiles.com", "hexupload.net", "rapidfileshare.net", "dosya.co"}
	hostsacee7b5f = []string{"filedn.com", "filedn.eu"}
	hostsae971fbb = []string{"www.wenshushu.cn", "wenshushu.cn", "wss1.cn"}
	hostsb45f8ec6 = []string{"cloud.tsinghua.edu.cn", "seafile.rlp.net", "seafile.unistra.fr", "seafile.lirmm.fr",
		"seafile.zfn.uni-bremen.de", "keeper.mpdl.mpg.de"}
	hostsb4718613 = []string{"www.icloud.com", "icloud.com", "www.icloud.com.cn", "icloud.com.cn"}
	hostsb497d49c = []string{"ifolder.ru", ".ifolder.ru"}
	hostsb50f3e9d = []string{"www.upload.ee", "upload.ee"}
	hostsb5a0d610 = []string{"www.filefactory.com", "filefactory.com"}
	hostsb6be74d7 = []string{".mycozy.cloud", ".twake.app"}
	hostsbc90b4e9 = []string{"www.docdroid.net", "docdroid.net"}
	hostsbee533ae = []string{"krakenfiles.com", "www.krakenfiles.com"}
	hostsbf121845 = []string{"www.androidfilehost.com", "androidfilehost.com"}
	hostsbffd2bce = []string{"rapidshare.com", ".rapidshare.com", "rapidshare.de"}
	hostsc3f8e49c = []string{"vk.com", "m.vk.com"}
	hostscb2b5f4c = []string{"www.transferxl.com", "transferxl.com"}
	hostscc2c84b2 = []string{"drive.google.com", "docs.google.com"}
	hostsd1e4f51b = []string{"figshare.com", ".figshare.com"}
	hostsd43a1f91 = []string{".lanzou.com", ".lanzoub.com", ".lanzoue.com", ".lanzouf.com", ".lanzoug.com", ".lanzouh.com", ".lanzoui.com",
		".lanzouj.com", ".lanzoul.com", ".lanzoum.com", ".lanzouo.com", ".lanzoup.com", ".lanzouq.com", ".lanzous.com",
		".lanzout.com", ".lanzouu.com", ".lanzouv.com", ".lanzouw.com", ".lanzoux.com", ".lanzouy.com", ".lanzn.com",
		".lanpw.com"}
	hostsd8442808 = []string{"www.123pan.com", "123pan.com", "www.123pan.cn", "www.123684.com", "www.123865.com", "www.123912.com",
		"www.123952.com"}
	hostsdb46187e = []string{"www.amazon.com", "www.amazon.de", "www.amazon.co.uk", "www.amazon.ca", "www.amazon.fr", "www.amazon.es",
		"www.amazon.it", "www.amazon.co.jp", "www.amazon.com.au", "www.amazon.com.br", "www.amazon.in"}
	hostsdd044f22 = []string{"sendanywhe.re", "send-anywhere.com"}
	hostsdd16cdd1 = []string{"my.hidrive.com", "hidrive.ionos.com"}
	hostsdd31e197 = []string{"115.com", "115cdn.com", "anxia.com"}
	hostsddfd397d = []string{"od.lk", "www.opendrive.com"}
	hostse1011403 = []string{"pc.cd", "e.pc.cd", "u.pc.cd"}
	hostse24927f4 = []string{"app.koofr.net", "storage.rcs-rds.ro"}
	hostse3831e68 = []string{"jumpshare.com", "jmp.sh"}
	hostse7a00ff7 = []string{"www.jottacloud.com", "jottacloud.com"}
	hostse7cc831d = []string{"wetransfer.com", "www.wetransfer.com", ".wetransfer.com"}
	hostsec390ea6 = []string{"mega.nz", "www.mega.nz", "mega.co.nz"}
	hostseeb510dc = []string{".file-upload.net", "file-upload.net"}
	hostsf0ad3d0f = []string{"wx.mail.qq.com", "iwx.mail.qq.com"}
	hostsfb01782c = []string{"k2s.cc", "keep2share.cc"}
	hostsfe94fecf = []string{"cdn.discordapp.com", "media.discordapp.net"}
	paths02194e07 = []string{"/u/{id}", "/api/file/{id}"}
	paths0289c7ab = []string{"/{id}", "/{id}/image.png", "/download/{id}/*"}
	paths034b592b = []string{"/", "/index.php"}
	paths067ebd96 = []string{"/d/{id}", "/t/{id}"}
	paths0ae7f751 = []string{"/share.cgi", "/share.cgi/{name}"}
	paths0b69926b = []string{"/folder/{id}/{}", "/dir/{id}/{}"}
	paths0cdade42 = []string{"/folderview", "/embeddedfolderview", "/a/{}/folderview", "/a/{}/embeddedfolderview", "/corp/folderview",
		"/corp/embeddedfolderview"}
	paths0dd73198 = []string{"/public/{owner}/{id}/*", "/stock/{id}"}
	paths0df723b2 = []string{"/file/d/{id}", "/file/d/{id}/*", "/file/u/{}/d/{id}/*", "/a/{}/file/d/{id}", "/a/{}/file/d/{id}/*",
		"/a/{}/file/u/{}/d/{id}/*", "/corp/file/d/{id}", "/corp/file/d/{id}/*", "/corp/file/u/{}/d/{id}/*"}
	paths0f506ab4 = []string{"/cld", "/{}/cld"}
	paths11e7a4c0 = []string{"/{id}/{}", "/{}/{id}/{}"}
	paths1356cdce = []string{"/{id}", "/web/downloads/{id}", "/web/s/{id}"}
	paths13b65a83 = []string{"/s/{}/folder/{id}", "/folder/{id}"}
	paths143980b8 = []string{"/view/{id}", "/view/{id}/d/{}"}
	paths160c98cc = []string{"/download/{id}/{name}", "/download/web/{id}/{name}", "/download/direct/{id}/{name}"}
	paths17ba59f7 = []string{"/s/{id}", "/get/{id}/{}", "/file/{id}/{}", "/mobile/{id}/{}", "/document/{id}/{}", "/office/{id}/{}",
		"/rar/{id}/{}", "/zip/{id}/{}", "/archive/{id}/{}", "/video/{id}/{}", "/mp3/{id}/{}", "/photo/{id}/{}",
		"/web/directDownload/{id}/{}", "/file/{id}/{}/{}"}
	paths18632302 = []string{"/file/{id}", "/file/{id}/*"}
	paths19168d3f = []string{"/{id}", "/get/{id}/{}"}
	paths19c57e2b = []string{"/_layouts/15/download.aspx", "/{}/{}/_layouts/15/download.aspx"}
	paths1ae0622e = []string{"/drive/folders/{owner}", "/drive/u/{}/folders/{owner}", "/a/{}/drive/folders/{owner}",
		"/a/{}/drive/u/{}/folders/{owner}", "/corp/drive/folders/{owner}", "/corp/drive/u/{}/folders/{owner}"}
	paths1b7a6f5c = []string{"/link/{id}", "/message/{id}"}
	paths1d13abce = []string{"/open", "/u/{}/open", "/a/{}/open", "/a/{}/u/{}/open", "/corp/open", "/corp/u/{}/open"}
	paths1e56fd1e = []string{"/public.php", "/nextcloud/public.php", "/owncloud/public.php", "/cloud/public.php", "/files/public.php",
		"/nc/public.php", "/oc/public.php", "/plus/public.php"}
	paths202dc0a1 = []string{"/scl/fo/{id}", "/scl/fo/{id}/{}", "/sh/{id}/{}", "/sh/{id}", "/sc/{id}/{}", "/sc/{id}"}
	paths220c9dd3 = []string{"/sharing/{id}", "/d/s/{id}/{}", "/d/s/{id}"}
	paths228ca5fd = []string{"/l/{id}", "/d/{id}", "/d/{id}/*"}
	paths22ebc192 = []string{"/share/{id}", "/share/{id}/{}"}
	paths255e394c = []string{"/scl/fi/{id}/{name}", "/e/scl/fi/{id}/{name}", "/s/{id}/{name}", "/s/{id}"}
	paths28f9672e = []string{"/s/{id}", "/{}/s/{id}"}
	paths2a37369d = []string{"/{id}", "/{id}/{name}"}
	paths2a4b0974 = []string{"/file", "/drive", "/pad", "/doc", "/sheet", "/slide", "/presentation", "/code", "/kanban", "/whiteboard",
		"/diagram"}
	paths2a653561 = []string{"/0/{id}", "/1/{id}", "/s/{id}"}
	paths2bfccb7b = []string{"/d/{id}", "/d/s/{id}"}
	paths2c49b288 = []string{"/public.php/dav/files/{id}", "/remote.php/dav/public-files/{id}", "/nextcloud/public.php/dav/files/{id}",
		"/nextcloud/remote.php/dav/public-files/{id}", "/owncloud/public.php/dav/files/{id}",
		"/owncloud/remote.php/dav/public-files/{id}", "/cloud/public.php/dav/files/{id}",
		"/cloud/remote.php/dav/public-files/{id}", "/files/public.php/dav/files/{id}",
		"/files/remote.php/dav/public-files/{id}", "/nc/public.php/dav/files/{id}", "/nc/remote.php/dav/public-files/{id}",
		"/oc/public.php/dav/files/{id}", "/oc/remote.php/dav/public-files/{id}", "/plus/public.php/dav/files/{id}",
		"/plus/remote.php/dav/public-files/{id}"}
	paths2e75e7e7 = []string{"/download", "/bigfileupload/download"}
	paths30fdba37 = []string{"/s/{id}", "/s/{id}/*"}
	paths32df65d3 = []string{"/{id}", "/{id}/{}", "/file/download/{id}/{name}"}
	paths361e276a = []string{"/-/project/{owner}/uploads/{id}/{name}", "/{owner}/{}/uploads/{id}/{name}",
		"/{owner}/{}/{}/uploads/{id}/{name}"}
	paths3a8b7fa9 = []string{"/", "/{}", "/{}/{}"}
	paths3a91b886 = []string{"/sharing/link", "/sharing/embed", "/web/share/link"}
	paths3f0a56d7 = []string{"/fl/{id}", "/fl/{id}/*"}
	paths41500078 = []string{"/getlink/{id}", "/getlink/{id}/*", "/dl/{id}", "/dl/{id}/*"}
	paths41c86dcc = []string{"/view/{id}", "/view/{id}/{}"}
	paths474d4018 = []string{"/{id}", "/{id}/{}"}
	paths4918eaf1 = []string{"/home/{}/*", "/service/home/{}/*"}
	paths4bf16564 = []string{"/app/share/{owner}/{id}", "/app/share/{owner}/{id}/*"}
	paths4d4c521e = []string{"/", "/redir", "/redir.aspx", "/view", "/view.aspx", "/edit", "/edit.aspx", "/embed"}
	paths4dada9ae = []string{"/get/{id}/{name}", "/get/{}/{id}/{name}"}
	paths4f6bd33a = []string{"/smart-link/{id}", "/smart-link/{id}/{}"}
	paths514c0fa3 = []string{"/courier/{}/{}/*", "/courier/{}/{}"}
	paths53b321a0 = []string{"/self.aspx/*", "/view.aspx/*", "/browse.aspx/*"}
	paths54699895 = []string{"/u/{id}", "/f/{id}"}
	paths557be409 = []string{"/files/{id}", "/{}/files/{id}"}
	paths5cf27e3b = []string{"/seafhttp/f/{id}", "/seafhttp/files/{id}/{name}"}
	paths5da6ee8b = []string{"/drive/folders/{id}", "/drive/u/{}/folders/{id}", "/drive/mobile/folders/{id}",
		"/drive/mobile/folders/{id}/{}", "/drive/u/{}/mobile/folders/{id}", "/drive/u/{}/mobile/folders/{id}/{}",
		"/a/{}/drive/folders/{id}", "/a/{}/drive/u/{}/folders/{id}", "/a/{}/drive/mobile/folders/{id}",
		"/a/{}/drive/mobile/folders/{id}/{}", "/a/{}/drive/u/{}/mobile/folders/{id}",
		"/a/{}/drive/u/{}/mobile/folders/{id}/{}", "/corp/drive/folders/{id}", "/corp/drive/u/{}/folders/{id}",
		"/corp/drive/mobile/folders/{id}", "/corp/drive/mobile/folders/{id}/{}", "/corp/drive/u/{}/mobile/folders/{id}",
		"/corp/drive/u/{}/mobile/folders/{id}/{}"}
	paths5df1989d = []string{"/{id}", "/public/share/{id}"}
	paths600e6a60 = []string{"/lnk/{id}", "/share/{id}"}
	paths66f25412 = []string{"/shared/{id}", "/shared/static/{id}"}
	paths671d2888 = []string{"/share/{id}", "/share/{id}/photo/{}", "/{id}"}
	paths6ba72df0 = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
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
	paths6c3867fd = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/download",
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
	paths6d42a844 = []string{"/file/{id}", "/embed/{id}"}
	paths6e445bc8 = []string{"/downloads/{id}", "/downloads/{id}/*"}
	paths6e79226b = []string{"/uc", "/u/{}/uc", "/a/{}/uc", "/a/{}/u/{}/uc", "/corp/uc", "/corp/u/{}/uc"}
	paths6f91633c = []string{"/s/{id}", "/s/{id}/*", "/{id}", "/{id}/*"}
	paths746b35ed = []string{"/de/download/{id}", "/en/download/{id}", "/d/id/{id}"}
	paths776b192c = []string{"/download", "/uc", "/u/{}/download", "/u/{}/uc"}
	paths781a6367 = []string{"/api/filesystem/{id}", "/api/filesystem/{id}/*"}
	paths79b86949 = []string{"/{id}", "/{}/{id}"}
	paths7df83fb4 = []string{"/View", "/Doc", "/document/pub", "/presentation/pub", "/spreadsheets/pub", "/a/{}/View", "/a/{}/Doc",
		"/a/{}/document/pub", "/a/{}/presentation/pub", "/a/{}/spreadsheets/pub", "/corp/View", "/corp/Doc",
		"/corp/document/pub", "/corp/presentation/pub", "/corp/spreadsheets/pub"}
	paths810a0c64 = []string{"/receive/{id}", "/receive/{id}/*", "/space/{id}", "/space/{id}/*"}
	paths855923ba = []string{"/files-pri/{id}/{name}", "/files-pri/{id}/download/{name}", "/files/{owner}/{id}",
		"/files/{owner}/{id}/{name}"}
	paths858c2d72 = []string{"/audio/{id}", "/video/{id}", "/download/{id}", "/image/{id}"}
	paths88a482d5 = []string{"/file/{id}", "/archive/{id}", "/start/{id}"}
	paths891a56df = []string{"/d/{id}", "/f/{id}"}
	paths8c61b927 = []string{"/public.php", "/{}/public.php"}
	paths8e64d1fb = []string{"/link/track", "/link/review", "/link/spaces"}
	paths8f57e09a = []string{"/dl/{id}", "/dl/{id}/{}", "/{id}"}
	paths91875dd3 = []string{"/scl/fi/{id}/{name}", "/s/{id}/{name}", "/sh/{id}/{}/{name}", "/content_link/{id}/file"}
	paths91eb6358 = []string{"/weblink/view/{owner}/{id}/*", "/weblink/view/{owner}/{id}", "/weblink/get/{owner}/{id}/*",
		"/weblink/get/{owner}/{id}"}
	paths9222209f = []string{"/s/{id}", "/s/{id}/download"}
	paths929a4a9c = []string{"/spreadsheet/ccc", "/spreadsheet/pub", "/ccc", "/pub", "/a/{}/spreadsheet/ccc", "/a/{}/spreadsheet/pub",
		"/a/{}/ccc", "/a/{}/pub", "/corp/spreadsheet/ccc", "/corp/spreadsheet/pub", "/corp/ccc", "/corp/pub"}
	paths93544346 = []string{"/wl", "/wl/index.php"}
	paths958d8613 = []string{"/download/{id}", "/{}/download/{id}", "/{id}"}
	paths96ae969b = []string{"/file/*", "/folder/*"}
	paths96b23a15 = []string{"/data-package/{id}", "/data-package/{id}/download"}
	paths96c34ba7 = []string{"/pickup.php", "/pickup", "/{}/pickup.php", "/{}/pickup"}
	paths9bd08645 = []string{"/public.php/dav/files/{id}/*", "/remote.php/dav/public-files/{id}/*",
		"/nextcloud/public.php/dav/files/{id}/*", "/nextcloud/remote.php/dav/public-files/{id}/*",
		"/owncloud/public.php/dav/files/{id}/*", "/owncloud/remote.php/dav/public-files/{id}/*",
		"/cloud/public.php/dav/files/{id}/*", "/cloud/remote.php/dav/public-files/{id}/*",
		"/files/public.php/dav/files/{id}/*", "/files/remote.php/dav/public-files/{id}/*", "/nc/public.php/dav/files/{id}/*",
		"/nc/remote.php/dav/public-files/{id}/*", "/oc/public.php/dav/files/{id}/*", "/oc/remote.php/dav/public-files/{id}/*",
		"/plus/public.php/dav/files/{id}/*", "/plus/remote.php/dav/public-files/{id}/*"}
	pathsa04b235d = []string{"/dl/{id}", "/dl/{id}/{name}"}
	pathsa1e7ca9c = []string{"/docx/{id}", "/docs/{id}", "/wiki/{id}", "/sheets/{id}", "/base/{id}", "/slides/{id}"}
	pathsa26250c3 = []string{"/{id}/{name}", "/get/{id}/{name}"}
	pathsa315fde9 = []string{"/_layouts/15/guestaccess.aspx", "/{}/{}/_layouts/15/guestaccess.aspx"}
	pathsa880b9c5 = []string{"/file/{id}/{name}", "/files/{id}/{name}"}
	pathsa8bc0e6e = []string{"/files/{}", "/ndownloader/files/{}"}
	pathsa9021ff0 = []string{"/file/{id}", "/file/{id}/{}"}
	pathsac4c2831 = []string{"/bigfile/v1/urls/{id}", "/bigfile/v1/urls/{}/{id}"}
	pathsad8cdc1b = []string{"/{id}", "/{id}/{name}", "/{id}/download/{name}", "/image/{id}", "/image/{id}/{name}"}
	pathsafb31f75 = []string{"/user-attachments/files/{id}/{name}", "/{owner}/{}/files/{id}/{name}"}
	pathsafd5bd7a = []string{"/getlink/{id}", "/getlink/{id}/*"}
	pathsaff49630 = []string{"/large-attachment-download/index.html", "/fs/display", "/fs/preview"}
	pathsb0f35840 = []string{"/file/{id}", "/file/{id}/{name}", "/file/{id}/{name}/file", "/file_premium/{id}/{name}/file",
		"/view/{id}/{name}/file", "/download/{id}", "/download/{id}/{name}"}
	pathsb27db756 = []string{"/share/{id}", "/download/{id}"}
	pathsb5222a4d = []string{"/dd/{id}", "/dd/{id}/*"}
	pathsb7210536 = []string{"/public/{id}", "/link/{id}", "/a/preview/{id}", "/file/{id}"}
	pathsb7a49c22 = []string{"/public", "/public/"}
	pathsbca0ad75 = []string{"/", "/download.php"}
	pathsbe780a17 = []string{"/v/{id}/file.html", "/d/{id}/{}/{name}"}
	pathsbedd22c3 = []string{"/share/{id}", "/share/{id}/*", "/reviews/{id}", "/reviews/{id}/*"}
	pathsc0d61304 = []string{"/{id}", "/{id}/v/{}", "/api/1/files/{id}/{}/blob"}
	pathsc2be2589 = []string{"/spreadsheets/d/{id}", "/spreadsheets/u/{}/d/{id}", "/spreadsheets/d/{id}/*", "/spreadsheets/u/{}/d/{id}/*",
		"/a/{}/spreadsheets/d/{id}", "/a/{}/spreadsheets/u/{}/d/{id}", "/a/{}/spreadsheets/d/{id}/*",
		"/a/{}/spreadsheets/u/{}/d/{id}/*", "/corp/spreadsheets/d/{id}", "/corp/spreadsheets/u/{}/d/{id}",
		"/corp/spreadsheets/d/{id}/*", "/corp/spreadsheets/u/{}/d/{id}/*"}
	pathsc3ed0e6a = []string{"/personal/{owner}/_layouts/15/Doc.aspx", "/personal/{owner}/_layouts/15/doc2.aspx",
		"/personal/{owner}/_layouts/15/WopiFrame.aspx", "/personal/{owner}/_layouts/15/WopiFrame2.aspx"}
	pathsc75609b8 = []string{"", "/index.php", "/download.php"}
	pathsc8953a03 = []string{"/l/s/{id}", "/l/{id}/transfer", "/t/{id}", "/transfer/{id}"}
	pathsc9542e8e = []string{"/View", "/Doc", "/a/{}/View", "/a/{}/Doc", "/corp/View", "/corp/Doc"}
	pathsc966cd2c = []string{"/s/{id}", "/lc/{id}"}
	pathsc9750329 = []string{"/{id}", "/f/{id}"}
	pathscd80b401 = []string{"/file/{id}", "/pro/dl/{id}"}
	pathsce29a31f = []string{"/l", "/a"}
	pathscfbd2cc5 = []string{"/scl/fo/{owner}/*", "/sh/{owner}/*"}
	pathsd1756fbd = []string{"/dl/{id}", "/dl/{id}/{}", "/dl/{id}/{}/view/*", "/dl/{id}/view/*", "/4.0/dl/{id}", "/4.0/dl/{id}/view/*"}
	pathsd1fe7aac = []string{"/public/{id}", "/public/{id}/{name}"}
	pathsd24f5551 = []string{"/previews/{id}", "/previews/{id}/*"}
	pathsd3371145 = []string{"/download", "/download.aspx"}
	pathsd3958de5 = []string{"/gallery/{id}/{}", "/gallery/{id}/{}/{}"}
	pathsd3c8cc0f = []string{"/f/{id}", "/k/{id}"}
	pathsd409db00 = []string{"/{}", "/{}/files/*"}
	pathsd5fdea9c = []string{"/pages/{id}", "/numbers/{id}", "/keynote/{id}"}
	pathsd6ca9d09 = []string{"/file/{id}/{}", "/photo/{id}/{}", "/document/{id}/{}", "/audio/{id}/{}", "/video/{id}/{}"}
	pathsd8d376a5 = []string{"/ajax/share/{id}", "/ajax/share/{id}/*"}
	pathsd9e1a011 = []string{"/d/{id}", "/share/view/{id}", "/share/view/{id}/{}"}
	pathsda4485f0 = []string{"/sh/file/{id}/{}", "/sh/folder/{id}/{}", "/d/sh/file/{id}/{}", "/d/sh/folder/{id}/{}"}
	pathsda813a37 = []string{"/f/{id}", "/i/{id}", "/v/{id}", "/free/f/{id}", "/free/i/{id}"}
	pathsdade2410 = []string{"/document/d/{id}", "/document/u/{}/d/{id}", "/document/d/{id}/*", "/document/u/{}/d/{id}/*",
		"/a/{}/document/d/{id}", "/a/{}/document/u/{}/d/{id}", "/a/{}/document/d/{id}/*", "/a/{}/document/u/{}/d/{id}/*",
		"/corp/document/d/{id}", "/corp/document/u/{}/d/{id}", "/corp/document/d/{id}/*", "/corp/document/u/{}/d/{id}/*"}
	pathsdaff5512 = []string{"/{id}", "/m/{id}"}
	pathsdb205a19 = []string{"/disk/{id}/{}", "/disk/get/{id}/{}"}
	pathsdce00b67 = []string{"/{id}", "/{id}/{}", "/t/{id}/{}"}
	pathsdf47f654 = []string{"/sites/{owner}/*", "/teams/{owner}/*", "/personal/{owner}/*"}
	pathse163194a = []string{"/d/{id}", "/d/{id}/*"}
	pathse92be640 = []string{"/leaf", "/fileview", "/a/{}/leaf", "/a/{}/fileview", "/corp/leaf", "/corp/fileview"}
	pathse9c401df = []string{"/_layouts/15/Doc.aspx", "/_layouts/15/doc2.aspx", "/_layouts/15/WopiFrame.aspx",
		"/_layouts/15/WopiFrame2.aspx", "/{}/{}/_layouts/15/Doc.aspx", "/{}/{}/_layouts/15/doc2.aspx",
		"/{}/{}/_layouts/15/WopiFrame.aspx", "/{}/{}/_layouts/15/WopiFrame2.aspx"}
	pathsea00cb77 = []string{"/scl/fo/{id}/{}/*", "/sh/{id}/{}/*"}
	pathsea42b49f = []string{"/w/{id}", "/s/{id}", "/f/{id}"}
	pathsed9add85 = []string{"/document/d/{id}/export", "/document/u/{}/d/{id}/export", "/spreadsheets/d/{id}/export",
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
	pathseea17c28 = []string{"/doc/{id}", "/sheet/{id}", "/slide/{id}", "/pdf/{id}"}
	pathsefba9e23 = []string{"/{id}", "/s/{}/{id}"}
	pathsefd412d9 = []string{"/folder/{id}", "/folder/{id}/*"}
	pathsf0a661c6 = []string{"/s/{id}", "/shared/{id}"}
	pathsf10de65d = []string{"/{}/index.php/s/{id}", "/{}/index.php/s/{id}/preview", "/{}/index.php/s/{id}/authenticate",
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
	pathsf2763009 = []string{"/host/{id}", "/host/{id}/*"}
	pathsf2a2be77 = []string{"/{}/{id}", "/{}/{id}/*"}
	pathsf303129d = []string{"/folder/{id}", "/folder/{id}/{}"}
	pathsf331a4cd = []string{"/personal/{}/_layouts/15/Doc.aspx", "/personal/{}/_layouts/15/doc2.aspx",
		"/personal/{}/_layouts/15/WopiFrame.aspx", "/personal/{}/_layouts/15/WopiFrame2.aspx"}
	pathsf707b126 = []string{"/sharedalbum", "/sharedalbum/{}"}
	pathsf8625cb3 = []string{"/presentation/d/{id}", "/presentation/u/{}/d/{id}", "/presentation/d/{id}/*", "/presentation/u/{}/d/{id}/*",
		"/a/{}/presentation/d/{id}", "/a/{}/presentation/u/{}/d/{id}", "/a/{}/presentation/d/{id}/*",
		"/a/{}/presentation/u/{}/d/{id}/*", "/corp/presentation/d/{id}", "/corp/presentation/u/{}/d/{id}",
		"/corp/presentation/d/{id}/*", "/corp/presentation/u/{}/d/{id}/*"}
	pathsf9f6e404 = []string{"/b/{id}", "/v/{id}", "/s/{id}", "/embed/{id}", "/share/{id}", "/{id}"}
	pathsfba7aa9c = []string{"/clouddrive/share/{id}", "/clouddrive/share/{id}/*", "/photos/share/{id}", "/photos/share/{id}/*"}
	pathsfbf34f1b = []string{"/{id}", "/p/{id}"}
	pathsfd8a19b7 = []string{"/d/{id}/{name}", "/s/{id}/{name}", "/f/{id}", "/f/{id}/{name}", "/fl/{id}", "/file/{id}"}
)

// digests has a digest of each row, also of wrappers, and one of all else.
var digests = [...]uint64{
	0x0000f7902e558c8f,
	0x012c44e1588e5959,
	0x014015819d76d65f,
	0x026f1e492775dabb,
	0x030189650f3d16d3,
	0x0435d60b1429c91c,
	0x05842e123614b6db,
	0x058b4b99569da28d,
	0x05db6452ebb276a0,
	0x06146d5203cd8042,
	0x0698dcc528b395e4,
	0x06cacd9d1693c6df,
	0x06fe3e907851e99d,
	0x09542c7f07057962,
	0x09aa33c5b1f38b90,
	0x0b47844c9fb86109,
	0x0b7c2dedeba85350,
	0x0ba2b4da31e70103,
	0x0c050777002eba71,
	0x0ca422d80629f933,
	0x0dc12607e2bf3799,
	0x0ea6cce8ac8dbdb7,
	0x0ea767904e6756d2,
	0x0eff81c93dfce43d,
	0x1075a2f4977640b2,
	0x114481f3350082f5,
	0x11572b420a7c4ae2,
	0x117c73bb8c93e608,
	0x118684bacb47e390,
	0x11f1bfaa105c65ed,
	0x1203c0e90e1c6ead,
	0x120e26fe4fc3d406,
	0x12df5507363f1309,
	0x1499fa52e20d1043,
	0x14e85729b3767613,
	0x15003747f587866d,
	0x158b1e8e88e96ed3,
	0x161eb2c8b912483c,
	0x179125c5ab4021cd,
	0x17930794f97ac749,
	0x17b00a09ff18be17,
	0x19b8b356fc233cab,
	0x19fa5effed6c3516,
	0x1a3c2dd452ffcb11,
	0x1aa620adc79a7b7a,
	0x1aee721b2cdb1637,
	0x1b13f5bdb6999eac,
	0x1b772a50fbbfb6c3,
	0x1c1572dece5e1557,
	0x1c369f5ae39a4513,
	0x1c9259b597fb0408,
	0x1cb29e3ae00efc9a,
	0x1cc592937fc589fb,
	0x1e9343acda4d1e1c,
	0x1efb678fb94b8997,
	0x1f53664650d2b325,
	0x1fcf78415bd09722,
	0x20868d80cf379cb0,
	0x211318b5e02004db,
	0x221a86863e5b4d48,
	0x2279737a5ef3ffa9,
	0x22ea78749715540f,
	0x23297b7a564bffd0,
	0x239cdbbc0f38972f,
	0x23ab5a481379340c,
	0x2411f7e7aa91af31,
	0x249a19d8ed1d5f99,
	0x24e2b0ce1fc39104,
	0x26a43c90c7de5e22,
	0x273ab9d1ab6ef972,
	0x278361a753738f7a,
	0x27b4fb82f7558451,
	0x27fe37f42e1b8ff8,
	0x280c560ba196dfc9,
	0x283eda4eee9cbf5b,
	0x291f58398a3ecd5d,
	0x292b96c256b95903,
	0x29acca7f849008a2,
	0x2af3cc5eda2cc012,
	0x2b2d87c352f00fc2,
	0x2c08e66f5ce2e217,
	0x2c184642421b7d99,
	0x2cb7f44da8ddc955,
	0x2d4d4ba2378fc9dc,
	0x2f638ea4827e0479,
	0x306ce3ddc8219484,
	0x3081768a1c8f0f48,
	0x309a384d3857bd94,
	0x31665a999d570ec3,
	0x32536ad955c707f2,
	0x326ef417af90d970,
	0x32b35b20cef907e7,
	0x332e8d9107d048cd,
	0x33f69787495dd799,
	0x341b36c98a09a571,
	0x345b95dda007c3ba,
	0x34e2cf4f698c8163,
	0x35aa330fa7a5a87d,
	0x35bf3fb516c5b97f,
	0x36cbe9bac4169744,
	0x3732942a9322b039,
	0x3772bd9e970d76db,
	0x379e397cd1ded188,
	0x39126f88f9256842,
	0x3956cfe13f5b159e,
	0x39ca7f6348cfe5e5,
	0x39d79f6a90967950,
	0x3ae8c4261ad1daca,
	0x3befbb96f378fee2,
	0x3ca82ab4784e2281,
	0x3cf42cb8a0d262df,
	0x3edd8119e4b3fff1,
	0x3f0b9d21d323fb9e,
	0x3f2341838854bc56,
	0x4028202a94e4fa7f,
	0x412e5c5311f47baa,
	0x4139f3d834e51163,
	0x41d75269319c75bb,
	0x42df75e5f8afd66a,
	0x42ef804d0a1e23f5,
	0x434f539360e21e16,
	0x43a37a5bc2237fcb,
	0x4470c9036e18d9e7,
	0x449fd2ccdb0d5e34,
	0x44e4b129b2daaac2,
	0x45aa4190fcce9da1,
	0x460fa81164508988,
	0x46eea27fd6114c40,
	0x4774face1725210f,
	0x479a481fedc8d2d6,
	0x4817a854e9ce9667,
	0x484476ac5f034e89,
	0x4880679fc18b68b0,
	0x488552e2771a5a30,
	0x48f263408f99efe8,
	0x4966735b53cfa84c,
	0x49aaa50d61892dd4,
	0x4ab2ce96360d2885,
	0x4ad8c51ab361167b,
	0x4ba3cae553023822,
	0x4c81c724f0551002,
	0x4c9a7258db3b618b,
	0x4ce78f3b7ddb3700,
	0x4d0db79a9e730889,
	0x4dc2ab6540b5792d,
	0x4dd54e9630511cbd,
	0x4f01ff142a841dda,
	0x4f85341c71915329,
	0x4fd0b1284b8502fc,
	0x5026727d057f6a6e,
	0x50e1db98d14a2c16,
	0x5112a9c5de9e9f0c,
	0x53c9fe869d64ce7a,
	0x53cebf4f650a54a1,
	0x544a535e92935812,
	0x54c89a8aa75d1a31,
	0x56bfc03cd9531658,
	0x572b432a8b5566f9,
	0x575bb8f2a3e4ece1,
	0x5826cea496a966a9,
	0x584755174367e748,
	0x588f25672dab0699,
	0x58d745d2b8de5850,
	0x59d257aa85e44f7a,
	0x59fe2a63293a55c9,
	0x5a2a6575fa7554a5,
	0x5b02ba8422641402,
	0x5b61d99991b9370f,
	0x5b8da9bcc17dba84,
	0x5bc3058a34e0ef0c,
	0x5d29fbec7da1db59,
	0x5e2063767803f63c,
	0x5eafde5d162ca237,
	0x602165fdada5f7ac,
	0x6055e2c82f5c0279,
	0x61f7018ffaa2015e,
	0x62f082f4041b0a89,
	0x63e41c2a3ddfe3a1,
	0x6426a5263633f083,
	0x64a12bb97ebd0910,
	0x64a93b72349f7d6b,
	0x6596f5e915f0ab17,
	0x6647f7a1d885a7e3,
	0x66aaefa0f0853f0a,
	0x66fa57deb29199b7,
	0x67555208945b0821,
	0x68257ae037e6f96f,
	0x68679b9745c2789c,
	0x68e3366c64a77531,
	0x691520c6c2a8e41e,
	0x6929c04e8bffcd0e,
	0x69634833c5fa512f,
	0x699d84183c3dccd6,
	0x69ac6238c5eeae05,
	0x6a0aaa1da223ecff,
	0x6a4e27b420a6b355,
	0x6b08a17f5e9ff79c,
	0x6b73f2c113cb9641,
	0x6be629f09850fbb6,
	0x6c417af838ba6fe4,
	0x6cd48180a2db8be1,
	0x7043cd45902fbcd5,
	0x71e13bd28452abbc,
	0x72a7c8ffe087d11e,
	0x72b02d2099e7cabb,
	0x735b5df070c1aa94,
	0x7560461b428a95cc,
	0x760ec8b8b9ef63e0,
	0x771e143f3650807c,
	0x776a8aa62bf9588c,
	0x77c970ae339332d1,
	0x7831dc748e81becd,
	0x78f8e55f16a369eb,
	0x794202912eef865a,
	0x794393a222764ea9,
	0x796005418c11711a,
	0x798ecdf70c172180,
	0x7af7cd31eee2d95d,
	0x7b876b7021f2bf25,
	0x7c8b698dedfc2afb,
	0x7ceb68d852412ade,
	0x7ed09a49392dd062,
	0x7ed4c3eb7f04b309,
	0x7fb5ac03ba02d5db,
	0x7ff96f68b3ae80f7,
	0x80ac9cfbe49e1c09,
	0x816807c6cf4d9e6b,
	0x827e48f96846b363,
	0x83148b39383d059c,
	0x8315c948743b1a55,
	0x835574b0912e15b8,
	0x8511cbf64dd69fa8,
	0x85d0d1396ed3d87a,
	0x863ccc34f7ad5d27,
	0x868d0adea295187f,
	0x87d47c19f040b671,
	0x8837d8730d29d302,
	0x890752bddaba77d1,
	0x89b226a99d669f82,
	0x8b526105ea5c202e,
	0x8c0ea90f480a7ef3,
	0x8d1943734ae1e234,
	0x8db121746d69099e,
	0x8db8efe55da817bb,
	0x8def468414ae5029,
	0x8e6d7fefff9ae2b6,
	0x90206f573a892de2,
	0x9039125e15ca40a8,
	0x90e0b563ef6a79b9,
	0x911bde65d1ee8b5f,
	0x9173f5ec6586a603,
	0x91d0f12d7c29bceb,
	0x9319a94c479d352b,
	0x93360a7c3b287d65,
	0x9338624f9c113f7c,
	0x93cfd293b0e1305a,
	0x9473ecdc4f57c84c,
	0x9503c58695167bc1,
	0x950ff4b16e35c1be,
	0x953e3575eedc5616,
	0x96a70af5201fb761,
	0x96b91f1a5e9dd09f,
	0x98459dc091023cd5,
	0x98609d11ba6f8a4f,
	0x986bd96f5a7edd4c,
	0x98e68fcc63170938,
	0x99e7019c5cbffe71,
	0x9a25351fcc694c04,
	0x9a2603686c8999e0,
	0x9a3e6dbae5e7c97c,
	0x9aa14db746d1b558,
	0x9b4e8c267ac7c2e9,
	0x9b5c6b95285a0e89,
	0x9c00a3dd58cb6482,
	0x9d36557fd7f22eb7,
	0x9e30308de04c32fc,
	0x9f6591840368da92,
	0x9f7a60c776e5389c,
	0x9f7e336162707552,
	0x9fc77242e070d3f0,
	0x9ff153708fb1a081,
	0xa01cf881ad2c22d2,
	0xa06a28ccfc0866b2,
	0xa103d0b303010101,
	0xa1ce7ecd4f4a609b,
	0xa3d841fb31f542f5,
	0xa4679bef944b9a79,
	0xa46ad20e896f7178,
	0xa502722ba9d1e15f,
	0xa58416c051326934,
	0xa643288d628dc79e,
	0xa6835de87d28e751,
	0xa8075eee9738e632,
	0xa8b059527c922f85,
	0xa95eff2f29edd0ab,
	0xa98ba92ec9d58f7c,
	0xaa650a781751551c,
	0xaba990519229d846,
	0xb03474c0cfc30e99,
	0xb07e01957bfc0f16,
	0xb13936f7f5b62ae0,
	0xb3a7e81d351a3efe,
	0xb596af89ad7c3723,
	0xb5b97ee8258546c3,
	0xb5d25a9bdba50958,
	0xb65c0d1176ea1d39,
	0xb6b25d8983ae09e6,
	0xb6dc3dde144a5529,
	0xb6e1029b2cbf9350,
	0xb7462a2f9c4327db,
	0xb798605e45d15f3a,
	0xb7b758979917cb8d,
	0xb8bcc8c57c9c5efe,
	0xb8d51ab60f9c42b0,
	0xb8f1d4c098ddfc91,
	0xb92c9697659148f1,
	0xbadff386656139e4,
	0xbb078a3b74c0fefe,
	0xbb8a9ccb8da924da,
	0xbbcae76a0f5483ca,
	0xbc980c2208167b37,
	0xbd7ca63b041987d7,
	0xc1aaa72c722b86fa,
	0xc1ffb0efefe471db,
	0xc219b267d3753047,
	0xc26a74624a2ed31b,
	0xc30a0dba8922d954,
	0xc4338e9a5811fa5c,
	0xc470c705545cfb90,
	0xc65783fa8c4f3fa0,
	0xc6ee450a595cf293,
	0xc7d49784586a13bc,
	0xc86fdb035e1cae6f,
	0xc89f3b15abdb00ba,
	0xc8afadc5a1415b08,
	0xc90fcfbf22ef070e,
	0xc99f5b5e500ff14a,
	0xcaa48a52d8258b82,
	0xcadb68a3e7fb394d,
	0xcb026154965a6c0f,
	0xcbd7cec8e3943768,
	0xccdca6d36c5a7e5f,
	0xcce4ef9a406504ff,
	0xcd666500d7d60949,
	0xcddeb39864b94542,
	0xce0a9a6eda07c363,
	0xcec2d09eb53d43a4,
	0xd00b26a09282fc1e,
	0xd046f78b1a1f6d93,
	0xd386fce3015d3219,
	0xd38bb77a0f9a0db0,
	0xd40af5c28a6075ee,
	0xd43930713af451f0,
	0xd4994bc7a044b74a,
	0xd562964fa82e3daa,
	0xd602bd830f978277,
	0xd64b4ef384786d3a,
	0xd66c2a8d5830047d,
	0xd7092ddb1438c413,
	0xd7221b25bf61abf8,
	0xd780249c48b0493d,
	0xd78109d614660723,
	0xd7a729a064af8eb8,
	0xd7cb8f58d648794f,
	0xd801a8eaa8ce632e,
	0xd83108b5d981d812,
	0xd950188fe1c1d3c6,
	0xda0796118b9ad1a8,
	0xdae769402856035e,
	0xdbc207212708d2f2,
	0xdbd291e0a249a468,
	0xdc5072bfabcfe2e4,
	0xdc917c5e81ecaff4,
	0xdca13d5c232ef337,
	0xdd6d8f0eb6012615,
	0xde82c07f2931ee99,
	0xdecec791978125e0,
	0xdf5eeb4a222fd571,
	0xdfa6ddb77c103773,
	0xdfced8046571c482,
	0xe1557ed387e0aa95,
	0xe180571c0d3382c3,
	0xe1c4dc8ad2de27ef,
	0xe23b220976b2daeb,
	0xe276150943241b17,
	0xe3830f282e9e10e7,
	0xe46667a9ad998c70,
	0xe60e7c246e463f51,
	0xe60f3e9db37e7434,
	0xe71e31d4cb8d3820,
	0xe82fc33ada6c5e67,
	0xe838ae6316913625,
	0xe8443b56c58db372,
	0xe8635f42394f68ef,
	0xea6a3ceda3e908e3,
	0xeb4d521946ef5485,
	0xed22112dea1172cd,
	0xede38ce9518a6e26,
	0xee67683ccec07595,
	0xee8cb79293c71eec,
	0xeea896cd8097c3f4,
	0xefc7beea2e440647,
	0xeff8b678aa663cb8,
	0xf036497a684c0618,
	0xf0490cd81ed1f3b5,
	0xf09fa43ad6e93ddb,
	0xf0f98110d3215ce4,
	0xf17492d09bdf2af2,
	0xf1861c4980748415,
	0xf1e07366e44c26da,
	0xf282543935b78575,
	0xf2980b6714575f6c,
	0xf442b5e572bd6bc6,
	0xf45e45c4699ab3e8,
	0xf5427860f0c11d97,
	0xf6332f798ed50b8f,
	0xf63a95d0401443fd,
	0xf68981859b6dcc02,
	0xf68b0bbd25e12735,
	0xf78797f1141e6ac8,
	0xf7f7047bfcec3b3d,
	0xf80711de0fa5def7,
	0xf841913cb093632c,
	0xf89a2f5bb539af76,
	0xf8c59b131c34f71c,
	0xf9d13b4447e23078,
	0xf9e3f829a67d929c,
	0xf9f0f88ba0946fb3,
	0xfa01c3bce5c60022,
	0xfa0c289b58f88137,
	0xfbc5a11828f6359b,
	0xfc85fb685ba3403f,
	0xfc8a4bf4c7588802,
	0xfd1b42f0ebace04b,
	0xfdf8ecaaa731aaf4,
	0xfe02c2f5d44c173a,
	0xfe03853806afae6d,
	0xfeba819f8ef741c6,
	0xffd616910db7bc07,
}

var (
	pattern0049e088 = verbs.Pattern{Text: `(?:pages/|numbers/|keynote/)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	pattern00a1d514 = verbs.Pattern{Text: `[0-9A-Za-z]{8}|[0-9A-Za-z]{32}|[0-9A-Za-z]{50}`}
	pattern00d0ef64 = verbs.Pattern{Text: `t-.{6,}`}
	pattern0145bb9c = verbs.Pattern{Text: `[^!\n]*!.+`}
	pattern015ee7f1 = verbs.Pattern{Text: `(?:(?:.|\n)+(?:[.](?:[A-Za-z][0-9A-Za-z]{0,7}|[0-9][A-Za-z][0-9A-Za-z]{0,6}|[0-9]{2}[A-Za-z][0-9A-Za-z]{0,5}|[0-9]{3}[A-Za-z][0-9A-Za-z]{0,4}|[0-9]{4}[A-Za-z][0-9A-Za-z]{0,3}|[0-9]{5}[A-Za-z][0-9A-Za-z]{0,2}|[0-9]{6}[A-Za-z][0-9A-Za-z]?|[0-9]{7}[A-Za-z])))`, Is: verbs.File}
	pattern0179f3bf = verbs.Pattern{Text: `(?:page=publink&code=|page=puplink&code=)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	pattern02b59b9a = verbs.Pattern{Text: `D[0-9A-Za-z]{15,20}`}
	pattern039b531d = verbs.Pattern{Text: `:[^/]*/r/.+`}
	pattern03a1f792 = verbs.Pattern{Text: `[0-9a-z]{8,14}`}
	pattern04217bae = verbs.Pattern{Text: `[^A-Z\n]*[A-Z].*`}
	pattern0644b892 = verbs.Pattern{Text: `(?:ln|cp[.]).*`}
	pattern0747e364 = verbs.Pattern{Text: `[0-9A-Za-z]{7}`}
	pattern07d2d72b = verbs.Pattern{Text: `[0-9a-f]{32}`}
	pattern0911ae4d = verbs.Pattern{Text: `(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`, Is: verbs.Token}
	pattern0a1874a7 = verbs.Pattern{Text: `netdiskid:.+`}
	pattern0a3bbebc = verbs.Pattern{Text: `[{]?((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))[}]?`}
	pattern0a4bde3b = verbs.Pattern{Text: `20[0-9]{6}.{4,}`}
	pattern0c420b30 = verbs.Pattern{Text: `F?!([-_.~:0-9A-Za-z]+)![^!].*`}
	pattern0e0fdfc2 = verbs.Pattern{Text: `[0-9a-z]{14,16}`}
	pattern0f53aec9 = verbs.Pattern{Text: `[{]?[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)+[}]?`}
	pattern0f9315be = verbs.Pattern{Text: `.{40,}`}
	pattern11d73b80 = verbs.Pattern{Text: `[0-9]{6}`}
	pattern121cccd3 = verbs.Pattern{Text: `.*cloud(?:(?:.|\n)*)`}
	pattern12f4e2ae = verbs.Pattern{Text: `20[0-9]{6}.{4,}|[0-9A-Za-z]{6}[0-9]{6}|[0-9a-z]{12}`}
	pattern131b7e94 = verbs.Pattern{Text: `[0-9A-Za-z]{6,12}`}
	pattern132c58a4 = verbs.Pattern{Text: `v[0-9]+-.{6,}`}
	pattern139d7a75 = verbs.Pattern{Text: `[0-9A-Za-z]{9}`}
	pattern13cea295 = verbs.Pattern{Text: `/[0-9]+/.{16,}`}
	pattern16fd6357 = verbs.Pattern{Text: `[^+/\n]*[+/].*`}
	pattern17c03f4a = verbs.Pattern{Text: `[0-9a-z]{8,11}(?:[.][0-9a-z]{3,4})?`}
	pattern17fc5493 = verbs.Pattern{Text: `[uU][rR][nN]:[aA]{2}[iI][dD]:[0-9A-Za-z]+:[0-9A-Za-z]{2,5}:[^0-9\n]*[0-9].*`}
	pattern18b5f3c1 = verbs.Pattern{Text: `(?:(?:.|\n)*)[$][{](?:f|uk)[}](?:(?:.|\n)*)`}
	pattern19d36f69 = verbs.Pattern{Text: `[0-9A-Za-z]{10,16}`}
	pattern1a64235d = verbs.Pattern{Text: `[0-9A-F]{15}`}
	pattern1b4a0b52 = verbs.Pattern{Text: `(?:f_)?((?:.|\n)+)`}
	pattern1c0f4e32 = verbs.Pattern{Text: `[0-9A-Z]{8}`}
	pattern1e20d03d = verbs.Pattern{Text: `[^/]+`}
	pattern1e28186d = verbs.Pattern{Text: `[0-9A-Za-z]{11}`}
	pattern1ede5cbb = verbs.Pattern{Text: `[0-9a-z]{11}`}
	pattern2005ded4 = verbs.Pattern{Text: `([^&]+)(?:&.*)?`}
	pattern202cf95e = verbs.Pattern{Text: `[0-9][0-9A-Za-z]{6,7}`}
	pattern2369c2c6 = verbs.Pattern{Text: `(.+?)/?`}
	pattern244e8a58 = verbs.Pattern{Text: `dt[0-9a-f]{32}`}
	pattern24f02e49 = verbs.Pattern{Text: `1[0-9A-Za-z]{6}|[0-9A-Za-z]{6}`}
	pattern25e1fb06 = verbs.Pattern{Text: `[0-9a-z]{10,24}`}
	pattern2b8aa77b = verbs.Pattern{Text: `(?:.|\n)+[.]aspx`}
	pattern2bc4e7ed = verbs.Pattern{Text: `(https?://[^/?]*(?:/[^?]*?)??)/d(?:[/?](?:(?:.|\n)*))?`}
	pattern2ce652a0 = verbs.Pattern{Text: `:[a-km-z]:`}
	pattern2d60daaf = verbs.Pattern{Text: `[a-z]/c/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))`}
	pattern2f07f522 = verbs.Pattern{Text: `[0-9a-z]{11,15}(?:,[0-9a-z]{11,15})*`}
	pattern2fc0664a = verbs.Pattern{Text: `(?:file|photo|video|audio)(?:,(?:(?:.|\n)*))?`}
	pattern304107fb = verbs.Pattern{Text: `(?:/send/)?((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	pattern3083ab21 = verbs.Pattern{Text: `download-[0-9]{5,}`}
	pattern31211d8a = verbs.Pattern{Text: `[0-9]{5,}`}
	pattern32e427a6 = verbs.Pattern{Text: `e.*`}
	pattern331f5e18 = verbs.Pattern{Text: `@[0-9]+/.*`}
	pattern332c92f4 = verbs.Pattern{Text: `[0-9A-Z]{16}-[0-9A-Z]{3,4}`}
	pattern3492c60b = verbs.Pattern{Text: `[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`}
	pattern3496e284 = verbs.Pattern{Text: `[cs][0-9A-Za-z]{8,11}`}
	pattern36a1bc3d = verbs.Pattern{Text: `[0-9a-z]{11,15}`}
	pattern36d5d11c = verbs.Pattern{Text: `[biptuvwx]`}
	pattern37071dad = verbs.Pattern{Text: `[0-9a-f]{14,}`}
	pattern38e5c64c = verbs.Pattern{Text: `[0-9a-z]{7}`}
	pattern397748dd = verbs.Pattern{Text: `[0-9a-z]{6,12}`}
	pattern3b97cf6e = verbs.Pattern{Text: `.*/download(?:(?:.|\n)*)`}
	pattern3d1a486f = verbs.Pattern{Text: `[0-9a-f]{32}|[0-9A-Za-z]{14}`}
	pattern3d7db37d = verbs.Pattern{Text: `files`}
	pattern3df87c7f = verbs.Pattern{Text: `"typedID":"([^"]{0,40})`}
	pattern3e548791 = verbs.Pattern{Text: `(?:(?:[a-z]+[0-9A-Z]|[A-Z]+[0-9a-z]|[0-9]+[A-Za-z])[0-9A-Za-z]*)`}
	pattern3e628014 = verbs.Pattern{Text: `[0-9A-Za-z]{8,12}`}
	pattern3ea0b662 = verbs.Pattern{Text: `[0-9a-f]{10,16}`}
	pattern3f12a12e = verbs.Pattern{Text: `[0-9]{7,}`}
	pattern40eed730 = verbs.Pattern{Text: `[0-9A-Za-z]{15,16}`}
	pattern41d83880 = verbs.Pattern{Text: `[a-z]{15}|[0-9A-Za-z]{8}`}
	pattern41f220d6 = verbs.Pattern{Text: `:[^/]*/r/([^/]+/[^/]+)(?:/.*)?`}
	pattern43308af8 = verbs.Pattern{Text: `D[0-9]+_[0-9]+_[0-9]+`}
	pattern454349e4 = verbs.Pattern{Text: `r`}
	pattern4721db90 = verbs.Pattern{Text: `/[0-9A-Za-z]{8}`}
	pattern4813494d = verbs.Pattern{Text: `root`}
	pattern49980cf8 = verbs.Pattern{Text: `[0-9A-Za-z]{5}`}
	pattern4b125842 = verbs.Pattern{Text: `[0-9a-f]{16}`}
	pattern4c42b755 = verbs.Pattern{Text: `[0-9]{12,}`}
	pattern4d1e3857 = verbs.Pattern{Text: `((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	pattern518d60a2 = verbs.Pattern{Text: `[0-9A-Za-z]{43}`}
	pattern51f9a615 = verbs.Pattern{Text: `.[^/\n]*/.+`}
	pattern52388f38 = verbs.Pattern{Text: `[0-9A-Za-z]{15}|[0-9a-f]{32}`}
	pattern5267f054 = verbs.Pattern{Text: `:[^/]*/r/(.+)`}
	pattern5364e535 = verbs.Pattern{Text: `[^.]*-drive[.].*|drive[.].*`}
	pattern538bba09 = verbs.Pattern{Text: `[0-9a-f]{48}`}
	pattern549d6d1a = verbs.Pattern{Text: `[0-9a-f]{40}`}
	pattern55134758 = verbs.Pattern{Text: `[0-9]{15,20}`}
	pattern5537bfa0 = verbs.Pattern{Text: `(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/a/.+`}
	pattern55ef0fcf = verbs.Pattern{Text: `[0-9]{6,}-[0-9a-f]{3}`}
	pattern560965cc = verbs.Pattern{Text: `[A-Z][0-9A-Za-z_-]{11,40}`}
	pattern56e86d57 = verbs.Pattern{Text: `(?:(?:.|\n)*)!(?:(?:.|\n)*)`}
	pattern575df24b = verbs.Pattern{Text: `[0-9A-Za-z]{15,30}`}
	pattern57c808e9 = verbs.Pattern{Text: `[xy][1-4][mp].{30,}`}
	pattern59dda667 = verbs.Pattern{Text: `fi[0-9A-Za-z]{18,24}`}
	pattern59f088dd = verbs.Pattern{Text: `[0-9a-z]{5}|[0-9a-z]{8}`}
	pattern5c6192a0 = verbs.Pattern{Text: `[0-9A-Za-z]{15}`}
	pattern5e17c7d3 = verbs.Pattern{Text: `[0-9a-z]{9}`}
	pattern5e9cf594 = verbs.Pattern{Text: `(?:.|\n)+`}
	pattern5f07ebc4 = verbs.Pattern{Text: `[^01hluvIOUV\n]*[01hluvIOUV].*`}
	pattern5f8169db = verbs.Pattern{Text: `[0-9]{8}.*`}
	pattern61712136 = verbs.Pattern{Text: `![^!]*![#-.0-~]{43}(?:[!/].*)?|F![^!]*![#-.0-~]{22}(?:[!/].*)?`}
	pattern61853d6e = verbs.Pattern{Text: `[0-9a-f]{10}`}
	pattern655e8915 = verbs.Pattern{Text: `X-NETEASE-HUGE-ATTACHMENT|X-NTES-HUGE-ATTACHMENT`}
	pattern66f63690 = verbs.Pattern{Text: `[0-9a-f]{32}|[0-9]{6,}`}
	pattern68ff63fb = verbs.Pattern{Text: `download`}
	pattern693c1f49 = verbs.Pattern{Text: `(?:.|\n)+[.](?:aspx?|ashx|html?)`}
	pattern6945a81b = verbs.Pattern{Text: `t-.{6,}|[0-9A-Za-z]{10}`}
	pattern6a162995 = verbs.Pattern{Text: `sw[0-9a-z]{8,12}`}
	pattern6a1b2e43 = verbs.Pattern{Text: `0.{19,}`}
	pattern6bfa00b5 = verbs.Pattern{Text: `doc-?[0-9]+_[0-9]{6,}`}
	pattern6c3d6922 = verbs.Pattern{Text: `1drv[.]ms`}
	pattern6c4e7e65 = verbs.Pattern{Text: `(?:.*[^/][.](?:aspx?|ashx|html?))`}
	pattern6ee6be16 = verbs.Pattern{Text: `[0-9a-fA-F]{10,16}`}
	pattern70b2b3f3 = verbs.Pattern{Text: `[-_0-9A-Za-z]{16}`}
	pattern751a844b = verbs.Pattern{Text: `5Z[0-9A-Za-z]{40,80}`}
	pattern7533555c = verbs.Pattern{Text: `.*[^/]`}
	pattern75fcc2e3 = verbs.Pattern{Text: `folder(?:,(?:(?:.|\n)*))?`}
	pattern7640b476 = verbs.Pattern{Text: `T[^-]+-F[^-]+-[^-]+`}
	pattern76ae546d = verbs.Pattern{Text: `[0-9A-Za-z]{5,10}`}
	pattern77564c52 = verbs.Pattern{Text: `[0-9a-z]{6}`}
	pattern780a0317 = verbs.Pattern{Text: `[0-9A-Fa-f]{20}`}
	pattern78771d49 = verbs.Pattern{Text: `[0-9a-f]{12,14}`}
	pattern7a402588 = verbs.Pattern{Text: `l[0-9A-Za-z]{22}`}
	pattern7ce8eaf5 = verbs.Pattern{Text: `[fo]`}
	pattern7df0931f = verbs.Pattern{Text: `AA[0-9A-F]{32}`}
	pattern7e542cb5 = verbs.Pattern{Text: `[0-9a-z]{7}|[0-9a-z]{16}`}
	pattern7f6799ff = verbs.Pattern{Text: `0[0-9A-Za-z]{6}|[0-9a-f]{32}`}
	pattern7f73957a = verbs.Pattern{Text: `[0-9A-Za-z]{9}|[0-9A-Za-z]{32}`}
	pattern7ff3129a = verbs.Pattern{Text: `:[fo]:`}
	pattern8108f1b4 = verbs.Pattern{Text: `/w/i/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	pattern837eaf36 = verbs.Pattern{Text: `/.*`}
	pattern83fadd26 = verbs.Pattern{Text: `[0-9A-Z]{6}|[0-9A-F]{32}`}
	pattern860e3877 = verbs.Pattern{Text: `(?:.*/)?[^/]+[.]aspx`}
	pattern8652775c = verbs.Pattern{Text: `[0-9a-z]{8}`}
	pattern87218f2c = verbs.Pattern{Text: `[0-9A-Za-z]{12}`}
	pattern88334683 = verbs.Pattern{Text: `T[0-9A-Z]+-F[0-9A-Z]+|F[0-9A-Z]{5,}`}
	pattern883fdb8e = verbs.Pattern{Text: `[0-9A-Za-z]{5}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`}
	pattern88bc2cbd = verbs.Pattern{Text: `[0-9A-Za-z]{7,24}`}
	pattern8a532d47 = verbs.Pattern{Text: `(?:(?:/(?:[^/.\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*|[.][^/.\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*|[.][.][^/\\\x00-\x1f\x7f]+))+)`, Is: verbs.Path}
	pattern8a9f606b = verbs.Pattern{Text: `[a-z]{6}[.](?:jpe?g|png|gif|webp|mp[34]|m4a|wav|ogg|webm|mov|mkv|pdf|zip|rar|7z|bin|apk|exe|docx?|xlsx?|pptx?)`}
	pattern8b12bf79 = verbs.Pattern{Text: `.{16,}`}
	pattern8b3eff17 = verbs.Pattern{Text: `[0-9a-f]{20,}`}
	pattern8b9e1da5 = verbs.Pattern{Text: `(?:.*,)?[a-z]+(?:,(?:(?:.|\n)*))?`}
	pattern8c684aad = verbs.Pattern{Text: `([^=]*)=*`}
	pattern8cac7799 = verbs.Pattern{Text: `https://drive[.]usercontent[.]google[.]com`}
	pattern8d352d0f = verbs.Pattern{Text: `A[0-9A-Za-z]{17,30}`}
	pattern8d711b3b = verbs.Pattern{Text: `(.*?)/_layouts/(?:(?:.|\n)*)`}
	pattern8de03767 = verbs.Pattern{Text: `[0-9A-Za-z]{32}`}
	pattern8e330f32 = verbs.Pattern{Text: `.*[.]one`}
	pattern8ecb3fd1 = verbs.Pattern{Text: `(?:d|web)-.{8,}`}
	pattern901c71e0 = verbs.Pattern{Text: `[0-9A-Fa-f]{20,}`}
	pattern9082e265 = verbs.Pattern{Text: `[0-9A-Za-z]{6}(?:[.]html)?`}
	pattern92091c35 = verbs.Pattern{Text: `!.*`}
	pattern92f35ba7 = verbs.Pattern{Text: `/(?:(?:.|\n)*)`}
	pattern93b0a6dd = verbs.Pattern{Text: `:.*`}
	pattern93e1bb57 = verbs.Pattern{Text: `AF1Qip.{30,}|[0-9A-Za-z]{17}`}
	pattern973e62af = verbs.Pattern{Text: `[0-9A-Za-z]{6}[.][0-9A-Za-z]{1,8}`}
	pattern982e2486 = verbs.Pattern{Text: `:(?:[biptuvwx]|fl):`}
	pattern988da780 = verbs.Pattern{Text: `(?:[0-9]{5,}|[0-9][0-9A-Za-z]{8})(?:[.]view)?`}
	pattern99c9b5bd = verbs.Pattern{Text: `[0-9a-z]{11,15}(?:,[0-9a-z]{11,15})+`}
	pattern9a1be641 = verbs.Pattern{Text: `[0-9A-Za-z]{16}`}
	pattern9b9a465f = verbs.Pattern{Text: `(?:(?:(?:.|\n)*/)?([^/]+(?:[.](?:[A-Za-z][0-9A-Za-z]{0,7}|[0-9][A-Za-z][0-9A-Za-z]{0,6}|[0-9]{2}[A-Za-z][0-9A-Za-z]{0,5}|[0-9]{3}[A-Za-z][0-9A-Za-z]{0,4}|[0-9]{4}[A-Za-z][0-9A-Za-z]{0,3}|[0-9]{5}[A-Za-z][0-9A-Za-z]{0,2}|[0-9]{6}[A-Za-z][0-9A-Za-z]?|[0-9]{7}[A-Za-z]))))`, Is: verbs.End}
	pattern9c28d0e4 = verbs.Pattern{Text: `.{33}`}
	pattern9d0dbf09 = verbs.Pattern{Text: `[0-9A-Fa-f]{32,}`}
	pattern9d541b38 = verbs.Pattern{Text: `[0-9a-z]{6,8}`}
	patterna0287472 = verbs.Pattern{Text: `[0-9]+`}
	patterna054efd6 = verbs.Pattern{Text: `[bi][0-9A-Za-z]{6,13}`}
	patterna1c095c4 = verbs.Pattern{Text: `[a-z]/c/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`}
	patterna2e68d67 = verbs.Pattern{Text: `[^\n]+`}
	patterna56393f4 = verbs.Pattern{Text: `[$][{]f[}]`}
	patterna5782b04 = verbs.Pattern{Text: `[a-z]/c/[^/]+/[^/]+`}
	patterna63e5e05 = verbs.Pattern{Text: `(?:.*/)?siteassets/(?:(?:.|\n)*)`}
	patterna6f53d18 = verbs.Pattern{Text: `F!.*`}
	patterna7364922 = verbs.Pattern{Text: `D.{14,24}`}
	patterna7946ff0 = verbs.Pattern{Text: `/send/((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	patterna7dc20ad = verbs.Pattern{Text: `[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)+`}
	patterna81d1dde = verbs.Pattern{Text: `[a-z][0-9A-Za-z]{8}(?:[.][0-9a-z]{3,4})?`}
	patterna8dd1c60 = verbs.Pattern{Text: `(?:.*/)?(?:_layouts|_api|_vti_bin|_catalogs|sitepages|pages|lists|forms|style%20library|publishingimages|sitecollectionimages)/(?:(?:.|\n)*)`}
	patternabd1ee5f = verbs.Pattern{Text: `[0-9A-Za-z]{5}(?:[.][0-9a-z]{2,4})?|[0-9a-f]{10}[.][0-9a-z]{2,4}`}
	patternae097f59 = verbs.Pattern{Text: `[0-9A-Za-z]{11,13}(?:_[0-9A-Za-z]+)?`}
	patternaf4c39b5 = verbs.Pattern{Text: `[0-9A-Za-z]{10}`}
	patternafd390c8 = verbs.Pattern{Text: `[0-9]{6,}`}
	patternaff4c391 = verbs.Pattern{Text: `V.{24,28}`}
	patternb0b8eca2 = verbs.Pattern{Text: `document|spreadsheets|presentation`}
	patternb1ac1bd3 = verbs.Pattern{Text: `f_([0-9]{1,32})`}
	patternb4ceb6d2 = verbs.Pattern{Text: `[0-9a-z]{7,14}`}
	patternb53d3038 = verbs.Pattern{Text: `0[0-9A-Za-z]{7,20}`}
	patternb5bea41b = verbs.Pattern{Text: `true`}
	patternb809209f = verbs.Pattern{Text: `[0-9]+-[0-9]+-[0-9a-f]{6}`}
	patternbb7cfac1 = verbs.Pattern{Text: `[0-9A-Za-z]{5,8}`}
	patternbb93e85b = verbs.Pattern{Text: `.+`}
	patternbbb896ac = verbs.Pattern{Text: `[0-9A-Za-z]{8}`}
	patternc0178ab5 = verbs.Pattern{Text: `(?:account|blog|community|developer|status|support|training)[.].*`}
	patternc17befb3 = verbs.Pattern{Text: `[0-9a-f]{4}-.{16,}`}
	patternc400b0ff = verbs.Pattern{Text: `[0-9a-z]{20}`}
	patternc52674e8 = verbs.Pattern{Text: `s![A-Z].*`}
	patternc5805fd6 = verbs.Pattern{Text: `[a-z]*[-_0-9A-Z][-_0-9A-Za-z]*(?:[.][0-9A-Za-z]{1,8}){1,2}`}
	patternc5c7aa1c = verbs.Pattern{Text: `([a-z])/c/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)/(?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*)`}
	patternc688a93d = verbs.Pattern{Text: `(?:/d/|/f/)((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	patternc7abffaa = verbs.Pattern{Text: `.*/download[.]php`}
	patterncb3aa827 = verbs.Pattern{Text: `2PACX-.{6,}`}
	patterncbdf0b42 = verbs.Pattern{Text: `[0-9]{9,}`}
	patternce723f18 = verbs.Pattern{Text: `[0-9a-z]{12,}`}
	patterncf85f9a7 = verbs.Pattern{Text: `https://.+[.]icloud-content[.]com(?:[.]cn)?`}
	patterncfec3d29 = verbs.Pattern{Text: `[0-9a-z]{5,6}|[0-9a-f]{32}`}
	patternd2140d51 = verbs.Pattern{Text: `[0-9a-z]{30,40}`}
	patternd478717b = verbs.Pattern{Text: `[0-9A-Za-z]{4,8}-[0-9A-Za-z]{4,8}(?:[.]html)?`}
	patternd792695b = verbs.Pattern{Text: `[^-]{10}-[a-z]{2}`}
	patternd79397f6 = verbs.Pattern{Text: `cloclo[0-9]*[.].*`}
	patternd84882ad = verbs.Pattern{Text: `[0-9A-Za-z]{9,13}`}
	patternd89a1849 = verbs.Pattern{Text: `(.*?)/s/(?:(?:.|\n)*)`}
	patternda7824fb = verbs.Pattern{Text: `068.*`}
	patterndd38f552 = verbs.Pattern{Text: `/[?]id=((?:(?:[-_!~:0-9A-Za-z]|[.](?:[-_!~:0-9A-Za-z]|[.][-_.!~:0-9A-Za-z]))[-_.!~:0-9A-Za-z]*))(?:(?:(?:[/#&]|%23).*)?)`}
	patterndd4b93ca = verbs.Pattern{Text: `[0-9A-Za-z]{12,16}`}
	patternde0a0306 = verbs.Pattern{Text: `/*[^/](?:(?:.|\n)*)`}
	patternde8978f3 = verbs.Pattern{Text: `(?:(?:.|\n)+)`, Is: verbs.Some}
	patterndf60d07a = verbs.Pattern{Text: `[0-9a-z]{12}[.]html`}
	patterndf9121b8 = verbs.Pattern{Text: `.*filesender(?:(?:.|\n)*)`}
	patterne39375fe = verbs.Pattern{Text: `.*?/s/((?:(?:.|\n)*))`}
	patterne833690f = verbs.Pattern{Text: `(?:f_)?[0-9]{5,}`}
	patterne952cfda = verbs.Pattern{Text: `[0-9a-z]{12}`}
	patternea54bf50 = verbs.Pattern{Text: `.{4,}-[cd]t`}
	patterneab576eb = verbs.Pattern{Text: `([^/]+/[^/]+)(?:/.*)?`}
	patterneade443b = verbs.Pattern{Text: `[a-z]`}
	patternebcc4599 = verbs.Pattern{Text: `[0-9a-f]{6,}`}
	patternecf64a8a = verbs.Pattern{Text: `[0-9a-z]{10,20}(?:[.][0-9a-z]+)?`}
	patternedfde5c7 = verbs.Pattern{Text: `[0-9a-f]{12,16}`}
	patternee5eb8b6 = verbs.Pattern{Text: `[-!].{8,}`}
	patternefafae2e = verbs.Pattern{Text: `[0-9A-Za-z]{20}`}
	patternf1b17e4f = verbs.Pattern{Text: `[!-.0-~]{22}(?:/.*)?`}
	patternf24c2c10 = verbs.Pattern{Text: `[0-9A-F]{16}`}
	patternf28b41a6 = verbs.Pattern{Text: `[!-.0-~]{43}(?:/.*)?`}
	patternf39ea93d = verbs.Pattern{Text: `g[0-9a-f]{30,}`}
	patternf3eec18e = verbs.Pattern{Text: `[A-Z][0-9A-Za-z]{10}_.+`}
	patternf80c65c3 = verbs.Pattern{Text: `(https?://[^?]*/s/+[^/?]+)(?:[/?].*)?`}
	patternf847d0cf = verbs.Pattern{Text: `box_download_shared_file`}
	patternf9f4591a = verbs.Pattern{Text: `[0-9A-Fa-f]{32}`}
	patternfa8cd851 = verbs.Pattern{Text: `[0-9A-Z]{26}`}
	patternfb9fac7b = verbs.Pattern{Text: `.{10}`}
	patternff313809 = verbs.Pattern{Text: `file-[0-9]+_[0-9a-f]{16}`}
	patternffb6afd2 = verbs.Pattern{Text: `/.+`}
)
