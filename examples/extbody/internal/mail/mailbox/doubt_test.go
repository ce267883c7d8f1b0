package mailbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// dated is a line between messages that every program takes for one.
const dated = "From a@b Thu Jan  1 00:00:00 1970\n"

// TestSeparators is OP-31: a line that may separate messages does so wherever losing it
// would lose a message.
func TestSeparators(t *testing.T) {
	const message = "A: b\n\nx\n"
	for _, tt := range []struct {
		name, box string
		want      int
	}{
		{"BareAfterDate", dated + message + "\nFrom \n" + message + "\nFrom - \n" + message, 3},
		{"DashWithoutSpace", dated + message + "\nFrom -\n" + message, 2},
		{"NoEmptyLine", dated + message + "From - \n" + message + "From \n" + message, 3},
		{"DateAfterBare", "From - \n" + message + "\n" + dated + message, 2},
		{"BareWithoutField", dated + message + "\nFrom \nx\n", 1},
		{"OtherWord", dated + message + "\nFrom here\n" + message, 1},
		{"TwoDashes", dated + message + "\nFrom -- \n" + message, 1},
		{"WithinALength", dated + "Content-Length: 20\n\nx\nFrom - \nA: b\n\nx\n\n\n" + dated + "Content-Length: 2\n\nx\n", 2},
		{"CRLF", strings.ReplaceAll(dated+message+"\nFrom - \n"+message, "\n", "\r\n"), 2},
		{"InHeader", dated + "A: b\n" + dated + message + "\n" + dated + "A: b\nFrom - \n" + message, 4},
		{"BeforeHeader", dated + dated + message + "\n" + dated + "From - \n" + message, 2},
		{"ContinuedInHeader", dated + "A: b\n " + dated + message, 1},
		{"CRCRLF", strings.ReplaceAll(dated+message+"\n"+dated+message+"\nFrom - \n"+message, "\n", "\r\r\n"), 3},
	} {
		list, err := messages(tt.box)
		if err != nil || len(list) != tt.want {
			t.Errorf("%s: got %d messages, %v, want %d\n%q", tt.name, len(list), err, tt.want, list)
		}
		if strings.Join(list, "") != tt.box {
			t.Errorf("%s: the messages are not all of the mailbox", tt.name)
		}
	}
	cr := strings.ReplaceAll(dated+message+"\n"+dated+message, "\n", "\r")
	for _, box := range []string{cr, cr + "\n", cr[:len(dated)+3] + "\n" + cr[len(dated)+3:], "\r\r" + cr, strings.ReplaceAll("From - \n"+message, "\n", "\r")} {
		for _, path := range []string{"x", "x.eml"} {
			for m, err := range Read(path, strings.NewReader(box), int64(len(box))) {
				if !errors.Is(err, ErrCR) {
					t.Errorf("%s: %q: got %+v, %v, want %v", path, box, m, err, ErrCR)
				}
			}
		}
	}
}

