package webbody_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestObvious has the places where the code that a developer of clients writes first was
// once wrong, each as that code.
func TestObvious(t *testing.T) {
	// accepted gets a body whose server calls its type by another name.
	accepted := func(announced, served string) func(*testing.T) error {
		return func(t *testing.T) error {
			_, ref := body{announced, "x", ""}.resolve(t)
			r, _ := body{served, "x", ""}.resolve(t)
			spool, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, "")
			if err == nil {
				spool.Close()
			}
			return err
		}
	}
	// harmless serves a body that could run a script.
	harmless := func(mediaType string) func(*testing.T) error {
		return func(t *testing.T) error {
			r, ref := body{mediaType, "<script>alert(1)</script>", ""}.resolve(t)
			spool, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, "")
			if err != nil {
				return err
			}
			defer spool.Close()
			_, h, _, err := serve(t, func(w http.ResponseWriter, req *http.Request) { webbody.ServeSpool(w, req, spool, false) })
			if h.Get("Content-Type") != "application/octet-stream" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
				return fmt.Errorf("header %v", h)
			}
			return err
		}
	}
	// refused writes a reference that no reader accepts.
	refused := func(change func(*externalbody.Reference)) func(*testing.T) error {
		return func(*testing.T) error {
			ref := externalbody.NewReference("https://h.example/a.pdf")
			ref.MediaType, ref.ContentID = "application/pdf", externalbody.NewContentID("h.example")
			change(ref)
			if _, err := ref.WriteTo(io.Discard); fetch.KindOf(err) != fetch.Malformed {
				return fmt.Errorf("WriteTo: %v, want %v", err, fetch.Malformed)
			}
			return nil
		}
	}
	// failed resolves with a fetcher that fails.
	failed := func(err error, want fetch.Kind, text string) func(*testing.T) error {
		return func(t *testing.T) error {
			_, ref := body{"text/plain", "x", ""}.resolve(t)
			r := &externalbody.Resolver{Fetcher: fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, err })}
			if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != want || !strings.Contains(err.Error(), text) {
				return fmt.Errorf("%v, want %v with %q", err, want, text)
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name string
		do   func(*testing.T) error
	}{
		{"ServerTypeJPG", accepted("image/jpeg", "image/jpg")},
		{"ServerTypeZip", accepted("application/zip", "application/x-zip-compressed")},
		{"ServerTypePDF", accepted("application/pdf", "application/x-pdf")},
		{"ServerTypeOctets", accepted("application/pdf", "binary/octet-stream")},
		{"ServerTypeMP3", accepted("audio/mpeg", "audio/mp3")},
		{"ServeHTML", harmless("text/html")},
		{"ServeSVG", harmless("image/svg+xml")},
		{"ServeOtherDigest", func(t *testing.T) error {
			r, ref := body{"text/plain", strings.Repeat("x", 1<<20), "other"}.resolve(t)
			_, _, text, err := serve(t, func(w http.ResponseWriter, req *http.Request) {
				b, err := r.Resolve(req.Context(), ref)
				if err != nil {
					t.Error(err)
					return
				}
				webbody.ServeBody(w, req, b, false)
			})
			if err == nil {
				return fmt.Errorf("a complete answer of %d octets", len(text))
			}
			return nil
		}},
		{"WriteType", refused(func(r *externalbody.Reference) { r.MediaType = "pdf" })},
		{"WriteContentID", refused(func(r *externalbody.Reference) { r.ContentID = "a@b" })},
		{"WritePermission", refused(func(r *externalbody.Reference) { r.Permission = "write" })},
		{"WriteYear", refused(func(r *externalbody.Reference) { r.Expiration = time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC) })},
		{"Deadline", failed(context.DeadlineExceeded, fetch.Canceled, "deadline exceeded")},
		{"PlainError", failed(errors.New("the vault is closed"), fetch.Unavailable, "the vault is closed")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.do(t); err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}
