// SPDX-License-Identifier: MIT

internal import SwiftParser
internal import SwiftSyntax

/// What a package's manifest says about the original libraries, and what replaces it.
struct Manifest {
    /// The lines that name the originals.
    private(set) var places: [Place] = []
    /// The names of the package's own targets.
    private(set) var targets: Set<String> = []
    /// Whether it depends on the originals, or on what has taken their place.
    private(set) var isConcerned = false

    /// The repositories of the originals, by the last part of their addresses.
    private static let originals: Set = [
        "reswift", "reswift-thunk", "reswiftthunk", "reswift-router", "reswiftrouter", "reduxswift",
    ]

    /// Reads a manifest; `dependency` is what takes the place of the originals.
    init(_ file: SourceFile, dependency: String = Self.dependency) {
        for call in file.outline.calls where Self.targetNames.contains(call.calleeName ?? "") {
            if let name = call.argument("name")?.literal { targets.insert(name) }
        }
        var isReplaced = file.outline.calls.contains(where: \.namesOnward)
        var names: [Place] = []
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
                names.append(
                    Place(
                        call.place,
                        edits: [Edit(replacing: package, with: "\"onward\"")]
                            + (call.argument("name").flatMap(Self.renaming).map { [$0] } ?? [])))
            case let name? where Self.targetNames.contains(name):
                names += self.names(in: call.argument("dependencies"))
            default: continue
            }
        }
        // A package that is or has a module of that name, and depends on no original, stays as it is.
        guard isReplaced else { return }
        places += names
        isConcerned = true
    }

    /// Products of the originals that are called otherwise than their modules.
    private static let products = [
        "ReSwift-Thunk": "ReSwiftThunk", "ReSwift-Router": "ReSwiftRouter",
    ]

    /// What makes the name of a product that of Onward's.
    private static func renaming(_ name: ExprSyntax) -> Edit? {
        name.literal.flatMap { products[$0] }.map { Edit(replacing: name, with: "\"\($0)\"") }
    }

    private static let targetNames: Set = [
        "target", "executableTarget", "testTarget", "macro", "plugin",
    ]

    /// What stands in the guide, too: a clone of Onward beside the app.
    static let dependency = ".package(path: \"../onward\")"

    /// Where dependencies of a target name products of the originals by their names alone.
    private func names(in dependencies: ExprSyntax?) -> [Place] {
        (dependencies?.as(ArrayExprSyntax.self)?.elements ?? []).compactMap { element in
            var expression = element.expression
            if let call = expression.as(FunctionCallExprSyntax.self), call.calleeName == "byName",
                let name = call.argument("name")
            {
                expression = name
            }
            guard let name = expression.literal, !targets.contains(name),
                let module = Self.products[name]
                    ?? (Module.compatible.contains(name) ? name : nil)
            else { return nil }
            let product = ".product(name: \"\(module)\", package: \"onward\")"
            return Place(
                element.expression, edits: [Edit(replacing: element.expression, with: product)])
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the address of a package ends in one of these names.
    fileprivate func namesOriginal(in names: Set<String>) -> Bool {
        repository.map(names.contains) ?? false
    }

    /// Whether it depends on Onward, as a package or a product of it.
    fileprivate var namesOnward: Bool {
        calleeName == "package" && repository == "onward"
            || calleeName == "product" && argument("package")?.literal == "onward"
    }

    /// The last part of a package's address.
    private var repository: String? {
        guard let address = argument("url")?.literal ?? argument("path")?.literal,
            var name = address.split(separator: "/").last?.lowercased()
        else { return nil }
        if name.hasSuffix(".git") { name.removeLast(4) }
        return name
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
