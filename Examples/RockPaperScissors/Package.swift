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

/// A dependency of those servers that share a game.
func cluster(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Cluster"]))
}

/// What the page is made of, compiled into the program, so that it runs from anywhere.
let pageFiles =
    ["layout", "round", "message", "board", "weapons", "next", "report"].map {
        "Templates/\($0).mustache"
    }
    + ["rock", "paper", "scissors", "chosen", "confetti"].map { "Assets/\($0).svg" }
    + ["Assets/page.css"]

let package = Package(
    name: "rock-paper-scissors",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "RockPaperScissorsCore", targets: ["RockPaperScissorsCore"]),
        .executable(name: "rps", targets: ["rps"]),
    ],
    traits: [
        .trait(
            name: "Cluster",
            description: "Lets several servers serve one game, kept in PostgreSQL; needs libpq."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(name: "onward", path: "../..", traits: ["All"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Without the default trait that brings a package to read configurations with.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
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
                .product(name: "OnwardReports", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: pageFiles.map { .embedInCode($0) },
            swiftSettings: house),
        .executableTarget(
            name: "rps",
            dependencies: [
                "RPSPage", "RockPaperScissorsCore",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardInspection", package: "onward"),
                .product(name: "OnwardInspector", package: "onward"),
                .product(name: "OnwardJournal", package: "onward"),
                .product(name: "OnwardSQLite", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                cluster("OnwardCluster", "onward"), cluster("OnwardPostgres", "onward"),
                cluster("NIOCore", "swift-nio"), cluster("NIOPosix", "swift-nio"),
                cluster("UnixSignals", "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "RockPaperScissorsCoreTests",
            dependencies: [
                "RockPaperScissorsCore",
                .product(name: "Onward", package: "onward"),
                // Of the tests that `onward report make-test` writes.
                .product(name: "OnwardReports", package: "onward"),
                .product(name: "OnwardTesting", package: "onward"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "RPSPageTests",
            dependencies: [
                "RPSPage", "RockPaperScissorsCore",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardReports", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
