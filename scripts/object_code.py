# SPDX-License-Identifier: MIT
"""What the checks of optimised code share: functions as the compiler left them."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")

# The build of scripts/test-optimised.
BUILD = [
    "swift", "build", "-c", "release", "-Xswiftc", "-enable-testing", "-Xswiftc", "-DONWARD_CHECKS",
    "--package-path", ROOT, "--scratch-path", ROOT / ".build-release",
]


def disassemble(objects):
    """The text of objects' machine code, with the names of what it calls."""
    command = ["objdump", "-dr", "--no-show-raw-insn", *map(str, objects)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def functions(text):
    """The functions of a text of machine code: the name and the lines of each."""
    name, lines = None, []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            if name is not None:
                yield name, lines
            name, lines = match.group(1), []
        elif name is not None:
            lines.append(line)
    if name is not None:
        yield name, lines


def layers():
    """The modules that `import Onward` brings."""
    exports = (ROOT / "Sources" / "Onward" / "Exports.swift").read_text(encoding="utf-8")
    return re.findall(r"^@_exported public import (\w+)$", exports, re.MULTILINE)


def library():
    """The machine code of `Onward` in an optimised build."""
    subprocess.run([*BUILD, "--target", "Onward"], check=True, stdout=sys.stderr)
    folder = subprocess.run([*BUILD, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True)
    products = pathlib.Path(folder.stdout.strip())
    return disassemble([file for layer in layers() for file in sorted(products.glob(f"{layer}.build/*.o"))])


def piece(name, *flags):
    """The machine code of a file in Tests/Checks, optimised."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "piece.o"
        command = ["swiftc", "-O", "-swift-version", "6", "-parse-as-library", "-c"]
        source = ROOT / "Tests" / "Checks" / name
        subprocess.run([*command, source, "-o", target, *flags], check=True)
        return disassemble([target])


def run(usage, self_test, check):
    """Runs a check as its arguments say."""
    if sys.argv[1:] not in ([], ["--self-test"]):
        sys.exit(usage)
    if sys.platform != "linux":
        sys.exit("The check reads ELF object files, and so needs Linux.")
    subprocess.run([ROOT / "scripts" / "require", "objdump"], check=True, stdout=sys.stderr)
    self_test() if sys.argv[1:] else check()
