package jmapsession

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// The capabilities that are used (RFC 8620 section 2, RFC 8621 section 1.3.1).
const (
	capabilityCore = "urn:ietf:params:jmap:core"
	capabilityMail = "urn:ietf:params:jmap:mail"
)

// A resource has the properties in use of a session resource (RFC 8620 section 2).
type resource struct {
	Core core

	accounts    map[string]account
	primary     string // the account for mail
	APIURL      string
	DownloadURL string
}

// core has the limits of a server. Parsed ones are never 0.
type core struct {
	MaxSizeRequest        int64 `json:"maxSizeRequest"`
	MaxConcurrentRequests int64 `json:"maxConcurrentRequests"`
	MaxObjectsInGet       int64 `json:"maxObjectsInGet"`
}

// valuesOfResource bounds the values of a session resource, in which an account has about thirty.
const valuesOfResource = 200_000

type account struct {
	Name                string                     `json:"name"`
	AccountCapabilities map[string]json.RawMessage `json:"accountCapabilities"`
}

// parseResource reads a session resource.
func parseResource(text []byte) (*resource, error) {
	var in struct {
		Capabilities    map[string]json.RawMessage `json:"capabilities"`
		Accounts        map[string]account         `json:"accounts"`
		PrimaryAccounts map[string]string          `json:"primaryAccounts"`
		APIURL          string                     `json:"apiUrl"`
		DownloadURL     string                     `json:"downloadUrl"`
	}
	if err := json.Unmarshal(text, &in); err != nil || in.Capabilities[capabilityCore] == nil || in.APIURL == "" {
		return nil, fault(fetch.Protocol, errNotJMAP)
	}
	if !strings.Contains(in.DownloadURL, "{blobId}") {
		return nil, fault(fetch.Protocol, errNotJMAP)
	}
	r := &resource{accounts: make(map[string]account), APIURL: in.APIURL, DownloadURL: in.DownloadURL}
	if json.Unmarshal(in.Capabilities[capabilityCore], &r.Core) != nil {
		return nil, fault(fetch.Protocol, errNotJMAP)
	}
	// The limits that section 2 suggests as the least.
	r.Core.MaxSizeRequest = cmp.Or(max(0, r.Core.MaxSizeRequest), 10_000_000)
	r.Core.MaxConcurrentRequests = cmp.Or(max(0, r.Core.MaxConcurrentRequests), 4)
	r.Core.MaxObjectsInGet = cmp.Or(max(0, r.Core.MaxObjectsInGet), 500)
	for id, a := range in.Accounts {
		if a.AccountCapabilities[capabilityMail] != nil && isID(id) {
			r.accounts[id] = a
		}
	}
	if id := in.PrimaryAccounts[capabilityMail]; r.accounts[id].AccountCapabilities != nil {
		r.primary = id
	}
	return r, nil
}

// find returns the id of the account with a name or id. "" means the one for mail, or the only one.
func (r *resource) find(name string) (string, error) {
	if name == "" {
		if r.primary == "" && len(r.accounts) == 1 {
			for id := range r.accounts {
				return id, nil
			}
		}
		if r.primary == "" {
			return "", fault(fetch.NotFound, errAccounts)
		}
		return r.primary, nil
	}
	if _, ok := r.accounts[name]; ok {
		return name, nil
	}
	var found []string
	for id, a := range r.accounts {
		if a.Name == name {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return "", fault(fetch.NotFound, errAccount)
	}
	return found[0], nil
}

// isID reports whether a text can be an id. Section 1.2 allows letters, digits, "-" and "_"; any
// other visible characters do no harm.
func isID(s string) bool {
	return s != "" && len(s) <= 255 && strings.IndexFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}

// An invocation is a call of a method, or its answer (RFC 8620 section 3.2).
type invocation struct {
	name, id  string
	arguments json.RawMessage
}

// MarshalJSON implements [json.Marshaler].
func (i invocation) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{i.name, i.arguments, i.id})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *invocation) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) != 3 {
		return errNotJMAP
	}
	i.arguments = parts[1]
	return errors.Join(json.Unmarshal(parts[0], &i.name), json.Unmarshal(parts[2], &i.id))
}

const callID = "0"

// newCall returns a request with one call of a method.
func newCall(method string, arguments any) ([]byte, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Using       []string     `json:"using"`
		MethodCalls []invocation `json:"methodCalls"`
	}{[]string{capabilityCore, capabilityMail}, []invocation{{method, callID, text}}})
}

