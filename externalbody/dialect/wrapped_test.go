package dialect_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// A share link is found in every spelling that browsers understand, and stays as written.
func TestDisguisedHosts(t *testing.T) {
	for _, url := range []string{
		"https://www.dropbox.com/x/../s/AbCdEfGhIjKlMno/x.pdf",
		"https://www.dropbox.com/%2e/s/AbCdEfGhIjKlMno/x.pdf",
		"https://www.dropbox.com//s/AbCdEfGhIjKlMno/x.pdf",
		"https://www.drop%62ox.com/s/AbCdEfGhIjKlMno/x.pdf",
		"https://%77%77%77.dr%6Fp%62ox%2ecom/s/AbCdEfGhIjKlMno/x.pdf",
		"https://www.ｄｒｏｐｂｏｘ.com/s/AbCdEfGhIjKlMno/x.pdf",
		"https://www。dropbox。com/s/AbCdEfGhIjKlMno/x.pdf",
		"https://www.drop\u00adbox.com/s/AbCdEfGhIjKlMno/x.pdf",
	} {
		for _, c := range []textCase{{html: "<p><a href=\"" + url + "\">here</a></p>"}, {plain: "see " + url + "\n"}, {plain: "<" + url + ">\n"}} {
			for _, long := range []string{"", strings.Repeat("words and words ", 80000)} {
				c := textCase{html: c.html, plain: c.plain}
				if c.html != "" {
					c.html = long + c.html
				} else {
					c.plain = long + "\n" + c.plain
				}
				refs := openWith(t, c.message("8bit"), dialect.All())
				if len(refs) != 1 || refs[0].Provider != "dropbox" {
					t.Errorf("%.40q + %.40q: got %d references, want the share link %s", c.html, c.plain, len(refs), url)
					continue
				}
				if got, _ := refs[0].Param("url"); got != url {
					t.Errorf("got %q, want it as written: %q", got, url)
				}
				if req, err := refs[0].Request(); err != nil {
					t.Errorf("%s: got %v, want a request", url, err)
				} else if req.URL.Host != "www.dropbox.com" {
					t.Errorf("%s: got the host %q, want www.dropbox.com", url, req.URL.Host)
				}
			}
		}
	}
}

// TestLineEnds checks that a URL that a line end may have broken has a Diag if both readings
// are share links. The length of a key shows where such a URL ends.
func TestLineEnds(t *testing.T) {
	const box = "https://app.box.com/s/p0k2vz3x4c5v6b7nq1w2e3r4t5y6u7i8"
	const digits = "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQ" // 43 of them
	const key = "https://mega.nz/file/abcdefgh1a#" + digits
	const name = "https://www.dropbox.com/scl/fi/r2kd2skcy5ylbbta5y1pz/A%20long%20name%20of%20"
	for _, tt := range []struct {
		name, text, want string
		diag             bool
	}{
		{"Words", box + "\nThanks, and more\n", box, false},
		{"Word", box + "\nThanks\n", box, false},
		{"Empty", box + "\n\nThanks\n", box, false},
		{"Broken", box[:40] + "\n" + box[40:] + "\n", box[:40], true},
		{"BrokenName", name + "\na%20file.pdf?rlkey=abc&dl=0\n", name + "a%20file.pdf?rlkey=abc&dl=0", true},
		{"OtherName", box + "\n2026-plan.pdf\n", box, true},
		{"TooShortAlone", box[:24] + "\n" + box[24:] + "\n", box, true},
		{"WordOfLongLine", "here: " + box + "\nThanks\n", box, true},
		{"BlankBefore", "here it is: " + box[:50] + " \n" + box[50:] + "\n", box[:50], true},
		{"BlankAfter", "here it is: " + box[:50] + "\n " + box[50:] + "\n", box[:50], true},
		{"Key", key[:60] + "\n" + key[60:] + "\n", key, true},
		{"KeyEnd", "https://mega.nz/file/abcdefgh1a#" + digits[:40] + "\n" + digits[40:] + "\n", "https://mega.nz/file/abcdefgh1a#" + digits, true},
		{"KeyAndWords", "the file is here: https://mega.nz/file/abcdefgh1a#" + digits[:30] + "\n" + digits[30:] + " and more\n", "https://mega.nz/file/abcdefgh1a#" + digits, true},
		{"KeyQuoted", "> https://mega.nz/folder/abcdefgh1a#" + digits[:12] + "\n> " + digits[12:22] + "\n", "https://mega.nz/folder/abcdefgh1a#" + digits[:22], true},
		{"KeyOld", "https://mega.nz/#!abcdefg1!" + digits[:40] + "\n" + digits[40:] + "\n", "https://mega.nz/#!abcdefg1!" + digits, true},
		{"KeyInNextLine", "https://mega.nz/file/abcdefgh1a\n#" + digits + "\n", "https://mega.nz/file/abcdefgh1a#" + digits, true},
		{"KeyAndLine", "https://mega.nz/file/abcdefgh1a#" + digits + "\nQ3-2026-report-of_all_the-others\n", "https://mega.nz/file/abcdefgh1a#" + digits, false},
		{"KeyOfOtherLength", "https://mega.nz/file/abcdefgh1a#" + digits[:40] + "\nwords\n", "https://mega.nz/file/abcdefgh1a#" + digits[:40], true},
		{"WholeKey", key + "\nwords\n", key, false},
	} {
		refs := openWith(t, (&textCase{plain: tt.text}).message("8bit"), dialect.All())
		if len(refs) != 1 {
			t.Errorf("%s: got %d references, want 1", tt.name, len(refs))
			continue
		}
		got, _ := refs[0].Param("url")
		has := slices.ContainsFunc(refs[0].Diags, func(d externalbody.Diag) bool { return d.Code == externalbody.DiagLineEnd })
		if got != tt.want || has != tt.diag {
			t.Errorf("%s: got %q with the Diag %v, want %q with %v", tt.name, got, has, tt.want, tt.diag)
		}
	}
}

