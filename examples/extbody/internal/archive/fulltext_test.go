package archive_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// indexTexts makes the index of texts of an archive, or brings it up to date.
func indexTexts(t testing.TB, dir string) *archive.TextIndex {
	t.Helper()
	a := open(t, dir)
	defer a.Close()
	x, err := a.IndexTexts(t.Context())
	must(t, err)
	return x
}

// searched returns the results of searches, a line each, and the sentences about the index of texts. The terms of a
// question have ";" between them.
func searched(t testing.TB, dir string, questions ...string) (found map[string][]string, notices []string) {
	t.Helper()
	a, err := archive.Read(dir, &archive.Options{Notice: func(s string) { notices = append(notices, s) }})
	must(t, err)
	defer a.Close()
	found = make(map[string][]string)
	for _, q := range questions {
		must(t, a.Search(selector(t, strings.Split(q, ";")...), func(f *archive.Found) error {
			found[q] = append(found[q], fmt.Sprintf("%s %s %s %s", f.Message[:8], f.Ref, f.SHA256, f.Snippet))
			return nil
		}))
	}
	return found, notices
}

// foundBy returns the results of one search, and the sentences.
func foundBy(t testing.TB, dir, question string) (list, notices []string) {
	t.Helper()
	all, notices := searched(t, dir, question)
	return all[question], notices
}

// mixed makes an archive with twelve texts of many forms in messages and two in captured bodies, of which one message and
// one reference are forgotten.
func mixed(t testing.TB) (dir, box string) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/html":
			w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
			fmt.Fprint(w, "<p>Die <b>Stra\xdfe</b> am Markt<script>hidden()</script>")
		case "/plain":
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprint(w, "minutes of the meeting about zanzibar")
		case "/gone":
			http.Error(w, "gone", http.StatusGone)
		default:
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "%PDF zanzibar in no text")
		}
	})
	box, dir = inbox(t, s.URL+"/html", s.URL+"/plain", s.URL+"/pdf", s.URL+"/gone", s.URL+"/plain")
	for i, text := range []string{
		"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe sett=\r\nlement =C3=A4ndert sich.\r\n",
		"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+VGhlIDxpPnNldHRsZW1lbnQ8L2k+IGFncmVlbWVudCBvZiBaQU5aSUJBUjwvcD4=\r\n",
		"Content-Type: text/plain; charset=utf-8\r\n\r\n本和解書は２０２６年に STRASSE\r\n",
		"Content-Type: text/plain; charset=utf-8\r\n\r\nsettle\u00adment of ﬁnal Pru\u0308fung, unsettled \u2460 \u2474a x\r\n",
		"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain words\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>other words\r\n--b--\r\n",
		"Content-Type: application/octet-stream\r\n\r\nsettlement in no text\r\n",
		"Content-Type: text/plain\r\n\r\nlost settlement\r\n",
		"Content-Type: text/plain\r\n\r\nforgotten settlement\r\n",
	} {
		deliver(t, box, fmt.Sprintf("m%d:2,", i), fmt.Sprintf("Message-ID: <m%d@x>\r\nSubject: =?utf-8?q?Pr=C3=BCfung?= the %d\r\nMIME-Version: 1.0\r\n%s", i, i, text))
	}
	o := options(box)
	o.All = true
	run(t, dir, o)
	a := open(t, dir)
	_, err := a.Forget(selector(t, "message=<m7@x>", "or", "message=<5@example.org>"), &archive.ForgetOptions{Reason: "private", AllMatches: true})
	must(t, err)
	must(t, a.Close())
	return dir, box
}

// lose removes the object of a message.
func lose(t testing.TB, dir string) {
	must(t, filepath.WalkDir(files(dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if octets, _ := os.ReadFile(path); bytes.Contains(octets, []byte("lost settlement")) {
			return os.Remove(path)
		}
		return nil
	}))
}

