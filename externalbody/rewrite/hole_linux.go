package rewrite

import (
	"os"
	"syscall"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// punch gives the space of a span of a file back to the disk, if the file system
// can do that.
func punch(f *os.File, s message.Span) {
	const keepSize, punchHole = 1, 2
	syscall.Fallocate(int(f.Fd()), keepSize|punchHole, s.Start, s.Len())
}
