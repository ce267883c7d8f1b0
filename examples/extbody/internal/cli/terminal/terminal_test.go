package terminal

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

func script(answers string) (*Asker, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return AskerOf(strings.NewReader(answers), out, nil, func() (string, error) { return "secret", nil }), out
}

func tftpPlan(scheme, host, name string) *externalbody.Plan {
	return &externalbody.Plan{ID: scheme + host + name, Ref: &externalbody.Reference{ID: name, Name: name, Size: -1}, Scheme: scheme, Host: host, URL: scheme + "://" + host + "/x"}
}

func TestAskApproves(t *testing.T) {
	a, out := script("maybe\ny\nno\nY\n")
	a.Agreed = map[string]string{"k": "--yes"}
	approve := a.Approve(func(p *externalbody.Plan) bool { return p.Scheme == "tftp" })
	for i, step := range []struct {
		scheme, host, file string
		ok                 bool
		asked              int
	}{
		{"http", "h", "a", true, 0},
		{"tftp", "h", "a", true, 2}, // after an answer that is not one
		{"tftp", "h", "b", true, 2}, // once
		{"tftp", "g", "a", false, 3},
		{"tftp", "g", "b", false, 3},
		{"tftp", "f", "a", true, 4},
		{"tftp", "k", "a", true, 4},
		{"tftp", "k:70", "a", false, 5}, // no more answers
	} {
		err := approve(t.Context(), tftpPlan(step.scheme, step.host, step.file))
		if got := strings.Count(out.String(), "[y/N]"); (err == nil) != step.ok || got != step.asked {
			t.Errorf("step %d: got %v, asked %d times, want ok %t, %d times: %q", i, err, got, step.ok, step.asked, out)
		}
	}
	if text := out.String(); !strings.Contains(text, "a from h, not encrypted; it learns your address, and that you read this now.\nGet? [y/N]") {
		t.Errorf("got %q, want the Plan in one sentence", text)
	}
}

// fromOne returns the numbers of a list that has all files.
func fromOne(plans []*externalbody.Plan) (numbers []int) {
	for i := range plans {
		numbers = append(numbers, i+1)
	}
	return numbers
}

// A list of some files has the numbers that they have among all, and so have the answers.
func TestAgreeNumbers(t *testing.T) {
	plans := []*externalbody.Plan{tftpPlan("https", "a.example", "1.pdf"), tftpPlan("https", "a.example", "2.pdf"), tftpPlan("https", "a.example", "3.pdf")}
	a, out := script("1\n5-7\n")
	got, err := a.Agree(t.Context(), nil, plans, []int{3, 5, 7})
	if want := []bool{false, true, true}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %t, %v, want %t: %s", got, err, want, out)
	}
	if n := strings.Count(out.String(), "[y/N/3 5] "); n != 2 {
		t.Errorf("got the question %d times, want it again after a number that is not in the list: %s", n, out)
	}
}