// questions are selectors with terms text=.
var textQuestions = []string{
	"text=settlement", "text=SETTLEMENT", "text=settle", "text=settle*", "text=sett*", "text=settlement agreement", "text=agreement settlement",
	"text=the settlement", "text=the", "text=zanzibar", "text=meeting about zan*", "text=strasse", "text=Straße", "text=hidden", "text=prüfung", "text=PRU\u0308FUNG",
	"text=和", "text=和解", "text=解和", "text=和解書は", "text=2026", "text=２０２６年", "text=年に strasse", "text=ﬁnal", "text=final", "text=1", "text=①", "text=⑴a", "text=⑴a*", "text=(1)a",
	"text=unsettled", "text=words", "text=other words", "text=plain words other", "text=lost", "text=forgotten", "text=nowhere", "text=pdf", "text=x*",
	"text=settlement;text=of", "text=settlement;or;text=strasse", "not;text=settlement", "not;text=settlement;files=0", "not;text=zanzibar;files=1+", "text=zanzibar;state=captured",
	"not;text=zanzibar;state=captured", "text=strasse;type=text/html", "text=zanzibar;or;state=exception", "not;(;text=the;or;text=markt;)", "text=the 4;files=1", "text=the;from=a@",
}

// TestTextIndexAgrees holds: a search finds the same messages and bodies, with the same words, by the index of texts and
// by reading.
func TestTextIndexAgrees(t *testing.T) { kinds(t, testTextIndexAgrees) }

func testTextIndexAgrees(t *testing.T) {
	dir, box := mixed(t)
	lose(t, dir)
	read, notices := searched(t, dir, textQuestions...)
	if len(notices) != 1 || !strings.Contains(notices[0], "archive index --text makes") {
		t.Errorf("got notices %q, want one that there is no index", notices)
	}
	if some := len(read); some < len(textQuestions)*2/3 {
		t.Errorf("%d of %d questions find something", some, len(textQuestions))
	}
	x := indexTexts(t, dir)
	if x.Texts != x.Added || x.Texts != 12 || x.Cut != 0 || x.Octets < 1000 {
		t.Errorf("got %+v, want the 12 texts that are neither lost nor forgotten", x)
	}
	info, err := os.Stat(filepath.Join(dir, "text"))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want 0600", info.Mode())
	}
	agree := func() {
		t.Helper()
		found, notices := searched(t, dir, textQuestions...)
		for _, q := range textQuestions {
			if !slices.Equal(found[q], read[q]) {
				t.Errorf("%s: got %q by the index, and %q by reading", q, found[q], read[q])
			}
		}
		if len(notices) > 0 {
			t.Errorf("got notices %q, want none", notices)
		}
	}
	agree()
	// A night without news is no reason to say that the index is old.
	o := options(box)
	o.All = true
	run(t, dir, o)
	agree()
	if x := indexTexts(t, dir); x.Texts != 12 || x.Added != 0 {
		t.Errorf("got %+v, want no new text", x)
	}
	clean := func() {
		if list, _ := filepath.Glob(filepath.Join(dir, "*text*")); len(list) != 1 {
			t.Errorf("got %q beside the index, want nothing", list)
		}
		if list, _ := filepath.Glob(filepath.Join(dir, ".*")); len(list) != 0 {
			t.Errorf("got %q, want nothing left", list)
		}
	}
	clean()

	deliver(t, box, "new:2,", "Message-ID: <new@x>\r\nSubject: new\r\n\r\nsettlement of the new kind\r\n")
	run(t, dir, o)
	list, notices := foundBy(t, dir, "text=new kind")
	if len(list) != 1 || len(notices) != 1 || !strings.Contains(notices[0], "older than the archive: 1 message or capture") {
		t.Errorf("after the index: got %q and notices %q, want the message, and that it was read", list, notices)
	}
	if x := indexTexts(t, dir); x.Texts != 13 || x.Added != 1 {
		t.Errorf("got %+v, want a new text", x)
	}
	if again, notices := foundBy(t, dir, "text=new kind"); !slices.Equal(again, list) || len(notices) > 0 {
		t.Errorf("got %q and notices %q, want the same, and none", again, notices)
	}
	clean()
}

