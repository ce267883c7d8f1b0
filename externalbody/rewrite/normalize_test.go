package rewrite_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

func normalize(t testing.TB, text string, opts *rewrite.NormalizeOptions) (string, *rewrite.Report) {
	t.Helper()
	var b bytes.Buffer
	report, err := rewrite.Normalize(t.Context(), &b, openAll(t, text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

// openAll opens a message with all Dialects.
func openAll(t testing.TB, text string) *externalbody.Message {
	t.Helper()
	return openWith(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
}

// added returns the references for which a part was added.
func added(r *rewrite.Report) []*externalbody.Reference {
	var refs []*externalbody.Reference
	for _, i := range r.Items {
		if i.Action == rewrite.Added {
			refs = append(refs, i.References[0])
		}
	}
	return refs
}

// madeBoundary is a new boundary, in its parameter or in a delimiter line.
var madeBoundary = regexp.MustCompile(`(boundary="|--)[A-Z2-7]{26}\b`)

const documentField = "Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A; FileName=a.pdf;\n ContentType=application%2fpdf; Permission=Edit\n"

// documentPart is the part that is added for documentField.
const documentPart = `Content-Type: message/external-body; access-type=URL;
	URL="https://1drv.ms/b/s!A"; name=a.pdf; permission=read-write
Content-Disposition: attachment; filename=a.pdf

Content-Type: application/pdf
Content-Disposition: attachment; filename=a.pdf
Content-ID: <ID@extbody.invalid>

`

// TestNormalize has the scenarios of testdata/normalize.
func TestNormalize(t *testing.T) {
	runScenarios(t, "normalize", func(t *testing.T, s *scenario) {
		got, report := normalize(t, s.before, nil)
		s.check(t, got, report)
		checkNormal(t, s.before, got, report)
	})
}

// urlOf returns the URL of a Reference as it is asked for.
func urlOf(ref *externalbody.Reference) string {
	v, _ := ref.Param("url")
	if text, err := urlaccess.Decode(v); err == nil {
		return text
	}
	return v
}

// checkNormal checks the output against the promises of Normalize.
func checkNormal(t testing.TB, text, got string, report *rewrite.Report) {
	t.Helper()
	standard := make(map[string]int)
	for ref := range openAll(t, got).References() {
		if ref.Dialect == "" {
			standard[ref.AccessType+" "+urlOf(ref)]++
		}
	}
	refs := added(report)
	for _, ref := range refs {
		if standard[ref.AccessType+" "+urlOf(ref)] == 0 {
			t.Errorf("got\n%q\nwant %s found in it again", got, ref.ID)
		}
	}
	if len(refs) == 0 && got != text || report.Changed() != (len(refs) > 0) {
		t.Errorf("got changed %t,\n%q\nwant what %d added make of\n%q", report.Changed(), got, len(refs), text)
	}
	again, second := normalize(t, got, &rewrite.NormalizeOptions{Nested: true, Domain: "other.example", Select: func(ref *externalbody.Reference) bool {
		return slices.ContainsFunc(refs, func(r *externalbody.Reference) bool { return r.AccessType == ref.AccessType && urlOf(r) == urlOf(ref) })
	}})
	if again != got || second.Changed() {
		t.Errorf("normalized again: got %s,\n%q\nwant no change,\n%q", actions(second), again, got)
	}
}

// TestNormalizeNested leaves references in a message within the message, and wraps
// that one if it is asked to.
func TestNormalizeNested(t *testing.T) {
	text := mixed("Content-Type: message/rfc822\n\n" + documentField + "Subject: x\n\nHello")
	got, report := normalize(t, text, nil)
	if got != text || len(report.Items) != 1 || !errors.Is(report.Items[0].Err, fetch.Denied) {
		t.Errorf("%s got %v, want %v", actions(report), report.Items[0].Err, fetch.Denied)
	}
	got, report = normalize(t, text, &rewrite.NormalizeOptions{Nested: true, Domain: "a.example"})
	want := mixed("Content-Type: message/rfc822\n\n" + documentField + "Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"BOUNDARY\"\n\n" +
		"--BOUNDARY\n\nHello\n--BOUNDARY\n" + strings.ReplaceAll(strings.Replace(documentPart, "extbody.invalid", "a.example", 1), "<ID", "<"+report.Items[0].Section) + "--BOUNDARY--\n")
	if shown := madeBoundary.ReplaceAllString(got, "${1}BOUNDARY"); shown != want {
		t.Errorf("got\n%s\nwant\n%s", shown, want)
	}
	checkNormal(t, text, got, report)
}

// TestNormalizeOptions has the options that keep a part from being added.
func TestNormalizeOptions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       rewrite.NormalizeOptions
		want       error
	}{
		{"NotSelected", documentField + "\nx", rewrite.NormalizeOptions{Select: func(*externalbody.Reference) bool { return false }}, nil},
		{"Transit", documentField + "DKIM-Signature: x\n\nx", rewrite.NormalizeOptions{At: rewrite.Transit}, fetch.Denied},
		{"SMIME", documentField + "Content-Type: application/pkcs7-mime\n\nx", rewrite.NormalizeOptions{}, fetch.Denied},
		{"BadBoundary", documentField + "Content-Type: multipart/mixed\n\nx", rewrite.NormalizeOptions{}, fetch.Malformed},
		{"NoParts", documentField + "Content-Type: multipart/mixed; boundary=b\n\nx", rewrite.NormalizeOptions{}, fetch.Malformed},
		{"Mark", "X-Mozilla-Altered: AttachmentDeleted; date=\"x\"\n\nx", rewrite.NormalizeOptions{}, fetch.Unsupported},
		{"ManyParts", documentField + "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\n\n", 10_001) + "--b--\n", rewrite.NormalizeOptions{}, fetch.TooLarge},
		{"ManyBoundaries", documentField + manyBoundaries(), rewrite.NormalizeOptions{}, fetch.Malformed},
		{"LongHeader", documentField + strings.Repeat("X: y\n", 100_000) + "\nx", rewrite.NormalizeOptions{}, fetch.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, report := normalize(t, c.text, &c.opts)
			if got != c.text || len(report.Items) != 1 || report.Items[0].Action != rewrite.Left || !errors.Is(report.Items[0].Err, c.want) {
				t.Errorf("%+v, got\n%.1000s, want 1 of them, %.1000s", report.Items, got, c.text)
			}
		})
	}
	text := documentField + strings.Repeat("X: y\n", 250_000) + "\nx"
	m := openWith(t, text, &externalbody.OpenOptions{Dialects: dialect.All(), MaxHeaderBytes: 4 << 20})
	if report, err := rewrite.Normalize(t.Context(), io.Discard, m, nil); err != nil || !errors.Is(report.Items[0].Err, fetch.TooLarge) {
		t.Errorf("a header of more than a megabyte: got %v, %+v, want nil, an item with %v", err, report, fetch.TooLarge)
	}
	if _, err := rewrite.Normalize(t.Context(), io.Discard, openAll(t, "\n"), &rewrite.NormalizeOptions{Domain: "a\nb"}); !errors.Is(err, fetch.Malformed) {
		t.Error(err)
	}
}

