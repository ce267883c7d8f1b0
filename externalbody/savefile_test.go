package externalbody_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
)

// root returns a new folder.
func root(t *testing.T) (string, *os.Root) {
	t.Helper()
	dir := t.TempDir()
	r, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	return dir, r
}

// picture returns a reference to a picture with that phantom header, and a Resolver to which
// the server gives body.
func picture(t *testing.T, phantom, body string) ([]*externalbody.Reference, *externalbody.Resolver) {
	t.Helper()
	ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/x.png"`, "Content-Type: image/png\n"+phantom)
	w := &web{pages: map[string]page{"http://h.example/x.png": {mediaType: "image/png", body: body}}}
	return []*externalbody.Reference{ref}, &externalbody.Resolver{Fetcher: w}
}

// files returns the names in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"b.png":                           "b.png",
		"../../etc/passwd":                "passwd",
		`..\..\x.txt`:                     "x.txt",
		".bashrc":                         "_bashrc",
		"-rf":                             "_rf",
		"con":                             "_con",
		"NUL.txt":                         "_NUL.txt",
		"LPT¹":                            "_LPT¹",
		"com².txt":                        "_com².txt",
		"Com³ .a.b":                       "_Com³ .a.b",
		"lpt9":                            "_lpt9",
		"com10":                           "com10",
		"com":                             "com",
		"a:b|c?.txt":                      "a_b_c_.txt",
		"x.txt. . ":                       "x.txt",
		"it's.txt":                        "it's.txt",
		"a\x00b\nc":                       "abc",
		"evil\u202egnp.exe":               "evilgnp.exe",
		"caf\xe9":                         "caf_",
		"":                                "",
		"..":                              "",
		"///":                             "",
		strings.Repeat("é", 300) + ".png": strings.Repeat("é", 98) + ".png",
	} {
		if got := externalbody.FileName(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
		if again := externalbody.FileName(want); again != want {
			t.Errorf("got %q, want %q", again, want)
		}
	}
}

// TestReportFileName: the name is the one of the message, then of the server, then of
// the URL, and its extension follows the media type (RFC 2183 sections 2.3 and 5).
func TestReportFileName(t *testing.T) {
	const disposition = `attachment; filename="server.pdf"`
	for _, tt := range []struct {
		name, url, phantom, server, want string
	}{
		{"Message", "/b.pdf", "Content-Type: application/pdf\nContent-Disposition: attachment; filename=mine.pdf\n", disposition, "mine.pdf"},
		{"Server", "/download.php", "Content-Type: application/pdf\n", disposition, "server.pdf"},
		{"ServerExtended", "/x", "Content-Type: application/pdf\n", `attachment; filename*=UTF-8''%E2%82%AC.pdf`, "€.pdf"},
		{"ServerWords", "/x", "Content-Type: application/pdf\n", `attachment; filename="=?utf-8?q?=C3=A4.pdf?="`, "ä.pdf"},
		{"ServerWordsGBK", "/x", "Content-Type: application/pdf\n", `attachment; filename="=?GBK?B?saiw5g==?=.pdf"`, "报版.pdf"},
		{"ServerUTF8", "/x", "Content-Type: application/pdf\n", `attachment; filename="报告.pdf"`, "报告.pdf"},
		{"ServerPath", "/x", "Content-Type: application/pdf\n", `attachment; filename="../../.bashrc"`, "_bashrc.pdf"},
		{"URL", "/a/b.pdf", "Content-Type: application/pdf\n", "", "b.pdf"},
		{"None", "/", "Content-Type: application/pdf\n", "", "part-1.pdf"},
		{"NoneOfNoType", "/", "Content-Type: application/x-unheard-of\n", "", "part-1"},
		{"Desktop", "/x", "Content-Type: image/png\nContent-Disposition: attachment; filename=x.desktop\n", "", "x.desktop.png"},
		{"Link", "/x.lnk", "Content-Type: image/png\n", "", "x.lnk.png"},
		{"Page", "/x.html", "Content-Type: image/png\n", "", "x.html.png"},
		{"ServerDesktop", "/x", "Content-Type: image/png\n", "attachment; filename=x.desktop", "x.desktop.png"},
		{"Agrees", "/x.jpeg", "Content-Type: image/jpeg\n", "", "x.jpeg"},
		{"TypeNotKnown", "/x.desktop", "Content-Type: application/x-unheard-of\n", "", "x.desktop"},
		{"LongKeepsExtension", "/" + strings.Repeat("a", 300) + ".png", "Content-Type: image/png\n", "", strings.Repeat("a", 196) + ".png"},
		{"Superscript", "/com%C2%B9.png", "Content-Type: image/png\n", "", "_com¹.png"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ref := one(t, `message/external-body; access-type=URL; URL="http://h.example`+tt.url+`"`, tt.phantom)
			w := &web{pages: map[string]page{"http://h.example" + tt.url: {mediaType: ref.MediaType, body: "x", header: map[string][]string{"Content-Disposition": {tt.server}}}}}
			dir, folder := root(t)
			name, rep, err := (&externalbody.Resolver{Fetcher: w}).SaveFile(t.Context(), []*externalbody.Reference{ref}, folder)
			must(t, err)
			if name != tt.want || rep.FileName() != tt.want {
				t.Errorf("got %q, %q, want %q", name, rep.FileName(), tt.want)
			}
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != "x" {
				t.Errorf("got %q, %v, want %q", b, err, "x")
			}
		})
	}
}

