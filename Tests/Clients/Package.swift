// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The libraries that a client without traits may import.
let libraries = [
    "Onward", "OnwardJournal", "OnwardNavigation", "OnwardPostgres", "OnwardTesting",
    "OnwardServer", "ReSwift", "ReSwiftThunk", "ReSwiftThunkTesting", "ReSwiftRouter", "ReduxSwift",
]

/// A program that prints the names in its journal, compiled with options that names must not depend on, or that take them
/// away.
func names(_ target: String, _ options: String...) -> Target {
    .executableTarget(
        name: target,
        dependencies: ["Onward", "OnwardJournal"].map { .product(name: $0, package: "onward") },
        swiftSettings: options.isEmpty ? [] : [.unsafeFlags(options)])
}

/// Clients that switch no trait on: one of `Onward` alone, one of the store alone, one of every library, and one that
/// extends the library with a part, a selection, gates and an observer of its own.
let package = Package(
    name: "clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "onward", path: "../..")],
    targets: [
        .executableTarget(
            name: "Client", dependencies: [.product(name: "Onward", package: "onward")]),
        .executableTarget(
            name: "SmallClient", dependencies: [.product(name: "OnwardCore", package: "onward")]),
        names("Names"),
        names("NamesOptimised", "-O"),
        names("NamesSmall", "-Osize"),
        names("NamesWithoutMetadata", "-Xfrontend", "-disable-reflection-metadata"),
        .target(
            name: "EveryLibrary",
            dependencies: libraries.map { .product(name: $0, package: "onward") }),
        .testTarget(
            name: "ExtensionTests", dependencies: [.product(name: "Onward", package: "onward")]),
    ],
    swiftLanguageModes: [.v6]
)
