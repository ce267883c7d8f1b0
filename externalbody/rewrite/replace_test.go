package rewrite_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// TestMerge: headers that come from elsewhere than one plain phantom header.
func TestMerge(t *testing.T) {
	long := strings.Repeat("word ", 300)
	for _, c := range []struct {
		name string
		part string
		web  *web
		want string
	}{
		{
			// Prohibited by RFC 2046 section 5.2.3, and undone.
			"OuterBase64",
			strings.Replace(ref("x", ""), "\n\n", "\nContent-Transfer-Encoding: base64\n\n", 1) +
				base64.StdEncoding.EncodeToString([]byte("Content-Type: text/plain;\r\n charset=utf-8\r\nContent-ID: <x@a.example>\r\n")),
			newWeb("x", "hi"),
			"Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
		{
			// The identity in the message stays, the rest is of the last one.
			"Chain",
			ref("1", "Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/2\"\nContent-ID: <1@a.example>\n"),
			newWeb("1", "Content-Type: image/png\r\nContent-ID: <2@a.example>\r\nContent-Description: inner\r\n", "2", "\x00"),
			"Content-ID: <1@a.example>\nContent-Type: image/png\nContent-Description: inner\nContent-Transfer-Encoding: base64\n\nAA==",
		},
		{
			"LongLine", // RW-23, RFC 5322 section 2.1.1
			ref("x", "Content-Type: text/plain\nContent-Description: "+long+"\n"),
			newWeb("x", "hi"),
			"Content-Type: text/plain\nContent-Description:" +
				strings.Repeat(" word", 11) + "\n" + strings.Repeat(strings.Repeat(" word", 15)+"\n", 19) + strings.Repeat(" word", 4) +
				"\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
		{
			"OuterDispositionSize", // RW-15
			"Content-Disposition: attachment; filename=x; size=9\n" + ref("x", "Content-Type: text/plain\n"),
			newWeb("x", "hi"),
			"Content-Disposition: attachment; filename=x\nContent-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
		{
			"OuterContentID", // RW-17: the identity, if it has no other
			"Content-ID: <o@a.example>\nContent-MD5: x\n" + ref("x", "Content-Type: text/plain\n"),
			newWeb("x", "hi"),
			"Content-ID: <o@a.example>\nContent-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, report := inline(t, mixed(c.part), &rewrite.InlineOptions{Resolver: c.web.resolver()})
			if want := mixed(c.want); got != want {
				t.Errorf("%s %v, got\n%s\nwant\n%s", actions(report), report.Items[0].Err, got, want)
			}
		})
	}
}

// TestNoFold: a phantom field that no line can hold leaves the reference (RW-23).
func TestNoFold(t *testing.T) {
	text := mixed(ref("x", "Content-Type: text/plain\nContent-Description: "+strings.Repeat("x", 1000)+"\n"))
	got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", "hi").resolver()})
	if got != text || actions(report) != "2 failed" || !strings.Contains(report.Items[0].Err.Error(), "folded") {
		t.Errorf("got %s, %v,\n%s\nwant 2 failed, folded,\n%s", actions(report), report.Items[0].Err, got, text)
	}
}

// TestContentID: a reference to another part keeps its own fields (RFC 1873
// section 2.1) and gets the type of the other.
func TestContentID(t *testing.T) {
	target := "Content-ID: <x@a.example>\nContent-Type: text/html\n\n<p>"
	part := "Content-ID: <x@a.example>\nContent-Type: message/external-body; access-type=content-id\nContent-Location: http://h.example/\n\n"
	got, report := inline(t, mixed(target, part), &rewrite.InlineOptions{Resolver: newWeb().resolver()})
	want := mixed(target, "Content-ID: <x@a.example>\nContent-Location: http://h.example/\nContent-Type: text/html\nContent-Transfer-Encoding: 7bit\n\n<p>")
	if got != want {
		t.Errorf("%s %v, got\n%s, want %s", actions(report), report.Items[0].Err, got, want)
	}
}

// TestCannotRaise: where a label around it cannot be raised, the body is 7bit
// data (RW-10).
func TestCannotRaise(t *testing.T) {
	one := ref("x", "Content-Type: text/plain; charset=utf-8\n")
	for _, inner := range []string{
		"Content-Type: multipart/mixed; boundary=b2\nContent-Transfer-Encoding: x-own\n\n--b2\n" + one + "\n--b2--",
		"Content-Type: multipart/mixed; boundary=b2\n--b2\n" + one + "\n--b2--",
	} {
		got, report := inline(t, mixed(inner), &rewrite.InlineOptions{Resolver: newWeb("x", "\u00e9").resolver(), Transport8bit: true})
		if actions(report) != "2.1 replaced" || report.Items[0].Encoding != "base64" || strings.Contains(got, "8bit") {
			t.Errorf("got %s, %s,\n%s\nwant 2.1 replaced, base64, nothing labeled 8bit", actions(report), report.Items[0].Encoding, got)
		}
	}
}

// TestManyAlternatives: a message of many references takes linear time.
func TestManyAlternatives(t *testing.T) {
	var parts []string
	for range 4000 {
		parts = append(parts, ref("gone", "Content-ID: <"+externalbody.NewContentID("a.example")[1:]+"\n"))
	}
	text := mixed(parts...)
	got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb().resolver()})
	if got != text || len(report.Items) != len(parts) {
		t.Errorf("got %d items, want %d", len(report.Items), len(parts))
	}
}
