package flagvalue

import "testing"

func TestByteSize(t *testing.T) {
	tests := []struct {
		name string
		text string
		want int64 // 0 for an error
	}{
		{"Plain", "500000", 500000},
		{"Octets", "7B", 7},
		{"Decimal", "10MB", 10e6},
		{"DecimalLowerCase", "10mb", 10e6},
		{"Binary", "1GiB", 1 << 30},
		{"Fraction", "1.5KiB", 1536},
		{"Space", "10 kB", 10000},
		{"None", "none", -1},
		{"Exact", "9223372036854775807", 1<<63 - 1},
		{"Zero", "0", 0},
		{"Negative", "-5", 0},
		{"TooMuch", "9999999999TB", 0},
		{"Empty", "", 0},
		{"UnitAlone", "MB", 0},
		{"NoNumber", "xMB", 0},
		{"Infinite", "InfB", 0},
		{"NotANumber", "NaNB", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b Size
			err := b.Set(tt.text)
			if int64(b) != tt.want || (err == nil) != (tt.want != 0) {
				t.Errorf("got %d, %v, want %v", b, err, tt.want)
			}
			if err == nil {
				var again Size
				if err := again.Set(b.String()); err != nil || again != b {
					t.Errorf("%q reads as %d, %v, want %d, nil", b.String(), again, err, b)
				}
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	tests := []struct {
		name, text, want string // "" for an error
	}{
		{"Range", "10.1.2.3/8", "10.0.0.0/8"},
		{"Address", "127.0.0.1", "127.0.0.1/32"},
		{"Six", "::1", "::1/128"},
		{"Zone", "fe80::1%eth0", ""},
		{"TooLong", "10.0.0.0/99", ""},
		{"Name", "localhost", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Prefixes
			if err := p.Set(tt.text); p.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", p.String(), err, tt.want)
			}
		})
	}
}
