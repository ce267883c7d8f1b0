package page

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// What strangers wrote is text on the page, and nothing on it is from elsewhere.
func TestPage(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	h := Handler(func() Facts {
		return Facts{
			Now: now, Started: now.Add(-time.Hour), Policy: "policy.toml", Rules: 3, Pending: 17,
			Hosts: []throttle.Host{{Name: "down.example:443", Down: now.Add(time.Minute)}, {Name: "busy.example:443", InFlight: 2}},
			Last:  []serve.Past{{Time: now, Front: "milter", QueueID: "<script>", Verdict: "malware", Action: "reject", Rule: "r", Reasons: []string{"<img src=x>"}}},
		}
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	got := w.Body.String()
	for _, want := range []string{"down.example:443", "03:05:05", "busy.example:443", "&lt;script&gt;", "&lt;img src=x&gt;", ">17<", "1h0m0s"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=x>", "url(", "@import"} {
		if strings.Contains(strings.ReplaceAll(got, "&lt;img src=x&gt;", ""), bad) {
			t.Errorf("got %q in the page, want it nowhere", bad)
		}
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("got the policy %q, want default-src 'none' first", csp)
	}
	if strings.Index(got, "down.example") > strings.Index(got, "Hosts being asked") {
		t.Error("a host that is down is among those being asked")
	}
}

func ExampleHandler() {
	w := httptest.NewRecorder()
	Handler(func() Facts { return Facts{} }).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Println(strings.Contains(w.Body.String(), "no policy: messages are tagged and pass"))
	// Output: true
}
