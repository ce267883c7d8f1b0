package inspect

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// retitle returns the message text with tag before its Subject.
func retitle(t testing.TB, text, tag string) string {
	t.Helper()
	dst := new(spool.Spool)
	dst.Memory = 1 << 20
	defer dst.Close()
	if err := new(Inspector).Retitle(dst, messageOf(text), tag); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return readAll(&Message{Text: dst, Size: dst.Size()})
}

func TestRetitle(t *testing.T) {
	const long = "a subject of many words that fills its line nearly to the end"
	for _, test := range []struct{ name, tag, text, want string }{
		{"Plain", "[File]", "A: 1\r\nSubject: a b\r\nB: 2\r\n\r\nSubject: c\r\n", "A: 1\r\nSubject: [File] a b\r\nB: 2\r\n\r\nSubject: c\r\n"},
		{"Again", "[File]", "Subject: [File] a\r\n\r\n", "Subject: [File] a\r\n\r\n"},
		{"AgainInReply", "[File]", "Subject: Re: AW[2]: [File] a\r\n\r\n", "Subject: Re: AW[2]: [File] a\r\n\r\n"},
		{"AgainEncoded", "[File]", "Subject: =?utf-8?q?=5BFile=5D_=C3=A4?=\r\n\r\n", "Subject: =?utf-8?q?=5BFile=5D_=C3=A4?=\r\n\r\n"},
		{"Elsewhere", "[File]", "Subject: a [File]\r\n\r\n", "Subject: [File] a [File]\r\n\r\n"},
		{"NoSpace", "[File]", "subject:a\r\n\r\n", "subject: [File] a\r\n\r\n"},
		{"LF", "[File]", "A: 1\nSubject: a\n\nb", "A: 1\nSubject: [File] a\n\nb"},
		{"Empty", "[File]", "Subject:\r\n\r\n", "Subject: [File]\r\n\r\n"},
		{"Blank", "[File]", "Subject:  \r\n\r\n", "Subject: [File]\r\n\r\n"},
		{"NextLine", "[File]", "Subject:\r\n a\r\n\r\n", "Subject: [File]\r\n a\r\n\r\n"},
		{"Folded", "[File]", "Subject: a\r\n\tb\r\n\r\n", "Subject: [File] a\r\n\tb\r\n\r\n"},
		{"Long", "[File from outside]", "Subject: " + long + "\r\n\r\n", "Subject: [File from outside]\r\n " + long + "\r\n\r\n"},
		{"EncodedSubject", "[File]", "Subject: =?utf-8?q?=C3=A4?=\r\n\r\n", "Subject: [File] =?utf-8?q?=C3=A4?=\r\n\r\n"},
		{"EncodedTag", "[Größe]", "Subject: =?utf-8?q?=C3=A4?=\r\n\r\n", "Subject: =?utf-8?b?W0dyw7bDn2VdIA==?= =?utf-8?q?=C3=A4?=\r\n\r\n"},
		{"Two", "[File]", "Subject: a\r\nSubject: b\r\n\r\n", "Subject: [File] a\r\nSubject: [File] b\r\n\r\n"},
		{"None", "[File]", "A: 1\r\n\r\nb", "Subject: [File]\r\nA: 1\r\n\r\nb"},
		{"NoneAfterFrom", "[File]", "From a@a.example Mon\r\nA: 1\r\n\r\nb", "From a@a.example Mon\r\nSubject: [File]\r\nA: 1\r\n\r\nb"},
		{"NoHeader", "[File]", "\r\nb", "Subject: [File]\r\n\r\nb"},
	} {
		if got := retitle(t, test.text, test.tag); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// The tag is shown before the Subject, all other octets stay, and the second time nothing changes.
func FuzzRetitle(f *testing.F) {
	for _, text := range []string{
		"Subject: a\r\n\r\nb", "Subject:\r\n a\r\n\r\n", "A: 1\n\nb", " a\r\nSubject : =?utf-8?b?w6Q=?=\r\n", "From a\r\nSubject\r\n", "\r\n", "Subject: a\rb\r\n\r\n",
	} {
		f.Add(text, "[File]")
		f.Add(text, "Größe: ✓")
	}
	f.Fuzz(func(t *testing.T, text, tag string) {
		if checkTag(tag) != nil || len(text) > 10_000 {
			t.Skip()
		}
		dst := &spool.Spool{Memory: 1 << 20}
		defer dst.Close()
		if err := new(Inspector).Retitle(dst, messageOf(text), tag); err != nil {
			t.Skip()
		}
		got := readAll(&Message{Text: dst, Size: dst.Size()})
		if len(got) < len(text) || !strings.HasSuffix(got, text[len(text)-len(afterHeader(t, text)):]) {
			t.Fatalf("%q: got %q, want the body as it was", text, got)
		}
		subjects, before := subjectsOf(t, got), subjectsOf(t, text)
		if len(before) > 0 && len(subjects) != len(before) {
			t.Fatalf("%q: got %q, want as many fields", text, got)
		}
		for _, s := range subjects {
			if shown := strings.TrimSpace(charset.Words(unfolded.Replace(s))); !strings.HasPrefix(withoutReplies(shown), tag) && !strings.HasPrefix(shown, tag) {
				t.Fatalf("%q: got the Subject %q, want it with %q", text, shown, tag)
			}
		}
		if !strings.ContainsRune(tag, ':') && retitle(t, got, tag) != got {
			t.Fatalf("%q: got %q, want nothing to change", got, retitle(t, got, tag))
		}
	})
}

// afterHeader returns the octets of a message after its header.
func afterHeader(t testing.TB, text string) string {
	_, end := headerText(t, text)
	return text[end:]
}

// subjectsOf returns the values of the Subject fields of a message.
func subjectsOf(t testing.TB, text string) (list []string) {
	head, _ := headerText(t, text)
	for f := range message.Fields(head, 0) {
		if strings.EqualFold(f.Name, "Subject") {
			list = append(list, f.Value)
		}
	}
	return list
}

// headerText returns the header of a message and where it ends.
func headerText(t testing.TB, text string) (string, int64) {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	index, _ := message.IndexOf(m.Reader())
	root := index.Root()
	return text[root.Header.Start:root.Header.End], root.Header.End
}

// Both are done if rules with both decide, and a stricter action is done alone.
func TestSubjectAndCopy(t *testing.T) {
	a := Ref{ID: "1", Dialect: Standard, Host: "a.example", finding: finding{State: Known}}
	b := Ref{ID: "2", Dialect: Standard, Host: "b.example", finding: finding{State: Known}}
	const (
		subject = "name='s'; host='a.example'; action='subject'; text='[File]'"
		copying = "name='c'; host='b.example'; action='copy'; to='desk@x.example'"
		strip   = "name='x'; host='b.example'; action='strip'"
	)
	every := func(Decision) bool { return true }
	only := func(list ...Action) func(Decision) bool {
		return func(d Decision) bool {
			for _, x := range list {
				if d.Action == x {
					return true
				}
			}
			return false
		}
	}
	both := by("c", Copy)
	both.Subject, both.Copies = "[File]", []string{"desk@x.example"}
	titled := by("s", Subject)
	titled.Subject = "[File]"
	less := by("c", Subject)
	less.Subject, less.Would = "[File]", Copy
	tagged := by("c", Tag)
	tagged.Would = Copy
	stripped := by("x", Strip)
	stripped.Change = map[string]Action{"2": Strip}
	second := both
	second.Copies = []string{"second@x.example", "desk@x.example"}
	second.Rule = "c"
	for _, test := range []struct {
		name  string
		rep   *Report
		rules []string
		to    []string
		can   func(Decision) bool
		want  Decision
	}{
		{"Subject", report(a), []string{subject, copying}, nil, every, titled},
		{"Both", report(a, b), []string{subject, copying}, nil, every, both},
		{"NoCopy", report(a, b), []string{subject, copying}, nil, only(Subject), less},
		{"Neither", report(a, b), []string{subject, copying}, nil, only(), tagged},
		{"Stricter", report(a, b), []string{subject, strip}, nil, every, stripped},
		{"TwoCopies", report(a, b), []string{"name='d'; host='a.example'; recipient='r@x.example'; action='copy'; to='second@x.example'", subject, copying}, []string{"r@x.example", "q@x.example"}, every, second},
	} {
		d := rules(t, test.rules...).DecideAll(test.rep, &Envelope{Recipients: test.to}, nil).Within(test.can)
		if test.name == "TwoCopies" {
			d.Rule = "c"
		}
		if !reflect.DeepEqual(d, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, d, test.want)
		}
		field := FieldValue("mx.example", test.rep, &d)
		if strings.Contains(field, "copy") || strings.Contains(field, "desk@") || len(d.Copies) > 0 && strings.Contains(field, "rule=") {
			t.Errorf("%s: got %q, want nothing about a copy", test.name, field)
		}
	}
}
