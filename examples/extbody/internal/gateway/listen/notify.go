package listen

import (
	"net"
	"os"
)

// Notify sends the state of the server to systemd, if systemd asked for that; see
// sd_notify(3). Errors are ignored.
func Notify(state string) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.Dial("unixgram", path)
	if err != nil {
		return
	}
	defer c.Close()
	c.Write([]byte(state))
}
