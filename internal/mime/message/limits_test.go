package message

import (
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

func TestLimits(t *testing.T) {
	const mixed = "Content-Type: multipart/mixed; boundary=b\n\n"
	const nested = mixed + "--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n1.1\n--c--\n--b\n\n2\n--b--"
	const many = mixed + "--b\n\n1\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n2.1\n--c\n\n2.2\n--c--\n--b\n\n3\n--b--"
	tests := []struct {
		name   string
		limits Limits
		text   string
		limit  string
		at     string // the text at the offset of the limit
		want   string
	}{
		{"Depth", Limits{Depth: 2}, nested, "Depth", "--c\n\n1.1", lines(
			`"" multipart/mixed`,
			`  "1" message/rfc822`,
			`    "1.TEXT" multipart/mixed (too-deep) "--c\n\n1.1\n--c--"`,
			`  "2" text/plain "2"`)},
		{"DepthOfMessage", Limits{Depth: 1}, nested, "Depth", "Content-Type: multipart/mixed; boundary=c", lines(
			`"" multipart/mixed`,
			`  "1" message/rfc822 (too-deep) "Content-Type: multipart/mixed; boundary=c\n\n--c\n\n1.1\n--c--"`,
			`  "2" text/plain "2"`)},
		{"Parts", Limits{Parts: 4}, many, "Parts", "\n--c\n\n2.2", lines(
			`"" multipart/mixed (missing-close)`,
			`  "1" text/plain "1"`,
			`  "2" multipart/mixed (too-many) epi "\n--c\n\n2.2\n--c--\n--b\n\n3\n--b--"`,
			`    "2.1" text/plain "2.1"`)},
		{"PartsOutside", Limits{Parts: 5}, many, "Parts", "\n--b\n\n3", lines(
			`"" multipart/mixed (too-many) epi "\n--b\n\n3\n--b--"`,
			`  "1" text/plain "1"`,
			`  "2" multipart/mixed`,
			`    "2.1" text/plain "2.1"`,
			`    "2.2" text/plain "2.2"`)},
		{"PartsAtMessage", Limits{Parts: 2}, nested, "Parts", "Content-Type: multipart/mixed; boundary=c", lines(
			`"" multipart/mixed (too-many) epi "\n--b\n\n2\n--b--"`,
			`  "1" message/rfc822 (too-many) "Content-Type: multipart/mixed; boundary=c\n\n--c\n\n1.1\n--c--"`)},
		{"One", Limits{Parts: 1}, mixed + "p\n--b\n\n1\n--b--", "Parts", "\n--b\n\n1", lines(`"" multipart/mixed (too-many) pre "p" epi "\n--b\n\n1\n--b--"`)},
		{"HeaderBytes", Limits{HeaderBytes: 60}, mixed + "--b\nA: " + strings.Repeat("x", 60) + "\nContent-Type: text/html\n\n1\n--b\nContent-Type: text/html\n\n2\n--b--", "HeaderBytes", "A: xxx", lines(
			`"" multipart/mixed`,
			`  "1" text/plain (header-too-long) "1"`,
			`  "2" text/html "2"`)},
		{"HeaderBytesWithinField", Limits{HeaderBytes: 25}, "Content-Type: text/html; boundary=b\n\n1", "HeaderBytes", "Content-Type: text/html; boundary", lines(
			`"1" text/html (header-too-long) "1"`)},
		{"TotalHeaderBytes", Limits{TotalHeaderBytes: 52}, mixed + "--b\nA: b\n\n1\n--b\nA: b\n\n2\n--b\n\n3\n--b--", "TotalHeaderBytes", "\n--b\n\n3", lines(
			`"" multipart/mixed (too-many) epi "\n--b\n\n3\n--b--"`,
			`  "1" text/plain "1"`,
			`  "2" text/plain "2"`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := mustScan(t, test.text, test.limits)
			if got := tree(x, test.text); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if x.Limit == nil || x.Limit.Limit != test.limit || x.Limit.Offset != int64(strings.Index(test.text, test.at)) {
				t.Errorf("%v, want %s at %q", x.Limit, test.limit, test.at)
			}
		})
	}
}

func TestLimitsDefault(t *testing.T) {
	nest := func(n int) string {
		return strings.Repeat("Content-Type: message/rfc822\n\n", n)
	}
	parts := func(n int) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\n\n", n) + "--b--"
	}
	header := func(n int) string { return "A: " + strings.Repeat("x", n-4) + "\n" }
	tests := []struct {
		name    string
		within  string
		outside string
		limit   string
	}{
		{"Depth", nest(100), nest(101), "Depth"},
		{"Parts", parts(9_999), parts(10_000), "Parts"},
		{"HeaderBytes", header(256 << 10), header(256<<10 + 1), "HeaderBytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if x := mustScan(t, test.within, Limits{}); x.Limit != nil {
				t.Errorf("within: got %v, want no limit", x.Limit)
			}
			if x := mustScan(t, test.outside, Limits{}); x.Limit == nil || x.Limit.Limit != test.limit {
				t.Errorf("outside: got %v, want %s", x.Limit, test.limit)
			}
			if x := mustScan(t, test.outside, Limits{-1, -1, -1, -1, 0}); x.Limit != nil {
				t.Errorf("without limits: got %v, want none", x.Limit)
			}
		})
	}
}

