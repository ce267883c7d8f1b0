package main

import (
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestArchiveBucket keeps the objects of an archive in a bucket of versitygw, whose path
// EXTBODY_VERSITYGW is. While the bucket is away, every command ends with the status 4, and
// none loses anything.
func TestArchiveBucket(t *testing.T) {
	bucket := daemons.StartBucket(t)
	tmp := t.TempDir()
	mail, dir, copied := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive"), filepath.Join(tmp, "copy")
	writeText(t, filepath.Join(mail, "1.eml"), linked("1", "data:,one"))
	writeText(t, filepath.Join(mail, "2.eml"), linked("2", "data:,two"))
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"no bucket", []string{"sync", mail, "--to", dir, "--archive-objects", "s3://user@bucket/x"}, 1, "want s3://"},
		{"new", []string{"sync", mail, "--to", dir, "--archive-objects", bucket.URL}, 0, "2 captured"},
		{"remembered", []string{"verify", dir}, 0, "4 objects"},
		{"elsewhere", []string{"sync", mail, "--to", dir, "--archive-objects", bucket.URL + "2"}, 1, "somewhere else"},
		{"export", []string{"export", dir, "--as", "mbox", "--inline", "-o", filepath.Join(tmp, "mbox")}, 0, "mbox: 2"},
		{"wacz", []string{"export", dir, "--as", "wacz", "-o", filepath.Join(tmp, "wacz")}, 0, "wacz: "},
		{"copy to a folder", []string{"copy", dir, copied}, 0, "4 objects"},
		{"copy to a bucket", []string{"copy", copied, copied + "2", "--archive-objects", bucket.URL}, 0, "4 objects"},
		{"away", nil, 0, ""},
		{"sync away", []string{"sync", mail, "--to", dir}, 4, "is away"},
		{"retry away", []string{"retry", dir}, 4, "is away"},
		{"forget away", []string{"forget", dir, "message=<1@example.org>", "--reason", "x"}, 4, "is away"},
		{"verify away", []string{"verify", dir}, 4, "is away"},
		{"export away", []string{"export", dir, "--as", "mbox", "-o", filepath.Join(tmp, "mbox2")}, 4, "is away"},
		{"repair away", []string{"repair", dir, copied}, 4, "is away"},
		{"new away", []string{"sync", mail, "--to", dir + "2", "--archive-objects", bucket.URL}, 4, "is away"},
		{"status away", []string{"status", dir}, 0, "2 captured"},
		{"a wrong secret", nil, 0, ""},
		{"sync refused", []string{"sync", mail, "--to", dir}, 2, "refuses the credentials"},
		{"verify refused", []string{"verify", dir}, 2, "refuses the credentials"},
		{"back", nil, 0, ""},
		{"sync", []string{"sync", mail, "--to", dir}, 0, "1 new message,"},
		{"forget", []string{"forget", dir, "message=<1@example.org>", "--reason", "x"}, 0, "2 objects"},
		{"verify", []string{"verify", dir}, 0, "4 objects"},
		{"repair", []string{"repair", dir, copied}, 0, "0 objects"},
	} {
		switch tt.name {
		case "away":
			writeText(t, filepath.Join(mail, "3.eml"), linked("3", "data:,three"))
			bucket.Kill()
			continue
		case "a wrong secret":
			bucket.Start(t)
			t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
			continue
		case "back":
			t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
			continue
		}
		archives(t, tt.status, tt.says, tt.args...)
	}
}
