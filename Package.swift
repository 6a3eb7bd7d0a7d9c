// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The traits, of which a client names one: each includes those before it.
///
/// A ladder, as SwiftPM 6.2 and 6.3 pass the names of a dependency's traits to the compiler in an order that differs from
/// process to process, so that a second build with two of them would compile everything again.
let rungs = ["Testing", "SQLite", "Server", "All"]

/// The traits that include one.
func rungs(from trait: String) -> Set<String> {
    Set(rungs.drop { $0 != trait })
}

/// What every target of ours is compiled with.
///
/// The names that the sources ask for are defined here, always in this order, whichever trait brings them.
let house: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ] + rungs.map { .define($0, .when(traits: rungs(from: $0))) }

/// A dependency that is downloaded and built only for clients that name the trait `Server` or a later one.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: rungs(from: "Server")))
}

/// A dependency that is downloaded and built only for clients that name the trait `SQLite` or a later one.
func sqlite(_ product: String) -> Target.Dependency {
    .product(name: product, package: "GRDB.swift", condition: .when(traits: rungs(from: "SQLite")))
}

/// A dependency that is downloaded and built only for clients that name the trait `All`.
func tool(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: rungs(from: "All")))
}

/// A dependency that is downloaded and built only for clients that name a trait.
func testKit(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: rungs(from: "Testing")))
}

/// What `import Onward` brings.
let layers: [Target.Dependency] = [
    "EntityTables", "OnwardActions", "OnwardCore", "OnwardEffects", "OnwardSelectors",
    "OnwardObservation", "OnwardDiagnostics",
]

/// What the inspector's page is made of, compiled into the program.
let inspectorPage =
    [
        "layout", "stores", "transport", "filter", "entry", "pages", "head", "lines", "action",
        "state",
        "diff", "trace", "chart", "table", "search", "test", "activity", "effects", "page",
        "cell",
        "dispatch", "file", "gone",
        "missing", "question", "waiting",
    ].map { "Templates/\($0).mustache" }
    + ["inspector.css", "inspector.js", "inspector.svg"].map { "Assets/\($0)" }

