package archive_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestColumns is OP-59: ARCHIVE.md explains each column of the CSV, once, and no other.
func TestColumns(t *testing.T) {
	text, err := os.ReadFile("../../ARCHIVE.md")
	must(t, err)
	_, section, ok := strings.Cut(string(text), "## The columns of the CSV\n")
	section, _, ok2 := strings.Cut(section, "\n## ")
	if !ok || !ok2 {
		t.Fatal("ARCHIVE.md has no section about the columns")
	}
	var explained []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(section, -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			explained = append(explained, strings.Trim(name, "`"))
		}
	}
	dir, _, _ := filled(t, 1)
	header, _, _ := strings.Cut(table(t, read(t, dir)), "\r\n")
	columns := strings.Split(header, ",")
	slices.Sort(columns)
	slices.Sort(explained)
	if !slices.Equal(columns, explained) {
		t.Errorf("got the columns %q explained, want %q", explained, columns)
	}
}
