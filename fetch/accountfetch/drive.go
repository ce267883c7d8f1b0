package accountfetch

import (
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A drive is the base of Google Drive.
type drive string

const fileFields = "id,name,mimeType,size,createdTime,modifiedTime,md5Checksum,sha1Checksum,sha256Checksum," +
	"headRevisionId,version,trashed,shortcutDetails"

// A driveFile is a file or a revision of Drive.
type driveFile struct {
	ID, Name, MimeType, HeadRevisionID, Version string
	Size                                        int64 `json:",string"`
	CreatedTime, ModifiedTime                   time.Time
	MD5Checksum, SHA1Checksum, SHA256Checksum   string
	Trashed                                     bool
	ShortcutDetails                             *struct{ TargetID, TargetResourceKey string }
}

// version returns the version with an id that f describes.
func (f *driveFile) version(id, name string) version {
	v := version{id: id, name: name, modified: f.ModifiedTime, size: f.Size}
	for algorithm, text := range map[string]string{"sha-256": f.SHA256Checksum, "sha-1": f.SHA1Checksum, "md5": f.MD5Checksum} {
		sum, err := hex.DecodeString(text)
		v.digests = append(v.digests, digests("drive", algorithm, sum, err)...)
	}
	return v
}

// exports are the formats in which documents of Google's own are asked for.
var exports = map[string]string{
	"document":     "application/pdf",
	"spreadsheet":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"presentation": "application/pdf",
	"drawing":      "application/pdf",
}

// find implements [provider].
func (d drive) find(a asker, l *link) (*item, error) {
	if l.ID == "" {
		return nil, errNoFile
	}
	u, _ := weburl.Parse(l.text)
	key, _ := u.Param("resourcekey")
	f, err := d.file(a, l.ID, key)
	if err != nil {
		return nil, err
	}
	if s := f.ShortcutDetails; s != nil { // which leads to no other shortcut
		key = s.TargetResourceKey
		f, err = d.file(a, s.TargetID, key)
		if err != nil {
			return nil, err
		}
	}
	it := &item{
		id:        f.ID,
		key:       key,
		name:      f.Name,
		mediaType: f.MimeType,
		tag:       f.Version,
		created:   f.CreatedTime,
		current:   f.version("", f.HeadRevisionID),
		native:    f.ShortcutDetails != nil,
	}
	if f.Trashed {
		return nil, &fetch.Error{Kind: fetch.Gone, Err: errTrashed}
	}
	if kind, ok := strings.CutPrefix(f.MimeType, "application/vnd.google-apps."); ok {
		it.folder = kind == "folder"
		it.mediaType = exports[kind]
		it.native = it.mediaType == ""
		it.rendition = true
	}
	return it, nil
}

// file asks for the description of a file. Without supportsAllDrives there are no files of shared drives.
func (d drive) file(a asker, id, key string) (*driveFile, error) {
	if id == "" {
		return nil, errJSON
	}
	a.hide(url.PathEscape(id))
	f := new(driveFile)
	at := string(d) + "/files/" + url.PathEscape(id) + "?supportsAllDrives=true&fields=" + fileFields
	if err := a.get(at, resourceKey(id, key), f); err != nil {
		return nil, err
	}
	if f.ID != id {
		return nil, errOther
	}
	return f, nil
}

// isKey matches the IDs and keys that may be in a field. Strangers write them.
var isKey = lazyregexp.New(`^[A-Za-z0-9_-]{1,200}$`)

// resourceKey returns the field with the resource key of a file, which is in its link.
func resourceKey(id, key string) map[string]string {
	if !isKey().MatchString(key) || !isKey().MatchString(id) {
		return nil
	}
	return map[string]string{"X-Goog-Drive-Resource-Keys": id + "/" + key}
}

// versions implements [provider]. A page is its token.
func (d drive) versions(a asker, it *item, page string) (list []version, next string, err error) {
	var answer struct {
		Revisions     []driveFile
		NextPageToken string
	}
	at := string(d) + "/files/" + url.PathEscape(it.id) +
		"/revisions?pageSize=1000&fields=nextPageToken,revisions(id,modifiedTime,size,md5Checksum)"
	if page != "" {
		at += "&pageToken=" + url.QueryEscape(page)
	}
	if err := a.get(at, resourceKey(it.id, it.key), &answer); err != nil {
		return nil, "", err
	}
	for _, f := range answer.Revisions {
		id := f.ID
		if id == it.current.name {
			id = ""
		}
		list = append(list, f.version(id, f.ID))
	}
	return list, answer.NextPageToken, nil
}

// open implements [provider]. acknowledgeAbuse is never sent.
func (d drive) open(a asker, it *item, v version) (*fetch.Response, error) {
	at := string(d) + "/files/" + url.PathEscape(it.id)
	switch {
	case it.rendition:
		at += "/export?mimeType=" + url.QueryEscape(it.mediaType)
	case v.id != "":
		at += "/revisions/" + url.PathEscape(v.id) + "?alt=media"
	default:
		at += "?alt=media&supportsAllDrives=true"
	}
	return a.open(at, resourceKey(it.id, it.key))
}

// fault implements [provider]. Drive refuses with 403 for many reasons.
func (drive) fault(_ int, content []byte) (fetch.Kind, string) {
	var answer struct {
		Error struct{ Errors []struct{ Reason string } }
	}
	bounded.JSON(content, &answer, maxValues) // text that is not JSON has no reason
	if len(answer.Error.Errors) == 0 {
		return 0, ""
	}
	reason := answer.Error.Errors[0].Reason
	switch reason {
	case "userRateLimitExceeded", "rateLimitExceeded", "dailyLimitExceeded", "sharingRateLimitExceeded", "downloadQuotaExceeded":
		return fetch.Unavailable, reason
	case "exportSizeLimitExceeded":
		return fetch.TooLarge, reason
	case "fileNotDownloadable":
		return fetch.Unsupported, reason
	}
	return 0, reason
}
