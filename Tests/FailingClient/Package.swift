// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What the tests depend on.
let testing: [Target.Dependency] = [
    "Shop", .product(name: "OnwardTesting", package: "onward"),
    .product(name: "ReSwift", package: "onward"), .product(name: "ReSwiftThunk", package: "onward"),
    .product(name: "ReSwiftThunkTesting", package: "onward"),
]

/// A client of the test kits, some of whose tests fail on purpose.
let package = Package(
    name: "shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        // `Server` only to share the build folder with the examples.
        .package(
            name: "onward", path: "../..",
            traits: ["All"])
    ],
    targets: [
        .target(name: "Shop", dependencies: [.product(name: "Onward", package: "onward")]),
        .testTarget(name: "ShopTests", dependencies: testing),
        .testTarget(name: "ShopXCTests", dependencies: testing),
    ],
    swiftLanguageModes: [.v6]
)
