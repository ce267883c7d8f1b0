package dialect

import (
	"strconv"
	"strings"
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
	return externalbody.Dialect{
		Name:   "bluemind",
		Fields: fields,
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			var refs []*externalbody.Reference
			own := placeholderName(e)
			cloud := cutPairs(e.Header.Get(cloudPart), "cloudFile", cloudNames).get("url")
			for _, f := range e.Header {
				for _, name := range fields {
					if strings.EqualFold(f.Name, name) {
						refs = append(refs, readBluemind(name, f.Value, own, cloud)...)
					}
				}
			}
			contradict(refs)
			return refs
		},
	}
}

// readBluemind reads one field. own is the name that the part itself has. cloud is the
// URL of the other field, which should be the same.
func readBluemind(field, value, own, cloud string) []*externalbody.Reference {
	p := cutPairs(value, "filehosting", cloudNames)
	url := p.get("url")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	setName(r, charset.Words(p.get("name")), own)
	setSize(r, p.get("size"))
	setType(r, p.get("mime"))
	if v := p.get("expirationdate"); v != "" {
		ms, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			ms = 0
		}
		setExpiration(r, time.UnixMilli(ms))
	}
	if p.conflict("url") || cloud != "" && cloud != url {
		diag(r, externalbody.DiagConflict, "url")
	}
	return []*externalbody.Reference{r}
}
