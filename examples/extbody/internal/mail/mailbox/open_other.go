//go:build !unix

package mailbox

import "os"

const (
	openFlags   = os.O_RDONLY
	folderFlags = os.O_RDONLY
)
