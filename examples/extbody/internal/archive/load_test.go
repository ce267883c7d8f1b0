package archive_test

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestLoadFiles checks that both load files name the messages and bodies that are selected,
// with their custodian, and that their links lead to the octets.
func TestLoadFiles(t *testing.T) { kinds(t, testLoadFiles) }

func testLoadFiles(t *testing.T) {
	dir, box, s := filled(t, 3)
	deliver(t, box, "n:2,", strings.Replace(letter("n", s.URL+"/report.pdf"), "Subject: n", "Subject: þorn \x14 ® <&\">", 1))
	run(t, dir, options(box))
	a := read(t, dir)
	for _, tt := range []struct {
		terms              []string
		messages, captured int
	}{
		{nil, 5, 4},
		{[]string{"kind=captured"}, 4, 4},
		{[]string{"url=" + s.URL + "/report.pdf"}, 1, 1},
		{[]string{"message=<1@example.org>"}, 1, 1},
	} {
		out := filepath.Join(t.TempDir(), "out")
		n, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "load", Selector: selector(t, tt.terms...)})
		must(t, err)
		dat := slurp(t, out, "load.dat")
		lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(dat, "\ufeff"), "\r\n"), "\r\n")
		if int64(len(lines)) != n+1 || !strings.HasPrefix(lines[0], "þDOCIDþ\x14þPARENTIDþ\x14þCUSTODIANþ\x14") {
			t.Errorf("%v: got %d documents and %q, want a line for each after the names", tt.terms, n, lines)
		}
		messages, captured, parents := 0, 0, make(map[string]string)
		for _, line := range lines[1:] {
			f := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "þ"), "þ"), "þ\x14þ")
			if len(f) != 16 || f[2] != box {
				t.Fatalf("%v: got %q, want 16 fields and the custodian %s", tt.terms, f, box)
			}
			parents[f[0]] = f[1]
			switch {
			case f[1] == "":
				messages++
			case f[12] == "captured":
				captured++
			}
			if f[15] != "" && fmt.Sprintf("%x", sha256Of(onlyFile(t, filepath.Join(out, filepath.FromSlash(strings.ReplaceAll(f[15], `\`, "/")))))) != f[11] {
				t.Errorf("%v: got other octets than %q", tt.terms, f)
			}
		}
		if messages != tt.messages || captured != tt.captured {
			t.Errorf("%v: got %d messages, %d captured; want %d, %d", tt.terms, messages, captured, tt.messages, tt.captured)
		}
		var root struct {
			Documents []struct {
				ID        string `xml:"DocID,attr"`
				Custodian string `xml:"Locations>Location>Custodian"`
				File      struct {
					FileName string `xml:",attr"`
					Hash     string `xml:",attr"`
				} `xml:"Files>File>ExternalFile"`
			} `xml:"Batch>Documents>Document"`
			Relationships []struct {
				ParentDocID string `xml:",attr"`
				ChildDocID  string `xml:",attr"`
			} `xml:"Batch>Relationships>Relationship"`
		}
		f, err := os.Open(filepath.Join(out, "load.xml"))
		must(t, err)
		defer f.Close()
		if err := xml.NewDecoder(f).Decode(&root); err != nil || int64(len(root.Documents)) != n || len(root.Relationships) != int(n)-messages {
			t.Errorf("%v: got %+v, %v; want %d documents", tt.terms, root, err, n)
		}
		for _, d := range root.Documents {
			if _, ok := parents[d.ID]; !ok || d.Custodian != box {
				t.Errorf("%v: got %+v, want a document of load.dat", tt.terms, d)
			}
			if d.File.FileName != "" && fmt.Sprintf("%x", sha256Of(onlyFile(t, filepath.Join(out, "natives", d.File.FileName)))) != d.File.Hash {
				t.Errorf("%v: got a file with another digest than %+v", tt.terms, d)
			}
		}
		for _, r := range root.Relationships {
			if parents[r.ChildDocID] != r.ParentDocID {
				t.Errorf("%v: got %+v, want the parent of load.dat", tt.terms, r)
			}
		}
	}
	if _, err := a.Export(t.Context(), filepath.Join(t.TempDir(), "x"), &archive.ExportOptions{As: "csv", Selector: selector(t, "host=nowhere.example")}); !errors.Is(err, archive.ErrNothing) {
		t.Errorf("nothing selected: got %v, want %v", err, archive.ErrNothing)
	}
}

func onlyFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// TestExportSelected checks that each form has what is selected, and nothing else, and that a
// WACZ has bodies that came from no server, and pages with titles and dates.
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
