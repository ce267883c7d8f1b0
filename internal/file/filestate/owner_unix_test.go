//go:build unix

package filestate

import "testing"

// TestPrivateGroup has the groups that are a user's own, and those that are not (OP-63).
func TestPrivateGroup(t *testing.T) {
	const (
		users  = "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000:Ann:/home/ann:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\n"
		groups = "root:x:0:\nann:x:1000:\nbob:x:1001:\nstaff:x:50:ann,bob\n"
	)
	for _, c := range []struct {
		name, users, groups string
		gid                 int
		want                bool
	}{
		{"Own", users, groups, 1000, true},
		{"OwnIsMember", users, "ann:x:1000:ann\n", 1000, true},
		{"NoLineEnd", users, "ann:x:1000:", 1000, true},
		{"AnotherIsMember", users, "ann:x:1000:ann,bob\n", 1000, false},
		{"AnotherAlone", users, "ann:x:1000:bob\n", 1000, false},
		{"OfAnother", users, groups, 1001, false},
		{"Shared", users, groups, 50, false},
		{"OtherName", users, "users:x:1000:\n", 1000, false},
		{"PrimaryOfTwo", users + "eve:x:1002:1000::/:/bin/sh\n", groups, 1000, false},
		{"UserTwice", users + "eve:x:1000:1000::/:/bin/sh\n", groups, 1000, false},
		{"OtherPrimary", users + "ann:x:1000:50::/:/bin/sh\n", groups, 1000, false},
		{"GroupTwice", users, "ann:x:1000:\nann:x:1000:\n", 1000, false},
		{"NoGroup", users, "root:x:0:\n", 1000, false},
		{"NoUser", "root:x:0:0:root:/root:/bin/sh\n", groups, 1000, false},
		{"NoFiles", "", "", 1000, false},
		{"ShortLines", "ann:x:1000\n+::\n", "ann:x\n+:\n", 1000, false},
	} {
		if got := isPrivate(c.users, c.groups, 1000, c.gid); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}
