package imapsession

import (
	"maps"
	"strings"
	"testing"
)

// TestEmailIDs asks servers for the ids of messages.
func TestEmailIDs(t *testing.T) {
	ids := []string{"EMAILID (M1-_)", "EMAILID (M2)", "EMAILID ()", "EMAILID M4", "EMAILID (a b)", "EMAILID (" + strings.Repeat("x", 256) + ")", "EMAILID NIL", "X-GM-MSGID 12"}
	numbers := []string{"X-GM-MSGID 1278455344230334865", "X-GM-MSGID 18446744073709551616", "X-GM-MSGID (1)", "x-gm-msgid 7"}
	guids := []string{`X-GUID "1783.M1P2.host"`, "X-GUID ab12", `X-GUID ""`, `X-GUID "a b"`, "X-GUID (x)", "X-GUID {3}\r\nabc"}
	dovecot := `("version" "2.3" "name" "Dovecot")`
	lost := false
	for _, tt := range []struct {
		name, caps string
		answer     string // to ID
		ids        []string
		tamper     func(command string, uid uint32, response string) string
		want       map[uint32]string
		asks       int
	}{
		{name: "OBJECTID", caps: "objectid", ids: ids, want: map[uint32]string{1: "M1-_", 2: "M2", 8: "x-gm-msgid:12"}, asks: 2},
		{name: "Gmail", caps: "X-GM-EXT-1", ids: numbers, want: map[uint32]string{1: "x-gm-msgid:1278455344230334865", 4: "x-gm-msgid:7"}, asks: 2},
		{name: "Both", caps: "X-GM-EXT-1 OBJECTID", ids: ids[:2], want: map[uint32]string{1: "M1-_", 2: "M2"}, asks: 2},
		{name: "Neither", caps: "OBJECTIDS", ids: ids[:2]},
		{name: "Dovecot", caps: "ID", answer: dovecot, ids: guids, want: map[uint32]string{1: "x-guid:1783.M1P2.host", 2: "x-guid:ab12"}, asks: 2},
		{name: "DovecotWithIDs", caps: "ID OBJECTID", answer: dovecot, ids: ids[:2], want: map[uint32]string{1: "M1-_", 2: "M2"}, asks: 2},
		{name: "Other", caps: "ID", answer: `("name" "Cyrus" "environment" "next to dovecot")`, ids: guids},
		{name: "Refused", caps: "OBJECTID", ids: ids[:2], asks: 2, tamper: func(command string, uid uint32, response string) string {
			if strings.Contains(command, "FETCH") {
				if uid > 0 {
					return ""
				}
				return strings.Replace(response, "OK", "NO", 1)
			}
			return response
		}},
		{name: "Unasked", caps: "OBJECTID", ids: ids[:2], want: map[uint32]string{1: "M1-_"}, asks: 2, tamper: func(_ string, uid uint32, response string) string {
			if uid == 2 {
				return strings.Replace(response, "UID 2", "UID 9", 1)
			}
			return response
		}},
		{name: "Lost", caps: "OBJECTID", ids: ids[:2], want: map[uint32]string{1: "M1-_", 2: "M2"}, asks: 3, tamper: func(_ string, uid uint32, response string) string {
			if uid == 2 && !lost {
				lost = true
				return "CLOSE"
			}
			return response
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{caps: tt.caps, idAnswer: tt.answer, tamper: tt.tamper}
			var uids []uint32
			for i, id := range tt.ids {
				m := plainMessage(uint32(i + 1))
				m.id = id
				f.messages, uids = append(f.messages, m), append(uids, m.uid)
			}
			s := f.open(t)
			for range 2 { // the server is asked once for its capabilities
				got, err := s.EmailIDs(t.Context(), uids)
				if err != nil || !maps.Equal(got, tt.want) {
					t.Errorf("got %v, %v, want %v", got, err, tt.want)
				}
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			log := strings.Join(f.log, "\n")
			if n := strings.Count(log, "CAPABILITY"); n != f.connections+1 {
				t.Errorf("got %d questions for the capabilities, want one more than the %d connections", n, f.connections)
			}
			if n := strings.Count(log, "UID FETCH"); n != tt.asks {
				t.Errorf("got %d questions for ids, want %d", n, tt.asks)
			}
		})
	}
}
