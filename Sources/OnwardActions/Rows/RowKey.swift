// SPDX-License-Identifier: MIT

internal import Synchronization

/// The id of a row: as a text for logs and the wire, and typed for a fast way to the row.
///
/// Two keys are equal if their texts are, and so is what they compare: no `==` of an id is called,
/// wherever keys are compared. Ids that have one text although they differ, which only happens to
/// ids that can't be recorded, are distinguished by their hashes.
package struct RowKey: Sendable, Hashable {
    /// Nil where the text is written when it is first asked for.
    private let written: String?
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
        written = text
        typed = WrittenRowID(id, isCoded: isCoded)
    }

    /// The key of an id whose coding must not run now, as a lock is held: its text is written when
    /// it is first asked for.
    package init<ID: Hashable & Sendable>(unwritten id: ID) {
        let (written, typed): (String?, TypedRowID) =
            if RowText.isPlain(ID.self) {
                (RowText.write(id).text, WrittenRowID(id, isCoded: true))
            } else {
                (nil, UnwrittenRowID(id))
            }
        self.written = written
        self.typed = typed
    }

    package init(text: String) {
        written = text
        typed = nil
    }

    package var text: String { written ?? typed?.text ?? "" }

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
        RowText.isPlain(ID.self) && self.id(as: ID.self) != nil ? self : RowKey(unwritten: id)
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

private class TypedRowID: @unchecked Sendable {  // Immutable, here and in its subclasses.
    let type: ObjectIdentifier
    /// The hash of the id, made with the key: comparing keys calls nobody's code.
    let hash: Int

    init(_ type: ObjectIdentifier, hash: Int) {
        self.type = type
        self.hash = hash
    }

    /// The text, which calls the coding of the id.
    var text: String { "" }

    func isRead(from text: String) -> Bool { false }
}

private class RowID<ID: Hashable & Sendable>: TypedRowID, @unchecked Sendable {
    let id: ID

    init(_ id: ID) {
        self.id = id
        super.init(ObjectIdentifier(ID.self), hash: RowText.isPlain(ID.self) ? 0 : id.hashValue)
    }

    /// Whether the text is the coded form of the id.
    var isCoded: Bool { false }

    override func isRead(from text: String) -> Bool {
        if RowText.isPlain(ID.self) { return true }
        return isCoded && RowTextReader<ID>()?.read(text) == id
    }
}

/// An id whose text is in its key.
private final class WrittenRowID<ID: Hashable & Sendable>: RowID<ID>, @unchecked Sendable {
    private let isTextCoded: Bool

    init(_ id: ID, isCoded: Bool) {
        isTextCoded = isCoded
        super.init(id)
    }

    override var isCoded: Bool { isTextCoded }
}

/// An id whose text is written when it is first asked for.
private final class UnwrittenRowID<ID: Hashable & Sendable>: RowID<ID>, @unchecked Sendable {
    private let known = Mutex<(text: String, isCoded: Bool)?>(nil)

    override var text: String { writing.text }
    override var isCoded: Bool { writing.isCoded }

    /// Written outside the lock, as that calls the coding of the id; the first writing counts.
    private var writing: (text: String, isCoded: Bool) {
        if let known = known.withLock({ $0 }) { return known }
        let new = RowText.write(id)
        return known.withLock { known in
            let first = known ?? new
            known = first
            return first
        }
    }
}
