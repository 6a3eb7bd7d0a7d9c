#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Yams writes a Double with fifteen significant digits: neighbouring values become one, and an integer beyond 10^15 that a
# Double holds exactly comes back as another. Foundation's JSONEncoder writes each so that it comes back.
# Seen with Yams 6.2.2, Swift 6.3.1, Linux.
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
0.1: Yams the same, JSON the same
0.30000000000000004: Yams 0.3, JSON the same
0.3333333333333333: Yams 0.333333333333333, JSON the same
9007199254740991.0: Yams 9007199254740990.0, JSON the same
1e+300: Yams the same, JSON the same
END
cat >"$folder/Sources/probe/main.swift" <<'END'
import Foundation
import Yams

struct Amount: Codable { var value: Double }

print("Yams 6.2.2")
for value in [0.1, 0.1 + 0.2, 1.0 / 3, 9_007_199_254_740_991, 1e300] {
    let amount = Amount(value: value)
    let text = try YAMLEncoder().encode(amount).trimmingCharacters(in: .newlines)
    let read = try YAMLDecoder().decode(Amount.self, from: text).value
    let json = try JSONDecoder().decode(Amount.self, from: JSONEncoder().encode(amount)).value
    print("\(value): Yams \(read == value ? "the same" : "\(read)"), JSON \(json == value ? "the same" : "\(json)")")
}
END
swift build --package-path "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$folder/.build/debug/probe" >"$folder/seen"
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
