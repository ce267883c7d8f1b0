//go:build unix

package open

import "testing"

func TestUserDir(t *testing.T) {
	for text, want := range map[string]string{
		"XDG_DOWNLOAD_DIR=\"$HOME/Geladen\"\n":                             "/home/a/Geladen",
		"# XDG_DOWNLOAD_DIR=\"$HOME/x\"\nXDG_MUSIC_DIR=\"$HOME/y\"\n":      "",
		" XDG_DOWNLOAD_DIR = \"/data/d\\\"l\\$s/\" \n":                     "/data/d\"l$s",
		"XDG_DOWNLOAD_DIR=\"$HOME\"\n":                                     "/home/a",
		"XDG_DOWNLOAD_DIR=\"$HOMES/x\"\n":                                  "",
		"XDG_DOWNLOAD_DIR=\"relative\"\n":                                  "",
		"XDG_DOWNLOAD_DIR=/unquoted\n":                                     "",
		"XDG_DOWNLOAD_DIR=\"\n":                                            "",
		"XDG_DOWNLOAD_DIR=\"$HOME/one\"\nXDG_DOWNLOAD_DIR=\"$HOME/two\"\n": "/home/a/two",
		"": "",
	} {
		if got := userDir(text, "XDG_DOWNLOAD_DIR", "/home/a"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
