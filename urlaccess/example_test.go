package urlaccess_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-extbody/extbody/urlaccess"
)

func ExampleDecode() {
	// The value of the parameter as it stands in the header, without quotes.
	param := "ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/\r\n" +
		"\t8/9/10/11/12/13/14/15/16/17/18/20/21/\r\n" +
		"\tfile.html"
	rawURL, err := urlaccess.Decode(param)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rawURL)
	// Output:
	// ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/20/21/file.html
}

func ExampleDecode_refused() {
	_, err := urlaccess.Decode("http://a.example/\x00")
	fmt.Println(err)
	fmt.Println(errors.Is(err, urlaccess.ControlCharacter))
	// Output:
	// url parameter: control character at octet 17
	// true
}

func ExampleDecodeReport() {
	rawURL, repairs, err := urlaccess.DecodeReport("<URL:http://a.example/b\u00f6tes>")
	fmt.Println(rawURL, repairs, err)
	// Output:
	// http://a.example/b%C3%B6tes [wrapper-removed eight-bit-encoded] <nil>
}

func ExampleEncode() {
	fmt.Println(urlaccess.Encode("http://files.example/2026/quarterly report.pdf"))
	// Output:
	// http://files.example/2026/ quarterly%20report.pdf
}

func ExampleWords() {
	const rawURL = "ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/20/21/file.html"
	fmt.Print("Content-Type: message/external-body; access-type=URL;\n\tURL=\"")
	separator := ""
	for word := range urlaccess.Words(rawURL) {
		fmt.Print(separator, word)
		separator = "\n\t"
	}
	fmt.Println(`"`)
	// Output:
	// Content-Type: message/external-body; access-type=URL;
	// 	URL="ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/
	// 	9/10/11/12/13/14/15/16/17/18/20/21/
	// 	file.html"
}

func ExampleScheme() {
	for _, rawURL := range []string{"HTTP://a.example/", "images/b.png", "-o/etc/passwd"} {
		scheme, ok := urlaccess.Scheme(rawURL)
		fmt.Printf("%q %v\n", scheme, ok)
	}
	// Output:
	// "http" true
	// "" false
	// "" false
}

func ExampleNewReader() {
	// The value of the parameter may be as long as a file, and is not held.
	param := strings.NewReader("data:text/plain,one,\r\n\ttwo,\r\n\tthree")
	io.Copy(os.Stdout, urlaccess.NewReader(param))
	// Output:
	// data:text/plain,one,two,three
}