// TestSaveFileKeepsOthers: nothing is overwritten and no link is followed.
func TestSaveFileKeepsOthers(t *testing.T) {
	dir, folder := root(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(dir, "x-2.png")); err != nil {
		t.Skip(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "x.png"), []byte("mine"), 0o600))
	refs, r := picture(t, "", strings.Repeat("x", 100<<10))
	for _, want := range []string{"x-3.png", "x-4.png"} {
		name, _, err := r.SaveFile(t.Context(), refs, folder)
		if err != nil || name != want {
			t.Errorf("got %q, %v, want %q", name, err, want)
		}
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("got a file outside of the folder, want none")
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "x.png")); string(b) != "mine" {
		t.Errorf("got %q, want %q", b, "mine")
	}
	own := &externalbody.Folder{Root: folder, Name: func(rep *externalbody.Report) string { return "../" + rep.Reference.ID + ".own" }}
	defer own.Close()
	if name, _, err := own.Save(t.Context(), r, refs); err != nil || name != "1.own" {
		t.Errorf("got %q, %v, want %q", name, err, "1.own")
	}
}

// TestFolderMisuse wants an error of a Folder without a Root, and of one that is closed.
func TestFolderMisuse(t *testing.T) {
	_, in := root(t)
	closed := &externalbody.Folder{Root: in}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	refs, r := picture(t, "", "x")
	for _, tt := range []struct {
		name string
		in   *externalbody.Folder
		want fetch.Kind
	}{{"no root", &externalbody.Folder{}, fetch.Unsupported}, {"closed", closed, fetch.Local}} {
		if _, rep, err := tt.in.Save(t.Context(), r, refs); fetch.KindOf(err) != tt.want || rep == nil {
			t.Errorf("%s: got %v, %v, want %v and a Report", tt.name, err, rep, tt.want)
		}
	}
}

// TestSaveFileFails: nothing is left, and the error of the folder is ours.
func TestSaveFileFails(t *testing.T) {
	dir, folder := root(t)
	for _, size := range []int{10, 100 << 10} {
		refs, r := picture(t, "Content-MD5: "+md5sum("other")+"\n", strings.Repeat("x", size))
		name, rep, err := r.SaveFile(t.Context(), refs, folder)
		if name != "" || rep == nil || fetch.KindOf(err) != fetch.DigestMismatch {
			t.Errorf("%d octets: got %q, %v, want digest-mismatch", size, name, err)
		}
	}
	if got := files(t, dir); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
	refs, r := picture(t, "", "x")
	folder.Close()
	if _, rep, err := r.SaveFile(t.Context(), refs, folder); rep == nil || fetch.KindOf(err) != fetch.Local {
		t.Errorf("got %v, want local", err)
	}
}

