"""The list of linked files: which URLs are files, and which URL is inside another.

    import extbody_list
    extbody_list.unwrap(url)  # the URL inside the wrappers, or url itself
    extbody_list.match(url)   # {"provider": ..., "kind": ..., "name": ..., "direct": ..., "needs": ...}, or None

Nothing here contacts a server. SPEC.md of the list describes every step. Octets that are not UTF-8
are lone surrogates in the texts, as the error handler surrogateescape makes them.
"""

import base64
import ipaddress
import json
import os
import pathlib
import re
import sys
import unicodedata
import urllib.parse

MAX_BYTES, MAX_NESTED = 64 << 10, 8
MAX_MAPPED = 4 * 253 + 1  # the mapping of UTS 46 takes more than linear time
UNCLEAN = re.compile('[\x00-\x20\x7f\\\\<>"\ud800-\udfff]')
PARTS = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.I | re.S)
IGNORED = re.compile("[\u00ad\u034f\u180b-\u180d\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]")  # UTS 46 maps them to nothing


class Failed(Exception):
    """A pipeline has no value."""


def octets(s):
    return s.encode("utf-8", "surrogateescape")


def percent(s):
    if re.search("%(?![0-9A-Fa-f]{2})", s):
        raise Failed
    return urllib.parse.unquote_to_bytes(octets(s)).decode("utf-8", "surrogateescape")


def escape(s):
    return urllib.parse.quote(octets(s), safe="")


def canonical(host):
    """Returns the one form of a host, or None (URL Standard section 3.5, without numbers in other forms)."""
    if host.startswith("["):
        try:
            address = ipaddress.IPv6Address("" if "%" in host else host[1:-1] if host.endswith("]") else "")
        except ValueError:
            return None
        return str(address.ipv4_mapped or address)
    name = host
    mapped = not host.isascii() or re.search(r"(?:^|\.)xn--", host.lower())
    if mapped and len(octets(host[:-1] if host[-1] in ".\u3002\uff0e\uff61" else host)) > MAX_MAPPED:
        return None
    if not host.isascii():
        name = re.sub("[\u3002\uff0e\uff61]", ".", IGNORED.sub("", unicodedata.normalize("NFKC", host.lower())).lower())
    name, rooted = (name[:-1], True) if name.endswith(".") else (name, False)
    labels = []
    for label in name.lower().split("."):
        if mapped and "_" in label:
            return None
        try:
            if not label.isascii():
                if label.startswith("xn--") or unicodedata.category(label[0])[0] == "M" or any(unicodedata.category(c)[0] in "CZ" for c in label):
                    return None  # the validity criteria of UTS 46, as far as they need no table
                label = "xn--" + unicodedata.normalize("NFC", label).encode("punycode").decode()
            elif label.startswith("xn--"):
                label[4:].encode().decode("punycode")
        except UnicodeError:
            return None
        if not re.fullmatch("[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9_])?", label):
            return None
        labels.append(label)
    name = ".".join(labels)
    if re.fullmatch("[0-9]+|0x[0-9a-f]*", labels[-1]) and (rooted or not re.fullmatch(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}", name)):
        return None
    return name if len(name) <= 253 else None


def without_dots(path):
    if "/." not in path and "/%2" not in path:
        return path
    out, segments = [], path[1:].split("/")
    for i, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.I)
        if dots == ".." and out:
            out.pop()
        if dots not in (".", ".."):
            out.append(segment)
        elif i == len(segments) - 1:
            out.append("")
    return "/" + "/".join(out)


class URL:
    """An absolute http or https URL in parts. query and fragment are None if there is none."""

    def __init__(self, text):
        m = None if UNCLEAN.search(text) or len(octets(text)) > MAX_BYTES else PARTS.fullmatch(text)
        if not m:
            raise Failed
        self.scheme, authority, path, self.query, self.fragment = m[1].lower(), m[2], m[3], m[4], m[5]
        if "%" in authority:
            host, colon, port = authority.partition(":")
            host = percent(host)
            if re.search(r"[/?#@:\[\]%\\\ud800-\udfff]", host):
                raise Failed
            authority = host + colon + port
        m = re.fullmatch(r"(\[.*\]|[^:\[]*)(?::([0-9]*))?", authority, re.S)
        self.host = canonical(m[1]) if m else None
        digits = m[2].lstrip("0") if m and m[2] else ""
        if self.host is None or len(digits) > 5 or m[2] and not digits:
            raise Failed
        port = int(digits or 0)
        if port > 65535:
            raise Failed
        self.port = 0 if port == {"http": 80, "https": 443}[self.scheme] else port
        self.path = without_dots(path)
        host = "[%s]" % self.host if ":" in self.host else self.host
        self.origin = "%s://%s%s" % (self.scheme, host, ":%d" % self.port if self.port else "")
        self.link = self.origin + self.path + ("" if self.query is None else "?" + self.query)
        plain = re.sub("%([0-9A-Fa-f]{2})", lambda m: c if re.fullmatch("[-._~:!0-9A-Za-z]", c := chr(int(m[1], 16))) else m[0], self.path)
        self.segments = [s for s in plain.split("/") if s]

    def param(self, name):
        values = [v for n, _, v in (f.partition("=") for f in (self.query or "").split("&")) if n == name]
        if len(values) != 1:
            raise Failed
        return values[0]


