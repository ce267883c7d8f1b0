package policy_test

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/externalbody"
)

func Example() {
	var p policy.Policy
	f := pflag.NewFlagSet("get", pflag.ContinueOnError)
	p.Flags(f)
	if err := f.Parse([]string{"--allow-port", "8080", "--max-bytes", "1MB"}); err != nil {
		fmt.Println(err)
		return
	}
	engine, err := p.Engine(nil, io.Discard)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	for _, url := range []string{"http://files.example:8080/a", "http://files.example:22/a", "tftp://files.example/a"} {
		plan := engine.Plan(&externalbody.Reference{ID: "1", AccessType: "url", Params: []externalbody.Param{{Name: "url", Value: url}}, Size: -1})
		fmt.Println(url, plan.Kind)
	}
	// Output:
	// http://files.example:8080/a unknown
	// http://files.example:22/a blocked
	// tftp://files.example/a blocked
}
