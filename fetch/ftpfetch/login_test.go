package ftpfetch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

var errNo = errors.New("the user said no")

// AT-3, AT-11, FT-9, FT-10: who logs in.
func TestLogin(t *testing.T) {
	bob := &fetch.Userinfo{User: "bob", Password: "pw", Account: "acct"}
	for _, tt := range []struct {
		name, path string
		login      fetch.Login
		anonymous  string
		answer     *fetch.Userinfo
		answerErr  error
		replies    map[string]string
		want       []string // USER, PASS and ACCT
		asked      int
		kind       fetch.Kind
	}{
		{name: "Anonymous", path: "/x", want: []string{"USER anonymous", "PASS anonymous@"}},
		{name: "AnonymousAddress", path: "/x", anonymous: "me@my.example", want: []string{"USER anonymous", "PASS me@my.example"}},
		{name: "AnonymousRule", path: "/x", login: fetch.LoginAnonymous, answer: bob, want: []string{"USER anonymous", "PASS anonymous@"}},
		{name: "NoPassword", path: "/x", replies: map[string]string{"USER": "230 in"}, want: []string{"USER anonymous"}},
		{name: "URL", path: "bob:p%40w@/x", want: []string{"USER bob", "PASS p@w"}},
		{name: "URLEmptyPassword", path: "bob:@/x", answer: bob, want: []string{"USER bob", "PASS "}},
		{name: "URLAnonymous", path: "Anonymous@/x", want: []string{"USER Anonymous", "PASS anonymous@"}},
		{name: "URLAnonymousPassword", path: "ftp:me@/x", login: fetch.LoginAnonymous, want: []string{"USER ftp", "PASS me"}},
		{name: "URLUserAsks", path: "bob@/x", answer: &fetch.Userinfo{Password: "q"}, asked: 1, want: []string{"USER bob", "PASS q"}},
		{name: "URLUserNobodyToAsk", path: "bob@/x", want: []string{"USER bob"}, kind: fetch.Credentials},
		{name: "URLUserNeedsNoPassword", path: "bob@/x", replies: map[string]string{"USER": "230 in"}, want: []string{"USER bob"}},
		{name: "IAC", path: "b%FFb:p%FF@/x", want: []string{"USER b\xff\xffb", "PASS p\xff\xff"}},
		{name: "Required", path: "/x", login: fetch.LoginRequired, answer: bob, asked: 1, want: []string{"USER bob", "PASS pw"}},
		{name: "RequiredNobodyToAsk", path: "/x", login: fetch.LoginRequired, kind: fetch.Credentials},
		{name: "RequiredNoAnswer", path: "/x", login: fetch.LoginRequired, answer: nil, asked: 1, kind: fetch.Credentials},
		{name: "RequiredEmptyAnswer", path: "/x", login: fetch.LoginRequired, answer: &fetch.Userinfo{}, asked: 1, kind: fetch.Credentials},
		{name: "RequiredAnonymousAnswer", path: "/x", login: fetch.LoginRequired, answer: &fetch.Userinfo{User: "ftp"}, asked: 1, kind: fetch.Credentials},
		{name: "RequiredURL", path: "bob:pw@/x", login: fetch.LoginRequired, answer: bob, want: []string{"USER bob", "PASS pw"}},
		{name: "AnswerError", path: "/x", login: fetch.LoginRequired, answerErr: errNo, asked: 1, kind: fetch.Credentials},
		{name: "AnswerKind", path: "/x", login: fetch.LoginRequired, answerErr: fetch.Denied, asked: 1, kind: fetch.Denied},
		{name: "AnswerInjects", path: "/x", login: fetch.LoginRequired, answer: &fetch.Userinfo{User: "bob", Password: "p\r\nDELE x"}, asked: 1, kind: fetch.Malformed},
		{name: "Refused", path: "bob:pw@/x", answer: bob, replies: map[string]string{"PASS": "530 no"}, want: []string{"USER bob", "PASS pw"}, kind: fetch.Credentials},
		{name: "AnonymousRefused", path: "/x", replies: map[string]string{"USER": "530 no"}, want: []string{"USER anonymous"}, kind: fetch.Credentials},
		{name: "AnonymousRefusedAsks", path: "/x", answer: bob, asked: 1, replies: map[string]string{"USER anonymous": "530 no"}, want: []string{"USER anonymous", "USER bob", "PASS pw"}},
		{
			name: "AnonymousForbiddenAsks", path: "/x", answer: bob, asked: 1,
			replies: map[string]string{"PASS anonymous@": "530 no"},
			want:    []string{"USER anonymous", "PASS anonymous@", "USER bob", "PASS pw"},
		},
		{name: "AnonymousBusyDoesNotAsk", path: "/x", answer: bob, replies: map[string]string{"USER": "421 busy"}, want: []string{"USER anonymous"}, kind: fetch.Unavailable},
		{
			name: "AnonymousRuleRefused", path: "/x", login: fetch.LoginAnonymous, answer: bob,
			replies: map[string]string{"USER": "530 no"}, want: []string{"USER anonymous"}, kind: fetch.Credentials,
		},
		{name: "URLAnonymousRefused", path: "anonymous@/x", answer: bob, replies: map[string]string{"USER": "530 no"}, want: []string{"USER anonymous"}, kind: fetch.Credentials},
		{
			name: "AccountAfterPass", path: "/x", login: fetch.LoginRequired, answer: bob, asked: 1,
			replies: map[string]string{"PASS": "332 account", "ACCT": "230 in"},
			want:    []string{"USER bob", "PASS pw", "ACCT acct"},
		},
		{
			name: "AccountAfterUser", path: "bob:pw@/x", answer: bob, asked: 1,
			replies: map[string]string{"USER": "332 account", "ACCT": "202 superfluous"},
			want:    []string{"USER bob", "ACCT acct"},
		},
		{name: "AccountUnknown", path: "bob:pw@/x", replies: map[string]string{"PASS": "332 account"}, want: []string{"USER bob", "PASS pw"}, kind: fetch.Credentials},
		{
			name: "AccountNotAnswered", path: "/x", login: fetch.LoginRequired, asked: 1,
			answer:  &fetch.Userinfo{User: "bob", Password: "pw"},
			replies: map[string]string{"PASS": "332 account"},
			want:    []string{"USER bob", "PASS pw"}, kind: fetch.Credentials,
		},
		{
			name: "AccountAnonymous", path: "/x", login: fetch.LoginAnonymous, answer: bob,
			replies: map[string]string{"PASS": "332 account"},
			want:    []string{"USER anonymous", "PASS anonymous@"}, kind: fetch.Credentials,
		},
		{
			name: "AccountRefused", path: "/x", login: fetch.LoginRequired, answer: bob, asked: 1,
			replies: map[string]string{"PASS": "332 account", "ACCT": "530 no"},
			want:    []string{"USER bob", "PASS pw", "ACCT acct"}, kind: fetch.Credentials,
		},
		{name: "PasswordTwice", path: "bob:pw@/x", replies: map[string]string{"PASS": "331 again"}, want: []string{"USER bob", "PASS pw"}, kind: fetch.Credentials},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", replies: tt.replies}
			f.start(t)
			asked := 0
			req := &fetch.Request{URL: f.url(t, tt.path), Login: tt.login}
			if tt.answer != nil || tt.answerErr != nil || tt.asked > 0 {
				req.Credentials = func(_ context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
					asked++
					if c.Scheme != "ftp" || c.Host != "files.example" || c.Port == 0 || c.User != req.URL.User.Username() {
						t.Errorf("got challenge %+v, want ftp, files.example, a port and user %q", c, req.URL.User.Username())
					}
					return tt.answer, tt.answerErr
				}
			}
			_, _, err := get(t, New(&Options{Guard: loopback(), TLS: TLSOff, Anonymous: tt.anonymous}), req)
			wantKind(t, err, tt.kind)
			got := slices.DeleteFunc(f.seen(), func(line string) bool {
				return verb(line) != "USER" && verb(line) != "PASS" && verb(line) != "ACCT"
			})
			if !slices.Equal(got, tt.want) {
				t.Errorf("commands %q, want %q", got, tt.want)
			}
			if asked != tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

// Errors repeat neither credentials nor unprintable characters, and are short.
func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		name    string
		replies map[string]string
		query   string
		want    string // at the end
	}{
		{name: "Text", replies: map[string]string{"RETR": "550 No such file"}, want: `not-found: 550 "No such file"`},
		{name: "Lines", replies: map[string]string{"RETR": "550-No\r\n such\r\n550 file"}, want: `: 550 "No such file"`},
		{name: "Control", replies: map[string]string{"RETR": "550 a\x1b[31m\x00b\u202ec\xff"}, want: `: 550 "a [31m b c"`},
		{name: "Long", replies: map[string]string{"RETR": "550 " + strings.Repeat("ä", 1000)}, want: `: 550 "` + strings.Repeat("ä", 100) + `"`},
		{name: "User", replies: map[string]string{"PASS": "530 User BOB-X cannot log in"}, want: `: 530 "(text withheld)"`},
		{name: "Password", replies: map[string]string{"RETR": "550 s3cret"}, want: `: 550 "(text withheld)"`},
		{name: "Query", replies: map[string]string{"RETR": "550 x?token=abc: no"}, query: "?token=abc", want: `: 550 "(text withheld)"`},
		{name: "NotReply", replies: map[string]string{"PASS": "HTTP/1.1 s3cret"}, want: ": not a reply of FTP"},
		{name: "NotReplyClass", replies: map[string]string{"PASS": "650 s3cret"}, want: ": not a reply of FTP"},
		{name: "CompletionText", replies: map[string]string{"CWD": "250 x", "TYPE": "s3cret"}, want: ": not a reply of FTP"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", replies: tt.replies}
			_, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: TLSOff}), "bob-x:s3cret@/x"+tt.query)
			if err == nil {
				t.Fatal("got no error, want one")
			}
			if !strings.HasSuffix(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "abc") || strings.Contains(strings.ToLower(err.Error()), "bob-x") {
				t.Errorf("error %q, want the end %q", err, tt.want)
			}
		})
	}
}
