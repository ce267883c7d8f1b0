// Code generated from examples/list/list.json. DO NOT EDIT.

package unwrap

import (
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// wrappers is the table of known wrappers. The first row that matches a URL counts.
var wrappers = []wrapper{
	{name: "antigena", hosts: hostsbd137cc8, paths: []string{"/l/"}, gateway: true, opaque: true},
	{name: "awstrack", hosts: []string{".awstrack.me"}, paths: []string{"/L0/"}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternb64f3030}, {Op: verbs.Percent}}}},
	{name: "azure", hosts: []string{".safelink.emails.azure.net"}, paths: []string{"/redirect/"}, params: []string{"destination"}},
	{name: "barracuda", hosts: []string{"linkprotect.cudasvc.com"}, paths: []string{"/url"}, gateway: true, params: []string{"a"}},
	{name: "bing", hosts: hosts53e98b42, paths: []string{"/ck/a"}, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patternddddaf51}, {Op: verbs.Base64}}}},
	{name: "checkpoint", hosts: hosts245e6be5, paths: []string{"/v2/"}, when: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &pattern67ec756c}, {Op: verbs.Match, Pattern: &pattern1afb333a}}}}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Percent}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &pattern80852f4a}, {Op: verbs.Match, Pattern: &patternddbcfc15}}}}}},
	{name: "checkpoint", hosts: hosts245e6be5, paths: []string{"/v2/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &pattern80852f4a}, {Op: verbs.Match, Pattern: &patternddbcfc15}}}, oneSlash: true},
	{name: "checkpoint", hosts: []string{".url-protection.com"}, paths: []string{"/v1/"}, gateway: true, params: []string{"o"}},
	{name: "cisco", hosts: []string{"secure-web.cisco.com"}, gateway: true, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternf2289f84}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern109e00a1}, {Op: verbs.Percent}}}},
	{name: "deref", hosts: hostsb4a97dde, paths: []string{"/mail/client/"}, params: []string{"redirectUrl"}},
	{name: "edgepilot", hosts: hostse498a584, paths: []string{"/s/", "/x/", "/u/"}, gateway: true, params: []string{"u"}},
	{name: "esva", hosts: []string{"urlsand.esvalabs.com"}, gateway: true, params: []string{"u"}},
	{name: "facebook", hosts: hosts408f7cc1, paths: []string{"/l.php"}, params: []string{"u"}},
	{name: "fireeye", hosts: hostsfd8ebc9d, paths: []string{"/v1/url", "/url"}, gateway: true, params: []string{"u"}},
	{name: "google-image-proxy", hosts: []string{".googleusercontent.com"}, paths: []string{"/proxy/", "/meips/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern03e5f4e7}}}}, target: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.Match, Pattern: &patternde8978f3}}}},
	{name: "govdelivery", hosts: hostsbc541683, paths: []string{"/l/", "/track"}, opaque: true},
	{name: "hornetsecurity", hosts: []string{"atpscan.global.hornetsecurity.com"}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, params: []string{"u"}},
	{name: "inky", hosts: []string{"shared.outlook.inky.com"}, paths: []string{"/link"}, gateway: true, opaque: true},
	{name: "instagram", hosts: []string{"l.instagram.com"}, params: []string{"u"}},
	{name: "intermedia", hosts: []string{"url.emailprotection.link"}, when: []verbs.Any{{{{Piece: verbs.Query}}}}, gateway: true, opaque: true},
	{name: "linkedin", hosts: hosts05fbe20c, paths: []string{"/redir/redirect", "/safety/go"}, params: []string{"url"}},
	{name: "mail.ru", hosts: hostsfc10b57e, paths: []string{"/proxy", "/redir"}, params: []string{"url", "u"}},
	{name: "mailchimp", hosts: []string{".list-manage.com"}, paths: []string{"/track/click"}, opaque: true},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click/"}, target: verbs.Any{{{Op: verbs.Param, Text: "p"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}, {Op: verbs.Base64}, {Op: verbs.FindJSON, Text: "p"}, {Op: verbs.FindJSON, Text: "url"}}}},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click.php"}, params: []string{"url"}},
	{name: "menlo", hosts: []string{"safe.menlosecurity.com"}, when: []verbs.Any{{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &pattern207f4fc2}}}}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterncb7b4fd8}}}, oneSlash: true},
	{name: "mimecast", hosts: hosts9591486b, paths: []string{"/s/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &pattern35a8f932}}}}, gateway: true, opaque: true},
	{name: "postmark", hosts: []string{"click.pstmrk.it"}, clear: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternc4c540dd}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern148d155d}, {Op: verbs.Percent}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}}}}}},
	{name: "proofpoint-isolation", hosts: []string{"urlisolation.com"}, paths: []string{"/browser"}, gateway: true, params: []string{"url"}},
	{name: "proofpoint-v1", hosts: hostsdf321818, paths: []string{"/v1/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v2", hosts: hostsdf321818, paths: []string{"/v2/url"}, gateway: true, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Replace, Text: "-", Parts: []verbs.Part{{Text: "%"}}}, {Op: verbs.Replace, Text: "_", Parts: []verbs.Part{{Text: "/"}}}, {Op: verbs.Percent}, {Op: verbs.Replace, Text: "&amp;", Parts: []verbs.Part{{Text: "&"}}}}}},
	{name: "proofpoint-v3", hosts: hostsdf321818, paths: []string{"/v3/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Proofpoint}}}, oneSlash: true},
	{name: "qq", hosts: hostsf4b051d0, paths: []string{"/xmspamcheck/xmsafejump", "/cgi-bin/mail_spam", "/cgi-bin/readtemplate"}, params: []string{"gourl", "url"}},
	{name: "safelinks", hosts: hosts39ed41b6, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1710c0ea}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern6d4eff31}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1c15786d}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}}},
	{name: "safelinks", hosts: hosts690c866d, paths: []string{"/evergreen-assets/safelinks/"}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1710c0ea}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern6d4eff31}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1c15786d}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}}},
	{name: "safelinks", hosts: hosts461447a6, paths: []string{"/mail/safelink.html"}, gateway: true, target: verbs.Any{{{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1710c0ea}}, {{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern6d4eff31}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &pattern1c15786d}, {Op: verbs.Percent}}, {{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}}},
	{name: "sendgrid", hosts: []string{".ct.sendgrid.net"}, paths: []string{"/ls/click", "/wf/click"}, opaque: true},
	{name: "slack", hosts: []string{"slack-redir.net"}, paths: []string{"/link"}, params: []string{"url"}},
	{name: "sophos", hosts: []string{".protection.sophos.com"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern5d9e24b9}}}}, gateway: true, clear: verbs.Any{{{Op: verbs.Param, Text: "u"}}}, target: verbs.Any{{{Op: verbs.Param, Text: "u"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}, {Op: verbs.Base64}}}},
	{name: "symantec", hosts: []string{"clicktime.symantec.com"}, gateway: true, params: []string{"u"}},
	{name: "teams", hosts: []string{"teams.microsoft.com"}, paths: []string{"/l/file/"}, params: []string{"objectUrl", "objectURL"}},
	{name: "titanhq", hosts: []string{"linklock.titanhq.com"}, paths: []string{"/analyse"}, gateway: true, params: []string{"url"}},
	{name: "translate", hosts: []string{".translate.goog"}, target: verbs.Any{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternb673ab44}, {Op: verbs.Replace, Text: "--", Parts: []verbs.Part{{Text: "_"}}}, {Op: verbs.Replace, Text: "-", Parts: []verbs.Part{{Text: "."}}}, {Op: verbs.Replace, Text: "_", Parts: []verbs.Part{{Text: "-"}}}, {Op: verbs.To, Parts: []verbs.Part{{Piece: verbs.Own + 0, Form: verbs.AsIs}, {Text: "://"}, {Piece: verbs.Value}, {Piece: verbs.PathOf, Form: verbs.AsIs}, {Piece: verbs.Own + 1, Form: verbs.AsIs}, {Piece: verbs.Own + 2, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "_x_tr_sch"}, {Op: verbs.Match, Pattern: &patterne0603c49}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: "https"}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.Not, Pattern: &pattern4f98c36b}, {Op: verbs.Match, Pattern: &pattern94b27859}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Piece: verbs.Query}, {Op: verbs.Not, Pattern: &pattern1bca52ef}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.To, Parts: []verbs.Part{{Text: "#"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "trendmicro", hosts: hostsfe5b4715, paths: []string{"/wis/clicktime/v1/query"}, gateway: true, params: []string{"url"}},
	{name: "trustwave", hosts: []string{"scanmail.trustwave.com"}, gateway: true, params: []string{"u"}},
	{name: "vadesecure", hosts: []string{".vadesecure.com"}, paths: []string{"/v3", "/v4", "/safeproxy/v3", "/safeproxy/v4"}, gateway: true, params: []string{"u"}},
	{name: "viewer", hosts: hostsbd59f221, paths: []string{"/viewer", "/gview", "/viewerng/viewer", "/op/view.aspx", "/op/embed.aspx"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &patterncebf32d8}}}}, params: []string{"url", "src"}},
	{name: "viewer", hosts: []string{"viewer.zoho.com"}, paths: []string{"/docs/urlview.do", "/api/urlview.do"}, params: []string{"url"}},
	{name: "viewer", hosts: []string{"mozilla.github.io"}, paths: []string{"/pdf.js/web/viewer.html"}, when: []verbs.Any{{{{Piece: verbs.Query}, {Op: verbs.Match, Pattern: &pattern474cd7bd}}}}, params: []string{"file"}},
	{name: "vk", hosts: hostsba6f9648, paths: []string{"/away.php"}, params: []string{"to"}},
	{name: "web-archive", hosts: []string{"web.archive.org"}, paths: []string{"/web/"}, when: []verbs.Any{{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &pattern11fb337f}}}}, target: verbs.Any{{{Piece: verbs.Text}, {Op: verbs.Match, Pattern: &patterna125e9d1}}}, oneSlash: true},
	{name: "yandex", hosts: []string{"sba.yandex.net"}, paths: []string{"/redirect"}, params: []string{"url"}},
	{name: "youtube", hosts: hosts8e522afb, paths: []string{"/redirect"}, params: []string{"q"}},
	{name: "awstrack", paths: []string{"/L0/", "/CL0/"}, when: []verbs.Any{{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7d411aa8}, {Op: verbs.Percent}, {Op: verbs.Match, Pattern: &patternec3d8ea8}}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &patternb64f3030}, {Op: verbs.Percent}}}},
	{name: "fortimail", paths: []string{"/fmlurlsvc/"}, gateway: true, params: []string{"url"}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternd2634519}}}}, unless: []verbs.Any{{{{Piece: verbs.Own + 0}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.URL}, {Piece: verbs.Own + 1}, {Op: verbs.Not, Piece: verbs.Own + 0}}}}, target: verbs.Any{{{Piece: verbs.Own + 1}, {Op: verbs.URL}}, {{Piece: verbs.Own + 2}, {Op: verbs.Not, Pattern: &patternbb93e85b}, {Piece: verbs.Own + 1}}, {{Piece: verbs.Own + 0}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Op: verbs.Param, Text: "url"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}, {Piece: verbs.Own + 2, Value: verbs.Any{{{Piece: verbs.Own + 0}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "google", paths: []string{"/url"}, when: []verbs.Any{{{{Piece: verbs.Query}}}, {{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternd2634519}}}}, target: verbs.Any{{{Piece: verbs.Own + 0}, {Op: verbs.Not, Pattern: &patternbb93e85b}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Op: verbs.Param, Text: "q"}, {Op: verbs.Match, Pattern: &patternde8978f3}, {Op: verbs.Percent}}}}}},
	{name: "google-amp", paths: []string{"/amp/s/"}, when: []verbs.Any{{{{Piece: verbs.Host}, {Op: verbs.Match, Pattern: &patternd2634519}}}, {{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern633dab1a}}}}, target: verbs.Any{{{Piece: verbs.PathOf}, {Op: verbs.Match, Pattern: &pattern7abd25ed}, {Op: verbs.To, Parts: []verbs.Part{{Text: "https://"}, {Piece: verbs.Value}, {Piece: verbs.Own + 0, Form: verbs.AsIs}, {Piece: verbs.Own + 1, Form: verbs.AsIs}}}}}, take: []verbs.Def{{Piece: verbs.Own + 0, Value: verbs.Any{{{Piece: verbs.Query}, {Op: verbs.To, Parts: []verbs.Part{{Text: "?"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}, {Piece: verbs.Own + 1, Value: verbs.Any{{{Piece: verbs.Fragment}, {Op: verbs.To, Parts: []verbs.Part{{Text: "#"}, {Piece: verbs.Value}}}}, {{Op: verbs.To, Parts: []verbs.Part{{Text: ""}}}}}}}},
	{name: "owa", paths: []string{"/owa/redir.aspx", "/OWA/redir.aspx", "/exchweb/bin/redir.asp"}, params: []string{"URL"}},
}

// The numbers of the rows.
const (
	_ = iota - 1
	row_antigena_52e76809
	row_awstrack_55f21f78
	row_azure_0a52baed
	row_barracuda_3e1bed0a
	row_bing_28837d4a
	row_checkpoint_9fa7417b
	row_checkpoint_9fa7417b_2
	row_checkpoint_99d1a145
	row_cisco_5d5af947
	row_deref_377c5a40
	row_edgepilot_8c0930ee
	row_esva_64e2d365
	row_facebook_d2f6583b
	row_fireeye_9c0d91cd
	row_google_image_proxy_ae0d62cb
	row_govdelivery_d5e97cd6
	row_hornetsecurity_986e8b20
	row_inky_b6528ced
	row_instagram_f1f1ad44
	row_intermedia_9081c16b
	row_linkedin_571863f1
	row_mail_ru_95e2ae0e
	row_mailchimp_ae558ac5
	row_mandrill_f5b24898
	row_mandrill_b60421c6
	row_menlo_3ac00477
	row_mimecast_23da83f8
	row_postmark_61421708
	row_proofpoint_isolation_ffc54744
	row_proofpoint_v1_501f9dc6
	row_proofpoint_v2_eb905e1d
	row_proofpoint_v3_2d020268
	row_qq_22bc5f04
	row_safelinks_373303d5
	row_safelinks_f4921489
	row_safelinks_2e97a167
	row_sendgrid_df22785c
	row_slack_b1dc24e5
	row_sophos_1e06f8c3
	row_symantec_97b1b11d
	row_teams_96bc64eb
	row_titanhq_393b722d
	row_translate_81d07639
	row_trendmicro_3ba02a2d
	row_trustwave_f4884e16
	row_vadesecure_37b47779
	row_viewer_74a2a2bb
	row_viewer_4d3cb32b
	row_viewer_73620499
	row_vk_9c659670
	row_web_archive_61daebc8
	row_yandex_8ba7321d
	row_youtube_e8ee2dc1
	row_awstrack_886dd617
	row_fortimail_11c549c5
	row_google_dcb2bc24
	row_google_dcb2bc24_2
	row_google_amp_563b8d0b
	row_owa_9a4ece00
)

// Hosts and paths that rows have.
var (
	hosts05fbe20c = []string{"www.linkedin.com", "linkedin.com"}
	hosts245e6be5 = []string{"url.avanan.click", "protect.checkpoint.com", ".url-protection.com"}
	hosts39ed41b6 = []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us",
		".safelinks.protection.outlook.cn", ".safelinks.protection.partner.outlook.cn", ".safelinks.protection.outlook.de",
		".safelinks.o365filtering-int.com", "safelinks.o365filtering-int.com"}
	hosts408f7cc1 = []string{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com"}
	hosts461447a6 = []string{"outlook.office.com", "outlook.office365.com", "outlook.cloud.microsoft"}
	hosts53e98b42 = []string{"www.bing.com", "bing.com", "cn.bing.com"}
	hosts690c866d = []string{"statics.teams.cdn.office.net", "teams.public.onecdn.static.microsoft"}
	hosts8e522afb = []string{"www.youtube.com", "m.youtube.com", "youtube.com"}
	hosts9591486b = []string{".mimecast.com", ".mimecastprotect.com"}
	hostsb4a97dde = []string{"deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de"}
	hostsba6f9648 = []string{"vk.com", "m.vk.com", "vk.ru"}
	hostsbc541683 = []string{"lnks.gd", "links.govdelivery.com"}
	hostsbd137cc8 = []string{"l.antigena.com", ".l.antigena.com"}
	hostsbd59f221 = []string{"docs.google.com", "drive.google.com", "view.officeapps.live.com"}
	hostsdf321818 = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}
	hostse498a584 = []string{"link.edgepilot.com", "link.zixcentral.com"}
	hostsf4b051d0 = []string{"wx.mail.qq.com", "mail.qq.com", "exmail.qq.com"}
	hostsfc10b57e = []string{"checklink.mail.ru", "click.mail.ru", "clicker.mail.ru"}
	hostsfd8ebc9d = []string{"protect2.fireeye.com", "protect.fireeye.com"}
	hostsfe5b4715 = []string{".trendmicro.com", ".asiainfo-sec.com"}
)

// wrappersByHost has the rows of wrappers by host.
var wrappersByHost = &weburl.Hosts{
	Slots: []weburl.Slot{
		1:   {Pattern: "deref-web.de", Rows: []uint16{row_deref_377c5a40}},
		2:   {Pattern: "l.instagram.com", Rows: []uint16{row_instagram_f1f1ad44}},
		8:   {Pattern: ".safelink.emails.azure.net", Rows: []uint16{row_azure_0a52baed}},
		9:   {Pattern: "clicker.mail.ru", Rows: []uint16{row_mail_ru_95e2ae0e}},
		10:  {Pattern: "view.officeapps.live.com", Rows: []uint16{row_viewer_74a2a2bb}},
		16:  {Pattern: "safe.menlosecurity.com", Rows: []uint16{row_menlo_3ac00477}},
		17:  {Pattern: "deref-gmx.com", Rows: []uint16{row_deref_377c5a40}},
		18:  {Pattern: ".awstrack.me", Rows: []uint16{row_awstrack_55f21f78}},
		25:  {Pattern: "cn.bing.com", Rows: []uint16{row_bing_28837d4a}},
		26:  {Pattern: "outlook.cloud.microsoft", Rows: []uint16{row_safelinks_2e97a167}},
		28:  {Pattern: "slack-redir.net", Rows: []uint16{row_slack_b1dc24e5}},
		29:  {Pattern: "urldefense.us", Rows: []uint16{row_proofpoint_v1_501f9dc6, row_proofpoint_v2_eb905e1d, row_proofpoint_v3_2d020268}},
		32:  {Pattern: "mandrillapp.com", Rows: []uint16{row_mandrill_f5b24898, row_mandrill_b60421c6}},
		37:  {Pattern: "mail.qq.com", Rows: []uint16{row_qq_22bc5f04}},
		42:  {Pattern: ".mimecastprotect.com", Rows: []uint16{row_mimecast_23da83f8}},
		47:  {Pattern: ".translate.goog", Rows: []uint16{row_translate_81d07639}},
		49:  {Pattern: "m.vk.com", Rows: []uint16{row_vk_9c659670}},
		50:  {Pattern: "safelinks.protection.outlook.com", Rows: []uint16{row_safelinks_373303d5}},
		51:  {Pattern: "drive.google.com", Rows: []uint16{row_viewer_74a2a2bb}},
		57:  {Pattern: "atpscan.global.hornetsecurity.com", Rows: []uint16{row_hornetsecurity_986e8b20}},
		59:  {Pattern: "teams.microsoft.com", Rows: []uint16{row_teams_96bc64eb}},
		64:  {Pattern: ".safelinks.protection.outlook.de", Rows: []uint16{row_safelinks_373303d5}},
		65:  {Pattern: "bing.com", Rows: []uint16{row_bing_28837d4a}},
		66:  {Pattern: ".safelinks.o365filtering-int.com", Rows: []uint16{row_safelinks_373303d5}},
		68:  {Pattern: ".mimecast.com", Rows: []uint16{row_mimecast_23da83f8}},
		75:  {Pattern: ".protection.sophos.com", Rows: []uint16{row_sophos_1e06f8c3}},
		77:  {Pattern: "statics.teams.cdn.office.net", Rows: []uint16{row_safelinks_f4921489}},
		78:  {Pattern: "url.emailprotection.link", Rows: []uint16{row_intermedia_9081c16b}},
		83:  {Pattern: ".trendmicro.com", Rows: []uint16{row_trendmicro_3ba02a2d}},
		85:  {Pattern: ".vadesecure.com", Rows: []uint16{row_vadesecure_37b47779}},
		86:  {Pattern: ".ct.sendgrid.net", Rows: []uint16{row_sendgrid_df22785c}},
		87:  {Pattern: "click.pstmrk.it", Rows: []uint16{row_postmark_61421708}},
		91:  {Pattern: "vk.ru", Rows: []uint16{row_vk_9c659670}},
		92:  {Pattern: "link.edgepilot.com", Rows: []uint16{row_edgepilot_8c0930ee}},
		95:  {Pattern: "secure-web.cisco.com", Rows: []uint16{row_cisco_5d5af947}},
		96:  {Pattern: "url.avanan.click", Rows: []uint16{row_checkpoint_9fa7417b, row_checkpoint_9fa7417b_2}},
		104: {Pattern: ".l.antigena.com", Rows: []uint16{row_antigena_52e76809}},
		106: {Pattern: "wx.mail.qq.com", Rows: []uint16{row_qq_22bc5f04}},
		110: {Pattern: "outlook.office.com", Rows: []uint16{row_safelinks_2e97a167}},
		112: {Pattern: "protect.fireeye.com", Rows: []uint16{row_fireeye_9c0d91cd}},
		113: {Pattern: "deref-gmx.net", Rows: []uint16{row_deref_377c5a40}},
		114: {Pattern: "urldefense.proofpoint.com", Rows: []uint16{row_proofpoint_v1_501f9dc6, row_proofpoint_v2_eb905e1d, row_proofpoint_v3_2d020268}},
		119: {Pattern: "vk.com", Rows: []uint16{row_vk_9c659670}},
		123: {Pattern: "docs.google.com", Rows: []uint16{row_viewer_74a2a2bb}},
		125: {Pattern: "protect2.fireeye.com", Rows: []uint16{row_fireeye_9c0d91cd}},
		129: {Pattern: "exmail.qq.com", Rows: []uint16{row_qq_22bc5f04}},
		135: {Pattern: "deref-web-02.de", Rows: []uint16{row_deref_377c5a40}},
		141: {Pattern: "protect.checkpoint.com", Rows: []uint16{row_checkpoint_9fa7417b, row_checkpoint_9fa7417b_2}},
		144: {Pattern: "link.zixcentral.com", Rows: []uint16{row_edgepilot_8c0930ee}},
		145: {Pattern: "lm.facebook.com", Rows: []uint16{row_facebook_d2f6583b}},
		146: {Pattern: "urldefense.com", Rows: []uint16{row_proofpoint_v1_501f9dc6, row_proofpoint_v2_eb905e1d, row_proofpoint_v3_2d020268}},
		148: {Pattern: "linklock.titanhq.com", Rows: []uint16{row_titanhq_393b722d}},
		149: {Pattern: "urlsand.esvalabs.com", Rows: []uint16{row_esva_64e2d365}},
		157: {Pattern: "safelinks.o365filtering-int.com", Rows: []uint16{row_safelinks_373303d5}},
		159: {Pattern: "www.facebook.com", Rows: []uint16{row_facebook_d2f6583b}},
		162: {Pattern: "urlisolation.com", Rows: []uint16{row_proofpoint_isolation_ffc54744}},
		163: {Pattern: "sba.yandex.net", Rows: []uint16{row_yandex_8ba7321d}},
		169: {Pattern: "checklink.mail.ru", Rows: []uint16{row_mail_ru_95e2ae0e}},
		172: {Pattern: "l.facebook.com", Rows: []uint16{row_facebook_d2f6583b}},
		178: {Pattern: "deref-1und1.de", Rows: []uint16{row_deref_377c5a40}},
		179: {Pattern: "linkedin.com", Rows: []uint16{row_linkedin_571863f1}},
		181: {Pattern: ".safelinks.protection.outlook.com", Rows: []uint16{row_safelinks_373303d5}},
		184: {Pattern: ".safelinks.protection.partner.outlook.cn", Rows: []uint16{row_safelinks_373303d5}},
		185: {Pattern: "outlook.office365.com", Rows: []uint16{row_safelinks_2e97a167}},
		187: {Pattern: ".safelinks.protection.office365.us", Rows: []uint16{row_safelinks_373303d5}},
		193: {Pattern: ".safelinks.protection.outlook.cn", Rows: []uint16{row_safelinks_373303d5}},
		194: {Pattern: "viewer.zoho.com", Rows: []uint16{row_viewer_4d3cb32b}},
		195: {Pattern: "web.archive.org", Rows: []uint16{row_web_archive_61daebc8}},
		197: {Pattern: ".asiainfo-sec.com", Rows: []uint16{row_trendmicro_3ba02a2d}},
		198: {Pattern: "lnks.gd", Rows: []uint16{row_govdelivery_d5e97cd6}},
		199: {Pattern: "linkprotect.cudasvc.com", Rows: []uint16{row_barracuda_3e1bed0a}},
		209: {Pattern: "links.govdelivery.com", Rows: []uint16{row_govdelivery_d5e97cd6}},
		213: {Pattern: ".googleusercontent.com", Rows: []uint16{row_google_image_proxy_ae0d62cb}},
		221: {Pattern: "mozilla.github.io", Rows: []uint16{row_viewer_73620499}},
		226: {Pattern: "www.youtube.com", Rows: []uint16{row_youtube_e8ee2dc1}},
		227: {Pattern: "m.youtube.com", Rows: []uint16{row_youtube_e8ee2dc1}},
		228: {Pattern: ".list-manage.com", Rows: []uint16{row_mailchimp_ae558ac5}},
		231: {Pattern: "www.bing.com", Rows: []uint16{row_bing_28837d4a}},
		233: {Pattern: "youtube.com", Rows: []uint16{row_youtube_e8ee2dc1}},
		236: {Pattern: "clicktime.symantec.com", Rows: []uint16{row_symantec_97b1b11d}},
		239: {Pattern: "scanmail.trustwave.com", Rows: []uint16{row_trustwave_f4884e16}},
		240: {Pattern: "www.linkedin.com", Rows: []uint16{row_linkedin_571863f1}},
		243: {Pattern: "l.antigena.com", Rows: []uint16{row_antigena_52e76809}},
		244: {Pattern: "teams.public.onecdn.static.microsoft", Rows: []uint16{row_safelinks_f4921489}},
		247: {Pattern: ".url-protection.com", Rows: []uint16{row_checkpoint_9fa7417b, row_checkpoint_9fa7417b_2, row_checkpoint_99d1a145}},
		250: {Pattern: "click.mail.ru", Rows: []uint16{row_mail_ru_95e2ae0e}},
		251: {Pattern: "l.messenger.com", Rows: []uint16{row_facebook_d2f6583b}},
		252: {Pattern: "deref-mail.com", Rows: []uint16{row_deref_377c5a40}},
		253: {Pattern: "shared.outlook.inky.com", Rows: []uint16{row_inky_b6528ced}},
		255: {},
	},
	Other: []uint16{
		row_awstrack_886dd617,
		row_fortimail_11c549c5,
		row_google_dcb2bc24,
		row_google_dcb2bc24_2,
		row_google_amp_563b8d0b,
		row_owa_9a4ece00,
	},
}

// anyHost has the paths of the wrappers for any host.
var anyHost = []string{"/CL0/", "/L0/", "/OWA/redir.aspx", "/amp/s/", "/exchweb/bin/redir.asp", "/fmlurlsvc/", "/owa/redir.aspx", "/url"}

var (
	pattern03e5f4e7 = verbs.Pattern{Text: `ci[0-9][.].*`}
	pattern109e00a1 = verbs.Pattern{Text: `/[^/]*/(.+)`}
	pattern11fb337f = verbs.Pattern{Text: `[^:]*://[^/]*/web/[0-9]{1,14}(?:[a-z]{2}_)?/https?:/(?:(?:.|\n)*)`}
	pattern148d155d = verbs.Pattern{Text: `/[^/]+/([^/]+)(?:/.*)?`}
	pattern1710c0ea = verbs.Pattern{Text: `(.*?)&data=0[0-9](?:[|]|%7C)(?:(?:.|\n)*)`}
	pattern1afb333a = verbs.Pattern{Text: `[^%\n]*%.*`}
	pattern1bca52ef = verbs.Pattern{Text: `(?:.*&)?_x_tr_(?:(?:.|\n)*)`}
	pattern1c15786d = verbs.Pattern{Text: `url=([^&]*)(?:&(?:(?:.|\n)*))?`}
	pattern207f4fc2 = verbs.Pattern{Text: `[^:]*://[^/]*/+https?:/(?:(?:.|\n)*)`}
	pattern35a8f932 = verbs.Pattern{Text: `protect(?:-[^.]*)?[.].*|.*protect[.]com`}
	pattern474cd7bd = verbs.Pattern{Text: `(?:.*&)?file=http.*`}
	pattern4f98c36b = verbs.Pattern{Text: `_x_tr_(?:(?:.|\n)*)`}
	pattern5d9e24b9 = verbs.Pattern{Text: `/?`}
	pattern633dab1a = verbs.Pattern{Text: `/amp/s/[^/.]+[.](?:(?:.|\n)*)`}
	pattern67ec756c = verbs.Pattern{Text: `.*:/(?:(?:.|\n)*)`}
	pattern6d4eff31 = verbs.Pattern{Text: `url%3D(?:(?:.|\n)*)`}
	pattern7abd25ed = verbs.Pattern{Text: `/amp/s/((?:(?:.|\n)*))`}
	pattern7d411aa8 = verbs.Pattern{Text: `/[^/]*/(http[^/]*)(?:/.*)?`}
	pattern80852f4a = verbs.Pattern{Text: `.*?/___((?:(?:.|\n)*))`}
	pattern94b27859 = verbs.Pattern{Text: `(.*?)&_x_tr_(?:(?:.|\n)*)`}
	patterna125e9d1 = verbs.Pattern{Text: `[^:]*://[^/]*/web/[0-9]{1,14}(?:[a-z]{2}_)?/(https?:/(?:(?:.|\n)*))`}
	patternb64f3030 = verbs.Pattern{Text: `/[^/]*/([^/]+)(?:/.*)?`}
	patternb673ab44 = verbs.Pattern{Text: `(.+)[.]translate[.]goog`}
	patternbb93e85b = verbs.Pattern{Text: `.+`}
	patternc4c540dd = verbs.Pattern{Text: `/[1-9][!-.0-~]{1,2}/[^/]+(?:/.*)?`}
	patterncb7b4fd8 = verbs.Pattern{Text: `[^:]*://[^/]*/+(https?:/(?:(?:.|\n)*))`}
	patterncebf32d8 = verbs.Pattern{Text: `.*=http(?:(?:.|\n)*)`}
	patternd2634519 = verbs.Pattern{Text: `(?:www[.])?google[.](?:com|(?:(?:com|co)[.])?[^.]{2})`}
	patternddbcfc15 = verbs.Pattern{Text: `(.*)___[.](?:(?:.|\n)*)`}
	patternddddaf51 = verbs.Pattern{Text: `a1((?:(?:.|\n)+))`}
	patternde8978f3 = verbs.Pattern{Text: `(?:(?:.|\n)+)`, Is: verbs.Some}
	patterne0603c49 = verbs.Pattern{Text: `http`}
	patternec3d8ea8 = verbs.Pattern{Text: `https?://(?:(?:.|\n)*)`}
	patternf2289f84 = verbs.Pattern{Text: `/[^/]*/.+`}
)
