//go:build !linux

package mailbox

import "os"

func hasWriter(*os.File) (writer, known bool) { return false, false }

func renameNew(old, name string) error { return linkAndRemove(old, name) }
