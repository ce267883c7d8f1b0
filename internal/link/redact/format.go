package redact

import "fmt"

// Format prints text for a method Format of a [fmt.Formatter], whatever the verb is. The flags of "%+v" and
// "%#v" mean nothing to a text.
func Format(s fmt.State, verb rune, text string) {
	if verb == 'v' {
		verb = 's'
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), text)
}
