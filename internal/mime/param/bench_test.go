package param_test

import (
	"fmt"
	"math/rand/v2"
	"mime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// benchFields returns about a megabyte of different fields of one kind, all of
// which the mime package accepts.
func benchFields(kind string) (fields []string, size int64) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 3+r.IntN(14))
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyz0123456789-."[r.IntN(38)]
		}
		return string(b)
	}
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	fold := func() string { return pick(" ", "\r\n ", "\r\n\t", "") }
	for size < 1<<20 {
		var s string
		switch kind {
		case "Text":
			s = pick("text/plain", "text/html", "TEXT/PLAIN") + "; charset=" + pick("utf-8", "us-ascii", `"utf-8"`, `"iso-8859-1"`, "US-ASCII")
			if r.IntN(3) == 0 {
				s += ";" + fold() + "format=flowed"
			}
		case "Multipart":
			s = "multipart/" + pick("mixed", "alternative", "related") + ";" + fold() + fmt.Sprintf("boundary=\"----=_%s_%d\"", word(), r.Uint32())
		case "FTP":
			s = pick("message/external-body", "Message/External-body") + ";" + fold() + fmt.Sprintf("name=\"%s.txt\"", word()) +
				";" + fold() + fmt.Sprintf("%s=\"ftp.%s.example\"", pick("site", "SITE"), word()) +
				";" + fold() + "access-type=" + pick("anon-ftp", `"anon-ftp"`, "ANON-FTP") +
				";" + fold() + fmt.Sprintf("directory=\"%s\"", word())
		case "URL":
			s = "message/external-body; access-type=URL;" + fold() + fmt.Sprintf("%s=\"https://%s.example/%s/%s?%s=%d\"", pick("URL", "url"), word(), word(), word(), word(), r.Uint32()) +
				fmt.Sprintf("; size=%d; expiration=\"Fri, %d Jun 2030 19:13:14 -0400\"", r.Uint32(), 1+r.IntN(30))
		case "Sections":
			s = "message/external-body; access-type=URL;" + fold() + fmt.Sprintf("URL*0=\"https://%s.example/\";", word()) +
				fold() + fmt.Sprintf("URL*1=\"%s/%s\"", word(), word())
		case "Filename":
			s = fmt.Sprintf("attachment; filename=\"%s.txt\"; filename*=utf-8''%%C3%%A9%s.txt", word(), word())
		}
		if _, _, err := mime.ParseMediaType(s); err != nil {
			panic(s)
		}
		fields = append(fields, strings.Clone(s))
		size += int64(len(s))
	}
	return fields, size
}

func BenchmarkParse(b *testing.B) {
	for _, kind := range []string{"Text", "Multipart", "FTP", "URL", "Sections", "Filename"} {
		fields, size := benchFields(kind)
		b.Run(kind+"/Parse", func(b *testing.B) {
			b.SetBytes(size / int64(len(fields)))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				param.Parse(fields[i])
				i = (i + 1) % len(fields)
			}
		})
		b.Run(kind+"/mime", func(b *testing.B) {
			b.SetBytes(size / int64(len(fields)))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				mime.ParseMediaType(fields[i])
				i = (i + 1) % len(fields)
			}
		})
	}
}

func BenchmarkParseLongValue(b *testing.B) {
	for _, test := range []struct{ name, unit string }{
		{"Plain", "abcdefgh"},
		{"Folded", strings.Repeat("x", 70) + "\r\n\t"},
		{"Escaped", `a\\b\"`},
	} {
		field := `a/b; name="` + strings.Repeat(test.unit, 1<<20/len(test.unit)) + `"`
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(field)))
			b.ReportAllocs()
			for b.Loop() {
				param.Parse(field)
			}
		})
	}
}

func BenchmarkAppendParam(b *testing.B) {
	dst := make([]byte, 0, 1024)
	values := []string{"1234", "https://h.example/some/where?x=y", "Bericht März.pdf"}
	b.SetBytes(22)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		param.AppendParam(dst, "name", values[i])
		i = (i + 1) % len(values)
	}
}
