package inspect

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// A change takes out the references that a rule matched, and no others. It fails if one of
// them remains.
func TestChange(t *testing.T) {
	const (
		link = "https://www.dropbox.com/s/au3bned42n0x8q1/minutes.pdf?dl=0"
		part = "--b\r\nContent-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.exe\r\n\r\n"
		head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee "
	)
	for _, test := range []struct {
		name, rule, text, want string
	}{
		{"Strip", "host='a.example'; action='strip'", head + link + "\r\n" + part + "--b--\r\n", head + link + "\r\n--b--\r\n"},
		{"Notice", "host='dropbox.com'; action='notice'", head + link + " there\r\n" + part + "--b--\r\n", head + "[A file was removed here: minutes.pdf] there\r\n" + part + "--b--\r\n"},
		{"Remains", "host='a.example'; extension='exe'; action='strip'", head + "\r\n" + part + strings.Replace(part, "a.exe", "a.pdf", 1) + "--b--\r\n", ""},
		{"Signed", "action='strip'", strings.ReplaceAll(head, "mixed", "signed") + "\r\n" + part + "--b--\r\n", ""},
	} {
		in := &Inspector{Reading: &externalbody.OpenOptions{Dialects: dialect.All()}}
		m := &Message{Text: strings.NewReader(test.text), Size: int64(len(test.text))}
		rep := in.Inspect(t.Context(), m)
		d := rules(t, "name='r'; "+test.rule).Decide(rep, new(Envelope), "", nil)
		dst := &spool.Spool{Memory: 1 << 20}
		err := in.Change(t.Context(), dst, m, &d)
		got, _ := io.ReadAll(io.NewSectionReader(dst, 0, dst.Size()))
		dst.Close()
		if (err == nil) != (test.want != "") || err == nil && string(got) != test.want {
			t.Errorf("%s: got %q, %v for %+v, want %q", test.name, got, err, d, test.want)
		}
	}
}

// A message gets the strictest of the changes, and only the references that a rule matches
// are changed. Nothing but a reference can be taken out.
func TestChanges(t *testing.T) {
	a := Ref{ID: "1", Dialect: Standard, Host: "a.example", finding: finding{State: Known}}
	b := Ref{ID: "2", Dialect: Standard, Host: "b.example", finding: finding{State: Known}}
	const notice, strip = "name='notice'; host='a.example'; action='notice'", "name='strip'; host='b.example'; action='strip'"
	unread := &Report{Refs: []Ref{a}, Unread: []Unread{{Section: "3", Reason: "encrypted"}}}
	for _, test := range []struct {
		name  string
		rules []string
		rep   *Report
		want  Decision
	}{
		{"Notice", []string{notice}, report(a, b), Decision{Action: Notice, Rule: "notice", Mode: Enforce, Change: map[string]Action{"1": Notice}}},
		{"Both", []string{notice, strip}, report(a, b), Decision{Action: Strip, Rule: "strip", Mode: Enforce, Change: map[string]Action{"1": Notice, "2": Strip}}},
		{"Redirect", []string{"name='redirect'; host='a.example'; action='redirect'; to='x@a.example'", strip}, report(a, b), Decision{Action: Redirect, Rule: "redirect", Mode: Enforce, To: "x@a.example"}},
		{"Unread", []string{"name='all'; action='strip'"}, unread, Decision{Action: Quarantine, Rule: "all", Mode: Enforce, Would: Strip}},
		{"TagOnly", []string{"name='all'; action='strip'; mode='tag'"}, report(a), Decision{Action: Tag, Rule: "all", Mode: TagOnly, Would: Strip}},
	} {
		if got := rules(t, test.rules...).Decide(test.rep, new(Envelope), "", nil); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

// An action that a front end cannot carry out becomes the next stricter one that it can.
func TestWithin(t *testing.T) {
	for _, test := range []struct {
		action Action
		can    []Action
		want   Action
	}{
		{Inline, nil, Tag}, {Inline, []Action{Inline}, Inline},
		{Notice, []Action{Strip}, Strip}, {Notice, []Action{Quarantine}, Quarantine}, {Notice, nil, Reject},
		{Strip, []Action{Notice, Redirect, Quarantine}, Quarantine}, {Redirect, []Action{Strip}, Reject}, {Redirect, []Action{Redirect}, Redirect},
		{Quarantine, nil, Reject}, {Defer, nil, Defer}, {Reject, nil, Reject}, {None, nil, None},
	} {
		d := Decision{Action: test.action, Change: map[string]Action{"1": Notice}}
		got := d.Within(func(d Decision) bool { return slices.Contains(test.can, d.Action) })
		if got.Action != test.want || (got.Would == test.action) != (test.want != test.action) || got.Action == Strip && got.Change["1"] != Strip || d.Change["1"] != Notice {
			t.Errorf("%s with %v: got %+v, want %s", test.action, test.can, got, test.want)
		}
	}
}
