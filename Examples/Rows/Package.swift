// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What every target of ours is compiled with.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "rows",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "rows", targets: ["rows"])],
    dependencies: [
        .package(
            name: "onward", path: "../..",
            traits: ["All"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        .executableTarget(
            name: "rows",
            dependencies: [
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardInspector", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "rowsTests",
            dependencies: ["rows", .product(name: "Onward", package: "onward")],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
