package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each command of the table in OUTPUT.md ends with the status that the table has for a failure that may pass.
func TestTemporaryFailures(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	const mail = "Message-ID: <a@b>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; access-type=url; url=\"URL\"\n\nContent-Type: text/plain; name=a.txt\n\n--b--\n"
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\| (\\S+) \\| (\\S+) \\|$").FindAllStringSubmatch(outputPage(t, "Failures that may pass"), -1)
	if len(rows) < 10 {
		t.Fatalf("got %d rows of the table, want at least 10", len(rows))
	}
	for _, row := range rows {
		for i, column := range []string{"Host", "Path", "Output"} {
			want, err := strconv.Atoi(row[2+i])
			if err != nil {
				continue
			}
			t.Run(row[1]+"/"+column, func(t *testing.T) {
				dir := t.TempDir()
				words := strings.Fields(row[1])
				path := "nowhere"
				if column != "Path" {
					path = "m.eml"
					url := base + "/x"
					if column == "Output" {
						url = "data:,body"
					}
					writeText(t, filepath.Join(dir, path), strings.Replace(mail, "URL", url, 1))
				}
				for _, v := range [][2]string{{"PATH", path}, {"DIR", "dir"}, {"FILE", "file"}, {"HOST", strings.TrimPrefix(base, "http://")}} {
					if at := slices.Index(words, v[0]); at >= 0 {
						words[at] = v[1]
					}
				}
				if column == "Host" {
					words = append(words, flags...)
				}
				cmd := exec.Command(executable(t), words...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME="+dir)
				if column == "Output" {
					full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
					if err != nil {
						t.Skip("no full device: ", err)
					}
					defer full.Close()
					cmd.Stdout = full
				}
				p := startInTerminal(t, cmd)
				if got := p.end(); got != want {
					t.Errorf("got status %d, want %d: %q", got, want, &p.screen)
				}
			})
		}
	}
}
