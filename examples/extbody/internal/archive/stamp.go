package archive

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"github.com/digitorus/timestamp"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// maxStamp bounds the answer of an authority, in octets.
const maxStamp = 1 << 20

// Stamper returns a function for SyncOptions.Stamp that asks the time-stamp authority at
// a URL (RFC 3161 section 3.4). The user names the authority, so no guard judges its
// address. If client is nil, a client is used that waits at most a minute, follows no
// redirect, and ignores proxies in the environment.
func Stamper(url string, client *http.Client) func(context.Context, []byte) ([]byte, error) {
	if client == nil {
		client = &http.Client{
			Timeout:       time.Minute,
			Transport:     &http.Transport{DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return func(ctx context.Context, digest []byte) ([]byte, error) {
		query := timestamp.Request{HashAlgorithm: crypto.SHA256, HashedMessage: digest, Certificates: true}
		der, err := query.Marshal()
		if err != nil {
			return nil, err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(der))
		if err != nil {
			return nil, errors.New("the URL of the time-stamp authority cannot be read")
		}
		req.Header.Set("Content-Type", "application/timestamp-query")
		resp, err := client.Do(req)
		if err != nil {
			return nil, errors.New("the time-stamp authority does not answer")
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the time-stamp authority answers %d", resp.StatusCode)
		}
		return io.ReadAll(io.LimitReader(resp.Body, maxStamp))
	}
}

// stamp gets a time stamp for the head, checks that it is for this digest, and keeps it.
func (a *Archive) stamp(ctx context.Context, f func(context.Context, []byte) ([]byte, error)) error {
	head := a.Head()
	der, err := f(ctx, head.Digest[:])
	if err == nil {
		err = stamps(der, head.Digest[:])
	}
	if err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	return writeFile(filepath.Join(a.dir, "stamps", fmt.Sprintf("%d-%x.tsr", head.Seq, head.Digest)), der)
}

var errStamp = errors.New("it stamps another digest")

// stamps returns an error if a response is not a time stamp for the digest. It does not
// check whether the authority is to be trusted. openssl ts can do that.
func stamps(der, digest []byte) error {
	t, err := timestamp.ParseResponse(der)
	if err != nil {
		return fmt.Errorf("the answer is not a time stamp: %w", err)
	}
	if t.HashAlgorithm != crypto.SHA256 || !bytes.Equal(t.HashedMessage, digest) {
		return errStamp
	}
	return nil
}

// stampHead returns the head in the name of the file of a stamp. It returns an error if
// the stamp is for another digest.
func stampHead(path string) (ledger.Head, error) {
	var seq int64
	var digest string
	if n, err := fmt.Sscanf(filepath.Base(path), "%d-%64s", &seq, &digest); n != 2 || err != nil {
		return ledger.Head{}, errors.New("is no time stamp")
	}
	h, err := ledger.ParseHead(fmt.Sprintf("%d %s", seq, digest))
	if err != nil {
		return h, err
	}
	der, err := readSmall(path)
	if err != nil {
		return h, err
	}
	return h, stamps(der, h.Digest[:])
}
