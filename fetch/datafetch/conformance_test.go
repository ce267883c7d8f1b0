package datafetch_test

import (
	"encoding/base64"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: new(datafetch.Fetcher),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault != fetchtest.Good {
				return nil
			}
			return request("data:;base64," + base64.StdEncoding.EncodeToString(obj.Body))
		},
	})
}
