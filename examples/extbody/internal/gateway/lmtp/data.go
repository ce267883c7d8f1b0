package lmtp

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A dataReader gives the octets of a message sent by DATA. It removes the dots that
// were added at the starts of lines, and ends at the line that is a single dot (RFC
// 5321 section 4.5.2). Lines end with CRLF and nothing else.
type dataReader struct {
	r     *bufio.Reader
	piece []byte // the rest of the last line read
	begin bool   // at the start of a line
	cr    bool   // the last octet was a CR
	ended bool
}

func newDataReader(r *bufio.Reader) *dataReader { return &dataReader{r: r, begin: true} }

// Read implements io.Reader.
func (d *dataReader) Read(p []byte) (int, error) {
	for len(d.piece) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		if err := d.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.piece)
	d.piece = d.piece[n:]
	return n, nil
}

// next reads a line, or as much of one as fits into the buffer.
func (d *dataReader) next() error {
	line, err := d.r.ReadSlice('\n')
	if err != nil && err != bufio.ErrBufferFull {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if d.begin {
		if string(line) == ".\r\n" {
			d.ended = true
			return nil
		}
		if line[0] == '.' {
			line = line[1:]
		}
	}
	d.piece = line
	d.begin = bytes.HasSuffix(line, []byte("\r\n")) || d.cr && string(line) == "\n"
	d.cr = bytes.HasSuffix(line, []byte("\r"))
	return nil
}

// A dataWriter writes a message in the form that DATA needs: lines end with CRLF, dots
// at their start are doubled, and a line with a single dot ends the message.
type dataWriter struct {
	w     *bufio.Writer
	begin bool
	cr    bool
}

func newDataWriter(w *bufio.Writer) *dataWriter { return &dataWriter{w: w, begin: true} }

// Write implements io.Writer.
func (d *dataWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if d.begin && p[n] == '.' {
			d.w.WriteByte('.')
		}
		line := p[n:]
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			d.begin = false
			d.cr = line[len(line)-1] == '\r'
			_, err = d.w.Write(line)
			return len(p), err
		}
		d.w.Write(line[:i])
		cr := d.cr
		if i > 0 {
			cr = line[i-1] == '\r'
		}
		if !cr {
			d.w.WriteByte('\r')
		}
		err = d.w.WriteByte('\n')
		if err != nil {
			return n, err
		}
		d.begin = true
		d.cr = false
		n += i + 1
	}
	return n, nil
}

// Close ends the message. It ends the last line if that is incomplete.
func (d *dataWriter) Close() error {
	if !d.begin {
		if !d.cr {
			d.w.WriteByte('\r')
		}
		d.w.WriteByte('\n')
	}
	d.w.WriteString(".\r\n")
	return d.w.Flush()
}

// A replyQueue writes the replies for the recipients of a message, in their order. Its
// methods may be called by several goroutines at once.
type replyQueue struct {
	x    *session
	gone func() // called when the client waits no longer

	mu    sync.Mutex
	list  []Reply
	next  int         // the first one that is not written
	alarm *time.Timer // nil before the message has ended
	err   error       // of writing
}

// open allows writing: the message has ended.
func (q *replyQueue) open() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.alarm = time.AfterFunc(q.patience(), q.gone)
	q.flush()
}

func (q *replyQueue) patience() time.Duration { return cmp.Or(q.x.server.Patience, 9*time.Minute) }

// set sets the reply for a recipient that has none.
func (q *replyQueue) set(i int, r Reply) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.list[i].Code != 0 {
		return
	}
	if r.Code == 421 {
		r.Code = 451 // 421 would end this connection (RFC 5321 section 3.8)
	}
	q.list[i] = r
	if q.alarm != nil {
		q.flush()
	}
}

// flush writes the replies that can be written.
func (q *replyQueue) flush() {
	first := q.next
	for ; q.next < len(q.list) && q.list[q.next].Code != 0; q.next++ {
		q.x.reply(q.list[q.next])
	}
	if q.next == first || q.err != nil {
		return
	}
	q.alarm.Reset(q.patience())
	q.x.conn.SetWriteDeadline(q.x.limit())
	q.err = q.x.w.Flush()
}

// stop ends the time limit.
func (q *replyQueue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.alarm != nil {
		q.alarm.Stop()
	}
}

// A slowReader sets the time limit anew for each piece of a message. After the end of the
// message it starts to watch for the end of the connection.
type slowReader struct {
	q       *replyQueue
	r       io.Reader
	watched chan struct{} // closed when watching has ended; nil before the message has ended
}

func (s *slowReader) Read(p []byte) (int, error) {
	if s.watched != nil {
		return 0, io.EOF
	}
	s.q.x.await(false)
	n, err := s.r.Read(p)
	if err == io.EOF {
		s.q.open()
		s.watch()
	}
	return n, err
}

// watch calls gone if the connection ends before stop is called. Octets of the next
// command stay in the buffer.
func (s *slowReader) watch() {
	s.q.x.conn.SetReadDeadline(time.Time{})
	s.watched = make(chan struct{})
	go func() {
		defer close(s.watched)
		if _, err := s.q.x.r.Peek(1); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			s.q.gone()
		}
	}()
}

// stop ends watching.
func (s *slowReader) stop() {
	if s.watched != nil {
		s.q.x.conn.SetReadDeadline(time.Unix(1, 0))
		<-s.watched
	}
}
