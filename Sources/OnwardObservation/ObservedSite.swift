// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The place of a key path that is read as an observed value, perhaps for one row of its table: finds its cell before its
/// key is made.
@usableFromInline
struct ObservedSite: Hashable, Sendable {
    private let site: GroupSite
    private let reader: ObjectIdentifier?
    /// The hash of a row's id.
    ///
    /// Where two ids share it, the one that was read first is found here; the other is found by its key.
    private let row: Int?

    init(
        _ path: AnyKeyPath, from start: Int, _ kind: GroupKey.Kind, row: Int? = nil,
        reader: (any Actor)?
    ) {
        site = GroupSite(path, from: start, kind)
        self.row = row
        self.reader = reader.map { ObjectIdentifier($0) }
    }
}

/// The id of the row that a cell stands for, without its type, which the key path of a site says.
@usableFromInline
class ObservedRow: @unchecked Sendable {  // Nothing in it changes.
    @usableFromInline init() {}

    /// Whether it is the row with an id; it was found by the key path of a table with such ids.
    @inlinable @inline(__always)
    final func hasID<ID: Hashable & Sendable>(_ id: ID) -> Bool {
        unsafeDowncast(self, to: TypedObservedRow<ID>.self).id == id
    }
}

@usableFromInline
final class TypedObservedRow<ID: Hashable & Sendable>: ObservedRow, @unchecked Sendable {
    @usableFromInline let id: ID

    @usableFromInline init(_ id: ID) { self.id = id }
}
