package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// BenchmarkArchiveAll stores every message of a mailbox, and wants each to be as it was,
// octet for octet, beside mbsync, which fetches all of it too, and of which it reports how
// many are as they were. EXTBODY_IMAP_MESSAGES is how many there are, and
// EXTBODY_IMAP_OCTETS how large.
func BenchmarkArchiveAll(b *testing.B) {
	n, octets := envInt(b, "EXTBODY_IMAP_MESSAGES", 200), envInt(b, "EXTBODY_IMAP_OCTETS", 20_000)
	var size int64
	var sums []string
	server := dovecot.Start(b, func(maildir string) {
		size = fillMaildir(b, maildir, n, octets)
		names, err := filepath.Glob(filepath.Join(maildir, "cur", "*"))
		must(b, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			must(b, err)
			sum := sha256.Sum256(text)
			sums = append(sums, hex.EncodeToString(sum[:]))
		}
	})
	extbody := build(b)
	mbsync(b, server, n, nil) // dovecot keeps messages that it has read
	// One after the other in each round, as the machine has other work as well.
	b.Run("Archive", func(b *testing.B) {
		b.SetBytes(size)
		var ours costs
		for b.Loop() {
			dir := filepath.Join(b.TempDir(), "archive")
			cmd := exec.Command(string(extbody), "archive", "sync", "--all", "--to", dir, "--password-command", "echo "+dovecot.Password,
				"imaps://"+dovecot.User+"@"+server.TLSAddr+"/INBOX")
			cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
			ours.add(measure(b, cmd))
			same := 0
			for _, sum := range sums {
				if text, err := os.ReadFile(filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)); err == nil && sha256Hex(text) == sum {
					same++
				}
			}
			if same != n {
				b.Fatalf("got %d messages as they were, want %d", same, n)
			}
			b.ReportMetric(float64(same), "same")
			os.RemoveAll(dir)
		}
		b.ReportMetric(float64(median(ours.rss))/(1<<20), "MiB-rss")
		b.ReportMetric(median(ours.cpu).Seconds(), "cpu-s/op")
	})
	b.Run("Mbsync", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			same := 0
			mbsync(b, server, n, func(text []byte) {
				if slices.Contains(sums, sha256Hex(text)) {
					same++
				}
			})
			b.ReportMetric(float64(same), "same")
		}
	})
}

func sha256Hex(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
