package record

import "github.com/go-extbody/extbody/fetch"

// Reason returns an error for people: of errors within each other that have the same Kind the innermost
// one, so that the Kind is named once, with the URL at which it arose.
func Reason(err error) string {
	e, ok := err.(*fetch.Error)
	if !ok {
		return err.Error()
	}
	for {
		inner, ok := e.Err.(*fetch.Error)
		if !ok || inner.Kind != e.Kind {
			return e.Error()
		}
		c := *inner
		if c.URL == "" {
			c.URL = e.URL
		}
		if c.After.IsZero() {
			c.After = e.After
		}
		e = &c
	}
}
