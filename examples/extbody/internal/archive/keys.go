package archive

import (
	"fmt"
	"net/url"
)

const (
	keyPosition = "m position"
	keyOpen     = "m open"
	keyRules    = "m rules"
	keyLost     = "m lost"
	keyLater    = "m later"
	keyFile     = "m file " // and its name
	keyGap      = "m gap "  // and the number of its line, and its own
	keyReplaced = "m replaced"
)

// maxRules bounds rules, in octets, so that the key of readKey is short.
const maxRules = 16

func stampedKey(seq int64) string { return fmt.Sprint("m stamped ", seq) }

func readKey(rules string) string { return "m read " + rules[:min(len(rules), maxRules)] }

func messageKey(sum string) string { return "g" + shortSum(sum) }

func objectKey(sum string) string { return "o" + shortSum(sum) }

func capturedKey(key string) string { return "c" + shortSum(key) }

func forgetKey(short string) string { return "f" + short }

func askKey(a ask) string { return "a" + string(a[:]) }

func intervalKey(key string) string { return "v" + shortSum(key) }

func replacedKey(r *ReferenceRecord, expect string) string {
	return "x" + shortSum(digest(fmt.Sprintf("%s %q %s %s", r.Message, r.Ref, r.Key, expect)))
}

func hostKey(host string) string { return "h" + shortSum(digest(host)) }

func lineKey(name string) string { return "q" + shortSum(digest(name)) }

func presenceKey(name string) string { return "w" + shortSum(digest(name)) }

func stateKey(name string) string { return "n" + shortSum(digest(name)) }

func sourceKey(name string) string { return "s" + shortSum(digest(name)) }

// sightingKey returns the key of the place where a message was seen.
func sightingKey(s *Sighting) string {
	text := fmt.Sprintf("%q %d %d %q %d", s.Source, s.UIDValidity, s.UID, s.File, s.Offset)
	if s.EmailID != "" && s.UID == 0 {
		text += fmt.Sprintf(" %q", s.EmailID)
	}
	return "p" + shortSum(digest(text))
}

// emailKey returns the key of a message on an IMAP server, in whatever mailbox it is; "" without an EmailID.
func emailKey(s *Sighting) string {
	u, err := url.Parse(s.Source)
	if err != nil || s.EmailID == "" || s.UID == 0 {
		return ""
	}
	account := url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host}
	return "e" + shortSum(digest(fmt.Sprintf("%q %q", account.String(), s.EmailID)))
}

// fileKey returns the key of a message in a file, whatever its offset: when a message of an mbox before it is removed,
// all offsets change. short is the shortSum of the message.
func fileKey(s *Sighting, short string) string {
	return "p" + shortSum(digest(fmt.Sprintf("in %q %q %x", s.Source, s.File, short)))
}
