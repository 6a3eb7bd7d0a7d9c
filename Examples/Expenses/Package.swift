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
    [
        "layout", "steps", "summary", "budget", "entry", "filter", "expense", "more", "report",
        "notice",
    ].map { "Templates/\($0).mustache" }
    + ["icon.svg", "expenses.js", "page.css"].map { "Assets/\($0)" }

let onward = Target.Dependency.product(name: "Onward", package: "onward")
let journal = Target.Dependency.product(name: "OnwardJournal", package: "onward")
let reports = Target.Dependency.product(name: "OnwardReports", package: "onward")
let server = Target.Dependency.product(name: "OnwardServer", package: "onward")
let testing = Target.Dependency.product(name: "OnwardTesting", package: "onward")

let package = Package(
    name: "expenses",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "expenses", targets: ["expenses"])],
    dependencies: [
        .package(
            name: "onward", path: "../..",
            traits: ["All"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Without the default trait that brings a package to read configurations with.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        .target(
            name: "ExpensesCore", dependencies: [onward, journal, reports], swiftSettings: house),
        .target(
            name: "ExpensesPage",
            dependencies: [
                "ExpensesCore", onward, journal, reports, server,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: pageFiles.map { .embedInCode($0) },
            swiftSettings: house),
        .executableTarget(
            name: "expenses",
            dependencies: [
                "ExpensesCore", "ExpensesPage", onward, journal, reports, server,
                .product(name: "OnwardInspector", package: "onward"),
                .product(name: "OnwardSQLite", package: "onward"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "ExpensesCoreTests",
            dependencies: ["ExpensesCore", onward, journal, reports, testing],
            swiftSettings: house),
        .testTarget(
            name: "ExpensesPageTests",
            dependencies: [
                "ExpensesCore", "ExpensesPage", onward, journal, reports, server,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
