package dialect_test

import (
	"encoding/base64"
	"fmt"
	"html"
	"mime/quotedprintable"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/go-extbody/extbody/externalbody/dialect"
)

// A carrier is how a mail program or a gateway writes a link into a message.
type carrier struct {
	name    string
	message func(link string) string
	skip    func(link string) bool // links that it cannot carry; nil for none
}

// plainText returns a message of text/plain.
func plainText(params, body string) string {
	return "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8" + params + "\nContent-Transfer-Encoding: 8bit\n\n" + body
}

// htmlText returns a message of text/html.
func htmlText(body string) string {
	return "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<html><body>" + body + "</body></html>\n"
}

// inCharset returns a message whose text has this subtype and charset, in base64.
func inCharset(subtype, label string, enc encoding.Encoding, body string) string {
	if enc == nil {
		var err error
		if enc, err = htmlindex.Get(label); err != nil {
			panic(err)
		}
	}
	text, err := enc.NewEncoder().String(body)
	if err != nil {
		panic(err)
	}
	return "MIME-Version: 1.0\nContent-Type: text/" + subtype + "; charset=" + label + "\nContent-Transfer-Encoding: base64\n\n" + lines76(base64.StdEncoding.EncodeToString([]byte(text))) + "\n"
}

func lines76(s string) string { return broken(s, 76, "\n") }

// broken breaks s after every n octets.
func broken(s string, n int, with string) string {
	var b strings.Builder
	for ; len(s) > n; s = s[n:] {
		b.WriteString(s[:n] + with)
	}
	return b.String() + s
}

// brokenAt breaks s into pieces of at most n octets that end with an octet of after. A
// piece that would be shorter than 20 octets has n octets.
func brokenAt(s string, n int, after, with string) string {
	var b strings.Builder
	for len(s) > n {
		i := strings.LastIndexAny(s[:n], after) + 1
		if i < 20 {
			i = n
		}
		b.WriteString(s[:i] + with)
		s = s[i:]
	}
	return b.String() + s
}

