//go:build !linux

package mailbox

import "os"

func lookAt(*os.File, string) (l Look, ok bool) { return Look{}, false }

func keepsChanges(*os.File) bool { return false }
