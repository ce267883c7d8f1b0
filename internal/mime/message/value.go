package message

import "strings"

// Unfold returns the value of a field without the line ends of its folds. All blanks
// stay (RFC 5322 section 2.2.3).
func Unfold(value string) string {
	if !strings.Contains(value, "\n") {
		return value
	}
	return strings.NewReplacer("\r\n", "", "\n", "").Replace(value)
}

// Text returns the value of the field unfolded, without the blanks around it.
func (f Field) Text() string { return strings.Trim(Unfold(f.Value), " \t") }

// Line returns the value of the field for display and for records: each run of white
// space becomes one space.
func (f Field) Line() string { return strings.Join(strings.Fields(f.Value), " ") }

// FieldValue returns the Value of the single field raw.
func FieldValue(raw string) string {
	_, v, _ := strings.Cut(raw, ":")
	return strings.TrimRight(v, "\r\n")
}

// ContentID returns the msg-id in the value of a Content-ID, with its angle brackets,
// or "" if the msg-id is missing (RFC 2045 section 7). QUIRK: it accepts missing
// brackets, and text around them.
func ContentID(value string) string {
	id := Unfold(value)
	if _, rest, ok := strings.Cut(id, "<"); ok {
		id, _, _ = strings.Cut(rest, ">")
	}
	if id = strings.TrimSpace(id); id == "" {
		return ""
	}
	return "<" + id + ">"
}

// BareID removes the brackets from a result of ContentID, as in a cid: URL (RFC 2392
// section 2).
func BareID(id string) string {
	return strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">")
}
