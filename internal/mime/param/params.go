package param

// A Param is one parameter of a [Value].
type Param struct {
	// Name is the attribute in ASCII lower case, without the suffixes of RFC 2231
	// ("*", "*0", "*0*"). A name with an asterisk that is not part of such a suffix,
	// as in "name*01", is kept whole.
	Name string
	// Value is the value without quotes, quoted-pairs and line breaks, with its RFC
	// 2231 sections joined and decoded to UTF-8. It is not trimmed, encoded-words
	// (RFC 2047) in it are not decoded, and octets above 127 are as given. So Value
	// need not be valid UTF-8, and may contain control octets.
	Value string
	// Charset and Language precede the value as RFC 2231 section 4 defines, and are
	// returned unchanged. They are "" if blank or absent.
	Charset, Language string
	// Extended is true if the parameter came in a form of RFC 2231.
	Extended bool
}
