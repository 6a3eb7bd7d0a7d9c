#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A value that contains NaN differs from itself for swift-custom-dump, in a difference whose two lines are alike, while 0.0 and
# -0.0 have none although their bytes differ. So a test store that compares by it accuses a state with NaN that did not
# change, and takes two encoded forms that differ for one. Seen with swift-custom-dump 1.7.3, Swift 6.3.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/probe"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "probe", platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/pointfreeco/swift-custom-dump", exact: "1.7.3")],
    targets: [.executableTarget(name: "probe", dependencies: [.product(name: "CustomDump", package: "swift-custom-dump")])])
END
cat >"$folder/expected" <<'END'
swift-custom-dump 1.7.3
- Reading(mean: nan)
+ Reading(mean: nan)
0.0 and -0.0: no difference
END
cat >"$folder/Sources/probe/main.swift" <<'END'
import CustomDump

struct Reading: Equatable { var mean = Double.nan }

print("swift-custom-dump 1.7.3")
let reading = Reading()
print(diff(reading, reading) ?? "no difference")
print("0.0 and -0.0:", diff(0.0, -0.0) ?? "no difference")
END
swift build --package-path "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$folder/.build/debug/probe" >"$folder/seen"
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
