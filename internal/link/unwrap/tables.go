// Code generated from examples/list/list.json. DO NOT EDIT.

package unwrap

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// wrappers is the table of known wrappers. The first row that matches a URL counts.
var wrappers = []wrapper{
	{name: "antigena", hosts: hosts0, paths: []string{"/l/"}, gateway: true, opaque: true},
	{name: "awstrack", hosts: []string{".awstrack.me"}, paths: []string{"/L0/"}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[0]}, {Op: verbs.Percent}}}},
	{name: "azure", hosts: []string{".safelink.emails.azure.net"}, paths: []string{"/redirect/"}, params: []string{"destination"}},
	{name: "barracuda", hosts: []string{"linkprotect.cudasvc.com"}, paths: []string{"/url"}, gateway: true, params: []string{"a"}},
	{name: "bing", hosts: hosts1, paths: []string{"/ck/a"}, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[1]}, {Op: verbs.Base64}}}},
	{name: "checkpoint", hosts: hosts2, paths: []string{"/v2/"}, when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &patterns[2]}, {Op: verbs.Match, Pattern: &patterns[3]}}}}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Percent}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[4]}, {Op: verbs.Match, Pattern: &patterns[5]}}}}}},
	{name: "checkpoint", hosts: hosts2, paths: []string{"/v2/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[4]}, {Op: verbs.Match, Pattern: &patterns[5]}}}, oneSlash: true},
	{name: "checkpoint", hosts: []string{".url-protection.com"}, paths: []string{"/v1/"}, gateway: true, params: []string{"o"}},
	{name: "cisco", hosts: []string{"secure-web.cisco.com"}, gateway: true, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[6]}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[7]}, {Op: verbs.Percent}}}},
	{name: "deref", hosts: hosts3, paths: []string{"/mail/client/"}, params: []string{"redirectUrl"}},
	{name: "edgepilot", hosts: hosts4, paths: []string{"/s/", "/x/", "/u/"}, gateway: true, params: []string{"u"}},
	{name: "esva", hosts: []string{"urlsand.esvalabs.com"}, gateway: true, params: []string{"u"}},
	{name: "facebook", hosts: hosts5, paths: []string{"/l.php"}, params: []string{"u"}},
	{name: "fireeye", hosts: hosts6, paths: []string{"/v1/url", "/url"}, gateway: true, params: []string{"u"}},
	{name: "google-image-proxy", hosts: []string{".googleusercontent.com"}, paths: []string{"/proxy/", "/meips/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[8]}}}}, target: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patterns[9]}}}},
	{name: "govdelivery", hosts: hosts7, paths: []string{"/l/", "/track"}, opaque: true},
	{name: "hornetsecurity", hosts: []string{"atpscan.global.hornetsecurity.com"}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, params: []string{"u"}},
	{name: "inky", hosts: []string{"shared.outlook.inky.com"}, paths: []string{"/link"}, gateway: true, opaque: true},
	{name: "instagram", hosts: []string{"l.instagram.com"}, params: []string{"u"}},
	{name: "intermedia", hosts: []string{"url.emailprotection.link"}, when: []verbs.Any{{{{Piece: verbs.Query}}}}, gateway: true, opaque: true},
	{name: "linkedin", hosts: hosts8, paths: []string{"/redir/redirect", "/safety/go"}, params: []string{"url"}},
	{name: "mail.ru", hosts: hosts9, paths: []string{"/proxy", "/redir"}, params: []string{"url", "u"}},
	{name: "mailchimp", hosts: []string{".list-manage.com"}, paths: []string{"/track/click"}, opaque: true},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click/"}, target: verbs.Any{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}, {Op: verbs.Base64}, {Op: verbs.FindJSON, Text: "p"}, {Op: verbs.FindJSON, Text: "url"}}}},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click.php"}, params: []string{"url"}},
	{name: "menlo", hosts: []string{"safe.menlosecurity.com"}, when: []verbs.Any{{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[10]}}}}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[11]}}}, oneSlash: true},
	{name: "mimecast", hosts: hosts10, paths: []string{"/s/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[12]}}}}, gateway: true, opaque: true},
	{name: "postmark", hosts: []string{"click.pstmrk.it"}, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[13]}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[14]}, {Op: verbs.Percent}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}}}}}},
	{name: "proofpoint-isolation", hosts: []string{"urlisolation.com"}, paths: []string{"/browser"}, gateway: true, params: []string{"url"}},
	{name: "proofpoint-v1", hosts: hosts11, paths: []string{"/v1/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v2", hosts: hosts11, paths: []string{"/v2/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Replace, Text: "-", Parts: []verbs.Part{{Text: "%"}}}, {Op: verbs.Replace, Text: "_", Parts: []verbs.Part{{Text: "/"}}}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v3", hosts: hosts11, paths: []string{"/v3/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Proofpoint}}}, oneSlash: true},
	{name: "qq", hosts: hosts12, paths: []string{"/xmspamcheck/xmsafejump", "/cgi-bin/mail_spam", "/cgi-bin/readtemplate"}, params: []string{"gourl", "url"}},
	{name: "safelinks", hosts: hosts13, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[15]}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[16]}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[17]}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}}},
	{name: "safelinks", hosts: hosts14, paths: []string{"/evergreen-assets/safelinks/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[15]}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[16]}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[17]}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}}},
	{name: "safelinks", hosts: hosts15, paths: []string{"/mail/safelink.html"}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[15]}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[16]}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[17]}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}}},
	{name: "sendgrid", hosts: []string{".ct.sendgrid.net"}, paths: []string{"/ls/click", "/wf/click"}, opaque: true},
	{name: "slack", hosts: []string{"slack-redir.net"}, paths: []string{"/link"}, params: []string{"url"}},
	{name: "sophos", hosts: []string{".protection.sophos.com"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[18]}}}}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}, {Op: verbs.Base64}}}},
	{name: "symantec", hosts: []string{"clicktime.symantec.com"}, gateway: true, params: []string{"u"}},
	{name: "teams", hosts: []string{"teams.microsoft.com"}, paths: []string{"/l/file/"}, params: []string{"objectUrl", "objectURL"}},
	{name: "titanhq", hosts: []string{"linklock.titanhq.com"}, paths: []string{"/analyse"}, gateway: true, params: []string{"url"}},
	{name: "translate", hosts: []string{".translate.goog"}, target: verbs.Any{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[19]}, {Op: verbs.Replace, Text: "--", Parts: []verbs.Part{{Text: "_"}}}, {Op: verbs.Replace, Text: "-", Parts: []verbs.Part{{Text: "."}}}, {Op: verbs.Replace, Text: "_", Parts: []verbs.Part{{Text: "-"}}}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "://"}, {Piece: verbs.Value}, {Piece: verbs.PathOf, Form: verbs.AsIs}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "_x_tr_sch"}, {Op: verbs.Match, Pattern: &patterns[20]}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: "https"}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Not, Pattern: &patterns[21]}, {Op: verbs.Match, Pattern: &patterns[22]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Query}, {Op: verbs.Not, Pattern: &patterns[23]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.To, Parts: []verbs.Part{{Text: "#"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "trendmicro", hosts: hosts16, paths: []string{"/wis/clicktime/v1/query"}, gateway: true, params: []string{"url"}},
	{name: "trustwave", hosts: []string{"scanmail.trustwave.com"}, gateway: true, params: []string{"u"}},
	{name: "vadesecure", hosts: []string{".vadesecure.com"}, paths: []string{"/v3", "/v4", "/safeproxy/v3", "/safeproxy/v4"}, gateway: true, params: []string{"u"}},
	{name: "viewer", hosts: hosts17, paths: []string{"/viewer", "/gview", "/viewerng/viewer", "/op/view.aspx", "/op/embed.aspx"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[24]}}}}, params: []string{"url", "src"}},
	{name: "viewer", hosts: []string{"viewer.zoho.com"}, paths: []string{"/docs/urlview.do", "/api/urlview.do"}, params: []string{"url"}},
	{name: "viewer", hosts: []string{"mozilla.github.io"}, paths: []string{"/pdf.js/web/viewer.html"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterns[25]}}}}, params: []string{"file"}},
	{name: "vk", hosts: hosts18, paths: []string{"/away.php"}, params: []string{"to"}},
	{name: "web-archive", hosts: []string{"web.archive.org"}, paths: []string{"/web/"}, when: []verbs.Any{{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[26]}}}}, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterns[27]}}}, oneSlash: true},
	{name: "yandex", hosts: []string{"sba.yandex.net"}, paths: []string{"/redirect"}, params: []string{"url"}},
	{name: "youtube", hosts: hosts19, paths: []string{"/redirect"}, params: []string{"q"}},
	{name: "awstrack", paths: []string{"/L0/", "/CL0/"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[28]}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patterns[29]}}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[0]}, {Op: verbs.Percent}}}},
	{name: "fortimail", paths: []string{"/fmlurlsvc/"}, gateway: true, params: []string{"url"}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[30]}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.Not, Piece: verbs.Own + 0}}}}, target: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}}, {{Piece: verbs.Own + 2}, {Op: verbs.Not, Pattern: &patterns[31]}, {Piece: verbs.Own + 1}}, {{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Own + 0}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[30]}}}}, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &patterns[31]}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patterns[9]}, {Op: verbs.Percent}}}}}},
	{name: "google-amp", paths: []string{"/amp/s/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patterns[30]}}}, {{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[32]}}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patterns[33]}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Piece: verbs.Own + 1, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.To, Parts: []verbs.Part{{Text: "#"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "owa", paths: []string{"/owa/redir.aspx", "/OWA/redir.aspx", "/exchweb/bin/redir.asp"}, params: []string{"URL"}},
}

// Hosts and paths that rows have.
var (
	hosts0  = []string{"l.antigena.com", ".l.antigena.com"}
	hosts1  = []string{"www.bing.com", "bing.com", "cn.bing.com"}
	hosts2  = []string{"url.avanan.click", "protect.checkpoint.com", ".url-protection.com"}
	hosts3  = []string{"deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de"}
	hosts4  = []string{"link.edgepilot.com", "link.zixcentral.com"}
	hosts5  = []string{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com"}
	hosts6  = []string{"protect2.fireeye.com", "protect.fireeye.com"}
	hosts7  = []string{"lnks.gd", "links.govdelivery.com"}
	hosts8  = []string{"www.linkedin.com", "linkedin.com"}
	hosts9  = []string{"checklink.mail.ru", "click.mail.ru", "clicker.mail.ru"}
	hosts10 = []string{".mimecast.com", ".mimecastprotect.com"}
	hosts11 = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}
	hosts12 = []string{"wx.mail.qq.com", "mail.qq.com", "exmail.qq.com"}
	hosts13 = []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us",
		".safelinks.protection.outlook.cn", ".safelinks.protection.partner.outlook.cn", ".safelinks.protection.outlook.de",
		".safelinks.o365filtering-int.com", "safelinks.o365filtering-int.com"}
	hosts14 = []string{"statics.teams.cdn.office.net", "teams.public.onecdn.static.microsoft"}
	hosts15 = []string{"outlook.office.com", "outlook.office365.com", "outlook.cloud.microsoft"}
	hosts16 = []string{".trendmicro.com", ".asiainfo-sec.com"}
	hosts17 = []string{"docs.google.com", "drive.google.com", "view.officeapps.live.com"}
	hosts18 = []string{"vk.com", "m.vk.com", "vk.ru"}
	hosts19 = []string{"www.youtube.com", "m.youtube.com", "youtube.com"}
)

