package show

import "strings"

// DidYouMean returns the end of an error about an unknown name: it suggests the names that are
// near. It is "" if there are none.
func DidYouMean(name string, names []string) string {
	var list []string
	for _, n := range names {
		if near(name, n) {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(list, " or ") + "?"
}

// near reports whether a is the start of b, or differs from it by one letter that is
// missing, added or changed, or by two letters that are exchanged.
func near(a, b string) bool {
	if len(a) < 2 {
		return false
	}
	if strings.HasPrefix(b, a) {
		return true
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a = a[1:]
		b = b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a = a[:len(a)-1]
		b = b[:len(b)-1]
	}
	isOneLetter := len(a) <= 1 && len(b) <= 1
	isSwap := len(a) == 2 && b == a[1:]+a[:1]
	return isOneLetter || isSwap
}
