package param_test

import (
	"fmt"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// seeds are fields in the forms that were seen in mail.
var seeds = []string{
	"",
	"text/plain",
	"text/plain; charset=us-ascii (Plain text)",
	"TEXT/HTML; charset=\"utf-8\";",
	"multipart/mixed; boundary=----=_Part:1",
	"multipart/mixed;\r\n\tboundary=\"=_a(b)\"\r\n",
	"message/external-body; name=\"d.txt\";\n site=\"ftp.example\"; access-type=\"anon-ftp\"\n directory=\"pub\"",
	"message / (x) external-body \t; access-type=\"X-HTTP \t\"",
	"message/external-body; access-type=URL; URL=http://h/x;type=i; size=3",
	"message/external-body; access-type=URL;\r\n URL=\"http://h/\r\n\t\ta\r\n\t\tb\"; size=",
	"message/external-body; access-type=URL; URL*0=\"ftp://\"; URL*1=\"h/x\"",
	"message/external-body; access-type=x-mutt-deleted; expiration=\"Tue, 1 Jan 2030 00:00:00 -0800\"; length=86",
	"application/x-stuff title*0*=us-ascii'en'a%20 title*1*=%2A title*2=\"isn't it!\"",
	"attachment; filename=\"a.txt\"; filename*=utf-8''%e2%82%ac.txt",
	"attachment; filename=C:\\x\\y.txt",
	"attachment; filename=\"C:\\x\\\"; size=3",
	"attachment; filename==?utf-8?Q?a?=\r\n =?utf-8?Q?b?=",
	"a/b; x*1=b; x*0=a; x*01=c; x*3=d; x=e; x*=f",
	"a/b; x*=windows-1252''%80; y*=%; z*=''%FF",
	"a/b; name=\"a\"b\"; c=\"d\\\"",
	"a/b;;;a=\"\\a\";b;c=d e=f (g",
	"a/b;\u00a0x=y\u0085;z=\xe9\x00",
}

// checkBounds checks the rules for any field: sizes, offsets and names.
func checkBounds(field string, v *param.Value) error {
	if n := strings.Count(field, "="); len(v.Params) > n {
		return fmt.Errorf("got %d parameters, want at most %d, one for each equals sign", len(v.Params), n)
	}
	total := len(v.Type)
	for _, p := range v.Params {
		if p.Name == "" || p.Name != asciiLower(p.Name) {
			return fmt.Errorf("got the parameter name %q, want one in lower case", p.Name)
		}
		total += len(p.Name) + len(p.Value) + len(p.Charset) + len(p.Language)
	}
	// A section may be in two parameters, and an octet of windows-1252 become
	// three.
	if total > 6*len(field) {
		return fmt.Errorf("got %d octets from a field of %d, want at most six times as many", total, len(field))
	}
	if len(v.Diags) > 33 {
		return fmt.Errorf("got %d diags, want at most 33", len(v.Diags))
	}
	last := 0
	for _, d := range v.Diags {
		if d.Code == "" || d.Offset < 0 || d.Offset > len(field) {
			return fmt.Errorf("got the diag %v, want a code and an offset within the field", d)
		}
		if d.Code != param.More && d.Offset < last {
			return fmt.Errorf("got the diags %v, want them in order", v.Diags)
		}
		last = d.Offset
	}
	return nil
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		v := param.Parse(field)
		if err := checkBounds(field, v); err != nil {
			t.Error(err)
		}
		if v.Type != asciiLower(v.Type) {
			t.Errorf("got the type %q, want it in lower case", v.Type)
		}
		// Parameters that were read, and written again, are read the same.
		out := []byte("a/b")
		for _, p := range v.Params {
			if strings.ContainsAny(p.Name, "*'%") {
				return
			}
			out = append(out, "; "...)
			out = param.AppendParam(out, p.Name, p.Value)
		}
		w := param.Parse(string(out))
		same := slices.EqualFunc(v.Params, w.Params, func(a, b param.Param) bool {
			return a.Name == b.Name && a.Value == b.Value
		})
		if !same {
			t.Errorf("%q: got %+v, want %+v", out, w.Params, v.Params)
		}
		for _, d := range w.Diags {
			if d.Code != param.Duplicate && d.Code != param.More {
				t.Errorf("%q: got %v, want at most duplicates and too many", out, d)
			}
		}
	})
}

