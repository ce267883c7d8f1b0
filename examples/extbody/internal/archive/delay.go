package archive

import (
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/mime/date"
)

// Delays tell how late bodies were captured: the time from the arrival of the message to the
// capture. Captures counts the references whose delay is known and not negative. Within50 is the
// number of seconds within which at least half of them were captured; Within90 and Within99 are for
// 90 and 99 of 100.
type Delays struct {
	Captures int64 `json:"captures"`
	ByDate   int64 `json:"by_date,omitempty"` // of Captures: the message has no field Received, and its field Date was used
	Before   int64 `json:"before,omitempty"`  // references whose body was last captured before the message arrived
	Unknown  int64 `json:"unknown,omitempty"` // references of messages with neither field
	Within50 int64 `json:"within_50"`
	Within90 int64 `json:"within_90"`
	Within99 int64 `json:"within_99"`

	seconds []int64 // the delays that Captures counts
}

// add counts a delay.
func (d *Delays) add(delay Delay) {
	switch {
	case delay.By == "":
		d.Unknown++
	case delay.Seconds < 0:
		d.Before++
	default:
		d.Captures++
		d.seconds = append(d.seconds, delay.Seconds)
		if delay.By == byDate {
			d.ByDate++
		}
	}
}

// end computes the numbers of seconds after the last add.
func (d *Delays) end() {
	slices.Sort(d.seconds)
	for percent, to := range map[int]*int64{50: &d.Within50, 90: &d.Within90, 99: &d.Within99} {
		if n := len(d.seconds); n > 0 {
			*to = d.seconds[(n*percent+99)/100-1]
		}
	}
}

// A Delay is the time from the arrival of a message to the capture of a body. Seconds is negative if the
// body was captured before the message arrived. By is the member of the line of the message that has the time of its
// arrival; "" if the Delay is not known.
type Delay struct {
	Seconds int64
	By      string
}

const (
	byReceived = "received"
	byInternal = "internal_date"
	byDate     = "date"
)

// maxEarly is how many seconds before the arrival of a message a capture at delivery counts as made at the
// arrival: a server makes it before the server of the mailbox writes its field Received.
const maxEarly = 60

// A bodyTime is the time of a capture in Unix seconds.
type bodyTime struct {
	at        int64
	delivered bool // the capture was made at delivery
}

// delayOf returns the Delay of a body of a message, which was captured at since and, if that was before the
// message, again at the time that the function then returns.
func delayOf(m *MessageRecord, since bodyTime, then func() bodyTime) Delay {
	when, by := m.arrived()
	if by == "" {
		return Delay{}
	}
	seconds := since.after(when)
	if seconds < 0 {
		seconds = then().after(when)
	}
	return Delay{seconds, by}
}

// after returns how many seconds after an arrival the capture was made.
func (b bodyTime) after(arrival time.Time) int64 {
	seconds := b.at - arrival.Unix()
	if b.delivered && seconds < 0 && seconds >= -maxEarly {
		return 0
	}
	return seconds
}

// arrived returns when a message arrived, and the member of its line that has it. A sender writes the Date, the others are
// by the server of the mailbox.
func (m *MessageRecord) arrived() (when time.Time, by string) {
	if !m.Received.IsZero() {
		return m.Received, byReceived
	}
	if !m.Internal.IsZero() {
		return m.Internal, byInternal
	}
	if t, ok := sensible(m.Date); ok {
		return t, byDate
	}
	return when, ""
}

// maxField bounds the value of a field in the record of a message, in octets.
const maxField = 998

// receivedAt returns the time in a field Received, which is after a ";". A comment after the time may have
// one too.
func receivedAt(field string) time.Time {
	field = field[:min(len(field), maxField)]
	for range 3 {
		i := strings.LastIndexByte(field, ';')
		if i < 0 {
			break
		}
		if t, ok := sensible(field[i+1:]); ok {
			return t
		}
		field = field[:i]
	}
	return time.Time{}
}

// sensible parses a date of mail in UTC. It returns false if the year is not from 1970 to 2200.
func sensible(text string) (time.Time, bool) {
	t, _, err := date.Parse(text)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return time.Time{}, false
	}
	return t.UTC().Truncate(time.Second), true
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
