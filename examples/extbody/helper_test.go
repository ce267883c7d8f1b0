package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeText writes a file that is for this user alone, and its folder.
func writeText(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// readText returns the text of a file.
func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// executable returns the path of the program that the scripts run.
func executable(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("extbody")
	if err != nil {
		t.Skip("no program: ", err)
	}
	return path
}

// fields returns the words of a command. Each gets the values of pairs of names and values, which may have blanks.
func fields(command string, pairs ...string) []string {
	words := strings.Fields(command)
	values := strings.NewReplacer(pairs...)
	for i, word := range words {
		words[i] = values.Replace(word)
	}
	return words
}

// installed skips the test without the programs, and otherwise returns the path of the last.
func installed(t testing.TB, names ...string) (path string) {
	t.Helper()
	for _, name := range names {
		path = daemons.Program(t, name)
	}
	return path
}

// patience is for daemons that do not answer. Nothing is measured by it.
const patience = 2 * time.Minute

// await waits until a condition holds. It shows logs if that takes too long.
func await(t testing.TB, what string, holds func() bool, logs ...fmt.Stringer) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got no %s in %v, want it\n%s", what, patience, logs)
		}
	}
}

// awaitListener returns when a server listens at an address.
func awaitListener(t testing.TB, network, address string, logs ...fmt.Stringer) {
	t.Helper()
	await(t, "listener at "+address, func() bool {
		c, err := net.Dial(network, address)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, logs...)
}

// blocks returns the blocks of code in a document that start with a text, in one language or, for
// "[a-z]*", in any.
func blocks(t testing.TB, file, language, beginning string) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n("+beginning+".*?)^```$").FindAllStringSubmatch(readText(t, file), -1) {
		list = append(list, m[1])
	}
	if len(list) == 0 {
		t.Fatalf("got no block of %s in %s that begins with %q, want one", language, file, beginning)
	}
	return list
}