// TestLinear compares the octets that are read and the work with the size of
// messages that make careless scanners quadratic.
func TestLinear(t *testing.T) {
	nested := func(n int) string {
		var b strings.Builder
		for i := range n {
			name := strings.Repeat("0", 4) + strings.Repeat("x", i%3) + string(rune('a'+i%26)) + strings.Repeat("-", 2*(i%2))
			name += quoteInt(i)
			b.WriteString("Content-Type: multipart/mixed; boundary=\"" + name + "\"\n\n--" + name + "\n")
		}
		return b.String() + strings.Repeat("--0000\n", n)
	}
	unlimited := Limits{-1, -1, -1, -1, 0}
	kilobyte := strings.Repeat("x", 1<<10)
	tests := []struct {
		name   string
		source repeated
		limits Limits
		parts  int
		depth  int // of the last part
	}{
		{"NestedMultiparts", repeated{tail: nested(5000)}, unlimited, 5001, 5000},
		{"NestedSameBoundary", repeated{unit: "Content-Type: multipart/mixed; boundary=b\n\n--b\n", count: 5000, tail: strings.Repeat("--b--\n", 5000)}, unlimited, 5001, 5000},
		{"NestedDefaultLimits", repeated{tail: nested(5000)}, Limits{}, 101, 100},
		{"NestedMessages", repeated{unit: "Content-Type: message/rfc822\n\n", count: 20_000}, unlimited, 20_001, 20_000},
		{"OneField", repeated{head: "A: ", unit: kilobyte, count: 100 << 10, tail: "\n\n"}, Limits{}, 1, 0},
		{"OneContentType", repeated{head: "Content-Type: text/html; x=", unit: kilobyte, count: 100 << 10, tail: "\n\n"}, Limits{}, 1, 0},
		{"FoldedField", repeated{head: "Content-Type: text/html\n", unit: " \n", count: 4 << 20}, Limits{}, 1, 0},
		{"ManyFields", repeated{unit: "Content-Type: text/html\n", count: 1 << 20}, Limits{}, 1, 0},
		{"NameOnly", repeated{unit: kilobyte, count: 10 << 10}, Limits{}, 1, 0},
		{"MailboxLines", repeated{unit: "From x\n", count: 1 << 20}, Limits{}, 1, 0},
		{"TinyParts", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "--b\n\n\n", count: 1_000_000}, Limits{}, 10_000, 1},
		{"AllTinyParts", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "--b\n", count: 100_000}, unlimited, 100_001, 1},
		{"Dashes", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "-", count: 10 << 20}, Limits{}, 1, 0},
		{"DashLines", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "--\n", count: 1 << 20}, Limits{}, 1, 0},
		{"Padding", repeated{head: "Content-Type: multipart/x; boundary=b\n\n--b", unit: " ", count: 10 << 20}, Limits{}, 1, 0},
		{"PaddingLines", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "--b" + strings.Repeat(" ", maxDelimiter) + "\n", count: 1 << 10}, Limits{}, 1, 0},
		{"Binary", repeated{head: "Content-Type: multipart/x; boundary=b\n\n", unit: "\n-\r\n\x00", count: 1 << 20}, Limits{}, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			size := test.source.size()
			r := &testkit.CountingReader{ReaderAt: test.source}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := newScanner(r, Span{0, size}, &budget{limits: test.limits.withDefaults()}, windowSize)
			x, err := s.scan()
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if len(x.Parts) != test.parts {
				t.Errorf("%d parts, want %d", len(x.Parts), test.parts)
			}
			if last := x.Parts[len(x.Parts)-1]; last.Depth != test.depth {
				t.Errorf("depth %d, want %d", last.Depth, test.depth)
			}
			if most := size + size/8 + 4<<10; r.Octets > most {
				t.Errorf("got %d octets read of %d, want at most %d", r.Octets, size, most)
			}
			if s.work > size+64 {
				t.Errorf("got %d steps, want at most %d", s.work, size+64)
			}
			// A few hundred octets a part for the index, the window and one field.
			if most := uint64(test.parts)*1400 + 2<<20; after.TotalAlloc-before.TotalAlloc > most {
				t.Errorf("got %d octets allocated for %d parts, want at most %d", after.TotalAlloc-before.TotalAlloc, test.parts, most)
			}
			end := int64(0)
			for _, p := range x.pieces() {
				if p.span.Start != end {
					t.Fatalf("piece at %d, want %d", p.span.Start, end)
				}
				end = p.span.End
			}
			if end != size {
				t.Errorf("pieces end at %d, want %d", end, size)
			}
		})
	}
}

