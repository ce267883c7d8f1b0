package unwrap_test

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

const file = "https://files.example/d/a%2Fb?k=1&l=%C3%BC#x"

// The shapes are from real mail, the tokens and targets are our own.
var golden = []struct {
	name     string
	text     string
	want     string
	wrappers []string
	opaque   bool
	err      error
}{
	{name: "None", text: file, want: file},
	{name: "NoURL", text: "see below", want: "see below"},
	{name: "OtherScheme", text: "ftp://urldefense.com/v2/url?u=x", want: "ftp://urldefense.com/v2/url?u=x"},

	// The form of messages in list archives from 2017 on.
	{
		name: "SafeLinks", wrappers: []string{"safelinks"}, want: file,
		text: "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ffiles.example%2Fd%2Fa%252Fb%3Fk%3D1%26l%3D%25C3%25BC%23x&data=05%7C02%7C&sdata=abc%3D&reserved=0",
	},
	{
		name: "SafeLinksOffice", wrappers: []string{"safelinks"}, want: "https://t-my.sharepoint.com/:w:/g/personal/a/E1?e=x",
		text: "https://nam06.safelinks.protection.outlook.com/ap/w-59584e83/?url=https%3A%2F%2Ft-my.sharepoint.com%2F%3Aw%3A%2Fg%2Fpersonal%2Fa%2FE1%3Fe%3Dx&data=",
	},
	{
		name: "SafeLinksGovernment", wrappers: []string{"safelinks"}, want: "http://a.example/",
		text: "https://usg02.safelinks.protection.office365.us/?url=http%3A%2F%2Fa.example%2F",
	},
	{
		name: "SafeLinksTeams", wrappers: []string{"safelinks"}, want: "https://a.example/b",
		text: "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=https%3A%2F%2Fa.example%2Fb&locale=en-gb",
	},
	{
		name: "SafeLinksUpperCase", wrappers: []string{"safelinks"}, want: "HTTP://A.example",
		text: "HTTPS://EUR01.SafeLinks.Protection.Outlook.com./?url=HTTP%3a%2f%2fA.example",
	},
	{
		name: "SafeLinksPlus", wrappers: []string{"safelinks"}, want: "https://a.example/?q=a+b+c",
		text: "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%3Fq%3Da+b%2Bc",
	},

	{
		name: "ProofpointV1", wrappers: []string{"proofpoint-v1"}, want: "http://a.example/?b=1&c=2",
		text: "https://urldefense.proofpoint.com/v1/url?u=http://a.example/?b%3D1%26amp%3Bc%3D2&k=abc%3D%3D",
	},
	// "-" and "_" of the target are escapes.
	{
		name: "ProofpointV2", wrappers: []string{"proofpoint-v2"}, want: "https://drive.example/file/d/1a-9_B/view?usp=x&y",
		text: "https://urldefense.proofpoint.com/v2/url?u=https-3A__drive.example_file_d_1a-2D9-5FB_view-3Fusp-3Dx-26amp-3By&d=DwMGaQ&c=5V&e=",
	},
	{
		name: "ProofpointV2NoReference", wrappers: []string{"proofpoint-v2"}, want: "https://a.example/?a=1&copy=2",
		text: "https://urldefense.com/v2/url?u=https-3A__a.example_-3Fa-3D1-26copy-3D2&d=x",
	},
	// Nothing replaced; and with the keys that follow.
	{
		name: "ProofpointV3", wrappers: []string{"proofpoint-v3"}, want: "https://lore.example/all/2025@163.example",
		text: "https://urldefense.com/v3/__https://lore.example/all/2025@163.example__;!!ACWV5N9M2RV99hQ!JMg-5L7_Js06$",
	},
	// "#", "~" and "%" are replaced: Iw, fg, JQ.
	{
		name: "ProofpointV3Hash", wrappers: []string{"proofpoint-v3"}, want: "http://a.example/s/m.yaml#",
		text: "https://urldefense.com/v3/__http://a.example/s/m.yaml*__;Iw!!CTRNKA9wMg0ARbw!0vYE$",
	},
	{
		name: "ProofpointV3Tilde", wrappers: []string{"proofpoint-v3"}, want: "https://a.example/~b/c.txt",
		text: "https://urldefense.com/v3/__https://a.example/*b/c.txt__;fg!!GjvTz_vk!Ueht$",
	},
	{
		name: "ProofpointV3Query", wrappers: []string{"proofpoint-v3"}, want: "https://a.example:443/s?q=a+b&c=%2B",
		text: "https://urldefense.us/v3/__https://a.example:443/s?q=a*b&c=*2B__;KyU!-612Flb!Ue6t$",
	},
	// One slash of "://" is lost, as many web servers rewrite it.
	{
		name: "ProofpointV3Slash", wrappers: []string{"proofpoint-v3"}, want: "https://a.example/b/",
		text: "https://urldefense.us/v3/__https:/a.example/b/__;!!BClRuOV5cvtbuNI!XTUw$",
	},
	// "**B" is three octets; the next "**" begins with the fourth.
	{
		name: "ProofpointV3Run", wrappers: []string{"proofpoint-v3"}, want: "https://a.example/%%%b~üc",
		text: "https://urldefense.com/v3/__https://a.example/**Bb**Bc__;" + base64.RawURLEncoding.EncodeToString([]byte("%%%~ü")) + "!!x!y$",
	},
	{
		name: "ProofpointV3Characters", wrappers: []string{"proofpoint-v3"}, want: "https://a.example/%%%b~üc",
		text: "https://urldefense.com/v3/__https://a.example/**Bb**Ac__;" + base64.RawURLEncoding.EncodeToString([]byte("%%%~ü")) + "!!x!y$",
	},
	{
		name: "ProofpointV3Halves", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrTarget,
		text: "https://urldefense.com/v3/__https://a.example/*b*__;" + base64.RawURLEncoding.EncodeToString([]byte("ü")) + "!!x!y$",
	},
	{
		name: "ProofpointV3Underscores", wrappers: []string{"proofpoint-v3"}, want: "https://a.example/__b",
		text: "https://urldefense.com/v3/__https://a.example/__b__;!!x!y$",
	},
	{
		name: "ProofpointV3TooFew", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrEncoding,
		text: "https://urldefense.com/v3/__https://a.example/*b*__;fg!!x!y$",
	},
	{
		name: "ProofpointV3TooMany", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrEncoding,
		text: "https://urldefense.com/v3/__https://a.example/b__;fg!!x!y$",
	},
	{
		name: "ProofpointV3BadRun", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrEncoding,
		text: "https://urldefense.com/v3/__https://a.example/**.__;fn5-!!x!y$",
	},
	{
		name: "ProofpointV3BadBase64", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrEncoding,
		text: "https://urldefense.com/v3/__https://a.example/*__;f!!x!y$",
	},
	{
		name: "ProofpointV3Cut", wrappers: []string{"proofpoint-v3"}, err: unwrap.ErrNoTarget,
		text: "https://urldefense.com/v3/__https://a.example/b",
	},

	{
		name: "Barracuda", wrappers: []string{"barracuda"}, want: "https://a.example/b_c",
		text: "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2fb_c&c=E,1,Ez0FDT,,&typo=1",
	},
	// data-saferedirecturl of messages saved from Gmail: slashes are bare.
	{
		name: "Google", wrappers: []string{"google"}, want: "https://a.example/b?c=d",
		text: "https://www.google.com/url?q=https://a.example/b?c%3Dd&source=gmail&ust=171&usg=AOv",
	},
	{
		name: "GoogleSearch", wrappers: []string{"google"}, want: "https://a.example/",
		text: "https://www.google.co.uk/url?sa=t&q=words&url=https%3A%2F%2Fa.example%2F&usg=x",
	},
	{
		name: "GoogleTwo", wrappers: []string{"google"}, err: unwrap.ErrNoTarget,
		text: "https://www.google.com/url?q=https://a.example/&url=https://b.example/",
	},
	{name: "GoogleOther", text: "https://www.google.com/search?q=https://a.example/", want: "https://www.google.com/search?q=https://a.example/"},
	{name: "GoogleLookalike", text: "https://google.evil.example/url?q=https://a.example/", want: "https://google.evil.example/url?q=https://a.example/"},
	{name: "GoogleNested", text: "https://google.com.co.uk/url?q=https://a.example/", want: "https://google.com.co.uk/url?q=https://a.example/"},
	{
		name: "GoogleCountry", wrappers: []string{"google"}, want: "https://a.example/",
		text: "https://google.com.br/url?q=https://a.example/",
	},
	{
		name: "GoogleImage", wrappers: []string{"google-image-proxy"}, want: "https://a.example/i.png",
		text: "https://ci3.googleusercontent.com/meips/ADKq_Na=s0-d-e1-ft#https://a.example/i.png",
	},
	{
		name: "GoogleImageOld", wrappers: []string{"google-image-proxy"}, want: "http://a.example/i.png?x#y",
		text: "https://ci6.googleusercontent.com/proxy/xyz=s0-d-e1-ft#http://a.example/i.png?x#y",
	},
	{
		name: "GoogleImageBare", wrappers: []string{"google-image-proxy"}, err: unwrap.ErrNoTarget,
		text: "https://ci3.googleusercontent.com/meips/ADKq",
	},
	{name: "GoogleContent", text: "https://lh3.googleusercontent.com/proxy/a#https://a.example/", want: "https://lh3.googleusercontent.com/proxy/a#https://a.example/"},
	{
		name: "FireEye", wrappers: []string{"fireeye"}, want: "https://a.example/b#L1",
		text: "https://protect2.fireeye.com/v1/url?k=5bd9-8d69&q=1&e=9005-8eae&u=https%3A%2F%2Fa.example%2Fb%23L1",
	},
	{
		name: "TrendMicro", wrappers: []string{"trendmicro"}, want: "https://a.example/t-q",
		text: "https://ddec1-0-en-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=https%3a%2f%2fa.example%2ft%2dq&umid=91&auth=d8",
	},
	{
		name: "Symantec", wrappers: []string{"symantec"}, want: "http://a.example/b.tgz",
		text: "https://clicktime.symantec.com/38YrYPL?u=http%3A%2F%2Fa.example%2Fb.tgz",
	},
	{
		name: "Sophos", wrappers: []string{"sophos"}, want: "https://a.example/watch?v=~~~",
		text: "https://us-west-2.protection.sophos.com/?d=a.example&u=" + base64.URLEncoding.EncodeToString([]byte("https://a.example/watch?v=~~~")) + "&i=N2==&t=eE9=&h=7f",
	},
	{
		name: "SophosStandardAlphabet", wrappers: []string{"sophos"}, want: "https://a.example/watch?v=~~~",
		text: "https://us-west-2.protection.sophos.com?d=a.example&u=" + base64.RawStdEncoding.EncodeToString([]byte("https://a.example/watch?v=~~~")),
	},
	{
		name: "SophosToken", wrappers: []string{"sophos"}, opaque: true,
		text: "https://us-east-2.protection.sophos.com/?d=a.example&q=4bPL_UUID_73&h=a0",
	},
	{
		name: "Cisco", wrappers: []string{"cisco"}, want: "http://www.a.example/x/y.cgi",
		text: "http://secure-web.cisco.com/1z0v_U78rf-mk/http%3A%2F%2Fwww.a.example%2Fx%2Fy.cgi",
	},
	{
		name: "CiscoToken", wrappers: []string{"cisco"}, opaque: true,
		text: "http://secure-web.cisco.com/1z0v_U78rf-mk",
	},
	{
		name: "Checkpoint", wrappers: []string{"checkpoint"}, want: "https://a.example/___b",
		text: "https://url.avanan.click/v2/___https:/a.example/___b___.YXAzOnM",
	},
	{
		name: "CheckpointRegion", wrappers: []string{"checkpoint"}, want: "https://a.example/b%20c",
		text: "https://protect.checkpoint.com/v2/r01/___https://a.example/b%20c___.YzJ1OnM",
	},
	{
		name: "CheckpointShifted", wrappers: []string{"checkpoint"}, err: unwrap.ErrTarget,
		text: "https://protect.checkpoint.com/v2/r05/___myyux://f.jcfruqj/___.YzJ1",
	},
	{
		name: "Esva", wrappers: []string{"esva"}, want: "http://a.example",
		text: "https://urlsand.esvalabs.com/?u=http%3A%2F%2Fa.example&e=1",
	},
	{
		name: "AWSTrack", wrappers: []string{"awstrack"}, want: "https://a.example/b/",
		text: "https://abc.r.us-east-1.awstrack.me/L0/https:%2F%2Fa.example%2Fb%2F/1/0100-000000/hkd=408",
	},
	{name: "Mimecast", wrappers: []string{"mimecast"}, opaque: true, text: "https://protect-eu.mimecast.com/s/AbCdEf?domain=a.example"},
	{name: "MimecastNew", wrappers: []string{"mimecast"}, opaque: true, text: "https://url.uk.m.mimecastprotect.com/s/AbCdEf"},
	{name: "MimecastSite", text: "https://www.mimecast.com/s/x", want: "https://www.mimecast.com/s/x"},

	// A patch mail of 2022 had this pair.
	{
		name: "FireEyeInProofpoint", wrappers: []string{"proofpoint-v3", "fireeye"}, want: "https://a.example/b-c",
		text: "https://urldefense.com/v3/__https://protect2.fireeye.com/v1/url?k=26-1&q=1&e=9f&u=https*3A*2F*2Fa.example*2Fb-c__;JSUlJQ!!Ew!Hy$",
	},
	{
		name: "MimecastInSafeLinks", wrappers: []string{"safelinks", "mimecast"}, opaque: true, want: "https://protect-us.mimecast.com/s/Ab",
		text: "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fprotect-us.mimecast.com%2Fs%2FAb&data=",
	},
	{
		name: "BrokenInSafeLinks", wrappers: []string{"safelinks", "proofpoint-v2"}, err: unwrap.ErrNoTarget, want: "https://urldefense.com/v2/url?d=x",
		text: "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv2%2Furl%3Fd%3Dx",
	},

	{
		name: "FortiMail", wrappers: []string{"fortimail"}, want: "https://a.example/b?c",
		text: "https://mx.gateway.example/fmlurlsvc/?fewReq=:B:JVE3PD49Nyt7&url=https%3a%2f%2fa.example%2fb%3fc",
	},
	{
		name: "OWA", wrappers: []string{"owa"}, want: "https://a.example/b",
		text: "https://mail.customer.example/owa/redir.aspx?C=2aab7991b0924c8f&URL=https%3a%2f%2fa.example%2fb",
	},
	{name: "OWAUpper", wrappers: []string{"owa"}, want: "http://a.example", text: "https://mail.customer.example/OWA/redir.aspx?C=2a&URL=http%3a%2f%2fa.example"},
	{name: "OWAOld", wrappers: []string{"owa"}, want: "http://a.example/", text: "http://mail.customer.example/exchweb/bin/redir.asp?URL=http://a.example/"},
	{name: "OWAReference", wrappers: []string{"owa"}, err: unwrap.ErrNoTarget, text: "https://mail.customer.example/owa/redir.aspx?REF=RP5_rOiQ9WZQ"},
	{name: "VadeSecure", wrappers: []string{"vadesecure"}, want: "https://a.example/b", text: "https://m365.us.vadesecure.com/safeproxy/v4?f=x&i=x&k=x&r=x&s=x&u=https%3A%2F%2Fa.example%2Fb"},
	{name: "VadeSecureOld", wrappers: []string{"vadesecure"}, want: "https://a.example/b", text: "https://antiphishing.vadesecure.com/v4?u=https%3A%2F%2Fa.example%2Fb"},
	{name: "VadeSecureSite", text: "https://www.vadesecure.com/en?u=https://a.example/", want: "https://www.vadesecure.com/en?u=https://a.example/"},
	{name: "EdgePilot", wrappers: []string{"edgepilot"}, want: "https://a.example/b?id=1&c=2", text: "https://link.edgepilot.com/s/93882c79/_t5E-tquPki?u=https://a.example/b?id=1%26c=2"},
	{name: "Hornetsecurity", wrappers: []string{"hornetsecurity"}, want: "https://a.example/b", text: "https://atpscan.global.hornetsecurity.com/?d=x&f=x&s=a1&u=https%3A%2F%2Fa.example%2Fb"},
	{name: "HornetsecurityToken", wrappers: []string{"hornetsecurity"}, opaque: true, text: "https://atpscan.global.hornetsecurity.com/index.php?atp_str=x"},
	{name: "Zix", wrappers: []string{"edgepilot"}, want: "https://a.example/b", text: "https://link.zixcentral.com/u/08573078/uLbJvu8j6RG0?u=https%3A%2F%2Fa.example%2Fb"},
	{name: "Trustwave", wrappers: []string{"trustwave"}, want: "https://a.example/b-c", text: "https://scanmail.trustwave.com/?c=20988&d=pL2r5zHAPsW8&s=5&u=https%3a%2f%2fa%2eexample%2fb%2dc"},
	{name: "Isolation", wrappers: []string{"proofpoint-isolation"}, want: "https://a.example/b", text: "https://urlisolation.com/browser?clickId=99D8-A3&traceToken=1751%3Bx&url=https%3A%2F%2Fa.example%2Fb"},
	{name: "TitanHQ", wrappers: []string{"titanhq"}, want: "https://a.example/b", text: "https://linklock.titanhq.com/analyse?url=https%3A%2F%2Fa.example%2Fb&data=eJx"},
	{name: "VK", wrappers: []string{"vk"}, want: "https://a.example/b", text: "https://vk.com/away.php?to=https%3A%2F%2Fa.example%2Fb&cc_key="},
	{name: "Azure", wrappers: []string{"azure"}, want: "https://a.example/b", text: "https://nam.safelink.emails.azure.net/redirect/?destination=https%3A%2F%2Fa.example%2Fb&p=bT1l"},
	{name: "AzurePixel", text: "https://nam.safelink.emails.azure.net/trackingpixel/?p=bT1l", want: "https://nam.safelink.emails.azure.net/trackingpixel/?p=bT1l"},
	{name: "Deref", wrappers: []string{"deref"}, want: "https://a.example/b", text: "https://deref-gmx.net/mail/client/Gm_oCFfV0VM/dereferrer/?redirectUrl=https%3A%2F%2Fa.example%2Fb"},
	{name: "MailRu", wrappers: []string{"mail.ru"}, want: "https://a.example/b", text: "https://checklink.mail.ru/proxy?es=x%3D&egid=x&url=https%3A%2F%2Fa.example%2Fb&uidl=1&from=&to="},
	{name: "MailRuTwice", wrappers: []string{"mail.ru", "mail.ru"}, want: "https://a.example/b", text: "https://checklink.mail.ru/proxy?url=https%3A%2F%2Fclick.mail.ru%2Fredir%3Fu%3Dhttps%253A%252F%252Fa.example%252Fb%26c%3D1"},
	{name: "Yandex", wrappers: []string{"yandex"}, want: "https://a.example/", text: "https://sba.yandex.net/redirect?url=https%3A//a.example/&client=mail&sign=1e20"},
	{name: "QQ", wrappers: []string{"qq"}, want: "https://a.example/b", text: "https://wx.mail.qq.com/xmspamcheck/xmsafejump?url=https%3A%2F%2Fa.example%2Fb"},
	{name: "QQOld", wrappers: []string{"qq"}, want: "https://a.example/b", text: "https://mail.qq.com/cgi-bin/mail_spam?action=check_link&url=https://a.example/b&mailid=Gg4G&spam=0"},
	{name: "QQTemplate", wrappers: []string{"qq"}, want: "https://a.example/b", text: "https://mail.qq.com/cgi-bin/readtemplate?t=safety&check=false&gourl=https%3A%2F%2Fa.example%2Fb"},
	{name: "QQFile", text: "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b611a2B3c4D5e6F&code=eaac", want: "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b611a2B3c4D5e6F&code=eaac"},
	{name: "Facebook", wrappers: []string{"facebook"}, want: "https://a.example/b?c=d", text: "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd&h=AT34"},
	{name: "Instagram", wrappers: []string{"instagram"}, want: "https://a.example/b", text: "https://l.instagram.com/?u=https%3A%2F%2Fa.example%2Fb&e=AT0"},
	{name: "LinkedIn", wrappers: []string{"linkedin"}, want: "https://a.example.org/b", text: "https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fa%2Eexample%2Eorg%2Fb&urlhash=kGKH&trk=x"},
	{name: "LinkedInSafety", wrappers: []string{"linkedin"}, want: "https://a.example/b", text: "https://www.linkedin.com/safety/go?url=https%3A%2F%2Fa.example%2Fb&trk=x"},
	{name: "Teams", wrappers: []string{"teams"}, want: "https://t.sharepoint.com/sites/S/Shared%20Documents/a.docx", text: "https://teams.microsoft.com/l/file/790E1504?tenantId=c605&fileType=docx&objectUrl=https%3A%2F%2Ft.sharepoint.com%2Fsites%2FS%2FShared%2520Documents%2Fa.docx&baseUrl=https%3A%2F%2Ft.sharepoint.com&serviceName=teams"},
	{name: "TeamsOther", wrappers: []string{"teams"}, want: "https://t.sharepoint.com/Shared%20Documents/a.docx", text: "https://teams.microsoft.com/l/file/790E1504?objectURL=https%3A%2F%2Ft.sharepoint.com%2FShared%20Documents%2Fa.docx"},
	{name: "CheckpointFirst", wrappers: []string{"checkpoint"}, want: "https://www.example.com/a/b", text: "https://checkpoint.url-protection.com/v1/r07/url?o=https%3A//www.example.com/a/b&g=NjQ2Zg==&h=M2Ix&p=bWVj"},
	{name: "TeamsMeeting", text: "https://teams.microsoft.com/l/meetup-join/19%3ameeting_x", want: "https://teams.microsoft.com/l/meetup-join/19%3ameeting_x"},
	{name: "Viewer", wrappers: []string{"viewer"}, want: "https://a.example/b.docx", text: "https://view.officeapps.live.com/op/view.aspx?src=https%3A%2F%2Fa.example%2Fb.docx&wdOrigin=BROWSELINK"},
	{name: "ViewerOfOwnFile", text: "https://docs.google.com/viewer?a=v&pid=explorer&srcid=0B5zAbCdEfGhIjKlMnOpQrStUvWx"},
	{name: "Slack", wrappers: []string{"slack"}, want: "http://a.example", text: "https://slack-redir.net/link?url=http%3A%2F%2Fa.example&v=3"},
	{name: "AWSTrackOfSender", wrappers: []string{"awstrack"}, want: "https://a.example/b?c=d", text: "https://tracking.sender.example/CL0/https:%2F%2Fa.example%2Fb%3Fc=d/1/010001a0-000000/Py8z=452"},
	{name: "AWSTrackNot", text: "https://a.example/L0/x/y", want: "https://a.example/L0/x/y"},
	{name: "Postmark", wrappers: []string{"postmark"}, want: "https://a.example/b?c=d", text: "https://click.pstmrk.it/3s/a.example%2Fb%3Fc%3Dd/qzFR/112tAQ/AQ/8ca0/1/3Ug7"},
	{name: "PostmarkOld", wrappers: []string{"postmark"}, want: "https://a.example/b", text: "https://click.pstmrk.it/2sm/a.example%2Fb/wmxJ/Gc9Q/H5vx"},
	{name: "PostmarkToken", wrappers: []string{"postmark"}, opaque: true, text: "https://click.pstmrk.it/unsubscribe/x"},
	{
		name: "Mandrill", wrappers: []string{"mandrill"}, want: "https://a.example/b?c=d",
		text: "https://mandrillapp.com/track/click/31507467/a.example?p=" + base64.RawURLEncoding.EncodeToString([]byte(`{"s":"NeE","v":1,"p":"{\"u\":31507467,\"v\":1,\"url\":\"https:\\\/\\\/a.example\\\/b?c=d\",\"id\":\"eae\"}"}`)),
	},
	{name: "MandrillBroken", wrappers: []string{"mandrill"}, err: unwrap.ErrEncoding, text: "https://mandrillapp.com/track/click/1/a.example?p=e30"},
	{name: "MandrillNotBase64", wrappers: []string{"mandrill"}, err: unwrap.ErrEncoding, text: "https://mandrillapp.com/track/click/1/a.example?p=e30.x"},
	{name: "MandrillNothing", wrappers: []string{"mandrill"}, err: unwrap.ErrNoTarget, text: "https://mandrillapp.com/track/click/1/a.example"},
	{name: "MandrillOld", wrappers: []string{"mandrill"}, want: "http://a.example", text: "http://mandrillapp.com/track/click.php?u=30184949&id=5384&url=http%3A%2F%2Fa.example&url_id=98ed"},
	{
		name: "AllAtOnce", wrappers: []string{"safelinks", "proofpoint-v3", "owa", "barracuda"}, want: "https://a.example/b",
		text: "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(proofpointV3("https://mail.customer.example/owa/redir.aspx?C=x&URL="+url.QueryEscape("https://linkprotect.cudasvc.com/url?a="+url.QueryEscape("https://a.example/b")+"&c=E"))) + "&data=x",
	},

	{name: "NoTarget", wrappers: []string{"barracuda"}, err: unwrap.ErrNoTarget, text: "https://linkprotect.cudasvc.com/url?c=E"},
	{name: "TwoTargets", wrappers: []string{"barracuda"}, err: unwrap.ErrNoTarget, text: "https://linkprotect.cudasvc.com/url?a=https://a.example/&a=https://b.example/"},
	{name: "BadEscape", wrappers: []string{"barracuda"}, err: unwrap.ErrEncoding, text: "https://linkprotect.cudasvc.com/url?a=https%3A//a.example/%2"},
	{name: "JavaScript", wrappers: []string{"barracuda"}, err: unwrap.ErrTarget, text: "https://linkprotect.cudasvc.com/url?a=javascript%3Aalert(1)"},
	{name: "Mailto", wrappers: []string{"safelinks"}, err: unwrap.ErrTarget, text: "https://eur01.safelinks.protection.outlook.com/?url=mailto%3Aa%40b.example"},
	{name: "Relative", wrappers: []string{"barracuda"}, err: unwrap.ErrTarget, text: "https://linkprotect.cudasvc.com/url?a=www.a.example"},
	{name: "Newline", wrappers: []string{"barracuda"}, err: unwrap.ErrTarget, text: "https://linkprotect.cudasvc.com/url?a=https://a.example/%0a"},
	{name: "UserinfoInside", wrappers: []string{"barracuda"}, err: unwrap.ErrTarget, text: "https://linkprotect.cudasvc.com/url?a=https://a%40b.example/"},
	{name: "HostPrefix", text: "https://evillinkprotect.cudasvc.com/url?a=http://a.example", want: "https://evillinkprotect.cudasvc.com/url?a=http://a.example"},
	{name: "HostSuffix", text: "https://linkprotect.cudasvc.com.evil.example/url?a=http://a.example", want: "https://linkprotect.cudasvc.com.evil.example/url?a=http://a.example"},
	{name: "Userinfo", text: "https://linkprotect.cudasvc.com@evil.example/url?a=http://a.example", want: "https://linkprotect.cudasvc.com@evil.example/url?a=http://a.example"},
}

