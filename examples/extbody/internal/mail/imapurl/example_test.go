package imapurl_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
)

func ExampleParse() {
	u, err := imapurl.Parse("imaps://ann%40b.example@mail.example/Entwürfe/;UID=7")
	fmt.Println(u, err)
	fmt.Println(u.Address(), u.User, u.Mailbox, u.UID)
	// Output:
	// imaps://ann%40b.example@mail.example/Entw%C3%BCrfe/;UID=7 <nil>
	// mail.example:993 ann@b.example Entwürfe 7
}
