package dialect_test

import (
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
)

const (
	viewed  = `{"@type":"EmailMessage","potentialAction":{"@type":"ViewAction","url":"` + shared + `"}}`
	content = "\x04\x3a\r\nhttps://www.dropbox.com/s/abcdefghijklmno/a.pdf?xxxxxxxx\r\n"
)

// encoded returns a part of that type with these octets.
func encoded(mediaType, octets string) string {
	return "Content-Type: " + mediaType + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(octets)) + "\r\n"
}

// scripted returns a page with data in JSON.
func scripted(data string) string {
	return page + `<script type="application/ld+json">` + data + "</script><p>x</p>\r\n"
}

// fallen returns an attachment whose mark is in the body, with a file name of that many octets (Betterbird).
func fallen(octets int) string {
	return "Content-Type: a/b\r\nContent-Disposition: attachment\r\n\r\n\r\n" +
		"X-Mozilla-External-Attachment-URL: file:///" + strings.Repeat("b", octets) + "\r\n" +
		"X-Mozilla-Altered: AttachmentDetached; date=\"x\"\r\n\r\nYou\r\n"
}

// attached returns a calendar with an attachment that has that many parameters before its type.
func attached(params int) string {
	return calendar + "ATTACH" + strings.Repeat(";X-A=b", params) + strings.TrimPrefix(pdf, "ATTACH")
}

// mentions returns a page with a link, and a text with that many URLs of its host.
func mentions(urls int) string {
	const link = "https://www.dropbox.com/x"
	block := `<a href="` + shared + `">a.pdf</a>`
	return "Content-Type: multipart/alternative; boundary=q\r\n\r\n--q\r\n\r\n" + strings.Repeat(link+"\r\n", urls-1) + shared +
		"\r\n--q\r\n" + page + block + "\r\n--q--\r\n"
}

// conditional returns a page with a comment for Outlook. Its condition has that many octets.
func conditional(octets int) string {
	return page + "<!--[if mso" + strings.Repeat(" ", octets-len(" mso")) + `]><a href="` + shared + `">x</a><![endif]-->` + "\r\n"
}

// signed returns a signed message (RFC 5652 section 5) whose content is in pieces that are in that many others.
func signed(levels int, octets string) string {
	const (
		head = "\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00"
		data = "\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0\x80"
	)
	body := head + data + strings.Repeat("\x24\x80", levels) + octets + strings.Repeat("\x00\x00", levels+4)
	return encoded("application/pkcs7-mime; smime-type=signed-data", body)
}

// winmailOf returns a winmail.dat with these attributes (MS-OXTNEF section 2.1.1).
func winmailOf(attributes string) string {
	return encoded("application/ms-tnef", tnefFile(attributes))
}

func tnefFile(attributes string) string { return "\x78\x9f\x3e\x22\x01\x00" + attributes }

// tnefAttribute returns an attribute with a list of properties.
func tnefAttribute(level byte, id uint32, properties ...string) string {
	value := little(uint32(len(properties))) + strings.Join(properties, "")
	return string([]byte{level}) + little(id) + little(uint32(len(value))) + value + "\x00\x00"
}

func little(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }

// tnefText returns a property that has a length.
func tnefText(property uint32, value string) string {
	return little(property) + little(1) + little(uint32(len(value))) + value + strings.Repeat("\x00", -len(value)&3)
}

const (
	tnefMessage    = 0x00069003
	tnefAttachment = 0x00069005
	tnefMethod     = 0x37050003
	tnefObject     = 0x3701000d
	tnefPath       = 0x370d001e
	tnefBody       = 0x1000001e
	tnefRTF        = 0x10090102
)

// nested returns a message in that many others.
func nested(levels int) string {
	m := tnefAttribute(1, tnefMessage, tnefText(tnefBody, shared))
	for range levels {
		m = tnefAttribute(2, tnefAttachment, little(tnefMethod)+little(5), tnefText(tnefObject, "0123456789abcdef"+tnefFile(m)))
	}
	return m
}

// long returns a text of that many octets with a link.
func long(octets int) string {
	lines := strings.Repeat(strings.Repeat("y", 1<<10)+"\n", octets/(1<<10))
	return tnefAttribute(1, tnefMessage, tnefText(tnefBody, shared+"\n"+lines[:octets-len(shared)]))
}

// addressed returns a file with an address of that many octets, beside a text with a link.
func addressed(octets int) string {
	address := shared + strings.Repeat("a", octets-len(shared))
	return tnefAttribute(1, tnefMessage, tnefText(tnefBody, "x")) +
		tnefAttribute(2, tnefAttachment, little(tnefMethod)+little(7), tnefText(tnefPath, address))
}

// rich returns a text in RTF with a link in that many groups.
func rich(groups int) string {
	text := `{\rtf1 ` + strings.Repeat("{", groups) + shared + strings.Repeat("}", groups) + "}"
	return tnefAttribute(1, tnefMessage, tnefText(tnefRTF, little(uint32(len(text)+12))+little(uint32(len(text)))+"MELA\x00\x00\x00\x00"+text))
}

// wrapped returns a page with a link that is wrapped that many times.
func wrapped(times int) string {
	link := "https://www.dropbox.com/s/abcdefghijklmno/a.pdf"
	for range times {
		link = "https://www.google.com/url?q=" + url.QueryEscape(link)
	}
	return page + `<a href="` + link + "\">x</a>\r\n"
}

// based returns a page whose base has that many octets.
func based(octets int) string {
	const base = "https://www.dropbox.com/"
	return page + `<base href="` + base + strings.Repeat("b", octets-len(base)) + `"><a href="/s/abcdefghijklmno/a.pdf">x</a>` + "\r\n"
}
