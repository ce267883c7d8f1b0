package imapbody

import (
	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
)

// A Skeleton is a skeleton in the terms of go-imap v2.
type Skeleton struct {
	Whole bool
	s     *skeleton
}

func NewSkeleton(bs imap.BodyStructure, opts *externalbody.OpenOptions) *Skeleton {
	s := newSkeleton(GoIMAP(bs), opts)
	return &Skeleton{s.whole, s}
}

func NewSizedSkeleton(bs imap.BodyStructure, size int64, opts *externalbody.OpenOptions) *Skeleton {
	s := newSizedSkeleton(GoIMAP(bs), size, opts)
	return &Skeleton{s.whole, s}
}

func (s *Skeleton) Items() []*imap.FetchItemBodySection {
	var items []*imap.FetchItemBodySection
	for _, section := range s.s.sections() {
		items = append(items, section.Item())
	}
	return items
}

func (s *Skeleton) Open(find func(*imap.FetchItemBodySection) []byte) (*externalbody.Message, error) {
	return s.s.open(func(section Section) []byte { return find(section.Item()) })
}