func quotedPrintable(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// endsInWord returns a function that reports whether the last piece of a link has only
// letters if the link is broken after every n octets. Such a piece could also be a word of
// the text.
func endsInWord(n int) func(string) bool {
	return func(link string) bool {
		last := link[len(link)/n*n:]
		return len(link) > n && strings.Trim(last, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	}
}

func notHTTPS(link string) bool { return !strings.HasPrefix(link, "https://") }

// notTyped reports whether the link is one that nobody writes without its scheme.
func notTyped(link string) bool {
	return notHTTPS(link) || strings.ContainsAny(link, "'{") || notASCII(link)
}

func notASCII(link string) bool {
	return strings.ContainsFunc(link, func(c rune) bool { return c > '~' })
}

var carriers = []carrier{
	{"Href", func(l string) string {
		return htmlText(`<p>See <a href="` + html.EscapeString(l) + `">the file</a>.</p>`)
	}, nil},
	{"HrefAsItIs", func(l string) string { return htmlText(`<a href="` + l + `">the file</a>`) }, nil},
	{"HrefShown", func(l string) string {
		e := html.EscapeString(l)
		return htmlText(`<a href="` + e + `" target="_blank" rel="noopener">` + e + `</a>`)
	}, nil},
	{"HrefShownInPieces", func(l string) string {
		return htmlText(`<a href='` + html.EscapeString(l) + `'><span>` + html.EscapeString(l[:20]) + `</span><wbr><span>` + html.EscapeString(l[20:]) + `</span></a>`)
	}, nil},
	{"HrefNumbers", func(l string) string {
		return htmlText(`<a href=" ` + strings.NewReplacer("&", "&#38;", "=", "&#x3D;", "/", "&#47;", ":", "&#58;", ".", "&#46;").Replace(l) + ` ">x</a>`)
	}, nil},
	{"HrefNames", func(l string) string {
		return htmlText(`<a href="` + strings.NewReplacer("&", "&amp;", "=", "&equals;", "/", "&sol;", ":", "&colon;", ".", "&period;").Replace(l) + `">x</a>`)
	}, nil},
	{"HrefUnquoted", func(l string) string { return htmlText(`<a href=` + html.EscapeString(l) + ` class=x>x</a>`) }, func(l string) bool { return strings.ContainsAny(l, "'`") }},
	{"HrefUpper", func(l string) string { return htmlText(`<A HREF="` + html.EscapeString(l) + `">X</A>`) }, nil},
	{"HrefBroken", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(broken(l, 60, "\n")) + `">x</a>`)
	}, nil},
	{"HrefInQP", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable(`<p>Hello, <a href="`+html.EscapeString(l)+`">the file</a></p>`) + "\n"
	}, nil},
	{"HTMLText", func(l string) string { return htmlText(`<div>See ` + html.EscapeString(l) + `<br>Bye</div>`) }, nil},
	{"HTMLTextSentence", func(l string) string { return htmlText(`<p>See ` + html.EscapeString(l) + `. Bye</p>`) }, nil},
	{"HTMLBrackets", func(l string) string { return htmlText(`<p>report.pdf&lt;` + html.EscapeString(l) + `&gt;</p>`) }, nil},
	{"HTMLPre", func(l string) string { return htmlText("<pre>See\n" + html.EscapeString(l) + "\nBye</pre>") }, nil},
	{"HTMLPreWrapped", func(l string) string {
		return htmlText("<pre wrap>See &lt;" + html.EscapeString(broken(l, 72, "\n")) + "&gt; Bye</pre>")
	}, nil},
	{"Area", func(l string) string {
		return htmlText(`<map name=m><area shape=rect coords="0,0,9,9" href="` + html.EscapeString(l) + `"></map>`)
	}, nil},
	{"OutlookOnly", func(l string) string {
		return htmlText(`<p>Hi</p><!--[if mso]><table><tr><td><a href="` + html.EscapeString(l) + `">x</a></td></tr></table><![endif]-->`)
	}, nil},
	{"Button", func(l string) string {
		e := html.EscapeString(l)
		return htmlText(`<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="` + e + `" style="height:40px;" fillcolor="#0061fe"><w:anchorlock/><center>Open</center></v:roundrect><![endif]--><!--[if !mso]><!-- --><a href="` + e + `">Open</a><!--<![endif]-->`)
	}, nil},
	{"SchemeRelative", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(strings.TrimPrefix(l, "https:")) + `">x</a>`)
	}, notHTTPS},
	{"WithoutScheme", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(strings.TrimPrefix(l, "https://")) + `">x</a>`)
	}, notHTTPS},
	{"Base", func(l string) string {
		i := strings.IndexByte(l[len("https://"):], '/') + len("https://")
		return htmlText(`<base href="` + l[:i+1] + `"><a href="` + html.EscapeString(l[i:]) + `">x</a>`)
	}, nil},
	{"Refresh", func(l string) string {
		return htmlText(`<meta http-equiv="refresh" content="0; url=` + html.EscapeString(l) + `">`)
	}, nil},
	{"TypedInHTML", func(l string) string {
		return htmlText(`<p>See ` + html.EscapeString(strings.TrimPrefix(l, "https://")) + `. Bye</p>`)
	}, notTyped},
	{"Twins", func(l string) string {
		c := textCase{plain: "See\n" + l + "\n", html: `<a href="` + html.EscapeString(l) + `">file</a>`}
		return c.message("quoted-printable")
	}, nil},
	{"TwinsWrapped", func(l string) string {
		c := textCase{plain: "See\n" + broken(l, 76, "\n") + "\n\nBye\n", html: `<p>Please have a look at the file that is <a href="` + html.EscapeString(l) + `">here</a></p>`}
		return c.message("8bit")
	}, endsInWord(76)},

	{"Plain", func(l string) string { return plainText("", "Hello,\n\n"+l+"\n\nBye\n") }, nil},
	{"PlainTyped", func(l string) string {
		return plainText("", "See "+strings.TrimPrefix(l, "https://")+", or ("+strings.TrimPrefix(l, "https://")+").\n")
	}, notTyped},
	{"PlainUnderscores", func(l string) string { return plainText("", "See _"+l+"_.\n") }, nil},
	{"PlainFooter", func(l string) string {
		return plainText("", "See\n"+l+"\n_______________________________________________\nlist mailing list\nlist@a.example\n")
	}, nil},
	{"PlainBBCode", func(l string) string { return plainText("", "See [url="+l+"]the file[/url].\n") }, nil},
	{"PlainComma", func(l string) string { return plainText("", "See "+l+","+l+";"+l+"\n") }, nil},
	{"PlainLast", func(l string) string { return plainText("", l) }, nil},
	{"PlainSentence", func(l string) string { return plainText("", "The file is at "+l+". Bye\n") }, nil},
	{"PlainParentheses", func(l string) string { return plainText("", "The file (see "+l+"), and more\n") }, nil},
	{"PlainQuotes", func(l string) string { return plainText("", "The file \""+l+"\" is here\n") }, nil},
	{"PlainApostrophes", func(l string) string { return plainText("", "The file '"+l+"' is here\n") }, nil},
	{"PlainSquare", func(l string) string { return plainText("", "[1]: "+l+"\n[the file]("+l+")\n") }, nil},
	{"PlainStars", func(l string) string { return plainText("", "*the file* *"+l+"*\n") }, nil},
	{"PlainAngle", func(l string) string { return plainText("", "The file <"+l+"> is here\n") }, nil},
	{"PlainOutlook", func(l string) string { return plainText("", "report.pdf<"+l+">\n") }, nil},
	{"PlainURL", func(l string) string { return plainText("", "The file <URL:"+l+">.\n") }, nil},
	{"PlainAngleBroken", func(l string) string { return plainText("", "The file is here: <"+broken(l, 57, "\n")+">\n") }, nil},
	{"PlainBroken76", func(l string) string { return plainText("", "The file:\n\n"+broken(l, 76, "\n")+"\n\nBye\n") }, endsInWord(76)},
	{"PlainBroken78", func(l string) string { return plainText("", "The file:\n\n"+broken(l, 78, "\n")+"\n\nBye\n") }, endsInWord(78)},
	{"PlainBroken72", func(l string) string { return plainText("", "The file:\n"+broken(l, 72, "\n")+"\n\nBye\n") }, endsInWord(72)},
	{"PlainBrokenAt", func(l string) string {
		return plainText("", "The file:\n"+brokenAt(l, 76, "/-?&=", "\n")+"\n\nBye\n")
	}, nil},
	{"Flowed", func(l string) string {
		return plainText("; format=flowed", "The file is at \n"+l+" \nand is whole.\n")
	}, nil},
	{"FlowedDelSp", func(l string) string {
		return plainText("; format=flowed; delsp=yes", "The file is at  \n"+broken(l, 70, " \n")+"\n\nBye\n")
	}, nil},
	{"FlowedDelSpAngle", func(l string) string {
		return plainText("; format=flowed; delsp=yes", "The file is at  \n<"+broken(l, 70, " \n")+">\n\nBye\n")
	}, nil},
	{"FlowedDelSpQuoted", func(l string) string {
		return plainText("; format=flowed; delsp=yes", "> The file is at  \n> "+broken(l, 68, " \n> ")+"\n\nBye\n")
	}, nil},
	{"Quoted", func(l string) string { return plainText("", "On Monday A wrote:\n> See\n> "+l+"\n> Bye\n\nThanks\n") }, nil},
	{"QuotedTwice", func(l string) string { return plainText("", ">> See "+l+"\n>> Bye\n> Yes\n") }, nil},
	{"QuotedBroken", func(l string) string {
		return plainText("", "> See\n> "+broken(l, 74, "\n> ")+"\n> \n> Bye\n")
	}, endsInWord(74)},
	{"QuotedTwiceBroken", func(l string) string {
		return plainText("", "> > See\n> > "+broken(l, 72, "\n> > ")+"\n> > \n> > Bye\n")
	}, endsInWord(72)},
	{"QuotedAngleBroken", func(l string) string {
		return plainText("", "> See <"+broken(l, 60, "\n> ")+">\n> Bye\n")
	}, nil},
	{"PlainInQP", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable("Guten Tag,\n\nhier die Datei: "+l+"\n\nGr\xfc\xdfe") + "\n"
	}, nil},
	{"PlainInBase64", func(l string) string {
		c := textCase{plain: "Hello " + l + " bye"}
		return c.message("base64")
	}, nil},
	{"NoMIME", func(l string) string { return "Subject: x\n\nSee " + l + "\n" }, nil},

	{"German", func(l string) string { return plainText("", "Die Datei „"+l+"“ ist da, siehe ‚x‘.\n") }, nil},
	{"French", func(l string) string { return plainText("", "Le fichier « "+l+" », merci.\n") }, nil},
	{"FrenchTight", func(l string) string { return plainText("", "Le fichier «"+l+"», merci.\n") }, nil},
	{"Japanese", func(l string) string {
		return plainText("", "ファイルはこちら："+l+"、ご確認ください。\n")
	}, nil},
	{"JapaneseBrackets", func(l string) string { return plainText("", "「"+l+"」をご覧ください\n") }, nil},
	{"Chinese", func(l string) string { return plainText("", "附件（"+l+"）请查收。\n") }, nil},
	{"ChineseTight", func(l string) string { return plainText("", "下载地址"+l+"，谢谢\n") }, nil},
	{"Russian", func(l string) string { return plainText("", "Файл: "+l+" — скачать\n") }, nil},
	{"RussianQuotes", func(l string) string { return plainText("", "Файл «"+l+"»\n") }, nil},
	{"ISO2022JP", func(l string) string {
		return inCharset("plain", "iso-2022-jp", nil, "ファイルはこちら："+l+"\nご確認ください。\n")
	}, notASCII},
	{"ISO2022JPHTML", func(l string) string {
		return inCharset("html", "iso-2022-jp", nil, `<p>ファイルは<a href="`+html.EscapeString(l)+`">こちら</a></p>`)
	}, notASCII},
	{"ShiftJIS", func(l string) string {
		return inCharset("plain", "shift_jis", nil, "ファイルはこちら："+l+"です\n")
	}, notASCII},
	{"GB18030", func(l string) string { return inCharset("plain", "gb18030", nil, "附件："+l+"，请查收\n") }, nil},
	{"GBKHTML", func(l string) string {
		return inCharset("html", "gbk", nil, `<a href="`+html.EscapeString(l)+`">附件下载</a>`)
	}, notASCII},
	{"Big5", func(l string) string { return inCharset("plain", "big5", nil, "附件："+l+"，請查收\n") }, notASCII},
	{"EUCKR", func(l string) string { return inCharset("plain", "euc-kr", nil, "파일: "+l+" 입니다\n") }, notASCII},
	{"ISO2022KR", func(l string) string {
		return "Content-Type: text/html; charset=iso-2022-kr\n\n\x1b$)C" + iso2022KR("<p>파일 쇽: <a href=\"") + html.EscapeString(l) + iso2022KR("\">받기</a></p>\n")
	}, notASCII},
	{"ISO2022KRPlain", func(l string) string {
		return "Content-Type: text/plain; charset=ISO-2022-KR\n\n\x1b$)C" + iso2022KR("파일 쇽: ") + l + iso2022KR(" 입니다\n")
	}, notASCII},
	{"HZ", func(l string) string {
		return inCharset("html", "hz-gb-2312", simplifiedchinese.HZGB2312, `<a href="`+html.EscapeString(l)+`">附件下载</a>`)
	}, notASCII},
	{"CP850", func(l string) string {
		return inCharset("plain", "cp-850", charmap.CodePage850, "Datei für Müller: "+l+"\n")
	}, notASCII},
	{"CP852", func(l string) string {
		return inCharset("plain", "ibm852", charmap.CodePage852, "Załącznik: "+l+"\n")
	}, notASCII},
	{"Latin9", func(l string) string {
		return inCharset("html", "latin-9", charmap.ISO8859_15, `<p>5 € <a href="`+html.EscapeString(l)+`">Datei</a></p>`)
	}, notASCII},
	{"Win1251", func(l string) string {
		return inCharset("plain", "win-1251", charmap.Windows1251, "Файл: "+l+"\n")
	}, notASCII},
	{"IBM500", func(l string) string {
		return inCharset("html", "ibm500", ibm500{charmap.CodePage037}, `<p>[!] <a href="`+html.EscapeString(l)+`">x</a></p>`)
	}, notASCII},
	{"KOI8R", func(l string) string { return inCharset("plain", "koi8-r", nil, "Файл: "+l+"\n") }, notASCII},
	{"Windows1251", func(l string) string {
		return inCharset("html", "windows-1251", nil, `<a href="`+html.EscapeString(l)+`">Файл</a>`)
	}, notASCII},
	{"UTF16LE", func(l string) string {
		return inCharset("plain", "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Datei für Sie: "+l+"\n")
	}, nil},
	{"UTF16BE", func(l string) string {
		return inCharset("plain", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "附件："+l+"，请查收\n")
	}, nil},
	{"UTF16WithoutBOM", func(l string) string {
		return inCharset("html", "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), `<a href="`+html.EscapeString(l)+`">Файл</a>`)
	}, nil},
	{"UTF16HTML", func(l string) string {
		return inCharset("html", "unicode", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), `<p>附件 <a href="`+html.EscapeString(l)+`">下载</a></p>`)
	}, nil},
	{"MarkOfUTF16Alone", func(l string) string {
		return "Content-Type: text/html; charset=us-ascii\n\n\xff\xfe<a href=\"" + html.EscapeString(l) + "\">x</a>\x00\n"
	}, nil},
	{"UTF7", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-7\n\n" + utf7(`<p>Hi, <a href="`+html.EscapeString(l)+`">Datei für Sie</a></p>`) + "\n"
	}, nil},
	{"UTF7Plain", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/plain; charset=unicode-1-1-utf-7\n\n" + utf7("Die Datei für Sie: "+l+"\nGrüße") + "\n"
	}, nil},
	{"AMP", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: text/x-amp-html; charset=utf-8\n\n<!doctype html>\n<html ⚡4email><body><a href=\"" + html.EscapeString(l) + "\">x</a></body></html>\n--b--\n"
	}, nil},
	{"Markdown", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/markdown; charset=utf-8\n\n# Hi\n\nSee [the *file*](" + l + ").\n"
	}, nil},
	{"UTF8BOM", func(l string) string { return plainText("", "\ufeff"+l+"\n") }, nil},
	{"ZeroWidth", func(l string) string { return plainText("", "\u200b"+l+"\u200b and \u2068"+l+"\u2069\n") }, nil},

	{"SafeLinks", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks(l)) + `" originalsrc="` + html.EscapeString(l) + `">x</a>`)
	}, nil},
	{"SafeLinksPlain", func(l string) string { return plainText("", "report.pdf<"+safeLinks(l)+">\n") }, nil},
	{"SafeLinksPlainBare", func(l string) string { return plainText("", "See "+safeLinks(l)+"\n") }, nil},
	{"SafeLinksTwice", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks(safeLinks(l))) + `">x</a>`)
	}, nil},
	{"ProofpointV2", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(proofpointV2(l)) + `">x</a>`)
	}, notASCII},
	{"ProofpointV2Plain", func(l string) string { return plainText("", "See "+proofpointV2(l)+"\n") }, notASCII},
	{"ProofpointV3", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(proofpointV3(l)) + `">x</a>`)
	}, notASCII},
	{"ProofpointV3Plain", func(l string) string { return plainText("", "See "+proofpointV3(l)+" .\n") }, notASCII},
	{"ProofpointOverSafeLinks", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(proofpointV3(safeLinks(l))) + `">x</a>`)
	}, notASCII},
	{"Barracuda", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString("https://linkprotect.cudasvc.com/url?a="+url.QueryEscape(l)+"&c=E,1,AbC-dEf&typo=1") + `">x</a>`)
	}, notASCII},
	{"Mimecast", func(l string) string {
		return htmlText(`<a href="https://protect-eu.mimecast.com/s/AbCdEfGh?domain=a.example">` + html.EscapeString(l) + `</a>`)
	}, nil},
	{"FortiMail", func(l string) string {
		return plainText("", "report.pdf<https://mx.gateway.example/fmlurlsvc/?fewReq=:B:JVE3PD49&url="+url.QueryEscape(l)+">\n")
	}, notASCII},
	{"OWA", func(l string) string {
		return htmlText(`<a href="https://mail.customer.example/owa/redir.aspx?C=2aab7991&amp;URL=` + html.EscapeString(url.QueryEscape(l)) + `">x</a>`)
	}, notASCII},
	{"Deref", func(l string) string {
		return plainText("", "> https://deref-gmx.net/mail/client/Gm_oCFfV0VM/dereferrer/?redirectUrl="+url.QueryEscape(l)+"\n")
	}, notASCII},
	{"SafeLinksOverBarracuda", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks("https://linkprotect.cudasvc.com/url?a="+url.QueryEscape(l)+"&c=E,1")) + `">x</a>`)
	}, notASCII},
	{"Cisco", func(l string) string {
		return htmlText(`<a href="https://secure-web.cisco.com/1AbCdEf/` + html.EscapeString(url.QueryEscape(l)) + `">x</a>`)
	}, notASCII},
	{"Google", func(l string) string {
		return htmlText(`<a href="https://www.google.com/url?q=` + html.EscapeString(url.QueryEscape(l)) + `&amp;source=gmail&amp;ust=1">x</a>`)
	}, notASCII},
	{"GmailRedirect", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(l) + `" data-saferedirecturl="https://www.google.com/url?q=` + html.EscapeString(url.QueryEscape(l)) + `&amp;source=gmail">x</a>`)
	}, notASCII},
}

