package archive_test

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
)

// tools skips a test if a program is missing.
func tools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// shellPage returns the commands in the README.txt of an archive.
func shellPage(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "README.txt"))
	must(t, err)
	var b strings.Builder
	_, commands, _ := strings.Cut(string(text), "openssl:\n")
	for line := range strings.Lines(commands) {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// shell runs a page in a folder, if there is all that it needs.
func shell(t *testing.T, dir, page string) string {
	tools(t, "sh", "python3", "sha256sum", "jq", "zcat", "openssl", "diff")
	cmd := exec.Command("sh", "-c", page)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	t.Logf("%v\n%s", err, out)
	return string(out)
}

// TestShell proves an archive with the tools of any system, as its README.txt says, and wants the page to find
// changed octets.
func TestShell(t *testing.T) {
	dir, _, s := filled(t, 5)
	page := shellPage(t, dir)
	v := clean(t, dir)
	want := []string{v.Head.String() + "\n" + v.Head.String() + "\n", "objects agree\n", "nothing is lost, ", "\n6\n5\n1\n",
		`"message_id":"<`, `"url":"` + s.URL, "WARC-Type: request\r\n", "GET /", "WARC-Type: revisit\r\n", "HTTP/1.1 200 OK"}
	out := shell(t, dir, page)
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("got %q, want %q in it", out, w)
		}
	}
	if strings.Contains(out, "changed") {
		t.Errorf("got %q, want nothing changed", out)
	}
	// A forgotten object is not lost, and not when a retry asked for it again.
	gone := copied(t, dir)
	forget(t, gone, "url="+s.URL+"/1")
	if out := shell(t, gone, page); !strings.Contains(out, "nothing is lost, ") || !strings.Contains(out, " was forgotten\n") || strings.Contains(out, "was changed") {
		t.Errorf("forgotten: got %q, want nothing lost or changed, and the exchange forgotten", out)
	}
	retry(t, gone, "url="+s.URL+"/1")
	if out := shell(t, gone, page); !strings.Contains(out, "nothing is lost, ") {
		t.Errorf("captured again: got %q, want nothing lost", out)
	}
	bad := copied(t, dir)
	put(t, object(bad, objects(t, bad)[0]), "another text")
	path := mustGlob(t, bad, "ledger/*")[0]
	text, err := os.ReadFile(path)
	must(t, err)
	put(t, path, strings.Replace(string(text), `"size":`, `"size":1`, 1))
	warc := mustGlob(t, bad, "exchanges/*")[0]
	octets, err := os.ReadFile(warc)
	must(t, err)
	octets[len(octets)/2] ^= 1
	put(t, warc, string(octets))
	out = shell(t, bad, page)
	for _, w := range []string{"does not follow", "FAILED", " was changed\n"} {
		if !strings.Contains(out, w) {
			t.Errorf("damaged: got %q, want %q in it", out, w)
		}
	}
}

