package externalbody

import "testing"

func TestMayNameOne(t *testing.T) {
	h := &linkHosts{names: map[string]bool{"files.example": true}}
	tests := []struct {
		text string
		want bool
	}{
		{"", false},
		{"files.example", false},
		{"see https://files.example/x", true},
		{"see http://www.FILES.example:8080/x", true},
		{"https://other.example/x and https://files.example./x", true},
		{"https://other.example/x https://xfiles.example/y https://files.example.net/", false},
		{"https://other.example/https://files.example/x", true},
		{"https://other.example?u", false},
		{"https://x.safelinks.protection.outlook.com/?url=x", true},
		{"https://www.google.com/url?q=x", true},
		{"https://u@other.example/", true},
		{"https://fil\nes.example/", true},
		{"https://fil \nes.example/", true},
		{"https://fil", true},
		{"https://[::1]/", false},
		{"https://xn--bcher-kva.example/", false},
		{"https://f\u00efles.example/", false},
		{"://", true},
	}
	for _, tt := range tests {
		if got := h.mayNameOne([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: got %t, want %t", tt.text, got, tt.want)
		}
	}
	if h.any = true; !h.mayNameOne(nil) {
		t.Error("a text without URLs: got false where any host may be meant, want true")
	}
}