def set_param(text, name, value):
    head, _, query = text.partition("#")[0].partition("?")
    out, done = [], False
    for field in query.split("&") if query else []:
        if field.partition("=")[0] != name:
            out.append(field)
        elif not done:
            out.append(name + "=" + value)
            done = True
    return head + "?" + "&".join(out if done else out + [name + "=" + value])


def from_base64(s):
    s = re.sub("[\r\n]", "", s.rstrip("=")).replace("+", "-").replace("/", "_")
    if not re.fullmatch("[-_0-9A-Za-z]*", s) or len(s) % 4 == 1:
        raise Failed
    return base64.urlsafe_b64decode(s + "=" * (-len(s) % 4)).decode("utf-8", "surrogateescape")


def proofpoint(text):
    _, begins, rest = text.partition("/v3/__")
    target, ends, rest = rest.partition("__;")
    encoded, closes, _ = rest.partition("!")
    if not begins or not ends or not closes:
        raise Failed
    replaced = from_base64(encoded)
    if re.search("[\ud800-\udfff]", replaced):
        raise Failed
    try:
        return restore(octets(target).decode("latin-1"), octets(replaced).decode("latin-1")).encode("latin-1").decode("utf-8", "surrogateescape")
    except Failed:
        return restore(target, replaced)


def restore(target, replaced):
    """Returns a target of Proofpoint with its asterisks undone. Its letters are octets, or characters."""
    letters, at = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 0

    def take(m):
        nonlocal at
        n = letters.find(m[1]) + 2 if m[1] else 1
        at += n
        if m[1] and n < 2 or at > len(replaced):
            raise Failed
        return replaced[at - n:at]

    out = re.sub(r"\*(?:\*(.))?", take, target, flags=re.S)
    if at != len(replaced):
        raise Failed
    return out


def find(value, arg):
    how, _, path = arg.partition(":")
    if how != "json":
        raise Failed  # for programs that have an answer
    try:
        value = json.loads(value)
    except (ValueError, RecursionError):
        raise Failed from None
    for name in path.split("."):
        if isinstance(value, list) and name.isdigit():
            value = value[int(name)] if int(name) < len(value) else ""
        else:
            value = value.get(name, "") if isinstance(value, dict) else ""
    return value if isinstance(value, str) else json.dumps(value)


def is_token(s):
    return s not in (".", "..") and bool(re.fullmatch("[-_.!~:0-9A-Za-z]+", s))


def is_word(s):
    s = s.partition(".")[0]
    capitals = len(re.findall("[A-Z]", s))
    if not re.fullmatch("[-_~!A-Za-z]*", s) or re.fullmatch("[a-z]*", s) and (len(s) >= 15 or re.search("[bcdfghjklmnpqrstvwxz]{5}", s)):
        return False
    if len(s) >= 12 and 4 * capitals <= len(s) + 2:
        return bool(re.search("[a-z]", s)) and not re.search("[A-Z](?![a-z])", s)
    return not re.search("(?<=[A-Za-z])[A-Z]", s)


