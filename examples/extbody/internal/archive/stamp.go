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
// address. The function waits at most a minute, follows no redirect, and ignores proxies in
// the environment.
func Stamper(url string) func(context.Context, []byte) ([]byte, error) {
	client := &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
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

// stamp gets a time stamp for the head, checks that it is for this digest, and keeps it. A line
// names it.
func (a *Archive) stamp(ctx context.Context, command string, f func(context.Context, []byte) ([]byte, error)) error {
	head := a.Head()
	der, err := f(ctx, head.Digest[:])
	if err == nil {
		err = stamps(der, head.Digest[:])
	}
	if err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	name := fmt.Sprintf("%d-%x.tsr", head.Seq, head.Digest)
	if err := writeFile(filepath.Join(a.stampsDir(), name), der); err != nil {
		return err
	}
	r := &Run{Format: Format, Event: "stamp", Command: command, Stamp: &Stamp{File: name, SHA256: digest(string(der))}}
	if err := a.append(ledger.Entry{Kind: kindRun, Body: r}); err != nil {
		return err
	}
	return a.writeHead()
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
	h, err := stampName(filepath.Base(path))
	if err != nil {
		return h, err
	}
	der, err := readSmall(path)
	if err == nil {
		err = stamps(der, h.Digest[:])
	}
	return h, err
}
