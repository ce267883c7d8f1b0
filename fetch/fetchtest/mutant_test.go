package fetchtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A shelf is a Fetcher that keeps to all rules. Its protocol has one question, "GET tag offset", and
// one answer, "tag offset size" and the octets from there on, or "none". The octets belong to
// another object if the tag is another one.
type shelf struct{ dialer driver.Dialer }

func (s shelf) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c, err := driver.Dial(ctx, req, s.dialer, "shelf", 7)
	if err != nil {
		return nil, err
	}
	var from fetch.Conditions
	if req.Conditions != nil {
		from = *req.Conditions
	}
	line, err := c.Ask(fmt.Sprintf("GET %q %d\n", from.ETag, from.Offset))
	if err != nil {
		return nil, err
	}
	if line == "none" {
		return nil, c.Fail(fetch.NotFound)
	}
	var tag string
	var offset, size int64
	if _, err := fmt.Sscanf(line, "%q %d %d", &tag, &offset, &size); err != nil {
		return nil, c.Fail(&fetch.Error{Kind: fetch.Protocol, Err: errors.New("not an answer")})
	}
	resp, err := c.Response("", size-offset)
	if err != nil {
		return nil, err
	}
	resp.Offset = offset
	driver.OfResponse(resp).Resume = &fetch.Conditions{URL: req.URL.String(), ETag: tag, Size: size}
	return resp, nil
}

func at(host string) *fetch.Request {
	return &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: host, Path: "/"}}
}

func serveShelf(t *testing.T, obj Object) *fetch.Request {
	if obj.Fault == Forbidden {
		return at("[::1]")
	}
	return at(testkit.Listen(t, func(c net.Conn, _ int) {
		if line, _ := bufio.NewReader(c).ReadString('\n'); !strings.HasPrefix(line, "GET ") {
			return
		}
		sent := obj.Body
		switch obj.Fault {
		case Missing:
			io.WriteString(c, "none\n")
			return
		case Mute:
			io.Copy(io.Discard, c)
			return
		case Cut, Stalled:
			sent = sent[:len(sent)/2]
		}
		fmt.Fprintf(c, "\"\" 0 %d\n%s", len(obj.Body), sent)
		if obj.Fault == Stalled {
			io.Copy(io.Discard, c)
			obj.Left()
		}
	}))
}

func loseShelf(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
	return at(testkit.Listen(t, func(c net.Conn, n int) {
		var asked string
		var from int
		if _, err := fmt.Fscanf(c, "GET %q %d\n", &asked, &from); err != nil {
			return
		}
		tag := `"v"`
		if changed {
			tag = fmt.Sprintf(`"v%d"`, n)
		}
		if asked != tag {
			from = 0
		}
		end := len(body)
		if n < len(cuts) {
			end = max(from, cuts[n])
		}
		fmt.Fprintf(c, "%q %d %d\n%s", tag, from, len(body), body[from:end])
	}))
}

func harness(f fetch.Fetcher) Harness {
	return Harness{Fetcher: f, Serve: serveShelf, Lose: loseShelf, At: at, Watches: true}
}

func TestShelf(t *testing.T) { Run(t, harness(shelf{Guard()})) }

// asks returns a shelf that is asked with another Request than the caller's.
func asks(change func(r *fetch.Request)) fetch.Fetcher {
	return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		r := *req
		change(&r)
		return shelf{Guard()}.Fetch(ctx, &r)
	})
}

// answers returns a shelf whose answer is changed.
func answers(change func(ctx context.Context, resp *fetch.Response) *fetch.Response) fetch.Fetcher {
	return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp, err := shelf{Guard()}.Fetch(ctx, req)
		if err == nil {
			resp = change(ctx, resp)
		}
		return resp, err
	})
}

// fails returns a shelf whose error is changed.
func fails(change func(req *fetch.Request, err error) (*fetch.Response, error)) fetch.Fetcher {
	return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp, err := shelf{Guard()}.Fetch(ctx, req)
		if err != nil {
			return change(req, err)
		}
		return resp, nil
	})
}

