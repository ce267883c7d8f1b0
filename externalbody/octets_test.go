package externalbody_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestOctets: pieces that goroutines hash while others are read and written stay whole and
// in order, whatever the sizes of reads and writes, with several bodies at a time.
func TestOctets(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const chunk = 64 << 10
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		var all sync.WaitGroup
		for i, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 1, 5*chunk + 7, 12*chunk + 3} {
			for _, encoding := range []string{"", "base64", "quoted-printable"} {
				for j, read := range []func(io.Reader) io.Reader{
					func(r io.Reader) io.Reader { return r },
					iotest.HalfReader,
					iotest.DataErrReader,
					func(r io.Reader) io.Reader {
						return &uneven{r, rand.New(rand.NewPCG(uint64(i), uint64(size)))}
					},
				} {
					if encoding != "" && j == 1 {
						continue
					}
					name := fmt.Sprintf("%d octets, %q, reader %d, %d processors", size, encoding, j, procs)
					want := make([]byte, size)
					rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
					for k := range want {
						want[k] = byte(rng.Uint32())
					}
					ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/x"`, "Content-Type: image/gif\nContent-MD5: "+md5sum(string(want))+"\nContent-Transfer-Encoding: "+encoding+"\n")
					text := encoded(want, encoding)
					r := &externalbody.Resolver{Fetcher: fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
						return &fetch.Response{URL: req.URL, MediaType: "image/gif", Size: int64(len(text)), Body: io.NopCloser(read(bytes.NewReader(text)))}, nil
					})}
					all.Go(func() {
						for _, whole := range []bool{true, false} {
							b, err := r.Resolve(context.Background(), ref)
							if err != nil {
								t.Errorf("%s: %v", name, err)
								return
							}
							var got bytes.Buffer
							if whole {
								_, err = b.WriteTo(&got)
							} else {
								_, err = io.Copy(&got, &uneven{b, rand.New(rand.NewPCG(uint64(size), 1))})
							}
							b.Close()
							if sum := sha256.Sum256(want); err != nil || !bytes.Equal(got.Bytes(), want) || !bytes.Equal(b.Report().SHA256, sum[:]) {
								t.Errorf("%s, whole %v: got %d octets, %v, want the body and its digest", name, whole, got.Len(), err)
							}
						}
					})
				}
			}
		}
		all.Wait()
	}
}

// encoded returns octets in a transfer encoding.
func encoded(b []byte, encoding string) []byte {
	switch encoding {
	case "base64":
		text := base64.StdEncoding.EncodeToString(b)
		var lines strings.Builder
		for len(text) > 76 {
			lines.WriteString(text[:76] + "\r\n")
			text = text[76:]
		}
		return []byte(lines.String() + text + "\r\n")
	case "quoted-printable":
		var q bytes.Buffer
		w := quotedprintable.NewWriter(&q)
		w.Binary = true
		w.Write(b)
		w.Close()
		return q.Bytes()
	}
	return b
}

// An uneven reader returns pieces of many sizes.
type uneven struct {
	r   io.Reader
	rng *rand.Rand
}

func (u *uneven) Read(p []byte) (int, error) {
	n := 1 + u.rng.IntN(max(1, min(len(p), 1<<u.rng.IntN(18))))
	return u.r.Read(p[:min(n, len(p))])
}
