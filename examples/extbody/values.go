package main

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// A byteSize is a flag for a number of octets: "512", "10MB", "1.5GiB", or
// "none" for no limit, which is -1.
type byteSize int64

var byteUnits = []struct {
	suffix string
	factor float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

func (b *byteSize) Set(s string) error {
	if s == "none" {
		*b = -1
		return nil
	}
	number, factor := s, 1.0
	for _, u := range byteUnits {
		if len(s) > len(u.suffix) && strings.EqualFold(s[len(s)-len(u.suffix):], u.suffix) {
			number, factor = s[:len(s)-len(u.suffix)], u.factor
			break
		}
	}
	if n, err := strconv.ParseInt(number, 10, 64); err == nil && factor == 1 && n > 0 {
		*b = byteSize(n)
		return nil
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if n := f * factor; err == nil && n >= 1 && n < math.MaxInt64 {
		*b = byteSize(n)
		return nil
	}
	return errors.New(`want a number of octets such as 500000, 10MB, 1GiB or none`)
}

func (b *byteSize) String() string {
	if *b < 0 {
		return "none"
	}
	for _, u := range slices.Backward(byteUnits[:4]) {
		if n := int64(u.factor); *b > 0 && int64(*b)%n == 0 {
			return strconv.FormatInt(int64(*b)/n, 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteSize) Type() string { return "N" }

// prefixes is a flag, to be repeated, for ranges of addresses.
type prefixes []netip.Prefix

func (p *prefixes) Set(s string) error {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		*p = append(*p, netip.PrefixFrom(addr, addr.BitLen()))
		return nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return errors.New("want a range of addresses such as 10.0.0.0/8 or ::1/128")
	}
	*p = append(*p, prefix.Masked())
	return nil
}

func (p *prefixes) String() string { return join(*p) }
func (p *prefixes) Type() string   { return "CIDR" }

// ports is a flag, to be repeated, for port numbers.
type ports []uint16

func (p *ports) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return errors.New("want a port number from 1 to 65535")
	}
	*p = append(*p, uint16(n))
	return nil
}

func (p *ports) String() string { return join(*p) }
func (p *ports) Type() string   { return "N" }

func join[T any](list []T) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ",")
}

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	among []string
}

func (c *choice) Set(s string) error {
	if !slices.Contains(c.among, s) {
		return fmt.Errorf("want %s", strings.Join(c.among, " or "))
	}
	c.value = s
	return nil
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.among, "|") }
