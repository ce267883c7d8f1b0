package mediatype

import "testing"

func TestMediaType(t *testing.T) {
	for name, want := range map[string]string{
		"a.pdf":        "application/pdf",
		"a.b.DOCX":     "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"photo.JPEG":   "image/jpeg",
		"a.rtf":        "application/rtf",
		"a.unheard-of": "",
		"pdf":          "",
		"a.":           "",
		"":             "",
	} {
		if got := MediaType(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestExtension(t *testing.T) {
	for mediaType, want := range map[string]string{
		"image/jpeg": ".jpg",
		"text/rtf":   ".rtf",
		"image/PNG":  "",
		"":           "",
	} {
		if got := Extension(mediaType); got != want {
			t.Errorf("%q: %q, want %q", mediaType, got, want)
		}
	}
}

// Each type in the table has an extension that stands for a type.
func TestTable(t *testing.T) {
	seen := make(map[pair]bool)
	for _, p := range pairs {
		if Extension(p.mediaType) == "" || MediaType("a"+p.ext) == "" || seen[p] {
			t.Error(p)
		}
		seen[p] = true
	}
}
