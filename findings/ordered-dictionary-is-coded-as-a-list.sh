#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Two dictionaries of one package: TreeDictionary<String, Int> is coded as a JSON object, as a Dictionary is, and
# OrderedDictionary<String, Int> as a list of keys and values in turn, which refuses the object that the others wrote. So
# changing the type of a property changes the format of what is stored, without a word from the compiler. (JSON objects
# have no order, which is why.) Seen with swift-collections 1.6.0, Swift 6.3.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/probe"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "probe", platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")],
    targets: [.executableTarget(name: "probe", dependencies: [
            .product(name: "HashTreeCollections", package: "swift-collections"),
            .product(name: "OrderedCollections", package: "swift-collections"),
        ])])
END
cat >"$folder/expected" <<'END'
swift-collections 1.6.0
Dictionary: {"b":1}
TreeDictionary: {"b":1}
OrderedDictionary: ["b",1]
what a Dictionary stored: TreeDictionary reads it, OrderedDictionary refuses it
END
cat >"$folder/Sources/probe/main.swift" <<'END'
import Foundation
import HashTreeCollections
import OrderedCollections

func json(_ value: some Encodable) throws -> String { try String(decoding: JSONEncoder().encode(value), as: UTF8.self) }

print("swift-collections 1.6.0")
print("Dictionary:", try json(["b": 1]))
print("TreeDictionary:", try json(["b": 1] as TreeDictionary))
print("OrderedDictionary:", try json(["b": 1] as OrderedDictionary))
let stored = try JSONEncoder().encode(["b": 1])
let tree = try? JSONDecoder().decode(TreeDictionary<String, Int>.self, from: stored)
let ordered = try? JSONDecoder().decode(OrderedDictionary<String, Int>.self, from: stored)
print("what a Dictionary stored: TreeDictionary \(tree == nil ? "refuses" : "reads") it, OrderedDictionary \(ordered == nil ? "refuses" : "reads") it")
END
swift build --package-path "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$folder/.build/debug/probe" >"$folder/seen"
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
