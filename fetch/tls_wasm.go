package fetch

// A program for wasm only reads: its Fetchers, if it has any, speak TLS outside of Go. So
// it need not link crypto/tls.

func isUntrusted(error) bool { return false }

func isNotTLS(error) bool { return false }
