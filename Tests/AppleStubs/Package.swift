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

/// What a kit of views is compiled with: all of it is on the main actor.
let kit = house + [.defaultIsolation(MainActor.self)]

let package = Package(
    name: "AppleStubs",
    products: ["SwiftUI", "UIKit", "AppKit"].map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "onward", path: "../..")],
    targets: [
        .target(name: "SwiftUI", swiftSettings: kit),
        .target(name: "UIKit", swiftSettings: kit),
        .target(name: "AppKit", swiftSettings: kit),
        .testTarget(
            name: "AppleRecipeTests",
            dependencies: [
                "SwiftUI", "UIKit", "AppKit", .product(name: "Onward", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
            ],
            // Testing knows of AppKit, and would import what it has for it.
            swiftSettings: house + [
                .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])
            ]),
    ],
    swiftLanguageModes: [.v6]
)