// TestSaveFileAccept: a body that Accept refuses leaves no file, and one that it accepts has been
// seen whole.
func TestSaveFileAccept(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want fetch.Kind
	}{
		{"Accepted", nil, 0},
		{"Refused", errors.New("no"), fetch.Denied},
		{"OwnKind", fetch.Unsupported, fetch.Unsupported},
	} {
		for _, body := range []string{"", "x", strings.Repeat("x", 100<<10)} {
			dir, folder := root(t)
			refs, r := picture(t, "", body)
			in := &externalbody.Folder{Root: folder, Accept: func(_ context.Context, rep *externalbody.Report, b *io.SectionReader) error {
				if got, err := io.ReadAll(b); err != nil || string(got) != body || rep.SHA256 == nil || len(files(t, dir)) > 0 {
					t.Errorf("%s: got %d octets, %v and %q, want %d, a digest and no file yet", c.name, len(got), err, files(t, dir), len(body))
				}
				return c.err
			}}
			name, _, err := in.Save(t.Context(), r, refs)
			must(t, in.Close())
			if fetch.KindOf(err) != c.want || c.err != nil && !errors.Is(err, c.err) || (name != "") != (c.err == nil) {
				t.Errorf("%s: got %q, %v, want the kind %s", c.name, name, err, c.want)
			}
			if got := files(t, dir); len(got) > 0 != (c.err == nil) {
				t.Errorf("%s: got the files %q", c.name, got)
			}
		}
	}
}

// TestSaveFileNumbers: thousands of bodies of one name take a few tries each.
func TestSaveFileNumbers(t *testing.T) {
	_, folder := root(t)
	refs, r := picture(t, "", "x")
	seen := make(map[string]bool)
	for range 110 {
		name, _, err := r.SaveFile(t.Context(), refs, folder)
		if err != nil || seen[name] || !strings.HasSuffix(name, ".png") {
			t.Fatalf("got %q again, %v, want a new name", name, err)
		}
		seen[name] = true
	}
	if !seen["x-100.png"] || seen["x-101.png"] {
		t.Errorf("got other names, want numbers up to 100")
	}
}

// TestSaveError: the error of a Save is the most useful one, and errors.Is finds all.
func TestSaveError(t *testing.T) {
	var alts []*externalbody.Reference
	pages := make(map[string]page)
	add := func(name string, kind fetch.Kind) {
		alts = append(alts, one(t, `message/external-body; access-type=URL; URL="http://h.example/`+name+`"`, "Content-Type: text/plain\n"))
		pages["http://h.example/"+name] = page{err: kind}
	}
	save := func() error {
		_, err := (&externalbody.Resolver{Fetcher: &web{pages: pages}}).Save(t.Context(), alts, new(tape))
		return err
	}
	add("a", fetch.NotFound)
	if err := save(); err.Error() != "fetch http://h.example/a: not-found" {
		t.Errorf("got %v, want the error itself", err)
	}
	for _, step := range []struct {
		name string
		kind fetch.Kind
		want fetch.Kind
		text string
	}{
		{"b", fetch.Forbidden, fetch.NotFound, "fetch http://h.example/a: not-found (other ways: http://h.example/b: forbidden)"},
		{"c", fetch.Unavailable, fetch.Unavailable, "fetch http://h.example/c: unavailable (other ways: http://h.example/a: not-found; http://h.example/b: forbidden)"},
		{"d", fetch.Pending, fetch.Pending, "fetch http://h.example/d: pending (other ways: http://h.example/a: not-found; http://h.example/b: forbidden; http://h.example/c: unavailable)"},
		{"e", fetch.Gone, fetch.Pending, "fetch http://h.example/d: pending (other ways: http://h.example/a: not-found; http://h.example/b: forbidden; http://h.example/c: unavailable; 1 more)"},
	} {
		add(step.name, step.kind)
		err := save()
		if got := fetch.KindOf(err); got != step.want || err.Error() != step.text {
			t.Errorf("with %v: got %v: %v\nwant %v: %s", step.kind, got, err, step.want, step.text)
		}
		for _, p := range pages {
			if !errors.Is(err, p.err) {
				t.Errorf("with %v: got that the error is not %v, want that it is", step.kind, p.err)
			}
		}
	}
	// A failure on our side ends a Save, and is the error that it returns.
	dst := &tape{}
	dst.fail = fs.ErrClosed
	pages["http://h.example/b"] = page{mediaType: "text/plain", body: "x"}
	_, err := (&externalbody.Resolver{Fetcher: &web{pages: pages}}).Save(t.Context(), alts, dst)
	if fetch.KindOf(err) != fetch.Local || !errors.Is(err, fetch.NotFound) || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want local and not-found", err)
	}
}

