// SPDX-License-Identifier: MIT

package import OnwardJournal
package import OnwardNavigation

/// A field of a question.
package struct QuestionField: Sendable, Hashable {
    /// What kind of value a field has.
    package enum Kind: Sendable, Hashable {
        case text
        /// A parameter that may be repeated, of which tools and commands give one.
        case texts
        case integer
        /// The id of an entry.
        case entry
        /// True where the parameter is 1.
        case truth
        /// Named values: in an address, texts like `ask.price`.
        case object
    }

    package let name: String
    package let kind: Kind
    package let purpose: String
    /// Whether tools and commands must give it.
    package let isRequired: Bool
    /// Whether a command takes it by its position, and not by its name.
    package let isPositional: Bool

    package init(
        _ name: String, _ kind: Kind, _ purpose: String = "", isRequired: Bool = false,
        isPositional: Bool = false
    ) {
        (self.name, self.kind, self.purpose) = (name, kind, purpose)
        (self.isRequired, self.isPositional) = (isRequired, isRequired || isPositional)
    }
}

// MARK: - Addresses

extension LogQuestion {
    private static var pattern: RouteLocation { RouteLocation("/" + address) ?? RouteLocation() }

    /// The address of the question, after the name of the store.
    package var location: RouteLocation {
        // The fields of a question are such as can be encoded.
        Self.location(of: (try? DataValue(encoding: self)) ?? [:])
    }

    /// The address of the question with some fields.
    package static func location(of values: DataValue) -> RouteLocation {
        var location = pattern
        var placed: Set<String> = []
        func text(_ part: String) -> String {
            guard part.hasPrefix(":") else { return part }
            let name = String(part.dropFirst())
            placed.insert(name)
            return values[name]?.parameters.first ?? ""
        }
        location.segments = location.segments.map(text)
        let marks = location.query.fields
        location.query = [:]
        for mark in marks { location.query.append(text(mark.value), as: mark.name) }
        for field in fields where !placed.contains(field.name) {
            field.write(values[field.name], to: &location.query)
        }
        return location
    }

    /// Reads the question at an address after the name of a store; nil if it isn't this one.
    ///
    /// - Throws: ``InspectorError``, naming the field that can't be read.
    static func read(_ location: RouteLocation) throws(InspectorError) -> Self? {
        let pattern = pattern
        guard location.segments.count == pattern.segments.count else { return nil }
        var placed: RouteValues = [:]
        func isTaken(_ part: String, _ text: String?) -> Bool {
            guard let text else { return false }
            guard part.hasPrefix(":") else { return part == text }
            placed.append(text, as: String(part.dropFirst()))
            return true
        }
        for (part, text) in zip(pattern.segments, location.segments) where !isTaken(part, text) {
            return nil
        }
        for mark in pattern.query.fields where !isTaken(mark.value, location.query[mark.name]) {
            return nil
        }
        var values: DataValue = [:]
        for field in fields {
            let isPlaced = placed[field.name] != nil
            values[field.name] = try field.read(isPlaced ? placed : location.query)
        }
        do {
            return try values.decoded()
        } catch {
            throw InspectorError(.invalid, "\(error)")
        }
    }
}

extension QuestionField {
    fileprivate func write(_ value: DataValue?, to query: inout RouteValues) {
        if kind == .object {
            let texts = (value?.fields ?? [:]).map { ($0.key, $0.value.text ?? "") }
            PageQuestion(texts: Dictionary(texts) { $1 }).write(to: &query)
        } else {
            for text in value?.parameters ?? [] { query.append(text, as: name) }
        }
    }

    fileprivate func read(_ query: RouteValues) throws(InspectorError) -> DataValue? {
        switch kind {
        case .texts: return .list(query.all(name).map { .text($0) })
        case .object: return try? DataValue(encoding: PageQuestion(in: query).texts)
        case .text: return query[name].map { .text($0) }
        case .truth: return query[name].map { .bool($0 == "1") }
        case .integer, .entry:
            guard let text = query[name] else { return nil }
            if let number = Int64(text) { return .integer(number) }
            throw kind == .entry
                ? InspectorError(.missing, "There is no entry \(text).")
                : InspectorError(.invalid, "\"\(name)\" is no whole number.")
        }
    }
}

extension DataValue {
    /// The value as the parameters of an address.
    fileprivate var parameters: [String] {
        switch self {
        case .text(let text): [text]
        case .bool(let isTrue): isTrue ? ["1"] : []
        case .list(let values): values.flatMap(\.parameters)
        default: integer(as: Int.self).map { ["\($0)"] } ?? []
        }
    }
}