// TestWarcio gives the exchanges and the export to a foreign reader.
func TestWarcio(t *testing.T) {
	command := []string{"warcio"}
	if path := os.Getenv("EXTBODY_WARCIO"); path != "" {
		command = []string{"node", path}
	}
	tools(t, command[0])
	dir, _, _ := filled(t, 5)
	a := read(t, dir)
	whole := filepath.Join(t.TempDir(), "whole.warc.gz")
	if _, err := a.Export(t.Context(), whole, &archive.ExportOptions{As: "warc"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(mustGlob(t, dir, "exchanges/*"), whole) {
		var kinds []string
		f, err := os.Open(path)
		must(t, err)
		defer f.Close()
		for r := warc.NewReader(f, 1<<20); ; {
			rec, _, err := r.Next()
			if err == io.EOF {
				break
			}
			must(t, err)
			kinds = append(kinds, rec.Type)
		}
		args := append(command[1:], "index", path, "--fields", "warc-type,offset")
		cmd := exec.Command(command[0], args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || errs.Len() > 0 {
			t.Fatalf("%s: got error %v, %s; want none", filepath.Base(path), err, errs.String())
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			_, rest, _ := strings.Cut(line, `"warc-type":"`)
			kind, _, _ := strings.Cut(rest, `"`)
			got = append(got, kind)
		}
		if fmt.Sprint(got) != fmt.Sprint(kinds) {
			t.Errorf("%s: got %v, want %v", filepath.Base(path), got, kinds)
		}
	}
}

// TestStamp has the head stamped by an authority of openssl, which says then that the
// stamp is one of the head.
func TestStamp(t *testing.T) {
	tools(t, "openssl")
	tsa := t.TempDir()
	openssl := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command("openssl", args...)
		cmd.Dir = tsa
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("openssl %v: got error %v, want none: %s", args, err, out)
		}
		return out
	}
	put(t, filepath.Join(tsa, "serial"), "01\n")
	put(t, filepath.Join(tsa, "tsa.cnf"), `[req]
distinguished_name = dn
prompt = no
x509_extensions = ext
[dn]
CN = a time-stamp authority
[ext]
basicConstraints = critical,CA:TRUE
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = one
[one]
serial = serial
crypto_device = builtin
signer_cert = cert.pem
signer_key = key.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`)
	openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-config", "tsa.cnf", "-keyout", "key.pem", "-out", "cert.pem")
	authority := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, _ := io.ReadAll(r.Body)
		os.WriteFile(filepath.Join(tsa, "query"), query, 0o600)
		cmd := exec.Command("openssl", "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "reply")
		cmd.Dir = tsa
		if out, err := cmd.CombinedOutput(); err != nil {
			http.Error(w, string(out), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		http.ServeFile(w, r, filepath.Join(tsa, "reply"))
	}))
	t.Cleanup(authority.Close)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", "Subject: x\r\n\r\nx\r\n")
	o := options(box)
	o.Stamp = archive.Stamper(authority.URL)
	run(t, dir, o)
	v := clean(t, dir)
	if v.Stamps != 1 {
		t.Errorf("got %d stamps, want 1", v.Stamps)
	}
	stamp := mustGlob(t, dir, "stamps/*.tsr")[0]
	_, sum, _ := strings.Cut(strings.TrimSuffix(filepath.Base(stamp), ".tsr"), "-") // of the end of the run
	out := openssl("ts", "-verify", "-digest", sum, "-in", stamp, "-CAfile", "cert.pem")
	if !strings.Contains(string(out), "Verification: OK") {
		t.Errorf("openssl: got %s, want that it verifies", out)
	}
	must(t, os.Rename(stamp, filepath.Join(dir, "stamps", fmt.Sprintf("2-%x.tsr", v.Head.Digest))))
	if v := verify(t, dir); len(v.Faults) == 0 {
		t.Error("a stamp of another line was not found")
	}
}

// TestVersion1 holds: an archive that version 1 has written stays readable.
func TestVersion1(t *testing.T) {
	dir := filepath.Join("testdata", "version1")
	if os.Getenv("EXTBODY_TEST_UPDATE") != "" {
		made, _, _ := filled(t, 3)
		os.Remove(filepath.Join(made, "index"))
		os.Remove(filepath.Join(made, "lock"))
		os.RemoveAll(dir)
		must(t, os.CopyFS(dir, os.DirFS(made)))
	}
	text, err := os.ReadFile(filepath.Join(dir, "head"))
	must(t, err)
	head, err := ledger.ParseHead(strings.TrimSpace(string(text)))
	must(t, err)
	if v := clean(t, dir); v.Head != head || v.Captured != 3 || v.Excepted != 1 || v.Objects != 7 {
		t.Errorf("got %+v, want 3 captured, 1 excepted, 7 objects, head %v", v, head)
	}
	a := read(t, dir)
	s, err := a.Status()
	if err != nil || s.References != 4 || s.Captures != 3 || s.Final != 1 {
		t.Errorf("got %+v, %v; want 4 references, 3 captured, 1 final", s, err)
	}
	// And a run of today goes on with it.
	d := copied(t, dir)
	if res := run(t, d, options(maildir(t))); res.Captures+res.Exceptions != 0 {
		t.Errorf("got %+v, want nothing done", res)
	}
	clean(t, d)
}

// TestBefore holds: archives in earlier forms of the format are read, verified and continued, by the rules of today.
// first has no time of arrival and no stamp, and a capture of a key that was forgotten later, which counts no more.
// quiet has both, and no part whose body was apart. delivered has that and a capture at delivery, and no account.
func TestBefore(t *testing.T) {
	for name, want := range map[string][4]int64{ // messages, references, captured, exceptions
		"first":     {3, 9, 2, 6},
		"quiet":     {5, 14, 5, 7},
		"delivered": {5, 14, 5, 7},
	} {
		dir := copied(t, filepath.Join("testdata", "before", name))
		before := clean(t, dir)
		s, err := read(t, dir).Status()
		if got := [4]int64{s.Messages, s.References, s.Captures, s.Exceptions}; err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %v", name, got, err, want)
		}
		text, err := os.ReadFile(filepath.Join(dir, "head"))
		must(t, err)
		if head, err := ledger.ParseHead(strings.TrimSpace(string(text))); err != nil || head != before.Head {
			t.Errorf("%s: got the head %v, want %v, %v", name, before.Head, head, err)
		}
		a := open(t, dir)
		n, err := a.Hold(selector(t, "message=<1@example.org>"), "another case", false)
		must(t, errors.Join(err, a.Close()))
		if v := clean(t, dir); n == 0 || v.Head.Seq != before.Head.Seq+3 || v.Objects != before.Objects || v.Captured != before.Captured {
			t.Errorf("%s: got %+v after a hold of %d objects, want three lines after %+v", name, v, n, before)
		}
	}
}

