package dialect_test

import (
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

// The length of a key shows where a URL ends that a program may have broken.
func TestKeysAcrossLines(t *testing.T) {
	const key = "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQ" // 43 digits
	for _, tt := range []struct{ name, text, want string }{
		{"End", "https://mega.nz/file/abcdefgh1a#" + key[:40] + "\n" + key[40:] + "\n", "https://mega.nz/file/abcdefgh1a#" + key},
		{"EndAndWords", "the file is here: https://mega.nz/file/abcdefgh1a#" + key[:30] + "\n" + key[30:] + " and more\n", "https://mega.nz/file/abcdefgh1a#" + key},
		{"Quoted", "> https://mega.nz/folder/abcdefgh1a#" + key[:12] + "\n> " + key[12:22] + "\n", "https://mega.nz/folder/abcdefgh1a#" + key[:22]},
		{"Old", "https://mega.nz/#!abcdefg1!" + key[:40] + "\n" + key[40:] + "\n", "https://mega.nz/#!abcdefg1!" + key},
		{"WholeKey", "https://mega.nz/file/abcdefgh1a\n#" + key + "\n", "https://mega.nz/file/abcdefgh1a#" + key},
		{"NextLine", "https://mega.nz/file/abcdefgh1a#" + key + "\nQ3-2026-report-of_all_the-others\n", "https://mega.nz/file/abcdefgh1a#" + key},
		{"OtherLength", "https://mega.nz/file/abcdefgh1a#" + key[:40] + "\nwords\n", "https://mega.nz/file/abcdefgh1a#" + key[:40]},
	} {
		refs := openWith(t, (&textCase{plain: tt.text}).message("8bit"), dialect.All())
		if len(refs) != 1 {
			t.Errorf("%s: got %d references, want 1", tt.name, len(refs))
			continue
		}
		if got, _ := refs[0].Param("url"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLineEnds checks that a URL that a line end may have broken has a Diag if both readings
// are share links.
func TestLineEnds(t *testing.T) {
	const box = "https://app.box.com/s/p0k2vz3x4c5v6b7nq1w2e3r4t5y6u7i8"
	const key = "https://mega.nz/file/abcdefgh1a#AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQ"
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
		{"Relative", 2048, func(n int) textCase {
			return textCase{html: `<base href="https://www.dropbox.com/"><a href="` + link + strings.Repeat("a", n-len(link)) + `">x</a>`}
		}},
		{"Typed", 2048, func(n int) textCase {
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
