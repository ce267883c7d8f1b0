package dialect_test

import "testing"

// TestFilelinkHeader has the forms of the field, each as the sources of the
// program that is named write it.
func TestFilelinkHeader(t *testing.T) {
	runGolden(t, []golden{
		{
			// comm-central, MimeMessageUtils and MimeMessage: a provider that
			// annotates, whose part holds a page.
			"ThunderbirdPage",
			part("Content-Type: text/html; charset=utf-8\nContent-Disposition: attachment; filename=\"Q3 report.pdf.html\"\nX-Mozilla-Cloud-Part: cloudFile; url=https://cloud.example/s/AbC;v=1\nContent-Transfer-Encoding: 7bit\n\n<html><body>Your file</body></html>"),
			[]string{"filelink | url | https://cloud.example/s/AbC;v=1 | name=Q3 report.pdf | at=2:X-Mozilla-Cloud-Part"},
		},
		{
			// The same without a page: an empty part of the file's type, which is
			// no expectation.
			"ThunderbirdEmpty",
			part("Content-Type: image/png; name=\"a.png\"\nContent-Disposition: attachment; filename=\"a.png\"\nX-Mozilla-Cloud-Part: cloudFile; url=https://cloud.example/a?x=1;y=2\n\n"),
			[]string{"filelink | url | https://cloud.example/a?x=1;y=2 | name=a.png | at=2:X-Mozilla-Cloud-Part"},
		},
		{
			// A draft: data in sections of RFC 2231.
			"ThunderbirdDraft",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile; url=https://cloud.example/s/AbC;url=no;\n provider=account3; data*0=\"{\\\"path\\\":\\\"file:///home/\";\n data*1=\"a/b.pdf\\\"}\"\n\n"),
			[]string{"filelink | url | https://cloud.example/s/AbC;url=no | name=AbC;url=no | at=2:X-Mozilla-Cloud-Part"},
		},
		{
			// comm-central's tests, up to version 60. file= is never taken.
			"ThunderbirdOld",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile; url=http://localhost.invalid/; provider=akey; file=file:///etc/passwd; name=attachment.html\n\n"),
			[]string{"filelink | url | http://localhost.invalid/ | name=attachment.html | at=2:X-Mozilla-Cloud-Part"},
		},
		{
			// The nextcloud_attachments plugin of Roundcube.
			"Roundcube",
			part("Content-Type: text/html; name=\"plan.odt.html\"\nContent-Disposition: inline; filename=\"plan.odt.html\"\nContent-Transfer-Encoding: quoted-printable\nX-Mozilla-Cloud-Part: cloudFile; url=https://nc.example/s/Tok3n\n\n<html></html>"),
			[]string{"filelink | url | https://nc.example/s/Tok3n | name=plan.odt | at=2:X-Mozilla-Cloud-Part"},
		},
		{
			// The web client of BlueMind: both fields on one part make one
			// reference.
			"BlueMind",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile;url=https://bm.example/fh/bm-fh/1f;name=film;1.mp4\nX-BM-Disposition: filehosting;url=https://bm.example/fh/bm-fh/1f;name=film;1.mp4;size=5596767;mime=video/mp4;expirationDate=1698311195441\n\n"),
			[]string{"filelink | url | https://bm.example/fh/bm-fh/1f | name=film;1.mp4 | type=video/mp4 | size=5596767 | until=2023-10-26T09:06:35.441Z | at=2:X-Mozilla-Cloud-Part | at=2:X-BM-Disposition"},
		},
		{
			// BlueMind's plugin for Roundcube.
			"BlueMindRoundcube",
			part("Content-Type: application/octet-stream\nX-BM-Disposition: filehosting; url=https://bm.example/fh/x;y=1; name=a.bin; size=113; mime=image/jpg\n\n"),
			[]string{"bluemind | url | https://bm.example/fh/x;y=1 | name=a.bin | type=image/jpg | size=113 | at=2:X-BM-Disposition"},
		},
		{
			// The older name of the field, with nothing behind the last ";".
			"BlueMindOld",
			part("Content-Type: application/octet-stream\nX-BlueMind-Disposition: filehosting;url=https://bm.example/fh/1;name=a.bin;\n\n"),
			[]string{"bluemind | url | https://bm.example/fh/1 | name=a.bin | at=2:X-BlueMind-Disposition"},
		},
		{
			"BlueMindDraft", // not uploaded yet
			part("Content-Type: application/octet-stream\nX-BM-Disposition: filehosting;name=a.bin;size=1;mime=a/b\n\n"),
			nil,
		},
		{
			"TwoFieldsOfOnePart",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile; url=https://a.example/1\nX-Mozilla-Cloud-Part: cloudFile; url=https://b.example/2\n\n"),
			[]string{
				"filelink | url | https://a.example/1 | name=1 | at=2:X-Mozilla-Cloud-Part | diag=conflict url",
				"filelink | url | https://b.example/2 | name=2 | at=2:X-Mozilla-Cloud-Part | diag=conflict url",
			},
		},
		{
			"FieldsDisagree",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile;url=https://a.example/1;name=n\nX-BM-Disposition: filehosting;url=https://b.example/2;name=n;size=x;mime=;expirationDate=soon\n\n"),
			[]string{
				"filelink | url | https://a.example/1 | name=n | at=2:X-Mozilla-Cloud-Part",
				"bluemind | url | https://b.example/2 | name=n | at=2:X-BM-Disposition | diag=bad-size size | diag=bad-expiration expiration | diag=conflict url",
			},
		},
		{
			"NotForTheWeb",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile; url=file:///etc/passwd\n\n") + "",
			[]string{"filelink |  | file:///etc/passwd | at=2:X-Mozilla-Cloud-Part | diag=bad-url x-mozilla-cloud-part"},
		},
		{
			"Script",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFile; url=javascript:alert(1)\n\n"),
			[]string{"filelink |  | javascript:alert(1) | at=2:X-Mozilla-Cloud-Part | diag=bad-url x-mozilla-cloud-part"},
		},
		{
			"OtherWord",
			part("Content-Type: application/octet-stream\nX-Mozilla-Cloud-Part: cloudFolder; url=https://a.example/1\n\n"),
			nil,
		},
	})
}

