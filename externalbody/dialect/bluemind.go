package dialect

import (
	"strconv"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// bluemind reads the header field of BlueMind, which comes together with the field of
// filelink. These forms are in the sources of its web clients, its server and its
// plugin for Roundcube:
//
//	filehosting;url=URL;name=N;size=OCTETS;mime=TYPE;expirationDate=MILLISECONDS
//	filehosting; url=URL; name=N; size=OCTETS; mime=TYPE
//	filehosting;url=URL;name=N;                                   X-BlueMind-Disposition
//
// One without a URL is of a draft whose file is being uploaded.
func bluemind() externalbody.Dialect {
	fields := []string{"X-BM-Disposition", "X-BlueMind-Disposition"}
	return externalbody.Dialect{Name: "bluemind", Fields: fields, Read: readFile(fields, readBluemind)}
}

func readBluemind(e *externalbody.Entity, field, value string) *externalbody.Reference {
	p := cutPairs(value, "filehosting", cloudNames)
	url := p.get("url")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	setName(r, charset.Words(p.get("name")), placeholderName(e))
	setSize(r, p.get("size"))
	setType(r, p.get("mime"))
	if v := p.get("expirationdate"); v != "" {
		ms, _ := strconv.ParseInt(v, 10, 64)
		setExpiration(r, time.UnixMilli(ms))
	}
	cloud := cutPairs(e.Header.Get(cloudPart), "cloudFile", cloudNames).get("url") // should be the same
	if p.conflict("url") || cloud != "" && cloud != url {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}