// manyBoundaries returns the end of a message with a boundary for each letter that a
// new one can start with.
func manyBoundaries() string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=0\n\n")
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" {
		fmt.Fprintf(&b, "--0\nContent-Type: multipart/related; boundary=%c\n\n--%[1]c\n\nx\n--%[1]c--\n", c)
	}
	return b.String() + "--0--\n"
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
	left := 0
	for _, i := range report.Items {
		if i.Action == rewrite.Added {
			continue
		}
		left++
		if !errors.Is(i.Err, fetch.Malformed) || strings.Contains(i.Err.Error(), "password@") {
			t.Error(i.Err)
		}
	}
	if len(added(report)) != 2 || left != 2 {
		t.Error(actions(report))
	}
	if !strings.Contains(got, "filename*=utf-8''%C5%99.txt") || !strings.Contains(got, "access-type=x-mutt-deleted;") {
		t.Error(got)
	}
	checkNormal(t, text, got, report)
}

const (
	fileURL  = "https://cloud.example/s/AbCdEf"
	fileItem = `<li class="cloudAttachmentItem" data-content-location="` + fileURL + `"><a class="cloudfile-name" href="` + fileURL + `">plan.odt</a></li>`
)

// fourPlaces is one file in a text, its HTML and the part in its place.
const fourPlaces = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=o

