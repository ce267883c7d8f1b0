package flagvalue

import (
	"fmt"
	"slices"
	"strings"
)

// A Choice is a flag that takes one of a few words; see [OneOf].
type Choice struct {
	Value string
	among []string
}

// OneOf returns a Choice among words. Before it is set it is the first of them.
func OneOf(words ...string) Choice { return Choice{words[0], words} }

// Set implements pflag.Value.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.among, s) {
		return fmt.Errorf("want %s", strings.Join(c.among, " or "))
	}
	c.Value = s
	return nil
}

// Words returns the words among which to choose.
func (c *Choice) Words() []string { return c.among }

func (c *Choice) String() string { return c.Value }

// Type implements pflag.Value.
func (c *Choice) Type() string { return strings.Join(c.among, "|") }
