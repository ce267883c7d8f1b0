package archive

// readme is README.txt of an archive.
const readme = `This folder is an archive of the bodies that messages refer to, version 1.

ledger/     a JSON object a line, for everything that was done; each line has the
            SHA-256 of the line before it, and the first one 64 zeros
objects/    messages and bodies, octet for octet; the name of each is its SHA-256
exchanges/  requests and answers, WARC 1.1 (ISO 28500)
stamps/     time stamps (RFC 3161) of lines of the ledger, if an authority was asked
head        number and SHA-256 of the last line, written by the last run
index       can be deleted: it is made anew from the ledger

Common tools verify it. In this folder, with a shell, python3, sha256sum, jq, zcat and
openssl:

  # 1. Each line has the digest of the line before it. Prints the head.
  python3 -c '
  import glob, hashlib
  n, prev = 0, "0" * 64
  for name in sorted(glob.glob("ledger/*.jsonl")):
      for line in open(name, "rb"):
          n += 1
          if not line.startswith(b"{\"seq\":%d,\"prev\":\"%s\"," % (n, prev.encode())):
              raise SystemExit("line %d does not follow" % n)
          prev = hashlib.sha256(line).hexdigest()
  print(n, prev)'
  cat head

  # 2. Each object has the digest that is its name.
  find objects/ -type f | while read -r f; do echo "${f##*/}  $f"; done | sha256sum -c --quiet && echo objects agree

  # 3. Each object in the ledger is here, except for those that were forgotten.
  t=$(mktemp -d)
  cat ledger/*.jsonl | jq -rn 'reduce inputs as $l ({};
    if $l.kind=="capture" and ($l.capture.not_modified|not) then .[$l.capture.sha256]=1
    elif $l.kind=="message" and $l.message.stored then .[$l.message.sha256]=1
    elif $l.kind=="forget" then delpaths([$l.forget.objects[].sha256|[.]])
    else . end) | keys[]' | sort > "$t/ledger"
  find objects/ -type f | sed 's|.*/||' | sort > "$t/here"
  diff "$t/ledger" "$t/here" && echo nothing is lost, nothing is here without a line
  rm -r "$t"

  # 4. The exchanges of each outcome have their digests, or were forgotten.
  cat ledger/*.jsonl | jq -r '((.capture // .exception // empty).exchanges // empty | "\(.file) \(.offset) \(.length) \(.sha256) here"),
    (.forget.exchanges[]? | "\(.file) \(.offset // 0) \(.size) \(.now) forgotten")' | python3 -c '
  import hashlib, sys
  spans = {}
  for f, o, n, digest, state in map(str.split, sys.stdin):
      spans.setdefault((f, int(o), int(n)), {})[digest] = state
  for (f, o, n), digests in sorted(spans.items()):
      with open("exchanges/" + f, "rb") as x:
          x.seek(o)
          state = digests.get(hashlib.sha256(x.read(n)).hexdigest(), "changed")
      if state != "here":
          print("exchanges/%s:%d was %s" % (f, o, state))'
  zcat exchanges/*.warc.gz | grep -ac '^WARC-Type: '

  # 5. The numbers of references, and of keys with a capture and with an exception.
  cat ledger/*.jsonl | jq -r 'select(.kind=="reference").reference.key' | wc -l
  cat ledger/*.jsonl | jq -r 'select(.kind=="capture").capture.key' | sort -u | wc -l
  cat ledger/*.jsonl | jq -r '.exception.key // empty' | sort -u | wc -l

  # 6. The time stamp of a line, if there is one; CA is the certificate of the authority.
  find stamps -name '*.tsr' | while read -r f; do d=${f##*-}; openssl ts -verify -digest "${d%.tsr}" -in "$f" -CAfile CA; done

  # 7. The origin of one body, such as the first: which message referred to it, the URL,
  #    the time, the server, and the exchange.
  body=$(cat ledger/*.jsonl | jq -rn '[inputs | .capture.sha256 // empty][0] // empty')
  cat ledger/*.jsonl | jq -c --arg b "$body" 'select(.capture.sha256 == $b).capture | {message, ref, message_id, url, started, address, status, sha256}'
  cat ledger/*.jsonl | jq -r --arg b "$body" 'select(.capture.sha256 == $b).capture.exchanges // empty | "\(.file) \(.offset) \(.length)"' |
  while read -r f o l; do tail -c +$((o+1)) "exchanges/$f" | head -c "$l" | zcat; done
`
