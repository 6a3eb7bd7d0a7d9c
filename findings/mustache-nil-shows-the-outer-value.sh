#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# swift-mustache looks a name whose value is nil up further out, as if it did not exist: an item without a title prints the
# title of the page, and a section for it counts as true. A nil in a dictionary, however, counts as true and prints "nil".
# The Mustache specification looks up only names that are absent. Seen with swift-mustache 2.1.1, Swift 6.3.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/probe"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "probe", platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1")],
    targets: [.executableTarget(name: "probe", dependencies: [.product(name: "Mustache", package: "swift-mustache")])])
END
cat >"$folder/expected" <<'END'
swift-mustache 2.1.1
titles of items nil and "Own": [Page][Own]
whether they have one: [yes][yes]
nil in a dictionary: nil, yes
END
cat >"$folder/Sources/probe/main.swift" <<'END'
import Mustache

struct Item { var title: String? }
struct Page { var title = "Page", items = [Item(title: nil), Item(title: "Own")] }

func rendered(_ template: String, _ object: Any) throws -> String { try MustacheTemplate(string: template).render(object) }

print("swift-mustache 2.1.1")
print("titles of items nil and \"Own\":", try rendered("{{#items}}[{{title}}]{{/items}}", Page()))
print("whether they have one:", try rendered("{{#items}}[{{#title}}yes{{/title}}{{^title}}no{{/title}}]{{/items}}", Page()))
let values: [String: Any?] = ["a": nil]
print("nil in a dictionary:", try rendered("{{a}}, {{#a}}yes{{/a}}{{^a}}no{{/a}}", values as [String: Any]))
END
swift build --package-path "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$folder/.build/debug/probe" >"$folder/seen"
cat "$folder/seen"
diff "$folder/expected" "$folder/seen"
