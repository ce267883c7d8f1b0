package house

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/filefetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/imapfetch"
	"github.com/go-extbody/extbody/fetch/mailfetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// withoutOptions calls each function of the library that takes a pointer to options with nil. The
// result of New is asked for a URL, which the zero options refuse before anything is dialed.
var withoutOptions = map[string]func(ctx context.Context) error{
	"externalbody.Open": func(context.Context) error {
		_, err := letter()
		return err
	},
	"externalbody/dialect.With": func(context.Context) error {
		_, err := dialect.With(nil)
		return err
	},
	"externalbody/imapbody.Open": func(ctx context.Context) error {
		_, err := imapbody.Open(ctx, noOctets{}, imapbody.GoIMAP(&imap.BodyStructureSinglePart{Type: "text", Subtype: "plain"}), 0, nil)
		return err
	},
	"externalbody/rewrite.EditTexts": func(ctx context.Context) error {
		_, err := rewrite.EditTexts(ctx, io.Discard, must(letter()), nil)
		return wants(err, fetch.Unsupported)
	},
	"externalbody/rewrite.Externalize": func(ctx context.Context) error {
		_, err := rewrite.Externalize(ctx, io.Discard, must(letter()), nil)
		return wants(err, fetch.Unsupported)
	},
	"externalbody/rewrite.Inline": func(ctx context.Context) error {
		_, err := rewrite.Inline(ctx, io.Discard, must(letter()), nil)
		return wants(err, fetch.Unsupported)
	},
	"externalbody/rewrite.Normalize": func(ctx context.Context) error {
		_, err := rewrite.Normalize(ctx, io.Discard, must(letter()), nil)
		return err
	},
	"externalbody/rewrite.Remove": func(ctx context.Context) error {
		_, err := rewrite.Remove(ctx, io.Discard, must(letter()), nil)
		return err
	},
	"externalbody/rewrite.Seal": func(ctx context.Context) error {
		_, err := rewrite.Seal(ctx, io.Discard, must(letter()), nil)
		return err
	},
	"fetch/cache.New": func(ctx context.Context) error {
		return refuses(ctx, cache.New(httpfetch.New(nil), cache.Memory(1<<10), nil), "http://127.0.0.1/f")
	},
	"fetch/datafetch.New": func(ctx context.Context) error {
		_, err := datafetch.New(nil).Fetch(ctx, &fetch.Request{URL: must(url.Parse("data:,hello"))})
		return err
	},
	"fetch/filefetch.New": func(ctx context.Context) error { return refuses(ctx, filefetch.New(nil), "file:///f") },
	"fetch/ftpfetch.New":  func(ctx context.Context) error { return refuses(ctx, ftpfetch.New(nil), "ftp://127.0.0.1/f") },
	"fetch/httpfetch.New": func(ctx context.Context) error { return refuses(ctx, httpfetch.New(nil), "http://127.0.0.1/f") },
	"fetch/imapfetch.New": func(ctx context.Context) error {
		return refuses(ctx, imapfetch.New(nil), "imap://127.0.0.1/INBOX/;UID=1")
	},
	"fetch/mailfetch.New": func(ctx context.Context) error { return refuses(ctx, mailfetch.New(nil), "mailto:a@b.example") },
	"fetch/safefetch.New": func(ctx context.Context) error { return refuses(ctx, safefetch.New(nil), "http://127.0.0.1/f") },
	"fetch/tftpfetch.New": func(ctx context.Context) error { return refuses(ctx, tftpfetch.New(nil), "tftp://127.0.0.1/f") },
	"fetch/throttle.New": func(ctx context.Context) error {
		return refuses(ctx, throttle.New(httpfetch.New(nil), nil), "http://127.0.0.1/f")
	},
}

// TestNilOptions wants nil to be the zero options wherever the library takes a pointer to options.
func TestNilOptions(t *testing.T) {
	lib := exported(t, "./dataurl", "./externalbody/...", "./fetch/...", "./urlaccess/...")
	taking := make(map[string]bool)
	for dir := range packages(sources(t)) {
		if internal(dir) || isProgram(dir) {
			continue
		}
		pkg, err := lib.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range takesOptions(pkg) {
			taking[dir+"."+name] = true
			if withoutOptions[dir+"."+name] == nil {
				t.Errorf("got no call of %s.%s with nil, want one", dir, name)
			}
		}
	}
	for name, call := range withoutOptions {
		if !taking[name] {
			t.Errorf("%s takes no pointer to options", name)
		}
		t.Run(strings.ReplaceAll(name, "/", "."), func(t *testing.T) {
			if err := call(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// takesOptions returns the exported functions and methods with a parameter that is a pointer to a struct whose
// name ends with Options.
func takesOptions(pkg *types.Package) (names []string) {
	check := func(name string, f *types.Func) {
		if !f.Exported() {
			return
		}
		for v := range f.Signature().Params().Variables() {
			p, ok := v.Type().(*types.Pointer)
			if !ok {
				continue
			}
			if named, ok := p.Elem().(*types.Named); ok && strings.HasSuffix(named.Obj().Name(), "Options") {
				names = append(names, name)
			}
		}
	}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			check(name, obj)
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok && obj.Exported() {
				for m := range named.Methods() {
					check(name+"."+m.Name(), m)
				}
			}
		}
	}
	return names
}

// letter opens a message with one reference.
func letter() (*externalbody.Message, error) {
	const text = "Content-Type: message/external-body; access-type=url; url=\"data:,hello\"\r\n\r\nContent-ID: <a@b.example>\r\n\r\n"
	return externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
}

// noOctets is a Source of a message of which there is nothing but its structure.
type noOctets struct{}

func (noOctets) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	return make([][]byte, len(sections)), nil
}

func (noOctets) Whole(context.Context) (io.ReaderAt, int64, error) {
	return strings.NewReader(""), 0, nil
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// wants returns an error if err is not of that Kind.
func wants(err error, kind fetch.Kind) error {
	if !errors.Is(err, kind) {
		return fmt.Errorf("got error %v, want %v", err, kind)
	}
	return nil
}

// refuses returns an error if f does not refuse a URL.
func refuses(ctx context.Context, f fetch.Fetcher, text string) error {
	_, err := f.Fetch(ctx, &fetch.Request{URL: must(url.Parse(text))})
	if k := fetch.KindOf(err); k != fetch.Unsupported && k != fetch.Blocked && k != fetch.Denied && k != fetch.Credentials {
		return fmt.Errorf("got error %v, want a refusal", err)
	}
	return nil
}
