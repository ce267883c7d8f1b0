package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// A question is a row of the table of OUTPUT.md.
type question struct {
	text  string
	terms []string
}

// questions returns the rows of the table of questions.
func questions(t *testing.T) (list []question) {
	_, table, _ := strings.Cut(readText(t, "OUTPUT.md"), "### Questions and their terms")
	table, _, _ = strings.Cut(table, "\n#")
	for _, row := range regexp.MustCompile("(?m)^\\| (.*) \\| `(.*)` \\|$").FindAllStringSubmatch(table, -1) {
		q := question{text: row[1]}
		for _, term := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(row[2], -1) {
			q.terms = append(q.terms, strings.Trim(term, "'"))
		}
		list = append(list, q)
	}
	return list
}

// askable makes an archive with an answer to each question, and returns its folder.
func askable(t *testing.T) string {
	t.Helper()
	var changed atomic.Bool // the minutes
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		switch r.URL.Path {
		case "/plan.pdf", "/copy":
			io.WriteString(w, "the plan\n")
		case "/budget.csv":
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, "settlement;5\n")
		case "/minutes":
			if changed.Load() {
				io.WriteString(w, "minutes, second version\n")
			} else {
				io.WriteString(w, "minutes, first version\n")
			}
		case "/film":
			io.WriteString(w, strings.Repeat("f", 1_500_000))
		case "/busy":
			http.Error(w, "later", http.StatusServiceUnavailable)
		case "/secret", "/filelink":
			io.WriteString(w, r.URL.Path)
		case "/gone":
			http.Error(w, "removed", http.StatusGone)
		default:
			http.NotFound(w, r)
		}
	})
	tmp := t.TempDir()
	file := func(path, typ, name string) string {
		return fmt.Sprintf("--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"%s%s\"\r\n\r\nContent-Type: %s; name=%q\r\n\r\n\r\n", base, path, typ, name)
	}
	send := func(box, id, received, from, more string, parts ...string) {
		text := fmt.Sprintf("Received: from a by b; %s\r\nMessage-ID: <%s@corp.example>\r\nFrom: %s\r\n%sMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", received, id, from, more)
		writeText(t, filepath.Join(tmp, box, id+".eml"), text+strings.Join(parts, "")+"--b--\r\n")
	}
	said := func(text string) string { return "--b\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n" }
	const ann, bob, carl, mail = "Ann <ann@corp.example>", "bob@corp.example", "carl@corp.example", "box-of-bob"
	const spring = "Sun, 2 Mar 2025 10:00:00 +0000"
	now := time.Now().Format(time.RFC1123Z)
	send(mail, "plan", spring, ann, "To: "+bob+"\r\nSubject: =?utf-8?q?Pr=C3=BCfung_der_Stra=C3=9Fe?=\r\n", file("/plan.pdf", "application/pdf", "Plan.pdf"))
	send(mail, "eve", "Tue, 31 Dec 2024 23:30:00 +0000", ann, "Bcc: "+bob+"\r\nDate: Thu, 2 Jan 2025 10:00:00 +0000\r\n", file("/budget.csv", "text/csv", "budget.csv"))
	send(mail, "newyear", "Thu, 2 Jan 2025 00:30:00 +0200", carl, "Cc: "+ann+"\r\n", file("/copy", "application/octet-stream", "plan"))
	send(mail, "umlaut", spring, "=?utf-8?q?J=C3=B6rg_M=C3=BCller?= <jm@other.example>", "", file("/minutes", "text/plain", "minutes.txt"))
	send(mail, "reply", spring, bob, "To: "+ann+"\r\nCc: "+carl+"\r\nIn-Reply-To: <plan@corp.example>\r\n", said("we have a Settlement."))
	send("box-of-ann", "gone", spring, bob, "To: "+carl+"\r\nCc: "+carl+"\r\n", file("/gone", "application/vnd.ms-excel", "a.xlsx"))
	send("box-of-ann", "busy", spring, bob, "", file("/busy", "text/plain", "busy.txt"))
	send("box-of-ann", "film", now, bob, "", file("/film", "video/mp4", "film.mp4"))
	send("box-of-ann", "drive", spring, bob, "", said("see https://1drv.ms/u/s!Ar2I_x-9?e=Vm1 for it"))
	send("box-of-ann", "link", now, bob, "", fmt.Sprintf("--b\r\nContent-Type: text/plain\r\nX-Mozilla-Cloud-Part: cloudFile; url=%s/filelink; name=\"b.txt\"\r\n\r\n\r\n", base))
	send("box-of-ann", "secret", now, bob, "", file("/secret", "text/plain", "secret.txt"))
	dir := filepath.Join(tmp, "archive")
	hosts := filepath.Join(tmp, "hosts")
	writeText(t, hosts, "127.0.0.1\n")
	archives(t, exit.Some, "1 given up", append([]string{"sync", filepath.Join(tmp, "box-of-bob"), filepath.Join(tmp, "box-of-ann"), "--to", dir, "--all",
		"--resolve", "hosts", "--hosts", hosts, "--give-up", "1m"}, flags...)...)
	changed.Store(true)
	archives(t, exit.OK, "1 changed", append([]string{"retry", dir, "name=minutes"}, flags...)...)
	archives(t, exit.OK, "", "hold", dir, "message=<reply@corp.example>", "or", "message=<gone@corp.example>", "--reason", "case 7")
	archives(t, exit.OK, "", "hold", dir, "message=<film@corp.example>", "--reason", "case 8")
	archives(t, exit.OK, "", "forget", dir, "name=secret", "--reason", "asked to")
	return dir
}

