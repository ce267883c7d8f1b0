package open

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
)

// A viewer is an entry of mailcap (RFC 1524): how to show files of a media type.
type viewer struct {
	mediaType string // "*" may be the subtype
	command   string
	test      string // a shell command that succeeds if the entry is to be used; "" for always
	terminal  bool   // the command needs one
}

// parseMailcap returns the entries of a mailcap file that show files, in their order. Lines that
// are none are passed over, and so are entries whose output a pager is to show, since nothing
// makes it safe for a terminal.
func parseMailcap(text string) (list []viewer) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := mailcapFields(line)
		if len(fields) < 2 || fields[0] == "" || fields[1] == "" {
			continue
		}
		v := viewer{mediaType: strings.ToLower(fields[0]), command: fields[1]}
		if !strings.Contains(v.mediaType, "/") {
			v.mediaType += "/*"
		}
		copious := false
		for _, f := range fields[2:] {
			name, value, _ := strings.Cut(f, "=")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "test":
				v.test = strings.TrimSpace(value)
			case "needsterminal":
				v.terminal = true
			case "copiousoutput":
				copious = true
			}
		}
		if !copious {
			list = append(list, v)
		}
	}
	return list
}

// mailcapFields returns the fields of a line, which semicolons separate.
func mailcapFields(line string) (fields []string) {
	var field strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == ';':
			field.WriteByte(';')
			i++
		case c == ';':
			fields = append(fields, strings.TrimSpace(field.String()))
			field.Reset()
		default:
			field.WriteByte(c)
		}
	}
	return append(fields, strings.TrimSpace(field.String()))
}

// shows reports whether the entry is about a media type.
func (v viewer) shows(mediaType string) bool {
	major, _, _ := strings.Cut(mediaType, "/")
	return v.mediaType == mediaType || v.mediaType == major+"/*"
}

// args returns the command as a program and its arguments, of which one is the path, or has it
// after the name of an option: "--page=%s". No shell reads them. ok is false for a command that
// only a shell can run, that puts the path into a text for a shell or another interpreter, or
// that does not take a path.
func (v viewer) args(path string) (args []string, ok bool) {
	var word strings.Builder
	inWord := false
	hasPath := false
	quote := byte(0)
	command := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v.command), "&")) // it is not waited for anyway
	for i := 0; i < len(command); i++ {
		c := command[i]
		next := byte(0)
		if i+1 < len(command) {
			next = command[i+1]
		}
		begins := quote == 0 && !inWord
		escapes := c == '\\' && next != 0 && next != '\n'
		switch {
		case c == '%' && next == 's':
			isRun := word.Len() == 0 && len(args) > 0 && slices.Contains(runsNext, args[len(args)-1])
			if isRun || !isOption(word.String()) {
				return nil, false
			}
			word.WriteString(path)
			inWord = true
			hasPath = true
			i++
		case c == '%' && next == 't':
			word.WriteString(v.mediaType)
			inWord = true
			i++
		case c == '%':
			return nil, false // a parameter of the media type, which a stranger chose
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			word.WriteByte(c)
		case escapes && quote == 0:
			word.WriteByte(next)
			inWord = true
			i++
		case strings.IndexByte("$`\\\n", c) >= 0, quote == 0 && strings.IndexByte("|&;<>()*?[]{}!^", c) >= 0,
			begins && (c == '#' || c == '~'), c == '=' && len(args) == 0:
			return nil, false // it has a meaning for a shell
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote = c
			inWord = true
		case c == ' ' || c == '\t':
			if inWord {
				args = append(args, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		args = append(args, word.String())
	}
	if quote != 0 || !hasPath {
		return nil, false
	}
	if len(args) < 2 || strings.Contains(args[0], path) {
		return nil, false
	}
	return args, true
}

// runsNext are options after which shells and other programs take a text to run.
var runsNext = []string{"-c", "-e", "-E", "--eval", "--command"}

// isOption reports whether the path may follow the text in a word: it is "" or has nothing but
// the octets of the names of options.
func isOption(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			return false
		}
		return !strings.ContainsRune("-_=:.,+", c)
	})
}

// mailcaps returns the paths of the mailcap files of a user, the first one first (RFC 1524
// appendix A).
func mailcaps() []string {
	if list := os.Getenv("MAILCAPS"); list != "" {
		return filepath.SplitList(list)
	}
	list := []string{"/etc/mailcap", "/usr/etc/mailcap", "/usr/local/etc/mailcap"}
	if home, err := os.UserHomeDir(); err == nil {
		list = append([]string{filepath.Join(home, ".mailcap")}, list...)
	}
	return list
}

// own returns the files that count by the rule of settings: the user and root alone may write them or the folders
// above them. refused is the first other one, or "".
func own(files []string) (list []string, refused string) {
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err == nil && settings.OthersMayWrite(path) == "" {
			list = append(list, path)
			continue
		}
		if _, err := os.Lstat(file); err == nil {
			refused = cmp.Or(refused, file)
		}
	}
	return list, refused
}

// mailcapFor returns the first entry about a media type that can be used, and its command for
// a path. passes reports whether the test of an entry succeeds.
func mailcapFor(files []string, mediaType, path string, passes func(test string) bool) (v viewer, args []string, ok bool) {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, v := range parseMailcap(string(text)) {
			if !v.shows(mediaType) {
				continue
			}
			args, ok := v.args(path)
			if !ok {
				continue
			}
			if v.test == "" || !strings.Contains(v.test, "%") && passes(v.test) {
				return v, args, true
			}
		}
	}
	return viewer{}, nil, false
}
