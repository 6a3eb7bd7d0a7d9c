// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The apps under Examples with a fault in each, which scripts/test-reports puts into copies of their sources.
///
/// `Sources` has only the program here; the script copies the rest beside it, and writes the tests.
let package = Package(
    name: "faulty-apps",
    platforms: [.macOS(.v15)],
    dependencies: [
        // All traits only to share the build folder with the examples.
        .package(
            name: "onward", path: "../..",
            traits: ["All"])
    ],
    targets: [
        .target(
            name: "RockPaperScissorsCore",
            dependencies: [.product(name: "Onward", package: "onward")]),
        .target(
            name: "MemoryTunesCore",
            dependencies: [
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
            ]),
        .target(name: "ToDoTasks"),
        .target(
            name: "ToDoSync",
            dependencies: [
                "ToDoTasks", .product(name: "Onward", package: "onward"),
                .product(name: "OnwardQueries", package: "onward"),
            ]),
        .target(
            name: "ToDoCore",
            dependencies: [
                "ToDoTasks", "ToDoSync", .product(name: "Onward", package: "onward"),
                .product(name: "OnwardJournal", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
                .product(name: "OnwardQueries", package: "onward"),
            ]),
        .executableTarget(
            name: "app-session",
            dependencies: [
                "RockPaperScissorsCore", "MemoryTunesCore", "ToDoTasks", "ToDoSync", "ToDoCore",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardJournal", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
                .product(name: "OnwardQueries", package: "onward"),
                .product(name: "OnwardReports", package: "onward"),
            ]),
        .testTarget(
            name: "FoundTests",
            dependencies: [
                "RockPaperScissorsCore", "MemoryTunesCore", "ToDoTasks", "ToDoSync", "ToDoCore",
                .product(name: "Onward", package: "onward"),
                .product(name: "OnwardNavigation", package: "onward"),
                .product(name: "OnwardQueries", package: "onward"),
                .product(name: "OnwardTesting", package: "onward"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
