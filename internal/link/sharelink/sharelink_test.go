package sharelink_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

const same = "(the link)"

// The shapes are those that rules.go says where it has from; identifiers and
// names are our own.
var golden = []struct {
	name   string
	text   string
	link   sharelink.Link // Size 0 stands for -1
	direct string         // same stands for text without its fragment
}{
	// Dropbox: its own help has dl=0 and dl=1; a name and rlkey came in 2023.
	{"Dropbox", "https://www.dropbox.com/scl/fi/5rqdl5/My%20File.zip?rlkey=wk%2Bx9&st=ao&dl=0", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, ID: "5rqdl5", Name: "My File.zip"}, "https://www.dropbox.com/scl/fi/5rqdl5/My%20File.zip?rlkey=wk%2Bx9&st=ao&dl=1"},
	{"DropboxOld", "https://www.dropbox.com/s/au3bned42n0/a.pdf", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, ID: "au3bned42n0", Name: "a.pdf"}, "https://www.dropbox.com/s/au3bned42n0/a.pdf?dl=1"},
	{"DropboxHostCase", "HTTPS://WWW.Dropbox.COM./s/a/b.pdf?dl=0#x", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, ID: "a", Name: "b.pdf"}, "https://www.dropbox.com/s/a/b.pdf?dl=1"},
	{"DropboxFolder", "https://www.dropbox.com/scl/fo/8kll7yv/ADhDIC8?rlkey=8c&dl=0", sharelink.Link{Provider: "dropbox", Kind: sharelink.Folder, ID: "8kll7yv"}, ""},
	{"DropboxOldFolder", "https://www.dropbox.com/sh/8kll7yv/ADhDIC8", sharelink.Link{Provider: "dropbox", Kind: sharelink.Folder, ID: "8kll7yv"}, ""},
	{"DropboxInOldFolder", "https://www.dropbox.com/sh/8kll7yv/ADhDIC8/a.pdf?dl=0", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, Name: "a.pdf"}, "https://www.dropbox.com/sh/8kll7yv/ADhDIC8/a.pdf?dl=1"},
	{"DropboxInFolder", "https://www.dropbox.com/scl/fo/8kll7yv/ADhDIC8/sub/a%20b.pdf?rlkey=x&dl=0", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, Name: "a b.pdf"}, "https://www.dropbox.com/scl/fo/8kll7yv/ADhDIC8/sub/a%20b.pdf?rlkey=x&dl=1"},
	{"DropboxFolderInFolder", "https://www.dropbox.com/scl/fo/8kll7yv/ADhDIC8/sub?rlkey=x", sharelink.Link{Provider: "dropbox", Kind: sharelink.Folder, ID: "8kll7yv"}, ""},
	{"DropboxNotice", "https://www.dropbox.com/l/scl/AAA4OKJMB", sharelink.Link{Provider: "dropbox", ID: "AAA4OKJMB"}, "https://www.dropbox.com/l/scl/AAA4OKJMB?dl=1"},
	{"DropboxTransfer", "https://www.dropbox.com/t/8kll7yv", sharelink.Link{Provider: "dropbox", ID: "8kll7yv", Needs: sharelink.NeedsProgram}, ""},
	{"DropboxContent", "https://dl.dropboxusercontent.com/s/a/b.pdf?dl=0", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, ID: "a", Name: "b.pdf"}, same},

	// OneDrive: the first form is that of messages of 2020.
	{"OneDrive", "https://1drv.ms/u/s!Ar2I_x-9?e=Vm1", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "s!Ar2I_x-9", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveEscaped", "https://1drv.ms/u/s%21Ar2I_x-9?e=Vm1", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "s!Ar2I_x-9", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveFolder", "https://1drv.ms/f/s!Ar2I", sharelink.Link{Provider: "onedrive", Kind: sharelink.Folder, ID: "s!Ar2I"}, ""},
	{"OneDriveNotebook", "https://1drv.ms/o/s!Ar2I", sharelink.Link{Provider: "onedrive", ID: "s!Ar2I", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveNew", "https://1drv.ms/x/c/a77974c33a34d9bb/ERyj4V2-D?e=rX", sharelink.Link{Provider: "onedrive", Cookies: true, Kind: sharelink.File, ID: "ERyj4V2-D"}, "https://my.microsoftpersonalcontent.com/personal/a77974c33a34d9bb/_layouts/15/download.aspx?share=ERyj4V2-D"},
	{"OneDriveNewFolder", "https://1drv.ms/f/c/a77974c33a34d9bb/ERyj4V2-D", sharelink.Link{Provider: "onedrive", Cookies: true, Kind: sharelink.Folder, ID: "ERyj4V2-D"}, ""},
	{"OneDriveLong", "https://onedrive.live.com/?authkey=%21AEz&cid=171E&id=171E%21923&parId=1&o=OneUp", sharelink.Link{Provider: "onedrive", ID: "171E%21923", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveRedir", "https://onedrive.live.com/redir?resid=6CB!22&authkey=!AD&ithint=file%2cpdf", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "6CB!22", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveRedirFolder", "https://onedrive.live.com/redir?resid=6CB!22&authkey=!AD&ithint=folder%2cgif", sharelink.Link{Provider: "onedrive", Kind: sharelink.Folder, ID: "6CB!22"}, ""},
	{"OneDriveDownload", "https://onedrive.live.com/download?resid=6CB!22&authkey=!AD", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "6CB!22", Needs: sharelink.NeedsAccount}, ""},
	{"OneDrivePersonal", "https://onedrive.live.com/:u:/g/personal/6CB/E1x?e=1", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "E1x", Needs: sharelink.NeedsAccount}, ""},

	{"SharePoint", "https://tenant-my.sharepoint.com/:b:/g/personal/joe_tenant_com/EYCB0u8?e=wVl", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EYCB0u8"}, "https://tenant-my.sharepoint.com/:b:/g/personal/joe_tenant_com/EYCB0u8?e=wVl&download=1"},
	{"SharePointEscaped", "https://tenant-my.sharepoint.com/%3Ab%3a/g/personal/joe%5Ftenant%5Fcom/EYCB0u8?e=wVl", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EYCB0u8"}, "https://tenant-my.sharepoint.com/%3Ab%3a/g/personal/joe%5Ftenant%5Fcom/EYCB0u8?e=wVl&download=1"},
	{"SharePointSite", "https://tenant.sharepoint.com/:x:/s/Site/EYCB0u8", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EYCB0u8"}, "https://tenant.sharepoint.com/:x:/s/Site/EYCB0u8?download=1"},
	{"SharePointPath", "https://tenant.sharepoint.com/:w:/r/sites/Site/Shared%20Documents/A%20b.docx?d=w1&csf=1&web=1&e=x", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "A b.docx"}, "https://tenant.sharepoint.com/:w:/r/sites/Site/Shared%20Documents/A%20b.docx?d=w1&csf=1&web=1&e=x&download=1"},
	{"SharePointFolder", "https://tenant.sharepoint.com/:f:/s/Site/EYCB0u8", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.Folder, ID: "EYCB0u8"}, ""},
	{"SharePointDownload", "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/download.aspx?share=EdjI", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EdjI"}, same},
	{"SharePointEditor", "https://tenant.sharepoint.com/sites/Site/_layouts/15/Doc.aspx?sourcedoc=%7B24-39%7D&file=A%20b.docx&action=default", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "%7B24-39%7D", Name: "A b.docx"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?UniqueId=24-39"},

	// Google: the first two are what Gmail's chips have.
	{"Drive", "https://drive.google.com/file/d/1aF-_9/view?usp=drive_web", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "1aF-_9"}, "https://drive.usercontent.google.com/download?id=1aF-_9&export=download&confirm=t"},
	{"DriveResourceKey", "https://drive.google.com/file/d/0Bz5/view?usp=share_link&resourcekey=0-7nt_J-8%2D", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "0Bz5"}, "https://drive.usercontent.google.com/download?id=0Bz5&export=download&confirm=t&resourcekey=0-7nt_J-8%2D"},
	{"DriveDomain", "https://drive.google.com/a/tenant.example/file/d/1aF/view", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "1aF"}, "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t"},
	{"DriveAccount", "https://drive.google.com/file/u/0/d/1aF/edit", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "1aF"}, "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t"},
	{"DriveOpen", "https://drive.google.com/open?id=1aF&usp=drive_copy", sharelink.Link{Provider: "google-drive", ID: "1aF"}, "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t"},
	{"DriveUC", "https://drive.google.com/uc?id=1aF&confirm=t", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "1aF"}, "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t"},
	{"DriveFolder", "https://drive.google.com/drive/u/1/folders/1aF?resourcekey=0-x", sharelink.Link{Provider: "google-drive", Kind: sharelink.Folder, ID: "1aF"}, ""},
	{"DriveContent", "https://drive.usercontent.google.com/download?id=1aF&export=download&confirm=t", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "1aF"}, same},
	{"Docs", "https://docs.google.com/document/d/1EuX/edit?usp=sharing&resourcekey=0-V", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/document/d/1EuX/export?format=pdf&resourcekey=0-V"},
	{"DocsDomain", "https://docs.google.com/a/tenant.example/document/d/1EuX", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/document/d/1EuX/export?format=pdf"},
	{"Sheets", "https://docs.google.com/spreadsheets/u/0/d/1EuX/edit#gid=0", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", MediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Rendition: true}, "https://docs.google.com/spreadsheets/d/1EuX/export?format=xlsx"},
	{"Slides", "https://docs.google.com/presentation/d/1EuX/edit", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", MediaType: "application/pdf", Rendition: true}, "https://docs.google.com/presentation/d/1EuX/export/pdf"},
	{"DocsExport", "https://docs.google.com/document/d/1EuX/export?format=docx", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", Rendition: true}, same},
	{"DocsPublished", "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, Rendition: true}, same},

	// Mail Drop: one of 2025 was decoded; its file was of 23 October.
	{
		"MailDrop", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FAf_Z%2F%24%7Bf%7D%3Fo%3DAu%26v%3D1%26e%3D1763787120%26fl%3D%26r%3D37EC-1%26k%3D%24%7Buk%7D%26ckc%3Dcom.apple.largeattachment%26s%3D0x&uk=zqlg-7&f=2025-10-23%20A%2Bb.mp4&sz=146766600",
		sharelink.Link{Provider: "icloud", Kind: sharelink.File, ID: "37EC-1", Name: "2025-10-23 A+b.mp4", Size: 146766600, Expiration: time.Date(2025, 11, 22, 4, 52, 0, 0, time.UTC)},
		"https://cvws.icloud-content.com/B/Af_Z/2025-10-23%20A%2Bb.mp4?o=Au&v=1&e=1763787120&fl=&r=37EC-1&k=zqlg-7&ckc=com.apple.largeattachment&s=0x",
	},
	{"MailDropNoKey", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D&f=a.b", sharelink.Link{Provider: "icloud", Kind: sharelink.File, Name: "a.b"}, ""},
	{"MailDropPlain", "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2Fabc%2Fx&f=a.b&sz=0", sharelink.Link{Provider: "icloud", Kind: sharelink.File, Name: "a.b"}, "https://cvws.icloud-content.com/B/abc/x"},
	{"ICloudContent", "https://cvws.icloud-content.com/B/Af/a%20b.pdf?o=A&e=1644729352&r=de0b-1&k=8Z", sharelink.Link{Provider: "icloud", Kind: sharelink.File, ID: "de0b-1", Name: "a b.pdf", Expiration: time.Date(2022, 2, 13, 5, 15, 52, 0, time.UTC)}, same},
	{"ICloudTemplate", "https://cvws.icloud-content.com/B/Af/${f}?o=A&k=${uk}", sharelink.Link{Provider: "icloud", Kind: sharelink.File}, ""},
	{"ICloudDrive", "https://www.icloud.com/iclouddrive/0a06-_x#My%20File", sharelink.Link{Provider: "icloud", ID: "0a06-_x", Name: "My File", Needs: sharelink.NeedsProgram}, ""},

	{"WeTransferShort", "https://we.tl/t-AbC9", sharelink.Link{Provider: "wetransfer", ID: "t-AbC9", Once: true, Needs: sharelink.NeedsProgram}, ""},
	{"WeTransfer", "https://wetransfer.com/downloads/2d56c0/0cbf93/42cbf7", sharelink.Link{Provider: "wetransfer", ID: "2d56c0", Once: true, Needs: sharelink.NeedsProgram}, ""},
	{"WeTransferCustomer", "https://tenant.wetransfer.com/downloads/2d56c0/0cbf93", sharelink.Link{Provider: "wetransfer", ID: "2d56c0", Once: true, Needs: sharelink.NeedsProgram}, ""},

	{"Box", "https://app.box.com/s/p0k2vz", sharelink.Link{Provider: "box", ID: "p0k2vz", Page: true}, ""},
	{"BoxFile", "https://tenant.app.box.com/s/p0k2vz/file/197", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "197"}, "https://tenant.app.box.com/index.php?rm=box_download_shared_file&shared_name=p0k2vz&file_id=f_197"},
	{"BoxFolder", "https://app.box.com/s/p0k2vz/folder/197", sharelink.Link{Provider: "box", Kind: sharelink.Folder, ID: "197"}, ""},
	{"BoxStatic", "https://tenant.box.com/shared/static/igsn.zip", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "igsn.zip"}, same},
	{"BoxDownload", "https://app.box.com/index.php?rm=box_download_shared_file&shared_name=p0&file_id=f_19", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "19"}, same},

	{"Proton", "https://drive.proton.me/urls/6A3Y3RETFM#FW2gjw0S", sharelink.Link{Provider: "proton", ID: "6A3Y3RETFM", EndToEnd: true}, ""},
	{"Mega", "https://mega.nz/file/abc12345#xyz98765", sharelink.Link{Provider: "mega", Kind: sharelink.File, ID: "abc12345", EndToEnd: true}, ""},
	{"MegaFolder", "https://mega.nz/folder/abc12345#xyz98765/file/zz", sharelink.Link{Provider: "mega", Kind: sharelink.Folder, ID: "abc12345", EndToEnd: true}, ""},
	{"MegaOld", "https://mega.nz/#!TL522CpD!_zKQ", sharelink.Link{Provider: "mega", Kind: sharelink.File, ID: "TL522CpD", EndToEnd: true}, ""},
	{"MegaOldFolder", "https://mega.nz/#F!TL522CpD!_zKQ", sharelink.Link{Provider: "mega", Kind: sharelink.Folder, ID: "TL522CpD", EndToEnd: true}, ""},
	{"Tresorit", "https://web.tresorit.com/l/JgMjK#FV9I", sharelink.Link{Provider: "tresorit", ID: "JgMjK", EndToEnd: true}, ""},
	{"ThunderbirdSend", "https://send.tb.pro/share/abc#key", sharelink.Link{Provider: "thunderbird-send", ID: "abc", EndToEnd: true}, ""},

	{"Paper", "https://paper.dropbox.com/doc/Meeting-notes--AbCdEf~-1", sharelink.Link{Provider: "dropbox", Kind: sharelink.Native}, ""},
	{"ICloudPages", "https://www.icloud.com/pages/0f8sszk1RPA9GptmBN4QsTo6g#My%5FPlan", sharelink.Link{Provider: "icloud", Kind: sharelink.Native, ID: "0f8sszk1RPA9GptmBN4QsTo6g", Name: "My_Plan"}, ""},
	{"SlackPermalink", "https://tenant.slack.com/files/U01388KUH1A/F02EC73NV0S/a_b.pdf", sharelink.Link{Provider: "slack", Kind: sharelink.File, ID: "F02EC73NV0S", Name: "a_b.pdf", Needs: sharelink.NeedsAccount}, ""},
	{"SwissTransfer", "https://www.swisstransfer.com/d/847d31ea-4ad9-4487-b545-9e6f8111888a", sharelink.Link{Provider: "swisstransfer", ID: "847d31ea-4ad9-4487-b545-9e6f8111888a", Once: true, Needs: sharelink.NeedsProgram}, ""},
	{"TransferNow", "https://www.transfernow.net/dl/20240619CaluUEZy", sharelink.Link{Provider: "transfernow", ID: "20240619CaluUEZy", Needs: sharelink.NeedsProgram}, ""},
	{"TransferNowKey", "https://www.transfernow.net/dl/20230206jG0fet84/OFRBRajr", sharelink.Link{Provider: "transfernow", ID: "20230206jG0fet84", Needs: sharelink.NeedsProgram}, ""},
	{"Filemail", "https://www.filemail.com/d/ifyvssdfbjbnzni", sharelink.Link{Provider: "filemail", ID: "ifyvssdfbjbnzni", Needs: sharelink.NeedsProgram}, ""},
	{"Smash", "https://fromsmash.com/wOdvYpMARw-dt", sharelink.Link{Provider: "smash", ID: "wOdvYpMARw-dt", Needs: sharelink.NeedsProgram}, ""},
	{"Hightail", "https://spaces.hightail.com/receive/LqQvI7LOk1", sharelink.Link{Provider: "hightail", ID: "LqQvI7LOk1", Needs: sharelink.NeedsProgram}, ""},
	{"KDrive", "https://kdrive.infomaniak.com/app/share/408009/f1ddaaef-a24a-4681-bdcb-5184f3f22f8b", sharelink.Link{Provider: "kdrive", ID: "f1ddaaef-a24a-4681-bdcb-5184f3f22f8b", Needs: sharelink.NeedsProgram}, ""},
	{"Weiyun", "https://share.weiyun.com/5KMHVRY", sharelink.Link{Provider: "weiyun", ID: "5KMHVRY", Needs: sharelink.NeedsProgram}, ""},
	{"Baidu", "https://pan.baidu.com/s/1sk6ffSL?pwd=ab12", sharelink.Link{Provider: "baidu", ID: "1sk6ffSL", Needs: sharelink.NeedsProgram}, ""},
	{"BaiduOld", "https://pan.baidu.com/share/init?surl=k6ffSLab12", sharelink.Link{Provider: "baidu", ID: "k6ffSLab12", Needs: sharelink.NeedsProgram}, ""},
	{"AliyunDrive", "https://www.alipan.com/s/kB2cD3eF4gH", sharelink.Link{Provider: "aliyun-drive", ID: "kB2cD3eF4gH", Needs: sharelink.NeedsProgram}, ""},
	{"Quark", "https://pan.quark.cn/s/0a1b2c3d4e5f", sharelink.Link{Provider: "quark", ID: "0a1b2c3d4e5f", Needs: sharelink.NeedsProgram}, ""},
	{"Sendspace", "https://www.sendspace.com/file/ab1cd2", sharelink.Link{Provider: "sendspace", Kind: sharelink.File, ID: "ab1cd2", Needs: sharelink.NeedsProgram}, ""},
	{"Workupload", "https://workupload.com/file/aBcDeFgH", sharelink.Link{Provider: "workupload", ID: "aBcDeFgH", Needs: sharelink.NeedsProgram}, ""},

	// NetEase: as in patch mails; the last is what its programs make now.
	{"NetEase", "https://mail.163.com/large-attachment-download/index.html?p=X-NETEASE-HUGE-ATTACHMENT&file=Sy2W9-u&title=The%20signal", sharelink.Link{Provider: "netease", Kind: sharelink.File, ID: "Sy2W9-u", Name: "The signal", Needs: sharelink.NeedsProgram}, ""},
	{"NetEaseOld", "http://fs.163.com/fs/display/?p=X-NETEASE-HUGE-ATTACHMENT&file=Xt9C&title=%E6%B1%9F", sharelink.Link{Provider: "netease", Kind: sharelink.File, ID: "Xt9C", Name: "江", Needs: sharelink.NeedsProgram}, ""},
	{"NetEaseNew", "https://mail.163.com/large-attachment-download/index.html?p=X-NTES-HUGE-ATTACHMENT&file=djAyM2Vy", sharelink.Link{Provider: "netease", Kind: sharelink.File, ID: "djAyM2Vy", Needs: sharelink.NeedsProgram}, ""},
	{"NetEaseDashi", "https://dashi.163.com/html/cloud-attachment-download/?key=djAy", sharelink.Link{Provider: "netease", Kind: sharelink.File, ID: "djAy", Needs: sharelink.NeedsProgram}, ""},

	{"QQ", "https://wx.mail.qq.com/ftn/download?func=3&key=c7cc0d&code=f4b3", sharelink.Link{Provider: "qq", Kind: sharelink.File, ID: "c7cc0d"}, "https://wx.mail.qq.com/ftn/download?func=4&key=c7cc0d&code=f4b3"},
	{"QQOld", "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b61&t=exs_ftn_download&code=eaac", sharelink.Link{Provider: "qq", Kind: sharelink.File, ID: "2b61"}, "https://wx.mail.qq.com/ftn/download?func=4&key=2b61&code=eaac"},
	{"QQNoCode", "http://mail.qq.com/cgi-bin/ftnExs_download?k=2b61", sharelink.Link{Provider: "qq", Kind: sharelink.File, ID: "2b61"}, ""},
	{"Alibaba", "https://mail.customer.example/alimail/openLinks/downloadMimeMetaDiskBigAttach?id=netdiskid%3Av001%3Afile%3ADz%3D%3D", sharelink.Link{Provider: "alibaba", Kind: sharelink.File, ID: "netdiskid%3Av001%3Afile%3ADz%3D%3D", Needs: sharelink.NeedsProgram}, ""},
	{"Sina", "http://mail.sina.com.cn/filecenter/download.php?id=x1", sharelink.Link{Provider: "sina", Kind: sharelink.File, ID: "x1", Needs: sharelink.NeedsProgram}, ""},
	{"Tianyi", "https://download.cloud.189.cn/file/downloadFile.action?dt=51&expired=1766728823671&sk=dd&sig=x%3D", sharelink.Link{Provider: "tianyi", Kind: sharelink.File, Expiration: time.UnixMilli(1766728823671).UTC()}, same},
	{"Naver", "https://bigfile.mail.naver.com/download?fid=g/FcWr+C5==", sharelink.Link{Provider: "naver", Kind: sharelink.File, ID: "g/FcWr+C5=="}, same},
	{"NaverFragment", "https://bigfile.mail.naver.com/download?fid=x#y", sharelink.Link{Provider: "naver", Kind: sharelink.File, ID: "x"}, "https://bigfile.mail.naver.com/download?fid=x"},
	{"NaverUpload", "https://bigfile.mail.naver.com/bigfileupload/download?fid=x", sharelink.Link{Provider: "naver", Kind: sharelink.File, ID: "x"}, same},
	{"Kakao", "https://bigfile.mail.daum.net/bigfileupload/download?fid=1", sharelink.Link{Provider: "kakao", Kind: sharelink.File, ID: "1"}, same},
	{"KakaoAttach", "https://attach.mail.daum.net/bigfile/v1/urls/d/x-1", sharelink.Link{Provider: "kakao", Kind: sharelink.File, ID: "x-1"}, same},
	{"MailRuStock", "https://cloud.mail.ru/stock/ot7HCH", sharelink.Link{Provider: "mail.ru", ID: "ot7HCH", Needs: sharelink.NeedsProgram}, ""},
	{"MailRuPublic", "https://cloud.mail.ru/public/AbC/dEf", sharelink.Link{Provider: "mail.ru", Needs: sharelink.NeedsProgram}, ""},
	{"YandexFile", "https://disk.yandex.ru/i/DILkFqAZ", sharelink.Link{Provider: "yandex", Kind: sharelink.File, ID: "DILkFqAZ", Needs: sharelink.NeedsProgram}, ""},
	{"Yandex", "https://yadi.sk/d/DILkFqAZ", sharelink.Link{Provider: "yandex", ID: "DILkFqAZ", Needs: sharelink.NeedsProgram}, ""},
	{"PCloud", "https://u.pcloud.link/publink/show?code=XZikKE", sharelink.Link{Provider: "pcloud", ID: "XZikKE", Needs: sharelink.NeedsProgram}, ""},

	// OneDrive and SharePoint as people copy them from the address bar.
	{"OneDriveRedeem", "https://onedrive.live.com/?cid=25C3&resid=25C3!s1&ithint=file%2cpdf&migratedtospo=true&redeem=aHR0", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "aHR0", Needs: sharelink.NeedsAccount}, ""},
	{"OneDrivePath", "https://onedrive.live.com/?id=%2Fpersonal%2F6cb%2FDocuments%2Fa%2Epdf&parent=%2Fpersonal", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, Name: "a.pdf", Needs: sharelink.NeedsAccount}, ""},
	{"OneDriveEditor", "https://onedrive.live.com/personal/6cb/_layouts/15/Doc.aspx?sourcedoc=%7B24-39%7D&action=default", sharelink.Link{Provider: "onedrive", Kind: sharelink.File, ID: "%7B24-39%7D", Needs: sharelink.NeedsAccount}, ""},
	{"SharePointList", "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/onedrive.aspx?id=%2Fpersonal%2Fjoe%2FDocuments%2Fa%20b%2Epdf&parent=%2Fpersonal%2Fjoe%2FDocuments&ga=1", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "a b.pdf"}, "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/download.aspx?SourceUrl=%2Fpersonal%2Fjoe%2FDocuments%2Fa%20b.pdf"},
	{"SharePointListFolder", "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/onedrive.aspx?id=%2Fpersonal%2Fjoe%2FDocuments%2FProject", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.Folder}, ""},
	{"SharePointStream", "https://tenant.sharepoint.com/sites/Site/_layouts/15/stream.aspx?id=%2Fsites%2FSite%2FDocs%2FA+b%2DMeeting%20Recording%2Emp4&referrer=StreamWebApp%2EWeb", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "A b-Meeting Recording.mp4"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?SourceUrl=%2Fsites%2FSite%2FDocs%2FA%20b-Meeting%20Recording.mp4"},
	{"SharePointGuest", "https://tenant.sharepoint.com/sites/Site/_layouts/15/guestaccess.aspx?share=EdjI&e=x", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "EdjI"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?share=EdjI"},
	{"SharePointGuestOld", "https://tenant.sharepoint.com/sites/Site/_layouts/15/guestaccess.aspx?guestaccesstoken=x%3d&docid=0a&rev=1", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Needs: sharelink.NeedsAccount}, ""},
	{"SharePointDoc2", "https://tenant.sharepoint.com/sites/Site/_layouts/15/doc2.aspx?sourcedoc=%7B24-39%7D", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "%7B24-39%7D"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?UniqueId=24-39"},
	{"SharePointEditorCase", "https://tenant.sharepoint.com/sites/Site/_layouts/15/doc.aspx?sourcedoc=24-39", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "24-39"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?UniqueId=24-39"},
	{"SharePointWopi", "https://tenant.sharepoint.com/sites/Site/_layouts/15/WopiFrame.aspx?sourcedoc=%2Fsites%2FSite%2FDocs%2Fa.xlsx&action=view", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "a.xlsx"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?SourceUrl=%2Fsites%2FSite%2FDocs%2Fa.xlsx"},
	{"SharePointDocument", "https://tenant.sharepoint.com/sites/Site/Shared%20Documents/General/A+b.docx?web=1", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "A+b.docx"}, "https://tenant.sharepoint.com/sites/Site/_layouts/15/download.aspx?SourceUrl=%2Fsites%2FSite%2FShared%20Documents%2FGeneral%2FA%2Bb.docx"},
	{"SharePointPersonal", "https://tenant-my.sharepoint.com/personal/joe_tenant_com/Documents/a.pdf", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, Name: "a.pdf"}, "https://tenant-my.sharepoint.com/personal/joe_tenant_com/_layouts/15/download.aspx?SourceUrl=%2Fpersonal%2Fjoe_tenant_com%2FDocuments%2Fa.pdf"},
	{"SharePointLoop", "https://tenant.sharepoint.com/:fl:/g/contentstorage/IQAx?e=1", sharelink.Link{Provider: "sharepoint", Cookies: true, Kind: sharelink.File, ID: "IQAx"}, "https://tenant.sharepoint.com/:fl:/g/contentstorage/IQAx?e=1&download=1"},

	// Office files in Drive, at the address of a document.
	{
		"DocsOffice", "https://docs.google.com/document/d/1EuX/edit?usp=sharing&ouid=1&rtpof=true&sd=true",
		sharelink.Link{Provider: "google-docs", Kind: sharelink.File, ID: "1EuX", Fallback: "https://docs.google.com/document/d/1EuX/export?format=pdf", FallbackType: "application/pdf"},
		"https://drive.usercontent.google.com/download?id=1EuX&export=download&confirm=t",
	},
	{
		"DocsOfficeByID", "https://docs.google.com/presentation/d/1abcdefghijklmnopqrstuvwxyz_-AB12/edit",
		sharelink.Link{Provider: "google-docs", Kind: sharelink.File, ID: "1abcdefghijklmnopqrstuvwxyz_-AB12", Fallback: "https://docs.google.com/presentation/d/1abcdefghijklmnopqrstuvwxyz_-AB12/export/pdf", FallbackType: "application/pdf"},
		"https://drive.usercontent.google.com/download?id=1abcdefghijklmnopqrstuvwxyz_-AB12&export=download&confirm=t",
	},
	{"Drawing", "https://docs.google.com/drawings/d/1EuX/export/png", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "1EuX", Rendition: true}, same},
	{"DriveMobileFolder", "https://drive.google.com/drive/u/0/mobile/folders/1aF?usp=sharing", sharelink.Link{Provider: "google-drive", Kind: sharelink.Folder, ID: "1aF"}, ""},

	{"MailDropChina", "https://www.icloud.com.cn/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com.cn%2FB%2Fabc%2Fx&f=a.b", sharelink.Link{Provider: "icloud", Kind: sharelink.File, Name: "a.b"}, "https://cvws.icloud-content.com.cn/B/abc/x"},
	{"BoxVanity", "https://tenant.box.com/v/data-2026", sharelink.Link{Provider: "box", ID: "data-2026", Page: true}, ""},
	{"BoxByNumber", "https://tenant.app.box.com/file/197", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "197", Needs: sharelink.NeedsAccount}, ""},
	{"BoxByNumberShared", "https://app.box.com/file/197?s=p0k2vz", sharelink.Link{Provider: "box", Kind: sharelink.File, ID: "197"}, "https://app.box.com/index.php?rm=box_download_shared_file&shared_name=p0k2vz&file_id=f_197"},
	{"Send", "https://send.vis.ee/download/abc/#key", sharelink.Link{Provider: "send", ID: "abc", EndToEnd: true}, ""},
	{"Sync", "https://ln5.sync.com/dl/abc0/key1-key2", sharelink.Link{Provider: "sync.com", ID: "abc0", EndToEnd: true}, ""},
	{"SyncView", "https://ln5.sync.com/dl/1ceab0/98g-7d8/view/default/143130", sharelink.Link{Provider: "sync.com", ID: "1ceab0", EndToEnd: true}, ""},
	{"SyncShort", "https://ln.sync.com/dl/abc0#key", sharelink.Link{Provider: "sync.com", ID: "abc0", EndToEnd: true}, ""},
	{"Yeah", "https://mail.yeah.net/large-attachment-download/index.html?file=djAy&title=a.zip", sharelink.Link{Provider: "netease", Kind: sharelink.File, ID: "djAy", Name: "a.zip", Needs: sharelink.NeedsProgram}, ""},
	{"QQCompany", "https://exmail.qq.com/cgi-bin/ftnExs_download?k=2b61&t=exs_ftn_download&code=eaac", sharelink.Link{Provider: "qq", Kind: sharelink.File, ID: "2b61", Needs: sharelink.NeedsProgram}, ""},
	{"YandexMail", "https://disk.yandex.ru/mail/?hash=Ab%3D%3D&name=a.zip&uid=0", sharelink.Link{Provider: "yandex", Kind: sharelink.File, ID: "Ab%3D%3D", Name: "a.zip", Needs: sharelink.NeedsProgram}, ""},

	{"ShareFile", "https://tenant.sharefile.com/d-s5272283033994a1b", sharelink.Link{Provider: "sharefile", ID: "d-s5272283033994a1b", Needs: sharelink.NeedsProgram}, ""},
	{"ShareFileWeb", "https://tenant.sharefile.com/public/share/web-s5030aec135b1", sharelink.Link{Provider: "sharefile", ID: "web-s5030aec135b1", Needs: sharelink.NeedsProgram}, ""},
	{"ShareFileView", "https://tenant.sharefile.eu/share/view/s5030aec135b1/fo1", sharelink.Link{Provider: "sharefile", ID: "s5030aec135b1", Needs: sharelink.NeedsProgram}, ""},
	{"Egnyte", "https://tenant.egnyte.com/dl/HhH7crTYT4/", sharelink.Link{Provider: "egnyte", Kind: sharelink.File, ID: "HhH7crTYT4"}, "https://tenant.egnyte.com/dd/HhH7crTYT4/"},
	{"EgnyteDirect", "https://tenant.egnyte.com/dd/HhH7crTYT4/?entryId=a-1", sharelink.Link{Provider: "egnyte", Kind: sharelink.File, ID: "HhH7crTYT4"}, same},
	{"EgnyteFolder", "https://tenant.egnyte.com/fl/HhH7crTYT4", sharelink.Link{Provider: "egnyte", Kind: sharelink.Folder, ID: "HhH7crTYT4"}, ""},
	{"Zoho", "https://workdrive.zohoexternal.com/external/6e4c54f60ccd083fab3b05b6287bfeee5444ffc7", sharelink.Link{Provider: "zoho", ID: "6e4c54f60ccd083fab3b05b6287bfeee5444ffc7"}, "https://workdrive.zohoexternal.com/external/6e4c54f60ccd083fab3b05b6287bfeee5444ffc7/download?directDownload=true"},
	{"ZohoDirect", "https://workdrive.zohoexternal.com/external/6e4c54f60ccd083fab3b05b6287bfeee5444ffc7/download", sharelink.Link{Provider: "zoho", Kind: sharelink.File, ID: "6e4c54f60ccd083fab3b05b6287bfeee5444ffc7"}, "https://workdrive.zohoexternal.com/external/6e4c54f60ccd083fab3b05b6287bfeee5444ffc7/download?directDownload=true"},
	{"ZohoSheet", "https://workdrive.zohoexternal.com/external/sheet/f952ca11370ee5ce5c463f1ec5bfd859", sharelink.Link{Provider: "zoho", ID: "f952ca11370ee5ce5c463f1ec5bfd859", Needs: sharelink.NeedsProgram}, ""},
	{"ZohoInside", "https://workdrive.zoho.com/file/abcdef0123456789abcdef", sharelink.Link{Provider: "zoho", Kind: sharelink.File, ID: "abcdef0123456789abcdef", Needs: sharelink.NeedsAccount}, ""},
	{"Adobe", "https://documentcloud.adobe.com/link/track?uri=urn:aaid:scds:US:24-39", sharelink.Link{Provider: "adobe", ID: "urn:aaid:scds:US:24-39", Needs: sharelink.NeedsProgram}, ""},
	{"AdobeNew", "https://acrobat.adobe.com/id/urn:aaid:sc:EU:24-39", sharelink.Link{Provider: "adobe", ID: "urn:aaid:sc:EU:24-39", Needs: sharelink.NeedsProgram}, ""},
	{"Slack", "https://files.slack.com/files-pri/T0-F0/a%20b.pdf", sharelink.Link{Provider: "slack", Kind: sharelink.File, ID: "T0-F0", Name: "a b.pdf", Needs: sharelink.NeedsAccount}, ""},
	{"SlackPublic", "https://slack-files.com/T02-F03-abc", sharelink.Link{Provider: "slack", Kind: sharelink.File, ID: "T02-F03-abc", Needs: sharelink.NeedsProgram}, ""},
	{"HubSpot", "https://app.hubspot.com/documents/123/view/456?accessId=a1", sharelink.Link{Provider: "hubspot", Kind: sharelink.File, ID: "456", Needs: sharelink.NeedsProgram}, ""},
	{"Salesforce", "https://tenant.my.salesforce.com/sfc/p/#A0/a/B0/C1", sharelink.Link{Provider: "salesforce", Needs: sharelink.NeedsProgram}, ""},
	{"SalesforceDirect", "https://tenant.my.salesforce.com/sfc/dist/version/download/?oid=00D&ids=068&d=%2Fa%2FB&asPdf=false", sharelink.Link{Provider: "salesforce", Kind: sharelink.File, ID: "068"}, same},
	{"FileSender", "https://filesender.nren.example/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562", sharelink.Link{Provider: "filesender", ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Needs: sharelink.NeedsProgram}, ""},
	{"Fastmail", "https://user.fm/files/v2-300f28f8/Joe%27s%20Plan.pdf", sharelink.Link{Provider: "fastmail", Kind: sharelink.File, ID: "v2-300f28f8", Name: "Joe's Plan.pdf"}, same},
	{"GigaFile", "https://66.gigafile.nu/1231-a1b2c3d4e5f60718293a4b5c6d7e8f901", sharelink.Link{Provider: "gigafile", ID: "1231-a1b2c3d4e5f60718293a4b5c6d7e8f901", Needs: sharelink.NeedsProgram}, ""},
	{"MediaFire", "https://www.mediafire.com/file/abc123/a.zip/file", sharelink.Link{Provider: "mediafire", Kind: sharelink.File, ID: "abc123", Name: "a.zip", Needs: sharelink.NeedsProgram}, ""},
	{"MediaFireFolder", "https://www.mediafire.com/folder/abc123/Files", sharelink.Link{Provider: "mediafire", Kind: sharelink.Folder, ID: "abc123"}, ""},
	{"Gofile", "https://gofile.io/d/aB1cD2", sharelink.Link{Provider: "gofile", ID: "aB1cD2", Needs: sharelink.NeedsProgram}, ""},
	{"DropboxPublic", "http://dl.dropbox.com/u/34284/talks/a%20b.pdf", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, Name: "a b.pdf"}, same},
	{"DropboxPublicOld", "https://dl.getdropbox.com/u/34284/a.zip", sharelink.Link{Provider: "dropbox", Kind: sharelink.File, Name: "a.zip"}, same},
	{"DocsView", "http://docs.google.com/View?docid=dfk9tgvx_1g3ph94", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "dfk9tgvx_1g3ph94"}, ""},
	{"DocsDoc", "http://docs.google.com/a/tenant.example/Doc?id=dfk9tgvx_1g3ph94", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "dfk9tgvx_1g3ph94"}, ""},
	{"SheetOld", "https://docs.google.com/spreadsheet/ccc?key=0AhG3tx&hl=en#gid=0", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "0AhG3tx"}, ""},
	{"SheetOlder", "http://spreadsheets.google.com/ccc?key=0AhG3tx", sharelink.Link{Provider: "google-docs", Kind: sharelink.Native, ID: "0AhG3tx"}, ""},
	{"DriveLeaf", "https://docs.google.com/leaf?id=0B5zAbC&hl=en", sharelink.Link{Provider: "google-drive", Kind: sharelink.File, ID: "0B5zAbC"}, "https://drive.usercontent.google.com/download?id=0B5zAbC&export=download&confirm=t"},
	{"BaiduLink", "http://pan.baidu.com/share/link?shareid=569597&uk=926264", sharelink.Link{Provider: "baidu", ID: "569597", Needs: sharelink.NeedsProgram}, ""},
	{"GofileOld", "https://gofile.io/?c=mRb6sp", sharelink.Link{Provider: "gofile", ID: "mRb6sp", Needs: sharelink.NeedsProgram}, ""},
	{"FilebinBin", "https://filebin.net/zv3dx07i2m3lta12", sharelink.Link{Provider: "filebin", Kind: sharelink.Folder, ID: "zv3dx07i2m3lta12"}, ""},
	{"MediaFireKeys", "http://www.mediafire.com/folder/sop5ta5vdf01yfm,kwk1yt5jc9zcpl3", sharelink.Link{Provider: "mediafire", Needs: sharelink.NeedsProgram}, ""},
	{"MediaFireKey", "http://www.mediafire.com/?sop5ta5vdf01yfm", sharelink.Link{Provider: "mediafire", Needs: sharelink.NeedsProgram}, ""},
	{"MediaFirePHP", "http://www.mediafire.com/download.php?sop5ta5vdf0", sharelink.Link{Provider: "mediafire", Needs: sharelink.NeedsProgram}, ""},
	{"Filebin", "https://filebin.net/abcdefgh12345678/a.pdf", sharelink.Link{Provider: "filebin", Kind: sharelink.File, ID: "abcdefgh12345678", Name: "a.pdf"}, same},
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
			got, ok := sharelink.Match(tt.text)
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
		{"EscapedSlash", "https://www.dropbox.com/s%2Fa/b"},
		{"EscapedTwice", "https://www.dropbox.com/%2573/a/b"},
		{"ExtraID", "https://drive.google.com/file/d/a%26confirm%3dt/view"},
		{"OneDriveShort", "https://1drv.ms/u/x"},
		{"WeTransferOther", "https://we.tl/about"},
		{"WeTransferNothing", "https://we.tl/t-"},
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
		{"Forms", "https://docs.google.com/forms/d/1EuX/viewform"},
		{"FormsPublished", "https://docs.google.com/forms/d/e/1FAI/formResponse"},
		{"Drawing", "https://docs.google.com/drawings/d/1EuX/edit"},
		{"DrawingPublished", "https://docs.google.com/drawings/d/e/2PACX/pub"},
		{"SharePointList", "https://tenant.sharepoint.com/:l:/s/Site/EYCB0u8"},
		{"SharePointItem", "https://tenant.sharepoint.com/:li:/s/Site/EYCB0u8"},
		{"SharePointNews", "https://tenant.sharepoint.com/:u:/r/sites/News/SitePages/Weekly.aspx?csf=1"},
		{"SharePointPages", "https://tenant.sharepoint.com/sites/Site/SitePages/a.pdf"},
		{"SharePointLibrary", "https://tenant.sharepoint.com/sites/Site/Docs/Forms/AllItems.aspx"},
		{"SharePointLogo", "https://tenant.sharepoint.com/sites/Site/SiteAssets/__siteIcon__.jpg"},
		{"SharePointSite", "https://tenant.sharepoint.com/sites/Site/logo.png"},
		{"SharePointFolder", "https://tenant.sharepoint.com/sites/Site/Shared%20Documents/General"},
		{"SharePointDots", "https://tenant.sharepoint.com/sites/Site/Docs/%2e%2e/a.pdf"},
		{"SharePointRoot", "https://tenant-my.sharepoint.com/personal/joe/_layouts/15/onedrive.aspx"},
		{"SharePointPathDots", "https://tenant.sharepoint.com/_layouts/15/stream.aspx?id=%2Fsites%2F..%2Fa.mp4"},
		{"OneDriveRoot", "https://onedrive.live.com/?id=root&cid=25C3"},
		{"OneDriveView", "https://onedrive.live.com/?id=recent"},
		{"MegaInvalid", "https://mega.nz/#!invalid"},
		{"KakaoTerms", "https://bigfile.mail.daum.net/terms"},
		{"KakaoNotice", "https://bigfile.mail.kakao.com/notice"},
		{"DropboxAbuse", "https://www.dropbox.com/l/report_abuse/x"},
		{"FileSenderElsewhere", "https://a.example/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562"},
		{"FileSenderUpload", "https://filesender.nren.example/?s=upload&token=2e2f23b0-24b8-4c60-8413-d838396ac562"},
		{"ZohoHome", "https://workdrive.zoho.com/file/home"},
		{"SyncHome", "https://www.sync.com/dl/help"},
		{"DropboxRequest", "https://www.dropbox.com/request/AbCdEfGhIjKl"},
		{"DropboxReferral", "https://www.dropbox.com/referrals/AAB1c2D3"},
		{"DropboxMobile", "https://www.dropbox.com/mobile"},
		{"PaperHome", "https://paper.dropbox.com/hello"},
		{"DriveMine", "https://drive.google.com/drive/my-drive"},
		{"DriveAccount", "https://drive.google.com/drive/u/0/home"},
		{"DriveIntl", "https://drive.google.com/intl/de/drive/about"},
		{"DriveStart", "https://drive.google.com/start/apps"},
		{"DriveBlock", "https://drive.google.com/drive/blockuser?blockerEmail=a%40b.example"},
		{"DocsNotify", "https://docs.google.com/document/docos/notify?id=1EuX&title=x"},
		{"DocsCreate", "https://docs.google.com/document/create?usp=x"},
		{"DocsAbout", "https://docs.google.com/intl/de/document/about"},
		{"PlayStore", "https://play.google.com/store/apps/details?id=com.google.android.apps.docs"},
		{"AppStore", "https://apps.apple.com/app/id327630330"},
		{"OneDriveAbout", "https://onedrive.live.com/about/en-us/"},
		{"OneDriveInvite", "https://onedrive.live.com?invref=4b3c2d1e&invscr=90"},
		{"BoxSupport", "https://support.box.com/s/article123"},
		{"BoxCommunity", "https://community.box.com/v/press"},
		{"ICloudPhotos", "https://www.icloud.com/photos/#0AbC"},
		{"ICloudPagesHome", "https://www.icloud.com/pages/"},
		{"ICloudPagesHelp", "https://www.icloud.com/pages/help"},
		{"SlackChannel", "https://tenant.slack.com/archives/C01ABCDEF/p1700000000000000"},
		{"SlackFiles", "https://tenant.slack.com/files/all/mine"},
		{"WeTransferCollect", "https://collect.wetransfer.com/board/x"},
		{"TransferNowPage", "https://www.transfernow.net/dl/example"},
		{"SmashPricing", "https://fromsmash.com/pricing-en"},
		{"SmashName", "https://fromsmash.com/our-company"},
		{"KDriveHome", "https://kdrive.infomaniak.com/app/drive/408009"},
		{"WeiyunHome", "https://share.weiyun.com/contactus"},
		{"BaiduHome", "https://pan.baidu.com/s/activity"},
		{"HightailUplink", "https://spaces.hightail.com/uplink/contoso"},
		{"DropboxPublicFolder", "http://dl.dropbox.com/u/34284/talks/"},
		{"DropboxPublicOther", "https://dl.dropbox.com/u/static/logo.png"},
		{"SheetForm", "https://spreadsheets.google.com/viewform?formkey=dE1"},
		{"GofileRoot", "https://gofile.io/?t=api"},
		{"FilebinPage", "https://filebin.net/integration-status"},
		{"FilebinTerms", "https://filebin.net/termsofservice"},
		{"MediaFireHome", "https://www.mediafire.com/?ref=mail"},
		{"MediaFirePage", "https://www.mediafire.com/?verification,required"},
		{"SyncOther", "https://ln5.sync.com/dl/1ceab0/98g-7d8/report"},
		{"FilemailUpload", "https://www.filemail.com/share/upload-file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if l, ok := sharelink.Match(tt.text); ok {
				t.Errorf("got %+v, want it not recognised", *l)
			}
		})
	}
}

