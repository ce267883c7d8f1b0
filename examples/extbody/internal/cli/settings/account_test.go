package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const workAccount = `
[account.work]
provider = "graph"
user = "ann@contoso.example"
hosts = ["contoso.sharepoint.com", ".contoso.example"]
token-command = "oama access ann@contoso.example"
first = true
cloud = "us"
digests = "note"
`

// OP-55: an account is a table of the file, whose mistakes have the line.
func TestAccounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(workAccount), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := ReadAccounts(file)
	if err != nil || len(all) != 1 || all[0].Name != "work" || len(all[0].Hosts) != 2 || !all[0].First || all[0].Digests != "note" {
		t.Errorf("got %+v, %v; want the account", all, err)
	}
	for name, tt := range map[string]struct{ old, new, want string }{
		"Key":        {"first = true", "frist = true", `"frist"`},
		"Provider":   {`"graph"`, `"box"`, "box"},
		"NoHosts":    {`hosts = ["contoso.sharepoint.com", ".contoso.example"]`, "", "hosts"},
		"API":        {`"contoso.sharepoint.com"`, `"graph.microsoft.us"`, "covers the host of the API"},
		"Command":    {`token-command = "oama access ann@contoso.example"`, "", "token-command"},
		"Secret":     {`"oama access`, `"echo token=abc`, "secrets are not kept here"},
		"Cloud":      {`"us"`, `"http://graph.example"`, "cloud"},
		"OtherCloud": {`"graph"`, `"drive"`, "cloud: drive has no cloud of that name"},
		"SameHost": {"digests = ", "[account.other]\nprovider = \"graph\"\ntoken-command = \"x\"\nhosts = [\"contoso.sharepoint.com\"]\ndigests = ",
			"contoso.sharepoint.com is a host of the account work as well"},
		"Digests": {`"note"`, `"none"`, "digests"},
		"First":   {"true", `"yes"`, "first"},
		"Name":    {"[account.work]", `[account."a b"]`, "name"},
		"Table":   {"[account.work]", "[account]", "want a table for each account"},
	} {
		if err := os.WriteFile(file, []byte(strings.Replace(workAccount, tt.old, tt.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAccounts(file); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "config.toml:") {
			t.Errorf("%s: got %v, want %q and the line", name, err, tt.want)
		}
	}
	if err := os.WriteFile(file, []byte(workAccount), 0o622); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o622); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAccounts(file); err == nil {
		t.Error("got accounts of a file that others may write, want an error")
	}
}
