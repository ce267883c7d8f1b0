package dialect

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// maxShortcut bounds the octets that are read of a .url file. Windows reads no more of it.
const maxShortcut = 64 << 10

const shortcutExtension = ".url"

// internetShortcut reads a message/external-body part without an access type whose body
// is a .url file. Outlook sends an attached link so:
//
//	Content-Type: message/external-body; name="draft.url"
//	Content-Transfer-Encoding: base64
//
//	[InternetShortcut]
//	URL=ftp://ftp.example/draft.txt
//
// The form comes from messages on IETF mailing lists of 2010. Base64 is not allowed for
// such a part (RFC 2046 section 5.2.3), and the result is not a phantom header.
//
// It also reads an attached .url file, by its name or its type. There a URL counts only if it is a share link,
// or wraps one, as in a text: an attachment can lead to any page.
//
// A .url file is in a charset that has ASCII, or in UTF-16, which Windows writes if the URL is not ASCII.
func internetShortcut(table *sharelink.Table) externalbody.Dialect {
	const external = "message/external-body"
	return externalbody.Dialect{
		Name: "internet-shortcut",
		Types: []string{external, "application/internet-shortcut", "application/x-internet-shortcut", "application/x-mswinurl",
			"application/x-url", "text/x-url", "wwwserver/redirection"},
		Extensions: []string{shortcutExtension},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			text, wide := shortcutText(e.Body(maxShortcut))
			start, end, url := findShortcut(text)
			cut := url == "" || end == len(text)
			if cut && e.IsLonger(maxShortcut) {
				e.Unread(externalbody.DiagCutShort, "the first 64 KiB of the file were read")
				return nil
			}
			if url == "" {
				return nil
			}
			if r := (&shareReader{table: table, entity: e}); e.MediaType != external && !r.isLink(url) {
				return nil
			}
			r := newLink(url, "", "https", "http", "ftp", "ftps")
			if wide != nil {
				start = wide(start)
				end = wide(end)
			}
			r.Origins[0].Start = int64(start)
			r.Origins[0].End = int64(end)
			if r.Name == "" {
				r.Name = shortcutName(fileName(e.Header))
			}
			return []*externalbody.Reference{r}
		},
	}
}

// shortcutName returns the name of a .url file without its extension, which Windows does not show.
func shortcutName(name string) string {
	if n := len(name) - len(shortcutExtension); n >= 0 && strings.EqualFold(name[n:], shortcutExtension) {
		return name[:n]
	}
	return name
}

// shortcutText returns the text of a .url file. If the file is in UTF-16, wide returns where an offset of the text
// is in the file.
func shortcutText(body []byte) (text string, wide func(offset int) int) {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(body) < 2:
		return string(body), nil
	case body[0] == 0xFE && body[1] == 0xFF, body[0] == 0 && body[1] != 0:
		order = binary.BigEndian
	case body[0] == 0xFF && body[1] == 0xFE, body[0] != 0 && body[1] == 0:
	default:
		return string(body), nil
	}
	units := make([]uint16, len(body)/2)
	for i := range units {
		units[i] = order.Uint16(body[2*i:])
	}
	text = string(utf16.Decode(units))
	return text, func(offset int) int {
		n := 0
		for _, c := range text[:offset] {
			n += 2 * max(1, utf16.RuneLen(c))
		}
		return n
	}
}

// findShortcut returns the value of URL in the section [InternetShortcut], and where
// its line is.
func findShortcut(text string) (start, end int, url string) {
	in := false
	for line := range strings.Lines(text) {
		start = end
		end += len(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF"))
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(line, "[InternetShortcut]")
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if in && ok && strings.EqualFold(strings.TrimSpace(name), "URL") {
			return start, end, withoutQuotes(strings.TrimSpace(value))
		}
	}
	return 0, 0, ""
}

// withoutQuotes returns a value without the quotes around it, which Windows drops.
func withoutQuotes(value string) string {
	for _, quote := range []string{`"`, "'"} {
		if rest, ok := strings.CutPrefix(value, quote); ok && len(rest) > 0 && strings.HasSuffix(rest, quote) {
			return rest[:len(rest)-1]
		}
	}
	return value
}
