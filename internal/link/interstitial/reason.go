package interstitial

import "bytes"

// A Reason is the subject of a page, in words for people.
type Reason string

const (
	Unknown Reason = "page"               // not known
	Scan    Reason = "virus scan warning" // the host asks whether to download a file that it has not scanned
	Expired Reason = "expired"            // the link has ended
	Deleted Reason = "deleted"            // the file is gone
	Denied  Reason = "access denied"      // the file is not for everybody
	Login   Reason = "login"              // the page wants a login
	Consent Reason = "consent"            // the page wants agreement first
	Archive Reason = "an archive"         // a folder was sent as an archive
	Quota   Reason = "quota exceeded"     // too many people have asked for the file; it is available again later
)

// marks has texts that occur in pages: words of English pages, and
// addresses and markup in pages of any language. They are in lower case. The first match
// counts. A text that other pages may contain by chance counts only in the title.
var marks = []struct {
	reason Reason
	text   string
	title  bool
}{
	{Scan, "virus scan warning", true},
	{Scan, `id="uc-download-link"`, false},
	{Scan, `class="uc-warning-caption"`, false},
	{Quota, "quota exceeded", true},
	{Quota, "too many users have viewed or downloaded", false},
	{Quota, "generating too much traffic", false},
	{Expired, "expired", true},
	{Deleted, "deleted", true},
	{Deleted, "not found", true},
	{Deleted, "no longer available", true},
	{Deleted, "the file you have requested does not exist", false},
	{Deleted, "has been removed or is unavailable", false},
	{Denied, "access denied", true},
	{Denied, "you need access", true},
	{Denied, "forbidden", true},
	{Denied, "violation of our terms of service", false},
	{Denied, "only the owner is allowed to download infected files", false},
	{Login, "sign in", true},
	{Login, "sign-in", true},
	{Login, "log in", true},
	{Login, "login", true},
	{Login, `type="password"`, false},
	{Login, "accounts.google.com/v3/signin", false},
	{Login, "login.microsoftonline.com/", false},
	{Consent, "consent.google.", false},
	{Consent, "before you continue", true},
}

// reason returns the Reason of the page that begins with head.
func reason(head []byte) Reason {
	head = bytes.ToLower(head)
	_, title, _ := bytes.Cut(head, []byte("<title"))
	title, _, _ = bytes.Cut(title, []byte("</title"))
	for _, m := range marks {
		in := head
		if m.title {
			in = title
		}
		if bytes.Contains(in, []byte(m.text)) {
			return m.reason
		}
	}
	return Unknown
}
