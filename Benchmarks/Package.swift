// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What servers, and those who ask them, are made of.
let servers: [Target.Dependency] = [
    "Processes",
    .product(name: "Onward", package: "onward"),
    .product(name: "OnwardServer", package: "onward"),
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "Mustache", package: "swift-mustache"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

let package = Package(
    name: "onward-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "onward-bench", targets: ["onward-bench"]),
        .executable(name: "onward-count", targets: ["onward-count"]),
        .executable(name: "onward-queries", targets: ["onward-queries"]),
        .executable(name: "onward-streams", targets: ["onward-streams"]),
        .executable(name: "onward-sync", targets: ["onward-sync"]),
    ],
    dependencies: [
        .package(name: "onward", path: "..", traits: ["Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without the default trait that brings a package to read configurations with.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "Workloads",
            dependencies: [
                .product(name: "Onward", package: "onward"),
                .product(name: "ReSwift", package: "onward"),
                .product(name: "ReduxSwift", package: "onward"),
            ]),
        .executableTarget(
            name: "onward-bench",
            dependencies: [
                "Workloads",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardJournal", package: "onward"),
                .product(name: "OnwardSQLite", package: "onward"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "onward-count", dependencies: ["Workloads"]),
        .executableTarget(
            name: "onward-queries",
            dependencies: [
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardQueries", package: "onward"),
            ]),
        // Servers in processes of their own, their orders, and what the system says of them.
        // In targets of their own, so that only their products compile the web framework.
        .target(
            name: "Processes",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "onward-streams",
            dependencies: servers + [
                .product(name: "ArgumentParser", package: "swift-argument-parser")
            ]),
        .executableTarget(
            name: "onward-sync",
            dependencies: servers + [
                .product(name: "OnwardJournal", package: "onward"),
                .product(name: "OnwardSQLite", package: "onward"),
                .product(name: "OnwardSync", package: "onward"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
