package archive_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// straced skips a test where strace cannot be used.
func straced(t testing.TB) {
	t.Helper()
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot be used: %v, %s", err, out)
	}
}

// TestReplay syncs once, writes down the changes of the folder, and wants the folder to verify after each of these
// steps: as a kill leaves it, with all steps up to there, and as a power cut may, with those alone that were synced.
// From some of them a run goes on. EXTBODY_TEST_CAPTURES says how many there are, and EXTBODY_TEST_STEPS at how many
// steps it looks.
func TestReplay(t *testing.T) {
	straced(t)
	captures := often("EXTBODY_TEST_CAPTURES", 4)
	s := newSite(t, plain)
	tmp := t.TempDir()
	box, _ := inbox(t, numbered(s, captures)...)
	dir := filepath.Join(tmp, "archive")
	steps := traced(t, dir, box, time.Time{})
	want := clean(t, dir)
	if want.Captured != int64(captures) {
		t.Fatalf("got %+v, want %d captured", want, captures)
	}
	looks := min(often("EXTBODY_TEST_STEPS", 30), len(steps))
	kill, cut := newReplay(filepath.Join(tmp, "kill")), newReplay(filepath.Join(tmp, "cut"))
	checked, resumed := 0, 0
	for i, st := range steps {
		if err := kill.do(st); err != nil {
			t.Fatalf("%s: got error %v, want none", st, err)
		}
		if i*looks/len(steps) == (i+1)*looks/len(steps) {
			continue
		}
		// A power cut: the steps that were synced up to here, from the start.
		os.RemoveAll(cut.dir)
		cut = newReplay(cut.dir)
		for _, d := range durable(steps[:i+1]) {
			cut.do(d) // an error is that of something in a folder that was not synced
		}
		for name, r := range map[string]*replay{"kill": kill, "power cut": cut} {
			if _, err := os.Stat(filepath.Join(r.dir, "ledger")); err != nil {
				continue
			}
			if v := verify(t, r.dir); len(v.Faults) > 0 {
				t.Fatalf("%s after step %d of %d, %s: got %v, want no faults", name, i+1, len(steps), st, v.Faults)
			}
			checked++
			if checked%8 != 0 {
				continue
			}
			to := copied(t, r.dir)
			run(t, to, options(box))
			if v := clean(t, to); v.Captured != want.Captured || v.Messages != want.Messages || v.References != want.References {
				t.Errorf("%s after step %d of %d, %s, and a run: got %+v, want %+v", name, i+1, len(steps), st, v, want)
			}
			os.RemoveAll(to)
			resumed++
		}
	}
	if v := clean(t, kill.dir); v.Head != want.Head {
		t.Errorf("all steps: got %+v, want %+v", v, want)
	}
	t.Logf("%d steps, %d states verified, %d gone on with", len(steps), checked, resumed)
	if checked < looks {
		t.Errorf("got %d states verified, want %d or more", checked, looks)
	}
}

// traced syncs box into dir by a clock that starts at now, and returns the steps. The clock is that of the system if now
// is zero.
func traced(t testing.TB, dir, box string, now time.Time) []step {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := syncing(dir, box, "strace", "-f", "-y", "-xx", "-s", "100000000", "-o", trace,
		"-e", "trace=openat,write,pwrite64,linkat,renameat,renameat2,unlinkat,unlink,mkdirat,mkdir,ftruncate,fsync,fdatasync,lseek")
	if !now.IsZero() {
		cmd.Env = append(cmd.Env, "EXTBODY_TEST_NOW="+now.Format(time.RFC3339Nano))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("got error %v, want none: %s", err, out)
	}
	return readTrace(t, trace, dir)
}

// A step is something that a run did with a file or folder.
type step struct {
	call   string
	path   string // of the file; of one without a name its name in the trace
	to     string // its new name
	offset int64
	data   []byte
}

// nameless reports whether the path is that of a file without a name.
func (s step) nameless() bool { return strings.HasPrefix(filepath.Base(s.path), "#") }

func (s step) String() string {
	return fmt.Sprintf("%s %s %s at %d (%d octets)", s.call, s.path, s.to, s.offset, len(s.data))
}