// TestDocumentReference has the field of a message on a mailing list of 2020,
// with other names, and what a description by the makers of eM Client adds.
func TestDocumentReference(t *testing.T) {
	message := func(fields string) string {
		return "From: a@b.example\n" + fields + "MIME-Version: 1.0\nContent-Type: text/plain\n\nHello\n"
	}
	runGolden(t, []golden{
		{
			"OneDrive",
			message("X-MS-Has-Attach:\nDocument-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!Ar2IfAyw5vH1gQ1d_w2fUe4IbyWP; \n FileName=fract_dec_filter.edf; ProviderType=OneDriveConsumer;\n ProviderUrl=https%3a%2f%2fs2s-api.onedrive.com%2f; Permission=Edit;\n ContentType=application%2foctet-stream\n"),
			[]string{"document-reference | url | https://1drv.ms/u/s!Ar2IfAyw5vH1gQ1d_w2fUe4IbyWP | name=fract_dec_filter.edf | type=application/octet-stream | provider=onedrive | permission=read-write | at=:Document-Reference"},
		},
		{
			"OneFieldAFile",
			message("Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!AgaMhbe7wFq8gi8-1E7; FileName=a.pdf; ProviderType=OneDriveConsumer; Permission=View\nDocument-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!AgaMhbe7wFq8m8VMG; FileName=test_bu%c5%99t%c3%adk.eml; ProviderType=OneDriveConsumer; Permission=View; Expiration=637200000000000000\n"),
			[]string{
				"document-reference | url | https://1drv.ms/b/s!AgaMhbe7wFq8gi8-1E7 | name=a.pdf | provider=onedrive | at=:Document-Reference",
				"document-reference | url | https://1drv.ms/u/s!AgaMhbe7wFq8m8VMG | name=test_buřtík.eml | until=2020-03-17T00:00:00Z | provider=onedrive | at=:Document-Reference",
			},
		},
		{
			"SharePoint",
			message("Document-Reference: https%3a%2f%2ft-my.sharepoint.com%2f%3aw%3a%2fg%2fpersonal%2fu_t%2fEabc%3fe%3d4; FileName=p.docx; ProviderType=OneDrivePro; ProviderUrl=https%3a%2f%2ft-my.sharepoint.com%2f; Permission=AnonymousEdit; Expiration=3155378975999999999\n"),
			[]string{"document-reference | url | https://t-my.sharepoint.com/:w:/g/personal/u_t/Eabc?e=4 | name=p.docx | provider=sharepoint | permission=read-write | at=:Document-Reference"},
		},
		{
			"BrokenEncoding",
			message("Document-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!A%zz; FileName=100%.txt; Permission=Full%20Control; Expiration=never; FileName=b\n"),
			[]string{"document-reference | url | https://1drv.ms/u/s!A%zz | name=100%.txt | permission=full control | at=:Document-Reference | diag=bad-expiration expiration | diag=repeated-field filename | diag=stray-percent url | diag=stray-percent filename"},
		},
		{
			"NotEncoded",
			message("Document-Reference: https://1drv.ms/u/s!A%2B; FileName=a%20b\n"),
			[]string{"document-reference | url | https://1drv.ms/u/s!A%2B | name=a b | at=:Document-Reference"},
		},
		{
			"NoURL",
			message("Document-Reference: FileName=a\nDocument-Reference:\n"),
			[]string{"document-reference |  | FileName=a | at=:Document-Reference | diag=bad-url document-reference"},
		},
		{
			// In the header of a forwarded message.
			"Forwarded",
			part("Content-Type: message/rfc822\n\n" + message("Document-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!B; FileName=b\n")),
			[]string{"document-reference | url | https://1drv.ms/u/s!B | name=b | provider=onedrive | at=2:Document-Reference"},
		},
		{
			// Safe Links around it, as a gateway rewrites it.
			"Wrapped",
			message("Document-Reference: https%3a%2f%2feur01.safelinks.protection.outlook.com%2f%3furl%3dhttps%253A%252F%252F1drv.ms%252Fu%252Fs!B%26data%3dx; FileName=b\n"),
			[]string{"document-reference | url | https://1drv.ms/u/s!B | name=b | provider=onedrive | at=:Document-Reference | diag=unwrapped safelinks"},
		},
	})
}

