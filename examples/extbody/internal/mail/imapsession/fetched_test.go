package imapsession

import (
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A winmail.dat is known by its name, wherever the server has that, if the type says
// nothing.
func TestStructureOutlookName(t *testing.T) {
	for _, tt := range []struct{ name, structure, want string }{
		{"Parameter", `("application" "octet-stream" ("name" "WinMail.dat") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, "winmail.dat"},
		{"Disposition", `("APPLICATION" "OCTET-STREAM" NIL NIL NIL "base64" 9000 NIL ("attachment" ("filename" "winmail.dat")) NIL NIL)`, "winmail.dat"},
		{"Literal", "(\"application\" \"octet-stream\" (\"name\" {11}\r\nwinmail.dat) NIL NIL \"base64\" 9000)", "winmail.dat"},
		{"OtherName", `("application" "octet-stream" ("name" "winmail.da") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, ""},
		{"OtherType", `("application" "pdf" ("name" "winmail.dat") NIL NIL "base64" 9000 NIL NIL NIL NIL)`, ""},
		{"NoName", `("application" "octet-stream" NIL NIL NIL "base64" 9000)`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bs, err := (&parser{wire.Parser{Rest: []byte(tt.structure)}}).structure(0)
			if err != nil {
				t.Fatal(err)
			}
			if got := bs.(*imap.BodyStructureSinglePart).Filename(); got != tt.want {
				t.Errorf("got the name %q, want %q", got, tt.want)
			}
		})
	}
}
