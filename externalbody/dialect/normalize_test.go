package dialect_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

func normalize(t testing.TB, text string, opts *dialect.NormalizeOptions) (string, *dialect.NormalizeReport) {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	report, err := dialect.Normalize(t.Context(), &b, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

var madeBoundary = regexp.MustCompile(`extbody-[A-Z2-7]{26}`)

const documentField = "Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A; FileName=a.pdf;\n ContentType=application%2fpdf; Permission=Edit\n"

// documentPart is the part that is added for documentField.
const documentPart = `Content-Type: message/external-body; access-type=URL;
	URL="https://1drv.ms/b/s!A"; permission=read-write

Content-Type: application/pdf
Content-Disposition: attachment; filename=a.pdf
Content-ID: <ID@extbody.invalid>

`

// TestNormalize has messages and what is written; ID stands for the ID of the
// reference and BOUNDARY for the new boundary.
func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{
			"Text",
			"From: a@b.example\n" + documentField + "Content-Type: text/plain;\n charset=utf-8\nContent-Transfer-Encoding: 8bit\nSubject: x\n\nHell\u00f6\n",
			"From: a@b.example\n" + documentField + "Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"BOUNDARY\"\nContent-Transfer-Encoding: 8bit\n\n" +
				"--BOUNDARY\nContent-Type: text/plain;\n charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nHell\u00f6\n\n" +
				"--BOUNDARY\n" + documentPart + "--BOUNDARY--\n",
		},
		{
			"Bare",
			documentField + "\nHello",
			documentField + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"BOUNDARY\"\n\n--BOUNDARY\n\nHello\n--BOUNDARY\n" + documentPart + "--BOUNDARY--\n",
		},
		{
			"HeaderOnly",
			documentField,
			documentField + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"BOUNDARY\"\n\n--BOUNDARY\n\n\n--BOUNDARY\n" + documentPart + "--BOUNDARY--\n",
		},
		{
			"Mixed",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\nHello\n--b--\nepilogue\n",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\nHello\n--b\n" + documentPart + "--b--\nepilogue\n",
		},
		{
			"MixedNotClosed",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n\n--b\n" + documentPart + "--b--\n",
		},
		{
			"MixedEmptyPart",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b--\n",
			documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n" + documentPart + "--b--\n",
		},
		{
			"Alternative",
			"MIME-Version: 1.0\n" + documentField + "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nHello\n--b--\n",
			"MIME-Version: 1.0\n" + documentField + "Content-Type: multipart/mixed; boundary=\"BOUNDARY\"\n\n--BOUNDARY\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nHello\n--b--\n\n--BOUNDARY\n" + documentPart + "--BOUNDARY--\n",
		},
		{"Signed", documentField + "Content-Type: multipart/signed; boundary=b\n\n--b\n\nHello\n--b--\n", ""},
		{"Nothing", "Subject: x\n\nHello\n", ""},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(c.name+strings.TrimSpace(strings.ReplaceAll(eol, "\r", "CR")), func(t *testing.T) {
				text := strings.ReplaceAll(c.text, "\n", eol)
				got, report := normalize(t, text, nil)
				want := c.want
				if want == "" {
					want = c.text
				} else if len(report.Added) != 1 {
					t.Fatalf("%d added", len(report.Added))
				} else {
					want = strings.ReplaceAll(want, "ID@", report.Added[0].ID+"@")
				}
				want = strings.ReplaceAll(want, "\n", eol)
				if shown := madeBoundary.ReplaceAllString(got, "BOUNDARY"); shown != want {
					t.Errorf("got\n%q\nwant\n%q", shown, want)
				}
				checkNormal(t, text, got, report)
			})
		}
	}
}

// urlOf returns the URL of a Reference as it is asked for.
func urlOf(ref *externalbody.Reference) string {
	v, _ := ref.Param("url")
	if text, err := urlaccess.Decode(v); err == nil {
		return text
	}
	return v
}