// TestShareLinkLimits has texts of the longest length that is read, and one octet more.
func TestShareLinkLimits(t *testing.T) {
	const link = "/s/AbCdEfGhIjKlMno/x.pdf?"
	for _, tt := range []struct {
		name string
		max  int
		text func(n int) textCase
	}{
		{"Base", 256, func(n int) textCase {
			const base = "https://www.dropbox.com/"
			return textCase{html: `<base href="` + base + strings.Repeat("b", n-len(base)) + `"><a href="` + link + `">x</a>`}
		}},
		{"Relative", 64<<10 - len("https://www.dropbox.com"), func(n int) textCase {
			return textCase{html: `<base href="https://www.dropbox.com/"><a href="` + link + strings.Repeat("a", n-len(link)) + `">x</a>`}
		}},
		{"Typed", 64<<10 - len("https://"), func(n int) textCase {
			const typed = "www.dropbox.com" + link
			return textCase{plain: "see " + typed + strings.Repeat("a", n-len(typed)) + "\n"}
		}},
	} {
		for more := range 2 {
			c := tt.text(tt.max + more)
			if refs := openWith(t, c.message("8bit"), dialect.All()); len(refs) != 1-more {
				t.Errorf("%s: got %d references with %d octets, want %d", tt.name, len(refs), tt.max+more, 1-more)
			}
		}
	}
}

// TestWrapped breaks the URLs of the golden vectors at columns 60 to 78, as mail programs do. The
// URL is found as it was, or the reference has the Diag that another reading is possible.
func TestWrapped(t *testing.T) {
	text, err := os.ReadFile("../../internal/link/sharelink/testdata/list.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Links []struct{ Is []struct{ URL string } }
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	every := 3 // columns; 1 for all
	if os.Getenv("EXTBODY_SLOW") != "" {
		every = 1
	}
	for _, form := range []struct{ name, quote, lineEnd, flowed string }{
		{"Hard", "", "\n", ""},
		{"Quoted", "> ", "\n> ", ""},
		{"QuotedTwice", ">> ", "\n>> ", ""},
		{"QuotedOnce", "> ", "\n", ""},
		{"Indented", "  ", "\n  ", ""},
		{"BlankBefore", "", " \n", ""},
		{"BlankBeforeQuoted", "> ", " \n> ", ""},
		{"BlankAfter", "", "\n ", ""},
		{"Flowed", "", " \n", "; format=flowed; delsp=yes"},
		{"FlowedQuoted", "> ", " \n> ", "; format=flowed; delsp=yes"},
		{"QuotedPrintable", "", "=\n", ""},
	} {
		count, exact, known := 0, 0, 0
		try := func(url, before, after string, col int) {
			line, encoding := form.quote+before+url, "8bit"
			if form.name == "QuotedPrintable" {
				line, encoding = strings.ReplaceAll(line, "=", "=3D"), "quoted-printable"
				for col < len(line) && strings.Contains(line[col-2:col], "=") {
					col++ // not within an escape
				}
			}
			if len(line) <= col || col <= len(form.quote+before+"https://a") {
				return
			}
			text := "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8" + form.flowed + "\nContent-Transfer-Encoding: " + encoding +
				"\n\n" + line[:col] + form.lineEnd + line[col:] + strings.ReplaceAll(after, "\n", "\n"+form.quote) + "\n"
			refs := openWith(t, text, dialect.All())
			is := slices.ContainsFunc(refs, func(r *externalbody.Reference) bool { u, _ := r.Param("url"); return u == url })
			has := slices.ContainsFunc(refs, func(r *externalbody.Reference) bool {
				return slices.ContainsFunc(r.Diags, func(d externalbody.Diag) bool { return d.Code == externalbody.DiagLineEnd })
			})
			count++
			if is {
				exact++
			}
			if is || has {
				known++
			} else {
				t.Logf("%s: neither: %q", form.name, text[strings.Index(text, "\n\n"):])
			}
		}
		var urls []string
		for _, row := range list.Links {
			for _, is := range row.Is {
				urls = append(urls, is.URL)
			}
		}
		for _, url := range urls {
			for _, before := range []string{"", "You find the minutes of today at "} {
				for i, after := range []string{"\n", " and more.\n", "\nThanks, Joe\n", ".\n\nThanks\n"} {
					for col := 60 + i%every; col <= 78; col += every {
						try(url, before, after, col)
					}
				}
			}
		}
		t.Logf("%s: %d broken, %d exact, %d exact or with the Diag", form.name, count, exact, known)
		if known < count || form.flowed != "" && exact < count {
			t.Errorf("%s: of %d, %d are exact and %d are exact or have the Diag, want all", form.name, count, exact, known)
		}
	}
}
