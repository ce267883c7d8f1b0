package login

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// The errors of a login that is not complete.
var (
	ErrNoUser     = errors.New("no user: name one in the URL, as in imap://user@host/INBOX or jmap://user@host/")
	ErrNoPassword = errors.New("no password: give --password-command or --netrc, or answer at a terminal")
)

// Netrc returns the login for a host in a netrc file, and for a user if one is named.
// With byDefault the entry "default" counts for hosts that have no entry before it.
func Netrc(path, host, user string, byDefault bool) (string, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", "", fmt.Errorf("--netrc: %w", err)
	}
	defer f.Close()
	words, err := netrcWords(f)
	if err != nil {
		return "", "", fmt.Errorf("--netrc: %w", err)
	}
	var login, password string
	var ours, found bool
	fits := func() bool {
		sameUser := user == "" || login == "" || login == user
		return ours && found && sameUser
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "default", w == "machine" && i+1 < len(words):
			if fits() {
				i = len(words)
				break
			}
			ours = w == "default" && byDefault
			login = ""
			password = ""
			found = false
			if w == "machine" {
				i++
				ours = strings.EqualFold(words[i], host)
			}
		case w == "login" && i+1 < len(words):
			i++
			login = words[i]
		case w == "password" && i+1 < len(words):
			i++
			password = words[i]
			found = true
		case w == "account" && i+1 < len(words):
			i++
		}
	}
	if !fits() {
		return "", "", ErrNoPassword
	}
	login = cmp.Or(login, user)
	if login == "" {
		return "", "", ErrNoUser
	}
	return login, password, nil
}

// maxNetrc bounds the size of a netrc file.
const maxNetrc = 1 << 20

// netrcWords splits a netrc file into words. Words in quotation marks may contain
// spaces. A word that starts with "#" starts a comment. A macro extends to the next
// empty line.
func netrcWords(r io.Reader) ([]string, error) {
	var words []string
	macro := false
	lines := bufio.NewScanner(io.LimitReader(r, maxNetrc))
	lines.Buffer(nil, maxNetrc)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")) // some editors begin a file with it
		macro = macro && line != ""
		if macro {
			continue
		}
		for line != "" && line[0] != '#' {
			var word string
			word, line = netrcWord(line)
			if word == "macdef" {
				macro = true
				break
			}
			words = append(words, word)
			line = strings.TrimLeft(line, " \t")
		}
	}
	return words, lines.Err()
}

// netrcWord cuts the first word off a line that starts with a word.
func netrcWord(line string) (word, rest string) {
	if line[0] != '"' {
		if i := strings.IndexAny(line, " \t"); i >= 0 {
			return line[:i], line[i:]
		}
		return line, ""
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '"':
			return b.String(), line[i+1:]
		case '\\':
			if i+1 < len(line) {
				i++
			}
		}
		b.WriteByte(line[i])
	}
	return b.String(), ""
}