// A reader is a Body with another Read or Close.
type reader struct {
	io.ReadCloser
	read  func(p []byte) (int, error)
	close func() error
}

func (r reader) Read(p []byte) (int, error) {
	if r.read != nil {
		return r.read(p)
	}
	return r.ReadCloser.Read(p)
}

func (r reader) Close() error {
	if r.close != nil {
		return r.close()
	}
	return r.ReadCloser.Close()
}

// reads returns a shelf whose bodies are read by read.
func reads(read func(b io.Reader, p []byte) (int, error)) fetch.Fetcher {
	return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
		b := resp.Body
		resp.Body = reader{b, func(p []byte) (int, error) { return read(b, p) }, nil}
		return resp
	})
}

// closes returns a shelf whose bodies are closed by closing.
func closes(closing func(resp *fetch.Response, b io.Closer) error) fetch.Fetcher {
	return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
		b := resp.Body
		resp.Body = reader{b, nil, func() error { return closing(resp, b) }}
		return resp
	})
}

// hidden returns a shelf whose Exchanges are not seen if hide reports so.
func hidden(hide func(x *fetch.Exchange) bool) fetch.Fetcher {
	return asks(func(r *fetch.Request) {
		if observe := r.Observe; observe != nil {
			r.Observe = func(x *fetch.Exchange) {
				if !hide(x) {
					observe(x)
				}
			}
		}
	})
}

// An open dialer judges no URL, and connects to every address.
type open struct{ driver.Dialer }

func (open) Authority(u *url.URL) (string, uint16, error) { return u.Hostname(), 80, nil }

// A late dialer judges URLs, but looks names up again when it dials.
type late struct{ driver.Dialer }

