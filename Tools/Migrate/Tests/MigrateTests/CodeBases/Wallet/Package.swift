// swift-tools-version:5.5
// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import PackageDescription

let package = Package( // difficulty: platforms
    name: "Wallet",
    products: [.library(name: "ReSwiftWallet", targets: ["ReSwiftWallet"])],
    dependencies: [
        .package(url: "https://github.com/ReSwift/ReSwift", from: "6.0.0"), // difficulty: dependency
    ],
    targets: [
        .target(name: "ReSwiftWallet", dependencies: ["ReSwiftWalletCore", "ReSwiftLedger"], path: "Sources/Wallet"),
        .target(
            name: "ReSwiftWalletCore",
            dependencies: ["ReSwift"], // difficulty: dependency
            path: "Sources/Core"),
        .target(name: "ReSwiftLedger", dependencies: [.product(name: "ReSwift", package: "ReSwift")], path: "Sources/ReSwift-Ledger"), // difficulty: dependency
        .testTarget(name: "WalletTests", dependencies: ["ReSwiftWallet"]),
    ]
)