let package = Package(
    name: "onward",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Onward", targets: ["Onward"]),
        // The layers of Onward, for programs that want to be small, or want tables only.
        .library(name: "EntityTables", targets: ["EntityTables"]),
        .library(name: "OnwardCore", targets: ["OnwardCore"]),
        .library(name: "OnwardEffects", targets: ["OnwardEffects"]),
        .library(name: "OnwardSelectors", targets: ["OnwardSelectors"]),
        .library(name: "OnwardObservation", targets: ["OnwardObservation"]),
        .library(name: "OnwardDiagnostics", targets: ["OnwardDiagnostics"]),
        .library(name: "OnwardNavigation", targets: ["OnwardNavigation"]),
        .library(name: "OnwardQueries", targets: ["OnwardQueries"]),
        .library(name: "OnwardJournal", targets: ["OnwardJournal"]),
        .library(name: "OnwardSync", targets: ["OnwardSync"]),
        .library(name: "OnwardReports", targets: ["OnwardReports"]),
        .library(name: "OnwardSQLite", targets: ["OnwardSQLite"]),
        .library(name: "OnwardPostgres", targets: ["OnwardPostgres"]),
        .library(name: "OnwardCluster", targets: ["OnwardCluster"]),
        .library(name: "OnwardLog", targets: ["OnwardLog"]),
        .executable(name: "onward", targets: ["OnwardCommand"]),
        .library(name: "OnwardTesting", targets: ["OnwardTesting"]),
        .library(name: "OnwardServer", targets: ["OnwardServer"]),
        .library(name: "OnwardInspection", targets: ["OnwardInspection"]),
        .library(name: "OnwardInspector", targets: ["OnwardInspector"]),
        .library(name: "ReSwift", targets: ["ReSwift"]),
        .library(name: "ReSwiftThunk", targets: ["ReSwiftThunk"]),
        .library(name: "ReSwiftThunkTesting", targets: ["ReSwiftThunkTesting"]),
        .library(name: "ReSwiftRouter", targets: ["ReSwiftRouter"]),
        .library(name: "ReduxSwift", targets: ["ReduxSwift"]),
    ],
    traits: [
        .trait(
            name: "Testing",
            description: "Builds the TestStore of OnwardTesting; lets all test kits fail tests."),
        .trait(
            name: "SQLite",
            description: "As Testing, and builds OnwardSQLite: a journal in one SQLite file."),
        .trait(
            name: "Server",
            description: """
                As SQLite, and builds OnwardServer, a store behind a web page, and OnwardInspector, time travel \
                through a store in a browser.
                """),
        .trait(
            name: "All",
            description: """
                As Server, and builds OnwardLog and the command onward, which look into journals, and \
                OnwardPostgres, journals in PostgreSQL databases; needs libpq.
                """),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // One trait, for the reason above; the other default one brings a package that reads configurations.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
        .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    ],
    targets: [
        .target(
            name: "EntityTables",
            dependencies: [
                .product(name: "HashTreeCollections", package: "swift-collections")
            ],
            swiftSettings: house),
        .target(name: "OnwardActions", swiftSettings: house),
        .target(
            name: "OnwardCore",
            dependencies: [
                "EntityTables", "OnwardActions",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardEffects",
            dependencies: [
                "EntityTables", "OnwardCore",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardNavigation", dependencies: ["EntityTables", "OnwardCore"],
            swiftSettings: house),
        .target(
            name: "OnwardObservation", dependencies: ["EntityTables", "OnwardCore"],
            swiftSettings: house),
        .target(
            name: "OnwardSelectors",
            dependencies: ["EntityTables", "OnwardCore"], swiftSettings: house),
        .target(
            name: "OnwardDiagnostics", dependencies: ["EntityTables", "OnwardCore"],
            swiftSettings: house),
        .target(name: "Onward", dependencies: layers, swiftSettings: house),
        .target(
            name: "OnwardQueries", dependencies: ["Onward", "OnwardJournal"], swiftSettings: house),
        .target(
            name: "OnwardJournal",
            dependencies: [
                "Onward", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardSync",
            dependencies: [
                "Onward", "OnwardJournal",
                .product(name: "DequeModule", package: "swift-collections"),
                .target(name: "OnwardServer", condition: .when(traits: rungs(from: "Server"))),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardReports", dependencies: ["Onward", "OnwardJournal", "OnwardNavigation"],
            swiftSettings: house),
        .target(
            name: "OnwardSQLite",
            dependencies: ["Onward", "OnwardJournal", sqlite("GRDB"), sqlite("GRDBSQLite")],
            swiftSettings: house),
        .target(
            name: "OnwardCluster",
            dependencies: [
                "Onward", "OnwardJournal",
                .product(name: "DequeModule", package: "swift-collections"),
                .target(name: "OnwardServer", condition: .when(traits: rungs(from: "Server"))),
                server("Hummingbird", "hummingbird"),
                server("HTTPTypes", "swift-http-types"),
                server("Logging", "swift-log"),
                server("Metrics", "swift-metrics"),
                server("NIOCore", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOPosix", "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardPostgres",
            dependencies: [
                "Onward", "OnwardCluster", "OnwardJournal",
                .target(name: "CLibpq", condition: .when(traits: rungs(from: "All"))),
            ],
            swiftSettings: house),
        .systemLibrary(
            name: "CLibpq", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "OnwardLog",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardReports", "OnwardSQLite",
                tool("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardInspectorTool",
            dependencies: [
                "Onward", "OnwardInspection", "OnwardInspector", "OnwardJournal", "OnwardLog",
                "OnwardNavigation", "OnwardServer",
                tool("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "OnwardCommand", dependencies: ["OnwardInspectorTool", "OnwardLog"],
            swiftSettings: house),
        .target(
            name: "OnwardTesting",
            dependencies: [
                "Onward", "OnwardJournal",
                testKit("CustomDump", "swift-custom-dump"),
                testKit("IssueReporting", "xctest-dynamic-overlay"),
                testKit("IssueReportingTestSupport", "xctest-dynamic-overlay"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardServer",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardNavigation",
                server("Hummingbird", "hummingbird"),
                server("Mustache", "swift-mustache"),
                server("Logging", "swift-log"),
                server("Metrics", "swift-metrics"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
                server("UnixSignals", "swift-service-lifecycle"),
                server("HTTPTypes", "swift-http-types"),
                server("NIOCore", "swift-nio"),
                server("NIOEmbedded", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOExtras", "swift-nio-extras"),
                server("NIOHTTPCompression", "swift-nio-extras"),
                server("NIOHTTPTypes", "swift-nio-extras"),
                server("DequeModule", "swift-collections"),
            ],
            exclude: ["README.md"],
            resources: [
                .embedInCode("Page/patch.js"), .embedInCode("Page/forms.js"),
                .embedInCode("Page/navigation.js"), .embedInCode("Page/uploads.js"),
                .embedInCode("Page/onward.js"),
            ],
            swiftSettings: house),
        .target(
            name: "OnwardInspection",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardNavigation", "OnwardQueries", "OnwardReports",
                "OnwardSync",
            ],
            swiftSettings: house),
        .target(
            name: "OnwardInspector",
            dependencies: [
                "Onward", "OnwardInspection", "OnwardJournal", "OnwardNavigation", "OnwardServer",
                server("Logging", "swift-log"), server("Mustache", "swift-mustache"),
            ],
            resources: inspectorPage.map { .embedInCode("Page/\($0)") },
            swiftSettings: house),
        .target(
            name: "OnwardBridge",
            dependencies: ["Onward", .product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: house),
        .target(name: "ReSwift", dependencies: ["Onward", "OnwardBridge"], swiftSettings: house),
        .target(name: "ReSwiftThunk", dependencies: ["ReSwift"], swiftSettings: house),
        .target(
            name: "ReSwiftThunkTesting",
            dependencies: [
                "ReSwift", "ReSwiftThunk",
                testKit("IssueReporting", "xctest-dynamic-overlay"),
                testKit("IssueReportingTestSupport", "xctest-dynamic-overlay"),
            ],
            swiftSettings: house),
        .target(
            name: "ReSwiftRouter", dependencies: ["Onward", "OnwardNavigation", "ReSwift"],
            swiftSettings: house),
        .target(
            name: "ReduxSwift", dependencies: ["Onward", "OnwardBridge"], swiftSettings: house),
        .testTarget(
            name: "EntityTablesTests", dependencies: ["EntityTables", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "OnwardJournalTests",
            dependencies: ["Onward", "OnwardJournal", "OnwardTesting", "TestSupport"],
            exclude: ["Exchange/Files"], swiftSettings: house),
        .target(
            name: "ClusterSimulation", dependencies: ["Onward", "OnwardCluster", "OnwardJournal"],
            path: "Tests/ClusterSimulation", swiftSettings: house),
        .executableTarget(
            name: "SimulateCluster", dependencies: ["ClusterSimulation"],
            path: "Tests/SimulateCluster", exclude: ["README.md", "Faults"], swiftSettings: house),
        .testTarget(
            name: "OnwardClusterTests",
            dependencies: [
                "ClusterSimulation", "Onward", "OnwardCluster", "OnwardJournal", "OnwardTesting",
                "TestSupport",
                .target(name: "OnwardServer", condition: .when(traits: rungs(from: "Server"))),
                server("HTTPTypes", "swift-http-types"),
                server("Hummingbird", "hummingbird"),
                server("HummingbirdTesting", "hummingbird"),
                server("Logging", "swift-log"),
                server("MetricsTestKit", "swift-metrics"),
                server("Mustache", "swift-mustache"),
                server("NIOCore", "swift-nio"),
                server("NIOPosix", "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardReportsTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardNavigation", "OnwardReports", "OnwardTesting",
                "RecordedProgram", "TestSupport",
            ],
            swiftSettings: house),
        .executableTarget(
            name: "RecordedProgram", dependencies: ["Onward", "OnwardJournal", "OnwardReports"],
            path: "Tests/RecordedProgram", swiftSettings: house),
        .testTarget(
            name: "OnwardSQLiteTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardSQLite", "OnwardTesting", "SimulatedDisk",
                sqlite("GRDB"),
            ],
            exclude: ["Mutations"], swiftSettings: house),
        .testTarget(
            name: "OnwardPostgresTests",
            dependencies: [
                "CheckCluster", "ClusterProgram", "ClusterRecords", "MeasureCluster", "Onward",
                "OnwardCluster", "OnwardJournal", "OnwardPostgres", "OnwardTesting",
            ],
            swiftSettings: house),
        .target(
            name: "ClusterRecords", dependencies: ["Onward", "OnwardCluster", "OnwardJournal"],
            path: "Tests/ClusterRecords", swiftSettings: house),
        .executableTarget(
            name: "ClusterProgram",
            dependencies: [
                "ClusterRecords", "Onward", "OnwardCluster", "OnwardJournal", "OnwardPostgres",
            ],
            path: "Tests/ClusterProgram", swiftSettings: house),
        .executableTarget(
            name: "CheckCluster",
            dependencies: ["ClusterRecords", "Onward", "OnwardJournal", "OnwardPostgres"],
            path: "Tests/CheckCluster", swiftSettings: house),
        .executableTarget(
            name: "MeasureCluster",
            dependencies: [
                "ClusterRecords", "Onward", "OnwardCluster", "OnwardJournal", "OnwardPostgres",
            ],
            path: "Tests/MeasureCluster", swiftSettings: house),
        .target(
            name: "SimulatedDisk", path: "Tests/SimulatedDisk",
            cSettings: [.define("SIMULATES_DISK", .when(traits: rungs(from: "SQLite")))]),
        .executableTarget(
            name: "KilledProgram", dependencies: ["Onward", "OnwardJournal", "OnwardSQLite"],
            path: "Tests/KilledProgram", swiftSettings: house),
        .executableTarget(
            name: "OutboxProgram",
            dependencies: ["Onward", "OnwardJournal", "OnwardQueries", "OnwardSQLite"],
            path: "Tests/OutboxProgram", swiftSettings: house),
        .executableTarget(
            name: "SyncProgram",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardSQLite", "OnwardSync",
                .target(name: "OnwardServer", condition: .when(traits: rungs(from: "Server"))),
                server("Logging", "swift-log"),
                server("Mustache", "swift-mustache"),
            ],
            path: "Tests/SyncProgram", swiftSettings: house),
        .testTarget(
            name: "OnwardLogTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardLog", "OnwardReports", "OnwardSQLite",
            ],
            swiftSettings: house),
        .testTarget(
            name: "TestSupport",
            dependencies: layers + ["Onward", "OnwardJournal", "OnwardTesting"],
            swiftSettings: house),
        .testTarget(
            name: "OnwardTests", dependencies: layers + ["Onward", "OnwardTesting", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "OnwardNavigationTests",
            dependencies: ["Onward", "OnwardNavigation", "OnwardTesting", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "OnwardQueriesTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardQueries", "OnwardReports", "OnwardTesting",
                "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardSyncTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardReports", "OnwardSync", "OnwardTesting",
                .target(name: "OnwardServer", condition: .when(traits: rungs(from: "Server"))),
                server("Hummingbird", "hummingbird"),
                server("Logging", "swift-log"),
                server("Mustache", "swift-mustache"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardStressTests",
            dependencies: layers + ["Onward", "OnwardNavigation", "OnwardTesting", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "OnwardTestingTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardTesting",
                testKit("IssueReporting", "xctest-dynamic-overlay"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardRecipeTests",
            dependencies: [
                "Onward", "OnwardCluster", "OnwardJournal", "OnwardNavigation", "OnwardQueries",
                "OnwardReports", "OnwardServer", "OnwardSync", "OnwardTesting",
                server("Hummingbird", "hummingbird"), server("HummingbirdTesting", "hummingbird"),
                server("Mustache", "swift-mustache"), server("HTTPTypes", "swift-http-types"),
                server("NIOCore", "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardServerTests",
            dependencies: [
                "Onward", "OnwardJournal", "OnwardNavigation", "OnwardServer", "TestSupport",
                server("Hummingbird", "hummingbird"),
                server("HummingbirdTesting", "hummingbird"),
                server("Mustache", "swift-mustache"),
                server("Logging", "swift-log"),
                server("MetricsTestKit", "swift-metrics"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
                server("HTTPTypes", "swift-http-types"),
                server("NIOCore", "swift-nio"),
                server("NIOEmbedded", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOHTTPCompression", "swift-nio-extras"),
                server("NIOPosix", "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "InspectedShop", dependencies: ["Onward"], path: "Tests/InspectedShop",
            swiftSettings: house),
        .executableTarget(
            name: "InspectedProgram",
            dependencies: ["InspectedShop", "Onward", "OnwardInspection"],
            path: "Tests/InspectedProgram", swiftSettings: house),
        .testTarget(
            name: "OnwardInspectionTests",
            dependencies: [
                "InspectedShop", "Onward", "OnwardInspection", "OnwardJournal", "OnwardNavigation",
                "OnwardQueries", "OnwardSync", "OnwardTesting",
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardInspectorTests",
            dependencies: [
                "InspectedShop", "Onward", "OnwardInspection", "OnwardInspector", "OnwardJournal",
                "OnwardNavigation", "OnwardServer", "OnwardTesting",
                server("Hummingbird", "hummingbird"), server("HummingbirdTesting", "hummingbird"),
                server("HTTPTypes", "swift-http-types"), server("Mustache", "swift-mustache"),
                server("NIOCore", "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardInspectorToolTests",
            dependencies: [
                "Onward", "OnwardInspection", "OnwardInspector", "OnwardInspectorTool",
                "OnwardJournal", "OnwardNavigation", "OnwardReports", "OnwardSQLite",
            ],
            swiftSettings: house),
        .testTarget(
            name: "OnwardBridgeTests", dependencies: ["OnwardBridge", "Onward"],
            swiftSettings: house),
        .testTarget(
            name: "ReSwiftTests",
            dependencies: ["ReSwift", "Onward", "OnwardBridge", "OnwardTesting"],
            swiftSettings: house),
        .testTarget(
            name: "ReSwiftThunkTests", dependencies: ["ReSwift", "ReSwiftThunk"],
            swiftSettings: house),
        // Features whose lines are counted beside those for other libraries.
        .testTarget(
            name: "OnwardFeaturesTests", dependencies: ["Onward", "OnwardTesting"],
            path: "Benchmarks/Boilerplate/Onward", swiftSettings: house),
        .testTarget(
            name: "ReSwiftFeaturesTests", dependencies: ["ReSwift", "ReSwiftThunk"],
            path: "Benchmarks/Boilerplate/ReSwift", swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ObservableFeaturesTests", path: "Benchmarks/Boilerplate/Observable",
            swiftSettings: house),
        .testTarget(
            name: "ReSwiftThunkTestingTests",
            dependencies: ["ReSwift", "ReSwiftThunk", "ReSwiftThunkTesting"], swiftSettings: house),
        .testTarget(
            name: "ReSwiftRouterTests",
            dependencies: ["ReSwift", "ReSwiftRouter", "Onward", "OnwardNavigation"],
            swiftSettings: house),
        .testTarget(
            name: "ReduxSwiftTests", dependencies: ["ReduxSwift", "Onward"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
// Random histories, see its README. It schedules threads with what Linux has for that.
package.targets.append(
    .executableTarget(
        name: "Soak", dependencies: ["Onward", "OnwardJournal"], path: "Tests/Soak",
        exclude: ["README.md", "Mutations"], swiftSettings: house))
#endif

// A script that runs the tests of a few targets names them, separated by commas, and does not wait for the
// others to be compiled.
if let names = Context.environment["ONWARD_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
