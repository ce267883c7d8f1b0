package dataurl

type Kind = kind

const (
	NotData      = notData
	NoComma      = noComma
	BadAuthority = badAuthority
	BadMediaType = badMediaType
	BadCharacter = badCharacter
	BadBase64    = badBase64
	TooLong      = tooLong

	DefaultMediaType = defaultMediaType
)

func (u *URL) Unquoted() bool { return u.unquoted }

func (u *URL) DecodedLen() int { return u.decodedLen() }

func (e *Error) Fault() Kind { return e.kind }