func (late) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if strings.HasPrefix(address, private) {
		address = "127.0.0.1:1"
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// mutants are Fetchers that break a rule, by the name of the rule, the fault, and a part of the text
// of the suite.
var mutants = map[string]func() fetch.Fetcher{
	"Whole/OtherOctet/want all": func() fetch.Fetcher {
		return reads(func(b io.Reader, p []byte) (int, error) {
			n, err := b.Read(p)
			if n > 0 {
				p[0]++
			}
			return n, err
		})
	},
	"Whole/SizeOfAnother/want all": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			resp.Size++
			return resp
		})
	},
	"Reader/NoProgress/want a good reader": func() fetch.Fetcher {
		return reads(func(b io.Reader, p []byte) (int, error) {
			if len(p) < 4 {
				return 0, io.ErrShortBuffer
			}
			return b.Read(p)
		})
	},
	"Reader/Hangs/still running": func() fetch.Fetcher {
		return reads(func(io.Reader, []byte) (int, error) { select {} })
	},
	"MaxBytes/OffByOne/limit 5000": func() fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp, err := shelf{Guard()}.Fetch(ctx, req)
			if err == nil && req.MaxBytes >= 0 && resp.Size >= req.MaxBytes {
				resp.Body.Close()
				return nil, fetch.TooLarge
			}
			return resp, err
		})
	},
	"Missing/Protocol/want Kind not-found": func() fetch.Fetcher {
		return fails(func(_ *fetch.Request, err error) (*fetch.Response, error) {
			if errors.Is(err, fetch.NotFound) {
				err = fetch.Protocol
			}
			return nil, err
		})
	},
	"Missing/Empty/got error <nil>": func() fetch.Fetcher {
		return fails(func(_ *fetch.Request, err error) (*fetch.Response, error) {
			if errors.Is(err, fetch.NotFound) {
				return &fetch.Response{Size: -1, Body: io.NopCloser(bytes.NewReader(nil))}, nil
			}
			return nil, err
		})
	},
	"Cut/End/want Kind truncated": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			b := resp.Body
			resp.Size = -1
			resp.Body = reader{b, func(p []byte) (int, error) {
				n, err := b.Read(p)
				if err != nil {
					err = io.EOF
				}
				return n, err
			}, nil}
			return resp
		})
	},
	"Resume/NoValidator/got 99999 octets": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			if resp.Offset > 0 {
				driver.OfResponse(resp).Resume = nil
			}
			return resp
		})
	},
	"ResumeChanged/AnyObject/want Kind truncated": func() fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp, err := shelf{Guard()}.Fetch(ctx, req)
			if err == nil && req.Conditions != nil && resp.Offset < req.Conditions.Offset {
				io.CopyN(io.Discard, resp.Body, req.Conditions.Offset)
				resp.Offset = req.Conditions.Offset
				driver.OfResponse(resp).Resume = req.Conditions
				resp.Size -= resp.Offset
			}
			return resp, err
		})
	},
	"Stall/Deaf/still running": func() fetch.Fetcher { return deaf{} },
	"Mute/NoLimit/still running": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) { r.Timeouts.FirstOctet = -1 })
	},
	"Ended/Fetches/got no error":     func() fetch.Fetcher { return deaf{} },
	"CancelFetch/Deaf/still running": func() fetch.Fetcher { return deaf{} },
	"CancelRead/Deaf/still running":  func() fetch.Fetcher { return deaf{} },
	"CloseEarly/Leaves/found unexpected goroutines": func() fetch.Fetcher {
		return closes(func(*fetch.Response, io.Closer) error {
			go func() { select {} }()
			return nil
		})
	},
	"ExchangeClosed/Error/of Close": func() fetch.Fetcher {
		return closes(func(_ *fetch.Response, b io.Closer) error { return errors.Join(b.Close(), fetch.Truncated) })
	},
	"Concurrent/One/want 100000, nil": func() fetch.Fetcher {
		var busy atomic.Bool
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if !busy.CompareAndSwap(false, true) {
				return nil, fetch.Protocol
			}
			return shelf{Guard()}.Fetch(ctx, req)
		})
	},
	"Request/Modified/got the request": func() fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			req.URL.Path = "/index"
			return shelf{Guard()}.Fetch(ctx, req)
		})
	},
	"Forbidden/NoGuard/want Kind blocked":  func() fetch.Fetcher { return shelf{open{late{}}} },
	"Private/LateLookup/want Kind blocked": func() fetch.Fetcher { return shelf{late{Guard()}} },
	"Connect/NoLimit/still running": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) { r.Timeouts.Connect = -1 })
	},
	"Response/NoBody/want a Response with a Body": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			resp.Body.Close()
			resp.Body = nil
			return resp
		})
	},
	"Response/Nothing/want a Response with a Body": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			resp.Body.Close()
			return nil
		})
	},
	"Response/Both/want an error alone": func() fetch.Fetcher {
		return fails(func(_ *fetch.Request, err error) (*fetch.Response, error) { return new(fetch.Response), err })
	},
	"Phases/None/got the phases []": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) { r.Progress = nil })
	},
	"Phases/NoSending/got the phases": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) {
			progress := r.Progress
			r.Progress = func(e fetch.Event) {
				if progress != nil && e.Phase != fetch.Sending {
					progress(e)
				}
			}
		})
	},
	"Exchange/None/got no Exchange": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) { r.Observe = nil })
	},
	"Exchange/NotOfTheBody/want the octets of the Body": func() fetch.Fetcher {
		return answers(func(_ context.Context, resp *fetch.Response) *fetch.Response {
			driver.End(driver.OfResponse(resp).Exchange, nil)
			driver.OfResponse(resp).Exchange = nil
			return resp
		})
	},
	"ExchangeFailed/None/got no Exchange": func() fetch.Fetcher {
		return hidden(func(x *fetch.Exchange) bool { return x.Kind == fetch.NotFound })
	},
	"ExchangeFailed/NoneAfterTimeout/got no Exchange": func() fetch.Fetcher {
		return hidden(func(x *fetch.Exchange) bool { return x.Kind == fetch.Unavailable })
	},
	"ExchangeFailed/NoKind/got an Exchange that ended as none": func() fetch.Fetcher {
		return hidden(func(x *fetch.Exchange) bool {
			x.Kind = 0
			return false
		})
	},
	"ExchangeClosed/None/got no Exchange": func() fetch.Fetcher {
		return hidden(func(x *fetch.Exchange) bool { return x.Kind == fetch.Local })
	},
	"Disconnect/Kept/want it closed": func() fetch.Fetcher {
		return closes(func(resp *fetch.Response, _ io.Closer) error {
			driver.End(driver.OfResponse(resp).Exchange, fetch.Local)
			return nil
		})
	},
	"Contact/None/0 octets and 0 fetches": func() fetch.Fetcher {
		return asks(func(r *fetch.Request) { driver.OfRequest(r).Gate, r.Budget = nil, nil })
	},
	"Contact/Late/want Kind deferred": func() fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			r := *req
			driver.OfRequest(&r).Gate, r.Budget = nil, nil
			resp, err := shelf{Guard()}.Fetch(ctx, &r)
			if err != nil {
				return nil, err
			}
			if err := driver.Contact(ctx, req, req.URL); err != nil {
				resp.Body.Close()
				return nil, err
			}
			return resp, nil
		})
	},
	"Contact/Twice/got error":       func() fetch.Fetcher { return fetch.Func(twice) },
	"Phases/Twice/for each contact": func() fetch.Fetcher { return fetch.Func(twice) },
	"NoSecrets/URL/without the query value": func() fetch.Fetcher {
		return fails(func(req *fetch.Request, err error) (*fetch.Response, error) {
			return nil, fmt.Errorf("%s: %w", req.URL, err)
		})
	},
}