// A name cannot get out of the place in the address that it is put into.
func TestMailDropName(t *testing.T) {
	l, ok := sharelink.Match("https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2FA%2F%24%7Bf%7D%3Fk%3D%24%7Buk%7D%26z%3D1&f=..%2F%3Fx%23%24%7Buk%7D&uk=a%26b")
	if want := "https://cvws.icloud-content.com/B/A/..%2F%3Fx%23%24%7Buk%7D?k=a%26b&z=1"; !ok || l.Direct != want {
		t.Errorf("got %+v, want %q", l, want)
	}
}

// No row takes the pages that every host has.
func TestMatchPages(t *testing.T) {
	hosts := make(map[string]bool)
	for _, tt := range golden {
		if u, ok := weburl.Parse(tt.text); ok {
			hosts[u.Host] = true
		}
	}
	for host := range hosts {
		for _, path := range []string{
			"", "/", "/login", "/signin", "/help", "/logo.png", "/images/logo.png", "/home", "/form", "/forms/a", "/settings",
			"/settings/account", "/terms", "/privacy", "/about", "/notice", "/index.html", "/search?q=x", "/unsubscribe?id=x", "/favicon.ico",
			"/s", "/file", "/download", "/d", "/dl", "/share", "/documents", "/id", "/pages", "/files", "/t", "/v", "/doc",
			"/pricing", "/blog/2026/news", "/business/plans", "/intl/de/about", "/en-us/help/articles/1", "/careers", "/install", "/app/android",
			"/login?redirect=%2Fs%2FAbCd", "/account/reset?token=AbCd", "/static/images/logo.svg", "/hc/en-us/articles/123", "/l/unsubscribe/x", "/status.json",
		} {
			text := "https://" + host + path
			if l, ok := sharelink.Match(text); ok {
				t.Errorf("%s: got %+v, want none", text, *l)
			}
		}
	}
}

