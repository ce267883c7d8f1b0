package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSecretsOfOwnHosts has share links at a host that only --share-hosts makes one, whose
// server puts the token wherever it can. Nothing that the program prints has it.
func TestSecretsOfOwnHosts(t *testing.T) {
	const token = "AbCdEf0123456789xYz"
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", `"`+token+`"`)
		h.Set("X-Id", token)
		h.Set("Content-Type", "text/plain; id="+token)
		h.Set("Content-Disposition", "attachment; filename="+token+".txt")
		switch {
		case strings.Contains(r.URL.Path, "moved"):
			http.Redirect(w, r, "/s/"+token+"/file", http.StatusFound)
		case strings.Contains(r.URL.Path, "gone"):
			http.Error(w, token, http.StatusNotFound)
		default:
			fmt.Fprint(w, "hello")
		}
	})
	host := strings.TrimPrefix(base, "http://")
	_, port, _ := strings.Cut(host, ":")
	own := filepath.Join(t.TempDir(), "hosts")
	writeText(t, own, host+"\t/s/{token}\tfile\t"+base+"/s/{token}/file\n"+host+"\t/s/{token}/{name}\tfile\t"+base+"/s/{token}/{name}\n")
	flags = append(flags, "--share-hosts", own)
	part := "Content-Type: message/external-body; access-type=url; url=%q\nContent-Transfer-Encoding: 7bit\n\nContent-Type: %s\nContent-ID: <1@a>\n\n"
	for name, message := range map[string]string{
		"Part":     fmt.Sprintf(part, base+"/s/"+token, "text/plain"),
		"Type":     fmt.Sprintf(part, base+"/s/"+token, "image/png"),
		"Moved":    fmt.Sprintf(part, base+"/s/"+token+"/moved", "text/plain"),
		"Gone":     fmt.Sprintf(part, base+"/s/"+token+"/gone", "text/plain"),
		"Wrapped":  fmt.Sprintf(part, base+"/go/"+base+"/s/"+token, "text/plain"),
		"XHTTP":    strings.Replace(fmt.Sprintf(part, "x", "text/plain"), `url; url="x"`, `x-http; host="127.0.0.1"; port="`+port+`"; path="/s/`+token+`"`, 1),
		"XHTTPBad": strings.Replace(fmt.Sprintf(part, "x", "text/plain"), `url; url="x"`, `x-http; host="`+host+`"; port=x; path="/s/`+token+`"`, 1),
		"Link":     "Content-Type: text/html\n\n<a href=" + base + "/s/" + token + ">" + token + "</a>\n",
		"LinkText": "Content-Type: text/plain\n\n" + base + "/s/" + token + "\n",
	} {
		mail := filepath.Join(t.TempDir(), name+".eml")
		writeText(t, mail, "From: a@a.example\nSubject: a\n"+message)
		for _, args := range [][]string{
			{"list"}, {"list", "--json"}, {"get", "--dry-run"}, {"get", "--dry-run", "--json"},
			{"get"}, {"get", "--json"}, {"get", "--trace"}, {"get", "--trace", "--json"}, {"get", "--strict"}, {"check", "--json"},
			{"inline", "-o", os.DevNull},
		} {
			all := slices.Clone(args)
			if args[0] != "list" {
				all = append(all, flags[:4]...)
			}
			all = append(all, flags[4:]...)
			if args[0] == "get" && !slices.Contains(args, "--dry-run") {
				all = append(all, "-o", t.TempDir())
			}
			status, stdout, stderr := invoke(t.Context(), "", append(all, mail)...)
			out := strings.ToLower(stdout + stderr)
			if status == 2 || strings.Contains(out, strings.ToLower(token)) {
				t.Errorf("%s %s: status %d, got the token in\n%s%s", name, args, status, stdout, stderr)
			}
		}
	}
}
