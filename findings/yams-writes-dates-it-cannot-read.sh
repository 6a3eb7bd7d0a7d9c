#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Yams writes a date before 2001 that has a fraction of a second with a minus sign in the middle of the next second, and its
# own decoder then refuses the text. Later dates come back, rounded to a nanosecond. (Date counts from 2001.)
# Seen with Yams 6.2.2, Swift 6.3.1, Linux. A codec for a log has to read each value that it wrote before it says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/probe"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "probe", platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/jpsim/Yams", exact: "6.2.2")],
    targets: [.executableTarget(name: "probe", dependencies: [.product(name: "Yams", package: "Yams")])])
END
cat >"$folder/expected" <<'END'
Yams 6.2.2
0.0: time: 1970-01-01T00:00:00Z: read as 0.0
0.5: time: 1970-01-01T00:00:01.-5Z: refused
946684800.0: time: 2000-01-01T00:00:00Z: read as 946684800.0
946684800.25: time: 2000-01-01T00:00:01.-75Z: refused
978307199.5: time: 2001-01-01T00:00:00.-5Z: refused
978307200.5: time: 2001-01-01T00:00:00.5Z: read as 978307200.5
1700000000.1234567: time: 2023-11-14T22:13:20.123456717Z: read as 1700000000.1234567
END
cat >"$folder/Sources/probe/main.swift" <<'END'
import Foundation
import Yams

struct Entry: Codable { var time: Date }

print("Yams 6.2.2")
for seconds in [0, 0.5, 946_684_800, 946_684_800.25, 978_307_199.5, 978_307_200.5, 1_700_000_000.1234567] {
    let entry = Entry(time: Date(timeIntervalSince1970: seconds))
    let text = try YAMLEncoder().encode(entry).trimmingCharacters(in: .newlines)
    let read = try? YAMLDecoder().decode(Entry.self, from: text)
    print("\(seconds): \(text): \(read.map { "read as \($0.time.timeIntervalSince1970)" } ?? "refused")")
}
END
swift build --package-path "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$folder/.build/debug/probe" >"$folder/seen"
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
