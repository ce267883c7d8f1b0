package about

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/internal/wording"
)

// A Document is a document about the program, such as OUTPUT.md.
type Document struct {
	Name  string // by which help shows it: "output"
	Title string
	text  string
}

// shortNames are the names of documents that have another one than their files. Commands have the
// names of the files of the others.
var shortNames = map[string]string{
	"ACCOUNTS.md": "accounts-setup", "ARCHIVE.md": "archive-format", "FLEET.md": "fleet-setup", "MCP.md": "mcp-setup",
	"SERVE.md": "serve-setup",
}

// Documents returns the documents of a folder, in the order of their names.
func Documents(folder fs.FS) (list []Document) {
	if folder == nil {
		return nil
	}
	files, err := fs.Glob(folder, "*.md")
	if err != nil {
		return nil
	}
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			continue
		}
		name, ok := shortNames[file]
		if !ok {
			name = strings.ToLower(strings.TrimSuffix(file, path.Ext(file)))
		}
		title, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Document{name, strings.TrimLeft(title, "# "), string(text)})
	}
	slices.SortFunc(list, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Find returns the document with a name, or with the name of its file.
func Find(list []Document, name string) (Document, bool) {
	if short, ok := shortNames[strings.ToUpper(strings.TrimSuffix(name, ".md"))+".md"]; ok && strings.HasSuffix(name, ".md") {
		name = short
	}
	name = strings.ToLower(strings.TrimSuffix(name, ".md"))
	i := slices.IndexFunc(list, func(d Document) bool { return d.Name == name })
	if i < 0 {
		return Document{}, false
	}
	return list[i], true
}

// Plain returns the document as plain text, in lines of at most width columns. Only lines of code,
// and words, are longer.
func (d Document) Plain(width int) string { return plain(d.text, width) }

// codeIndent is before each line of code.
const codeIndent = "    "

// plain returns a text in Markdown as plain text. It knows headings, paragraphs, lists of one
// level, tables, blocks of code, code, bold text, links and pictures.
func plain(text string, width int) string {
	var blocks []string
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		n := 1
		until := func(ends func(string) bool) []string {
			for i+n < len(lines) && !ends(lines[i+n]) {
				n++
			}
			return lines[i : i+n]
		}
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "```"):
			code := until(func(l string) bool { return strings.HasPrefix(l, "```") })[1:]
			n++ // the end
			blocks = append(blocks, codeIndent+strings.Join(code, "\n"+codeIndent))
		case strings.HasPrefix(line, "#"):
			blocks = append(blocks, heading(line, width))
		case strings.HasPrefix(line, "|"):
			blocks = append(blocks, table(until(func(l string) bool { return !strings.HasPrefix(l, "|") }), width))
		case marker(line) != "":
			part := until(func(l string) bool { return starts(l) })
			block := hang(marker(line), inlined(strings.Join(part, "\n")[len(marker(line)):]), width)
			follows := i > 0 && strings.TrimSpace(lines[i-1]) != "" && !strings.HasPrefix(lines[i-1], "```")
			if follows && len(blocks) > 0 {
				blocks[len(blocks)-1] += "\n" + block // the item before it
			} else {
				blocks = append(blocks, block)
			}
		default:
			blocks = append(blocks, show.Fill(inlined(strings.Join(until(starts), "\n")), width))
		}
		i += n
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// starts reports whether a line ends the paragraph or item before it.
func starts(line string) bool {
	if strings.TrimSpace(line) == "" || marker(line) != "" {
		return true
	}
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|")
}

// marker returns the start of a line that makes it an item of a list: "- ", "1. ", or "".
func marker(line string) string {
	if strings.HasPrefix(line, "- ") {
		return "- "
	}
	digits := strings.TrimLeft(line, "0123456789")
	if n := len(line) - len(digits); n > 0 && strings.HasPrefix(digits, ". ") {
		return line[:n+len(". ")]
	}
	return ""
}

// hang returns a text after a mark, and below itself.
func hang(mark, text string, width int) string {
	indent := strings.Repeat(" ", wording.Columns(mark))
	return mark + strings.ReplaceAll(show.Fill(text, width-len(indent)), "\n", "\n"+indent)
}

// heading returns a heading, underlined unless it is a small one.
func heading(line string, width int) string {
	text := show.Fill(inlined(strings.TrimLeft(line, "#")), width)
	last := text[strings.LastIndex(text, "\n")+1:]
	switch {
	case strings.HasPrefix(line, "###"):
		return text
	case strings.HasPrefix(line, "##"):
		return text + "\n" + strings.Repeat("-", wording.Columns(last))
	}
	return text + "\n" + strings.Repeat("=", wording.Columns(last))
}

// table returns the rows of a table with their cells side by side if they fit, and else with each
// cell after the first below that.
func table(lines []string, width int) string {
	var rows [][]string
	for i, line := range lines {
		if i != 1 { // the line below the head
			rows = append(rows, cells(line))
		}
	}
	var widths []int
	for _, row := range rows {
		for j, cell := range row {
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], wording.Columns(cell))
		}
	}
	whole := -len("  ")
	for _, n := range widths {
		whole += n + len("  ")
	}
	var b strings.Builder
	if whole <= width {
		for i, row := range rows {
			line := ""
			for j, cell := range row {
				line += cell + strings.Repeat(" ", widths[j]-wording.Columns(cell)+len("  "))
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			if i == 0 {
				b.WriteString(strings.Repeat("-", whole) + "\n")
			}
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	head := rows[0]
	for _, row := range rows[1:] {
		b.WriteString(show.Fill(row[0], width) + "\n")
		for j, cell := range row[1:] {
			if len(row) > 2 && j+1 < len(head) && head[j+1] != "" {
				cell = head[j+1] + ": " + cell
			}
			b.WriteString(hang(codeIndent, cell, width) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func cells(line string) (list []string) {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, "\x00"), "|") {
		list = append(list, strings.TrimSpace(inlined(strings.ReplaceAll(cell, "\x00", "|"))))
	}
	return list
}

// inlined returns a text without the marks of code, bold text, links and pictures. A link to the
// web keeps its URL.
func inlined(text string) string {
	var b strings.Builder
	for text != "" {
		switch {
		case strings.HasPrefix(text, "`"):
			if code, rest, ok := strings.Cut(text[1:], "`"); ok {
				b.WriteString(code)
				text = rest
				continue
			}
		case strings.HasPrefix(text, "**"):
			text = text[2:]
			continue
		case strings.HasPrefix(text, "["), strings.HasPrefix(text, "!["):
			name, rest, ok := strings.Cut(text[strings.IndexByte(text, '[')+1:], "](")
			url, rest, closed := strings.Cut(rest, ")")
			plain := !strings.ContainsAny(name, "[]") && !strings.ContainsAny(url, " \n")
			if ok && closed && plain {
				b.WriteString(inlined(name))
				if strings.Contains(url, "://") && url != name {
					b.WriteString(" <" + url + ">")
				}
				text = rest
				continue
			}
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String()
}
