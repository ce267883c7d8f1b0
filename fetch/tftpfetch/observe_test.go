package tftpfetch

import (
	"slices"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

func TestObserve(t *testing.T) {
	for _, row := range []struct {
		name   string
		script func(*session)
		kind   fetch.Kind
		status int
		want   []string
	}{
		{"Good", func(s *session) {
			s.oack("blksize", s.option("blksize"), "tsize", "5")
			if s.ack(0) {
				s.blocks("hello", 1428)
			}
		}, 0, 0, []string{"> RRQ file octet blksize 1428 tsize 0", "< OACK tsize 5"}},
		{"Missing", func(s *session) { s.fail(notFound, "no such file") }, fetch.NotFound, notFound,
			[]string{"> RRQ file octet blksize 1428 tsize 0", "< ERROR 1 no such file"}},
		{"Options", func(s *session) {
			if s.option("blksize") != "" {
				s.fail(badOptions, "")
				return
			}
			s.blocks("hello", 512)
		}, 0, badOptions, []string{"> RRQ file octet blksize 1428 tsize 0", "< ERROR 8 ", "> RRQ file octet"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			req := &fetch.Request{URL: urlOf(t, fake(t, row.script), "/file")}
			var seen []*fetch.Exchange
			req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
			_, _, err := get(t.Context(), quick(), req)
			if fetch.KindOf(err) != row.kind || len(seen) != 1 {
				t.Fatalf("got %d exchanges, %v, want 1, %v", len(seen), err, row.kind)
			}
			x := seen[0]
			var lines []string
			for _, l := range x.Dialogue {
				mark := "< "
				if l.Sent {
					mark = "> "
				}
				lines = append(lines, mark+string(l.Text))
			}
			if !slices.Equal(lines, row.want) {
				t.Errorf("got %q, want %q", lines, row.want)
			}
			got := []any{x.Protocol, x.URL, x.Kind, x.Status, x.Remote.IsValid(), x.Content != nil}
			if want := []any{"tftp", req.URL.String(), row.kind, row.status, true, row.kind == 0}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
