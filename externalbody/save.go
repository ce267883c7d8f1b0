package externalbody

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// A Sink is where Save writes a body, such as a file, or a part of a message that is
// being written. After Reset, writing begins again with the first octet of a body.
//
// A Sink that is also a [Beginner] learns beforehand what is known of each body.
type Sink interface {
	io.Writer

	// Reset discards what was written, because it turned out not to be the body.
	Reset() error
}

// A Beginner is a [Sink] with a method Begin. Save calls it before the first octet of
// each body that it tries. The Report is complete except for Bytes, SHA256 and Checks.
// size is the number of octets to come, or -1 if it is not known. An error of Begin
// counts as an error of the Sink.
type Beginner interface {
	Sink
	Begin(r *Report, size int64) error
}

// Save writes the body that alts stand for to dst. It tries alts in the order of
// [Resolver].Order. After a failure it calls dst.Reset and tries the next one. It stops
// at the first success, so that a body is never delivered twice (RFC 2046 section
// 5.1.4). If ctx ends or dst fails, no other alternative is tried.
//
// dst holds the body only if Save returns nil. The Report is never nil. It is that of
// the alternative that succeeded, or of the first one that was tried. Its Failures list
// the alternatives that failed.
//
// A failure of dst is of Kind Local. If several alternatives fail, the error is that
// which says most about what to do:
//
//   - what ended the Save, Local or Canceled; or
//   - one that is Pending, since the body will arrive later; or
//   - the first that is transient, since the body may be available later; or
//   - the first.
//
// [fetch.KindOf] and [errors.AsType] find that error. Its text also names some of the
// others, and [errors.Is] finds all of them.
func (r *Resolver) Save(ctx context.Context, alts []*Reference, dst Sink) (*Report, error) {
	if len(alts) == 0 {
		return &Report{}, &fetch.Error{Op: "save", Kind: fetch.Malformed, Err: errors.New("no reference")}
	}
	ctx = context.WithValue(ctx, savingKey{}, new(saving))
	var failures []Failure
	var first *Report
	others := r.others(alts)
	for _, ref := range r.order(alts) {
		report, err := r.saveOne(ctx, ref, others, dst)
		if again := r.repaired(ref, report, err); again != nil {
			if err = dst.Reset(); err == nil {
				report, err = r.saveOne(ctx, again, others, dst)
				report.Reference = ref
				report.Warnings = append(report.Warnings, Diag{Code: DiagModeRepaired, Param: "mode"})
			}
		}
		if first == nil {
			first = report
		}
		if err == nil {
			report.Failures = failures
			return report, nil
		}
		failures = append(failures, Failure{ref, err, report})
		if e := dst.Reset(); e != nil {
			failures = append(failures, Failure{ref, &fetch.Error{Op: "save", Kind: fetch.Local, Err: e}, report})
		}
		last := failures[len(failures)-1].Err
		if kind := fetch.KindOf(last); kind == fetch.Local || kind == fetch.Canceled {
			report.Failures = failures
			return report, newSaveError(failures, true)
		}
	}
	first.Failures = failures
	return first, newSaveError(failures, false)
}

// repaired returns the Reference to repeat a transfer with, or nil if it is not
// repeated. A transfer is repeated if the default mode damaged a body that is not text
// (RFC 2046 section 5.2.3.2).
func (r *Resolver) repaired(ref *Reference, report *Report, err error) *Reference {
	if !r.RepairMode || strings.HasPrefix(ref.MediaType, "text/") {
		return nil
	}
	if _, has := ref.Param("mode"); has {
		return nil
	}
	mode := "image"
	switch ref.AccessType {
	case "tftp":
		mode = "octet"
	case "ftp", "anon-ftp":
	default:
		return nil
	}
	wrongSize := slices.ContainsFunc(report.Checks, func(c fetch.Check) bool {
		return c.Name == "size" && c.Status == fetch.Mismatch
	})
	if !errors.Is(err, fetch.DigestMismatch) && !(err == nil && wrongSize) {
		return nil
	}
	again := *ref
	again.Params = append(slices.Clone(ref.Params), Param{"mode", mode})
	return &again
}

// saveOne writes the body of one Reference, and compares it with what others
// promise.
func (r *Resolver) saveOne(ctx context.Context, ref *Reference, others *others, dst Sink) (*Report, error) {
	body, report, err := r.resolve(ctx, ref)
	if err != nil {
		return report, err
	}
	defer body.Close()
	body.compare(others)
	if s, ok := dst.(Beginner); ok {
		if err := s.Begin(body.Report(), body.Size); err != nil {
			return body.Report(), sinkError(err)
		}
	}
	if _, err := body.WriteTo(localWriter{dst}); err != nil {
		return body.Report(), err
	}
	return body.Report(), nil
}

// sinkError returns the error of a Sink. It is Local unless it has a Kind.
func sinkError(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
}

// A localWriter gives the errors of a Writer the Kind Local.
type localWriter struct{ w io.Writer }

func (l localWriter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		err = sinkError(err)
	}
	return n, err
}
