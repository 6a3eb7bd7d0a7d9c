// SPDX-License-Identifier: MIT

/// What distinguishes a child in an optional slice from another one that takes its place: its id.
///
/// A child that is not `Identifiable` is the same as long as the slice is not nil.
class ChildIdentity: @unchecked Sendable {  // Stateless, here and in its one subclass.
    /// Nil for children without ids.
    static func of<Child>(_ type: Child.Type) -> ChildIdentity? {
        func open<Known: Identifiable>(_ type: Known.Type) -> ChildIdentity {
            TypedChildIdentity<Known>()
        }
        return (type as? any Identifiable.Type).map { open($0) }
    }

    /// The id of a child, to be compared with that of a later one.
    func note(_ child: UnsafeRawPointer) -> (any Sendable)? { nil }

    /// Whether a child has an id that was noted.
    func isSame(_ noted: (any Sendable)?, _ child: UnsafeRawPointer) -> Bool { true }
}

private final class TypedChildIdentity<Child: Identifiable>: ChildIdentity, @unchecked Sendable {
    private final class Noted: @unchecked Sendable {  // Immutable.
        let id: Child.ID

        init(_ id: Child.ID) { self.id = id }
    }

    override func note(_ child: UnsafeRawPointer) -> (any Sendable)? {
        Noted(child.assumingMemoryBound(to: Child.self).pointee.id)
    }

    override func isSame(_ noted: (any Sendable)?, _ child: UnsafeRawPointer) -> Bool {
        guard let noted = noted as? Noted else { return false }
        let id = child.assumingMemoryBound(to: Child.self).pointee.id
        // An id that doesn't equal itself distinguishes nothing.
        return noted.id == id || (noted.id != noted.id && id != id)
    }
}