// One question is about all files of a host, and an answer can choose among them.
func TestAgree(t *testing.T) {
	local := &externalbody.Plan{Ref: &externalbody.Reference{Name: "in.txt", Size: -1}, Scheme: "data"}
	refused := tftpPlan("https", "a.example", "refused")
	refused.Kind = fetch.Blocked
	direct := tftpPlan("https", "share.example", "d")
	direct.Direct = "files.example"
	hop := tftpPlan("https", "files.example", "hop")
	hop.Hop = true
	plans := []*externalbody.Plan{
		tftpPlan("https", "a.example", "1.pdf"), local, tftpPlan("https", "b.example", "3.pdf"), tftpPlan("https", "a.example", "4.pdf"), refused,
		direct, tftpPlan("https", "c.example", "7.pdf"), tftpPlan("http", "a.example", "8.pdf"),
	}
	for _, tt := range []struct {
		name, answers string
		want          []bool // besides the local one and the refused one, which are always true
		questions     int
	}{
		{"Yes", "y\ny\ny\ny\ny\n", []bool{true, true, true, true, true, true}, 4},
		{"No", "\nn\n\n\n\n", []bool{false, false, false, false, false, false}, 4},
		{"Numbers", "4\ny\nn\n", []bool{false, true, true, false, false, false}, 4},
		{"Both", "1, 4\n", []bool{true, false, true, false, false, false}, 4},
		{"WrongNumber", "1 3\n1\nn\n\n\n", []bool{true, false, false, false, false, false}, 5},
		{"Keys", "yyyy", []bool{true, true, true, true, true, true}, 4},
		{"End", "y", []bool{true, false, true, false, false, false}, 4},
		{"Mended", "x\b1\ny", []bool{true, true, false, false, false, false}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out := script(tt.answers)
			a.Agreed = map[string]string{"c.example": "--yes"}
			got, err := a.Agree(t.Context(), []string{"the list"}, plans, fromOne(plans))
			if err != nil {
				t.Fatal(err)
			}
			w := tt.want
			if want := []bool{w[0], true, w[1], w[2], true, w[3], true, w[5]}; !slices.Equal(got, want) {
				t.Errorf("got %t, want %t: %s", got, want, out)
			}
			if n := strings.Count(out.String(), "[y/N"); n != tt.questions {
				t.Errorf("got %d questions, want %d: %s", n, tt.questions, out)
			}
			for _, text := range []string{"the list\n", "1.pdf and 1 more from a.example", "[y/N/1 4]", "7.pdf from c.example", "Agreed by --yes."} {
				if strings.Count(out.String(), text) == 0 {
					t.Errorf("got %q, want %q in it", out, text)
				}
			}
			// The user is not asked again about these files and hosts, also of a redirect that was
			// named.
			asked := out.Len()
			approve := a.Approve(func(*externalbody.Plan) bool { return true })
			for i, p := range plans {
				if p == local || p == refused || i == 5 && !got[5] {
					continue
				}
				if err := approve(t.Context(), p); (err == nil) != got[i] || out.Len() != asked {
					t.Errorf("%s: got %v, and %q, want %t and no question", p.Ref.Name, err, out.String()[asked:], got[i])
				}
			}
			if err := approve(t.Context(), hop); (err == nil) != got[5] {
				t.Errorf("a redirect: got %v, want %t", err, got[5])
			}
		})
	}
}

// A question has at most two lines, also about long names at long hosts.
func TestQuestion(t *testing.T) {
	a, _ := script("")
	a.Verb = "Open"
	for _, name := range []string{"yearly report.pdf", strings.Repeat("Quartalsbericht ", 9) + ".pdf", strings.Repeat("\u5831\u544a", 30) + ".pdf"} {
		p := tftpPlan("https", "files.of.a.cloud.example:8099", name)
		p.Ref.Size, p.Secure = 587, true
		got := a.question([]*externalbody.Plan{p, p, p, p, p}, "y/N/1 2")
		for _, line := range strings.Split(got, "\n") {
			if wording.Columns(line) > 80 {
				t.Errorf("got a line of %d columns, want at most 80: %s", wording.Columns(line), line)
			}
		}
		if strings.Count(got, "\n") > 1 || !strings.Contains(got, ".pdf") || !strings.Contains(got, "8099") {
			t.Errorf("got %q, want two lines with the ends of the name and the host", got)
		}
	}
}

