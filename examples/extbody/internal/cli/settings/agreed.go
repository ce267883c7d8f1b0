package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Keeps returns a function that keeps hosts as agreed to, or nil if settings are not read. Each
// host is in the form of [flagvalue.Way].
func (s *Settings) Keeps() func(hosts ...string) error {
	if s.file == "" {
		return nil
	}
	return s.agreeTo
}

// agreeTo adds hosts to the table [agreed] of the file, which is made if it is missing. Nothing
// else of the file changes.
func (s *Settings) agreeTo(hosts ...string) error {
	return s.edit(func(doc *document, text string) string { return doc.agreeing(text, hosts, time.Now()) })
}

const agreedHead = "[" + agreedTable + "] # hosts that \"open\" and \"get --ask\" do not ask about\n"

// agreeing returns the text of the document with hosts that are agreed to since a time.
func (d *document) agreeing(text string, hosts []string, since time.Time) string {
	added := ""
	for _, host := range hosts {
		if !d.has(host) {
			added += fmt.Sprintf("%q = %s\n", agreement{host: host}.shown(), since.Format(time.DateOnly))
		}
	}
	if added == "" {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	switch lines := slices.Collect(strings.Lines(text)); {
	case d.table > 0:
		return strings.Join(slices.Insert(lines, d.table, added), "")
	case text == "":
		return agreedHead + added
	}
	return text + "\n" + agreedHead + added
}

// forgetting returns the text of the document without hosts.
func (d *document) forgetting(text string, gone flagvalue.Hosts) string {
	lines := slices.Collect(strings.Lines(text))
	for _, a := range d.agreed {
		if a.isOne(gone) {
			lines[a.from.line-1] = ""
		}
	}
	return strings.Join(lines, "")
}

// Forget removes hosts from the table [agreed]. A host that is not there is an error, and then
// nothing changes.
func (s *Settings) Forget(hosts flagvalue.Hosts) error {
	for host := range hosts {
		one := flagvalue.Hosts{host: ""}
		if !slices.ContainsFunc(s.agreed, func(a agreement) bool { return a.isOne(one) }) {
			return fmt.Errorf("%s is not agreed to in %s", host, short(s.file))
		}
	}
	return s.edit(func(doc *document, text string) string { return doc.forgetting(text, hosts) })
}

// has reports whether a host is agreed to, in the form of [flagvalue.Way].
func (d *document) has(host string) bool {
	return slices.ContainsFunc(d.agreed, func(a agreement) bool { return a.host == host })
}

var errEdited = errors.New("its text is such that a program cannot change it: change it yourself")

// edit changes the text of the file. The file is replaced as a whole, and is read again before
// that. Where it is a symbolic link, the file that it leads to is replaced.
func (s *Settings) edit(change func(doc *document, text string) string) error {
	real, others, err := resolve(s.file)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if others != "" {
			return openToOthers(s.file, others)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		real = s.file
		err = os.MkdirAll(filepath.Dir(real), 0o700)
	}
	if err != nil {
		return err
	}
	text, err := read(s.file)
	if err != nil {
		return err
	}
	before, err := parse(s.file, text)
	if err != nil {
		return err
	}
	changed := change(before, string(text))
	after, err := parse(s.file, []byte(changed))
	if err != nil || len(after.settings) != len(before.settings) {
		return fmt.Errorf("%s: %w", short(s.file), errEdited)
	}
	err = atomicfile.ReplaceFile(real, func(w io.Writer) error {
		_, err := io.WriteString(w, changed)
		return err
	})
	if err == nil {
		s.agreed = after.agreed
		s.table = after.table
	}
	return err
}