--o
Content-Type: multipart/alternative; boundary=i

--i
Content-Type: text/plain

I linked plan.odt:
<` + fileURL + `>
--i
Content-Type: text/html

<p>Files:<ul>` + fileItem + `</ul>
--i--
--o
Content-Type: text/html; charset=utf-8
Content-Disposition: attachment; filename="plan.odt.html"
X-Mozilla-Cloud-Part: cloudFile; url=` + fileURL + `

<a href="` + fileURL + `">plan.odt</a>
--o--
`

// TestNormalizeForOthers reads the output with another reader.
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
	want := "multipart/mixed multipart/alternative text/plain text/html message/external-body" + fileURL + " text/html"
	if strings.Join(types, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(types, " "), want)
	}
}

// TestNormalizeErrors has errors of the destination and of the context.
func TestNormalizeErrors(t *testing.T) {
	text := documentField + "\nHello"
	m := openAll(t, text)
	r, w := io.Pipe()
	r.Close()
	if _, err := rewrite.Normalize(t.Context(), w, m, nil); !errors.Is(err, fetch.Local) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rewrite.Normalize(ctx, io.Discard, m, nil); !errors.Is(err, fetch.Canceled) {
		t.Error(err)
	}
}

// TestNormalizeTNEF has a winmail.dat whose only texts name a file, and one with a message
// that is forwarded. Nothing of that message is added without Nested.
func TestNormalizeTNEF(t *testing.T) {
	const head = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHi\n--b\nContent-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n"
	attribute := func(level byte, id uint32, value string) string {
		b := binary.LittleEndian.AppendUint32([]byte{level}, id)
		return string(binary.LittleEndian.AppendUint32(b, uint32(len(value)))) + value + "\x00\x00"
	}
	const begin, body, attached = "\x78\x9f\x3e\x22\x01\x00", 0x0002800C, 0x00069005
	plain := begin + attribute(1, body, "https://1drv.ms/b/s!A")
	forwarded := begin + attribute(2, attached, "\x02\x00\x00\x00\x03\x00\x05\x37\x05\x00\x00\x00\x0d\x00\x01\x37\x01\x00\x00\x00"+string(binary.LittleEndian.AppendUint32(nil, uint32(16+len(plain))))+"0123456789abcdef"+plain)
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"Message", plain, 1},
		{"Forwarded", forwarded, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := head + base64.StdEncoding.EncodeToString([]byte(tt.text)) + "\n--b--\n"
			once, report := normalize(t, text, nil)
			if got := added(report); len(got) != tt.want || len(report.Items) != 1 {
				t.Fatalf("got %d of %d items added, want %d of 1", len(got), len(report.Items), tt.want)
			}
			before, after, _ := strings.Cut(text, "\n--b--\n")
			if !strings.HasPrefix(once, before) || !strings.HasSuffix(once, "\n--b--\n"+after) {
				t.Errorf("got %q, want a part added at the end", once)
			}
			if twice, _ := normalize(t, once, nil); twice != once {
				t.Errorf("got %q, want no change the second time", twice)
			}
		})
	}
}
