package cloud

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// failDrive answers with an error as Drive does. Its message has words that nothing may repeat.
func failDrive(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(object{
		"error": object{"code": status, "message": "SECRET words", "errors": []object{{"domain": "global", "reason": reason}}},
	})
}

// serveDrive answers as Drive v3 does, octets included.
func (c *Cloud) serveDrive(w http.ResponseWriter, r *http.Request, p []string, may func(*File) bool) {
	key := r.Header.Get("X-Goog-Drive-Resource-Keys")
	c.log = append(c.log, "key "+key)
	f := c.Files[p[0]]
	if !may(f) || f.Key != "" && key != f.ID+"/"+f.Key {
		failDrive(w, http.StatusNotFound, "notFound")
		return
	}
	isMedia := r.URL.Query().Get("alt") == "media"
	native := strings.HasPrefix(f.MediaType, "application/vnd.google-apps.")
	switch {
	case f.Deny != "" && isMedia:
		failDrive(w, http.StatusForbidden, f.Deny)
	case len(p) == 1 && isMedia:
		c.send(w, f.last().Text)
	case len(p) == 1 && f.Target != nil:
		shortcut := object{"targetId": f.Target.ID, "targetResourceKey": f.Target.Key}
		answer(w, object{"id": f.ID, "name": f.Name, "mimeType": "application/vnd.google-apps.shortcut", "shortcutDetails": shortcut})
	case len(p) == 1:
		v := f.revision(len(f.Versions))
		v["id"] = f.ID
		v["name"] = f.Name
		v["kind"] = "drive#file"
		v["createdTime"] = stamp(f.Created)
		v["version"] = strconv.Itoa(len(f.Versions))
		v["trashed"] = f.Trashed
		if native {
			delete(v, "md5Checksum")
			delete(v, "size")
		} else {
			v["headRevisionId"] = fmt.Sprint("r", len(f.Versions))
		}
		answer(w, v)
	case p[1] == "export":
		io.WriteString(w, "%PDF of "+f.Name)
	case f.Hidden:
		failDrive(w, http.StatusForbidden, "insufficientFilePermissions")
	case len(p) == 2:
		list := []object{}
		for i := range f.Versions {
			list = append(list, f.revision(i+1))
		}
		answer(w, object{"revisions": list})
	default:
		n, _ := strconv.Atoi(strings.TrimPrefix(p[2], "r"))
		if n < 1 || n > len(f.Versions) || f.Deleted[p[2]] {
			failDrive(w, http.StatusNotFound, "notFound")
			return
		}
		c.send(w, f.Versions[n-1].Text)
	}
}

// send sends octets, which the API has itself.
func (c *Cloud) send(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	io.WriteString(w, text)
}

func (f *File) revision(n int) object {
	v := f.Versions[n-1]
	sum := md5.Sum([]byte(v.Text))
	if f.BadDigest {
		sum[0]++
	}
	return object{
		"id": fmt.Sprint("r", n), "mimeType": f.MediaType, "size": strconv.Itoa(len(v.Text)), "modifiedTime": stamp(v.At),
		"md5Checksum": hex.EncodeToString(sum[:]),
	}
}
