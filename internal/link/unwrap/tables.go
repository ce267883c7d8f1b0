// Code generated from examples/list/list.json. DO NOT EDIT.

package unwrap

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// wrappers is the table of known wrappers. The first row that matches a URL counts.
var wrappers = []wrapper{
	{name: "awstrack", hosts: []string{".awstrack.me"}, paths: []string{"/L0/"}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[0]}, {Op: verbs.Percent}}}},
	{name: "azure", hosts: []string{".safelink.emails.azure.net"}, paths: []string{"/redirect/"}, params: []string{"destination"}},
	{name: "barracuda", hosts: []string{"linkprotect.cudasvc.com"}, paths: []string{"/url"}, gateway: true, params: []string{"a"}},
	{name: "checkpoint", hosts: hosts0, paths: []string{"/v2/"}, when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &patterns[1]}, {Op: verbs.Match, Pattern: &patterns[2]}}}}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Percent}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[3]}, {Op: verbs.Match, Pattern: &patterns[4]}}}}}},
	{name: "checkpoint", hosts: hosts0, paths: []string{"/v2/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[3]}, {Op: verbs.Match, Pattern: &patterns[4]}}}, oneSlash: true},
	{name: "checkpoint", hosts: []string{".url-protection.com"}, paths: []string{"/v1/"}, gateway: true, params: []string{"o"}},
	{name: "cisco", hosts: []string{"secure-web.cisco.com"}, gateway: true, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[5]}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[6]}, {Op: verbs.Percent}}}},
	{name: "deref", hosts: hosts1, paths: []string{"/mail/client/"}, params: []string{"redirectUrl"}},
	{name: "edgepilot", hosts: hosts2, paths: []string{"/s/", "/x/", "/u/"}, gateway: true, params: []string{"u"}},
	{name: "esva", hosts: []string{"urlsand.esvalabs.com"}, gateway: true, params: []string{"u"}},
	{name: "facebook", hosts: hosts3, paths: []string{"/l.php"}, params: []string{"u"}},
	{name: "fireeye", hosts: hosts4, paths: []string{"/v1/url", "/url"}, gateway: true, params: []string{"u"}},
	{name: "google-image-proxy", hosts: []string{".googleusercontent.com"}, paths: []string{"/proxy/", "/meips/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[7]}}}}, target: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[8]}}}},
	{name: "hornetsecurity", hosts: []string{"atpscan.global.hornetsecurity.com"}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, params: []string{"u"}},
	{name: "instagram", hosts: []string{"l.instagram.com"}, params: []string{"u"}},
	{name: "intermedia", hosts: []string{"url.emailprotection.link"}, when: []verbs.Any{{{{Piece: verbs.Query}}}}, gateway: true, opaque: true},
	{name: "linkedin", hosts: hosts5, paths: []string{"/redir/redirect", "/safety/go"}, params: []string{"url"}},
	{name: "mail.ru", hosts: hosts6, paths: []string{"/proxy", "/redir"}, params: []string{"url", "u"}},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click/"}, target: verbs.Any{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}, {Op: verbs.Base64}, {Op: verbs.FindJSON, Text: "p"}, {Op: verbs.FindJSON, Text: "url"}}}},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click.php"}, params: []string{"url"}},
	{name: "mimecast", hosts: hosts7, paths: []string{"/s/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[9]}}}}, gateway: true, opaque: true},
	{name: "postmark", hosts: []string{"click.pstmrk.it"}, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[10]}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[11]}, {Op: verbs.Percent}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}}}}}},
	{name: "proofpoint-isolation", hosts: []string{"urlisolation.com"}, paths: []string{"/browser"}, gateway: true, params: []string{"url"}},
	{name: "proofpoint-v1", hosts: hosts8, paths: []string{"/v1/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v2", hosts: hosts8, paths: []string{"/v2/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Replace, Text: "-", Parts: []verbs.Part{{Text: "%"}}}, {Op: verbs.Replace, Text: "_", Parts: []verbs.Part{{Text: "/"}}}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v3", hosts: hosts8, paths: []string{"/v3/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Proofpoint}}}, oneSlash: true},
	{name: "qq", hosts: hosts9, paths: []string{"/xmspamcheck/xmsafejump", "/cgi-bin/mail_spam", "/cgi-bin/readtemplate"}, params: []string{"gourl", "url"}},
	{name: "safelinks", hosts: hosts10, gateway: true, params: []string{"url"}},
	{name: "safelinks", hosts: []string{"statics.teams.cdn.office.net"}, paths: []string{"/evergreen-assets/safelinks/"}, gateway: true, params: []string{"url"}},
	{name: "slack", hosts: []string{"slack-redir.net"}, paths: []string{"/link"}, params: []string{"url"}},
	{name: "sophos", hosts: []string{".protection.sophos.com"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[12]}}}}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}, {Op: verbs.Base64}}}},
	{name: "symantec", hosts: []string{"clicktime.symantec.com"}, gateway: true, params: []string{"u"}},
	{name: "teams", hosts: []string{"teams.microsoft.com"}, paths: []string{"/l/file/"}, params: []string{"objectUrl", "objectURL"}},
	{name: "titanhq", hosts: []string{"linklock.titanhq.com"}, paths: []string{"/analyse"}, gateway: true, params: []string{"url"}},
	{name: "trendmicro", hosts: hosts11, paths: []string{"/wis/clicktime/v1/query"}, gateway: true, params: []string{"url"}},
	{name: "trustwave", hosts: []string{"scanmail.trustwave.com"}, gateway: true, params: []string{"u"}},
	{name: "vadesecure", hosts: []string{".vadesecure.com"}, paths: []string{"/v3", "/v4", "/safeproxy/v3", "/safeproxy/v4"}, gateway: true, params: []string{"u"}},
	{name: "viewer", hosts: hosts12, paths: []string{"/viewer", "/gview", "/viewerng/viewer", "/op/view.aspx", "/op/embed.aspx"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[13]}}}}, params: []string{"url", "src"}},
	{name: "viewer", hosts: []string{"viewer.zoho.com"}, paths: []string{"/docs/urlview.do", "/api/urlview.do"}, params: []string{"url"}},
	{name: "viewer", hosts: []string{"mozilla.github.io"}, paths: []string{"/pdf.js/web/viewer.html"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[14]}}}}, params: []string{"file"}},
	{name: "vk", hosts: hosts13, paths: []string{"/away.php"}, params: []string{"to"}},
	{name: "yandex", hosts: []string{"sba.yandex.net"}, paths: []string{"/redirect"}, params: []string{"url"}},
	{name: "youtube", hosts: hosts14, paths: []string{"/redirect"}, params: []string{"q"}},
	{name: "awstrack", paths: []string{"/L0/", "/CL0/"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[15]}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[16]}}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[0]}, {Op: verbs.Percent}}}},
	{name: "fortimail", paths: []string{"/fmlurlsvc/"}, gateway: true, params: []string{"url"}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[17]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.Not, Piece: verbs.Own + 0}}}}, target: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}}, {{Piece: verbs.Own + 2}, {Op: verbs.Not, Pattern: &patterns[18]}, {Piece: verbs.Own + 1}}, {{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Own + 0}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[17]}}}}, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &patterns[18]}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patterns[8]}, {Op: verbs.Percent}}}}}},
	{name: "owa", paths: []string{"/owa/redir.aspx", "/OWA/redir.aspx", "/exchweb/bin/redir.asp"}, params: []string{"URL"}},
}

