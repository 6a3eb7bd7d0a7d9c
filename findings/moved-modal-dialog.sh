#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A modal dialog that a script moves with `append` stays open, and is modal no more: what lies behind it can be clicked, the
# focus is lost, no `close` event comes, and `showModal` refuses since the dialog is open. `moveBefore` keeps it
# modal, but WebKit has none. Seen with Debian's Chromium 156, Firefox ESR 153 and WebKitGTK 2.50, which agree on `append`.
# A script that patches a page has to close and show a dialog that it moves.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-driver firefox-esr webkit2gtk-driver xvfb >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
dpkg-query -W chromium firefox-esr webkit2gtk-driver
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check selenium==4.51.0 websockets==17.4
cat >"$folder/expected" <<'END'
Chromium: appended open and not modal, focus lost, close events 0, showModal throws InvalidStateError; moved open and modal
Firefox: appended open and not modal, focus lost, close events 0, showModal throws InvalidStateError; moved open and modal
WebKit: appended open and not modal, focus lost, close events 0, showModal throws InvalidStateError; no moveBefore
END
xvfb-run -a "$folder/venv/bin/python" "$here/browsers.py" "$folder" >"$folder/seen" <<'END'
document.body.innerHTML = "<div id=from><dialog><input></dialog></div><div id=to></div>";
const dialog = document.querySelector("dialog"), to = document.getElementById("to");
const says = () => `${dialog.open ? "open" : "closed"} and ${dialog.matches(":modal") ? "modal" : "not modal"}`;
let closed = 0;
dialog.addEventListener("close", () => { closed += 1; });
dialog.showModal();
dialog.firstChild.focus();
to.append(dialog);
let answer = `appended ${says()}, focus ${document.activeElement === dialog.firstChild ? "kept" : "lost"}, close events ${closed}`;
try {
    dialog.showModal();
    answer += ", showModal works";
} catch (error) {
    answer += `, showModal throws ${error.name}`;
}
dialog.close();
if (!to.moveBefore) { return answer + "; no moveBefore"; }
dialog.showModal();
document.getElementById("from").moveBefore(dialog, null);
return answer + "; moved " + says();
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
