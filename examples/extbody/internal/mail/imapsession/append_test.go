package imapsession

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// TestAppend adds messages to Dovecot: each octet for octet, and none of which a part was sent.
func TestAppend(t *testing.T) {
	server := dovecot.Start(t, nil)
	s := dovecotSession(t, server, true, nil)
	defer s.Close()
	text := "Message-ID: <a\"b@h.example>\r\nSubject: \xe4\r\n\r\n" + strings.Repeat("a line of 32 octets with its end\r\n", 10_000)
	at := time.Date(2025, 3, 9, 10, 11, 12, 0, time.UTC)
	holds := func(id, text string) bool {
		t.Helper()
		sum := sha256.Sum256([]byte(text))
		found, err := s.Holds(t.Context(), id, int64(len(text)), sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	const id = `<a"b@h.example>`
	size := int64(len(text))
	broken := errors.New("broken")
	err := s.Append(t.Context(), io.MultiReader(strings.NewReader(text[:size/2]), iotest.ErrReader(broken)), size, at)
	if !errors.Is(err, broken) || holds(id, text) || s.Exists() != 0 {
		t.Fatalf("got %v and %d messages, want %v and none", err, s.Exists(), broken)
	}
	if err := s.Append(t.Context(), strings.NewReader(text), size, at); err != nil {
		t.Fatal(err)
	}
	// A stranger may have sent another message with the Message-ID and the size.
	other := strings.Replace(text, "a line", "b line", 1)
	if !holds(id, text) || holds(id, text[1:]) || holds(id, other) || holds("<other@h.example>", text) || holds("", text) || holds("<x\r\n@h>", text) {
		t.Error("got another answer, want the message to be found by its Message-ID and its octets")
	}
	if err := s.Examine(t.Context(), "INBOX", 0); err != nil {
		t.Fatal(err)
	}
	uids, _, err := s.UIDs(t.Context())
	if err != nil || len(uids) != 1 {
		t.Fatalf("got the UIDs %v, %v, want one", uids, err)
	}
	var got bytes.Buffer
	if _, err := s.Fetch(t.Context(), uids[0], &got); err != nil || got.String() != text {
		t.Errorf("got %d octets, %v, want the %d of the message", got.Len(), err, size)
	}
	if since, err := s.Since(t.Context(), uids, at.AddDate(0, 0, 1)); len(since) != 0 || err != nil {
		t.Errorf("got %v since the day after, %v, want the time of arrival", since, err)
	}
}
