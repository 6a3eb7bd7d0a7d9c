// SPDX-License-Identifier: MIT

/// The feature instance that an action is meant for, as the path from the root to it.
///
/// The same feature may be scoped twice, or once per row. An action dispatched to an address
/// reaches only the instance there and the features inside it; one dispatched to ``root`` reaches
/// all features that registered for it.
///
/// As text, an address is its names joined by "/"; a row is "#" followed by its id: `left/counter`,
/// `todos/#7`. A "/", "#" or "%" inside a name or an id is written as "%2F", "%23" or "%25", a name
/// that is only "." as "%2E", and an empty name as "%". A "." at the end leaves out the features
/// inside: `todos/#7/.` means only the row, `.` only the root.
///
/// An id is written as it is coded: where that is a single value, such as a `UUID` or the raw value
/// of an enum, as that value, else as JSON with sorted names and no white space:
/// `lots/#{"city":"Rome","number":7}`. A row has one address only: `#07` is not the row with the id
/// 7. An id that isn't `Codable` is written as `String(describing:)` writes it; such a row is found
/// in a running store, and can't be recorded.
public struct Address: Sendable, Hashable {
    /// One step of the path.
    package enum Component: Sendable, Hashable {
        case slice(String)
        case row(RowKey)
        /// As the last step: the instance before it, without the features inside.
        case alone
    }

    package let components: [Component]

    package init(_ components: [Component]) {
        self.components = components
    }

    /// The address of the whole store.
    public static let root = Address([])

    /// Whether an action sent to this address is meant for the instance at `steps`.
    ///
    /// - Complexity: O(length of this address).
    package func includes(_ steps: [PathStep]) -> Bool {
        if case .alone = components.last {
            guard components.count == steps.count + 1 else { return false }
        } else {
            guard components.count <= steps.count else { return false }
        }
        for (component, step) in zip(components, steps) {
            switch (component, step) {
            case (.slice(let name), .slice(let other)): if name != other { return false }
            case (.row, .anyRow): break
            default: return false
            }
        }
        return true
    }

    /// The feature that scopes the instance here, alone; nil at the root.
    package var parent: Address? {
        guard let scope = components.lastIndex(where: \.isSlice) else { return nil }
        return Address(components[..<scope] + [.alone])
    }

    /// This address with another name for a scope on it, the last one included; rows are ignored.
    package func renamingScope(at path: [String], to name: String) -> Address {
        var components = components
        var rest = path[...]
        for (position, component) in components.enumerated() {
            guard case .slice(let step) = component else { continue }
            guard step == rest.popFirst() else { break }
            if rest.isEmpty {
                components[position] = .slice(name)
                return Address(components)
            }
        }
        return self
    }

    /// The names of the scopes on the way, without rows.
    package var scopes: String {
        components.compactMap { if case .slice(let name) = $0 { name } else { nil } }
            .joined(separator: "/")
    }

    /// The id of the row that the last step names, as text, not escaped; nil if it names none.
    public var rowID: String? {
        guard case .row(let key) = components.last else { return nil }
        return key.text
    }

    package func appending(_ component: Component) -> Address {
        Address(components + [component])
    }

    @usableFromInline
    package func appending(_ address: Address) -> Address {
        Address(components + address.components)
    }

    /// The row at a depth of this address; nil if the address is shorter.
    package func row(at depth: Int) -> RowKey? {
        guard depth < components.count, case .row(let key) = components[depth] else { return nil }
        return key
    }

    /// The rows that it names, outermost first.
    package var rows: [RowKey] {
        components.compactMap { if case .row(let key) = $0 { key } else { nil } }
    }

    /// This address with other rows in place of its own.
    package func mapRows<E: Error>(_ change: (RowKey) throws(E) -> RowKey) throws(E) -> Address {
        var components = components
        for (position, component) in components.enumerated() {
            if case .row(let key) = component { components[position] = .row(try change(key)) }
        }
        return Address(components)
    }

