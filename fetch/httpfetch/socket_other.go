//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package httpfetch

func (s *socket) read(p []byte) (int, error) { return s.plain(p) }

// readable reports false, since this system cannot be asked without reading.
func (s *socket) readable() bool { return false }