// TestInDoubt is OP-31: the other reading of a line within an open multipart.
func TestInDoubt(t *testing.T) {
	const head = "Content-Type: multipart/mixed;\n boundary=\"b\"\n\n--b\n\nx\n"
	const inner = "Content-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n"
	const patch = "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: a <a@b>\nSubject: x\n\n"
	// The first length leads over a line, to the second message, whose length leads to the end.
	const within = "Content-Length: 48\n" + head + "\n" + dated + "A: b\n\n" + dated + "Content-Length: 6\n\n--b--\n\n"
	for _, tt := range []struct {
		name, box string
		doubt     string // of each message: "j" with a joined reading, "d" in doubt, "-"
		joined    string // of the first message
	}{
		{"None", dated + head + "--b--\n\n" + dated + head + "--b--\n", "--", ""},
		{"Patch", dated + head + "\n" + patch + "y\n--b\n\nz\n--b--\n\n" + dated + "A: b\n\n", "jd-", head + "\n" + patch + "y\n--b\n\nz\n--b--\n"},
		{"TwoPatches", dated + head + "\n" + patch + patch + "--b--\n\n" + dated + "A: b\n\n", "jdd-", head + "\n" + patch + patch + "--b--\n"},
		{"CutShort", dated + head + "\n" + dated + "A: b\n\nx\n", "--", ""},
		{"CutShortThere", dated + head + "\n" + patch + "y\n--b \n\nz\n\n" + dated + "A: b\n\n", "jd-", head + "\n" + patch + "y\n--b \n\nz\n"},
		{"OtherDelimiter", dated + head + "\n" + patch + "y\n--bc\n\n" + dated + "A: b\n\n", "---", ""},
		{"InPreamble", dated + head[:len(head)-len("--b\n\nx\n")] + patch + "--b--\n\n" + dated + "A: b\n\n", "jd-", head[:len(head)-len("--b\n\nx\n")] + patch + "--b--\n"},
		{"InnerMultipart", dated + head + "--b\n" + inner + patch + "--c--\n\n" + dated + "A: b\n\n", "jd-", head + "--b\n" + inner + patch + "--c--\n"},
		{"InnerMultipartClosed", dated + head + "--b\n" + inner + "--c--\n" + patch + "--c--\n\n" + dated + "A: b\n\n", "---", ""},
		{"InMessage", dated + "Content-Type: message/rfc822\n\n" + inner + patch + "--c--\n\n" + dated + "A: b\n\n", "jd-", "Content-Type: message/rfc822\n\n" + inner + patch + "--c--\n"},
		{"NotClosedThere", dated + head + "--b--c\n" + patch + "--b--\n", "jd", head + "--b--c\n" + patch + "--b--\n"},
		{"InHeader", dated + "A: b\n" + dated + "C: d\n\nx\n\n" + dated + "A: b\n\n", "jd-", "A: b\n" + dated + "C: d\n\nx\n"},
		{"OftenInHeader", dated + "A: b\n" + dated + "C: d\n" + "From - \nE: f\n\nx\n\n" + dated + "A: b\n\n", "jdd-", "A: b\n" + dated + "C: d\nFrom - \nE: f\n\nx\n"},
		{"NoMultipart", dated + strings.Replace(head, "multipart/mixed", "text/plain", 1) + "\n" + patch + "--b--\n", "--", ""},
		{"Bare", dated + head + "From - \nA: b\n\n--b--\n", "jd", head + "From - \nA: b\n\n--b--\n"},
		{"CRLF", strings.ReplaceAll(dated+head+"\n"+patch+"--b--\n", "\n", "\r\n"), "jd", strings.ReplaceAll(head+"\n"+patch+"--b--\n", "\n", "\r\n")},
		{"AfterEmptyLines", "\n\n" + dated + head + "\n" + patch + "--b--\n", "jd", head + "\n" + patch + "--b--\n"},
		{"AfterMark", bom + dated + head + "\n" + patch + "--b--\n", "jd", head + "\n" + patch + "--b--\n"},
		{"SomeLengths", dated + within + dated + "A: b\n\n", "jdd-", within[:len(within)-1]},
	} {
		var got, joined string
		var all, splits []string // the messages up to the end of the doubt, and the messages of Split
		var end int64            // of it
		for m, err := range Read("x", strings.NewReader(tt.box), int64(len(tt.box))) {
			if err != nil {
				t.Fatal(err)
			}
			r := m.Joined()
			switch {
			case r != nil:
				got += "j"
				if m.Index == 0 {
					b, err := io.ReadAll(r)
					if err != nil {
						t.Fatal(err)
					}
					joined = string(b)
					end = m.joined.End
					for part, err := range m.Split() {
						if err != nil {
							t.Fatal(err)
						}
						splits = append(splits, contentOf(t, part))
					}
				}
			case m.InDoubt():
				got += "d"
			default:
				got += "-"
			}
			if m.Content.Start < end {
				all = append(all, contentOf(t, m))
			}
		}
		if !slices.Equal(splits, all) {
			t.Errorf("%s: got the messages\n%q\nwant\n%q", tt.name, splits, all)
		}
		if got != tt.doubt || joined != tt.joined {
			t.Errorf("%s: got %s, want %s, joined\n%q\nwant\n%q", tt.name, got, tt.doubt, joined, tt.joined)
		}
	}
}

func contentOf(t *testing.T, m *Message) string {
	b, err := io.ReadAll(m.Reader())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDoubtReads reads mailboxes in which each message asks for the octets after it.
// Reading stays linear, and the messages in doubt are known.
func TestDoubtReads(t *testing.T) {
	const n = 20_000
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "N", fmt.Sprint(i)))
		}
		return b.String()
	}
	rest := strings.Repeat("no line here separates messages\n", n)
	open := dated + "Content-Type: multipart/mixed; boundary=bN\n\n--bN\n\nx\n\n"
	for _, tt := range []struct {
		name, box string
		doubts    int
	}{
		{"CutShort", many(open), 0},
		{"CutShortBefore", many(open) + rest, 0},
		{"SameBoundary", many(strings.ReplaceAll(open, "bN", "b")) + rest, n},
		{"ClosedAtTheEnd", many(open) + dated + "A: b\n\n" + many("--bN--\n") + rest, n + 1},
		{"InHeader", many(dated+"A: b\n") + rest, n},
	} {
		r := &testkit.CountingReader{ReaderAt: strings.NewReader(tt.box)}
		got, doubts := 0, 0
		for m, err := range Read("x", r, int64(len(tt.box))) {
			if err != nil {
				t.Fatal(err)
			}
			got++
			if m.InDoubt() {
				doubts++
			}
		}
		if limit := int64(12 * len(tt.box)); got < n || doubts != tt.doubts || r.Octets > limit {
			t.Errorf("%s: got %d messages, %d in doubt, with %d octets read, want %d in doubt and at most %d octets", tt.name, got, doubts, r.Octets, tt.doubts, limit)
		}
	}
}

