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

/// What the page is made of, compiled into the program, so that it runs from anywhere.
let pageFiles =
    [
        "layout", "top", "search", "unsent", "stage", "task", "more", "report", "detail", "date",
        "alert", "news", "shared", "shared-top", "shared-task",
    ].map { "Templates/\($0).mustache" }
    + ["icon.svg", "check.svg", "delete.svg", "undo.svg", "update.svg", "todo.js", "page.css"].map {
        "Assets/\($0)"
    }

let onward = Target.Dependency.product(name: "Onward", package: "onward")
let journal = Target.Dependency.product(name: "OnwardJournal", package: "onward")
let navigation = Target.Dependency.product(name: "OnwardNavigation", package: "onward")
let queries = Target.Dependency.product(name: "OnwardQueries", package: "onward")
let reports = Target.Dependency.product(name: "OnwardReports", package: "onward")
let sqlite = Target.Dependency.product(name: "OnwardSQLite", package: "onward")
let sync = Target.Dependency.product(name: "OnwardSync", package: "onward")
let server = Target.Dependency.product(name: "OnwardServer", package: "onward")
let inspection = Target.Dependency.product(name: "OnwardInspection", package: "onward")
let inspector = Target.Dependency.product(name: "OnwardInspector", package: "onward")
let testing = Target.Dependency.product(name: "OnwardTesting", package: "onward")
let client = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let web = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let webTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let types = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nio: [Target.Dependency] = ["NIOCore", "NIOHTTP1", "NIOPosix"].map {
    .product(name: $0, package: "swift-nio")
}
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "to-do",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ToDoCore", targets: ["ToDoCore"]),
        .executable(name: "todo", targets: ["todo"]),
        .executable(name: "todo-service", targets: ["todo-service"]),
        .executable(name: "todo-terminal", targets: ["todo-terminal"]),
    ],
    dependencies: [
        .package(
            name: "onward", path: "../..",
            traits: ["All"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without the default trait that brings a package to read configurations with.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        .target(name: "ToDoTasks", dependencies: [onward], swiftSettings: house),
        .target(
            name: "ToDoShared", dependencies: ["ToDoTasks", onward, sync], swiftSettings: house),
        .target(
            name: "ToDoSync", dependencies: ["ToDoTasks", onward, queries], swiftSettings: house),
        .target(
            name: "ToDoCore",
            dependencies: ["ToDoTasks", "ToDoSync", onward, journal, navigation, queries],
            swiftSettings: house),
        .target(
            name: "ToDoClient", dependencies: ["ToDoTasks", "ToDoSync", client] + nio,
            swiftSettings: house),
        .target(name: "ToDoFiles", swiftSettings: house),
        .target(
            name: "ToDoService",
            dependencies: [
                "ToDoTasks", web, types, logging, .product(name: "GRDB", package: "GRDB.swift"),
            ] + nio,
            resources: [.embedInCode("openapi.json")],
            swiftSettings: house),
        .target(
            name: "ToDoPage",
            dependencies: [
                "ToDoTasks", "ToDoSync", "ToDoShared", "ToDoCore", "ToDoFiles", onward, journal,
                navigation, reports, server, sync,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: pageFiles.map { .embedInCode($0) },
            swiftSettings: house),
        .executableTarget(
            name: "todo",
            dependencies: [
                "ToDoClient", "ToDoFiles", "ToDoPage", "ToDoShared", "ToDoTasks", onward, inspector,
                journal, server, sync, sqlite, logging, arguments,
            ],
            swiftSettings: house),
        .executableTarget(
            name: "todo-service",
            dependencies: ["ToDoTasks", "ToDoFiles", "ToDoService", web, logging, arguments],
            swiftSettings: house),
        .executableTarget(
            name: "todo-terminal",
            dependencies: [
                "ToDoFiles", "ToDoShared", "ToDoTasks", onward, inspection, journal, sqlite, sync,
                arguments,
            ],
            swiftSettings: house),
        .testTarget(
            name: "ToDoTasksTests", dependencies: ["ToDoTasks"], swiftSettings: house),
        .testTarget(
            name: "ToDoSyncTests", dependencies: ["ToDoTasks", "ToDoSync", onward, queries],
            swiftSettings: house),
        .testTarget(
            name: "ToDoSharedTests",
            dependencies: [
                "ToDoTasks", "ToDoShared", "ToDoPage", "todo-terminal", onward, journal, server,
                sqlite, sync, web, webTesting, types, logging,
            ] + nio,
            swiftSettings: house),
        .testTarget(
            name: "ToDoCoreTests",
            dependencies: [
                "ToDoTasks", "ToDoSync", "ToDoCore", onward, journal, navigation, queries, testing,
            ],
            swiftSettings: house),
        .testTarget(
            name: "ToDoServiceTests",
            dependencies: [
                "ToDoTasks", "ToDoSync", "ToDoService", "ToDoClient", "todo-service", web,
                webTesting, types,
                logging,
            ] + nio,
            swiftSettings: house),
        .testTarget(
            name: "ToDoClientTests",
            dependencies: [
                "ToDoTasks", "ToDoSync", "ToDoClient", "ToDoService", web, webTesting, types,
                logging,
            ] + nio,
            swiftSettings: house),
        .testTarget(
            name: "ToDoPageTests",
            dependencies: [
                "ToDoTasks", "ToDoSync", "ToDoCore", "ToDoPage", onward, journal, navigation,
                reports,
                server, web,
                webTesting, types, logging,
            ] + nio,
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
