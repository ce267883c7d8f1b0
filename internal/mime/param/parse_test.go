package param_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A parseTest is a field value and the expected result of Parse.
type parseTest struct {
	name   string
	field  string
	typ    string
	params []string // "name=value", in order
	diags  []string // "code" or "code@param", in order
}

func runParseTests(t *testing.T, tests []parseTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := param.Parse(test.field)
			if v.Type != test.typ {
				t.Errorf("Parse(%q).Type = %q, want %q", test.field, v.Type, test.typ)
			}
			var params, diags []string
			for _, p := range v.Params {
				params = append(params, p.Name+"="+p.Value)
			}
			if !slices.Equal(params, test.params) {
				t.Errorf("Parse(%q).Params = %q, want %q", test.field, params, test.params)
			}
			for _, d := range v.Diags {
				code := d.Code
				if d.Param != "" {
					code += "@" + d.Param
				}
				diags = append(diags, code)
			}
			if !slices.Equal(diags, test.diags) {
				t.Errorf("Parse(%q).Diags = %q, want %q", test.field, diags, test.diags)
			}
		})
	}
}

func TestParseType(t *testing.T) {
	runParseTests(t, []parseTest{
		{"Plain", "text/plain", "text/plain", nil, nil},
		{"UpperCaseEB1", "MESSAGE/External-Body", "message/external-body", nil, nil},
		{"UnknownUpperCaseEB1", "Application/X-Talk", "application/x-talk", nil, nil},
		{"LongUpperCaseEB1", "APPLICATION/" + strings.Repeat("LONG.", 20) + "X", "application/" + strings.Repeat("long.", 20) + "x", nil, nil},
		{"Disposition", " Attachment\r\n", "attachment", nil, nil},
		{"CommentsEB5", " (a) message (b(c)) /\r\n\t(d\\)) external-body (e)", "message/external-body", nil, nil},
		{"BlankBeforeSemicolonX144", "message/external-body \t; mode=ascii", "message/external-body", []string{"mode=ascii"}, nil},
		{"Empty", "", "", nil, []string{"missing-type"}},
		{"OnlyBlanks", " \r\n\t", "", nil, []string{"missing-type"}},
		{"OnlyParameter", "name=a.txt", "", []string{"name=a.txt"}, []string{"missing-type", "missing-semicolon"}},
		{"OnlyParameterBehindSemicolon", "; name=a.txt", "", []string{"name=a.txt"}, []string{"missing-type"}},
		{"OnlySemicolon", ";", "", nil, []string{"missing-type", "stray-semicolon"}},
		{"TwoLineBreaks", "text/plain\n\n", "text/plain", nil, nil},
		{"TwoLineBreaksCRLF", "text/plain\r\n\r\n", "text/plain", nil, nil},
		{"TrailingCR", "text/plain\r", "text/plain", nil, []string{"control"}},
		{"NoSubtype", "text/; charset=a", "text/", []string{"charset=a"}, []string{"bad-type"}},
		{"NoMajor", "/plain", "/plain", nil, []string{"bad-type"}},
		{"TwoSlashes", "A/B/C; x=y", "a/b/c", []string{"x=y"}, []string{"bad-type"}},
		{"EightBitType", "t\xe9xt/PLAIN; x=y", "t\xe9xt/plain", []string{"x=y"}, []string{"bad-type"}},
		{"ControlInType", "text/pl\x00ain", "text/pl\x00ain", nil, []string{"bad-type"}},
		{"QuotedType", `"Text/HTML"; x=y`, "text/html", []string{"x=y"}, []string{"bad-type"}},
		{"QuotedTypeWithoutEnd", `"Text/HTML; x=y`, "text/html; x=y", nil, []string{"bad-type"}},
		{"TextBehindType", "text/plain, text/html; x=y", "text/plain", []string{"x=y"}, []string{"stray-text"}},
		{"NoSlash", "message external-body; x=y", "message", []string{"x=y"}, []string{"stray-text"}},
		{"NoSemicolonEB9", "text/plain charset=utf-8", "text/plain", []string{"charset=utf-8"}, []string{"missing-semicolon"}},
		{"NoBreakSpace", "\u00a0text/plain\u00a0;\u00a0x=y", "text/plain", []string{"x=y"}, []string{"eight-bit", "eight-bit", "eight-bit"}},
		{"CommentWithoutEnd", "text/plain (; x=y", "text/plain", nil, []string{"unterminated-comment"}},
	})
}

