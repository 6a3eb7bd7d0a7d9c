// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let platforms = Rule(
        name: "platforms", certainty: .differs,
        what: "an earlier deployment target than Onward's",
        why: "Packages can't depend on what needs a later system than they do.",
        write: """
            Raise it to macOS 15, iOS 18, tvOS 18, watchOS 11 or visionOS 2. Manifests know these from \
            `// swift-tools-version: 6.0` on.
            """,
        example: """
            import PackageDescription

            let package = Package(name: "Bank", platforms: [.macOS(.v15), .iOS(.v18)])
            """
    ) { file, _ in
        guard file.isManifest, !Manifest(file).places.isEmpty else { return [] }
        return file.outline.calls.filter(\.isEarlierPlatform).map { Place($0.place) }
    }
}

extension FunctionCallExprSyntax {
    /// Whether it reads like `.iOS(.v13)` or `.iOS("13.0")`, with a version before Onward's.
    fileprivate var isEarlierPlatform: Bool {
        let needed = [
            "macOS": 15, "iOS": 18, "tvOS": 18, "watchOS": 11, "visionOS": 2, "macCatalyst": 18,
        ]
        guard let name = calleeName, let least = needed[name], base == nil,
            let version = arguments.first?.expression
        else { return false }
        let digits = version.trimmedDescription.drop { !$0.isNumber }.prefix(while: \.isNumber)
        return Int(digits).map { $0 < least } ?? false
    }
}
