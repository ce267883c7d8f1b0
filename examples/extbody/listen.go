package main

import (
	"fmt"
	"net"

	"github.com/go-extbody/extbody/internal/listen"
)

// listenAll opens the listeners of the front ends, or none.
func listenAll(fronts []front) ([]net.Listener, error) {
	var list []net.Listener
	for _, f := range fronts {
		l, err := listen.Open(f.address)
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			return nil, fmt.Errorf("--%s: %w", f.name, err)
		}
		list = append(list, l)
	}
	return list, nil
}
