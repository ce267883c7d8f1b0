package policy

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
)

// A Fleet is the flags of the fleet that makes the requests.
type Fleet struct{ Database, Objects string }

// Flags adds the flags.
func (l *Fleet) Flags(f *pflag.FlagSet) {
	f.StringVar(&l.Database, "fleet", "", "let the fleet with the PostgreSQL database at `URL` make the requests (postgres://USER@HOST/DATABASE)")
	f.StringVar(&l.Objects, "objects", "", "the bodies of the fleet are in `URL` (s3://HOST/BUCKET or file:///FOLDER)")
}

// Given reports whether there is a fleet.
func (l *Fleet) Given() bool { return l.Database != "" && l.Objects != "" }

// Open opens the fleet.
func (l *Fleet) Open(ctx context.Context) (*fleet.Tier, error) {
	return fleet.Open(ctx, l.Database, l.Objects)
}
