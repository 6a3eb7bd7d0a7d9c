#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A valid CBOR map may have the keys 1, 1.0 and true: three data items that differ (RFC 8949, section 5.6.1). cbor2 reads it
# into a dictionary of Python, where they are one key: two entries are lost without a word, and writing it back makes
# a map of one. Seen with cbor2 6.3.0.
# Who counts entries or hashes bytes after a round trip through another language should use keys of one kind.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check cbor2==6.3.0
cat >"$folder/expected" <<'END'
cbor2 6.3.0
a map of three entries: a3016161f5616ff93c006166
read: {1: 'f'}
written again: a1016166
END
"$folder/venv/bin/python" >"$folder/seen" <<'END'
from importlib.metadata import version
import cbor2

print("cbor2", version("cbor2"))
three = bytes.fromhex("a3" "01" "6161" "f5" "616f" "f93c00" "6166")  # {1: "a", true: "o", 1.0: "f"}
print("a map of three entries:", three.hex())
read = cbor2.loads(three)
print("read:", read)
print("written again:", cbor2.dumps(read).hex())
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
