// SPDX-License-Identifier: MIT

/// The id of a row: as a text for logs and the wire, and typed for a fast way to the row.
///
/// Two keys are equal if their texts are, and so is what they compare: no `==` of an id is called,
/// wherever keys are compared. Ids that have one text although they differ, which only happens to
/// ids that can't be recorded, are distinguished by their hashes.
package struct RowKey: Sendable, Hashable {
    package let text: String
    /// Set when the key was made from an id.
    private let typed: TypedRowID?
    private var reading = Reading.coded

    /// How a text is understood that came without an id.
    private enum Reading {
        /// As the coded form of an id; for ids without one, as their description.
        case coded
        /// Also as a description, which earlier versions of this library recorded.
        case recorded
        /// Not at all: it is known that there is no such row.
        case absent
    }

    package init<ID: Hashable & Sendable>(_ id: ID) {
        let (text, isCoded) = RowText.write(id)
        self.text = text
        typed = RowID(id, isCoded: isCoded)
    }

    package init(text: String) {
        self.text = text
        typed = nil
    }

    /// Whether it came as a text, and is still to be understood.
    package var isText: Bool { typed == nil && isReadable }

    /// Whether its text may be read as an id.
    package var isReadable: Bool { reading != .absent }

    /// The key as a log keeps it.
    package var recorded: RowKey {
        var key = RowKey(text: text)
        key.reading = .recorded
        return key
    }

    /// The key of a text of which it is known that no row has it.
    package var absent: RowKey {
        var key = RowKey(text: text)
        key.reading = .absent
        return key
    }

    /// Whether rows are also looked for by what earlier versions of this library recorded.
    package var isRecorded: Bool { reading == .recorded }

    /// The id as a value of `ID`; nil if it has to be found by its text.
    ///
    /// - Complexity: O(1), without a dynamic cast.
    package func id<ID: Hashable & Sendable>(as type: ID.Type) -> ID? {
        guard let typed, typed.type == ObjectIdentifier(type) else { return nil }
        return unsafeDowncast(typed, to: RowID<ID>.self).id
    }

    /// The key of a row that this one has led to, with the row's own id.
    ///
    /// Equal ids may have different texts; an instance has only one.
    package func leading<ID: Hashable & Sendable>(to id: ID) -> RowKey {
        RowText.isPlain(ID.self) && self.id(as: ID.self) != nil ? self : RowKey(id)
    }

    /// Whether the text can be read as the same id again; true for a key that has no id.
    var readsBack: Bool { typed?.isRead(from: text) ?? true }

    package static func == (left: RowKey, right: RowKey) -> Bool {
        guard left.text == right.text else { return false }
        guard let one = left.typed, let other = right.typed, one.type == other.type else {
            return true
        }
        return one.hash == other.hash
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

private class TypedRowID: @unchecked Sendable {  // Immutable, here and in its one subclass.
    let type: ObjectIdentifier
    /// The hash of the id, made with the key: comparing keys calls nobody's code.
    let hash: Int

    init(_ type: ObjectIdentifier, hash: Int) {
        self.type = type
        self.hash = hash
    }

    func isRead(from text: String) -> Bool { false }
}

private final class RowID<ID: Hashable & Sendable>: TypedRowID, @unchecked Sendable {
    let id: ID
    private let isCoded: Bool

    init(_ id: ID, isCoded: Bool) {
        self.id = id
        self.isCoded = isCoded
        super.init(ObjectIdentifier(ID.self), hash: RowText.isPlain(ID.self) ? 0 : id.hashValue)
    }

    override func isRead(from text: String) -> Bool {
        if RowText.isPlain(ID.self) { return true }
        return isCoded && RowTextReader<ID>()?.read(text) == id
    }
}
