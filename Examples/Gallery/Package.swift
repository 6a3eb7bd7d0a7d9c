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
    name: "gallery",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "gallery", targets: ["gallery"])],
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
            name: "gallery",
            dependencies: [
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
                .product(name: "OnwardServer", package: "onward"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: ["harbour", "market", "lighthouse", "harvest", "train", "icon"].map {
                .embedInCode("Assets/\($0).svg")
            } + [.embedInCode("Assets/page.css")],
            swiftSettings: house),
        .testTarget(
            name: "galleryTests",
            dependencies: [
                "gallery", .product(name: "Onward", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
