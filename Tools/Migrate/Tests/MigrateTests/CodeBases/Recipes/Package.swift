// swift-tools-version: 5.9
// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import PackageDescription

let package = Package(
    name: "Recipes",
    platforms: [.macOS(.v15), .iOS(.v16)], // difficulty: platforms
    dependencies: [
        .package(url: "https://github.com/lsunsi/ReduxSwift", from: "1.1.0") // difficulty: dependency
    ],
    targets: [
        .executableTarget(
            name: "Recipes", dependencies: [.product(name: "ReduxSwift", package: "ReduxSwift")]) // difficulty: dependency
    ]
)
