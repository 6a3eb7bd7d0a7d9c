// swift-tools-version: 5.9
// SPDX-License-Identifier: MIT

import PackageDescription

// An app as it is written against ReSwift, its router and its thunks, in Swift 5 mode; only the
// dependency differs.
let package = Package(
    name: "compatibility-memory-game",
    platforms: [.macOS("15.0"), .iOS("18.0")],
    dependencies: [.package(name: "onward", path: "../../..")],
    targets: [
        .target(
            name: "MemoryGame",
            dependencies: [
                .product(name: "ReSwift", package: "onward"),
                .product(name: "ReSwiftThunk", package: "onward"),
                .product(name: "ReSwiftRouter", package: "onward"),
            ]),
        .testTarget(
            name: "MemoryGameTests",
            dependencies: ["MemoryGame", .product(name: "Onward", package: "onward")]),
    ]
)
