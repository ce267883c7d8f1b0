package hosts

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

func TestExplain(t *testing.T) {
	table, err := sharelink.NewTable(map[string]string{"files.example": "seafile"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, url, want string }{
		{"File", "https://www.dropbox.com/s/abcdef123456789/report.pdf?dl=0", `share link of dropbox, file, name "report.pdf", fetched at https://www.dropbox.com`},
		{"Folder", "https://www.dropbox.com/sh/abcdef123456789/AAAabcdef", "share link of dropbox, folder"},
		{"NotFetched", "https://www.dropbox.com/sh/abcdef123456789/AAAabcdef", "share link of dropbox, folder, not fetched: it is a folder; the path matches /sh/{"},
		{"Encrypted", "https://mega.nz/file/abcdefgh1a#0123456789abcdef0123456789abcdef0123456789a", "share link of mega, file, not fetched: it is encrypted"},
		{"NoKey", "https://mega.nz/file/abcdefgh1a", "share link of mega, file, not fetched: it is encrypted, and the host does not have the key; the path matches /file/{id}; its key is missing"},
		{"Asked", "https://disk.yandex.ru/d/abcdefghijklmn1a", "share link of yandex"},
		{"OwnOtherShape", "https://files.example/x", "no reference: the host is known"},
		{"NeedsProgram", "https://www.dropbox.com/t/abcdef123456789", "share link of dropbox, page, not fetched: it needs the host's program"},
		{"Wrapped", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.dropbox.com%2Fs%2Fabcdef123456789%2Fa.pdf", "wrapped by safelinks; share link of dropbox"},
		{"OtherShape", "https://www.dropbox.com/login", "no reference: the host is known"},
		{"Own", "https://files.example/f/0123456789abcdef0123/", "share link of seafile, file"},
		{"Guessed", "https://cloud.example/index.php/s/abcdefghijklmno", "share link of nextcloud, page, guessed"},
		{"Unknown", "https://a.example/b", "no reference: the host is not known"},
		{"NoURL", "mailto:a@b.example", "no reference: it is not an absolute http"},
	} {
		if got := explain(table, tt.url).Why; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q first", tt.name, got, tt.want)
		}
	}
}
