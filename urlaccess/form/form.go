// Package form reads and writes application/www-form-urlencoded, the compact form of an
// ordered list of name-value pairs defined by draft-hoehrmann-urlencoded-01.
//
// It resembles application/x-www-form-urlencoded, the format of HTML forms and
// [net/url.ParseQuery], and differs from it on purpose:
//
//   - Pairs keep their order and their duplicates.
//   - A name without "=" has no value, which is not an empty value.
//   - ";" separates pairs as "&" does.
//   - A "%" that escapes nothing stands for itself.
//   - A text that is not UTF-8 means nothing at all.
//
// # Queries of HTTP URLs
//
// Programs disagree whether ";" separates the pairs of a query. If one of them guards
// another, such as a cache or a filter in front of a server, the disagreement is an
// attack: "a=1;b=2" is one pair to one and two to the other, and the pair that one of
// them checked or stored is not the one that the other uses. Servers follow the WHATWG URL standard,
// where only "&" separates. So read the query of an HTTP URL with
// [Options.AmpersandOnly], and send it with the same.
//
// All functions take linear time. Several goroutines may call them at once.
package form

// A Field is one pair of a data set.
type Field struct {
	// Name is the name, which can be empty.
	Name string
	// Value is the value. It is "" if HasValue is false.
	Value string
	// HasValue distinguishes an empty value, "a=", from an undefined one, "a".
	HasValue bool
}

// Options choose between readings that the draft leaves open. The zero value is the
// draft's own reading: both separators, and no pairs in the empty string.
type Options struct {
	// AmpersandOnly makes "&" the only separator, for reading and for writing.
	AmpersandOnly bool
	// EmptyIsPair makes the empty string one pair of an empty name and no
	// value, instead of no pairs. It is for reading only.
	EmptyIsPair bool
	// MaxFields bounds the pairs that are read. More are an error. Zero or less means
	// no limit.
	MaxFields int
}

// Parse returns the pairs of s with the zero [Options].
func Parse(s string) ([]Field, error) {
	return Options{}.Parse(s)
}

// Encode returns the text of a data set with the zero [Options].
func Encode(fields []Field) string {
	return Options{}.Encode(fields)
}
