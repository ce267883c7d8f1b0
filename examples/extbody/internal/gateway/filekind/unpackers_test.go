package filekind

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// unicodePath returns a Unicode Path field of a member. A program takes it if the name that it is for is right.
func unicodePath(name, path string) []byte {
	b := binary.LittleEndian.AppendUint16(nil, 0x7075)
	b = binary.LittleEndian.AppendUint16(b, uint16(5+len(path)))
	b = append(b, 1)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(name)))
	return append(b, path...)
}

// zipWith returns a zip file of one member, with extra fields in its header and in the directory.
func zipWith(name string, local, directory []byte) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name, Method: zip.Store, Extra: local}
	w, err := z.CreateHeader(h)
	if err == nil {
		h.Extra = directory
		_, err = w.Write([]byte("x"))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // of a bytes.Buffer
	}
	return b.String()
}

// rename gives the member of a zip file other names, of the same length, in its header and in the directory.
func rename(text, name, local, directory string) string {
	text = strings.Replace(text, name, local, 1)
	return strings.Replace(text, name, directory, 1)
}

// A sample is a file that unpackers may take for a zip file.
type sample struct {
	name, text string
	want       []string // names that have to be seen
	differs    bool
}

// samples are files in which members have several names, or that start as another file.
func samples() []sample {
	const txt, exe = "a.txt", "u.exe"
	path := unicodePath(txt, exe)
	wrong := unicodePath("other", exe)
	one := testkit.Zip(exe)
	compound := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 504)...)
	compound[30] = 9
	compound[48] = 0xff
	whole := make([]byte, 1024)
	copy(whole, compound)
	whole[48] = 0
	whole[512+66] = 5
	image := make([]byte, 0x8800)
	copy(image[0x8000:], "\x01CD001\x01")
	local := one[:strings.Index(one, "PK\x01\x02")]
	list := []sample{
		{"Plain", testkit.Zip(txt, exe), []string{txt, exe}, false},
		{"PathInDirectory", zipWith(txt, nil, path), []string{txt, exe}, true},
		{"PathInHeader", zipWith(txt, path, nil), []string{txt, exe}, true},
		{"PathInBoth", zipWith(txt, path, path), []string{txt, exe}, true},
		{"PathWithWrongSum", zipWith(txt, wrong, wrong), []string{txt, exe}, true},
		{"PathAfterOther", zipWith(txt, nil, append([]byte{0x55, 0x54, 1, 0, 0}, path...)), []string{txt, exe}, true},
		{"PathTwice", zipWith(txt, nil, slices.Concat(unicodePath(txt, "v.txt"), path)), []string{txt, exe, "v.txt"}, true},
		{"PathOfFolder", zipWith("d/"+txt, nil, unicodePath("d/"+txt, "../"+exe)), []string{"d/" + txt, "../" + exe}, true},
		{"PathOfSpelling", zipWith("\x81berblick.txt", nil, unicodePath("\x81berblick.txt", "Überblick.txt")), []string{"\x81berblick.txt", "Überblick.txt"}, false},
		{"PathOfQuestionMarks", zipWith("??.txt", nil, unicodePath("??.txt", "概要.txt")), []string{"??.txt", "概要.txt"}, false},
		{"PathOfNumbers", zipWith("#U6982#U8981.txt", nil, unicodePath("#U6982#U8981.txt", "概要.txt")), []string{"概要.txt"}, false},
		{"HeaderAndDirectory", rename(testkit.Zip("x.txt"), "x.txt", "u.exe", "a.txt"), []string{txt, exe}, true},
		{"DirectoryAndHeader", rename(testkit.Zip("x.txt"), "x.txt", "a.txt", "u.exe"), []string{txt, exe}, true},
		{"NotInDirectory", joined(local, testkit.Zip(txt)), []string{txt, exe}, true},
		{"AfterZip", one + testkit.Zip(txt), []string{txt, exe}, true},
		{"Zip64", zip64(exe), []string{exe}, false},
		{"Nested", testkit.Zip("x.zip"), []string{"x.zip"}, false},
		{"NestedPath", nestedZip(zipWith(txt, path, nil)), []string{txt, exe}, true},
		{"NestedHeader", nestedZip(rename(testkit.Zip("x.txt"), "x.txt", "u.exe", "a.txt")), []string{txt, exe}, true},
		{"AfterText", "some text\n" + one, []string{exe}, false},
		{"AfterProgram", "MZ" + strings.Repeat("\x00", 1000) + one, []string{exe}, false},
		{"AfterCompound", string(compound) + one, []string{exe}, true},
		{"WithinCompound", string(whole) + one, []string{exe}, false},
		{"AfterTar", testkit.Tar(txt, "x") + one, []string{txt, exe}, true},
		{"AfterHTML", "<!DOCTYPE html><html><body>x</body></html>" + one, []string{exe}, true},
		{"AfterRAR", "Rar!\x1a\x07\x00" + strings.Repeat("\x00", 100) + one, []string{exe}, true},
		{"After7z", "7z\xbc\xaf\x27\x1c" + strings.Repeat("\x00", 100) + one, []string{exe}, true},
		{"AfterImage", string(image) + one, []string{exe}, true},
		{"AfterGzip", testkit.Gzip(txt, "x") + one, []string{txt, exe}, true},
		{"AfterPicture", "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100) + one, []string{exe}, false},
		{"BeforeText", one + "some text\n", []string{exe}, false},
		{"TarOfZip", testkit.Tar("x.zip", one), []string{"x.zip", exe}, false},
	}
	return list
}