// readTrace reads a trace of strace: the steps in dir, in the order in which they ended.
func readTrace(t testing.TB, path, dir string) (steps []step) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	begun := make(map[string]string)    // by thread
	ends := make(map[string]int64)      // where a file is written to that is written in order
	nameless := make(map[string]string) // the names in the trace of files without a name, by descriptor
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return steps
		}
		pid, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text = strings.TrimSpace(text)
		if head, ok := strings.CutSuffix(text, "<unfinished ...>"); ok {
			begun[pid] = head
			continue
		}
		if strings.HasPrefix(text, "<... ") {
			_, rest, _ := strings.Cut(text, "resumed>")
			text = begun[pid] + rest
		}
		call, rest, ok := strings.Cut(text, "(")
		i := strings.LastIndex(rest, "= ")
		if !ok || i < 0 || strings.HasPrefix(rest[i:], "= -1") || strings.HasPrefix(rest[i:], "= ?") {
			continue
		}
		args, result := splitArgs(strings.TrimSuffix(strings.TrimSpace(rest[:i]), ")")), rest[i+len("= "):]
		st := step{call: call}
		switch call {
		case "openat":
			st.path = at(args[0], args[1])
			if strings.Contains(args[2], "O_TMPFILE") {
				fd, path := named(result)
				st.call, st.path = "tmpfile", path
				nameless[fd], ends[path] = path, 0
			} else if !strings.Contains(args[2], "O_CREAT") {
				continue
			}
		case "write", "pwrite64":
			_, st.path = named(args[0])
			st.data = unquote(args[1])
			if call == "write" {
				st.offset = ends[st.path]
				ends[st.path] += int64(len(st.data))
			} else {
				st.offset, _ = strconv.ParseInt(args[3], 10, 64)
			}
		case "ftruncate":
			_, st.path = named(args[0])
			st.offset, _ = strconv.ParseInt(args[1], 10, 64)
		case "fsync", "fdatasync":
			_, st.path = named(args[0])
			st.call = "sync"
		case "linkat":
			st.path = nameless[filepath.Base(string(unquote(args[1])))] // of /proc/self/fd
			st.to = at(args[2], args[3])
		case "renameat", "renameat2":
			st.call, st.path, st.to = "rename", at(args[0], args[1]), at(args[2], args[3])
		case "unlinkat":
			st.call, st.path = "unlink", at(args[0], args[1])
		case "unlink":
			st.path = at("", args[0])
		case "mkdirat":
			st.call, st.path = "mkdir", at(args[0], args[1])
		case "mkdir":
			st.path = at("", args[0])
		default:
			continue
		}
		rel := func(p string) string {
			if r, ok := strings.CutPrefix(p, dir); ok && p != "" {
				return filepath.Clean("." + r)
			}
			return ""
		}
		st.path, st.to = rel(st.path), rel(st.to)
		if st.path == "" && st.to == "" {
			continue
		}
		steps = append(steps, st)
	}
}

// splitArgs splits the arguments of a call, in which strings are in quotes.
func splitArgs(s string) (args []string) {
	depth, quoted, start := 0, false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<', c == '{', c == '[':
			depth++
		case c == '>', c == '}', c == ']':
			depth--
		case c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(args, strings.TrimSpace(s[start:]))
}

// named returns the number and the path of a descriptor.
func named(s string) (fd, path string) {
	fd, path, _ = strings.Cut(s, "<")
	path = strings.TrimSuffix(path, "(deleted)")
	path = strings.TrimSuffix(path, ">")
	return fd, string(unescape(path))
}

// at returns the path of a name in a folder.
func at(folder, name string) string {
	path := string(unquote(name))
	if _, dir := named(folder); !filepath.IsAbs(path) && dir != "" {
		return filepath.Join(dir, path)
	}
	return path
}

func unquote(s string) []byte { return unescape(strings.Trim(s, `"`)) }

func unescape(s string) []byte {
	if !strings.HasPrefix(s, `\x`) {
		return []byte(s)
	}
	b, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		panic(err)
	}
	return b
}

// A replay does steps again in another folder.
type replay struct {
	dir   string
	files map[string]*os.File // those without a name
}

func newReplay(dir string) *replay { return &replay{dir, make(map[string]*os.File)} }

func (r *replay) do(st step) error {
	path := filepath.Join(r.dir, st.path)
	var err error
	switch st.call {
	case "mkdir":
		if err = os.Mkdir(path, 0o700); os.IsExist(err) {
			err = nil
		}
	case "openat":
		var f *os.File
		if f, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			err = f.Close()
		}
	case "tmpfile":
		r.files[st.path], err = os.CreateTemp(filepath.Dir(r.dir), "nameless")
	case "write", "pwrite64", "ftruncate":
		f := r.files[st.path]
		if !st.nameless() {
			if f, err = os.OpenFile(path, os.O_RDWR, 0o600); err != nil {
				return err
			}
			defer f.Close()
		}
		if st.call == "ftruncate" {
			return f.Truncate(st.offset)
		}
		_, err = f.WriteAt(st.data, st.offset)
	case "linkat":
		if err = os.MkdirAll(r.dir, 0o700); err == nil {
			err = os.Link(r.files[st.path].Name(), filepath.Join(r.dir, st.to))
		}
	case "rename":
		err = os.Rename(path, filepath.Join(r.dir, st.to))
	case "unlink":
		err = os.RemoveAll(path)
	}
	return err
}

