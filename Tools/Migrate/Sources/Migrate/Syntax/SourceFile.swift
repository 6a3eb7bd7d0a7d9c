// SPDX-License-Identifier: MIT

internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// A Swift file, parsed.
struct SourceFile {
    /// Relative to the folder that is checked.
    let path: String
    let text: String
    let outline: Outline
    /// Where the compiler would complain first; nil where the file can be parsed.
    let complaint: Complaint?
    private let locations: SourceLocationConverter

    /// The names of the modules that the file imports, or imports something of; as in packages.
    let imports: Set<String>

    /// A syntax error.
    struct Complaint: Equatable {
        let line: Int
        let column: Int
        let message: String
    }

    /// Trees beyond this depth are not walked: a walk takes some of the stack for each level.
    ///
    /// Code that people write stays below a hundred.
    static let depthLimit = 1_000

    /// Parses a file; nil when it is nested beyond ``depthLimit``, or looks so.
    init?(_ text: String, path: String) {
        guard Shape(of: text).canBeParsed else { return nil }
        self.path = path
        self.text = text
        let tree = Parser.parse(source: text)
        guard tree.isShallow(upTo: Self.depthLimit) else { return nil }
        let locations = SourceLocationConverter(fileName: path, tree: tree)
        self.locations = locations
        outline = Outline(of: tree)
        imports = Set(
            outline.imports.compactMap(\.moduleName).map { Module.ofPods[$0] ?? $0 })
        complaint =
            !tree.hasError
            ? nil
            : ParseDiagnosticsGenerator.diagnostics(for: tree)
                .first { $0.diagMessage.severity == .error }.map { diagnostic in
                    let place = locations.location(for: diagnostic.position)
                    return Complaint(
                        line: place.line, column: place.column, message: diagnostic.message)
                }
    }

    /// Whether the file is the manifest of a package.
    var isManifest: Bool { imports.contains("PackageDescription") }

    /// Whether the file uses one of the libraries at all.
    var importsCompatibleModule: Bool { !imports.isDisjoint(with: Module.compatible) }

    /// Whether the stores of the file are those of Onward itself.
    var usesOnwardAlone: Bool { imports.contains("Onward") && !importsCompatibleModule }

    /// Whether the file holds tests.
    var isOfTests: Bool { imports.contains("XCTest") || imports.contains("Testing") }

    /// The line and the column of a node, from 1, without what stands before it.
    func location(of node: Syntax) -> (line: Int, column: Int) {
        let place = locations.location(for: node.positionAfterSkippingLeadingTrivia)
        return (place.line, place.column)
    }
}

extension ImportDeclSyntax {
    /// The module that is imported, or of which something is.
    var moduleName: String? { path.first?.name.text }

    /// Whether the file sees the internals of the module, too.
    var isTestable: Bool { attributes.contains { $0.trimmedDescription == "@testable" } }
}

extension SourceFileSyntax {
    /// Whether no node lies deeper than a limit; asks without recursion.
    fileprivate func isShallow(upTo limit: Int) -> Bool {
        var level = [Syntax(self)]
        for _ in 0..<limit {
            level = level.flatMap { node in
                node.children(viewMode: .sourceAccurate).filter { !$0.is(TokenSyntax.self) }
            }
            if level.isEmpty { return true }
        }
        return false
    }
}
