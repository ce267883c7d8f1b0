package filekind

import (
	"time"
)

// An Inside has the facts that were seen of the files within a file.
type Inside struct {
	Encrypted bool   // some of them need a password
	Unread    string // why not all names were seen: CutShort or Archive; "" if all were
	Differs   bool   // a zip file whose directory and members disagree, so that programs do too
}

// The values of Inside.Unread.
const (
	CutShort = "cut-short" // the list is damaged, or longer than the bounds
	Archive  = "archive"   // of a format that is not read
)

// The bounds of Look. They are for files that are made to take long.
const (
	maxZipDir   = 64 << 20 // octets of the directories of a zip file
	maxInflated = 64 << 20 // octets of members that are unpacked
	maxGaps     = 64 << 20 // octets between the members of a zip file
	maxDepth    = 4        // of archives within each other
	lookTime    = 2 * time.Second
	lookEvery   = 16       // members between two looks at the clock
	maxMarkup   = 8 << 20  // octets of a page
	maxCFBDir   = 64 << 10 // octets of the directory of a compound file
)
