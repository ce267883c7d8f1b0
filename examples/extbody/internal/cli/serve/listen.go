package serve

import (
	"fmt"
	"net"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

// listenAll opens the listeners of all front ends. If one cannot be opened, it closes the
// others and returns the error. It calls full when no more connections fit
// at a front end, at most once a minute for each.
func listenAll(fronts []front, full func(front string, err error)) ([]net.Listener, error) {
	var list []net.Listener
	for _, f := range fronts {
		l, err := listen.Open(f.address)
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			return nil, fmt.Errorf("--%s: %w", f.name, err)
		}
		list = append(list, core.Patient(l, func(err error) { full(f.name, err) }))
	}
	return list, nil
}