// iso2022KR returns s in ISO-2022-KR, without the header of a text.
func iso2022KR(s string) string {
	encoded, err := korean.EUCKR.NewEncoder().String(s)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	shifted := false
	for _, c := range []byte(encoded) {
		if c >= 0x80 != shifted {
			shifted = !shifted
			b.WriteByte(map[bool]byte{true: 0x0e, false: 0x0f}[shifted])
		}
		b.WriteByte(c & 0x7f)
	}
	if shifted {
		b.WriteByte(0x0f)
	}
	return b.String()
}

// ibm500 is EBCDIC with other places of brackets and similar characters than IBM037 has.
type ibm500 struct{ encoding.Encoding }

func (e ibm500) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: transform.Chain(e.Encoding.NewEncoder(), swapped{})}
}

type swapped struct{ transform.NopResetter }

func (swapped) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	n := copy(dst, src)
	for i, c := range dst[:n] {
		if k := strings.IndexByte("\xba\x5a\xbb\xb0\x4a\x5f\x4f", c); k >= 0 {
			dst[i] = "\x4a\x4f\x5a\x5f\xb0\xba\xbb"[k]
		}
	}
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return n, n, err
}

// utf7 returns s in UTF-7. It writes in Base64 also the characters that RFC 2152 allows
// to be written directly.
func utf7(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c <= 'z' && strings.IndexByte("!\"#$%&*;<=>@[]^_`{|+~\\", byte(c)) < 0 {
			b.WriteRune(c)
			continue
		}
		var units []byte
		for _, u := range utf16.Encode([]rune{c}) {
			units = append(units, byte(u>>8), byte(u))
		}
		b.WriteString("+" + base64.RawStdEncoding.EncodeToString(units) + "-")
	}
	return b.String()
}