// wrappersByHost has the rows of wrappers by host.
var wrappersByHost = &weburl.Hosts{
	Slots: []uint16{0, 15, 33, 0, 0, 0, 0, 0, 4, 39, 79, 0, 0, 0, 0, 0, 42, 14, 3, 0, 0, 0, 0, 0, 0, 8, 65, 0, 67, 49, 0, 0, 41, 0, 0, 0,
		0, 51, 0, 0, 0, 0, 44, 0, 0, 0, 0, 72, 0, 83, 54, 78, 0, 0, 0, 0, 0, 31, 0, 70, 0, 0, 0, 0, 58, 7, 59, 0, 43, 0, 0, 0,
		0, 0, 0, 68, 0, 34, 61, 0, 0, 0, 0, 73, 0, 45, 66, 76, 0, 0, 0, 84, 19, 0, 0, 9, 12, 0, 0, 0, 0, 0, 0, 0, 2, 0, 50, 0,
		0, 0, 63, 0, 27, 13, 47, 0, 0, 0, 0, 82, 0, 0, 0, 77, 0, 26, 0, 0, 0, 52, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 10, 0, 0,
		20, 23, 48, 0, 71, 21, 0, 0, 0, 0, 0, 0, 0, 60, 0, 24, 0, 0, 46, 86, 0, 0, 0, 0, 0, 37, 0, 0, 22, 0, 0, 0, 0, 0, 18,
		36, 0, 53, 0, 0, 57, 64, 0, 55, 0, 0, 0, 0, 0, 56, 80, 85, 0, 74, 29, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 28, 0,
		0, 0, 0, 0, 0, 0, 81, 0, 0, 0, 0, 87, 88, 40, 0, 0, 6, 0, 89, 0, 0, 69, 0, 0, 75, 35, 0, 0, 1, 62, 0, 0, 11, 0, 0, 32,
		25, 17, 38, 0, 0},
	Patterns: []string{"l.antigena.com", ".l.antigena.com", ".awstrack.me", ".safelink.emails.azure.net", "linkprotect.cudasvc.com",
		"www.bing.com", "bing.com", "cn.bing.com", "url.avanan.click", "protect.checkpoint.com", ".url-protection.com",
		"secure-web.cisco.com", "deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com",
		"deref-1und1.de", "link.edgepilot.com", "link.zixcentral.com", "urlsand.esvalabs.com", "l.facebook.com",
		"lm.facebook.com", "www.facebook.com", "l.messenger.com", "protect2.fireeye.com", "protect.fireeye.com",
		".googleusercontent.com", "lnks.gd", "links.govdelivery.com", "atpscan.global.hornetsecurity.com",
		"shared.outlook.inky.com", "l.instagram.com", "url.emailprotection.link", "www.linkedin.com", "linkedin.com",
		"checklink.mail.ru", "click.mail.ru", "clicker.mail.ru", ".list-manage.com", "mandrillapp.com",
		"safe.menlosecurity.com", ".mimecast.com", ".mimecastprotect.com", "click.pstmrk.it", "urlisolation.com",
		"urldefense.proofpoint.com", "urldefense.com", "urldefense.us", "wx.mail.qq.com", "mail.qq.com", "exmail.qq.com",
		".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us",
		".safelinks.protection.outlook.cn", ".safelinks.protection.partner.outlook.cn", ".safelinks.protection.outlook.de",
		".safelinks.o365filtering-int.com", "safelinks.o365filtering-int.com", "statics.teams.cdn.office.net",
		"teams.public.onecdn.static.microsoft", "outlook.office.com", "outlook.office365.com", "outlook.cloud.microsoft",
		".ct.sendgrid.net", "slack-redir.net", ".protection.sophos.com", "clicktime.symantec.com", "teams.microsoft.com",
		"linklock.titanhq.com", ".translate.goog", ".trendmicro.com", ".asiainfo-sec.com", "scanmail.trustwave.com",
		".vadesecure.com", "docs.google.com", "drive.google.com", "view.officeapps.live.com", "viewer.zoho.com",
		"mozilla.github.io", "vk.com", "m.vk.com", "vk.ru", "web.archive.org", "sba.yandex.net", "www.youtube.com",
		"m.youtube.com", "youtube.com"},
	Rows: [][]uint16{{0}, {0}, {1}, {2}, {3}, {4}, {4}, {4}, {5, 6}, {5, 6}, {5, 6, 7}, {8}, {9}, {9}, {9}, {9}, {9}, {9}, {10}, {10}, {11},
		{12}, {12}, {12}, {12}, {13}, {13}, {14}, {15}, {15}, {16}, {17}, {18}, {19}, {20}, {20}, {21}, {21}, {21}, {22}, {23,
			24}, {25}, {26}, {26}, {27}, {28}, {29, 30, 31}, {29, 30, 31}, {29, 30, 31}, {32}, {32}, {32}, {33}, {33}, {33}, {33},
		{33}, {33}, {33}, {33}, {34}, {34}, {35}, {35}, {35}, {36}, {37}, {38}, {39}, {40}, {41}, {42}, {43}, {43}, {44}, {45},
		{46}, {46}, {46}, {47}, {48}, {49}, {49}, {49}, {50}, {51}, {52}, {52}, {52}},
	Other: []uint16{53, 54, 55, 56, 57, 58},
}

