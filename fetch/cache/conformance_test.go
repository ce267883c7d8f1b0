package cache_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// A Cache is a Fetcher like the next one, whatever its store can do.
func TestConformance(t *testing.T) {
	all := stores(t, 64<<20)
	all["Small"], all["Broken"] = cache.Memory(1000), broken{}
	for name, store := range all {
		t.Run(name, func(t *testing.T) {
			web := httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard()})
			fetchtest.Run(t, fetchtest.Harness{
				Fetcher: cache.SetFresh(cache.New(web, store, nil), 0, 0),
				Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
					if obj.Fault == fetchtest.Forbidden {
						return request(t, "http://[::1]/?token=SECRET")
					}
					return request(t, serveObject(t, obj)+"?token=SECRET")
				},
				At:      func(host string) *fetch.Request { return request(t, "http://"+host+"/") },
				Watches: true,
			})
		})
	}
}

// So is one that has everything already and asks no server.
func TestConformanceOfStored(t *testing.T) {
	for name, store := range stores(t, 64<<20) {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t)
			filled := cache.New(w.Inspector, store, nil)
			var objects atomic.Int64
			fetchtest.Run(t, fetchtest.Harness{
				Fetcher: cache.New(fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) {
					return nil, fetch.NotFound
				}), store, nil),
				Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
					switch obj.Fault {
					case fetchtest.Missing:
						return request(t, "http://nowhere.example/?token=SECRET")
					case fetchtest.Good:
						// The port may be one that an earlier server had, whose object is stored.
						req := request(t, fmt.Sprint(serveObject(t, obj), "?object=", objects.Add(1)))
						wantKind(t, filled, req, 0)
						filled.Wait()
						return req
					}
					return nil
				},
			})
		})
	}
}

func serveObject(t *testing.T, obj fetchtest.Object) string {
	return serve(t, func(rw http.ResponseWriter, r *http.Request) {
		half := obj.Body[:len(obj.Body)/2]
		rw.Header().Set("Content-Length", strconv.Itoa(len(obj.Body)))
		switch obj.Fault {
		case fetchtest.Good:
			rw.Write(obj.Body)
		case fetchtest.Missing:
			rw.Header().Del("Content-Length")
			http.NotFound(rw, r)
		case fetchtest.Cut:
			send(rw, half)
			panic(http.ErrAbortHandler)
		case fetchtest.Stalled:
			send(rw, half)
			<-r.Context().Done()
			obj.Left()
		case fetchtest.Mute:
			<-r.Context().Done()
		}
	}) + "/"
}

// A broken store fails whatever it is asked.
type broken struct{}

func (broken) Get(string) (cache.Item, error)          { return nil, net.ErrClosed }
func (broken) Create(int64) (cache.Draft, error)       { return nil, net.ErrClosed }
func (broken) Update(string, cache.Item, []byte) error { return net.ErrClosed }
func (broken) Delete(string) error                     { return net.ErrClosed }
func (broken) Close() error                            { return nil }
