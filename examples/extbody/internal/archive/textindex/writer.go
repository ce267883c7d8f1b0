package textindex

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// A Writer makes the file of an index. It is an index after [Writer.Close] alone: before, no Open takes it for one.
type Writer struct {
	path  string
	rules string
	db    *sql.DB
	tx    *sql.Tx
	name  *sql.Stmt
	words *sql.Stmt
	texts map[Name]int64
}

// schema makes the tables of a new index. The setting makes FTS5 sort so many octets in memory at a time.
const schema = `
CREATE TABLE about(head TEXT NOT NULL);
INSERT INTO about VALUES('');
CREATE TABLE texts(id INTEGER PRIMARY KEY, name BLOB NOT NULL, cut INTEGER NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='ascii');
INSERT INTO words(words, rank) VALUES('hashsize', 16777216);
`

// Create makes a file, of which nothing may be there, with the texts of another index unless that is nil. The file is for
// this user alone.
func Create(path, rules string, from *Index) (_ *Writer, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if from != nil {
		_, err = io.Copy(f, io.NewSectionReader(from.file, 0, from.size))
	}
	w := &Writer{path: path, rules: rules, texts: make(map[Name]int64)}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = w.open(from)
	}
	if err != nil {
		w.Discard()
		return nil, err
	}
	return w, nil
}

func (w *Writer) open(from *Index) error {
	place, err := filepath.Abs(w.path)
	if err != nil {
		return err
	}
	place = "/" + strings.TrimPrefix(filepath.ToSlash(place), "/")
	w.db, err = open((&url.URL{Path: place}).EscapedPath(),
		"journal_mode(off)", "synchronous(off)", "locking_mode(exclusive)", "cache_size(-32768)")
	if err != nil {
		return err
	}
	if from != nil {
		maps.Copy(w.texts, from.texts)
	} else if _, err := w.db.Exec(schema); err != nil {
		return err
	}
	w.tx, err = w.db.Begin()
	if err != nil {
		return err
	}
	w.name, err = w.tx.Prepare("INSERT INTO texts(id, name, cut) VALUES(?, ?, ?)")
	if err != nil {
		return err
	}
	w.words, err = w.tx.Prepare("INSERT INTO words(rowid, text) VALUES(?, ?)")
	return err
}

// Has reports whether the index has a text.
func (w *Writer) Has(n Name) bool {
	_, ok := w.texts[n]
	return ok
}

// Len returns the number of texts.
func (w *Writer) Len() int { return len(w.texts) }

// Add adds a text that the index does not have: its words with a blank between them. cut is about a text that was too long.
func (w *Writer) Add(n Name, words string, cut bool) error {
	id := int64(len(w.texts)) + 1
	if _, err := w.name.Exec(id, n[:], cut); err != nil {
		return err
	}
	if _, err := w.words.Exec(id, words); err != nil {
		return err
	}
	w.texts[n] = id
	return nil
}

// Close ends the file with a head and the seal, and puts its octets on the disk. On an error the file is removed.
func (w *Writer) Close(head string) error {
	_, err := w.tx.Exec("UPDATE about SET head = ?", head)
	if err == nil {
		err = w.tx.Commit()
	}
	if err == nil {
		err = w.db.Close()
	}
	if err == nil {
		err = w.seal()
	}
	if err != nil {
		w.Discard()
	}
	return err
}

func (w *Writer) seal() error {
	f, err := os.OpenFile(w.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if _, err := f.WriteString(seal(w.rules) + string(h.Sum(nil))); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Discard removes the file.
func (w *Writer) Discard() {
	if w.tx != nil {
		w.tx.Rollback()
	}
	if w.db != nil {
		w.db.Close()
	}
	os.Remove(w.path)
}
