// Package externalbody finds the message/external-body parts of mail, describes the bodies
// that they refer to, and gets them (RFC 2046 section 5.2.3, RFC 2017).
//
// [Open] indexes a message and makes a [Reference] of each such part, at any depth,
// even where the message is malformed. [Read], [ReadRaw] and [ReadPart] make a Reference of
// a part that the caller has found. Reading uses no network.
//
// The body of such a part starts with a second header, which describes the data that the
// part stands for. It is called the phantom header here.
//
// A [Resolver] turns a Reference into a [Body]. Its [Plan] lists beforehand the hosts that
// would be contacted and the facts that they would learn. The Body ends with io.EOF only if
// it is whole and as the Reference promised.
//
//	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
//	msg, err := externalbody.Open(file, size, &externalbody.OpenOptions{Dialects: dialect.All()})
//	...
//	for alts := range msg.Alternatives() {
//		name, report, err := resolver.SaveFile(ctx, alts, folder) // an *os.Root
//		...
//	}
//
// [Message.Alternatives] yields one slice for each body. The slice holds the References
// to that body, each of which is a way to get it. [Resolver.SaveFile] saves the body to
// a file by the first way that succeeds. [Resolver.Save] writes it to a [Sink] instead,
// and [Resolver.Resolve] streams it.
//
// # To write a reference
//
// A program that sends mail fills in a Reference and calls [Reference.WriteTo], which
// writes the whole part. It refuses all that [Open] would read with a [Diag].
//
//	sum := sha256.Sum256(data)
//	ref := &externalbody.Reference{
//		AccessType: "url",
//		Params:     externalbody.Fields{{Name: "url", Value: "https://files.example/report.pdf"}},
//		MediaType:  "application/pdf",
//		Name:       "report.pdf",
//		Size:       int64(len(data)),
//		ContentID:  externalbody.NewContentID("mail.example"),
//		Digests:    []fetch.Digest{{Algorithm: "sha-256", Sum: sum[:]}},
//	}
//	_, err := ref.WriteTo(w)
//
// # Standards
//
// The package implements the reading side of RFC 2045, 2046, 2017, 2231 and 1864. Its
// functions are tolerant: input with one plausible meaning is read, and a [Diag] records
// each fault that was forgiven. Two kinds of parts are listed but never resolved: one with a
// parameter that is given twice with different values, and one with two Content-Type
// fields that lead to different places.
package externalbody

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Open indexes the message of size octets in r. It reads the message once, in linear
// time, and keeps only offsets and References. r must stay open, and its octets must
// not change, until the last Body of the Message is closed and the last rewriting has
// returned.
//
// A malformed message is not an error, and neither is a limit that was reached, which
// [Message.Incomplete] reports. Open fails if r fails. It fails with Malformed if
//
//   - a Dialect has no Name, a Name that is not in lower case, or the Name of another
//     one, or
//   - its Hosts are not host names, or are of an unknown kind.
func Open(r io.ReaderAt, size int64, opts *OpenOptions) (*Message, error) {
	o := opts.withDefaults()
	if err := checkNames(o.Dialects); err != nil {
		return nil, err
	}
	rd := reader{opts: o, left: o.MaxDecodedBytes}
	defer rd.release()
	scanned, ok := r.(message.IndexedReader)
	if !ok {
		r = rd.hold(r, size)
		index, err := message.Scan(r, size, message.Limits{
			Depth:       o.MaxDepth,
			Parts:       o.MaxParts,
			HeaderBytes: o.MaxHeaderBytes,
		})
		if err != nil {
			return nil, err
		}
		scanned = message.IndexedReader{ReaderAt: r, Index: index}
	}
	r = scanned.ReaderAt
	index := scanned.Index
	m := &Message{index: index}
	m.source = &source{r: r, parts: index.Parts, maxHeader: o.MaxHeaderBytes, message: m}
	m.hosts = hostsOf(o.Dialects)
	var err error
	m.links, err = sharelink.NewTable(m.hosts)
	if err != nil {
		return nil, &fetch.Error{Op: "open", Kind: fetch.Malformed, Err: err}
	}
	rd.index = index
	rd.message = m
	rd.found.hosts = m.links
	m.refs, err = rd.readAll(m.source)
	if err != nil {
		return nil, err
	}
	m.from = fromFields(rd.top, index.Root())
	if err := rd.readOtherwise(m.source, size); err != nil {
		return nil, err
	}
	if m.incomplete == nil && index.Limit != nil {
		m.incomplete = index.Limit
	}
	if m.incomplete != nil {
		m.unread = append(m.unread, UnreadPart{Reason: DiagCutShort, Detail: m.incomplete.Error()})
	}
	return m, nil
}

// checkNames returns an error if a Dialect does not have a name of its own. The one without
// a name would be the standard form, whose References replace their parts.
func checkNames(dialects []Dialect) error {
	for i := range dialects {
		name := dialects[i].Name
		var err error
		if name == "" {
			err = errors.New("a Dialect has no Name")
		} else if name != strings.ToLower(name) {
			err = fmt.Errorf("the Name of the Dialect %.40q is not in lower case", name)
		}
		for j := range i {
			if dialects[j].Name == name {
				err = fmt.Errorf("two Dialects have the Name %.40q", name)
			}
		}
		if err != nil {
			return &fetch.Error{Op: "open", Kind: fetch.Malformed, Err: err}
		}
	}
	return nil
}

func hostsOf(dialects []Dialect) map[string]string {
	var hosts map[string]string
	for i := range dialects {
		if hosts == nil && len(dialects[i].Hosts) > 0 {
			hosts = make(map[string]string)
		}
		maps.Copy(hosts, dialects[i].Hosts)
	}
	return hosts
}
