// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let dependency = Rule(
        name: "dependency", certainty: .differs,
        what: "the manifest depends on the original",
        why: "The modules of the same names come with Onward.",
        write: """
            Depend on Onward, and name its products. Onward is a package: an app that has the original \
            from CocoaPods or Carthage adds it in Xcode.
            """,
        example: """
            import PackageDescription

            let package = Package(
                name: "Bank",
                platforms: [.macOS(.v15), .iOS(.v18)],
                dependencies: [.package(path: "../onward")],
                targets: [
                    .target(name: "Bank", dependencies: [.product(name: "ReSwift", package: "onward")])
                ]
            )
            """
    ) { file, _ in
        guard file.isManifest else { return [] }
        return Manifest(file).places
    }
}
