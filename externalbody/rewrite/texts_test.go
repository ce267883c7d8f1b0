package rewrite_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// replaceX replaces each "x" by "yz".
func replaceX(_ string, text []byte) (edits []rewrite.TextEdit) {
	for i, c := range text {
		if c == 'x' {
			edits = append(edits, rewrite.TextEdit{Start: int64(i), End: int64(i + 1), Text: "yz"})
		}
	}
	return edits
}

func TestEditTexts(t *testing.T) {
	const head = "From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
	encoded := base64.StdEncoding.EncodeToString([]byte("a x b\r\n")) + "\r\n"
	edited := base64.StdEncoding.EncodeToString([]byte("a yz b\r\n")) + "\r\n"
	multipart := func(kind, inner string) string {
		return head + "Content-Type: multipart/" + kind + "; boundary=q\r\n\r\nx\r\n--q\r\n" + inner + "\r\n--q--\r\nx\r\n"
	}
	const plain = "Content-Type: text/plain\r\n\r\n"
	for _, tt := range []struct {
		name, in, want string
		opts           rewrite.EditOptions
		items          string
	}{
		{name: "Plain", in: head + "\r\na x\r\nx\r\n", want: head + "\r\na yz\r\nyz\r\n", items: "1 replaced"},
		{name: "Nothing", in: head + "\r\na\r\n", want: head + "\r\na\r\n"},
		{name: "HTML", in: head + "Content-Type: text/html; charset=iso-8859-1\r\n\r\n<p>\xe4 x</p>\r\n", want: head + "Content-Type: text/html; charset=iso-8859-1\r\n\r\n<p>\xe4 yz</p>\r\n", items: "1 replaced"},
		{name: "Base64", in: head + "Content-Transfer-Encoding: base64\r\n\r\n" + encoded, want: head + "Content-Transfer-Encoding: base64\r\n\r\n" + edited, items: "1 replaced"},
		{name: "QuotedPrintable", in: head + "Content-Transfer-Encoding: quoted-printable\r\n\r\na=\r\n x =3D\r\n", want: head + "Content-Transfer-Encoding: quoted-printable\r\n\r\na yz =3D\r\n", items: "1 replaced"},
		{name: "ContentMD5", in: head + "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\r\n\r\nx\r\n", want: head + "\r\nyz\r\n", items: "1 replaced"},
		{name: "Multipart", in: multipart("mixed", plain+"x"), want: strings.Replace(multipart("mixed", plain+"X"), "X", "yz", 1), items: "1 replaced"},
		{name: "Attachment", in: multipart("mixed", "Content-Disposition: attachment; filename=a.txt\r\n"+plain+"x"), want: multipart("mixed", "Content-Disposition: attachment; filename=a.txt\r\n"+plain+"x")},
		{name: "OtherType", in: multipart("mixed", "Content-Type: text/csv\r\n\r\nx"), want: multipart("mixed", "Content-Type: text/csv\r\n\r\nx")},
		{name: "Signed", in: multipart("signed", plain+"x"), want: multipart("signed", plain+"x"), items: "1 left"},
		{name: "Encrypted", in: multipart("encrypted", plain+"x"), want: multipart("encrypted", plain+"x"), items: "1 left"},
		{name: "Nested", in: multipart("mixed", "Content-Type: message/rfc822\r\n\r\n"+plain+"x"), want: multipart("mixed", "Content-Type: message/rfc822\r\n\r\n"+plain+"x"), items: "1.1 left"},
		{name: "NestedToo", in: multipart("mixed", "Content-Type: message/rfc822\r\n\r\n"+plain+"x"), want: strings.Replace(multipart("mixed", "Content-Type: message/rfc822\r\n\r\n"+plain+"X"), "X", "yz", 1), opts: rewrite.EditOptions{Nested: true}, items: "1.1 replaced"},
		{name: "Transit", in: "DKIM-Signature: v=1\r\n" + head + "\r\nx\r\n", want: "DKIM-Signature: v=1\r\n" + head + "\r\nx\r\n", opts: rewrite.EditOptions{At: rewrite.Transit}, items: "1 left"},
		{name: "Delivery", in: "DKIM-Signature: v=1\r\n" + head + "\r\nx\r\n", want: "DKIM-Signature: v=1\r\n" + head + "\r\nyz\r\n", items: "1 replaced"},
		{name: "UTF16", in: head + "Content-Type: text/plain; charset=utf-16\r\n\r\nx\r\n", want: head + "Content-Type: text/plain; charset=utf-16\r\n\r\nx\r\n", items: "1 left"},
		{name: "LF", in: "Subject: x\n\nx\n", want: "Subject: x\n\nyz\n", items: "1 replaced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(tt.in), int64(len(tt.in)), nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.opts.Edit = replaceX
			var out bytes.Buffer
			report, err := rewrite.EditTexts(t.Context(), &out, m, &tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.want {
				t.Errorf("got %q, want %q", out.String(), tt.want)
			}
			var items []string
			for _, i := range report.Items {
				items = append(items, i.Section+" "+i.Action.String())
				if (i.Action == rewrite.Left) != (i.Err != nil) {
					t.Errorf("%s: got %v with %v, want a reason if it is left", i.Section, i.Action, i.Err)
				}
			}
			if got := strings.Join(items, ", "); got != tt.items {
				t.Errorf("got the items %q, want %q", got, tt.items)
			}
		})
	}
}

