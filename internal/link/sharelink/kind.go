package sharelink

// A Kind says what a share link leads to.
type Kind uint8

const (
	// Page is a page of the host. It can lead to a file, a folder or several
	// files.
	Page Kind = iota

	// File is one file.
	File

	// Folder is a folder.
	Folder

	// Native is a document that exists only at the host and has no octets of its
	// own.
	Native
)

// String returns "page", "file", "folder" or "native".
func (k Kind) String() string {
	switch k {
	case File:
		return "file"
	case Folder:
		return "folder"
	case Native:
		return "native"
	}
	return "page"
}
