package atomicfile

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

// Names that are given while others are put on the disk are put there together, after
// that, and all who gave one learn how it went.
func TestSettleTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, goOn := make(chan struct{}), make(chan error)
		d := &Folder{sync: func() error {
			begun <- struct{}{}
			return <-goOn
		}}
		results := make([]error, 21)
		var all sync.WaitGroup
		settle := func(i int) { all.Go(func() { results[i] = d.settle() }) }
		settle(0)
		<-begun
		for i := 1; i <= 10; i++ {
			settle(i)
		}
		synctest.Wait()
		failure := errors.New("failure")
		for round, err := range []error{nil, failure, nil} {
			goOn <- err
			if round < 2 {
				<-begun // of the next one, in which nobody may join any more
			}
			if round == 0 {
				for i := 11; i <= 20; i++ {
					settle(i)
				}
				synctest.Wait()
			}
		}
		all.Wait()
		for i, err := range results {
			want := error(nil)
			if i >= 1 && i <= 10 {
				want = failure
			}
			if err != want {
				t.Errorf("%d: got %v, want %v", i, err, want)
			}
		}
	})
}

// Files that are made at the same time all get their names.
func TestFolderTogether(t *testing.T) {
	dir, d := folder(t)
	var all sync.WaitGroup
	var want []string
	for i := range 50 {
		name := fmt.Sprintf("%02d", i)
		want = append(want, name)
		all.Go(func() {
			f, err := d.Create()
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Discard()
			if err := f.Publish(name); err != nil {
				t.Errorf("%s: got %v, want no error", name, err)
			}
		})
	}
	all.Wait()
	wantFiles(t, dir, want...)
}
