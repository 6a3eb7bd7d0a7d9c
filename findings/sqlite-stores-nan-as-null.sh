#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# SQLite has no NaN: a NaN that is bound becomes NULL without a word, so a column that takes every number refuses it as
# "NOT NULL", while both infinities come back. Inside its JSON functions an infinity is written as 9.0e+999, which one
# well-known parser reads as infinity and another refuses. Seen with apsw 3.54.1.0 (SQLite 3.54.1) and orjson 3.13.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check apsw==3.54.1.0 orjson==3.13.0
cat >"$folder/expected" <<'END'
SQLite 3.54.1, orjson 3.13.0
nan comes back as None, of type null
inf comes back as inf, of type real
a NOT NULL column refuses nan: ConstraintError
json_object writes infinity as {"a":9.0e+999}
json reads it as {'a': inf}
orjson refuses it: JSONDecodeError
END
"$folder/venv/bin/python" >"$folder/seen" <<'END'
import json, math
import apsw, orjson

print(f"SQLite {apsw.sqlite_lib_version()}, orjson {orjson.__version__}")
database = apsw.Connection(":memory:")
database.execute("create table numbers (optional real, needed real not null default 0)")
for number in (math.nan, math.inf):
    database.execute("delete from numbers")
    database.execute("insert into numbers (optional) values (?)", (number,))
    value, kind = database.execute("select optional, typeof(optional) from numbers").fetchall()[0]
    print(f"{number} comes back as {value}, of type {kind}")
try:
    database.execute("insert into numbers (needed) values (?)", (math.nan,))
    print("a NOT NULL column takes nan")
except apsw.ConstraintError as error:
    print("a NOT NULL column refuses nan:", type(error).__name__)
text = database.execute("select json_object('a', 1e999)").fetchall()[0][0]
print("json_object writes infinity as", text)
print("json reads it as", json.loads(text))
try:
    print("orjson reads it as", orjson.loads(text))
except orjson.JSONDecodeError as error:
    print("orjson refuses it:", type(error).__name__)
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
