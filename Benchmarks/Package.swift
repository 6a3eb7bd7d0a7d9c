// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "onward-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "onward-bench", targets: ["onward-bench"]),
        .executable(name: "onward-count", targets: ["onward-count"]),
    ],
    dependencies: [
        .package(name: "onward", path: "..", traits: ["Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "Workloads", dependencies: [.product(name: "Onward", package: "onward")]),
        .executableTarget(
            name: "onward-bench",
            dependencies: [
                "Workloads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "onward-count", dependencies: ["Workloads"]),
    ],
    swiftLanguageModes: [.v6]
)