// No link has the name of a page where its token should be.
func TestMatchPageForToken(t *testing.T) {
	for _, tt := range golden {
		if tt.link.ID == "" || !strings.Contains(tt.text, "/"+tt.link.ID) {
			continue
		}
		for _, page := range []string{"login", "help", "home", "settings", "Terms", "logo.png", "index.html", "unsubscribe", "form", "privacy", "pricing", "blog", "about", "intl", "plans.html"} {
			text := strings.Replace(tt.text, "/"+tt.link.ID, "/"+page, 1)
			if l, ok := sharelink.Match(text); ok {
				t.Errorf("%s: got %+v, want none", text, *l)
			}
		}
	}
}

func TestFindDirect(t *testing.T) {
	const link = "https://tenant.app.box.com/s/p0k2vz"
	for _, tt := range []struct{ name, link, page, want string }{
		{"File", link, `{"/app-api/enduserapp/shared-item":{"itemID":197,"typedID":"f_197"}} "typedID":"f_197"`, "https://tenant.app.box.com/index.php?rm=box_download_shared_file&shared_name=p0k2vz&file_id=f_197"},
		{"Vanity", "https://tenant.box.com/v/data", `"typedID":"f_197"`, "https://tenant.box.com/index.php?rm=box_download_shared_file&vanity_name=data&file_id=f_197"},
		{"Folder", link, `"typedID":"d_5","x":[{"typedID":"f_197"},{"typedID":"f_198"}]`, ""},
		{"FolderOfOne", link, `"typedID":"d_5","x":[{"typedID":"f_197"}]`, ""},
		{"Nothing", link, `<title>Box</title>`, ""},
		{"Evil", link, `"typedID":"f_197&x=//evil.example/"`, ""},
		{"Endless", link, `"typedID":"f_1111111111111111111111111111111111111"`, ""},
		{"OtherRow", "https://www.dropbox.com/s/a/b.pdf", `"typedID":"f_197"`, ""},
		{"NoLink", "https://a.example/", `"typedID":"f_197"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sharelink.FindDirect(tt.link, []byte(tt.page)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Hosts of a caller's own, at the root or below a path, with a port or not.
func TestTable(t *testing.T) {
	table, err := sharelink.NewTable(map[string]string{
		"cloud.example":           "nextcloud",
		"Files.Example:8443/own/": "owncloud",
		"sea.example":             "seafile",
		"mail.example":            "zimbra",
		"kw.example":              "kiteworks",
		"send.example/fs":         "filesender",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		link       *sharelink.Link // nil for none
	}{
		{"Nextcloud", "https://cloud.example/s/aB1?path=%2F", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/s/aB1/download"}},
		{"NextcloudIndex", "https://cloud.example/index.php/s/aB1/", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Direct: "https://cloud.example/index.php/s/aB1/download"}},
		{"NextcloudDirect", "https://cloud.example/s/aB1/download/a%20b.pdf", &sharelink.Link{Provider: "nextcloud", ID: "aB1", Name: "a b.pdf", Direct: "https://cloud.example/s/aB1/download/a%20b.pdf"}},
		{"NextcloudLogin", "https://cloud.example/login", nil},
		{"NextcloudHome", "https://cloud.example/", nil},
		{"OtherPort", "https://cloud.example:8443/s/aB1", nil},
		{"Port", "https://files.example:8443/own/s/aB1", &sharelink.Link{Provider: "owncloud", ID: "aB1", Direct: "https://files.example:8443/own/s/aB1/download"}},
		{"NoPort", "https://files.example/own/s/aB1", nil},
		{"OutOfPath", "https://files.example:8443/s/aB1", nil},
		{"Seafile", "https://sea.example/f/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.File, ID: "aB1", Direct: "https://sea.example/f/aB1/?dl=1"}},
		{"SeafileInFolder", "https://sea.example/d/aB1/files/?p=%2Fa%2Fb%20c.pdf", &sharelink.Link{Provider: "seafile", Kind: sharelink.File, Name: "b c.pdf", Direct: "https://sea.example/d/aB1/files/?p=%2Fa%2Fb%20c.pdf&dl=1"}},
		{"SeafileFolder", "https://sea.example/d/aB1/", &sharelink.Link{Provider: "seafile", Kind: sharelink.Folder, ID: "aB1"}},
		{"Zimbra", "https://mail.example/home/joe@mail.example/Briefcase/a.pdf", &sharelink.Link{Provider: "zimbra", Kind: sharelink.File, Name: "a.pdf", Direct: "https://mail.example/home/joe@mail.example/Briefcase/a.pdf"}},
		{"ZimbraCalendar", "https://mail.example/home/joe@mail.example/Calendar", nil},
		{"Kiteworks", "https://kw.example/w/aB1", &sharelink.Link{Provider: "kiteworks", ID: "aB1", Needs: sharelink.NeedsProgram}},
		{"FileSender", "https://send.example/fs/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562", &sharelink.Link{Provider: "filesender", ID: "2e2f23b0-24b8-4c60-8413-d838396ac562", Needs: sharelink.NeedsProgram}},
		{"FileSenderUpload", "https://send.example/fs/?s=upload&token=2e2f23b0-24b8-4c60-8413-d838396ac562", nil},
		{"Known", "https://user.fm/files/v2-3/a.pdf", &sharelink.Link{Provider: "fastmail", Kind: sharelink.File, ID: "v2-3", Name: "a.pdf", Direct: "https://user.fm/files/v2-3/a.pdf"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := table.Match(tt.text)
			if tt.link == nil {
				if ok {
					t.Errorf("got %+v, want none", *got)
				}
				return
			}
			tt.link.Size = -1
			if !ok || *got != *tt.link {
				t.Errorf("got %+v, want %+v", got, *tt.link)
			}
			if !hinted(table.Hints(), tt.text) {
				t.Errorf("%s: got no hint, want one", tt.text)
			}
		})
	}
	for _, bad := range []map[string]string{{"a.example": "drive"}, {"a b": "nextcloud"}, {"": "nextcloud"}, {"u@a.example": "nextcloud"}, {"a.example?x": "nextcloud"}} {
		if _, err := sharelink.NewTable(bad); err == nil {
			t.Errorf("%v: got no error, want one", bad)
		}
	}
	if none, err := sharelink.NewTable(nil); none != nil || err != nil {
		t.Errorf("got %v, %v, want nil", none, err)
	}
}

func TestKind(t *testing.T) {
	var all []string
	for _, k := range []sharelink.Kind{sharelink.Page, sharelink.File, sharelink.Folder, sharelink.Native} {
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
	hints := sharelink.Hints()
	for _, h := range hints {
		if h != strings.ToLower(h) || len(h) < len("we.tl") {
			t.Errorf("got the hint %q, want one in lower case, not too short", h)
		}
	}
	for _, tt := range golden {
		if !hinted(hints, tt.text) {
			t.Errorf("%s: got no hint in it, want one", tt.name)
		}
	}
	escaped := "https://mail.a.example/alimail/openL%69nks/downloadMimeMetaDiskBigAttach?id=netdiskid%3Aabc"
	if l, ok := sharelink.Match(escaped); ok && !hinted(hints, escaped) {
		t.Errorf("%s: got %+v, but no hint in it, want both or none", escaped, l)
	}
}

// What is made of a link is a URL without fragment, at an https or the same
// site, and of no folder; a hint tells beforehand.
func FuzzMatch(f *testing.F) {
	for _, tt := range golden {
		f.Add(tt.text)
	}
	hints := sharelink.Hints()
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := sharelink.Match(text)
		if !ok {
			return
		}
		if !hinted(hints, text) {
			t.Fatalf("%q: got no hint in it, want one", text)
		}
		if l.Provider == "" || l.Size == 0 || l.Size < -1 {
			t.Fatalf("%q: got %+v, want a provider and a size, or -1", text, l)
		}
		if l.Direct == "" {
			return
		}
		u, _ := weburl.Parse(text)
		d, ok := weburl.Parse(l.Direct)
		if !ok || d.HasFragment || d.Port != 0 || d.Scheme != "https" && !d.SameSite(u) {
			t.Fatalf("%q: got %q, want https or the same site", text, l.Direct)
		}
		if l.Kind == sharelink.Folder || l.EndToEnd {
			t.Fatalf("%q: got %+v, want no direct form", text, l)
		}
		if u.Fragment != "" && len(u.Fragment) > 8 && !strings.Contains(strings.TrimSuffix(text, "#"+u.Fragment), u.Fragment) && strings.Contains(l.Direct, u.Fragment) {
			t.Fatalf("%q: got %q, want it without the fragment", text, l.Direct)
		}
		again, ok := sharelink.Match(l.Direct)
		if ok && again.Direct != "" && again.Direct != l.Direct {
			t.Fatalf("%q: got %q, then %q, want the same", text, l.Direct, again.Direct)
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
				sharelink.Match(bb.text)
			}
		})
	}
}
