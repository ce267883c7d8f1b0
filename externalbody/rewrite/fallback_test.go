package rewrite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestTwin: readers that do not know references find a text, as go-message does.
func TestTwin(t *testing.T) {
	for _, eol := range []string{"\r\n", "\n"} {
		w := newWeb()
		w.base = "https://store.example/a&b/"
		text := strings.ReplaceAll(mixed("X: y\nContent-Type: image/png\nContent-Disposition: attachment; filename=\"<b>.png\"\nContent-ID: <x@a.example>\n\nhello"), "\r\n", eol)
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{
			Store:      w,
			Select:     func(o *rewrite.Object) bool { return o.MediaType == "image/png" },
			Expiration: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
			Twin:       true,
		})
		found := leaves(t, out)
		if len(found) != 4 || found[3].mediaType != "message/external-body" || actions(report) != "2 replaced" {
			t.Fatalf("got %v in\n%s, want 4 of them", found, out)
		}
		for i, want := range map[int]string{
			1: "_b_.png\r\n5 octets\r\nhttps://store.example/a&b/1\r\nuntil Wed, 02 Jan 2030 03:04:05 UTC",
			2: "<p><a href=\"https://store.example/a&amp;b/1\"><bdi>_b_.png</bdi></a> (5 octets)<br>until Wed, 02 Jan 2030 03:04:05 UTC</p>",
		} {
			if got := strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(found[i].body, "\r\n", "\n"), "\n", "\r\n"), "\r\n"); got != want {
				t.Errorf("%q: %d: got %q, want %q", eol, i, got, want)
			}
		}
		back, _ := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		if l := leaves(t, back); len(l) != 2 || l[1].mediaType != "image/png" || l[1].body != "hello" || l[1].id != "<x@a.example>" {
			t.Errorf("%q: back as %v, want 2 of them", eol, l)
		}
		if eol == "\n" && strings.Contains(out, "\r") {
			t.Errorf("got\n%q\nwant no CR", out)
		}
	}
}

// withFallback returns a message with a fallback, and where its body is.
func withFallback(t *testing.T, name string) (*web, string) {
	t.Helper()
	w := newWeb()
	text := mixed("X: y\nContent-Type: image/png\nContent-Disposition: attachment; filename*=utf-8''"+name+"\nContent-ID: <x@a.example>\n\nhello", "\nlast")
	out, report := externalize(t, text, &rewrite.ExternalizeOptions{
		Store:  w,
		Select: func(o *rewrite.Object) bool { return o.MediaType == "image/png" },
		Twin:   true,
	})
	if actions(report) != "2 replaced" {
		t.Fatalf("got %s: %v, want %s", actions(report), report.Items[0].Err, "2 replaced")
	}
	return w, out
}

// TestTwinNames: the names that a sender chose cannot be taken for markup, for
// another line, nor for a part of the message, and does not turn the text around
// it.
func TestTwinNames(t *testing.T) {
	for _, c := range []struct{ name, plain, rich string }{
		{"%22%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E", "script_", "script_"},
		{"a%3Cb%3E%26c", "a_b__c", "a_b__c"},
		{"a%0D%0AURL%3A%20evil", "aURL_ evil", "aURL_ evil"},
		{"gpj.%E2%80%AEexe%E2%80%AC%E2%81%A6", "gpj.exe", "gpj.exe"},
		{"%D7%A9%D7%9D.png", "\u05e9\u05dd.png", "\u05e9\u05dd.png"},
		{"a%00%1Bb%C2%9Bc", "abc", "abc"},
		{"%FF.png", "_.png", "_.png"},
		// Folded, the name is a line that looks like the delimiter around.
		{strings.Repeat("x", 75) + "--b1", strings.Repeat("x", 75) + "--b1", strings.Repeat("x", 75) + "--b1"},
	} {
		_, out := withFallback(t, c.name)
		found := leaves(t, out)
		if len(found) != 5 {
			t.Errorf("%s: got %d parts in\n%s, want 5", c.name, len(found), out)
			continue
		}
		lines := strings.Split(strings.TrimRight(strings.ReplaceAll(found[1].body, "\r\n", "\n"), "\n"), "\n")
		if len(lines) != 3 || lines[0] != c.plain || lines[1] != "5 octets" {
			t.Errorf("%s: got %q, want 3 of them", c.name, lines)
		}
		if !strings.Contains(found[2].body, "<bdi>"+c.rich+"</bdi>") {
			t.Errorf("%s: got %q, want %q in it", c.name, found[2].body, "<bdi>"+c.rich+"</bdi>")
		}
	}
}

