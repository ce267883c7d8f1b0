package unwrap

// wrappers is the table of known wrappers. The first row that matches a URL counts. A
// comment above each row has the source of the form:
//
//   - mail: links in public mail archives
//   - saved messages: links in messages that were saved as files
//   - maker: the maker's own program or documentation
//   - programs: independent programs that undo it
var wrappers = []wrapper{
	// Mail, programs. The first label of the host is a region such as eur01. The path of
	// links to Office documents begins with /ap/w-59584e83/. The last host is for the cloud of
	// governments.
	{name: "safelinks", hosts: []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us"}, undo: param("url")},
	// Programs. Teams shows it instead of a link.
	{name: "safelinks", hosts: []string{"statics.teams.cdn.office.net"}, paths: []string{"/evergreen-assets/safelinks/"}, undo: param("url")},
	// Maker's documentation: the address of a file in a channel of Teams. QUIRK: mail and
	// the documentation write the parameter in different cases.
	{name: "teams", hosts: []string{"teams.microsoft.com"}, paths: []string{"/l/file/"}, undo: either("objectUrl", "objectURL")},
	// Maker: its decoder for versions 1 to 3.
	{name: "proofpoint-v1", hosts: proofpoint, paths: []string{"/v1/url"}, undo: proofpointV1},
	{name: "proofpoint-v2", hosts: proofpoint, paths: []string{"/v2/url"}, undo: proofpointV2},
	{name: "proofpoint-v3", hosts: proofpoint, paths: []string{"/v3/"}, undo: proofpointV3},
	// Mail.
	{name: "barracuda", hosts: []string{"linkprotect.cudasvc.com"}, paths: []string{"/url"}, undo: param("a")},
	// Mail. Search results have the target in url and the search words in q.
	{name: "google", paths: []string{"/url"}, is: isGoogle, undo: google},
	// Saved messages. Gmail shows images from its proxy. The fragment is the image's own
	// URL.
	{name: "google-image-proxy", hosts: []string{".googleusercontent.com"}, paths: []string{"/proxy/", "/meips/"}, is: isImageProxy, undo: fragment},
	// Mail.
	{name: "fireeye", hosts: []string{"protect2.fireeye.com", "protect.fireeye.com"}, paths: []string{"/v1/url", "/url"}, undo: param("u")},
	// Mail. Each customer has a host below a domain of the maker.
	{name: "trendmicro", hosts: []string{".trendmicro.com", ".asiainfo-sec.com"}, paths: []string{"/wis/clicktime/v1/query"}, undo: param("url")},
	// Files in public repositories.
	{name: "symantec", hosts: []string{"clicktime.symantec.com"}, undo: param("u")},
	// Mail, programs. An older form has a token in q and no u.
	{name: "sophos", hosts: []string{".protection.sophos.com"}, is: isRoot, undo: sophos},
	// Mail. The first segment of the path is a token, and the rest is the target.
	{name: "cisco", hosts: []string{"secure-web.cisco.com"}, undo: cisco},
	// Files in public repositories. From r02 on, letters may be shifted. The target is
	// then not an http URL, and the wrapper stays.
	{name: "checkpoint", hosts: []string{"url.avanan.click", "protect.checkpoint.com"}, paths: []string{"/v2/"}, undo: checkpoint},
	// Programs.
	{name: "esva", hosts: []string{"urlsand.esvalabs.com"}, undo: param("u")},
	// Mail, programs. Click tracking of Amazon's mail service.
	{name: "awstrack", hosts: []string{".awstrack.me"}, paths: []string{"/L0/"}, undo: awstrack},
	// Mail in list archives and newsletters: the same at a host of the sender.
	{name: "awstrack", paths: []string{"/L0/", "/CL0/"}, is: isTrack, undo: awstrack},
	// Mail in list archives. The gateway runs at a host of the customer.
	{name: "fortimail", paths: []string{"/fmlurlsvc/"}, undo: param("url")},
	// Mail. Outlook on the web at an organisation's own Exchange wraps the links in quoted text.
	{name: "owa", paths: []string{"/owa/redir.aspx", "/OWA/redir.aspx", "/exchweb/bin/redir.asp"}, undo: param("URL")},
	// Saved messages. The path begins with /safeproxy/ for customers of Microsoft or
	// Google.
	{name: "vadesecure", hosts: []string{".vadesecure.com"}, paths: []string{"/v3", "/v4", "/safeproxy/v3", "/safeproxy/v4"}, undo: param("u")},
	// Files in public repositories.
	{name: "edgepilot", hosts: []string{"link.edgepilot.com"}, paths: []string{"/s/", "/x/"}, undo: param("u")},
	// Files in public repositories. A form without u has only a token.
	{name: "hornetsecurity", hosts: []string{"atpscan.global.hornetsecurity.com"}, undo: paramOrToken("u")},
	// Saved messages: notices of Microsoft's services.
	{name: "azure", hosts: []string{".safelink.emails.azure.net"}, paths: []string{"/redirect/"}, undo: param("destination")},
	// Mail. The webmail of GMX, WEB.DE, 1&1 and mail.com wraps the links in quoted text.
	{name: "deref", hosts: []string{"deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de"}, paths: []string{"/mail/client/"}, undo: param("redirectUrl")},
	// Programs. The webmail of Mail.ru, Yandex and QQ does the same.
	{name: "mail.ru", hosts: []string{"checklink.mail.ru"}, paths: []string{"/proxy"}, undo: param("url")},
	{name: "mail.ru", hosts: []string{"click.mail.ru", "clicker.mail.ru"}, paths: []string{"/redir"}, undo: param("u")},
	{name: "yandex", hosts: []string{"sba.yandex.net"}, paths: []string{"/redirect"}, undo: param("url")},
	{name: "qq", hosts: []string{"wx.mail.qq.com"}, paths: []string{"/xmspamcheck/xmsafejump"}, undo: param("url")},
	{name: "qq", hosts: []string{"mail.qq.com", "exmail.qq.com"}, paths: []string{"/cgi-bin/mail_spam"}, undo: param("url")},
	{name: "qq", hosts: []string{"mail.qq.com", "exmail.qq.com"}, paths: []string{"/cgi-bin/readtemplate"}, undo: param("gourl")},
	// Files in public repositories. People copy such links from these services into mail.
	{name: "facebook", hosts: []string{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com"}, paths: []string{"/l.php"}, undo: param("u")},
	{name: "instagram", hosts: []string{"l.instagram.com"}, undo: param("u")},
	{name: "linkedin", hosts: []string{"www.linkedin.com", "linkedin.com"}, paths: []string{"/redir/redirect", "/safety/go"}, undo: param("url")},
	{name: "slack", hosts: []string{"slack-redir.net"}, paths: []string{"/link"}, undo: param("url")},
	// Saved messages. Click tracking of mail services. Postmark leaves out the scheme.
	{name: "postmark", hosts: []string{"click.pstmrk.it"}, undo: postmark},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click/"}, undo: mandrill},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click.php"}, undo: param("url")},
	// Maker's documentation. The token is a key in the maker's database.
	{name: "mimecast", hosts: []string{".mimecast.com"}, paths: []string{"/s/"}, is: isMimecast, undo: opaque},
	{name: "mimecast", hosts: []string{".mimecastprotect.com"}, paths: []string{"/s/"}, undo: opaque},
}

// proofpoint are the hosts of all versions. urldefense.us is for the cloud of
// governments, seen in mail.
var proofpoint = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}
