package archive_test

import (
	"net/http"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TestFrequent is OP-59: a run has its most frequent exceptions, with an example of each.
func TestFrequent(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path[1:2] {
		case "g":
			w.WriteHeader(http.StatusGone)
		case "b":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	box, dir := inbox(t, s.URL+"/b", s.URL+"/g1", s.URL+"/n1", s.URL+"/n2", s.URL+"/n3", s.URL+"/g2")
	list := run(t, dir, options(box)).Frequent(2)
	if len(list) != 2 || list[0].Kind != fetch.NotFound || list[0].Count != 3 || list[1].Kind != fetch.Gone || list[1].Count != 2 || list[1].Due != 0 {
		t.Fatalf("got %+v, want three that are not found and two that are gone", list)
	}
	if list[0].Ref == nil || list[0].Err == nil {
		t.Errorf("got %+v, want an example", list[0])
	}
	if list := run(t, dir, options(box)).Frequent(3); len(list) != 0 {
		t.Errorf("the next night: got %+v, want none", list)
	}
}
