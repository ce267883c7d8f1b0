package jmapsession

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// Mailboxes are the mailboxes of an account, by their ids.
type Mailboxes map[string]mailbox

type mailbox struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ParentID *string `json:"parentId"`
	Role     *string `json:"role"`
}

// maxDepth bounds how deep mailboxes are nested.
const maxDepth = 100

// Names returns the name of a mailbox and of those above it, from the top; nil if it is not known.
func (m Mailboxes) Names(id string) (names []string) {
	for range maxDepth {
		b, ok := m[id]
		if !ok {
			return nil
		}
		names = append(names, b.Name)
		if b.ParentID == nil || *b.ParentID == "" {
			slices.Reverse(names)
			return names
		}
		id = *b.ParentID
	}
	return nil
}

// Find returns the id of the mailbox with some names, from the top. A single name may also be a role, such as
// inbox, whatever its case.
func (m Mailboxes) Find(names []string) (string, error) {
	var role string
	for id, b := range m {
		if slices.Equal(m.Names(id), names) {
			return id, nil
		}
		if b.Role != nil && len(names) == 1 && strings.EqualFold(*b.Role, names[0]) {
			role = id
		}
	}
	if role == "" {
		return "", fault(fetch.NotFound, errMailbox)
	}
	return role, nil
}

// Mailboxes returns the mailboxes of the account (RFC 8621 section 2.1).
func (s *Session) Mailboxes(ctx context.Context) (Mailboxes, error) {
	boxes := make(Mailboxes)
	get := func(ids []string) error {
		var a struct {
			List []mailbox `json:"list"`
		}
		arguments := &getArguments{s.account, ids, []string{"id", "name", "parentId", "role"}}
		most := maxMailboxes
		if ids != nil {
			most = len(ids)
		}
		if err := s.call(ctx, "Mailbox/get", arguments, &a, valuesOfObject*most); err != nil {
			return err
		}
		if ids != nil && len(a.List) > most {
			return fault(fetch.Protocol, errMore)
		}
		for _, b := range a.List {
			boxes[b.ID] = b
			if len(boxes) > maxMailboxes {
				return fault(fetch.TooLarge, errManyBoxes)
			}
		}
		return nil
	}
	err := get(nil)
	if errors.Is(err, errTooMany) {
		var ids []string
		ids, err = s.mailboxIDs(ctx)
		if err == nil {
			err = s.pieces(ids, get)
		}
	}
	return boxes, err
}

// mailboxIDs returns the ids of the mailboxes, if they are too many for one request.
func (s *Session) mailboxIDs(ctx context.Context) (ids []string, err error) {
	for len(ids) <= maxMailboxes {
		var a queryAnswer
		arguments := map[string]any{"accountId": s.account, "position": len(ids)}
		if err := s.call(ctx, "Mailbox/query", arguments, &a, maxMailboxes); err != nil {
			return nil, err
		}
		if len(a.IDs) == 0 {
			return unique(ids), nil
		}
		ids = append(ids, a.IDs...)
	}
	return nil, fault(fetch.TooLarge, errManyBoxes)
}
