package mailbox

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/klauspost/compress/zstd"
)

// Errors of compressed files.
var (
	// ErrInflated is the error of a compressed file that would become too large.
	ErrInflated = errors.New("the compressed file would become too large")

	// ErrCompressed is the error of a compressed mailbox or an .emlx that is to be rewritten.
	ErrCompressed = errors.New("a compressed mailbox, a zip archive or an .emlx is read, but not rewritten")
)

const (
	// maxRatio and minInflated bound the size of an inflated file: maxRatio times its
	// own size, but at least minInflated octets. Mail inflates to about ten times its
	// size, a message of one repeated letter to a thousand times.
	maxRatio    = 250
	minInflated = 64 << 20

	// maxZstdWindow bounds the memory for a file in zstd. The levels up to 19 have 8 MiB.
	maxZstdWindow = 32 << 20

	// trialSize is how much of a file must inflate before it is taken for one in zlib,
	// whose first two octets are letters.
	trialSize = 64
)

// A compression is a form of compressed files.
type compression struct {
	name string
	is   func(begin []byte, file io.Reader) bool
	open func(io.Reader) (io.Reader, error)
}

// magicSize is how many octets identify a compression.
const magicSize = 10

var compressions = []compression{
	{name: "gzip", is: isGzip, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{name: "bzip2", is: isBzip2, open: func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{name: "zstd", is: isZstd, open: openZstd},
	{name: "zlib", is: isZlib, open: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
}

func isGzip(b []byte, _ io.Reader) bool { return bytes.HasPrefix(b, []byte("\x1f\x8b\x08")) }

func openZstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func isBzip2(b []byte, _ io.Reader) bool {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	if len(b) < 10 || string(b[:3]) != "BZh" {
		return false
	}
	if level := b[3]; level < '1' || level > '9' {
		return false
	}
	return string(b[4:10]) == block || string(b[4:10]) == end
}

func isZstd(b []byte, _ io.Reader) bool {
	skipped := len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18" // RFC 8878 section 3.1.2
	return skipped || bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd"))
}

func isZlib(b []byte, file io.Reader) bool {
	const windowOf32K, dictionary = 0x78, 0x20
	// RFC 1950 section 2.2
	if len(b) < 2 || b[0] != windowOf32K || b[1]&dictionary != 0 {
		return false
	}
	if check := int(b[0])<<8 | int(b[1]); check%31 != 0 {
		return false
	}
	z, err := zlib.NewReader(file)
	if err != nil {
		return false
	}
	n, err := io.ReadFull(z, make([]byte, trialSize))
	return n > 0 && (err == nil || errors.Is(err, io.ErrUnexpectedEOF))
}

// compressionOf returns the form of a file of size octets that starts with begin, or nil
// if it is not compressed.
func compressionOf(begin []byte, r io.ReaderAt, size int64) *compression {
	for i := range compressions {
		c := &compressions[i]
		if c.is(begin, io.NewSectionReader(r, 0, size)) {
			return c
		}
	}
	return nil
}

// Inflate returns the contents of a file of size octets in gzip, zlib, bzip2 or zstd, in a
// file that the caller must discard. It returns nil if the file is not compressed, and
// ErrInflated if its contents are out of proportion.
func Inflate(ctx context.Context, r io.ReaderAt, size int64) (*atomicfile.File, int64, error) {
	begin := make([]byte, min(size, magicSize))
	have, _ := r.ReadAt(begin, 0) // an error will come again
	return inflate(ctx, begin[:have], r, size)
}

// inflate is Inflate, given the start of the file.
func inflate(ctx context.Context, begin []byte, r io.ReaderAt, size int64) (*atomicfile.File, int64, error) {
	c := compressionOf(begin, r, size)
	if c == nil {
		return nil, 0, nil
	}
	spool, err := atomicfile.Temp(os.TempDir())
	if err != nil {
		return nil, 0, fmt.Errorf("spool: %w", err)
	}
	n, err := c.inflate(ctx, spool, io.NewSectionReader(r, 0, size))
	if err != nil {
		spool.Discard()
		return nil, 0, err
	}
	return spool, n, nil
}

// inflate writes the contents of src to dst.
func (c *compression) inflate(ctx context.Context, dst io.Writer, src *io.SectionReader) (int64, error) {
	r, err := c.open(src)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.name, err)
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	return copyBounded(ctx, c.name, dst, r, max(minInflated, maxRatio*src.Size()))
}

// copyBounded copies r to dst. It returns ErrInflated if that is more than limit octets. name is the
// form of r.
func copyBounded(ctx context.Context, name string, dst io.Writer, r io.Reader, limit int64) (int64, error) {
	var n int64
	buf := make([]byte, copySize)
	for {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		k, err := r.Read(buf)
		if n += int64(k); n > limit {
			return n, fmt.Errorf("%s: %w", name, ErrInflated)
		}
		if _, werr := dst.Write(buf[:k]); werr != nil {
			return n, fmt.Errorf("spool: %w", werr)
		}
		if err == io.EOF {
			return n, nil
		}
		if errors.Is(err, zstd.ErrWindowSizeExceeded) {
			err = ErrInflated
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// copySize is how much is copied at a time: larger writes are slower on ext4.
const copySize = 32 << 10
