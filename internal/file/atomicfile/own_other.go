//go:build !unix

package atomicfile

import "os"

// isOwn reports true: on this system a name of ours is enough.
func isOwn(os.FileInfo) bool { return true }
