package ftpfetch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// FT-12, FT-13. {port}, {p1} and {p2} are those of a data connection that
// works on the address of the control connection.
func TestPassive(t *testing.T) {
	for _, tt := range []struct {
		name, epsv, pasv string
		want             fetch.Kind
	}{
		{name: "EPSV", epsv: "229 Entering Extended Passive Mode (|||{port}|)"},
		{name: "EPSVOtherDelimiter", epsv: "229 ok (!!!{port}!)"},
		{name: "EPSVNoText", epsv: "229 (|||{port}|)"},
		{name: "EPSVOtherHost", epsv: "229 ok (|1|192.0.2.1|{port}|)"},
		{name: "EPSVOtherHostLowPort", epsv: "229 ok (|1|127.0.0.1|22|)", want: fetch.Blocked},
		{name: "EPSVLowPort", epsv: "229 ok (|||1023|)", want: fetch.Blocked},
		{name: "EPSVZero", epsv: "229 ok (|||0|)", want: fetch.Blocked},
		{name: "EPSVBigPort", epsv: "229 ok (|||65536|)", want: fetch.Protocol},
		{name: "EPSVNoPort", epsv: "229 ok (||||)", want: fetch.Protocol},
		{name: "EPSVSign", epsv: "229 ok (|||+2121|)", want: fetch.Protocol},
		{name: "EPSVUnclosed", epsv: "229 ok (|||{port}|", want: fetch.Protocol},
		{name: "EPSVEmpty", epsv: "229 ()", want: fetch.Protocol},
		{name: "EPSVMissing", epsv: "229", want: fetch.Protocol},
		{name: "EPSVBusy", epsv: "425 busy", want: fetch.Unavailable},
		{name: "PASV", epsv: "500 what?", pasv: "227 Entering Passive Mode (127,0,0,1,{p1},{p2})"},
		{name: "PASVNoParentheses", epsv: "502 no", pasv: "227 Entering Passive Mode 127,0,0,1,{p1},{p2}."},
		{name: "PASVEquals", epsv: "502 no", pasv: "227 =127,0,0,1,{p1},{p2}"},
		{name: "PASVDigitsBefore", epsv: "522 no", pasv: "227 Mode 2 (127,0,0,1,{p1},{p2})"},
		{name: "PASVOtherHost", epsv: "500 what?", pasv: "227 ok (192,0,2,1,{p1},{p2})"},
		{name: "PASVOtherHostLowPort", epsv: "500 what?", pasv: "227 Entering Passive Mode (127,0,0,1,0,22)", want: fetch.Blocked},
		{name: "PASVLowPort", epsv: "500 what?", pasv: "227 (93,184,216,34,0,22)", want: fetch.Blocked},
		{name: "PASVTooBig", epsv: "500 what?", pasv: "227 (127,0,0,1,256,1)", want: fetch.Protocol},
		{name: "PASVFive", epsv: "500 what?", pasv: "227 (127,0,0,1,4)", want: fetch.Protocol},
		{name: "PASVSeven", epsv: "500 what?", pasv: "227 (127,0,0,1,4,4,4)", want: fetch.Protocol},
		{name: "PASVText", epsv: "500 what?", pasv: "227 ok", want: fetch.Protocol},
		{name: "Neither", epsv: "500 what?", pasv: "502 no", want: fetch.Protocol},
		{name: "HangUp", epsv: hangUp, want: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", replies: map[string]string{"EPSV": tt.epsv, "PASV": tt.pasv}}
			f.start(t)
			got, resp, err := get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x")})
			wantKind(t, err, tt.want)
			if err == nil && (got != "x" || resp.RemoteAddr.Addr().String() != "127.0.0.1") {
				t.Errorf("got %q from %v, want %q from 127.0.0.1", got, resp.RemoteAddr, "x")
			}
			if asked := slices.Contains(f.seen(), "PASV"); asked != (tt.pasv != "") {
				t.Errorf("PASV sent: got %v, want %v", asked, (tt.pasv != ""))
			}
		})
	}
}

// FT-14: the commands of active mode are never sent.
func TestNoActiveMode(t *testing.T) {
	f := &fake{replies: map[string]string{"EPSV": "500 no", "PASV": "500 no"}}
	f.start(t)
	_, _, err := get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x")})
	wantKind(t, err, fetch.Protocol)
	for _, line := range f.seen() {
		if verb(line) == "PORT" || verb(line) == "EPRT" {
			t.Errorf("got %q sent, want neither PORT nor EPRT", line)
		}
	}
}

// A port is read from a reply that says it in the form of the RFC, whatever
// the text around it, and from nothing else in the parentheses.
func FuzzEPSV(f *testing.F) {
	f.Add("Entering Extended Passive Mode ", byte('|'), uint16(6446), "(|||6446|)")
	f.Add("", byte('7'), uint16(7), "(|1|132.235.1.2|6275|)")
	f.Add("x", byte('!'), uint16(65535), "(||||)")
	f.Fuzz(func(t *testing.T, prefix string, d byte, port uint16, text string) {
		if p, ok := parseEPSV(text); ok && !strings.Contains(text, fmt.Sprint(p)) {
			t.Errorf("%q: got port %d, want one that is in it", text, p)
		}
		number := fmt.Sprint(port)
		if strings.ContainsAny(prefix, "()") || d < '!' || d > '~' || d == ')' || strings.IndexByte(number, d) >= 0 {
			return
		}
		text = fmt.Sprintf("%s(%c%c%c%s%c)", prefix, d, d, d, number, d)
		if p, ok := parseEPSV(text); !ok || p != port {
			t.Errorf("%q: port %d, %v, want %d", text, p, ok, port)
		}
	})
}

func FuzzPASV(f *testing.F) {
	f.Add("Entering Passive Mode (", []byte{127, 0, 0, 1, 4, 1}, ")")
	f.Add("=", []byte{10, 1, 2, 3, 255, 255}, "")
	f.Add("1,2,3,4,5,6,7 ", []byte{0, 0, 0, 0, 0, 0}, ".")
	f.Fuzz(func(t *testing.T, before string, n []byte, after string) {
		p, ok := parsePASV(before + after)
		if ok && p != 0 && !strings.ContainsAny(before+after, digits) {
			t.Errorf("%q: got port %d, want none", before+after, p)
		}
		if len(n) < 6 || strings.ContainsAny(before, digits) || strings.HasSuffix(before, ",") ||
			after != "" && strings.ContainsAny(after[:1], digits+",") {
			return
		}
		text := fmt.Sprintf("%s%d,%d,%d,%d,%d,%d%s", before, n[0], n[1], n[2], n[3], n[4], n[5], after)
		want := uint16(n[4])<<8 | uint16(n[5])
		if p, ok := parsePASV(text); !ok || p != want {
			t.Errorf("%q: port %d, %v, want %d", text, p, ok, want)
		}
	})
}
