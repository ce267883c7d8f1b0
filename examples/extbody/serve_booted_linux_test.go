package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bootScript boots systemd with the units of a folder, in namespaces and on an overlay of their own, and has it run
// tryScript. The output of tryScript is in the file tried of the folder.
const bootScript = `
mount --make-rprivate /
mount --bind "$1" /mnt
mkdir -p "$1/layers"
mount -t tmpfs tmpfs "$1/layers"
cd "$1/layers"
mkdir up work root
mount -t overlay overlay -o lowerdir=/,upperdir=up,workdir=work root || exit 77
cd root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t cgroup2 cgroup2 sys/fs/cgroup || exit 77
mount --bind "$1" mnt
mkdir -p etc/extbody usr/local/bin
cp mnt/units/* etc/systemd/system/
cp mnt/policy.toml etc/extbody/
cp mnt/extbody usr/local/bin/
exec env container=docker chroot . /lib/systemd/systemd --unit=try.target --log-target=null --show-status=no
`

const tryScript = `
ip link set lo up
groupadd -f clamav
ask() { printf 'Subject: x\r\n\r\nhi\r\n' | curl -sS --max-time 20 --data-binary @- http://127.0.0.1:8025/v1/check; echo; }
systemctl start extbody-http.socket extbody-milter.socket
systemctl start extbody.service
systemctl is-active extbody.service
ask
systemctl kill -s KILL extbody.service
ask
systemctl show -p NRestarts -p User extbody.service
echo '[[rule' >> /etc/extbody/policy.toml
systemctl reload extbody.service
ask
journalctl -u extbody.service --no-pager -o cat | grep -o 'the old one stays in force'
`

// systemd runs the unit as it is published: with an account of its own, and it starts it again when it is killed. A
// question that comes meanwhile waits for it, and a reload with a mistake changes nothing.
func TestServeBooted(t *testing.T) {
	needs(t, "unshare", "systemctl", "curl", "ip")
	dir := openDir(t)
	paths, err := filepath.Glob("serve/extbody*.s[eo]*")
	must(t, err)
	for _, path := range paths {
		writeConf(t, filepath.Join(dir, "units", filepath.Base(path)), readText(t, path))
	}
	writeConf(t, filepath.Join(dir, "units", "try.service"), "[Unit]\nDescription=try\n[Service]\nType=oneshot\n"+
		"ExecStart=/bin/bash -c 'bash /mnt/try.sh >/mnt/tried 2>&1'\nExecStopPost=/bin/systemctl poweroff -ff\n")
	writeConf(t, filepath.Join(dir, "units", "try.target"), "[Unit]\nDescription=try\nRequires=try.service\n")
	// Nothing is scanned here.
	writeConf(t, filepath.Join(dir, "policy.toml"), "[[rule]]\nname = \"gone\"\nkind = \"not-found\"\naction = \"tag\"\n")
	unit := filepath.Join(dir, "units", "extbody.service")
	writeConf(t, unit, strings.Replace(readText(t, unit), " \\\n\t--clamd /run/clamav/clamd.ctl", "", 1))
	writeConf(t, filepath.Join(dir, "try.sh"), tryScript)
	program, err := os.ReadFile(executable(t))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "extbody"), program, 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--cgroup", "--kill-child", "bash", "-c", bootScript, "boot", dir)
	said, err := cmd.CombinedOutput()
	if e, ok := err.(*exec.ExitError); ok && (e.ExitCode() == 77 || e.ExitCode() == 1) {
		t.Skipf("systemd cannot be booted here: %s", said)
	}
	tried := readText(t, filepath.Join(dir, "tried"))
	const answer = `{"verdict":"clean","symbols":[],"refs":[],"action":"none"}`
	want := []string{"active", answer, answer, "NRestarts=1", "User=extbody", answer, "the old one stays in force"}
	if got := strings.Fields(strings.ReplaceAll(tried, " ", "_")); strings.Join(got, "\n") != strings.ReplaceAll(strings.Join(want, "\n"), " ", "_") {
		t.Errorf("got %s, want %q\n%s", tried, want, said)
	}
}
