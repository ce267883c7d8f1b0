package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// thirty returns references to 30 files of one host, of which every third announces no size.
func thirty() (parts []string) {
	for i := range 30 {
		part := reference(fmt.Sprintf("FILES/picture?%d", i), "image/png", fmt.Sprintf("photo-%02d.png", i))
		if i%3 > 0 {
			part = strings.Replace(part, "access-type=URL", fmt.Sprintf("access-type=URL; size=%d", len(dot)), 1)
		}
		parts = append(parts, part)
	}
	return parts
}

var (
	cardForm  = regexp.MustCompile(`(?s)<form method="post" action="/m/0">(.*?)<button>(.*?)</button>`)
	bodyInput = regexp.MustCompile(`name="body" value="([^"]+)"`)
)

// button returns the form and the text of the button of the first card with several files.
func (s *site) button() (form url.Values, text string) {
	s.Helper()
	page, _ := s.get("/m/0")
	m := cardForm.FindStringSubmatch(page)
	if m == nil {
		return nil, ""
	}
	form = url.Values{}
	for _, b := range bodyInput.FindAllStringSubmatch(m[1], -1) {
		form.Add("body", b[1])
	}
	for _, p := range planID.FindAllStringSubmatch(m[1], -1) {
		form.Add("plan", p[1])
	}
	return form, m[2]
}

// TestThirtyFiles: the files of a host are one card with one button, each with its size or the word that it is not known. The
// button gets all of them, once each, and nothing else.
func TestThirtyFiles(t *testing.T) {
	s := newSite(t, "photos", append(thirty(), reference("data:text/plain,x", "text/plain", "x.txt"))...)
	page, _ := s.get("/m/0")
	host := strings.TrimPrefix(s.files.URL, "http://")
	for text, want := range map[string]int{
		"<section>": 2, "30 files from " + host: 2, "size unknown": 11, fmt.Sprintf("<small>%d octets</small>", len(dot)): 20,
		"It learns your address": 1, "<p class=\"line\"><svg class=\"icon\" aria-hidden=\"true\"><use href=\"#open\"/></svg><span>Not encrypted.": 1,
	} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("got %d times %q, want %d", got, text, want)
		}
	}
	s.quiet()
	form, text := s.button()
	if text != "Get 30 files from "+host || len(form["plan"]) != 30 || len(form["body"]) != 30 {
		t.Fatalf("got the button %q with %d plans and %d bodies, want one for 30", text, len(form["plan"]), len(form["body"]))
	}
	if _, at := s.post("/m/0", form); at != "/m/0" {
		t.Errorf("got %s, want the message again", at)
	}
	s.until("/m/0/progress", "See the files")
	page, _ = s.get("/m/0")
	if got := strings.Count(page, ">Show it<"); got != 30 {
		t.Errorf("got %d files, want 30 in\n%s", got, page)
	}
	if _, text := s.button(); text != "" {
		t.Errorf("got the button %q, want none when all are here", text)
	}
	if got := len(s.asked); got != 30 {
		t.Errorf("got %d requests, want 30", got)
	}
}

// TestSeveral: the button counts the files that are not here, a redirect of one of them is asked about alone, and the Plans of others
// are no agreement.
func TestSeveral(t *testing.T) {
	s := newSite(t, "x", reference("FILES/picture?1", "image/png", "1.png"), reference("FILES/elsewhere", "image/png", "2.png"),
		reference("FILES/none", "image/png", "3.png"), reference("FILES/picture?4", "image/png", "4.png"))
	form, _ := s.button()
	// Without its Plan a file is asked about.
	s.post("/m/0", url.Values{"body": {"0", "0"}, "plan": form["plan"][1:]})
	s.until("/m/0", "There is a question")
	s.quiet()
	if got := len(s.server.jobs); got != 1 {
		t.Errorf("got %d jobs for one body that was named twice, want 1", got)
	}
	form, text := s.button()
	if !strings.HasPrefix(text, "Get 3 files from ") {
		t.Errorf("got %q, want the files that are not asked for yet", text)
	}
	s.post("/m/0", form)
	page := s.until("/m/0/progress", "See the files")
	if !strings.Contains(page, "There is a question") {
		t.Errorf("got\n%s\nwant the question", page)
	}
	page, _ = s.get("/m/0")
	for text, want := range map[string]int{">There is a question<": 2, ">Show it<": 1, ">See why it failed<": 1} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("got %d times %q, want %d in\n%s", got, text, want, page)
		}
	}
	if _, text := s.button(); !strings.HasPrefix(text, "Get 1 file from ") {
		t.Errorf("got %q, want the file that failed", text)
	}
	for _, bad := range []string{"4", "-1", "x"} {
		if _, resp := s.read(s.page.Client().PostForm(s.page.URL+"/m/0", url.Values{"body": {bad}})); resp.StatusCode != 404 {
			t.Errorf("body %s: got %d, want 404", bad, resp.StatusCode)
		}
	}
	if got, want := len(s.server.jobs), 4; got != want {
		t.Errorf("got %d jobs, want %d", got, want)
	}
}

