package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/internal/testkit"
)

// withSettings makes a text the settings of the user of a test, and returns their path.
func withSettings(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the folder for settings is in the environment only where XDG is")
	}
	home := testkit.PrivateDir(t)
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	path := filepath.Join(home, ".config", "extbody", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runWith runs the program with an empty mailbox as a message.
func runWith(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Run(t.Context(), nil, args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// trusted are the flags of commands with settings that the environment does not set, since they
// add trust, and that the file sets. A flag that is new is one of them until it is known not to be.
const trusted = "accept accept-size accept-type accounts all allow-net allow-plaintext allow-port allow-scheme allow-svg archive-objects ask base-url " +
	"cache credentials-command deny-net dialects dry-run exact-urls fleet guessed-hosts hosts http local-root login-host mail-from " +
	"netrc no-open objects offline password-command policy proxy recapture resolve sealed sendmail share-host share-hosts since store " +
	"strict to trust-proxy tsa yes"

// Each flag of a command that has settings is known to add trust, or is known not to. A flag
// that adds trust is an error as a variable, and no other flag is.
func TestSettingsTrust(t *testing.T) {
	withSettings(t, "")
	seen := make(map[string]bool)
	everyCommand(func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if cmd.Flags().Lookup("no-config") == nil || seen[f.Name] || f.Name == "help" {
				return
			}
			seen[f.Name] = true
			name := "EXTBODY_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
			t.Setenv(name, "1")
			status, _, errs := runWith(t, "list", os.DevNull)
			refused := status == exit.Usage && strings.HasPrefix(errs, "extbody: "+name+": --"+f.Name+" adds trust, which no variable does")
			if want := slices.Contains(strings.Fields(trusted), f.Name); refused != want {
				t.Errorf("%s: got status %d, %q, want that it is refused: %t", name, status, errs, want)
			}
			os.Unsetenv(name)
		})
	})
	for name := range strings.FieldsSeq(trusted) {
		if !seen[name] {
			t.Errorf("got no flag %s, want those that there are", name)
		}
	}
}

// A variable counts before the file, a setting of the command before one of all commands, and the
// command line before all.
func TestSettingsOrder(t *testing.T) {
	for _, row := range []struct {
		name, file, variable string
		args                 []string
		want                 string // in the error about the number
	}{
		{"File", "jobs = -1", "", nil, "--jobs -1: want 1 or more (--jobs is from ~/.config/extbody/config.toml:1)"},
		{"Command", "jobs = -1\n[get]\njobs = -2", "", nil, "--jobs -2: want 1 or more (--jobs is from ~/.config/extbody/config.toml:3)"},
		{"Dotted", "jobs = -1\nget.jobs = -2", "", nil, "--jobs -2: want 1 or more (--jobs is from ~/.config/extbody/config.toml:2)"},
		{"Other", "[archive.sync]\njobs = -2\n[archive]\njobs = -3", "", nil, ""},
		{"Variable", "[get]\njobs = -2", "EXTBODY_JOBS=-3", nil, "--jobs -3: want 1 or more (--jobs is from EXTBODY_JOBS)"},
		{"VariableOfCommand", "[get]\njobs = -2", "EXTBODY_GET_JOBS=-4", nil, "--jobs -4: want 1 or more (--jobs is from EXTBODY_GET_JOBS)"},
		{"VariableOfOther", "", "EXTBODY_ARCHIVE_SYNC_JOBS=-4", nil, ""},
		{"EmptyVariable", "", "EXTBODY_GET_JOBS=", nil, ""},
		{"CommandLine", "[get]\njobs = -2", "EXTBODY_JOBS=-3", []string{"--jobs=2"}, ""},
		{"NoConfig", "[get]\njobs = -2", "EXTBODY_JOBS=-3", []string{"--no-config"}, ""},
		{"NotASetting", "", "EXTBODY_JBOS=-3", nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			withSettings(t, row.file)
			if name, value, ok := strings.Cut(row.variable, "="); ok {
				t.Setenv(name, value)
			}
			status, _, errs := runWith(t, append([]string{"get", "--dry-run", os.DevNull}, row.args...)...)
			if want := "extbody: " + row.want + "\n"; row.want != "" && (status != exit.Usage || !strings.HasPrefix(errs, want)) {
				t.Errorf("got status %d, %q, want %q", status, errs, want)
			} else if row.want == "" && status != exit.OK {
				t.Errorf("got status %d, %q, want 0", status, errs)
			}
		})
	}
}

