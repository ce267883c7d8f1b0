package inspect

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A body whose host counts the downloads is fetched once for all who ask for it, and again
// after an hour. What failed, is too large or is no such body is not kept.
func TestKeeper(t *testing.T) {
	const counted, other = "https://we.tl/t-AbC9", "https://a.example/f"
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		gets := make(map[string]int)
		fail := error(nil)
		dir := t.TempDir()
		k := NewKeeper(fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			gets[req.URL.String()]++
			if fail != nil {
				return nil, fail
			}
			return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: 5, Body: io.NopCloser(strings.NewReader("hello"))}, nil
		}), dir)
		ask := func(link string, most int64) (string, error) {
			u, err := url.Parse(link)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := fetch.Do(t.Context(), k, &fetch.Request{URL: u, MaxBytes: most})
			if err != nil {
				return "", err
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			return string(body), err
		}
		check := func(when, link string, want int) {
			t.Helper()
			if body, err := ask(link, 0); err != nil || body != "hello" {
				t.Errorf("%s: got %q, %v, want hello", when, body, err)
			}
			if gets[link] != want {
				t.Errorf("%s: got %d GETs of %s, want %d", when, gets[link], link, want)
			}
		}
		fail = &fetch.Error{Kind: fetch.NotFound}
		if _, err := ask(counted, 0); !errors.Is(err, fetch.NotFound) {
			t.Errorf("gone: got %v, want %v", err, fetch.NotFound)
		}
		fail = nil
		if _, err := ask(counted, 4); !errors.Is(err, fetch.TooLarge) {
			t.Errorf("too large: got %v, want %v", err, fetch.TooLarge)
		}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if body, err := ask(counted, 0); err != nil || body != "hello" {
					t.Errorf("at once: got %q, %v, want hello", body, err)
				}
			})
		}
		wg.Wait()
		check("after ten at once", counted, 3)
		time.Sleep(50 * time.Minute)
		check("after 50 minutes", counted, 3)
		time.Sleep(50 * time.Minute)
		check("after another 50 minutes", counted, 3)
		time.Sleep(70 * time.Minute)
		check("something else", other, 1)
		check("after 70 minutes", counted, 4)
		check("not counted", other, 2)
		fail = &fetch.Error{Kind: fetch.NotFound}
		for i := range 1000 {
			ask(counted+strconv.Itoa(i), 0)
		}
		if got := len(k.kept); got != 1 {
			t.Errorf("after 1000 failures: got %d bodies, want 1", got)
		}
		fail = nil
		for i := range 1000 {
			ask(counted+strconv.Itoa(i), 0)
		}
		if got := len(k.kept); got != keepBodies || got != k.bodies {
			t.Errorf("after 1000 bodies: got %d and %d of them, want %d", got, k.bodies, keepBodies)
		}
		k.Close()
		if k.bodies != 0 || len(k.kept) != 0 || k.octets != 0 {
			t.Errorf("after Close: got %d bodies, %d octets, want none", len(k.kept), k.octets)
		}
	})
}
