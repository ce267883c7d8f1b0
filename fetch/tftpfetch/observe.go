package tftpfetch

import (
	"errors"
	"strconv"

	"github.com/go-extbody/extbody/fetch"
)

// request returns a read request in words.
func (o rrqOptions) request(t *target) string {
	s := "RRQ " + t.name + " " + string(t.mode)
	if o.blockSize != defaultBlockSize {
		s += " blksize " + strconv.Itoa(o.blockSize)
	}
	if o.size {
		s += " tsize 0"
	}
	return s
}

// logError writes the server's ERROR into log, if err is about one.
func logError(log *fetch.Exchange, err error) {
	if e, ok := errors.AsType[*ServerError](err); ok && log.Full() {
		log.Say(false, "ERROR "+strconv.Itoa(int(e.Code))+" "+e.Message)
		log.Status = int(e.Code)
	}
}
