//go:build linux

package fleet_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestForget has a tier forget a URL, a body and a message, and looks for them in every table and
// in the bucket.
func TestForget(t *testing.T) {
	t.Parallel()
	begun := time.Now().Add(-time.Second) // the clocks are one
	db := postgres(t)
	dir := strings.TrimPrefix(db.objects, "file://")
	s := newSite(t)
	allowed := ports(s.Server)
	tier := db.open(t)
	stop := worker(t, tier, "one", allowed)
	f := client(t, tier, allowed)
	for _, path := range []string{"/kept", "/url", "/body"} {
		must(t, get(t.Context(), f, s.URL+path))
	}
	private, _ := url.Parse(s.URL + "/private")
	resp, err := f.Fetch(t.Context(), &fetch.Request{URL: private})
	must(t, err)
	stop() // a worker removes the body once it is closed
	must(t, resp.Body.Close())
	c := fleet.NewClient(tier)
	sum := func(path string) []byte { b := sha256.Sum256(bodyOf(path)); return b[:] }
	for _, path := range []string{"/kept", "/body"} {
		must(t, c.SetOutcome(t.Context(), hex.EncodeToString(sum(path)), "1", []byte(`{"scan":"clean"}`)))
		for _, id := range []string{"<a@x>", "<b@x>", ""} {
			if !c.Find([]string{hex.EncodeToString(sum(path))}, fleet.Finding{Server: "mx", QueueID: path, MessageID: id}) {
				t.Fatal("got no room for a finding, want it")
			}
		}
	}
	c.Close()
	files := func() (n int) {
		filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				n++
			}
			return err
		})
		return n
	}
	if n := files(); n != 4 {
		t.Fatalf("got %d objects, want 4", n)
	}
	for _, tt := range []struct {
		name  string
		what  fleet.Selection
		want  fleet.Forgotten
		files int
	}{
		{"URL", fleet.Selection{URLs: []string{s.URL + "/url#part"}}, fleet.Forgotten{Answers: 1, Jobs: 1, Bodies: 1}, 3},
		{"not stored", fleet.Selection{URLs: []string{s.URL + "/private"}}, fleet.Forgotten{Jobs: 1, Bodies: 1}, 2},
		{"message", fleet.Selection{Messages: []string{"<a@x>", ""}}, fleet.Forgotten{Findings: 2}, 2},
		{"body", fleet.Selection{Bodies: [][]byte{sum("/body")}}, fleet.Forgotten{Answers: 1, Jobs: 1, Bodies: 1, Findings: 2}, 1},
		{"again", fleet.Selection{URLs: []string{s.URL + "/url"}, Bodies: [][]byte{sum("/body")}}, fleet.Forgotten{}, 1},
	} {
		got, err := tier.Forget(t.Context(), &tt.what)
		if err != nil || *got != tt.want {
			t.Errorf("%s: got %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
		if n := files(); n != tt.files {
			t.Errorf("%s: got %d objects after it, want %d", tt.name, n, tt.files)
		}
	}
	// Nothing of them is left in any table, and the rows that were not selected are
	// there.
	conn := db.connect(t)
	var dump bytes.Buffer
	for _, table := range []string{"fleet_jobs", "fleet_entries", "fleet_objects", "fleet_scans", "fleet_findings"} {
		if _, err := conn.PgConn().CopyTo(t.Context(), &dump, "COPY "+table+" TO STDOUT"); err != nil {
			t.Fatal(err)
		}
	}
	text := dump.String()
	for _, path := range []string{"/url", "/private", "/body"} {
		if strings.Contains(text, s.URL+path) || strings.Contains(text, hex.EncodeToString(sum(path))) {
			t.Errorf("%s: got it in the database after it was forgotten, want nothing of it\n%s", path, text)
		}
	}
	if found, err := tier.Who(t.Context(), sum("/kept")); err != nil || len(found) != 2 || found[0].Server != "mx" || found[0].Found.Before(begun) {
		t.Errorf("got %+v, %v, want the findings of the other messages", found, err)
	}
	if err := get(t.Context(), f, s.URL+"/kept"); err != nil {
		t.Error(err)
	}
	if n := len(s.asked()); n != 4 {
		t.Errorf("got %d requests, want 4: what was not forgotten is stored", n)
	}
}

// A body that several URLs led to stays for the others.
func TestForgetShared(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	tier := db.open(t)
	worker(t, tier, "one", allowed)
	f := client(t, tier, allowed)
	for _, query := range []string{"?1", "?2"} { // one body
		must(t, get(t.Context(), f, s.URL+"/a"+query))
	}
	got, err := tier.Forget(t.Context(), &fleet.Selection{URLs: []string{s.URL + "/a?1"}})
	if want := (fleet.Forgotten{Answers: 1, Jobs: 1}); err != nil || *got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if err := get(t.Context(), f, s.URL+"/a?2"); err != nil {
		t.Error(err)
	}
}

// A tier of each earlier version becomes one of the present version, with its secret, and a newer
// one is not touched.
func TestVersions(t *testing.T) {
	t.Parallel()
	db := daemons.StartPostgres(t)
	schema, err := os.ReadFile("schema.sql")
	must(t, err)
	versions := strings.Split(string(schema), "\n-- Version ")
	for n := 1; n <= len(versions); n++ {
		at := db.URL + "&search_path=v" + strconv.Itoa(n)
		conn, err := pgx.Connect(t.Context(), at)
		must(t, err)
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), fmt.Sprintf("CREATE SCHEMA v%d; %s; INSERT INTO fleet_tier (version, secret) VALUES (%[1]d, 'x')", n, strings.Join(versions[:n], "\n-- "))); err != nil {
			t.Fatalf("version %d: %v", n, err)
		}
		for range 2 {
			if err := fleet.Init(t.Context(), at); err != nil {
				t.Fatalf("version %d: %v", n, err)
			}
		}
		var v int
		var secret string
		err = conn.QueryRow(t.Context(), `SELECT version, convert_from(secret, 'UTF8') FROM fleet_tier`).Scan(&v, &secret)
		if err != nil || v != len(versions) || secret != "x" {
			t.Errorf("version %d: got version %d with the secret %q, %v, want %d with the secret of before", n, v, secret, err, len(versions))
		}
		if _, err := conn.Exec(t.Context(), `UPDATE fleet_tier SET version = 1000`); err != nil {
			t.Fatal(err)
		}
		if err := fleet.Init(t.Context(), at); err == nil {
			t.Errorf("version %d: got no error for a tier of a newer program, want one", n)
		}
	}
}