// TestSaveSpool: the first alternative that succeeds is in the Spool, and nothing of
// those before.
func TestSaveSpool(t *testing.T) {
	phantom := "Content-Type: text/plain\nContent-MD5: " + md5sum("good") + "\n"
	bad := one(t, `message/external-body; access-type=URL; URL="http://h.example/bad"`, phantom)
	good := one(t, `message/external-body; access-type=URL; URL="http://h.example/good.txt"`, phantom)
	w := &web{pages: map[string]page{
		"http://h.example/bad":      {mediaType: "text/plain", body: strings.Repeat("bad", 100<<10)},
		"http://h.example/good.txt": {mediaType: "text/plain", body: "good", header: map[string][]string{"Last-Modified": {"Sun, 06 Nov 1994 08:49:37 GMT"}}},
	}}
	r := &externalbody.Resolver{Fetcher: w}
	dir := t.TempDir()
	s, err := r.SaveSpool(t.Context(), []*externalbody.Reference{bad, good}, dir)
	must(t, err)
	b, err := io.ReadAll(s)
	if err != nil || string(b) != "good" || s.Size() != 4 || s.FileName != "good.txt" || s.ModTime.Year() != 1994 || len(s.Report.Failures) != 1 {
		t.Errorf("got %q, %v, %+v; want good.txt of 1994 after one failure", b, err, s)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err := r.SaveSpool(t.Context(), []*externalbody.Reference{bad}, dir); s != nil || fetch.KindOf(err) != fetch.DigestMismatch {
		t.Errorf("got %v, %v, want digest-mismatch", s, err)
	}
	w.pages["http://h.example/good.txt"] = page{mediaType: "text/plain", body: strings.Repeat("long", 100<<10)}
	good.Header = nil
	if s, err := r.SaveSpool(t.Context(), []*externalbody.Reference{good}, dir+"/no/such"); s != nil || fetch.KindOf(err) != fetch.Local {
		t.Errorf("got %v, %v, want local", s, err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{}) {
		t.Errorf("got %q, want nothing", got)
	}
}

// A body is kept once: under its name if it is there already, and otherwise as another
// name of a file that has the same octets. The octets of the file are compared.
func TestSaveFileStored(t *testing.T) {
	for _, size := range []int{1, 100 << 10} {
		dir, folder := root(t)
		body := strings.Repeat("x", size)
		refs, r := picture(t, "", body)
		write := func(name, text string) {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		write("other.png", strings.Repeat("y", size))
		write("taken.png", strings.Repeat("y", size))
		write("short.png", body[1:])
		if err := os.Symlink("x.png", filepath.Join(dir, "link.png")); err != nil {
			t.Skip(err)
		}
		for _, c := range []struct {
			name, file, stored, want string
			same                     bool
		}{
			{"New", "x.png", "", "x.png", true},
			{"Again", "x.png", "", "x.png", true},
			{"Link", "y.png", "x.png", "y.png", true},
			{"OtherOctets", "z.png", "other.png", "z.png", false},
			{"Numbered", "taken.png", "", "taken-2.png", false},
			{"NumberedAgain", "taken.png", "", "taken-2.png", false},
			{"Shorter", "u.png", "short.png", "u.png", false},
			{"Missing", "v.png", "nothing.png", "v.png", false},
			{"SymbolicLink", "w.png", "link.png", "w.png", false},
			{"NameOfASymbolicLink", "link.png", "", "link-2.png", false},
			{"NameTaken", "other.png", "x.png", "other-2.png", true},
			{"Outside", "s.png", "../x.png", "s.png", false},
		} {
			in := &externalbody.Folder{
				Root:   folder,
				Name:   func(*externalbody.Report) string { return c.file },
				Stored: func(*externalbody.Report) string { return c.stored },
			}
			name, _, err := in.Save(t.Context(), r, refs)
			if e := errors.Join(in.Close(), in.Close()); e != nil {
				t.Errorf("%s: got %v from two calls of Close, want no error", c.name, e)
			}
			if err != nil || name != c.want {
				t.Errorf("%s: got %q, %v, want %q", c.name, name, err, c.want)
				continue
			}
			a, _ := os.Stat(filepath.Join(dir, "x.png"))
			b, _ := os.Stat(filepath.Join(dir, name))
			if got, _ := os.ReadFile(filepath.Join(dir, name)); os.SameFile(a, b) != c.same || string(got) != body {
				t.Errorf("%s: got the same file: %t, and %d octets, want %t and %d", c.name, os.SameFile(a, b), len(got), c.same, size)
			}
		}
	}
}

// TestReportFileNameOfWeakTypes keeps the names of a message whose types the server alone
// gives, where such a server knows no better.
func TestReportFileNameOfWeakTypes(t *testing.T) {
	for _, tt := range []struct{ name, dialect, announced, served, want string }{
		{"report.docx", "filelink", "", "application/msword", "report.docx"},
		{"Makefile", "filelink", "", "text/plain; charset=utf-8", "Makefile"},
		{"mail.eml", "filelink", "", "text/plain", "mail.eml"},
		{"logo.svg", "filelink", "", "text/xml", "logo.svg"},
		{"clip.mov", "filelink", "", "video/mp4", "clip.mov"},
		{"logo.svg", "filelink", "application/xml", "application/xml", "logo.svg.xml"},
		{"report.docx", "filelink", "", "application/zip", "report.docx"},
		{"report.odt", "filelink", "", "application/zip", "report.odt"},
		{"x.apk", "filelink", "", "application/zip", "x.apk"},
		{"x.apk", "filelink", "application/octet-stream", "application/zip", "x.apk"},
		{"x.apk", "filelink", "application/zip", "application/zip", "x.apk.zip"},
		{"x.apk", "", "application/zip", "application/zip", "x.apk.zip"},
		{"all.zip", "filelink", "", "application/vnd.oasis.opendocument.text", "all.zip"},
		{"all.zip", "filelink", "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text", "all.zip.odt"},
		{"x.desktop", "filelink", "", "text/plain", "x.desktop.txt"},
		{"x.apk", "filelink", "", "image/png", "x.apk.png"},
		{"", "filelink", "", "text/plain", "part-1.txt"},
	} {
		r := &externalbody.Report{MediaType: tt.served, Reference: &externalbody.Reference{
			ID: "1", AccessType: "url", Params: externalbody.Fields{{Name: "url", Value: "http://h.example/"}}, Dialect: tt.dialect, MediaType: tt.announced, Name: tt.name, Size: -1,
		}}
		if got := r.FileName(); got != tt.want {
			t.Errorf("%q of %q, announced as %q: got %q, want %q", tt.name, tt.served, tt.announced, got, tt.want)
		}
	}
}

// TestTypeOfDataURL blames no server for the type of a data: URL.
func TestTypeOfDataURL(t *testing.T) {
	ref := one(t, `message/external-body; access-type=URL; URL="data:text/html,x"`, "Content-Type: text/plain\n")
	_, err := (&externalbody.Resolver{Fetcher: datafetch.New(nil)}).Resolve(t.Context(), ref)
	if !errors.Is(err, fetch.TypeMismatch) || strings.Contains(err.Error(), "server") {
		t.Errorf("got %v, want %v, and no word of a server", err, fetch.TypeMismatch)
	}
}
