package mailbox

import (
	"bytes"
	"encoding/json"
)

// A ForeignError is the error of a file that holds something other than mail, or mail in a form that is
// not read. It is an [ErrNotMail] if the file holds no mail, and an [ErrUnread] if it may hold mail or is a message of
// a Maildir.
type ForeignError struct {
	Form string // the kind of the file by its octets; "" if that is not known
	Way  string // how to make mail of it; "" if there is no way
	err  error
}

// Error implements error.
func (e *ForeignError) Error() string {
	text := e.err.Error()
	if e.Form != "" {
		text += ": it is " + e.Form
	}
	if e.Way != "" {
		text += "; " + e.Way
	}
	return text
}

// Unwrap returns ErrNotMail or ErrUnread.
func (e *ForeignError) Unwrap() error { return e.err }

// A signature is the start of files that hold something other than mail, or mail in a form that is not
// read.
type signature struct{ begin, form, way string }

const (
	extract  = "extract it, and give the folder"
	zipForm  = "a zip archive"
	tarForm  = "a tar archive"
	jsonForm = "JSON"

	compressedForm = "compressed"
)

var signatures = []signature{
	{"PK\x03\x04", zipForm, extract}, {"PK\x05\x06", "an empty zip archive", ""},
	{"7z\xBC\xAF\x27\x1C", "a 7z archive", extract}, {"Rar!\x1A\x07", "a rar archive", extract}, {"MSCF", "a cabinet archive", extract},
	{"\xFD7zXZ\x00", "compressed with xz", "decompress it with xz -d"}, {"\x04\x22\x4D\x18", "compressed with lz4", "decompress it with lz4 -d"},
	{"Dovecot-LZ4", "compressed by Dovecot with lz4", "copy the mailbox with doveadm sync"},
	{"\x1F\x8B", compressedForm, ""}, {"BZh", compressedForm, ""}, {"\x28\xB5\x2F\xFD", compressedForm, ""},
	{"CRYPTED\x03\x07", "encrypted by Dovecot with mail_crypt", "copy the mailbox with doveadm sync"},
	{"\xFF\xFE", "a text in UTF-16", "convert it with iconv -f UTF-16 -t UTF-8"}, {"\xFE\xFF", "a text in UTF-16", "convert it with iconv -f UTF-16 -t UTF-8"},
	{"!BDN", "a store of Outlook (.pst or .ost)", "convert it with readpst -r"},
	{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a compound file of Outlook (.msg) or Office", "convert a .msg with msgconvert"},
	{"*mbx*\r\n", "a mailbox of UW-IMAP (mbx)", "convert it with mailutil copy"},
	{"\xCF\xAD\x12\xFE", "a store of Outlook Express (.dbx)", "convert it with readdbx"}, {"\x78\x9F\x3E\x22", "a winmail.dat of Outlook", "extract it with tnef"},
	{"// <!-- <mdb:mork", "an index of Thunderbird (.msf)", ""},
	{"%PDF-", "a PDF", ""}, {"{\\rtf", "a text of RTF", ""}, {"\x89PNG\r\n\x1A\n", "a picture", ""}, {"\xFF\xD8\xFF", "a picture", ""}, {"GIF8", "a picture", ""},
	{"II*\x00", "a picture", ""}, {"MM\x00*", "a picture", ""}, {"RIFF", "a sound or a film", ""}, {"OggS", "a sound or a film", ""}, {"ID3", "a sound", ""},
	{"\x7FELF", "a program", ""}, {"MZ", "a program", ""}, {"\xCA\xFE\xBA\xBE", "a program", ""}, {"SQLite format 3\x00", "a database of SQLite", ""}, {"bplist00", "a property list", ""},
}

// tarMark is in a header of tar, at tarPlace.
const (
	tarMark  = "ustar"
	tarPlace = 257
)

// newForeignError returns the error of a file of a form. There is a way to make mail of a form that may hold mail.
func newForeignError(form, way string) *ForeignError {
	if way != "" || form == compressedForm {
		return &ForeignError{form, way, ErrUnread}
	}
	return &ForeignError{form, way, ErrNotMail}
}

// foreign returns an error if b, the first octets of a file, cannot start mail. A file that starts with a
// header field, or a line between messages, is mail whatever follows, except for JSON, whose first line can look
// like a field. So is text.
func foreign(b []byte) *ForeignError {
	if e := foreignJSON(b); e != nil {
		return e
	}
	if isField(b) || bytes.HasPrefix(b, fromWord) || delimiter(b) > 0 {
		return nil
	}
	for _, s := range signatures {
		if bytes.HasPrefix(b, []byte(s.begin)) {
			return newForeignError(s.form, s.way)
		}
	}
	switch {
	case len(b) > tarPlace && bytes.HasPrefix(b[tarPlace:], []byte(tarMark)):
		return newForeignError(tarForm, extract)
	case bytes.IndexByte(b, 0) >= 0:
		return &ForeignError{err: ErrNotMail}
	}
	return nil
}

// foreignJSON returns an error if b starts with an object, or a list of objects, of JSON. It names the
// answers of Gmail and Graph that replace a message.
func foreignJSON(b []byte) *ForeignError {
	text := bytes.TrimLeft(b, "[ \t\r\n")
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.Token()
	if name, err := in.Token(); err != nil {
		return nil
	} else if _, ok := name.(string); !ok || !in.More() {
		return nil
	}
	switch {
	case bytes.Contains(text, []byte(`"@odata.`)):
		return newForeignError("JSON of Microsoft Graph", "get each message with /$value, which is mail")
	case bytes.Contains(text, []byte(`"raw"`)), bytes.Contains(text, []byte(`"threadId"`)), bytes.Contains(text, []byte(`"labelIds"`)):
		return newForeignError("JSON of the Gmail API", "get each message with format=raw, and decode raw from base64url")
	}
	return newForeignError(jsonForm, "")
}
