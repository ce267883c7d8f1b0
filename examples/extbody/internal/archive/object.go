package archive

import (
	"cmp"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// noArrival is the history of a capture for a message whose arrival is not known.
const noArrival = "no-arrival"

// versionField is before the name of a version that an account gave.
const versionField = "version: "

// addObject adds the facts that an account gave about the file. The Object may be nil.
func (c *Capture) addObject(o *record.Object, r *ReferenceRecord) {
	if r.Account == "" {
		return
	}
	c.VersionAt = r.VersionAt
	if o != nil {
		c.Item = o.ID
		c.Modified = o.Modified.UTC()
		c.Until = o.Until.UTC()
		c.History = o.History
		if !o.Modified.IsZero() || o.Version != "" {
			c.Login = o.Account
		}
		if o.Version != "" {
			c.Version = versionField + o.Version
		}
	}
	isDated := c.Label == labelVersion || c.Label == string(fetch.CaptureDeclared)
	if r.VersionAt.IsZero() && !isDated {
		c.History = cmp.Or(c.History, noArrival)
	}
}

// object returns the facts of a capture by an account, as the account gave them.
func (c *Capture) object() *record.Object {
	return &record.Object{
		Account: c.Login, ID: c.Item, Name: c.Name, Size: c.Size,
		Version: strings.TrimPrefix(c.Version, versionField), Modified: c.Modified, Until: c.Until,
	}
}

// hasVersion reports whether the body is the version of the time of the message, which does not change.
func (c *Capture) hasVersion() bool { return c.Label == labelVersion && !c.VersionAt.IsZero() }
