package record_test

import (
	"encoding/json"
	"fmt"

	"github.com/go-extbody/extbody/fetch/record"
)

// Octets that are not UTF-8 survive JSON.
func Example() {
	for _, text := range []string{"RETR caf\u00e9.txt", "RETR caf\xe9.txt"} {
		line, err := json.Marshal(record.Line{Sent: true, Text: record.Octets(text)})
		if err != nil {
			fmt.Println(err)
			return
		}
		var back record.Line
		fmt.Println(string(line), json.Unmarshal(line, &back) == nil && string(back.Text) == text)
	}
	// Output:
	// {"sent":true,"text":"RETR café.txt"} true
	// {"sent":true,"text":{"base64":"UkVUUiBjYWbpLnR4dA=="}} true
}
