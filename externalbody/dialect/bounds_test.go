package dialect_test

import (
	"encoding/base64"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// isBound matches the names of the constants that bound something that is read.
var isBound = regexp.MustCompile("^(max|Max)([A-Z].*)?$|^default(HeaderBytes|DecodedBytes|References)$")

// A bound has an input at the bound, of which the reference is found, and one beyond it, of which the message has an
// unread line, or the reason why the bound ends no reading in silence.
//
// With found, the reference is found beyond the bound, too.
type bound struct {
	at, beyond, reason string
	found              bool
}

const (
	pdf      = "ATTACH;FMTTYPE=application/pdf:https://h.example/a.pdf\r\n"
	shared   = "https://www.dropbox.com/s/abcdefghijklmno/a.pdf?x="
	calendar = "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n"
	page     = "Content-Type: text/html\r\n\r\n"
)

// padded returns a calendar whose body has that many octets before the attachment.
func padded(octets int) string {
	line := "X-A:" + strings.Repeat("y", 70) + "\r\n"
	octets -= len("BEGIN:VCALENDAR\r\n")
	lines := strings.Repeat(line, octets/len(line))
	return calendar + lines + strings.Repeat("\n", octets-len(lines)) + pdf
}

// described returns a calendar with a line of that many octets before a link in it.
func described(octets int) string {
	const name = "DESCRIPTION:"
	return calendar + name + strings.Repeat("y", octets-len(name)-1) + " " + shared + "\r\n"
}

// shortcut returns a .url file with that many octets before its section.
func shortcut(octets int) string {
	file := ";" + strings.Repeat("x", octets-3) + "\r\n[InternetShortcut]\r\nURL=" + shared + "\r\n"
	return "Content-Type: application/x-mswinurl\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(file)) + "\r\n"
}

// linked returns a page with a link of that many octets.
func linked(octets int) string {
	return page + "<a href=\"" + shared + strings.Repeat("a", octets-len(shared)) + "\">x</a>\r\n"
}

// offered returns a notice with that many actions, of which the first leads to a share.
func offered(actions int) string {
	view := func(url string) string { return `{"@type":"ViewAction","url":"` + url + `"}` }
	list := view(shared)
	for i := range actions - 1 {
		list += "," + view("https://a.example/"+strings.Repeat("x", i))
	}
	return page + `<script type="application/ld+json">{"@type":"EmailMessage","potentialAction":[` + list + "]}</script>\r\n"
}

// many returns a text with that many links.
func many(links int) string {
	var b strings.Builder
	b.WriteString("Subject: x\r\n\r\n")
	for i := range links {
		b.WriteString(strings.Replace(shared, "abcdefghijklmno", "abcdefghij"+string([]byte{byte('a' + i/17576%26), byte('a' + i/676%26), byte('a' + i/26%26), byte('a' + i%26), 'x'}), 1) + "\r\n")
	}
	return b.String()
}

// larkListed returns a message with a link to a file, and a field with a list of that many others.
func larkListed(files int) string {
	list := base64.StdEncoding.EncodeToString([]byte("[" + strings.Repeat("{},", files-1) + "{}]"))
	var folded strings.Builder
	for len(list) > 70 {
		folded.WriteString(list[:70] + "\r\n ")
		list = list[70:]
	}
	return "X-Lark-Large-Attachment: " + folded.String() + list + "\r\n\r\n" + shared + "\r\n"
}

// headed returns a message whose header has that many octets and a reference at its end.
func headed(octets int) string {
	const reference = "Content-Type: message/external-body; access-type=url; url=\"https://h.example/a\"\r\n\r\n\r\n"
	return "X-A: " + strings.Repeat("y\r\n ", (octets-len(reference))/len("y\r\n ")) + "\r\n" + reference
}

// bounds has a row for each constant that isBound matches. The key is the package and the name.
var bounds = map[string]bound{
	"dialect.maxCalendar":             {at: padded(4<<20 - len(pdf)), beyond: padded(4 << 20)},
	"dialect.maxContentLine":          {at: described(512<<10 - len(shared)), beyond: described(512 << 10)},
	"dialect.maxShortcut":             {at: shortcut(64<<10 - 200), beyond: shortcut(64 << 10)},
	"dialect.maxActions":              {at: offered(16), beyond: offered(17)},
	"weburl.MaxBytes":                 {at: linked(64 << 10), beyond: linked(64<<10 + 1)},
	"externalbody.defaultReferences":  {at: many(10_000), beyond: many(10_001)},
	"externalbody.defaultHeaderBytes": {at: headed(250 << 10), beyond: headed(300 << 10)},
	"dialect.maxActionDepth":          {at: scripted(strings.Repeat("[", 7) + viewed + strings.Repeat("]", 7)), beyond: scripted(strings.Repeat("[", 8) + viewed + strings.Repeat("]", 8))},
	"dialect.maxActionValues":         {at: scripted("[" + strings.Repeat("0,", 10_000-6) + viewed + "]"), beyond: scripted("[" + strings.Repeat("0,", 10_000-5) + viewed + "]")},
	"dialect.maxLarkValues":           {at: larkListed(4_999), beyond: larkListed(5_001)},
	"dialect.maxDetached":             {at: fallen(60 << 10), beyond: fallen(64 << 10)},
	"dialect.maxPairs":                {at: attached(31), beyond: attached(32)},
	"externalbody.maxMentions":        {at: mentions(100_000), beyond: mentions(100_001)},
	"mailtext.maxToken":               {at: scripted(strings.Repeat(" ", 64<<10-len(viewed)) + viewed), beyond: scripted(strings.Repeat(" ", 64<<10+1-len(viewed)) + viewed)},
	"mailtext.maxCondition":           {at: conditional(98), beyond: conditional(99), found: true},
	"externalbody.maxTNEF":            {at: winmailOf(long(16<<20 - 500)), beyond: winmailOf(long(16 << 20))},
	"smime.maxDepth":                  {at: signed(17, content), beyond: signed(18, content)},
	"smime.maxLength":                 {at: signed(1, content), beyond: signed(0, "\x24\x84\x80\x00\x00\x00")},
	"tnef.maxGroups":                  {at: winmailOf(rich(999)), beyond: winmailOf(rich(1001))},
	"tnef.maxNested":                  {at: winmailOf(nested(8)), beyond: winmailOf(nested(9))},
	"tnef.maxReference":               {at: winmailOf(addressed(16 << 10)), beyond: winmailOf(addressed(16<<10 + 1))},
	"unwrap.maxNested":                {at: wrapped(8), beyond: wrapped(9)},
	"weburl.maxBase":                  {at: based(256), beyond: based(257)},
	"externalbody.defaultDecodedBytes": {
		reason: "Message.Incomplete reports it; externalbody.TestMaxDecodedBytes",
	},

	"dialect.maxAnchors":          {reason: "a block with more links is none of a mailer; TestBlockBounds"},
	"dialect.maxHead":             {reason: "tells whether a line is data"},
	"dialect.maxItem":             {reason: "an item with more lines is none of Thunderbird; TestBlockBounds"},
	"dialect.maxLabel":            {reason: "a text that is longer is no label of Mailman; TestBlockBounds"},
	"dialect.maxProvider":         {reason: "of a name that is shown"},
	"dialect.maxScrubbed":         {reason: "fields further above are none of the part; TestBlockBounds"},
	"dialect.maxStub":             {reason: "a multipart without parts is ambiguous, which is unread; TestEudoraField"},
	"dialect.maxTables":           {reason: "a block within more tables is found, with a smaller place; TestBlockBounds"},
	"dialect.maxTexts":            {reason: "the first two texts of a block are the name and the size; TestLark"},
	"dialect.maxText":             {reason: "of the text of a link, which may be the name of the file; TestBlockBounds"},
	"externalbody.maxBase":        {reason: "of a Content-Location, for a relative URL of a Reference, which is there"},
	"message.maxReread":           {reason: "a damaged text that is longer is told as one whose links differ"},
	"externalbody.maxBlank":       {reason: "a body that is longer is read"},
	"externalbody.maxCIDOctets":   {reason: "a mark in a text, which is no Reference"},
	"externalbody.maxCIDURLs":     {reason: "a mark in a text, which is no Reference"},
	"externalbody.maxChunk":       {reason: "of a buffer"},
	"externalbody.maxDetail":      {reason: "of the Detail of an UnreadPart"},
	"externalbody.maxDigests":     {reason: "the further digests of one Reference, of which each is a claim; TestManyDigests"},
	"externalbody.maxExt":         {reason: "a file name, cut for the file system"},
	"externalbody.maxFrom":        {reason: "the sender is unknown then"},
	"externalbody.maxHeldField":   {reason: "the value is read from the message, with the Diag long-url"},
	"externalbody.maxLine":        {reason: "of what is written"},
	"externalbody.maxLinkHost":    {reason: "the start of a URL that was found"},
	"externalbody.maxMergedDiags": {reason: "of the Diags of one Reference"},
	"externalbody.maxName":        {reason: "a file name, cut for the file system"},
	"externalbody.maxNameTexts":   {reason: "texts whose charset may explain a name"},
	"externalbody.maxNamesakes":   {reason: "a Reference that was not compared is one by itself"},
	"externalbody.maxNesting":     {reason: "of bodies that were fetched, an error"},
	"externalbody.maxNumbers":     {reason: "of names of files, an error"},
	"externalbody.maxOthers":      {reason: "of the text of an error"},
	"externalbody.maxPhantomBody": {reason: "the phantom body is no text in which references are looked for"},
	"externalbody.maxPrefix":      {reason: "Betterbird has one line end before the fields of a mark"},
	"externalbody.maxShownHost":   {reason: "of a line for people"},
	"externalbody.maxShownName":   {reason: "of a line for people"},
	"externalbody.maxURLHead":     {reason: "the URL is read from the message, with the Diag long-url"},
	"externalbody.maxValue":       {reason: "of an answer, not of a message"},
	"host.maxInput":               {reason: "DNS has no name that is longer"},
	"host.maxLabel":               {reason: "DNS has no name that is longer"},
	"host.maxName":                {reason: "DNS has no name that is longer"},
	"interstitial.maxBeforePDF":   {reason: "of a body that was fetched"},
	"interstitial.maxNULs":        {reason: "of a body that was fetched"},
	"mailtext.maxAttrs":           {reason: "further ones count if they are links or load something"},
	"mailtext.maxBlanks":          {reason: "the URL is given up to the blank"},
	"mailtext.maxElements":        {reason: "of the caller"},
	"mailtext.maxLink":            {reason: "a longer one over several lines is read up to its first line end"},
	"mailtext.maxNext":            {reason: "decides whether a text is read, with 512 octets after the line end"},
	"mailtext.maxPieces":          {reason: "both readings of a broken line are given"},
	"mailtext.maxSeparator":       {reason: "tells quoted text"},
	"mailtext.maxWrapped":         {reason: "both readings of a broken line are given"},
	"message.defaultHeaderBytes":  {reason: "the same as of externalbody, which reports it"},
	"message.maxBoundary":         {reason: "a boundary that is longer makes the part ambiguous, which is unread"},
	"message.maxDelimiter":        {reason: "a delimiter line that is longer makes the part ambiguous, which is unread"},
	"message.maxStack":            {reason: "of a buffer"},
	"param.maxAhead":              {reason: "tells whether a parameter follows without a semicolon, with a Diag"},
	"param.maxBlank":              {reason: "of white space"},
	"param.maxDiags":              {reason: "the Diag more follows"},
	"param.maxKnown":              {reason: "no bound: the length of a name"},
	"param.maxLabel":              {reason: "a charset that is longer is not known, which is a Diag"},
	"param.maxSkimmed":            {reason: "the Reference is there; a header that is longer than 256 KiB has the Diag header-too-long"},
	"param.maxStray":              {reason: "tells whether a word follows a value, with a Diag"},
	"param.maxWord":               {reason: "a name that is longer has no meaning"},
	"picture.maxSVG":              {reason: "a longer one is taken for active"},
	"picture.maxWords":            {reason: "a tag with more makes the picture active"},
	"redact.MaxRunes":             {reason: "of what is shown"},
	"redact.max":                  {reason: "of what is shown"},
	"redact.maxBare":              {reason: "of what is shown"},
	"redact.maxHierarchy":         {reason: "of what is shown"},
	"redact.maxHost":              {reason: "of what is shown"},
	"redact.maxInner":             {reason: "of what is shown"},
	"redact.maxLink":              {reason: "of what is shown"},
	"redact.maxName":              {reason: "of what is shown"},
	"redact.maxParsed":            {reason: "of what is shown"},
	"redact.maxQuery":             {reason: "of what is shown"},
	"redact.maxSecrets":           {reason: "of what is shown"},
	"redact.maxType":              {reason: "of what is shown"},
	"redact.maxWord":              {reason: "of what is shown"},
	"sharelink.maxEpoch":          {reason: "a greater number is no date"},
	"sharelink.maxRows":           {reason: "of the hosts of the operator, an error"},
	"tnef.maxWord":                {reason: "a control word that is longer has no meaning"},
	"verbs.maxInputs":             {reason: "of a page that a host answered, which no message has"},
	"weburl.maxHidden":            {reason: "decides whether a text is read, with the host and the path of a share"},
}

// TestBounds wants a row for each bound of a reader of messages (OP-50).
func TestBounds(t *testing.T) {
	found := make(map[string]bool)
	for _, dir := range []string{"..", ".", "../../internal/mailtext", "../../internal/mime", "../../internal/link"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			flat := dir == ".." || dir == "."
			switch {
			case err != nil:
				return err
			case d.IsDir() && flat && path != dir:
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				decl, ok := n.(*ast.GenDecl)
				if !ok || decl.Tok != token.CONST {
					return true
				}
				for _, spec := range decl.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						if isBound.MatchString(name.Name) {
							found[file.Name.Name+"."+name.Name] = true
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range found {
		if _, ok := bounds[name]; !ok {
			t.Errorf("%s: a bound without a row: give the input beyond it, or the reason why it ends no reading", name)
		}
	}
	for name, b := range bounds {
		if !found[name] {
			t.Errorf("%s: a row without a bound", name)
		}
		if b.reason != "" {
			continue
		}
		refs, unread := readAll(t, b.at)
		if len(refs) == 0 || len(unread) != 0 {
			t.Errorf("%s: at the bound: got %d references, unread %v, want one and none", name, len(refs), unread)
		}
		refs, unread = readAll(t, b.beyond)
		if b.found && len(refs) > 0 && len(unread) == 0 {
			continue
		}
		if len(unread) != 1 || unread[0].Reason != externalbody.DiagCutShort {
			t.Errorf("%s: beyond it: got unread %v, want %s", name, unread, externalbody.DiagCutShort)
		}
	}
}

// TestCalendarData has a line of data beyond the bound, in which nothing is missed.
func TestCalendarData(t *testing.T) {
	data := calendar + "ATTACH;ENCODING=BASE64;VALUE=BINARY:" + strings.Repeat("AAAA", 256<<10) + "\r\n" + pdf
	if refs, unread := readAll(t, data); len(refs) != 1 || len(unread) != 0 {
		t.Errorf("got %d references, unread %v, want 1 and none", len(refs), unread)
	}
}

// TestBlockBounds has blocks of mailers with more than is read of one. A share link in one is found by itself.
func TestBlockBounds(t *testing.T) {
	link := `<a href="` + shared + `">a.pdf</a>`
	for name, text := range map[string]string{
		"Anchors":  page + `<div id="cloudAttachmentList"><div class="cloudAttachmentItem">` + strings.Repeat(`<a href="https://a.example/">a</a>`, 17) + link + "</div></div>\r\n",
		"Item":     "Subject: x\r\n\r\nI've linked 1 file:\r\n\r\n* a.pdf (1 KB)\r\nx\r\nx\r\nx\r\nx\r\nhosted on x: " + shared + "\r\n",
		"Label":    "Subject: x\r\n\r\nName: a.pdf\r\n" + strings.Repeat("u", 41) + ": " + shared + "\r\n",
		"Scrubbed": "Subject: x\r\n\r\nName: a.pdf\r\n" + strings.Repeat("x\r\n", 9) + "URL: <" + shared + ">\r\n",
		"Tables":   page + strings.Repeat("<table><tr><td>", 65) + link + strings.Repeat("</td></tr></table>", 65) + "\r\n",
		"Text":     page + `<a href="` + shared + `">` + strings.Repeat("a", 3<<10) + ".pdf</a>\r\n",
	} {
		if refs, unread := readAll(t, text); len(refs) == 0 || len(unread) != 0 {
			t.Errorf("%s: got %d references, unread %v, want the link and none", name, len(refs), unread)
		}
	}
}