// TestTextIndexReadsLittle holds: texts that lack the words by the index of texts are not read.
func TestTextIndexReadsLittle(t *testing.T) {
	dir, _ := mixed(t)
	indexTexts(t, dir)
	must(t, filepath.WalkDir(files(dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) // no object can be read
	}))
	a, err := archive.Read(dir, nil)
	must(t, err)
	defer a.Close()
	for terms, read := range map[string]bool{"text=nowhere": false, "text=agreement settlement": false, "text=settlement;text=markt": false, "text=settlement": true} {
		err := a.Search(selector(t, strings.Split(terms, ";")...), func(*archive.Found) error { return nil })
		if (err != nil) != read {
			t.Errorf("%s: got error %v, want objects read: %v", terms, err, read)
		}
	}
}

// TestTextIndexDamage holds: an index of texts that is damaged or of another program is not believed, and the next run
// makes it anew.
func TestTextIndexDamage(t *testing.T) {
	dir, _ := mixed(t)
	want, _ := foundBy(t, dir, "text=settlement")
	indexTexts(t, dir)
	path := filepath.Join(dir, "text")
	octets, err := os.ReadFile(path)
	must(t, err)
	flipped := slices.Clone(octets)
	flipped[len(flipped)/2] ^= 1
	for name, bad := range map[string][]byte{"flipped": flipped, "cut": octets[:len(octets)/2], "empty": nil, "other": []byte("SQLite format 3\x00")} {
		put(t, path, string(bad))
		got, notices := foundBy(t, dir, "text=settlement")
		if !slices.Equal(got, want) || len(notices) != 1 || !strings.Contains(notices[0], "cannot be used") {
			t.Errorf("%s: got %q, notices %q; want %q, and that it cannot be used", name, got, notices, want)
		}
		if x := indexTexts(t, dir); x.Added != 13 {
			t.Errorf("%s: got %+v, want all texts anew", name, x)
		}
		if got, notices := foundBy(t, dir, "text=settlement"); !slices.Equal(got, want) || len(notices) > 0 {
			t.Errorf("%s, made anew: got %q, notices %q; want %q", name, got, notices, want)
		}
	}
	a, err := archive.Open(dir, false, &archive.Options{Agent: "extbody/another version"})
	must(t, err)
	x, err := a.IndexTexts(t.Context())
	must(t, errors.Join(err, a.Close()))
	if x.Added != 13 {
		t.Errorf("of another version: got %+v, want all texts anew", x)
	}
	if _, notices := foundBy(t, dir, "text=settlement"); len(notices) != 1 {
		t.Errorf("of another version: got notices %q, want one", notices)
	}
}

// TestTextIndexKilled kills a program that makes the index of texts, and wants the next one to be right, with nothing
// left of the first.
func TestTextIndexKilled(t *testing.T) {
	dir, _ := mixed(t)
	want, _ := foundBy(t, dir, "text=the settle*")
	temp := filepath.Join(dir, ".extbody-new.text")
	kills := 0
	pages := 0
	for kills < often("EXTBODY_TEST_KILLS", 8) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "EXTBODY_TEST_TEXTS="+dir)
		must(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		killed := false
		for len(ended) == 0 && !killed {
			if info, err := os.Lstat(temp); err == nil && info.Size() >= int64(pages)*4096 {
				cmd.Process.Kill()
				killed = true
			}
			time.Sleep(time.Millisecond)
		}
		<-ended
		if got, _ := foundBy(t, dir, "text=the settle*"); !slices.Equal(got, want) {
			t.Errorf("after kill %d, of %d pages: got %q, want %q", kills, pages, got, want)
		}
		if killed {
			kills++
			pages++ // the next one is killed later
		} else {
			must(t, os.Remove(filepath.Join(dir, "text")))
			pages = 0
		}
	}
	put(t, temp, "settlement")
	indexTexts(t, dir)
	if got, notices := foundBy(t, dir, "text=the settle*"); !slices.Equal(got, want) || len(notices) > 0 {
		t.Errorf("got %q, notices %q; want %q", got, notices, want)
	}
	if _, err := os.Lstat(temp); err == nil {
		t.Error("got a file of a killed program, want none")
	}
}

// TestTextIndexForget holds: after a forget no file of the archive has the word, be it the index of texts, an
// unfinished one of a program that was killed, or a file beside it. The index goes before the line.
func TestTextIndexForget(t *testing.T) { kinds(t, testTextIndexForget) }

