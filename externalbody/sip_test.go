package externalbody_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestSIP is SI-2 to SI-4, SI-6, SI-8, SI-10 to SI-12 and SI-16.
func TestSIP(t *testing.T) {
	const data = "v=0"
	s1, s256 := sha1.Sum([]byte(data)), sha256.Sum256([]byte(data))
	hash1, hash256 := hex.EncodeToString(s1[:]), hex.EncodeToString(s256[:])
	now := func() time.Time { return time.Date(2002, 6, 1, 0, 0, 0, 0, time.UTC) }
	const valid = `; expiration="Mon, 24 Jun 2002 09:00:00 GMT"`
	const disposition = "Content-Disposition: session\n"
	sip := externalbody.Resolver{Profile: externalbody.ProfileSIP, Now: now}
	accept := sip
	accept.AcceptTypes = []string{"application/sdp"}
	strict := sip
	strict.Strict = true
	mail := externalbody.Resolver{Now: now}

	for _, c := range []struct {
		name, params, phantom string
		r                     externalbody.Resolver
		served                string
		kind                  fetch.Kind
		label, verified       string
		warnings              string
	}{
		{"Plain", valid + "; hash=" + hash1, disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "weak-match", "[]"},
		{"UpperCaseHash", valid + "; hash=" + strings.ToUpper(hash1), disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "weak-match", "[]"},
		{"HashDiffers", valid + "; hash=" + strings.Repeat("0", 40), disposition + "Content-Type: application/sdp\n", sip, "application/sdp", fetch.DigestMismatch, "", "", ""},
		{"HashOfOtherLength", valid + "; hash=10AB568E91245681AC1B", disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "malformed", "[bad-digest hash]"},
		{"HashOfOtherLengthStrict", valid + "; hash=10AB568E91245681AC1B", disposition + "Content-Type: application/sdp\n", strict, "application/sdp", fetch.Malformed, "", "", ""},
		{"HashOfSHA256", valid + "; hash=" + hash256, disposition + "Content-Type: application/sdp\n", sip, "application/sdp", 0, "application/sdp", "malformed", "[bad-digest hash]"},
		{"LearnsType", valid, disposition, sip, "application/sdp; x=y", 0, "application/sdp; x=y", "none", "[]"},
		{"LearnsAcceptedType", valid, disposition, accept, "Application/SDP", 0, "Application/SDP", "none", "[]"},
		{"LearnsOtherType", valid, disposition, accept, "text/html", fetch.TypeMismatch, "", "", ""},
		{"NoTypeAtAll", valid, disposition, sip, "", fetch.TypeMismatch, "", "", ""},
		{"AnnouncedTypeWins", valid, disposition + "Content-Type: application/sdp\n", sip, "text/html", fetch.TypeMismatch, "", "", ""},
		{"NoExpiration", "", disposition, sip, "application/sdp", 0, "application/sdp", "none", "[no-expiration expiration]"},
		{"OtherZone", `; expiration="Mon, 24 June 2002 09:00:00 +0100"`, disposition, sip, "application/sdp", 0, "application/sdp", "none", "[expiration-form expiration]"},
		{"NoDisposition", valid, "", sip, "application/sdp", 0, "application/sdp", "none", "[no-disposition content-disposition]"},
		{"Expired", `; expiration="Fri, 31 May 2002 09:00:00 GMT"`, disposition, sip, "application/sdp", fetch.Expired, "", "", ""},
		{"MailTriesExpired", `; expiration="Fri, 31 May 2002 09:00:00 GMT"`, "", mail, "text/plain", 0, "text/plain; charset=us-ascii", "none", "[expired expiration]"},
		{"MailIgnoresHash", `; hash=` + strings.Repeat("0", 40), "", mail, "text/plain", 0, "text/plain; charset=us-ascii", "none", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report, err := resolve(t, c.r, c.params, c.phantom, page{mediaType: c.served, body: data})
			if fetch.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if c.kind == 0 && (report.MediaType != c.label || report.Verified() != c.verified || fmt.Sprint(report.Warnings) != c.warnings) {
				t.Errorf("got %q, %s, %v, want %q, %s, %s", report.MediaType, report.Verified(), report.Warnings, c.label, c.verified, c.warnings)
			}
		})
	}

	for phantom, want := range map[string]bool{
		"Content-Disposition: render; handling=optional\n": true,
		"Content-Disposition: render; handling=required\n": false,
		"Content-Disposition: render\n":                    false,
		"":                                                 false,
	} {
		if ref := one(t, "message/external-body; access-type=x", phantom); ref.Optional() != want {
			t.Errorf("%q: Optional is %v, want %v", phantom, ref.Optional(), want)
		}
	}
}

// TestByReference is SI-17.
func TestByReference(t *testing.T) {
	for mention, want := range map[string]fetch.Kind{"": fetch.Denied, "Call-Info: <cid:a@b>;purpose=icon\n": 0, "Call-Info: <cid:a%40b>\n": 0} {
		text := mention + "Content-Type: message/external-body; access-type=URL; URL=\"http://h.example/x\"\n\nContent-ID: <a@b>\nContent-Type: text/plain\nContent-Disposition: by-reference\n\n"
		ref := openText(t, text, nil)[0]
		r := &externalbody.Resolver{Profile: externalbody.ProfileSIP, Fetcher: &web{pages: map[string]page{"http://h.example/x": {mediaType: "text/plain", body: "x"}}}}
		body, err := r.Resolve(t.Context(), ref)
		if fetch.KindOf(err) != want {
			t.Errorf("%q: got %v, want %v", mention, err, want)
		}
		if err == nil {
			if _, err := io.ReadAll(body); err != nil {
				t.Error(err)
			}
			body.Close()
		}
	}
}
