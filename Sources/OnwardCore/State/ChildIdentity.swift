// SPDX-License-Identifier: MIT

/// What distinguishes a child in an optional slice from another one that takes its place: its id.
///
/// A child that is not `Identifiable` is the same as long as the slice is not nil.
package struct ChildIdentity: Sendable {
    /// The way to the child.
    private let scan: SliceLens.Scan
    private let id: @Sendable (UnsafeRawPointer) -> AnyHashable?

    /// Nil for children without ids.
    init?<Child>(of type: Child.Type, _ scan: @escaping SliceLens.Scan) {
        guard type is any Identifiable.Type else { return nil }
        self.scan = scan
        id = { Self.id(of: $0.assumingMemoryBound(to: Child.self).pointee) }
    }

    private static func id<Child>(of child: Child) -> AnyHashable? {
        func open(_ child: some Identifiable) -> AnyHashable { AnyHashable(child.id) }
        return (child as? any Identifiable).map { open($0) }
    }

    /// The id of the child on the way to an instance; nil if there is none.
    package func id(of address: Address, from start: UnsafeRawPointer) -> AnyHashable? {
        var found: AnyHashable?
        scan(start, address, []) { found = found ?? id($1) }
        return found
    }
}
