// Package dialect has the forms, besides message/external-body parts, in which today's
// mail refers to bodies that are elsewhere. They are header fields and blocks of HTML
// that mail programs write instead of an attachment, and the share links of file
// hosts.
//
// [All] returns them for [externalbody.OpenOptions]. They read the texts of senders, and
// contact no server. A URL counts only if a form marks it as a file, never
// because it is a link: a GET of any other URL can confirm, unsubscribe, or use up a
// download.
//
// A form gives the place of the body, and its name, size, media type and expiration as
// far as it declares them. Mail programs guess media types, so these are weak
// expectations. The type of a part that only holds the place of the file is not used.
// [externalbody.Reference].Promises has the facts that are exact.
//
// These Dialects read headers:
//
//   - filelink: X-Mozilla-Cloud-Part, of Thunderbird, Betterbird, Roundcube and
//     BlueMind.
//   - bluemind: X-BM-Disposition and X-BlueMind-Disposition.
//   - detached: X-Mozilla-External-Attachment-URL and X-Mozilla-Altered. Thunderbird
//     leaves them where an attachment was moved to a file, or deleted, and where the
//     attachment of a feed is on the web.
//   - document-reference: Document-Reference, of Outlook and Exchange.
//   - icewarp: X-IceWarp-SmartAttach.
//   - open-xchange: X-Open-Xchange-Share-URL.
//   - eudora: X-Attachments, for the files of a message that Eudora sent.
//   - lark: X-Lark-Large-Attachment and X-Lms-Large-Attachment-Ids, which add to the links in the text.
//   - internet-shortcut: a message/external-body part without an access type that holds
//     a .url file, of Outlook; and an attached .url file with a share link.
//   - content-external: Content-External, of draft-melnikov-email-big-files-00.
//   - remote-attachment: Remote-Attachment-Url and Image-Archive-Url. A public program
//     reads them in mail of a sender that is not named.
//
// This Dialect reads another kind of part:
//
//   - calendar: ATTACH with a type or a name, in text/calendar, of RFC 5545 and RFC
//     8607.
//
// These Dialects read texts:
//
//   - filelink: the list of files that the programs above put into the text, as HTML
//     and as plain text, since Thunderbird 13.
//   - icewarp: the block of class icewarp_smartattach of an IceWarp server.
//   - owa: the block of Outlook on the web for files in OneDrive and SharePoint.
//   - gmail-drive: the chip of Gmail for files in Google Drive.
//   - maildrop: the elements of Apple Mail for files in Mail Drop.
//   - netease: the links of NetEase for large attachments.
//   - lark: the block of Lark Mail, which is Feishu in China, for large attachments, as HTML and as plain text.
//   - eudora: the lines that Eudora writes instead of attachments that it has stored.
//   - mailman: the remains of the parts that Mailman 2 scrubs, in any language of
//     its catalogs.
//   - sympa: the part that Sympa writes instead of an attachment.
//   - share-link: links, and URLs that stand in a text, whose URL has the shape of a share
//     link of a file host, or wraps such a one; also in the JSON-LD of a notice.
//
// [All] lacks one form: remote-images, the pictures that are loaded when a mail is shown.
// See [RemoteImages].
package dialect

import (
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// Options are the options of [With]. The zero value gives the result of [All].
type Options struct {
	// Hosts are hosts of the caller, or of people the caller knows, whose links are
	// share links. The key is the host. It may have a port, and a path before the path
	// of each link, as in "files.example:8443/cloud". The value is the program that the
	// host runs, as in sharefetch.Kinds, or the shapes of its links from
	// sharefetch.ReadHosts. The requests for the files carry the hosts, so that a
	// fetcher needs no list of its own.
	Hosts map[string]string

	// Names are the names of the forms to return. "all" stands for the forms of All,
	// to which RemoteImages can be added. nil means "all". Hosts hold for standard parts
	// too: without share-link among the forms there is one more, which finds nothing.
	Names []string
}

// All returns the forms that are known.
func All() []externalbody.Dialect { return all(nil, nil) }

// With returns the forms that the options name. opts may be nil, which means the
// zero Options. It is an error if a name is not known, a host is not a host, or its
// kind is not known.
func With(opts *Options) ([]externalbody.Dialect, error) {
	if opts == nil {
		return All(), nil
	}
	table, err := sharelink.NewTable(opts.Hosts)
	if err != nil {
		return nil, fmt.Errorf("dialect: %w", err)
	}
	forms := append(all(table, opts.Hosts), remoteImages())
	names := opts.Names
	if names == nil {
		names = []string{"all"}
	}
	for _, n := range names {
		if n != "all" && !slices.ContainsFunc(forms, func(d externalbody.Dialect) bool { return d.Name == n }) {
			return nil, fmt.Errorf("dialect: %.40q is not known", n)
		}
	}
	forms = slices.DeleteFunc(forms, func(d externalbody.Dialect) bool {
		return !slices.Contains(names, d.Name) && (d.Name == RemoteImages || !slices.Contains(names, "all"))
	})
	if len(opts.Hosts) > 0 && !slices.ContainsFunc(forms, func(d externalbody.Dialect) bool { return d.Hosts != nil }) {
		forms = append(forms, externalbody.Dialect{Name: "share-hosts", Hosts: opts.Hosts})
	}
	return forms, nil
}

func all(table *sharelink.Table, hosts map[string]string) []externalbody.Dialect {
	return append(marked(table), shareLink(table, hosts))
}

// marked returns the forms that mark their links.
func marked(table *sharelink.Table) []externalbody.Dialect {
	return []externalbody.Dialect{
		filelink(),
		bluemind(),
		detached(),
		documentReference(),
		icewarp(),
		openXchange(),
		internetShortcut(table),
		contentExternal(),
		remoteAttachment(),
		calendar(),
		owa(),
		gmailDrive(),
		maildrop(),
		netease(),
		lark(),
		eudora(),
		mailman(),
		sympa(),
	}
}

// Names returns the names of all forms: All in its order, and RemoteImages.
func Names() []string {
	var names []string
	for _, d := range marked(nil) {
		names = append(names, d.Name)
	}
	return append(names, shareLinkName, RemoteImages)
}

// Named returns the forms of these names, in the order of Names; "all" stands for
// the forms of All. It is an error if a name is not known.
func Named(names ...string) ([]externalbody.Dialect, error) {
	return With(&Options{Names: append([]string{}, names...)})
}
