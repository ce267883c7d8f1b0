package inspect

import (
	"io"
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
