// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What every target of ours is compiled with.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// The tool parses the apps that it looks at, so it needs a parser of Swift and nothing of Onward: a package
// beside the library, whose clients never download that parser.
let package = Package(
    name: "onward-migrate",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "onward-migrate", targets: ["Migrate"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "Migrate",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MigrateTests", dependencies: ["Migrate"], exclude: ["CodeBases"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
