// Code generated from examples/list/list.json. DO NOT EDIT.

package interstitial

// marks has texts that occur in pages: words of English pages, and
// addresses and markup in pages of any language. They are in lower case. The first match
// counts. A text that other pages may contain by chance counts only in the title.
var marks = []mark{
	{Scan, []byte(`virus scan warning`), true},
	{Scan, []byte(`id="uc-download-link"`), false},
	{Scan, []byte(`class="uc-warning-caption"`), false},
	{Quota, []byte(`quota exceeded`), true},
	{Quota, []byte(`too many users have viewed or downloaded`), false},
	{Quota, []byte(`generating too much traffic`), false},
	{Expired, []byte(`expired`), true},
	{Deleted, []byte(`deleted`), true},
	{Deleted, []byte(`not found`), true},
	{Deleted, []byte(`no longer available`), true},
	{Deleted, []byte(`the file you have requested does not exist`), false},
	{Deleted, []byte(`has been removed or is unavailable`), false},
	{Denied, []byte(`access denied`), true},
	{Denied, []byte(`you need access`), true},
	{Denied, []byte(`forbidden`), true},
	{Denied, []byte(`violation of our terms of service`), false},
	{Denied, []byte(`only the owner is allowed to download infected files`), false},
	{Login, []byte(`sign in`), true},
	{Login, []byte(`sign-in`), true},
	{Login, []byte(`log in`), true},
	{Login, []byte(`login`), true},
	{Login, []byte(`type="password"`), false},
	{Login, []byte(`accounts.google.com/v3/signin`), false},
	{Login, []byte(`login.microsoftonline.com/`), false},
	{Consent, []byte(`consent.google.`), false},
	{Consent, []byte(`before you continue`), true},
}

// htmlTags are the starts that identify HTML (MIME Sniffing Standard, section 7.1).
// Each of them except the comment must be followed by a space or ">".
var htmlTags = []string{"<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE", "<A", "<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P", "<!--"}

// officeEntries are the starts of the names in an Office document (ECMA-376 part 2).
var officeEntries = []string{"[content_types].xml", "_rels/", "docprops/", "docmetadata/", "customxml/", "word/", "xl/", "ppt/", "visio/", "media/", "theme/", "[trash]/", "mimetype", "meta-inf/", "content.xml", "styles.xml", "settings.xml", "meta.xml", "manifest.rdf", "configurations2/", "thumbnails/"}

// families have the starts of formats.
var families = [...]family{
	pdf:      {[]string{"%PDF-"}},
	zip:      {[]string{"PK\x03\x04", "PK\x05\x06", "PK\a\b"}},
	odf:      {[]string{"PK\x03\x04", "PK\x05\x06", "PK\a\b"}},
	ooxml:    {[]string{"\xd0\xcf\x11ࡱ\x1a\xe1", "PK\x03\x04", "PK\x05\x06", "PK\a\b"}},
	ole:      {[]string{"\xd0\xcf\x11ࡱ\x1a\xe1", "{\\rtf", "PK\x03\x04", "PK\x05\x06", "PK\a\b"}},
	png:      {[]string{"\x89PNG\r\n\x1a\n"}},
	jpeg:     {[]string{"\xff\xd8\xff"}},
	gif:      {[]string{"GIF87a", "GIF89a"}},
	sevenZip: {[]string{"7z\xbc\xaf'\x1c"}},
	gz:       {[]string{"\x1f\x8b"}},
	rtf:      {[]string{"{\\rtf"}},
}

const (
	pdf = iota
	zip
	odf
	ooxml
	ole
	png
	jpeg
	gif
	sevenZip
	gz
	rtf
)

