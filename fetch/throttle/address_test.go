package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// at is a host with an address that answers as next does.
func at(addr string, next behaviour) behaviour {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		limited, stop := driver.Limit(ctx, 15*time.Second, "the connection")
		defer stop()
		if err := dialing.Ask(limited, netip.MustParseAddr(addr)); err != nil {
			return nil, err
		}
		if err := limited.Err(); err != nil {
			return nil, errors.New("the wait counts for the connection")
		}
		return next(ctx, req)
	}
}

// Many names of an address share its places. Neither other addresses nor other domains at
// the address wait for them.
func TestAddress(t *testing.T) {
	for _, c := range []struct {
		name         string
		addr, others func(i int) string
		scale        int
	}{
		{"1x", func(int) string { return "192.0.2.1" }, func(int) string { return "192.0.2.2" }, 1},
		{"4x", func(int) string { return "192.0.2.1" }, func(int) string { return "192.0.2.2" }, 4},
		{"16x", func(int) string { return "192.0.2.1" }, func(int) string { return "192.0.2.2" }, 16},
		{"Mapped", func(int) string { return "::ffff:192.0.2.1" }, func(int) string { return "192.0.2.2" }, 1},
		{"IPv6", func(i int) string { return fmt.Sprintf("2001:db8:0:1::%x", i) }, func(i int) string { return fmt.Sprintf("2001:db8:0:2::%x", i) }, 1},
		{"NAT64", func(int) string { return "64:ff9b::192.0.2.1" }, func(int) string { return "64:ff9b::192.0.2.2" }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWeb(t, map[string]behaviour{
					"other.evil.example": at(c.others(1), answer("ok")), "shared.example": at(c.addr(1), answer("ok")),
				})
				f := throttle.New(w, &throttle.Options{PerHost: 4, Fetches: 128})
				ctx, leave := context.WithCancel(t.Context())
				y := newTally()
				all, hanging := 100*c.scale, 0
				for i := range all {
					host := fmt.Sprintf("a%d.evil.example", i)
					w.set(host, at(c.addr(i), func(ctx context.Context, _ *fetch.Request) (*fetch.Response, error) {
						w.mu.Lock()
						hanging++
						w.mu.Unlock()
						<-ctx.Done()
						return nil, context.Cause(ctx)
					}))
					y.get(ctx, f, "http://"+host+"/")
				}
				time.Sleep(20 * time.Minute)
				w.mu.Lock()
				equal(t, "requests at the address", hanging, 32)
				w.mu.Unlock()
				begun := time.Now()
				for i, host := range []string{"other.evil.example", "shared.example"} {
					if err := get(t.Context(), f, fmt.Sprintf("http://%s/%d", host, i)); err != nil || time.Since(begun) > 0 {
						t.Errorf("%s: got %v after %v, want an answer at once", host, err, time.Since(begun))
					}
				}
				leave()
				y.wg.Wait()
				// Nothing is left of them.
				for i := range 32 {
					w.set(fmt.Sprintf("b%d.shared.example", i), at(c.addr(i), after(time.Second, "ok")))
					y.get(t.Context(), f, fmt.Sprintf("http://b%d.shared.example/", i))
				}
				y.wg.Wait()
				if took := time.Since(begun); took > time.Second {
					t.Errorf("got the next 32 after %v, want them at the same time", took)
				}
			})
		})
	}
}

// A request that waited too long for an address was not sent, and shows nothing of the host.
func TestAddressLate(t *testing.T) {
	for _, c := range []struct {
		name           string
		maxWait, total time.Duration
		want           time.Duration
	}{
		{"MaxWait", 5 * time.Second, 0, 5 * time.Second},
		{"NoWait", -1, 0, 0},
		{"Total", 0, time.Minute, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWeb(t, map[string]behaviour{})
				f := throttle.New(w, &throttle.Options{MaxWait: c.maxWait})
				ctx, leave := context.WithCancel(t.Context())
				y := newTally()
				for i := range 33 {
					host := fmt.Sprintf("a%d.evil.example", i)
					w.set(host, at("192.0.2.1", func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
						if strings.HasPrefix(req.URL.Host, "a32.") {
							t.Error("got the request sent, want it not sent")
						}
						<-ctx.Done()
						return nil, context.Cause(ctx)
					}))
					if i < 32 {
						y.get(ctx, f, "http://"+host+"/")
					}
				}
				synctest.Wait()
				for range 4 {
					begun, req := time.Now(), request("http://a32.evil.example/")
					req.Timeouts.Total = c.total
					_, err := fetch.Do(t.Context(), f, req)
					if fetch.KindOf(err) != fetch.Deferred || !errors.Is(err, throttle.ErrTurn) || time.Since(begun) != c.want {
						t.Errorf("got %v after %v, want it deferred after %v", err, time.Since(begun), c.want)
					}
				}
				leave()
				y.wg.Wait()
			})
		})
	}
}

// A request that waits for an address is not sent while its host wants no requests.
func TestAddressAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{})
		f := throttle.New(w, nil)
		y := newTally()
		for i := range 31 {
			w.set(fmt.Sprintf("a%d.evil.example", i), at("192.0.2.1", after(time.Minute, "ok")))
			y.get(t.Context(), f, fmt.Sprintf("http://a%d.evil.example/", i))
		}
		synctest.Wait()
		begun, asked := time.Now(), 0
		w.set("busy.evil.example", at("192.0.2.1", func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if asked++; asked == 1 {
				return busyFor(5*time.Second)(ctx, req)
			}
			if time.Since(begun) < 5*time.Second {
				t.Errorf("got a request %v after the start, want none for 5 s", time.Since(begun))
			}
			return answer("ok")(ctx, req)
		}))
		y.get(t.Context(), f, "http://busy.evil.example/1")
		y.get(t.Context(), f, "http://busy.evil.example/2")
		y.want(t, "busy.evil.example", map[fetch.Kind]int{0: 2})
	})
}
