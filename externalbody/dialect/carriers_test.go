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

// every returns broken for these arguments.
func every(n int, with string) func(string) string {
	return func(link string) string { return broken(link, n, with) }
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

// notTyped reports whether the link is one that people do not write without its
// scheme.
func notTyped(link string) bool {
	return notHTTPS(link) || strings.ContainsAny(link, "'{") || notASCII(link)
}

func notASCII(link string) bool {
	return strings.ContainsFunc(link, func(c rune) bool { return c > '~' })
}

// inHTML returns the carrier of a link in a text/html, instead of LINK. write changes
// the link before.
func inHTML(text string, write ...func(string) string) func(string) string {
	return func(link string) string { return htmlText(placed(text, link, html.EscapeString, write)) }
}

// inPlain is inHTML for a text/plain, whose type has further parameters.
func inPlain(params, text string, write ...func(string) string) func(string) string {
	return func(link string) string { return plainText(params, placed(text, link, nil, write)) }
}

// charsetCarrier is inHTML for a text with this subtype and charset.
func charsetCarrier(subtype, label string, enc encoding.Encoding, text string) func(string) string {
	return func(link string) string {
		if subtype == "html" {
			link = html.EscapeString(link)
		}
		return inCharset(subtype, label, enc, placed(text, link, nil, nil))
	}
}

func placed(text, link string, escape func(string) string, write []func(string) string) string {
	for _, f := range write {
		link = f(link)
	}
	if escape != nil {
		link = escape(link)
	}
	return strings.ReplaceAll(text, "LINK", link)
}

func withoutHTTPS(link string) string { return strings.TrimPrefix(link, "https:") }

func withoutScheme(link string) string { return strings.TrimPrefix(link, "https://") }

var carriers = []carrier{
	{"Href", inHTML(`<p>See <a href="LINK">the file</a>.</p>`), nil},
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
	{"HrefUnquoted", inHTML("<a href=LINK class=x>x</a>"), func(l string) bool { return strings.ContainsAny(l, "'`") }},
	{"HrefUpper", inHTML(`<A HREF="LINK">X</A>`), nil},
	{"HrefBroken", inHTML(`<a href="LINK">x</a>`, every(60, "\n")), nil},
	{"HrefInQP", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable(`<p>Hello, <a href="`+html.EscapeString(l)+`">the file</a></p>`) + "\n"
	}, nil},
	{"HTMLText", inHTML("<div>See LINK<br>Bye</div>"), nil},
	{"HTMLTextSentence", inHTML("<p>See LINK. Bye</p>"), nil},
	{"HTMLBrackets", inHTML("<p>report.pdf&lt;LINK&gt;</p>"), nil},
	{"HTMLPre", inHTML("<pre>See\nLINK\nBye</pre>"), nil},
	{"HTMLPreWrapped", inHTML("<pre wrap>See &lt;LINK&gt; Bye</pre>", every(72, "\n")), nil},
	{"Area", inHTML(`<map name=m><area shape=rect coords="0,0,9,9" href="LINK"></map>`), nil},
	{"OutlookOnly", inHTML(`<p>Hi</p><!--[if mso]><table><tr><td><a href="LINK">x</a></td></tr></table><![endif]-->`), nil},
	{"Button", func(l string) string {
		e := html.EscapeString(l)
		return htmlText(`<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="` + e + `" style="height:40px;" fillcolor="#0061fe"><w:anchorlock/><center>Open</center></v:roundrect><![endif]--><!--[if !mso]><!-- --><a href="` + e + `">Open</a><!--<![endif]-->`)
	}, nil},
	{"SchemeRelative", inHTML(`<a href="LINK">x</a>`, withoutHTTPS), notHTTPS},
	{"WithoutScheme", inHTML(`<a href="LINK">x</a>`, withoutScheme), notHTTPS},
	{"Base", func(l string) string {
		i := strings.IndexByte(l[len("https://"):], '/') + len("https://")
		return htmlText(`<base href="` + l[:i+1] + `"><a href="` + html.EscapeString(l[i:]) + `">x</a>`)
	}, nil},
	{"Refresh", inHTML(`<meta http-equiv="refresh" content="0; url=LINK">`), nil},
	{"TypedInHTML", inHTML("<p>See LINK. Bye</p>", withoutScheme), notTyped},
	{"Twins", func(l string) string {
		c := textCase{plain: "See\n" + l + "\n", html: `<a href="` + html.EscapeString(l) + `">file</a>`}
		return c.message("quoted-printable")
	}, nil},
	{"TwinsWrapped", func(l string) string {
		c := textCase{plain: "See\n" + broken(l, 76, "\n") + "\n\nBye\n", html: `<p>Please have a look at the file that is <a href="` + html.EscapeString(l) + `">here</a></p>`}
		return c.message("8bit")
	}, endsInWord(76)},

	{"Plain", inPlain("", "Hello,\n\nLINK\n\nBye\n"), nil},
	{"PlainTyped", inPlain("", "See LINK, or (LINK).\n", withoutScheme), notTyped},
	{"PlainUnderscores", inPlain("", "See _LINK_.\n"), nil},
	{"PlainFooter", inPlain("", "See\nLINK\n_______________________________________________\nlist mailing list\nlist@a.example\n"), nil},
	{"PlainBBCode", inPlain("", "See [url=LINK]the file[/url].\n"), nil},
	{"PlainComma", inPlain("", "See LINK,LINK;LINK\n"), nil},
	{"PlainLast", inPlain("", "LINK"), nil},
	{"PlainSentence", inPlain("", "The file is at LINK. Bye\n"), nil},
	{"PlainParentheses", inPlain("", "The file (see LINK), and more\n"), nil},
	{"PlainQuotes", inPlain("", "The file \"LINK\" is here\n"), nil},
	{"PlainApostrophes", inPlain("", "The file 'LINK' is here\n"), nil},
	{"PlainSquare", inPlain("", "[1]: LINK\n[the file](LINK)\n"), nil},
	{"PlainStars", inPlain("", "*the file* *LINK*\n"), nil},
	{"PlainAngle", inPlain("", "The file <LINK> is here\n"), nil},
	{"PlainOutlook", inPlain("", "report.pdf<LINK>\n"), nil},
	{"PlainURL", inPlain("", "The file <URL:LINK>.\n"), nil},
	{"PlainAngleBroken", inPlain("", "The file is here: <LINK>\n", every(57, "\n")), nil},
	{"PlainBroken76", inPlain("", "The file:\n\nLINK\n\nBye\n", every(76, "\n")), endsInWord(76)},
	{"PlainBroken78", inPlain("", "The file:\n\nLINK\n\nBye\n", every(78, "\n")), endsInWord(78)},
	{"PlainBroken72", inPlain("", "The file:\nLINK\n\nBye\n", every(72, "\n")), endsInWord(72)},
	{"PlainBrokenAt", func(l string) string {
		return plainText("", "The file:\n"+brokenAt(l, 76, "/-?&=", "\n")+"\n\nBye\n")
	}, nil},
	{"Flowed", inPlain("; format=flowed", "The file is at \nLINK \nand is whole.\n"), nil},
	{"FlowedDelSp", inPlain("; format=flowed; delsp=yes", "The file is at  \nLINK\n\nBye\n", every(70, " \n")), nil},
	{"FlowedDelSpAngle", inPlain("; format=flowed; delsp=yes", "The file is at  \n<LINK>\n\nBye\n", every(70, " \n")), nil},
	{"FlowedDelSpQuoted", inPlain("; format=flowed; delsp=yes", "> The file is at  \n> LINK\n\nBye\n", every(68, " \n> ")), nil},
	{"Quoted", inPlain("", "On Monday A wrote:\n> See\n> LINK\n> Bye\n\nThanks\n"), nil},
	{"QuotedTwice", inPlain("", ">> See LINK\n>> Bye\n> Yes\n"), nil},
	{"QuotedBroken", inPlain("", "> See\n> LINK\n> \n> Bye\n", every(74, "\n> ")), endsInWord(74)},
	{"QuotedTwiceBroken", inPlain("", "> > See\n> > LINK\n> > \n> > Bye\n", every(72, "\n> > ")), endsInWord(72)},
	{"QuotedAngleBroken", inPlain("", "> See <LINK>\n> Bye\n", every(60, "\n> ")), nil},
	{"PlainInQP", func(l string) string {
		return "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable("Guten Tag,\n\nhier die Datei: "+l+"\n\nGr\xfc\xdfe") + "\n"
	}, nil},
	{"PlainInBase64", func(l string) string {
		c := textCase{plain: "Hello " + l + " bye"}
		return c.message("base64")
	}, nil},
	{"NoMIME", func(l string) string { return "Subject: x\n\nSee " + l + "\n" }, nil},

	{"German", inPlain("", "Die Datei „LINK“ ist da, siehe ‚x‘.\n"), nil},
	{"French", inPlain("", "Le fichier « LINK », merci.\n"), nil},
	{"FrenchTight", inPlain("", "Le fichier «LINK», merci.\n"), nil},
	{"Japanese", inPlain("", "ファイルはこちら：LINK、ご確認ください。\n"), nil},
	{"JapaneseBrackets", inPlain("", "「LINK」をご覧ください\n"), nil},
	{"Chinese", inPlain("", "附件（LINK）请查收。\n"), nil},
	{"ChineseTight", inPlain("", "下载地址LINK，谢谢\n"), nil},
	{"Russian", inPlain("", "Файл: LINK — скачать\n"), nil},
	{"RussianQuotes", inPlain("", "Файл «LINK»\n"), nil},
	{"ISO2022JP", charsetCarrier("plain", "iso-2022-jp", nil, "ファイルはこちら：LINK\nご確認ください。\n"), notASCII},
	{"ISO2022JPHTML", charsetCarrier("html", "iso-2022-jp", nil, `<p>ファイルは<a href="LINK">こちら</a></p>`), notASCII},
	{"ShiftJIS", charsetCarrier("plain", "shift_jis", nil, "ファイルはこちら：LINKです\n"), notASCII},
	{"GB18030", charsetCarrier("plain", "gb18030", nil, "附件：LINK，请查收\n"), nil},
	{"GBKHTML", charsetCarrier("html", "gbk", nil, `<a href="LINK">附件下载</a>`), notASCII},
	{"Big5", charsetCarrier("plain", "big5", nil, "附件：LINK，請查收\n"), notASCII},
	{"EUCKR", charsetCarrier("plain", "euc-kr", nil, "파일: LINK 입니다\n"), notASCII},
	{"ISO2022KR", func(l string) string {
		return "Content-Type: text/html; charset=iso-2022-kr\n\n\x1b$)C" + iso2022KR("<p>파일 쇽: <a href=\"") + html.EscapeString(l) + iso2022KR("\">받기</a></p>\n")
	}, notASCII},
	{"ISO2022KRPlain", func(l string) string {
		return "Content-Type: text/plain; charset=ISO-2022-KR\n\n\x1b$)C" + iso2022KR("파일 쇽: ") + l + iso2022KR(" 입니다\n")
	}, notASCII},
	{"HZ", charsetCarrier("html", "hz-gb-2312", simplifiedchinese.HZGB2312, `<a href="LINK">附件下载</a>`), notASCII},
	{"CP850", charsetCarrier("plain", "cp-850", charmap.CodePage850, "Datei für Müller: LINK\n"), notASCII},
	{"CP852", charsetCarrier("plain", "ibm852", charmap.CodePage852, "Załącznik: LINK\n"), notASCII},
	{"Latin9", charsetCarrier("html", "latin-9", charmap.ISO8859_15, `<p>5 € <a href="LINK">Datei</a></p>`), notASCII},
	{"Win1251", charsetCarrier("plain", "win-1251", charmap.Windows1251, "Файл: LINK\n"), notASCII},
	{"IBM500", charsetCarrier("html", "ibm500", ibm500{charmap.CodePage037}, `<p>[!] <a href="LINK">x</a></p>`), notASCII},
	{"KOI8R", charsetCarrier("plain", "koi8-r", nil, "Файл: LINK\n"), notASCII},
	{"Windows1251", charsetCarrier("html", "windows-1251", nil, `<a href="LINK">Файл</a>`), notASCII},
	{"UTF16LE", charsetCarrier("plain", "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Datei für Sie: LINK\n"), nil},
	{"UTF16BE", charsetCarrier("plain", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "附件：LINK，请查收\n"), nil},
	{"UTF16WithoutBOM", charsetCarrier("html", "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), `<a href="LINK">Файл</a>`), nil},
	{"UTF16HTML", charsetCarrier("html", "unicode", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), `<p>附件 <a href="LINK">下载</a></p>`), nil},
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
	{"UTF8BOM", inPlain("", "\ufeffLINK\n"), nil},
	{"ZeroWidth", inPlain("", "\u200bLINK\u200b and \u2068LINK\u2069\n"), nil},

	{"SafeLinks", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks(l)) + `" originalsrc="` + html.EscapeString(l) + `">x</a>`)
	}, nil},
	{"SafeLinksPlain", inPlain("", "report.pdf<LINK>\n", safeLinks), nil},
	{"SafeLinksPlainBare", inPlain("", "See LINK\n", safeLinks), nil},
	{"SafeLinksTwice", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks(safeLinks(l))) + `">x</a>`)
	}, nil},
	{"ProofpointV2", inHTML(`<a href="LINK">x</a>`, proofpointV2), notASCII},
	{"ProofpointV2Plain", inPlain("", "See LINK\n", proofpointV2), notASCII},
	{"ProofpointV3", inHTML(`<a href="LINK">x</a>`, proofpointV3), notASCII},
	{"ProofpointV3Plain", inPlain("", "See LINK .\n", proofpointV3), notASCII},
	{"ProofpointOverSafeLinks", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(proofpointV3(safeLinks(l))) + `">x</a>`)
	}, notASCII},
	{"Barracuda", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString("https://linkprotect.cudasvc.com/url?a="+url.QueryEscape(l)+"&c=E,1,AbC-dEf&typo=1") + `">x</a>`)
	}, notASCII},
	{"Mimecast", inHTML(`<a href="https://protect-eu.mimecast.com/s/AbCdEfGh?domain=a.example">LINK</a>`), nil},
	{"FortiMail", inPlain("", "report.pdf<https://mx.gateway.example/fmlurlsvc/?fewReq=:B:JVE3PD49&url=LINK>\n", url.QueryEscape), notASCII},
	{"OWA", inHTML(`<a href="https://mail.customer.example/owa/redir.aspx?C=2aab7991&amp;URL=LINK">x</a>`, url.QueryEscape), notASCII},
	{"Deref", inPlain("", "> https://deref-gmx.net/mail/client/Gm_oCFfV0VM/dereferrer/?redirectUrl=LINK\n", url.QueryEscape), notASCII},
	{"SafeLinksOverBarracuda", func(l string) string {
		return htmlText(`<a href="` + html.EscapeString(safeLinks("https://linkprotect.cudasvc.com/url?a="+url.QueryEscape(l)+"&c=E,1")) + `">x</a>`)
	}, notASCII},
	{"Cisco", inHTML(`<a href="https://secure-web.cisco.com/1AbCdEf/LINK">x</a>`, url.QueryEscape), notASCII},
	{"Google", inHTML(`<a href="https://www.google.com/url?q=LINK&amp;source=gmail&amp;ust=1">x</a>`, url.QueryEscape), notASCII},
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
