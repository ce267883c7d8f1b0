package rewrite

import (
	"cmp"
	"io"
	"math"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// spoolMemory bounds the octets of bodies that wait in memory.
const spoolMemory = 1 << 20

// A bodyStore is where a body waits until the message is written, as in a spool.Spool.
type bodyStore interface {
	io.Writer
	io.ReaderAt
	Reset() error
}

// A spools makes the places of bodies. Those that are not short share one file.
type spools struct {
	file    spool.File
	account spool.Account
}

func newSpools(dir string) *spools {
	return &spools{file: spool.File{Dir: dir}, account: spool.Account{Max: spoolMemory}}
}

func (s *spools) open() bodyStore { return &spool.Spool{File: &s.file, Account: &s.account} }

// A sink puts one body into a spool, and surveys it. It is an externalbody.Beginner.
type sink struct {
	x      *inliner
	body   bodyStore
	most   int64 // octets that the body may have
	survey survey
	err    error // of the spool
}

// sink returns a Sink for the next body.
func (x *inliner) sink() *sink { return &sink{x: x, body: x.open(), most: math.MaxInt64} }

// Begin is called before the first octet of a body.
func (k *sink) Begin(report *externalbody.Report, size int64) error {
	mediaType := param.Parse(report.MediaType).Type
	k.survey.brief = !strings.HasPrefix(mediaType, "text/") && !isComposite(mediaType)
	if k.most = k.x.mostOctets(k.survey.brief); size > k.most {
		return leave(fetch.TooLarge, errMaxOutput)
	}
	return nil
}

func (k *sink) Write(p []byte) (n int, err error) {
	if k.survey.n+int64(len(p)) > k.most {
		return 0, leave(fetch.TooLarge, errMaxOutput)
	}
	if k.err == nil {
		n, k.err = k.body.Write(p)
		k.survey.Write(p[:n])
	}
	return n, k.err
}

// Reset drops the body. After an error of Write it returns that error.
func (k *sink) Reset() error {
	err := k.body.Reset()
	k.survey = survey{}
	k.err = cmp.Or(k.err, err)
	return k.err
}

// len returns the number of octets of the body.
func (k *sink) len() int64 { return k.survey.n }

// reader returns a reader of the body.
func (k *sink) reader() *io.SectionReader { return io.NewSectionReader(k.body, 0, k.len()) }