func TestURL(t *testing.T) {
	for _, tt := range golden {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.text
			}
			r := unwrap.URL(tt.text)
			if r.URL != want || !slices.Equal(r.Wrappers, tt.wrappers) || r.Opaque != tt.opaque || !errors.Is(r.Err, tt.err) {
				t.Errorf("got %+v, want %s", r, want)
			}
		})
	}
}

func TestNested(t *testing.T) {
	wrap := func(n int) string {
		text := "https://a.example/"
		for range n {
			text = "https://linkprotect.cudasvc.com/url?a=" + url.QueryEscape(text)
		}
		return text
	}
	if r := unwrap.URL(wrap(8)); r.URL != "https://a.example/" || len(r.Wrappers) != 8 || r.Err != nil {
		t.Errorf("8: got %+v, want the URL and 8 wrappers", r)
	}
	if r := unwrap.URL(wrap(9)); r.URL != wrap(1) || r.Err != unwrap.ErrNested {
		t.Errorf("9: got %+v, want %q and %v", r, wrap(1), unwrap.ErrNested)
	}
}

func TestJoin(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"Whole", "https://a.example/b>c", "https://a.example/b>c"},
		{"Lines", "https://a.example/\r\nb-\n c", "https://a.example/b-c"},
		{"Quoted", "https://a.example/\n> > b\n>>c\n > d>e", "https://a.example/bcd>e"},
		{"Blanks", " https://a.example/ b\t", "https://a.example/b"},
		{"QuoteInFirstLine", ">https://a.example/ b", ">https://a.example/b"},
		{"Empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := unwrap.Join(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMayWrap(t *testing.T) {
	for text, want := range map[string]bool{
		"a.example/": false, "a.example/a/b?x=/url#/L0/": false, "a.example?/url": false, "slack-redir.net/": true, "x.awstrack.me/": true,
		"a.example/url?q=x": true, "a.example/L0/http": true, "a.example/a/../url?q=x": true, "a.example/a/%2e%2e/url?q=x": true,
	} {
		host, rest, ok := weburl.CutHost([]byte(text))
		if got := ok && unwrap.MayWrap(string(host), rest); !ok || got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// FuzzURL checks that the result is the text itself or a URL, and that a second call
// changes nothing.
func FuzzURL(f *testing.F) {
	for _, tt := range golden {
		f.Add(tt.text)
	}
	f.Add("https://a.example/a/../%2e/url?q=https://b.example/")
	f.Add("https://www.google.com/a/..%2f../url?q=https://b.example/")
	f.Fuzz(func(t *testing.T, text string) {
		r := unwrap.URL(text)
		if len(r.Wrappers) == 0 {
			if r.URL != text || r.Opaque || r.Err != nil {
				t.Fatalf("%q: got %+v, want the text and nothing else", text, r)
			}
			return
		}
		_, rest, _ := strings.Cut(text, "://")
		if host, rest, ok := weburl.CutHost([]byte(rest)); ok && !unwrap.MayWrap(string(host), rest) {
			t.Fatalf("%q: MayWrap reports false, want true", text)
		}
		if _, ok := weburl.Parse(r.URL); !ok {
			t.Fatalf("%q: got %q, want a URL", text, r.URL)
		}
		if len(r.URL) > 2*len(text) {
			t.Fatalf("%q: got %q, want at most twice its length", text, r.URL)
		}
		again := unwrap.URL(r.URL)
		switch {
		case r.Err == unwrap.ErrNested:
		case r.Err != nil || r.Opaque:
			if again.URL != r.URL || again.Err != r.Err || again.Opaque != r.Opaque || len(again.Wrappers) != 1 {
				t.Fatalf("%q: got %+v, then %+v, want the same by one wrapper", text, r, again)
			}
		case again.URL != r.URL || len(again.Wrappers) != 0:
			t.Fatalf("%q: got %+v, then %+v, want no wrapper left", text, r, again)
		}
	})
}

// Every URL that is wrapped comes out again, octet for octet.
func FuzzRoundTrip(f *testing.F) {
	f.Add("https://a.example/")
	f.Add(file)
	f.Add("http://a.example/~~~~**__;!?a=%%#-_")
	f.Add("https://a.example/äöüÄÖÜ")
	f.Fuzz(func(t *testing.T, text string) {
		if _, ok := weburl.Parse(text); !ok || len(text) > 10_000 || len(unwrap.URL(text).Wrappers) > 0 {
			return
		}
		escaped := url.QueryEscape(text)
		for name, wrapped := range map[string]string{
			"safelinks":          "https://x.safelinks.protection.outlook.com/?url=" + escaped + "&data=x",
			"google":             "https://www.google.com/url?q=" + escaped + "&sa=D",
			"cisco":              "https://secure-web.cisco.com/1abc/" + escaped,
			"sophos":             "https://x.protection.sophos.com/?d=x&u=" + base64.StdEncoding.EncodeToString([]byte(text)) + "&i=x",
			"google-image-proxy": "https://ci3.googleusercontent.com/proxy/x#" + text,
			"proofpoint-v3":      proofpointV3(text),
		} {
			if r := unwrap.URL(wrapped); r.URL != text || len(r.Wrappers) != 1 || r.Wrappers[0] != name {
				t.Fatalf("%s: %q: got %+v, want %q", name, wrapped, r, text)
			}
		}
		if !strings.Contains(text, "&amp;") {
			v2 := strings.NewReplacer("-", "-2D", "_", "-5F", "%2F", "_", "%", "-").Replace(escaped)
			if r := unwrap.URL("https://urldefense.com/v2/url?u=" + v2 + "&d=x"); r.URL != text {
				t.Fatalf("v2: %q: got %+v, want %q", v2, r, text)
			}
		}
	})
}

// proofpointV3 wraps text: every octet but letters, digits and ":/." is
// replaced, in runs as long as the format has them.
func proofpointV3(text string) string {
	const lengths = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	var out, replaced strings.Builder
	kept := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(":/.", c) >= 0
	}
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && n < 65 && !kept(text[i+n]) {
			replaced.WriteByte(text[i+n])
			n++
		}
		switch {
		case n == 0:
			out.WriteByte(text[i])
			n = 1
		case n == 1:
			out.WriteByte('*')
		default:
			out.WriteString("**" + lengths[n-2:n-1])
		}
		i += n
	}
	return "https://urldefense.com/v3/__" + out.String() + "__;" + base64.URLEncoding.EncodeToString([]byte(replaced.String())) + "!!k!s$"
}

func BenchmarkURL(b *testing.B) {
	long := strings.Repeat("a%2F", 4000)
	for _, bb := range []struct{ name, text string }{
		{"None", "https://files.example/" + long},
		{"SafeLinks", "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape("https://files.example/"+long)},
		{"ProofpointV3", proofpointV3("https://files.example/" + long)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				unwrap.URL(bb.text)
			}
		})
	}
}
