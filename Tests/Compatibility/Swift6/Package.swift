// swift-tools-version: 6.0
// SPDX-License-Identifier: MIT

import PackageDescription

// Code that compiles against ReSwift in Swift 6 mode.
let package = Package(
    name: "compatibility-swift-6",
    platforms: [.macOS("15.0"), .iOS("18.0")],
    dependencies: [.package(name: "onward", path: "../../..")],
    targets: [
        .target(
            name: "Swift6",
            dependencies: [
                .product(name: "ReSwift", package: "onward")
            ]),
        .testTarget(name: "Swift6Tests", dependencies: ["Swift6"]),
    ]
)
