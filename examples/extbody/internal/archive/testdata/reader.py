# Lists the outcome of each reference in the archive argv[1], by the rules of ARCHIVE.md alone:
# a JSON list [message, reference, state, due, delay] a line. The delay is "" if the message has no time of
# arrival in its line. The exchanges of each attempt are compared with its line.
import datetime, glob, gzip, hashlib, json, sys

lines, held = [], []
for name in sorted(glob.glob(sys.argv[1] + "/ledger/*.jsonl")):
    for text in open(name, "rb"):
        if not text.endswith(b"\n"):
            break
        line = json.loads(text)
        held.append(line)
        if not line.get("more"):
            lines += held
            held = []

references, captures, exceptions = [], {}, {}
captured, forgotten = {}, {}  # by key: the number of the latest line
arrived, chain = {}, {}  # by message, by key with the body
since, ended = {}, {}  # by ask


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


for line in lines:
    body = line[line["kind"]]
    ask = (body.get("key"), body.get("expect", ""))
    if line["kind"] == "message" and ("received" in body or "internal_date" in body):
        arrived[body["sha256"]] = seconds(body.get("received") or body["internal_date"])
    elif line["kind"] == "reference":
        if "replaces" in body:
            gone = (body["message"], body["ref"], body["key"], body["replaces"])
            references = [r for r in references if (r[0]["message"], r[0]["ref"], r[1][0], r[1][1]) != gone]
        references.append((body, ask))
    elif line["kind"] == "capture":
        ended[ask] = (seconds(body.get("ended", line["time"])), "by" in body)
        before, first = chain.get(ask[0], ("", None))
        if before != body["sha256"] or captured[ask[0]] < forgotten.get(ask[0], 0):
            first = ended[ask]
        chain[ask[0]] = (body["sha256"], first)
        since[ask] = first
        if body.get("compared"):
            ended[ask] = first
        captures[ask] = captured[ask[0]] = line["seq"]
    elif line["kind"] == "exception" and "key" in body:
        exceptions[ask] = body
    elif line["kind"] == "forget":
        for key in body.get("keys", []):
            forgotten[key] = line["seq"]


def warc(octets):
    """The records of WARC in octets, each a header, with names in lower case, and a block."""
    text = gzip.decompress(octets)
    while text:
        head, text = text.split(b"\r\n\r\n", 1)
        version, *fields = head.decode().split("\r\n")
        assert version == "WARC/1.1", version
        header = dict(field.split(": ", 1) for field in fields)
        header = {name.lower(): value for name, value in header.items()}
        size = int(header["content-length"])
        block, text = text[:size], text[size:]
        assert text.startswith(b"\r\n\r\n")
        text = text[4:]
        yield header, block


def exchanged(line, removed):
    """Compares the exchanges of an attempt with its line."""
    body = line[line["kind"]]
    span = body["exchanges"]
    offset = span.get("offset", 0)
    with open(sys.argv[1] + "/exchanges/" + span["file"], "rb") as file:
        file.seek(offset)
        octets = file.read(span["length"])
    sum = hashlib.sha256(octets).hexdigest()
    now = removed.get((span["file"], offset))
    assert sum == (now or span["sha256"]), span
    if now:
        return
    records = list(warc(octets))
    for header, block in records:
        digest = "sha256:" + hashlib.sha256(block).hexdigest()
        assert header["warc-block-digest"] == digest, header
    header, block = records[-1]
    assert header["content-type"] == "application/vnd.extbody.entry+json", header
    entry = json.loads(block)
    told = entry[entry["kind"]]
    assert told["key"] == body["key"], span
    if entry["kind"] == line["kind"]:  # else the run was killed
        for name in told:  # an entry of a server lacks members of the line
            assert name == "words" or told[name] == body[name], (name, span)
    for header, _ in records:
        if header["warc-type"] == "revisit":
            assert header["warc-payload-digest"] == "sha256:" + told["sha256"], header


removed = {}
for line in lines:
    for span in line[line["kind"]].get("exchanges", []) if line["kind"] == "forget" else []:
        removed[span["file"], span.get("offset", 0)] = span["now"]
for line in lines:
    if line["kind"] in ("capture", "exception") and "exchanges" in line[line["kind"]]:
        exchanged(line, removed)


def late(capture, arrival):
    delay = capture[0] - arrival
    return 0 if capture[1] and -60 <= delay < 0 else delay


for body, ask in references:
    state, due = "open", ""
    gone = forgotten.get(ask[0], 0)
    if captures.get(ask, 0) > gone:
        state = "captured"
    elif ask in exceptions or gone > captured.get(ask[0], 0):
        state = "exception"
        if gone <= captured.get(ask[0], 0):
            due = exceptions[ask].get("due", "")
    delay = ""
    if state == "captured" and body["message"] in arrived:
        delay = late(since[ask], arrived[body["message"]])
        if delay < 0:
            delay = late(ended[ask], arrived[body["message"]])
        delay = str(delay)
    print(json.dumps([body["message"], body["ref"], state, due, delay]))
