package rewrite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestMalformedField: what comes after a line without a field name is header, not
// body, and stays so.
func TestMalformedField(t *testing.T) {
	const body = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n"
	for _, line := range []string{": x\n", "Bad Name: x\n", "Bad Name: x\n folded\n", "(a): b\n", " : c\n", "a@b: c\n"} {
		text := "From: a@a.example\n" + line + "Subject: y\nMIME-Version: 1.0\n" + body
		w := newWeb()
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all})
		if actions(report) != "1 replaced" || w.bodies[w.base+"1"] != "hello" {
			t.Errorf("%q: got %s, stored %q, want %s", line, actions(report), w.bodies, "1 replaced")
			continue
		}
		header, _, _ := strings.Cut(out, "\n\n")
		want := "From: a@a.example\n" + line + "Subject: y\nMIME-Version: 1.0\nContent-Type: message/external-body;"
		if !strings.HasPrefix(header, want) {
			t.Errorf("%q: got header %q, want %q", line, header, want)
		}
		back, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		header, _, _ = strings.Cut(back, "\n\n")
		for _, want := range strings.SplitAfter("From: a@a.example\n"+line+"Subject: y\nMIME-Version: 1.0\n", "\n") {
			if !strings.Contains(header+"\n", want) {
				t.Errorf("%q: %s, got header %q, want %q in it", line, actions(report), header, want)
			}
		}
	}
}

// TestMalformedFieldReference: a reference after such a line is found and inlined.
func TestMalformedFieldReference(t *testing.T) {
	one := ref("1", "Content-Type: text/plain\n")
	for _, line := range []string{": x\n", "Bad Name: x\n"} {
		for _, text := range []string{mixed(line + one), line + one, strings.Replace(mixed(one), "From:", crlf(line)+"From:", 1)} {
			out, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("1", "hello").resolver()})
			if len(report.Items) != 1 || report.Items[0].Action != rewrite.Replaced || !strings.Contains(out, "hello") {
				t.Errorf("%q: got %s, want 1 replaced", text, actions(report))
			}
		}
	}
}

// TestHeaderEnd: an entity whose header ends with a line that is not a field, and not
// with an empty one, is left by both directions, and so are the octets.
func TestHeaderEnd(t *testing.T) {
	const line = "no field\n"
	part := "Content-Type: image/png\n" + line + "Content-Transfer-Encoding: base64\n\naGVsbG8=\n"
	for _, text := range []string{part, mixed(part), "Subject: x\n" + part, "Content-Type: message/rfc822\n\n" + part} {
		w := newWeb()
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Nested: true, Select: func(o *rewrite.Object) bool { return o.MediaType == "image/png" }})
		if out != text || len(report.Items) != 1 || !errors.Is(report.Items[0].Err, fetch.Malformed) || len(w.put) > 0 {
			t.Errorf("%q: got %s, %d bodies stored, want %v, none stored, and the message as it was", text, actions(report), len(w.put), fetch.Malformed)
		}
	}
	reference := strings.Replace(ref("1", "Content-Type: text/plain\n"), "\n\n", "\n"+line, 1)
	for _, text := range []string{reference, mixed(reference)} {
		w := newWeb("1", "hello")
		out, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Notice: true})
		if out != text || len(report.Items) != 1 || !errors.Is(report.Items[0].Err, fetch.Malformed) || len(w.asked) > 0 {
			t.Errorf("%q: got %s, %q asked for, want %v, nothing asked for, and the message as it was", text, actions(report), w.asked, fetch.Malformed)
		}
	}
}