func testTextIndexForget(t *testing.T) {
	const word = "xylographically"
	box, dir := inbox(t)
	deliver(t, box, "a:2,", "Message-ID: <a@x>\r\nSubject: a\r\n\r\nwritten "+word+" and more\r\n")
	deliver(t, box, "b:2,", "Message-ID: <b@x>\r\nSubject: b\r\n\r\nplain\r\n")
	o := options(box)
	o.All = true
	run(t, dir, o)
	indexTexts(t, dir)
	with := func() (list []string) {
		for _, root := range []string{dir, files(dir)} {
			must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					octets, err := os.ReadFile(path)
					must(t, err)
					if bytes.Contains(octets, []byte(word)) {
						list = append(list, filepath.Base(path))
					}
				}
				return err
			}))
		}
		return list
	}
	if list := with(); !slices.Contains(list, "text") {
		t.Fatalf("the word is in %q, want it in the index too", list)
	}
	path := filepath.Join(dir, "text")
	octets, err := os.ReadFile(path)
	must(t, err)
	left := []string{"text", "text-wal", "text-journal", "text-shm", ".extbody-new.text", ".extbody-new.text-journal", ".extbody-new.text-wal", ".extbody-new.text-shm"}

	// A name that cannot be removed stands for an index that cannot: nothing is recorded then.
	must(t, os.Remove(path))
	must(t, os.MkdirAll(filepath.Join(path, "folder"), 0o700))
	a := open(t, dir)
	before := a.Head()
	if _, err := a.Forget(selector(t, "message=<a@x>"), &archive.ForgetOptions{Reason: "private"}); err == nil || a.Head() != before {
		t.Errorf("got error %v and head %v, want an error and head %v", err, a.Head(), before)
	}
	must(t, a.Close())
	must(t, os.RemoveAll(path))

	for _, name := range left {
		put(t, filepath.Join(dir, name), string(octets))
	}
	a = open(t, dir)
	_, err = a.Forget(selector(t, "message=<a@x>"), &archive.ForgetOptions{Reason: "private"})
	must(t, errors.Join(err, a.Close()))
	if list := with(); len(list) > 0 {
		t.Errorf("the word is in %q after a forget, want it nowhere", list)
	}
	clean(t, dir)
	if x := indexTexts(t, dir); x.Texts != 1 {
		t.Errorf("got %+v, want the other text", x)
	}
	if list := with(); len(list) > 0 {
		t.Errorf("the word is in %q after a new index, want it nowhere", list)
	}
}

// TestTextIndexStays holds: neither a copy nor an export nor the bucket has the index of texts, and a copy that is
// brought up to date after a forget loses its own.
func TestTextIndexStays(t *testing.T) { kinds(t, testTextIndexStays) }

func testTextIndexStays(t *testing.T) {
	dir, _ := mixed(t)
	indexTexts(t, dir)
	out := t.TempDir()
	a, err := archive.Read(dir, nil)
	must(t, err)
	defer a.Close()
	to := filepath.Join(out, "copy")
	_, err = a.Copy(t.Context(), to, &archive.Options{Objects: copyObjects(t, dir, out)})
	must(t, err)
	for _, form := range archive.Forms() {
		_, err := a.Export(t.Context(), filepath.Join(out, form), &archive.ExportOptions{As: form})
		must(t, err)
	}
	_, err = archive.Repair(t.Context(), to, dir)
	must(t, err)
	seen := 0
	for _, root := range []string{out, files(dir)} {
		must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			seen++
			octets, err := os.ReadFile(path)
			if bytes.Contains(octets, []byte("SQLite format 3")) || e.Name() == "text" || strings.Contains(e.Name(), "new.text") {
				t.Errorf("%s is an index of texts", path)
			}
			return err
		}))
	}
	if seen < 30 {
		t.Errorf("got %d files, want those of a copy and of the exports", seen)
	}

	indexTexts(t, to)
	b := open(t, dir)
	_, err = b.Forget(selector(t, "message=<m3@x>"), &archive.ForgetOptions{Reason: "private"})
	must(t, errors.Join(err, b.Close()))
	b, err = archive.Read(dir, nil)
	must(t, err)
	_, err = b.Copy(t.Context(), to, nil)
	must(t, errors.Join(err, b.Close()))
	if _, err := os.Lstat(filepath.Join(to, "text")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v for the index of the copy, want none there", err)
	}
}

