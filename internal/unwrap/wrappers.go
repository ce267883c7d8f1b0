package unwrap

// wrappers is what is known, first match first. A comment says what a row was
// taken from: "mail" for links in public mail archives and saved messages,
// "maker" for the maker's own program or documentation, "programs" for
// independent programs that undo it.
var wrappers = []wrapper{
	// Mail, programs. The region is a label such as eur01; /ap/w-59584e83/ is
	// put in front for links to Office documents. The second host is the one
	// of the cloud for governments.
	{
		name:  "safelinks",
		hosts: []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us"},
		undo:  param("url"),
	},
	// Programs. What Teams shows in place of a link.
	{
		name:  "safelinks",
		hosts: []string{"statics.teams.cdn.office.net"},
		paths: []string{"/evergreen-assets/safelinks/"},
		undo:  param("url"),
	},
	// Maker: its decoder for versions 1 to 3.
	{
		name:  "proofpoint-v1",
		hosts: proofpoint,
		paths: []string{"/v1/url"},
		undo:  proofpointV1,
	},
	{
		name:  "proofpoint-v2",
		hosts: proofpoint,
		paths: []string{"/v2/url"},
		undo:  proofpointV2,
	},
	{
		name:  "proofpoint-v3",
		hosts: proofpoint,
		paths: []string{"/v3/"},
		undo:  proofpointV3,
	},
	// Mail.
	{
		name:  "barracuda",
		hosts: []string{"linkprotect.cudasvc.com"},
		paths: []string{"/url"},
		undo:  param("a"),
	},
	// Mail. Search results have it in url, with the words searched for in q.
	{
		name:  "google",
		paths: []string{googlePath},
		is:    isGoogle,
		hint:  "/url?",
		undo:  google,
	},
	// Saved messages. Images that Gmail shows come from its proxy and have
	// their own URL as fragment.
	{
		name:  "google-image-proxy",
		hosts: []string{".googleusercontent.com"},
		paths: []string{"/proxy/", "/meips/"},
		is:    isImageProxy,
		undo:  fragment,
	},
	// Mail.
	{
		name:  "fireeye",
		hosts: []string{"protect2.fireeye.com", "protect.fireeye.com"},
		paths: []string{"/v1/url", "/url"},
		undo:  param("u"),
	},
	// Mail. The host is the customer's below a domain of the maker.
	{
		name:  "trendmicro",
		hosts: []string{".trendmicro.com", ".asiainfo-sec.com"},
		paths: []string{"/wis/clicktime/v1/query"},
		undo:  param("url"),
	},
	// Files in public repositories.
	{
		name:  "symantec",
		hosts: []string{"clicktime.symantec.com"},
		undo:  param("u"),
	},
	// Mail, programs. An older form has a token in q and no u.
	{
		name:  "sophos",
		hosts: []string{".protection.sophos.com"},
		is:    isRoot,
		undo:  sophos,
	},
	// Mail. A token, then the target as one path segment.
	{
		name:  "cisco",
		hosts: []string{"secure-web.cisco.com"},
		undo:  cisco,
	},
	// Files in public repositories. From r02 on, letters may be shifted; then
	// what comes out is no http URL, and the wrapper stays.
	{
		name:  "checkpoint",
		hosts: []string{"url.avanan.click", "protect.checkpoint.com"},
		paths: []string{"/v2/"},
		undo:  checkpoint,
	},
	// Programs.
	{
		name:  "esva",
		hosts: []string{"urlsand.esvalabs.com"},
		undo:  param("u"),
	},
	// Mail, programs. Click tracking of Amazon's mail service.
	{
		name:  "awstrack",
		hosts: []string{".awstrack.me"},
		paths: []string{"/L0/"},
		undo:  awstrack,
	},
	// Maker's documentation. The token is a key of a database.
	{
		name:  "mimecast",
		hosts: []string{".mimecast.com"},
		paths: []string{"/s/"},
		is:    isMimecast,
		undo:  opaque,
	},
	{
		name:  "mimecast",
		hosts: []string{".mimecastprotect.com"},
		paths: []string{"/s/"},
		undo:  opaque,
	},
}

// proofpoint are the hosts of all versions; "us" is the cloud for governments,
// seen in mail.
var proofpoint = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}
