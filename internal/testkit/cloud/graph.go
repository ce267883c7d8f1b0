package cloud

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/filehash"
)

// failGraph answers with an error as Graph does. Its message has words that nothing may repeat.
func failGraph(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(object{"error": object{"code": code, "message": "SECRET words", "innerError": object{"request-id": "r1"}}})
}

// isTenant reports whether Graph has a tenant for links of a host.
func isTenant(host string) bool {
	return host == "contoso.sharepoint.com" || strings.HasSuffix(host, ".contoso.example")
}

// serveGraph answers as Graph v1.0 does.
func (c *Cloud) serveGraph(w http.ResponseWriter, r *http.Request, p []string, may func(*File) bool) {
	var f *File
	switch {
	case len(p) > 2 && p[0] == "shares" && strings.HasPrefix(p[1], "u!"):
		link, err := base64.RawURLEncoding.DecodeString(p[1][len("u!"):])
		u, _ := url.Parse(string(link))
		if err != nil || !isTenant(u.Hostname()) {
			failGraph(w, http.StatusBadRequest, "invalidRequest")
			return
		}
		f = c.Links[string(link)]
		if !may(f) {
			failGraph(w, http.StatusForbidden, "accessDenied") // also for a link that is not there
			return
		}
		p = p[3:]
	case len(p) > 3 && p[0] == "drives":
		f = c.Files[p[3]]
		if !may(f) {
			failGraph(w, http.StatusNotFound, "itemNotFound")
			return
		}
		p = p[4:]
	default:
		failGraph(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	switch {
	case len(p) == 0:
		answer(w, c.describe(f, c.Talks || r.URL.Query().Get("$select") == ""))
	case p[0] == "content":
		if c.OnOpen != nil {
			c.OnOpen()
		}
		if f.Deny != "" {
			failGraph(w, http.StatusForbidden, f.Deny)
			return
		}
		c.lead(w, f, f.last().Text)
	case len(p) == 1 && f.Hidden:
		failGraph(w, http.StatusForbidden, "accessDenied")
	case len(p) == 1:
		c.list(w, r, f)
	default:
		c.serveVersion(w, f, p[1])
	}
}

// serveVersion leads to the octets of a version, but not of the present one.
func (c *Cloud) serveVersion(w http.ResponseWriter, f *File, id string) {
	n, _ := strconv.ParseFloat(id, 64)
	switch at := int(n); {
	case at == len(f.Versions):
		failGraph(w, http.StatusBadRequest, "invalidRequest")
	case at < 1 || at > len(f.Versions) || f.Deleted[id]:
		failGraph(w, http.StatusNotFound, "itemNotFound")
	case f.Deny != "":
		failGraph(w, http.StatusForbidden, f.Deny)
	default:
		c.lead(w, f, f.Versions[at-1].Text)
	}
}

// list answers with a page of versions, the newest one first.
func (c *Cloud) list(w http.ResponseWriter, r *http.Request, f *File) {
	size := max(c.PageSize, 2)
	skip, _ := strconv.Atoi(r.URL.Query().Get("$skiptoken"))
	list := []object{}
	for i := len(f.Versions) - 1 - skip; i >= 0 && len(list) < size; i-- {
		at := f.Versions[i].At.Add(c.ClockSkew)
		list = append(list, object{"id": fmt.Sprintf("%d.0", i+1), "lastModifiedDateTime": stamp(at), "size": len(f.Versions[i].Text)})
	}
	page := object{"value": list}
	if skip+size < len(f.Versions) {
		base := c.NextPage
		if base == "" {
			base = c.API.URL
		}
		page["@odata.nextLink"] = base + r.URL.Path + "?$skiptoken=" + strconv.Itoa(skip+size)
	}
	answer(w, page)
}

// describe returns the driveItem of f. Without a selection it has names of persons, and a URL that needs no login.
func (c *Cloud) describe(f *File, all bool) object {
	v := object{"id": f.ID, "name": f.Name, "createdDateTime": stamp(f.Created), "parentReference": object{"driveId": "b!drive"}}
	if all {
		v["@microsoft.graph.downloadUrl"] = c.Octets.URL + "/" + Secret + "?" + Secret + "=SECRET"
		v["lastModifiedBy"] = object{"user": object{"displayName": "Ann", "email": "ann@contoso.example"}}
	}
	switch {
	case f.Target != nil:
		v["remoteItem"] = c.describe(f.Target, false)
		return v
	case f.Kind != "":
		v[f.Kind] = object{}
		v["lastModifiedDateTime"] = stamp(f.Created)
		return v
	}
	last := f.last()
	touched := last.At
	if !f.Touched.IsZero() {
		touched = f.Touched
	}
	tag := fmt.Sprintf(`"{E},%d %s"`, len(f.Versions), stamp(touched))
	v["eTag"] = tag
	v["cTag"] = `"c:` + tag[1:]
	v["lastModifiedDateTime"] = stamp(touched)
	v["size"] = int64(len(last.Text)) + f.Announced
	file := object{"mimeType": f.MediaType}
	if !f.NoDigest {
		h := filehash.NewQuickXor()
		h.Write([]byte(last.Text))
		sum := h.Sum(nil)
		if f.BadDigest {
			sum[0]++
		}
		file["hashes"] = object{"quickXorHash": base64.StdEncoding.EncodeToString(sum)}
	}
	v["file"] = file
	return v
}