// TestUnreadBodies checks that a body that cannot hold a delimiter line is not
// read.
func TestUnreadBodies(t *testing.T) {
	for name, source := range map[string]repeated{
		"Body":     {head: "A: b\n\n", unit: "x\n", count: 10 << 20},
		"Epilogue": {head: "Content-Type: multipart/x; boundary=b\n\n--b--\n", unit: "x\n", count: 10 << 20},
		"TooMany":  {head: "Content-Type: multipart/x; boundary=b\n\n--b\n\n\n--b\n", unit: "x\n", count: 10 << 20},
	} {
		r := &testkit.CountingReader{ReaderAt: source}
		if _, err := Scan(r, source.size(), Limits{Parts: 2}); err != nil {
			t.Fatal(err)
		}
		if r.Calls != 1 || r.Octets > windowSize {
			t.Errorf("%s: got %d calls for %d octets, want 1 for at most %d", name, r.Calls, r.Octets, windowSize)
		}
	}
}

// The URL of a message/external-body may be longer than all that is looked at of a
// header: the parameters after it are read all the same. No other type needs that.
func TestLongContentType(t *testing.T) {
	long := "; x=\"" + strings.Repeat("QUJDQUJD\n ", 100) + "\"\n"
	for _, c := range []struct {
		mediaType string
		limited   bool
	}{
		{"message/external-body", false},
		{"text/plain", true},
		{"multipart/mixed", true},
	} {
		text := "Subject: a\nContent-Type: " + c.mediaType + long + "Content-Transfer-Encoding: base64\n\nbody"
		x, err := Scan(strings.NewReader(text), int64(len(text)), Limits{HeaderBytes: 200})
		if err != nil {
			t.Fatal(err)
		}
		p := x.Root()
		if p.Type != c.mediaType || p.Encoding != Base64 {
			t.Errorf("%s: got %s, %v, want %v", c.mediaType, p.Type, p.Encoding, Base64)
		}
		if got := p.Diag.Has(HeaderTooLong); got != c.limited || (x.Limit != nil) != c.limited {
			t.Errorf("%s: got too long %t, limit %v, want %t", c.mediaType, got, x.Limit, c.limited)
		}
	}
}
