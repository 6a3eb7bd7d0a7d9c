#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# SQLite goes on committing to a database whose file was deleted: no call fails, its own integrity check is content,
# and every row is gone with the last connection. Seen with apsw 3.54.1.0 (SQLite 3.54.1), Linux.
# Who keeps something durable in SQLite has to look for the file itself, before and after a transaction.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check apsw==3.54.1.0
cat >"$folder/expected" <<'END'
SQLite 3.54.1
after the file was deleted, 100 durable commits reported success
integrity check: ok, rows: 101
the folder has a database: False
a second connection to the same path finds tables: 0
END
"$folder/venv/bin/python" - "$folder" >"$folder/seen" <<'END'
import apsw, os, sys

path = sys.argv[1] + "/journal.db"
print("SQLite", apsw.sqlite_lib_version())
database = apsw.Connection(path)
for setting in ("journal_mode = wal", "synchronous = full"):
    database.execute("pragma " + setting)
database.execute("create table entries (version integer primary key)")
database.execute("insert into entries values (0)")
os.unlink(path)
for version in range(1, 101):
    database.execute("insert into entries values (?)", (version,))
print("after the file was deleted, 100 durable commits reported success")
check = database.execute("pragma integrity_check").fetchall()[0][0]
count = database.execute("select count(*) from entries").fetchall()[0][0]
print(f"integrity check: {check}, rows: {count}")
print("the folder has a database:", os.path.exists(path))
tables = apsw.Connection(path).execute("select count(*) from sqlite_master").fetchall()[0][0]
print("a second connection to the same path finds tables:", tables)
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
