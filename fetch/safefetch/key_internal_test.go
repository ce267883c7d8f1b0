package safefetch

import (
	"net/url"
	"testing"
)

func TestKey(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"https://www.dropbox.com/s/x1a2B3c4D5e6F7g", "dropbox.com"},
		{"https://uc12.DL.dropboxusercontent.com./x", "dropboxusercontent.com"},
		// Where customers' own servers have names, one must not speak for all.
		{"https://1.2.0.192.bc.googleusercontent.com/x", "1.2.0.192.bc.googleusercontent.com:443"},
		{"https://anybody.my.salesforce-sites.com/x", "anybody.my.salesforce-sites.com:443"},
		{"https://drive.usercontent.google.com/x", "google.com"},
		{"https://tenant.sharepoint.com/x", "tenant.sharepoint.com"},
		{"https://tenant-my.sharepoint.com:8443/x", "tenant.sharepoint.com"},
		{"https://other.sharepoint.com/x", "other.sharepoint.com"},
		{"https://app.box.com/s/x1a2B3c4D5", "box.com"},
		{"https://acme.app.box.com/s/x1a2B3c4D5", "acme.box.com"},
		{"https://acme.box.com/s/x1a2B3c4D5", "acme.box.com"},
		{"https://acme.egnyte.com/dl/x1a2B3c4D5", "acme.egnyte.com"},
		{"https://acme.slack.com/files/U1/F1/x", "acme.slack.com"},
		{"https://files.slack.com/files-pri/T1AB-F2CD/x.pdf", "t1ab.slack.com"},
		{"https://files.slack.com/x", "slack.com"},
		{"https://public.boxcloud.com/x", "boxcloud.com"},
		{"https://notbox.com/x", "notbox.com:443"},
		{"http://h.example/x", "h.example:80"},
		{"https://h.example/x", "h.example:443"},
		{"http://H.example.:8080/x", "h.example:8080"},
		{"ftp://h.example/x", "h.example:21"},
		{"http://10.0.0.1/x", "10.0.0.1:80"},
		{"http://[2001:DB8::1]/x", "[2001:db8::1]:80"},
		{"http://localhost/x", "localhost:80"},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := Key(u); got != c.want {
			t.Errorf("%s: got %q, want %q", c.url, got, c.want)
		}
	}
}
