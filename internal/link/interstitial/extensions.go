package interstitial

import "maps"

// extensions has the forms of the extensions that file names in mail have. Other
// extensions are of any form.
var extensions = wordsOf(maps.All(map[form]string{
	markup: "html htm xhtml xht shtml hta mht mhtml eml emlx",
	text: "txt text md markdown rst adoc csv tsv xml xsl xslt xsd svg rss atom opml json jsonl yaml yml toml ini cfg conf log " +
		"js mjs ts jsx tsx css scss less php phtml asp aspx jsp jspx vue svelte erb ejs hbs mustache tmpl tpl twig " +
		"tex bib py rb go c h cc cpp hpp cs java kt rs swift sh bat ps1 sql diff patch ics vcf srt vtt gpx kml",
	binary: "pdf ps eps doc docx docm dot dotx xls xlsx xlsm xlsb ppt pptx pptm pps ppsx odt ods odp odg rtf pages numbers key " +
		"zip zipx 7z rar gz tgz bz2 tbz xz txz zst tar jar war cab iso dmg pkg deb rpm apk ipa exe msi dll bin img ova vmdk " +
		"jpg jpeg jpe png gif webp bmp tif tiff heic heif avif ico psd ai indd raw cr2 nef dng " +
		"mp3 m4a aac wav flac ogg oga opus wma aif aiff mid mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp mts " +
		"epub mobi azw3 djvu dwg dxf stl step stp skp 3mf blend vsd vsdx mpp pub one accdb mdb sqlite db " +
		"pst ost msg p7m p7s p12 pfx ttf otf woff woff2 parquet h5 hdf5 npy npz pt pth onnx mat sav sas7bdat dta shp",
}))
