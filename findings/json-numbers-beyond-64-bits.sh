#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# One JSON document, three integers: beyond 64 bits orjson and SQLite answer a rounded float without a word, where Python's
# own parser and ujson keep each digit; SQLite rounds from 2^63 on, orjson from 2^64. orjson then refuses to write the
# integer that it would have read. Seen with orjson 3.13.0, ujson 6.1.0, apsw 3.54.1.0 (SQLite 3.54.1).
# Integers that have to survive travel as strings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check apsw==3.54.1.0 orjson==3.13.0 ujson==6.1.0
cat >"$folder/expected" <<'END'
orjson 3.13.0, ujson 6.1.0, SQLite 3.54.1
9223372036854775807: json 9223372036854775807, ujson 9223372036854775807, orjson 9223372036854775807, SQLite 9223372036854775807
9223372036854775808: json 9223372036854775808, ujson 9223372036854775808, orjson 9223372036854775808, SQLite 9.223372036854776e+18
18446744073709551616: json 18446744073709551616, ujson 18446744073709551616, orjson 1.8446744073709552e+19, SQLite 1.8446744073709552e+19
orjson refuses to write 18446744073709551616: Integer exceeds 64-bit range
END
"$folder/venv/bin/python" >"$folder/seen" <<'END'
import json
import apsw, orjson, ujson

print(f"orjson {orjson.__version__}, ujson {ujson.__version__}, SQLite {apsw.sqlite_lib_version()}")
database = apsw.Connection(":memory:")
for number in (2**63 - 1, 2**63, 2**64):
    text = f"[{number}]"
    in_sqlite = database.execute("select json_extract(?, '$[0]')", (text,)).fetchall()[0][0]
    print(f"{number}: json {json.loads(text)[0]}, ujson {ujson.loads(text)[0]}, orjson {orjson.loads(text)[0]}, SQLite {in_sqlite}")
try:
    orjson.dumps(2**64)
    print("orjson writes 2**64")
except TypeError as error:
    print(f"orjson refuses to write {2**64}: {error}")
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
