package externalbody_test

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// TestAmbiguous has messages in which some mail programs see a part and others do not.
func TestAmbiguous(t *testing.T) {
	const ref = "Content-Type: message/external-body; access-type=URL;\n URL=\"https://a.example/x\"\n\nContent-Type: image/png\nContent-ID: <x@y>\n\n"
	mixed := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	in := func(s string) string { return mixed + "--b\n" + s + "\n--b--\n" }
	for _, tt := range []struct {
		name, text string
		want       string
	}{
		{"Plain", in(ref), "1"},
		{"JunkFirst", in("JUNK line\n" + ref), "1 ambiguous"},
		{"JunkInTheMiddle", in("Content-Description: x\nJUNK line\n" + ref), "1 ambiguous"},
		{"JunkInMessage", "JUNK line\n" + in(ref), "1 ambiguous"},
		{"FieldWithoutColon", in("Content-Type text/plain\n" + ref), "1 ambiguous"},
		{"FromLine", in("From a b\n" + ref), "1 ambiguous"},
		{"QuotedFromLine", in(">From a b\n" + ref), "1 ambiguous"},
		{"Blank", in(" \n" + ref), "1 ambiguous"},
		{"DelimiterWithJunk", mixed + "--bjunk\n" + ref + "\n--b--\n", "1 ambiguous"},
		{"DelimiterWithTabAndJunk", mixed + "--b\tjunk\n" + ref + "\n--b--\n", "1 ambiguous"},
		{"EmptyBoundary", strings.Replace(in(ref), "boundary=b", "boundary=\"\"; boundary=b", 1), "1 ambiguous"},
		{"Boundaries", strings.Replace(in(ref), "boundary=b", "boundary=a; boundary=b", 1), "1 ambiguous"},
		{"CRBeforeField", in("X: y\r" + ref), "1 ambiguous"},
		{"CRBeforeDelimiter", mixed + "--b\n\ntext\r--b\n" + ref + "\n--b--\n", "2 ambiguous"},
		{"TypesFirst", in("Content-Type: text/plain\n" + ref), "1 ambiguous"},
		{"TypesLast", in(strings.Replace(ref, "\n\n", "\nContent-Type: text/plain\n\n", 1)), "1 ambiguous"},
		{"NUL", in(strings.Replace(ref, "external-body", "external\x00-body", 1)), "1 ambiguous"},
		{"TextWithoutHeader", in("Hello,\nsee: below\n\n--b\n" + ref), "2"},
		{"SameTypes", in("Content-Type: text/plain\nContent-Type: text/plain\n\nx\n--b\n" + ref), "2"},
		{"LineEnds", strings.ReplaceAll(in(ref), "\n", "\r\r\n"), "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(tt.text), int64(len(tt.text)), &externalbody.OpenOptions{Dialects: dialect.All()})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for r := range m.References() {
				s := r.ID
				if r.Ambiguous() {
					s += " ambiguous"
				}
				got = append(got, s)
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			told := false
			for p := range m.Unread() {
				told = told || p.Reason == externalbody.DiagAmbiguous
			}
			if want := strings.Contains(tt.want, "ambiguous"); told != want {
				t.Errorf("got the reason %s: %t, want %t", externalbody.DiagAmbiguous, told, want)
			}
		})
	}
}
