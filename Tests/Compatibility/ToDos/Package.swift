// swift-tools-version: 5.9
// SPDX-License-Identifier: MIT

import PackageDescription

// An app as it is written against ReduxSwift, in Swift 5 mode; only the dependency differs.
let package = Package(
    name: "compatibility-to-dos",
    platforms: [.macOS("15.0"), .iOS("18.0")],
    dependencies: [.package(name: "onward", path: "../../..")],
    targets: [
        .target(
            name: "ToDos",
            dependencies: [
                .product(name: "ReduxSwift", package: "onward")
            ]),
        .testTarget(name: "ToDosTests", dependencies: ["ToDos"]),
    ]
)
