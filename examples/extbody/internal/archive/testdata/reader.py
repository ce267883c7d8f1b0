# Lists the outcome of each reference in the archive argv[1], by the rules of ARCHIVE.md alone:
# a JSON list [message, reference, state, due, delay] a line. The delay is "" if the message has no time of
# arrival in its line.
import datetime, glob, json, sys

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