class Env:
    """The pieces of a URL and of a row."""

    def __init__(self, of, url, written, caught, defs):
        self.list, self.url, self.written, self.caught, self.defs = of, url, written, dict(caught), dict(defs)

    def piece(self, name, url):
        if name in ("link", "host", "origin", "path"):
            return getattr(url, name)
        if name == "segments":
            return "/".join(url.segments)
        if name == "text":
            return self.written
        if name in self.defs:
            alternatives = self.defs.pop(name)  # a piece of the same name is that of the path from here on
            value = self.value(alternatives)
            self.caught[name] = value
        value = getattr(url, name) if name in ("query", "fragment") else self.caught.get(name)
        if value is None:
            raise Failed
        return value

    def value(self, alternatives):
        """Returns the value of the first pipeline that has one, or None."""
        for pipe in [alternatives] if isinstance(alternatives, str) else alternatives or []:
            try:
                return self.run(pipe)
            except Failed:
                pass
        return None

    def run(self, pipe):
        v, url = "", self.url
        for step in pipe.split(" | "):
            verb, _, arg = step.partition(" ")
            if verb == "param":
                v = url.param(arg)
            elif verb == "url":
                url = URL(v)
            elif verb == "percent":
                v = percent(v)
            elif verb == "base64":
                v = from_base64(v)
            elif verb == "proofpoint":
                v = proofpoint(v)
            elif verb == "lower":
                v = re.sub("[A-Z]+", lambda m: m[0].lower(), v)
            elif verb in ("match", "not"):
                v = self.compare(verb, arg, v)
            elif verb == "set":
                name, _, value = arg.partition("=")
                try:
                    v = set_param(v, name, self.fill(value, v))
                except Failed:
                    pass
            elif verb == "to":
                v = self.fill(arg, v)
            elif verb == "replace":
                old, _, new = arg.partition(" ")
                v = v.replace(old, self.fill(new, v)) if old in v else v
            elif verb == "find":
                v = find(v, arg)
            else:
                v = self.piece(verb, url)
        return v

    def compare(self, verb, arg, v):
        name = re.fullmatch("{([a-z0-9]+)}", arg)
        if name and name[1] not in self.list.patterns:
            ok, got = v == self.piece(name[1], self.url), v
        else:
            m = self.list.pattern(arg).fullmatch(v)
            ok, got = bool(m), m and (m[1] if m.re.groups else v)
        if ok == (verb == "not"):
            raise Failed
        return v if verb == "not" else got

    def fill(self, template, v):
        def piece(m):
            text = self.piece(m[1], self.url) if m[1] else v
            if m[2] == "" and m[1] and not is_token(text) or m[2] == "%" and text == "":
                raise Failed
            return escape(text) if m[2] == "%" else text

        return re.sub("{([a-z0-9]*)([%=]?)}", piece, template)

    def holds(self, alternatives):
        return self.value(alternatives) is not None