// familyOfExtension returns the family of an extension, or nil.
func familyOfExtension(ext string) *family {
	switch ext {
	case "pdf":
		return &families[pdf]
	case "zip", "jar", "apk", "epub", "kmz", "3mf", "war", "ipa":
		return &families[zip]
	case "odt", "ods", "odp", "odg":
		return &families[odf]
	case "docx", "docm", "dotx", "xlsx", "xlsm", "xlsb", "pptx", "pptm", "ppsx", "vsdx":
		return &families[ooxml]
	case "doc", "dot", "xls", "xlt", "ppt", "pps", "msg", "vsd":
		return &families[ole]
	case "png":
		return &families[png]
	case "jpg", "jpeg", "jpe":
		return &families[jpeg]
	case "gif":
		return &families[gif]
	case "7z":
		return &families[sevenZip]
	case "gz", "tgz":
		return &families[gz]
	case "rtf":
		return &families[rtf]
	}
	return nil
}

// familyOfType returns the family of a media type, or nil.
func familyOfType(t string) *family {
	switch t {
	case "application/pdf", "application/x-pdf":
		return &families[pdf]
	case "application/zip", "application/x-zip-compressed", "application/java-archive", "application/epub+zip":
		return &families[zip]
	case "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-outlook":
		return &families[ole]
	case "image/png":
		return &families[png]
	case "image/jpeg", "image/jpg", "image/pjpeg":
		return &families[jpeg]
	case "image/gif":
		return &families[gif]
	case "application/x-7z-compressed":
		return &families[sevenZip]
	case "application/gzip", "application/x-gzip":
		return &families[gz]
	case "application/rtf", "text/rtf":
		return &families[rtf]
	}
	return nil
}

// formOf returns the form of an extension that file names in mail have. Other extensions are of any form.
func formOf(ext string) form {
	switch ext {
	case "html", "htm", "xhtml", "xht", "shtml", "hta", "mht", "mhtml", "eml", "emlx":
		return markup
	case "txt", "text", "md", "markdown", "rst", "adoc", "csv", "tsv", "xml", "xsl", "xslt", "xsd", "svg", "rss", "atom", "opml", "json", "jsonl", "yaml", "yml", "toml", "ini", "cfg", "conf", "log", "js", "mjs", "ts", "jsx", "tsx", "css", "scss", "less", "php", "phtml", "asp", "aspx", "jsp", "jspx", "vue", "svelte", "erb", "ejs", "hbs", "mustache", "tmpl", "tpl", "twig", "tex", "bib", "py", "rb", "go", "c", "h", "cc", "cpp", "hpp", "cs", "java", "kt", "rs", "swift", "sh", "bat", "ps1", "sql", "diff", "patch", "ics", "vcf", "srt", "vtt", "gpx", "kml":
		return text
	case "pdf", "ps", "eps", "doc", "docx", "docm", "dot", "dotx", "xls", "xlsx", "xlsm", "xlsb", "ppt", "pptx", "pptm", "pps", "ppsx", "odt", "ods", "odp", "odg", "rtf", "pages", "numbers", "key", "zip", "zipx", "7z", "rar", "gz", "tgz", "bz2", "tbz", "xz", "txz", "zst", "tar", "jar", "war", "cab", "iso", "dmg", "pkg", "deb", "rpm", "apk", "ipa", "exe", "msi", "dll", "bin", "img", "ova", "vmdk", "jpg", "jpeg", "jpe", "png", "gif", "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico", "psd", "ai", "indd", "raw", "cr2", "nef", "dng", "mp3", "m4a", "aac", "wav", "flac", "ogg", "oga", "opus", "wma", "aif", "aiff", "mid", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "flv", "mpg", "mpeg", "3gp", "mts", "epub", "mobi", "azw3", "djvu", "dwg", "dxf", "stl", "step", "stp", "skp", "3mf", "blend", "vsd", "vsdx", "mpp", "pub", "one", "accdb", "mdb", "sqlite", "db", "pst", "ost", "msg", "p7m", "p7s", "p12", "pfx", "ttf", "otf", "woff", "woff2", "parquet", "h5", "hdf5", "npy", "npz", "pt", "pth", "onnx", "mat", "sav", "sas7bdat", "dta", "shp":
		return binary
	}
	return unknown
}