// A madeBox is a mailbox whose messages are known.
type madeBox struct {
	text     string
	messages int
}

// makeBox makes a mailbox. Its bodies hold lines that start with "From " in every quoting.
func makeBox(rng *rand.Rand) madeBox {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	eol := pick("\n", "\n", "\n", "\r\n", "\r\r\n")
	var b strings.Builder
	n := 1 + rng.IntN(6)
	bare := rng.IntN(3) == 0 // lines of Thunderbird after the first one
	lengths := n > 1 && rng.IntN(6) == 0
	for i := range n {
		switch {
		case bare && i > 0:
			b.WriteString(pick("From - \n", "From \n", "From -\n"))
		default:
			b.WriteString(pick(dated, "From - Thu Jan  1 00:00:00 1970\n", "From a@b Thu, 1 Jan 1970 00:00:00 +0000\n"))
		}
		var body strings.Builder
		for range rng.IntN(6) {
			body.WriteString(pick("text\n", ">From quoted\n", ">>From twice\n", " From indented\n", "\n", "--x\n", "From\n", "Frome \n", ">From - \n", ">"+dated))
			if lengths {
				body.WriteString(pick("text\n", "From - \nA: b\n", "\n"+dated+"A: b\n"))
			}
		}
		b.WriteString("Subject: " + fmt.Sprint(i) + "\n")
		if lengths {
			size := len(strings.ReplaceAll(body.String(), "\n", eol))
			fmt.Fprintf(&b, "Content-Length: %d\n", size)
		}
		b.WriteString("\n" + body.String())
		if !bare || i == n-1 || rng.IntN(2) == 0 {
			b.WriteString("\n")
		}
	}
	return madeBox{strings.ReplaceAll(b.String(), "\n", eol), n}
}

// TestMadeBoxes counts the messages of mailboxes whose messages are known, before and
// after each of them was rewritten. The octets of the others stay.
func TestMadeBoxes(t *testing.T) {
	count := 500
	if os.Getenv("EXTBODY_SLOW") != "" {
		count = 10_000
	}
	rng := rand.New(rand.NewPCG(36, 1))
	var boxes []string
	for i := range count {
		box := makeBox(rng)
		list, err := messages(box.text)
		if err != nil || len(list) != box.messages {
			t.Fatalf("box %d: got %d messages, %v, want %d\n%q", i, len(list), err, box.messages, box.text)
		}
		which := rng.IntN(len(list))
		n := 0
		dst := &memory{}
		changed, err := Write(dst, "x", strings.NewReader(box.text), int64(len(box.text)), func(m *Message) (*io.SectionReader, error) {
			if n++; n-1 != which {
				return nil, nil
			}
			old, err := io.ReadAll(m.Reader())
			return text(strings.Replace(string(old), "Subject: ", "Subject: new ", 1)), err
		}, nil)
		if err != nil || !changed {
			t.Fatalf("box %d: got %t, %v, want it rewritten\n%q", i, changed, err, box.text)
		}
		want := slices.Clone(list)
		want[which] = strings.Replace(want[which], "Subject: ", "Subject: new ", 1)
		if got := dst.String(); got != strings.Join(want, "") {
			t.Fatalf("box %d: got\n%q\nwant\n%q", i, got, strings.Join(want, ""))
		}
		boxes = append(boxes, box.text, dst.String())
	}
	comparePython(t, boxes)
}

// comparePython wants Python to count as many messages in each mailbox with an odd number as
// in the one before it, which was rewritten to it.
func comparePython(t *testing.T, boxes []string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("python3 is not installed: its count of messages is not compared")
		return
	}
	dir := t.TempDir()
	for i, box := range boxes {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(box), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const script = `import json, mailbox, sys
print(json.dumps([len(mailbox.mbox("%s/%d" % (sys.argv[1], i), create=False)) for i in range(int(sys.argv[2]))]))`
	out, err := exec.Command(python, "-c", script, dir, fmt.Sprint(len(boxes))).Output()
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	if err := json.Unmarshal(out, &counts); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(counts); i += 2 {
		if counts[i] != counts[i+1] {
			t.Errorf("Python counts %d messages before and %d after in\n%q", counts[i], counts[i+1], boxes[i])
		}
	}
}
