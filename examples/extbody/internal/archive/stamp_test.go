package archive_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// The user names one address. An authority, or who is in its place, leads to no other.
func TestStamperRedirect(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		authority := httptest.NewServer(http.RedirectHandler(other.URL, status))
		if der, err := archive.Stamper(authority.URL, nil)(t.Context(), make([]byte, 32)); err == nil {
			t.Errorf("%d: got %d octets, want an error", status, len(der))
		}
		authority.Close()
	}
	if asked {
		t.Error("the address that the authority redirects to was asked")
	}
}
