package rewrite

import (
	"io"
	"os"
)

// writeSize is how much is written to a file at a time. On ext4, writes of 256
// KiB were measured to take two to eight times as long, for the same octets.
const writeSize = 32 << 10

// A spool is a temporary file that holds bodies until the message is written.
// The file is made when it is first needed.
type spool struct {
	dir  string
	file *os.File
	name string // "" once the file has no name any more
	end  int64
}

// create makes the file. Where the system allows it, it loses its name at once
// and so cannot be left behind.
func (s *spool) create() error {
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp(s.dir, ".extbody-*")
	if err != nil {
		return err
	}
	s.file, s.name = f, f.Name()
	if os.Remove(s.name) == nil {
		s.name = ""
	}
	return nil
}

// close frees the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		if e := os.Remove(s.name); err == nil {
			err = e
		}
	}
	return err
}

// A sink puts one body behind those that the spool holds, and surveys it. It is
// an externalbody.Sink.
type sink struct {
	spool  *spool
	base   int64
	survey survey
	err    error // of the temporary file
}

// sink returns a Sink for the next body.
func (s *spool) sink() *sink { return &sink{spool: s, base: s.end} }

func (k *sink) Write(p []byte) (n int, err error) {
	if k.err = k.spool.create(); k.err != nil {
		return 0, k.err
	}
	for len(p) > 0 && k.err == nil {
		var m int
		m, k.err = k.spool.file.WriteAt(p[:min(len(p), writeSize)], k.spool.end)
		k.spool.end += int64(m)
		k.survey.Write(p[:m])
		n += m
		p = p[m:]
	}
	return n, k.err
}

// Reset gives the space back. An error of Write remains one.
func (k *sink) Reset() error {
	k.spool.end = k.base
	k.survey = survey{}
	if k.spool.file == nil || k.err != nil {
		return k.err
	}
	k.err = k.spool.file.Truncate(k.base)
	return k.err
}

// len returns the number of octets of the body.
func (k *sink) len() int64 { return k.survey.n }

// reader returns a reader of the body.
func (k *sink) reader() *io.SectionReader {
	if k.spool.file == nil {
		return io.NewSectionReader(nothing{}, 0, 0)
	}
	return io.NewSectionReader(k.spool.file, k.base, k.len())
}

// nothing is an empty source.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
