//go:build unix

package filestate

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// IsOwn reports whether a file belongs to the user of this program.
func IsOwn(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// SameOwner reports whether two files belong to the same user.
func SameOwner(a, b os.FileInfo) bool {
	s, ok := a.Sys().(*syscall.Stat_t)
	t, also := b.Sys().(*syscall.Stat_t)
	return ok && also && s.Uid == t.Uid
}

// IsOthers reports whether somebody besides the user of this program and root may write a file, or
// give it another mode. In a folder with the sticky bit, such as /tmp, others may add files, and
// not replace the user's; IsOthers reports false for it. For a symbolic link, the owner
// alone counts.
func IsOthers(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return true
	}
	mode := info.Mode()
	if mode&os.ModeSymlink != 0 || mode.IsDir() && mode&os.ModeSticky != 0 {
		return false
	}
	return IsOpen(info)
}

// IsOpen reports whether the mode of a file lets its group or all users write it. The private group of
// the user of this program is the user: systems that give each user one make files that the group may write.
func IsOpen(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || info.Mode().Perm()&0o002 != 0 {
		return true
	}
	return info.Mode().Perm()&0o020 != 0 && !hasPrivateGroup(s.Gid)
}

// hasPrivateGroup reports whether a group is the private one of the user of this program, by the files
// of the system.
func hasPrivateGroup(gid uint32) bool {
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return false
	}
	groups, err := os.ReadFile("/etc/group")
	return err == nil && isPrivate(string(users), string(groups), os.Geteuid(), int(gid))
}

// isPrivate reports whether a group is the private one of a user: it has the name of the user, it is
// the primary group of that user and of no other, and no other is a member. A group or a user that the
// files do not have once is not known, and the answer is false.
func isPrivate(users, groups string, uid, gid int) bool {
	name := ""
	for line := range strings.Lines(users) {
		f := strings.Split(line, ":") // name:password:uid:gid:...
		if len(f) < 4 {
			continue
		}
		isUser := f[2] == strconv.Itoa(uid)
		isPrimary := f[3] == strconv.Itoa(gid)
		if isUser != isPrimary || isUser && name != "" {
			return false
		}
		if isUser {
			name = f[0]
		}
	}
	found := 0
	for line := range strings.Lines(groups) {
		f := strings.Split(strings.TrimSpace(line), ":") // name:password:gid:members
		if len(f) < 4 || f[2] != strconv.Itoa(gid) {
			continue
		}
		if found++; f[0] != name || f[3] != "" && f[3] != name {
			return false
		}
	}
	return name != "" && found == 1
}
