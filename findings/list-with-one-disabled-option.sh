#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A list whose only option is disabled: Chromium and Firefox select nothing, so its value is empty and a form does not
# send it; WebKit selects the disabled option and shows its text, though a form doesn't send it either.
# A script that brings a page up to date has to compare what is selected, not what the document says.
# Seen with Debian's Chromium 156, Firefox ESR 153 and WebKitGTK 2.50.
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
Chromium: value "", index -1, sent nothing
Firefox: value "", index -1, sent nothing
WebKit: value "none left", index 0, sent nothing
END
xvfb-run -a "$folder/venv/bin/python" "$here/browsers.py" "$folder" >"$folder/seen" <<'END'
document.body.innerHTML = "<form><select name=size><option disabled>none left</option></select></form>";
const list = document.querySelector("select"), sent = new FormData(document.querySelector("form"));
return `value "${list.value}", index ${list.selectedIndex}, sent ${sent.has("size") ? `"${sent.get("size")}"` : "nothing"}`;
END
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
