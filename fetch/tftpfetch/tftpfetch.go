// Package tftpfetch gets files by TFTP (RFC 1350), for the URL scheme tftp (RFC
// 3617) and with it for the access type tftp (RFC 2046 section 5.2.3.2).
// Package safefetch does not include it: TFTP verifies neither the server nor
// the data, so a body needs a digest.
//
// # Names
//
// The file name is the path of the URL without its first "/", decoded once. So
// tftp://h/boot/k names "boot/k" and tftp://h/%2Fboot/k names "/boot/k". It is
// one string: dot segments and empty segments are sent as they are. CR, LF and
// NUL, a user, a query, and a name that does not fit into a request of 512
// octets (RFC 2347) are Malformed, and nothing is sent.
//
// # Modes
//
// [fetch.Request].TransferType, "octet" or "netascii", decides, then the
// ";mode=" of the URL. Without either the mode is octet (RFC 3617 section 2).
// The mode mail is Unsupported: it is for sending.
//
// In netascii, CR NUL becomes CR (RFC 1350 section 1). A line end stays CRLF,
// the canonical form of text in MIME, if the announced media type is text,
// message or multipart, or none. For any other type it becomes LF, which
// restores the octets that a server with such line ends had.
//
// # Transfers
//
// The Body reports io.EOF only after a block shorter than the others. Response.Size is
// the server's tsize (RFC 2349), in octet mode only, so that [fetch.Do] notices a file
// that ends too early. ERROR after the first block, or silence, is Truncated.
//
// A server may lower the size of blocks, down to 8 octets (RFC 2348). A server that
// refuses the options (ERROR 8, RFC 2347), or acknowledges none of them, is asked
// again without any. A block larger than agreed, options that were not asked for,
// and other options than the ones that were acknowledged before are Protocol errors.
//
// # Addresses
//
// A host is resolved and judged once. The first of its addresses to which there
// is a route is asked, IPv4 before IPv6, and no other. Packets from any other
// address are dropped. Those from another port of the same address, once the server
// has answered from one, are dropped and answered with ERROR 5 (RFC 1350 section
// 4).
//
// # Limits
//
// A packet that was not answered is repeated at times that double (RFC 1123 section
// 4.2.3.2), and do not follow the round-trip time. The client does not linger after
// the last acknowledgment, and asks for no windows (RFC 7440) and no time-out
// option. It reads nothing ahead: the server waits for a slow reader, and may give
// up.
package tftpfetch

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// New returns a Fetcher for the scheme tftp. nil means the zero Options. Several goroutines may use it
// at once. Use it through [fetch.Do] or a [fetch.Mux], which enforce the limits on octets, stalls and
// total time. Fetch returns when the first block has come. An ERROR of the server (RFC 1350 section 5)
// is NotFound for the code 1, Forbidden for 2, Unavailable for 3, and Protocol otherwise; within a body
// it is Truncated. Its text may repeat the name of the file, and stands in the Exchange alone.
// Check returns the refusals that are made before anything is sent.
func New(opts *Options) driver.Inspector {
	f := &fetcher{opts: *cmp.Or(opts, new(Options))}
	o := &f.opts
	o.BlockSize = min(max(cmp.Or(o.BlockSize, frameBlockSize), defaultBlockSize), maxBlockSize)
	if o.retryAfter <= 0 {
		o.retryAfter = defaultRetryAfter
	}
	f.guard = f.opts.Guard.WithPorts(port)
	return f
}

type fetcher struct {
	driver.Layer // without Next
	opts         Options
	guard        *netguard.Guard // with the port of tftp
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, err := f.target(req)
	return err
}

// Options adjust a Fetcher. The zero value is safe.
type Options struct {
	// Guard judges the addresses that are asked; nil is the strict zero Guard.
	// Port 69 is added to the ports that it allows.
	Guard *netguard.Guard

	// BlockSize is the number of octets to ask for in each block (RFC 2348).
	// A server may choose fewer. 0 means 1428, which fits into one frame of
	// Ethernet with room for a tunnel. Values are brought into the range from
	// 512 to 65464.
	BlockSize int

	// retryAfter is the time after which a packet that got no answer is
	// repeated; 0 or less means 1 s. The time between repetitions doubles, and
	// the server is given up when the fourth has had no answer either, 31 times
	// retryAfter after the packet was sent first.
	retryAfter time.Duration
}

const (
	defaultBlockSize = 512 // of a transfer without the option (RFC 1350 section 2)
	maxBlockSize     = 65464
	frameBlockSize   = 1428

	defaultRetryAfter = time.Second
	maxRetries        = 4
)

// A route is a judged address and the address of this machine from which
// packets go there.
type route struct {
	remote netip.AddrPort
	local  netip.Addr
}

// route resolves the host, judges the whole answer, and finds the first address
// that packets can be sent to.
func (f *fetcher) route(ctx context.Context, req *fetch.Request, t *target) (*route, error) {
	ctx, cancel := driver.Limit(ctx, req.Timeouts.Connect, "the name lookup")
	defer cancel()
	addrs, err := f.guard.Resolve(ctx, t.host)
	if err != nil {
		return nil, driver.Interrupted(ctx, err)
	}
	// Many servers listen on IPv4 only, and only one address is asked.
	slices.SortStableFunc(addrs, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	var first error
	for _, addr := range addrs {
		r, err := f.probe(ctx, netip.AddrPortFrom(addr, t.port))
		if err == nil {
			return r, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// probe connects a UDP socket, which sends nothing. The guard judges it as it
// judges every socket. The socket of the transfer may not be connected, since the
// server answers from another port; it gets the same two addresses.
func (f *fetcher) probe(ctx context.Context, remote netip.AddrPort) (*route, error) {
	if err := dialing.Ask(ctx, remote.Addr()); err != nil {
		return nil, err
	}
	d := net.Dialer{ControlContext: f.guard.ControlContext}
	conn, err := d.DialContext(ctx, "udp", remote.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return nil, err
	}
	return &route{remote: remote, local: local.Addr()}, nil
}

// rrqOptions are the options of a read request (RFC 2347).
type rrqOptions struct {
	blockSize int  // not asked for if it is the default
	size      bool // ask for the size
}

// target checks all that can be checked without the network.
func (f *fetcher) target(req *fetch.Request) (*target, error) {
	u := req.URL
	switch {
	case !strings.EqualFold(u.Scheme, "tftp"):
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errScheme}
	case u.Host == "":
		return nil, malformed(errHost)
	case u.User != nil:
		return nil, malformed(errUser)
	case u.RawQuery != "" || u.ForceQuery:
		return nil, malformed(errQuery)
	}
	name, urlMode, err := splitPath(u.EscapedPath())
	if err != nil {
		return nil, malformed(err)
	}
	t := &target{name: name, crlf: lineBased(req.MediaType)}
	t.mode, err = parseMode(req.TransferType, urlMode)
	if err != nil {
		return nil, err
	}
	if len("\x00\x01"+name+"\x00"+string(t.mode)+"\x00")+maxOptions > maxRequest {
		return nil, malformed(errLongName)
	}
	t.host, t.port, err = f.guard.Authority(u)
	if err != nil {
		return nil, err
	}
	return t, nil
}