// TestCards: a card has the files for which the consequences are the same, and no more than can be kept.
func TestCards(t *testing.T) {
	to := func(from, consequence string) *way {
		return &way{From: from, Lines: []line{{"locked", "A file."}, {"eye", consequence}}}
	}
	one := func(w ...*way) *file { return &file{body: &body{}, Ways: w} }
	many := make([]*file, maxCard+1)
	for i := range many {
		many[i] = one(to("h.example", "It learns."))
	}
	plain := to("h.example", "It learns.")
	plain.Lines[0].Icon = "open"
	long := to("h.example", "It learns.") // its host is cut in words
	long.contact = "another.h.example"
	refused := to("h.example", "It learns.")
	refused.Refused = "No."
	a := to("h.example", "It learns.")
	for name, tt := range map[string]struct {
		files []*file
		want  []int
	}{
		"Same":        {[]*file{one(a), one(a)}, []int{2}},
		"Hosts":       {[]*file{one(a), one(to("i.example", "It learns.")), one(a)}, []int{2, 1}},
		"Learns":      {[]*file{one(a), one(to("h.example", "It learns more."))}, []int{1, 1}},
		"Plain":       {[]*file{one(a), one(plain)}, []int{1, 1}},
		"Contact":     {[]*file{one(a), one(long)}, []int{1, 1}},
		"Refused":     {[]*file{one(a), one(refused), one(refused)}, []int{1, 2}},
		"SeveralWays": {[]*file{one(a, a), one(a, a)}, []int{1, 1}},
		"TooMany":     {many, []int{maxCard, 1}},
	} {
		var got []int
		for _, c := range cards(0, tt.files) {
			got = append(got, len(c.Files))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: got cards of %v files, want %v", name, got, tt.want)
		}
	}
	if c := cards(0, []*file{one(refused), one(refused)})[0]; c.Button != "" {
		t.Errorf("got the button %q for files that cannot be had, want none", c.Button)
	}
}

// TestManyAtOnce: no form gets more files than can be kept.
func TestManyAtOnce(t *testing.T) {
	var parts []string
	form := url.Values{}
	for i := range maxCard + 1 {
		parts = append(parts, reference(fmt.Sprintf("data:text/plain,%d", i), "text/plain", "x.txt"))
		form.Add("body", fmt.Sprint(i))
	}
	s := newSite(t, "x", parts...)
	if _, resp := s.read(s.page.Client().PostForm(s.page.URL+"/m/0", form)); resp.StatusCode != 400 || len(s.server.jobs) != 0 {
		t.Errorf("got %d and %d jobs, want 400 and none", resp.StatusCode, len(s.server.jobs))
	}
}

// TestWhereTo: a host that does not exist is called otherwise than an address that mail must not lead to.
func TestWhereTo(t *testing.T) {
	s := newSite(t, "x", reference("http://nowhere.example/a", "image/png", "1.png"), reference("FILES/gone", "image/png", "2.png"), reference("FILES/private", "image/png", "3.png"), reference("http://169.254.169.254/a", "image/png", "4.png"))
	const unknown, private = "There is no host of this name.", "It leads into a private network"
	if page, _ := s.get("/m/0"); strings.Count(page, private) != 1 || strings.Contains(page, unknown) {
		t.Errorf("got\n%s\nwant that one leads into a private network", page)
	}
	for n, want := range []string{unknown, unknown, private} {
		s.settle(s.agree(n), want)
	}
}

// settle agrees to the questions of a job until its page has a text.
func (s *site) settle(at, want string) {
	s.Helper()
	page := ""
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		page, _ = s.get(at)
		if strings.Contains(page, want) {
			return
		}
		if id := planID.FindStringSubmatch(page); id != nil {
			s.post(at+"/answer", url.Values{"plan": {id[1]}, "answer": {"yes"}})
		}
	}
	s.Errorf("got\n%s\nwant %q", page, want)
}

// TestIndex: the index has the date of each message that has one.
func TestIndex(t *testing.T) {
	s := newSite(t, "x")
	text := "From: a@b.example\nSubject: y\n\n"
	if err := s.server.Add(strings.NewReader(text), int64(len(text))); err != nil {
		t.Fatal(err)
	}
	page, _ := s.get("/")
	if want := `<time datetime="2026-11-20">20 November 2026</time>, Ann`; !strings.Contains(page, want) || strings.Count(page, "<time") != 1 {
		t.Errorf("got\n%s\nwant %s alone", page, want)
	}
}

// TestThirtyInChromium keeps a picture of a mail with 30 files if EXTBODY_SCREENSHOTS names a folder.
func TestThirtyInChromium(t *testing.T) {
	b := browser.New(t)
	s := newSite(t, "photos", thirty()...)
	if page := b.DOM(s.page.URL + "/m/0?before"); !strings.Contains(page, "Get 30 files from ") {
		t.Errorf("got\n%s\nwant one button for 30 files", page)
	}
	s.quiet()
	form, _ := s.button()
	s.post("/m/0", form)
	s.until("/m/0/progress", "See the files")
	if page := b.DOM(s.page.URL + "/m/0"); strings.Count(page, ">Show it<") != 30 {
		t.Errorf("got\n%s\nwant 30 files", page)
	}
}

func TestOctets(t *testing.T) {
	for n, want := range map[int64]string{0: "0 octets", 1: "1 octet", 999: "999 octets", 1500: "1.5 kB", 2_000_000: "2.0 MB", 3_000_000_000: "3.0 GB"} {
		if got := octets(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
