// Package tomltext reads TOML with the line of each key, for the files that users write.
package tomltext

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// An Error is a fault in the syntax of a text.
type Error struct {
	Line int      // from 1
	Key  []string // of the value, if it is known
	Err  error
}

// Error returns the fault alone, so that a caller can write the line as it writes others.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the fault.
func (e *Error) Unwrap() error { return e.Err }

// A Text is TOML without faults in its syntax, in which nothing is defined twice.
type Text struct {
	octets []byte
	parser unstable.Parser
}

// Read reads a text, which may start with the byte order mark of some editors. Each error is an *Error.
func Read(octets []byte) (*Text, error) {
	octets = bytes.TrimPrefix(octets, []byte("\ufeff"))
	var any map[string]any
	err := toml.Unmarshal(octets, &any)
	if err == nil {
		return &Text{octets: octets}, nil
	}
	e := &Error{Line: 1, Err: errors.New(strings.TrimPrefix(err.Error(), "toml: "))}
	if fault, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := fault.Position()
		e.Line = max(line, 1)
		e.Key = fault.Key()
	}
	return nil, e
}

// Each calls a function with each expression in order: the head of a table, or a key with its value. It ends
// with the first error. The nodes are valid until the function returns.
func (t *Text) Each(do func(*unstable.Node) error) error {
	t.parser.Reset(t.octets)
	for t.parser.NextExpression() {
		if err := do(t.parser.Expression()); err != nil {
			return err
		}
	}
	if err := t.parser.Error(); err != nil {
		return &Error{Line: 1, Err: err}
	}
	return nil
}

// Key returns the parts of the key of a node, and its line. The node is of the expression for which [Text.Each]
// calls its function.
func (t *Text) Key(n *unstable.Node) (parts []string, line int) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if line == 0 {
			line = t.parser.Shape(k.Raw).Start.Line
		}
		parts = append(parts, string(k.Data))
	}
	return parts, line
}

// Values calls a function with a value, or with each value of a list. It ends with the first error.
func Values(v *unstable.Node, do func(*unstable.Node) error) error {
	if v.Kind != unstable.Array {
		return do(v)
	}
	for it := v.Children(); it.Next(); {
		if it.Node().Kind == unstable.Comment {
			continue
		}
		if err := do(it.Node()); err != nil {
			return err
		}
	}
	return nil
}