func safeLinks(link string) string {
	return "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(link) + "&data=05%7C02%7Cjoe%40contoso.example%7C24ab39cd&sdata=AbCdEf%3D&reserved=0"
}

func proofpointV2(link string) string {
	return "https://urldefense.proofpoint.com/v2/url?u=" + strings.NewReplacer("-", "-2D", "_", "-5F", "%", "-25", "?", "-3F", "=", "-3D", "&", "-26", ":", "-3A", "#", "-23", "!", "-21", "'", "-27", "$", "-24", "{", "-7B", "}", "-7D", "/", "_").Replace(link) + "&d=DwMFaQ&c=AbC&r=dEf&m=gHi&s=jKl&e="
}

func proofpointV3(link string) string {
	var b, replaced strings.Builder
	for _, c := range []byte(link) {
		if strings.IndexByte("%?&=#!~+*'", c) >= 0 {
			replaced.WriteByte(c)
			b.WriteByte('*')
			continue
		}
		b.WriteByte(c)
	}
	text := b.String()
	for n := 66; n > 1; n-- { // a run is written as two stars and a letter for its length
		if n <= 27 {
			text = strings.ReplaceAll(text, strings.Repeat("*", n), "\x00\x00"+string(rune('A'+n-2)))
		}
	}
	text = strings.ReplaceAll(text, "\x00", "*")
	return "https://urldefense.com/v3/__" + text + "__;" + base64.RawURLEncoding.EncodeToString([]byte(replaced.String())) + "!!AbC!dEf$"
}

