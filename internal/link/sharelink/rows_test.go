package sharelink_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

func TestReadHosts(t *testing.T) {
	hosts, err := sharelink.ReadHosts(strings.NewReader(`# our hosts
files.example	/s/{token}/{name}	file	/get/{token}?name={name}	# below the host
files.example	/d/{token}	folder	-

Files.Example:8443/cloud	/{token}	file	http://dl.files.example:8080/{token}
cdn.example	/view/{token}	file	https://other.example/raw/{token}/x` + "\r\n" +
		"list.example	/{token}	file	-  \n"))
	if err != nil {
		t.Fatal(err)
	}
	hosts["files.example"] = sharelink.Join(hosts["files.example"], "seafile")
	table, err := sharelink.NewTable(hosts)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ url, want string }{
		{"https://files.example/s/aB1/a%20b%26.pdf?x#y", "files.example file aB1 [a b&.pdf] https://files.example/get/aB1?name=a%20b%26.pdf"},
		{"http://files.example/s/aB1/%252e%252e", "files.example file aB1 [%2e%2e] http://files.example/get/aB1?name=%252e%252e"},
		{"https://files.example/s/aB1/a%zz.pdf", "files.example file aB1 [] "},
		{"https://files.example/s/a%2FB/x.pdf", ""},
		{"https://files.example/s/login/x.pdf", ""},
		{"https://files.example/s/aB1", ""},
		{"https://files.example/f/aB1", "seafile file aB1 [] https://files.example/f/aB1?dl=1"},
		{"https://files.example/d/aB1", "files.example folder aB1 [] "},
		{"http://files.example:8443/cloud/aB1", "files.example file aB1 [] http://dl.files.example:8080/aB1"},
		{"https://files.example:8443/cloud/aB1", "files.example file aB1 [] "}, // a template of http
		{"https://files.example:8443/aB1", ""},
		{"https://cdn.example/view/aB1", "cdn.example file aB1 [] https://other.example/raw/aB1/x"},
		{"https://x.cdn.example/view/aB1", ""},
		{"https://list.example/aB1", "list.example file aB1 [] "},
	} {
		got := ""
		if l, ok := table.Match(tt.url); ok {
			got = fmt.Sprintf("%s %s %s [%s] %s", l.Provider, l.Kind, l.ID, l.Name, l.Direct)
			if !hinted(table.Hints(), tt.url) {
				t.Errorf("%s: got no hint, want one", tt.url)
			}
		}
		if got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.url, got, tt.want)
		}
	}
}

func TestReadHostsRefused(t *testing.T) {
	const good = "a.example\t/{token}\tfile\t-\n"
	for _, tt := range []struct{ name, row string }{
		{"Spaces", "a.example /{token} file -"},
		{"Columns", "a.example\t/{token}\tfile"},
		{"MoreColumns", "a.example\t/{token}\tfile\t-\t-"},
		{"NoHost", "\t/{token}\tfile\t-"},
		{"Host", "a b\t/{token}\tfile\t-"},
		{"HostWithUser", "u@a.example\t/{token}\tfile\t-"},
		{"AnyHost", "*\t/{token}\tfile\t-"},
		{"HostsBelow", ".example\t/{token}\tfile\t-"},
		{"OtherScheme", "ftp://a.example\t/{token}\tfile\t-"},
		{"Kind", "a.example\t/{token}\tpage\t-"},
		{"Relative", "a.example\ts/{token}\tfile\t-"},
		{"NoToken", "a.example\t/s/x\tfile\t-"},
		{"TwoTokens", "a.example\t/{token}/{token}\tfile\t-"},
		{"TwoNames", "a.example\t/{token}/{name}/{name}\tfile\t-"},
		{"PartOfSegment", "a.example\t/x{token}\tfile\t-"},
		{"OtherPiece", "a.example\t/{token}/{owner}\tfile\t-"},
		{"Rest", "a.example\t/{token}/*\tfile\t-"},
		{"EmptySegment", "a.example\t/{token}/\tfile\t-"},
		{"Dots", "a.example\t/s/../{token}\tfile\t-"},
		{"Escape", "a.example\t/%73/{token}\tfile\t-"},
		{"Query", "a.example\t/get?id={token}\tfile\t-"},
		{"FolderWithURL", "a.example\t/{token}\tfolder\t/{token}/zip"},
		{"NoTemplate", "a.example\t/{token}\tfile\t"},
		{"TemplateWithoutToken", "a.example\t/{token}\tfile\t/x"},
		{"TemplateWithOtherPiece", "a.example\t/{token}\tfile\t/{token}/{id}"},
		{"TemplateWithoutName", "a.example\t/{token}\tfile\t/{token}/{name}"},
		{"TemplateScheme", "a.example\t/{token}\tfile\tfile:///etc/{token}"},
		{"TemplateOtherScheme", "a.example\t/{token}\tfile\tftp://a.example/{token}"},
		{"TemplateHost", "a.example\t/{token}\tfile\thttps://{token}/x"},
		{"TemplateHostBelow", "a.example\t/{token}\tfile\thttps://{token}.a.example/{token}"},
		{"TemplatePort", "a.example\t/{token}\tfile\thttps://a.example:{token}/{token}"},
		{"TemplateUser", "a.example\t/{token}\tfile\thttps://u:p@a.example/{token}"},
		{"TemplateSpace", "a.example\t/{token}\tfile\t/a b/{token}"},
	} {
		_, err := sharelink.ReadHosts(strings.NewReader("# comment\n" + good + tt.row + "\n" + good))
		if err == nil || !strings.HasPrefix(err.Error(), "line 3: share: ") {
			t.Errorf("%s: got %v, want an error with line 3", tt.name, err)
		}
	}
	if _, err := sharelink.ReadHosts(strings.NewReader(strings.Repeat(good, 1000))); err != nil {
		t.Errorf("1000 rows: %v", err)
	}
	if _, err := sharelink.ReadHosts(strings.NewReader(strings.Repeat(good, 1001))); err == nil || !strings.HasPrefix(err.Error(), "line 1001: ") {
		t.Errorf("1001 rows: got %v, want an error", err)
	}
	if _, err := sharelink.ReadHosts(strings.NewReader(good + strings.Repeat("x", 1<<17))); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("a long line: got %v, want an error", err)
	}
}
