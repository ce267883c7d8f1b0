package fetchtest_test

import "testing"

// The examples of the package are tests too.
func TestExample(t *testing.T)        { conform(t) }
func TestExampleNetwork(t *testing.T) { conformNetwork(t) }