// TestCarriers checks that the links of samples are found once and whole in each carrier.
// Each carrier has a third of the samples, and the next carrier has another third.
func TestCarriers(t *testing.T) {
	all, stride := dialect.All(), 3
	for i, c := range carriers {
		t.Run(c.name, func(t *testing.T) {
			for j, link := range samples {
				if (i+j)%stride != 0 || c.skip != nil && c.skip(link) {
					continue
				}
				var got []string
				for _, r := range openWith(t, c.message(link), all) {
					u, _ := r.Param("url")
					got = append(got, u)
				}
				if len(got) != 1 || got[0] != link {
					t.Errorf("got %s\nwant [%s]", fmt.Sprint(got), link)
				}
			}
		})
	}
}

// TestListUnits checks Thunderbird's list in text/plain in languages that have their own
// units of size, and in the charsets of Russian mail.
func TestListUnits(t *testing.T) {
	list := func(size string) string {
		return "Я прикрепил 1 файл:\n\n* отчёт.pdf (" + size + ") на F: https://f.example/1\n"
	}
	tests := map[string]string{}
	for _, size := range []string{"1,2 КБ", "1,2 МБ", "3 ГБ", "17 байт", "17 байтів", "17 бајтова", "1,2 ՄԲ", "1.2 მბ", "1.2 ميغابايت", "1.2 מ״ב", "17 ไบต์", "17 バイト", "17 바이트", "17 字节", "1,2 Mt", "1,2\u00a0MiB", "1,2 Mo", "17 bájt"} {
		tests[size] = plainText("", list(size))
	}
	for _, charset := range []string{"windows-1251", "koi8-r"} {
		for _, size := range []string{"1,2 КБ", "1,2 МБ", "3 ГБ", "1 ТБ", "17 байт"} {
			tests[charset+" "+size] = inCharset("plain", charset, nil, list(size))
		}
	}
	for name, text := range tests {
		refs := openWith(t, text, dialect.All())
		if len(refs) != 1 || refs[0].Dialect != "filelink" || refs[0].Name != "отчёт.pdf" {
			t.Errorf("%s: got %d references, want one to отчёт.pdf", name, len(refs))
		}
	}
}
