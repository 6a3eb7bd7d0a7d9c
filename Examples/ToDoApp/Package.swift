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

// Where there is no SwiftUI nothing is kept: SQLite would be compiled for nothing.
#if os(Linux)
let traits: Set<Package.Dependency.Trait> = []
#else
let traits: Set<Package.Dependency.Trait> = ["SQLite"]
#endif

let onward = Target.Dependency.product(name: "Onward", package: "onward")
let journal = Target.Dependency.product(name: "OnwardJournal", package: "onward")
let sync = Target.Dependency.product(name: "OnwardSync", package: "onward")

let package = Package(
    name: "to-do-app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ToDoViews", targets: ["ToDoViews"]),
        .executable(name: "ToDoApp", targets: ["ToDoApp"]),
    ],
    dependencies: [.package(name: "onward", path: "../..", traits: traits)],
    targets: [
        // Links to the sources of ../ToDo: a dependency on that package would download its web server.
        .target(name: "ToDoTasks", dependencies: [onward], swiftSettings: house),
        .target(
            name: "ToDoShared", dependencies: ["ToDoTasks", onward, sync], swiftSettings: house),
        .target(
            name: "ToDoViews", dependencies: ["ToDoTasks", "ToDoShared", onward, sync],
            swiftSettings: house),
        .executableTarget(
            name: "ToDoApp", dependencies: ["ToDoViews", "ToDoShared", onward, journal, sync],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)

#if !os(Linux)
for target in package.targets where target.name == "ToDoApp" {
    target.dependencies.append(.product(name: "OnwardSQLite", package: "onward"))
}
#endif

// Where there is no SwiftUI, the views are compiled against stubs of it, on which the tests draw them.
#if os(Linux)
let swiftUI = Target.Dependency.product(name: "SwiftUI", package: "AppleStubs")
let appKit = Target.Dependency.product(name: "AppKit", package: "AppleStubs")
package.dependencies.append(.package(path: "../../Tests/AppleStubs"))
for target in package.targets where ["ToDoViews", "ToDoApp"].contains(target.name) {
    target.dependencies += [swiftUI, appKit]
}
package.targets.append(
    .testTarget(
        name: "ToDoViewsTests",
        dependencies: ["ToDoViews", "ToDoTasks", "ToDoShared", onward, journal, sync, swiftUI],
        swiftSettings: house))
#endif