// copyObjects returns where a copy of an archive keeps its objects.
func copyObjects(t *testing.T, dir, out string) string {
	if files(dir) == filepath.Join(dir, "objects") {
		return ""
	}
	return "file://" + filepath.Join(out, "bucket")
}

// TestTextIndexCut holds: of a text that is too long the start is searched, by reading and by the index, and that is said.
func TestTextIndexCut(t *testing.T) {
	box, dir := inbox(t)
	long := strings.Repeat("abc def ghi jkl\r\n", 1<<20)
	deliver(t, box, "a:2,", "Message-ID: <a@x>\r\nSubject: a\r\n\r\nearly\r\n"+long+"late\r\n")
	o := options(box)
	o.All = true
	run(t, dir, o)
	for _, by := range []string{"reading", "the index"} {
		early, notices := foundBy(t, dir, "text=early")
		late, more := foundBy(t, dir, "text=late")
		said := strings.Join(append(notices, more...), "\n")
		if len(early) != 1 || len(late) != 0 || strings.Count(said, "longer than 16 MiB") != 2 {
			t.Errorf("by %s: got %d early and %d late, %q; want one, none, and that the text is cut", by, len(early), len(late), said)
		}
		if x := indexTexts(t, dir); x.Texts != 1 || x.Added == 1 && x.Cut != 1 {
			t.Errorf("got %+v, want one text that is cut", x)
		}
	}
}

// TestTextIndexStopped holds: an index that is not finished changes nothing.
func TestTextIndexStopped(t *testing.T) {
	dir, _ := mixed(t)
	a := open(t, dir)
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := a.IndexTexts(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	for _, name := range []string{"text", ".extbody-new.text"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("got %s, want nothing", name)
		}
	}
}

// TestTextOfEveryCapture is OP-59: text= and md5= find each body that a reference had, with an index of texts and without
// one, and a sentence has that the latest is given. A body from before a forget is not found.
func TestTextOfEveryCapture(t *testing.T) {
	text := "the quorum of 2024"
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, text)
	})
	box, dir := inbox(t, s.URL+"/1")
	run(t, dir, options(box))
	first := text
	text = "the board of 2025"
	retry(t, dir, "message=<1@example.org>")
	ask := func(question string) (found int, notice string) {
		list, notices := foundBy(t, dir, question)
		for _, line := range list {
			if !strings.Contains(line, sumOf(text)) {
				t.Errorf("%s: got %s, want the latest body", question, line)
			}
		}
		notices = slices.DeleteFunc(notices, func(s string) bool { return !strings.Contains(s, "earlier body") })
		return len(list), strings.Join(notices, "; ")
	}
	for _, indexed := range []bool{false, true} {
		if indexed {
			indexTexts(t, dir)
		}
		for question, wanted := range map[string]bool{ // whether an earlier body fits
			"text=quorum": true, "text=board": false, "text=2024": true, fmt.Sprintf("md5=%x", md5.Sum([]byte(first))): true,
			fmt.Sprintf("md5=%x", md5.Sum([]byte(text))): false, "text=quor*;name=1": true,
		} {
			found, notice := ask(question)
			if found != 1 || (notice != "") != wanted {
				t.Errorf("%s, index %v: got %d, %q; want 1, and a sentence %v", question, indexed, found, notice, wanted)
			}
		}
		if found, _ := ask("text=nothing"); found != 0 {
			t.Errorf("index %v: got %d for a word that is in no body", indexed, found)
		}
	}
	clean(t, dir)
	forget(t, dir, "url="+s.URL+"/1")
	text = "the council of 2026"
	retry(t, dir, "message=<1@example.org>")
	for _, indexed := range []bool{false, true} {
		if indexed {
			indexTexts(t, dir)
		}
		for question, want := range map[string]int{"text=quorum": 0, "text=board": 0, "text=council": 1} {
			if found, notice := ask(question); found != want || notice != "" {
				t.Errorf("%s after a forget, index %v: got %d, %q; want %d", question, indexed, found, notice, want)
			}
		}
	}
	clean(t, dir)
}
