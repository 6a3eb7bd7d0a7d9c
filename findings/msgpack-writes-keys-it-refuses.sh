#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# msgpack packs a dictionary whose keys are integers, and its own unpack, with defaults on both sides, refuses the bytes
# (`strict_map_key`). A log of rows by number can be written and not be read. cbor2 reads back what it wrote.
# Seen with msgpack 1.2.4 and cbor2 6.3.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check msgpack==1.2.4 cbor2==6.3.0
cat >"$folder/expected" <<'END'
msgpack 1.2.4, cbor2 6.3.0
msgpack packs {7: 'row'} to 8107a3726f77
msgpack refuses them: int is not allowed for map key when strict_map_key=True
msgpack, asked not to be strict: {7: 'row'}
cbor2: {7: 'row'}
END
"$folder/venv/bin/python" >"$folder/seen" <<'END'
from importlib.metadata import version
import cbor2, msgpack

print(f"msgpack {version('msgpack')}, cbor2 {version('cbor2')}")
rows = {7: "row"}
packed = msgpack.packb(rows)
print(f"msgpack packs {rows} to {packed.hex()}")
try:
    print("msgpack reads", msgpack.unpackb(packed))
except ValueError as error:
    print("msgpack refuses them:", error)
print("msgpack, asked not to be strict:", msgpack.unpackb(packed, strict_map_key=False))
print("cbor2:", cbor2.loads(cbor2.dumps(rows)))
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
