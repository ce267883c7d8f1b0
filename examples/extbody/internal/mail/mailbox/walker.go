package mailbox

// A walker yields the messages of the files it is given. Its methods report
// whether the caller wants more.
type walker struct {
	opener
	yield func(*Message, error) bool
	zips  bool  // zip archives are read
	space space // used for one file after the other
}

func (w *walker) fail(path string, err error) bool { return w.yield(&Message{Path: path}, err) }
