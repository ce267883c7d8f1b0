# Lists the outcome of each reference in the archive argv[1], by the rules of ARCHIVE.md alone:
# a JSON list [message, reference, state, due] a line.
import glob, json, sys

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

references, captures, exceptions, forgotten = [], set(), {}, set()
for line in lines:
    body = line[line["kind"]]
    ask = (body.get("key"), body.get("expect", ""))
    if line["kind"] == "reference":
        references.append((body, ask))
    elif line["kind"] == "capture":
        captures.add(ask)
        forgotten.discard(ask[0])
    elif line["kind"] == "exception" and "key" in body:
        exceptions[ask] = body
    elif line["kind"] == "forget":
        forgotten.update(body.get("keys", []))

for body, ask in references:
    state, due = "open", ""
    if ask in captures and ask[0] not in forgotten:
        state = "captured"
    elif ask in exceptions or ask[0] in forgotten:
        state = "exception"
        if ask[0] not in forgotten:
            due = exceptions[ask].get("due", "")
    print(json.dumps([body["message"], body["ref"], state, due]))