// TestIcewarp has the field that IceWarp's web client writes, and a guess at the
// received one, of which the names are described.
func TestIcewarp(t *testing.T) {
	runGolden(t, []golden{
		{
			"Client",
			part("Content-Type: application/pdf; name=a.pdf\nX-IceWarp-SmartAttach: url=\"=?UTF-8?B?aHR0cHM6Ly9pdy5leGFtcGxlL2Fh?=\"; zipid=\"=?UTF-8?B?MQ==?=\"; size=\"1234\"; hash=\"0123456789abcdef0123456789abcdef\"; algorithm=\"MD5\"\n\n"),
			[]string{"icewarp | url | https://iw.example/aa | name=aa | size=1234 | at=2:X-IceWarp-SmartAttach"},
		},
		{
			"Received",
			"X-IceWarp-SmartAttach: url=\"https://iw.example/collaboration/#x;y\"; name=\"=?UTF-8?Q?=C5=99.pdf?=\"; size=0; all=\"https://iw.example/all\"\nSubject: x\n\n",
			[]string{"icewarp | url | https://iw.example/collaboration/#x;y | name=ř.pdf | at=:X-IceWarp-SmartAttach"},
		},
		{
			"ReceivedInWords",
			"X-IceWarp-SmartAttach: =?UTF-8?Q?url=3D\"https://iw.example/1\"=3B_name=3D\"a.pdf\"?=\nSubject: x\n\n",
			[]string{"icewarp | url | https://iw.example/1 | name=a.pdf | at=:X-IceWarp-SmartAttach"},
		},
		{
			"OrderToTheServer",
			part("Content-Type: application/pdf\nX-IceWarp-SmartAttach: path=\"=?UTF-8?B?L2V0Yw==?=\"; copy=1; hash=\"00\"; algorithm=\"MD5\"\n\n"),
			nil,
		},
		{
			"Contradiction",
			"X-IceWarp-SmartAttach: url=\"https://a.example/1\"; url=\"https://b.example/2\"; size=-1\nSubject: x\n\n",
			[]string{"icewarp | url | https://a.example/1 | name=1 | at=:X-IceWarp-SmartAttach | diag=bad-size size | diag=conflict url"},
		},
	})
}

