package rfc5092

import "testing"

// TestParsePath wants the values of a path as they are encoded, in the order of RFC 5092 section 11 alone.
func TestParsePath(t *testing.T) {
	for _, row := range []struct {
		name, path string
		want       Path
		ok         bool
	}{
		{"Server", "/", Path{}, true},
		{"Mailbox", "/INBOX", Path{Mailbox: "INBOX"}, true},
		{"Encoded", "/a%3Bb%20c", Path{Mailbox: "a%3Bb%20c"}, true},
		{"Folder", "/a/b;UIDVALIDITY=7", Path{Mailbox: "a/b", UIDValidity: "7"}, true},
		{"Message", "/INBOX/;UID=5", Path{Mailbox: "INBOX", UID: "5"}, true},
		{"LowerCase", "/INBOX;uidvalidity=7/;uid=5", Path{Mailbox: "INBOX", UIDValidity: "7", UID: "5"}, true},
		{"All", "/m;UIDVALIDITY=1/;UID=2/;SECTION=3/;PARTIAL=4.5;EXPIRE=6;URLAUTH=anonymous:INTERNAL:7",
			Path{"m", "1", "2", "3", "4.5", "6", "anonymous:INTERNAL:7"}, true},
		{"NoSlash", "INBOX", Path{}, false},
		{"Empty", "/INBOX/;UID=", Path{}, false},
		{"Repeated", "/INBOX/;UID=5/;UID=6", Path{}, false},
		{"Order", "/INBOX/;UID=5;UIDVALIDITY=7", Path{}, false},
		{"Unknown", "/INBOX/;UID=5/;COLOR=red", Path{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := ParsePath(row.path)
			if got != row.want || ok != row.ok {
				t.Errorf("got %+v %v, want %+v %v", got, ok, row.want, row.ok)
			}
		})
	}
}

// TestReplaceURLAuth wants no URLAUTH of a text to be left.
func TestReplaceURLAuth(t *testing.T) {
	got := ReplaceURLAuth(`a "imap://h/m/;UID=1;urlauth=user+ann:internal:0123" imap://h/m/;UID=2;URLAUTH=anonymous:INTERNAL:4567`, "X")
	want := `a "imap://h/m/;UID=1;urlauth=X" imap://h/m/;UID=2;URLAUTH=X`
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
