package imapfetch

import (
	"errors"
	"io"
	"os"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// kinds are the Kinds of the errors of package wire, the first that fits
// counting.
var kinds = [...]struct {
	err  error
	kind fetch.Kind
}{
	{wire.ErrInject, fetch.Malformed},
	{wire.ErrUntrusted, fetch.Untrusted},
	{wire.ErrCredentials, fetch.Credentials},
	{wire.ErrNotFound, fetch.NotFound},
	{wire.ErrForbidden, fetch.Forbidden},
	{wire.ErrProtocol, fetch.Protocol},
	{wire.ErrUnavailable, fetch.Unavailable},
}

// failed gives an error of package wire its Kind. One that has a Kind keeps it.
func failed(err error) error {
	f, ok := errors.AsType[*wire.Fault](err)
	if !ok {
		return err
	}
	for _, k := range kinds {
		if !errors.Is(f, k.err) {
			continue
		}
		if k.kind == fetch.Unavailable {
			return unavailable(f.Err)
		}
		return fault(k.kind, f.Err)
	}
	return err
}

// unavailable gives an error of the connection its Kind.
func unavailable(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fetch.NewTimeout("a response of the server")
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	kind := fetch.Unavailable
	switch k := fetch.KindOf(err); k {
	case fetch.Canceled, fetch.Local:
		kind = k
	}
	return fault(kind, err)
}
