package archive

// readme is README.txt of an archive.
const readme = `This folder is an archive of what messages refer to, version 1.

ledger/     what was done, a JSON object a line; each line has the SHA-256 of the
            line before it, and the first one 64 zeros
objects/    messages and bodies, octet for octet; the name of each is its SHA-256
exchanges/  what was said to servers and by them, WARC 1.1 (ISO 28500)
stamps/     time stamps (RFC 3161) of lines of the ledger, if an authority was asked
head        number and SHA-256 of the last line, as the last run left it
index       can be deleted: it is made anew from the ledger; so can index.run, that of
            a run which is under way or was killed

Nothing but what everybody has is needed to verify it. In this folder, with a shell,
sha256sum, jq, zcat and openssl:

  # 1. Each line has the digest of the line before it. Prints the head.
  prev=$(printf '%064d' 0); n=0
  while IFS= read -r line; do
    n=$((n+1))
    case $line in "{\"seq\":$n,\"prev\":\"$prev\","*) ;; *) echo "line $n does not follow"; break;; esac
    prev=$(printf '%s\n' "$line" | sha256sum | cut -d' ' -f1)
  done <<EOF
  $(cat ledger/*.jsonl)
  EOF
  echo "$n $prev"; cat head

  # 2. Each object has the digest that is its name.
  find objects/ -type f | while read -r f; do echo "${f##*/}  $f"; done | sha256sum -c --quiet && echo objects agree

  # 3. Each object of which a line tells is here, but for what was forgotten.
  t=$(mktemp -d)
  cat ledger/*.jsonl | jq -rn 'reduce inputs as $l ({};
    if $l.kind=="capture" and ($l.capture.not_modified|not) then .[$l.capture.sha256]=1
    elif $l.kind=="message" and $l.message.stored then .[$l.message.sha256]=1
    elif $l.kind=="forget" then delpaths([$l.forget.objects[].sha256|[.]])
    else . end) | keys[]' | sort > "$t/told"
  find objects/ -type f | sed 's|.*/||' | sort > "$t/here"
  diff "$t/told" "$t/here" && echo nothing is lost, nothing is there of which no line tells

  # 4. The exchanges of each outcome are what they were.
  cat ledger/*.jsonl | jq -r '(.capture // .exception // empty).exchanges // empty | "\(.file) \(.offset) \(.length) \(.sha256)"' |
  while read -r f o l s; do
    tail -c +$((o+1)) "exchanges/$f" | head -c "$l" | sha256sum | grep -q "^$s" || echo "exchanges/$f:$o was changed or forgotten"
  done
  zcat exchanges/*.warc.gz | grep -ac '^WARC-Type: '

  # 5. How many references there are, and of how many keys something is told.
  cat ledger/*.jsonl | jq -r 'select(.kind=="reference").reference.key' | wc -l
  cat ledger/*.jsonl | jq -r 'select(.kind=="capture").capture.key' | sort -u | wc -l
  cat ledger/*.jsonl | jq -r '.exception.key // empty' | sort -u | wc -l

  # 6. The time stamp of a line, if there is one; CA is the certificate of the authority.
  find stamps -name '*.tsr' | while read -r f; do d=${f##*-}; openssl ts -verify -digest "${d%.tsr}" -in "$f" -CAfile CA; done

  # 7. What is known of one body, such as the first: which message referred to it, what
  #    was asked for, when and where, and what was said on the wire.
  body=$(cat ledger/*.jsonl | jq -rn '[inputs | .capture.sha256 // empty][0] // empty')
  cat ledger/*.jsonl | jq -c --arg b "$body" 'select(.capture.sha256 == $b).capture | {message, ref, message_id, url, started, address, status, sha256}'
  cat ledger/*.jsonl | jq -r --arg b "$body" 'select(.capture.sha256 == $b).capture.exchanges // empty | "\(.file) \(.offset) \(.length)"' |
  while read -r f o l; do tail -c +$((o+1)) "exchanges/$f" | head -c "$l" | zcat; done
`