// TestOpenXchange has the fields that the sources of App Suite write.
func TestOpenXchange(t *testing.T) {
	const url = "https://ox.example/ajax/share/0b1c2d3e0b1c2d3e0b1c2d3e0b1c2d3e0b1c2d3e0b1c2d3e/1/8/MTY"
	runGolden(t, []golden{
		{
			"ShareCreated",
			"X-Open-Xchange-Share-Type: share-created\nX-Open-Xchange-Share-URL: " + url + "\nX-Open-Xchange-Share-Access: dXNlcjpwYXNz\n\n",
			[]string{"open-xchange | url | " + url + " | at=:X-Open-Xchange-Share-URL"},
		},
		{"OtherType", "X-Open-Xchange-Share-Type: password-reset-confirm\nX-Open-Xchange-Share-URL: " + url + "\n\n", nil},
		{
			"NoType",
			"X-Open-Xchange-Share-URL: \n " + url + "\n\n",
			[]string{"open-xchange | url | " + url + " | at=:X-Open-Xchange-Share-URL"},
		},
	})
}

const detachedText = "You deleted an attachment from this message. The original MIME headers for the attachment were:\n"

// TestDetached has what Thunderbird leaves, by its tests and a report in the
// tracker of Betterbird, and the attachment of a feed by its sources.
func TestDetached(t *testing.T) {
	runGolden(t, []golden{
		{
			"Detached",
			part("Content-Type: image/jpeg; name=aplikacja3.jpg\nContent-Disposition: attachment; filename=\"aplikacja3.jpg\"\nX-Mozilla-External-Attachment-URL: file:///C:/tmp/aplikacja3.jpg\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n\n" +
				detachedText + "Content-Type: image/jpeg; name=aplikacja3.jpg\nContent-Transfer-Encoding: base64\nContent-ID: <ATTACHMENT_PXAPK>\nContent-Disposition: attachment; filename=aplikacja3.jpg\n\n"),
			[]string{"detached | url | file:///C:/tmp/aplikacja3.jpg | name=aplikacja3.jpg | type=image/jpeg | cid=<ATTACHMENT_PXAPK> | at=2:X-Mozilla-External-Attachment-URL"},
		},
		{
			// Another language, a folded field, and an outer type that is not that
			// of the file.
			"DetachedElsewhere",
			part("Content-Type: text/plain;\n name=\"a.doc\"\nContent-Disposition: attachment; filename=\"a.doc\"\nX-Mozilla-External-Attachment-URL: file://///server/share/a%20b.doc\nX-Mozilla-Altered: AttachmentDetached; date=\"Fri May 19 09:27:32 2006\"\n\n" +
				"Sie haben einen Anhang gel=F6scht:\n\nContent-Type: application/msword;\n name=\"a b.doc\"\nContent-Transfer-Encoding: quoted-printable\n"),
			[]string{"detached | url | file://///server/share/a%20b.doc | name=a b.doc | type=application/msword | at=2:X-Mozilla-External-Attachment-URL"},
		},
		{
			// Betterbird 140.3.1: the fields fall into the body.
			"Betterbird",
			part("Content-Type: image/jpeg; name=a.jpg\nContent-Disposition: attachment; filename=\"a.jpg\"\n\nX-Mozilla-External-Attachment-URL: file:///C:/tmp/a.jpg\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n\n" +
				detachedText + "Content-Type: image/jpeg; name=a.jpg\nContent-Transfer-Encoding: base64\n"),
			[]string{"detached | url | file:///C:/tmp/a.jpg | name=a.jpg | type=image/jpeg | at=2[0,127]"},
		},
		{
			// The same text where no attachment was.
			"Quotation",
			part("Content-Type: text/plain\n\nX-Mozilla-External-Attachment-URL: file:///C:/tmp/a.jpg\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n"),
			nil,
		},
		{
			"Deleted",
			part("Content-Type: text/x-moz-deleted; name=\"Deleted: a.pdf\"\nContent-Transfer-Encoding: 8bit\nContent-Disposition: inline; filename=\"Deleted: a.pdf\"\nX-Mozilla-Altered: AttachmentDeleted; date=\"Wed Oct 06 17:28:24 2010\"\n\n" +
				detachedText + "Content-Type: application/pdf;\n name=\"a.pdf\"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment;\n filename=\"a.pdf\"\n\n"),
			[]string{"detached | x-mutt-deleted |  | name=a.pdf | type=application/pdf | until=2010-10-06T17:28:24Z | at=2:X-Mozilla-Altered | diag=expiration-form date"},
		},
		{
			"DeletedBare",
			part("Content-Type: text/x-moz-deleted; name=\"Deleted: a.pdf\"\n\n"),
			[]string{"detached | x-mutt-deleted |  | name=a.pdf | at=2"},
		},
		{
			"FeedEnclosure",
			part("Content-Type: audio/mpeg; name=\"Episode 1\"; size=4711\nX-Mozilla-External-Attachment-URL: https://feed.example/media/1.mp3?id=2\nContent-Disposition: attachment; filename=\"1.mp3\"\n\nThis MIME attachment is stored separately from the message.\n"),
			[]string{"detached | url | https://feed.example/media/1.mp3?id=2 | name=1.mp3 | type=audio/mpeg | size=4711 | at=2:X-Mozilla-External-Attachment-URL"},
		},
		{
			"Contradiction",
			part("Content-Type: audio/mpeg\nX-Mozilla-External-Attachment-URL: https://a.example/1\nX-Mozilla-External-Attachment-URL: https://b.example/2\n\n"),
			[]string{"detached | url | https://a.example/1 | name=1 | type=audio/mpeg | at=2:X-Mozilla-External-Attachment-URL | diag=conflict url"},
		},
		{
			"OtherScheme",
			part("Content-Type: audio/mpeg\nX-Mozilla-External-Attachment-URL: mailbox:///x?number=1\n\n"),
			[]string{"detached |  | mailbox:///x?number=1 | type=audio/mpeg | at=2:X-Mozilla-External-Attachment-URL | diag=bad-url x-mozilla-external-attachment-url"},
		},
	})
}