// TestArchiveQuestions is OP-59: the program answers each question of the table in OUTPUT.md, as asked of an archive with the
// answer and others.
func TestArchiveQuestions(t *testing.T) {
	answers := [][]string{
		{"plan"}, {"eve", "plan"}, {"umlaut"}, {"plan"}, {"plan"}, {"eve"}, {"newyear"}, {"eve", "gone"}, {"busy", "drive", "gone", "secret"},
		{"newyear", "plan"}, {"umlaut"}, {"umlaut"}, {"newyear", "plan"}, {"gone"}, {"busy"}, {"eve", "plan"}, {"reply"}, {"eve", "reply"}, {"film"},
		{"eve", "newyear", "plan", "umlaut"}, {"eve", "film", "link", "newyear", "plan", "umlaut"}, {"umlaut"}, {"gone", "reply"}, {"plan", "reply"}, {"reply"}, {"drive"}, {"link"},
	}
	list := questions(t)
	if len(list) != len(answers) {
		t.Fatalf("got %d questions, want %d", len(list), len(answers))
	}
	dir := askable(t)
	ask := func(terms ...string) (ids []string) {
		t.Helper()
		status, out, said := invoke(t.Context(), "", append([]string{"archive", "search", dir, "--json"}, terms...)...)
		if status != exit.OK {
			t.Errorf("%q: got %d, %s", terms, status, said)
		}
		for line := range strings.Lines(out) {
			var found struct {
				ID string `json:"message_id"`
			}
			must(t, json.Unmarshal([]byte(line), &found))
			id, _, _ := strings.Cut(found.ID, "@")
			ids = append(ids, id[1:])
		}
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	for i, q := range list {
		if got := ask(q.terms...); !slices.Equal(got, answers[i]) {
			t.Errorf("%s (%q): got %q, want %q", q.text, q.terms, got, answers[i])
		}
	}
	for _, none := range []string{"captured-since=2100", "hold=case 9", "thread=<none@corp.example>", "text=settle", "cc=bob@corp.example"} {
		if got := ask(none); got != nil {
			t.Errorf("%s: got %q, want nothing", none, got)
		}
	}
	archives(t, exit.OK, "", "release", dir, "hold=case 7")
	if got := ask("hold=case"); !slices.Equal(got, []string{"film"}) {
		t.Errorf("after a release of what case 7 holds: got %q, want the one of case 8", got)
	}
}

// TestArchiveCaptures is OP-59: search, report, export and restore have the capture that --capture names.
func TestArchiveCaptures(t *testing.T) {
	dir := askable(t)
	const first, second = "minutes, first version\n", "minutes, second version\n"
	for which, want := range map[string][]string{"first": {first}, "latest": {second}, "all": {first, second}, "sent": nil, "2025-06-30": nil, time.Now().AddDate(0, 0, 1).UTC().Format(time.DateOnly): {second}} {
		tmp := t.TempDir()
		mean := []string{"name=minutes", "--capture", which}
		archives(t, exit.OK, "", append([]string{"export", dir, "--as", "load", "-o", filepath.Join(tmp, "load")}, mean...)...)
		archives(t, exit.OK, "", append([]string{"report", dir, "-o", filepath.Join(tmp, "report.html")}, mean...)...)
		_, found := archived(t, append([]string{"search", dir}, mean...)...)
		bodies, err := filepath.Glob(filepath.Join(tmp, "load", "natives", "*.txt"))
		must(t, err)
		var got []string
		for _, path := range bodies {
			got = append(got, readText(t, path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: export: got %q, want %q", which, got, want)
		}
		rows, err := csv.NewReader(strings.NewReader(readText(t, filepath.Join(tmp, "report.csv")))).ReadAll()
		must(t, err)
		column := slices.Index(rows[0], "sha256")
		var sums []string
		for _, row := range rows[1:] {
			sums = append(sums, row[column])
		}
		for _, body := range []string{first, second} {
			sum := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))
			is := slices.Contains(want, body)
			if slices.Contains(sums, sum) != is || strings.Contains(found, sum) != is {
				t.Errorf("%s: got %q in the report, and %s; want %s in it: %v", which, sums, found, sum, is)
			}
		}
		file := filepath.Join(tmp, "m.eml")
		if which == "all" {
			archives(t, exit.Usage, "", append([]string{"restore", dir, "--to", file}, mean...)...)
			continue
		}
		archives(t, exit.OK, "1 message restored", append([]string{"restore", dir, "--to", file}, mean...)...)
		text := readText(t, file)
		for _, body := range []string{first, second} {
			if got := strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(body))); got != slices.Contains(want, body) {
				t.Errorf("%s: restore: got %v of %q, %s", which, got, body, text)
			}
		}
	}
}
