package rewrite_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A session receives messages by LMTP and hands them on. Its method Data has the form of a
// Session of go-smtp.
type session struct {
	resolver *externalbody.Resolver
	deliver  func(message io.Reader) error
}

// Data puts the bodies into a message that fit, and delivers it. A message that cannot be read or
// rewritten is delivered as it came: a filter loses no mail.
func (s *session) Data(r io.Reader) error {
	original, err := os.CreateTemp("", "message")
	if err != nil {
		return err // 451: the client tries again
	}
	defer os.Remove(original.Name())
	defer original.Close()
	size, err := io.Copy(original, r)
	if err != nil {
		return err
	}
	rewritten, err := os.CreateTemp("", "message")
	if err != nil {
		return err
	}
	defer os.Remove(rewritten.Name())
	defer rewritten.Close()
	if err := s.inline(rewritten, original, size); err != nil {
		return s.deliver(io.NewSectionReader(original, 0, size))
	}
	if _, err := rewritten.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return s.deliver(rewritten)
}

func (s *session) inline(dst io.Writer, src io.ReaderAt, size int64) error {
	m, err := externalbody.Open(src, size, nil)
	if err != nil {
		return err
	}
	_, err = rewrite.Inline(context.Background(), dst, m, &rewrite.InlineOptions{
		Resolver:  s.resolver,
		At:        rewrite.Delivery,
		MaxOutput: 10 << 20,
	})
	return err
}

// A filter between two mail servers puts bodies into messages, and passes on references that it
// cannot resolve.
func Example_filter() {
	s := &session{
		resolver: &externalbody.Resolver{
			Fetcher:  safefetch.New(nil),
			MaxBytes: 1 << 20,
			Timeouts: fetch.Timeouts{Total: time.Minute},
		},
		deliver: func(message io.Reader) error {
			text, err := io.ReadAll(message)
			text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
			fmt.Printf("%s==\n", text)
			return err
		},
	}
	for _, url := range []string{"data:,hello%20world", "http://10.0.0.1/x"} {
		err := s.Data(strings.NewReader("Subject: hello\r\n" +
			"MIME-Version: 1.0\r\n" +
			"Content-Type: message/external-body; access-type=URL; URL=\"" + url + "\"\r\n" +
			"\r\n" +
			"Content-Type: text/plain\r\n" +
			"\r\n"))
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Subject: hello
	// MIME-Version: 1.0
	// Content-Type: text/plain
	// Content-Transfer-Encoding: 7bit
	//
	// hello world==
	// Subject: hello
	// MIME-Version: 1.0
	// Content-Type: message/external-body; access-type=URL; URL="http://10.0.0.1/x"
	//
	// Content-Type: text/plain
	//
	// ==
}