// checkNormal holds what was written to what Normalize promises.
func checkNormal(t testing.TB, text, got string, report *dialect.NormalizeReport) {
	t.Helper()
	standard := make(map[string]int)
	for _, ref := range openWith(t, got, dialect.All()) {
		if ref.Dialect == "" {
			standard[ref.AccessType+" "+urlOf(ref)]++
		}
	}
	for _, ref := range report.Added {
		if standard[ref.AccessType+" "+urlOf(ref)] == 0 {
			t.Errorf("%s is not found again", ref.ID)
		}
	}
	if len(report.Added) == 0 && got != text {
		t.Error("nothing was added, and the message is another one")
	}
	again, second := normalize(t, got, nil)
	if again != got || len(second.Added) != 0 {
		t.Errorf("normalized again: %d added\n%q\n%q", len(second.Added), got, again)
	}
}

// TestNormalizeNested leaves what stands in a message within the message.
func TestNormalizeNested(t *testing.T) {
	text := part("Content-Type: message/rfc822\n\n" + documentField + "Subject: x\n\nHello\n")
	_, report := normalize(t, text, nil)
	if len(report.Added) != 0 || len(report.Left) != 1 || !errors.Is(report.Left[0].Err, fetch.Unsupported) {
		t.Errorf("%+v", report)
	}
	if _, report := normalize(t, text, &dialect.NormalizeOptions{Nested: true, Domain: "a.example"}); len(report.Added) != 1 {
		t.Errorf("%+v", report)
	}
}

// TestNormalizeReport has references of which some cannot be written.
func TestNormalizeReport(t *testing.T) {
	text := `Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A
Document-Reference: nowhere
Document-Reference: https%3a%2f%2fuser%3apassword%40h.example%2f
Document-Reference: https%3a%2f%2fh.example%2f%3fq%3d%c5%99; FileName=%c5%99.txt
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/x-moz-deleted; name="Deleted: a.pdf"
X-Mozilla-Altered: AttachmentDeleted; date="Wed Oct 06 17:28:24 2010"

--b
Content-Type: message/external-body; access-type=URL; URL="https://1drv.ms/
	b/s!A"

Content-ID: <a@b>

--b--
`
	got, report := normalize(t, text, nil)
	if len(report.Added) != 2 || len(report.Present) != 0 || len(report.Left) != 2 {
		t.Errorf("%d added, %d present, %d left", len(report.Added), len(report.Present), len(report.Left))
	}
	for _, l := range report.Left {
		if !errors.Is(l.Err, fetch.Malformed) || strings.Contains(l.Err.Error(), "password@") {
			t.Error(l.Err)
		}
	}
	if !strings.Contains(got, "filename*=utf-8''%C5%99.txt") || !strings.Contains(got, "access-type=x-mutt-deleted;") {
		t.Error(got)
	}
	checkNormal(t, text, got, report)
}

// TestNormalizeForOthers reads what was written with another reader.
func TestNormalizeForOthers(t *testing.T) {
	got, _ := normalize(t, strings.ReplaceAll(fourPlaces, "\n", "\r\n"), nil)
	e, err := message.Read(strings.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	if err := e.Walk(func(_ []int, e *message.Entity, err error) error {
		if err != nil {
			return err
		}
		mediaType, params, err := e.Header.ContentType()
		types = append(types, mediaType+params["url"])
		return err
	}); err != nil {
		t.Fatal(err)
	}
	want := "multipart/mixed multipart/alternative text/plain text/html text/html message/external-body" + fileURL
	if strings.Join(types, " ") != want {
		t.Errorf("%q", types)
	}
}

// TestNormalizeErrors are those of the destination and of the context.
func TestNormalizeErrors(t *testing.T) {
	text := documentField + "\nHello"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	r.Close()
	if _, err := dialect.Normalize(t.Context(), w, m, nil); !errors.Is(err, fetch.Local) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dialect.Normalize(ctx, io.Discard, m, nil); !errors.Is(err, fetch.Canceled) {
		t.Error(err)
	}
}
