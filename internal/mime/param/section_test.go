package param_test

import (
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

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
		{"LeadingZeroEB10", "a/b; x*0=a; x*01=b; x*00*=c", "a/b", []string{"x=a", "x*01=b", "x*00*=c"}, []string{"bad-section@x*01", "bad-section@x*00*"}},
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
		{"QuotedEncoded", `a/b; x*="utf-8''a%20b"`, "a/b", []string{"x=a b"}, []string{"quoted-section@x"}},
		{"QuotedLaterSection", `a/b; x*0*=utf-8''a; x*1*="%20b"`, "a/b", []string{"x=a b"}, []string{"quoted-section@x"}},
		{"UTF8AcrossSections", "a/b; x*0*=UTF-8''%C3; x*1*=%A9", "a/b", []string{"x=é"}, nil},
		{"BadUTF8", "a/b; x*=utf-8''caf%E9", "a/b", []string{"x=caf\xe9"}, []string{"bad-charset@x"}},
		{"BadASCII", "a/b; x*=us-ascii''caf%E9", "a/b", []string{"x=caf\xe9"}, []string{"bad-charset@x"}},
		{"Latin1", "a/b; x*=ISO-8859-1''caf%E9%80", "a/b", []string{"x=café€"}, nil},
		{"Latin1ASCII", "a/b; x*=latin1''%41", "a/b", []string{"x=A"}, nil},
		{"Windows1252", "a/b; x*=Windows-1252'de'%80%E9%9F%A0z", "a/b", []string{"x=€éŸ\u00a0z"}, nil},
		{"NoWindows1252", "a/b; x*=Windows-1252''%80%81", "a/b", []string{"x=\x80\x81"}, []string{"bad-charset@x"}},
		{"KOI8", "a/b; x*=koi8-r''%F0%D2%C9%CB%C1%DA", "a/b", []string{"x=Приказ"}, nil},
		{"GB2312AcrossSections", "a/b; x*0*=gb2312''%B1%A8%B8; x*1*=%E6", "a/b", []string{"x=报告"}, nil},
		{"ISO2022JP", "a/b; x*=iso-2022-jp''%1B$BJs9p%1B%28B", "a/b", []string{"x=報告"}, nil},
		{"OtherCharset", "a/b; x*=x-none''%C1", "a/b", []string{"x=\xc1"}, []string{"unknown-charset@x"}},
		{"UTF16", "a/b; x*=utf-16''a%00", "a/b", []string{"x=a\x00"}, []string{"unknown-charset@x"}},
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
