// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let platforms = Rule(
        name: "platforms", certainty: .differs,
        what: "an earlier deployment target than Onward's",
        why: "Nothing can depend on what needs a later system than it does itself.",
        write: """
            Raise it to macOS 15, iOS 18, tvOS 18, watchOS 11 or visionOS 2. Manifests know these as \
            `.v18` and the like from `// swift-tools-version: 6.0` on, before as `"18.0"`.
            """,
        example: """
            import PackageDescription

            let package = Package(name: "Bank", platforms: [.macOS(.v15), .iOS(.v18)])
            """
    ) { file, _ in
        guard file.isManifest, Manifest(file).isConcerned else { return [] }
        // They may be set afterwards: `package.platforms = [.iOS(.v18)]`.
        let areSet = file.outline.assignments.contains { $0.target.lastName == "platforms" }
        let unnamed = file.outline.calls.filter {
            $0.calleeName == "Package" && $0.base == nil && $0.argument("platforms") == nil
                && !areSet
        }
        return file.outline.calls.compactMap { $0.earlierPlatform(in: file) }
            + unnamed.map { Place($0.place, "as none is named") }
    }

    /// The first versions of the systems on which Onward runs, by their names in manifests.
    static let firstVersions = [
        "macOS": 15, "iOS": 18, "tvOS": 18, "watchOS": 11, "visionOS": 2, "macCatalyst": 18,
    ]
}

extension FunctionCallExprSyntax {
    /// Where it reads like `.iOS(.v13)` or `.iOS("13.0")`, with a version before Onward's, and what raises it.
    fileprivate func earlierPlatform(in file: SourceFile) -> Place? {
        guard let name = calleeName, let least = Rule.firstVersions[name], base == nil,
            let version = arguments.first?.expression,
            let present = version.trimmedDescription.firstNumber, present < least
        else { return nil }
        // Versions before 6.0 of the manifest's language know these systems by text only.
        let later = file.toolsVersion ?? 0 >= 6 ? ".v\(least)" : "\"\(least).0\""
        return Place(place, edits: [Edit(replacing: version, with: later)])
    }
}

extension StringProtocol {
    /// The first whole number in the text: 13 of `.v13`, 10 of `10.15`.
    var firstNumber: Int? { Int(drop { !$0.isNumber }.prefix(while: \.isNumber)) }
}

extension SourceFile {
    /// The number before the point in a manifest's `// swift-tools-version: 6.0`; nil where it has none.
    fileprivate var toolsVersion: Int? {
        guard let range = text.firstRange(of: "swift-tools-version") else { return nil }
        return text[range.upperBound...].prefix { !$0.isNewline }.firstNumber
    }
}