// The user names one address. An authority, or who is in its place, leads to no other.
func TestStamperRedirect(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		authority := httptest.NewServer(http.RedirectHandler(other.URL, status))
		if der, err := archive.Stamper(authority.URL)(t.Context(), make([]byte, 32)); err == nil {
			t.Errorf("%d: got %d octets, want an error", status, len(der))
		}
		authority.Close()
	}
	if asked {
		t.Error("the address that the authority redirects to was asked")
	}
}

// TestLoadFiles checks load files with readers that are not ours: load.dat with one that was written from the
// definition of the format, load.xml and manifest.csv with Python's. Both have the same documents in families,
// whose links lead to the octets, and text stays as it is.
func TestLoadFiles(t *testing.T) { kinds(t, testLoadFiles) }

func testLoadFiles(t *testing.T) {
	dir, box, s := filled(t, 3)
	const subject = "þorn ®þ <&\">"
	text := strings.Replace(letter("n", s.URL+"/report.pdf", s.URL+"/2"), "Subject: n", "Subject: "+subject+"\r\nTo: Bea <b@example.org>,\r\n c@example.org\r\nCc: d@example.org\r\nBcc: e@example.org", 1)
	text = "Received: from x by y; Tue, 3 Nov 2026 11:00:00 +0100\r\n" + strings.Replace(text, "--b\r\n", "--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe\r\n--b\r\n", 1)
	deliver(t, box, "n:2,", text)
	other := maildir(t)
	deliver(t, other, "n:2,", text)
	journal := "From: journal@example.org\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nX-MS-Journal-Report:\r\nMessage-ID: <report@example.org>\r\nContent-Type: multipart/mixed; boundary=j\r\n\r\n--j\r\nContent-Type: text/plain\r\n\r\nSender: in@example.org\r\nBcc: hidden@example.org\r\n\r\n--j\r\nContent-Type: message/rfc822\r\n\r\nFrom: in@example.org\r\nTo: out@example.org\r\n" +
		strings.Replace(letter("inner", s.URL+"/3"), "From: a@example.org\r\n", "", 1) + "\r\n--j--\r\n"
	deliver(t, box, "j:2,", journal)
	run(t, dir, options(box, other))
	a := read(t, dir)
	for _, tt := range []struct {
		terms              []string
		messages, captured int
	}{
		{nil, 6, 6},
		{[]string{"kind=captured"}, 5, 6},
		{[]string{"url=" + s.URL + "/report.pdf"}, 1, 1},
		{[]string{"message=<1@example.org>"}, 1, 1},
	} {
		out := filepath.Join(t.TempDir(), "out")
		n, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "load", Selector: selector(t, tt.terms...)})
		must(t, err)
		documents := concordance(t, slurp(t, out, "load.dat"))
		messages, captured := 0, 0
		byID := make(map[string]map[string]string)
		for i, d := range documents {
			byID[d["DOCID"]] = d
			if want := fmt.Sprintf("EXT%08d", i+1); d["DOCID"] != want || d["CUSTODIAN"] != box || d["BEGATTACH"] > want || want > d["ENDATTACH"] {
				t.Errorf("%v: got %v, want the number %s and the custodian %s", tt.terms, d, want, box)
			}
			switch {
			case d["PARENTID"] == "":
				messages++
				if d["RELATIONSHIP"] != "" || d["BEGATTACH"] != d["DOCID"] || d["TEXTPATH"] == "" || d["MEDIATYPE"] != "message/rfc822" {
					t.Errorf("%v: got the message %v", tt.terms, d)
				}
			case d["RELATIONSHIP"] != "LinkedFile" || d["PARENTID"] != d["BEGATTACH"] || byID[d["PARENTID"]] == nil:
				t.Errorf("%v: got the file %v", tt.terms, d)
			case d["STATE"] == "captured":
				captured++
				if d["LABEL"] != "current" || d["DELAY"] == "" || d["DELAYFROM"] == "" || d["RETRIES"] != "0" || strings.Contains(d["MEDIATYPE"], ";") {
					t.Errorf("%v: got the file %v", tt.terms, d)
				}
			}
			if d["NATIVELINK"] == "" {
				continue
			}
			octets := onlyFile(t, filepath.Join(out, filepath.FromSlash(strings.ReplaceAll(d["NATIVELINK"], `\`, "/"))))
			if sumOf(octets) != d["SHA256"] || fmt.Sprintf("%x", sha1.Sum([]byte(octets))) != d["SHA1"] || fmt.Sprintf("%x", md5.Sum([]byte(octets))) != d["MD5"] {
				t.Errorf("%v: got other octets than %v", tt.terms, d)
			}
			if d["MESSAGEID"] == "<n@example.org>" {
				for name, want := range map[string]string{"SUBJECT": asDat(subject), "TO": "Bea <b@example.org>, c@example.org", "CC": "d@example.org", "BCC": "e@example.org",
					"DATERECEIVED": "2026-11-03T10:00:00Z", "DATESENT": "2026-11-02T10:00:00Z", "ALLCUSTODIANS": box + "; " + other} {
					if d[name] != want {
						t.Errorf("%v: %s: got %q, want %q", tt.terms, name, d[name], want)
					}
				}
				if d["TEXTPATH"] == "" {
					continue
				}
				text := onlyFile(t, filepath.Join(out, strings.ReplaceAll(d["TEXTPATH"], `\`, "/")))
				if !strings.Contains(text, "SUBJECT: "+subject+"\n") || !strings.Contains(text, "Grüße") {
					t.Errorf("%v: got the text %q", tt.terms, text)
				}
			}
		}
		if messages != tt.messages || captured != tt.captured || int64(len(documents)) != n {
			t.Errorf("%v: got %d messages, %d captured, %d in all; want %d, %d, %d", tt.terms, messages, captured, len(documents), tt.messages, tt.captured, n)
		}
		if len(tt.terms) == 0 && !slices.ContainsFunc(documents, func(d map[string]string) bool {
			return d["MESSAGEID"] == "<inner@example.org>" && d["FROM"] == "in@example.org" && d["TO"] == "out@example.org" && d["BCC"] == "hidden@example.org"
		}) {
			t.Error("got no fields of the message in the journal report")
		}
		inPython(t, out, documents)
	}
	if _, err := a.Export(t.Context(), filepath.Join(t.TempDir(), "x"), &archive.ExportOptions{As: "csv", Selector: selector(t, "host=nowhere.example")}); !errors.Is(err, archive.ErrNothing) {
		t.Errorf("nothing selected: got %v, want %v", err, archive.ErrNothing)
	}
}

// TestLoadDelimiters checks that no value of load.dat ends early, whatever senders write, that replaced characters
// are counted, and the columns for an empty body, for the checks, and for a forgotten body (OP-59).
func TestLoadDelimiters(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/full" {
			io.WriteString(w, "full")
		}
	})
	box, dir := maildir(t), home(t)
	subject := "=?utf-8?q?Office=C2=AE_=14_one=0D=0Atwo_=C3=BE?="
	deliver(t, box, "1:2,", strings.Replace(letter("1", s.URL+"/empty"), "Subject: 1", "Subject: "+subject, 1))
	deliver(t, box, "2:2,", strings.Replace(letter("2", s.URL+"/full"), "octet-stream\r\n\r\n", fmt.Sprintf("octet-stream\r\nContent-MD5: %s\r\n\r\n", md5Text("full")), 1))
	deliver(t, box, "3:2,", letter("3", s.URL+"/later"))
	run(t, dir, options(box))
	forget(t, dir, "message=<3@example.org>")
	a := read(t, dir)
	out := filepath.Join(t.TempDir(), "out")
	_, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "load"})
	must(t, err)
	documents := concordance(t, slurp(t, out, "load.dat"))
	inPython(t, out, documents)
	got := make(map[string]map[string]string)
	for _, d := range documents {
		got[d["MESSAGEID"]+" "+d["URL"]] = d
	}
	for _, tt := range []struct{ document, column, want string }{
		{"<1@example.org> ", "SUBJECT", "Office(R)   one  two th"},
		{"<1@example.org> ", "FORGOTTEN", ""},
		{"<1@example.org> " + s.URL + "/empty", "FILESIZE", "0"},
		{"<1@example.org> " + s.URL + "/empty", "FIRSTSHA256", sumOf("")},
		{"<2@example.org> " + s.URL + "/full", "CHECKS", "md5=weak-match"},
		{"<2@example.org> " + s.URL + "/full", "FORGOTTEN", ""},
		{"<3@example.org> ", "FORGOTTEN", "yes"},
		{"<3@example.org> " + s.URL + "/later", "FORGOTTEN", "yes"},
	} {
		if d := got[tt.document]; d[tt.column] != tt.want {
			t.Errorf("%s: %s: got %q, want %q, in %v", tt.document, tt.column, d[tt.column], tt.want, d)
		}
	}
	var manifest struct{ Replaced map[string]int64 }
	must(t, json.Unmarshal([]byte(slurp(t, out, "manifest.json")), &manifest))
	// The subject is in the document of the message and in that of its file.
	if want := map[string]int64{"U+00FE": 2, "U+00AE": 2, "U+0014": 2, "U+000A": 2, "U+000D": 2}; !maps.Equal(manifest.Replaced, want) {
		t.Errorf("manifest.json: got %v, want %v", manifest.Replaced, want)
	}
	rows, err := csv.NewReader(strings.NewReader(table(t, a))).ReadAll()
	must(t, err)
	column := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	for _, row := range rows[1:] {
		size, forgotten := column(row, "size"), column(row, "forgotten")
		switch column(row, "message_id") {
		case "<1@example.org>":
			if size != "0" || forgotten != "" {
				t.Errorf("CSV: got %q, %q for the empty body, want 0, and not forgotten", size, forgotten)
			}
		case "<3@example.org>":
			if size != "" || forgotten != "yes" {
				t.Errorf("CSV: got %q, %q for what was forgotten, want no size, and yes", size, forgotten)
			}
		}
	}
}

func md5Text(text string) string {
	sum := md5.Sum([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// concordance reads a file of Concordance by its definition: UTF-8 with a byte order mark, a line for each document
// that ends with CR and LF, and fields with a thorn before and after them, which DC4 separates. The first line
// has the names.
func concordance(t *testing.T, text string) (documents []map[string]string) {
	t.Helper()
	text, ok := strings.CutPrefix(text, "\ufeff")
	if !ok {
		t.Error("there is no byte order mark")
	}
	var names []string
	for line := range strings.SplitAfterSeq(text, "\r\n") {
		if line == "" {
			continue
		}
		var values []string
		for field := range strings.SplitSeq(strings.TrimSuffix(line, "\r\n"), "\x14") {
			runes := []rune(field)
			if len(runes) < 2 || runes[0] != 'þ' || runes[len(runes)-1] != 'þ' {
				t.Fatalf("got the field %q in %q", field, line)
			}
			values = append(values, string(runes[1:len(runes)-1]))
		}
		if names == nil {
			names = values
			continue
		}
		if len(values) != len(names) {
			t.Fatalf("got %d values in %q, want %d", len(values), line, len(names))
		}
		d := make(map[string]string)
		for i, name := range names {
			d[name] = values[i]
		}
		documents = append(documents, d)
	}
	return documents
}

// inPython checks that Python finds in an export the documents of load.dat, and the digests in its manifest.
func inPython(t *testing.T, out string, documents []map[string]string) {
	t.Helper()
	tools(t, "python3")
	text, err := exec.Command("python3", filepath.Join("testdata", "load.py"), out).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var found []struct {
		ID, Type, Native, Hash, Parent string
		Tags, Dat                      map[string]string
		Custodians                     []string
	}
	must(t, json.Unmarshal(text, &found))
	if _, err := exec.LookPath("xmllint"); err == nil {
		if text, err := exec.Command("xmllint", "--noout", "--nonet", filepath.Join(out, "load.xml")).CombinedOutput(); err != nil || len(text) > 0 {
			t.Errorf("xmllint: got %v, %s", err, text)
		}
	}
	if len(found) != len(documents) {
		t.Fatalf("Python: got %d documents, want %d", len(found), len(documents))
	}
	for i, f := range found {
		d := documents[i]
		if f.ID != d["DOCID"] || f.Parent != d["PARENTID"] || f.Type != d["MEDIATYPE"] || f.Native != strings.TrimPrefix(d["NATIVELINK"], `natives\`) || f.Native != "" && f.Hash != d["SHA256"] ||
			strings.Join(f.Custodians, "; ") != d["ALLCUSTODIANS"] {
			t.Errorf("Python: got %+v, want %v", f, d)
		}
		if !maps.Equal(f.Dat, d) {
			t.Errorf("Python: load.dat: got %q, want %q", f.Dat, d)
		}
		for tag, name := range map[string]string{"#From": "FROM", "#To": "TO", "#CC": "CC", "#BCC": "BCC", "#Subject": "SUBJECT", "#DateSent": "DATESENT", "#DateReceived": "DATERECEIVED", "#MessageID": "MESSAGEID",
			"URL": "URL", "SHA1": "SHA1", "MD5": "MD5", "State": "STATE", "Reason": "REASON", "Retries": "RETRIES", "Label": "LABEL", "Delay": "DELAY", "AsSent": "ASSENT", "BegAttach": "BEGATTACH", "EndAttach": "ENDATTACH"} {
			if asDat(f.Tags[tag]) != d[name] {
				t.Errorf("Python: %s: got %q, want %q", tag, f.Tags[tag], d[name])
			}
		}
	}
}

// asDat returns a value as load.dat has it: without the delimiters of Concordance.
func asDat(value string) string { return strings.NewReplacer("þ", "th", "®", "(R)").Replace(value) }

func onlyFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// TestExportSelected checks that each form has the selection, and nothing else, and that a WACZ has bodies that came
// from no server, and pages with titles and dates.
func TestExportSelected(t *testing.T) {
	dir, box, s := filled(t, 3)
	deliver(t, box, "d:2,", letter("inside", "data:application/octet-stream,inside"))
	run(t, dir, options(box))
	a := read(t, dir)
	for _, form := range []string{"csv", "mbox", "eml", "maildir", "warc", "wacz"} {
		out := filepath.Join(t.TempDir(), "out")
		if _, err := a.Export(t.Context(), out, &archive.ExportOptions{As: form, Selector: selector(t, "url="+s.URL+"/2")}); err != nil {
			t.Fatal(err)
		}
		text := slurp(t, filepath.Dir(out), "out")
		if form == "warc" {
			dir := t.TempDir()
			os.Mkdir(filepath.Join(dir, "exchanges"), 0o700)
			put(t, filepath.Join(dir, "exchanges", "x.gz"), onlyFile(t, out))
			text = unzipped(t, dir)
		}
		if form != "wacz" && (!strings.Contains(text, s.URL+"/2") || strings.Contains(text, s.URL+"/1")) {
			t.Errorf("%s: got %s, want the reference to /2 alone", form, text)
		}
	}
	out := filepath.Join(t.TempDir(), "all.wacz")
	if _, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "wacz"}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(out)
	must(t, err)
	defer z.Close()
	for _, f := range z.File {
		if f.Modified.Year() < 2020 {
			t.Errorf("%s: got the time %v, want a valid one", f.Name, f.Modified)
		}
	}
	f, err := z.Open("pages/pages.jsonl")
	must(t, err)
	text, err := io.ReadAll(f)
	must(t, err)
	pages := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	inside := false
	for _, p := range pages {
		inside = inside || strings.Contains(p, "urn:extbody:message:") && strings.Contains(p, "inside")
		if !strings.Contains(p, `"title":"`) || !strings.Contains(p, "a@example.org") || strings.Contains(p, `"ts":"0001`) {
			t.Errorf("got page %s, want a title and a date", p)
		}
	}
	if !inside || len(pages) != 4 {
		t.Errorf("got %s, want a page for each body, also for the one in the message", text)
	}
}
