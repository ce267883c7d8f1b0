package dialect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// documentReference reads Document-Reference. Outlook and Exchange put one into the
// header of a message for each file that is shared with it:
//
//	URL; FileName=N; ProviderType=T; ProviderUrl=URL; Permission=P; ContentType=T; Expiration=TICKS
//
// The form is known from a message on a mailing list of 2020, and from a description by
// the makers of eM Client. Only the latter has Expiration. All values are
// percent-encoded UTF-8.
func documentReference() externalbody.Dialect {
	fields := []string{"Document-Reference"}
	return externalbody.Dialect{Name: "document-reference", Fields: fields, Read: readFields(fields, readDocument)}
}

func readDocument(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	url, rest, _ := strings.Cut(value, ";")
	url = strings.TrimSpace(url)
	var broken []string
	decode := func(name, v string) string {
		if !percent.Valid(v) {
			broken = append(broken, name)
		}
		return strings.ToValidUTF8(string(percent.AppendDecode(nil, v)), "\uFFFD")
	}
	if !strings.Contains(url, "://") { // else it is not encoded
		url = decode("url", url)
	}
	r := newLink(url, field, "https", "http")
	var seen []string
	for pair := range strings.SplitSeq(rest, ";") {
		name, v, ok := strings.Cut(pair, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !ok || len(seen) == 32 {
			continue
		}
		v = decode(name, strings.TrimSpace(v))
		if slices.Contains(seen, name) {
			diag(r, externalbody.DiagRepeatedField, name)
			continue
		}
		seen = append(seen, name)
		switch name {
		case "filename":
			setName(r, v)
		case "providertype":
			if r.Provider == "" {
				r.Provider = documentProvider(v)
			}
		case "permission":
			r.Permission = documentPermission(v)
		case "contenttype":
			setType(r, v)
		case "expiration":
			setTicks(r, v)
		}
	}
	for _, name := range broken {
		diag(r, externalbody.DiagPercent, name)
	}
	return r
}

// maxProvider bounds a ProviderType that is not known, in octets.
const maxProvider = 40

// documentProvider returns the name of the provider for a ProviderType. One that is not known
// counts only if it is a word: anybody can write the field.
func documentProvider(v string) string {
	v = strings.ToLower(v)
	switch {
	case v == "onedriveconsumer":
		return "onedrive"
	case v == "onedrivepro":
		return "sharepoint"
	case len(v) > maxProvider, strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "":
		return ""
	}
	return v
}

// documentPermission returns the meaning of a Permission. View and Edit occur alone and
// after a scope, as in AnonymousEdit.
func documentPermission(v string) string {
	switch v = strings.ToLower(v); {
	case strings.HasSuffix(v, "view"), v == "":
		return "read"
	case strings.HasSuffix(v, "edit"):
		return "read-write"
	}
	return v
}

// ticksAtEpoch is the Unix epoch in seconds since the year 1.
const ticksAtEpoch = 62_135_596_800

// setTicks sets the expiration from a number of 100 ns since the year 1.
func setTicks(r *externalbody.Reference, v string) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		diag(r, externalbody.DiagBadExpiration, "expiration")
		return
	}
	const second = 10_000_000
	setExpiration(r, time.Unix(n/second-ticksAtEpoch, n%second*100))
}
