package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// units are the units of sizes, the longer names first.
var units = []struct {
	name   string
	octets int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}}

// octets reads a number of octets, at least 1.
func octets(v *unstable.Node) (int64, error) {
	number := string(v.Data)
	unit := int64(1)
	switch v.Kind {
	case unstable.Integer:
		number = strings.ReplaceAll(number, "_", "")
	case unstable.String:
		for _, u := range units {
			if n, ok := strings.CutSuffix(number, u.name); ok {
				number = strings.TrimSpace(n)
				unit = u.octets
				break
			}
		}
	default:
		return 0, fmt.Errorf("it is of type %v: want a number of octets", v.Kind)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%s: want a number of octets, at least 1, such as 1000 or \"10MB\"", v.Data)
	}
	return n * unit, nil
}

// count reads a number, at least 1.
func count(v *unstable.Node) (int64, error) {
	if v.Kind != unstable.Integer {
		return 0, fmt.Errorf("it is of type %v: want a whole number", v.Kind)
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(string(v.Data), "_", ""), 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s: want a number, at least 1", v.Data)
	}
	return n, nil
}
