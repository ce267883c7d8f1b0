package rewrite_test

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// A costly is a kind of message that keeps its readers busy.
type costly struct {
	name string
	// make returns a message whose length is proportional to n, about 1,000
	// octets for each.
	make func(n int) string
}

const refTo = "Content-Type: message/external-body; access-type=URL; URL=\"%s\"\n\nContent-Type: application/x-y\nContent-ID: <%s>\n\n"

// manyParts returns a multipart/mixed of n parts, each a header, an empty line and a
// body.
func manyParts(n int, part func(i int) string) string { return manyPartsOf("mixed", n, part) }

func manyPartsOf(subtype string, n int, part func(i int) string) string {
	var b strings.Builder
	b.WriteString("From: a@h.example\nMIME-Version: 1.0\nContent-Type: multipart/" + subtype + "; boundary=b\n\n")
	for i := range n {
		b.WriteString("--b\n" + part(i) + "\n")
	}
	b.WriteString("--b--\n")
	return b.String()
}

// each returns format n times, with the numbers from 0.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func times(n int, s string) string { return strings.Repeat(s, n) }

// costlyRef returns a part that is a reference to a URL, under a Content-ID.
func costlyRef(url, id string) string { return fmt.Sprintf(refTo, url, id) }

// costlyField returns a message that is a reference whose Content-Type goes on with more.
func costlyField(more string) string {
	return "MIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/b\"" + more +
		"\n\nContent-Type: application/x-y\nContent-ID: <a@h>\n\n"
}

// costlyText returns a message of one text part.
func costlyText(subtype, encoding, body string) string {
	return "MIME-Version: 1.0\nContent-Type: text/" + subtype + "; charset=utf-8\nContent-Transfer-Encoding: " + encoding + "\n\n" + body
}

const shareURL = "https://www.dropbox.com/scl/fi/abcdefghij%07d/a.pdf?rlkey=k&dl=0"

// A link that makes a text worth reading.
const oneLink = "<a href=\"https://www.dropbox.com/scl/fi/abcdefghij/a.pdf?rlkey=k&dl=0\">a.pdf</a>\n"