// checkAgreement checks that Parse reads a field that the mime package accepts as
// that package does. It differs on purpose where the mime package
//   - makes ASCII letters of others: U+212A becomes "k", U+0130 "i";
//   - drops a parameter, or the first section of one, whose charset it does not
//     know or that has a "%" without digits, and reads the plain one instead;
//   - sees both "name*" and "name*0", or both "name*0" and "name*0*", and
//     chooses by form, not by order;
//   - has a parameter without a name from "*0".
func checkAgreement(field string) error {
	typ, params, err := mime.ParseMediaType(field)
	if err != nil {
		return nil
	}
	v := param.Parse(field)
	if v.Type != typ && !strings.ContainsAny(field, "\u212a\u0130") {
		return fmt.Errorf("got the type %q, want %q as mime", v.Type, typ)
	}
	var unlike []string // names on which the two differ on purpose
	count := make(map[string]int)
	for _, p := range v.Params {
		if !p.Extended {
			continue
		}
		count[p.Name]++
		charset := strings.ToLower(p.Charset)
		if count[p.Name] > 1 || charset != "" && charset != "us-ascii" && charset != "utf-8" {
			unlike = append(unlike, p.Name)
		}
	}
	for _, d := range v.Diags {
		switch d.Code {
		case param.BadPercent, param.MissingCharset, param.UnknownCharset:
			unlike = append(unlike, d.Param)
		case param.Duplicate:
			if count[d.Param] > 0 && hasBothForms(field) {
				unlike = append(unlike, d.Param)
			}
		case param.More:
			return nil
		}
	}
	for name, want := range params {
		got, ok := v.Get(name)
		if name == "" || slices.Contains(unlike, name) || blankCharset(v, field, name) {
			continue
		}
		if !ok || got != want {
			return fmt.Errorf("%s is %q (%v), mime says %q", name, got, ok, want)
		}
	}
	for _, p := range v.Params {
		if _, ok := params[p.Name]; !ok && !p.Extended && !strings.Contains(p.Name, "*") {
			return fmt.Errorf("%s: got %q, want none as mime", p.Name, p.Value)
		}
	}
	return nil
}

// hasBothForms reports whether a field may have a section in both forms.
func hasBothForms(field string) bool { return strings.Count(field, "*") > 2 }

// blankCharset reports whether a parameter may have an encoded first section
// without a charset: the mime package drops that.
func blankCharset(v *param.Value, field, name string) bool {
	field = strings.Join(strings.Fields(strings.ToLower(field)), "")
	return slices.ContainsFunc(v.Params, func(p param.Param) bool {
		return p.Name == name && p.Extended && p.Charset == "" &&
			(strings.Contains(field, name+"*=") || strings.Contains(field, name+"*0*="))
	})
}

func FuzzAgreement(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("TEXT/Plain ; a = b;c=\"d\\\"e\\f\" ;\tg*0=h; g*1*=%41;g*2=\"i\" ; j*=utf-8'k'%C3%A9 ; ")
	f.Fuzz(func(t *testing.T, field string) {
		if err := checkAgreement(field); err != nil {
			t.Errorf("%q: %v, want agreement with mime", field, err)
		}
	})
}

func TestAppendParam(t *testing.T) {
	for _, test := range []struct {
		name, param, value, want string
	}{
		{"Token", "size", "1234", "size=1234"},
		{"Empty", "name", "", `name=""`},
		{"Space", "name", " a b\t", "name=\" a b\t\""},
		{"Tspecial", "url", "http://h/x", `url="http://h/x"`},
		{"QuoteAndBackslash", "name", `"C:\x"`, `name="\"C:\\x\""`},
		{"NonASCIIEB12", "name", "naïve's 5%*.txt", "name*=utf-8''na%C3%AFve%27s%205%25%2A.txt"},
		{"NotUTF8EB12", "name", "caf\xe9", "name*=''caf%E9"},
		{"LineBreak", "name", "a\r\nX: y", "name*=utf-8''a%0D%0AX%3A%20y"},
		{"Control", "name", "a\x00\x7f", "name*=utf-8''a%00%7F"},
		{"EncodedWordEB11", "name", "=?utf-8?Q?=41?=", "name*=utf-8''%3D%3Futf-8%3FQ%3F%3D41%3F%3D"},
		{"AlmostEncodedWord", "name", "=?=", `name="=?="`},
		{"EmptyName", "", "x", ""},
		{"NameWithAsterisk", "x*0", "y", ""},
		{"NameWithSpace", "x y", "z", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := string(param.AppendParam([]byte("a/b; "), test.param, test.value))
			if want := "a/b; " + test.want; got != want {
				t.Errorf("AppendParam(%q, %q) = %s, want %s", test.param, test.value, got, want)
			}
		})
	}
}

// checkRoundTrip checks that Parse undoes AppendParam.
func checkRoundTrip(name, value string) error {
	field := string(param.AppendParam([]byte("a/b; "), name, value))
	v := param.Parse(field)
	if len(v.Params) != 1 || len(v.Diags) != 0 {
		return fmt.Errorf("%q: got parameters %v and diags %v, want one and none", field, v.Params, v.Diags)
	}
	if got, ok := v.Get(strings.ToLower(name)); !ok || got != value {
		return fmt.Errorf("%q has the value %q, want %q", field, got, value)
	}
	for i := range len(field) {
		if c := field[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("got %q, want printable US-ASCII", field)
		}
	}
	return nil
}

func FuzzAppendParam(f *testing.F) {
	for _, value := range []string{"", "x", "a b", `"\`, "é", "\xff", "=?a?=", "=?=", "a'b'c", "%41", "\r\n x", "\u00a0", "(", strings.Repeat("\\\"", 50)} {
		f.Add("Name", value)
	}
	f.Add("x-%", "y")
	f.Fuzz(func(t *testing.T, name, value string) {
		if len(param.AppendParam(nil, name, value)) == 0 {
			if name == "name" {
				t.Fatal("AppendParam refused a good name")
			}
			name = "name"
		}
		if err := checkRoundTrip(name, value); err != nil {
			t.Error(err)
		}
	})
}