// Hosts and paths that rows have.
var (
	hosts0  = []string{"url.avanan.click", "protect.checkpoint.com", ".url-protection.com"}
	hosts1  = []string{"deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de"}
	hosts2  = []string{"link.edgepilot.com", "link.zixcentral.com"}
	hosts3  = []string{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com"}
	hosts4  = []string{"protect2.fireeye.com", "protect.fireeye.com"}
	hosts5  = []string{"www.linkedin.com", "linkedin.com"}
	hosts6  = []string{"checklink.mail.ru", "click.mail.ru", "clicker.mail.ru"}
	hosts7  = []string{".mimecast.com", ".mimecastprotect.com"}
	hosts8  = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}
	hosts9  = []string{"wx.mail.qq.com", "mail.qq.com", "exmail.qq.com"}
	hosts10 = []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us"}
	hosts11 = []string{".trendmicro.com", ".asiainfo-sec.com"}
	hosts12 = []string{"docs.google.com", "drive.google.com", "view.officeapps.live.com"}
	hosts13 = []string{"vk.com", "m.vk.com", "vk.ru"}
	hosts14 = []string{"www.youtube.com", "m.youtube.com", "youtube.com"}
)

// wrappersByHost has the rows of wrappers by host.
var wrappersByHost = &weburl.Hosts{
	Slots: []uint16{0, 10, 25, 0, 0, 0, 0, 0, 2, 31, 58, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 47, 39, 0, 0, 32, 0, 0, 0, 0,
		41, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 0, 62, 44, 57, 0, 0, 0, 0, 0, 24, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0,
		0, 48, 0, 26, 46, 0, 0, 0, 0, 52, 0, 35, 55, 0, 0, 0, 0, 63, 14, 0, 0, 4, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0,
		0, 22, 8, 37, 0, 0, 0, 0, 61, 0, 0, 0, 56, 0, 21, 0, 0, 0, 42, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 5, 0, 0, 15, 18, 38,
		0, 51, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 36, 64, 0, 0, 0, 0, 0, 29, 0, 0, 17, 0, 0, 0, 0, 0, 13, 28, 0, 43, 0,
		0, 0, 0, 0, 45, 0, 0, 0, 0, 0, 0, 59, 0, 0, 53, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0,
		60, 0, 0, 0, 0, 65, 66, 0, 0, 0, 0, 0, 67, 0, 0, 49, 0, 0, 54, 27, 0, 0, 0, 0, 0, 0, 6, 0, 0, 30, 20, 12, 0, 0, 0},
	Patterns: []string{".awstrack.me", ".safelink.emails.azure.net", "linkprotect.cudasvc.com", "url.avanan.click",
		"protect.checkpoint.com", ".url-protection.com", "secure-web.cisco.com", "deref-gmx.net", "deref-gmx.com",
		"deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de", "link.edgepilot.com", "link.zixcentral.com",
		"urlsand.esvalabs.com", "l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com",
		"protect2.fireeye.com", "protect.fireeye.com", ".googleusercontent.com", "atpscan.global.hornetsecurity.com",
		"l.instagram.com", "url.emailprotection.link", "www.linkedin.com", "linkedin.com", "checklink.mail.ru",
		"click.mail.ru", "clicker.mail.ru", "mandrillapp.com", ".mimecast.com", ".mimecastprotect.com", "click.pstmrk.it",
		"urlisolation.com", "urldefense.proofpoint.com", "urldefense.com", "urldefense.us", "wx.mail.qq.com", "mail.qq.com",
		"exmail.qq.com", ".safelinks.protection.outlook.com", "safelinks.protection.outlook.com",
		".safelinks.protection.office365.us", "statics.teams.cdn.office.net", "slack-redir.net", ".protection.sophos.com",
		"clicktime.symantec.com", "teams.microsoft.com", "linklock.titanhq.com", ".trendmicro.com", ".asiainfo-sec.com",
		"scanmail.trustwave.com", ".vadesecure.com", "docs.google.com", "drive.google.com", "view.officeapps.live.com",
		"viewer.zoho.com", "mozilla.github.io", "vk.com", "m.vk.com", "vk.ru", "sba.yandex.net", "www.youtube.com",
		"m.youtube.com", "youtube.com"},
	Rows: [][]uint16{{0}, {1}, {2}, {3, 4}, {3, 4}, {3, 4, 5}, {6}, {7}, {7}, {7}, {7}, {7}, {7}, {8}, {8}, {9}, {10}, {10}, {10}, {10},
		{11}, {11}, {12}, {13}, {14}, {15}, {16}, {16}, {17}, {17}, {17}, {18, 19}, {20}, {20}, {21}, {22}, {23, 24, 25}, {23,
			24, 25}, {23, 24, 25}, {26}, {26}, {26}, {27}, {27}, {27}, {28}, {29}, {30}, {31}, {32}, {33}, {34}, {34}, {35}, {36},
		{37}, {37}, {37}, {38}, {39}, {40}, {40}, {40}, {41}, {42}, {42}, {42}},
	Other: []uint16{43, 44, 45, 46, 47},
}

