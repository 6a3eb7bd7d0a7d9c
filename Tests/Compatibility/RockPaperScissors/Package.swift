// swift-tools-version: 5.9
// SPDX-License-Identifier: MIT

import PackageDescription

// An app as it is written against ReSwift, in Swift 5 mode; only the dependency differs.
let package = Package(
    name: "compatibility-rock-paper-scissors",
    platforms: [.macOS("15.0"), .iOS("18.0")],
    dependencies: [.package(name: "onward", path: "../../..")],
    targets: [
        .target(
            name: "RockPaperScissors",
            dependencies: [
                .product(name: "ReSwift", package: "onward")
            ]),
        .testTarget(name: "RockPaperScissorsTests", dependencies: ["RockPaperScissors"]),
    ]
)
