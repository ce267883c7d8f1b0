package archive

import (
	"fmt"
	"io"
	"strings"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// maxAdvice bounds the kinds of exceptions at the end of a run.
const maxAdvice = 3

// advise prints the most frequent exceptions of a run, and the command that helps against each.
func advise(w io.Writer, dir string, p *policy.Policy, res *core.Result) {
	for _, f := range res.Frequent(maxAdvice) {
		fmt.Fprintf(w, "%s %s: %s\n", wording.Count(f.Count, "exception"), f.Kind, advice(quoted(dir), p, f))
	}
}

// advice returns the command for exceptions. dir is the archive.
func advice(dir string, p *policy.Policy, f *core.Failure) string {
	retry := fmt.Sprintf("extbody archive retry %s kind=%s", dir, f.Kind)
	way := ""
	if f.Ref != nil {
		way = strings.TrimPrefix(p.WayOut(f.Ref, f.Err), "; ")
	}
	switch {
	case way != "":
		return way + ": " + retry + " with it"
	case f.Due > 0:
		return "asked for again when they are due: extbody archive due " + dir
	case f.Kind == fetch.Credentials || f.Kind == fetch.Forbidden:
		return "with an account, or with --login-host and --credentials-command: " + retry
	case f.Kind == fetch.SizeMismatch:
		return "to take them as they are: " + retry + " --accept-size"
	}
	return fmt.Sprintf("they are not asked for again by themselves: extbody archive search %s kind=%s", dir, f.Kind)
}

// quoted returns a name as a shell reads it.
func quoted(name string) string {
	name = show.Line(name)
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == ""
	if plain && !strings.HasPrefix(name, "-") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
