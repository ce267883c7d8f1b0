package spool_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-extbody/extbody/internal/spool"
)

func ExampleHold() {
	text, release, err := spool.Hold(context.Background(), strings.NewReader("Subject: x\n\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()
	word := make([]byte, 7)
	_, err = io.ReadFull(io.NewSectionReader(text, 0, text.Size()), word)
	fmt.Printf("%s %d %v\n", word, text.Size(), err)
	// Output: Subject 12 <nil>
}
