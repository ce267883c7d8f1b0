package native

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

const (
	// Piece is the most octets of a message that one request has.
	Piece = 1 << 20

	// maxRequest bounds a request, in octets of JSON: one piece in base64, and a little more.
	maxRequest = 3 << 19

	// maxAnswer bounds an answer, in octets of JSON. A browser refuses more than 1 MiB.
	maxAnswer = 900_000
)

// A Request is a frame from the extension. It names a file by the number that the list gave it, and a
// contact by a plan. It has no path and no URL.
type Request struct {
	ID     int64  `json:"id"`               // of the request; its answers have it too
	Op     string `json:"op"`               // hello, open, list, plan, get, cancel, reveal or show
	Octets []byte `json:"octets,omitempty"` // open: the next octets of the message
	Last   bool   `json:"last,omitempty"`   // open: the message ends with them
	From   int    `json:"from,omitempty"`   // list: the first file, from 1
	Count  int    `json:"count,omitempty"`  // list: how many, 0 for as many as there is room for
	Files  []int  `json:"files,omitempty"`  // plan: the files, none for all
	Plan   string `json:"plan,omitempty"`   // get, cancel: from an answer of plan, or from the event ask
	Always bool   `json:"always,omitempty"` // get: agree to the host for good
	File   int    `json:"file,omitempty"`   // show, reveal: a file that was saved
}

// An Answer is a frame to the extension. The last answer to a request has no event.
type Answer struct {
	ID    int64  `json:"id"`
	Event string `json:"event,omitempty"` // progress, saved, failed or ask, before the end of a get
	Error string `json:"error,omitempty"` // why the request was refused, or failed

	Program  string `json:"program,omitempty"`  // hello: the program and its version
	Protocol int    `json:"protocol,omitempty"` // hello: 1
	Most     int64  `json:"most,omitempty"`     // hello: the octets of the longest message
	Folder   string `json:"folder,omitempty"`   // hello: where files are saved

	Taken int64 `json:"taken,omitempty"` // open: the octets so far

	Files  []File   `json:"files,omitempty"`  // list
	Total  int      `json:"total,omitempty"`  // list: how many files the message points at
	Unread []string `json:"unread,omitempty"` // list: parts that could not be looked into
	More   bool     `json:"more,omitempty"`   // list, plan: there is more than this answer has room for

	Contacts []Contact `json:"contacts,omitempty"` // plan; ask: the one that a redirect leads to

	Number int      `json:"number,omitempty"` // progress, saved, failed: the file
	Octets int64    `json:"octets,omitempty"` // progress: so far; saved: all of them
	Size   int64    `json:"size,omitempty"`   // progress: of the whole file, 0 if it is not known
	Status string   `json:"status,omitempty"` // saved, failed: as in the records of get
	Kind   string   `json:"kind,omitempty"`   // failed: likewise
	Name   string   `json:"name,omitempty"`   // saved: the name of the file in the folder
	Notes  []string `json:"notes,omitempty"`  // saved: its size, and differences from the claims
	Shown  bool     `json:"shown,omitempty"`  // show: a program was started
	Text   string   `json:"text,omitempty"`   // show: the outcome; failed: the reason
}

// A File is a file that the message points at.
type File struct {
	Number int      `json:"number"` // from 1
	Name   string   `json:"name"`
	Size   string   `json:"size"`
	Kind   string   `json:"kind"`
	Host   string   `json:"host"`
	Notes  []string `json:"notes,omitempty"`
	Status string   `json:"status,omitempty"` // of a get in this session
	Text   string   `json:"text,omitempty"`   // the reason, if that failed
}

// A Contact is one question: a host, and the files that getting them would ask it for.
type Contact struct {
	Plan    string `json:"plan,omitempty"` // for get
	Host    string `json:"host,omitempty"`
	Summary string `json:"summary"`           // the hosts, and the facts that they would learn
	Secure  bool   `json:"secure"`            // the transfer is encrypted, and the host identified
	Local   bool   `json:"local,omitempty"`   // nobody is contacted: the files are in the message
	Agreed  string `json:"agreed,omitempty"`  // where the host was agreed to for good
	Keeps   bool   `json:"keeps,omitempty"`   // "always" is possible
	Refused string `json:"refused,omitempty"` // why a get would fail at once
	Files   []int  `json:"files,omitempty"`
}

var errLong = fmt.Errorf("the frame is longer than %d octets", maxRequest)

// readFrame reads a frame: its length in the order of the machine, and that many octets. The end of
// the input between two frames is io.EOF.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.NativeEndian.Uint32(head[:])
	if n > maxRequest {
		return nil, errLong
	}
	var text bytes.Buffer
	// The buffer grows with the octets that arrive, and not with their number in the head.
	if _, err := io.CopyN(&text, r, int64(n)); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return text.Bytes(), nil
}

var errForm = errors.New("the frame is not a request")

// parse reads a request. A key that a request does not have is an error.
func parse(text []byte) (*Request, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	q := new(Request)
	if err := d.Decode(q); err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errForm
	}
	return q, nil
}

// A writer writes frames. Several goroutines may use it.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	err error // of writing; nothing is written after it
}

// write writes an answer in one write.
func (w *writer) write(a *Answer) error {
	text, err := json.Marshal(a)
	if err == nil && len(text) > maxAnswer {
		text, err = json.Marshal(&Answer{ID: a.ID, Error: "the answer is too long"})
	}
	if err != nil {
		return err
	}
	frame := binary.NativeEndian.AppendUint32(nil, uint32(len(text)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.out.Write(append(frame, text...))
	}
	return w.err
}

// A room is the room that is left in an answer.
type room int

// newRoom leaves some octets for the other fields of the answer.
func newRoom() room { return maxAnswer - 1000 }

// takes reports whether there is room for v, and takes it.
func (r *room) takes(v any) bool {
	text, err := json.Marshal(v)
	if err != nil || len(text)+1 > int(*r) {
		return false
	}
	*r -= room(len(text) + 1)
	return true
}
