// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// A client that extends Onward: with a part, a selection, gates and an observer of its own.
let package = Package(
    name: "doors",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "onward", path: "../..")],
    targets: [
        .testTarget(
            name: "DoorsTests", dependencies: [.product(name: "Onward", package: "onward")])
    ],
    swiftLanguageModes: [.v6]
)
