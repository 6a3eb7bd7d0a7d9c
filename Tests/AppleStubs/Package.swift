// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What every target of ours is compiled with.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    .defaultIsolation(MainActor.self),
]

let package = Package(
    name: "AppleStubs",
    products: ["SwiftUI", "UIKit", "AppKit"].map { .library(name: $0, targets: [$0]) },
    targets: [
        .target(name: "SwiftUI", swiftSettings: house),
        .target(name: "UIKit", swiftSettings: house),
        .target(name: "AppKit", swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
