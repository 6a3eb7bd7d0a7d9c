// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The place of a key path that is read as an observed value, perhaps for one row of its table: finds its cell before its
/// key is made.
@usableFromInline
struct ObservedSite: Hashable, @unchecked Sendable {  // The id came as `Sendable`.
    private let site: GroupSite
    private let reader: ObjectIdentifier?
    private let row: AnyHashable?

    init(
        _ path: AnyKeyPath, from start: Int, _ kind: GroupKey.Kind, row: AnyHashable? = nil,
        reader: (any Actor)?
    ) {
        site = GroupSite(path, from: start, kind)
        self.row = row
        self.reader = reader.map { ObjectIdentifier($0) }
    }
}