// A mistake names the file, the line, and the name that may have been meant. No error has
// a secret.
func TestSettingsMistakes(t *testing.T) {
	for _, row := range []struct{ name, file, want string }{
		{"Key", "\njbos = 3", `:2: there is no setting "jbos": did you mean jobs?`},
		{"KeyOfCommand", "[get]\nmax_bytes = 3", `:2: there is no setting "max_bytes" of get: did you mean max-bytes?`},
		{"KeyOfOther", "[list]\njobs = 3", `:2: there is no setting "jobs" of list`},
		{"Table", "[gett]\njobs = 3", ":2: [gett]: there is no such command: did you mean get?"},
		{"TableBelow", "[archive.snyc]\njobs = 3", ":2: [archive.snyc]: there is no such command: did you mean archive.sync?"},
		{"Command", "get = 3", ":1: get is a command: want a table [get]"},
		{"Server", "[serve]\njson = true", ":2: [serve]: serve reads no settings"},
		{"Verdict", "[check]\njson = true", ":2: [check]: check reads no settings"},
		{"Value", "[get]\njobs = \"many\"", ":2: jobs: want a number"},
		{"Bool", "[get]\njson = 3", ":2: json: want true or false"},
		{"Time", "timeout = \"soon\"", ":1: timeout: want a time such as 90s or 5m"},
		{"Choice", "digest = \"md4\"", ":1: digest: want sha256 or none"},
		{"Net", "allow-net = [\"10.0.0.0/99\"]", ":1: allow-net: want a range of addresses such as 10.0.0.0/8 or ::1/128"},
		{"List", "jobs = [1, 2]", ":1: jobs: want one value"},
		{"TableValue", "jobs = { a = 1 }", ":1: jobs: it is of type InlineTable: want a text, a number, true, false, or a list of these"},
		{"Tables", "[[get]]\njobs = 1", ":1: a list of tables: want tables, such as [get]"},
		{"Syntax", "jobs = 1\njobs 2", ":2: "},
		{"Twice", "jobs = 1\njobs = 2", ":2: "},
		{"OneRun", "[get]\nref = [\"1\"]", ":2: ref: it is about one run: give --ref on the command line"},
		{"InPlace", "[inline]\nin-place = true", ":2: in-place: it is about one run: give --in-place on the command line"},
		{"Relative", "[open]\noutput = \"files\"", ":2: output: want an absolute path, or one with ~/"},
		{"Password", "password = \"hunter2\"", ":1: secrets are not kept here: a login comes from --netrc, --password-command or --credentials-command"},
		{"PasswordInURL", "proxy = \"http://me:hunter2@proxy.example:3128\"", ":1: proxy: secrets are not kept here: "},
		{"PasswordInDatabase", "fleet = \"host=db password=hunter2\"", ":1: fleet: secrets are not kept here: "},
		{"TokenInURL", "objects = \"s3://h/b?token=hunter2\"", ":1: objects: secrets are not kept here: "},
		{"AgreedHost", "[agreed]\n\"https://hunter2@a/\" = true", ":2: [agreed]: "},
		{"AgreedDotted", "[agreed]\na.example = true", ":2: [agreed]: want a host in quotation marks"},
		{"AgreedNot", "[agreed]\n\"a.example\" = false", ":2: [agreed]: want the date since when, such as 2030-01-31, or true"},
		{"AgreedList", "agreed = [\"a.example\"]", ":1: [agreed]: "},
		{"UTF16", "\xff\xfej\x00", ":1: "},
	} {
		t.Run(row.name, func(t *testing.T) {
			withSettings(t, row.file)
			for _, args := range [][]string{{"list", os.DevNull}, {"config"}} {
				status, _, errs := runWith(t, args...)
				if want := "extbody: ~/.config/extbody/config.toml" + row.want; status != exit.Usage || !strings.HasPrefix(errs, want) {
					t.Errorf("%s: got status %d, %q, want %q", args, status, errs, want)
				}
				if strings.Contains(errs, "hunter2") {
					t.Errorf("%s: got %q, want no secret in it", args, errs)
				}
			}
		})
	}
}