var costlies = []costly{
	// The structure of the message.
	{"References", func(n int) string {
		return manyParts(4*n, func(i int) string {
			return costlyRef(fmt.Sprintf("http://a.example/%d", i), fmt.Sprintf("%d@h", i))
		})
	}},
	{"Parts", func(n int) string {
		return manyParts(8*n, func(i int) string { return "Content-Type: text/plain\n\nx" })
	}},
	{"Attachments", func(n int) string {
		return manyParts(4*n, func(i int) string {
			return "Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\n" + times(2, "QUJD\n")
		})
	}},
	{"EmptyParts", func(n int) string { return manyParts(100*n, func(int) string { return "" }) }},
	{"DeepMultiparts", func(n int) string {
		var b strings.Builder
		for i := range 12 * n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + costlyRef("http://a.example/b", "a@h")
	}},
	{"DeepMessages", func(n int) string {
		return times(30*n, "Content-Type: message/rfc822\n\n") + costlyRef("http://a.example/b", "a@h")
	}},
	{"WideAndDeep", func(n int) string {
		inner := costlyRef("http://a.example/b", "a@h")
		for i := range 50 {
			inner = fmt.Sprintf("Content-Type: multipart/mixed; boundary=i%d\n\n--i%d\n%s\n--i%d--\n", i, i, inner, i)
		}
		return manyParts(1+n/5, func(int) string { return inner })
	}},
	{"BoundariesThatSharePrefixes", func(n int) string {
		var b strings.Builder
		for i := range min(5*n, 90) {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%s\n\n--%s\n", times(i+1, "b"), times(i+1, "b"))
		}
		return b.String() + "\n" + each(10*n, "--"+times(90, "b")+"%d\n")
	}},
	{"LinesLikeDelimiters", func(n int) string {
		return manyParts(1, func(int) string { return "\n" + times(200*n, "--c\n") })
	}},
	{"ManyLongDelimiterLines", func(n int) string {
		return manyParts(1, func(int) string { return "\n" + times(n, "--b"+times(990, " ")+"x\n") })
	}},
	{"UnclosedMultiparts", func(n int) string {
		return manyParts(8*n, func(i int) string { return fmt.Sprintf("Content-Type: multipart/mixed; boundary=c%d\n\n--c%d\n", i, i) })
	}},
	{"FormatsOfOne", func(n int) string {
		return manyPartsOf("alternative", 4*n, func(i int) string { return costlyRef(fmt.Sprintf("http://a.example/%d", i), "same@h") })
	}},
	{"FormatsInAlternative", func(n int) string {
		return manyPartsOf("alternative", 4*n, func(i int) string {
			return costlyRef(fmt.Sprintf("http://a.example/%d", i), fmt.Sprintf("%d@h", i))
		})
	}},
	{"EncodedContainers", func(n int) string {
		inner := base64.StdEncoding.EncodeToString([]byte(manyParts(2, func(int) string { return costlyRef("http://a.example/b", "a@h") })))
		return manyParts(n, func(int) string {
			return "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + inner + "\n"
		})
	}},
	{"ContainersInContainers", func(n int) string {
		text := "Content-Type: text/plain\n\n" + times(5*n, "0123456789\n")
		for range 8 {
			text = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(text)) + "\n"
		}
		return text
	}},

	// Identities.
	{"ContentIDs", func(n int) string {
		return manyParts(8*n, func(i int) string {
			if i%2 == 0 {
				return fmt.Sprintf("Content-Type: image/png\nContent-ID: <%d@h>\n\nx\n", i)
			}
			return fmt.Sprintf("Content-Type: message/external-body; access-type=content-id\n\nContent-Type: image/png\nContent-ID: <%d@h>\n\n", i-1)
		})
	}},
	{"OneContentID", func(n int) string {
		return manyParts(8*n, func(i int) string {
			if i == 0 {
				return "Content-Type: image/png\nContent-ID: <a@h>\n\nx\n"
			}
			return "Content-Type: message/external-body; access-type=content-id\n\nContent-Type: image/png\nContent-ID: <a@h>\n\n"
		})
	}},
	{"CIDs", func(n int) string {
		return manyParts(8*n, func(i int) string {
			if i%2 == 0 {
				return fmt.Sprintf("Content-Type: application/x-y\nContent-ID: <%d@h>\n\nx\n", i)
			}
			return costlyRef(fmt.Sprintf("cid:%d@h", i-1), fmt.Sprintf("%d@h", i))
		})
	}},
	{"CIDsOfNothing", func(n int) string {
		return manyParts(8*n, func(i int) string { return costlyRef(fmt.Sprintf("cid:%%41%d@h", i), fmt.Sprintf("%d@h", i)) })
	}},
	{"CIDsOfDuplicates", func(n int) string {
		return manyPartsOf("alternative", 8*n, func(i int) string {
			if i%2 == 0 {
				return "Content-Type: application/x-y\nContent-ID: <a@h>\n\nx\n"
			}
			return costlyRef("cid:a@h", fmt.Sprintf("%d@h", i))
		})
	}},
	{"CIDCircle", func(n int) string {
		return manyParts(8*n, func(i int) string {
			return costlyRef(fmt.Sprintf("cid:%d@h", (i+1)%(8*n)), fmt.Sprintf("%d@h", i))
		})
	}},
	{"ByReference", func(n int) string {
		return manyParts(8*n, func(i int) string {
			return strings.Replace(costlyRef("http://a.example/b", fmt.Sprintf("%d@h", i)), "\n\nContent-Type", "\n\nContent-Disposition: by-reference\nContent-Type", 1)
		})
	}},
	{"ByReferenceToEachOther", func(n int) string {
		return manyParts(8*n, func(i int) string {
			return strings.Replace(costlyRef(fmt.Sprintf("cid:%d@h", i+1), fmt.Sprintf("%d@h", i)), "\n\nContent-Type", "\n\nContent-Disposition: by-reference\nContent-Type", 1)
		})
	}},
	{"RelativeURLs", func(n int) string {
		return strings.Replace(manyParts(8*n, func(i int) string { return costlyRef(fmt.Sprint(i), fmt.Sprintf("%d@h", i)) }),
			"MIME-Version", times(n, "X: "+times(500, "x")+"\n")+"MIME-Version", 1)
	}},

	// Fields.
	{"Parameters", func(n int) string { return costlyField(each(50*n, ";\n x%d=\"a b\"")) }},
	{"OneParameter", func(n int) string { return costlyField(times(50*n, ";\n name=\"a b\"")) }},
	{"Sections", func(n int) string { return costlyField(each(50*n, ";\n name*%d=\"a b\"")) }},
	{"SectionsBackwards", func(n int) string {
		var b strings.Builder
		for i := range 50 * n {
			fmt.Fprintf(&b, ";\n url*%d=ab", 50*n-i)
		}
		return costlyField(b.String())
	}},
	{"SectionsOfMany", func(n int) string { return costlyField(each(50*n, ";\n x%d*0*=utf-8''%%41")) }},
	{"OneSection", func(n int) string { return costlyField(each(50*n, ";\n name*0=x%d")) }},
	{"Percents", func(n int) string { return costlyField(";\n name*=utf-8''" + times(300*n, "%4") + times(100*n, "%41")) }},
	{"Semicolons", func(n int) string { return costlyField(times(1000*n, ";")) }},
	{"NestedComments", func(n int) string { return costlyField(times(500*n, "(") + times(500*n, ")")) }},
	{"UnclosedComments", func(n int) string { return costlyField(times(500*n, "; (a")) }},
	{"CommentsBetween", func(n int) string { return costlyField(times(250*n, "a(b)")) }},
	{"UnterminatedQuotes", func(n int) string { return costlyField(times(100*n, ";x=\"a\\\"")) }},
	{"Quotes", func(n int) string { return costlyField(times(300*n, ";\"a")) }},
	{"Backslashes", func(n int) string { return costlyField(";name=\"" + times(1000*n, "\\")) }},
	{"EncodedWords", func(n int) string { return costlyField(";name=" + times(100*n, "=?utf-8?q?a?=\n ")) }},
	{"Folds", func(n int) string { return costlyField(times(300*n, "\n ")) }},
	{"HeaderFields", func(n int) string { return each(80*n, "X-%d: y\n") + costlyField("") }},
	{"ContentTypes", func(n int) string {
		return times(20*n, "Content-Type: message/external-body; access-type=x\n") + costlyField("")
	}},
	{"PhantomFields", func(n int) string { return strings.TrimSuffix(costlyField(""), "\n") + each(80*n, "X-%d: y\n") }},
	{"PhantomNames", func(n int) string {
		return strings.TrimSuffix(costlyField(""), "\n") + "Content-Disposition: attachment" + each(50*n, "; filename*%d*=%%41") + "\n\n"
	}},
	{"LongHeaderLine", func(n int) string { return "X: " + times(1000*n, "x") + "\n" + costlyField("") }},
	{"From", func(n int) string { return "From: " + times(500*n, "<a") + "\n" + costlyField("") }},
	{"FromLines", func(n int) string { return times(150*n, "From x\n") + costlyField("") + times(150*n, "From x\n") }},
	{"CarriageReturns", func(n int) string { return costlyField("") + times(1000*n, "\r") + "\n" + times(300*n, "\r\r\n") }},
	{"DialectFields", func(n int) string {
		return each(12*n, "X-Mozilla-Cloud-Part: cloudFile; url=http://a.example/%d; name=x\n") + "\n\n"
	}},
	{"DialectFieldOfManyValues", func(n int) string {
		return "X-Mozilla-Cloud-Part: cloudFile" + times(50*n, ";data=;url=http://h/1") + "\n\n"
	}},
	{"DocumentReferences", func(n int) string {
		return each(15*n, "Document-Reference: https%%3a%%2f%%2fh.example%%2f%d; FileName=a.pdf\n") + "\n\n"
	}},

	// data: URLs.
	{"DataURLs", func(n int) string {
		return manyParts(4*n, func(i int) string { return costlyRef("data:,"+times(8, "abcd"), fmt.Sprintf("%d@h", i)) })
	}},
	{"LongDataURL", func(n int) string {
		return costlyRef("data:application/x-y;base64,"+times(20*n, times(10, "QUJD")+"\n "), "a@h")
	}},
	{"DataURLOfEscapes", func(n int) string { return costlyRef("data:application/x-y,"+times(300*n, "%41"), "a@h") }},
	{"DataURLOfParameters", func(n int) string {
		return costlyRef("data:application/x-y"+each(80*n, ";a%d=b")+",x", "a@h")
	}},
	{"DataURLOfSections", func(n int) string {
		return "Content-Type: message/external-body; access-type=URL; URL*0=\"data:application/x-y,\"" + each(50*n, ";\n URL*%d=abcd") +
			"\n\nContent-Type: application/x-y\nContent-ID: <a@h>\n\n"
	}},

	// Texts.
	{"Links", func(n int) string { return costlyText("html", "7bit", each(10*n, "<a href=\""+shareURL+"\">a</a>\n")) }},
	{"OneLink", func(n int) string { return costlyText("html", "7bit", times(10*n, oneLink)) }},
	{"LinksAndMentions", func(n int) string {
		return manyPartsOf("alternative", 2, func(i int) string {
			if i == 0 {
				return "Content-Type: text/plain\n\n" + each(5*n, "see "+shareURL+" there\n")
			}
			return "Content-Type: text/html\n\n" + each(5*n, "<a href=\""+shareURL+"\">a</a>\n")
		})
	}},
	{"WrappedLinks", func(n int) string {
		return costlyText("html", "7bit", each(5*n, "<a href=\"https://eur01.safelinks.protection.outlook.com/?url=https%%3A%%2F%%2Fwww.dropbox.com%%2Fs%%2Fabcdefghij%07d%%2Fa.pdf&amp;data=x\">a</a>\n"))
	}},
	{"LongLink", func(n int) string {
		return costlyText("html", "7bit", oneLink+"<a href=\"https://www.dropbox.com/s/"+times(1000*n, "a")+"\">a</a>\n")
	}},
	{"NestedWrappers", func(n int) string {
		return costlyText("html", "7bit", "<a href=\"https://www.dropbox.com/?"+times(20*n, "url=https://www.google.com/url?q=")+"\">a</a>\n")
	}},
	{"Tags", func(n int) string { return costlyText("html", "7bit", oneLink+times(300*n, "<b>")) }},
	{"Quoted", func(n int) string { return costlyText("html", "7bit", times(80*n, "<blockquote>")+oneLink) }},
	{"BareLessThan", func(n int) string { return costlyText("html", "7bit", oneLink+times(1000*n, "<")) }},
	{"UnclosedTag", func(n int) string { return costlyText("html", "7bit", oneLink+times(250*n, "<a b")) }},
	{"UnclosedAttributes", func(n int) string { return costlyText("html", "7bit", oneLink+times(200*n, "<a b=\"")) }},
	{"Attributes", func(n int) string { return costlyText("html", "7bit", oneLink+"<a "+each(100*n, "x%d=y ")+">") }},
	{"UnclosedHTMLComments", func(n int) string { return costlyText("html", "7bit", oneLink+times(200*n, "<!--")) }},
	{"HTMLCommentsThatAlmostEnd", func(n int) string { return costlyText("html", "7bit", oneLink+"<!--"+times(300*n, "--!")) }},
	{"Conditionals", func(n int) string { return costlyText("html", "7bit", oneLink+times(60*n, "<!--[if mso]>")) }},
	{"LongBase", func(n int) string {
		return costlyText("html", "7bit", "<base href=\"https://www.dropbox.com/s/abcdefghij/"+times(300*n, "a/")+"\">"+each(10*n, "<a href=%d.pdf>a</a>"))
	}},
	{"ConditionalsWithin", func(n int) string {
		return costlyText("html", "7bit", oneLink+"<table>"+times(60*n, "<!--[if mso]>")+"<b><![endif]-->"+oneLink)
	}},
	{"ConditionalsEach", func(n int) string {
		return costlyText("html", "7bit", oneLink+times(30*n, "<!--[if mso]><b><![endif]-->"))
	}},
	{"URLsInBrackets", func(n int) string { return costlyText("plain", "7bit", shareURL+" "+times(100*n, "http://a)")) }},
	{"URLsWithCommas", func(n int) string { return costlyText("plain", "7bit", shareURL+" "+times(100*n, "http://a,")) }},
	{"Typed", func(n int) string { return costlyText("plain", "7bit", shareURL+" "+times(100*n, "a.b/c/")) }},
	{"UTF7", func(n int) string {
		return strings.Replace(costlyText("html", "7bit", times(100*n, "+ADw-a+AD4-")), "utf-8", "utf-7", 1)
	}},
	{"Styles", func(n int) string { return costlyText("html", "7bit", oneLink+times(120*n, "<style>")) }},
	{"Titles", func(n int) string { return costlyText("html", "7bit", oneLink+times(60*n, "<title></titl")) }},
	{"CharacterReferences", func(n int) string { return costlyText("html", "7bit", oneLink+times(200*n, "&#120")) }},
	{"Ampersands", func(n int) string { return costlyText("html", "7bit", oneLink+times(1000*n, "&")) }},
	{"LongLine", func(n int) string { return costlyText("html", "7bit", oneLink+times(1000*n, "x")) }},
	{"FilelinkBlocks", func(n int) string {
		return costlyText("html", "7bit", each(4*n, "<div class=\"cloudAttachmentItem\"><a class=\"moz-cloudfile\" href=\"http://a.example/%d\">a</a><span>"))
	}},
	{"MaildropBlocks", func(n int) string {
		return costlyText("html", "7bit", each(8*n, "<a x-apple-maildrop=\"yes\" href=\"https://www.icloud.com/attachment/?u=%d\">"))
	}},
	{"ChipBlocks", func(n int) string {
		return costlyText("html", "7bit", each(8*n, "<div class=\"gmail_chip gmail_drive_chip\"><a href=\"https://drive.google.com/file/d/%d/view\">"))
	}},
	{"SoftLineBreaks", func(n int) string {
		return costlyText("html", "quoted-printable", strings.ReplaceAll(oneLink, "=", "=3D")+times(400*n, "=\n"))
	}},
	{"BlanksBeforeLineEnd", func(n int) string {
		return costlyText("plain", "quoted-printable", times(1000*n, " ")+"x\n"+times(1000*n, " "))
	}},
	{"Base64Text", func(n int) string {
		return costlyText("html", "base64", base64.StdEncoding.EncodeToString([]byte(times(8*n, oneLink))))
	}},
	{"Brackets", func(n int) string { return costlyText("plain", "7bit", times(120*n, "<http://")) }},
	{"FlowedLines", func(n int) string {
		return costlyText("plain; format=flowed; delsp=yes", "7bit", times(2*n, "https://we.tl/t-AbCdEfGh \n"+times(20, "x \n"))) + times(150*n, "x \n")
	}},
	{"LinesThatMayGoOn", func(n int) string {
		return costlyText("plain", "7bit", times(12*n, "https://we.tl/t-AbCdEfGh"+times(60, "x")+"/\n"+times(8, times(70, "y")+"1-\n")))
	}},
	{"BracketsInHTML", func(n int) string { return costlyText("html", "7bit", oneLink+times(60*n, "&lt;https://x\n")) }},
	{"Wide", func(n int) string {
		return costlyText("plain; charset=utf-16le", "8bit", times(20*n, strings.Join(strings.Split("https://we.tl/t-AbCdEfGh ", ""), "\x00")+"\x00"))
	}},
	{"Areas", func(n int) string { return costlyText("html", "7bit", times(40*n, "<area href=\""+shareURL+"\">")) }},
	{"Dots", func(n int) string { return costlyText("html", "7bit", oneLink+times(250*n, "le.x")) }},
	{"BrokenLinks", func(n int) string {
		return costlyText("plain", "7bit", times(8*n, "<https://www.dropbox.com/scl/fi/abcdefghij\n/a.pdf?rlkey=k\n&dl=0\n"))
	}},
	{"QuoteMarks", func(n int) string {
		return costlyText("plain", "7bit", times(900*n, ">")+" https://www.dropbox.com/s/a/b\n")
	}},
	{"ShortLines", func(n int) string {
		return costlyText("plain", "7bit", times(8*n, "https://www.dropbox.com/s/a/b\n")+times(1000*n, "\n"))
	}},
	{"ManyTexts", func(n int) string {
		return manyParts(5*n, func(i int) string { return "Content-Type: text/html\n\n" + oneLink })
	}},
	{"ScrubbedParts", func(n int) string {
		return costlyText("plain", "7bit", each(5*n, "A...\nName: a\nType: a/b\nSize: 5 bytes\nDesc: x\nURL: <http://l.example/pipermail/l/attachments/20230901/1a0ba0e7/a%d.bin>\n"))
	}},
	{"ScrubbedFields", func(n int) string {
		return costlyText("plain", "7bit", times(60*n, "a: b/c\n")+times(8*n, "URL: <http://l.example/x/attachments/20230901/1a0ba0e7/a>\n"))
	}},
	{"ScrubbedLabels", func(n int) string {
		return costlyText("plain", "7bit", times(150*n, "a...: ")+"http://l.example/x/attachments/20230901/1a0ba0e7/a\n")
	}},
	{"UrlizedParts", func(n int) string {
		return manyParts(5*n, func(i int) string {
			return fmt.Sprintf("Content-Type: text/plain\nContent-Disposition: inline\n\nThe a.pdf file:\nhttps://l.example/attach/l/%d%%40x/a.pdf\n", i)
		})
	}},
	{"FileLists", func(n int) string {
		return costlyText("plain", "7bit", "I've linked:\n"+each(12*n, "* a%d.pdf (1 KB) hosted on F:\nhttps://f.example/1\n"))
	}},
	{"FileListParentheses", func(n int) string {
		return costlyText("plain", "7bit", "I've linked:\n"+times(n, "* "+times(330, "a (")+"1 KB) b: https://f.example/1\n"))
	}},
	{"FirstFilelinkBlocks", func(n int) string {
		return costlyText("html", "7bit", each(4*n, "<div class=\"cloudAttachmentItem\">"+times(8, "<a href=\"http://a.example/%[1]d\">http://a.example/%[1]d</a>")))
	}},
	{"IcewarpBlocks", func(n int) string {
		return costlyText("html", "7bit", each(8*n, "<div class=\"icewarp_smartattach\"><a href=\"http://a.example/%d\">a.pdf</a>"))
	}},
	{"Actions", func(n int) string {
		return costlyText("html", "7bit", times(2*n, "<script type=\"application/ld+json\">["+times(3, "{\"@type\":\"EmailMessage\",\"action\":{\"@type\":\"ViewAction\",\"url\":\"https://www.dropbox.com/s/abcdefghijkl/a\"}},")+"1]</script>"))
	}},
	{"EscapedScripts", func(n int) string {
		return costlyText("html", "7bit", oneLink+times(40*n, "<script><!--<script></script>"))
	}},
	{"OpenScriptComments", func(n int) string { return costlyText("html", "7bit", oneLink+times(80*n, "<script><!--")) }},
	{"RawElementsInSVG", func(n int) string {
		return costlyText("html", "7bit", oneLink+"<svg>"+times(20*n, "<style><title><xmp><iframe><noscript><script>"))
	}},
	{"ActionsWithinOthers", func(n int) string {
		return costlyText("html", "7bit", oneLink+"<script type=\"application/ld+json\">"+times(250*n, "[{\""))
	}},
	{"CalendarLines", func(n int) string {
		return "Content-Type: text/calendar\n\n" + each(12*n, "ATTACH;FMTTYPE=application/pdf;FILENAME=a.pdf:https://a.example/%d\n")
	}},
	{"CalendarFolds", func(n int) string {
		return "Content-Type: text/calendar\n\nATTACH;FMTTYPE=a/b:" + times(300*n, "\n x")
	}},
	{"CalendarParameters", func(n int) string {
		return "Content-Type: text/calendar\n\n" + times(2*n, "ATTACH"+times(80, ";a=b")+":https://a.example/\n")
	}},
	{"SignedMessages", func(n int) string {
		message := "\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0\x80\x24\x80"
		text := base64.StdEncoding.EncodeToString([]byte(message + "\x04\x2eContent-Type: text/html\n\n<a href=https://we.tl/" + times(40, "\x24\x80\x04\x01a")))
		return manyParts(2*n, func(int) string {
			return "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n" + text + "\n"
		})
	}},
	{"ContentExternal", func(n int) string {
		return each(10*n, "Content-External: a/b; url=\"https://a.example/%d\"; size=1; md5=XUFAKrxLKna5cZ2REBfFkg==\n") + "\nx"
	}},
	{"ContentExternalDigests", func(n int) string {
		return "Content-External: a/b; url=\"https://a.example/\"" + times(25*n, ";\n md5=XUFAKrxLKna5cZ2REBfFkg==") + "\n\nx"
	}},
	{"Escapes", func(n int) string {
		return strings.Replace(costlyText("html", "7bit", oneLink+times(120*n, "\x1b$B!!\x1b(B")), "utf-8", "iso-2022-jp", 1)
	}},
}
