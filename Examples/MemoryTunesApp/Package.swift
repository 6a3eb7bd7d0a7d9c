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

let onward = Target.Dependency.product(name: "Onward", package: "onward")
let journal = Target.Dependency.product(name: "OnwardJournal", package: "onward")
let navigation = Target.Dependency.product(name: "OnwardNavigation", package: "onward")

let package = Package(
    name: "memory-tunes-app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "MemoryTunesViews", targets: ["MemoryTunesViews"]),
        .executable(name: "MemoryTunesApp", targets: ["MemoryTunesApp"]),
    ],
    dependencies: [.package(name: "onward", path: "../..")],
    targets: [
        // A link to the sources of ../MemoryTunes: a dependency on that package would download its web server.
        .target(
            name: "MemoryTunesCore", dependencies: [onward, navigation], swiftSettings: house),
        .target(
            name: "MemoryTunesViews",
            dependencies: ["MemoryTunesCore", onward, journal, navigation],
            swiftSettings: house),
        .executableTarget(
            name: "MemoryTunesApp", dependencies: ["MemoryTunesViews"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)

// Where there is no SwiftUI, the views are compiled against stubs of it, on which the tests draw them.
#if os(Linux)
let swiftUI = Target.Dependency.product(name: "SwiftUI", package: "AppleStubs")
let appKit = Target.Dependency.product(name: "AppKit", package: "AppleStubs")
package.dependencies.append(.package(path: "../../Tests/AppleStubs"))
for target in package.targets where target.name != "MemoryTunesCore" {
    target.dependencies += [swiftUI, appKit]
}
package.targets.append(
    .testTarget(
        name: "MemoryTunesViewsTests",
        dependencies: ["MemoryTunesViews", "MemoryTunesCore", onward, navigation, swiftUI],
        swiftSettings: house))
#endif
