package cache

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

type partitionKey struct{}

// WithPartition returns a context for fetches that share stored answers, and fetches in
// progress, only with fetches of the same partition, such as the name of a mailbox.
// Otherwise the time of an answer, or the absence of a request at the server, would show
// one mailbox that another one has the same link. Without it the partition is "".
func WithPartition(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, partitionKey{}, name)
}

// Partition returns the name that WithPartition gave to ctx, or "".
func Partition(ctx context.Context) string {
	name, _ := ctx.Value(partitionKey{}).(string)
	return name
}

// serves reports whether answers to req are cached at all.
func serves(req *fetch.Request) bool {
	if req.Conditions != nil || req.Listing {
		return false
	}
	return isHTTP(req) || isFTP(req)
}

func isHTTP(req *fetch.Request) bool {
	s := strings.ToLower(req.URL.Scheme)
	return s == "http" || s == "https"
}

func isFTP(req *fetch.Request) bool {
	s := strings.ToLower(req.URL.Scheme)
	return s == "ftp" || s == "ftps"
}

// key returns the key of the answers that serve req. Each part has its length in front, so
// that no two lists have the same key.
func key(ctx context.Context, req *fetch.Request) string {
	b := []byte{2, byte(req.Login), bit(req.Cookies) << 1}
	mediaType, _, _ := strings.Cut(req.MediaType, ";")
	for _, part := range [...]string{
		Partition(ctx),
		exactURL(req),
		strings.ToLower(strings.TrimSpace(mediaType)),
		strings.ToLower(req.TransferType),
	} {
		b = appendPart(b, part)
	}
	for _, part := range req.Accept {
		b = appendPart(b, strings.ToLower(part))
	}
	return string(b)
}

func appendPart(b []byte, part string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

// digest returns the SHA-256 of a key, for tables: a key may be as long as a URL.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}

// flightKey returns the key of the flights that serve req: the key of an answer and the
// limits of the fetch.
func flightKey(key string, req *fetch.Request) string {
	t := req.Timeouts
	b := append(make([]byte, 0, len(key)+8*binary.MaxVarintLen64), key...)
	for _, n := range [...]int64{int64(req.MaxRedirects), int64(t.Connect), int64(t.TLS), int64(t.FirstOctet), int64(t.Stall), int64(t.Total), t.LowSpeed, int64(t.LowSpeedTime)} {
		b = binary.AppendVarint(b, n)
	}
	return string(b)
}

// exactURL returns the URL without its fragment, as it is sent. Fetchers for these schemes
// ignore [fetch.Request].Text.
func exactURL(req *fetch.Request) string {
	u := *req.URL
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
