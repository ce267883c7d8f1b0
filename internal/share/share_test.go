package share_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/share"
	"github.com/go-extbody/extbody/internal/weburl"
)

const same = "(the link)"

// The shapes are those that rules.go says where it has from; identifiers and
// names are our own.
var golden = []struct {
	name   string
	text   string
	link   share.Link // Size 0 stands for -1
	direct string     // same stands for text without its fragment
}{
	// Dropbox: its own help has dl=0 and dl=1; a name and rlkey came in 2023.
	{"Dropbox", "https://www.dropbox.com/scl/fi/5rqdl5/My%20File.zip?rlkey=wk%2Bx9&st=ao&dl=0", share.Link{Provider: "dropbox", Kind: share.File, ID: "5rqdl5", Name: "My File.zip"}, "https://www.dropbox.com/scl/fi/5rqdl5/My%20File.zip?rlkey=wk%2Bx9&st=ao&dl=1"},
	{"DropboxOld", "https://www.dropbox.com/s/au3bned42n0/a.pdf", share.Link{Provider: "dropbox", Kind: share.File, ID: "au3bned42n0", Name: "a.pdf"}, "https://www.dropbox.com/s/au3bned42n0/a.pdf?dl=1"},
	{"DropboxHostCase", "HTTPS://WWW.Dropbox.COM./s/a/b.pdf?dl=0#x", share.Link{Provider: "dropbox", Kind: share.File, ID: "a", Name: "b.pdf"}, "HTTPS://WWW.Dropbox.COM./s/a/b.pdf?dl=1"},
	{"DropboxFolder", "https://www.dropbox.com/scl/fo/8kll7yv/ADhDIC8?rlkey=8c&dl=0", share.Link{Provider: "dropbox", Kind: share.Folder, ID: "8kll7yv"}, ""},
	{"DropboxOldFolder", "https://www.dropbox.com/sh/8kll7yv/ADhDIC8", share.Link{Provider: "dropbox", Kind: share.Folder, ID: "8kll7yv"}, ""},
	{"DropboxInFolder", "https://www.dropbox.com/sh/8kll7yv/ADhDIC8/a.pdf?dl=0", share.Link{Provider: "dropbox", ID: "8kll7yv"}, ""},
	{"DropboxTransfer", "https://www.dropbox.com/t/8kll7yv", share.Link{Provider: "dropbox", ID: "8kll7yv"}, ""},
	{"DropboxContent", "https://dl.dropboxusercontent.com/s/a/b.pdf?dl=0", share.Link{Provider: "dropbox", Kind: share.File, ID: "a", Name: "b.pdf"}, same},

	// OneDrive: the first form is that of messages of 2020.
	{"OneDrive", "https://1drv.ms/u/s!Ar2I_x-9?e=Vm1", share.Link{Provider: "onedrive", Kind: share.File, ID: "s!Ar2I_x-9"}, "https://api.onedrive.com/v1.0/shares/u!aHR0cHM6Ly8xZHJ2Lm1zL3UvcyFBcjJJX3gtOT9lPVZtMQ/root/content"},
	{"OneDriveFolder", "https://1drv.ms/f/s!Ar2I", share.Link{Provider: "onedrive", Kind: share.Folder, ID: "s!Ar2I"}, ""},
	{"OneDriveNotebook", "https://1drv.ms/o/s!Ar2I", share.Link{Provider: "onedrive", ID: "s!Ar2I"}, ""},
	{"OneDriveNew", "https://1drv.ms/x/c/a77974c33a34d9bb/ERyj4V2-D?e=rX", share.Link{Provider: "onedrive", Kind: share.File, ID: "ERyj4V2-D"}, "https://my.microsoftpersonalcontent.com/personal/a77974c33a34d9bb/_layouts/15/download.aspx?share=ERyj4V2-D"},
	{"OneDriveNewFolder", "https://1drv.ms/f/c/a77974c33a34d9bb/ERyj4V2-D", share.Link{Provider: "onedrive", Kind: share.Folder, ID: "ERyj4V2-D"}, ""},
	{"OneDriveLong", "https://onedrive.live.com/?authkey=%21AEz&cid=171E&id=171E%21923&parId=1&o=OneUp", share.Link{Provider: "onedrive", ID: "171E%21923"}, "https://onedrive.live.com/download?resid=171E%21923&authkey=%21AEz"},
	{"OneDriveRedir", "https://onedrive.live.com/redir?resid=6CB!22&authkey=!AD&ithint=file%2cpdf", share.Link{Provider: "onedrive", Kind: share.File, ID: "6CB!22"}, "https://onedrive.live.com/download?resid=6CB!22&authkey=!AD"},
	{"OneDriveRedirFolder", "https://onedrive.live.com/redir?resid=6CB!22&authkey=!AD&ithint=folder%2cgif", share.Link{Provider: "onedrive", Kind: share.Folder, ID: "6CB!22"}, ""},
	{"OneDriveDownload", "https://onedrive.live.com/download?resid=6CB!22&authkey=!AD", share.Link{Provider: "onedrive", Kind: share.File, ID: "6CB!22"}, same},
	{"OneDrivePersonal", "https://onedrive.live.com/:u:/g/personal/6CB/E1x?e=1", share.Link{Provider: "onedrive", Kind: share.File, ID: "E1x"}, ""},

	{"SharePoint", "https://tenant-my.sharepoint.com/:b:/g/personal/joe_tenant_com/EYCB0u8?e=wVl", share.Link{Provider: "sharepoint", Kind: share.File, ID: "EYCB0u8"}, "https://tenant-my.sharepoint.com/:b:/g/personal/joe_tenant_com/EYCB0u8?e=wVl&download=1"},
	{"SharePointSite", "https://tenant.sharepoint.com/:x:/s/Site/EYCB0u8", share.Link{Provider: "sharepoint", Kind: share.File, ID: "EYCB0u8"}, "https://tenant.sharepoint.com/:x:/s/Site/EYCB0u8?download=1"},
	{"SharePointPath", "https://tenant.sharepoint.com/:w:/r/sites/Site/Shared%20Documents/A%20b.docx?d=w1&csf=1&web=1&e=x", share.Link{Provider: "sharepoint", Kind: share.File, Name: "A b.docx"}, "https://tenant.sharepoint.com/:w:/r/sites/Site/Shared%20Documents/A%20b.docx?d=w1&csf=1&web=1&e=x&download=1"},
	{"SharePointFolder", "https://tenant.sharepoint.com/:f:/s/Site/EYCB0u8", share.Link{Provider: "sharepoint", Kind: share.Folder, ID: "EYCB0u8"}, ""},
	{"SharePointDownload", "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/download.aspx?share=EdjI", share.Link{Provider: "sharepoint", Kind: share.File, ID: "EdjI"}, same},
	{"SharePointEditor", "https://tenant.sharepoint.com/sites/Site/_layouts/15/Doc.aspx?sourcedoc=%7B24-39%7D&file=A%20b.docx&action=default", share.Link{Provider: "sharepoint", Kind: share.File, ID: "%7B24-39%7D", Name: "A b.docx"}, ""},

	// Google: the first two are what Gmail's chips have.
	{"Drive", "https://drive.google.com/file/d/1aF-_9/view?usp=drive_web", share.Link{Provider: "google-drive", Kind: share.File, ID: "1aF-_9"}, "https://drive.google.com/uc?export=download&id=1aF-_9"},
	{"DriveResourceKey", "https://drive.google.com/file/d/0Bz5/view?usp=share_link&resourcekey=0-7nt_J-8%2D", share.Link{Provider: "google-drive", Kind: share.File, ID: "0Bz5"}, "https://drive.google.com/uc?export=download&id=0Bz5&resourcekey=0-7nt_J-8%2D"},
	{"DriveDomain", "https://drive.google.com/a/tenant.example/file/d/1aF/view", share.Link{Provider: "google-drive", Kind: share.File, ID: "1aF"}, "https://drive.google.com/uc?export=download&id=1aF"},
	{"DriveAccount", "https://drive.google.com/file/u/0/d/1aF/edit", share.Link{Provider: "google-drive", Kind: share.File, ID: "1aF"}, "https://drive.google.com/uc?export=download&id=1aF"},
	{"DriveOpen", "https://drive.google.com/open?id=1aF&usp=drive_copy", share.Link{Provider: "google-drive", ID: "1aF"}, "https://drive.google.com/uc?export=download&id=1aF"},
	{"DriveUC", "https://drive.google.com/uc?id=1aF&confirm=t", share.Link{Provider: "google-drive", Kind: share.File, ID: "1aF"}, "https://drive.google.com/uc?id=1aF&confirm=t&export=download"},
	{"DriveFolder", "https://drive.google.com/drive/u/1/folders/1aF?resourcekey=0-x", share.Link{Provider: "google-drive", Kind: share.Folder, ID: "1aF"}, ""},
	{"DriveContent", "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t", share.Link{Provider: "google-drive", Kind: share.File, ID: "1aF"}, same},
	{"Docs", "https://docs.google.com/document/d/1EuX/edit?usp=sharing&resourcekey=0-V", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/document/d/1EuX/export?format=pdf&resourcekey=0-V"},
	{"DocsDomain", "https://docs.google.com/a/tenant.example/document/d/1EuX", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/document/d/1EuX/export?format=pdf"},
	{"Sheets", "https://docs.google.com/spreadsheets/u/0/d/1EuX/edit#gid=0", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX", MediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Rendition: true}, "https://docs.google.com/spreadsheets/d/1EuX/export?format=xlsx"},
	{"Slides", "https://docs.google.com/presentation/d/1EuX/edit", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/presentation/d/1EuX/export/pdf"},
	{"DocsExport", "https://docs.google.com/document/d/1EuX/export?format=docx", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX", Rendition: true}, same},
	{"DocsPublished", "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv", share.Link{Provider: "google-docs", Kind: share.Native, Rendition: true}, same},
	{"FormsPublished", "https://docs.google.com/forms/d/e/1FAI/viewform", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1FAI"}, ""},
	{"Forms", "https://docs.google.com/forms/d/1EuX/viewform", share.Link{Provider: "google-docs", Kind: share.Native, ID: "1EuX"}, ""},

	// Mail Drop: one of 2025 was decoded; its file was of 23 October.
	{
		"MailDrop", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FAf_Z%2F%24%7Bf%7D%3Fo%3DAu%26v%3D1%26e%3D1763787120%26fl%3D%26r%3D37EC-1%26k%3D%24%7Buk%7D%26ckc%3Dcom.apple.largeattachment%26s%3D0x&uk=zqlg-7&f=2025-10-23%20A%2Bb.mp4&sz=146766600",
		share.Link{Provider: "icloud", Kind: share.File, ID: "37EC-1", Name: "2025-10-23 A+b.mp4", Size: 146766600, Expiration: time.Date(2025, 11, 22, 4, 52, 0, 0, time.UTC)},
		"https://cvws.icloud-content.com/B/Af_Z/2025-10-23%20A%2Bb.mp4?o=Au&v=1&e=1763787120&fl=&r=37EC-1&k=zqlg-7&ckc=com.apple.largeattachment&s=0x",
	},
	{"MailDropNoKey", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D&f=a.b", share.Link{Provider: "icloud", Kind: share.File, Name: "a.b"}, ""},
	{"MailDropPlain", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2Fabc%2Fx&f=a.b&sz=0", share.Link{Provider: "icloud", Kind: share.File, Name: "a.b"}, "https://cvws.icloud-content.com/B/abc/x"},
	{"ICloudContent", "https://cvws.icloud-content.com/B/Af/a%20b.pdf?o=A&e=1644729352&r=de0b-1&k=8Z", share.Link{Provider: "icloud", Kind: share.File, ID: "de0b-1", Name: "a b.pdf", Expiration: time.Date(2022, 2, 13, 5, 15, 52, 0, time.UTC)}, same},
	{"ICloudTemplate", "https://cvws.icloud-content.com/B/Af/${f}?o=A&k=${uk}", share.Link{Provider: "icloud", Kind: share.File}, ""},
	{"ICloudDrive", "https://www.icloud.com/iclouddrive/0a06-_x#My%20File", share.Link{Provider: "icloud", ID: "0a06-_x", Name: "My File"}, ""},

	{"WeTransferShort", "https://we.tl/t-AbC9", share.Link{Provider: "wetransfer", ID: "t-AbC9", Once: true}, ""},
	{"WeTransfer", "https://wetransfer.com/downloads/2d56c0/0cbf93/42cbf7", share.Link{Provider: "wetransfer", ID: "2d56c0", Once: true}, ""},
	{"WeTransferCustomer", "https://tenant.wetransfer.com/downloads/2d56c0/0cbf93", share.Link{Provider: "wetransfer", ID: "2d56c0", Once: true}, ""},

	{"Box", "https://app.box.com/s/p0k2vz", share.Link{Provider: "box", ID: "p0k2vz"}, "https://app.box.com/shared/static/p0k2vz"},
	{"BoxFile", "https://tenant.app.box.com/s/p0k2vz/file/197", share.Link{Provider: "box", Kind: share.File, ID: "197"}, "https://tenant.app.box.com/index.php?rm=box_download_shared_file&shared_name=p0k2vz&file_id=f_197"},
	{"BoxFolder", "https://app.box.com/s/p0k2vz/folder/197", share.Link{Provider: "box", Kind: share.Folder, ID: "197"}, ""},
	{"BoxStatic", "https://tenant.box.com/shared/static/igsn.zip", share.Link{Provider: "box", Kind: share.File, ID: "igsn.zip"}, same},
	{"BoxDownload", "https://app.box.com/index.php?rm=box_download_shared_file&shared_name=p0&file_id=f_19", share.Link{Provider: "box", Kind: share.File, ID: "19"}, same},

	{"Proton", "https://drive.proton.me/urls/6A3Y3RETFM#FW2gjw0S", share.Link{Provider: "proton", ID: "6A3Y3RETFM", EndToEnd: true}, ""},
	{"Mega", "https://mega.nz/file/abc12345#xyz98765", share.Link{Provider: "mega", Kind: share.File, ID: "abc12345", EndToEnd: true}, ""},
	{"MegaFolder", "https://mega.nz/folder/abc12345#xyz98765/file/zz", share.Link{Provider: "mega", Kind: share.Folder, ID: "abc12345", EndToEnd: true}, ""},
	{"MegaOld", "https://mega.nz/#!TL522CpD!_zKQ", share.Link{Provider: "mega", Kind: share.File, ID: "TL522CpD", EndToEnd: true}, ""},
	{"MegaOldFolder", "https://mega.nz/#F!TL522CpD!_zKQ", share.Link{Provider: "mega", Kind: share.Folder, ID: "TL522CpD", EndToEnd: true}, ""},
	{"Tresorit", "https://web.tresorit.com/l/JgMjK#FV9I", share.Link{Provider: "tresorit", ID: "JgMjK", EndToEnd: true}, ""},
	{"ThunderbirdSend", "https://send.tb.pro/share/abc#key", share.Link{Provider: "thunderbird-send", ID: "abc", EndToEnd: true}, ""},

	// NetEase: as in patch mails; the last is what its programs make now.
	{"NetEase", "https://mail.163.com/large-attachment-download/index.html?p=X-NETEASE-HUGE-ATTACHMENT&file=Sy2W9-u&title=The%20signal", share.Link{Provider: "netease", Kind: share.File, ID: "Sy2W9-u", Name: "The signal"}, ""},
	{"NetEaseOld", "http://fs.163.com/fs/display/?p=X-NETEASE-HUGE-ATTACHMENT&file=Xt9C&title=%E6%B1%9F", share.Link{Provider: "netease", Kind: share.File, ID: "Xt9C", Name: "江"}, ""},
	{"NetEaseNew", "https://mail.163.com/large-attachment-download/index.html?p=X-NTES-HUGE-ATTACHMENT&file=djAyM2Vy", share.Link{Provider: "netease", Kind: share.File, ID: "djAyM2Vy"}, ""},
	{"NetEaseDashi", "https://dashi.163.com/html/cloud-attachment-download/?key=djAy", share.Link{Provider: "netease", Kind: share.File, ID: "djAy"}, ""},

	{"QQ", "https://wx.mail.qq.com/ftn/download?func=3&key=c7cc0d&code=f4b3", share.Link{Provider: "qq", Kind: share.File, ID: "c7cc0d"}, "https://wx.mail.qq.com/ftn/download?func=4&key=c7cc0d&code=f4b3"},
	{"QQOld", "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b61&t=exs_ftn_download&code=eaac", share.Link{Provider: "qq", Kind: share.File, ID: "2b61"}, "https://wx.mail.qq.com/ftn/download?func=4&key=2b61&code=eaac"},
	{"QQNoCode", "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b61", share.Link{Provider: "qq", Kind: share.File, ID: "2b61"}, ""},
	{"Alibaba", "https://mail.customer.example/alimail/openLinks/downloadMimeMetaDiskBigAttach?id=netdiskid%3Av001%3Afile%3ADz%3D%3D", share.Link{Provider: "alibaba", Kind: share.File, ID: "netdiskid%3Av001%3Afile%3ADz%3D%3D"}, ""},
	{"Sina", "http://mail.sina.com.cn/filecenter/download.php?id=x1", share.Link{Provider: "sina", Kind: share.File, ID: "x1"}, ""},
	{"Tianyi", "https://download.cloud.189.cn/file/downloadFile.action?dt=51&expired=1766728823671&sk=dd&sig=x%3D", share.Link{Provider: "tianyi", Kind: share.File, Expiration: time.UnixMilli(1766728823671).UTC()}, same},
	{"Naver", "https://bigfile.mail.naver.com/download?fid=g/FcWr+C5==", share.Link{Provider: "naver", Kind: share.File, ID: "g/FcWr+C5=="}, same},
	{"NaverFragment", "https://bigfile.mail.naver.com/download?fid=x#y", share.Link{Provider: "naver", Kind: share.File, ID: "x"}, "https://bigfile.mail.naver.com/download?fid=x"},
	{"NaverUpload", "https://bigfile.mail.naver.com/bigfileupload/download?fid=x", share.Link{Provider: "naver", Kind: share.File, ID: "x"}, same},
	{"Kakao", "https://bigfile.mail.daum.net/x/y?fid=1", share.Link{Provider: "kakao", Kind: share.File}, same},
	{"MailRuStock", "https://cloud.mail.ru/stock/ot7HCH", share.Link{Provider: "mail.ru", ID: "ot7HCH"}, ""},
	{"MailRuPublic", "https://cloud.mail.ru/public/AbC/dEf", share.Link{Provider: "mail.ru"}, ""},
	{"YandexFile", "https://disk.yandex.ru/i/DILkFqAZ", share.Link{Provider: "yandex", Kind: share.File, ID: "DILkFqAZ"}, ""},
	{"Yandex", "https://yadi.sk/d/DILkFqAZ", share.Link{Provider: "yandex", ID: "DILkFqAZ"}, ""},
	{"PCloud", "https://u.pcloud.link/publink/show?code=XZikKE", share.Link{Provider: "pcloud", ID: "XZikKE"}, ""},
}

func TestMatch(t *testing.T) {
	for _, tt := range golden {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.link
			want.Direct = tt.direct
			if want.Size == 0 {
				want.Size = -1
			}
			if tt.direct == same {
				want.Direct, _, _ = strings.Cut(tt.text, "#")
			}
			got, ok := share.Match(tt.text)
			if !ok {
				t.Fatal("not recognised")
			}
			if *got != want {
				t.Errorf("\ngot  %+v\nwant %+v", *got, want)
			}
		})
	}
}

func TestMatchNot(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"Empty", ""},
		{"Prefix", "https://evil-dropbox.com/s/a/b.pdf"},
		{"Suffix", "https://www.dropbox.com.evil.example/s/a/b.pdf"},
		{"Subdomain", "https://evil.www.dropbox.com/s/a/b.pdf"},
		{"Userinfo", "https://www.dropbox.com@evil.example/s/a/b.pdf"},
		{"UserinfoOfHost", "https://x@www.dropbox.com/s/a/b.pdf"},
		{"Port", "https://www.dropbox.com:8443/s/a/b.pdf"},
		{"Fullwidth", "https://www.ｄropbox.com/s/a/b.pdf"},
		{"Scheme", "ftp://www.dropbox.com/s/a/b.pdf"},
		{"NoScheme", "www.dropbox.com/s/a/b.pdf"},
		{"BackslashHost", `https://evil.example\.dropbox.com/s/a`},
		{"BareSharePoint", "https://sharepoint.com/:u:/g/a/b"},
		{"SharePointLookalike", "https://evilsharepoint.com/:u:/g/a/b"},
		{"SharePointPage", "https://tenant.sharepoint.com/sites/Site/SitePages/Home.aspx"},
		{"SharePointType", "https://tenant.sharepoint.com/:uu:/g/a/b"},
		{"SharePointNothing", "https://tenant.sharepoint.com/:u:/g"},
		{"DropboxHome", "https://www.dropbox.com/"},
		{"DropboxHelp", "https://www.dropbox.com/help"},
		{"DotDot", "https://www.dropbox.com/s/../help"},
		{"EscapedPath", "https://www.dropbox.com/%73/a/b"},
		{"ExtraID", "https://drive.google.com/file/d/a%26confirm%3dt/view"},
		{"OneDriveShort", "https://1drv.ms/u/x"},
		{"WeTransferOther", "https://we.tl/about"},
		{"DriveNoID", "https://drive.google.com/open?id="},
		{"DriveTwoIDs", "https://drive.google.com/open?id=a&id=b"},
		{"DriveHome", "https://drive.google.com/drive/my-drive"},
		{"DocsHome", "https://docs.google.com/document/u/0/"},
		{"MailDropElsewhere", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fevil.example%2F%24%7Bf%7D&f=a&uk=b"},
		{"MailDropPlaintext", "https://www.icloud.com/attachment/?u=http%3A%2F%2Fcvws.icloud-content.com%2Fx&f=a&uk=b"},
		{"MailDropLookalike", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fevilicloud-content.com%2Fx&f=a"},
		{"MailDropBroken", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2&f=a"},
		{"MegaHome", "https://mega.nz/#about"},
		{"NetEaseOther", "https://mail.163.com/large-attachment-download/index.html?p=other&file=x"},
		{"AlibabaOther", "https://h.example/alimail/openLinks/downloadMimeMetaDiskBigAttach?id=1"},
		{"BoxOther", "https://app.box.com/index.php?rm=other&file_id=f_1"},
		{"EmptySegment", "https://app.box.com/s//"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if l, ok := share.Match(tt.text); ok {
				t.Errorf("recognised: %+v", *l)
			}
		})
	}
}

// A name cannot get out of the place in the address that it is put into.
func TestMailDropName(t *testing.T) {
	l, ok := share.Match("https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D%26z%3D1&f=..%2F%3Fx%23%24%7Buk%7D&uk=a%26b")
	if want := "https://cvws.icloud-content.com/B/A/..%2F%3Fx%23%24%7Buk%7D?k=a%26b&z=1"; !ok || l.Direct != want {
		t.Errorf("got %+v", l)
	}
}

func TestKind(t *testing.T) {
	var all []string
	for _, k := range []share.Kind{share.Page, share.File, share.Folder, share.Native} {
		all = append(all, k.String())
	}
	if !slices.Equal(all, []string{"page", "file", "folder", "native"}) {
		t.Error(all)
	}
}

func hinted(hints []string, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(text, h) })
}

func TestHints(t *testing.T) {
	hints := share.Hints()
	for _, h := range hints {
		if h != strings.ToLower(h) || len(h) < len("we.tl") {
			t.Errorf("hint %q", h)
		}
	}
	for _, tt := range golden {
		if !hinted(hints, tt.text) {
			t.Errorf("%s has no hint in it", tt.name)
		}
	}
}

// What is made of a link is a URL without fragment, at an https or the same
// site, and of no folder; a hint tells beforehand.
func FuzzMatch(f *testing.F) {
	for _, tt := range golden {
		f.Add(tt.text)
	}
	hints := share.Hints()
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := share.Match(text)
		if !ok {
			return
		}
		if !hinted(hints, text) {
			t.Fatalf("%q has no hint", text)
		}
		if l.Provider == "" || l.Size == 0 || l.Size < -1 {
			t.Fatalf("%q: %+v", text, l)
		}
		if l.Direct == "" {
			return
		}
		u, _ := weburl.Parse(text)
		d, ok := weburl.Parse(l.Direct)
		if !ok || d.HasFragment || d.Port != 0 || d.Scheme != "https" && !d.SameSite(u) {
			t.Fatalf("%q became %q", text, l.Direct)
		}
		if l.Kind == share.Folder || l.EndToEnd {
			t.Fatalf("%q: %+v", text, l)
		}
		if u.Fragment != "" && len(u.Fragment) > 8 && !strings.Contains(strings.TrimSuffix(text, "#"+u.Fragment), u.Fragment) && strings.Contains(l.Direct, u.Fragment) {
			t.Fatalf("%q became %q", text, l.Direct)
		}
		again, ok := share.Match(l.Direct)
		if ok && again.Direct != "" && again.Direct != l.Direct {
			t.Fatalf("%q became %q, then %q", text, l.Direct, again.Direct)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"First", golden[0].text},
		{"Last", golden[len(golden)-1].text},
		{"None", "https://files.example/a/b/c?d=e"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				share.Match(bb.text)
			}
		})
	}
}
