package open

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Mark puts a file into quarantine, so that the system asks before it runs something of it.
// The mark has no URL, since the URL of a share link is a secret.
func Mark(path string) error {
	value := fmt.Sprintf("0081;%x;extbody;", time.Now().Unix())
	return unix.Setxattr(path, "com.apple.quarantine", []byte(value), 0)
}
