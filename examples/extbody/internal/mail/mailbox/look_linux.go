package mailbox

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// lookAt returns the Look of an entry of a folder, whose octets it does not read. ok is false for an entry
// that is not a regular file, or is not there.
func lookAt(dir *os.File, name string) (l Look, ok bool) {
	var s unix.Stat_t
	err := unix.Fstatat(int(dir.Fd()), name, &s, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil || s.Mode&unix.S_IFMT != unix.S_IFREG {
		return Look{}, false
	}
	return Look{s.Ino, s.Size, s.Mtim.Nano(), s.Ctim.Nano()}, true
}

// changeTimes are the file systems that keep under the inode of a file when it changed last: the local ones, and NFS and
// Ceph. Others may not, or may give an inode to another file: FUSE, SMB, 9P and FAT.
var changeTimes = []uint32{
	unix.BTRFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.EXT4_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.NFS_SUPER_MAGIC,
	unix.OVERLAYFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.XFS_SUPER_MAGIC, zfsMagic, bcachefsMagic,
}

// These are not in the package unix.
const (
	zfsMagic      = 0x2fc12fc1
	bcachefsMagic = 0xca451a4e
)

// keepsChanges reports whether the file system of a folder keeps when a file changed last, whatever time a program
// sets.
func keepsChanges(dir *os.File) bool {
	var s unix.Statfs_t
	err := unix.Fstatfs(int(dir.Fd()), &s)
	return err == nil && slices.Contains(changeTimes, uint32(s.Type))
}
