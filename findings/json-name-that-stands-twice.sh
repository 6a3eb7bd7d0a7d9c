#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# An object in which a name stands twice (RFC 8259 only says that names should be unique): SQLite's JSON functions answer
# the first value, Python's parsers the last; SQLite's `json` passes both on, so what a query saw is not what a program
# reads from the same row. Seen with apsw 3.54.1.0 (SQLite 3.54.1), orjson 3.13.0, ujson 6.1.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check apsw==3.54.1.0 orjson==3.13.0 ujson==6.1.0
cat >"$folder/expected" <<'END'
SQLite 3.54.1, orjson 3.13.0, ujson 6.1.0
json_extract: 1
json: {"a":1,"a":2}
a query for rows whose a is 1 answers a row of which orjson says 2, ujson 2, json 2
END
"$folder/venv/bin/python" >"$folder/seen" <<'END'
import json
import apsw, orjson, ujson

print(f"SQLite {apsw.sqlite_lib_version()}, orjson {orjson.__version__}, ujson {ujson.__version__}")
database = apsw.Connection(":memory:")
database.execute("create table documents (text)")
database.execute("insert into documents values (?)", ('{"a": 1, "a": 2}',))
first, minified = database.execute("select json_extract(text, '$.a'), json(text) from documents").fetchall()[0]
print("json_extract:", first)
print("json:", minified)
found = database.execute("select text from documents where text ->> 'a' = 1").fetchall()[0][0]
values = {parser.__name__: parser.loads(found)["a"] for parser in (orjson, ujson, json)}
print("a query for rows whose a is 1 answers a row of which", ", ".join(f"{n} {'says ' if n == 'orjson' else ''}{v}" for n, v in values.items()))
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
