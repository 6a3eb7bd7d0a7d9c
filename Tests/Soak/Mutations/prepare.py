# SPDX-License-Identifier: MIT
"""Puts faults into a copy of the package, one of which is switched on when the program runs.

    prepare.py schedule COPY ROOT      gives sources of an older commit the points of the scheduler
    prepare.py mutate COPY ROOT        puts in the mutations of mutations.txt
    prepare.py check ROOT              says whether each mutation fits its place
    prepare.py run PROGRAM ONLY …      switches each on in turn, and says which are found; ONLY: "6,7", or "" for all

All mutations are compiled in at once, behind a number that is read from the environment, so one build
does for all.
"""

import pathlib
import re
import subprocess
import sys
import os

FOLDER = pathlib.Path(__file__).parent

SWITCH = '''// SPDX-License-Identifier: MIT

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The mutation that is switched on; 0 for none.
package let soakMutation: Int = getenv("SOAK_MUTATION").map { Int(String(cString: $0)) ?? 0 } ?? 0
'''


def source(package, file):
    """A file of the library, in whichever layer and folder it lies."""
    found = sorted(package.glob(f"Sources/Onward*/**/{file}"))
    return found[0] if found else package / "Sources/OnwardCore" / file


def mutations():
    """Number, title, file, text and replacement of each mutation."""
    found = []
    blocks = re.split(r"^## ", (FOLDER / "mutations.txt").read_text(), flags=re.M)[1:]
    for block in blocks:
        head, rest = block.split("\n", 1)
        number, title = head.split(" ", 1)
        file, old, new = re.match(
            r"file: (\S+)\n-----\n(.*?)\n=====\n(.*?)\n-----", rest, re.S).groups()
        found.append((int(number), title, file, old, new))
    return found


def add_target(package):
    """The target of the program, for sources that know none."""
    manifest = package / "Package.swift"
    text = manifest.read_text()
    if '"Soak"' not in text:
        target = ('        .executableTarget(\n            name: "Soak", dependencies: ["Onward", '
                  '"OnwardJournal"], path: "Tests/Soak",\n            exclude: ["README.md", "Mutations"], '
                  'swiftSettings: house),\n')
        at = text.index("        .testTarget(")
        text = text[:at] + target + text[at:]
    # The copy has no other tests.
    text = re.sub(r"        \.testTarget\(.*?swiftSettings: house\),\n", "", text, flags=re.S)
    manifest.write_text(text)


def schedule(package, root):
    """Points of the scheduler in a lock that has none."""
    add_target(package)
    lock = source(package, "Lock.swift")
    text = lock.read_text()
    if "SchedulePoint" in text:
        return
    text = text.replace(
        "    func acquire(as thread: UInt) {\n",
        "    func acquire(as thread: UInt) {\n        SchedulePoint.acquire.reach()\n"
        "        while !tryAcquire(as: thread) { SchedulePoint.contended.reach() }\n        return;\n"
        "    }\n    func acquireUnscheduled(as thread: UInt) {\n")
    text = text.replace(
        "        owner.store(0, ordering: .releasing)\n",
        "        owner.store(0, ordering: .releasing)\n        SchedulePoint.released.reach()\n")
    lock.write_text(text)
    lock.with_name("SchedulePoint.swift").write_text(
        source(root, "SchedulePoint.swift").read_text())


def mutate(package):
    """Every mutation, behind its number."""
    add_target(package)
    source(package, "Lock.swift").with_name("SoakMutation.swift").write_text(SWITCH)
    for number, title, file, old, new in mutations():
        path = source(package, file)
        text = path.read_text()
        if text.count(old) != 1:
            print(f"mutation {number} ({title}) fits {text.count(old)} times in {file}")
            continue
        path.write_text(text.replace(old, new.replace("MUTATION", f"soakMutation == {number}")))


def check(root):
    """Whether each mutation fits the sources in exactly one place."""
    misfits = []
    for number, title, file, old, _ in mutations():
        path = source(root, file)
        count = path.read_text().count(old) if path.exists() else 0
        if count != 1:
            misfits.append(f"mutation {number} ({title}) fits {count} times in {file}")
    print("\n".join(misfits) or "every mutation fits its place")
    return not misfits


SEEDS = 2_000
CHUNK = 250


def failures(program, prefix, number, first, count, about):
    """The seeds that fail with a mutation, each with its first fault."""
    result = subprocess.run(
        [*prefix, program, "run", "--all", "--list", "--seconds", "600", "--seed", str(first),
         "--count", str(count), *about],
        env=dict(os.environ, SOAK_MUTATION=str(number)), capture_output=True, text=True)
    found = re.findall(r"^seed (\d+): (.*)$", result.stdout, re.M)
    return {int(seed): fault for seed, fault in found}


def find(program, prefix, number, before, about):
    """A seed that fails with a mutation and is good without, and its first fault."""
    for first in range(1, SEEDS, CHUNK):
        found = failures(program, prefix, number, first, CHUNK, about)
        for seed, fault in sorted(found.items()):
            if seed not in before:
                return seed, fault
    return None


def find_tree(program, prefix, number):
    """The seed of a tree of effects that differs from the model with a mutation, and how."""
    result = subprocess.run(
        [*prefix, program, "effects", "--seed", "1", "--count", str(SEEDS)],
        env=dict(os.environ, SOAK_MUTATION=str(number)), capture_output=True, text=True)
    found = re.search(r"^✘ effects of seed (\d+): (.*)$", result.stdout, re.M)
    return (int(found[1]), found[2]) if found else None


def run(program, only, prefix):
    """Whether all but one mutation are found, of chosen ones all: a seed fails that is good without."""
    chosen = [int(number) for number in only.split(",") if number]
    missed = [mutation for mutation in mutations() if not chosen or mutation[0] in chosen]
    if not missed:
        print("there is no such mutation")
        return False
    if find_tree(program, prefix, 0):
        print("trees of effects differ from their model without a mutation")
        return False
    missed = [mutation for mutation in missed
              if not report(mutation, find_tree(program, prefix, mutation[0]))]
    for about in ([], ["--about", "spellings"], ["--about", "instances"], ["--about", "listeners"],
                  ["--about", "checks"]):
        if not missed:
            break
        before = failures(program, prefix, 0, 1, SEEDS, about)
        print(f"{' '.join(about) or 'histories'}: without a mutation {len(before)} of {SEEDS} fail", flush=True)
        missed = [mutation for mutation in missed
                  if not report(mutation, find(program, prefix, mutation[0], before, about))]
    print("missed:", [number for number, *_ in missed] or "none")
    return len(missed) <= (0 if chosen else 1)


def report(mutation, found):
    """Says what was found; whether anything was."""
    number, title, *_ = mutation
    text = f"seed {found[0]}: {found[1][:100]}" if found else "not found"
    print(f"{number:3} {title:58} {text}", flush=True)
    return found is not None


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "schedule":
        schedule(pathlib.Path(rest[0]), pathlib.Path(rest[1]))
    elif command == "mutate":
        mutate(pathlib.Path(rest[0]))
    elif command == "check":
        sys.exit(0 if check(pathlib.Path(rest[0])) else 1)
    elif command == "run":
        sys.exit(0 if run(rest[0], rest[1], rest[2:]) else 1)