// anyHost has the paths of the wrappers for any host.
var anyHost = []string{"/CL0/", "/L0/", "/OWA/redir.aspx", "/amp/s/", "/exchweb/bin/redir.asp", "/fmlurlsvc/", "/owa/redir.aspx", "/url"}

var patterns = [...]verbs.Pattern{
	{Text: `/[^/]*/([^/]+)(?:/.*)?`},
	{Text: `a1((?:(?:.|\n)+))`},
	{Text: `.*:/(?:(?:.|\n)*)`},
	{Text: `[^%\n]*%.*`},
	{Text: `.*?/___((?:(?:.|\n)*))`},
	{Text: `(.*)___[.](?:(?:.|\n)*)`},
	{Text: `/[^/]*/.+`},
	{Text: `/[^/]*/(.+)`},
	{Text: `ci[0-9][.].*`},
	{Text: `(?:(?:.|\n)+)`, Is: verbs.Some},
	{Text: `[^:]*://[^/]*/+https?:/(?:(?:.|\n)*)`},
	{Text: `[^:]*://[^/]*/+(https?:/(?:(?:.|\n)*))`},
	{Text: `protect(?:-[^.]*)?[.].*|.*protect[.]com`},
	{Text: `/[1-9][!-.0-~]{1,2}/[^/]+(?:/.*)?`},
	{Text: `/[^/]+/([^/]+)(?:/.*)?`},
	{Text: `(.*?)&data=0[0-9](?:[|]|%7C)(?:(?:.|\n)*)`},
	{Text: `url%3D(?:(?:.|\n)*)`},
	{Text: `url=([^&]*)(?:&(?:(?:.|\n)*))?`},
	{Text: `/?`},
	{Text: `(.+)[.]translate[.]goog`},
	{Text: `http`},
	{Text: `_x_tr_(?:(?:.|\n)*)`},
	{Text: `(.*?)&_x_tr_(?:(?:.|\n)*)`},
	{Text: `(?:.*&)?_x_tr_(?:(?:.|\n)*)`},
	{Text: `.*=http(?:(?:.|\n)*)`},
	{Text: `(?:.*&)?file=http.*`},
	{Text: `[^:]*://[^/]*/web/[0-9]{1,14}(?:[a-z]{2}_)?/https?:/(?:(?:.|\n)*)`},
	{Text: `[^:]*://[^/]*/web/[0-9]{1,14}(?:[a-z]{2}_)?/(https?:/(?:(?:.|\n)*))`},
	{Text: `/[^/]*/(http[^/]*)(?:/.*)?`},
	{Text: `https?://(?:(?:.|\n)*)`},
	{Text: `(?:www[.])?google[.](?:com|(?:(?:com|co)[.])?[^.]{2})`},
	{Text: `.+`},
	{Text: `/amp/s/[^/.]+[.](?:(?:.|\n)*)`},
	{Text: `/amp/s/((?:(?:.|\n)*))`},
}
