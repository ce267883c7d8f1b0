package form_test

import (
	"fmt"

	"github.com/go-extbody/extbody/urlaccess/form"
)

func ExampleParse() {
	fields, err := form.Parse("name=Bo%C3%B6tes;visible;note=&name=Big+Dipper")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range fields {
		fmt.Printf("%q %q %v\n", f.Name, f.Value, f.HasValue)
	}
	// Output:
	// "name" "Boötes" true
	// "visible" "" false
	// "note" "" true
	// "name" "Big Dipper" true
}

func ExampleParse_malformed() {
	fields, err := form.Parse("a=1;b=Bo%F6tes")
	fmt.Println(len(fields), err)
	// Output:
	// 0 form: not UTF-8 at octet 6
}

func ExampleEncode() {
	fmt.Println(form.Encode([]form.Field{
		{Name: "a&b", Value: "1", HasValue: true},
		{Name: "c"},
		{Name: "d", HasValue: true},
	}))
	// Output:
	// a%26b=1;c;d=
}

// A query of an HTTP URL is read as its server reads it.
func ExampleOptions_Parse() {
	query := form.Options{AmpersandOnly: true}
	fields, err := query.Parse("page=1;admin=1&lang=en")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range fields {
		fmt.Println(f.Name, f.Value)
	}
	fmt.Println(query.Encode(fields))
	// Output:
	// page 1;admin=1
	// lang en
	// page=1%3Badmin%3D1&lang=en
}
