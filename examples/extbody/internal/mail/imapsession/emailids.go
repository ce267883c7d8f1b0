package imapsession

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// EmailIDs returns the ids that the server gives messages of the open mailbox for good, by UID. Messages of an account
// with the same id have the same octets, in whatever mailboxes they are. Messages of which the server tells none are
// left out, and all of them are if it has no such ids. uids must be in order.
func (s *Session) EmailIDs(ctx context.Context, uids []uint32) (map[uint32]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	item, err := s.idItem(ctx)
	if err != nil || item == "" {
		return nil, err
	}
	ids := make(map[uint32]string)
	for part := range slices.Chunk(uids, listWindow) {
		err := s.again(func() error {
			_, err := s.run(ctx, func(line []byte) error {
				if _, word, data := numbered(line); word == "FETCH" {
					f := parseFetch(data)
					if _, asked := slices.BinarySearch(part, f.uid); asked && f.emailID != "" {
						ids[f.uid] = f.emailID
					}
				}
				return nil
			}, fmt.Sprintf("UID FETCH %d:%d (UID %s)", part[0], part[len(part)-1], item))
			return err
		})
		if err != nil {
			return nil, err
		}
		s.budget.progress()
	}
	return ids, nil
}

// idItem returns the item to ask for; "" if the server has none. It asks the server once. Dovecot does not announce
// X-GUID: its name in the answer to ID (RFC 2971) does.
func (s *Session) idItem(ctx context.Context) (string, error) {
	if s.ids != nil {
		return *s.ids, nil
	}
	item := ""
	named := false
	err := s.again(func() error {
		_, err := s.run(ctx, func(line []byte) error {
			if !wire.HasPrefixFold(line, "* CAPABILITY ") {
				return nil
			}
			for _, name := range strings.Fields(strings.ToUpper(string(line))) {
				switch {
				case name == "OBJECTID":
					item = itemEmailID
				case name == "X-GM-EXT-1" && item == "":
					item = itemGmail
				case name == "ID":
					named = true
				}
			}
			return nil
		}, "CAPABILITY")
		return err
	})
	if err == nil && item == "" && named {
		item, err = s.guidItem(ctx)
	}
	if err == nil {
		s.ids = &item
	}
	return item, err
}

// guidItem returns X-GUID if the server is Dovecot, and "" otherwise.
func (s *Session) guidItem(ctx context.Context) (item string, err error) {
	err = s.again(func() error {
		_, err := s.run(ctx, func(line []byte) error {
			if wire.HasPrefixFold(line, "* ID (") && strings.Contains(strings.ToLower(string(line)), `"name" "dovecot"`) {
				item = itemGUID
			}
			return nil
		}, "ID NIL")
		return err
	})
	return item, err
}
