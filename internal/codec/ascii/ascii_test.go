package ascii

import (
	"strings"
	"testing"
	"unicode"
)

// TestClasses compares the functions with the constants, for each octet and each character.
func TestClasses(t *testing.T) {
	for c := rune(-1); c <= unicode.MaxRune; c++ {
		letter := c >= 0 && strings.ContainsRune(Lower+Upper, c)
		digit := c >= 0 && strings.ContainsRune(Digits, c)
		if IsLetter(c) != letter || IsDigit(c) != digit || IsAlphanumeric(c) != (letter || digit) {
			t.Errorf("%U: got letter %t, digit %t, either %t, want %t, %t", c, IsLetter(c), IsDigit(c), IsAlphanumeric(c), letter, digit)
		}
	}
	for i := range 256 {
		c := byte(i)
		letter := strings.IndexByte(Lower+Upper, c) >= 0
		digit := strings.IndexByte(Digits, c) >= 0
		if IsLetter(c) != letter || IsDigit(c) != digit || IsAlphanumeric(c) != (letter || digit) {
			t.Errorf("%#x: got letter %t, digit %t, either %t, want %t, %t", c, IsLetter(c), IsDigit(c), IsAlphanumeric(c), letter, digit)
		}
	}
}
