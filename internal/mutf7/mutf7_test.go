package mutf7_test

import (
	"fmt"
	"testing"

	"github.com/go-extbody/extbody/internal/mutf7"
)

func TestEncode(t *testing.T) {
	for in, want := range map[string]string{
		"INBOX": "INBOX", "a&b": "a&-b", "~peter/mail/台北/日本語": "~peter/mail/&U,BTFw-/&ZeVnLIqe-",
		"☺!": "&Jjo-!", "ä&": "&AOQ-&-", "😀": "&2D3eAA-",
	} {
		if got := mutf7.Encode(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func Example() {
	fmt.Println(mutf7.Encode("Entwürfe & more"))
	// Output: Entw&APw-rfe &- more
}
