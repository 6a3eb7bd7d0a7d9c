#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# With "secure_delete" SQLite overwrites what is deleted with zeros, in the pages of the database. In WAL mode the earlier
# version of such a page stays in the file beside it: after the deletion is committed, after a passive and even after a
# full checkpoint, which brings everything into the database and reports success. Only a truncating checkpoint, or the end
# of the last connection, removes it. Seen with apsw 3.54.1.0 (SQLite 3.54.1), Linux.
# Who has to forget a text needs both: the setting, and a truncating checkpoint after the deletion.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check apsw==3.54.1.0
cat >"$folder/expected" <<'END'
SQLite 3.54.1, secure_delete 1
the text is in the database: False, in its WAL: True (inserted)
the text is in the database: False, in its WAL: True (deleted, and committed)
the text is in the database: False, in its WAL: True (passive checkpoint: busy 0, pages open 0)
the text is in the database: False, in its WAL: True (full checkpoint: busy 0, pages open 0)
the text is in the database: False, in its WAL: False (truncate checkpoint: busy 0, pages open 0)
END
"$folder/venv/bin/python" - "$folder" >"$folder/seen" <<'END'
import apsw, pathlib, sys

path = pathlib.Path(sys.argv[1], "notes.db")
text = b"only for those who may read it"
database = apsw.Connection(str(path))
database.execute("pragma journal_mode = wal")
secure = database.execute("pragma secure_delete = on").fetchall()[0][0]
print(f"SQLite {apsw.sqlite_lib_version()}, secure_delete {secure}")


def look(moment):
    log = pathlib.Path(f"{path}-wal")
    print(f"the text is in the database: {text in path.read_bytes()}, in its WAL: {text in log.read_bytes()} ({moment})")


database.execute("create table notes (id integer primary key, text)")
database.execute("insert into notes values (1, ?)", (text.decode(),))
look("inserted")
database.execute("delete from notes")
look("deleted, and committed")
for kind in ("passive", "full", "truncate"):
    busy, pages, done = database.execute(f"pragma wal_checkpoint({kind})").fetchall()[0]
    look(f"{kind} checkpoint: busy {busy}, pages open {pages - done}")
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
