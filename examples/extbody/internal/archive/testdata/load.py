# Reads load.dat, load.xml, manifest.csv and manifest.json of the export argv[1]. It compares each file with its digest,
# and the values of XML with their types, and prints the documents and relationships as JSON.
import csv, datetime, hashlib, json, os, sys
import xml.etree.ElementTree as tree

out = sys.argv[1]
rows = list(csv.DictReader(open(out + "/manifest.csv", newline="", encoding="utf-8")))
for row in rows:
    octets = open(out + "/" + row["path"], "rb").read()
    assert len(octets) == int(row["size"]) and hashlib.sha256(octets).hexdigest() == row["sha256"], row
manifest = json.load(open(out + "/manifest.json", encoding="utf-8"))
assert manifest["files_sha256"] == hashlib.sha256(open(out + "/manifest.csv", "rb").read()).hexdigest()
there = {os.path.relpath(os.path.join(d, f), out).replace(os.sep, "/") for d, _, files in os.walk(out) for f in files}
assert there == {row["path"] for row in rows} | {"manifest.csv", "manifest.json"}, there
assert manifest["files"] == len(rows)

# The delimiters of Concordance. An importer replaces U+00AE by a line end.
dat = csv.DictReader(open(out + "/load.dat", newline="", encoding="utf-8-sig"), delimiter="\x14", quotechar="\u00fe", strict=True)
lines = list(dat)
assert dat.fieldnames == manifest["columns"], dat.fieldnames
for line in lines:
    assert None not in line and None not in line.values(), line
    assert not any(c in value for value in line.values() for c in "\n\r\x14\u00ae\u00fe"), line

documents = []
root = tree.parse(out + "/load.xml").getroot()
for d in root.iter("Document"):
    tags = {}
    for tag in d.iter("Tag"):
        name, value, kind = tag.get("TagName"), tag.get("TagValue"), tag.get("TagDataType")
        if kind == "DateTime":
            datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
        elif kind == "LongInteger":
            int(value)
        else:
            assert kind == "Text", tag
        tags[name] = value
    file = {f.get("FileType"): f.find("ExternalFile") for f in d.iter("File")}
    native = file.get("Native")
    documents.append({
        "id": d.get("DocID"), "type": d.get("MimeType"), "tags": tags,
        "custodians": [c.text for c in d.iter("Custodian")],
        "native": native.get("FileName") if native is not None else "", "hash": native.get("Hash") if native is not None else "",
        "parent": "", "dat": lines[len(documents)],
    })
assert manifest["documents"] == len(documents) == len(lines) == manifest["messages"] + manifest["linked_files"]
states = [line["STATE"] for line in lines if line["PARENTID"]]
for count, state in ("captured", "captured"), ("exceptions", "exception"), ("open", "open"):
    assert manifest[count] == states.count(state), (count, manifest[count], states)
assert manifest["linked_files"] == len(states)
assert manifest["without_native"] == sum(not line["NATIVELINK"] for line in lines)
assert len(rows) == 2 + sum(bool(line[c]) for line in lines for c in ("NATIVELINK", "TEXTPATH"))
by_id = {d["id"]: d for d in documents}
for r in root.iter("Relationship"):
    assert r.get("Type") == manifest["relationship"] == "LinkedFile"
    by_id[r.get("ChildDocID")]["parent"] = r.get("ParentDocID")
print(json.dumps(documents))
