// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// An app with a fault, which scripts/test-reports records.
let package = Package(
    name: "faulty-shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        // All traits only to share the build folder with the examples.
        .package(
            name: "onward", path: "../..",
            traits: ["All"])
    ],
    targets: [
        .target(name: "Shop", dependencies: [.product(name: "Onward", package: "onward")]),
        .executableTarget(
            name: "shop-session",
            dependencies: [
                "Shop", .product(name: "Onward", package: "onward"),
                .product(name: "OnwardReports", package: "onward"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
