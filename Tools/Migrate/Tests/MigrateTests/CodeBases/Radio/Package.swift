// swift-tools-version:5.6
// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import PackageDescription

let package = Package(
    name: "Radio",
    dependencies: [
        .package(url: "git@github.com:ReSwift/ReSwift.git", from: "6.0.0"), // difficulty: dependency
        .package(url: "git@github.com:ReSwift/ReSwift-Router.git", from: "0.7.0"), // difficulty: dependency
    ],
    targets: [
        .target(
            name: "Radio",
            dependencies: [
                "ReSwift", // difficulty: dependency
                .product(name: "ReSwift-Router", package: "ReSwift-Router"), // difficulty: dependency
            ])
    ]
)
package.platforms = [.iOS("18.0")]
