// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// The Swift files of a code base, and what is known about them together.
///
/// Types are known by their simple names, as nothing is compiled here: what the code base does not say
/// stays unknown, and rules that need to know are silent.
final class CodeBase {
    let files: [SourceFile]
    private(set) var types: [String: TypeFacts] = [:]
    /// Other names of types.
    private(set) var aliases: [String: TypeSyntax] = [:]
    /// Those that other files may mean by their names alone.
    private var aliasesOfFiles: Set<String> = []
    /// The functions of files, not those of types.
    private(set) var functions: [String: [FunctionDeclSyntax]] = [:]
    /// The variables and constants of files.
    private(set) var globals: [String: TypeFacts.Property] = [:]

    /// All properties of types, by their names.
    private(set) var properties: [String: [TypeFacts.Property]] = [:]

    /// What functions lead to, remembered by where one begins.
    var arrivals: [Goal: [SyntaxIdentifier: Bool]] = [:]
    private var lineages: [String: Set<String>] = [:]
    private(set) lazy var reducers = findReducers()
    private(set) lazy var stateNames = findStateNames()

    /// What the names of the app's own modules have in common with that of their folders.
    private let moduleKeys: Set<String>
    private let headerFolders: Set<String>

    /// The files, what other files say of the names of the app's own modules, and the folders of headers.
    init(
        _ files: [SourceFile], modules: Set<String> = [], headerFolders: Set<String> = []
    ) {
        self.files = files
        self.headerFolders = headerFolders
        moduleKeys = Self.moduleKeys(of: files).union(modules.map(Module.key))
        for outline in files.map(\.outline) {
            for type in outline.types { types[type.name, default: TypeFacts()].add(type) }
            for alias in outline.aliases {
                aliases[alias.name.text] = alias.initializer.value
                if alias.isOfFile, !alias.modifiers.arePrivate, !alias.namesItsLike {
                    aliasesOfFiles.insert(alias.name.text)
                }
            }
            for function in outline.functions where function.isOfFile {
                functions[function.name.text, default: []].append(function)
            }
            for (name, property) in outline.globals.flatMap(\.properties) {
                globals[name] = property
            }
        }
        for (name, facts) in types {
            for parent in facts.inherited { types[parent]?.subtypes.insert(name) }
            for (name, property) in facts.properties {
                properties[name, default: []].append(property)
            }
        }
    }

    /// The files of a folder.
    convenience init(_ files: SwiftFiles) {
        self.init(files.sources, modules: files.modules, headerFolders: files.headerFolders)
    }

    /// What the rules find, in the order of files and lines; one finding of a rule in a line.
    func findings(of rules: [Rule] = Rule.all) -> [Finding] {
        // Stores of other libraries have the same words.
        let usesLibrary = files.contains(where: \.importsCompatibleModule)
        return files.flatMap { file in
            let isConcerned = file.isManifest || (usesLibrary && !file.usesOnwardAlone)
            return (isConcerned ? rules : []).flatMap { rule in
                var lines: Set<Int> = []
                return rule.places(file, self).map { Finding($0, of: rule, in: file) }
                    .filter { lines.insert($0.line).inserted }
            }
        }.sorted()
    }

    /// Whether the code base has a type of its own of that name, so that it isn't the library's.
    ///
    /// A type inside another, or private to a file, doesn't take the name away elsewhere.
    func declares(_ name: String) -> Bool {
        types[name]?.isNamedByOthers == true || aliasesOfFiles.contains(name)
    }

    /// Whether the code base has a type or a function of files of that name, be it nested or private.
    func declaresAnywhere(_ name: String) -> Bool {
        types[name]?.declaration != nil || aliases[name] != nil || functions[name] != nil
    }

    /// Whether a file may see what a header of its target imports: one that bridges, or a framework's.
    func seesHeader(_ file: SourceFile) -> Bool {
        headerFolders.contains("") || headerFolders.contains(file.path.firstFolder)
    }

    /// Whether a module is the app's own: it has the name of a folder, of a target or of a project.
    func isOwnModule(_ name: String) -> Bool { moduleKeys.contains(Module.key(name)) }