// joined returns a zip file with octets before its first member that count as its own.
func joined(before, text string) string {
	b := []byte(before + text)
	shift := uint32(len(before))
	entry := strings.LastIndex(string(b), "PK\x01\x02")
	end := strings.LastIndex(string(b), "PK\x05\x06")
	for _, at := range []int{entry + 42, end + 16} {
		binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])+shift)
	}
	return string(b)
}

// nestedZip returns a zip file with a stored zip file in it.
func nestedZip(text string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "inner.zip", Method: zip.Deflate})
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // of a bytes.Buffer
	}
	return b.String()
}

// zip64 returns a zip file whose sizes and places are in an extra field.
func zip64(name string) string {
	text := []byte(zipWith(name, nil, append([]byte{1, 0, 24, 0}, make([]byte, 24)...)))
	entry := bytes.LastIndex(text, []byte("PK\x01\x02"))
	at := entry + zipEntryBytes + len(name) + 4
	for i, field := range []int{24, 20, 42} {
		n := binary.LittleEndian.Uint32(text[entry+field:])
		binary.LittleEndian.PutUint64(text[at+8*i:], uint64(n))
		binary.LittleEndian.PutUint32(text[entry+field:], 0xffffffff)
	}
	return string(text)
}

// TestNames holds: each name that a member may get is seen, and a file about which programs disagree is reported
// (OP-61).
func TestNames(t *testing.T) {
	for _, s := range samples() {
		in, names := look(s.text)
		for _, want := range s.want {
			if !slices.Contains(names, want) {
				t.Errorf("%s: got %q, want %q among them", s.name, names, want)
			}
		}
		if in.Differs != s.differs {
			t.Errorf("%s: got Differs %t, want %t", s.name, in.Differs, s.differs)
		}
	}
}

// unpackers are commands that unpack the file $FILE into the current folder.
var unpackers = map[string]string{
	"unzip":         `unzip -qq -o "$FILE"`,
	"bsdtar":        `bsdtar -xf "$FILE"`,
	"bsdtar-stream": `bsdtar -xf - <"$FILE"`,
	"7z":            `7z x -y -bd "$FILE"`,
	"python3":       `python3 -m zipfile -e "$FILE" .`,
}

// TestUnpackers holds: each name that unpackers in use give a member is one that Look has seen (OP-61).
func TestUnpackers(t *testing.T) {
	for tool, command := range unpackers {
		t.Run(tool, func(t *testing.T) {
			program, _, _ := strings.Cut(command, " ")
			if _, err := exec.LookPath(program); err != nil {
				t.Skip("no ", program)
			}
			unpacked := 0
			for _, s := range samples() {
				dir := t.TempDir()
				file := filepath.Join(dir, "file.zip")
				out := filepath.Join(dir, "a", "b")
				if err := os.MkdirAll(out, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir = out
				cmd.Env = append(os.Environ(), "FILE="+file, "LC_ALL=C.UTF-8")
				cmd.Run() // an unpacker may refuse a file
				_, names := look(s.text)
				var bases []string
				for _, n := range names {
					bases = append(bases, filepath.Base(n))
				}
				filepath.WalkDir(filepath.Join(dir, "a"), func(path string, e fs.DirEntry, err error) error {
					if err != nil || e.IsDir() {
						return err
					}
					unpacked++
					if name := e.Name(); isPlain(name) && !slices.Contains(bases, name) {
						t.Errorf("%s: got a file %q, want one of the names that were seen, %q", s.name, name, names)
					}
					return nil
				})
			}
			if unpacked == 0 {
				t.Error("got no file unpacked, want most of the samples")
			}
		})
	}
}

// isPlain reports whether no unpacker has a reason to spell a name in another way.
func isPlain(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 || strings.ContainsRune("?#_%\\", c) })
}