// TestTwinStays: a text that was changed is not known as a fallback, nor is a text
// that only looks like one.
func TestTwinStays(t *testing.T) {
	w, out := withFallback(t, "a.png")
	_, rest, _ := strings.Cut(out, `boundary="`)
	boundary, _, _ := strings.Cut(rest, `"`)
	delimiter := "\r\n--" + boundary
	for _, c := range []struct{ name, old, new string }{
		{"Text", "5 octets", "5 octetS"},
		{"HTML", "</p>", "<p>"},
		{"Field", delimiter + "\r\n", delimiter + "\r\nX-Scanned: yes\r\n"},
		{"Reference", "store.example/1\";", "store.example/1\" ;"},
		{"Phantom", "Content-ID: <x@a.example>", "Content-ID:  <x@a.example>"},
		{"OtherPart", delimiter + "\r\n", delimiter + "\r\n\r\nmore" + delimiter + "\r\n"},
		{"Preamble", delimiter + "\r\n", "\r\npreamble" + delimiter + "\r\n"},
		{"Epilogue", delimiter + "--", delimiter + "--\r\nepilogue"},
		{"NotClosed", delimiter + "--\r\n", ""},
		{"Type", "multipart/alternative", "multipart/mixed"},
		{"Boundary", boundary, boundary[1:]},
	} {
		text := strings.Replace(out, c.old, c.new, 1)
		if c.name == "Boundary" {
			text = strings.ReplaceAll(out, c.old, c.new)
		}
		if text == out {
			t.Fatalf("%s: got the message as it was, want a change of %q", c.name, c.old)
		}
		back, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver()})
		if !strings.Contains(back, "text/html") || !strings.Contains(back, "text/plain; charset") || !report.Changed() {
			t.Errorf("%s: got %s,\n%s\nwant a change that keeps both texts", c.name, actions(report), back)
		}
	}
}

// TestTwinOtherLineEnds: a fallback is known after the line ends of the message have
// changed.
func TestTwinOtherLineEnds(t *testing.T) {
	w, out := withFallback(t, "a.png")
	back, _ := inline(t, strings.ReplaceAll(out, "\r\n", "\n"), &rewrite.InlineOptions{Resolver: w.resolver()})
	if strings.Contains(back, "text/html") || strings.Contains(back, "\r") {
		t.Errorf("got\n%q\nwant no text/html and no CR", back)
	}
}

// TestTwinIsLeft: Externalize takes nothing out of a fallback, Inline leaves it if
// the body cannot be had, and a Notice replaces all of it.
func TestTwinIsLeft(t *testing.T) {
	w, out := withFallback(t, "a.png")
	again, _ := externalize(t, out, &rewrite.ExternalizeOptions{Store: newWeb(), Select: func(o *rewrite.Object) bool {
		if strings.HasPrefix(o.Section, "2") {
			t.Errorf("got section %s offered, want nothing of the twin", o.Section)
		}
		return false
	}})
	if again != out {
		t.Errorf("got\n%s, want %s", again, out)
	}
	gone := &externalbody.Resolver{Fetcher: newWeb()}
	back, report := inline(t, out, &rewrite.InlineOptions{Resolver: gone})
	if back != out || actions(report) != "2.3 failed" || fetch.KindOf(report.Items[0].Err) != fetch.NotFound {
		t.Errorf("%s, got\n%s, want %s, %s", actions(report), back, "2.3 failed", out)
	}
	back, report = inline(t, out, &rewrite.InlineOptions{Resolver: gone, Notice: true})
	if strings.Contains(back, "text/html") || !strings.Contains(back, "could not be had") || len(leaves(t, back)) != 3 {
		t.Errorf("got %s,\n%s\nwant a notice instead of the twin", actions(report), back)
	}
	f := memFile{}
	if _, err := rewrite.Inline(t.Context(), &f, open(t, out), &rewrite.InlineOptions{Resolver: w.resolver()}); err != nil || strings.Contains(string(f.b), "alternative") {
		t.Errorf("got %v,\n%s\nwant nil, without multipart/alternative", err, f.b)
	}
}