// TestEditTextsRefused has edits that cannot be made. The text is as it was, also where other edits of it could have
// been made, and the Report has the reason (OP-50).
func TestEditTextsRefused(t *testing.T) {
	const text = "Subject: a\r\n\r\nabcdef\r\n"
	encoded := func(body string) string { return "Content-Transfer-Encoding: base64\r\n\r\n" + body }
	type edits []rewrite.TextEdit
	for _, tt := range []struct {
		name, in string
		edits    edits
		kind     fetch.Kind
	}{
		{"NotASCII", text, edits{{1, 3, "X"}, {3, 4, "ä"}}, fetch.Unsupported},
		{"Overlap", text, edits{{1, 3, "X"}, {2, 4, "Y"}}, fetch.Malformed},
		{"NotInOrder", text, edits{{1, 3, "X"}, {0, 1, "Z"}}, fetch.Malformed},
		{"EndBeforeStart", text, edits{{1, 3, "X"}, {4, 3, "W"}}, fetch.Malformed},
		{"OverTheEnd", text, edits{{1, 3, "X"}, {6, 100, "U"}}, fetch.Malformed},
		{"BeforeTheStart", text, edits{{-1, 0, "U"}}, fetch.Malformed},
		{"Damaged", encoded("YWJjZGVmZ2\r\nh=\r\nYWJj\r\nYWJjZ\r\n"), edits{{0, 1, "X"}}, fetch.Malformed},
		{"FaultsWithoutEdits", encoded("YWJj\r\nZA==\r\na footer\r\n"), nil, 0},
		{"Faults", encoded("YWJj\r\nZA==\r\na footer\r\n"), edits{{0, 1, "X"}}, fetch.Malformed},
		{"DamagedWithoutEdits", encoded("YWJjZ\r\n"), nil, fetch.Malformed},
		{"TooLong", "\r\n" + strings.Repeat("a", 32<<20+1), edits{{0, 1, "X"}}, fetch.Unsupported},
		{"WithoutEdits", text, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(tt.in), int64(len(tt.in)), nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			report, err := rewrite.EditTexts(t.Context(), &out, m, &rewrite.EditOptions{Edit: func(string, []byte) []rewrite.TextEdit {
				return tt.edits
			}})
			if err != nil || out.String() != tt.in {
				t.Errorf("got %d octets, %v, want the message as it was", out.Len(), err)
			}
			var got fetch.Kind
			for _, i := range report.Items {
				if got = fetch.KindOf(i.Err); i.Action != rewrite.Left {
					t.Errorf("got %v, want %v", i.Action, rewrite.Left)
				}
			}
			if got != tt.kind || (tt.kind != 0) != (len(report.Items) == 1) {
				t.Errorf("got %v in %d items, want %v", got, len(report.Items), tt.kind)
			}
		})
	}
}

// TestEditTextsForgotten has no Edit.
func TestEditTextsForgotten(t *testing.T) {
	const in = "Subject: a\r\n\r\nx\r\n"
	m, err := externalbody.Open(strings.NewReader(in), int64(len(in)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []*rewrite.EditOptions{nil, {Nested: true}} {
		var out bytes.Buffer
		report, err := rewrite.EditTexts(t.Context(), &out, m, opts)
		if fetch.KindOf(err) != fetch.Unsupported || !strings.Contains(err.Error(), "EditOptions.Edit") || report == nil || out.Len() > 0 {
			t.Errorf("got %v, %v, %d octets, want %v with the field, a report and nothing", err, report, out.Len(), fetch.Unsupported)
		}
	}
}