// twice contacts the server twice for a body.
func twice(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	resp, err := shelf{Guard()}.Fetch(ctx, req)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return shelf{Guard()}.Fetch(ctx, req)
}

// A deaf Fetcher does not notice the end of its context.
type deaf struct{}

func (deaf) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	return shelf{Guard()}.Fetch(context.WithoutCancel(ctx), req)
}

// A lingering Fetcher keeps to all rules. A goroutine of it ends a while after the fetch, as one does that waits for a
// processor.
type lingering struct{}

func (lingering) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	go time.Sleep(leakTime / 4)
	return shelf{Guard()}.Fetch(ctx, req)
}

// TestLingering wants a goroutine that ends late to break no rule.
func TestLingering(t *testing.T) {
	for _, r := range rules {
		if r.name == "Concurrent" {
			t.Run(r.name, func(t *testing.T) { r.run(t, harness(lingering{}), deadline) })
		}
	}
}

// mutantVar names the mutant that a process of TestMutants tests.
const mutantVar = "FETCHTEST_MUTANT"

// TestMutant is run by TestMutants.
func TestMutant(t *testing.T) {
	make, ok := mutants[os.Getenv(mutantVar)]
	if !ok {
		t.Skip("run by TestMutants")
	}
	run(t, harness(make()), 2*time.Second)
}

// Each mutant is found by the test of the rule that it breaks, which names the rule. It runs in a
// process of its own, which keeps the goroutines that it leaves.
func TestMutants(t *testing.T) {
	broken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(mutants)) {
		rule, rest, _ := strings.Cut(name, "/")
		fault, says, _ := strings.Cut(rest, "/")
		broken[rule] = true
		t.Run(rule+fault, func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMutant$/^"+rule+"$")
			c.Env = append(os.Environ(), mutantVar+"="+name)
			out, err := c.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestMutant/"+rule) || !strings.Contains(string(out), says) {
				t.Errorf("got %v, want a failure of %s that says %q:\n%s", err, rule, says, out)
			}
		})
	}
	for _, r := range rules {
		if !broken[r.name] && r.name != "CancelBefore" { // which Do sees to
			t.Errorf("no mutant breaks the rule %s", r.name)
		}
	}
}
