package param_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/param"
)

func ExampleParse() {
	v := param.Parse("Message/External-body; access-type=URL (see below)\r\n" +
		"\tURL*0=\"ftp://ftp.example/\"; URL*1=pub/a.txt; size=")
	fmt.Println(v.Type)
	for _, p := range v.Params {
		fmt.Printf("%s = %q\n", p.Name, p.Value)
	}
	for _, d := range v.Diags {
		fmt.Printf("forgiven at %d: %s\n", d.Offset, d.Code)
	}
	// Output:
	// message/external-body
	// access-type = "URL"
	// url = "ftp://ftp.example/pub/a.txt"
	// size = ""
	// forgiven at 53: missing-semicolon
	// forgiven at 87: unquoted-value
	// forgiven at 98: empty-value
}

func ExampleAppendParam() {
	b := []byte("message/external-body")
	for _, p := range [][2]string{
		{"access-type", "local-file"},
		{"name", "/pub/März.txt"},
		{"site", "h.example, the old one"},
	} {
		b = append(b, "; "...)
		b = param.AppendParam(b, p[0], p[1])
	}
	fmt.Printf("%s\n", b)
	// Output:
	// message/external-body; access-type=local-file; name*=utf-8''%2Fpub%2FM%C3%A4rz.txt; site="h.example, the old one"
}

func ExampleSkim() {
	field := "message/external-body; access-type=URL; URL=\"data:,a long text,\r\n\tof which a few octets are kept\"; size=48"
	s, err := param.Skim(strings.NewReader(field), 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Field)
	fmt.Println(s.Long, s.Octets)
	io.Copy(os.Stdout, param.NewValueReader(strings.NewReader(field), "url"))
	// Output:
	// message/external-body; access-type=URL; URL="data:,a long"; size=48
	// [url] 51
	// data:,a long text,	of which a few octets are kept
}
