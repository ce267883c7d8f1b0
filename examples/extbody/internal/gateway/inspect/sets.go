package inspect

import "maps"

// sets are the named lists of extensions. The sources are the lists of attachments that Outlook
// and Gmail block, and the documents of Office about macros.
var sets = map[string][]string{
	"@programs": {
		"apk", "app", "appimage", "application", "appref-ms", "appx", "com", "cpl", "crx", "deb", "dll", "dmg",
		"dylib", "efi", "elf", "exe", "gadget", "jar", "lnk", "msi", "msix", "msp", "mst", "ocx", "pif", "pkg",
		"rpm", "run", "scr", "so", "sys", "xap", "xpi",
	},
	"@scripts": {
		"bash", "bat", "chm", "class", "cmd", "command", "csh", "desktop", "hta", "htm", "html", "inf", "jnlp", "js",
		"jse", "ksh", "library-ms", "mht", "mhtml", "msc", "msh", "pl", "ps1", "psm1", "py", "pyc", "pyw", "rb",
		"reg", "scf", "sct", "search-ms", "settingcontent-ms", "sh", "svg", "svgz", "terminal", "theme", "url", "vb",
		"vbe", "vbs", "webloc", "website", "workflow", "wsc", "wsf", "wsh", "xht", "xhtml", "xll", "zsh",
	},
	"@containers": {
		"7z", "ace", "arj", "bz2", "cab", "gz", "img", "iso", "lha", "lzh", "one", "onepkg", "rar", "tar", "tbz",
		"tgz", "txz", "udf", "vhd", "vhdx", "wim", "xz", "z", "zip", "zst",
	},
	"@macros": {
		"accdb", "accde", "doc", "docm", "dot", "dotm", "mdb", "mde", "potm", "ppa", "ppam", "pps", "ppsm", "ppt",
		"pptm", "sldm", "slk", "wbk", "xla", "xlam", "xls", "xlsb", "xlsm", "xlt", "xltm",
	},
}

// Sets returns the named lists of extensions that a condition on extensions may have, by name.
func Sets() map[string][]string { return maps.Clone(sets) }