// parseAnswer reads the answer to a request of newCall into result.
func parseAnswer(text []byte, method, account string, result any) error {
	var in struct {
		MethodResponses []invocation `json:"methodResponses"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return fault(fetch.Protocol, errNotJMAP)
	}
	for _, r := range in.MethodResponses {
		var head struct {
			Type      string `json:"type"`
			AccountID string `json:"accountId"`
		}
		if r.id != callID || r.name != "error" && r.name != method {
			continue
		}
		if json.Unmarshal(r.arguments, &head) != nil {
			break
		}
		if r.name == "error" {
			return newMethodError(method, head.Type)
		}
		if head.AccountID != account || json.Unmarshal(r.arguments, result) != nil {
			break
		}
		return nil
	}
	return fault(fetch.Protocol, errNotJMAP)
}

// requestError returns the error of a request that was rejected with a status, by the problem details that
// the server sends (RFC 8620 section 3.6.1).
func requestError(status int, text []byte) error {
	var problem struct {
		Type  string `json:"type"`
		Limit string `json:"limit"`
	}
	if json.Unmarshal(text, &problem) != nil || problem.Type != "urn:ietf:params:jmap:error:limit" {
		return statusError(status)
	}
	switch problem.Limit {
	case "maxSizeRequest", "maxObjectsInGet", "maxCallsInRequest":
		return fault(fetch.TooLarge, errTooMany)
	}
	return fault(fetch.Unavailable, errors.New("the server limits how many requests it answers"))
}

// maxMailboxes bounds the mailboxes of an account, and those that a message is in.
const maxMailboxes = 10_000

// An Email is a message of the account.
type Email struct {
	ID        string
	BlobID    string
	Size      int64
	Mailboxes []string  // the ids of the mailboxes that it is in
	Received  time.Time // when it came to the account; zero if the server has no such time

	// Err is why the message cannot be read; nil if its blob can be asked for.
	Err error
}

// UnmarshalJSON implements [json.Unmarshaler]. An object that is not a message has an Err.
func (e *Email) UnmarshalJSON(text []byte) error {
	var in struct {
		ID         string          `json:"id"`
		BlobID     string          `json:"blobId"`
		Size       int64           `json:"size"`
		MailboxIDs map[string]bool `json:"mailboxIds"`
		ReceivedAt json.RawMessage `json:"receivedAt"`
	}
	err := json.Unmarshal(text, &in)
	*e = Email{ID: in.ID, BlobID: in.BlobID, Size: max(0, in.Size)}
	for id, in := range in.MailboxIDs {
		if in && len(e.Mailboxes) < maxMailboxes {
			e.Mailboxes = append(e.Mailboxes, id)
		}
	}
	slices.Sort(e.Mailboxes)
	var received time.Time
	if json.Unmarshal(in.ReceivedAt, &received) == nil && received.Year() >= 1970 && received.Year() <= 2200 {
		e.Received = received.UTC()
	}
	if err != nil || !isID(in.BlobID) {
		e.Err = fault(fetch.Protocol, errNotJMAP)
	}
	return nil
}

// emailsAnswer are the arguments of an answer to Email/get.
type emailsAnswer struct {
	List     []Email  `json:"list"`
	NotFound []string `json:"notFound"`
}

// of returns one Email of each id that was asked for, in the order of the ids. One that the server does not find
// has the error [ErrGone]. An answer with more than was asked for is an error (RFC 8620 section 5.1).
func (a *emailsAnswer) of(ids []string) ([]Email, error) {
	if len(a.List)+len(a.NotFound) > len(ids) {
		return nil, fault(fetch.Protocol, errMore)
	}
	known := make(map[string]Email, len(a.List))
	for _, e := range a.List {
		known[e.ID] = e
	}
	gone := make(map[string]bool)
	for _, id := range a.NotFound {
		gone[id] = true
	}
	emails := make([]Email, len(ids))
	for i, id := range ids {
		e, ok := known[id]
		switch {
		case ok:
		case gone[id]:
			e = Email{ID: id, Err: fault(fetch.NotFound, ErrGone)}
		default:
			e = Email{ID: id, Err: fault(fetch.Protocol, errUnsent)}
		}
		emails[i] = e
	}
	return emails, nil
}