class List:
    """A list of linked files, from the JSON of list.json."""

    def __init__(self, data):
        self.patterns, self.pieces, self.words, self.compiled = data["patterns"], data["pieces"], set(data["words"]), {}
        self.sets = data["sets"]
        self.links, self.wrappers = self.by_host(data["links"]), self.by_host(data["wrappers"])

    def expand(self, names):
        return [s for name in names for s in (self.sets[name[1:]] if name.startswith("@") else [name])]

    def by_host(self, rows):
        index = {}
        for i, row in enumerate(rows):
            for host in self.expand(row.get("hosts", ["*"])):
                index.setdefault(host, {})[i] = row
        return index

    def rows(self, index, host):
        """Returns the rows for a host, in order: those for any host are the last."""
        found = dict(index.get(host, {}))
        for i in range(len(host)):
            if host[i] == ".":
                found.update(index.get(host[i:], {}))
        return [found[i] for i in sorted(found)] + list(index.get("*", {}).values())

    def pattern(self, text):
        if text not in self.compiled:
            def named(m):
                p = self.patterns[m[1]]
                return "(?:" + p + ")" if "|" in p else p

            whole = text
            while re.search("{[a-z]", whole):
                whole = re.sub("{([a-z][a-z0-9]*)}", named, whole)
            self.compiled[text] = re.compile(whole)
        return self.compiled[text]

    def match(self, text):
        try:
            url = URL(text)
        except Failed:
            return None
        for row in self.rows(self.links, url.host):
            if "hosts" in row and url.port:
                continue
            for path in [p + q for p in self.expand(row.get("prefixes", [""])) for q in row["paths"]]:
                caught = shape(path, url.segments)
                if caught is None:
                    continue
                if "param" in row:
                    try:
                        caught["id"] = url.param(row["param"])
                    except Failed:
                        continue
                    if not caught["id"]:
                        continue
                if row.get("mark", "") not in (url.link + "#" + (url.fragment or "")).lower():
                    continue
                for case in row.get("cases", [{}]):
                    link = self.form(merged(row, case), url, text, caught)
                    if link:
                        return link
        return None

    def form(self, form, url, text, caught):
        own = {name: form[name] for name in ("id", "name") if name in form}
        env = Env(self, url, text, caught, {**self.pieces, **form["take"], **own})
        if not all(env.holds(c) for c in form["if"]) or any(env.holds(c) for c in form["unless"]):
            return None
        token, name = env.value("id"), env.value("name") or ""
        if token is None and "id" in form:
            return None
        kind = form["kind"]
        if isinstance(kind, dict):
            kind = next((k for k in ("file", "folder", "native", "page") if k in kind and env.holds(kind[k])), None)
        if kind is None or not self.is_id(form, token or ""):
            return None
        link = {"provider": form["provider"], "kind": kind, "name": name, "direct": "", "needs": ""}
        if kind != "folder":
            link["direct"] = env.value(form.get("direct")) or ""
            if not link["direct"]:
                link["needs"] = "ask" if "ask" in form or "find" in form and "direct" not in form else form.get("needs", "")
        if form.get("encrypted"):
            link["needs"] = "key"
        return link

    def is_id(self, form, token):
        if not token:
            return True
        try:
            token = percent(token) or token
        except Failed:
            pass
        if "token" in form and not self.pattern(form["token"]).fullmatch(token):
            return False
        if form.get("random"):
            return token.lower() not in self.words
        least = form.get("min", 0)
        return "token" in form and least == 0 or len(octets(token)) >= least and not is_word(token)

    def unwrap(self, text):
        for _ in range(MAX_NESTED):
            try:
                url = URL(text)
                row, env = self.wrapper(url, text)
                target = self.target(row, env).replace(" ", "%20")
                URL(target)
            except Failed:
                return text
            text = target
        return text

    def wrapper(self, url, text):
        for row in self.rows(self.wrappers, url.host):
            if "paths" not in row or any(url.path == p or p.endswith("/") and url.path.startswith(p) for p in row["paths"]):
                env = Env(self, url, text, {}, {**self.pieces, **row.get("take", {})})
                if all(env.holds(c) for c in row.get("if", [])) and not any(env.holds(c) for c in row.get("unless", [])):
                    return row, env
        raise Failed

    def target(self, row, env):
        if row.get("opaque") or "opaque_unless" in row and not env.holds(row["opaque_unless"]):
            raise Failed
        for name in row.get("param", []):
            value = env.value("param " + name)
            if value:
                return percent(value)
        target = env.value(row.get("target"))
        if target is None:
            raise Failed
        return re.sub("^(https?:/)(?=[^/])", r"\1/", target, flags=re.I) if row.get("one_slash") else target


def merged(row, case):
    """Returns a row with one of its cases: pieces and conditions of both count."""
    form = {**row, **case}
    form["take"] = {**row.get("take", {}), **case.get("take", {})}
    for name in ("if", "unless"):
        form[name] = row.get(name, []) + case.get(name, [])
    return form


def shape(pattern, segments):
    """Returns the pieces of a path by a pattern, or None."""
    caught, rest = {}, list(segments)
    for want in pattern[1:].split("/") if pattern not in ("", "/") else []:
        if want == "*":
            if rest:
                caught["last"], caught["rest"] = rest[-1], "/".join(rest)
            return caught
        if not rest:
            return None
        got = rest.pop(0)
        if want in ("{id}", "{owner}", "{type}"):
            if not is_token(got):
                return None
            caught[want[1:-1]] = got
        elif want == "{name}":
            try:
                caught["name"] = percent(got)
            except Failed:
                caught.pop("name", None)
        elif want != "{}" and got != want and not (want.endswith(".aspx") and got.lower() == want.lower()):
            return None
    return None if rest else caught


_default = None


def default():
    """Returns the list beside this module, or in the folder above."""
    global _default
    if _default is None:
        here = pathlib.Path(__file__).resolve().parent
        path = next(p for p in (here / "list.json", here.parent / "list.json") if p.exists())
        _default = List(json.loads(path.read_text(encoding="utf-8")))
    return _default


def match(url):
    return default().match(url)


def unwrap(url):
    return default().unwrap(url)


def main():
    for line in sys.stdin.buffer:
        url = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")
        inner = unwrap(url)
        link = match(inner) or {}
        answer = {"url": url, **{k: link.get(k, "") for k in ("provider", "kind", "name", "direct")}, "unwrapped": inner}
        answer = {k: octets(v).decode("utf-8", "replace") for k, v in answer.items()}
        sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
