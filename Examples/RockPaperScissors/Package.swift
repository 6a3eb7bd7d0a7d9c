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
    name: "rock-paper-scissors",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "RockPaperScissorsCore", targets: ["RockPaperScissorsCore"]),
        .executable(name: "rps", targets: ["rps"]),
    ],
    dependencies: [
        .package(name: "onward", path: "../..", traits: ["Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        .target(
            name: "RockPaperScissorsCore",
            dependencies: [.product(name: "Onward", package: "onward")],
            swiftSettings: house),
        .target(
            name: "RPSPage",
            dependencies: [
                "RockPaperScissorsCore",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "rps",
            dependencies: [
                "RPSPage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "RockPaperScissorsCoreTests",
            dependencies: ["RockPaperScissorsCore", .product(name: "Onward", package: "onward")],
            swiftSettings: house),
        .testTarget(
            name: "RPSPageTests",
            dependencies: [
                "RPSPage", "RockPaperScissorsCore",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
