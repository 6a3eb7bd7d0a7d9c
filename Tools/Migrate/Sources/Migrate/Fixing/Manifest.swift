// SPDX-License-Identifier: MIT

internal import SwiftParser
internal import SwiftSyntax

/// What a package's manifest says about the original libraries, and what replaces it.
struct Manifest {
    /// The lines that name the originals.
    private(set) var places: [Place] = []

    /// The repositories of the originals, by the last part of their addresses.
    private static let originals: Set = [
        "reswift", "reswift-thunk", "reswiftthunk", "reswift-router", "reswiftrouter", "reduxswift",
    ]

    /// Reads a manifest; `dependency` is what takes the place of the originals.
    init(_ file: SourceFile, dependency: String = Self.dependency) {
        var isReplaced = false
        for call in file.outline.calls {
            switch call.calleeName {
            case "package" where call.namesOriginal(in: Self.originals):
                // The first one becomes Onward, the others go.
                let edit =
                    isReplaced
                    ? Edit(removing: call) : Edit(replacing: call, with: dependency)
                isReplaced = true
                places.append(Place(call.place, edits: [edit]))
            case "product":
                guard let package = call.argument("package"), let name = package.literal,
                    Self.originals.contains(name.lowercased())
                else { continue }
                places.append(
                    Place(call.place, edits: [Edit(replacing: package, with: "\"onward\"")]))
            case "target", "executableTarget", "testTarget":
                addNames(in: call.argument("dependencies"))
            default: continue
            }
        }
    }

    /// What stands in the guide, too: a clone of Onward beside the app.
    static let dependency = ".package(path: \"../onward\")"

    private mutating func addNames(in dependencies: ExprSyntax?) {
        for element in dependencies?.as(ArrayExprSyntax.self)?.elements ?? [] {
            var expression = element.expression
            if let call = expression.as(FunctionCallExprSyntax.self), call.calleeName == "byName",
                let name = call.argument("name")
            {
                expression = name
            }
            guard let name = expression.literal, Module.compatible.contains(name) else { continue }
            let product = ".product(name: \"\(name)\", package: \"onward\")"
            places.append(
                Place(
                    element.expression, edits: [Edit(replacing: element.expression, with: product)])
            )
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the address of a package ends in one of these names.
    fileprivate func namesOriginal(in names: Set<String>) -> Bool {
        guard let address = argument("url")?.literal ?? argument("path")?.literal,
            var name = address.split(separator: "/").last?.lowercased()
        else { return false }
        if name.hasSuffix(".git") { name.removeLast(4) }
        return names.contains(name)
    }
}

extension ExprSyntax {
    /// The text of a plain string literal.
    fileprivate var literal: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}

extension Edit {
    /// Removes an element of an array, with its comma and the line or the comment that belong to it.
    fileprivate init(removing call: FunctionCallExprSyntax) {
        guard let element = call.parent?.as(ArrayElementSyntax.self) else {
            self.init(replacing: call, with: "")
            return
        }
        self.init(
            element.position.utf8Offset..<element.endPosition.utf8Offset, "")
    }
}
