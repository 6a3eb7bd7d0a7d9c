// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// A client of the test kit, some of whose tests fail on purpose.
let package = Package(
    name: "shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        // `Server` only to share the build folder with the examples.
        .package(name: "onward", path: "../..", traits: ["Server", "Testing"])
    ],
    targets: [
        .target(name: "Shop", dependencies: [.product(name: "Onward", package: "onward")]),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "OnwardTesting", package: "onward")]),
        .testTarget(
            name: "ShopXCTests",
            dependencies: ["Shop", .product(name: "OnwardTesting", package: "onward")]),
    ],
    swiftLanguageModes: [.v6]
)
