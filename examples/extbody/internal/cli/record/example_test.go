package record_test

import (
	"fmt"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

func Example() {
	ref := &externalbody.Reference{ID: "1.2", AccessType: "url", MediaType: "image/png", Size: -1}
	r := record.New(record.InFile(&mailbox.Message{Path: "box.mbox", Index: 3}), ref, false)
	r.Resolved(&record.Result{Err: &fetch.Error{Op: "fetch", Kind: fetch.NotFound}}, false)
	if err := r.WriteJSON(os.Stdout); err != nil {
		fmt.Println(err)
	}
	var t record.Counts
	t.Add(r)
	fmt.Println(&t)
	// Output:
	// {"message":"box.mbox","index":3,"part":"","ref":"1.2","dialect":"","access_type":"url","content_type":"image/png","quoted":false,"status":"failed","kind":"not-found","error":"fetch: not-found"}
	// 1 reference in 0 messages: 1 failed
}
