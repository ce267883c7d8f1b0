// Package selection has the flags that choose among messages and references.
package selection

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// A Selection is the flags that choose. The zero Selection, and nil, choose everything. Several
// goroutines may call its methods at once, after the flags are read.
type Selection struct {
	Refs     []string // IDs
	Names    []string // patterns of file names
	messages []string
	lines    []string // numbers and ranges of the choices of a message

	mu   sync.Mutex
	used map[string]bool // --message, --ref and "number" with each value that chose something
}

// Flags adds the flags.
func (s *Selection) Flags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.Refs, "ref", nil, "only the reference with the id `ID`, as list shows it (repeatable)")
	f.StringArrayVar(&s.Names, "name", nil, "only files with a name like `GLOB`, such as \"*.pdf\" (repeatable)")
	f.StringArrayVar(&s.messages, "message", nil, "only the message with this number, Message-ID or SHA-256, `MSG` (repeatable)")
}

// Add adds words after a PATH: numbers and ranges of the choices of a message, such as 3-7, and IDs. Digits are a number,
// and no ID.
func (s *Selection) Add(words ...string) {
	for _, word := range words {
		if _, _, ok := show.ParseRange(word); ok {
			s.lines = append(s.lines, word)
		} else {
			s.Refs = append(s.Refs, word)
		}
	}
}

// Check returns the mistakes in the flags.
func (s *Selection) Check() error {
	if s == nil {
		return nil
	}
	for _, glob := range s.Names {
		if _, err := path.Match(glob, ""); err != nil {
			return exit.Mistake(fmt.Errorf("--name %q: want a pattern such as \"*.pdf\"", glob))
		}
	}
	return nil
}

// minDigest is how many digits of a SHA-256 are enough.
const minDigest = 8

// Message reports whether a message was chosen, after it was read.
func (s *Selection) Message(f *source.Found) (chosen bool, err error) {
	return s.message(f.Number(), func() (record.Identity, error) {
		id, _, err := f.Identify()
		return id, err
	})
}

// InMailbox is Message for a message of a mailbox that msg is the index of.
func (s *Selection) InMailbox(m *mailbox.Message, msg *externalbody.Message) (chosen bool, err error) {
	return s.message(m.Index, func() (record.Identity, error) {
		id := record.Identify(msg)
		h := sha256.New()
		_, err := io.Copy(h, m.Reader())
		id.Digest = hex.EncodeToString(h.Sum(nil))
		return id, err
	})
}

func (s *Selection) message(number int, identify func() (record.Identity, error)) (chosen bool, err error) {
	if s == nil || len(s.messages) == 0 {
		return true, nil
	}
	id, err := identify()
	if err != nil {
		return false, err
	}
	for _, want := range s.messages {
		n, notNumber := strconv.Atoi(want)
		isNumber := notNumber == nil && len(want) < minDigest && n == number
		isID := id.MessageID != "" && strings.Trim(want, "<>") == strings.Trim(id.MessageID, "<>")
		isDigest := len(want) >= minDigest && strings.HasPrefix(id.Digest, strings.ToLower(want))
		if isNumber || isID || isDigest {
			chosen = true
			s.use("--message " + want)
		}
	}
	return chosen, nil
}

// ByMessage reports whether messages are chosen.
func (s *Selection) ByMessage() bool { return s != nil && len(s.messages) > 0 }

// All reports whether all references of chosen messages are chosen.
func (s *Selection) All() bool { return s == nil || len(s.Refs)+len(s.Names)+len(s.lines) == 0 }

// Choose returns a function that reports whether a reference was chosen. refs are all
// references of its message. The beginning of an ID counts if one reference alone has it.
func (s *Selection) Choose(refs []*externalbody.Reference) func(*externalbody.Reference) bool {
	if s.All() {
		return func(*externalbody.Reference) bool { return true }
	}
	chosen := make(map[*externalbody.Reference]bool)
	for _, id := range s.Refs {
		var found []*externalbody.Reference
		for _, ref := range refs {
			if ref.ID == id {
				found = []*externalbody.Reference{ref}
				break
			}
			if record.IsShort(id) && strings.HasPrefix(ref.ID, id) {
				found = append(found, ref)
			}
		}
		if len(found) == 1 {
			chosen[found[0]] = true
			s.use("--ref " + id)
		}
	}
	for _, glob := range s.Names {
		for _, ref := range refs {
			if ok, _ := path.Match(strings.ToLower(glob), strings.ToLower(ref.Name)); ok && ref.Name != "" {
				chosen[ref] = true
			}
		}
	}
	return func(ref *externalbody.Reference) bool { return chosen[ref] }
}

// References returns the references of a message, which was read, that were chosen.
func (s *Selection) References(f *source.Found) ([]*externalbody.Reference, error) {
	ok, err := s.Message(f)
	if !ok || err != nil {
		return nil, err
	}
	if s.All() {
		return f.Refs, nil
	}
	if len(s.lines) > 0 {
		choices, _ := s.Choices(f.Refs, f.Choices(false))
		return slices.Concat(slices.Concat(choices...)...), nil
	}
	chosen := s.Choose(f.Refs)
	return slices.DeleteFunc(slices.Clone(f.Refs), func(ref *externalbody.Reference) bool { return !chosen(ref) }), nil
}

// Choices removes the references that were not chosen from the choices of a message, as of
// [source.Found.Choices]. The numbers are the places of the kept choices among all, from
// 1.
func (s *Selection) Choices(
	refs []*externalbody.Reference, choices [][][]*externalbody.Reference,
) (kept [][][]*externalbody.Reference, numbers []int) {
	all := s.All()
	chosen := s.Choose(refs)
	for i, bodies := range choices {
		if !all && !s.has(i+1) {
			var some [][]*externalbody.Reference
			for _, alts := range bodies {
				alts = slices.DeleteFunc(slices.Clone(alts), func(ref *externalbody.Reference) bool { return !chosen(ref) })
				if len(alts) > 0 {
					some = append(some, alts)
				}
			}
			bodies = some
		}
		if len(bodies) > 0 {
			kept = append(kept, bodies)
			numbers = append(numbers, i+1)
		}
	}
	return kept, numbers
}

// has reports whether a number was chosen.
func (s *Selection) has(number int) (found bool) {
	for _, line := range s.lines {
		from, to, _ := show.ParseRange(line)
		if from <= number && number <= to {
			s.use("number " + line)
			found = true
		}
	}
	return found
}

func (s *Selection) use(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == nil {
		s.used = make(map[string]bool)
	}
	s.used[value] = true
}

// Missed returns an error that names the selected messages and references that do not exist, or
// nil. It is a mistake on the command line if none of them exist. A pattern of names may be in
// vain.
func (s *Selection) Missed() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	look := func(flag string, values []string) {
		for _, value := range values {
			if !s.used[flag+" "+value] {
				err = errors.Join(err, fmt.Errorf("%s %s: there is none", flag, value))
			}
		}
	}
	look("--message", s.messages)
	look("--ref", s.Refs)
	for _, line := range s.lines {
		if !s.used["number "+line] {
			err = errors.Join(err, fmt.Errorf("%s: the list has no such number, and an id is chosen by --ref", line))
		}
	}
	switch {
	case err == nil:
		return nil
	case len(s.used) == 0:
		return exit.Mistake(err)
	}
	return exit.With(exit.Failed, err)
}
