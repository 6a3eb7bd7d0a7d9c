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

/// What the page is made of, compiled into the program, so that it runs from anywhere.
let pageFiles =
    ["layout", "top", "menu", "categories", "stats", "board", "foot", "end", "report", "news"].map {
        "Templates/\($0).mustache"
    }
    + ["back.svg", "cards.svg", "dice.svg", "note.svg", "memorytunes.js", "page.css"]
    .map { "Assets/\($0)" }

let onward = Target.Dependency.product(name: "Onward", package: "onward")
let journal = Target.Dependency.product(name: "OnwardJournal", package: "onward")
let navigation = Target.Dependency.product(name: "OnwardNavigation", package: "onward")
let reports = Target.Dependency.product(name: "OnwardReports", package: "onward")
let server = Target.Dependency.product(name: "OnwardServer", package: "onward")
let inspector = Target.Dependency.product(name: "OnwardInspector", package: "onward")
let testing = Target.Dependency.product(name: "OnwardTesting", package: "onward")
let client = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let web = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let webTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix"].map {
    .product(name: $0, package: "swift-nio")
}
let http: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
    name: "memory-tunes",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MemoryTunesCore", targets: ["MemoryTunesCore"]),
        .executable(name: "memorytunes", targets: ["memorytunes"]),
    ],
    dependencies: [
        .package(
            name: "onward", path: "../..",
            traits: ["All"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Without the default trait that brings a package to read configurations with.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "MemoryTunesCore", dependencies: [onward, navigation], swiftSettings: house),
        .target(
            name: "TunesService", dependencies: ["MemoryTunesCore", client, logging] + nio + http,
            swiftSettings: house),
        .target(
            name: "OfflineCatalogue",
            dependencies: ["MemoryTunesCore", web, logging, lifecycle] + nio + http,
            swiftSettings: house),
        .target(
            name: "MemoryTunesPage",
            dependencies: [
                "MemoryTunesCore", "TunesService", onward, journal, navigation, reports, server,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: pageFiles.map { .embedInCode($0) },
            swiftSettings: house),
        .executableTarget(
            name: "memorytunes",
            dependencies: [
                "MemoryTunesPage", "TunesService", "OfflineCatalogue", onward, inspector, server,
                web, logging, lifecycle, .product(name: "OnwardSQLite", package: "onward"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "MemoryTunesCoreTests",
            dependencies: ["MemoryTunesCore", onward, journal, navigation, testing],
            swiftSettings: house),
        .testTarget(
            name: "TunesServiceTests",
            dependencies: ["MemoryTunesCore", "TunesService", testing, web, webTesting, logging]
                + nio + http,
            swiftSettings: house),
        .testTarget(
            name: "OfflineCatalogueTests",
            dependencies: [
                "MemoryTunesCore", "OfflineCatalogue", "TunesService", web, webTesting, logging,
            ] + nio + http,
            swiftSettings: house),
        .testTarget(
            name: "MemoryTunesPageTests",
            dependencies: [
                "MemoryTunesPage", "MemoryTunesCore", "TunesService", "OfflineCatalogue", onward,
                journal, reports, server,
                testing, web, logging,
                webTesting,
            ] + nio + http,
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