// durable returns those steps that a power cut after the last one leaves: octets of files
// that were synced after them, and names in folders that were.
func durable(steps []step) (list []step) {
	kept := make([]bool, len(steps))
	file := make(map[string]string)   // the file that has a path, by the step that made it
	pending := make(map[string][]int) // steps of a file
	names := make(map[string][]int)   // steps that changed the names in a folder
	made := func(i int) string { return strconv.Itoa(i) }
	for i, st := range steps {
		switch st.call {
		case "tmpfile":
			kept[i] = true // it has no name
			file[st.path] = made(i)
		case "openat":
			if file[st.path] == "" {
				file[st.path] = made(i)
			}
			names[filepath.Dir(st.path)] = append(names[filepath.Dir(st.path)], i)
		case "mkdir":
			kept[i] = st.path == "."
			names[filepath.Dir(st.path)] = append(names[filepath.Dir(st.path)], i)
		case "linkat", "rename":
			file[st.to] = file[st.path]
			names[filepath.Dir(st.to)] = append(names[filepath.Dir(st.to)], i)
		case "unlink":
			delete(file, st.path)
			names[filepath.Dir(st.path)] = append(names[filepath.Dir(st.path)], i)
		case "write", "pwrite64", "ftruncate":
			pending[file[st.path]] = append(pending[file[st.path]], i)
		case "sync":
			for _, k := range pending[file[st.path]] {
				kept[k] = true
			}
			for _, k := range names[st.path] {
				kept[k] = true
			}
			delete(pending, file[st.path])
			delete(names, st.path)
		}
	}
	for i, st := range steps {
		if kept[i] {
			list = append(list, st)
		}
	}
	return list
}

// TestFullDisk has each write of a run fail in turn, once as on a disk that is full from then on and once as by a
// fault that passes. It wants the run to report that, its remains to verify, and the next run to end with all.
// EXTBODY_TEST_FAULTS says how many of the writes are tried.
func TestFullDisk(t *testing.T) {
	straced(t)
	const captures = 3
	s := newSite(t, plain)
	box, _ := inbox(t, numbered(s, captures)...)
	faults := often("EXTBODY_TEST_FAULTS", 1)
	failed := 0
	for _, tt := range []struct {
		calls, fault string
		most         int // calls that a run makes
	}{
		{"pwrite64", "error=ENOSPC:when=%d+", 40},
		{"pwrite64", "error=ENOSPC:when=%d", 40},
		{"fsync,fdatasync", "error=EIO:when=%d", 50},
		{"linkat,mkdirat,renameat,renameat2", "error=ENOSPC:when=%d+", 14},
	} {
		for k := range min(faults, tt.most) {
			n := 1 + k*tt.most/min(faults, tt.most)
			name := tt.calls + " " + fmt.Sprintf(tt.fault, n)
			dir := home(t)
			cmd := syncing(dir, box, "strace", "-f", "-o", os.DevNull, "-e", "trace="+tt.calls, "-e", "inject="+tt.calls+":"+fmt.Sprintf(tt.fault, n))
			out, err := cmd.CombinedOutput()
			if err != nil {
				failed++
			}
			if _, serr := os.Stat(filepath.Join(dir, "ledger")); serr == nil {
				if v := verify(t, dir); len(v.Faults) > 0 || err == nil && v.Captured != captures {
					t.Errorf("%s: got %v, %+v, %s; want no fault, and an error or all captured", name, err, v, out)
				}
			}
			run(t, dir, options(box))
			if v := clean(t, dir); v.Captured != captures || v.Messages != captures {
				t.Errorf("%s, and a run: got %+v, want all captured", name, v)
			}
			os.RemoveAll(dir)
		}
	}
	if failed == 0 && faults > 1 {
		t.Error("no run failed")
	}
	t.Logf("%d runs failed", failed)
}