// A host that is always agreed to is kept, with the one that has its files.
func TestAlways(t *testing.T) {
	// "all" is a yes, and no word that is kept.
	a, out := script("all\nalways\nalways\n")
	var kept []string
	a.Remember = func(hosts ...string) error {
		kept = hosts
		return errors.New("the disk is full")
	}
	if got, err := a.Agree(t.Context(), nil, []*externalbody.Plan{tftpPlan("https", "a.example", "d")}, []int{1}); err != nil || !got[0] || kept != nil {
		t.Errorf("got %t, %v, %q, want a yes that is not kept", got, err, kept)
	}
	p := tftpPlan("https", "share.example", "d")
	p.Direct = "files.example"
	if got, err := a.Agree(t.Context(), nil, []*externalbody.Plan{p}, []int{1}); err != nil || !got[0] || !slices.Equal(kept, []string{"https://share.example", "https://files.example"}) {
		t.Errorf("got %t, %v, %q, want both hosts", got, err, kept)
	}
	if !strings.Contains(out.String(), "[y/N/always]") || !strings.Contains(out.String(), "the disk is full") {
		t.Errorf("got %q, want the choice and the error", out)
	}
	a.Remember = func(...string) error { return nil }
	if _, err := a.Agree(t.Context(), nil, []*externalbody.Plan{tftpPlan("https", "c.example", "d")}, []int{1}); err != nil {
		t.Fatal(err)
	}
	const said = "From now on there is no question about c.example. \"extbody config --forget\nc.example\" takes that back.\n"
	if !strings.HasSuffix(out.String(), said) {
		t.Errorf("got %q, want %q at its end", out, said)
	}
}

// From four files on no key opens them, whether a host is asked for them or not, and one key or Escape ends the questions.
func TestMany(t *testing.T) {
	var list []*externalbody.Plan
	for _, c := range "0123456789" {
		list = append(list, tftpPlan("https", "a.example", string(c)))
	}
	agreed := append(slices.Clone(list), tftpPlan("https", "b.example", "x"))
	var local []*externalbody.Plan
	for _, c := range "0123" {
		local = append(local, tftpPlan("data", "", string(c)))
	}
	for _, tt := range []struct {
		name, answers string
		plans         []*externalbody.Plan
		yes           string // a host that is agreed to
		want          string // the numbers of the files
		asked         string // the end of the first question
	}{
		{"Key", "y", agreed, "", "", "from a.example"},
		{"All", "all\ny", agreed, "", "1 2 3 4 5 6 7 8 9 10 11", "Open? [all/None/1 2-10] "},
		{"Yes", "yes\nn", agreed, "", "1 2 3 4 5 6 7 8 9 10", "Open? [all/None/1 2-10] "},
		{"None", "ny", agreed, "", "11", "Open? [all/None/1 2-10] "},
		{"NoneAsWord", "none\ny", agreed, "", "11", "Open? [all/None/1 2-10] "},
		{"Ranges", "9, 3-5 4 3\nno", agreed, "", "3 4 5 9", "Open? [all/None/1 2-10] "},
		{"Beyond", "8-99\nno", agreed, "", "8 9 10", "Open? [all/None/1 2-10] "},
		{"Wrong", "99 1\n7-3\n-\n2\nno", agreed, "", "2", "Open? [all/None/1 2-10] "},
		{"Quit", "q", agreed, "", "", "Open? [all/None/1 2-10] "},
		{"QuitLater", "2\nq", agreed, "", "2", "Open? [all/None/1 2-10] "},
		{"Escape", "\x1b", agreed, "", "", "Open? [all/None/1 2-10] "},
		{"Arrow", "\x1b[A2\nn", agreed, "", "2", "Open? [all/None/1 2-10] "},
		{"Agreed", "2-3\n", list, "a.example", "2 3", "10 files that need no agreement. Open? [all/None/1 2-10] "},
		{"Local", "1\n", local, "", "1", "4 files in the message. Open? [all/None/1 2-4] "},
		{"LocalKey", "y\x1b", local, "", "", "4 files in the message. Open? [all/None/1 2-4] "},
		{"Few", "", local[:3], "", "1 2 3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out := script(tt.answers)
			a.Verb = "Open"
			a.Many = 4
			if tt.yes != "" {
				a.Agreed = map[string]string{tt.yes: "--yes"}
			}
			got, err := a.Agree(t.Context(), nil, tt.plans, fromOne(tt.plans))
			if err != nil {
				t.Fatal(err)
			}
			var numbers []string
			for i, ok := range got {
				if ok {
					numbers = append(numbers, strconv.Itoa(i+1))
				}
			}
			if text := strings.Join(numbers, " "); text != tt.want || !strings.Contains(out.String(), tt.asked) {
				t.Errorf("got %q, want %q: %s", text, tt.want, out)
			}
			// A redirect asks no more after the end.
			asked := out.Len()
			if err := a.Approve(func(*externalbody.Plan) bool { return true })(t.Context(), tftpPlan("https", "c.example", "y")); strings.HasPrefix(tt.name, "Quit") && (err == nil || out.Len() != asked) {
				t.Errorf("got %v and %q, want no question after the end", err, out.String()[asked:])
			}
		})
	}
}

