// Package textindex finds which texts have words that follow each other. It keeps no text.
//
// An index is one file: a database of SQLite, and a seal after it. The database has a contentless table of FTS5 with the
// places of each word, and a table with the names of the texts. The tokenizer of FTS5 only splits at blanks here: the
// caller decides where words end, and folds them.
//
// An index that is open is the file that was compared with its seal, octet for octet: SQLite gets it by a file system of
// its own, which has nothing else and cannot write.
package textindex

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver
	"modernc.org/sqlite/vfs"
)

// ErrStale is the error of an index that was made by other rules.
var ErrStale = errors.New("it was made by other rules")

// ErrDamaged is the error of a file that is no index, or has not the octets that its seal is about.
var ErrDamaged = errors.New("it is damaged")

// A Name stands for a text.
type Name [16]byte

// An Index is open for looking up. One goroutine may use it.
type Index struct {
	Head string // as the Writer wrote it
	Cut  int    // of the texts, how many were too long

	file  *os.File
	size  int64 // of the database
	fs    *vfs.FS
	db    *sql.DB
	texts map[Name]int64
}

// A Set has those texts of an Index that may have some words.
type Set struct {
	texts map[Name]int64
	all   bool
	bits  []uint64
}

// Has reports whether the index has a text.
func (x *Index) Has(n Name) bool {
	_, ok := x.texts[n]
	return ok
}

// Len returns the number of texts.
func (x *Index) Len() int { return len(x.texts) }

// Has reports whether a text may have the words. A text that the index does not have may have them.
func (s *Set) Has(n Name) bool {
	id, known := s.texts[n]
	if !known || s.all {
		return true
	}
	return id/64 < int64(len(s.bits)) && s.bits[id/64]&(1<<(id%64)) != 0
}

// Open opens an index that was made by rules, and closes the file with it, or at once on an error. The error is ErrStale or
// ErrDamaged if the index has to be made anew.
func Open(f *os.File, size int64, rules string) (*Index, error) {
	x := &Index{file: f, texts: make(map[Name]int64)}
	err := x.open(size, rules)
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

func (x *Index) open(size int64, rules string) error {
	sealed, err := unsealed(x.file, size, rules)
	if err != nil {
		return err
	}
	x.size = sealed
	name, files, err := vfs.New(oneFile{x.file, sealed})
	if err != nil {
		return err
	}
	x.fs = files
	x.db, err = open(only+"?immutable=1&mode=ro&vfs="+name, "query_only(1)")
	if err != nil {
		return err
	}
	err = x.db.QueryRow("SELECT head, (SELECT count(*) FROM texts WHERE cut) FROM about").Scan(&x.Head, &x.Cut)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return x.each("SELECT id, name FROM texts", nil, func(rows *sql.Rows) error {
		var id int64
		var name []byte
		err := rows.Scan(&id, &name)
		if err != nil || len(name) != len(Name{}) {
			return errors.Join(ErrDamaged, err)
		}
		x.texts[Name(name)] = id
		return nil
	})
}

// each calls f with each row of a query.
func (x *Index) each(query string, args []any, f func(*sql.Rows) error) error {
	rows, err := x.db.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Find returns the texts with words that follow each other. With start the last one is the start of a word.
func (x *Index) Find(words []string, start bool) (*Set, error) {
	s := &Set{texts: x.texts, bits: make([]uint64, len(x.texts)/64+1)}
	phrase := strings.Join(words, " ")
	if !strings.ContainsFunc(phrase, isToken) {
		s.all = true
		return s, nil
	}
	query := `"` + strings.ReplaceAll(phrase, `"`, `""`) + `"`
	if start {
		query += "*"
	}
	return s, x.each("SELECT rowid FROM words WHERE words MATCH ?", []any{query}, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		if err == nil && (id < 0 || id/64 >= int64(len(s.bits))) {
			err = ErrDamaged
		}
		if err != nil {
			return err
		}
		s.bits[id/64] |= 1 << (id % 64)
		return nil
	})
}

// isToken reports whether a character is a part of a word for the tokenizer "ascii" of FTS5.
func isToken(c rune) bool {
	isDigit := c >= '0' && c <= '9'
	isLetter := c|' ' >= 'a' && c|' ' <= 'z'
	return isDigit || isLetter || c >= 0x80
}

// Close closes the index and its file.
func (x *Index) Close() error {
	if x == nil {
		return nil
	}
	var errs []error
	if x.db != nil {
		errs = append(errs, x.db.Close())
	}
	if x.fs != nil {
		errs = append(errs, x.fs.Close())
	}
	return errors.Join(append(errs, x.file.Close())...)
}

// open opens a database, by the part of its URL after "file:", with pragmas. One connection is used, and nothing is
// written beside the database.
func open(path string, pragmas ...string) (*sql.DB, error) {
	if !strings.Contains(path, "?") {
		path += "?mode=rw"
	}
	for _, p := range append(pragmas, "temp_store(memory)", "trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)") {
		path += "&_pragma=" + p
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// seal returns the line between a database and its digest.
func seal(rules string) string { return "\nextbody text 1 " + rules + "\n" }

// unsealed returns the size of the database in a file. Its octets are compared with the seal.
func unsealed(f io.ReaderAt, size int64, rules string) (int64, error) {
	line := seal(rules)
	size -= int64(len(line)) + sha256.Size
	if size < 0 {
		return 0, ErrDamaged
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, err
	}
	end := make([]byte, len(line)+sha256.Size)
	if _, err := f.ReadAt(end, size); err != nil {
		return 0, err
	}
	if string(end[:len(line)]) != line {
		return 0, ErrStale
	}
	if string(end[len(line):]) != string(h.Sum(nil)) {
		return 0, ErrDamaged
	}
	return size, nil
}

// only is the name of the file in a oneFile.
const only = "text"

// A oneFile is a file system with the first octets of an open file.
type oneFile struct {
	file *os.File
	size int64
}

// Open implements [fs.FS].
func (f oneFile) Open(name string) (fs.File, error) {
	if name != only && name != "/"+only {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &database{io.NewSectionReader(f.file, 0, f.size), f.file}, nil
}

// A database is an open file of a oneFile.
type database struct {
	*io.SectionReader
	of *os.File
}

// Stat implements [fs.File].
func (d *database) Stat() (fs.FileInfo, error) {
	info, err := d.of.Stat()
	return sized{info, d.Size()}, err
}

// Close implements [fs.File]. The file stays open for the Index.
func (d *database) Close() error { return nil }

type sized struct {
	fs.FileInfo
	size int64
}

// Size implements [fs.FileInfo].
func (s sized) Size() int64 { return s.size }
