package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/internal/testkit"
)

var since = time.Date(2030, 1, 31, 12, 0, 0, 0, time.UTC)

// Keeping a host changes nothing but the table [agreed], and forgetting it brings the text back.
func TestAgreeing(t *testing.T) {
	const line = "\"cloud.example\" = 2030-01-31\n"
	for _, row := range []struct{ name, text, want string }{
		{"Empty", "", agreedHead + line},
		{"Other", "# mine\njobs = 1\n", "# mine\njobs = 1\n\n" + agreedHead + line},
		{"NoLineEnd", "jobs = 1", "jobs = 1\n\n" + agreedHead + line},
		{"Table", "[agreed]\n\"a.example\" = true\n[get]\njobs = 1\n", "[agreed]\n" + line + "\"a.example\" = true\n[get]\njobs = 1\n"},
		{"TableAlone", "[ agreed ] # x", "[ agreed ] # x\n" + line},
		{"InText", "user-agent = '''\n[agreed]\n'''\n", "user-agent = '''\n[agreed]\n'''\n\n" + agreedHead + line},
		{"There", "[agreed]\n\"CLOUD.example\" = true\n", "[agreed]\n\"CLOUD.example\" = true\n"},
		{"CRLF", "[agreed]\r\n\"a.example\" = true\r\n", "[agreed]\r\n" + line + "\"a.example\" = true\r\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc, err := parse("f", []byte(row.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := doc.agreeing(row.text, []string{"https://cloud.example"}, since); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestWays: a line without a scheme is for encrypted ways alone, also one of an earlier release, and forgetting a host
// forgets it for every way (OP-57).
func TestWays(t *testing.T) {
	const text = "[agreed]\n\"a.example\" = 2030-01-31\n\"http://a.example\" = true\n\"ftps://b.example\" = true\n"
	doc, err := parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range doc.agreed {
		got = append(got, a.host)
	}
	if want := []string{"https://a.example", "http://a.example", "https://b.example"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, row := range []struct {
		forget string
		want   int // lines that stay
	}{{"a.example", 2}, {"http://a.example", 3}, {"b.example", 3}, {"ftps://b.example", 3}, {"http://b.example", 4}} {
		var gone flagvalue.Hosts
		if err := gone.Add(row.forget, ""); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(doc.forgetting(text, gone), "\n"); n != row.want {
			t.Errorf("%s: got %d lines, want %d", row.forget, n, row.want)
		}
	}
	if added := doc.agreeing(text, []string{"ftp://a.example"}, since); !strings.Contains(added, "\"ftp://a.example\" = 2030-01-31\n") {
		t.Errorf("got %q, want a line for ftp", added)
	}
}

// FuzzAgreeing wants a text that was parsed to have the same settings and hosts after a host was
// kept and forgotten, and one host more between these.
func FuzzAgreeing(f *testing.F) {
	f.Add("jobs = 1\n[agreed] # x\n\"a.example\" = true\n[get]\njson = true", "b.example")
	f.Add("\ufeff[agreed]\r\na = 2030-01-01\r\n", "a.b")
	f.Add("a = '''\n[agreed]\n'''\nagreed.\"c\" = true", "c:80")
	f.Fuzz(func(t *testing.T, text, name string) {
		var host flagvalue.Hosts
		if host.Add(name, "") != nil || name == "" {
			return
		}
		before, err := parse("f", []byte(text))
		key := host.String()
		if !strings.Contains(key, "://") {
			key = flagvalue.Way("https", key)
		}
		if err != nil || slices.ContainsFunc(before.agreed, func(a agreement) bool { return a.isOne(host) }) {
			return
		}
		added := before.agreeing(text, []string{key}, since)
		during, err := parse("f", []byte(added))
		if err != nil {
			if before.table > 0 || len(before.agreed) == 0 {
				t.Fatalf("got %v for %q, want settings", err, added)
			}
			return // agreed.HOST at the top, without an [agreed]
		}
		after, err := parse("f", []byte(during.forgetting(added, host)))
		if err != nil || !during.has(key) || len(during.agreed) != len(before.agreed)+1 || len(after.agreed) != len(before.agreed) {
			t.Fatalf("got %d, %d and %d hosts, %v, want one more and the same: %q", len(before.agreed), len(during.agreed), len(after.agreed), err, added)
		}
		for i, s := range after.settings {
			if b := before.settings[i]; b.command != s.command || b.flag != s.flag || !slices.Equal(b.values, s.values) {
				t.Errorf("got the setting %v, want %v", s, b)
			}
		}
	})
}

// A file that is a symbolic link stays one, and a file of others is not written.
func TestEdit(t *testing.T) {
	home := testkit.PrivateDir(t)
	file, real := filepath.Join(home, "config", "extbody", "config.toml"), filepath.Join(home, "dotfiles", "c.toml")
	s := &Settings{file: file}
	if err := s.agreeTo("https://a.example", "https://b.example:8443"); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(filepath.Dir(real), 0o700))
	must(os.Rename(file, real))
	if err := os.Symlink("../../dotfiles/c.toml", file); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	must(s.agreeTo("http://c.example"))
	must(s.Forget(flagvalue.Hosts{"a.example": ""}))
	if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("got %v, %v, want the link", info, err)
	}
	text, err := os.ReadFile(real)
	must(err)
	if got := string(text); strings.Contains(got, "a.example") || !strings.Contains(got, "b.example:8443") || !strings.Contains(got, "\"http://c.example\" =") || strings.Count(got, agreedTable) != 1 {
		t.Errorf("got %q, want two hosts in one table", got)
	}
	if err := s.Forget(flagvalue.Hosts{"a.example": "", "b.example:8443": ""}); err == nil || !s.has("https://b.example:8443") {
		t.Errorf("got %v, want an error about a.example, and nothing forgotten", err)
	}
	if _, others, _ := resolve(file); others != "" {
		t.Errorf("got that others may write %s, want not", others)
	}
	must(os.Chmod(filepath.Dir(real), 0o777))
	if _, others, _ := resolve(file); others == "" {
		return // this system has no modes
	}
	if err := s.agreeTo("https://d.example"); err == nil || !strings.Contains(err.Error(), "dotfiles") {
		t.Errorf("got %v, want that others may write the folder", err)
	}
}