// TestInternetShortcut has the form of messages on IETF mailing lists of 2010.
func TestInternetShortcut(t *testing.T) {
	runGolden(t, []golden{
		{
			"Outlook", // [InternetShortcut]\r\nURL=ftp://ftp.example/draft.txt\r\n
			part("Content-Type: message/external-body; name=\"draft.url\"\nContent-Disposition: attachment;\n filename=\"draft.url\"; size=93\nContent-Transfer-Encoding: base64\n\nW0ludGVybmV0U2hvcnRjdXRdDQpVUkw9ZnRwOi8vZnRwLmV4YW1wbGUvZHJhZnQudHh0DQo=\n"),
			[]string{"internet-shortcut | url | ftp://ftp.example/draft.txt | name=draft.txt | at=2[20,53]"},
		},
		{
			"Plain",
			part("Content-Type: message/external-body; name=\"home.url\"\n\n[DEFAULT]\nURL=http://no.example/\n[internetshortcut]\nModified=1\nurl = https://h.example/\n"),
			[]string{"internet-shortcut | url | https://h.example/ | name=home | at=2[63,88]"},
		},
		{
			"NoShortcut", // the part itself stays
			part("Content-Type: message/external-body; name=\"a.url\"\n\nContent-Type: a/b\n"),
			[]string{" |  |  | name=a.url | type=a/b | at=2 | diag=no-access-type | diag=no-content-id"},
		},
		{
			"AccessType", // which says it all
			part("Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n\n[InternetShortcut]\nURL=http://b.example/\n"),
			[]string{" | url | http://a.example/ | type=text/plain | at=2 | diag=no-phantom-header | diag=no-content-id"},
		},
	})
}