    /// This address as a log keeps it: its rows are named by texts alone, and are also found by the
    /// texts that earlier versions of this library wrote.
    package var recorded: Address {
        components.contains(where: \.isRow) ? mapRows(\.recorded) : self
    }

    /// Whether a row is named by a text alone.
    @usableFromInline
    package var hasRowTexts: Bool {
        components.contains { if case .row(let key) = $0 { key.isText } else { false } }
    }

    /// The first row whose text can't be read as its id again.
    ///
    /// Calls the coding and the `==` of the id.
    package var unreadableRow: RowKey? { rows.first { !$0.readsBack } }
}

extension Address.Component {
    fileprivate var isSlice: Bool {
        if case .slice = self { true } else { false }
    }

    fileprivate var isRow: Bool {
        if case .row = self { true } else { false }
    }
}

/// One step of the way to a registered feature; it does not distinguish rows.
package enum PathStep: Sendable, Hashable {
    case slice(String)
    case anyRow

    package var isRow: Bool { self == .anyRow }
}

extension [PathStep] {
    /// The way as text, as in addresses, with any row as "#".
    package var text: String {
        map { step in
            switch step {
            case .slice(""): "%"
            case .slice(let name): name
            case .anyRow: "#"
            }
        }.joined(separator: "/")
    }
}

extension Address: LosslessStringConvertible {
    /// The address as text; empty for the root.
    public var description: String {
        components.map { component in
            switch component {
            case .slice("."): Self.escapedDot
            case .slice(""): Self.escapedNothing
            case .slice(let name): Self.escape(name)
            case .row(let key): "#" + Self.escape(key.text)
            case .alone: "."
            }
        }.joined(separator: "/")
    }

    /// Parses an address; nil if a name is empty or wrongly escaped, or if the text is longer than
    /// 65,536 bytes.
    ///
    /// - Complexity: O(length of the text).
    public init?(_ description: String) {
        guard !description.isEmpty else {
            self = .root
            return
        }
        guard description.utf8.count <= Self.longestText else { return nil }
        let parts = description.unicodeScalars.split(
            separator: "/", omittingEmptySubsequences: false)
        var components: [Component] = []
        for (index, part) in parts.enumerated() {
            if part.elementsEqual(".".unicodeScalars) {
                guard index == parts.count - 1 else { return nil }
                components.append(.alone)
                continue
            }
            if part.elementsEqual(Self.escapedDot.unicodeScalars) {
                components.append(.slice("."))
                continue
            }
            if part.elementsEqual(Self.escapedNothing.unicodeScalars) {
                components.append(.slice(""))
                continue
            }
            let isRow = part.first == "#"
            guard let text = Self.unescape(isRow ? part.dropFirst() : part),
                isRow || !text.isEmpty
            else { return nil }
            components.append(isRow ? .row(RowKey(text: text)) : .slice(text))
        }
        self.init(components)
    }

    /// A scope whose name is the text that stands for "alone".
    private static let escapedDot = "%2E"
    /// A scope without a name.
    private static let escapedNothing = "%"
    /// Much longer than any address, and short enough to be read from an untrusted source.
    private static let longestText = 65_536

    private static let escapes: [(Unicode.Scalar, String)] = [
        ("/", "2F"), ("#", "23"), ("%", "25"),
    ]

    // By scalars, because a "/" followed by a combining mark is another character but the same
    // byte.
    private static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let escape = escapes.first(where: { $0.0 == scalar }) {
                result.append("%")
                result.append(contentsOf: escape.1.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func unescape(_ text: Substring.UnicodeScalarView) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.popFirst() {
            switch scalar {
            case "%":
                let code = String(String.UnicodeScalarView(rest.prefix(2)))
                guard let escape = escapes.first(where: { $0.1 == code }) else { return nil }
                result.append(escape.0)
                rest = rest.dropFirst(2)
            case "#": return nil
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Address: Codable {
    /// Reads the text form; throws `DecodingError.dataCorrupted` if it is not an address.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let address = Address(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text.prefix(80))\" is no address.")
        }
        self = address
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
