// SPDX-License-Identifier: MIT

/// The Swift files of a code base, and what is known of them together.
struct CodeBase {
    let sources: [SourceText]
    /// The names of the types that stores are made of.
    let stateNames: Set<String>

    init(_ sources: [SourceText]) {
        self.sources = sources
        var names: Set<String> = []
        for source in sources where source.importsCompatibleModule {
            for match in source.matches(of: /\bStore\s*<\s*(\w+)\s*>/) {
                names.insert(String(match.1))
            }
        }
        stateNames = names
    }

    /// What the rules find, in the order of files and lines.
    func findings(of rules: [Rule] = Rule.all) -> [Finding] {
        sources.flatMap { source in
            rules.flatMap { $0.findings(in: source, of: self) }
        }.sorted()
    }
}

extension SourceText {
    /// Whether the file uses one of the libraries at all.
    var importsCompatibleModule: Bool {
        ["ReSwift", "ReSwiftThunk", "ReSwiftRouter", "ReduxSwift"].contains(where: imports)
    }

    /// Whether the file imports a module, or something of it.
    func imports(_ module: String) -> Bool {
        matches(
            of: /\bimport[ \t]+(?:(?:struct|class|enum|protocol|func|var|typealias)[ \t]+)?(\w+)/
        )
        .contains { $0.1 == module }
    }
}
