// swift-tools-version:5.3
// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import PackageDescription

let package = Package(
    name: "Player",
    platforms: [.iOS(.v13), .macOS(.v10_15)], // difficulty: platforms
    dependencies: [
        .package(name: "ReSwift", url: "https://github.com/ReSwift/ReSwift.git", .upToNextMajor(from: "6.0.0")), // difficulty: dependency
        .package(url: "https://github.com/ReSwift/ReSwift-Thunk.git", from: "2.0.0"), // difficulty: dependency
        .package(url: "https://github.com/apple/swift-log.git", from: "1.0.0"),
    ],
    targets: [
        .target(
            name: "Player",
            dependencies: [
                "ReSwift", // difficulty: dependency
                .product(name: "ReSwiftThunk", package: "ReSwift-Thunk"), // difficulty: dependency
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "PlayerTests", dependencies: ["Player"]),
    ]
)