// An agreement beforehand holds for the host that has the files of the one that was named, as a yes does.
func TestAgreedNamed(t *testing.T) {
	for _, listed := range []bool{false, true} {
		a, out := script("")
		a.Agreed = map[string]string{"share.example": "--yes"}
		approve := a.Approve(func(*externalbody.Plan) bool { return true })
		p := tftpPlan("https", "share.example", "d")
		p.Direct = "files.example"
		hop := tftpPlan("https", "files.example", "hop")
		if err := approve(t.Context(), hop); err == nil {
			t.Errorf("got no error before the host was named, want one")
		}
		a.denied = make(map[string]bool)
		if listed {
			if _, err := a.Agree(t.Context(), nil, []*externalbody.Plan{p}, []int{1}); err != nil {
				t.Fatal(err)
			}
		} else if err := approve(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if err := approve(t.Context(), hop); err != nil {
			t.Errorf("got %v, want the host that has the files agreed to: %s", err, out)
		}
	}
}

// A yes is about the host and the way to it: it does not hold for a way that is less safe, and one for http holds for
// https (OP-57). A no is about the way that was asked about.
func TestAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name, agreed, answers string
		schemes               string // that are asked for, at one host
		want                  string // the schemes that are allowed
		questions             int
	}{
		{"Encrypted", "", "yn", "https https ftps http", "https https ftps", 2},
		{"Plain", "", "yn", "http https ftp", "http https", 2},
		{"No", "", "ny", "https http https", "http", 2},
		{"Settings", "https://h.example", "n", "https ftps http", "https ftps", 1},
		{"SettingsPlain", "http://h.example", "n", "http https ftp", "http https", 1},
		{"Flag", "h.example", "", "https http ftp", "https http ftp", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, out := script(c.answers)
			if c.agreed != "" {
				if err := a.Agreed.Add(c.agreed, "line 1"); err != nil {
					t.Fatal(err)
				}
			}
			approve := a.Approve(func(*externalbody.Plan) bool { return true })
			var got []string
			for i, scheme := range strings.Fields(c.schemes) {
				if approve(t.Context(), tftpPlan(scheme, "h.example", string(rune('a'+i)))) == nil {
					got = append(got, scheme)
				}
			}
			if n := strings.Count(out.String(), "[y/N]"); strings.Join(got, " ") != c.want || n != c.questions {
				t.Errorf("got %q with %d questions, want %s with %d: %s", got, n, c.want, c.questions, out)
			}
		})
	}
}

func TestAskCredentials(t *testing.T) {
	a, out := script("me\n\n")
	ask := func(host, user string) *fetch.Userinfo {
		info, err := a.Credentials(t.Context(), fetch.Challenge{Scheme: "ftp", Host: host, Port: 21, User: user})
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for range 2 {
		if info := ask("h", ""); info == nil || info.User != "me" || info.Password != "secret" {
			t.Errorf("h: got %+v, want me and secret", info)
		}
	}
	for range 2 {
		if info := ask("g", ""); info != nil {
			t.Errorf("g: got %+v, want none", info)
		}
	}
	if info := ask("g", "you"); info == nil || info.User != "you" {
		t.Errorf("g as you: got %+v, want the user you", info)
	}
	if n := strings.Count(out.String(), "wants a login"); n != 3 || strings.Contains(out.String(), "secret") {
		t.Errorf("got %d questions, want 3, without the password: %s", n, out)
	}
}
