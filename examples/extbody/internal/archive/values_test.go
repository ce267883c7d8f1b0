package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/internal/codec/bounded"
)

// TestManyValues holds, OP-62: an entry with more values than an archive writes is refused, whether it is in a file of
// exchanges or a delivery.
func TestManyValues(t *testing.T) {
	for _, tt := range []struct {
		values int
		refuse bool
	}{{1000, false}, {exchange.MaxValues, true}} {
		sum := strings.Repeat("a", 64)
		block := `{"kind":"capture","capture":{"key":"` + sum + `","sha256":"` + sum + `","ended":"2026-11-01T00:00:00Z","other":[0` +
			strings.Repeat(",0", tt.values) + `]}}`
		record := &warc.Record{Type: warc.Metadata, Date: time.Unix(1e9, 0), ContentType: exchange.EntryType, Block: []byte(block)}
		var text bytes.Buffer
		if err := record.Write(&text); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		d := &delivery{dir: dir, by: "by", sum: digest(text.String())}
		if err := os.Mkdir(filepath.Join(dir, "by"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{filepath.Join(dir, "a.warc.gz"), d.file(entrySuffix)} {
			if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := exchange.ReadAttempts(dir, "a.warc.gz", 0, func(*exchange.Attempt) error { return nil })
		if errors.Is(err, bounded.ErrMany) != tt.refuse || err != nil && !tt.refuse {
			t.Errorf("an attempt with %d values: got %v", tt.values, err)
		}
		if err := d.read(); errors.Is(err, errEntry) != tt.refuse || err != nil && !tt.refuse {
			t.Errorf("a delivery with %d values: got %v", tt.values, err)
		}
	}
}

// TestManyLooks holds: a file of looks whose trailer has very many values is not read, since a stranger may write one.
func TestManyLooks(t *testing.T) {
	for _, tt := range []struct {
		values int
		want   error
	}{{1000, nil}, {maxLooksValues, bounded.ErrMany}} {
		path := filepath.Join(t.TempDir(), "looks")
		trailer := `{"source":"s","other":[0` + strings.Repeat(",0", tt.values) + `]}`
		text := binary.BigEndian.AppendUint64([]byte(looksHead+trailer), uint64(len(trailer)))
		seal := sha256.Sum256(text)
		if err := os.WriteFile(path, append(text, seal[:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := readLooks(path)
		if !errors.Is(err, tt.want) {
			t.Errorf("%d values: got error %v, want %v", tt.values, err, tt.want)
		}
		if err == nil {
			r.file.Close()
		}
	}
}