    private static func moduleKeys(of files: [SourceFile]) -> Set<String> {
        let folders = files.flatMap { $0.path.split(separator: "/").dropLast() }
        let targets = files.filter(\.isManifest).flatMap { Manifest($0).targets }
        // Nobody tests the internals of somebody else's module, but for those that rules speak of.
        let tested = files.flatMap(\.outline.imports).filter(\.isTestable).compactMap(\.moduleName)
            .filter { Module.ofPods[$0] == nil && !Module.compatible.contains($0) }
        return Set(folders.map(Module.key) + (targets + tested).map(Module.key))
    }

    /// Whether anything of that name is declared somewhere in types or files of the code base.
    func knows(_ name: String) -> Bool {
        declares(name) || functions[name] != nil || globals[name] != nil
            || properties[name] != nil || types.values.contains { $0.functions[name] != nil }
    }

    /// Where the code base takes names of the libraries for types of its own: rules are silent about them.
    var takenNames: [Problem] {
        guard files.contains(where: \.importsCompatibleModule) else { return [] }
        let names: Set = [
            "Store", "StoreType", "StoreSubscriber", "Action", "ActionType", "Router",
        ]
        return files.flatMap { file in
            file.outline.types.filter {
                $0.kind != .extension && $0.isNamedByOthers && names.contains($0.name)
            }.map { type in
                let (line, column) = file.location(of: type.place)
                return Problem(
                    path: file.path, line: line, column: column,
                    message: """
                        \(type.name) is a type of the app's own here, so \(type.name) is nowhere taken \
                        for that of the library
                        """)
            }
        }
    }

    /// A type and all that it inherits and conforms to, as far as the code base says.
    func lineage(of name: String) -> Set<String> {
        if let known = lineages[name] { return known }
        var found: Set<String> = [name]
        var rest = [name]
        while let next = rest.popLast() {
            var parents = types[next]?.inherited ?? []
            if let alias = aliases[next] {
                parents.formUnion(alias.composed.compactMap(\.simpleName))
            }
            for parent in parents where found.insert(parent).inserted { rest.append(parent) }
        }
        lineages[name] = found
        return found
    }

    /// All that inherits a type.
    func descendants(of name: String) -> Set<String> {
        var found: Set<String> = []
        var rest = [name]
        while let next = rest.popLast() {
            for child in types[next]?.subtypes ?? [] where found.insert(child).inserted {
                rest.append(child)
            }
        }
        return found
    }

    /// Whether a type is a store of one of the libraries, or what stands for one.
    func isStore(_ name: String) -> Bool {
        let names: Set = ["Store", "StoreType", "DispatchingStoreType"]
        return !lineage(of: name).isDisjoint(with: names.filter { !declares($0) })
    }

    /// Whether a type is an action of one of the libraries.
    func isAction(_ name: String) -> Bool {
        !lineage(of: name).isDisjoint(with: ["Action", "ActionType"].filter { !declares($0) })
    }
}

extension TypeAliasDeclSyntax {
    /// Whether it stands for the library's type of the same name: `typealias Action = ReSwift.Action`.
    fileprivate var namesItsLike: Bool {
        guard let type = initializer.value.as(MemberTypeSyntax.self), type.name.text == name.text,
            let module = type.baseType.simpleName
        else { return false }
        return Module.compatible.contains(Module.ofPods[module] ?? module)
    }
}

extension TypeSyntax {
    /// The parts of a composition, or the type itself.
    fileprivate var composed: [TypeSyntax] {
        self.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [self]
    }
}

extension SyntaxProtocol {
    /// What it stands in, from the inside out.
    var ancestors: some Sequence<Syntax> {
        sequence(state: parent) { next in
            defer { next = next?.parent }
            return next
        }
    }

    /// The type, or the extension of one, that it stands in.
    var enclosingType: TypeDeclaration? {
        for ancestor in ancestors {
            if let group = ancestor.asProtocol((any DeclGroupSyntax).self) {
                return TypeDeclaration(group)
            }
        }
        return nil
    }
}