// anyHost has the paths of the wrappers for any host.
var anyHost = []string{"/CL0/", "/L0/", "/OWA/redir.aspx", "/exchweb/bin/redir.asp", "/fmlurlsvc/", "/owa/redir.aspx", "/url"}

var patterns = [...]verbs.Pattern{
	{Text: `/[^/]*/([^/]+)(?:/.*)?`},
	{Text: `.*:/(?:(?:.|\n)*)`},
	{Text: `[^%\n]*%.*`},
	{Text: `.*?/___((?:(?:.|\n)*))`},
	{Text: `(.*)___[.](?:(?:.|\n)*)`},
	{Text: `/[^/]*/.+`},
	{Text: `/[^/]*/(.+)`},
	{Text: `ci[0-9][.].*`},
	{Text: `(?:(?:.|\n)+)`, Is: verbs.Some},
	{Text: `protect(?:-[^.]*)?[.].*|.*protect[.]com`},
	{Text: `/[1-9][!-.0-~]{1,2}/[^/]+(?:/.*)?`},
	{Text: `/[^/]+/([^/]+)(?:/.*)?`},
	{Text: `/?`},
	{Text: `.*=http(?:(?:.|\n)*)`},
	{Text: `(?:.*&)?file=http.*`},
	{Text: `/[^/]*/(http[^/]*)(?:/.*)?`},
	{Text: `https?://(?:(?:.|\n)*)`},
	{Text: `(?:www[.])?google[.](?:com|(?:(?:com|co)[.])?[^.]{2})`},
	{Text: `.+`},
}