func TestParseParams(t *testing.T) {
	runParseTests(t, []parseTest{
		{"NamesAndCaseEB1EB2", `a/b; NAME=Draft.TXT; X-Anchor="Top"`, "a/b", []string{"name=Draft.TXT", "x-anchor=Top"}, nil},
		{"OrderEB4", `message/external-body; size=3; access-type=url`, "message/external-body", []string{"size=3", "access-type=url"}, nil},
		{"CommentsEB5", `a/b(c);(d)name(e)=(f)"x(y)z"(g);(h)size=3(i)`, "a/b", []string{"name=x(y)z", "size=3"}, nil},
		{"CommentNestedQuotedPairEB5", `a/b; (x (y) \( \) ) size=3`, "a/b", []string{"size=3"}, nil},
		{"CommentHidesParameterEB5", `a/b; (; name=x) size=3`, "a/b", []string{"size=3"}, nil},
		{"CommentWithoutEndEB5", `a/b; size=3 (x (y); name=z`, "a/b", []string{"size=3"}, []string{"unterminated-comment"}},
		{"CommentEndingInBackslash", `a/b; size=3 (x\`, "a/b", []string{"size=3"}, []string{"unterminated-comment"}},
		{"FoldBetweenTokensEB5", "a/b;\r\n\tname\r\n =\n\tx\r\n ;\n size=3\r\n", "a/b", []string{"name=x", "size=3"}, nil},
		{"BlanksAroundEquals", "a/b ; name = x ;size\t=\t3", "a/b", []string{"name=x", "size=3"}, nil},
		{"TrailingSemicolonEB9", "a/b; access-type=anon-ftp;\r\n", "a/b", []string{"access-type=anon-ftp"}, []string{"stray-semicolon"}},
		{"DoubledSemicolon", "a/b;; name=x; ;size=3", "a/b", []string{"name=x", "size=3"}, []string{"stray-semicolon", "stray-semicolon"}},
		{"MissingSemicolonRFC2046EB9", "message/external-body;\n            access-type=mail-server\n            server=\"l@b.example\";\n  size=3",
			"message/external-body", []string{"access-type=mail-server", "server=l@b.example", "size=3"}, []string{"missing-semicolon"}},
		{"MissingSemicolonBehindQuoteEB9", "a/b; site=\"h\"; access-type=\"anon-ftp\"\n directory=\"d\"",
			"a/b", []string{"site=h", "access-type=anon-ftp", "directory=d"}, []string{"missing-semicolon"}},
		{"MissingSemicolonNoSpace", `a/b; site="h"mode=ascii`, "a/b", []string{"site=h", "mode=ascii"}, []string{"missing-semicolon"}},
		{"EmptyValueAtEnd", "a/b; size=", "a/b", []string{"size="}, []string{"empty-value@size"}},
		{"EmptySection", "a/b; name*0*=us-ascii''x; name*1*=; name*2*=y", "a/b", []string{"name=xy"}, nil},
		{"EmptyPlainSection", "a/b; name*0=x; name*1=", "a/b", []string{"name=x"}, []string{"empty-value@name"}},
		{"EmptyValueIMMI", "a/b; size= ; name=x", "a/b", []string{"size=", "name=x"}, []string{"empty-value@size"}},
		{"EmptyValueAndMissingSemicolon", "a/b; size=\r\n name=x", "a/b", []string{"size=", "name=x"}, []string{"empty-value@size", "missing-semicolon"}},
		{"EmptyQuotes", `a/b; name=""`, "a/b", []string{"name="}, nil},
		{"ValueIsAKnownName", "a/b; name= size; x=y", "a/b", []string{"name=size", "x=y"}, nil},
		{"NameWithoutValue", "attachment; filename; size=3", "attachment", []string{"size=3"}, []string{"missing-value"}},
		{"NameWithoutValueAtEnd", "attachment; size=3; filename", "attachment", []string{"size=3"}, []string{"missing-value"}},
		{"StrayText", "a/b; mode=my long, file.txt; size=3", "a/b", []string{"mode=my", "size=3"}, []string{"stray-text"}},
		{"StrayTextThenParameter", "a/b; mode=my file.txt size=3", "a/b", []string{"mode=my", "size=3"}, []string{"stray-text", "missing-semicolon"}},
		{"StrayQuotedString", `a/b; "x; name=y" ; size=3`, "a/b", []string{"size=3"}, []string{"stray-text"}},
		{"StrayQuotedStringAtEnd", `a/b; "x; name=y"`, "a/b", nil, []string{"stray-text"}},
		{"StrayQuotesWithoutEnd", `a/b; "x "y; name=z`, "a/b", []string{"name=z"}, []string{"stray-text"}},
		{"StrayQuotesTwiceWithoutEnd", `a/b; q"; y=\"; name=z`, "a/b", []string{`y=\`, "name=z"}, []string{"stray-text", "unquoted-value@y", "stray-text"}},
		{"QuotesInQuotes", `a/b; name="a"b"; mode="x"; size="3"`, "a/b", []string{"name=a", "mode=x", "size=3"}, []string{"stray-text"}},
		{"NestedQuotes", `a/b; name="a"b".txt"; size=3`, "a/b", []string{"name=a", "size=3"}, []string{"stray-text"}},
		{"StrayQuoteBehindValue", `a/b; charset=utf-8"; size=3`, "a/b", []string{"charset=utf-8", "size=3"}, []string{"stray-text"}},
		{"StrayBackslashes", `a/b; \"\;x size=3`, "a/b", []string{"size=3"}, []string{"stray-text", "missing-semicolon"}},
		{"StrayControl", "a/b; \x00; size=3", "a/b", []string{"size=3"}, []string{"stray-text"}},
		{"ControlAsSpace", "a/b;\v\rsize=3", "a/b", []string{"size=3"}, []string{"control"}},
		{"BadFolding", "a/b;\r\nsize=3", "a/b", []string{"size=3"}, []string{"bad-folding"}},
		{"DoubledCR", "a/b;\r\r\n size=3", "a/b", []string{"size=3"}, nil},
		{"DuplicatesEB8", "a/b; Name=x; size=1; name=y; NAME=x", "a/b", []string{"name=x", "size=1", "name=y", "name=x"}, []string{"duplicate@name", "duplicate@name"}},
		{"EncodedWordEB11", `a/b; name="=?utf-8?Q?=41?="`, "a/b", []string{"name==?utf-8?Q?=41?="}, []string{"encoded-word@name"}},
		{"EncodedWordInURLEB11", `a/b; url="http://h/?q==?utf-8?Q?=41?="`, "a/b", []string{"url=http://h/?q==?utf-8?Q?=41?="}, nil},
		{"EncodedWordUnquoted", "a/b; name==?utf-8?Q?a\\\\?=\r\n =?utf-8?Q?b?=; size=3", "a/b",
			[]string{"name==?utf-8?Q?a\\\\?= =?utf-8?Q?b?=", "size=3"}, []string{"encoded-word@name", "unquoted-value@name"}},
		{"SipHashSI10", "message/external-body; access-type=URL; URL=\"http://h/x\";\r\n size=3;\r\n hash=10AB568E91245681AC1B10AB568E91245681AC1B",
			"message/external-body", []string{"access-type=URL", "url=http://h/x", "size=3", "hash=10AB568E91245681AC1B10AB568E91245681AC1B"}, nil},
		{"SipURISI2", `a/b; URI="http://h/x"`, "a/b", []string{"uri=http://h/x"}, nil},
		{"TemplateTalkRadio", `a/b; site="$SITE"; size="14771098"`, "a/b", []string{"site=$SITE", "size=14771098"}, nil},
	})
}

func TestParseQuoted(t *testing.T) {
	runParseTests(t, []parseTest{
		{"Semicolon", `a/b; name="x;size=3"`, "a/b", []string{"name=x;size=3"}, nil},
		{"QuotedPairEB6", `a/b; name="a\"b\\c\(d"`, "a/b", []string{`name=a"b\c(d`}, nil},
		{"WindowsName", `a/b; name="C:\dir\f.txt"`, "a/b", []string{`name=C:\dir\f.txt`}, []string{"stray-backslash@name"}},
		{"WindowsShare", `a/b; name="\\\\host\\x"`, "a/b", []string{`name=\\host\x`}, nil},
		{"QuotedPairInURLEB6", `a/b; url="http\://h\/\x\\"; name="\x"`, "a/b", []string{`url=http://h/x\`, `name=\x`}, []string{"stray-backslash@name"}},
		{"FoldEB6", "a/b; name=\"one\r\n\t two\n three\"", "a/b", []string{"name=one\t two three"}, nil},
		{"FoldBareNewlinesJwz36", "a/b; url=\"http://h/\n\t\tpeople/\n\t\tindex.html\"", "a/b", []string{"url=http://h/\t\tpeople/\t\tindex.html"}, nil},
		{"FoldDoubledCR", "a/b; name=\"one\r\r\n two\"", "a/b", []string{"name=one two"}, nil},
		{"FoldBehindBackslash", "a/b; name=\"one\\\r\n two\"", "a/b", []string{"name=one\\ two"}, []string{"stray-backslash@name"}},
		{"BadFolding", "a/b; name=\"one\r\ntwo\"", "a/b", []string{"name=onetwo"}, []string{"bad-folding@name"}},
		{"BareCR", "a/b; name=\"one\rtwo\"", "a/b", []string{"name=one\rtwo"}, []string{"control@name"}},
		{"TrailingBlanksX144", "a/b; access-type=\"X-HTTP \t\"", "a/b", []string{"access-type=X-HTTP \t"}, nil},
		{"EightBit", "a/b; name=\"caf\xe9\"", "a/b", []string{"name=caf\xe9"}, []string{"eight-bit@name"}},
		{"UTF8", `a/b; name="café"`, "a/b", []string{"name=café"}, []string{"eight-bit@name"}},
		{"Control", "a/b; name=\"a\x00b\x7f\"", "a/b", []string{"name=a\x00b\x7f"}, []string{"control@name"}},
		{"FormFeed", "a/b; name=\"a\fb\"", "a/b", []string{"name=a\fb"}, []string{"control@name"}},
		{"NoEnd", "a/b; name=\"x y\r\n", "a/b", []string{"name=x y"}, []string{"unterminated-quote@name"}},
		{"NoEndNothing", `a/b; name="`, "a/b", []string{"name="}, []string{"unterminated-quote@name"}},
		{"NoEndButKnownParameter", `a/b; name="x;y; size=3`, "a/b", []string{"name=x;y", "size=3"}, []string{"unterminated-quote@name"}},
		{"NoEndWindowsFolder", `a/b; name="C:\dir\"; x=3`, "a/b", []string{`name=C:\dir\`, "x=3"}, []string{"unterminated-quote@name", "stray-backslash@name"}},
		{"NoEndTwice", `a/b; name="C:\"; site="\"`, "a/b", []string{`name=C:"; site=`}, []string{"stray-text"}},
		{"NoEndThenAnother", `a/b; name="x\"; size="3`, "a/b", []string{`name=x"; size=`}, []string{"stray-text"}},
	})
}

func TestParseUnquoted(t *testing.T) {
	runParseTests(t, []parseTest{
		{"URLUA10", "message/external-body; access-type=URL; URL=http://h/x;type=i; size=3", "message/external-body",
			[]string{"access-type=URL", "url=http://h/x;type=i", "size=3"}, []string{"unquoted-value@url"}},
		{"URLAtEndUA10", "a/b; url=http://h/x", "a/b", []string{"url=http://h/x"}, []string{"unquoted-value@url"}},
		{"URLBeforeKnownUA10", "a/b; url=http://h/x;Size =3", "a/b", []string{"url=http://h/x", "size=3"}, []string{"unquoted-value@url"}},
		{"URLBeforeUnknownUA10", "a/b; url=http://h/x;foo=3", "a/b", []string{"url=http://h/x;foo=3"}, []string{"unquoted-value@url"}},
		{"URLBeforeSemicolonAndSpaceUA10", "a/b; url=http://h/x; foo=3", "a/b", []string{"url=http://h/x", "foo=3"}, []string{"unquoted-value@url"}},
		{"URLBeforeLongUnknownUA10", "a/b; url=http://h/x;modification-date=3", "a/b", []string{"url=http://h/x;modification-date=3"}, []string{"unquoted-value@url"}},
		{"URLBeforeKnownWithoutValueUA10", "a/b; url=http://h/x;size;name*0 = y", "a/b", []string{"url=http://h/x;size", "name=y"}, []string{"unquoted-value@url"}},
		{"URLBeforeUnknownOfTwelveUA10", "a/b; url=http://h/x;content-type=y", "a/b", []string{"url=http://h/x;content-type=y"}, []string{"unquoted-value@url"}},
		{"URLTrailingSemicolonUA10", "a/b; url=http://h/x;", "a/b", []string{"url=http://h/x"}, []string{"unquoted-value@url", "stray-semicolon"}},
		{"URLCommentUA10", "a/b; url=http://h/x(c); size=3", "a/b", []string{"url=http://h/x", "size=3"}, []string{"unquoted-value@url"}},
		{"URLSpaceUA10", "a/b; url=http://h/x\r\n size=3", "a/b", []string{"url=http://h/x", "size=3"}, []string{"unquoted-value@url", "missing-semicolon"}},
		{"URLSectionUA10", "a/b; url*0=http://h;url*1=/x", "a/b", []string{"url=http://h/x"}, []string{"unquoted-value@url", "unquoted-value@url"}},
		{"URLDataCharsetUA10", "a/b; url=data:text/plain;charset=utf-8,x", "a/b", []string{"url=data:text/plain;charset=utf-8,x"}, []string{"unquoted-value@url"}},
		{"URLTspecialsUA8", "a/b; url=http://[::1]:8/a?b=c,<d>@e/f", "a/b", []string{"url=http://[::1]:8/a?b=c,<d>@e/f"}, []string{"unquoted-value@url"}},
		{"URLThatIsAToken", "a/b; url=x;type=i", "a/b", []string{"url=x", "type=i"}, nil},
		{"OtherNameEndsAtSemicolon", "a/b; name=http://h/x;type=i", "a/b", []string{"name=http://h/x", "type=i"}, []string{"unquoted-value@name"}},
		{"PathJwz45", "a/b; name=/etc/passwd; site=h", "a/b", []string{"name=/etc/passwd", "site=h"}, []string{"unquoted-value@name"}},
		{"WindowsPath", `a/b; name=C:\dir\f.txt; site=h`, "a/b", []string{`name=C:\dir\f.txt`, "site=h"}, []string{"unquoted-value@name"}},
		{"NameWithBlanks", "attachment; filename=my annual report.pdf", "attachment", []string{"filename=my annual report.pdf"}, []string{"unquoted-value@filename"}},
		{"NameWithBlanksThenMore", "a/b; name=my long, file.txt\t; site=h", "a/b", []string{"name=my long, file.txt", "site=h"}, []string{"unquoted-value@name"}},
		{"NameWithBlanksThenParameter", "a/b; name=my file.txt size =3", "a/b", []string{"name=my file.txt", "size=3"}, []string{"unquoted-value@name", "missing-semicolon"}},
		{"NameWithBlanksThenComment", "a/b; name=my file.txt (mine); size=3", "a/b", []string{"name=my file.txt", "size=3"}, []string{"unquoted-value@name"}},
		{"NameWithBlanksThenQuote", `a/b; name=my "file".txt; size=3`, "a/b", []string{"name=my", "size=3"}, []string{"stray-text"}},
		{"NameWithBlanksAtFold", "a/b; name=my\r\n file.txt\r\n", "a/b", []string{"name=my file.txt"}, []string{"unquoted-value@name"}},
		{"NameOfAPathWithBlanks", "a/b; directory=/my files; name=x", "a/b", []string{"directory=/my files", "name=x"}, []string{"unquoted-value@directory"}},
		{"Boundary", "multipart/mixed; boundary=----=_Part:1", "multipart/mixed", []string{"boundary=----=_Part:1"}, []string{"unquoted-value@boundary"}},
		{"BoundaryBehindBlank", "multipart/mixed; boundary= =_x", "multipart/mixed", []string{"boundary==_x"}, []string{"unquoted-value@boundary"}},
		{"Address", "a/b; server=l@b.example; size=3", "a/b", []string{"server=l@b.example", "size=3"}, []string{"unquoted-value@server"}},
		{"EightBit", "a/b; name=caf\xe9; size=3", "a/b", []string{"name=caf\xe9", "size=3"}, []string{"unquoted-value@name", "eight-bit@name"}},
		{"Control", "a/b; name=a\x00b; size=3", "a/b", []string{"name=a\x00b", "size=3"}, []string{"unquoted-value@name", "control@name"}},
		{"NoEncodedWordBeforeOne", "a/b; name=a:b =?x?=; size=3", "a/b", []string{"name=a:b", "size=3"}, []string{"unquoted-value@name", "stray-text"}},
		{"Comment", "a/b; charset=us-ascii (plain text)", "a/b", []string{"charset=us-ascii"}, nil},
	})
}

func TestGet(t *testing.T) {
	v := param.Parse(`a/b; name=x; NAME=y; filename="f"; filename*=utf-8''%66f`)
	for _, test := range []struct {
		name, want string
		ok         bool
	}{
		{"name", "x", true},      // EB-8
		{"filename", "ff", true}, // RFC 6266 section 4.3
		{"Name", "", false},
		{"size", "", false},
	} {
		if got, ok := v.Get(test.name); got != test.want || ok != test.ok {
			t.Errorf("Get(%q) = %q, %v, want %q, %v", test.name, got, ok, test.want, test.ok)
		}
	}
}

func TestConflict(t *testing.T) {
	for _, test := range []struct {
		name, field string
		want        bool
	}{
		{"One", `a/b; url="x"`, false},
		{"None", `a/b; name="x"`, false},
		{"SameEB8", `a/b; url="x"; URL=x; url=(c)x`, false},
		{"DifferentEB8", `a/b; url="x"; a=b; URL=x; url=y`, true},
		{"PlainAndExtended", `a/b; url="x"; url*=us-ascii''y`, true},
		{"PlainAndExtendedSame", `a/b; url="x"; url*=us-ascii''%78`, false},
		{"ExtendedTwice", `a/b; url*=us-ascii''x; url*=us-ascii''y`, true},
		{"SectionTwice", `a/b; url*0="x"; url*1=y; url*1=z`, true},
		{"SectionTwiceSame", `a/b; url*0="x"; url*1=y; url*1=y`, false},
		{"SectionInBothForms", `a/b; url*0=x; url*1=%41; url*1*=%41`, true},
		{"SectionsTwice", `a/b; url*0=x; url*1=y; url*1=z; url*0=w`, true},
		{"SectionThrice", `a/b; url*0="x"; url*0="x"; url*0=z`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := param.Parse(test.field).Conflict("url"); got != test.want {
				t.Errorf("Parse(%q).Conflict(url) = %v, want %v", test.field, got, test.want)
			}
		})
	}
}

func TestManyDuplicates(t *testing.T) {
	v := param.Parse("a/b" + strings.Repeat("; a=1; b=2; c=3", 10))
	if len(v.Params) != 30 || len(v.Diags) != 27 {
		t.Fatalf("%d parameters and %d diags, want 30 and 27", len(v.Params), len(v.Diags))
	}
	if d := (param.Diag{Code: param.Duplicate, Param: "a", Offset: 20}); v.Diags[0] != d {
		t.Errorf("first diag is %v, want %v", v.Diags[0], d)
	}
}

func TestDiagsAreBounded(t *testing.T) {
	v := param.Parse("a/b" + strings.Repeat(";", 1000))
	if len(v.Diags) != 33 {
		t.Fatalf("%d diags, want 33", len(v.Diags))
	}
	for i, d := range v.Diags[:32] {
		if want := (param.Diag{Code: param.StraySemicolon, Offset: 4 + i}); d != want {
			t.Errorf("diag %d is %v, want %v", i, d, want)
		}
	}
	if d := v.Diags[32]; d.Code != param.More {
		t.Errorf("last diag is %v, want %s", d, param.More)
	}
}

func TestDiagOffsets(t *testing.T) {
	v := param.Parse(`a/b; name=x size="\3\4"; name=y;`)
	want := []param.Diag{
		{Code: param.MissingSemicolon, Offset: 12},
		{Code: param.StrayBackslash, Param: "size", Offset: 18},
		{Code: param.Duplicate, Param: "name", Offset: 25},
		{Code: param.StraySemicolon, Offset: 31},
	}
	if !slices.Equal(v.Diags, want) {
		t.Errorf("diags are %v, want %v", v.Diags, want)
	}
}

// Each of these takes far longer than a test may if a scan starts over at each
// place where the last one did.
func TestHostileInput(t *testing.T) {
	const n = 1 << 18
	for _, test := range []struct{ name, unit string }{
		{"Semicolons", ";"},
		{"OpenComments", "("},
		{"NestedComments", "(()"},
		{"NamesAndComments", "a(b)"},
		{"OpenNamesAndComments", "a ("},
		{"Quotes", `"`},
		{"OpenQuotes", `x="\`},
		{"HiddenQuotes", `x=\";`},
		{"HiddenQuotesInStrayText", `x \" ;`},
		{"Backslashes", `\`},
		{"LineBreaks", "\r\n"},
		{"CarriageReturns", "\r"},
		{"CarriageReturnsInQuotes", "\"\r\r\r\";"},
		{"Blanks", " "},
		{"Words", "x "},
		{"Duplicates", ";a=1"},
		{"Sections", ";a*0=1"},
		{"SectionsOfMany", ";a*0=1;b*0=2;a*1=3"},
		{"URLs", ";url=:;x"},
		{"OneURL", ";x=y:"},
		{"EncodedWords", "=?x?= "},
		{"HighOctets", "\xe2\x80"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, head := range []string{"", "a/b;", `a/b; x="\"`, "a/b; url=:"} {
				field := head + strings.Repeat(test.unit, n/len(test.unit))
				v := param.Parse(field)
				if err := checkBounds(field, v); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestAllocations(t *testing.T) {
	field := "message/external-body; access-type=URL; url=\"http://h/x\"; size=3"
	// The Value and its Params.
	if n := testing.AllocsPerRun(100, func() { param.Parse(field) }); n > 2 {
		t.Errorf("Parse allocates %v times, want at most 2", n)
	}
}

func TestParseSections(t *testing.T) {
	runParseTests(t, []parseTest{
		{"RFC2231Section3", "message/external-body; access-type=URL;\r\n URL*0=\"ftp://\";\r\n URL*1=\"h.example/pub/x.tar\"",
			"message/external-body", []string{"access-type=URL", "url=ftp://h.example/pub/x.tar"}, nil},
		{"RFC2231Section4", "a/b; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A", "a/b", []string{"title=This is ***fun***"}, nil},
		{"RFC2231Section41WithoutSemicolons", "a/b\r\n title*0*=us-ascii'en'This%20is%20even%20more%20\r\n title*1*=%2A%2A%2Afun%2A%2A%2A%20\r\n title*2=\"isn't it!\"",
			"a/b", []string{"title=This is even more ***fun*** isn't it!"}, []string{"missing-semicolon", "missing-semicolon", "missing-semicolon"}},
		{"AnyOrderEB10", "a/b; x*2=c; size=3; X*0=a; x*1=b", "a/b", []string{"x=abc", "size=3"}, nil},
		{"PlaceOfFirst", "a/b; x*1=b; size=3; x*0=a", "a/b", []string{"x=ab", "size=3"}, nil},
		{"TenAndMoreEB10", "a/b; x*10=k; x*9=j; x*8=i; x*7=h; x*6=g; x*5=f; x*4=e; x*3=d; x*2=c; x*1=b; x*0=a", "a/b", []string{"x=abcdefghijk"}, nil},
		{"MixedQuotingEB10", `a/b; x*0="a b"; x*1=c; x*2*=%20d; x*3="%20"`, "a/b", []string{"x=a bc d%20"}, nil},
		{"BlanksStayInSections", `a/b; x*0=" a "; x*1=" b "`, "a/b", []string{"x= a  b "}, nil},
		{"GapEB10", "a/b; x*0=a; x*2=c; x*3=d", "a/b", []string{"x=a"}, []string{"section-gap@x"}},
		{"NoFirstEB10", "a/b; x*1=b; size=3", "a/b", []string{"size=3"}, []string{"section-gap@x"}},
		{"HugeNumber", "a/b; x*0=a; x*18446744073709551617=b", "a/b", []string{"x=a"}, []string{"section-gap@x"}},
		{"LeadingZeroEB10", "a/b; x*0=a; x*01=b; x*00*=c", "a/b", []string{"x=ab", "x=cb"}, []string{"bad-section@x", "bad-section@x", "missing-charset@x", "duplicate@x"}},
		{"LeadingZeros", "a/b; name*00=a; name*01=b; name*010=c", "a/b", []string{"name=ab"}, []string{"bad-section@name", "bad-section@name", "bad-section@name", "section-gap@name"}},
		{"OtherAsterisks", "a/b; x**=a; *0=b; x*y=c; x*0*0=d; *=e", "a/b", []string{"x**=a", "*0=b", "x*y=c", "x*0*0=d", "*=e"},
			[]string{"bad-section@x**", "bad-section@*0", "bad-section@x*y", "bad-section@x*0*0", "bad-section@*"}},
		{"SectionTwice", "a/b; x*0=a; x*1=b; x*1=b", "a/b", []string{"x=ab"}, []string{"duplicate@x"}},
		{"SectionTwiceDifferentEB8", "a/b; x*0=a; x*1=b; x*1=c; x*2=d; x*1=e", "a/b", []string{"x=abd", "x=acd"}, []string{"duplicate@x", "duplicate@x"}},
		{"SectionsTwiceDifferentEB8", "a/b; x*1=a; x*0=b; x*1=c; y=z; x*0=d", "a/b", []string{"x=ba", "x=dc", "y=z"}, []string{"duplicate@x"}},
		{"PlainAndExtended", "a/b; x=a; x*=utf-8''b", "a/b", []string{"x=a", "x=b"}, []string{"duplicate@x"}},
		{"PercentOnceEB10UA11", "a/b; url*=us-ascii''http%3A//h/%2520", "a/b", []string{"url=http://h/%20"}, []string{"unquoted-value@url"}},
		{"PercentInPlainSectionEB10", "a/b; x*0*=us-ascii''%41; x*1=%41", "a/b", []string{"x=A%41"}, nil},
		{"WhiteSpaceStaysUA11", "a/b; url*0=\"http://h/\r\n a\"; url*1=\"/ b\"", "a/b", []string{"url=http://h/ a/ b"}, nil},
		{"UnquotedURLUA11", "a/b; url*0*=us-ascii''http://h:1/;url*1=a/b;size=3", "a/b", []string{"url=http://h:1/a/b", "size=3"}, []string{"unquoted-value@url", "unquoted-value@url"}},
		{"BadPercent", "a/b; x*=utf-8''100%; y*0=%; y*1*=%4", "a/b", []string{"x=100%", "y=%%4"}, []string{"bad-percent@x", "bad-percent@y"}},
		{"NoCharset", "a/b; x*=a%41; y*=utf-8'b", "a/b", []string{"x=aA", "y=utf-8'b"}, []string{"missing-charset@x", "missing-charset@y"}},
		{"CharsetOnlyInFirstEB10", "a/b; x*0*=us-ascii'; x*1*='a", "a/b", []string{"x=us-ascii''a"}, []string{"missing-charset@x"}},
		{"QuoteInValue", "a/b; x*=utf-8''it's%27", "a/b", []string{"x=it's'"}, nil},
		{"BlankCharset", "a/b; x*=''caf%E9", "a/b", []string{"x=caf\xe9"}, nil},
		{"Apostrophe", "a/b; name*=O'Brien.pdf", "a/b", []string{"name=O'Brien.pdf"}, []string{"missing-charset@name"}},
		{"Apostrophes", "a/b; name*=O'Brien's%20a.pdf", "a/b", []string{"name=O'Brien's a.pdf"}, []string{"missing-charset@name"}},
		{"ApostrophesRockNRoll", "a/b; name*0*=Rock'n'; name*1*=Roll%21.pdf", "a/b", []string{"name=Rock'n'Roll!.pdf"}, []string{"missing-charset@name"}},
		{"UnknownCharsetWithLanguage", "a/b; name*=x-none'pt-BR'a.pdf", "a/b", []string{"name=a.pdf"}, []string{"unknown-charset@name"}},
		{"CharsetWithOtherLanguage", "a/b; name*=utf-8'whatever'a.pdf", "a/b", []string{"name=a.pdf"}, nil},
		{"QuotedEncoded", `a/b; x*="utf-8''a%20b"`, "a/b", []string{"x=a b"}, []string{"quoted-section@x"}},
		{"QuotedLaterSection", `a/b; x*0*=utf-8''a; x*1*="%20b"`, "a/b", []string{"x=a b"}, []string{"quoted-section@x"}},
		{"UTF8AcrossSections", "a/b; x*0*=UTF-8''%C3; x*1*=%A9", "a/b", []string{"x=é"}, nil},
		{"BadUTF8", "a/b; x*=utf-8''caf%E9", "a/b", []string{"x=caf\xe9"}, []string{"bad-charset@x"}},
		{"BadASCII", "a/b; x*=us-ascii''caf%E9", "a/b", []string{"x=caf\xe9"}, []string{"bad-charset@x"}},
		{"Latin1", "a/b; x*=ISO-8859-1''caf%E9%80", "a/b", []string{"x=café€"}, nil},
		{"Latin1ASCII", "a/b; x*=latin1''%41", "a/b", []string{"x=A"}, nil},
		{"Windows1252", "a/b; x*=Windows-1252'de'%80%E9%9F%A0z", "a/b", []string{"x=€éŸ\u00a0z"}, nil},
		{"NoWindows1253", "a/b; x*=Windows-1253''%80%AA", "a/b", []string{"x=\x80\xaa"}, []string{"bad-charset@x"}},
		{"KOI8", "a/b; x*=koi8-r''%F0%D2%C9%CB%C1%DA", "a/b", []string{"x=Приказ"}, nil},
		{"GB2312AcrossSections", "a/b; x*0*=gb2312''%B1%A8%B8; x*1*=%E6", "a/b", []string{"x=报告"}, nil},
		{"ISO2022JP", "a/b; x*=iso-2022-jp''%1B$BJs9p%1B%28B", "a/b", []string{"x=報告"}, nil},
		{"OtherCharset", "a/b; x*=x-none''%C1", "a/b", []string{"x=\xc1"}, []string{"unknown-charset@x"}},
		{"UTF16", "a/b; x*=utf-16''a%00", "a/b", []string{"x=a"}, nil},
		{"UTF16ThatIsASCII", "a/b; x*=utf-16''ab", "a/b", []string{"x=ab"}, []string{"unknown-charset@x"}},
		{"EmptyExtended", "a/b; x*=utf-8''", "a/b", []string{"x="}, nil},
		{"NoValue", "a/b; x*=; y*0=", "a/b", []string{"x=", "y="}, []string{"empty-value@x", "missing-charset@x", "empty-value@y"}},
	})
}

func TestParamFields(t *testing.T) {
	v := param.Parse("a/b; x=1; Y*0*=Windows-1252'de-AT'%80; y*1=2; z*0=3")
	want := []param.Param{
		{Name: "x", Value: "1"},
		{Name: "y", Value: "€2", Charset: "Windows-1252", Language: "de-AT", Extended: true},
		{Name: "z", Value: "3", Extended: true},
	}
	if len(v.Params) != len(want) {
		t.Fatalf("%d parameters, want %d", len(v.Params), len(want))
	}
	for i, p := range v.Params {
		if p != want[i] {
			t.Errorf("parameter %d is %+v, want %+v", i, p, want[i])
		}
	}
}

// TestCorpus reads the external-body fields of real messages, which have all
// their parameters whatever else is wrong with them.
func TestCorpus(t *testing.T) {
	fields := regexp.MustCompile(`(?mi)^content-type:((?:.*\r?\n[ \t])*.*)\r?\n`)
	attributes := regexp.MustCompile(`(?m)(?:^|[; \t])([\w-]+)="?[^\s"]`)
	forgiven := []string{param.MissingSemicolon, param.StraySemicolon}
	n := 0
	for file, text := range testkit.Corpus(t) {
		for _, m := range fields.FindAllStringSubmatch(text, -1) {
			field := m[1]
			if !strings.Contains(strings.ToLower(field), "external-body") {
				continue
			}
			n++
			v := param.Parse(field)
			if v.Type != "message/external-body" {
				t.Errorf("%s: %q has the type %q, want %q", file, field, v.Type, "message/external-body")
			}
			for _, a := range attributes.FindAllStringSubmatch(field, -1) {
				if _, ok := v.Get(strings.ToLower(a[1])); !ok {
					t.Errorf("%s: %q: got no %s, want one", file, field, a[1])
				}
			}
			for _, d := range v.Diags {
				if !slices.Contains(forgiven, d.Code) {
					t.Errorf("%s: %q: got %v, want %v at most", file, field, d, forgiven)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d external-body fields, want more", n)
	}
}