// Commands on which others depend read no settings, not even wrong ones.
func TestSettingsNotRead(t *testing.T) {
	withSettings(t, "nonsense = 1")
	t.Setenv("EXTBODY_ALLOW_NET", "10.0.0.0/8")
	for _, args := range [][]string{
		{"inline"}, {"inline", "-"}, {"inline", os.DevNull}, {"externalize", "--store", t.TempDir(), "--base-url", "https://a.example/", "--min-size", "1"},
		{"normalize"}, {"check"}, {"policy", "sets"}, {"url", "encode", "https://a.example"}, {"licenses"}, {"help"}, {"list", "--help"},
	} {
		if status, _, errs := runWith(t, args...); strings.Contains(errs, "nonsense") || strings.Contains(errs, "ALLOW_NET") {
			t.Errorf("%s: got status %d, %q, want that no settings are read", args, status, errs)
		}
	}
	os.Unsetenv("EXTBODY_ALLOW_NET")
	for _, args := range [][]string{{"list"}, {"get"}, {"inline", "--in-place", "a"}, {"inline", "-o", "b", "a"}, {"inline", "--watch", "a"}, {"archive", "status", "a"}, {"fleet", "status"}} {
		if status, _, errs := runWith(t, args...); status != exit.Usage || !strings.Contains(errs, "nonsense") {
			t.Errorf("%s: got status %d, %q, want the mistake in the settings", args, status, errs)
		}
	}
	everyCommand(func(cmd *cobra.Command) {
		first := strings.Fields(cmd.CommandPath() + " -")[1]
		want := slices.Contains(strings.Fields("list open native get inline externalize normalize hosts archive fleet"), first) && !cmd.HasSubCommands()
		if got := cmd.Flags().Lookup("no-config") != nil; got != want {
			t.Errorf("%s: got --no-config %t, want %t", cmd.CommandPath(), got, want)
		}
	})
}

// A file that others may write, or could replace, does not count, and the error has the
// reason.
func TestSettingsOfOthers(t *testing.T) {
	for _, row := range []struct {
		name string
		do   func(t *testing.T, path string)
		want string // the path in the error, or "" for none
	}{
		{"Own", func(*testing.T, string) {}, ""},
		{"NoHome", func(t *testing.T, _ string) { t.Setenv("HOME", os.DevNull) }, ""},
		{"Readable", func(t *testing.T, path string) { chmod(t, path, 0o644) }, ""},
		{"OthersWrite", func(t *testing.T, path string) { chmod(t, path, 0o602) }, "~/.config/extbody/config.toml"},
		{"Folder", func(t *testing.T, path string) { chmod(t, filepath.Dir(path), 0o702) }, "~/.config/extbody"},
		{"FolderAbove", func(t *testing.T, path string) { chmod(t, filepath.Dir(filepath.Dir(path)), 0o707) }, "~/.config"},
		{"Sticky", func(t *testing.T, path string) { chmod(t, filepath.Dir(path), 0o777|os.ModeSticky) }, ""},
		{"LinkToOwn", func(t *testing.T, path string) { moveBehind(t, path, 0o700) }, ""},
		{"LinkToOpen", func(t *testing.T, path string) { moveBehind(t, path, 0o777) }, "elsewhere"},
		{"Folder2", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "config.toml"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := withSettings(t, "jobs = 3\n")
			row.do(t, path)
			status, _, errs := runWith(t, "list", os.DevNull)
			if row.want == "" && status != exit.OK || row.want != "" && (status != exit.Usage || !strings.Contains(errs, "does not count") || !strings.Contains(errs, row.want+": ")) {
				t.Errorf("got status %d, %q, want %q", status, errs, row.want)
			}
			if status, _, errs := runWith(t, "list", "--no-config", os.DevNull); status != exit.OK {
				t.Errorf("--no-config: got status %d, %q, want 0", status, errs)
			}
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// moveBehind moves a file into a folder with a mode, and makes it a link to there.
func moveBehind(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	elsewhere := filepath.Join(testkit.PrivateDir(t), "elsewhere")
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, elsewhere, mode)
	to := filepath.Join(elsewhere, "c.toml")
	if err := os.Rename(path, to); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// The file of READERS.md is one that holds.
func TestSettingsDocument(t *testing.T) {
	text, err := os.ReadFile("../../READERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(string(text), "```toml\n# ~/.config/extbody/config.toml\n")
	file, _, _ = strings.Cut(file, "```")
	withSettings(t, file)
	if status, out, errs := runWith(t, "config"); status != exit.OK || strings.Count(out, "\n  line ") != 4 {
		t.Errorf("got status %d, %s%s, want four settings", status, out, errs)
	}
}

// Without a file nothing is kept.
func TestSettingsWithoutFile(t *testing.T) {
	var s settings.Settings
	if err := s.Load("", []string{"EXTBODY_GET_JOBS=3", "EXTBODY_LIST_JSON=true"}, all); err != nil {
		t.Error(err)
	}
	if s.Keeps() != nil {
		t.Error("got a way to keep hosts, want none")
	}
}
