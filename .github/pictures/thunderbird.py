#!/usr/bin/env python3
"""Makes thunderbird-before.png, thunderbird-after.png and thunderbird-extension.png beside this file: one message in
Thunderbird, as it came, after "extbody inline", and as it came with the extension. The message has a link of a cloud, and a
part of the standard form.

    apt-get install thunderbird xvfb
    go build -o /tmp/extbody ./examples/extbody && .github/pictures/thunderbird.py /tmp/extbody

After the program, names such as "extension" choose pictures.

Each message is opened in a new profile on a screen of Xvfb, whose frame buffer is the picture. The files of the
message come from a server on loopback.
"""
import http.server
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

WIDTH, HEIGHT = 640, 520
SECONDS = int(os.environ.get("SECONDS_TO_DRAW", "45"))

PREFS = """
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.autoDisableScopes", 0);
user_pref("extensions.enabledScopes", 15);
user_pref("xpinstall.signatures.required", false);
user_pref("mail.inline_attachments", true);
user_pref("mailnews.attachments.display.start_expanded", true);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("mailnews.start_page_override.mstone", "ignore");
user_pref("mail.accountmanager.accounts", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.server.server1.hostname", "Local Folders");
user_pref("mail.server.server1.name", "Local Folders");
user_pref("mail.server.server1.type", "none");
user_pref("mail.server.server1.userName", "nobody");
"""

MAIL = """From: Ann Miller <ann@example.com>
To: Bob Jones <bob@example.com>
Subject: The report and the picture
Date: Mon, 23 Nov 2026 10:00:00 +0000
Message-ID: <1@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html

<p>Hi Bob,</p>
<p>here are the report and the picture that you asked for. The report is in our cloud:
<a href="{base}/s/AbCdEfGhIjKlMnO">report.pdf</a></p>
<p>Ann</p>
--b
Content-Type: message/external-body; access-type=url; url="{base}/picture.png"

Content-Type: image/png
Content-Disposition: inline; filename="picture.png"
Content-ID: <2@example.com>

--b--
"""


def png(width, height, rows):
    """Returns a PNG of rows of RGB octets."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    text = b"".join(b"\0" + row for row in rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(text, 9)) + chunk(b"IEND", b"")


def hills():
    """Returns the picture of the message: hills under a sky."""
    rows = []
    for y in range(120):
        row = bytearray()
        for x in range(320):
            if (x - 250) ** 2 + (y - 35) ** 2 < 400:
                row += bytes((255, 220, 90))
            elif y > 85 + ((x - 230) / 22) ** 2:
                row += bytes((60, 120, 70))
            elif y > 55 + ((x - 80) / 16) ** 2:
                row += bytes((90, 150, 100))
            else:
                row += bytes((150 + y // 2, 200 + y // 4, 245))
        rows.append(bytes(row))
    return png(320, 120, rows)


def serve():
    """Serves the files of the message, and returns the URL of the server."""
    files = {"/s/AbCdEfGhIjKlMnO/download": ("application/pdf", b"%PDF-1.4\n" + b"%" * 40_000 + b"\n%%EOF\n"), "/picture.png": ("image/png", hills())}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind, body = files[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d" % server.server_port


def read_xwd(path):
    """Returns the width, height and rows of RGB octets of a window dump, as in XWDFile.h."""
    text = path.read_bytes()
    head = struct.unpack(">25I", text[:100])
    size, width, height, order, line, colors = head[0], head[4], head[5], head[7], head[12], head[19]
    at, rows = size + colors * 12, []
    for y in range(height):
        row = text[at + y * line : at + y * line + width * 4]
        b, g, r = (row[0::4], row[1::4], row[2::4]) if order == 0 else (row[3::4], row[2::4], row[1::4])
        rgb = bytearray(width * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = r, g, b
        rows.append(bytes(rgb))
    return width, height, rows


def shoot(message, picture, work, extension=None):
    """Makes the picture of a message in Thunderbird, which may have an extension."""
    profile, screen = work / "profile", work / "screen"
    for folder in (profile, screen, work / "home"):
        folder.mkdir(parents=True)
    (profile / "user.js").write_text(PREFS)
    if extension:
        extension(work / "home", profile / "extensions")
    r, w = os.pipe()
    xvfb = subprocess.Popen(
        ["Xvfb", "-displayfd", str(w), "-screen", "0", "%dx%dx24" % (WIDTH, HEIGHT), "-fbdir", str(screen), "-nocursor", "-nolisten", "tcp"],
        pass_fds=[w], stderr=subprocess.DEVNULL)
    try:
        os.close(w)
        display = ":" + os.fdopen(r).readline().strip()
        env = dict(os.environ, DISPLAY=display, HOME=str(work / "home"), GDK_BACKEND="x11", LANG="C.UTF-8", TZ="UTC")
        reader = subprocess.Popen(
            ["thunderbird", "-profile", str(profile), "-no-remote", str(message)], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(SECONDS)
            picture.write_bytes(png(*read_xwd(screen / "Xvfb_screen0")))
        finally:
            reader.terminate()
            reader.wait()
    finally:
        xvfb.terminate()
        xvfb.wait()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    for name in ("thunderbird", "Xvfb"):
        if not shutil.which(name):
            sys.exit("there is no %s: apt-get install thunderbird xvfb" % name)
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        base = serve()
        before, after = work / "before.eml", work / "after.eml"
        before.write_text(MAIL.format(base=base))
        port = base.rsplit(":", 1)[1]
        share = "nextcloud=127.0.0.1:" + port
        flags = ["--dialects", "all", "--share-host", share, "--allow-net", "127.0.0.1", "--allow-port", port]
        after.write_bytes(subprocess.run([program, "inline"] + flags, input=before.read_bytes(), stdout=subprocess.PIPE, check=True).stdout)

        def extension(home, extensions):
            subprocess.run([program, "native", "--install", "thunderbird"], env=dict(os.environ, HOME=str(home)), check=True)
            file = extensions / "extbody@go-extbody.github.io.xpi"
            subprocess.run(["go", "run", "./examples/thunderbird", str(file)], cwd=here.parent.parent, check=True)
            settings = home / ".config" / "extbody" / "config.toml"
            settings.parent.mkdir(parents=True)
            settings.write_text('[open]\nallow-net = ["127.0.0.1"]\nallow-port = ["%s"]\nshare-host = ["%s"]\n' % (port, share))
            settings.chmod(0o600)

        for name, message, having in (("before", before, None), ("after", after, None), ("extension", before, extension)):
            if len(sys.argv) < 3 or name in sys.argv[2:]:
                shoot(message, here / ("thunderbird-%s.png" % name), work / name, having)


if __name__ == "__main__":
    main()
